"""Keeps a task in PHYSICAL_RESPONSE for every body that is down (REC-23, REC-25).

The recovery calls this as ``BodyTasks``. The knocked-down task is placed here directly and
the event history is told, so that what is weaker than the fall waits for its end
(EVT-53); it rises by its own ``GET_UP``.
"""

from __future__ import annotations

from typing import cast

from ai.behaviours.actor import Actor
from ai.behaviours.knocked_down import TaskKnockedDown
from ai.events.body_events import DamageEvent, GetUp
from ai.events.types import EventType
from ai.motion.recovery.phases import Fallible
from ai.ports import EntityKind, EntityRef
from ai.tasks.trees import (
    MOVEMENT,
    PRIMARY,
    SECONDARY,
    MovementTreeSlot,
    PrimarySlot,
    SecondarySlot,
)

_PHYSICAL = PrimarySlot.PHYSICAL_RESPONSE


class DirectBodyTasks:
    """Places the body's tasks; every call comes from outside the trees' processing."""

    def body_taken(self, ped: Fallible) -> None:
        """A knocked-down task, unless one is there or a task takes the fall itself (RAG-16).

        Hands and reactions let go (REC-25).
        """
        actor = cast("Actor", ped)
        tree = actor.tasks.tree(PRIMARY)
        takes_it_itself = tree.ragdoll_handler(None) is not None
        if not takes_it_itself and not isinstance(tree.get_task(_PHYSICAL), TaskKnockedDown):
            _place_knocked_down(actor)
        actor.tasks.set_task(SECONDARY, None, SecondarySlot.PARTIAL_ANIM)
        actor.tasks.set_task(MOVEMENT, None, MovementTreeSlot.EVENT_RESPONSE)
        actor.force_full_update()
        _tell_the_street(actor)

    def body_rising(self, ped: Fallible, session: int) -> None:
        """The knocked-down task asks to get up; its event is answered in this step's minds."""
        actor = cast("Actor", ped)
        task = actor.tasks.tree(PRIMARY).get_task(_PHYSICAL)
        if isinstance(task, TaskKnockedDown):
            actor.events.add_event(GetUp(task, session))

    def body_complete(self, ped: Fallible) -> None:
        """The task ends, and those below resume, in this step."""
        cast("Actor", ped).force_full_update()

    def keep(self, ped: Fallible) -> None:
        """Somebody has cleared the slot: put a task back; another's task is left alone.

        A task that takes the fall itself stands for the body (RAG-16).
        """
        actor = cast("Actor", ped)
        tree = actor.tasks.tree(PRIMARY)
        if tree.get_task(_PHYSICAL) is None and tree.ragdoll_handler(None) is None:
            _place_knocked_down(actor)


def _tell_the_street(actor: Actor) -> None:
    """Somebody was knocked down, or run over: one event a ped while it lives (EVT-100).

    Its source is who did it, the other party the fallen one.
    """
    record = actor.services.recovery.record(actor.slot)
    origin = None if record is None else record.origin
    source = origin if isinstance(origin, EntityRef) else None
    run_over = source is not None and source.kind is EntityKind.VEHICLE
    actor.events.services.global_events.shock(
        EventType.SHOCKING_PED_RUN_OVER if run_over else EventType.SHOCKING_PED_KNOCKED_DOWN,
        actor.position,
        source=source,
        other=actor.ref,
        cause_id=actor.ped_id,
    )


def _place_knocked_down(actor: Actor) -> None:
    task = TaskKnockedDown()
    actor.tasks.set_task(PRIMARY, task, _PHYSICAL)
    if not task.is_deleted:
        actor.events.note_physical(DamageEvent(task.uid, ragdolls=True), task)
