"""Dumps of brains: golden texts, and that looking changes nothing (HSM-33)."""

from __future__ import annotations

from ai.faults import faults
from ai.machines.authoring.registry import BehaviourRegistry
from ai.machines.dump import dot, dump
from tests.ai.machines.doubles import (
    KINDS,
    REGISTRY,
    One,
    Plan,
    guard_composed,
    guard_standalone,
)
from tests.ai.machines.test_bt_walkthroughs import ENGAGE, ped
from tests.ai.machines.test_walkthroughs import NO_RULES, Raising, guard

W1_STEP_1 = """\
ped 1 guard_standalone step 4 gen 3 origin external
root                active e1
|- peace            -
|  |- patrol        -
|  `- safe_idle     -
`- combat           active e2
   |- chase         exiting e3 waits c1
   |- attack        target
   |- search        -
   `- retreat       -
resources mover=c1/i1(stopping) hands=- voice=- gaze=- body=-
waiting - | stale 0 | late_refused 0
"""
"""The steps before the first of a walk-through are 0 to 2: its step 1 is the world's 4."""

T3_STEP_5 = """\
ped 1 main step 5
tree main
[R] top sequence 3/3
  [S] target_valid
  [S] approach
  [C] strike c2 mover pending=FAILURE 3 steps
resources mover=c2/i0(stopping) hands=- voice=- gaze=- body=-
waiting - | stale 0 | late_refused 0
"""


def test_a_machine_that_is_on_its_way() -> None:
    """HSM-33, W1 step 1: chase is exiting and waits for c1; attack is the target."""
    one = guard("combat/chase")
    one.brain.request("combat/attack")
    one.at(0)
    one.at(1)
    assert dump(one.brain) == W1_STEP_1


def test_a_tree_whose_leaf_is_undone() -> None:
    """HSM-33, T3 step 5: rejected holding mover: Cancelling, and Failure when it is stopped."""
    one = ped(ENGAGE, goto=Plan(run=1), strike=Plan(reject=(2, ("mover",)), undo=3))
    for step in (0, 1, 2, 4, 5):
        one.at(step)
    assert dump(one.brain) == T3_STEP_5


def test_a_machine_in_error_says_so() -> None:
    """HSM-33, HSM-19, W7 end: on root, nothing held, the last target named, no way left."""
    registry = BehaviourRegistry(
        KINDS, state_hooks={"raising": Raising()}, services=REGISTRY.services
    )
    made = guard_standalone(registry)
    assert made.machine is not None
    made.machine.states["peace/safe_idle"].use_hooks(Raising())
    one = One(made, {"strike": Plan(reject=(2, ()))})
    one.write(**NO_RULES)  # type: ignore[arg-type]
    one.settle()
    one.brain.request("combat/attack")
    one.world.step(20)
    lines = dump(one.brain).splitlines()
    assert lines[0].endswith("gen 3 origin failure error")
    assert [line.split()[-2:] for line in lines[1:4]] == [
        ["active", "e1"],
        ["peace", "-"],
        ["patrol", "-"],
    ]
    assert lines[4] == "|  `- safe_idle     target"
    assert lines[-2] == "resources mover=- hands=- voice=- gaze=- body=-"
    assert '  "root" [label="root", fillcolor=tomato];' in dot(one.brain)
    faults.clear()


def test_the_graph_shows_the_same() -> None:
    """HSM-33: active green, exiting orange, the target outlined; every state once."""
    one = guard("combat/chase")
    one.brain.request("combat/attack")
    one.at(0)
    lines = dot(one.brain).splitlines()
    assert lines[0] == "digraph brain {"
    assert lines[-1] == "}"
    assert '  "combat" [label="combat", fillcolor=palegreen];' in lines
    assert '  "combat/chase" [label="chase", fillcolor=orange];' in lines
    assert '  "combat/attack" [label="attack", penwidth=3];' in lines
    assert sum("[label=" in line for line in lines) == len(one.machine.definition.states)


def test_a_composed_machine_shows_the_tree_of_its_leaf() -> None:
    """HSM-23, HSM-33: states, then the nodes of the bound tree, and which command it runs."""
    one = One(guard_composed())
    one.settle()
    one.world.step(5)
    text = dump(one.brain)
    active = one.machine.record.active
    bound = one.machine.trees.bound
    assert active is not None
    assert bound is not None
    assert f"tree {bound.definition.name} ({active.name})" in text
    assert f'"{active.path}" -> "0 {bound.root.name}" [style=dashed];' in dot(one.brain)


def test_looking_changes_nothing() -> None:
    """HSM-33, trap 48: the trace hash is the same with a dump in every step and without."""
    hashes = []
    for looks in (False, True):
        one = One(guard_composed(), {"strike": Plan(run=4), "chase": Plan(run=9)}, hashing=True)
        for step in range(300):
            if step == 40:
                one.brain.request("combat/attack")
            if looks:
                assert dump(one.brain).isascii()
                dot(one.brain)
            one.world.step()
        hashes.append(one.brain.trace.hash())
    assert hashes[0] == hashes[1]
