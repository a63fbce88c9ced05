"""Memory and reactive sequence (BT-10, BT-15)."""

from __future__ import annotations

from typing_extensions import override

from ai.machines.behaviour_trees.lifecycle import (
    ACTIVE,
    CANCELLING,
    FAILURE,
    FINISHED,
    RUNNING,
    SUCCESS,
    Result,
)
from ai.machines.behaviour_trees.node import OneChildAtATime


class Sequence(OneChildAtATime):
    """All children must succeed, one after the other; keeps its place across ticks."""

    __slots__ = ()

    @override
    def try_from(self, index: int) -> Result:
        children = self.children
        while index < len(children):
            self.index = index
            result = children[index].tick()
            if result is RUNNING:
                return RUNNING
            if result is not SUCCESS:
                return self.end(result)
            index += 1
        return self.end(SUCCESS)

    @override
    def after(self, result: Result) -> Result:
        if result is not SUCCESS:
            return self.end(result)
        return self.try_from(self.index + 1)

    @override
    def restart(self) -> Result:
        # Under a sequence only the decorated branch is tried again: the steps before it
        # have been done, and its own gate now decides (BT-17).
        self.switching = False
        self.children[self.index].reset()
        self.tree.lines.append(self.lines.reeval)
        return self.try_from(self.index)


class ReactiveSequence(Sequence):
    """A sequence whose instant children before the active one are guards.

    When a guard turns false the active child is stopped and awaited, then the node
    fails. Setting the place back without that would leave the old action its resources.
    """

    __slots__ = ()

    def guard_failed(self) -> None:
        """A guard before the active child is false on the newest snapshot."""
        if self.lifecycle is ACTIVE:
            self.switching = False
            self.lifecycle = CANCELLING
            self.pending = FAILURE
            child = self.children[self.index]
            child.abort()
            if child.lifecycle is FINISHED:
                self.end(FAILURE)
