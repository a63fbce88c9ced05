"""Clip profiles: which clips a way of walking is made of, how fast, and how it is drawn.

``assets/clips/profiles.toml`` is the data; a ped refers to a profile by index
and shares it with every other ped that uses it (LOC-13).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from pydantic import Field, RootModel, StringConstraints

from ai.motion.clip_tuning import ClipTuning
from ai.motion.clips import MotionClip
from ai.tuning import OwnForm

NO_PROFILE = -1
"""Profile index of a ped that moves by plain speed budget (LOC-13)."""


class DrawnStride(OwnForm):
    """How long a drawn stride is: ``offset + gain * (v / speed) ** exponent`` (CLIP-13).

    - ``offset`` and ``gain`` in cm, ``speed`` in cm/s.
    - ``authored`` is the stride in cm at which the loop clip's feet stand still;
      feet reach ``stride / authored`` times as far, within ``reach_min`` and
      ``reach_max``.
    """

    offset: float = Field(ge=0.0, le=500.0)
    gain: float = Field(gt=0.0, le=500.0)
    speed: float = Field(gt=0.0, le=2000.0)
    exponent: float = Field(gt=0.0, le=2.0)
    authored: float = Field(gt=0.0, le=1000.0)
    reach_min: float = Field(gt=0.0, le=1.0)
    reach_max: float = Field(ge=1.0, le=2.0)

    def length_cm(self, speed_cm_s: float) -> float:
        """Stride (two steps) drawn at a ground speed; never under ``reach_min * authored``."""
        stride = self.offset + self.gain * math.pow(
            max(speed_cm_s, 0.0) / self.speed, self.exponent
        )
        return max(stride, self.reach_min * self.authored)

    def reach(self, stride_cm: float) -> float:
        """Factor on the fore-and-aft reach of the feet for a drawn stride."""
        return min(max(stride_cm / self.authored, self.reach_min), self.reach_max)


class ProfileClips(OwnForm):
    """Clip names by role; all are needed (CLIP-05)."""

    idle: ClipName
    turn_left: ClipName
    turn_right: ClipName
    start: ClipName
    loop: ClipName
    stop: ClipName


class GetUpClips(OwnForm):
    """Get-up clips by how a body lies; a profile has all of them or none (REC-13, REC-15)."""

    face_up: ClipName
    face_down: ClipName
    side_left: ClipName
    side_right: ClipName


_Word: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]
ProfileName: TypeAlias = _Word
ClipName: TypeAlias = _Word


class ReactionClips(OwnForm):
    """What a body does that is hit and stays up: by where it is pushed, or too little for that."""

    flinch: ClipName
    back: ClipName
    front: ClipName
    left: ClipName
    right: ClipName


ROLES = tuple(ProfileClips.model_fields)
"""Role names, in the order in which a profile lists its clips."""


class ProfileForm(OwnForm):
    """One table of ``profiles.toml``. Speeds in cm/s."""

    rig: str = Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)
    reference_speed: float = Field(gt=0.0, le=2000.0)
    desired_speed: float = Field(gt=0.0, le=2000.0)
    sprint_speed: float | None = Field(default=None, gt=0.0, le=2000.0)
    clips: ProfileClips
    getups: GetUpClips | None = None
    reactions: ReactionClips | None = None
    drawn_stride: DrawnStride


class ProfilesForm(RootModel[dict[ProfileName, ProfileForm]]):
    """The whole of ``profiles.toml``; the order of its tables is the order of the indices."""


@dataclass(frozen=True, slots=True, eq=False)
class ClipProfile:
    """A profile ready to be stepped through; immutable, shared by all its peds.

    ``getups`` are the get-up clips by how a body lies (``GetUpClips``), ``reactions`` those of
    ``ReactionClips``; each is empty for a profile without. ``tail_start_s`` is the clip time at
    which the stop clip's root distance has run out (CLIP-11). Speeds in cm/s; ``sprint_speed``
    is None for a profile that has none.
    """

    index: int
    name: str
    rig_id: str
    reference_speed: float
    desired_speed: float
    sprint_speed: float | None
    idle: MotionClip
    turn_left: MotionClip
    turn_right: MotionClip
    start: MotionClip
    loop: MotionClip
    stop: MotionClip
    tail_start_s: float
    drawn_stride: DrawnStride
    tuning: ClipTuning
    getups: Mapping[str, MotionClip]
    reactions: Mapping[str, MotionClip]

    @property
    def stop_distance(self) -> float:
        """Root distance of the whole stop clip in cm (LOC-10)."""
        return self.stop.total_distance

    def getup(self, lying: str) -> MotionClip | None:
        """The get-up clip of a body that lies so, or None for a profile without."""
        return self.getups.get(lying)

    def turn_clip(self, angle_rad: float) -> MotionClip:
        """Clip for a turn: positive angles turn clockwise on screen, to the right."""
        return self.turn_right if angle_rad >= 0.0 else self.turn_left
