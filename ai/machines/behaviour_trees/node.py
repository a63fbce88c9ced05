"""What every node does, and what composites with one active child share (BT-02, BT-03)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typing_extensions import override

from ai.machines.behaviour_trees.definition import NodeDefinition
from ai.machines.behaviour_trees.lifecycle import (
    ACTIVE,
    CANCELLED,
    CANCELLING,
    FINISHED,
    IDLE,
    RUNNING,
    Lifecycle,
    Result,
)
from ai.machines.errors import LifecycleError

if TYPE_CHECKING:
    from ai.machines.behaviour_trees.tree import BehaviorTree


class Node:
    """One node of one ped's tree.

    - Idle -> Running runs the entry once; Finished stores a result; only ``reset`` leads on.
    - ``pending`` is the result it will have when a stop has come to its end.
    - ``tick`` returns RUNNING for Running and Cancelling alike, and the stored result of
      a Finished node without doing anything.
    - Every entered node ends with exactly one exit (an action leaf may have one undo instead).
    """

    __slots__ = ("definition", "lifecycle", "lines", "name", "parent", "pending", "result", "tree")

    def __init__(self, definition: NodeDefinition, tree: BehaviorTree, parent: Node | None) -> None:
        self.definition = definition
        self.name = definition.name
        self.lines = definition.lines
        self.tree = tree
        self.parent = parent
        self.lifecycle: Lifecycle = IDLE
        self.result: Result = RUNNING
        self.pending: Result = RUNNING

    def tick(self) -> Result:
        """Go on by one tick."""
        raise NotImplementedError

    def abort(self) -> None:
        """Ask for a stop; does nothing to a node that is Cancelling or Finished (BT-13)."""
        raise NotImplementedError

    def children_of(self) -> tuple[Node, ...]:
        """Children, in order; for dumps and checks."""
        return ()

    def reset(self) -> None:
        """Back to Idle from Finished; raises ``LifecycleError`` for an active node (BT-03)."""
        if self.lifecycle is not FINISHED and self.lifecycle is not IDLE:
            raise LifecycleError(
                f"node '{self.name}' is {self.lifecycle.name.lower()}; abort it and wait "
                "until it is finished before it is reset"
            )
        self.lifecycle = IDLE

    def enter(self) -> None:
        """Idle -> Running."""
        self.lifecycle = ACTIVE
        self.tree.lines.append(self.lines.enter)

    def exit(self, result: Result) -> Result:
        """Running or Cancelling -> Finished, by the one exit of an entered node."""
        self.lifecycle = FINISHED
        self.result = result
        self.tree.lines.append(self.lines.exit[result])
        return result

    def finish(self, result: Result) -> Result:
        """Idle -> Finished without entry: instant nodes and closed gates."""
        self.lifecycle = FINISHED
        self.result = result
        self.tree.lines.append(self.lines.finish[result])
        return result

    def cancel_idle(self) -> None:
        """A node aborted while Idle: Finished(Cancelled), no exit (BT-03)."""
        self.lifecycle = FINISHED
        self.result = CANCELLED

    def begin_cancelling(self, pending: Result) -> None:
        """Running -> Cancelling because somebody asked for it."""
        self.lifecycle = CANCELLING
        self.pending = pending
        self.tree.lines.append(self.lines.abort)


class OneChildAtATime(Node):
    """Composites of which one child is active: sequences and selectors.

    A subclass says in ``after`` what a child's result means. Shared here are entry,
    stopping and the re-evaluation of an abort root (BT-17):

    - ``switching``: it has stopped its branch by itself and stays Running; when the
      branch is Finished its result is consumed, not passed on, and ``restart`` says
      which child is tried next, on the newest snapshot.
    - A stop from above during a switch turns it into Cancelling.
    """

    __slots__ = ("children", "index", "switching")

    def __init__(self, definition: NodeDefinition, tree: BehaviorTree, parent: Node | None) -> None:
        super().__init__(definition, tree, parent)
        self.index = 0
        self.switching = False
        self.children = tuple(child.make(child, tree, self) for child in definition.children)

    @override
    def children_of(self) -> tuple[Node, ...]:
        return self.children

    @override
    def tick(self) -> Result:
        lifecycle = self.lifecycle
        if lifecycle is ACTIVE:
            child = self.children[self.index]
            result = child.result if child.lifecycle is FINISHED else child.tick()
            if result is RUNNING:
                return RUNNING
            if self.switching:
                return self.restart()
            return self.after(result)
        if lifecycle is IDLE:
            self.enter()
            return self.begin()
        if lifecycle is CANCELLING:
            if self.children[self.index].tick() is RUNNING:
                return RUNNING
            return self.end(self.pending)
        return self.result

    def begin(self) -> Result:
        """Choose and tick the first child of a new run."""
        return self.try_from(0)

    def try_from(self, index: int) -> Result:
        """Tick children from this one on until one is not Finished or the run ends."""
        raise NotImplementedError

    def after(self, result: Result) -> Result:
        """The child at ``index`` has finished by itself while Running."""
        raise NotImplementedError

    def restart(self) -> Result:
        """The branch of a switch is Finished: consume its result and try anew."""
        self.switching = False
        self.reset_children()
        self.tree.lines.append(self.lines.reeval)
        return self.begin()

    def end(self, result: Result) -> Result:
        """Reset what is finished below, then finish (BT-03)."""
        self.reset_children()
        return self.exit(result)

    def reset_children(self) -> None:
        """Finished children back to Idle; no second exit."""
        for child in self.children[: self.index + 1]:
            if child.lifecycle is not IDLE:
                child.reset()
        self.index = 0

    @override
    def abort(self) -> None:
        lifecycle = self.lifecycle
        if lifecycle is ACTIVE:
            self.switching = False
            self.begin_cancelling(CANCELLED)
            self.stop_child()
        elif lifecycle is IDLE:
            self.cancel_idle()

    def stop_child(self) -> None:
        """Stop the active child; if that took no time, end at once (BT-13)."""
        child = self.children[self.index]
        child.abort()
        if child.lifecycle is FINISHED:
            self.end(self.pending)

    def reevaluate(self, _child: int) -> None:
        """Stop the active branch so as to choose again (BT-17); a second request is merged."""
        if self.lifecycle is ACTIVE and not self.switching:
            self.switching = True
            self.children[self.index].abort()
