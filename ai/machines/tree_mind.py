"""A brain whose mind is one behaviour tree, without a machine around it."""

from __future__ import annotations

from ai.machines.behaviour_trees.definition import TreeDefinition
from ai.machines.behaviour_trees.lifecycle import ACTIVE, CANCELLED, FAILURE, IDLE, Result
from ai.machines.behaviour_trees.tree import BehaviorTree
from ai.machines.context import BrainContext


class TreeMind:
    """Runs a tree again and again, with the pauses of a composed leaf state (HSM-23)."""

    def __init__(self, definition: TreeDefinition, context: BrainContext) -> None:
        self.context = context
        self.mind = definition.name
        self.tree = BehaviorTree(definition, context)
        self.last_result = Result.RUNNING
        """How the last run ended; RUNNING before the first has."""
        self._start_step = context.step
        self._aborted = False

    def observe(self) -> None:
        """P2."""
        if self.tree.root.lifecycle is ACTIVE:
            self.tree.observe()

    def think(self) -> None:
        """P7."""
        tree = self.tree
        if self._aborted:
            return
        if tree.root.lifecycle is IDLE:
            if self.context.step < self._start_step:
                return
        elif not tree.needs_tick():
            return
        result = tree.tick()
        if result is not Result.RUNNING:
            self._finished(result)

    def _finished(self, result: Result) -> None:
        delays = self.context.delays
        pause = 1
        if result is FAILURE:
            pause = max(1, delays.tree_after_failure)
        elif result is CANCELLED:
            pause = max(1, delays.tree_after_cancelled)
        self._start_step = self.context.step + pause
        self.last_result = result
        self.context.board.tree_result = result.word
        self.tree.reset()

    def abort(self) -> None:
        """Stop at once (ACT-24)."""
        self.context.ledger.force_release(self.mind)
        if self.tree.root.lifecycle is not IDLE:
            self.tree.force_stop()
        self._aborted = True

    def resume(self) -> None:
        """Begin a fresh run."""
        self._aborted = False
        self._start_step = self.context.step
