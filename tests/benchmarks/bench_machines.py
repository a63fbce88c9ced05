"""Cost of trees and machines beside others (HSM/BT): ``python -m tests.benchmarks.bench_machines``.

Prints tables beside a calibration (3 million integer additions in a loop, 0.20 s on the
reference machine); goals scale with it. 1,000 trees, or machines, of each library take
turns in interleaved rounds of processor time, the best round counts. Before a row is
printed, all sides must have ended the same number of actions, or entered and left as many states.

Needs ``pip install .[compare]``; a library that is not there is left out.
"""

from __future__ import annotations

import gc
import importlib.util
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ai.machines.authoring.registry import BehaviourRegistry
from ai.machines.behaviour_trees.definition import NodeDefinition, TreeDefinition
from ai.machines.behaviour_trees.leaves import WaitLeaf
from ai.machines.behaviour_trees.lifecycle import Result
from ai.machines.behaviour_trees.tree import BehaviorTree
from ai.machines.brain import Brain
from ai.machines.counters import Counters
from ai.machines.hsm.definition import StateHooks
from ai.machines.hsm.machine import StateMachine
from ai.machines.hsm.state_context import StateContext
from tests.ai.machines.doubles import KINDS, FakeHost, behaviour, tree_behaviour

CALIBRATION_GOAL_S = 0.20
COUNT = 1000
ROUNDS = 60
TICKS = 2

ended = {"bystander": 0, "py-trees": 0, "bteng": 0}
moved = {"bystander": 0, "pysm": 0, "transitions": 0}


def calibrate() -> float:
    """Seconds for 3 million integer additions."""
    start = time.process_time()
    total = 0
    for number in range(3_000_000):
        total += number
    assert total > 0
    return time.process_time() - start


def has(module: str) -> bool:
    """Is a library to compare with installed."""
    return importlib.util.find_spec(module) is not None


# Trees


class CountingWait(WaitLeaf):
    """Waits for ever and counts its ends."""

    __slots__ = ()

    def exit(self, result: Result) -> Result:
        ended["bystander"] += 1
        return WaitLeaf.exit(self, result)


def counting(node: NodeDefinition) -> NodeDefinition:
    """The same node with counting waits."""
    make = CountingWait if node.make is WaitLeaf else node.make
    return replace(node, make=make, children=tuple(counting(child) for child in node.children))


NODES = """
nodes.top = { type = "reactive_selector", children = ["escape", "meal", "wander"] }
nodes.escape = { type = "sequence", children = ["threatened", "flee"] }
nodes.threatened = { type = "condition", when = "threat" }
nodes.flee = { type = "wait", seconds = "forever" }
nodes.meal = { type = "sequence", children = ["hungry", "eat"] }
nodes.hungry = { type = "condition", when = "hunger" }
nodes.eat = { type = "wait", seconds = "forever" }
nodes.wander = { type = "wait", seconds = "forever" }
"""
KEYS = 'threat = { type = "bool" }\nhunger = { type = "bool" }'


class OurTrees:
    """1,000 trees on boards of their own."""

    def __init__(self, count: int = COUNT) -> None:
        made = tree_behaviour(NODES, KEYS)
        tree = made.trees["main"]
        self.definition: TreeDefinition = replace(tree, root=counting(tree.root))
        counters = Counters()
        self.brains = [
            Brain(number, made.layout, KINDS, counters, FakeHost()) for number in range(count)
        ]
        self.trees = [BehaviorTree(self.definition, brain.context) for brain in self.brains]
        for tree in self.trees:
            tree.start()
        self.step = 0

    def tick(self, threat: bool) -> None:
        """One step of each: take the threat in, publish, observe, tick if awake (BT-28)."""
        self.step = step = self.step + 1
        for tree in self.trees:
            tree.context.step = step
            board = tree.board
            board.stage(0, threat)
            board.freeze(step)
            tree.observe()
            if tree.needs_tick():
                tree.tick()

    def settled(self) -> None:
        """A step in which nothing that is observed has changed."""
        self.step = step = self.step + 1
        for tree in self.trees:
            tree.context.step = step
            tree.board.freeze(step)
            tree.observe()
            if tree.needs_tick():
                tree.tick()

    def brain_steps(self, threat: bool) -> None:
        """The same by the whole brain: inbox, ledger and host phases as well."""
        for brain in self.brains:
            brain.write("threat", threat)
            brain.step(brain.context.step + 1)


