"""The ped's turn: its order, its slices, its forced updates (TASK-85, TASK-86)."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import cast

import pytest

from ai.behaviours.actor import Actor
from ai.behaviours.standing import TaskStand
from ai.peds.ped import Ped
from ai.ports import Vec3
from ai.tasks.movement import ControlMovement
from ai.tasks.task import Task
from ai.tasks.trees import (
    MOTION,
    MOVEMENT,
    PRIMARY,
    SECONDARY,
    MotionSlot,
    MovementTreeSlot,
    PrimarySlot,
    SecondarySlot,
)
from game.world.world import World
from tests.ai.behaviours.stand_ins import Idler, Walker
from tests.ai.tasks.doubles import Log, MotionProbe, MoveProbe, Probe, fresh_type, with_child
from tests.streets import ped_named, person, steps, street

STEP_S = 1.0 / 60.0
MAIN = PrimarySlot.PRIMARY


def bystander(*, period: int = 1, ped_id: int = 12) -> tuple[World, Ped]:
    world = World(street(peds=(person(ped_id, "mary", 500.0, 500.0),)), strict=True, ped_capacity=8)
    ped = ped_named(world, "mary")
    ped.intelligence.fix_period(period)
    return world, ped


class Signaller(Task):
    """Wants move signals while ``wants`` is true; logs what it is called for."""

    task_type = fresh_type("signaller")
    __slots__ = ("lengths_s", "log", "wants")
    PARAMS = ("log",)

    class State(IntEnum):
        RUN = 0

    def __init__(self, log: Log) -> None:
        super().__init__()
        self.log = log
        self.lengths_s: list[float] = []
        self.wants = True

    def on_enter_run(self) -> None:
        self.log.append("enter")
        cast("Actor", self.entity).request_move_signals()

    def on_update_run(self, dt: float) -> None:
        self.log.append("update")
        self.lengths_s.append(dt)

    def process_move_signals(self) -> bool:
        self.log.append("signal")
        return self.wants


# -- order -------------------------------------------------------------------------------------


def test_one_step_updates_the_four_trees_in_order() -> None:
    """TASK-69, TASK-78: primary, secondary, movement, motion; the wish is there before motion."""
    world, ped = bystander()
    log: Log = []
    motion = MotionProbe("motion", log)
    mover = lambda: ControlMovement(MoveProbe("movement", log, mbr=2.0))  # noqa: E731
    ped.tasks.set_task(PRIMARY, Probe("primary", log, {"enterA": with_child(mover)}), MAIN)
    ped.tasks.set_task(SECONDARY, Probe("secondary", log), SecondarySlot.PARTIAL_ANIM)
    ped.tasks.set_task(MOTION, motion, MotionSlot.DEFAULT)
    world.step()
    log.clear()
    world.step()
    assert log == ["primary.updA", "secondary.updA", "movement.move", "motion.pose"]
    assert motion.wished[-1] == 2.0


def test_a_turn_commits_then_signals_then_updates() -> None:
    """TASK-85: what is chosen is entered in the same step; move signals come before the trees."""
    world, ped = bystander()
    source = world.sources.create("script")
    log: Log = []
    assert world.scripts.give_task(ped, Signaller(log), source=source, kind="signal")
    world.step()
    assert log == ["enter", "update"]
    world.step()
    assert log == ["enter", "update", "signal", "update"]


def test_who_is_displaced_by_a_command_gets_no_signal_any_more() -> None:
    """TASK-85: the event handler's place is before the move signals."""
    world, ped = bystander()
    source = world.sources.create("script")
    log: Log = []
    ped.tasks.set_task(PRIMARY, Signaller(log), MAIN)
    world.step()
    assert log == ["enter", "update"]
    assert world.scripts.give_task(ped, Signaller([]), source=source, kind="signal")
    world.step()
    assert log == ["enter", "update"]


def test_the_first_update_after_spawning_is_full() -> None:
    """TASK-70, TASK-86: whatever the slice says."""
    world, ped = bystander(period=16)
    assert ped.intelligence.full_updates == 0
    world.step()
    assert ped.intelligence.full_updates == 1


# -- slices ------------------------------------------------------------------------------------


def test_a_slice_of_six_gives_ten_updates_of_a_tenth_of_a_second() -> None:
    """TASK-86: 60 steps: 10 updates with dt 0.1, time_running 1.0, nothing dropped or clamped."""
    world, ped = bystander()
    task = Signaller([])
    task.wants = False
    ped.tasks.set_task(PRIMARY, task, MAIN)
    steps(world, 5)
    while not ped.intelligence.full_update_due(world.clock.step - 1) or (
        (world.clock.step - 1 + ped.ped_id) % 6
    ):
        world.step()
    ped.intelligence.fix_period(6)
    started, updates = task.time_running, len(task.lengths_s)
    steps(world, 60)
    lengths = task.lengths_s[updates:]
    assert lengths == pytest.approx([0.1] * 10, abs=1e-9)
    assert task.time_running - started == pytest.approx(1.0, abs=1e-9)


