"""Trees of vehicles and objects (TASK-84)."""

from __future__ import annotations

import random
import sys

import pytest

from ai.tasks.entity_trees import (
    THING_PRIMARY,
    THING_SECONDARY,
    VehicleSlot,
    add_object_trees,
    register_vehicle_trees,
    vehicle_trees,
)
from ai.tasks.task_manager import TaskManager
from ai.tasks.task_text import tree_text
from ai.tasks.task_tree import TaskTree
from tests.ai.tasks.doubles import STEP, Log, Probe, quit_now


class FakeThing:
    """An entity without a movement tree."""

    label = "car#20"
    is_mirrored = False

    def __init__(self) -> None:
        self.rng = random.Random(20)
        self.tasks = TaskManager(self)


def car(default: type[Probe] | None = None) -> tuple[FakeThing, tuple[TaskTree, TaskTree]]:
    thing = FakeThing()
    trees = vehicle_trees(thing, default)
    register_vehicle_trees(thing.tasks, trees)
    return thing, trees


def test_a_vehicle_has_two_trees_of_its_own(log: Log) -> None:
    """TASK-84, TASK-61: CRASH 0, PRIMARY 1, SECONDARY 2 and ANIM 0; the manager only updates."""
    thing, (primary, secondary) = car()
    assert primary.slot_names == ("crash", "primary", "secondary")
    assert secondary.slot_names == ("anim",)
    assert thing.tasks.trees() == (primary, secondary)
    thing.tasks.set_task(THING_PRIMARY, Probe("drive", log), VehicleSlot.PRIMARY)
    thing.tasks.set_task(THING_SECONDARY, Probe("siren", log), 0)
    thing.tasks.process(STEP)
    assert log == ["drive.enterA", "drive.updA", "siren.enterA", "siren.updA"]


def test_a_crash_puts_the_drive_aside(log: Log) -> None:
    """TASK-84: the same abort rules as a ped's."""
    thing, (primary, _) = car()
    drive = Probe("drive", log)
    thing.tasks.set_task(THING_PRIMARY, drive, VehicleSlot.PRIMARY)
    thing.tasks.process(STEP)
    log.clear()
    thing.tasks.set_task(THING_PRIMARY, Probe("crash", log, {"updA": quit_now}), VehicleSlot.CRASH)
    assert drive.is_aborted
    thing.tasks.process(STEP)
    assert log[-2:] == ["drive.enterA", "drive.updA"]
    assert primary.active_root is drive


def test_no_default_task_unless_one_is_declared() -> None:
    """TASK-84: an empty tree stays empty; a declared default fills SECONDARY."""
    thing, (primary, _) = car()
    thing.tasks.process(STEP)
    assert primary.active_root is None
    parked, (idle, _) = car(Probe)
    parked.tasks.process(STEP)
    assert isinstance(idle.get_task(VehicleSlot.SECONDARY), Probe)


def test_an_object_has_one_slot_a_tree(log: Log) -> None:
    """TASK-84: primary with one slot, secondary with one."""
    thing = FakeThing()
    add_object_trees(thing.tasks, thing)
    assert [len(tree.slots) for tree in thing.tasks.trees()] == [1, 1]
    thing.tasks.set_task(THING_PRIMARY, Probe("door", log), 0)
    thing.tasks.process(STEP)
    assert log == ["door.enterA", "door.updA"]
    assert "car#20 primary\n [0] primary        * probe#" in tree_text(thing.tasks)


@pytest.mark.usefixtures("in_play")
def test_an_empty_tree_costs_a_comparison() -> None:
    """TASK-84: nothing is called for it but the look whether there is a root."""
    thing, _ = car()
    called: list[str] = []

    def profile(frame: object, event: str, argument: object) -> None:
        if event == "call":
            called.append(frame.f_code.co_name)  # type: ignore[attr-defined]

    sys.setprofile(profile)
    try:
        thing.tasks.process(STEP)
    finally:
        sys.setprofile(None)
    assert set(called) == {"process"}
