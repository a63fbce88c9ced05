"""Repeat and retry: rounds of one child, at most one a tick (BT-22)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from typing_extensions import override

from ai.machines.behaviour_trees.decorators import Decorator
from ai.machines.behaviour_trees.definition import NodeDefinition
from ai.machines.behaviour_trees.lifecycle import (
    ACTIVE,
    CANCELLED,
    FAILURE,
    IDLE,
    RUNNING,
    SUCCESS,
    Result,
)
from ai.machines.behaviour_trees.node import Node

if TYPE_CHECKING:
    from ai.machines.behaviour_trees.tree import BehaviorTree


class Until(StrEnum):
    """Which result of the child ends a repeat."""

    FAILURE = "failure"
    SUCCESS = "success"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class RepeatSettings:
    """``count`` rounds, 0 for ever."""

    count: int
    until: Until


@dataclass(frozen=True, slots=True)
class RetrySettings:
    """``count`` tries in all, ``delay`` steps between them."""

    count: int
    delay: int


class Loop(Decorator):
    """Rounds of the child; between two of them no child is active, so a stop takes no time."""

    __slots__ = ("_next_round", "rounds")

    def __init__(self, definition: NodeDefinition, tree: BehaviorTree, parent: Node | None) -> None:
        super().__init__(definition, tree, parent)
        self.rounds = 0
        self._next_round = 0

    @override
    def enter(self) -> None:
        super().enter()
        self.rounds = 0
        self._next_round = self.tree.step

    @override
    def advance(self) -> Result:
        tree = self.tree
        if tree.step < self._next_round:
            tree.wake_at(self._next_round)
            return RUNNING
        return super().advance()

    def next_round(self, delay: int) -> Result:
        """The child is reset now and begins again in a later tick."""
        self.child.reset()
        self._next_round = self.tree.step + max(1, delay)
        self.tree.wake_at(self._next_round)
        return RUNNING

    @override
    def abort(self) -> None:
        if self.lifecycle is ACTIVE and self.child.lifecycle is IDLE:
            self.begin_cancelling(CANCELLED)
            self.end(CANCELLED)
        else:
            super().abort()


class Repeat(Loop):
    """Rounds until a count or a result; Cancelled ends it."""

    __slots__ = ()

    @override
    def after(self, result: Result) -> Result:
        settings: RepeatSettings = self.definition.settings
        until = settings.until
        if result is CANCELLED:
            return self.end(CANCELLED)
        if result is FAILURE and until is Until.FAILURE:
            return self.end(FAILURE)
        if result is SUCCESS and until is Until.SUCCESS:
            return self.end(SUCCESS)
        self.rounds += 1
        if settings.count and self.rounds >= settings.count:
            return self.end(FAILURE if until is Until.SUCCESS else SUCCESS)
        return self.next_round(0)


class Retry(Loop):
    """Tries until one succeeds; a revocation is no try."""

    __slots__ = ()

    @override
    def after(self, result: Result) -> Result:
        settings: RetrySettings = self.definition.settings
        if result is not FAILURE:
            return self.end(result)
        self.rounds += 1
        if self.rounds >= settings.count:
            return self.end(FAILURE)
        return self.next_round(settings.delay)
