"""Impacts, what is met next, and vehicles, on either side of each bound (EVT-39, 42, 43)."""

from __future__ import annotations

import math

import pytest

from ai.events.collision_events import PotentialCollisionEvent
from ai.events.scanners.ahead import closest_approach
from ai.events.scanners.facts import Contact, MovingVehicle, Obstacle
from ai.events.types import EventType
from ai.ports import EntityKind, EntityRef, Vec3
from tests.ai.events.scan_doubles import Scene, heard_of, only

BIN = EntityRef(EntityKind.PROP, 900, 1)
CAR = EntityRef(EntityKind.VEHICLE, 901, 1)


# -- impacts (EVT-39) ---------------------------------------------------------------------------


def touched(other: EntityRef | None, *, is_down: bool = False) -> list[str]:
    scene = only(Scene(), "impacts")
    ped = scene.walker(0.0, 0.0)
    if is_down:
        scene.flags["is_down"].add(ped.ped_id)
    scene.happenings.contact(Contact(ped.ref, other))
    scene.look()
    return [one.event_type.name for one in ped.queued()]


def test_a_light_contact_is_a_collision_with_what_was_met() -> None:
    """EVT-39: prop, vehicle, wall; nothing for who lies on the ground."""
    assert touched(BIN) == ["COLLISION_PROP"]
    assert touched(CAR) == ["COLLISION_VEHICLE"]
    assert touched(None) == ["COLLISION_WALL"]
    assert touched(BIN, is_down=True) == []


def test_pressing_against_a_wall_is_one_collision() -> None:
    """EVT-39: 300 steps of contact: one; apart for half a second: another."""
    scene = only(Scene(), "impacts")
    ped = scene.walker(0.0, 0.0)
    count = 0
    for step in range(400):
        if not 300 <= step < 335:
            scene.happenings.contact(Contact(ped.ref, None))
        scene.look()
        count += len(heard_of(ped, EventType.COLLISION_WALL))
        ped.events.group.queue.flush_all()
        if step == 334:
            assert count == 1
    assert count == 2


@pytest.mark.parametrize(("gap_steps", "provoked"), [(110, 1), (130, 0)])
def test_pushed_three_times_is_provoked(gap_steps: int, provoked: int) -> None:
    """EVT-39: three bumps by one ped within 4 s (2 x 110 steps), not in 260."""
    scene = only(Scene(), "impacts")
    ped, pusher = scene.walker(0.0, 0.0), scene.walker(60.0, 0.0)
    for _ in range(3):
        scene.happenings.contact(Contact(ped.ref, pusher.ref))
        for _ in range(gap_steps):
            scene.look()
    assert len(heard_of(ped, EventType.PROVOKED)) == provoked
    assert heard_of(ped, EventType.COLLISION_PED)


def test_the_players_bump_is_named() -> None:
    """EVT-12, EVT-39: COLLISION_PLAYER for the player's."""
    scene = only(Scene(), "impacts")
    ped, player = scene.walker(0.0, 0.0), scene.walker(60.0, 0.0)
    scene.player = player.ref
    scene.happenings.contact(Contact(ped.ref, player.ref))
    scene.look()
    assert heard_of(ped, EventType.COLLISION_PLAYER)


# -- what is met next (EVT-42) --------------------------------------------------------------------


def box(x: float, y: float, yaw_rad: float = 0.0) -> Obstacle:
    return Obstacle(7, CAR, Vec3(x, y), 230.0, yaw_rad, (220.0, 90.0))


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [(150.0, 10.0, 150 / 140), (150.0, 80.0, None), (260.0, 0.0, 1.5), (280.0, 0.0, None)],
)
def test_closest_approach(x: float, y: float, expected: float | None) -> None:
    """EVT-42: radius 30 at 140 cm/s, a bin of radius 30: t* and d worked out by hand."""
    scene = only(Scene(), "ahead")
    ped = scene.walker(0.0, 0.0, 140.0)
    scene.things.append(Obstacle(7, BIN, Vec3(x, y), 30.0))
    looked_once(scene)
    events = [one for one in ped.queued() if isinstance(one, PotentialCollisionEvent)]
    if expected is None:
        assert not events
    else:
        (event,) = events
        assert event.event_type is EventType.POTENTIAL_WALK_INTO_PROP
        assert event.time_s == pytest.approx(expected)


