"""The end of a ped: it falls, or stays as it lies, and is a body from then on (RAG-16, EVT-102)."""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar, cast

from ai.behaviours.actor import Actor
from ai.motion.recovery.balance import raised
from ai.motion.recovery.phases import LIMP
from ai.ports import Impact
from ai.tasks.task import AbortPriority, Task
from ai.tasks.task_types import TaskType


class TaskDyingDead(Task):
    """Takes the fall itself and keeps the body down for good.

    - ``impact``: the hit that was too much; None for a harm without a push: it drops.
    - A body that is limp already is taken over as it lies, the hit added to it.
    - It never ends by itself, and lets go of the body to nobody but an immediate abort.
    """

    task_type = TaskType.DYING_DEAD
    __slots__ = ("impact",)
    PARAMS: ClassVar[tuple[str, ...]] = ("impact",)
    MAY_DELETE_ON_ABORT = True
    ESSENTIAL = True
    decides_forced_aborts = True

    class State(IntEnum):
        """On the way down, then gone."""

        FALL = 0
        DEAD = 1

    def __init__(self, impact: Impact | None = None) -> None:
        super().__init__()
        self.impact = impact

    def should_abort(self, priority: AbortPriority, event: object) -> bool:  # noqa: ARG002
        """Only what asks nobody ends it."""
        return priority is AbortPriority.IMMEDIATE

    def handles_ragdoll(self, cause: object) -> bool:  # noqa: ARG002
        """It stands for the body (RAG-16)."""
        return True

    def on_enter_fall(self) -> None:
        """Die, and ask for the body unless it is limp and nothing pushes it."""
        actor = cast("Actor", self.entity)
        actor.die()
        services = actor.services
        impact, self.impact = self.impact, None
        limp = services.recovery.keep_down(actor.slot, self.uid)
        if limp and impact is None:
            return
        push = raised(impact or Impact((0.0, 0.0)), services.knockdown)
        services.knock_downs.request(
            actor, push.impulse_xy, push.up, push.part, push.source, force=True
        )

    def on_update_fall(self, _dt: float) -> None:
        """Wait for the body, then keep it; a body that is refused is asked for again."""
        actor = cast("Actor", self.entity)
        services = actor.services
        if services.recovery.phase(actor.slot) in LIMP:
            services.recovery.keep_down(actor.slot, self.uid)
            self.set_state(self.State.DEAD)
        elif not services.knock_downs.is_pending(actor.slot):
            drop = raised(Impact((0.0, 0.0)), services.knockdown)
            services.knock_downs.request(actor, drop.impulse_xy, drop.up, force=True)

    def on_update_dead(self, _dt: float) -> None:
        """Lie; a body that somebody has stood up again falls down again."""
        actor = cast("Actor", self.entity)
        if actor.services.recovery.phase(actor.slot) not in LIMP:
            self.set_state(self.State.FALL)

    def clean_up(self) -> None:
        """Whoever ends this has the body, or the ped is leaving."""
        if self.entity is not None:
            actor = cast("Actor", self.entity)
            actor.services.recovery.let_rise(actor.slot, self.uid)
