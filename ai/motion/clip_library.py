"""All clips and profiles of a run: loaded and judged once, then shared, never changed (CLIP-05)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ai.motion.clip_files import MEND, read_clip
from ai.motion.clip_profiles import NO_PROFILE, ROLES, ClipProfile, ProfileForm, ProfilesForm
from ai.motion.clip_steps_batch import ProfileCurves
from ai.motion.clip_tuning import ClipTuning
from ai.motion.clips import ClipRefused, MotionClip
from ai.motion.rig import Rig, load_rig
from ai.tuning import load_own_form


@dataclass(frozen=True, slots=True, eq=False)
class ClipLibrary:
    """The loaded clip set; every part of it is immutable.

    - ``profiles`` in the order of ``profiles.toml``: a ped's profile index points here.
    - ``clips`` in the order in which profiles first name them: clip ids point here.
    - ``rig`` is the rig of all of them.
    - ``curves`` are the profiles' figures stacked for the batch steps.
    """

    rig: Rig
    profiles: tuple[ClipProfile, ...]
    clips: tuple[MotionClip, ...]
    curves: ProfileCurves
    source: Path

    @classmethod
    def load(cls, assets_dir: Path, tuning: ClipTuning) -> ClipLibrary:
        """Read ``clips/profiles.toml``, the clips it names and their rig.

        Raises ``ClipRefused`` or ``TuningError`` naming file, clip and value for
        anything CLIP-05 refuses; there is no substitute for a refused clip.
        """
        source = assets_dir / "clips" / "profiles.toml"
        forms = load_own_form(source, ProfilesForm).root
        if not forms:
            raise ClipRefused(f"{source}: has no profile; give it at least one table")
        rig_id = next(iter(forms.values())).rig
        rig = load_rig(assets_dir / "rigs" / f"{rig_id}.toml")
        clips: dict[str, MotionClip] = {}
        for form in forms.values():
            for name in (*form.clips.model_dump().values(), *_body_clips(form)):
                if name not in clips:
                    clips[name] = read_clip(assets_dir / "clips" / f"{name}.json", tuning)
        profiles = tuple(
            _profile(source, index, name, form, rig, clips, tuning)
            for index, (name, form) in enumerate(forms.items())
        )
        return cls(
            rig=rig,
            profiles=profiles,
            clips=tuple(clips.values()),
            curves=ProfileCurves.of(profiles, tuning),
            source=source,
        )

    def index(self, name: str) -> int:
        """Index of a profile; raises ``ClipRefused`` for a name the file lacks."""
        for profile in self.profiles:
            if profile.name == name:
                return profile.index
        known = ", ".join(profile.name for profile in self.profiles)
        raise ClipRefused(f"{self.source}: has no profile '{name}'; it has {known}")

    def profile(self, index: int) -> ClipProfile:
        """The profile of an index."""
        return self.profiles[index]

    def profile_or_none(self, index: int) -> ClipProfile | None:
        """The profile of a ped's index, None for ``NO_PROFILE``."""
        return None if index == NO_PROFILE else self.profiles[index]

    def clip_id(self, clip: MotionClip) -> int:
        """Number of one of this library's clips, for pose evaluation."""
        return next(number for number, own in enumerate(self.clips) if own is clip)


def _profile(
    source: Path,
    index: int,
    name: str,
    form: ProfileForm,
    rig: Rig,
    clips: dict[str, MotionClip],
    tuning: ClipTuning,
) -> ClipProfile:
    names: dict[str, str] = form.clips.model_dump()
    where = f"{source}: profile '{name}'"
    if len(set(names.values())) != len(ROLES):
        raise ClipRefused(
            f"{where} needs {len(ROLES)} clips for its {len(ROLES)} roles "
            f"but names {len(set(names.values()))}; give each role a clip of its own"
        )
    if form.rig != rig.rig_id:
        raise ClipRefused(
            f"{where} is on rig '{form.rig}' but the first profile is on '{rig.rig_id}'; "
            "all profiles share one rig"
        )
    getups: dict[str, str] = {} if form.getups is None else form.getups.model_dump()
    reactions: dict[str, str] = {} if form.reactions is None else form.reactions.model_dump()
    for clip_name in (*names.values(), *_body_clips(form)):
        _check_rig(where, clips[clip_name], rig)
    for role in ("turn_left", "turn_right"):
        if clips[names[role]].yaw_progress is None:
            raise ClipRefused(
                f"{where}: clip '{names[role]}' is to turn but has no yaw channel; {MEND}"
            )
    loop, stop = clips[names["loop"]], clips[names["stop"]]
    loop_speed = loop.total_distance / loop.duration_s
    if abs(loop_speed - form.reference_speed) > form.reference_speed * (
        tuning.reference_match_percent / 100.0
    ):
        raise ClipRefused(
            f"{where}: clip '{loop.name}' covers {loop_speed:.3f} cm/s, more than "
            f"{tuning.reference_match_percent} % off the reference speed {form.reference_speed}"
        )
    if stop.total_distance <= 0.0:
        raise ClipRefused(
            f"{where}: clip '{stop.name}' has a stop distance of {stop.total_distance} cm; "
            "it must be over 0"
        )
    tail = stop.tail_sample(tuning.tail_remaining)
    return ClipProfile(
        index=index,
        name=name,
        rig_id=form.rig,
        reference_speed=form.reference_speed,
        desired_speed=form.desired_speed,
        sprint_speed=form.sprint_speed,
        tail_start_s=tail * stop.duration_s / (stop.samples - 1),
        drawn_stride=form.drawn_stride,
        tuning=tuning,
        getups={lying: clips[clip_name] for lying, clip_name in getups.items()},
        reactions={pushed: clips[clip_name] for pushed, clip_name in reactions.items()},
        **{role: clips[clip_name] for role, clip_name in names.items()},
    )


def _body_clips(form: ProfileForm) -> tuple[str, ...]:
    """Names of the clips that no role asks for: those of falls, rises and hits."""
    groups = (form.getups, form.reactions)
    return tuple(name for group in groups if group for name in group.model_dump().values())


def _check_rig(where: str, clip: MotionClip, rig: Rig) -> None:
    if clip.rig_id != rig.rig_id:
        raise ClipRefused(
            f"{where}: clip '{clip.name}' is for rig '{clip.rig_id}', not '{rig.rig_id}'"
        )
    if clip.joints != rig.joints:
        odd = _first_difference(clip.joints, rig.joints)
        raise ClipRefused(
            f"{where}: clip '{clip.name}' has another joint list than rig '{rig.rig_id}' "
            f"(first at {odd}); {MEND}"
        )


def _first_difference(ours: Sequence[str], theirs: Sequence[str]) -> str:
    for i, (a, b) in enumerate(zip(ours, theirs, strict=False)):
        if a != b:
            return f"{i}: '{a}' for '{b}'"
    return f"{min(len(ours), len(theirs))}: {len(ours)} joints for {len(theirs)}"