def py_trees_side() -> Callable[[bool], None]:
    """1,000 trees of py-trees."""
    import py_trees
    from py_trees.common import Status

    class Guard(py_trees.behaviour.Behaviour):  # type: ignore[misc]
        def __init__(self, name: str, facts: dict[str, bool]) -> None:
            super().__init__(name)
            self.facts = facts

        def update(self) -> Status:
            return Status.SUCCESS if self.facts[self.name] else Status.FAILURE

    class Act(py_trees.behaviour.Behaviour):  # type: ignore[misc]
        def update(self) -> Status:
            return Status.RUNNING

        def terminate(self, new_status: Status) -> None:
            if self.status is Status.RUNNING:
                ended["py-trees"] += 1

    sides = []
    for _ in range(COUNT):
        facts = {"threat": False, "hunger": False}
        root = py_trees.composites.Selector("top", memory=False)
        for guard, act in (("threat", "flee"), ("hunger", "eat")):
            sequence = py_trees.composites.Sequence(act, memory=False)
            sequence.add_children([Guard(guard, facts), Act(act)])
            root.add_child(sequence)
        root.add_child(Act("wander"))
        sides.append((facts, root))

    def tick(threat: bool) -> None:
        for facts, root in sides:
            facts["threat"] = threat
            root.tick_once()

    return tick


def bteng_side() -> Callable[[bool], None]:
    """1,000 trees of bteng."""
    from bteng import NodeStatus, StatefulActionNode
    from bteng.nodes.control.reactive_fallback import ReactiveFallbackNode
    from bteng.nodes.control.reactive_sequence import ReactiveSequenceNode
    from bteng.nodes.leaf.condition import FunctionCondition

    class Act(StatefulActionNode):  # type: ignore[misc]
        def on_start(self) -> NodeStatus:
            return NodeStatus.RUNNING

        def on_running(self) -> NodeStatus:
            return NodeStatus.RUNNING

        def on_halted(self) -> None:
            ended["bteng"] += 1

    def guarded(name: str, act: str, facts: dict[str, bool]) -> Any:
        guard = FunctionCondition(
            name, lambda _: NodeStatus.SUCCESS if facts[name] else NodeStatus.FAILURE
        )
        return ReactiveSequenceNode(act, children=[guard, Act(act)])

    sides = []
    for _ in range(COUNT):
        facts = {"threat": False, "hunger": False}
        children = [
            guarded("threat", "flee", facts),
            guarded("hunger", "eat", facts),
            Act("wander"),
        ]
        sides.append((facts, ReactiveFallbackNode("top", children=children)))

    def tick(threat: bool) -> None:
        for facts, root in sides:
            facts["threat"] = threat
            root.execute_tick()

    return tick


def best_us(rows: dict[str, Callable[[], None]], calls: int) -> dict[str, float]:
    """Microseconds per call of each row, the best of interleaved rounds."""
    best = dict.fromkeys(rows, float("inf"))
    gc.collect()
    gc.freeze()
    for _ in range(ROUNDS):
        for name, run in rows.items():
            start = time.process_time()
            run()
            best[name] = min(best[name], (time.process_time() - start) / calls * 1e6)
    return best


