"""Typed keys, frozen snapshots, net changes, shared keys (BB-01 to BB-05, BB-11, BB-12)."""

from __future__ import annotations

import math
import sys

import pytest

from ai.machines.authoring.fault_report import BehaviourError
from ai.machines.authoring.library import BehaviourLibrary
from ai.machines.blackboard.board import Blackboard
from ai.machines.blackboard.keys import BoardLayout, KeyDefinition, KeyType
from ai.machines.blackboard.shared import SharedBoard
from ai.machines.errors import BlackboardError
from ai.ports import EntityKind, EntityRef
from tests.ai.machines.doubles import REGISTRY, One, tree_behaviour

KEYS = """
flag = { type = "bool" }
count = { type = "int", min = 0, max = 9 }
level = { type = "float", min = 0.0, max = 10.0 }
place = { type = "vec2" }
word = { type = "str" }
mood = { type = "enum", values = ["calm", "angry"] }
who = { type = "entity" }
"""
IDLE = 'nodes.top = { type = "wait", seconds = "forever" }'


def ped() -> One:
    one = One(tree_behaviour(IDLE, KEYS))
    one.world.step()
    return one


BAD = [
    ("missing", True, "not declared"),
    ("flag", 1, "not of type bool"),
    ("count", True, "not of type int"),
    ("count", 1.0, "not of type int"),
    ("count", 10, "above the maximum"),
    ("count", -1, "below the minimum"),
    ("level", math.nan, "not finite"),
    ("level", math.inf, "not finite"),
    ("level", 10**400, "not finite"),
    ("level", 10.5, "above the maximum"),
    ("place", (1.0,), "not of type vec2"),
    ("place", (1.0, math.nan), "not finite"),
    ("place", (True, 1.0), "not a number"),
    ("word", "x" * 65, "longer than 64"),
    ("mood", "sad", "none of calm, angry"),
    ("who", 7, "not of type entity"),
]


@pytest.mark.parametrize(("key", "value", "reason"), BAD)
def test_bad_writes_are_refused_whole(key: str, value: object, reason: str) -> None:
    """BB-01: key, writer and value are named, the snapshot is unchanged."""
    one = ped()
    before = list(one.brain.board.values)
    with pytest.raises(BlackboardError, match=reason) as caught:
        one.brain.write(key, value, "the sensor")
    assert key in str(caught.value)
    assert "the sensor" in str(caught.value)
    one.world.step()
    assert one.brain.board.values == before


def test_keys_begin_with_their_defaults() -> None:
    """BB-01: false, 0, 0.0, (0,0), "", first value, none."""
    assert ped().brain.board.values == [False, 0, 0.0, (0.0, 0.0), "", "calm", None]


def test_more_than_64_keys_are_refused() -> None:
    """BB-01: at most 64 keys per ped."""
    keys = [KeyDefinition(f"k{number}", KeyType.BOOL, False) for number in range(65)]
    with pytest.raises(BlackboardError, match="at most 64"):
        BoardLayout(keys)


class Life:
    """Which handles are alive."""

    def __init__(self) -> None:
        self.version = 0
        self.gone: set[EntityRef] = set()

    def is_alive(self, ref: EntityRef) -> bool:
        return ref not in self.gone


def test_a_stale_handle_reads_as_none_and_turning_stale_is_a_change() -> None:
    """BB-01, F25: the slot is used again, the old handle never means the newcomer."""
    life = Life()
    one = One(tree_behaviour(IDLE, KEYS), life=life)
    old, new = EntityRef(EntityKind.PED, 4, 1), EntityRef(EntityKind.PED, 4, 2)
    one.write(who=old)
    one.world.step(3)
    life.gone.add(old)
    life.version += 1
    one.world.step()
    board = one.brain.board
    slot = board.layout.slots["who"]
    assert board.values[slot] is None
    assert board.changed == 1 << slot
    assert board.changed_step[slot] == 3
    assert life.is_alive(new)
    one.write(who=old)
    one.world.step()
    assert board.values[slot] is None


def test_a_write_is_seen_in_the_next_step_and_the_last_one_wins() -> None:
    """BB-02: a sensor's write during step n is read first in step n+1."""
    one = ped()
    one.write(count=1)
    one.write(count=2)
    assert one.brain.board.read("count", "test") == 0
    one.world.step()
    assert one.brain.board.read("count", "test") == 2


def test_an_undeclared_access_names_key_and_reader() -> None:
    """BB-01, F24: an error that names both."""
    with pytest.raises(BlackboardError, match="the guard uses key 'ghost'"):
        ped().brain.board.read("ghost", "the guard")


SET = """
nodes.top = { type = "sequence", children = ["write", "look"] }
nodes.write = { type = "set", key = "count", value = 5 }
nodes.look = { type = "condition", when = "count == 5" }
"""


def test_a_leaf_that_sets_a_key_succeeds_when_the_value_can_be_read() -> None:
    """BB-03: the sibling reads the new value, exactly one tick later."""
    one = One(tree_behaviour(SET, KEYS))
    assert one.steps(1) == ["enter top", "enter write"]
    assert one.steps(1) == ["exit write success", "finish look success", "exit top success"]


