"""What must hold before a safe response is queued, and the ped's own answer to it (SAFE-03)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ai.behaviours.safe_record import EventKey, SafeRefusal, SafeResponse, Threat
from ai.events.deciding import decision_maker_of
from ai.events.decision_flags import STATE_FLAGS, flag_mask, flee_mask
from ai.events.decision_maker import Decision, DecisionMaker, ResponseEntry, ResponseTaskDef
from ai.events.response_kinds import KINDS
from ai.events.situation import SourceKind
from ai.events.types import EventType
from ai.ports import Vec3
from ai.tasks.trees import MOVEMENT, MovementTreeSlot

if TYPE_CHECKING:
    from ai.behaviours.actor import Actor
    from ai.events.event_world import EventWorld
    from ai.navigation.flee_tuning import SafeTuning

TYPE: Final = EventType.SAFE_RESPONSE
_FLEES: Final = ("flee", "threat_response")


def distance_cm(one: Vec3, other: Vec3) -> float:
    """Along the ground."""
    return math.hypot(one.x - other.x, one.y - other.y)


def check_queue(
    actor: Actor,
    live: SafeResponse | None,
    key: EventKey,
    threats: Sequence[Threat],
    goal: Vec3 | None,
    world: EventWorld,
    tuning: SafeTuning,
) -> SafeRefusal | None:
    """Why a response can't be queued, in the order of SAFE-03, or None.

    ``goal`` is None where the policy will choose one: its own margin is the larger.
    """
    if live is not None:
        return SafeRefusal.ALREADY if live.key == key else SafeRefusal.BUSY
    if key.source is None:
        # A place that is no number has no source either, but that is not what is wrong with it.
        return SafeRefusal.BAD_INPUT if _is_bad(threats, tuning) else SafeRefusal.BAD_SOURCE
    if not world.exists(key.source):
        return SafeRefusal.BAD_SOURCE
    if not key.tag:
        return SafeRefusal.BAD_TAG
    if _is_bad(threats, tuning) or (goal is not None and not all(map(math.isfinite, goal))):
        return SafeRefusal.BAD_INPUT
    if goal is not None and not all(
        distance_cm(goal, threat.at) > threat.safe_cm + tuning.queue_margin_cm for threat in threats
    ):
        return SafeRefusal.GOAL_NOT_SAFE
    if actor.tasks.tree(MOVEMENT).slots[MovementTreeSlot.DEFAULT] is None:
        return SafeRefusal.NO_BASE_MOVE
    if not is_answered_by_flee(actor) and (
        any(True for _ in answers(actor))
        or len(actor.events.own_responses) >= tuning.own_entries_max
    ):
        return SafeRefusal.MAPPING_CONFLICT
    return None


def _is_bad(threats: Sequence[Threat], tuning: SafeTuning) -> bool:
    return (
        not threats
        or len(threats) > tuning.threats_max
        or any(
            not all(map(math.isfinite, one.at)) or not 0.0 < one.safe_cm <= tuning.distance_max_cm
            for one in threats
        )
    )


def answers(actor: Actor) -> Iterator[Decision]:
    """How the ped would answer a scripted flee now: nothing, where nobody lists it (EVT-74)."""
    events = actor.events
    maker = decision_maker_of(actor)
    own = events.own_response(TYPE)
    if own is None and maker.component is not None:
        own = maker.component.responses.get(TYPE)
    if own is not None:
        yield from own.decisions
        return
    parent: DecisionMaker | None = maker
    while parent is not None:
        entries = parent.entries_for(TYPE)
        if entries:
            for entry in entries:
                yield from entry.decisions
            return
        parent = parent.parent


def is_answered_by_flee(actor: Actor) -> bool:
    """True if there is an answer, and every possible one is to flee."""
    kinds = [decision.task.kind for decision in answers(actor)]
    return bool(kinds) and all(kind in _FLEES for kind in kinds)


def add_own_entry(actor: Actor, safe_cm: float, move: str) -> None:
    """Let the ped answer a scripted flee by fleeing (SAFE-14)."""
    definition = ResponseTaskDef(
        "scripted flee", "flee", KINDS["flee"], {"safe_distance_cm": safe_cm, "move": move}
    )
    always = Decision(
        definition,
        dict.fromkeys(SourceKind, 1.0),
        flag_mask(STATE_FLAGS),
        flee_flags=flee_mask(()),
    )
    actor.events.own_responses[TYPE] = ResponseEntry("scripted flee", TYPE, (always,))


def drop_own_entry(actor: Actor) -> None:
    """Take it back."""
    actor.events.own_responses.pop(TYPE, None)