def run_trees(scale: float) -> None:
    """Steady, flipped, settled and build."""
    ours = OurTrees()
    sides: dict[str, Callable[[bool], None]] = {"bystander": ours.tick}
    if has("py_trees"):
        sides["py-trees"] = py_trees_side()
    if has("bteng"):
        sides["bteng"] = bteng_side()
    for tick in sides.values():
        tick(False)

    def steady(tick: Callable[[bool], None]) -> Callable[[], None]:
        return lambda: [tick(False) for _ in range(TICKS)] and None

    def flipped(tick: Callable[[bool], None]) -> Callable[[], None]:
        return lambda: [tick(number % 2 == 0) for number in range(TICKS)] and None

    calls = COUNT * TICKS
    quiet = best_us({name: steady(tick) for name, tick in sides.items()}, calls)
    before = dict(ended)
    busy = best_us({name: flipped(tick) for name, tick in sides.items()}, calls)
    counts = {ended[name] - before[name] for name in sides}
    assert counts == {COUNT * TICKS * ROUNDS}, f"sides ended {ended}"
    alone = {
        "settled": lambda: [ours.settled() for _ in range(TICKS)] and None,
        "whole brain, flipped": lambda: (
            [ours.brain_steps(number % 2 == 0) for number in range(TICKS)] and None
        ),
    }
    own = best_us(alone, calls)
    contexts = [brain.context for brain in ours.brains]
    build = best_us(
        {
            "build": lambda: (
                [BehaviorTree(ours.definition, context) for context in contexts] and None
            )
        },
        COUNT,
    )
    print(f"{'tree, us a tick':28}{'steady':>10}{'flipped':>10}{'ratio':>8}{'ratio':>8}")
    for name in sides:
        ratios = (quiet[name] / quiet["bystander"], busy[name] / busy["bystander"])
        print(f"{name:28}{quiet[name]:10.2f}{busy[name]:10.2f}{ratios[0]:8.1f}{ratios[1]:8.1f}")
    print(f"goal {3 * scale:.2f}, 15x py-trees, 3x bteng")
    print(f"settled {own['settled']:.2f} (goal {1 * scale:.2f})")
    print(f"inbox and host phases as well, flipped {own['whole brain, flipped']:.2f}")
    print(f"build {build['build']:.2f} (goal {40 * scale:.2f})")


# Machines

EVENTS = ("b/d", "a/x", "a/y", "b/c", "b/d", "a/x")
"""A cycle of six targets; the first of the next cycle follows the last."""


class Counting(StateHooks):
    """Counts entries and exits."""

    def on_enter(self, ctx: StateContext) -> None:
        moved["bystander"] += 1

    def on_exit(self, ctx: StateContext) -> None:
        moved["bystander"] += 1


MACHINE = """
format = 1
name = "cycle"
kind = "standalone"
terminal = "a/x"
[blackboard]
asked = { type = "int" }
[states.root]
initial = "a"
transitions = [
  { priority = 4, when = "asked == 1", to = "a/y" },
  { priority = 3, when = "asked == 2", to = "b" },
  { priority = 2, when = "asked == 3", to = "b/d" },
]
[states.a]
initial = "x"
hooks = "count"
[states."a/x"]
hooks = "count"
[states."a/y"]
hooks = "count"
[states.b]
initial = "c"
hooks = "count"
[states."b/c"]
hooks = "count"
[states."b/d"]
hooks = "count"
"""


class OurMachines:
    """1,000 machines."""

    def __init__(self) -> None:
        registry = BehaviourRegistry(KINDS, state_hooks={"count": Counting()})
        made = behaviour(MACHINE, registry)
        assert made.machine is not None
        self.definition = made.machine
        counters = Counters()
        self.contexts = [
            Brain(number, made.layout, KINDS, counters, FakeHost()).context
            for number in range(COUNT)
        ]
        self.machines = [StateMachine(self.definition, context) for context in self.contexts]
        for machine in self.machines:
            machine.advance()

    def cycle(self) -> None:
        """Six events."""
        for path in EVENTS:
            for machine in self.machines:
                machine.context.step += 1
                machine.request(path)
                machine.advance()

    def build(self) -> None:
        """Construct 1,000 machines."""
        for context in self.contexts:
            StateMachine(self.definition, context)


