"""Figures of one fall, for the workbench: how long, how fast, how far joints give way."""

from __future__ import annotations

from dataclasses import dataclass

from ai.motion.recovery.phases import LIMP, RecoveryRecord
from ai.ports import STEP_S
from game.world.ragdoll.limp_ped import LimpPed


@dataclass(slots=True)
class FallMeasures:
    """What one session has shown so far.

    - ``to_rest_s``: from the hit until the body may leave, None before.
    - Peaks are over all limbs and steps: cm/s, rad/s, cm. ``overlap_cm``: how deep the worst
      limb was in something fixed.
    """

    session: int = 0
    steps: int = 0
    to_rest_s: float | None = None
    speed_peak: float = 0.0
    spin_peak: float = 0.0
    gap_peak_cm: float = 0.0
    gap_cm: float = 0.0
    overlap_cm: float = 0.0

    def follow(self, record: RecoveryRecord | None, limp: LimpPed | None) -> None:
        """Look at the body after a step; another session begins anew."""
        if record is None:
            return
        if record.session != self.session:
            self._begin(record.session)
        if record.phase not in LIMP or limp is None or limp.is_broken:
            if self.to_rest_s is None and self.steps:
                self.to_rest_s = self.steps * STEP_S
            return
        self.steps += 1
        self.gap_cm = limp.pivot_error_cm()
        self.gap_peak_cm = max(self.gap_peak_cm, self.gap_cm)
        for body in limp.bodies:
            self.speed_peak = max(self.speed_peak, body.velocity.length)
            self.spin_peak = max(self.spin_peak, abs(body.angular_velocity))
        self.overlap_cm = max(self.overlap_cm, limp.overlap_cm())

    def _begin(self, session: int) -> None:
        self.session = session
        self.steps = 0
        self.to_rest_s = None
        self.speed_peak = self.spin_peak = 0.0
        self.gap_peak_cm = self.gap_cm = self.overlap_cm = 0.0
