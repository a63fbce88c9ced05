"""The task kernel beside other state machines: ``python -m tests.benchmarks.bench_state_machines``.

The same two-level machine in each: a parent that is updated, over a child that
goes back and forth between two states with enter, update and exit. One step is

- the parent's update, the child's update,
- the child's exit of its state and enter of the other,
- the child's update in its new state.

All calls are counted, and a library whose counts differ from ours ends the run.
Rows are timed in interleaved rounds of processor time; the best round counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from enum import IntEnum

import pysm
from statemachine import State, StateChart
from transitions.extensions import HierarchicalMachine

from ai.tasks.task import Task
from ai.tasks.task_pool import TaskPool
from tests.ai.tasks.doubles import STEP, fresh_type, tree_of

ROUNDS = 20
STEPS = 500
FASTER_THAN_FASTEST = 5.0
FASTER_THAN_TRANSITIONS = 40.0


class Counts:
    """Calls of one side."""

    __slots__ = ("enters", "exits", "parent_updates", "updates")

    def __init__(self) -> None:
        self.parent_updates = 0
        self.updates = 0
        self.enters = 0
        self.exits = 0

    def all(self) -> tuple[int, int, int, int]:
        return self.parent_updates, self.updates, self.enters, self.exits


# -- ours --------------------------------------------------------------------------------


class Parent(Task):
    task_type = fresh_type("bench_parent")
    __slots__ = ("counts",)

    class State(IntEnum):
        RUN = 0

    def __init__(self, counts: Counts) -> None:
        super().__init__()
        self.counts = counts

    def on_enter_run(self) -> None:
        self.set_new_task(Child(self.counts))

    def on_update_run(self, dt: float) -> None:
        self.counts.parent_updates += 1


class Child(Task):
    task_type = fresh_type("bench_child")
    __slots__ = ("counts", "moved")

    class State(IntEnum):
        A = 0
        B = 1

    def __init__(self, counts: Counts) -> None:
        super().__init__()
        self.counts = counts
        self.moved = True

    def on_enter_a(self) -> None:
        self.counts.enters += 1

    def on_update_a(self, dt: float) -> None:
        self.counts.updates += 1
        self.moved = not self.moved
        if self.moved:
            self.set_state(1)

    def on_exit_a(self) -> None:
        self.counts.exits += 1

    def on_enter_b(self) -> None:
        self.counts.enters += 1

    def on_update_b(self, dt: float) -> None:
        self.counts.updates += 1
        self.moved = not self.moved
        if self.moved:
            self.set_state(0)

    def on_exit_b(self) -> None:
        self.counts.exits += 1


def ours(counts: Counts) -> Callable[[], object]:
    tree = tree_of(1)
    tree.set_task(Parent(counts), 0)
    tree.process(STEP)
    return lambda: tree.process(STEP)


# -- transitions -------------------------------------------------------------------------


class TransitionsModel:
    def __init__(self, counts: Counts) -> None:
        self.counts = counts

    def parent_update(self) -> None:
        self.counts.parent_updates += 1

    def update_leaf(self) -> None:
        self.counts.updates += 1

    def enter(self) -> None:
        self.counts.enters += 1

    def leave(self) -> None:
        self.counts.exits += 1


def with_transitions(counts: Counts) -> Callable[[], object]:
    model = TransitionsModel(counts)
    children = [{"name": name, "on_enter": "enter", "on_exit": "leave"} for name in "AB"]
    HierarchicalMachine(
        model=model,
        states=[{"name": "P", "children": children, "initial": "A"}],
        transitions=[
            ["toggle", "P_A", "P_B"],
            ["toggle", "P_B", "P_A"],
            {"trigger": "tick", "source": ["P_A", "P_B"], "dest": None,
             "after": ["parent_update", "update_leaf"]},
            {"trigger": "look", "source": ["P_A", "P_B"], "dest": None, "after": "update_leaf"},
        ],
        initial="P",
        auto_transitions=False,
    )  # fmt: skip

    def step() -> None:
        model.tick()  # type: ignore[attr-defined]
        model.toggle()  # type: ignore[attr-defined]
        model.look()  # type: ignore[attr-defined]

    return step


# -- python-statemachine -------------------------------------------------------------------


class Chart(StateChart):
    enable_self_transition_entries = False

    class p(State.Compound):  # noqa: N801 - the library's way of naming a state
        a = State(initial=True)
        b = State()
        toggle = a.to(b) | b.to(a)
        look = a.to.itself(internal=True, on="update_leaf") | b.to.itself(
            internal=True, on="update_leaf"
        )
        tick = a.to.itself(internal=True, on="update_both") | b.to.itself(
            internal=True, on="update_both"
        )

    def __init__(self, counts: Counts) -> None:
        self.counts = counts
        super().__init__()

    def update_both(self) -> None:
        self.counts.parent_updates += 1
        self.counts.updates += 1

    def update_leaf(self) -> None:
        self.counts.updates += 1

    def on_enter_a(self) -> None:
        self.counts.enters += 1

    def on_enter_b(self) -> None:
        self.counts.enters += 1

    def on_exit_a(self) -> None:
        self.counts.exits += 1

    def on_exit_b(self) -> None:
        self.counts.exits += 1


def with_statemachine(counts: Counts) -> Callable[[], object]:
    chart = Chart(counts)

    def step() -> None:
        chart.send("tick")
        chart.send("toggle")
        chart.send("look")

    return step


# -- pysm ----------------------------------------------------------------------------------


def with_pysm(counts: Counts) -> Callable[[], object]:
    def enter(state: object, event: object) -> None:
        counts.enters += 1

    def leave(state: object, event: object) -> None:
        counts.exits += 1

    def update(state: object, event: pysm.Event) -> None:
        counts.updates += 1
        event.propagate = True

    def update_leaf(state: object, event: object) -> None:
        counts.updates += 1

    def parent_update(state: object, event: object) -> None:
        counts.parent_updates += 1

    top, parent = pysm.StateMachine("top"), pysm.StateMachine("P")
    states = [pysm.State(name) for name in "AB"]
    handlers = {"enter": enter, "exit": leave, "tick": update, "look": update_leaf}
    for state in states:
        state.handlers = dict(handlers)
    parent.handlers = {"tick": parent_update}
    top.add_state(parent, initial=True)
    for state, initial in zip(states, (True, False), strict=True):
        parent.add_state(state, initial=initial)
    parent.add_transition(states[0], states[1], events=["toggle"])
    parent.add_transition(states[1], states[0], events=["toggle"])
    top.initialize()

    def step() -> None:
        top.dispatch(pysm.Event("tick"))
        top.dispatch(pysm.Event("toggle"))
        top.dispatch(pysm.Event("look"))

    return step


SIDES: dict[str, Callable[[Counts], Callable[[], object]]] = {
    "ours": ours,
    "transitions": with_transitions,
    "python-statemachine": with_statemachine,
    "pysm": with_pysm,
}


def calls_of(name: str, steps: int = 10) -> tuple[int, int, int, int]:
    """Parent updates, updates, enters and exits of one side in a number of steps."""
    counts = Counts()
    step = SIDES[name](counts)
    before = counts.all()
    for _ in range(steps):
        step()
    return tuple(now - then for now, then in zip(counts.all(), before, strict=True))  # type: ignore[return-value]


def main() -> None:
    """Check that all sides do the same, time them, print the table."""
    TaskPool().activate()
    counted = {name: calls_of(name) for name in SIDES}
    if len(set(counted.values())) != 1:
        raise SystemExit(f"the sides do not do the same: {counted}")
    steps = {name: make(Counts()) for name, make in SIDES.items()}
    best = dict.fromkeys(SIDES, float("inf"))
    for _ in range(ROUNDS):
        for name, step in steps.items():
            start = time.process_time()
            for _ in range(STEPS):
                step()
            best[name] = min(best[name], (time.process_time() - start) / STEPS * 1e6)
    mine = best["ours"]
    print(f"one step: {counted['ours']} parent updates, updates, enters, exits in ten")
    for name, microseconds in best.items():
        print(f"{name:20s} {microseconds:9.2f} us  {microseconds / mine:6.1f} x ours")
    fastest = min(microseconds for name, microseconds in best.items() if name != "ours")
    print(
        f"goals: {FASTER_THAN_FASTEST:g} x the fastest ({fastest / mine:.1f}), "
        f"{FASTER_THAN_TRANSITIONS:g} x transitions ({best['transitions'] / mine:.1f})"
    )


if __name__ == "__main__":
    main()
