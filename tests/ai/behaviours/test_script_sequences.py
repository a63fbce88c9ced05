"""Scripts and sequences in a street (TASK-95, EVT-67, EVT-69)."""

from __future__ import annotations

import pytest

from ai.behaviours.gestures import Gesture, gesture_of
from ai.behaviours.safe_record import SafeResponse
from ai.behaviours.script_tasks import TaskPlayGesture, TaskWalkTo
from ai.events.command_records import (
    CommandId,
    CommandRefused,
    CommandStatus,
    RefusalReason,
    SequenceEntry,
)
from ai.peds.ped import Ped
from ai.ports import EntityKind, EntityRef, Vec3
from ai.tasks.idle_tasks import DoNothing
from ai.tasks.task import Task
from ai.tasks.task_sequences import UseSequence
from ai.tasks.trees import PRIMARY, PrimarySlot
from game.world.world import World
from tests.ai.tasks.doubles import Probe
from tests.streets import courier_street, ped_named, steps, until

FIRST, SECOND = Vec3(500.0, 600.0), Vec3(500.0, 900.0)


@pytest.fixture
def world() -> World:
    return World(courier_street(), strict=True)


@pytest.fixture
def script(world: World) -> EntityRef:
    return world.sources.create("script")


def give(world: World, task: Task, script: EntityRef) -> object:
    return world.scripts.give_task(ped_named(world), task, source=script, kind="walk")


def walk_wait_walk(world: World, script: EntityRef) -> int:
    """The sequence of the rule: walk, wait 2 s, walk."""
    number = world.scripts.open_sequence(script)
    assert isinstance(number, int)
    tasks = (TaskWalkTo(FIRST), DoNothing(2.0), TaskWalkTo(SECOND))
    for place, task in enumerate(tasks):
        assert give(world, task, script) == SequenceEntry(number, place)
    assert world.scripts.close_sequence(script) == number
    return number


def performed(ped: Ped) -> UseSequence:
    task = ped.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY)
    assert isinstance(task, UseSequence)
    return task


def test_a_sequence_is_walked_and_survives_an_interruption(world: World, script: EntityRef) -> None:
    """TASK-95: walk, wait 2 s, walk; interrupted in the second entry it resumes with index 1."""
    ped = ped_named(world)
    number = walk_wait_walk(world, script)
    command = world.scripts.perform_sequence(ped, number, source=script)
    assert isinstance(command, CommandId)
    until(world, lambda: performed_index(ped) == 1, 600)
    assert ped.position.x == pytest.approx(FIRST.x, abs=30.0)
    steps(world, 30)
    ped.tasks.set_task(PRIMARY, Probe("flee"), PrimarySlot.EVENT_RESPONSE_NONTEMP)
    steps(world, 60)
    assert world.scripts.command_status(command) is CommandStatus.SUSPENDED
    ped.tasks.set_task(PRIMARY, None, PrimarySlot.EVENT_RESPONSE_NONTEMP)
    world.step()
    assert performed(ped).progress == 1
    assert world.scripts.script_task_status(ped, "sequence") is CommandStatus.PERFORMING
    until(world, lambda: world.scripts.command_status(command) is CommandStatus.FINISHED, 900)
    assert ped.position.y == pytest.approx(SECOND.y, abs=30.0)


def performed_index(ped: Ped) -> int:
    task = ped.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY)
    return task.progress if isinstance(task, UseSequence) else -1


def test_nothing_reaches_the_ped_while_the_sequence_is_open(
    world: World, script: EntityRef
) -> None:
    """TASK-95, EVT-67: commands of that script are appended; another script's go through."""
    ped = ped_named(world)
    world.scripts.open_sequence(script)
    give(world, DoNothing(1.0), script)
    steps(world, 3)
    assert ped.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY) is None
    other = world.sources.create("other")
    assert isinstance(give(world, DoNothing(1.0), other), CommandId)
    world.step()
    assert ped.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY) is not None


def test_sixteen_tasks_are_taken_and_the_next_refused(world: World, script: EntityRef) -> None:
    """TASK-94, EVT-69: the 17th is refused with length still 16, its task released."""
    number = world.scripts.open_sequence(script)
    assert isinstance(number, int)
    for _ in range(16):
        assert give(world, DoNothing(1.0), script)
    used = world.pool.used
    assert give(world, DoNothing(1.0), script) == CommandRefused(RefusalReason.SEQUENCE)
    assert world.scripts.sequences.length(number) == 16
    assert world.pool.used == used


