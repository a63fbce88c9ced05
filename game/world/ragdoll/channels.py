"""What a plan view does not know of a limp body: extent, tilt, height, roll (RAG-05, 07, 10)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ai.motion.recovery.tuning import FallTuning

_QUARTER = 0.5 * math.pi
_TURN = 2.0 * math.pi


@dataclass(slots=True)
class Channels:
    """The channels of one body.

    - ``extent`` goes from ``extent_from`` to 1, ``tilt`` from ``tilt_from`` to a quarter
      turn, over the fall time since ``fall_age`` was 0.
    - ``z`` in cm above the pelvis's ground, never below 0; ``vz`` in cm/s upwards.
    - ``held_z``: the height at which a hand holds it up, None for a body that is free.
    - ``roll`` in -pi..pi: 0 face up, positive on the right side.
    """

    extent_from: float
    tilt_from: float
    roll: float
    vz: float = 0.0
    z: float = 0.0
    fall_age: float = 0.0
    held_z: float | None = None
    extent: float = 0.0
    tilt: float = 0.0

    def __post_init__(self) -> None:
        self.extent, self.tilt = self.extent_from, self.tilt_from

    @property
    def is_grounded(self) -> bool:
        """The pelvis lies on the ground: friction acts, and the ground may carry it."""
        return self.z == 0.0 and self.vz <= 0.0

    @property
    def is_falling(self) -> bool:
        """Plan lengths still grow."""
        return self.extent < 1.0

    def fall_on(self, dt_s: float, tuning: FallTuning) -> None:
        """From standing to lying: plan lengths grow, the figure tilts."""
        self.fall_age += dt_s
        share = min(self.fall_age / tuning.fall_time, 1.0)
        eased = share * share * (3.0 - 2.0 * share)
        if share >= 1.0:
            self.extent, self.tilt = 1.0, _QUARTER
            return
        self.extent = self.extent_from + (1.0 - self.extent_from) * math.sin(_QUARTER * eased)
        self.tilt = self.tilt_from + (_QUARTER - self.tilt_from) * eased

    def fly_on(self, dt_s: float, tuning: FallTuning) -> None:
        """Fly, land, bounce once or lie; or hang."""
        if self.held_z is not None:
            self.z, self.vz = self.held_z, 0.0
            return
        if self.z == 0.0 and self.vz == 0.0:
            return
        self.z += self.vz * dt_s - 0.5 * tuning.gravity * dt_s * dt_s
        self.vz -= tuning.gravity * dt_s
        if self.z <= 0.0 and self.vz < 0.0:
            self.z = 0.0
            self.vz = -tuning.bounce * self.vz if -self.vz > tuning.bounce_min else 0.0

    def roll_on(self, sideways_cm_s: float, dt_s: float, tuning: FallTuning) -> None:
        """Roll with the chest's speed towards the plan's left side, or come to lie squarely.

        Who slides to its left side rolls over it: the left goes down, the roll falls.
        """
        if not self.is_grounded or self.is_falling:
            return
        if abs(sideways_cm_s) > tuning.roll_speed:
            turned = self.roll - tuning.roll_slip * sideways_cm_s / tuning.roll_radius * dt_s
        else:
            square = round(self.roll / _QUARTER) * _QUARTER
            most = math.radians(tuning.roll_relax_deg_s) * dt_s
            turned = self.roll + min(max(square - self.roll, -most), most)
        self.roll = turned - _TURN * math.floor((turned + math.pi) / _TURN)
        if self.roll == -math.pi:
            self.roll = math.pi
