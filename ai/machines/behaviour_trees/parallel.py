"""The only composite with several active children (BT-18)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from typing_extensions import override

from ai.machines.behaviour_trees.definition import NodeDefinition
from ai.machines.behaviour_trees.lifecycle import (
    ACTIVE,
    CANCELLED,
    CANCELLING,
    FAILURE,
    FINISHED,
    IDLE,
    RUNNING,
    SUCCESS,
    Result,
)
from ai.machines.behaviour_trees.node import Node

if TYPE_CHECKING:
    from ai.machines.behaviour_trees.tree import BehaviorTree


@dataclass(frozen=True, slots=True)
class ParallelSettings:
    """Children that must succeed or fail to decide; ``main``: the first child decides alone."""

    successes: int
    failures: int
    main: bool = False


class Parallel(Node):
    """Ticks its unfinished children in order, then decides: Cancelled, failure, success.

    Once decided it stops the rest and waits for it. A branch stopped by its own
    observer is consumed and tried again (BT-17).
    """

    __slots__ = ("_renewing", "children")

    def __init__(self, definition: NodeDefinition, tree: BehaviorTree, parent: Node | None) -> None:
        super().__init__(definition, tree, parent)
        self.children = tuple(child.make(child, tree, self) for child in definition.children)
        self._renewing: list[int] = []

    @override
    def children_of(self) -> tuple[Node, ...]:
        return self.children

    @override
    def tick(self) -> Result:
        if self.lifecycle is IDLE:
            self._renewing.clear()
            self.enter()
        elif self.lifecycle is FINISHED:
            return self.result
        for child in self.children:
            # An Idle child of a stopping parallel is not begun (BT-13).
            if (
                child.lifecycle is ACTIVE
                or child.lifecycle is CANCELLING
                or (child.lifecycle is IDLE and self.lifecycle is ACTIVE)
            ):
                child.tick()
        if self.lifecycle is CANCELLING:
            return self._wait()
        if self._renewing:
            self._try_again()
        decision = self._decision()
        if decision is RUNNING:
            return RUNNING
        self.lifecycle = CANCELLING
        self.pending = decision
        self._stop_all()
        return self._wait()

    def _try_again(self) -> None:
        for index in tuple(self._renewing):
            child = self.children[index]
            if child.lifecycle is FINISHED:
                self._renewing.remove(index)
                child.reset()
                self.tree.lines.append(self.lines.reeval)
                child.tick()

    def _decision(self) -> Result:
        settings: ParallelSettings = self.definition.settings
        finished = [child.result for child in self.children if child.lifecycle is FINISHED]
        if settings.main:
            main = self.children[0]
            return main.result if main.lifecycle is FINISHED else RUNNING
        if CANCELLED in finished:
            return CANCELLED
        if finished.count(FAILURE) >= settings.failures:
            return FAILURE
        if finished.count(SUCCESS) >= settings.successes:
            return SUCCESS
        return FAILURE if len(finished) == len(self.children) else RUNNING

    def _stop_all(self) -> None:
        for child in self.children:
            child.abort()

    def _wait(self) -> Result:
        if any(child.lifecycle is not FINISHED for child in self.children):
            return RUNNING
        for child in self.children:
            child.reset()
        return self.exit(self.pending)

    @override
    def abort(self) -> None:
        if self.lifecycle is ACTIVE:
            self.begin_cancelling(CANCELLED)
            self._stop_all()
            self._wait()
        elif self.lifecycle is IDLE:
            self.cancel_idle()

    def reevaluate(self, child: int) -> None:
        """Stop one branch so as to try it again."""
        if self.lifecycle is ACTIVE and child not in self._renewing:
            self._renewing.append(child)
            self.children[child].abort()
