"""Task trees as rows and marks, and the line that says why nothing is happening."""

from __future__ import annotations

import pytest

from ai.peds.ped import Ped
from ai.tasks.task_text import tree_views
from ai.tasks.trees import PRIMARY, PrimarySlot
from game.ui.inspector.reading import Row, SlotMark, Tone
from game.ui.inspector.stop_reasons import StopReason, stop_reasons
from game.ui.inspector.task_section import task_section, why_still
from game.world.world import World
from tests.streets import courier_street, ped_named, start, steps

HOLD = StopReason("HOLD", "command hold", "until a signal")


@pytest.fixture
def world() -> World:
    """The courier on its way: an order over a stand that was put aside."""
    made = World(courier_street())
    steps(made, 1)
    assert start(made).accepted
    steps(made, 30)
    return made


def rows_of(ped: Ped) -> dict[str, Row]:
    return {row.key: row for row in task_section(tree_views(ped.tasks)).rows}


def test_all_four_trees_are_there_with_every_slot(world: World) -> None:
    """TASK-115: five primary slots, one secondary, three movement, one motion."""
    rows = rows_of(ped_named(world))
    counts = {name: len(rows[name].slots) for name in ("primary", "secondary", "movement")}
    assert counts == {"primary": 5, "secondary": 1, "movement": 3}
    assert len(rows["motion"].slots) == 1


def test_marks_tell_active_aborted_and_empty_slots_apart(world: World) -> None:
    """TASK-115: the order is active in PRIMARY, the stand waits aborted in DEFAULT."""
    primary = rows_of(ped_named(world))["primary"].slots
    empty = SlotMark.EMPTY
    assert primary == (empty, empty, empty, SlotMark.ACTIVE, SlotMark.ABORTED)


def test_a_task_that_never_started_is_marked_so() -> None:
    """TASK-115: the order is placed before the default task had its first turn."""
    world = World(courier_street())
    assert start(world).accepted
    steps(world, 1)
    rows = rows_of(ped_named(world))
    assert rows["primary"].slots[PrimarySlot.DEFAULT] is SlotMark.WAITING
    assert rows["primary.4.0"].text.endswith("not started")


def test_a_task_has_name_number_state_and_times(world: World) -> None:
    """TASK-115: 29 of 30 steps have passed since the order was entered: 0.5 s."""
    ped = ped_named(world)
    root = ped.tasks.tree(PRIMARY).active_root
    assert root is not None
    row = rows_of(ped)[f"primary.{int(PrimarySlot.PRIMARY)}.0"]
    assert row.text == f"order#{root.uid} travel"
    assert row.tail == f"{root.time_in_state:.1f} s"
    assert row.tail == "0.5 s"


def test_children_hang_on_their_parents_and_are_told_by_tone(world: World) -> None:
    rows = rows_of(ped_named(world))
    parent, child = rows["primary.3.0"], rows["primary.3.1"]
    assert (parent.depth, child.depth) == (1, 2)
    assert (parent.tone, child.tone) == (Tone.TEXT, Tone.INFO)
    assert child.text.startswith("control_movement#")


def test_an_aborted_task_says_where_it_will_go_on(world: World) -> None:
    """TASK-115: ``a`` with its resume state."""
    row = rows_of(ped_named(world))["primary.4.0"]
    assert row.text.endswith("was stand, will resume")
    assert row.tone is Tone.DIM


@pytest.mark.parametrize(
    ("resumes", "words"),
    [("AWAIT", "was travel, will resume await"), ("quits", "was travel, will quit")],
)
def test_where_it_goes_on_is_said_if_it_is_elsewhere(
    world: World, resumes: str, words: str
) -> None:
    """TASK-115: the resume state, or that it will end instead."""
    primary, *others = tree_views(ped_named(world).tasks)
    slots = list(primary.slots)
    aborted = slots[4].tasks[0]._replace(was="TRAVEL", resumes=resumes)
    slots[4] = slots[4]._replace(tasks=(aborted,))
    views = (primary._replace(slots=tuple(slots)), *others)
    row = next(row for row in task_section(views).rows if row.key == "primary.4.0")
    assert row.text.endswith(words)


def test_a_ped_that_moves_needs_no_explanation(world: World) -> None:
    ped = ped_named(world)
    assert why_still(ped, tree_views(ped.tasks), ()) == ""


def test_why_nothing_is_happening_names_slot_and_who_put_whom_aside(world: World) -> None:
    """TASK-117: active slot, who aborted what, and what holds the body."""
    ped = ped_named(world)
    ped.movement.hold()
    steps(world, 60)
    reasons = stop_reasons(ped.movement, world.clock.time_s, world.data.navigation)
    order, stand = (ped.tasks.tree(PRIMARY).slots[slot] for slot in (3, 4))
    assert order is not None
    assert stand is not None
    assert why_still(ped, tree_views(ped.tasks), reasons) == (
        f"order#{order.uid} (travel) runs in slot primary; "
        f"stand#{stand.uid} was put aside by order#{order.uid}; "
        "command hold, until continue, redirect or cancel"
    )


def test_who_refused_to_let_go_is_named() -> None:
    """TASK-117: a task that refused an URGENT abort in step 12 (TASK-115)."""
    world = World(courier_street())
    steps(world, 1)
    ped = ped_named(world)
    primary, *others = tree_views(ped.tasks)
    slots = list(primary.slots)
    stubborn = slots[4].tasks[0]._replace(urgent_refused_in_step=12)
    slots[4] = slots[4]._replace(tasks=(stubborn,))
    views = (primary._replace(slots=tuple(slots)), *others)
    name = f"stand#{stubborn.uid}"
    assert f"{name} refused to let go in step 12" in why_still(ped, views, (HOLD,))
    row = next(row for row in task_section(views).rows if row.key == "primary.4.0")
    assert row.text.endswith("refused to let go in step 12")
