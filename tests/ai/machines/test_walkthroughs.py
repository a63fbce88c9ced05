"""The worked walk-throughs of the standalone guard, line by line (HSM-31)."""

from __future__ import annotations

import pytest

from ai.faults import faults
from ai.machines.authoring.registry import BehaviourRegistry
from ai.machines.hsm.definition import StateHooks
from ai.machines.hsm.state_context import StateContext
from tests.ai.machines.doubles import (
    ENEMY,
    KINDS,
    REGISTRY,
    One,
    Plan,
    guard_composed,
    guard_standalone,
)

NO_RULES = {
    "enemy": ENEMY, "enemy_known": True, "enemy_alive": True, "enemy_dist_cm": 150.0,
    "route": "r", "route_len": 4,
}  # fmt: skip


def guard(start: str, plans: dict[str, Plan] | None = None, **keys: object) -> One:
    """A standalone guard settled in a state, c1/i1 being its action."""
    one = One(guard_standalone(), {"goto_waypoint": Plan(), **(plans or {})})
    one.write(**{**NO_RULES, **keys})  # type: ignore[arg-type]
    one.brain.request(start)
    one.settle()
    one.world.step()
    one.begin()
    return one


W1_STEP_0 = ["target combat/attack g3", "exit.begin chase", "cancel i1"]
W1_STEP_3 = [
    "[stopped c1 released mover]",
    "exit.done chase",
    "enter.begin attack",
    "submit c2 strike{mover,hands}",
]


def test_w1_the_old_walk_is_released_before_the_strike_is_submitted() -> None:
    """HSM-31 W1, HSM-07, HSM-08, ACT-13: chase to attack, cancel latency 3."""
    one = guard("combat/chase")
    one.brain.request("combat/attack")
    assert one.at(0) == W1_STEP_0
    assert one.path() == "combat/chase"
    assert one.at(3) == W1_STEP_3
    assert one.path() == "combat"
    assert one.at(4) == ["[admitted c2 i2]", "enter.ok attack"]
    assert one.path() == "combat/attack"
    assert (one.count("enter.begin combat"), one.count("exit.begin combat")) == (1, 0)


def test_w2_a_retarget_during_the_exit_completes_it_and_goes_on_from_there() -> None:
    """HSM-31 W2, HSM-11: safe_idle requested while chase is exiting; attack is never entered."""
    one = guard("combat/chase")
    one.brain.request("combat/attack")
    assert one.at(0) == W1_STEP_0
    one.brain.request("peace/safe_idle")
    assert one.at(1) == ["target peace/safe_idle g4"]
    assert one.path() == "combat/chase"
    assert one.at(3) == [
        "[stopped c1 released mover]",
        "exit.done chase",
        "exit.begin combat",
        "exit.done combat",
        "enter.begin peace",
        "enter.ok peace",
        "enter.begin safe_idle",
        "enter.ok safe_idle",
    ]
    assert one.path() == "peace/safe_idle"
    assert one.count("enter.begin attack") == 0
    assert one.count("exit.done chase") == 1


def test_w3_a_retarget_back_does_not_rescue_the_exiting_state() -> None:
    """HSM-31 W3, HSM-12: chase exits once and is entered as a new execution."""
    one = guard("combat/chase")
    one.brain.request("combat/attack")
    assert one.at(0) == W1_STEP_0
    one.brain.request("combat/chase")
    assert one.at(1) == ["target combat/chase g4"]
    assert one.at(3) == [
        "[stopped c1 released mover]",
        "exit.done chase",
        "enter.begin chase",
        "submit c2 chase{mover}",
    ]
    assert one.path() == "combat"
    assert one.at(4) == ["[admitted c2 i2]", "enter.ok chase"]
    assert one.count("exit.done chase") == 1