def test_scratch_is_seen_at_once_and_cleared_with_the_tree() -> None:
    """BB-03: ``%name`` is tree-local, immediate and unobservable."""
    nodes = """
    nodes.top = { type = "sequence", children = ["before", "write", "look"] }
    nodes.before = { type = "condition", when = "%tries == 0" }
    nodes.write = { type = "set", key = "%tries", op = "add", value = 2 }
    nodes.look = { type = "condition", when = "%tries == 2" }
    """
    one = One(tree_behaviour(nodes))
    run = [
        "enter top",
        "finish before success",
        "enter write",
        "exit write success",
        "finish look success",
        "exit top success",
    ]
    assert one.steps(1) == run
    assert one.steps(1) == run


def board(*keys: KeyDefinition) -> Blackboard:
    return Blackboard(BoardLayout(keys))


def test_a_pulse_within_one_boundary_is_silent_and_a_counter_is_not() -> None:
    """BB-04: A -> B -> A is no change; heard_shots + 1 is."""
    flag = board(KeyDefinition("flag", KeyType.BOOL, False))
    flag.stage(0, True)
    flag.stage(0, False)
    assert flag.freeze(1) == 0
    count = board(KeyDefinition("shots", KeyType.INT, 0))
    count.stage(0, 1)
    assert count.freeze(1) == 1
    assert count.freeze(2) == 0


def test_slow_drift_is_noticed() -> None:
    """BB-04: epsilon 1.0 and 0.3 a step: changed at the 4th step, measured from the last change."""
    drift = board(KeyDefinition("x", KeyType.FLOAT, 0.0, epsilon=1.0))
    changed = []
    for step in range(1, 9):
        drift.stage(0, 0.3 * step)
        changed.append(bool(drift.freeze(step)))
    assert changed == [False, False, False, True, False, False, False, True]


def test_a_point_changes_by_distance() -> None:
    """BB-04: vec2 by more than epsilon."""
    place = board(KeyDefinition("p", KeyType.VEC2, (0.0, 0.0), epsilon=5.0))
    place.stage(0, (3.0, 4.0))
    assert place.freeze(1) == 0
    place.stage(0, (3.0, 4.1))
    assert place.freeze(2) == 1


def test_an_idle_boundary_allocates_nothing() -> None:
    """BB-11, BT-29: 1,000 idle freezes keep no block."""
    quiet = board(*(KeyDefinition(f"k{number}", KeyType.BOOL, False) for number in range(20)))
    for step in range(300, 310):
        quiet.freeze(step)
    steps = range(1000, 2000)
    before = sys.getallocatedblocks()
    for step in steps:
        quiet.freeze(step)
    assert sys.getallocatedblocks() - before <= 2


FILE = """
format = 1
name = "{name}"
kind = "tree"
main = "main"
[blackboard]
alarm = {{ type = "bool", shared = {shared} }}
[trees.main]
root = "top"
nodes.top = {{ type = "wait", seconds = "forever" }}
"""


def test_shared_and_private_keys_of_one_name_are_refused_with_both_files(tmp_path) -> None:
    """BB-12, F24: differing declarations name both files; two private ones don't clash."""
    library = BehaviourLibrary(REGISTRY)
    for name, shared in (("one", "true"), ("two", "false")):
        (tmp_path / f"{name}.toml").write_text(FILE.format(name=name, shared=shared))
    library.load(tmp_path / "one.toml")
    with pytest.raises(BehaviourError, match=r"two\.toml.*alarm.*one\.toml"):
        library.load(tmp_path / "two.toml")


def test_a_shared_key_has_one_value_and_is_read_at_each_own_boundary() -> None:
    """BB-12, F24: 1,000 peds share one value; a private key of like use stays apart."""
    shared = SharedBoard()
    layout = BoardLayout(
        [
            KeyDefinition("alarm", KeyType.BOOL, False, shared=True),
            KeyDefinition("own", KeyType.INT, 0),
        ],
        "a.toml",
    )
    boards = [Blackboard(layout, shared=shared) for _ in range(1000)]
    boards[7].stage(0, True)
    boards[7].stage(1, 3)
    changes = [one.freeze(1) for one in boards]
    assert [change & 1 for change in changes] == [1] * 1000
    assert all(one.values[0] is True for one in boards)
    assert sum(one.values[1] == 3 for one in boards) == 1
    late = Blackboard(layout, shared=shared)
    assert late.values[0] is True


def test_two_files_of_one_ped_must_declare_a_key_alike() -> None:
    """BB-12: the merged layout names both files."""
    first = BoardLayout([KeyDefinition("k", KeyType.BOOL, False)], "a.toml")
    second = BoardLayout([KeyDefinition("k", KeyType.INT, 0)], "b.toml")
    with pytest.raises(BlackboardError, match=r"a\.toml and b\.toml"):
        BoardLayout.merged([first, second])
    third = BoardLayout([KeyDefinition("z", KeyType.INT, 0)], "c.toml")
    assert list(BoardLayout.merged([first, third]).slots) == ["k", "z"]


def test_a_private_and_a_shared_key_meet_at_the_board() -> None:
    """BB-12: found at run time as well, whichever comes first."""
    private = BoardLayout([KeyDefinition("alarm", KeyType.BOOL, False)], "a.toml")
    common = BoardLayout([KeyDefinition("alarm", KeyType.BOOL, False, shared=True)], "b.toml")
    for order in ((private, common), (common, private)):
        shared = SharedBoard()
        Blackboard(order[0], shared=shared)
        with pytest.raises(BlackboardError, match="declared differently"):
            Blackboard(order[1], shared=shared)
