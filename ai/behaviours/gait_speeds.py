"""Move blend ratios and the speeds and clip profiles they mean (LOC-13).

A move blend ratio of 0, 1, 2, 3 means still, walk, run, sprint, linear between.
Up to ``MBR_FAST_WALK`` a ped uses the walk profile, above it the run profile.
"""

from __future__ import annotations

from dataclasses import dataclass

from ai.motion.clip_library import ClipLibrary
from ai.motion.movement_table import SpeedMode
from ai.tasks.move_interface import MBR_RUN, MBR_SPRINT, MBR_STILL, MBR_WALK

MBR_FAST_WALK = 1.5

MBR_OF_MODE: dict[SpeedMode, float] = {
    SpeedMode.STAND: MBR_STILL,
    SpeedMode.WALK: MBR_WALK,
    SpeedMode.FAST_WALK: MBR_FAST_WALK,
    SpeedMode.RUN: MBR_RUN,
    SpeedMode.SPRINT: MBR_SPRINT,
}


@dataclass(frozen=True, slots=True)
class GaitSpeeds:
    """Desired speeds of the profiles in cm/s, and their indices in the clip library."""

    walk_cm_s: float
    run_cm_s: float
    sprint_cm_s: float
    walk_profile: int
    run_profile: int

    @classmethod
    def of(cls, clips: ClipLibrary) -> GaitSpeeds:
        """Read the speeds off the profiles ``walk`` and ``run``."""
        walk = clips.profile(clips.index("walk"))
        run = clips.profile(clips.index("run"))
        return cls(
            walk_cm_s=walk.desired_speed,
            run_cm_s=run.desired_speed,
            sprint_cm_s=run.desired_speed if run.sprint_speed is None else run.sprint_speed,
            walk_profile=walk.index,
            run_profile=run.index,
        )

    def speed_cm_s(self, mbr: float) -> float:
        """Speed of a move blend ratio, linear between its whole values; clamped to [0, 3]."""
        if mbr <= MBR_STILL:
            return 0.0
        if mbr <= MBR_WALK:
            return mbr * self.walk_cm_s
        if mbr <= MBR_RUN:
            return self.walk_cm_s + (mbr - MBR_WALK) * (self.run_cm_s - self.walk_cm_s)
        share = min(mbr, MBR_SPRINT) - MBR_RUN
        return self.run_cm_s + share * (self.sprint_cm_s - self.run_cm_s)

    def walk_mbr(self, speed_cm_s: float) -> float:
        """Move blend ratio of a ped's own pace: ``speed_cm_s`` backwards, below a run."""
        if speed_cm_s <= self.walk_cm_s:
            return max(speed_cm_s, 0.0) / self.walk_cm_s
        return MBR_WALK + (speed_cm_s - self.walk_cm_s) / (self.run_cm_s - self.walk_cm_s)

    def profile(self, mbr: float) -> int:
        """Index of the clip profile that a move blend ratio is played with."""
        return self.walk_profile if mbr <= MBR_FAST_WALK else self.run_profile
