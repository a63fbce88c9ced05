"""Rules of the machine beside the walk-throughs (HSM-01 to HSM-26, F23)."""

from __future__ import annotations

import logging

import pytest

from ai.faults import faults
from ai.machines.authoring.behaviour import Behaviour
from ai.machines.authoring.registry import BehaviourRegistry
from ai.machines.errors import ReentrancyError, UnknownStateError
from ai.machines.hsm.definition import StateHooks, common_prefix
from ai.machines.hsm.record import RequestAnswer
from ai.machines.hsm.state_context import StateContext
from tests.ai.machines.doubles import (
    ENEMY,
    KINDS,
    REGISTRY,
    One,
    Plan,
    behaviour,
    guard_composed,
    guard_standalone,
)

FACTS = {
    "enemy": ENEMY, "enemy_known": True, "enemy_alive": True, "enemy_dist_cm": 150.0,
    "route": "r", "route_len": 4,
}  # fmt: skip


def guard(start: str, **plans: Plan) -> One:
    one = One(guard_standalone(), plans)
    one.write(**FACTS)
    one.brain.request(start)
    one.settle()
    one.world.step()
    return one


def test_a_request_for_an_inner_state_leads_to_its_initial_leaf() -> None:
    """HSM-05: peace -> peace/patrol; no history."""
    one = guard("combat/attack")
    one.brain.request("peace")
    one.settle()
    assert one.path() == "peace/patrol"
    one.brain.request("combat")
    one.settle()
    assert one.path() == "combat/chase"


def test_an_unknown_path_is_refused_and_changes_nothing() -> None:
    """HSM-05: UnknownStateError names the known ones."""
    one = guard("combat/chase")
    generation = one.machine.record.generation
    with pytest.raises(UnknownStateError, match=r"no state 'combat/hug'.*combat/attack"):
        one.machine.request("combat/hug")
    assert one.machine.record.generation == generation


def test_the_record_says_what_is_held() -> None:
    """HSM-06, HSM-26: each live command belongs to a state on the path or being entered."""
    one = guard("combat/chase")
    record = one.machine.record
    assert record.active_path == ("root", "combat", "chase")
    assert record.target_path == "combat/chase"
    assert record.entered_now == ("combat", "combat/chase")
    one.brain.request("combat/attack")
    for _ in range(8):
        one.world.step()
        owners = {record.active.path, *(state.path for state in record.active.chain)}
        if record.subject is not None:
            owners.add(record.subject.path)
        assert {command.owner.owner_id.part for command in one.ledger.live()} <= owners
    assert record.entered_now == ("combat/attack",)
    states = one.machine.definition.states
    lca = common_prefix(states["combat/attack"], states["peace/patrol"])
    assert lca is states["root"]


def test_ancestors_are_updated_while_a_child_exits() -> None:
    """HSM-08: one service call in each 6th step of the wait; the exiting state gets none."""
    calls: list[int] = []
    registry = BehaviourRegistry(
        KINDS, services={"track_target": lambda ctx: calls.append(ctx.step)}
    )
    one = One(guard_standalone(registry), {"chase": Plan(cancel=20)})
    one.write(**FACTS)
    one.brain.request("combat/chase")
    one.settle()
    one.brain.request("combat/attack")
    one.world.step()
    start = one.world.now
    calls.clear()
    one.world.step(12)
    assert len(calls) == 2
    assert calls[1] - calls[0] == 6
    assert calls[0] - start <= 6


def test_an_enter_that_is_never_answered_times_out() -> None:
    """HSM-09, ACT-06: enter.fail at begin + 180 steps, receipt, undo, failure target."""
    one = guard("peace/patrol", chase=Plan(admit=10_000, cancel=2))
    one.brain.request("combat/chase")
    while one.count("enter.begin chase") == 0:
        one.world.step()
    begun = one.world.now
    while one.count("enter.fail chase") == 0:
        one.world.step()
    assert one.world.now - begun == 180
    one.settle()
    assert one.count("undo.done chase") == 1
    assert one.path() == "peace/safe_idle"


