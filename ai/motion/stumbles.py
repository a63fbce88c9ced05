"""Stumbles: who was hit and stays up is posed by a clip, and steps as far as its root goes.

A task starts and ends a stumble and holds the claim that lets it write the position
(``claim.stumble``, NAV-13); here it is moved, in the walk's phase, under the checks of a
step (LOC-07). What is in the way ends the steps, not the clip.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ai.motion.clip_library import ClipLibrary
from ai.motion.clips import MotionClip
from ai.motion.locomotion_tuning import LocomotionTuning
from ai.motion.movement_table import MovementTable, PositionWriter
from ai.motion.pose_evaluation import Floats, PoseEvaluator
from ai.motion.step_checks import distance_xy, ped_spacing_cm
from ai.ports import Clearance, WalkSurface


@dataclass(slots=True)
class _Stumble:
    """One stumble; ``covered`` is the root distance of the clip done so far, in cm."""

    tag: int
    clip: MotionClip
    way: tuple[float, float]
    age_s: float = 0.0
    covered: float = 0.0
    is_stopped: bool = False


class Stumbles:
    """At most one stumble a ped slot; another begins in place of the first."""

    def __init__(
        self,
        table: MovementTable,
        clips: ClipLibrary,
        surface: WalkSurface,
        clearance: Clearance,
        tuning: LocomotionTuning,
    ) -> None:
        self._table = table
        self._clips = clips
        self._surface = surface
        self._clearance = clearance
        self._tuning = tuning
        self._spacing_cm = ped_spacing_cm(tuning)
        self._poses = PoseEvaluator(clips)
        self._stumbles: dict[int, _Stumble] = {}

    def begin(self, slot: int, tag: int, reaction: str, push: tuple[float, float]) -> float:
        """Play a reaction clip, stepping along ``push``; returns how long it lasts, in s.

        A profile without such a clip stumbles for no time.
        """
        profile = self._clips.profile_or_none(
            self._table.profile.item(self._table.active_record.item(slot))
        )
        clip = None if profile is None else profile.reactions.get(reaction)
        if clip is None:
            self._stumbles.pop(slot, None)
            return 0.0
        size = math.hypot(*push)
        way = (0.0, 0.0) if size == 0.0 else (push[0] / size, push[1] / size)
        self._stumbles[slot] = _Stumble(tag, clip, way)
        return clip.duration_s

    def end(self, slot: int, tag: int) -> None:
        """The stumble of that tag is over; another's is left alone."""
        found = self._stumbles.get(slot)
        if found is not None and found.tag == tag:
            del self._stumbles[slot]

    def step(self, dt_s: float) -> None:
        """Take the steps of this time (W4)."""
        if not self._stumbles:
            return
        for slot in sorted(self._stumbles, key=self._table.ped_id.item):
            stumble = self._stumbles[slot]
            stumble.age_s = min(stumble.age_s + dt_s, stumble.clip.duration_s)
            covered = stumble.clip.distance_at(stumble.age_s)
            length, stumble.covered = covered - stumble.covered, covered
            if length > 0.0 and not stumble.is_stopped:
                stumble.is_stopped = not self._move(slot, stumble.way, length)

    def tag_of(self, slot: int) -> int | None:
        """Whose stumble a ped is in, None if in none."""
        found = self._stumbles.get(slot)
        return None if found is None else found.tag

    def shown_joints(self, slot: int) -> Floats | None:
        """The pose of a ped that stumbles, in its body frame; None for all others."""
        found = self._stumbles.get(slot)
        if found is None:
            return None
        return self._poses.evaluate(self._clips.clip_id(found.clip), found.age_s)

    def _move(self, slot: int, way: tuple[float, float], length: float) -> bool:
        """One step if nothing is against it."""
        table, tuning = self._table, self._tuning
        x, y, z = table.position(slot)
        ground = self._surface.project(x + way[0] * length, y + way[1] * length, tuning.step_shift)
        if (
            ground is None
            or abs(ground.z - z) > tuning.step_height
            or ground.normal_z < tuning.normal_z_min
            or not self._clearance.sweep_free(
                x, y, ground.x, ground.y, tuning.ped_radius, tuning.body_low, tuning.ped_height
            )
            or self._comes_too_near(slot, ground.x, ground.y)
        ):
            return False
        table.write_position(slot, ground.x, ground.y, ground.z, PositionWriter.STUMBLE)
        return True

    def _comes_too_near(self, slot: int, x: float, y: float) -> bool:
        table = self._table
        here_x, here_y = table.x.item(slot), table.y.item(slot)
        for other in table.slots_in_id_order().tolist():
            if other == slot:
                continue
            other_x, other_y = table.x.item(other), table.y.item(other)
            after = distance_xy(x, y, other_x, other_y)
            if after < self._spacing_cm and after <= distance_xy(here_x, here_y, other_x, other_y):
                return True
        return False
