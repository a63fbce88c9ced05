"""Nodes one by one: lifecycle, leaf table, propagation, aborts, loops, timers (BT-01 to BT-25)."""

from __future__ import annotations

import itertools

import pytest

from ai.faults import faults
from ai.machines.authoring.registry import BehaviourRegistry
from ai.machines.behaviour_trees.action_leaf import ActionLeaf, LeafHooks
from ai.machines.behaviour_trees.lifecycle import (
    ACTIVE,
    CANCELLED,
    CANCELLING,
    FAILURE,
    FINISHED,
    IDLE,
    RUNNING,
    SUCCESS,
    Result,
)
from ai.machines.behaviour_trees.node import Node
from ai.machines.behaviour_trees.tree import BehaviorTree
from ai.machines.behaviour_trees.utility_curves import compensated
from ai.machines.errors import LifecycleError, ReentrancyError
from tests.ai.machines.doubles import ENEMY, KINDS, One, Plan, tree_behaviour

WALK = 'nodes.walk = { type = "action", action = "goto", params = { pos = [1.0, 2.0] } }'
SAY = 'nodes.shout = { type = "action", action = "say", params = { line = "x" } }'


class Rig:
    """A tree ticked by hand, one boundary and one host phase a tick."""

    def __init__(self, nodes: str, keys: str = "", **plans: Plan) -> None:
        self.one = One(tree_behaviour(nodes, keys), plans)
        self.one.brain.mind = None
        made = tree_behaviour(nodes, keys)
        self.tree = BehaviorTree(made.trees["main"], self.one.brain.context)
        self.now = -1

    def boundary(self) -> None:
        self.now += 1
        self.one.brain.boundary(self.now)
        self.tree.observe()

    def end(self) -> None:
        self.one.brain.host_requests(self.now)
        self.one.brain.finish_step(self.now)

    def tick(self, count: int = 1) -> Result:
        result = RUNNING
        for _ in range(count):
            self.boundary()
            result = self.tree.tick()
            self.end()
        return result

    def abort(self) -> None:
        self.boundary()
        self.tree.abort()
        self.end()

    def node(self, name: str) -> Node:
        return next(node for node in self.tree.nodes if node.name == name)

    def words(self) -> list[str]:
        return self.one.words()


def test_tick_returns_by_lifecycle() -> None:
    """BT-02: RUNNING for Running and Cancelling alike, the stored result when Finished."""
    rig = Rig("nodes.top = { type = 'sequence', children = ['walk'] }\n" + WALK, goto=Plan())
    assert rig.node("top").lifecycle is IDLE
    assert rig.tick(2) is RUNNING
    assert rig.node("top").lifecycle is ACTIVE
    rig.abort()
    assert rig.node("top").lifecycle is CANCELLING
    assert rig.tick() is RUNNING
    assert rig.tick(2) is CANCELLED
    assert rig.node("top").lifecycle is FINISHED
    assert rig.tick() is CANCELLED


def test_a_finished_node_does_nothing_more() -> None:
    """BT-03, BT-14: one exit; ticking again returns the stored result."""
    rig = Rig("nodes.top = { type = 'wait', seconds = 0.05 }")
    assert rig.tick(4) is SUCCESS
    words = rig.words()
    assert rig.tick(3) is SUCCESS
    assert rig.words() == words == ["enter top", "exit top success"]
    rig.tree.reset()
    assert rig.tick() is RUNNING


def test_resetting_an_active_node_is_refused() -> None:
    """BT-03: LifecycleError for Running and Cancelling."""
    rig = Rig("nodes.top = { type = 'sequence', children = ['walk'] }\n" + WALK, goto=Plan())
    rig.tick(2)
    with pytest.raises(LifecycleError, match="'top' is running"):
        rig.tree.reset()
    rig.abort()
    with pytest.raises(LifecycleError, match="'top' is cancelling"):
        rig.tree.reset()