def test_a_round_trip_in_one_boundary_calls_no_hook() -> None:
    """HSM-10: A -> B -> A raises the generation twice and nothing else."""
    one = guard("combat/chase")
    generation = one.machine.record.generation
    one.brain.request("combat/attack")
    one.brain.request("combat/chase")
    assert one.steps(1) == [
        f"target combat/attack g{generation + 1}",
        f"target combat/chase g{generation + 2}",
    ]
    assert one.steps(5) == []


def test_the_latest_target_again_is_unchanged_even_while_it_fails() -> None:
    """HSM-10: no new generation and no second try of an Enter just failing."""
    one = guard("combat/chase", strike=Plan(reject=(1, ("mover",)), undo=5))
    one.brain.request("combat/attack")
    while one.count("enter.fail attack") == 0:
        one.world.step()
    generation = one.machine.record.generation
    assert one.machine.request("combat/attack") is RequestAnswer.UNCHANGED
    assert one.machine.record.generation == generation
    one.settle()
    assert one.count("enter.begin attack") == 1
    assert one.path() == "combat/search"


def test_restart_exits_and_enters_the_leaf_anew() -> None:
    """HSM-10: even when settled, with a new command."""
    one = guard("combat/chase")
    assert one.machine.request("combat/chase", restart=True) is RequestAnswer.ACCEPTED
    one.settle()
    assert one.count("enter.ok chase") == 2
    assert one.count("exit.done chase") == 1
    assert one.count("exit.begin combat") == 0


class Asking(StateHooks):
    """Asks for another target in its Enter."""

    def on_enter(self, ctx: StateContext) -> None:
        assert ctx.request("peace/safe_idle") is RequestAnswer.QUEUED


class Advancing(StateHooks):
    def on_enter(self, ctx: StateContext) -> None:
        ctx._machine.advance()


def hooked(path: str, hooks: StateHooks, made: Behaviour | None = None, **plans: Plan) -> One:
    made = made or guard_standalone()
    assert made.machine is not None
    made.machine.states[path].use_hooks(hooks)
    for state in made.machine.states.values():
        state.seal()
    one = One(made, plans)
    one.write(**FACTS)
    return one


def test_a_request_inside_on_enter_runs_after_the_transition_step() -> None:
    """HSM-14, F23: combat gets enter.ok, then exits; nothing exits twice."""
    one = hooked("combat", Asking())
    one.settle()
    one.brain.request("combat/chase")
    one.settle()
    words = one.words()
    at = words.index("enter.begin combat")
    assert words[at : at + 5] == [
        "enter.begin combat",
        "enter.ok combat",
        "target peace/safe_idle g3",
        "exit.begin combat",
        "exit.done combat",
    ]
    assert "enter.begin chase" not in words
    assert words.count("exit.done combat") == 1


def test_a_hook_that_advances_is_refused() -> None:
    """HSM-14, trap 42: ReentrancyError."""
    one = hooked("combat", Advancing())
    one.brain.request("combat/chase")
    with pytest.raises(ReentrancyError, match=r"use request\(\)"):
        one.world.step(6)


FAILING = """
format = 1
name = "failing"
kind = "standalone"
terminal = "idle"
[states.root]
initial = "idle"
[states.idle]
transitions = [ { when = "false", to = "work/first" } ]
[states.work]
initial = "first"
on_fail = [ { to = "work/second" }, { to = "idle" } ]
[states."work/first"]
actions = [ { action = "say", params = { line = "x" } } ]
[states."work/second"]
actions = [ { action = "goto", params = { pos = [1.0, 2.0] } } ]
"""


