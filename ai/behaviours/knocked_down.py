"""What stands in a ped's main tree while its body is down (REC-23).

The recovery's record is the authority over the body; these tasks mirror it and move
nothing. Both let go only of what takes the body on, so that nothing below runs under
a body that lies.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, cast

from ai.behaviours.actor import Actor
from ai.events.base import Event
from ai.events.body_events import RisingEvent
from ai.events.priorities import EventPriority
from ai.events.types import EventType
from ai.motion.recovery.knock_downs import KnockDownReply
from ai.motion.recovery.phases import DOWN, LIMP, RecoveryPhase
from ai.ports import Impact, at_least
from ai.tasks.new_task_event import NewTaskEvent
from ai.tasks.task import AbortPriority, Task
from ai.tasks.task_types import TaskType

FIRST_CALL_S: Final = 2.0
"""Nobody calls before the fall is over."""

HELP_LINE: Final = "Help me up, somebody!"


class _BodyTask(Task):
    """A task that lets go of the body only to what takes it on."""

    __slots__ = ()
    MAY_DELETE_ON_ABORT = True
    ESSENTIAL = True
    is_ragdoll_behaviour = True

    @property
    def actor(self) -> Actor:
        """The ped."""
        return cast("Actor", self.entity)

    def should_abort(self, priority: AbortPriority, event: object) -> bool:
        """Agree to the other body task, to its own rising, and to damage that ragdolls or worse."""
        if priority is AbortPriority.IMMEDIATE:
            return True
        if isinstance(event, NewTaskEvent):
            return event.new_is_ragdoll
        if not isinstance(event, Event):
            return False
        if isinstance(event, RisingEvent) and event.asked_by.get() is self:
            return True
        return event.priority(self.actor) >= EventPriority.DAMAGE_RAGDOLL


class TaskKnockedDown(_BodyTask):
    """Stands for a body that physics has.

    - ``impact``: the hit that it asks for in its first update; None if the body was taken
      over by a direct request.
    - Ends FAILED with the refusal if the body is refused, the tasks below go on.
    - Who is too hurt to rise lies and calls (``InjuryTuning``) until somebody helps.
    - Stays until COMPLETE if nothing takes its place when the body rises.
    """

    task_type = TaskType.KNOCKED_DOWN
    __slots__ = ("impact", "next_call_s")
    PARAMS = ("impact",)

    class State(IntEnum):
        """Follow the body; or lie and call."""

        BODY = 0
        HURT = 1

    def __init__(self, impact: Impact | None = None) -> None:
        super().__init__()
        self.impact = impact
        self.next_call_s = FIRST_CALL_S

    def on_enter_body(self) -> int | None:
        """Ask for the body, once."""
        impact, self.impact = self.impact, None
        if impact is None:
            return None
        actor = self.actor
        reply = actor.services.knock_downs.request(
            actor,
            impact.impulse_xy,
            impact.up,
            impact.part,
            impact.source,
            force=impact.force,
        )
        return None if reply is KnockDownReply.ACCEPTED else self.fail(reply.name)

    def on_update_body(self, _dt: float) -> int | None:
        """Follow the record."""
        actor = self.actor
        knock_downs = actor.services.knock_downs
        phase = actor.services.recovery.phase(actor.slot)
        if phase in LIMP and is_too_hurt_to_rise(actor):
            actor.services.recovery.keep_down(actor.slot, self.uid)
            self.set_state(self.State.HURT)
        if phase in DOWN or knock_downs.is_pending(actor.slot):
            return None
        if phase is RecoveryPhase.COMPLETE:
            return self.succeed()
        outcome = knock_downs.outcome(actor.slot)
        refused = outcome is not None and outcome.reply is not KnockDownReply.ACCEPTED
        reply = outcome.reply if outcome is not None and refused else KnockDownReply.SIM_NOT_STARTED
        return self.fail(reply.name)

    def on_update_hurt(self, _dt: float) -> int | None:
        """Call from time to time; pull oneself together in the end, if nobody comes."""
        actor = self.actor
        injury, recovery = actor.services.injury, actor.services.recovery
        record = recovery.record(actor.slot)
        if record is None or record.phase not in LIMP:
            self.set_state(self.State.BODY)
            return None
        if at_least(self.time_in_state, injury.lies_s):
            actor.health.mend_to(injury.helped_to)
        if not is_too_hurt_to_rise(actor):
            recovery.let_rise(actor.slot, self.uid)
            self.set_state(self.State.BODY)
        elif at_least(self.time_in_state, self.next_call_s):
            self.next_call_s = self.time_in_state + injury.call_gap_s
            call_for_help(actor)
        return None

    def clean_up(self) -> None:
        """The next task decides whether the body stays down."""
        if self.entity is not None:
            self.actor.services.recovery.let_rise(self.actor.slot, self.uid)


def is_too_hurt_to_rise(actor: Actor) -> bool:
    """Alive, and with little left."""
    return not actor.is_dead and actor.health.value < actor.services.injury.lies_below


def call_for_help(actor: Actor) -> None:
    """Whoever hears it may come (EVT-100)."""
    events = actor.events.services
    events.global_events.shock(EventType.SHOCKING_HELP_CALL, actor.position, source=actor.ref)
    events.say(actor, HELP_LINE)


class TaskGetUp(_BodyTask):
    """Stands for a body that rises; ends with the rise, in the same step."""

    task_type = TaskType.GET_UP
    __slots__ = ("session",)
    PARAMS = ("session",)

    class State(IntEnum):
        """One state."""

        BODY = 0

    def __init__(self, session: int) -> None:
        super().__init__()
        self.session = session

    def on_update_body(self, _dt: float) -> int | None:
        """Follow the record of its own session."""
        actor = self.actor
        record = actor.services.recovery.record(actor.slot)
        if record is None or record.session != self.session:
            return self.fail("OLD_SESSION")
        return None if record.phase in DOWN else self.succeed()
