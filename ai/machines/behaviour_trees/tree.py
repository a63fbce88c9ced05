"""The runner of one tree for one ped: start, tick, abort, reset (BT-25)."""

from __future__ import annotations

from ai import settings
from ai.faults import faults
from ai.machines.behaviour_trees.action_leaf import ActionLeaf
from ai.machines.behaviour_trees.decorators import ObserverGate
from ai.machines.behaviour_trees.definition import TreeDefinition, Watch
from ai.machines.behaviour_trees.lifecycle import (
    ACTIVE,
    CANCELLED,
    CANCELLING,
    FINISHED,
    IDLE,
    Lifecycle,
    Result,
)
from ai.machines.behaviour_trees.node import Node
from ai.machines.behaviour_trees.observers import Observer, ReevaluationRequest
from ai.machines.behaviour_trees.selectors import ReactiveSelector
from ai.machines.behaviour_trees.timers import Cooldown
from ai.machines.behaviour_trees.utility import UtilitySelector
from ai.machines.blackboard.conditions import Condition
from ai.machines.blackboard.keys import Value
from ai.machines.context import BrainContext
from ai.machines.errors import LifecycleError, ReentrancyError
from ai.machines.steps import NEVER


class BehaviorTree:
    """One instance; its owner reads the Finished result and resets it.

    - ``observe`` is its part of P2, ``tick`` of P7.
    - It is asleep unless ``needs_tick``: no waiting item, no request, no due time (BT-28).
    - ``mind`` names the machine or tree for owner ids.
    """

    __slots__ = (
        "_condition_faults", "_due", "_observers", "_ticking", "_timed", "_utilities", "board",
        "context", "definition", "lines", "mind", "nodes", "requests", "root", "scratch", "step",
        "trace", "woken",
    )  # fmt: skip

    def __init__(self, definition: TreeDefinition, context: BrainContext, mind: str = "") -> None:
        self.definition = definition
        self.context = context
        self.board = context.board
        self.trace = context.trace
        self.lines = context.trace.entries
        self.mind = mind or definition.name
        self.step = context.step
        self.requests: list[ReevaluationRequest] = []
        self.scratch: dict[str, Value] = {}
        self.woken = False
        self.nodes: list[Node] = []
        self._due = NEVER
        self._ticking = False
        self._condition_faults: set[str] = set()
        self.root = definition.root.make(definition.root, self, None)
        _collect(self.root, self.nodes)
        self._observers = [
            Observer(number, observer, self, self.nodes)
            for number, observer in enumerate(definition.observers)
        ]
        self._connect()
        self._timed = [
            observer
            for observer, wanted in zip(self._observers, definition.observers, strict=True)
            if wanted.condition.time_terms or wanted.cooldowns
        ]
        self._utilities = [node for node in self.nodes if isinstance(node, UtilitySelector)]

    def _connect(self) -> None:
        """Tell the nodes that evaluate an observer on entry which one is theirs."""
        for observer, wanted in zip(self._observers, self.definition.observers, strict=True):
            node = self.nodes[wanted.node]
            root = self.nodes[wanted.root] if wanted.root >= 0 else None
            if wanted.watch is Watch.PROBE and isinstance(root, ReactiveSelector):
                root.probes[wanted.child] = observer
            elif wanted.watch is Watch.OBSERVER and isinstance(node, ObserverGate):
                node.observer = observer

    @property
    def lifecycle(self) -> Lifecycle:
        """Of the root."""
        return self.root.lifecycle

    @property
    def result(self) -> Result:
        """Of the root; RUNNING unless Finished."""
        return self.root.result if self.root.lifecycle is FINISHED else Result.RUNNING

    def start(self) -> None:
        """Make an Idle tree due; the next tick enters it."""
        if self.root.lifecycle is not IDLE:
            raise LifecycleError(f"tree '{self.definition.name}' is not idle; reset it first")
        self.woken = True

    def wake_at(self, step: int) -> None:
        """Be ticked at this step at the latest; every active node asks anew in each tick."""
        if step < self._due:
            self._due = step

    def needs_tick(self) -> bool:
        """False while it sleeps."""
        return self.woken or self.context.step >= self._due or bool(self.requests)

    def observe(self) -> None:
        """P2: evaluate the observers that listen to what has changed, and what is due."""
        self.step = self.context.step
        definition = self.definition
        changed = self.board.changed & definition.mask
        if changed:
            self.board.scratch = self.scratch
            self._observe_keys(changed)
        if definition.polling:
            self.board.scratch = self.scratch
            for number in definition.polling:
                self._observers[number].check()
        if self._timed:
            for observer in self._timed:
                if 0 <= observer.due <= self.step:
                    observer.due = -1
                    observer.check()

    def _observe_keys(self, changed: int) -> None:
        by_slot = self.definition.observers_by_slot
        if self._utilities:
            for utility in self._utilities:
                if utility.lifecycle is ACTIVE and utility.definition.settings.mask & changed:
                    utility.keys_changed()
        observers = self._observers
        if changed & (changed - 1) == 0:
            for number in by_slot[changed.bit_length() - 1]:
                observers[number].check()
            return
        numbers: set[int] = set()
        while changed:
            numbers.update(by_slot[(changed & -changed).bit_length() - 1])
            changed &= changed - 1
        for number in sorted(numbers):
            self._observers[number].check()

    def tick(self) -> Result:
        """P7: apply what observers asked for, then go on.

        Raises ``ReentrancyError`` if called from inside a tick.
        """
        if self._ticking:
            raise ReentrancyError(
                f"tree '{self.definition.name}' is being ticked; a condition or hook may not tick"
            )
        self._ticking = True
        try:
            self.step = step = self.context.step
            trace = self.trace
            if trace.marked != step:
                trace.marked = step
                self.lines.append(step)
            self.board.scratch = self.scratch
            self.woken = False
            self._due = NEVER
            if self.requests:
                self._apply_requests()
            return self.root.tick()
        finally:
            self._ticking = False

    def _apply_requests(self) -> None:
        requests = self.requests
        if len(requests) == 1:
            self._observers[requests.pop().observer].apply()
            return
        self.requests = []
        requests.sort()
        for request in requests:
            self._observers[request.observer].apply()

    def abort(self) -> None:
        """Ask the whole tree to stop; twice is harmless."""
        self.step = self.context.step
        self.trace.mark(self.step)
        self.requests.clear()
        self.root.abort()
        self.woken = True

    def reset(self) -> None:
        """Finished -> Idle; clears scratch, keeps cooldowns."""
        self.root.reset()
        self.scratch.clear()
        self.requests.clear()
        self.woken = False
        self._due = NEVER

    def force_stop(self) -> None:
        """After a forced release: one exit or undo per entered node, leaf to root (ACT-24)."""
        self.step = self.context.step
        self.trace.mark(self.step)
        for node in reversed(self.nodes):
            if node.lifecycle is ACTIVE or node.lifecycle is CANCELLING:
                if isinstance(node, ActionLeaf):
                    node.force_end()
                else:
                    node.exit(CANCELLED)
        for node in self.nodes:
            node.reset()
        self.scratch.clear()
        self.requests.clear()
        self.woken = False
        self._due = NEVER

    def close(self) -> None:
        """Let the tree go; while it is active that is a fault, raised in strict (BT-25)."""
        if self.root.lifecycle is ACTIVE or self.root.lifecycle is CANCELLING:
            text = f"tree '{self.definition.name}' was dropped while running; abort it first"
            faults.record("tree_dropped", text, f"ped#{self.context.ped_id}")
            if settings.strict:
                raise LifecycleError(text)

    def holds(self, condition: Condition, node: str) -> bool:
        """Truth of a node's condition on the snapshot; one that raises is false (BB-06)."""
        try:
            return condition.test(self.board)
        except Exception as error:
            return self.condition_failed(node, error)

    def condition_failed(self, node: str, error: Exception) -> bool:
        """Record a condition that raised, once per node; raises in strict. Always False."""
        if isinstance(error, ReentrancyError):
            raise error
        if node not in self._condition_faults:
            self._condition_faults.add(node)
            faults.record(
                "condition",
                f"the condition of '{node}' raised {error!r}; it counts as false",
                f"ped#{self.context.ped_id}",
            )
        if settings.strict:
            raise error
        return False

    def take_cooldowns(self, old: BehaviorTree) -> None:
        """Ready steps of equally named cooldowns, for carry-over (ACT-26)."""
        ready = {node.name: node.ready_step for node in old.nodes if isinstance(node, Cooldown)}
        for node in self.nodes:
            if isinstance(node, Cooldown):
                node.ready_step = ready.get(node.name, 0)


def _collect(node: Node, into: list[Node]) -> None:
    """Nodes in pre-order, which is the order of their indices."""
    into.append(node)
    for child in node.children_of():
        _collect(child, into)