def test_a_failure_target_below_a_rolled_back_state_enters_it_afresh() -> None:
    """HSM-16: work: 2 enters, 1 exit."""
    one = One(behaviour(FAILING), {"say": Plan(reject=(1, ()))})
    one.settle()
    one.brain.request("work/first")
    one.settle()
    assert one.path() == "work/second"
    assert (one.count("enter.ok work"), one.count("exit.done work")) == (2, 1)


def test_a_first_enter_that_fails_goes_to_the_failure_target() -> None:
    """HSM-16, HSM-19: at the very start; root is not rolled back."""
    one = One(guard_standalone(), {"goto_waypoint": Plan(reject=(1, ()))})
    one.write(**FACTS)
    one.settle()
    assert one.path() == "peace/safe_idle"
    assert one.count("exit.begin root") == 0


def test_each_failure_target_is_tried_once_per_request() -> None:
    """HSM-17: first, second once, then idle; a new request begins anew."""
    one = One(behaviour(FAILING), {"say": Plan(reject=(1, ())), "goto": Plan(reject=(1, ()))})
    one.settle()
    for tries in (1, 2):
        one.brain.request("work/first")
        one.world.step(12)
        assert one.machine.record.settled
        assert one.path() == "idle"
        assert one.count("enter.begin second") == tries
        assert one.count("enter.begin first") == tries


class Raising(StateHooks):
    def on_enter(self, ctx: StateContext) -> None:
        raise RuntimeError("no")


@pytest.mark.expects_faults
def test_only_an_external_request_leaves_the_error() -> None:
    """HSM-19, trap 11: rules sleep in error; a request for the same target counts."""
    one = hooked("peace/safe_idle", Raising())
    one.settle()
    one.brain.request("peace/safe_idle")
    one.world.step(8)
    record = one.machine.record
    assert record.error
    one.write(enemy_visible=True)
    assert one.steps(20) == []
    one.brain.request("combat/chase")
    one.settle()
    assert not record.error
    assert one.path() == "combat/chase"
    assert len(faults.of_kind("behaviour_config")) == 1


RULES = """
format = 1
name = "rules"
kind = "standalone"
terminal = "a/x"
[blackboard]
p = { type = "bool" }
q = { type = "bool" }
r = { type = "bool" }
[states.root]
initial = "a"
transitions = [
  { priority = 1, when = "p", to = "b" },
  { priority = 9, when = "q", to = "c" },
  { priority = 9, when = "q", to = "b" },
]
[states.a]
initial = "x"
transitions = [ { priority = 99, when = "p", to = "c" } ]
[states."a/x"]
min_time_s = 1.0
transitions = [
  { when = "r", to = "c" },
  { when = "r and state_time >= 0.5", to = "b", urgent = true },
]
[states.b]
[states.c]
"""


def test_rules_go_from_root_to_leaf_then_by_priority_then_file_order() -> None:
    """HSM-21: at most one rule change a step."""
    one = One(behaviour(RULES))
    one.world.step(2)
    one.write(p=True)
    one.world.step()
    assert one.path() == "b"
    other = One(behaviour(RULES))
    other.world.step(2)
    other.write(q=True, p=True)
    other.world.step()
    assert other.path() == "c"


def test_min_time_holds_back_rules_that_are_not_urgent() -> None:
    """HSM-21, BB-05: the urgent one fires at its due step, before the minimum has passed."""
    one = One(behaviour(RULES))
    one.world.step()
    one.write(r=True)
    one.world.step(28)
    assert one.path() == "a/x"
    one.world.step(2)
    assert one.path() == "b"
    assert one.world.now == 30


def test_an_urgent_rule_is_taken_during_an_exit() -> None:
    """HSM-21: health low while chase is exiting towards attack: retreat."""
    one = guard("combat/chase", chase=Plan(cancel=6))
    one.brain.request("combat/attack")
    one.world.step(2)
    one.write(health=0.1, enemy_visible=True)
    one.world.step()
    assert one.machine.record.target_path == "combat/retreat"
    one.settle()
    assert one.path() == "combat/retreat"
    assert one.count("enter.begin attack") == 0


