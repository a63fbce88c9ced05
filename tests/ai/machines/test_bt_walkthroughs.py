"""The worked walk-throughs of behaviour trees, line by line (BT-26)."""

from __future__ import annotations

import pytest

from ai.machines.behaviour_trees.lifecycle import IDLE, Lifecycle, Result
from ai.machines.behaviour_trees.node import Node
from tests.ai.machines.doubles import ENEMY, One, Plan, guard_composed, tree_behaviour

ENGAGE = """
nodes.top = { type = "sequence", children = ["target_valid", "approach", "strike"] }
nodes.target_valid = { type = "condition", when = "valid" }
nodes.approach = { type = "action", action = "goto", params = { pos = [1.0, 2.0] } }
nodes.strike = { type = "action", action = "strike", params = { target = "$enemy" } }
"""
KEYS = 'valid = { type = "bool", default = true }\nenemy = { type = "entity" }'
FIRE = """
nodes.top = { type = "reactive_selector", children = ["gate", "walk"] }
nodes.gate = { type = "gate", when = "fire", child = "flee" }
nodes.flee = { type = "action", action = "flee", params = { from = "$enemy" } }
nodes.walk = { type = "action", action = "goto", params = { pos = [1.0, 2.0] } }
"""
FIRE_KEYS = 'fire = { type = "bool" }\nenemy = { type = "entity" }'


def ped(nodes: str, keys: str = KEYS, **plans: Plan) -> One:
    """A ped about to run a tree in relative step 0."""
    one = One(tree_behaviour(nodes, keys), plans)
    if "enemy" in keys:
        one.write(enemy=ENEMY)
    one.begin()
    return one


def node(one: One, name: str) -> Node:
    return next(node for node in one.tree_mind.tree.nodes if node.name == name)


def abort(one: One) -> None:
    """Stop the tree from outside in the step that comes next, after its boundary."""
    mind = one.tree_mind
    think = mind.think

    def once() -> None:
        mind.think = think  # type: ignore[method-assign]
        mind.tree.abort()
        mind.think()

    mind.think = once  # type: ignore[method-assign]


START = [
    "enter top",
    "finish target_valid success",
    "enter approach",
    "submit c1 goto{mover}",
]


def test_t0_all_succeed() -> None:
    """BT-26 T0, BT-10: goto runs 3, strike 2."""
    one = ped(ENGAGE, goto=Plan(run=3), strike=Plan(run=2))
    assert one.at(0) == START
    assert one.at(1) == ["[admitted c1 i1]"]
    assert one.at(4) == [
        "[completed i1 success]",
        "exit approach success",
        "enter strike",
        "submit c2 strike{mover,hands}",
    ]
    assert one.at(5) == ["[admitted c2 i2]"]
    assert one.at(7) == ["[completed i2 success]", "exit strike success", "exit top success"]
    assert one.tree_mind.last_result is Result.SUCCESS


def test_t1_an_abort_runs_down_and_its_end_runs_up() -> None:
    """BT-26 T1, BT-13, BT-14: abort at 3, cancel 3; strike stays Idle; a new run asks anew."""
    one = ped(ENGAGE, goto=Plan(), strike=Plan())
    assert one.at(0) == START
    one.at(1)
    one.at(2)
    abort(one)
    assert one.at(3) == ["abort top", "abort approach", "cancel i1"]
    assert node(one, "strike").lifecycle is IDLE
    one.write(valid=False)
    assert one.at(4) == []
    assert one.at(6) == [
        "[stopped c1 released mover]",
        "exit approach cancelled",
        "exit top cancelled",
    ]
    assert node(one, "strike").lifecycle is IDLE
    assert one.at(21) == ["enter top", "finish target_valid failure", "exit top failure"]


def test_t2_an_abort_while_waiting_leaves_no_action_behind() -> None:
    """BT-26 T2, BT-06, ACT-12: goto admit 4, cancel 2, abort at 1; the original is refused."""
    one = ped(ENGAGE, goto=Plan(admit=4, cancel=2), strike=Plan())
    assert one.at(0) == START
    abort(one)
    assert one.at(1) == ["abort top", "abort approach", "cancel c1"]
    assert one.at(3) == [
        "[stopped c1 released none]",
        "undo approach cancelled",
        "exit top cancelled",
        "late_refused c1",
    ]
    assert one.host.instances == 0
    assert one.count("exit approach cancelled") == 0
    assert one.ledger.late_refused == 1


