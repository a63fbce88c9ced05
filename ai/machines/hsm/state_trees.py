"""The trees of a composed machine's leaf states (HSM-23)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.machines.behaviour_trees.definition import TreeDefinition
from ai.machines.behaviour_trees.lifecycle import (
    ACTIVE,
    CANCELLED,
    CANCELLING,
    FAILURE,
    FINISHED,
    IDLE,
    Result,
)
from ai.machines.behaviour_trees.tree import BehaviorTree

if TYPE_CHECKING:
    from ai.machines.hsm.machine import StateMachine


class StateTrees:
    """One instance per tree of the file, made when first bound and kept for its cooldowns.

    - ``bound`` is the active leaf state's tree.
    - A finished tree is reset at once and started again later, never twice in one step.
    """

    __slots__ = ("_machine", "_published", "_start_step", "bound", "instances")

    def __init__(self, machine: StateMachine) -> None:
        self._machine = machine
        self.instances: dict[str, BehaviorTree] = {}
        self.bound: BehaviorTree | None = None
        self._start_step = 0
        self._published = ""

    def bind(self, definition: TreeDefinition) -> None:
        """Enter: the Idle tree is the state's now; no resource, no wait."""
        context = self._machine.context
        tree = self.instances.get(definition.name)
        if tree is None:
            tree = BehaviorTree(definition, context, self._machine.mind)
            self.instances[definition.name] = tree
        self.bound = tree
        self._start_step = context.step
        context.board.tree_result = "none"

    def take_cooldowns(self, old: StateTrees) -> None:
        """Cooldowns of equally named trees survive a carry-over (ACT-26)."""
        machine = self._machine
        for state in machine.definition.states.values():
            if state.tree is not None and state.tree.name in old.instances:
                tree = BehaviorTree(state.tree, machine.context, machine.mind)
                tree.take_cooldowns(old.instances[state.tree.name])
                self.instances[state.tree.name] = tree

    def unbind(self) -> None:
        """Exit done."""
        if self.bound is not None:
            if self.bound.lifecycle is FINISHED:
                self.bound.reset()
            self.bound = None

    def observe(self) -> None:
        """P2 of the bound tree; one that is stopping only notes flips (BB-09, BB-10)."""
        tree = self.bound
        if tree is not None and tree.lifecycle is ACTIVE:
            record = self._machine.record
            active = record.active
            if active is not None:
                self._machine.context.board.entered_step = record.entered_steps[active.depth]
            tree.observe()

    def tick(self) -> None:
        """P7: tick the bound tree if it is awake; start it when its time has come."""
        tree = self.bound
        assert tree is not None
        context = self._machine.context
        if tree.lifecycle is IDLE and not tree.woken:
            if context.step < self._start_step:
                return
            tree.start()
        elif not tree.needs_tick():
            return
        active = self._machine.record.active
        if active is not None:
            context.board.entered_step = self._machine.record.entered_steps[active.depth]
        result = tree.tick()
        if result is not Result.RUNNING:
            self._finished(tree, result)

    def _finished(self, tree: BehaviorTree, result: Result) -> None:
        delays = self._machine.context.delays
        pause = 1
        if result is FAILURE:
            pause = max(1, delays.tree_after_failure)
        elif result is CANCELLED:
            pause = max(1, delays.tree_after_cancelled)
        self._start_step = self._machine.context.step + pause
        self._published = result.word
        tree.reset()

    def publish(self) -> None:
        """P8: the result for the next step's rules."""
        if self._published:
            self._machine.context.board.tree_result = self._published
            self._published = ""
            self._machine.rules.result_published()

    def abort(self) -> None:
        """Exit begins: stop the tree; an Idle one has nothing to stop."""
        if self.bound is not None and self.bound.lifecycle is not IDLE:
            self.bound.abort()

    def has_stopped(self) -> bool:
        """Tick a stopping tree until it is Finished."""
        tree = self.bound
        if tree is None or tree.lifecycle is IDLE or tree.lifecycle is FINISHED:
            return True
        return tree.tick() is not Result.RUNNING

    def force_stop(self) -> None:
        """After a forced release (ACT-24)."""
        if self.bound is not None and self.bound.lifecycle in (ACTIVE, CANCELLING, FINISHED):
            self.bound.force_stop()
