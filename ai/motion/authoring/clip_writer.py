"""All authored clips of an assets folder, built and written."""

from __future__ import annotations

from pathlib import Path

from ai.motion.authoring.clip_builder import Repertoire, build_clip, mirrored
from ai.motion.authoring.gaits import build_gait
from ai.motion.authoring.pose_channels import pose_row
from ai.motion.authoring.pose_forms import ClipForm, ClipsForm, GaitsForm, PosesForm
from ai.motion.clip_files import write_clip
from ai.motion.clip_tuning import ClipTuning
from ai.motion.clips import MotionClip
from ai.motion.rig import load_rig
from ai.tuning import TuningError, load_own_form


def build_clips(assets: Path) -> list[MotionClip]:
    """Build every clip of ``clips/authored/clips.toml``, in the file's order.

    Raises ``TuningError`` or ``ClipRefused`` naming file and reason.
    """
    authored = assets / "clips" / "authored"
    poses = load_own_form(authored / "poses.toml", PosesForm).root
    gaits = load_own_form(authored / "gaits.toml", GaitsForm).root
    forms = load_own_form(authored / "clips.toml", ClipsForm).root
    tuning = load_own_form(assets / "tuning" / "clips.toml", ClipTuning)
    clips = []
    for name, form in forms.items():
        _check_words(authored / "clips.toml", name, form, set(poses), set(gaits))
        rig = load_rig(assets / "rigs" / f"{form.rig}.toml")
        repertoire = Repertoire(
            {word: pose_row(pose) for word, pose in poses.items()},
            {word: build_gait(rig, gait) for word, gait in gaits.items()},
        )
        clip = build_clip(name, form, rig, repertoire, tuning)
        clips.append(clip)
        if form.mirrored_as is not None:
            clips.append(mirrored(form.mirrored_as, clip, rig))
    return clips


def write_clips(assets: Path) -> list[Path]:
    """Build and write every authored clip; the paths written, in order."""
    paths = []
    for clip in build_clips(assets):
        path = assets / "clips" / f"{clip.name}.json"
        write_clip(path, clip)
        paths.append(path)
    return paths


def _check_words(source: Path, name: str, form: ClipForm, poses: set[str], gaits: set[str]) -> None:
    """Raise ``TuningError`` for a pose or gait that a clip names and nobody defines."""
    named_poses = ["idle", *(key.pose for key in form.key)]
    named_gaits = [form.loop_of, *(key.gait for key in form.key)]
    for kind, words, known in (("pose", named_poses, poses), ("gait", named_gaits, gaits)):
        for word in words:
            if word is not None and word not in known:
                raise TuningError(f"{source}: clip '{name}' has no {kind} '{word}' to play")
