"""The step table and the run's determinism, over small streets."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from ai.tasks.task_points import TaskPoints
from ai.tasks.trees import PRIMARY, PrimarySlot
from game.world.world import World
from tests.streets import courier_street, ped_named, person, prop, start, steps, street

ROOT = Path(__file__).resolve().parents[3]

STEP_TABLE = [
    (1, "input_and_cues"),
    (2, "scripts_and_commands"),
    (3, "things_of_the_world"),
    (4, "global_events"),
    (5, "body_recovery"),
    (6, "minds"),
    (7, "vehicle_and_object_trees"),
    (8, "removals"),
    (9, "knock_downs"),
    (10, "coordination_before_motion"),
    (11, "turning_and_motion"),
    (12, "path_service"),
    (13, "coordination_after_motion"),
    (14, "physics"),
    (15, "post_movement"),
    (16, "population"),
    (17, "end_of_step"),
]
"""product.md section 11, row by row."""


class Recorder:
    """Writes down every phase of every step."""

    def __init__(self) -> None:
        self.heard: list[tuple[int, str]] = []

    def phase_begins(self, number: int, name: str) -> None:
        self.heard.append((number, name))


def crowd_street() -> World:
    """Ten wanderers, a cone and a courier under orders."""
    people = [person(30 + i, f"p{i}", 300.0 + 130.0 * i, 1000.0, task="wander") for i in range(10)]
    description = courier_street()
    return World(
        replace(
            description,
            peds=(*description.peds, *people),
            props=(prop(60, "cone", 500.0, 600.0, 20.0, 3.0),),
        )
    )


def test_three_steps_run_the_seventeen_phases_in_order() -> None:
    """NAV-11, NAV-12: the phases of three steps equal the step table."""
    world = crowd_street()
    world.phase_listener = recorder = Recorder()
    steps(world, 3)
    assert recorder.heard == STEP_TABLE * 3


def test_facts_know_the_phase_they_came_about_in() -> None:
    """ORD-17, NAV-23: arrival is said in phase 11, taken in phase 13 of the same step."""
    world = World(courier_street())
    ped = ped_named(world)
    assert start(world).accepted
    steps(world, 700)
    arrived = world.facts.of(ped.ped_id, "ARRIVED")
    completed = world.facts.of(ped.ped_id, "COMPLETED")
    assert [fact.phase for fact in arrived] == [11]
    assert [fact.phase for fact in completed] == [13]
    assert arrived[0].step == completed[0].step


def test_minds_run_in_ascending_ped_id_whatever_the_order_of_spawning() -> None:
    """NAV-12: a step's order is that of ids, not of slots."""
    world = World(street(peds=(person(9, "late", 300, 300), person(3, "early", 900, 300))))
    assert [ped.name for ped in world.peds.in_id_order()] == ["early", "late"]


def test_two_runs_of_a_crowd_agree_bit_for_bit() -> None:
    """LVL-08, NAV-12: 600 steps twice in one process give one fingerprint."""
    prints = []
    for _ in range(2):
        world = crowd_street()
        start(world)
        steps(world, 600)
        prints.append(world.fingerprint.hexdigest())
        world.close()
    assert prints[0] == prints[1]


def test_another_seed_is_another_run() -> None:
    """LVL-08: the fingerprint sees what wanderers draw."""
    prints = set()
    for seed in (1, 2):
        world = World(crowd_street().description, seed=seed)
        steps(world, 300)
        prints.add(world.fingerprint.hexdigest())
    assert len(prints) == 2


def test_another_process_gives_the_same_run() -> None:
    """LVL-08: the fingerprint of a crowd does not depend on the process."""
    program = (
        "from tests.game.world.test_frame import crowd_street, steps\n"
        "world = crowd_street(); steps(world, 200); print(world.fingerprint.hexdigest())"
    )
    prints = {
        subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.strip()
        for _ in range(2)
    }
    world = crowd_street()
    steps(world, 200)
    assert prints == {world.fingerprint.hexdigest()}


def test_strict_checks_do_not_change_a_run() -> None:
    """TASK-02: strict on and off give the same positions over 600 steps."""
    from ai import settings

    prints = []
    for strict in (True, False):
        settings.strict = strict
        world = World(crowd_street().description, strict=strict)
        steps(world, 600)
        prints.append(world.fingerprint.hexdigest())
    assert prints[0] == prints[1]


def test_a_removed_ped_leaves_nothing_behind() -> None:
    """TASK-87, ORD-18: removal asked for in a step is done in it; all it held is free."""
    world = World(courier_street())
    tasks_before = world.pool.used
    other = world.peds.spawn(
        replace(ped_named(world).traits, name="guest"), ped_named(world).position, 0.0
    )
    ref, slot = other.ref, other.slot
    assert start(world, ped="guest").accepted
    steps(world, 30)
    assert world.peds.request_removal(ref)
    steps(world, 1)
    assert world.peds.resolve(ref) is None
    assert world.pool.used == tasks_before
    assert world.movement.claims.held(slot) == ()
    assert len(world.sources) == 0
    assert not world.table.present[slot]


def test_a_stale_ped_handle_never_reads_as_the_next_ped_in_its_slot() -> None:
    """F25, product.md section 5: the slot is used again, the old handle stays dead."""
    world = World(courier_street())
    first = world.peds.spawn(
        replace(ped_named(world).traits, name="first"), ped_named(world).position, 0.0
    )
    world.peds.request_removal(first.ref)
    steps(world, 1)
    second = world.peds.spawn(
        replace(ped_named(world).traits, name="second"), ped_named(world).position, 0.0
    )
    assert second.slot == first.slot
    assert second.ped_id > first.ped_id
    assert world.peds.resolve(first.ref) is None
    assert world.peds.resolve(second.ref) is second


def test_every_ped_has_a_default_task_from_its_first_moment() -> None:
    """TASK-70, TASK-72: before any step and after it."""
    world = crowd_street()
    for _ in range(2):
        for ped in world.peds.in_id_order():
            assert isinstance(ped.tasks.tree(PRIMARY).get_task(PrimarySlot.DEFAULT), TaskPoints)
        world.step()