def test_the_root_rule_does_not_restart_combat() -> None:
    """HSM-21, trap 13: enemy visible in attack: root's rule to combat is skipped."""
    one = guard("combat/attack")
    one.write(enemy_visible=True)
    one.world.step(100)
    assert one.path() == "combat/attack"
    assert one.count("exit.begin attack") == 0


def test_the_rule_whose_transition_failed_is_blocked() -> None:
    """HSM-17, trap 47: not retried every step; again after 1.0 s."""
    one = guard("combat/chase", strike=Plan(reject=(1, ())))
    one.write(enemy_visible=True, enemy_dist_cm=100.0)
    one.world.step(50)
    assert one.count("enter.begin attack") == 1
    one.world.step(60)
    assert one.count("enter.begin attack") == 2


def test_rules_sleep_until_something_they_read_changes() -> None:
    """HSM-21, BT-28: guard in safe_idle: 600 steps, 0 evaluations; wakes with the change."""
    one = One(guard_composed())
    one.world.step(5)
    calls: list[int] = []
    rules = one.machine.rules
    evaluate = rules.evaluate

    class Counted(type(rules)):
        __slots__ = ()

        def evaluate(self, **options: bool) -> bool:
            calls.append(one.world.now)
            return evaluate(**options)

    rules.__class__ = Counted
    one.world.step(600)
    assert calls == []
    one.write(enemy_visible=True, enemy_known=True, enemy_alive=True)
    one.world.step()
    assert calls == [one.world.now]
    assert one.machine.record.target_path == "combat/chase"


def test_completion_leaves_the_state_active_and_is_told_to_the_rules() -> None:
    """HSM-22: search succeeds: action_result, then the rule to peace."""
    one = guard("combat/search", goto=Plan(run=3))
    while one.count("exit.begin search") == 0:
        assert one.path() == "combat/search"
        one.world.step()
    one.settle()
    assert one.path() == "peace/patrol"
    assert one.count("cancel i1") == 0


def test_a_revoked_state_restarts_once_after_a_while() -> None:
    """HSM-22: chase revoked: exit and enter, not a resubmission; not before 0.25 s."""
    one = guard("combat/chase")
    one.ledger.revoke(1, "taken")
    told = one.world.now + 1
    one.world.step(14)
    assert one.count("enter.ok chase") == 1
    while one.count("exit.done chase") == 0:
        one.world.step()
    assert one.world.now - told >= 15
    one.world.step(60)
    assert one.count("enter.ok chase") == 2


def test_an_always_failing_tree_starts_every_half_second() -> None:
    """HSM-23: starts at steps 0, 30, 60; never twice in one step."""
    text = """
    format = 1
    name = "t"
    kind = "composed"
    terminal = "only"
    [states.root]
    initial = "only"
    [states.only]
    tree = "bad"
    [trees.bad]
    root = "top"
    nodes.top = { type = "sequence", children = ["no"] }
    nodes.no = { type = "fail" }
    """
    one = One(behaviour(text))
    starts = [step for step in range(70) if "enter top" in one.steps(1)]
    assert starts == [0, 30, 60]


def test_halt_waits_for_the_enter_in_progress() -> None:
    """HSM-24: the Enter ends, then everything above root exits; resume goes to the latest."""
    one = guard("combat/chase", strike=Plan(admit=5))
    one.brain.request("combat/attack")
    while one.count("enter.begin attack") == 0:
        one.world.step()
    one.machine.halt()
    one.settle()
    assert one.count("enter.ok attack") == 1
    assert one.machine.record.active_path == ("root",)
    assert one.ledger.held_bits() == 0
    one.brain.request("peace/safe_idle")
    assert "enter.begin peace" not in one.steps(5)
    one.machine.resume()
    one.settle()
    assert one.path() == "peace/safe_idle"


