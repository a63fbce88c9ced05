"""Conditions listened to for an abort root, and what they ask of it (BB-07 to BB-09)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ai.machines.behaviour_trees.definition import (
    AbortScope,
    Notify,
    ObserverDefinition,
    Watch,
)
from ai.machines.behaviour_trees.lifecycle import ACTIVE
from ai.machines.behaviour_trees.node import Node, OneChildAtATime
from ai.machines.behaviour_trees.parallel import Parallel
from ai.machines.behaviour_trees.sequences import ReactiveSequence
from ai.machines.behaviour_trees.timers import Cooldown

if TYPE_CHECKING:
    from ai.machines.behaviour_trees.tree import BehaviorTree


class ReevaluationRequest(NamedTuple):
    """A wish to stop a branch, applied in P7 in the order of its first two fields.

    ``root`` and ``node`` are pre-order indices of the abort root and of the observer;
    ``observer`` is its number in the tree.
    """

    root: int
    node: int
    observer: int


class Observer:
    """One observer of one ped's tree.

    - ``last`` is the truth at its last evaluation; it is evaluated on entry of its branch,
      and at a boundary only if a key that it reads changed, a due step came or it polls,
      and only while it matters: below the active child nothing listens.
    - ``latched``: the branch failed although the probe was true; it can't stop the lower
      branch again before the probe has been false (BT-16).
    - It never calls into a tree: it adds to ``tree.requests``.
    """

    __slots__ = (
        "_asks_for_own", "_asks_from_above", "_child", "_condition", "_cooldowns", "_is_guard",
        "_is_timed",
        "_node", "_on_value", "_parallel", "_request", "_root", "_test", "_tree", "due", "last",
        "latched",
    )  # fmt: skip

    def __init__(
        self, number: int, definition: ObserverDefinition, tree: BehaviorTree, nodes: list[Node]
    ) -> None:
        root = nodes[definition.root] if definition.root >= 0 else None
        self._root = root if isinstance(root, OneChildAtATime) else None
        self._parallel = root if isinstance(root, Parallel) else None
        self._node = nodes[definition.node]
        self._child = definition.child
        self._condition = definition.condition
        self._test = definition.condition.test
        self._cooldowns = tuple(
            node for index in definition.cooldowns if isinstance(node := nodes[index], Cooldown)
        )
        self._is_timed = bool(self._cooldowns or definition.condition.time_terms)
        self._is_guard = definition.watch is Watch.GUARD
        probe = definition.watch is Watch.PROBE
        self._asks_for_own = probe or definition.scope in (AbortScope.SELF, AbortScope.BOTH)
        self._asks_from_above = probe or definition.scope in (
            AbortScope.LOWER_PRIORITY,
            AbortScope.BOTH,
        )
        self._on_value = definition.notify is Notify.VALUE
        self._request = ReevaluationRequest(definition.root, definition.node, number)
        self._tree = tree
        self.last = False
        self.latched = False
        self.due = -1
        """Step of its next evaluation by time alone, -1 while none is waited for."""

    def renew(self) -> bool:
        """Evaluate on the present snapshot."""
        tree = self._tree
        try:
            truth = self._test(tree.board)
        except Exception as error:
            self.last = tree.condition_failed(self._node.name, error)
            return self.last
        if self._is_timed:
            truth = self._renew_times(truth)
        self.last = truth
        return truth

    def _renew_times(self, truth: bool) -> bool:
        tree = self._tree
        due = self._condition.next_due(tree.board)
        for cooldown in self._cooldowns:
            if tree.step < cooldown.ready_step:
                truth = False
                due = min(due, cooldown.ready_step)
        self.due = due
        return truth

    def branch_failed(self) -> None:
        """The branch failed: latched out unless its probe is false by now (BT-16)."""
        if self._cooldowns:
            # The end of the branch may have started a cooldown, whose expiry is a due time.
            self.renew()
        self.latched = self.last

    def check(self) -> None:
        """Evaluate at a boundary if it matters now, and ask for re-evaluation (P2)."""
        root = self._root
        if root is None:
            self._check_branch()
        elif root.lifecycle is ACTIVE and not root.switching:
            active = root.index
            if self._child < active:
                if self._is_guard:
                    if not self.renew():
                        self._tree.requests.append(self._request)
                elif self._asks_from_above:
                    self._check_from_above()
            elif self._child == active and not self._is_guard:
                self._check_branch()

    def _check_branch(self) -> None:
        """Own branch active: it must stop when the condition turns false."""
        if not self._asks_for_own or self._node.lifecycle is not ACTIVE:
            return
        if self._parallel is not None and self._parallel.lifecycle is not ACTIVE:
            return
        if not self.renew() or self._on_value:
            self._tree.requests.append(self._request)

    def _check_from_above(self) -> None:
        """A lower branch is active: it must stop when the condition turns true."""
        before = self.last
        truth = self.renew()
        if self.latched:
            self.latched = truth
        elif truth and (self._on_value or not before):
            self._tree.requests.append(self._request)

    def apply(self) -> None:
        """Do what was asked for (P7); what an outer root has already stopped stays as it is."""
        root = self._root
        if root is None:
            if self._parallel is not None:
                self._parallel.reevaluate(self._child)
            else:
                self._tree.root.abort()
        elif self._is_guard:
            if isinstance(root, ReactiveSequence):
                root.guard_failed()
        else:
            root.reevaluate(self._child)
