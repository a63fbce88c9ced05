"""The task that a brain lives in: a machine, tree or script as a default task (ACT-24)."""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar, cast

from ai.behaviours.actor import Actor
from ai.behaviours.brains.action_host import PedActionHost
from ai.machines.brain import Brain
from ai.motion.movement_table import MoveOwner
from ai.ports import EntityRef, Vec3
from ai.tasks.detail_range import DetailRange
from ai.tasks.task import AbortPriority, Task
from ai.tasks.task_types import TaskType


class BrainTask(Task):
    """Runs one behaviour of ``assets/behaviour`` for as long as the ped has nothing else to do.

    - The brain runs once a step, in the first update round; a further round only hands the
      outcome of the mover's child to the host (ACT-27). P10 is the post-movement hook.
    - Interrupted, every command is released by force and every entered state and node gets
      its one exit; target and blackboard stay. Resumed, it enters what the latest target
      says afresh.
    - ``behaviour`` is its name in the library; empty is the one that the ped's traits name.
    """

    task_type = TaskType.BRAIN
    __slots__ = ("_brain", "_thought_step", "behaviour", "host")
    PARAMS: ClassVar[tuple[str, ...]] = ("behaviour",)
    detail_range = DetailRange.FAR

    class State(IntEnum):
        """One state."""

        THINK = 0

    def __init__(self, behaviour: str = "") -> None:
        super().__init__()
        self.behaviour = behaviour
        self.host: PedActionHost | None = None
        self._brain: Brain | None = None
        self._thought_step = -1

    @property
    def actor(self) -> Actor:
        """The ped."""
        return cast("Actor", self.entity)

    @property
    def brain(self) -> Brain | None:
        """The brain, once the task has been entered."""
        return self._brain

    @property
    def move_owner(self) -> MoveOwner | None:
        """Identity of the movement of the command that holds the mover."""
        host = self.host
        return None if host is None or host.mover is None else host.mover.move_owner

    # -- for subclasses ------------------------------------------------------------------

    def brain_made(self, brain: Brain) -> None:
        """The brain is there, its first step is to come: tell it its route, if it asks for one."""
        actor = self.actor
        route = actor.services.brains.routes.get(actor.route, ())
        if route and "route" in brain.board.layout.slots:
            brain.write("route", actor.route)
            brain.write("route_len", len(route))

    def sense(self, brain: Brain, step: int) -> None:
        """Ahead of the brain's step: write down what the ped perceives."""

    def place_of(self, ref: EntityRef) -> Vec3 | None:
        """Where an entity is, as far as the ped knows; None if it is gone."""
        return self.actor.events.services.world.position_of(ref)

    def said(self, line: str) -> None:
        """The ped has said a line."""

    # -- the task ------------------------------------------------------------------------

    def on_enter_think(self) -> int | None:
        """Make the brain, or go on after an interruption."""
        if self._brain is None:
            self._make_brain()
        elif self._brain.mind is not None:
            self._brain.mind.resume()
        return None

    def _make_brain(self) -> None:
        actor = self.actor
        services = actor.services.brains
        data = services.data
        made = data.library.behaviours[self.behaviour or actor.behaviour]
        self.host = PedActionHost(actor, self, int(self.task_type))
        brain = Brain(
            actor.ped_id,
            made.layout,
            data.library.registry.kinds,
            services.counters,
            self.host,
            tuning=data.limits,
            rng=actor.brain_rng,
            shared=services.shared,
            life=services.life,
            subject=self,
            hashing=services.hashing,
        )
        brain.use(made.mind)
        self._brain = brain
        self.brain_made(brain)

    def on_update_think(self, _dt: float) -> int | None:
        """Think once a step; hand over what became of the movement."""
        brain, host = self._brain, self.host
        assert brain is not None
        assert host is not None
        step = self.actor.services.clock.step
        if step > self._thought_step:
            self._thought_step = step
            self.sense(brain, step)
            host.refresh()
            brain.step(step)
        elif self.child_finished and self.child is not None:
            host.child_ended(self.child)
        if host.mover_changed:
            host.mover_changed = False
            if host.mover is None:
                self.remove_child()
            else:
                self.set_new_task(host.mover.make_child())
        return None

    def process_post_movement(self) -> None:
        """P10."""
        if self._brain is not None:
            self._brain.finish_step(self.actor.services.clock.step)

    def should_abort(self, priority: AbortPriority, event: object) -> bool:  # noqa: ARG002
        """Yes, unless an action can't be cut right now (ACT-24); asking changes nothing."""
        if priority is AbortPriority.IMMEDIATE or self._brain is None:
            return True
        return self._brain.should_abort()

    def do_abort(self, priority: AbortPriority, event: object) -> None:  # noqa: ARG002
        """Let go of everything at once (ACT-24)."""
        if self._brain is not None and self._brain.mind is not None:
            self._brain.mind.abort()
        if self.host is not None:
            self.host.mover_changed = False

    def on_deleted(self) -> None:
        """Nothing of the brain stays behind (ACT-23)."""
        if self._brain is not None:
            self._brain.close()