def test_t2b_admitted_and_aborted_in_one_boundary_is_an_exit() -> None:
    """BT-26 T2b, BT-06, ACT-14: admitted at 1 and abort at 1: one exit, no undo."""
    one = ped(ENGAGE, goto=Plan(cancel=2), strike=Plan())
    one.at(0)
    abort(one)
    assert one.at(1) == ["[admitted c1 i1]", "abort top", "abort approach", "cancel i1"]
    assert one.at(3) == [
        "[stopped c1 released mover]",
        "exit approach cancelled",
        "exit top cancelled",
    ]
    assert one.count("undo approach cancelled") == 0


def test_t3_a_rejection_with_part_held_fails_after_the_release() -> None:
    """BT-26 T3, BT-07, ACT-07: goto runs 1; strike rejected after 2 holding mover, undo 3."""
    one = ped(ENGAGE, goto=Plan(run=1), strike=Plan(reject=(2, ("mover",)), undo=3))
    one.at(0)
    one.at(1)
    assert one.at(2) == [
        "[completed i1 success]",
        "exit approach success",
        "enter strike",
        "submit c2 strike{mover,hands}",
    ]
    assert one.at(4) == ["[rejected c2 held mover]", "cancel c2"]
    assert one.tree_mind.tree.lifecycle is Lifecycle.RUNNING
    assert one.at(7) == [
        "[stopped c2 released mover]",
        "undo strike failure",
        "exit top failure",
    ]


def test_t4_a_rejection_with_nothing_held_fails_at_once() -> None:
    """BT-26 T4, BT-07: as T3 with nothing held."""
    one = ped(ENGAGE, goto=Plan(run=1), strike=Plan(reject=(2, ())))
    one.at(0)
    one.at(1)
    one.at(2)
    assert one.at(4) == ["[rejected c2 held none]", "undo strike failure", "exit top failure"]


def test_t5_a_revocation_is_cancelled() -> None:
    """BT-26 T5, ACT-16, BT-11: c1 revoked at 3."""
    one = ped(ENGAGE, goto=Plan(), strike=Plan())
    one.at(0)
    one.at(1)
    one.at(2)
    one.ledger.revoke(1, "taken")
    assert one.at(3) == ["[revoked i1 taken]", "exit approach cancelled", "exit top cancelled"]
    assert one.tree_mind.last_result is Result.CANCELLED


SELECT = """
nodes.top = { type = "selector", children = ["approach", "call_help"] }
nodes.approach = { type = "action", action = "goto", params = { pos = [1.0, 2.0] } }
nodes.call_help = { type = "action", action = "say", params = { line = "help" } }
"""


def test_t6_only_failure_opens_the_alternative() -> None:
    """BT-26 T6, BT-11, BT-12: revoked: Cancelled, call_help never; failed: call_help at 3."""
    one = ped(SELECT, goto=Plan())
    one.at(0)
    one.at(1)
    one.at(2)
    one.ledger.revoke(1, "taken")
    assert one.at(3) == ["[revoked i1 taken]", "exit approach cancelled", "exit top cancelled"]
    assert one.count("enter call_help") == 0

    other = ped(SELECT, goto=Plan(run=2, ok=False), say=Plan(run=1))
    other.at(0)
    other.at(1)
    assert other.at(3) == [
        "[completed i1 failure]",
        "exit approach failure",
        "enter call_help",
        "submit c2 say{voice}",
    ]
    assert other.at(4) == ["[admitted c2 i2]"]
    assert other.at(5) == ["[completed i2 success]", "exit call_help success", "exit top success"]


def test_t7a_a_success_before_the_abort_stands_but_starts_nothing() -> None:
    """BT-26 T7a, BT-08: goto completes at 3, abort at 3; no cancel is sent."""
    one = ped(ENGAGE, goto=Plan(run=2), strike=Plan())
    one.at(0)
    one.at(1)
    one.at(2)
    abort(one)
    assert one.at(3) == [
        "[completed i1 success]",
        "abort top",
        "exit approach success",
        "exit top cancelled",
    ]
    assert one.count("enter strike") == 0


