"""Random interleavings: nothing leaks, nothing ends twice, nothing is revived (HSM-34)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ai.faults import faults
from ai.machines.authoring.loader import compile_document
from ai.machines.behaviour_trees.lifecycle import IDLE
from ai.machines.brain import keyframe
from ai.machines.hsm.definition import StateHooks
from ai.machines.hsm.state_context import StateContext
from ai.machines.ledger.command import CommandState
from ai.machines.ledger.resources import Resource
from tests.ai.machines.doubles import ENEMY, REGISTRY, One, Plan, guard_standalone
from tests.ai.machines.invariants import (
    check_ledger,
    check_node_words,
    check_nodes,
    check_state_words,
    check_terminals,
)

TARGETS = (
    "peace", "peace/patrol", "peace/safe_idle", "combat", "combat/chase", "combat/attack",
    "combat/search", "combat/retreat",
)  # fmt: skip
KINDS = ("goto_waypoint", "chase", "strike", "goto", "flee")
PLANS = st.builds(
    Plan,
    admit=st.integers(1, 4),
    cancel=st.integers(1, 4),
    run=st.sampled_from([1, 2, 5, 1 << 40]),
    ok=st.booleans(),
    reject=st.sampled_from([None, None, (1, ()), (2, ()), (2, ("mover",))]),
    undo=st.integers(1, 4),
)


def guard(plans: dict[str, Plan]) -> One:
    one = One(guard_standalone(), plans, hashing=True)
    one.brain.trace._capacity = 1 << 20
    one.write(
        enemy=ENEMY, enemy_known=True, enemy_alive=True, enemy_dist_cm=150.0, route="r", route_len=4
    )
    return one


def check_machine(one: One) -> None:
    record = one.machine.record
    check_ledger(one.ledger)
    owners = {state.path for state in record.active.chain} if record.active else set()
    if record.subject is not None:
        owners.add(record.subject.path)
    for command in one.ledger.live():
        assert command.owner.owner_id.part in owners, f"c{command.id} belongs to nobody"


def quiet(one: One) -> None:
    """End: obedient actions, no requests; it settles in time, halts and holds nothing."""
    for plan in one.host.plans.values():
        plan.admit, plan.cancel, plan.undo, plan.run, plan.reject = 1, 1, 1, 1 << 40, None
    record = one.machine.record
    # Rules go on asking for targets, a blocked one after a second; each request settles.
    one.world.step(100)
    for _ in range(20):
        if record.settled:
            break
        one.world.step()
    assert record.settled or record.error
    one.machine.halt()
    one.world.step(20)
    assert record.active_path in (("root",), ())
    assert (one.ledger.held_bits(), list(one.ledger.live())) == (0, [])
    check_state_words(one.words())
    check_terminals(one, one.words())


class MachineAndLedger(RuleBasedStateMachine):
    """The standalone guard under random requests, ends, holds, aborts and copies."""

    @initialize(plans=st.fixed_dictionaries(dict.fromkeys(KINDS, PLANS)))
    def begin(self, plans: dict[str, Plan]) -> None:
        self.one = guard(plans)
        self.down = False

    @rule(path=st.sampled_from(TARGETS))
    def retarget(self, path: str) -> None:
        self.one.brain.request(path)

    @rule(restart=st.booleans(), path=st.sampled_from(TARGETS))
    def retarget_at_once(self, restart: bool, path: str) -> None:
        self.one.machine.request(path, restart=restart)

    @rule(count=st.integers(1, 5))
    def steps(self, count: int) -> None:
        for _ in range(count):
            self.one.world.step()
            check_machine(self.one)

    @rule()
    def revoke(self) -> None:
        for command in tuple(self.one.ledger.live()):
            if command.state is CommandState.ACTIVE:
                self.one.ledger.revoke(command.instance, "taken")

    @rule(success=st.booleans())
    def complete(self, success: bool) -> None:
        for command in tuple(self.one.ledger.live()):
            if command.admitted:
                self.one.host.stops.pop(command.id, None)
                self.one.ledger.complete(command.instance, success=success)

    @rule(resource=st.sampled_from([Resource.MOVER, Resource.BODY, Resource.HANDS]))
    def hold_and_release(self, resource: Resource) -> None:
        self.one.ledger.hold_external(resource, 9)
        self.one.world.step(2)
        self.one.ledger.release_external(resource, 9)

    @rule(visible=st.booleans(), distance=st.sampled_from([90.0, 150.0, 250.0]))
    def sense(self, visible: bool, distance: float) -> None:
        self.one.write(enemy_visible=visible, enemy_dist_cm=distance)

    @rule(count=st.integers(0, 4))
    def knocked_down(self, count: int) -> None:
        self.one.brain.mind.abort()
        assert self.one.ledger.held_bits() == 0
        self.one.world.step(count)
        self.one.brain.mind.resume()

    @rule()
    def halted(self) -> None:
        self.one.machine.halt()
        self.one.world.step(2)
        self.one.machine.resume()

    @rule()
    def restored(self) -> None:
        copied = keyframe([self.one.brain])[0]
        assert copied.trace.hash() == self.one.brain.trace.hash()
        self.one.world.brains = [copied]
        self.one.brain = copied
        self.one.host = copied.host

    @invariant()
    def sound(self) -> None:
        if hasattr(self, "one"):
            check_machine(self.one)
            check_state_words(self.one.words())

    def teardown(self) -> None:
        if hasattr(self, "one"):
            quiet(self.one)


MachineAndLedger.TestCase.settings = settings(
    max_examples=40, stateful_step_count=25, deadline=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip


class TestMachineAndLedger(MachineAndLedger.TestCase):
    """HSM-34, ACT-04, ACT-10, HSM-01, HSM-26: shrunk counter-examples if a rule breaks."""


class Faulty(StateHooks):
    """A state whose Enter raises now and then."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def on_enter(self, ctx: StateContext) -> None:
        if self._rng.random() < 0.2:
            raise RuntimeError("no way in")