def test_closest_approach_of_a_pair() -> None:
    """EVT-42: the formula itself; who part do not approach."""
    near = closest_approach(150.0, 10.0, -140.0, 0.0, 1.5)
    assert near is not None
    assert (near.time_s, near.distance_cm) == pytest.approx((150 / 140, 10.0))
    assert closest_approach(150.0, 0.0, 140.0, 0.0, 1.5) is None
    clamped = closest_approach(280.0, 0.0, -140.0, 0.0, 1.5)
    assert clamped is not None
    assert clamped.distance_cm == pytest.approx(70.0)


def looked_once(scene: Scene) -> None:
    scene.scanners.scan(step=next(step for step in range(6) if (step + 7) % 6 == 0))


def test_a_parked_vehicle_is_a_box() -> None:
    """EVT-42: 220 x 90 half: 40 cm off the hull within 2 s; beside it, or too far, nothing."""
    for x, y, yaw, hits in (
        (530.0, 0.0, 0.0, True),  # (530 - 260) / 140 = 1.93 s
        (545.0, 0.0, 0.0, False),  # 2.04 s
        (400.0, 129.0, 0.0, True),
        (400.0, 131.0, 0.0, False),
        (400.0, 0.0, math.pi / 2, True),  # turned: (400 - 130) / 140 = 1.93 s
        (415.0, 0.0, math.pi / 2, False),
    ):
        scene = only(Scene(), "ahead")
        ped = scene.walker(0.0, 0.0, 140.0)
        scene.things.append(box(x, y, yaw))
        looked_once(scene)
        assert bool(heard_of(ped, EventType.POTENTIAL_WALK_INTO_VEHICLE)) is hits, (x, y, yaw)


def test_who_walks_a_path_is_told_of_peds_alone() -> None:
    """EVT-42: a bin and a car at rest are the walk update's affair."""
    scene = only(Scene(), "ahead")
    ped = scene.walker(0.0, 0.0, 140.0)
    scene.flags["on_path"].add(ped.ped_id)
    scene.things += [Obstacle(7, BIN, Vec3(100.0, 0.0), 30.0), box(300.0, 0.0)]
    looked_once(scene)
    assert not ped.queued()


def test_two_peds_meet_and_the_soonest_counts() -> None:
    """EVT-42: two ahead, one sooner: that one; 140 + 140 cm/s within 1 s: from 349 cm on."""
    for x, met in ((349.0, True), (351.0, False)):
        scene = only(Scene(), "ahead")
        ped = scene.walker(0.0, 0.0, 140.0)
        scene.walker(x, 0.0, -140.0)
        looked_once(scene)
        assert bool(heard_of(ped, EventType.POTENTIAL_WALK_INTO_PED)) is met
    scene = only(Scene(), "ahead")
    ped = scene.walker(0.0, 0.0, 140.0)
    scene.walker(200.0, 0.0)
    sooner = scene.walker(120.0, 10.0)
    looked_once(scene)
    (event,) = ped.queued()
    assert event.source == sooner.ref


def test_a_standing_ped_is_walked_into() -> None:
    """EVT-42: by one faster than 100 cm/s who comes at it; not by a slow one, nor by who passes."""
    for speed, y, told in ((120.0, 0.0, True), (100.0, 0.0, False), (120.0, 80.0, False)):
        scene = only(Scene(), "ahead")
        ped = scene.walker(0.0, y)
        scene.walker(-150.0, 0.0, speed)
        looked_once(scene)
        assert bool(heard_of(ped, EventType.POTENTIAL_BE_WALKED_INTO)) is told