def test_w4a_a_retarget_during_enter_lets_it_succeed_and_then_exits() -> None:
    """HSM-31 W4a, HSM-13: strike admitted after 3, retreat requested at 4."""
    one = guard("combat/chase", {"strike": Plan(admit=3, cancel=2)})
    one.brain.request("combat/attack")
    assert one.at(0) == W1_STEP_0
    assert one.at(3) == W1_STEP_3
    one.brain.request("combat/retreat")
    assert one.at(4) == ["target combat/retreat g4"]
    assert one.at(6) == ["[admitted c2 i2]", "enter.ok attack", "exit.begin attack", "cancel i2"]
    assert one.path() == "combat/attack"
    assert one.at(8) == [
        "[stopped c2 released mover,hands]",
        "exit.done attack",
        "enter.begin retreat",
        "submit c3 flee{mover}",
    ]
    assert one.at(9) == ["[admitted c3 i3]", "enter.ok retreat"]
    assert one.path() == "combat/retreat"


def test_w4b_a_failed_enter_under_a_newer_target_uses_no_failure_target() -> None:
    """HSM-31 W4b, HSM-13: strike rejected after 3 holding the mover, undo 2."""
    one = guard("combat/chase", {"strike": Plan(reject=(3, ("mover",)), undo=2)})
    one.brain.request("combat/attack")
    assert one.at(0) == W1_STEP_0
    assert one.at(3) == W1_STEP_3
    one.brain.request("combat/retreat")
    assert one.at(4) == ["target combat/retreat g4"]
    assert one.at(6) == [
        "[rejected c2 held mover]",
        "enter.fail attack",
        "undo.begin attack",
        "cancel c2",
    ]
    assert one.path() == "combat"
    assert one.at(8) == [
        "[stopped c2 released mover]",
        "undo.done attack",
        "enter.begin retreat",
        "submit c3 flee{mover}",
    ]
    assert one.at(9) == ["[admitted c3 i2]", "enter.ok retreat"]
    assert one.count("exit.begin attack") == 0
    assert one.count("undo.done attack") == 1


W5_STEP_0 = ["target combat/attack g2", "exit.begin patrol", "cancel i1"]
W5_STEP_3 = [
    "[stopped c1 released mover]",
    "exit.done patrol",
    "exit.begin peace",
    "exit.done peace",
    "enter.begin combat",
    "enter.ok combat",
    "enter.begin attack",
    "submit c2 strike{mover,hands}",
]
REJECTED_HELD = ["[rejected c2 held mover]", "enter.fail attack", "undo.begin attack", "cancel c2"]


def test_w5_rollback_exits_what_this_transition_entered() -> None:
    """HSM-31 W5, HSM-15 to HSM-18, ACT-07: patrol to attack, strike rejected holding the mover."""
    one = guard("peace/patrol", {"strike": Plan(reject=(2, ("mover",)), undo=2)})
    one.brain.request("combat/attack")
    assert one.at(0) == W5_STEP_0
    assert one.at(3) == W5_STEP_3
    assert one.at(5) == REJECTED_HELD
    assert one.path() == "combat"
    lines = one.at(7)
    assert lines == [
        "[stopped c2 released mover]",
        "undo.done attack",
        "exit.begin combat",
        "exit.done combat",
        "target peace/safe_idle g3 (failure)",
        "enter.begin peace",
        "enter.ok peace",
        "enter.begin safe_idle",
        "enter.ok safe_idle",
    ]
    assert one.path() == "peace/safe_idle"
    assert one.count("enter.begin patrol") == 1
    assert (one.count("enter.ok combat"), one.count("exit.done combat")) == (1, 1)
    assert (one.count("exit.begin attack"), one.count("undo.done attack")) == (0, 1)


def test_w6_rollback_leaves_what_was_active_before() -> None:
    """HSM-31 W6, HSM-16, HSM-17: chase to attack fails, combat is untouched, search is next."""
    one = guard("combat/chase", {"strike": Plan(reject=(2, ("mover",)), undo=2)})
    one.brain.request("combat/attack")
    assert one.at(0) == W1_STEP_0
    assert one.at(3) == W1_STEP_3
    assert one.at(5) == REJECTED_HELD
    assert one.at(7) == [
        "[stopped c2 released mover]",
        "undo.done attack",
        "target combat/search g4 (failure)",
        "enter.begin search",
        "submit c3 goto{mover}",
    ]
    assert one.at(8) == ["[admitted c3 i2]", "enter.ok search"]
    assert one.path() == "combat/search"
    assert (one.count("enter.begin combat"), one.count("exit.begin combat")) == (1, 0)
    assert (one.count("exit.begin attack"), one.count("undo.done attack")) == (0, 1)