def test_slices_are_staggered_by_ped_id() -> None:
    """TASK-86, TASK-119: full updates come when (step + ped id) % period == 0."""
    world = World(
        street(peds=tuple(person(10 + i, f"p{i}", 200.0 + 150.0 * i, 500.0) for i in range(6))),
        strict=True,
        ped_capacity=8,
    )
    for ped in world.peds.in_id_order():
        ped.intelligence.fix_period(6)
    steps(world, 3)
    per_step = []
    for _ in range(12):
        before = [ped.intelligence.full_updates for ped in world.peds.in_id_order()]
        step = world.clock.step
        world.step()
        after = [ped.intelligence.full_updates for ped in world.peds.in_id_order()]
        due = [(step + ped.ped_id) % 6 == 0 for ped in world.peds.in_id_order()]
        assert [b - a == 1 for a, b in zip(before, after, strict=True)] == due
        per_step.append(sum(due))
    assert per_step == [1] * 12


@pytest.mark.parametrize("period", [6, 15])
def test_a_wait_ends_within_one_slice_of_the_unsliced_run(period: int) -> None:
    """TASK-86: a 1.5 s wait."""
    ends = []
    for one in (1, period):
        world, ped = bystander(period=one)
        ped.tasks.set_task(PRIMARY, TaskStand(1.5), MAIN)
        while ped.tasks.tree(PRIMARY).get_task(MAIN) is not None:
            world.step()
        ends.append(world.clock.step)
    unsliced, sliced = ends
    assert unsliced == 90
    assert unsliced <= sliced < unsliced + period


def test_a_force_makes_this_turn_full_and_hands_over_the_time_once() -> None:
    """TASK-86, combination 22: the summed time is not counted again after a forced update."""
    world, ped = bystander(period=6, ped_id=12)
    task = Signaller([])
    task.wants = False
    ped.tasks.set_task(PRIMARY, task, MAIN)
    steps(world, 13)
    assert world.clock.step == 13
    steps(world, 2)
    updates = len(task.lengths_s)
    ped.force_full_update()
    world.step()
    assert len(task.lengths_s) == updates + 1
    steps(world, 9)
    late = task.lengths_s[updates:]
    assert late == pytest.approx([3 / 60, 3 / 60, 6 / 60], abs=1e-9)
    assert sum(task.lengths_s) == pytest.approx(25 / 60, abs=1e-9)


def test_a_command_given_right_after_an_update_enters_in_the_next_step() -> None:
    """TASK-63: 1-in-6 slice: not 6 steps later."""
    world, ped = bystander(period=6)
    steps(world, 2)
    while (world.clock.step - 1 + ped.ped_id) % 6:
        world.step()
    idler = Idler()
    ped.tasks.set_task(PRIMARY, idler, MAIN)
    world.step()
    assert idler.enters == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda ped: ped.tasks.set_task(PRIMARY, None, PrimarySlot.EVENT_RESPONSE_TEMP),
        lambda ped: ped.tasks.set_task(PRIMARY, ped.tasks.tree(PRIMARY).get_task(MAIN), int(MAIN)),
    ],
    ids=["empty cleared", "same object"],
)
def test_what_changes_nothing_forces_nothing(change: Callable[[Ped], object]) -> None:
    """TASK-63, combination 23: refused or unchanged results do not force an update."""
    world, ped = bystander(period=15)
    ped.tasks.set_task(PRIMARY, Idler(), MAIN)
    steps(world, 4)
    assert not ped.intelligence.needs_full_update
    change(ped)
    assert not ped.intelligence.needs_full_update
    ped.is_mirrored = True
    ped.tasks.set_task(PRIMARY, Idler(), MAIN)
    assert not ped.intelligence.needs_full_update
    ped.is_mirrored = False


# -- move signals ------------------------------------------------------------------------------


def test_a_subscribed_ped_gets_signals_in_every_step() -> None:
    """TASK-68: 1-in-6 slice: 60 steps give 60 signals and 10 updates; after a False none."""
    world, ped = bystander(period=6)
    log: Log = []
    task = Signaller(log)
    ped.tasks.set_task(PRIMARY, task, MAIN)
    steps(world, 2)
    log.clear()
    steps(world, 60)
    assert (log.count("signal"), log.count("update")) == (60, 10)
    task.wants = False
    world.step()
    log.clear()
    steps(world, 30)
    assert log.count("signal") == 0


# -- the wish becomes a speed (LOC-17) ---------------------------------------------------------


def test_a_wished_ratio_is_a_desired_speed_in_the_same_step() -> None:
    """LOC-17, LOC-13, TASK-78: run (2.0) is 330 cm/s, run profile, in the step of its enter."""
    world, ped = bystander()
    ped.tasks.set_task(PRIMARY, Walker(Vec3(1500.0, 500.0), mbr=2.0), MAIN)
    world.step()
    assert ped.movement.desired_speed == 330.0
    assert ped.movement.clip.profile == ped.services.gait_speeds.run_profile


def test_a_swept_movement_task_leaves_speed_0_and_the_goal() -> None:
    """LOC-17, TASK-80, TASK-82: the record's goal stays."""
    world, ped = bystander()
    walker = Walker(Vec3(1500.0, 500.0))
    ped.tasks.set_task(PRIMARY, walker, MAIN)
    steps(world, 30)
    assert ped.movement.desired_speed == 130.0
    ped.tasks.set_task(PRIMARY, None, MAIN)
    here = ped.position
    steps(world, 30)
    assert ped.movement.desired_speed == 0.0
    assert ped.movement.goal == Vec3(1500.0, 500.0)
    assert ped.position == here
    general = ped.tasks.tree(MOVEMENT).get_task(MovementTreeSlot.GENERAL)
    assert general is None
