"""Where a safe response goes: the flee policy asked on behalf of a ped (SAFE-02, FLEE-10)."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ai.events.decision_trace import Reason
from ai.events.types import EventType
from ai.navigation.flee_points import FleeGround, FleeRefused, GoalPoint, ThreatPoint
from ai.ports import EntityRef

if TYPE_CHECKING:
    from ai.behaviours.actor import Actor
    from ai.behaviours.safe_record import Threat


def points_of(threats: Sequence[Threat]) -> list[ThreatPoint]:
    """Threats as the policy wants them, sorted by entity (FLEE-09)."""
    ordered = sorted(threats, key=lambda threat: order_of(threat.source))
    return [ThreatPoint(one.at.x, one.at.y, one.safe_cm) for one in ordered]


def order_of(source: EntityRef | None) -> tuple[int, int, int]:
    """Threats without a source first, then by entity."""
    return (-1, 0, 0) if source is None else (int(source.kind), source.slot, source.generation)


def flee_goal(
    actor: Actor,
    threats: Sequence[ThreatPoint],
    purpose: Hashable,
    event_type: EventType | None = None,
    source: EntityRef | None = None,
) -> GoalPoint | FleeRefused | None:
    """A reachable point away from threats, or why there is none (FLEE-01).

    - None if it is not done in this step (FLEE-10): ask again, with the same ``purpose``.
    - For an event the reasoning goes into the ped's decision trace.
    """
    services = actor.services

    def ground() -> FleeGround:
        standing = others_standing(actor)
        return FleeGround(services.surface, services.clearance, services.path_finder, standing)

    here = actor.position
    goal = services.flee.select((actor.ref, purpose), here, threats, ground)
    if goal is not None and event_type is not None:
        nearest = min(math.hypot(here.x - one.x, here.y - one.y) for one in threats)
        reason = Reason.FLEE_POINT if goal else Reason.NO_FLEE_POINT
        actor.events.trace.note_by_name(reason, event_type.name, source, nearest, goal)
    return goal


def drop_choice(actor: Actor, purpose: Hashable) -> None:
    """Nobody waits for a choice any more."""
    actor.services.flee.drop((actor.ref, purpose))


def others_standing(actor: Actor) -> NDArray[np.float64]:
    """Where the other peds are, shape (n, 2)."""
    table = actor.services.movement.table
    slots = table.slots_in_id_order()
    others = slots[slots != actor.slot]
    return np.stack((table.x[others], table.y[others]), axis=1)
