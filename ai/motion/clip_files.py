"""Clip files ``assets/clips/<name>.json``: writing, reading, and the hash on them (CLIP-01).

The first line of a file holds the hash of every byte after it, so that curves
can never be read beside a motion they were not sampled from: a file edited by
hand is refused. Line ends are normalised before hashing, so a checkout with
other line ends reads the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError

from ai.motion.clip_tuning import ClipTuning
from ai.motion.clips import ClipRefused, MotionClip
from ai.tuning import OwnForm, first_error_sentence

MAX_FILE_BYTES = 1_000_000
"""A clip file over this size is refused unread (product.md section 10)."""

MEND = "write the clips anew with: python -m ai.motion.authoring"
"""What a refused clip file is mended with, for the end of the refusal."""

DECIMALS = 5
"""Places after the point in clip files: 1e-5 cm and 1e-5 rad are far below what is drawn."""

Channel = tuple[float, ...]


class _RootForm(OwnForm):
    x: Channel
    y: Channel
    z: Channel
    yaw: Channel


class _CurvesForm(OwnForm):
    duration: float = Field(gt=0.0, le=600.0)
    distance: Channel
    yaw: Channel | None = None


class _ClipForm(OwnForm):
    hash: str = Field(pattern=r"^[0-9a-f]{64}$")
    rig: str = Field(max_length=40)
    joints: tuple[str, ...] = Field(min_length=1, max_length=200)
    duration: float = Field(gt=0.0, le=600.0)
    root: _RootForm
    tracks: dict[str, tuple[Channel, Channel, Channel]]
    curves: _CurvesForm


def rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values as they lie in a clip file; there is no minus zero."""
    return np.round(values, DECIMALS) + 0.0


def write_clip(path: Path, clip: MotionClip) -> None:
    """Write a clip's file; the same clip always gives the same bytes."""
    path.write_text(clip_text(clip), encoding="utf-8", newline="\n")


def clip_text(clip: MotionClip) -> str:
    """The text of a clip's file: one channel a line, so that a change shows where it is."""
    curves: dict[str, object] = {
        "duration": clip.duration_s,
        "distance": _numbers(clip.distance),
    }
    if clip.yaw_progress is not None:
        curves["yaw"] = _numbers(clip.yaw_progress)
    tracks = {
        joint: [_numbers(clip.tracks[:, j, axis]) for axis in range(3)]
        for j, joint in enumerate(clip.joints)
    }
    root = {name: _numbers(clip.root[:, i]) for i, name in enumerate(("x", "y", "z", "yaw"))}
    parts = [
        f'"rig":{json.dumps(clip.rig_id)}',
        f'"joints":{_compact(list(clip.joints))}',
        f'"duration":{json.dumps(clip.duration_s)}',
        f'"root":{_one_line_each(root)}',
        f'"tracks":{_one_line_each(tracks)}',
        f'"curves":{_one_line_each(curves)}',
    ]
    body = ",\n".join(parts) + "}\n"
    return f'{{"hash":"{_digest(body)}",\n{body}'


def read_clip(path: Path, tuning: ClipTuning) -> MotionClip:
    """Read one clip file; its name is the file's stem.

    Raises ``ClipRefused`` naming file, value and mend for a file that is missing,
    too big, no clip, changed since it was written, not of ``samples`` samples, not
    finite, whose distance falls, or whose curves have another duration (CLIP-05).
    """
    form = _read_form(path)
    samples = tuning.samples
    channels: dict[str, Sequence[float]] = {
        "root.x": form.root.x,
        "root.y": form.root.y,
        "root.z": form.root.z,
        "root.yaw": form.root.yaw,
        "curves.distance": form.curves.distance,
    }
    if form.curves.yaw is not None:
        channels["curves.yaw"] = form.curves.yaw
    for joint, track in form.tracks.items():
        for axis, channel in zip("xyz", track, strict=True):
            channels[f"tracks.{joint}.{axis}"] = channel
    for name, values in channels.items():
        if len(values) != samples:
            raise ClipRefused(f"{path}: {name} has {len(values)} samples, not {samples}; {MEND}")
    if tuple(form.tracks) != form.joints:
        raise ClipRefused(f"{path}: the joint list differs from the joints of the tracks; {MEND}")
    if abs(form.curves.duration - form.duration) > tuning.duration_match:
        raise ClipRefused(
            f"{path}: curves of {form.curves.duration} s on a clip of {form.duration} s; {MEND}"
        )
    distance = form.curves.distance
    for i in range(1, samples):
        if distance[i] < distance[i - 1]:
            raise ClipRefused(
                f"{path}: distance falls from {distance[i - 1]} to {distance[i]} cm "
                f"at sample {i}; {MEND}"
            )
    return MotionClip(
        name=path.stem,
        rig_id=form.rig,
        joints=form.joints,
        duration_s=form.duration,
        root=np.array([form.root.x, form.root.y, form.root.z, form.root.yaw]).T.copy(),
        tracks=np.array([form.tracks[joint] for joint in form.joints]).transpose(2, 0, 1).copy(),
        distance=distance,
        yaw_progress=form.curves.yaw,
    )


def _read_form(path: Path) -> _ClipForm:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise ClipRefused(f"{path}: over {MAX_FILE_BYTES} bytes, refused")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ClipRefused(f"{path}: can't be read ({error.strerror}); {MEND}") from error
    except UnicodeDecodeError as error:
        raise ClipRefused(f"{path}: not UTF-8 text; {MEND}") from error

    def not_finite(constant: str) -> NoReturn:
        raise ClipRefused(f"{path}: holds {constant}, which is not finite; {MEND}")

    try:
        document = json.loads(text, parse_constant=not_finite)
        form = _ClipForm.model_validate(document)
    except ValidationError as error:
        raise ClipRefused(f"{path}: {first_error_sentence(error)}; {MEND}") from error
    except (ValueError, RecursionError) as error:
        raise ClipRefused(f"{path}: not valid JSON ({error}); {MEND}") from error
    _, _, body = text.partition("\n")
    if form.hash != _digest(body):
        raise ClipRefused(f"{path}: changed since its curves were sampled (hash mismatch); {MEND}")
    return form


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode("utf-8")).hexdigest()


def _numbers(channel: Sequence[float] | NDArray[np.float64]) -> list[float]:
    return rounded(np.asarray(channel)).tolist()  # type: ignore[no-any-return]


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def _one_line_each(entries: dict[str, Any]) -> str:
    lines = (f"{json.dumps(key)}:{_compact(value)}" for key, value in entries.items())
    return "{\n" + ",\n".join(lines) + "}"