def test_t7b_a_success_after_the_cancel_only_says_that_it_stopped() -> None:
    """BT-26 T7b, BT-08, ACT-14: abort at 3, goto would complete with its reply at 4."""
    one = ped(ENGAGE, goto=Plan(run=3, cancel=5), strike=Plan())
    one.at(0)
    one.at(1)
    one.at(2)
    abort(one)
    assert one.at(3) == ["abort top", "abort approach", "cancel i1"]
    assert one.at(4) == [
        "[stopped c1 released mover late_success]",
        "exit approach cancelled",
        "exit top cancelled",
    ]


def test_t8_a_switch_waits_for_the_release() -> None:
    """BT-26 T8, BT-16: fire true at 3, cancel 2; no submit at 3 or 4."""
    one = ped(FIRE, FIRE_KEYS, goto=Plan(cancel=2), flee=Plan())
    assert one.at(0) == ["enter top", "finish gate failure", "enter walk", "submit c1 goto{mover}"]
    one.at(1)
    one.at(2)
    one.write(fire=True)
    assert one.at(3) == ["abort walk", "cancel i1"]
    assert one.at(4) == []
    assert one.at(5) == [
        "[stopped c1 released mover]",
        "exit walk cancelled",
        "reeval top",
        "enter gate",
        "enter flee",
        "submit c2 flee{mover}",
    ]
    assert one.at(6) == ["[admitted c2 i2]"]


def test_t8b_a_flip_back_during_the_switch_recalls_nothing() -> None:
    """BT-26 T8b, BB-10: fire false again at 4; walk is entered anew with a new command."""
    one = ped(FIRE, FIRE_KEYS, goto=Plan(cancel=3), flee=Plan())
    one.at(0)
    one.at(1)
    one.at(2)
    one.write(fire=True)
    assert one.at(3) == ["abort walk", "cancel i1"]
    one.write(fire=False)
    assert one.at(4) == []
    assert one.at(6) == [
        "[stopped c1 released mover]",
        "exit walk cancelled",
        "reeval top",
        "finish gate failure",
        "enter walk",
        "submit c2 goto{mover}",
    ]


def engage_of_the_guard() -> One:
    one = One(guard_composed(), {"goto_entity": Plan(), "say": Plan()})
    one.write(
        enemy=ENEMY, enemy_known=True, enemy_alive=True, enemy_dist_cm=150.0, route_len=4, route="r"
    )
    one.brain.request("combat/attack")
    one.world.step(3)
    one.begin()
    one.at(0)
    one.at(1)
    one.at(2)
    one.write(enemy_reachable=False)
    return one


def test_t8c_an_observer_stops_its_branch_and_the_selector_goes_on() -> None:
    """BT-26 T8c, BT-17: target invalid at 3, cancel 3; report_lost runs."""
    one = engage_of_the_guard()
    assert one.at(3) == ["abort watch_target", "abort engage", "abort approach", "cancel i1"]
    assert one.at(6) == [
        "[stopped c1 released mover]",
        "exit approach cancelled",
        "exit engage cancelled",
        "exit watch_target cancelled",
        "reeval top",
        "finish watch_target failure",
        "enter report_gap",
        "enter report_lost",
        "submit c2 say{voice}",
    ]
    assert one.at(7) == ["[admitted c2 i2]"]
    tree = one.machine.trees.bound
    assert tree is not None
    assert tree.lifecycle is Lifecycle.RUNNING


def test_t8c_an_abort_from_above_during_the_switch_wins() -> None:
    """BT-26 T8c: whole tree aborted at 4: all end Cancelled in this order, report_lost never."""
    one = engage_of_the_guard()
    assert one.at(3) == ["abort watch_target", "abort engage", "abort approach", "cancel i1"]
    one.brain.request("combat/chase")
    assert one.at(4) == ["target combat/chase g3", "exit.begin attack", "abort top"]
    assert one.at(6)[:6] == [
        "[stopped c1 released mover]",
        "exit approach cancelled",
        "exit engage cancelled",
        "exit watch_target cancelled",
        "exit top cancelled",
        "exit.done attack",
    ]
    assert one.count("enter report_lost") == 0


