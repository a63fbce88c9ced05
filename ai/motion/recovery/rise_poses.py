"""The animated side of a rise: get-up clips by lying pose (REC-13 to REC-15)."""

from __future__ import annotations

from ai.motion.clip_library import ClipLibrary
from ai.motion.clips import MotionClip
from ai.motion.pose_evaluation import PoseEvaluator
from ai.motion.recovery.rising import Floats, LyingPose


class RisePoses:
    """Looks up clips of a profile; a profile without get-up clips rises into its idle (REC-15)."""

    def __init__(self, library: ClipLibrary, blend_time_s: float) -> None:
        self._library = library
        self._evaluator = PoseEvaluator(library)
        self._blend_time_s = blend_time_s

    def clip(self, profile: int, lying: LyingPose) -> MotionClip | None:
        """The get-up clip of a profile, or None if it has none."""
        found = self._library.profile_or_none(profile)
        return None if found is None else found.getup(lying.name.lower())

    def total_s(self, profile: int, lying: LyingPose) -> float:
        """How long the rise takes (REC-14)."""
        clip = self.clip(profile, lying)
        return self._blend_time_s if clip is None else max(self._blend_time_s, clip.duration_s)

    def pose(self, profile: int, lying: LyingPose, time_s: float) -> Floats:
        """The animated side of the blend."""
        clip = self.clip(profile, lying)
        if clip is None:
            clip, time_s = self._library.profile(max(profile, 0)).idle, 0.0
        return self._evaluator.evaluate(self._library.clip_id(clip), time_s)
