"""How a ped's own body answers: falls, rises, stumbles (EVT-85).

Physical parts that code fixes; what the mind adds is decided like any other response.
"""

from __future__ import annotations

from typing import cast

from ai.behaviours.actor import Actor
from ai.behaviours.burning import TaskOnFire
from ai.behaviours.dying import TaskDyingDead
from ai.behaviours.help_task import TaskHelpPerson
from ai.behaviours.hit_reaction import TaskHitReaction
from ai.behaviours.knocked_down import TaskGetUp, TaskKnockedDown
from ai.events.base import Event
from ai.events.body_events import DamageEvent, GetUp
from ai.events.decision_maker import ResponseTaskDef
from ai.events.factory import ResponseFactory
from ai.events.response import EventResponse
from ai.events.shocking import ShockingEvent
from ai.events.subject import EventPed
from ai.motion.recovery.balance import HitEffect, effect_of, pushed_way


def register_body_responses(factory: ResponseFactory) -> None:
    """Teach a factory the kinds of this module."""
    factory.register("knocked_down", knocked_down)
    factory.register("hit_reaction", hit_reaction)
    factory.register("get_up", get_up)
    factory.register("dying_dead", dying_dead)
    factory.register("help_person", help_person)
    factory.register("on_fire", on_fire)


def knocked_down(
    ped: EventPed,  # noqa: ARG001
    event: Event,
    definition: ResponseTaskDef,  # noqa: ARG001
    flee_flags: int,  # noqa: ARG001
    response: EventResponse,
) -> str | None:
    """The body goes limp under the hit."""
    if not isinstance(event, DamageEvent) or event.impact is None:
        return "no impact"
    response.set_physical(TaskKnockedDown(event.impact))
    return None


def hit_reaction(
    ped: EventPed,
    event: Event,
    definition: ResponseTaskDef,  # noqa: ARG001
    flee_flags: int,  # noqa: ARG001
    response: EventResponse,
) -> str | None:
    """A flinch or a stagger; a body that is down has neither."""
    if not isinstance(event, DamageEvent) or event.impact is None:
        return "no impact"
    if ped.is_ragdolling:
        return "the body is down"
    actor = cast("Actor", ped)
    impact, movement = event.impact, actor.movement
    effect = effect_of(impact, actor.agility, movement.measured_speed, actor.services.knockdown)
    way = "flinch" if effect < HitEffect.STAGGER else pushed_way(impact.impulse_xy, movement.yaw)
    response.set_physical(TaskHitReaction(way, impact.impulse_xy))
    return None


def dying_dead(
    ped: EventPed,  # noqa: ARG001
    event: Event,
    definition: ResponseTaskDef,  # noqa: ARG001
    flee_flags: int,  # noqa: ARG001
    response: EventResponse,
) -> str | None:
    """The end, under the hit that was too much or without one."""
    response.set_main(TaskDyingDead(event.impact if isinstance(event, DamageEvent) else None))
    return None


def on_fire(
    ped: EventPed,
    event: Event,  # noqa: ARG001
    definition: ResponseTaskDef,  # noqa: ARG001
    flee_flags: int,  # noqa: ARG001
    response: EventResponse,
) -> str | None:
    """Run, drop, roll; a body that is down burns where it lies."""
    if ped.is_ragdolling:
        return "the body is down"
    response.set_main(TaskOnFire())
    return None


def help_person(
    ped: EventPed,
    event: Event,
    definition: ResponseTaskDef,  # noqa: ARG001
    flee_flags: int,  # noqa: ARG001
    response: EventResponse,
) -> str | None:
    """Help whom the event is about, if that one lies hurt."""
    other = event.cause.other if isinstance(event, ShockingEvent) else None
    for ref in (event.source, other):
        person = None if ref is None else ped.events.services.world.ped(ref)
        if person is not None and person is not ped and person.is_ragdolling:
            response.set_main(TaskHelpPerson(int(event.event_type), person.ref))
            return None
    return "nobody lies there"


def get_up(
    ped: EventPed,  # noqa: ARG001
    event: Event,
    definition: ResponseTaskDef,  # noqa: ARG001
    flee_flags: int,  # noqa: ARG001
    response: EventResponse,
) -> str | None:
    """The body rises; the fall's own record says how (REC-23)."""
    if not isinstance(event, GetUp):
        return "not asked by a body"
    response.set_physical(TaskGetUp(event.session))
    return None
