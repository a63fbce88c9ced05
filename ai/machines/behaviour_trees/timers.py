"""Decorators that count time: cooldown and timeout (BT-23, BT-24)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from typing_extensions import override

from ai.machines.behaviour_trees.decorators import Decorator
from ai.machines.behaviour_trees.definition import NodeDefinition
from ai.machines.behaviour_trees.lifecycle import (
    CANCELLED,
    CANCELLING,
    FAILURE,
    FINISHED,
    RUNNING,
    Result,
)
from ai.machines.behaviour_trees.node import Node

if TYPE_CHECKING:
    from ai.machines.behaviour_trees.tree import BehaviorTree


@dataclass(frozen=True, slots=True)
class CooldownSettings:
    """``delay`` in steps, from the child's end or start; does Cancelled start it too."""

    delay: int
    from_start: bool = False
    on_cancel: bool = False


class Cooldown(Decorator):
    """Gives Failure until a time after the child last ended; survives resets of the tree."""

    __slots__ = ("_begun", "ready_step")

    def __init__(self, definition: NodeDefinition, tree: BehaviorTree, parent: Node | None) -> None:
        super().__init__(definition, tree, parent)
        self._begun = 0
        self.ready_step = 0

    @override
    def may_enter(self) -> bool:
        self._begun = self.tree.step
        return self.tree.step >= self.ready_step

    @override
    def end(self, result: Result) -> Result:
        settings: CooldownSettings = self.definition.settings
        if result is not CANCELLED or settings.on_cancel:
            since = self._begun if settings.from_start else self.tree.step
            self.ready_step = since + settings.delay
        return super().end(result)


class Timeout(Decorator):
    """Fails a child that takes longer than ``settings`` steps, once the child has stopped."""

    __slots__ = ("_due",)

    def __init__(self, definition: NodeDefinition, tree: BehaviorTree, parent: Node | None) -> None:
        super().__init__(definition, tree, parent)
        self._due = 0

    @override
    def enter(self) -> None:
        super().enter()
        self._due = self.tree.step + self.definition.settings

    @override
    def advance(self) -> Result:
        # The child first: a result delivered at this boundary wins over the expiry.
        result = self.child.tick()
        if result is not RUNNING:
            return self.end(result)
        if self.tree.step < self._due:
            self.tree.wake_at(self._due)
            return RUNNING
        self.lifecycle = CANCELLING
        self.pending = FAILURE
        self.child.abort()
        return self.end(FAILURE) if self.child.lifecycle is FINISHED else RUNNING