def test_nobody_is_warned_of_their_leader() -> None:
    """EVT-42: a follower behind its leader."""
    scene = only(Scene(), "ahead")
    ped, leader = scene.walker(0.0, 0.0, 140.0), scene.walker(100.0, 0.0)
    scene.relations.go_together((leader.ref, ped.ref))
    looked_once(scene)
    assert not ped.queued()


def test_an_obstacle_that_left_it_cold_is_not_reported_again() -> None:
    """EVT-82, EVT-42: decided for nothing: for 5 s the scanner keeps quiet about that one."""
    scene = only(Scene(), "ahead")
    ped, other = scene.walker(0.0, 0.0, 140.0), scene.walker(100.0, 0.0)
    kind = EventType.POTENTIAL_WALK_INTO_PED
    ped.events.memory.remember_none(kind, other.ref, 1, 0)
    looked_once(scene)
    assert not ped.queued()
    for _ in range(300):
        scene.clock.advance()
    looked_once(scene)
    assert heard_of(ped, kind)


# -- vehicles (EVT-43) ---------------------------------------------------------------------------


def car(x: float, y: float, speed: float) -> MovingVehicle:
    return MovingVehicle(CAR, 50, Vec3(x, y), (speed, 0.0), 0.0, 220.0, 90.0)


@pytest.mark.parametrize(
    ("x", "y", "speed", "warned"),
    [
        (-1100.0, 0.0, 600.0, True),  # 1100 - 220 = 880 <= 900
        (-1130.0, 0.0, 600.0, False),
        (-600.0, 129.0, 600.0, True),
        (-600.0, 131.0, 600.0, False),
        (-300.0, 0.0, 200.0, False),  # not over 200 cm/s
        (300.0, 0.0, 600.0, False),  # already past
        (300.0, 0.0, -600.0, True),  # backwards
    ],
)
def test_about_to_be_run_over(x: float, y: float, speed: float, warned: bool) -> None:
    """EVT-43: half width + 40 cm, 1.5 s, over 200 cm/s, ahead of the car's way."""
    scene = only(Scene(), "vehicles")
    ped = scene.walker(0.0, 0.0)
    scene.vehicles.append(car(x, y, speed))
    scene.scanners.scan(step=1)
    assert bool(heard_of(ped, EventType.POTENTIAL_GET_RUN_OVER)) is warned


def drive_past(gap_cm: float, speed: float, passes: int = 1) -> tuple[int, Scene]:
    """A car whose hull passes a body at this gap, so many times; how many misses were told."""
    scene = only(Scene(), "vehicles")
    ped = scene.walker(0.0, 90.0 + 30.0 + gap_cm)
    count = 0
    for _ in range(passes):
        scene.vehicles[:] = [car(-700.0, 0.0, speed)]
        for _ in range(round(1400.0 / speed * 60)):
            scene.run(1)
            count += len(heard_of(ped, EventType.VEHICLE_NEAR_MISS))
            ped.events.group.queue.flush_all()
    return count, scene


@pytest.mark.parametrize(
    ("gap_cm", "speed", "misses"),
    [(70.0, 600.0, 1), (90.0, 600.0, 0), (70.0, 390.0, 0), (-10.0, 600.0, 0)],
)
def test_near_miss(gap_cm: float, speed: float, misses: int) -> None:
    """EVT-43: at 70 cm with 600 cm/s one; at 90 cm, slower than 400, or with contact none."""
    assert drive_past(gap_cm, speed)[0] == misses


def test_two_misses_make_a_mad_driver() -> None:
    """EVT-43: one event a pair in 5 s; the second miss within 10 s shocks the street."""
    count, scene = drive_past(50.0, 600.0)
    assert scene.global_types() == []
    count, scene = drive_past(50.0, 600.0, passes=2)
    assert (count, scene.global_types()) == (1, []), "2.3 s later: the pair was told already"
    scene = only(Scene(), "vehicles")
    scene.walker(0.0, 150.0)
    scene.walker(300.0, 150.0)
    scene.vehicles[:] = [car(-700.0, 0.0, 600.0)]
    scene.run(180)
    assert scene.global_types() == [EventType.SHOCKING_MAD_DRIVER]
