"""Leaves that use no action: condition, succeed, fail, wait, set, post_event (BT-09)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from typing_extensions import override

from ai.machines.behaviour_trees.definition import NodeDefinition
from ai.machines.behaviour_trees.lifecycle import (
    ACTIVE,
    CANCELLED,
    FAILURE,
    FINISHED,
    IDLE,
    RUNNING,
    SUCCESS,
    Result,
)
from ai.machines.behaviour_trees.node import Node
from ai.machines.blackboard.conditions import Condition
from ai.machines.blackboard.keys import Value
from ai.machines.counters import Seq
from ai.machines.errors import BlackboardError
from ai.machines.parameters import Parameter, resolved
from ai.machines.steps import NEVER

if TYPE_CHECKING:
    from ai.machines.behaviour_trees.tree import BehaviorTree


class InstantLeaf(Node):
    """Finishes in the tick it starts, so there is nothing to stop."""

    __slots__ = ()

    @override
    def tick(self) -> Result:
        return self.finish(self.outcome()) if self.lifecycle is IDLE else self.result

    def outcome(self) -> Result:
        """Its result now."""
        raise NotImplementedError

    @override
    def abort(self) -> None:
        if self.lifecycle is IDLE:
            self.cancel_idle()


class ConditionLeaf(InstantLeaf):
    """Success while a condition holds on the snapshot, else Failure."""

    __slots__ = ("_condition",)

    def __init__(self, definition: NodeDefinition, tree: BehaviorTree, parent: Node | None) -> None:
        super().__init__(definition, tree, parent)
        self._condition: Condition = definition.settings

    @override
    def tick(self) -> Result:
        # Ticked most often of all nodes, so ``finish`` is written out here.
        if self.lifecycle is not IDLE:
            return self.result
        tree = self.tree
        try:
            truth = self._condition.test(tree.board)
        except Exception as error:
            truth = tree.condition_failed(self.name, error)
        self.lifecycle = FINISHED
        self.result = result = SUCCESS if truth else FAILURE
        tree.lines.append(self.lines.finish[result])
        return result


class ConstantLeaf(InstantLeaf):
    """``succeed`` and ``fail``."""

    __slots__ = ()

    @override
    def outcome(self) -> Result:
        result: Result = self.definition.settings
        return result


@dataclass(frozen=True, slots=True)
class PostEventSettings:
    """Name and parameters of the event."""

    event: str
    parameters: tuple[Parameter, ...]


class PostEventLeaf(InstantLeaf):
    """Posts an event for the ped and succeeds."""

    __slots__ = ()

    @override
    def outcome(self) -> Result:
        settings: PostEventSettings = self.definition.settings
        context = self.tree.context
        context.post_event(settings.event, resolved(settings.parameters, context.board))
        return SUCCESS


class UnheldLeaf(Node):
    """A leaf that takes time but holds nothing: a stop is its exit, at once."""

    __slots__ = ()

    @override
    def abort(self) -> None:
        if self.lifecycle is ACTIVE:
            self.tree.lines.append(self.lines.abort)
            self.exit(CANCELLED)
        elif self.lifecycle is IDLE:
            self.cancel_idle()


class WaitLeaf(UnheldLeaf):
    """Waits ``settings`` steps, or for ever."""

    __slots__ = ("_due",)

    def __init__(self, definition: NodeDefinition, tree: BehaviorTree, parent: Node | None) -> None:
        super().__init__(definition, tree, parent)
        self._due = NEVER

    @override
    def tick(self) -> Result:
        if self.lifecycle is FINISHED:
            return self.result
        tree = self.tree
        if self.lifecycle is IDLE:
            self.lifecycle = ACTIVE
            tree.lines.append(self.lines.enter)
            delay: int = self.definition.settings
            self._due = NEVER if delay >= NEVER else tree.step + delay
        if self._due < NEVER:
            if tree.step >= self._due:
                return self.exit(SUCCESS)
            tree.wake_at(self._due)
        return RUNNING

    def due_in(self) -> int:
        """Steps left, for dumps; ``NEVER`` or more if it waits for ever."""
        return self._due - self.tree.step


class Operation(StrEnum):
    """What ``set`` does with its value (BT-09)."""

    ASSIGN = "assign"
    ADD = "add"
    MODULO = "modulo"


@dataclass(frozen=True, slots=True)
class SetSettings:
    """``key`` of the blackboard, or of the tree's scratch; ``modulo`` wraps a sum."""

    key: str
    scratch: bool
    operation: Operation
    value: Parameter
    modulo: Parameter | None = None


class SetLeaf(UnheldLeaf):
    """Writes a key and succeeds when the value is in the snapshot (BB-03).

    Scratch is seen at once. A modulo of 0 or less, or a value that the key refuses, is
    Failure and writes nothing.
    """

    __slots__ = ("_seq",)

    def __init__(self, definition: NodeDefinition, tree: BehaviorTree, parent: Node | None) -> None:
        super().__init__(definition, tree, parent)
        self._seq: Seq = 0

    @override
    def tick(self) -> Result:
        if self.lifecycle is FINISHED:
            return self.result
        tree = self.tree
        if self.lifecycle is IDLE:
            self.enter()
            settings: SetSettings = self.definition.settings
            try:
                value = _new_value(settings, tree)
                if settings.scratch:
                    tree.scratch[settings.key] = value
                    return self.exit(SUCCESS)
                self._seq = tree.context.write(settings.key, value, self.name)
            except (ArithmeticError, BlackboardError):
                return self.exit(FAILURE)
        elif tree.context.inbox.taken_seq >= self._seq:
            return self.exit(SUCCESS)
        tree.wake_at(tree.step + 1)
        return RUNNING


def _new_value(settings: SetSettings, tree: BehaviorTree) -> Value:
    """Value to be written; raises ``ArithmeticError`` for a modulo of 0 or less."""
    board = tree.board
    value = settings.value.read(board)
    if settings.operation is Operation.ASSIGN:
        return value
    if settings.scratch:
        old = tree.scratch.get(settings.key, 0)
    else:
        old = board.values[board.layout.slots[settings.key]]
    if not isinstance(old, int | float) or not isinstance(value, int | float):
        raise ArithmeticError("not a number")
    if settings.operation is Operation.MODULO:
        return _wrapped(old, value)
    total = old + value
    if settings.modulo is None:
        return total
    modulo = settings.modulo.read(board)
    if not isinstance(modulo, int | float):
        raise ArithmeticError("not a number")
    return _wrapped(total, modulo)


def _wrapped(value: int | float, modulo: int | float) -> int | float:
    if modulo <= 0:
        raise ArithmeticError("modulo of 0 or less")
    return value % modulo
