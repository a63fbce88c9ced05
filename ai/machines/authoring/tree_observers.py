"""Which conditions of a tree are listened to, and for whom; parallel clashes (BB-08, BT-18)."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping

from ai.machines.authoring.fault_report import FaultReport
from ai.machines.behaviour_trees.definition import (
    AbortScope,
    NodeDefinition,
    Notify,
    ObserverDefinition,
    Watch,
)
from ai.machines.blackboard.conditions import Condition, all_of
from ai.machines.ledger.kinds import ActionKind
from ai.machines.ledger.resources import conflict_bits

_log = logging.getLogger(__name__)

_SELECTORS = ("selector", "reactive_selector")
_COMPOSITES = (
    "sequence", "reactive_sequence", *_SELECTORS, "utility_selector", "parallel",
)  # fmt: skip


def observers_of(
    name: str, root: NodeDefinition, report: FaultReport
) -> tuple[ObserverDefinition, ...]:
    """All observers of a tree, by abort root, then node, in pre-order."""
    found: list[ObserverDefinition] = []
    _collect(name, root, None, None, -1, report, found)
    found.sort(key=lambda observer: (observer.root, observer.node))
    for observer in found:
        if observer.condition.polls:
            _log.warning(
                "%s: tree '%s': condition %r is evaluated every step; compare times with >= "
                "to a constant to avoid it",
                report.file, name, observer.condition.text,
            )  # fmt: skip
    return tuple(found)


def _collect(
    name: str,
    node: NodeDefinition,
    parent: NodeDefinition | None,
    root: NodeDefinition | None,
    branch: int,
    report: FaultReport,
    found: list[ObserverDefinition],
) -> None:
    """``root`` is the nearest composite above, ``branch`` the index of its child on the way."""
    if node.type == "observer":
        _observer(name, node, parent, root, branch, report, found)
    if node.type == "reactive_selector":
        for number, child in enumerate(node.children):
            probe = _probe(node, number, child)
            if probe is not None:
                found.append(probe)
    if node.type == "reactive_sequence":
        for number, child in enumerate(node.children):
            truth = child.truth
            if truth is not None and (truth.mask or truth.time_terms or truth.polls):
                found.append(
                    ObserverDefinition(
                        node.index, number, child.index, truth, AbortScope.SELF, Watch.GUARD
                    )
                )
    composite = node.type in _COMPOSITES
    for number, child in enumerate(node.children):
        if composite:
            _collect(name, child, node, node, number, report, found)
        else:
            _collect(name, child, node, root, branch, report, found)


def _observer(
    name: str,
    node: NodeDefinition,
    parent: NodeDefinition | None,
    root: NodeDefinition | None,
    branch: int,
    report: FaultReport,
    found: list[ObserverDefinition],
) -> None:
    scope: AbortScope = node.settings.scope
    if scope in (AbortScope.LOWER_PRIORITY, AbortScope.BOTH) and (
        parent is None or parent.type not in _SELECTORS
    ):
        report.add(
            ("trees", name, "nodes", node.name, "abort"),
            f"'{scope.value}' needs a selector as parent; use 'none' or 'self'",
        )
        return
    probed = parent is not None and parent.type == "reactive_selector"
    if scope is not AbortScope.NONE and not probed:
        found.append(
            ObserverDefinition(
                root.index if root is not None else -1,
                branch,
                node.index,
                node.settings.condition,
                scope,
                Watch.OBSERVER,
                node.settings.notify,
            )
        )


def _probe(
    selector: NodeDefinition, number: int, child: NodeDefinition
) -> ObserverDefinition | None:
    conditions: list[Condition] = []
    cooldowns: list[int] = []
    _head(child, conditions, cooldowns)
    if not conditions and not cooldowns:
        return None
    return ObserverDefinition(
        selector.index,
        number,
        child.index,
        all_of(conditions),
        AbortScope.BOTH,
        Watch.PROBE,
        child.settings.notify if child.type == "observer" else Notify.RESULT,
        tuple(cooldowns),
    )


def _head(node: NodeDefinition, conditions: list[Condition], cooldowns: list[int]) -> None:
    """What a branch asks before it does anything, evaluable without side effects (BT-16)."""
    if node.truth is not None:
        conditions.append(node.truth)
    elif node.type in ("gate", "observer"):
        conditions.append(node.settings.condition)
        _head(node.children[0], conditions, cooldowns)
    elif node.type == "cooldown":
        cooldowns.append(node.index)
        _head(node.children[0], conditions, cooldowns)
    elif node.type == "timeout":
        _head(node.children[0], conditions, cooldowns)
    elif node.type in ("sequence", "reactive_sequence"):
        for child in node.children:
            if child.truth is None:
                if not conditions and not cooldowns:
                    _head(child, conditions, cooldowns)
                return
            conditions.append(child.truth)


def resource_clashes(
    root: NodeDefinition, kinds: Mapping[str, ActionKind]
) -> Iterator[tuple[str, str]]:
    """Pairs of leaves in different branches of one parallel that exclude each other."""
    for node in root.walk():
        if node.type != "parallel":
            continue
        branches = [
            [leaf for leaf in branch.walk() if leaf.type == "action"] for branch in node.children
        ]
        for number, branch in enumerate(branches):
            for other in branches[number + 1 :]:
                yield from _clashes(branch, other, kinds)


def _clashes(
    first: list[NodeDefinition], second: list[NodeDefinition], kinds: Mapping[str, ActionKind]
) -> Iterator[tuple[str, str]]:
    for leaf in first:
        for other in second:
            one = kinds.get(leaf.settings.action.kind)
            two = kinds.get(other.settings.action.kind)
            if one and two and conflict_bits(one.resources) & two.resources:
                yield leaf.name, other.name
