"""Rule scripts: one rule at a time, through the ledger (HSM-03)."""

from __future__ import annotations

import pytest

from ai.machines.authoring.fault_report import BehaviourError
from tests.ai.machines.doubles import ENEMY, One, Plan, behaviour

VENDOR = """
format = 1
name   = "vendor"
kind   = "rules"

[[rules]]
id = "run_from_fire"
priority = 100
when = "fire_near"
action = "flee"
params = { from = "$fire_source" }
[[rules]]
id = "walk"
priority = 50
when = "errand"
action = "goto"
params = { pos = [1.0, 2.0] }
[[rules]]
id = "greet"
priority = 20
when = "customer != none"
action = "say"
params = { line = "greet" }
[blackboard]
fire_near   = { type = "bool" }
errand      = { type = "bool" }
fire_source = { type = "entity" }
customer    = { type = "entity" }
"""


def vendor(**plans: Plan) -> One:
    one = One(behaviour(VENDOR), plans)
    one.write(fire_source=ENEMY)
    one.begin()
    return one


def test_a_rule_that_goes_on_is_not_submitted_again() -> None:
    """HSM-03: same rule as running: it continues."""
    one = vendor(goto=Plan())
    one.write(errand=True)
    assert one.at(0) == ["submit c1 goto{mover}"]
    assert one.at(1) == ["[admitted c1 i1]"]
    one.write(customer=ENEMY)
    assert one.steps(50) == []


def test_another_rule_waits_for_the_receipt() -> None:
    """HSM-03: cancel latency 3: second submit at n+3, the mover is never held twice."""
    one = vendor(goto=Plan(), flee=Plan())
    one.write(errand=True)
    one.at(0)
    one.at(1)
    one.write(fire_near=True)
    assert one.at(2) == ["cancel i1"]
    assert one.at(5) == ["[stopped c1 released mover]", "submit c2 flee{mover}"]


def test_the_choice_is_made_anew_after_the_wait() -> None:
    """HSM-03: a higher rule becomes true during the wait: the first choice is never submitted."""
    one = vendor(say=Plan(cancel=3), goto=Plan(), flee=Plan())
    one.write(customer=ENEMY)
    one.at(0)
    one.at(1)
    one.write(errand=True)
    assert one.at(2) == ["cancel i1"]
    one.write(fire_near=True)
    assert one.at(3) == []
    assert one.at(5)[-1] == "submit c2 flee{mover}"


def test_no_rule_satisfied_cancels_and_stays_idle() -> None:
    """HSM-03: 0 held afterwards."""
    one = vendor(goto=Plan())
    one.write(errand=True)
    one.at(0)
    one.at(1)
    one.write(errand=False)
    assert one.at(2) == ["cancel i1"]
    one.world.step(10)
    assert (one.ledger.held_bits(), list(one.ledger.live())) == (0, [])


@pytest.mark.parametrize(
    ("plan", "revoke", "pause"),
    [
        (Plan(run=1), False, 30),
        (Plan(run=1, ok=False), False, 60),
        (Plan(), True, 15),
        (Plan(reject=(1, ())), False, 60),
    ],
)
def test_the_pauses_after_an_end(plan: Plan, revoke: bool, pause: int) -> None:
    """HSM-03: repeat 0.5 s, retry 1.0 s, after a revocation 0.25 s."""
    one = vendor(goto=plan)
    one.write(errand=True)
    one.world.step(2)
    if revoke:
        one.ledger.revoke(1, "taken")
        one.world.step()
    while one.brain.mind.running is not None:
        one.world.step()
    ended = one.world.now
    while one.count("submit c2 goto{mover}") == 0:
        one.world.step()
    assert one.world.now - ended == pause


def test_equal_priorities_name_both_rules() -> None:
    """HSM-03: file order is not a tie-break; at most 32 rules."""
    with pytest.raises(BehaviourError, match="'walk' has priority 100 like 'run_from_fire'"):
        behaviour(VENDOR.replace("priority = 50", "priority = 100"))
    rules = ", ".join(
        f'{{ id = "r{n}", priority = {n}, when = "true", action = "say", params.line = "x" }}'
        for n in range(33)
    )
    with pytest.raises(BehaviourError, match="33 rules; there are at most 32"):
        behaviour(f'format = 1\nname = "many"\nkind = "rules"\nrules = [ {rules} ]')


def test_a_script_stops_with_its_task() -> None:
    """ACT-24: nothing held; resume chooses anew."""
    one = vendor(goto=Plan())
    one.write(errand=True)
    one.world.step(3)
    one.brain.mind.abort()
    assert one.ledger.held_bits() == 0
    assert one.steps(5) == []
    one.brain.mind.resume()
    assert one.steps(1) == ["submit c2 goto{mover}"]
