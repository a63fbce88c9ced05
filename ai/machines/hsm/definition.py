"""Immutable machines, parsed once and shared by every ped (HSM-04, HSM-05)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from ai.machines.behaviour_trees.definition import TreeDefinition
from ai.machines.blackboard.conditions import Condition
from ai.machines.parameters import ActionSpec

if TYPE_CHECKING:
    from ai.machines.hsm.state_context import StateContext

MAX_DEPTH = 8
MAX_STATES = 64


class MachineKind(StrEnum):
    """Who owns actions: the states, or the leaves of trees in leaf states (HSM-04)."""

    STANDALONE = "standalone"
    COMPOSED = "composed"


class StateHooks:
    """What a project does around one execution of a state; subclass, override, register by name.

    - Per entry: either ``on_enter`` and later one ``on_exit``, or ``on_enter`` and one
      ``on_enter_undone`` (HSM-01).
    - The same object serves every ped, so it keeps nothing itself: the blackboard does.
    """

    def on_enter(self, ctx: StateContext) -> None:
        """Build the context of this execution; raising is a failed Enter (HSM-15)."""

    def on_enter_undone(self, ctx: StateContext, reason: str) -> None:
        """Take down what an Enter that failed had built."""

    def update(self, ctx: StateContext) -> None:
        """Every step while active and not exiting."""

    def on_exit(self, ctx: StateContext) -> None:
        """End this execution; it releases nothing, the ledger does (ACT-10)."""


Hook: TypeAlias = "Callable[[StateContext], None]"
UndoneHook: TypeAlias = "Callable[[StateContext, str], None]"
Service: TypeAlias = "Callable[[StateContext], None]"


@dataclass(frozen=True, slots=True)
class ServiceDefinition:
    """Shared behaviour of an inner state, run every so many steps; needs no resource."""

    kind: str
    every: int
    run: Service


class RevokedPolicy(StrEnum):
    """What an active standalone state does after a revocation (HSM-22)."""

    RESTART = "restart"
    STAY = "stay"
    GO = "go"


class Rule:
    """A transition as data; ``order`` is its place among the rules of its state (HSM-21)."""

    __slots__ = ("condition", "number", "owner", "priority", "target", "urgent")

    def __init__(
        self,
        number: int,
        owner: State,
        priority: int,
        condition: Condition,
        target: State,
        *,
        urgent: bool,
    ) -> None:
        self.number = number
        self.owner = owner
        self.priority = priority
        self.condition = condition
        self.target = target
        self.urgent = urgent

    def __deepcopy__(self, memo: dict[int, object]) -> Rule:
        return self


class FailureTarget:
    """Where to go when an Enter below failed; ``requires`` must be active (HSM-17)."""

    __slots__ = ("requires", "target")

    def __init__(self, target: State, requires: State | None) -> None:
        self.target = target
        self.requires = requires


class StateLines:
    """Trace lines of a state, made once."""

    __slots__ = (
        "enter_begin", "enter_fail", "enter_ok", "exit_begin", "exit_done", "undo_begin",
        "undo_done",
    )  # fmt: skip

    def __init__(self, name: str) -> None:
        self.enter_begin = f"enter.begin {name}"
        self.enter_ok = f"enter.ok {name}"
        self.enter_fail = f"enter.fail {name}"
        self.undo_begin = f"undo.begin {name}"
        self.undo_done = f"undo.done {name}"
        self.exit_begin = f"exit.begin {name}"
        self.exit_done = f"exit.done {name}"


class State:
    """One state; the loader links states and then calls ``seal``, after which nothing changes.

    - ``chain`` is root .. self, so ``chain[depth]`` is self.
    - ``leaf`` is where a request for this state leads, by ``initial`` children.
    - ``plain``: owns no action, tree or service, so entering and leaving it takes no time.
    - ``journeys``: by goal, what lies between if all of it is plain, else None; worked out when
      first wanted.
    """

    __slots__ = (
        "actions", "chain", "children", "depth", "enter_timeout", "hooks", "initial", "journeys",
        "leaf",
        "lines", "min_time", "name", "on_enter", "on_exit", "on_fail", "on_revoked", "on_undone",
        "parent", "path", "path_mask", "path_polls", "plain", "revoked_target", "rules",
        "services", "tree", "update", "updating",
    )  # fmt: skip

    def __init__(self, path: str, parent: State | None) -> None:
        self.path = path
        self.name = path.rsplit("/", 1)[-1]
        self.parent = parent
        self.chain: tuple[State, ...] = (*parent.chain, self) if parent else (self,)
        self.depth = len(self.chain) - 1
        self.children: list[State] = []
        self.initial: State | None = None
        self.leaf: State = self
        self.actions: tuple[ActionSpec, ...] = ()
        self.tree: TreeDefinition | None = None
        self.services: tuple[ServiceDefinition, ...] = ()
        self.rules: tuple[Rule, ...] = ()
        self.on_fail: tuple[FailureTarget, ...] = ()
        self.on_revoked = RevokedPolicy.RESTART
        self.revoked_target: State | None = None
        self.min_time = 0
        self.enter_timeout = 0
        self.hooks: StateHooks | None = None
        self.on_enter: Hook | None = None
        self.on_undone: UndoneHook | None = None
        self.on_exit: Hook | None = None
        self.update: Hook | None = None
        self.path_mask = 0
        self.path_polls = False
        self.updating: tuple[State, ...] = ()
        self.plain = False
        self.journeys: dict[State, Journey | None] = {}
        self.lines = StateLines(self.name)
        if parent is not None:
            parent.children.append(self)

    def __deepcopy__(self, memo: dict[int, object]) -> State:
        return self

    def use_hooks(self, hooks: StateHooks) -> None:
        """Keep only what the class overrides, so that a plain state costs nothing."""
        kind = type(hooks)
        self.hooks = hooks
        self.on_enter = hooks.on_enter if kind.on_enter is not StateHooks.on_enter else None
        self.on_exit = hooks.on_exit if kind.on_exit is not StateHooks.on_exit else None
        self.update = hooks.update if kind.update is not StateHooks.update else None
        if kind.on_enter_undone is not StateHooks.on_enter_undone:
            self.on_undone = hooks.on_enter_undone

    def seal(self) -> None:
        """Work out what follows from links and rules of the whole chain."""
        leaf = self
        while leaf.initial is not None:
            leaf = leaf.initial
        self.leaf = leaf
        for state in self.chain:
            for rule in state.rules:
                self.path_mask |= rule.condition.mask
                self.path_polls = self.path_polls or rule.condition.polls
        self.plain = not self.actions and self.tree is None and not self.services
        self.updating = tuple(
            state for state in self.chain if state.update is not None or state.services
        )

    def contains(self, other: State) -> bool:
        """Is this state on the path to the other (itself included)."""
        return other.depth >= self.depth and other.chain[self.depth] is self


class Journey:
    """The way from one state to another when nothing on it takes time.

    - ``exits`` leaf to root: depth, parent, hook and state of each; ``enters`` root to leaf:
      depth, hook and state. Both without their common ancestors.
    - ``lines`` are all its trace lines, two for each state.
    """

    __slots__ = ("enters", "exits", "length", "lines")

    def __init__(self, exits: tuple[State, ...], enters: tuple[State, ...]) -> None:
        self.exits = tuple((one.depth, one.parent, one.on_exit, one) for one in exits)
        self.enters = tuple((one.depth, one.on_enter, one) for one in enters)
        self.length = len(exits) + len(enters)
        self.lines: list[str] = []
        for state in exits:
            self.lines += (state.lines.exit_begin, state.lines.exit_done)
        for state in enters:
            self.lines += (state.lines.enter_begin, state.lines.enter_ok)


@dataclass(frozen=True, slots=True)
class MachineDefinition:
    """A whole machine; ``states`` by path, root as ``"root"``, in file order."""

    name: str
    kind: MachineKind
    root: State
    states: Mapping[str, State]
    terminal: State
    rules: Sequence[Rule]

    def __deepcopy__(self, memo: dict[int, object]) -> MachineDefinition:
        return self


def common_prefix(first: State, second: State) -> State:
    """Lowest common ancestor of two states of one machine."""
    depth = min(first.depth, second.depth)
    while first.chain[depth] is not second.chain[depth]:
        depth -= 1
    return first.chain[depth]


def journey(start: State, goal: State) -> Journey | None:
    """The way between two states; None if something on it takes time. Kept at ``start``."""
    if goal not in start.journeys:
        shared = common_prefix(start, goal).depth
        exits = start.chain[:shared:-1]
        enters = goal.chain[shared + 1 :]
        plain = all(state.plain for state in (*exits, *enters))
        start.journeys[goal] = Journey(exits, enters) if plain else None
    return start.journeys[goal]