def random_run(seed: int, steps: int) -> str:
    """One seeded run of the guard; returns its trace hash.

    Targets, revocations, rejections with nothing or part held, Enters that raise, holds from
    outside, halts, aborts of the task, and going on from a keyframe.
    """
    rng = random.Random(seed)
    plans = {
        kind: Plan(
            admit=rng.randint(1, 4), cancel=rng.randint(1, 4), run=rng.choice([2, 9, 1 << 40]),
            ok=rng.random() < 0.7, undo=rng.randint(1, 4),
            reject=rng.choice([None, None, None, (rng.randint(1, 3), ())]),
        )
        for kind in KINDS
    }  # fmt: skip
    if rng.random() < 0.3:
        plans["strike"].reject = (2, ("mover",))
    one = guard(plans)
    if seed % 3 == 0:
        one.machine.definition.states["combat/attack"].use_hooks(Faulty(random.Random(seed)))
    forced = False
    for _ in range(steps):
        if rng.random() < 0.3:
            one.brain.request(rng.choice(TARGETS))
        if rng.random() < 0.1:
            active = [c for c in one.ledger.live() if c.state is CommandState.ACTIVE]
            if active:
                one.ledger.revoke(rng.choice(active).instance, "taken")
        forced = disturb(one, rng) or forced
        one.world.step()
        check_machine(one)
    quiet(one)
    # What was forced to stop may have spoken once more: that is stale, and nothing else is.
    assert forced or one.ledger.stale == 0
    faults.clear()
    return one.brain.trace.hash()


def disturb(one: One, rng: random.Random) -> bool:
    """Now and then what comes from outside: a hold, a halt, a knock-down, a rewind.

    True if commands were released by force.
    """
    draw = rng.random()
    if draw < 0.02:
        resource = rng.choice([Resource.MOVER, Resource.BODY, Resource.HANDS])
        one.ledger.hold_external(resource, 9)
        one.world.step(rng.randint(1, 4))
        one.ledger.release_external(resource, 9)
    elif draw < 0.03:
        one.machine.halt()
        one.world.step(2)
        one.machine.resume()
    elif draw < 0.05:
        assert one.brain.mind is not None
        one.brain.mind.abort()
        assert one.ledger.held_bits() == 0
        one.world.step(rng.randint(0, 3))
        one.brain.mind.resume()
        return True
    elif draw < 0.06:
        copied = keyframe([one.brain])[0]
        one.world.brains = [copied]
        one.brain = copied
        one.host = copied.host  # type: ignore[assignment]
    return False


@pytest.mark.expects_faults
@pytest.mark.parametrize("block", range(5))
def test_seeded_runs_keep_the_invariants_and_repeat(block: int) -> None:
    """HSM-34: 500 seeds x 300 steps; the same seed gives the same trace hash."""
    for seed in range(block * 100, block * 100 + 100):
        first = random_run(seed, 300)
        if seed % 20 == 0:
            assert random_run(seed, 300) == first


# Trees

LEAVES = ("goto", "say", "strike", "wait", "condition", "succeed", "fail")
ONE_CHILD = (
    {"type": "inverter"}, {"type": "force_success"}, {"type": "force_failure"},
    {"type": "gate", "when": "k0"}, {"type": "observer", "when": "k1", "abort": "self"},
    {"type": "repeat", "count": 2}, {"type": "retry", "count": 2},
    {"type": "cooldown", "seconds": 0.1}, {"type": "timeout", "seconds": 0.1},
)  # fmt: skip
COMPOSITES = (
    "sequence", "reactive_sequence", "selector", "reactive_selector",
    "utility_selector", "parallel",
)  # fmt: skip


