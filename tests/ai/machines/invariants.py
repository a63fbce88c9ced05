"""Invariants of a run, read from the trace and the ledger (HSM-34)."""

from __future__ import annotations

from collections.abc import Sequence

from ai.machines.behaviour_trees.lifecycle import ACTIVE, CANCELLING, FINISHED, IDLE
from ai.machines.behaviour_trees.node import Node, OneChildAtATime
from ai.machines.behaviour_trees.tree import BehaviorTree
from ai.machines.ledger.ledger import Ledger
from tests.ai.machines.doubles import One


def check_nodes(tree: BehaviorTree) -> None:
    """5: a node Idle or Finished has no active child; one active child outside a parallel."""
    for node in tree.nodes:
        active = [child for child in node.children_of() if child.lifecycle in (ACTIVE, CANCELLING)]
        if node.lifecycle in (IDLE, FINISHED):
            assert active == [], f"'{node.name}' is {node.lifecycle.name} over {active[0].name}"
        if isinstance(node, OneChildAtATime):
            assert len(active) <= 1
        if node.lifecycle is CANCELLING:
            assert all(child.lifecycle is not ACTIVE for child in node.children_of()), (
                f"'{node.name}' is stopping and a child is not"
            )


def check_ledger(ledger: Ledger) -> None:
    """1: no conflicting resources, no resource without a live command."""
    ledger.resources.check()
    live = {command.id for command in ledger.live()}
    for holder in ledger.resources.holders:
        assert holder is None or holder.id in live


def check_state_words(words: Sequence[str]) -> None:
    """2: enter.ok then one exit, or one undo; never both, never an exit of a failed Enter."""
    phase: dict[str, str] = {}
    allowed = {
        "enter.begin": ("",),
        "enter.ok": ("enter.begin",),
        "enter.fail": ("enter.begin",),
        "undo.begin": ("enter.fail",),
        "undo.done": ("undo.begin",),
        "exit.begin": ("enter.ok",),
        "exit.done": ("exit.begin",),
    }
    for line in words:
        verb, _, name = line.partition(" ")
        if verb in allowed:
            before = phase.get(name, "")
            assert before in allowed[verb], f"{line} after '{before}'"
            phase[name] = "" if verb in ("exit.done", "undo.done") else verb


def check_node_words(words: Sequence[str], tree: BehaviorTree) -> None:
    """2 and 8 for nodes: one exit or undo per enter; a selector goes on after a Failure alone."""
    open_nodes: set[str] = set()
    last: dict[str, str] = {}
    parents: dict[str, Node | None] = {node.name: node.parent for node in tree.nodes}
    switched: set[str] = set()
    for line in words:
        parts = line.split()
        verb, name = parts[0], parts[1] if len(parts) > 1 else ""
        if name not in parents:
            continue
        if verb == "reeval":
            switched.add(name)
        if verb in ("enter", "finish"):
            parent = parents[name]
            assert name not in open_nodes, f"{line}: entered twice"
            if parent is not None and isinstance(parent, OneChildAtATime):
                before = last.get(parent.name, "")
                if "selector" in parent.definition.type and before:
                    assert before == "failure" or parent.name in switched, (
                        f"{line}: '{parent.name}' went on after {before}"
                    )
                switched.discard(parent.name)
            if verb == "enter":
                open_nodes.add(name)
                last[name] = ""
                continue
        if verb in ("exit", "undo"):
            assert name in open_nodes, f"{line}: not entered"
            open_nodes.remove(name)
            last[name] = ""
        if verb in ("exit", "undo", "finish"):
            parent = parents[name]
            if parent is not None:
                last[parent.name] = parts[2]


def check_terminals(one: One, words: Sequence[str]) -> None:
    """3: one terminal a command; one cancelled before admission never has an instance."""
    submitted = [line for line in words if line.startswith("submit ")]
    ended = 0
    for line in words:
        if line.startswith(("[completed", "[revoked", "[stopped", "force")) or (
            line.startswith("[rejected") and line.endswith("held none]")
        ):
            ended += 1
    assert ended == len(submitted), f"{len(submitted)} commands, {ended} terminals"
