"""A brain as text and as a graph: for the inspector, for fault reports, for golden files (HSM-33).

Plain ASCII in a fixed order, without addresses, so that two dumps can be compared. Dumping
reads and never changes anything.
"""

from __future__ import annotations

from collections.abc import Iterator

from ai.machines.behaviour_trees.action_leaf import ActionLeaf
from ai.machines.behaviour_trees.definition import AbortScope
from ai.machines.behaviour_trees.leaves import InstantLeaf, WaitLeaf
from ai.machines.behaviour_trees.lifecycle import (
    CANCELLING,
    FINISHED,
    FINISHED_MARKS,
    IDLE,
    MARKS,
)
from ai.machines.behaviour_trees.node import Node, OneChildAtATime
from ai.machines.behaviour_trees.timers import Cooldown
from ai.machines.behaviour_trees.tree import BehaviorTree
from ai.machines.brain import Brain
from ai.machines.hsm.definition import State
from ai.machines.hsm.machine import StateMachine
from ai.machines.hsm.record import Work
from ai.machines.ledger.command import Command, CommandState
from ai.machines.ledger.resources import RESOURCES
from ai.machines.rule_script import RuleScript
from ai.machines.steps import NEVER
from ai.machines.tree_mind import TreeMind

STATE_COLUMN = 20
_AT_WORK = {Work.EXITING: "exiting", Work.ENTERING: "entering", Work.UNDOING: "undoing"}
_GREEN, _ORANGE, _RED = "palegreen", "orange", "tomato"
_NO_TYPE = (ActionLeaf, InstantLeaf)
"""Leaves that their names say enough of."""


def dump(brain: Brain) -> str:
    """The brain of a ped, one line a state, node and resource table; ends with a newline."""
    return "\n".join((*_mind(brain), *_ledger(brain))) + "\n"


def _mind(brain: Brain) -> Iterator[str]:
    mind, context = brain.mind, brain.context
    head = f"ped {context.ped_id} {'-' if mind is None else mind.mind} step {context.step}"
    if isinstance(mind, StateMachine):
        record = mind.record
        error = " error" if record.error else ""
        yield f"{head} gen {record.generation} origin {record.origin}{error}"
        yield from _states(mind)
        if mind.trees.bound is not None:
            where = "" if record.active is None else f" ({record.active.name})"
            yield from _tree(mind.trees.bound, where)
    elif isinstance(mind, TreeMind):
        yield head
        yield from _tree(mind.tree, "")
    elif isinstance(mind, RuleScript):
        yield head
        yield f"rule {'-' if mind.running is None else mind.running.name}"
    else:
        yield head


# -- states ---------------------------------------------------------------------------------


def _states(machine: StateMachine) -> Iterator[str]:
    yield from _state(machine, machine.definition.root, "", "")


def _state(machine: StateMachine, state: State, lead: str, below: str) -> Iterator[str]:
    yield f"{lead + state.name:<{STATE_COLUMN}}{_state_words(machine, state)}"
    children = state.children
    for place, child in enumerate(children):
        last = place == len(children) - 1
        yield from _state(
            machine, child, below + ("`- " if last else "|- "), below + ("   " if last else "|  ")
        )


def _state_words(machine: StateMachine, state: State) -> str:
    record = machine.record
    words = []
    if record.subject is state and record.work in _AT_WORK:
        words.append(f"{_AT_WORK[record.work]} e{record.subject_entry}")
        waits = [f"c{command.id}" for command in _commands_of(machine, state)]
        if waits:
            words.append(f"waits {' '.join(waits)}")
    elif record.active is not None and state in record.active.chain:
        words.append(f"active e{record.entries[state.depth]}")
    if record.target is state and record.active is not state:
        words.append("target")
    return " ".join(words) or "-"


def _commands_of(machine: StateMachine, state: State) -> list[Command]:
    """Live commands of a state, or of the leaves of its tree."""
    parts = {state.path}
    if state.tree is not None:
        parts |= {node.name for node in state.tree.root.walk()}
    return [
        command for command in machine.context.ledger.live() if command.owner.owner_id.part in parts
    ]


# -- trees ----------------------------------------------------------------------------------


def _tree(tree: BehaviorTree, where: str) -> Iterator[str]:
    yield f"tree {tree.definition.name}{where}"
    yield from _node(tree, tree.root, 0)


def _node(tree: BehaviorTree, node: Node, depth: int) -> Iterator[str]:
    yield f"{'  ' * depth}{mark(node)} {' '.join(_node_words(tree, node))}"
    for child in node.children_of():
        yield from _node(tree, child, depth + 1)


