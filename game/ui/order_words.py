"""What the interface says about orders, in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from ai.behaviours.order_commands import Refusal

REFUSALS: dict[Refusal, str] = {
    Refusal.NONE: "",
    Refusal.NO_PED: "is not here any more",
    Refusal.PED_RETIRED: "is leaving the street",
    Refusal.BAD_SOURCE: "takes no orders from you any more",
    Refusal.NO_OBJECT: "can't go there: it is gone",
    Refusal.OTHER_WORLD: "can't go there: it belongs to another run",
    Refusal.OBJECT_DYING: "can't go there: it is about to go",
    Refusal.BAD_OFFSET: "can't go there: too far from the thing",
    Refusal.BAD_TRANSFORM: "can't go there: the thing stands nowhere",
    Refusal.BAD_GOAL: "can't go there: it is off the map",
    Refusal.NO_GROUND: "can't go there: nobody can stand on that spot",
    Refusal.VEHICLE_RELATION: "is busy with a vehicle",
    Refusal.SUPPRESSED: "is part of a scene and can't leave it",
    Refusal.SESSION_RUNNING: "has an order of yours already",
    Refusal.FOREIGN_MAIN_ACTIVE: "is busy with something that can't be put aside",
    Refusal.FOREIGN_MAIN_PENDING: "is about to do something else",
    Refusal.SLOT_REFUSED: "can't take an order now",
    Refusal.WRONG_SESSION: "has another order by now",
    Refusal.SESSION_ENDED: "has finished that order",
    Refusal.INTERRUPTED: "has to deal with something first",
    Refusal.NOT_TRAVELLING: "isn't on the way, so there is nothing to hold",
    Refusal.NOT_WAITING: "isn't being held, so there is nothing to continue",
    Refusal.SLOT_MISMATCH: "does something else by now",
    Refusal.NOT_ACTIVE: "isn't working on that order now",
    Refusal.GOAL_MISMATCH: "goes somewhere else by now",
    Refusal.NOTHING_TO_CANCEL: "has no order to cancel",
}
"""Completes "NAME ..." for every reason that the desk can give."""


def told_off(refusals: Sequence[tuple[str, Refusal]]) -> str:
    """One sentence for the refusals of one step: the first by name, how many more like it."""
    name, reason = refusals[0]
    more = sum(1 for _, other in refusals[1:] if other is reason)
    also = f"; so it is with {more} more" if more else ""
    return f"{name} {REFUSALS[reason]}{also}"