def pysm_side() -> Callable[[], None]:
    """1,000 machines of pysm with the same states and moves."""
    import pysm

    def count(state: Any, event: Any) -> None:
        moved["pysm"] += 1

    def plain(name: str) -> Any:
        state = pysm.State(name)
        state.handlers = {"enter": count, "exit": count}
        return state

    machines = []
    for _ in range(COUNT):
        top = pysm.StateMachine("root")
        groups = {}
        leaves = {}
        for group, names in (("a", "xy"), ("b", "cd")):
            inner = pysm.StateMachine(group)
            inner.handlers = {"enter": count, "exit": count}
            for name in names:
                leaves[f"{group}/{name}"] = plain(name)
                inner.add_state(leaves[f"{group}/{name}"], initial=name in "xc")
            top.add_state(inner, initial=group == "a")
            groups[group] = inner
        for path, leaf in leaves.items():
            for group in groups.values():
                top.add_transition(group, leaf, events=[path])
        top.initialize()
        machines.append(top)
    events = [pysm.Event(path) for path in EVENTS]

    def cycle() -> None:
        for event in events:
            for machine in machines:
                machine.dispatch(pysm.Event(event.name))

    return cycle


def transitions_side() -> Callable[[], None]:
    """1,000 models of transitions' hierarchical machine."""
    from transitions.extensions import HierarchicalMachine

    class Model:
        def count(self) -> None:
            moved["transitions"] += 1

    def state(name: str) -> dict[str, Any]:
        return {"name": name, "on_enter": "count", "on_exit": "count"}

    models = [Model() for _ in range(COUNT)]
    HierarchicalMachine(
        model=models,
        states=[
            {**state("a"), "initial": "x", "children": [state("x"), state("y")]},
            {**state("b"), "initial": "c", "children": [state("c"), state("d")]},
        ],
        transitions=[
            {"trigger": path.replace("/", "_to_"), "source": source, "dest": path.replace("/", "_")}
            for path in sorted(set(EVENTS))
            for source in ("a", "b")
        ],
        initial="a",
        auto_transitions=False,
    )

    def cycle() -> None:
        for path in EVENTS:
            trigger = path.replace("/", "_to_")
            for model in models:
                model.trigger(trigger)  # type: ignore[attr-defined]

    return cycle


def run_machines(scale: float) -> None:
    """Six events in a cycle, and construction."""
    ours = OurMachines()
    sides: dict[str, Callable[[], None]] = {"bystander": ours.cycle}
    if has("pysm"):
        sides["pysm"] = pysm_side()
    if has("transitions"):
        sides["transitions"] = transitions_side()
    for cycle in sides.values():
        cycle()
    before = dict(moved)
    best = best_us(sides, COUNT * len(EVENTS))
    work = {name: moved[name] - before[name] for name in sides}
    assert len(set(work.values())) == 1, f"sides entered and left {work}"
    build = best_us({"build": ours.build}, COUNT)
    print(f"\n{'machine, us an event':28}{'event':>10}{'ratio':>8}")
    for name in sides:
        print(f"{name:28}{best[name]:10.2f}{best[name] / best['bystander']:8.1f}")
    print(f"goal {1.5 * scale:.2f}, 8x pysm, 50x transitions")
    print(f"construction {build['build']:.2f} (goal {5 * scale:.2f})")


def main() -> None:
    """Print both tables."""
    seconds = min(calibrate() for _ in range(5))
    scale = seconds / CALIBRATION_GOAL_S
    print(f"calibration {seconds:.3f} s, goals x {scale:.2f}\n")
    run_trees(scale)
    run_machines(scale)


if __name__ == "__main__":
    main()
