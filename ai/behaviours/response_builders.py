"""How response kinds become tasks: fills the factory of the event system (EVT-85).

One function a kind. Kinds without one load and answer none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from ai.behaviours.body_responses import register_body_responses
from ai.behaviours.flee_task import TaskThreatResponse
from ai.behaviours.gesture_tasks import (
    TaskCower,
    TaskDuckAndCover,
    TaskFilmWithPhone,
    TaskHandsUp,
    TaskLookAtEvent,
    TaskReportByPhone,
    TaskShockingBackAway,
    TaskShockingReact,
)
from ai.behaviours.reaction_tasks import (
    TaskShockingGotoLook,
    TaskShockingHurryAway,
    TaskShockingWatch,
)
from ai.behaviours.safe_record import EventKey
from ai.events.base import Event
from ai.events.decision_flags import FLEE_BIT
from ai.events.decision_maker import ResponseTaskDef
from ai.events.factory import Builder, ResponseFactory
from ai.events.response import EventResponse
from ai.events.shocking import ShockingEvent
from ai.events.subject import EventPed
from ai.motion.movement_table import SpeedMode

if TYPE_CHECKING:
    from ai.behaviours.actor import Actor

MODE_OF_MOVE: Final = {
    "walk": SpeedMode.WALK,
    "fast_walk": SpeedMode.FAST_WALK,
    "run": SpeedMode.RUN,
    "sprint": SpeedMode.SPRINT,
}
MBR_OF_MOVE: Final = {"walk": 1.0, "fast_walk": 1.5, "run": 2.0, "sprint": 3.0}

ON_THE_SPOT: Final[dict[str, type[TaskShockingWatch] | type[TaskDuckAndCover]]] = {
    "watch": TaskShockingWatch,
    "stop_and_stare": TaskShockingWatch,
    "react": TaskShockingReact,
    "film_with_phone": TaskFilmWithPhone,
    "report_by_phone": TaskReportByPhone,
    "hands_up": TaskHandsUp,
    "duck": TaskDuckAndCover,
    "cower": TaskCower,
}
"""Kinds that stay where they are, for ``duration_s``."""


def response_factory() -> ResponseFactory:
    """A factory that knows every kind that is built."""
    factory = ResponseFactory()
    for kind, on_the_spot in ON_THE_SPOT.items():
        factory.register(kind, _stays(on_the_spot))
    factory.register("flee", flee)
    factory.register("goto_look", goto_look)
    factory.register("hurry_away", hurry_away)
    factory.register("leave_area", leave_area)
    factory.register("back_away", back_away)
    factory.register("head_track", head_track)
    register_body_responses(factory)
    return factory


def _stays(task_class: type[TaskShockingWatch] | type[TaskDuckAndCover]) -> Builder:
    """A builder of what is done on the spot, about a place and for a time."""

    def build(
        ped: EventPed,
        event: Event,
        definition: ResponseTaskDef,
        flee_flags: int,  # noqa: ARG001
        response: EventResponse,
    ) -> str | None:
        place = event.position(ped.events.services.world)
        if place is None:
            return "no place"
        response.set_main(
            task_class(int(event.event_type), place, event.source, definition.number("duration_s"))
        )
        return None

    return build


def head_track(
    ped: EventPed,
    event: Event,
    definition: ResponseTaskDef,
    flee_flags: int,  # noqa: ARG001
    response: EventResponse,
) -> str | None:
    """A glance beside what one does."""
    place = event.position(ped.events.services.world)
    if place is None:
        return "no place"
    response.set_main(TaskLookAtEvent(place, definition.number("duration_s")), on_secondary=True)
    return None


def back_away(
    ped: EventPed,
    event: Event,
    definition: ResponseTaskDef,
    flee_flags: int,  # noqa: ARG001
    response: EventResponse,
) -> str | None:
    """A short way off, at a walk."""
    place = event.position(ped.events.services.world)
    if place is None:
        return "no place"
    distance = definition.number("distance_cm")
    response.set_main(
        TaskShockingBackAway(
            int(event.event_type), place, event.source, distance, MBR_OF_MOVE["walk"]
        )
    )
    return None


def goto_look(
    ped: EventPed,
    event: Event,
    definition: ResponseTaskDef,
    flee_flags: int,  # noqa: ARG001
    response: EventResponse,
) -> str | None:
    """Go nearer and look there."""
    place = event.position(ped.events.services.world)
    if place is None:
        return "no place"
    response.set_main(
        TaskShockingGotoLook(
            int(event.event_type),
            place,
            event.source,
            definition.number("stop_distance_cm"),
            definition.number("duration_s"),
        )
    )
    return None


def flee(
    ped: EventPed,
    event: Event,
    definition: ResponseTaskDef,
    flee_flags: int,
    response: EventResponse,
) -> str | None:
    """Run from the source, or from the place if there is none; a source ped is a threat.

    For shocking events nobody becomes one (EVT-85).
    """
    world = ped.events.services.world
    place = event.position(world)
    behind = None if isinstance(event, ShockingEvent) else event.source_ped(world)
    if behind is not None:
        ped.take_for_threat(behind)
        place = world.position_of(behind)
    if place is None:
        return "no place"
    source = event.source if behind is None else behind
    key = EventKey(event.event_type, source, event.tag)
    desk = cast("Actor", ped).services.safe
    if not desk.may_ask_again(cast("Actor", ped), key):
        return "nowhere to flee to, a moment ago"
    sprints = bool(flee_flags & FLEE_BIT["sprint"])
    move = "sprint" if sprints else definition.word("move")
    response.set_main(
        TaskThreatResponse(
            int(event.event_type),
            source,
            event.tag,
            place,
            definition.number("safe_distance_cm"),
            MODE_OF_MOVE[move],
            bool(flee_flags & FLEE_BIT["cower_if_cornered"]),
        )
    )
    return None


def hurry_away(
    ped: EventPed,
    event: Event,
    definition: ResponseTaskDef,
    flee_flags: int,  # noqa: ARG001
    response: EventResponse,
) -> str | None:
    """Walk on faster, away."""
    mbr = MBR_OF_MOVE[definition.word("move")]
    return _away(ped, event, definition.number("distance_cm"), mbr, response)


def leave_area(
    ped: EventPed,
    event: Event,
    definition: ResponseTaskDef,
    flee_flags: int,  # noqa: ARG001
    response: EventResponse,
) -> str | None:
    """Walk out of a circle around where one stands, or the event's place."""
    return _away(ped, event, definition.number("radius_cm"), MBR_OF_MOVE["walk"], response)


def _away(
    ped: EventPed, event: Event, distance_cm: float, mbr: float, response: EventResponse
) -> str | None:
    place = event.position(ped.events.services.world)
    if place is None:
        return "no place"
    response.set_main(
        TaskShockingHurryAway(int(event.event_type), place, event.source, distance_cm, mbr)
    )
    return None