def test_stop_exits_root_too() -> None:
    """HSM-24: nothing is active."""
    one = guard("combat/chase")
    one.machine.stop()
    one.settle()
    assert one.machine.record.active is None
    assert one.words()[-1] == "exit.done root"


class BadExit(StateHooks):
    def __init__(self) -> None:
        self.calls = 0

    def on_exit(self, ctx: StateContext) -> None:
        self.calls += 1
        raise RuntimeError("bad exit")


class BadUpdate(StateHooks):
    def __init__(self) -> None:
        self.calls = 0

    def update(self, ctx: StateContext) -> None:
        self.calls += 1
        raise RuntimeError("bad update")


@pytest.mark.expects_faults
def test_a_raising_exit_hook_counts_as_exited_and_is_called_once() -> None:
    """HSM-25: one fault; in strict it is raised at the end of the step."""
    hooks = BadExit()
    one = hooked("combat/chase", hooks)
    one.brain.request("combat/chase")
    one.settle()
    one.brain.request("combat/attack")
    with pytest.raises(RuntimeError, match="bad exit"):
        one.world.step(10)
    one.settle()
    assert (one.path(), hooks.calls) == ("combat/attack", 1)
    assert len(faults.of_kind("hook")) == 1


@pytest.mark.expects_faults
def test_a_raising_update_is_called_once_per_entry_and_the_state_stays() -> None:
    """HSM-25: logged once per entry."""
    hooks = BadUpdate()
    one = hooked("combat/chase", hooks)
    one.brain.request("combat/chase")
    with pytest.raises(RuntimeError, match="bad update"):
        one.world.step(10)
    one.world.step(20)
    assert (one.path(), hooks.calls) == ("combat/chase", 1)


class Following(StateHooks):
    """Gives the chase its new goal when the target has moved 50 cm, at most every 0.25 s."""

    def __init__(self) -> None:
        self.told = (0.0, 0)

    def update(self, ctx: StateContext) -> None:
        distance = ctx.read("enemy_dist_cm")
        assert isinstance(distance, float)
        if abs(distance - self.told[0]) > 50.0 and ctx.step - self.told[1] >= 15:
            self.told = (distance, ctx.step)
            ctx.update_actions()


def test_a_moving_target_is_no_transition() -> None:
    """ACT-18, HSM-02: target walks 1,000 cm: chase entries 1, commands 1, updates 1 to 20."""
    one = hooked("combat/chase", Following())
    one.write(enemy_visible=True)
    one.brain.request("combat/chase")
    one.settle()
    for step in range(300):
        one.write(enemy_dist_cm=200.0 + step * 1000.0 / 300.0)
        one.world.step()
    assert one.count("enter.ok chase") == 1
    assert one.count("submit c1 chase{mover}") == 1
    assert one.world.counters.command == 1
    assert 1 <= one.host.updates <= 20


def test_the_rest_of_too_many_moves_follows_next_step(caplog: pytest.LogCaptureFixture) -> None:
    """HSM-07: at most 64 iterations a step, a warning names ped and machine."""

    class Restless(StateHooks):
        def on_enter(self, ctx: StateContext) -> None:
            ctx.request("b" if ctx.state.path == "a/x" else "a/x")

    made = behaviour(RULES)
    made.machine.states["a/x"].use_hooks(Restless())
    made.machine.states["b"].use_hooks(Restless())
    for state in made.machine.states.values():
        state.seal()
    one = One(made)
    with caplog.at_level(logging.WARNING):
        one.world.step()
    assert "ped 1: machine 'rules' made 64 moves in step 0" in caplog.text
    assert not one.machine.record.settled
    entries = one.world.counters.entry
    one.world.step()
    assert one.world.counters.entry > entries


def test_services_and_kinds_are_checked() -> None:
    """HSM-04: state kinds; see test_behaviour_files for the loader's refusals."""
    made = guard_composed(REGISTRY)
    assert made.machine is not None
    assert made.machine.states["combat"].services[0].every == 6