def random_tree(rng: random.Random, nodes: dict[str, Any], depth: int, parallel: bool) -> str:
    """A random node and all below; returns its id."""
    name = f"n{len(nodes)}"
    nodes[name] = {}
    draw = rng.random()
    if depth == 0 or draw < 0.25:
        kind = rng.choice(LEAVES[1:] if parallel else LEAVES)
        nodes[name] = {
            "goto": {"type": "action", "action": "goto", "params": {"pos": [1.0, 2.0]}},
            "say": {"type": "action", "action": "say", "params": {"line": "x"}},
            "strike": {"type": "wait", "seconds": 0.05} if parallel
            else {"type": "action", "action": "strike", "params": {"target": "$enemy"}},
            "wait": {"type": "wait", "seconds": rng.choice([0.0, 0.05, "forever"])},
            "condition": {"type": "condition", "when": f"k{rng.randint(0, 3)}"},
        }.get(kind, {"type": kind})  # fmt: skip
        if parallel and kind == "say":
            nodes[name] = {"type": "wait", "seconds": 0.1}
    elif draw < 0.5:
        node = dict(rng.choice(ONE_CHILD))
        if "when" in node:
            node["when"] = f"k{rng.randint(0, 3)}"
        node["child"] = random_tree(rng, nodes, depth - 1, parallel)
        nodes[name] = node
    else:
        kind = rng.choice(COMPOSITES)
        below = parallel or kind == "parallel"
        children = [random_tree(rng, nodes, depth - 1, below) for _ in range(rng.randint(1, 3))]
        if kind == "utility_selector":
            options = [
                {
                    "child": child,
                    "considerations": [
                        {"curve": "bool", "key": f"k{rng.randint(0, 3)}", "on": 0.9, "off": 0.3}
                    ],
                }
                for child in children
            ]
            nodes[name] = {"type": kind, "options": options, "rescore_s": 0.05}
        else:
            nodes[name] = {"type": kind, "children": children}
    return name


def tree_run(seed: int, steps: int) -> None:
    """A random tree among flips, aborts, revocations and rejections, then a quiet end."""
    rng = random.Random(seed)
    nodes: dict[str, Any] = {}
    root = random_tree(rng, nodes, 4, False)
    document = {
        "format": 1, "name": "t", "kind": "tree", "main": "t",
        "blackboard": {
            **{f"k{n}": {"type": "bool", "default": rng.random() < 0.5} for n in range(4)},
            "enemy": {"type": "entity"},
        },
        "trees": {"t": {"root": root, "nodes": nodes}},
    }  # fmt: skip
    plans = {
        kind: Plan(
            admit=rng.randint(1, 4), cancel=rng.randint(1, 4), run=rng.choice([1, 3, 8]),
            ok=rng.random() < 0.6, undo=rng.randint(1, 3),
            reject=rng.choice([None, None, None, (rng.randint(1, 3), ())]),
        )
        for kind in ("goto", "say", "strike")
    }  # fmt: skip
    if rng.random() < 0.3:
        plans["strike"].reject = (2, ("mover",))
    one = One(compile_document(document, "random", REGISTRY), plans, hashing=True)
    one.brain.trace._capacity = 1 << 20
    one.write(enemy=ENEMY)
    tree = one.tree_mind.tree
    for _ in range(steps):
        for key in range(4):
            if rng.random() < 0.15:
                one.write(**{f"k{key}": rng.random() < 0.5})
        if rng.random() < 0.05 and tree.root.lifecycle is not IDLE:
            tree.abort()
        if rng.random() < 0.1:
            for command in tuple(one.ledger.live()):
                if command.state is CommandState.ACTIVE:
                    one.ledger.revoke(command.instance, "taken")
                    break
        one.world.step()
        check_nodes(tree)
        check_ledger(one.ledger)
    for _ in range(60):
        if tree.root.lifecycle is IDLE:
            break
        tree.abort()
        one.world.step()
        check_nodes(tree)
    one.brain.mind.abort()
    assert (one.ledger.held_bits(), list(one.ledger.live())) == (0, [])
    check_node_words(one.words(), tree)
    assert one.ledger.stale == 0


@pytest.mark.parametrize("block", range(6))
def test_random_trees_keep_the_invariants(block: int) -> None:
    """HSM-34, BT-03, BT-12, BT-13: 300 random trees of every node type x 60 steps."""
    for seed in range(block * 50, block * 50 + 50):
        tree_run(seed, 60)


@settings(max_examples=60, deadline=None)
@given(st.integers(1000, 1 << 30))
def test_more_random_trees(seed: int) -> None:
    """HSM-34: seeds of hypothesis' choice."""
    tree_run(seed, 40)