def mark(node: Node) -> str:
    """Its three characters."""
    if node.lifecycle is FINISHED:
        return next(one for result, one in FINISHED_MARKS.items() if result is node.result)
    return next(one for lifecycle, one in MARKS.items() if lifecycle is node.lifecycle)


def _node_words(tree: BehaviorTree, node: Node) -> Iterator[str]:
    yield node.name
    if not isinstance(node, _NO_TYPE) and node.definition.type != node.name:
        yield node.definition.type
    is_active = node.lifecycle not in (IDLE, FINISHED)
    if isinstance(node, OneChildAtATime) and is_active:
        yield f"{node.index + 1}/{len(node.children)}"
    elif isinstance(node, Cooldown):
        left = node.ready_step - tree.context.step
        yield "ready" if left <= 0 else f"{left} steps"
    elif isinstance(node, WaitLeaf) and is_active:
        left = node.due_in()
        yield "for ever" if left >= NEVER - tree.context.step else f"{left} steps"
    scope = getattr(node.definition.settings, "scope", None)
    if isinstance(scope, AbortScope):
        yield scope.value
    command = _command_of(tree, node)
    if command is not None:
        instance = f"/i{command.instance}" if command.instance else ""
        yield f"c{command.id}{instance}"
        yield from (one.word for one in RESOURCES if command.held >> one & 1)
    if node.lifecycle is CANCELLING:
        yield f"pending={node.pending.name}"
    if command is not None:
        yield f"{tree.context.step - command.submit_step} steps"


def _command_of(tree: BehaviorTree, node: Node) -> Command | None:
    if not isinstance(node, ActionLeaf) or node.lifecycle in (IDLE, FINISHED):
        return None
    return next((one for one in tree.context.ledger.live() if one.id == node.command_id), None)


# -- the ledger -----------------------------------------------------------------------------


def _ledger(brain: Brain) -> Iterator[str]:
    ledger = brain.ledger
    held = []
    for resource in RESOURCES:
        holder = ledger.resources.holders[resource]
        outside = ledger.resources.external[resource]
        if holder is not None:
            stops = "(stopping)" if holder.state is CommandState.STOPPING else ""
            held.append(f"{resource.word}=c{holder.id}/i{holder.instance}{stops}")
        else:
            held.append(f"{resource.word}={f'outside({len(outside)})' if outside else '-'}")
    yield f"resources {' '.join(held)}"
    waiting = " ".join(f"c{command.id}" for command in ledger.waiting()) or "-"
    yield f"waiting {waiting} | stale {ledger.stale} | late_refused {ledger.late_refused}"


# -- the graph ------------------------------------------------------------------------------


def dot(brain: Brain) -> str:
    """The same as a Graphviz graph.

    Active is green, exiting or cancelling orange, the target outlined, an error red.
    """
    lines = ["digraph brain {", "  node [shape=box, style=filled, fillcolor=white];"]
    mind = brain.mind
    if isinstance(mind, StateMachine):
        lines += _dot_states(mind, mind.definition.root)
        if mind.trees.bound is not None:
            lines += _dot_nodes(mind.trees.bound.root)
            if mind.record.active is not None:
                ends = (_quoted(mind.record.active.path), _quoted_node(mind.trees.bound.root))
                lines.append(f"  {ends[0]} -> {ends[1]} [style=dashed];")
    elif isinstance(mind, TreeMind):
        lines += _dot_nodes(mind.tree.root)
    return "\n".join((*lines, "}")) + "\n"


def _dot_states(machine: StateMachine, state: State) -> Iterator[str]:
    record = machine.record
    marks = [f'label="{state.name}"']
    if record.subject is state and record.work in _AT_WORK:
        marks.append(f"fillcolor={_ORANGE}")
    elif record.active is not None and state in record.active.chain:
        marks.append(f"fillcolor={_RED if record.error else _GREEN}")
    if record.target is state:
        marks.append("penwidth=3")
    yield f"  {_quoted(state.path)} [{', '.join(marks)}];"
    for child in state.children:
        yield f"  {_quoted(state.path)} -> {_quoted(child.path)};"
        yield from _dot_states(machine, child)


def _dot_nodes(node: Node) -> Iterator[str]:
    colour = {"[R]": _GREEN, "[C]": _ORANGE, "[F]": _RED}.get(mark(node))
    marks = [f'label="{mark(node)} {node.name}"'] + ([f"fillcolor={colour}"] if colour else [])
    yield f"  {_quoted_node(node)} [{', '.join(marks)}];"
    for child in node.children_of():
        yield f"  {_quoted_node(node)} -> {_quoted_node(child)};"
        yield from _dot_nodes(child)


def _quoted(name: str) -> str:
    return f'"{name}"'


def _quoted_node(node: Node) -> str:
    return _quoted(f"{node.definition.index} {node.name}")