def test_t9_a_guard_that_fails_stops_the_active_child_first() -> None:
    """BT-26 T9, BT-15: reactive sequence, target invalid at 3, cancel 3."""
    nodes = ENGAGE.replace('"sequence"', '"reactive_sequence"').replace(', "strike"]', "]")
    nodes = "\n".join(line for line in nodes.splitlines() if "nodes.strike" not in line)
    one = ped(nodes, goto=Plan())
    assert one.at(0) == START
    one.at(1)
    one.at(2)
    one.write(valid=False)
    assert one.at(3) == ["abort approach", "cancel i1"]
    assert one.at(6) == [
        "[stopped c1 released mover]",
        "exit approach cancelled",
        "exit top failure",
    ]


@pytest.mark.parametrize("cancel", [2])
def test_t10_a_timeout_fails_after_the_stop(cancel: int) -> None:
    """BT-26 T10, BT-24: 4 steps over goto, cancel 2: abort at 4, Failure at 6."""
    one = ped(
        'nodes.top = { type = "timeout", seconds = 0.0666, child = "walk" }\n'
        'nodes.walk = { type = "action", action = "goto", params = { pos = [1.0, 2.0] } }',
        "",
        goto=Plan(cancel=cancel),
    )
    assert one.at(0) == ["enter top", "enter walk", "submit c1 goto{mover}"]
    one.at(1)
    assert one.at(4) == ["abort walk", "cancel i1"]
    assert one.at(6) == ["[stopped c1 released mover]", "exit walk cancelled", "exit top failure"]


def test_t10_an_inverter_passes_cancelled_on() -> None:
    """BT-26 T10, BT-12: inverter over a revoked goto is Cancelled."""
    one = ped(
        'nodes.top = { type = "inverter", child = "walk" }\n'
        'nodes.walk = { type = "action", action = "goto", params = { pos = [1.0, 2.0] } }',
        "",
        goto=Plan(),
    )
    one.at(0)
    one.at(1)
    one.ledger.revoke(1, "taken")
    assert one.at(2) == ["[revoked i1 taken]", "exit walk cancelled", "exit top cancelled"]


RETRY = (
    'nodes.top = { type = "retry", count = 2, child = "walk" }\n'
    'nodes.walk = { type = "action", action = "goto", params = { pos = [1.0, 2.0] } }'
)


def test_t11_a_retry_begins_its_next_round_in_the_next_tick() -> None:
    """BT-26 T11, BT-22: goto fails each time after 1 step: submits at 0 and 3, Failure at 5."""
    one = ped(RETRY, "", goto=Plan(run=1, ok=False))
    assert one.at(0) == ["enter top", "enter walk", "submit c1 goto{mover}"]
    one.at(1)
    assert one.at(2) == ["[completed i1 failure]", "exit walk failure"]
    assert one.at(3) == ["enter walk", "submit c2 goto{mover}"]
    assert one.at(4) == ["[admitted c2 i2]"]
    assert one.at(5) == ["[completed i2 failure]", "exit walk failure", "exit top failure"]


def test_t11_a_revocation_is_no_try() -> None:
    """BT-26 T11, BT-22: revoked in the first try: Cancelled, 1 submit."""
    one = ped(RETRY, "", goto=Plan())
    one.at(0)
    one.at(1)
    one.ledger.revoke(1, "taken")
    assert one.at(2) == ["[revoked i1 taken]", "exit walk cancelled", "exit top cancelled"]


def test_t12_a_decided_parallel_waits_for_the_rest() -> None:
    """BT-26 T12, BT-18: any over walk{mover} and shout{voice, run 2}; cancel 3."""
    one = ped(
        'nodes.top = { type = "parallel", success = "any", children = ["walk", "shout"] }\n'
        'nodes.walk = { type = "action", action = "goto", params = { pos = [1.0, 2.0] } }\n'
        'nodes.shout = { type = "action", action = "say", params = { line = "halt" } }',
        "",
        goto=Plan(),
        say=Plan(run=2),
    )
    assert one.at(0) == [
        "enter top",
        "enter walk",
        "submit c1 goto{mover}",
        "enter shout",
        "submit c2 say{voice}",
    ]
    assert one.at(1) == ["[admitted c1 i1]", "[admitted c2 i2]"]
    assert one.at(3) == [
        "[completed i2 success]",
        "exit shout success",
        "abort walk",
        "cancel i1",
    ]
    assert one.at(6) == ["[stopped c1 released mover]", "exit walk cancelled", "exit top success"]
