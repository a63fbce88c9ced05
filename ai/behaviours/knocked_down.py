"""What stands in a ped's main tree while its body is down (REC-23).

The recovery's record is the authority over the body; these tasks mirror it and move
nothing. Both let go only of what takes the body on, so that nothing below runs under
a body that lies.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple, cast

from ai.behaviours.actor import Actor
from ai.events.base import Event
from ai.events.body_events import RisingEvent
from ai.events.priorities import EventPriority
from ai.motion.recovery.knock_downs import KnockDownReply
from ai.motion.recovery.phases import DOWN, RecoveryPhase
from ai.tasks.new_task_event import NewTaskEvent
from ai.tasks.task import AbortPriority, Task
from ai.tasks.task_types import TaskType


class Impact(NamedTuple):
    """A hit as it reaches a ped, in kg cm/s; arguments of ``KnockDowns.request``."""

    impulse_xy: tuple[float, float]
    up: float = 0.0
    part: str = "chest"
    source: object | None = None
    force: bool = False


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
    - Stays until COMPLETE if nothing takes its place when the body rises.
    """

    task_type = TaskType.KNOCKED_DOWN
    __slots__ = ("impact",)
    PARAMS = ("impact",)

    class State(IntEnum):
        """One state."""

        BODY = 0

    def __init__(self, impact: Impact | None = None) -> None:
        super().__init__()
        self.impact = impact

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
        if phase in DOWN or knock_downs.is_pending(actor.slot):
            return None
        if phase is RecoveryPhase.COMPLETE:
            return self.succeed()
        outcome = knock_downs.outcome(actor.slot)
        refused = outcome is not None and outcome.reply is not KnockDownReply.ACCEPTED
        reply = outcome.reply if outcome is not None and refused else KnockDownReply.SIM_NOT_STARTED
        return self.fail(reply.name)


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