def test_a_node_aborted_while_idle_is_finished_without_exit() -> None:
    """BT-03, BT-04: Finished(Cancelled), no command, no hook."""
    rig = Rig("nodes.top = { type = 'sequence', children = ['walk'] }\n" + WALK)
    rig.abort()
    assert (rig.tree.lifecycle, rig.tree.result) == (FINISHED, CANCELLED)
    assert rig.words() == []


def test_abort_twice_is_harmless() -> None:
    """BT-13, BT-25: a second abort changes nothing."""
    rig = Rig("nodes.top = { type = 'sequence', children = ['walk'] }\n" + WALK, goto=Plan())
    rig.tick(2)
    rig.abort()
    words = rig.words()
    rig.abort()
    assert rig.words() == words


class Probe(LeafHooks):
    """Counts hooks; the entries, ticks and exits probe."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def on_enter_ok(self, leaf: ActionLeaf) -> None:
        self.calls.append("ok")

    def on_enter_undone(self, leaf: ActionLeaf, reason: str) -> None:
        self.calls.append(f"undone {reason}")

    def on_update(self, leaf: ActionLeaf) -> None:
        self.calls.append("update")

    def on_exit(self, leaf: ActionLeaf) -> None:
        self.calls.append("exit")


def leaf(plan: Plan) -> tuple[One, Probe]:
    probe = Probe()
    registry = BehaviourRegistry(KINDS, leaf_hooks={"probe": probe})
    nodes = (
        "nodes.top = { type = 'action', action = 'strike', hooks = 'probe', "
        "params = { target = '$enemy' } }"
    )
    made = tree_behaviour(nodes, 'enemy = { type = "entity" }', registry=registry)
    one = One(made, {"strike": plan})
    one.write(enemy=ENEMY)
    return one, probe


def test_the_leaf_table_running_to_completion() -> None:
    """BT-04: waiting, admitted, updated, completed: one exit."""
    one, probe = leaf(Plan(run=3))
    one.world.step(5)
    assert probe.calls == ["ok", "update", "update", "update", "exit"]


def test_the_leaf_table_admitted_and_completed_in_one_boundary() -> None:
    """BT-04: items are folded one by one: enter, exit, Success."""
    one, probe = leaf(Plan(admit=3))
    one.world.step(2)
    ledger = one.ledger
    assert ledger.try_hold(ledger.command(1))
    ledger.complete(ledger.admit(1), success=True)
    one.world.step()
    assert probe.calls == ["ok", "exit"]
    assert one.words()[-1] == "exit top success"


@pytest.mark.parametrize(
    ("held", "undo", "steps"), [((), None, 3), (("mover",), 2, 5), (("mover", "hands"), 4, 7)]
)
def test_the_leaf_table_rejected(held: tuple[str, ...], undo: int | None, steps: int) -> None:
    """BT-04, BT-07: undo once, Failure only when everything is released."""
    one, probe = leaf(Plan(reject=(2, held), undo=undo))
    one.world.step(steps - 1)
    assert probe.calls == []
    one.world.step()
    assert probe.calls == ["undone cannot begin"]
    assert one.words()[-1] == "undo top failure"
    assert one.ledger.held_bits() == 0


def test_a_rejected_leaf_aborted_from_above_still_fails() -> None:
    """BT-07, ACT-14: the leaf's result is Failure, the parent's Cancelled."""
    nodes = (
        "nodes.top = { type = 'sequence', children = ['strike'] }\n"
        "nodes.strike = { type = 'action', action = 'strike', params = { target = '$enemy' } }"
    )
    rig = Rig(nodes, 'enemy = { type = "entity" }', strike=Plan(reject=(2, ("mover",)), undo=3))
    rig.one.write(enemy=ENEMY)
    rig.tick(3)
    assert rig.node("strike").pending is FAILURE
    rig.abort()
    rig.tick(2)
    assert rig.words()[-2:] == ["undo strike failure", "exit top cancelled"]


def test_100_waiting_ticks_submit_once() -> None:
    """BT-05, trap 16: after 100 waiting ticks there is 1 submit and no second Enter."""
    rig = Rig("nodes.top = { type = 'sequence', children = ['walk'] }\n" + WALK,
              goto=Plan(admit=10_000))  # fmt: skip
    rig.tick(100)
    assert rig.one.world.counters.command == 1
    assert rig.words().count("enter walk") == 1


def test_a_leaf_that_is_not_admitted_in_time_fails() -> None:
    """ACT-06: 3.0 s, counted only while no body response holds the ped."""
    from ai.machines.ledger.resources import Resource

    one = One(tree_behaviour("nodes.top = { type = 'sequence', children = ['walk'] }\n" + WALK),
              {"goto": Plan(admit=10_000, cancel=1)})  # fmt: skip
    one.world.step(100)
    one.ledger.hold_external(Resource.BODY, 5)
    one.world.step(50)
    one.ledger.release_external(Resource.BODY, 5)
    one.world.step(79)
    assert one.count("cancel c1") == 0
    one.world.step(3)
    assert one.count("cancel c1") == 1
    assert one.count("undo walk failure") == 1


def test_a_bad_command_is_a_failed_enter() -> None:
    """ACT-05: no target known: undo, Failure, nothing held; F25: a gone target fails cleanly."""
    one, probe = leaf(Plan())
    one.write(enemy=None)
    assert one.steps(1) == ["enter top", "undo top failure"]
    assert probe.calls == ["undone action 'strike' needs parameter 'target'"]


def test_a_wait_aborts_at_once_by_its_exit() -> None:
    """BT-09: no resource, synchronous."""
    rig = Rig("nodes.top = { type = 'wait', seconds = 'forever' }")
    rig.tick()
    rig.abort()
    assert rig.words() == ["enter top", "abort top", "exit top cancelled"]


def test_post_event_posts_and_succeeds() -> None:
    """BT-09: name and parameters as they read now."""
    posted: list[tuple[str, dict]] = []
    made = tree_behaviour(
        "nodes.top = { type = 'post_event', event = 'PANIC', params = { level = '$n' } }",
        'n = { type = "int", default = 4 }',
    )
    one = One(made, post_event=lambda name, params: posted.append((name, dict(params))))
    one.world.step()
    assert posted == [("PANIC", {"level": 4})]


@pytest.mark.parametrize(
    ("op", "value", "modulo", "result"),
    [("assign", 5, None, 5), ("add", 2, None, 5), ("add", 2, 4, 1), ("modulo", 2, None, 1),
     ("add", 2, 0, None), ("modulo", 0, None, None), ("add", 50, None, None)],
)  # fmt: skip
def test_the_operations_of_set(op: str, value: int, modulo: int | None, result: int | None) -> None:
    """BT-09, BB-03: a modulo of 0 or less, or a refused value, is Failure and writes nothing."""
    extra = "" if modulo is None else f", modulo = {modulo}"
    one = One(
        tree_behaviour(
            f"nodes.top = {{ type = 'set', key = 'n', op = '{op}', value = {value}{extra} }}",
            'n = { type = "int", default = 3, min = 0, max = 9 }',
        )
    )
    one.world.step(2)
    assert one.brain.board.read("n", "test") == (3 if result is None else result)
    assert one.words()[1] == ("exit top failure" if result is None else "exit top success")


LEAVES = {
    "Success": "nodes.x = { type = 'succeed' }",
    "Failure": "nodes.x = { type = 'fail' }",
    "Cancelled": "nodes.x = { type = 'action', action = 'goto', params = { pos = [1.0, 1.0] } }",
}
PARENTS = {
    "sequence": ("children = ['x']", "Success", "Failure"),
    "reactive_sequence": ("children = ['x']", "Success", "Failure"),
    "selector": ("children = ['x']", "Success", "Failure"),
    "reactive_selector": ("children = ['x']", "Success", "Failure"),
    "parallel": ("children = ['x']", "Success", "Failure"),
    "utility_selector": ("options = [ { child = 'x' } ]", "Success", "Failure"),
    "inverter": ("child = 'x'", "Failure", "Success"),
    "force_success": ("child = 'x'", "Success", "Success"),
    "force_failure": ("child = 'x'", "Failure", "Failure"),
    "gate": ("when = 'true', child = 'x'", "Success", "Failure"),
    "observer": ("when = 'true', child = 'x'", "Success", "Failure"),
    "cooldown": ("seconds = 1.0, child = 'x'", "Success", "Failure"),
    "timeout": ("seconds = 9.0, child = 'x'", "Success", "Failure"),
    "repeat": ("count = 1, child = 'x'", "Success", "Failure"),
    "retry": ("count = 1, child = 'x'", "Success", "Failure"),
}


@pytest.mark.parametrize(
    ("parent", "child"), list(itertools.product(PARENTS, LEAVES)), ids="-".join
)
def test_the_propagation_table(parent: str, child: str) -> None:
    """BT-12, BT-21, trap 20: one case per cell; Cancelled stays Cancelled everywhere."""
    settings, on_success, on_failure = PARENTS[parent]
    rig = Rig(f"nodes.top = {{ type = '{parent}', {settings} }}\n{LEAVES[child]}", goto=Plan())
    expected = {"Success": on_success, "Failure": on_failure, "Cancelled": "Cancelled"}[child]
    rig.tick(2)
    if child == "Cancelled":
        rig.one.ledger.revoke(1, "taken")
        rig.tick()
    assert rig.tree.result is Result[expected.upper()]


def test_siblings_are_left_alone_by_an_abort() -> None:
    """BT-13, traps 44, 45: Idle ones stay Idle, succeeded ones are only reset."""
    nodes = (
        "nodes.top = { type = 'sequence', children = ['a', 'walk', 'b'] }\n"
        "nodes.a = { type = 'wait', seconds = 0.0 }\nnodes.b = { type = 'wait', seconds = 0.0 }\n"
    )
    rig = Rig(nodes + WALK, goto=Plan(cancel=1))
    rig.tick(2)
    rig.abort()
    assert rig.node("b").lifecycle is IDLE
    rig.tick()
    assert [rig.node(name).lifecycle for name in ("a", "walk", "b")] == [IDLE, IDLE, IDLE]
    assert rig.words().count("exit a success") == 1


def test_an_abort_between_two_rounds_takes_no_time() -> None:
    """BT-13, BT-22: no child is active."""
    nodes = (
        "nodes.top = { type = 'repeat', count = 0, child = 'a' }\n"
        "nodes.a = { type = 'wait', seconds = 0.0 }"
    )
    rig = Rig(nodes)
    rig.tick()
    rig.abort()
    assert rig.words()[-2:] == ["abort top", "exit top cancelled"]


@pytest.mark.parametrize(
    ("until", "child", "count", "ticks", "result"),
    [
        ("failure", "fail", 0, 1, "failure"),
        ("success", "succeed", 0, 1, "success"),
        ("failure", "succeed", 3, 3, "success"),
        ("never", "fail", 2, 2, "success"),
        ("success", "fail", 2, 2, "failure"),
    ],
)
def test_repeat(until: str, child: str, count: int, ticks: int, result: str) -> None:
    """BT-22: what ends a repeat, one round a tick."""
    rig = Rig(
        f"nodes.top = {{ type = 'repeat', count = {count}, until = '{until}', child = 'x' }}\n"
        f"nodes.x = {{ type = '{child}' }}"
    )
    if ticks > 1:
        assert rig.tick(ticks - 1) is RUNNING
    assert rig.tick() is Result[result.upper()]


def test_a_retry_waits_its_delay() -> None:
    """BT-22: delay_s between tries."""
    rig = Rig(
        "nodes.top = { type = 'retry', count = 2, delay_s = 0.1, child = 'x' }\n"
        "nodes.x = { type = 'fail' }"
    )
    assert rig.tick(6) is RUNNING
    assert rig.tick() is FAILURE


COOLDOWN = (
    "nodes.top = { type = 'cooldown', seconds = 1.0, child = 'x'%s }\n"
    "nodes.x = { type = 'wait', seconds = %s }"
)


def test_a_cooldown_counts_from_the_childs_end() -> None:
    """BT-23: 1.0 s, child ends at step 10: blocked up to 69, passes at 70; survives resets."""
    rig = Rig(COOLDOWN % ("", 10 / 60))
    assert rig.tick(11) is SUCCESS
    passed = []
    while rig.now < 75:
        rig.tree.reset()
        if rig.tick() is not FAILURE:
            passed.append(rig.now)
            break
    assert passed == [70]


def test_a_cooldown_from_the_start() -> None:
    """BT-23: from = "start"."""
    rig = Rig(COOLDOWN % (", from = 'start'", 10 / 60))
    rig.tick(11)
    while True:
        rig.tree.reset()
        if rig.tick() is not FAILURE:
            break
    assert rig.now == 60


@pytest.mark.parametrize(("on_cancel", "result"), [(False, RUNNING), (True, FAILURE)])
def test_a_cancel_starts_a_cooldown_only_if_asked(on_cancel: bool, result: Result) -> None:
    """BT-23: on_cancel."""
    rig = Rig(COOLDOWN % (f", on_cancel = {str(on_cancel).lower()}", 1.0))
    rig.tick()
    rig.abort()
    rig.tree.reset()
    assert rig.tick() is result


def test_an_expired_cooldown_wakes_the_selector_above() -> None:
    """BT-23, BB-07: expiry is a due time of the probe."""
    nodes = (
        "nodes.top = { type = 'reactive_selector', children = ['cool', 'rest'] }\n"
        "nodes.cool = { type = 'cooldown', seconds = 0.5, child = 'act' }\n"
        "nodes.act = { type = 'force_failure', child = 'try' }\n"
        "nodes.try = { type = 'wait', seconds = 0.0 }\n"
        "nodes.rest = { type = 'wait', seconds = 'forever' }"
    )
    one = One(tree_behaviour(nodes))
    assert "enter rest" in one.steps(1)
    assert one.steps(29) == []
    lines = one.steps(1)
    assert lines[:3] == ["abort rest", "exit rest cancelled", "reeval top"]


def test_a_timeout_does_not_beat_a_result_of_the_same_boundary() -> None:
    """BT-24: a result already delivered wins; trap 28: it does not fire again while stopping."""
    nodes = "nodes.top = { type = 'timeout', seconds = 0.05, child = 'walk' }\n" + WALK
    rig = Rig(nodes, goto=Plan(run=2))
    assert rig.tick(4) is SUCCESS
    slow = Rig(nodes, goto=Plan(cancel=8))
    assert slow.tick(11) is RUNNING
    assert slow.tick() is FAILURE
    assert slow.words().count("cancel i1") == 1


PARALLEL = "nodes.top = { type = 'parallel', children = ['a', 'b', 'c']%s }\n"


@pytest.mark.parametrize(
    ("settings", "leaves", "result"),
    [
        ("", "sss", SUCCESS),
        ("", "ssf", FAILURE),
        (", success = 'any'", "sff", FAILURE),
        (", success = 'any', failure = 'all'", "sff", SUCCESS),
        (", success = 2, failure = 2", "sfs", SUCCESS),
        (", success = 2, failure = 3", "sff", FAILURE),
        (", policy = 'main'", "sff", SUCCESS),
        (", policy = 'main'", "fss", FAILURE),
    ],
)
def test_parallel_policies(settings: str, leaves: str, result: Result) -> None:
    """BT-18: all, any, n, main; failure beats success; neither reached is Failure."""
    words = {"s": "succeed", "f": "fail"}
    nodes = "\n".join(
        f"nodes.{name} = {{ type = '{words[sign]}' }}"
        for name, sign in zip("abc", leaves, strict=True)
    )
    assert Rig(PARALLEL % settings + nodes).tick() is result


def test_a_cancelled_child_of_a_parallel_cancels_the_others() -> None:
    """BT-12, BT-18: Cancelled first."""
    nodes = (
        "nodes.top = { type = 'parallel', success = 'any', children = ['walk', 'shout'] }\n"
        f"{WALK}\n{SAY}"
    )
    rig = Rig(nodes, goto=Plan(), say=Plan(cancel=1))
    rig.tick(2)
    rig.one.ledger.revoke(1, "taken")
    rig.tick()
    assert rig.words()[-2:] == ["abort shout", "cancel i2"]
    assert rig.tick() is CANCELLED


def test_the_background_of_a_main_child_is_stopped_with_it() -> None:
    """BT-18: a finished background child stays finished."""
    nodes = (
        "nodes.top = { type = 'parallel', policy = 'main', children = ['a', 'b', 'c'] }\n"
        "nodes.a = { type = 'wait', seconds = 0.1 }\nnodes.b = { type = 'fail' }\n"
        "nodes.c = { type = 'wait', seconds = 'forever' }"
    )
    rig = Rig(nodes)
    assert rig.tick(6) is RUNNING
    assert rig.tick() is SUCCESS
    assert rig.words().count("finish b failure") == 1
    assert rig.words()[-2:] == ["exit c cancelled", "exit top success"]


RETREAT = """
nodes.top = { type = "utility_selector", rescore_s = 0.5, options = [
  { child = "to_post", considerations = [
    { key = "post", curve = "linear", x0 = 0.0, y0 = 1.0, x1 = 3000.0, y1 = 0.0 },
    { key = "blocked", curve = "bool", on = 0.2, off = 1.0 },
  ] },
  { child = "away", considerations = [ { curve = "const", y = 0.4 } ] },
] }
nodes.to_post = { type = "wait", seconds = "forever" }
nodes.away = { type = "wait", seconds = "forever" }
"""
RETREAT_KEYS = 'post = { type = "float", default = 900.0 }\nblocked = { type = "bool" }'


def test_utility_scores_of_the_retreat() -> None:
    """BT-19: 900 cm and free: 0.805; 2,400 cm and blocked: 0.0592; against 0.400."""
    assert compensated(0.7, 2) == pytest.approx(0.805)
    assert compensated(0.04, 2) == pytest.approx(0.0592)
    rig = Rig(RETREAT, RETREAT_KEYS)
    rig.tick()
    assert rig.node("to_post").lifecycle is ACTIVE
    assert rig.node("top").scores() == pytest.approx([0.805, 0.4])
    other = Rig(RETREAT, RETREAT_KEYS)
    other.one.write(post=2400.0, blocked=True)
    other.tick()
    assert other.node("away").lifecycle is ACTIVE


@pytest.mark.parametrize(("distance", "switches"), [(1800.0, True), (1900.0, False)])
def test_utility_switches_only_above_the_inertia(distance: float, switches: bool) -> None:
    """BT-20: 0.520 against 0.400 + 0.1 switches, 0.4828 stays; at the earliest after 0.5 s."""
    rig = Rig(RETREAT, RETREAT_KEYS)
    rig.one.write(post=2900.0)
    rig.tick()
    assert rig.node("away").lifecycle is ACTIVE
    rig.one.write(post=distance)
    rig.tick(29)
    assert rig.node("away").lifecycle is ACTIVE
    rig.tick()
    assert (rig.node("to_post").lifecycle is ACTIVE) is switches


def test_a_failed_option_is_excluded_for_the_run() -> None:
    """BT-19: the best remaining is tried; none left: Failure; ties go to the first."""
    nodes = """
    nodes.top = { type = "utility_selector", options = [
      { child = "a" }, { child = "b" }, { child = "c", weight = 0.01 } ] }
    nodes.a = { type = "fail" }
    nodes.b = { type = "fail" }
    nodes.c = { type = "succeed" }
    """
    rig = Rig(nodes)
    assert rig.tick() is FAILURE
    assert rig.words() == ["enter top", "finish a failure", "finish b failure", "exit top failure"]


def test_a_weighted_pick_draws_from_the_peds_own_stream() -> None:
    """BT-19: pick = "weighted" follows the weights and the seed."""
    nodes = """
    nodes.top = { type = "utility_selector", pick = "weighted", options = [
      { child = "a", weight = 3.0 }, { child = "b", weight = 1.0 } ] }
    nodes.a = { type = "succeed" }
    nodes.b = { type = "succeed" }
    """
    picks = []
    for _ in range(2):
        one = One(tree_behaviour(nodes))
        words: list[str] = []
        for _ in range(400):
            words += one.steps(1)
        picks.append(words)
    assert picks[0] == picks[1]
    assert 260 <= picks[0].count("finish a success") <= 340


@pytest.mark.expects_faults
def test_a_nan_score_counts_as_nothing_and_is_noted_once() -> None:
    """BT-19: NaN -> 0 and one logged error."""
    nodes = RETREAT.replace("x1 = 3000.0, y1 = 0.0", "x1 = 1e308, y1 = -1e308")
    rig = Rig(nodes, RETREAT_KEYS)
    object.__setattr__(
        rig.node("top").definition.settings.options[0].considerations[0],
        "curve",
        lambda x: float("nan"),
    )
    rig.tick()
    assert rig.node("away").lifecycle is ACTIVE
    assert len(faults.of_kind("utility_score")) == 1


def test_a_branch_that_fails_although_its_probe_is_true_does_not_thrash() -> None:
    """BT-16, trap 27: 60 steps: the lower branch is entered once; again once the probe is false."""
    nodes = """
    nodes.top = { type = "reactive_selector", children = ["gate", "rest"] }
    nodes.gate = { type = "gate", when = "fire", child = "no" }
    nodes.no = { type = "force_failure", child = "try" }
    nodes.try = { type = "wait", seconds = 0.0 }
    nodes.rest = { type = "wait", seconds = "forever" }
    """
    one = One(tree_behaviour(nodes, 'fire = { type = "bool" }\nother = { type = "int" }'))
    one.write(fire=True)
    for step in range(60):
        one.write(other=step)
        one.world.step()
    assert one.count("enter rest") == 1
    assert one.count("enter gate") == 1
    one.write(fire=False)
    one.world.step()
    one.write(fire=True)
    one.world.step()
    assert one.count("enter gate") == 2


def test_a_memory_sequence_does_not_ask_again_and_a_reactive_one_does() -> None:
    """F19, F20, BT-15: guards are asked in each tick in which a key they read changed."""
    for kind, stopped in (("sequence", False), ("reactive_sequence", True)):
        nodes = (
            f"nodes.top = {{ type = '{kind}', children = ['ok', 'walk'] }}\n"
            "nodes.ok = { type = 'condition', when = 'valid' }\n" + WALK
        )
        one = One(tree_behaviour(nodes, 'valid = { type = "bool", default = true }'))
        one.world.step(3)
        one.write(valid=False)
        one.world.step()
        assert (one.count("abort walk") == 1) is stopped
        assert one.count("finish ok success") == 1


def test_dropping_a_running_tree_is_a_fault() -> None:
    """BT-25: raised in strict."""
    rig = Rig("nodes.top = { type = 'sequence', children = ['walk'] }\n" + WALK)
    rig.tree.close()
    rig.tick()
    with pytest.raises(LifecycleError, match="dropped while running"):
        rig.tree.close()
    assert len(faults.of_kind("tree_dropped")) == 1
    faults.clear()


def test_ticking_from_inside_a_tick_is_refused() -> None:
    """BB-09: an observer's condition that calls tick raises ReentrancyError."""
    rig = Rig(
        "nodes.top = { type = 'condition', when = 'k' }", 'k = { type = "bool", default = true }'
    )
    condition = rig.node("top")._condition
    object.__setattr__(condition, "test", lambda board: rig.tree.tick() is SUCCESS)
    with pytest.raises(ReentrancyError):
        rig.tick()


def test_an_action_is_entered_once_a_tick() -> None:
    """BT-14: a loop that would enter it again goes on in the next tick."""
    nodes = "nodes.top = { type = 'sequence', children = ['walk'] }\n" + WALK
    rig = Rig(nodes, goto=Plan())
    rig.boundary()
    assert rig.tree.tick() is RUNNING
    rig.tree.context.ledger.force_release()
    rig.tree.force_stop()
    assert rig.tree.tick() is RUNNING
    assert rig.words().count("enter walk") == 1
    rig.end()
    rig.tick()
    assert rig.words().count("enter walk") == 2
