"""What is listened to, when, and what sleeps (BB-07 to BB-10, BT-17, BT-27, BT-28)."""

from __future__ import annotations

import pytest

from ai.machines.behaviour_trees.lifecycle import ACTIVE
from ai.machines.behaviour_trees.node import Node
from ai.machines.behaviour_trees.observers import Observer
from tests.ai.machines.doubles import One, Plan, tree_behaviour

KEYS = (
    'key = { type = "bool" }\nouter = { type = "bool", default = true }\nother = { type = "int" }'
)


def evaluations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the nodes whose observers are evaluated from now on."""
    seen: list[str] = []
    renew = Observer.renew

    def counted(self: Observer) -> bool:
        seen.append(self._node.name)
        return renew(self)

    monkeypatch.setattr(Observer, "renew", counted)
    return seen


SCOPES = """
nodes.top = { type = "selector", children = ["watched", "lower"] }
nodes.watched = { type = "observer", when = "key", abort = "%s", child = "act" }
nodes.act = { type = "wait", seconds = "forever" }
nodes.lower = { type = "wait", seconds = "forever" }
"""


@pytest.mark.parametrize("scope", ["none", "self", "lower_priority", "both"])
@pytest.mark.parametrize("own_active", [True, False])
@pytest.mark.parametrize("turns", [True, False])
def test_the_scope_matrix(scope: str, own_active: bool, turns: bool) -> None:
    """BB-08: 4 scopes x 2 flips x branch active or not; aborts counted."""
    one = One(tree_behaviour(SCOPES % scope, KEYS))
    one.write(key=own_active)
    one.world.step()
    one.write(key=not turns)
    if own_active == (not turns):
        one.world.step()
    one.write(key=turns)
    one.world.step()
    own = one.count("abort act")
    lower = one.count("abort lower")
    stops_own = own_active and not turns and scope in ("self", "both")
    stops_lower = not own_active and turns and scope in ("lower_priority", "both")
    assert (own, lower) == (int(stops_own), int(stops_lower))


WHEN = ("key", "key", "k2", "k3", "k4")
BIG = (
    "nodes.top = { type = 'reactive_selector', children = ["
    + ", ".join(f"'g{number}'" for number in range(5))
    + ", 'w'] }\n"
    + "\n".join(
        f"nodes.g{n} = {{ type = 'gate', when = '{WHEN[n]}', child = 's{n}' }}\n"
        f"nodes.s{n} = {{ type = 'sequence', children = {[f'{leaf}{n}' for leaf in 'abcde']} }}\n"
        + "\n".join(f"nodes.{leaf}{n} = {{ type = 'wait', seconds = 1.0 }}" for leaf in "abcde")
        for n in range(5)
    )
    + "\nnodes.w = { type = 'observer', when = 'outer', abort = 'self', child = 'x' }\n"
    "nodes.x = { type = 'sequence', children = ['y', 'z'] }\n"
    "nodes.y = { type = 'wait', seconds = 'forever' }\nnodes.z = { type = 'succeed' }"
)
BIG_KEYS = KEYS + "\n" + "\n".join(f'k{n} = {{ type = "bool" }}' for n in range(2, 5))


def test_nothing_is_evaluated_while_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """BB-07: a 40-node tree, 6 observers, 600 steps: 0 evaluations; one key read by 2: 2."""
    made = tree_behaviour(BIG, BIG_KEYS)
    assert (made.trees["main"].size, len(made.trees["main"].observers)) == (40, 6)
    one = One(made)
    one.world.step(2)
    seen = evaluations(monkeypatch)
    one.world.step(600)
    assert seen == []
    one.write(other=1)
    one.world.step()
    assert seen == []
    one.write(key=True)
    one.brain.boundary(one.world.now + 1)
    assert seen == ["g0", "g1"]


def test_a_settled_tick_visits_the_active_path_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """BT-27: 40 nodes, active depth 4: 4 visits, 0 evaluations; asleep: 0 visits (BT-28)."""
    one = One(tree_behaviour(BIG, BIG_KEYS))
    one.world.step(2)
    visits: list[str] = []
    for kind in {type(node) for node in one.tree_mind.tree.nodes}:
        tick = kind.tick

        def counted(self: Node, tick=tick):
            visits.append(self.name)
            return tick(self)

        monkeypatch.setattr(kind, "tick", counted)
    seen = evaluations(monkeypatch)
    one.world.step(600)
    assert visits == []
    one.tree_mind.tree.woken = True
    one.world.step()
    assert list(dict.fromkeys(visits)) == ["top", "w", "x", "y"]
    assert seen == []


NESTED = """
nodes.top = { type = "selector", children = ["over", "rest"] }
nodes.over = { type = "observer", when = "outer", abort = "self", child = "mid" }
nodes.mid = { type = "selector", children = ["under", "low"] }
nodes.under = { type = "observer", when = "outer", abort = "self", child = "walk" }
nodes.walk = { type = "action", action = "goto", params = { pos = [1.0, 2.0] } }
nodes.low = { type = "wait", seconds = "forever" }
nodes.rest = { type = "wait", seconds = "forever" }
"""


def test_the_outer_of_two_observers_wins_and_the_branch_stops_once() -> None:
    """BB-09, trap 24: both fire in one step; walk aborted once, mid is not tried again."""
    one = One(tree_behaviour(NESTED, KEYS), {"goto": Plan(cancel=2)})
    one.world.step(2)
    one.write(outer=False)
    assert one.steps(1) == ["abort over", "abort mid", "abort under", "abort walk", "cancel i1"]
    lines = one.steps(2)
    assert "reeval mid" not in lines
    assert lines[-2:] == ["finish over failure", "enter rest"]


def test_value_observers_ask_on_any_change() -> None:
    """BB-07: notify = "value" restarts the branch when a read key changes."""
    nodes = """
    nodes.top = { type = "selector", children = ["watched"] }
    nodes.watched = { type = "observer", when = "other >= 0", abort = "self", notify = "%s",
      child = "act" }
    nodes.act = { type = "wait", seconds = "forever" }
    """.replace("\n      child", " child")
    for notify, entries in (("value", 2), ("result", 1)):
        one = One(tree_behaviour(nodes % notify, KEYS))
        one.world.step()
        one.write(other=1)
        one.world.step()
        assert one.count("enter act") == entries


def test_an_observer_on_the_root_ends_the_tree_and_it_starts_again() -> None:
    """BT-17: the root ends Cancelled and the runner restarts it after 0.25 s."""
    nodes = """
    nodes.top = { type = "observer", when = "outer", abort = "self", child = "act" }
    nodes.act = { type = "wait", seconds = "forever" }
    """
    one = One(tree_behaviour(nodes, KEYS))
    one.world.step()
    one.write(outer=False)
    assert one.steps(1)[-1] == "exit top cancelled"
    one.write(outer=True)
    assert one.steps(14) == []
    assert one.steps(1) == ["enter top", "enter act"]


def test_under_a_sequence_the_gate_blocks_after_the_stop() -> None:
    """BT-17: earlier steps are not done again; the decorated child fails the sequence."""
    nodes = """
    nodes.top = { type = "sequence", children = ["first", "watched"] }
    nodes.first = { type = "wait", seconds = 0.0 }
    nodes.watched = { type = "observer", when = "outer", abort = "self", child = "walk" }
    nodes.walk = { type = "action", action = "goto", params = { pos = [1.0, 2.0] } }
    """
    one = One(tree_behaviour(nodes, KEYS), {"goto": Plan(cancel=2)})
    one.world.step(2)
    one.write(outer=False)
    one.world.step(3)
    assert one.words()[-4:] == [
        "exit watched cancelled",
        "reeval top",
        "finish watched failure",
        "exit top failure",
    ]
    assert one.count("enter first") == 1


def test_under_a_parallel_only_the_watched_branch_stops() -> None:
    """BT-17, BT-18: the others go on; the gate of the stopped one decides anew."""
    nodes = """
    nodes.top = { type = "parallel", failure = "all", children = ["watched", "other"] }
    nodes.watched = { type = "observer", when = "outer", abort = "self", child = "act" }
    nodes.act = { type = "wait", seconds = "forever" }
    nodes.other = { type = "wait", seconds = "forever" }
    """
    one = One(tree_behaviour(nodes, KEYS))
    one.world.step()
    one.write(outer=False)
    one.world.step()
    assert one.count("abort other") == 0
    assert one.words()[-1] == "finish watched failure"
    tree = one.tree_mind.tree
    assert next(node for node in tree.nodes if node.name == "other").lifecycle is ACTIVE


def test_a_cancelling_leaf_gets_its_receipt_without_any_key_change() -> None:
    """BB-10: observation replaces polling of conditions, not of actions."""
    one = One(tree_behaviour(NESTED, KEYS), {"goto": Plan(cancel=9)})
    one.world.step(2)
    one.write(outer=False)
    one.world.step(2)
    one.write(outer=True)
    one.world.step(8)
    assert one.count("exit walk cancelled") == 1
    assert one.count("enter walk") == 2
