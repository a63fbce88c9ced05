"""Guards: a brain with eyes and ears for those who do harm (HSM-27, HSM-30)."""

from __future__ import annotations

from typing import ClassVar

from ai.behaviours.brains.brain_task import BrainTask
from ai.behaviours.brains.guard_senses import GuardSenses
from ai.behaviours.brains.reports import ReportKind
from ai.machines.brain import Brain
from ai.machines.hsm.state_context import StateContext
from ai.ports import EntityRef, Vec3
from ai.tasks.task_types import TaskType
from ai.tasks.trees import PRIMARY, PrimarySlot


class GuardTask(BrainTask):
    """A guard's default task: its senses fill the blackboard, its behaviour file decides."""

    task_type = TaskType.GUARD
    __slots__ = ("_senses",)
    PARAMS: ClassVar[tuple[str, ...]] = ("behaviour",)

    def __init__(self, behaviour: str = "") -> None:
        super().__init__(behaviour)
        self._senses: GuardSenses | None = None

    @property
    def senses(self) -> GuardSenses | None:
        """What it perceives, once the task has been entered."""
        return self._senses

    def brain_made(self, brain: Brain) -> None:
        """Give it senses."""
        super().brain_made(brain)
        self._senses = GuardSenses(self.actor, brain, is_guard)

    def sense(self, brain: Brain, step: int) -> None:  # noqa: ARG002
        """Look and listen."""
        assert self._senses is not None
        self._senses.sense(step)

    def place_of(self, ref: EntityRef) -> Vec3 | None:
        """The enemy is where it was seen last; others are where they are."""
        if self._senses is not None and self._senses.enemy == ref:
            return self._senses.enemy_place()
        return super().place_of(ref)

    def said(self, line: str) -> None:
        """A call tells other guards where the enemy is that this one sees."""
        senses = self._senses
        services = self.actor.services
        if senses is None or line not in services.brains.data.tuning.senses.call_lines:
            return
        if senses.enemy is not None and senses.sees_enemy:
            services.brains.reports.note(
                services.clock.step,
                ReportKind.CALL,
                self.actor.ref,
                senses.enemy,
                senses.last_known,
            )


def is_guard(actor_ref: EntityRef, of: GuardTask | GuardSenses) -> bool:
    """Is a ped a guard too: guards never take each other for enemies."""
    other = of.actor.events.services.world.ped(actor_ref)
    if other is None:
        return False
    return isinstance(other.tasks.tree(PRIMARY).get_task(PrimarySlot.DEFAULT), GuardTask)


def track_target(ctx: StateContext) -> None:
    """Service of combat (HSM-27): look where the enemy is."""
    task = ctx.subject
    if isinstance(task, GuardTask) and task.senses is not None:
        task.senses.track(ctx.step)
