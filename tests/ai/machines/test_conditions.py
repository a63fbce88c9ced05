"""The condition language: values, errors, due steps (BB-05, BB-06)."""

from __future__ import annotations

import pytest

from ai.faults import faults
from ai.machines.blackboard.board import Blackboard
from ai.machines.blackboard.condition_syntax import ConditionError
from ai.machines.blackboard.conditions import ConditionCompiler
from ai.machines.blackboard.keys import BoardLayout, KeyDefinition, KeyType
from tests.ai.machines.doubles import ENEMY, One, behaviour, tree_behaviour

LAYOUT = BoardLayout(
    [
        KeyDefinition("yes", KeyType.BOOL, True),
        KeyDefinition("no", KeyType.BOOL, False),
        KeyDefinition("n", KeyType.INT, 3),
        KeyDefinition("x", KeyType.FLOAT, 2.5),
        KeyDefinition("name", KeyType.STR, "anna"),
        KeyDefinition("mood", KeyType.ENUM, "calm", values=("calm", "angry")),
        KeyDefinition("enemy", KeyType.ENTITY, None),
        KeyDefinition("friend", KeyType.ENTITY, ENEMY),
    ]
)
COMPILER = ConditionCompiler(LAYOUT, {"limit": 3.0, "who": "anna", "on": True})

TABLE = [
    ("yes", True),
    ("not yes", False),
    ("not not yes", True),
    ("yes and no", False),
    ("yes or no", True),
    ("no or yes and no", False),
    ("(no or yes) and yes", True),
    ("not no and yes", True),
    ("n == 3", True),
    ("n != 3", False),
    ("n < x", False),
    ("2 < n", True),
    ("n >= @limit", True),
    ("x <= -1.5e1", False),
    ("x > 2", True),
    ("name == @who", True),
    ("name != 'bob'", True),
    ("mood == 'calm'", True),
    ("enemy == none", True),
    ("friend != none and not (friend == enemy)", True),
    ("@on and true", True),
    ("yes == no", False),
    ("tree_result == 'none'", True),
    ("yes and yes and yes and no", False),
    ("no or no or no or yes", True),
]


@pytest.mark.parametrize(("text", "value"), TABLE)
def test_conditions_have_their_values(text: str, value: bool) -> None:
    """BB-06: precedence, comparisons, parameters, words."""
    assert COMPILER.compile(text).test(Blackboard(LAYOUT)) is value


ERRORS = [
    ("", 1, "missing"),
    ("yes and", 8, "missing"),
    ("(yes", 5, r"'\)' is missing"),
    ("yes)", 4, "too much"),
    ("n + 1 == 2", 3, "can't read"),
    ("ghost", 1, "not declared"),
    ("yes and ghost", 9, "not declared"),
    ("enemy < 3", 7, "numbers only"),
    ("enemy == 3", 7, "can't be compared"),
    ("mood == 'sad'", 6, "none of calm, angry"),
    ("n", 1, "truth value"),
    ("@ghost == 1", 1, r"not in \[params\]"),
    ("since(ghost) >= 1.0", 1, "not declared"),
    ("since(1) >= 1.0", 7, "takes the name"),
    ("yes == 1", 5, "can't be compared"),
    ("name.upper == 'A'", 5, "can't read"),
    ("__import__('os')", 11, "too much"),
    ("(" * 17 + "yes" + ")" * 17, 17, "more than 16"),
    ("yes and " * 80 + "yes", 513, "longer than 512"),
    ("%lost", 1, "set by no node"),
]


@pytest.mark.parametrize(("text", "column", "reason"), ERRORS)
def test_bad_conditions_name_their_column(text: str, column: int, reason: str) -> None:
    """BB-06, HSM-29: syntax, unknown words, types; no calls, no attributes, no arithmetic."""
    with pytest.raises(ConditionError, match=reason) as caught:
        COMPILER.compile(text)
    assert caught.value.column == column


def test_a_time_since_a_change_has_a_due_step_and_is_not_polled() -> None:
    """BB-05: since(k) >= 4.0, change at step 100: due at step 340."""
    condition = COMPILER.compile("since(yes) >= 4.0")
    board = Blackboard(LAYOUT)
    board.stage(0, False)
    board.freeze(100)
    assert condition.next_due(board) == 340
    assert not condition.polls
    board.freeze(339)
    assert condition.test(board) is False
    board.freeze(340)
    assert condition.test(board) is True
    assert COMPILER.compile("4.0 <= since(yes)").time_terms == condition.time_terms


@pytest.mark.parametrize("text", ["since(yes) < 4.0", "since(yes) > since(no)", "state_time == 1"])
def test_any_other_use_of_time_polls(text: str) -> None:
    """BB-05: anything but ``>=`` a constant is evaluated every step."""
    assert COMPILER.compile(text).polls


def test_since_turns_an_observer_at_its_due_step_without_evaluations_between() -> None:
    """BB-05, BB-07: change at step 100, true first at step 340, 0 evaluations in between."""
    nodes = """
    nodes.top = { type = "reactive_selector", children = ["late", "rest"] }
    nodes.late = { type = "gate", when = "quiet and since(quiet) >= 4.0", child = "act" }
    nodes.act = { type = "wait", seconds = "forever" }
    nodes.rest = { type = "wait", seconds = "forever" }
    """
    one = One(tree_behaviour(nodes, 'quiet = { type = "bool" }'))
    one.world.step(100)
    one.write(quiet=True)
    assert one.steps(1) == []
    evaluations = []
    observer = one.tree_mind.tree._observers[0]
    test = observer._test
    observer._test = lambda board: evaluations.append(one.world.now) or test(board)
    assert one.steps(239) == []
    assert evaluations == []
    assert one.steps(1)[:3] == ["abort rest", "exit rest cancelled", "reeval top"]
    assert one.world.now == 340
    assert set(evaluations) == {340}


@pytest.mark.expects_faults
def test_a_condition_that_raises_is_false_and_one_fault_per_node(monkeypatch) -> None:
    """BB-06: counts as Failure outside strict, once in the fault list; raises in strict."""
    from ai import settings

    one = One(tree_behaviour('nodes.top = { type = "condition", when = "k" }', 'k = {type="bool"}'))

    def broken(board: Blackboard) -> bool:
        raise RuntimeError("broken")

    object.__setattr__(one.tree_mind.tree.root._condition, "test", broken)
    with pytest.raises(RuntimeError, match="broken"):
        one.world.step()
    monkeypatch.setattr(settings, "strict", False)
    other = One(
        tree_behaviour('nodes.top = { type = "condition", when = "k" }', 'k = {type="bool"}')
    )
    object.__setattr__(other.tree_mind.tree.root._condition, "test", broken)
    faults.clear()
    other.world.step(65)
    assert [fault.kind for fault in faults.all()] == ["condition"]
    assert other.count("finish top failure") == 3


def test_degrees_of_a_file_become_radians() -> None:
    """BB-06: keys ending _deg are converted on load."""
    made = behaviour(
        'format = 1\nname = "d"\nkind = "tree"\nmain = "main"\n[params]\nturn_deg = 180.0\n'
        '[blackboard]\nyaw_deg = { type = "float", default = 90.0, max = 360.0 }\n'
        '[trees.main]\nroot = "top"\nnodes.top = { type = "condition", when = "yaw_deg < 1.58" }\n'
    )
    key = made.layout.keys[0]
    assert key.default == pytest.approx(1.5707963)
    assert key.maximum == pytest.approx(6.2831853)
    one = One(made)
    assert one.steps(1) == ["finish top success"]
