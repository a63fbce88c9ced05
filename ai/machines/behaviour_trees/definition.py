"""Immutable trees, parsed once and shared by every ped (BT-01)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from ai.machines.behaviour_trees.lifecycle import WORDS
from ai.machines.blackboard.conditions import Condition

if TYPE_CHECKING:
    from ai.machines.behaviour_trees.node import Node
    from ai.machines.behaviour_trees.tree import BehaviorTree

MAX_NODES = 256
MAX_DEPTH = 32

NodeFactory: TypeAlias = "Callable[[NodeDefinition, BehaviorTree, Node | None], Node]"


class AbortScope(StrEnum):
    """Which branch an observer may stop (BB-08)."""

    NONE = "none"
    SELF = "self"
    LOWER_PRIORITY = "lower_priority"
    BOTH = "both"


class Notify(StrEnum):
    """When an observer asks for re-evaluation: on a new truth, or on any change (BB-07)."""

    RESULT = "result"
    VALUE = "value"


class Watch(StrEnum):
    """What an observer is for: an authored observer, a reactive probe or a sequence's guard."""

    OBSERVER = "observer"
    PROBE = "probe"
    GUARD = "guard"


@dataclass(frozen=True, slots=True)
class ObserverDefinition:
    """A condition listened to on behalf of an abort root.

    - ``root`` is the pre-order index of the abort root, -1 for the tree as a whole.
    - ``child`` is the index of the branch below the root.
    - ``node`` is the pre-order index of the node that carries the condition.
    - ``cooldowns`` are pre-order indices of cooldowns that must be ready as well (BT-23).
    """

    root: int
    child: int
    node: int
    condition: Condition
    scope: AbortScope
    watch: Watch
    notify: Notify = Notify.RESULT
    cooldowns: tuple[int, ...] = ()


class NodeLines:
    """Trace lines of a node, made once; those with a result are listed by result number."""

    __slots__ = ("abort", "enter", "exit", "finish", "reeval", "undo")

    def __init__(self, name: str) -> None:
        self.enter = f"enter {name}"
        self.abort = f"abort {name}"
        self.reeval = f"reeval {name}"
        self.exit = tuple(f"exit {name} {word}" for word in WORDS)
        self.finish = tuple(f"finish {name} {word}" for word in WORDS)
        self.undo = tuple(f"undo {name} {word}" for word in WORDS)


@dataclass(frozen=True, slots=True)
class NodeDefinition:
    """One node of a tree, subtrees expanded.

    - ``index`` is its place in pre-order.
    - ``instant``: holds no resource and finishes in the tick it starts (BT-15).
    - ``truth``: for an instant node its result as a condition.
    - ``settings``: what its type reads; the type is ``make``'s.
    """

    name: str
    type: str
    index: int
    make: NodeFactory = field(compare=False)
    children: tuple[NodeDefinition, ...] = ()
    settings: Any = None
    instant: bool = False
    truth: Condition | None = None
    lines: NodeLines = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", NodeLines(self.name))

    def __deepcopy__(self, memo: dict[int, object]) -> NodeDefinition:
        return self

    def walk(self) -> Iterator[NodeDefinition]:
        """This node and all below it, in pre-order."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, slots=True)
class TreeDefinition:
    """A whole tree.

    - ``observers_by_slot`` lists for each key the observers that read it, by number.
    - ``mask`` has the bit of every key that an observer or a utility selector reads.
    """

    name: str
    root: NodeDefinition
    observers: tuple[ObserverDefinition, ...] = ()
    observers_by_slot: tuple[tuple[int, ...], ...] = ()
    mask: int = 0
    polling: tuple[int, ...] = ()
    size: int = 0

    def __deepcopy__(self, memo: dict[int, object]) -> TreeDefinition:
        return self
