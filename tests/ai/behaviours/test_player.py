"""The player's ped: keys become a steering wish that yields to everything higher (LOC-18)."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from ai.behaviours.order_record import OrderStatus
from ai.behaviours.player import TaskPlayerControl, TaskSteer
from ai.motion.claims import ClaimOwner
from ai.motion.movement_table import ClipPhase, MoveStatus
from ai.ports import Polygon, Vec3
from ai.tasks.trees import MOVEMENT, PRIMARY, MovementTreeSlot, PrimarySlot
from game.world.description import LevelDescription, PedDescription, ThingDescription
from game.world.world import World
from tests.ai.behaviours.courier import MAIN, Courier
from tests.ai.behaviours.stand_ins import Idler
from tests.streets import car, courier_street, person

EAST = 0.0
SOUTH = math.pi / 2


def player(*obstacles: ThingDescription, x: float = 300.0, y: float = 800.0) -> Courier:
    """The courier is the player, and faces east."""
    return Courier(player_street(*obstacles, x=x, y=y))


def player_street(
    *obstacles: ThingDescription, x: float = 300.0, y: float = 800.0
) -> LevelDescription:
    one: PedDescription = replace(person(10, "courier", x, y), options={"player": True})
    cars = (car(20, "car_a", 1700.0, 300.0), car(21, "car_b", 1700.0, 1300.0))
    return courier_street(peds=(one,), obstacles=obstacles, vehicles=cars)


def wall_at(angle_deg: float, x: float, y: float) -> ThingDescription:
    """A long wall through a point at an angle to the x axis."""
    return ThingDescription(
        object_id=40,
        name="wall",
        kind="wall",
        position=Vec3(x, y),
        yaw_rad=math.radians(angle_deg),
        outline=Polygon(((-600.0, -10.0), (600.0, -10.0), (600.0, 10.0), (-600.0, 10.0))),
        z_high_cm=220.0,
    )


def press(courier: Courier, heading_rad: float | None, mbr: float = 1.0) -> None:
    controls = courier.world.player_controls
    controls.heading_rad, controls.mbr = heading_rad, mbr


def test_the_players_default_task_steers() -> None:
    """TASK-73 row 3, LOC-18: player control with a steering movement, claim 50."""
    courier = player()
    courier.step()
    default = courier.ped.tasks.tree(PRIMARY).get_task(PrimarySlot.DEFAULT)
    assert isinstance(default, TaskPlayerControl)
    assert isinstance(courier.task(MovementTreeSlot.GENERAL, MOVEMENT), TaskSteer)
    (claim,) = courier.world.movement.claims.held(courier.ped.slot)
    assert (claim.priority, claim.owner_kind) == (50, ClaimOwner.CONTROL_MOVEMENT)


def test_a_key_is_felt_within_two_frames() -> None:
    """LOC-18: pressed ahead of it, the ped moves within 2 frames of 1/60 s."""
    courier = player()
    courier.step(30)
    here = courier.xy
    press(courier, EAST)
    courier.step(2)
    assert courier.xy[0] > here[0]


def test_a_turn_in_place_is_cut_short() -> None:
    """LOC-18: turns are cut to 0.15 s (9 frames): a half turn, then it walks the other way."""
    courier = player()
    courier.step(30)
    here = courier.xy
    press(courier, math.pi)
    courier.step(13)
    assert courier.xy[0] < here[0]


def test_letting_go_plays_the_stop_and_stands() -> None:
    """LOC-18: dropping the wish plays the stop; it is never ARRIVED."""
    courier = player()
    press(courier, EAST)
    courier.step(60)
    assert courier.movement.measured_speed > 100.0
    press(courier, None)
    courier.step(2)
    assert courier.movement.clip.phase in (ClipPhase.STOP, ClipPhase.STOP_TAIL)
    courier.step(90)
    here = courier.xy
    courier.step(30)
    assert courier.xy == here
    assert courier.movement.status is not MoveStatus.ARRIVED
    assert courier.facts("ARRIVED") == []


def test_running_is_a_run() -> None:
    """LOC-13, LOC-18: Shift: blend ratio 2: 330 cm/s, step bound 5.5 cm."""
    courier = player()
    press(courier, EAST, 2.0)
    longest = 0.0
    for _ in range(120):
        before = courier.xy
        courier.step()
        longest = max(longest, math.dist(before, courier.xy))
    assert 5.0 < longest <= 5.5 + 1e-9


@pytest.mark.parametrize("angle_deg", [30.0, -30.0, 60.0])
def test_a_held_key_slides_along_a_wall(angle_deg: float) -> None:
    """LOC-18: W held against a wall at 30 degrees: moves along it, and never into it.

    What moves it is the part of each step along the wall: cos 30 of 260 cm in 2 s.
    """
    courier = player(wall_at(angle_deg, 700.0, 800.0))
    press(courier, EAST)
    courier.step(240)
    start = courier.xy
    courier.step(120)
    moved = (courier.xy[0] - start[0], courier.xy[1] - start[1])
    part_cm = 260.0 * math.cos(math.radians(angle_deg))
    assert math.hypot(*moved) == pytest.approx(part_cm, rel=0.02)
    assert math.degrees(math.atan2(moved[1], moved[0])) == pytest.approx(angle_deg, abs=0.5)
    walking = courier.world.data.locomotion
    assert courier.world.clearance.circle_free(*courier.xy, 29.99, 5.0, walking.ped_height)


def test_knocked_down_with_the_key_held_it_walks_on_after_getting_up() -> None:
    """LOC-18: nothing moves until the body is up, then the wish is read afresh."""
    courier = player()
    press(courier, EAST)
    courier.step(60)
    courier.fall()
    here = courier.xy
    for _ in range(90):
        courier.step()
        assert courier.xy == here
    press(courier, SOUTH)
    courier.get_up()
    courier.step(60)
    assert courier.xy[1] > here[1] + 20.0
    assert courier.xy[0] == pytest.approx(here[0], abs=1.0)


def test_a_response_takes_over_and_gives_back() -> None:
    """LOC-18: it yields to whatever stands above; the wish is dropped and read again."""
    courier = player()
    press(courier, EAST)
    courier.step(60)
    courier.respond()
    courier.step(60)
    here = courier.xy
    courier.step(30)
    assert courier.xy == here
    courier.clear(PrimarySlot.EVENT_RESPONSE_NONTEMP)
    courier.step(30)
    assert courier.xy[0] > here[0]


def test_the_player_can_be_ordered_about() -> None:
    """LOC-18, ORD-06: an order takes the record from the wish, and the wish comes back after it."""
    courier = player()
    press(courier, EAST)
    courier.step(30)
    assert courier.start().accepted
    courier.step(30)
    assert courier.status is OrderStatus.TRAVELLING
    assert courier.movement.goal == courier.order.goal
    assert courier.cancel().accepted
    courier.step(90)
    here = courier.xy
    courier.step(10)
    assert courier.xy[0] > here[0]
    assert courier.movement.owner is None


def test_a_steering_that_lost_its_slot_steers_again() -> None:
    """TASK-79, NAV-13: GENERAL cleared: a copy steers on, one claim throughout."""
    courier = player()
    press(courier, EAST)
    courier.step(30)
    courier.clear(MovementTreeSlot.GENERAL, MOVEMENT)
    courier.step(3)
    here = courier.xy
    courier.step(10)
    assert courier.xy[0] > here[0]
    assert len(courier.world.movement.claims.held(courier.ped.slot)) == 1


def test_a_steering_that_ended_is_begun_again_under_the_same_claim() -> None:
    """NAV-13: entered anew, the task finds its claim still there and keeps it."""
    courier = player()
    courier.step(3)
    default = courier.ped.tasks.tree(PRIMARY).get_task(PrimarySlot.DEFAULT)
    assert isinstance(default, TaskPlayerControl)
    live = courier.task(MovementTreeSlot.GENERAL, MOVEMENT)
    assert isinstance(live, TaskSteer)
    process = TaskSteer.process_move
    try:
        TaskSteer.process_move = lambda task, dt: True  # type: ignore[method-assign]
        courier.step(2)
    finally:
        TaskSteer.process_move = process  # type: ignore[method-assign]
    courier.step(3)
    assert courier.ped.tasks.tree(PRIMARY).get_task(PrimarySlot.DEFAULT) is default
    assert len(courier.world.movement.claims.held(courier.ped.slot)) == 1
    press(courier, EAST)
    here = courier.xy
    courier.step(10)
    assert courier.xy[0] > here[0]


RECORDED = [(0, EAST, 1.0), (60, SOUTH, 2.0), (130, None, 0.0), (150, -0.4, 1.0), (260, 2.0, 2.0)]


def test_the_same_recorded_input_gives_the_same_run() -> None:
    """LOC-18, LVL-08: input is data of the simulation: one fingerprint; other input, another."""

    def run(recorded: list[tuple[int, float | None, float]]) -> str:
        world = World(player_street(wall_at(30.0, 700.0, 800.0)), strict=True, ped_capacity=8)
        todo = list(recorded)
        for step in range(400):
            while todo and todo[0][0] == step:
                _, world.player_controls.heading_rad, world.player_controls.mbr = todo.pop(0)
            world.step()
        return world.fingerprint.hexdigest()

    assert run(RECORDED) == run(RECORDED)
    assert run(RECORDED) != run(RECORDED[:-1])


def test_a_main_task_that_moves_nothing_stops_the_player() -> None:
    """NAV-21: the wish is dropped with its task; no wish outlives it."""
    courier = player()
    press(courier, EAST)
    courier.step(60)
    assert courier.world.table.wish_active[courier.row]
    courier.put(Idler(), MAIN)
    courier.step()
    assert not courier.world.table.wish_active[courier.row]
    courier.step(60)
    here = courier.xy
    courier.step(30)
    assert courier.xy == here
