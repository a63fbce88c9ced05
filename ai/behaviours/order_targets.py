"""What an order can lead to: the side of an object, or a place on the ground (ORD-08, ORD-25)."""

from __future__ import annotations

import math

from ai.behaviours.actor import Actor
from ai.behaviours.order_book import OrderPorts
from ai.behaviours.order_checks import check_target
from ai.behaviours.order_commands import PASSED, CheckResult, Refusal
from ai.behaviours.order_record import Approach
from ai.behaviours.order_tuning import OrderTuning
from ai.ports import EntityRef, Vec3

AT_THE_MARKER = Vec3(0.0, 0.0, 0.0)
"""Offset of an order to a place from its marker."""


class OrderTargets:
    """Checks targets and reads them; makes markers for places, which an order then owns."""

    def __init__(self, ports: OrderPorts, tuning: OrderTuning) -> None:
        self._ports = ports
        self._tuning = tuning

    def check(self, target: EntityRef, offset: Vec3) -> CheckResult:
        """Rows 3 to 5 of ORD-05."""
        return check_target(
            target, offset, self._ports.transforms, self._tuning.approach.offset_max
        )

    def approach(self, target: EntityRef, offset: Vec3, track: bool = False) -> Approach:
        """Read the transform of an object that passed the check, once and for all (ORD-09)."""
        transform = self._ports.transforms.transform(target)
        assert transform is not None
        return Approach(target, offset, transform, track)

    def ground_near(self, actor: Actor, place: Vec3) -> tuple[Vec3 | None, CheckResult]:
        """The place put onto walkable ground, or NO_GROUND.

        The surface holds body centres, which keep a body's radius off the edge of the
        walkable ground that the distance counts to.
        """
        reach = self._tuning.place.project_max + actor.services.locomotion.ped_radius
        finite = math.isfinite(place.x) and math.isfinite(place.y)
        ground = self._ports.surface.project(place.x, place.y, reach) if finite else None
        if ground is None:
            return None, CheckResult(Refusal.NO_GROUND, f"place={tuple(place)}")
        return Vec3(ground.x, ground.y, ground.z), PASSED

    def mark(self, ground: Vec3) -> Approach:
        """Make a marker there; its maker lets go of it."""
        return self.approach(self._ports.markers.create_marker(ground), AT_THE_MARKER)
