"""Memory and reactive selector (BT-11, BT-16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import override

from ai.machines.behaviour_trees.definition import NodeDefinition
from ai.machines.behaviour_trees.lifecycle import FAILURE, FINISHED, RUNNING, Result
from ai.machines.behaviour_trees.node import Node, OneChildAtATime

if TYPE_CHECKING:
    from ai.machines.behaviour_trees.observers import Observer
    from ai.machines.behaviour_trees.tree import BehaviorTree


class Selector(OneChildAtATime):
    """Tries children in order of priority; only Failure opens the next (BT-12)."""

    __slots__ = ()

    @override
    def try_from(self, index: int) -> Result:
        children = self.children
        while index < len(children):
            self.index = index
            result = children[index].tick()
            if result is RUNNING:
                return RUNNING
            if result is not FAILURE:
                return self.end(result)
            index += 1
        return self.end(FAILURE)

    @override
    def after(self, result: Result) -> Result:
        if result is not FAILURE:
            return self.end(result)
        return self.try_from(self.index + 1)


class ReactiveSelector(OneChildAtATime):
    """A selector whose children's probes go on being listened to.

    - A child whose probe is false is not entered: it counts as failed.
    - A probe that turns true before the active child, or the active child's own that
      turns false, makes it stop the active branch and try again from the first.
    - A child without a probe can't preempt.
    """

    __slots__ = ("probes",)

    def __init__(self, definition: NodeDefinition, tree: BehaviorTree, parent: Node | None) -> None:
        super().__init__(definition, tree, parent)
        self.probes: list[Observer | None] = [None] * len(self.children)
        """By child; filled in by the tree."""

    @override
    def enter(self) -> None:
        super().enter()
        for probe in self.probes:
            if probe is not None:
                probe.latched = False

    @override
    def try_from(self, index: int) -> Result:
        children = self.children
        probes = self.probes
        lines = self.tree.lines
        while index < len(children):
            self.index = index
            probe = probes[index]
            child = children[index]
            if probe is not None and (not probe.renew() or probe.latched):
                probe.latched = probe.last
                # ``finish``, written out: every tick of a new choice comes through here.
                child.lifecycle = FINISHED
                child.result = FAILURE
                lines.append(child.lines.finish[FAILURE])
            else:
                result = child.tick()
                if result is RUNNING:
                    return RUNNING
                if result is not FAILURE:
                    return self.end(result)
                if probe is not None:
                    probe.branch_failed()
            index += 1
        return self.end(FAILURE)

    @override
    def after(self, result: Result) -> Result:
        if result is not FAILURE:
            return self.end(result)
        probe = self.probes[self.index]
        if probe is not None:
            probe.branch_failed()
        return self.try_from(self.index + 1)