def test_misuse_by_a_script_is_refused_and_written_down(world: World, script: EntityRef) -> None:
    """TASK-95, EVT-69: nested open, close without open, an open or unknown one: nothing changed."""
    scripts, ped = world.scripts, ped_named(world)
    refused = CommandRefused(RefusalReason.SEQUENCE)
    assert scripts.close_sequence(script) == refused
    number = scripts.open_sequence(script)
    assert isinstance(number, int)
    assert scripts.open_sequence(script) == refused
    assert scripts.perform_sequence(ped, number, source=script) == refused
    assert scripts.perform_sequence(ped, 99, source=script) == refused
    assert scripts.clear_sequence(99) == refused
    assert scripts.clear_sequence(number) is None
    assert len(scripts.sequences) == 0


def test_two_peds_perform_one_sequence(script: EntityRef) -> None:
    """TASK-95, EVT-69: independent progress; cleared meanwhile it is freed after the last."""
    from dataclasses import replace

    from tests.streets import person

    base = courier_street()
    world = World(replace(base, peds=(*base.peds, person(11, "other", 200.0, 900.0))), strict=True)
    source = world.sources.create("script")
    number = walk_wait_walk(world, source)
    peds = [ped_named(world), ped_named(world, "other")]
    for ped in peds:
        world.scripts.perform_sequence(ped, number, source=source)
    world.step()
    assert world.scripts.clear_sequence(number) is None
    assert len(world.scripts.sequences) == 1
    until(world, lambda: all(performed_index(ped) == -1 for ped in peds), 1500)
    assert len(world.scripts.sequences) == 0
    assert all(abs(ped.position.y - SECOND.y) < 130.0 for ped in peds)


def test_closing_the_world_frees_what_scripts_stored(world: World, script: EntityRef) -> None:
    """TASK-60: nothing is left in the pool."""
    walk_wait_walk(world, script)
    world.close()
    assert world.pool.used == 0


def test_kinds_of_sources_are_the_scripts(script: EntityRef) -> None:
    """EVT-67: a script is known by its order source."""
    assert script.kind is EntityKind.ORDER_SOURCE


def test_a_walk_that_a_flight_interrupts_goes_on_to_its_goal(
    world: World, script: EntityRef
) -> None:
    """EVT-72: nothing re-issues it: PERFORMING, SUSPENDED, PERFORMING, the same task and goal."""
    ped = ped_named(world)
    command = give(world, TaskWalkTo(SECOND), script)
    assert isinstance(command, CommandId)
    steps(world, 60)
    walk = ped.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY)
    here = ped.position
    reply = world.safe.flee_from(ped, (Vec3(here.x - 100.0, here.y),), 200.0)
    assert isinstance(reply, SafeResponse)
    steps(world, 2)
    assert world.scripts.command_status(command) is CommandStatus.SUSPENDED
    until(world, lambda: not reply.live, 1200)
    assert ped.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY) is walk
    until(world, lambda: ped.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY) is None, 2400)
    assert ped.position[:2] == pytest.approx(SECOND[:2], abs=15.0)
    assert world.scripts.command_status(command) is CommandStatus.FINISHED


def test_a_gesture_goes_on_for_what_is_left_of_it(world: World, script: EntityRef) -> None:
    """EVT-70, EVT-72: 2 s, interrupted after 0.5 s: shown for 2 s in all, and never meanwhile."""
    ped = ped_named(world)
    command = world.scripts.give_task(
        ped, TaskPlayGesture(Gesture.WAVE, 2.0), source=script, kind="play clip"
    )
    assert isinstance(command, CommandId)
    shown = 0
    for step in range(900):
        if step == 31:
            here = ped.position
            reply = world.safe.flee_from(ped, (Vec3(here.x - 100.0, here.y),), 200.0)
            assert isinstance(reply, SafeResponse)
        world.step()
        made = gesture_of(ped.tasks)
        if made is not None and made.gesture is Gesture.WAVE:
            shown += 1
            assert not reply.live if step > 31 else True
    assert shown == pytest.approx(120, abs=2)
    assert world.scripts.command_status(command) is CommandStatus.FINISHED