class Raising(StateHooks):
    """A state whose Enter raises."""

    def on_enter(self, ctx: StateContext) -> None:
        raise RuntimeError("no way in")


@pytest.mark.expects_faults
def test_w7_even_the_terminal_fails_and_the_machine_stands_in_error() -> None:
    """HSM-31 W7, HSM-19: one fault, nothing held, no retry in 600 further steps."""
    registry = BehaviourRegistry(
        KINDS, state_hooks={"raising": Raising()}, services=REGISTRY.services
    )
    made = guard_standalone(registry)
    assert made.machine is not None
    made.machine.states["peace/safe_idle"].use_hooks(Raising())
    one = One(made, {"strike": Plan(reject=(2, ()))})
    one.write(**NO_RULES)  # type: ignore[arg-type]
    one.settle()
    one.world.step()
    one.begin()
    one.brain.request("combat/attack")
    assert one.at(0)[0] == "target combat/attack g2"
    assert one.at(3) == W5_STEP_3
    assert one.at(5) == [
        "[rejected c2 held none]",
        "enter.fail attack",
        "undo.begin attack",
        "undo.done attack",
        "exit.begin combat",
        "exit.done combat",
        "target peace/safe_idle g3 (failure)",
        "enter.begin peace",
        "enter.ok peace",
        "enter.begin safe_idle",
        "enter.fail safe_idle",
        "undo.begin safe_idle",
        "undo.done safe_idle",
        "exit.begin peace",
        "exit.done peace",
        "root.error",
    ]
    assert one.machine.record.active_path == ("root",)
    assert one.machine.record.error
    assert one.ledger.held_bits() == 0
    assert [fault.kind for fault in faults.all()] == ["behaviour_config"]
    assert one.steps(600) == []
    assert len(faults) == 1


def test_w8_a_retarget_during_the_undo_decides_after_it() -> None:
    """HSM-31 W8, HSM-20: undo 3, retreat requested at 6; combat stays active."""
    one = guard("peace/patrol", {"strike": Plan(reject=(2, ("mover",)), undo=3)})
    one.brain.request("combat/attack")
    one.at(0)
    assert one.at(3) == W5_STEP_3
    assert one.at(5) == REJECTED_HELD
    one.brain.request("combat/retreat")
    assert one.at(6) == ["target combat/retreat g3"]
    assert one.at(8) == [
        "[stopped c2 released mover]",
        "undo.done attack",
        "enter.begin retreat",
        "submit c3 flee{mover}",
    ]
    assert one.at(9) == ["[admitted c3 i2]", "enter.ok retreat"]
    assert one.count("exit.begin combat") == 0


def test_w9_a_composed_state_waits_for_its_tree() -> None:
    """HSM-31 W9, HSM-23, BT-13: attack with approach running, to retreat; post near and free."""
    one = One(guard_composed(), {"goto_entity": Plan(), "goto": Plan()})
    one.write(**{**NO_RULES, "enemy_reachable": True, "post_dist_cm": 900.0})  # type: ignore[arg-type]
    one.brain.request("combat/attack")
    one.world.step(3)
    assert "enter approach" in one.words()
    one.begin()
    one.brain.request("combat/retreat")
    assert one.at(0) == [
        "target combat/retreat g3",
        "exit.begin attack",
        "abort top",
        "abort watch_target",
        "abort engage",
        "abort approach",
        "cancel i1",
    ]
    assert one.path() == "combat/attack"
    assert one.at(3) == [
        "[stopped c1 released mover]",
        "exit approach cancelled",
        "exit engage cancelled",
        "exit watch_target cancelled",
        "exit top cancelled",
        "exit.done attack",
        "enter.begin retreat",
        "enter.ok retreat",
        "enter pick",
        "enter to_post",
        "submit c2 goto{mover}",
    ]
    assert one.path() == "combat/retreat"
    assert one.count("enter strike") == 0
