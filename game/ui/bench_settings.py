"""What the workbench of falls is set to; kept while the window is open."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ai.motion.recovery.tuning import KnockdownTuning
from game.world.edits import PushPed, TuneBodies
from game.world.world import World

_PARTS_BY_HEIGHT = ((48.0, "left_shin"), (90.0, "left_thigh"), (105.0, "pelvis"), (150.0, "chest"))
"""What stands up to a height, in cm; above it is the head."""


@dataclass(slots=True)
class BenchSettings:
    """Figures of bodies, and the blow.

    ``impulse`` in kg cm/s, ``height_cm`` of the blow above the ground, ``heading_deg`` where
    it goes on the map, clockwise from east.
    """

    ground_mu: float
    tone_stiffness: float
    tone_damping: float
    impulse: float = 30_000.0
    height_cm: float = 130.0
    heading_deg: float = 20.0

    @classmethod
    def of(cls, tuning: KnockdownTuning) -> BenchSettings:
        """The shipped figures."""
        ragdoll = tuning.ragdoll
        return cls(tuning.fall.ground_mu, ragdoll.tone_stiffness, ragdoll.tone_damping)

    @property
    def part(self) -> str:
        """Which body stands at the height of the blow."""
        return next((part for top, part in _PARTS_BY_HEIGHT if self.height_cm < top), "head")

    def tune(self) -> TuneBodies:
        """The figures as an action."""
        return TuneBodies(self.ground_mu, self.tone_stiffness, self.tone_damping)

    def blow(self, world: World) -> PushPed | None:
        """The blow as an action, at the first ped; None if there is nobody."""
        peds = world.peds.in_id_order()
        if not peds:
            return None
        angle = math.radians(self.heading_deg)
        push = self.impulse * math.cos(angle), self.impulse * math.sin(angle)
        return PushPed(peds[0].ref, push, 0.2 * self.impulse, self.part)
