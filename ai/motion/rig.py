"""A rig: the joints of a figure, how they hang together, and its proportions.

Loaded from ``assets/rigs/<id>.toml``. A rig holds no pose; clips name the rig
whose joints their tracks move, and poses are arrays in the rig's joint order.

The **body frame** of every pose: x forward, y to the figure's right, z up, the
origin on the ground under the body's centre. With the map's axes (x right,
y down, yaw clockwise on screen) a pose is placed by turning x towards y by the
yaw and adding the position.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from ai.tuning import OwnForm, load_own_form

SIDES = ("left", "right")

_TRUNK = ("pelvis", "waist", "neck", "head", "face", "crown")
_LIMBS = ("shoulder", "elbow", "wrist", "hand", "hip", "knee", "ankle", "heel", "toe")
REQUIRED_JOINTS = (*_TRUNK, *(f"{side}_{limb}" for side in SIDES for limb in _LIMBS))
"""Joints that drawing and leg placing read by name; a rig may have more."""


class Proportions(OwnForm):
    """Lengths of a figure in cm (art-and-feel section 4)."""

    ankle_height: float = Field(gt=0.0, le=50.0)
    shin: float = Field(gt=0.0, le=200.0)
    thigh: float = Field(gt=0.0, le=200.0)
    hip_half_width: float = Field(gt=0.0, le=100.0)
    pelvis_to_waist: float = Field(gt=0.0, le=100.0)
    waist_to_neck: float = Field(gt=0.0, le=200.0)
    neck: float = Field(ge=0.0, le=50.0)
    head_above_neck: float = Field(gt=0.0, le=50.0)
    head_ahead: float = Field(ge=0.0, le=50.0)
    face_ahead: float = Field(gt=0.0, le=50.0)
    crown_above: float = Field(gt=0.0, le=50.0)
    shoulder_half_width: float = Field(gt=0.0, le=100.0)
    shoulder_drop: float = Field(ge=0.0, le=50.0)
    upper_arm: float = Field(gt=0.0, le=100.0)
    forearm: float = Field(gt=0.0, le=100.0)
    hand: float = Field(gt=0.0, le=50.0)
    toe_ahead: float = Field(gt=0.0, le=50.0)
    heel_behind: float = Field(gt=0.0, le=50.0)


class _JointForm(OwnForm):
    name: str = Field(pattern=r"^[a-z][a-z_]*$", max_length=40)
    parent: str | None = None
    contact_radius: float | None = Field(default=None, gt=0.0, le=50.0)


class _RigForm(OwnForm):
    id: str = Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)
    proportions: Proportions
    joint: tuple[_JointForm, ...] = Field(min_length=1, max_length=200)

    @model_validator(mode="after")
    def _hangs_together(self) -> _RigForm:
        seen: set[str] = set()
        for joint in self.joint:
            if joint.name in seen:
                raise ValueError(f"joint '{joint.name}' is listed twice")
            if joint.parent is None and seen:
                raise ValueError(f"joint '{joint.name}' needs a parent; only the first has none")
            if joint.parent is not None and joint.parent not in seen:
                raise ValueError(
                    f"parent '{joint.parent}' of joint '{joint.name}' must be listed before it"
                )
            seen.add(joint.name)
        for name in REQUIRED_JOINTS:
            if name not in seen:
                raise ValueError(f"joint '{name}' is missing")
        return self


@dataclass(frozen=True, slots=True)
class Leg:
    """Joint numbers of one leg."""

    hip: int
    knee: int
    ankle: int
    heel: int
    toe: int

    @property
    def foot(self) -> tuple[int, int, int]:
        """The joints that move as one rigid foot."""
        return (self.ankle, self.heel, self.toe)


@dataclass(frozen=True, slots=True, eq=False)
class Rig:
    """One loaded rig; immutable.

    - ``joints`` are the names in pose order; ``parents[j]`` is the number of the
      joint that ``j`` hangs on, -1 for the first.
    - ``contact_radii[j]`` is the radius in cm with which a joint touches the
      ground, NaN for a joint that never does.
    - ``mirror[j]`` is the joint on the other side (itself for the trunk).
    """

    rig_id: str
    joints: tuple[str, ...]
    parents: tuple[int, ...]
    contact_radii: NDArray[np.float64]
    mirror: NDArray[np.int64]
    proportions: Proportions
    legs: tuple[Leg, Leg]

    def index(self, joint: str) -> int:
        """Number of a joint; raises ``ValueError`` for a name the rig lacks."""
        return self.joints.index(joint)

    @property
    def leg_length(self) -> float:
        """Hip to ankle with a straight knee, in cm."""
        return self.proportions.thigh + self.proportions.shin


def _other_side(name: str) -> str:
    side, _, rest = name.partition("_")
    return f"{SIDES[1 - SIDES.index(side)]}_{rest}" if side in SIDES else name


def load_rig(path: Path) -> Rig:
    """Read one rig file.

    Raises ``TuningError`` naming file, key and reason.
    """
    form = load_own_form(path, _RigForm)
    names = tuple(joint.name for joint in form.joint)
    number = {name: index for index, name in enumerate(names)}
    radii = np.array(
        [np.nan if joint.contact_radius is None else joint.contact_radius for joint in form.joint]
    )
    mirror = np.array([number.get(_other_side(name), number[name]) for name in names])
    radii.setflags(write=False)
    mirror.setflags(write=False)

    def leg(side: str) -> Leg:
        parts = ("hip", "knee", "ankle", "heel", "toe")
        return Leg(*(number[f"{side}_{part}"] for part in parts))

    return Rig(
        rig_id=form.id,
        joints=names,
        parents=tuple(-1 if j.parent is None else number[j.parent] for j in form.joint),
        contact_radii=radii,
        mirror=mirror,
        proportions=form.proportions,
        legs=(leg("left"), leg("right")),
    )
