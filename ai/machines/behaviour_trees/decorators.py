"""Nodes over one child that pass its result on, perhaps changed (BT-12, BT-21)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from typing_extensions import override

from ai.machines.behaviour_trees.definition import AbortScope, NodeDefinition, Notify
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
from ai.machines.blackboard.conditions import Condition

if TYPE_CHECKING:
    from ai.machines.behaviour_trees.observers import Observer
    from ai.machines.behaviour_trees.tree import BehaviorTree


class Decorator(Node):
    """Passes entry, ticks, stops and the child's result on.

    ``may_enter`` decides on entry; ``after`` says what a child's result means. A
    Cancelled that the node did not ask for is passed up unchanged (BT-12).
    """

    __slots__ = ("child",)

    def __init__(self, definition: NodeDefinition, tree: BehaviorTree, parent: Node | None) -> None:
        super().__init__(definition, tree, parent)
        below = definition.children[0]
        self.child = below.make(below, tree, self)

    @override
    def children_of(self) -> tuple[Node, ...]:
        return (self.child,)

    @override
    def tick(self) -> Result:
        lifecycle = self.lifecycle
        if lifecycle is ACTIVE:
            return self.advance()
        if lifecycle is IDLE:
            if not self.may_enter():
                return self.finish(FAILURE)
            self.enter()
            return self.advance()
        if lifecycle is CANCELLING:
            if self.child.tick() is RUNNING:
                return RUNNING
            return self.end(self.pending)
        return self.result

    def may_enter(self) -> bool:
        """Asked on entry only; False is Failure with the child untouched."""
        return True

    def advance(self) -> Result:
        """Tick the child while Running."""
        result = self.child.tick()
        return RUNNING if result is RUNNING else self.after(result)

    def after(self, result: Result) -> Result:
        """The child has finished by itself."""
        return self.end(result)

    def end(self, result: Result) -> Result:
        """Reset the child, then finish."""
        self.child.reset()
        return self.exit(result)

    @override
    def abort(self) -> None:
        if self.lifecycle is ACTIVE:
            self.begin_cancelling(CANCELLED)
            self.stop_child()
        elif self.lifecycle is IDLE:
            self.cancel_idle()

    def stop_child(self) -> None:
        """Stop the child; if that took no time, end at once (BT-13)."""
        self.child.abort()
        if self.child.lifecycle is FINISHED:
            self.end(self.pending)


@dataclass(frozen=True, slots=True)
class GateSettings:
    """Condition of a gate or observer, and how far the observer reaches."""

    condition: Condition
    scope: AbortScope = AbortScope.NONE
    notify: Notify = Notify.RESULT


class Gate(Decorator):
    """Lets the child begin only while a condition holds; asked on entry only."""

    __slots__ = ("_condition",)

    def __init__(self, definition: NodeDefinition, tree: BehaviorTree, parent: Node | None) -> None:
        super().__init__(definition, tree, parent)
        self._condition: Condition = definition.settings.condition

    @override
    def may_enter(self) -> bool:
        return self.tree.holds(self._condition, self.name)


class ObserverGate(Gate):
    """A gate that goes on listening (``type = "observer"``); the stop is its abort root's work."""

    __slots__ = ("observer",)

    def __init__(self, definition: NodeDefinition, tree: BehaviorTree, parent: Node | None) -> None:
        super().__init__(definition, tree, parent)
        self.observer: Observer | None = None
        """Filled in by the tree; None for scope ``none``."""

    @override
    def may_enter(self) -> bool:
        return super().may_enter() if self.observer is None else self.observer.renew()


class Inverter(Decorator):
    """Success becomes Failure and the other way round."""

    __slots__ = ()

    @override
    def after(self, result: Result) -> Result:
        if result is CANCELLED:
            return self.end(CANCELLED)
        return self.end(FAILURE if result is SUCCESS else SUCCESS)


class Force(Decorator):
    """Success and Failure both become the result of its settings."""

    __slots__ = ()

    @override
    def after(self, result: Result) -> Result:
        forced: Result = self.definition.settings
        return self.end(CANCELLED if result is CANCELLED else forced)
