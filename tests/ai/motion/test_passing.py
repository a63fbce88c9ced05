"""People who meet get past each other: agreed sides, kept sides, never onto the road (LOC-04)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.motion.movement_table import MoveStatus
from ai.motion.passing import Passing
from ai.motion.ped_grid import PedGrid
from ai.motion.walker import Walker
from ai.ports import STEP_S, Vec3
from tests.ai.motion.plain_world import PlainClearance, PlainGround, box, disc
from tests.ai.motion.walk_world import WALK_SPEED, WalkingPed, WalkWorld, locomotion_tuning

SPACING = 63.0
WAY_CM = 800.0
UNHINDERED_S = WAY_CM / WALK_SPEED + 1.5
"""Walking, and half a second each for start, stop pose and rounding to steps."""


def two_meet(y0: float, y1: float, world: WalkWorld) -> tuple[WalkingPed, WalkingPed]:
    """Two on their way to the places that lie opposite each other's."""
    half = WAY_CM / 2.0
    one = world.spawn(-half, y0)
    other = world.spawn(half, y1, yaw_deg=180.0)
    one.walk((half, y0))
    other.walk((-half, y1))
    return one, other


def arrive(*peds: WalkingPed, within_s: float) -> None:
    """Everybody gets there in time, and nobody nearer to anybody than the spacing."""
    world = peds[0].world
    for _ in range(math.ceil(within_s / STEP_S)):
        world.tick()
        for place, ped in enumerate(peds):
            for other in peds[:place]:
                assert math.dist(ped.xy, other.xy) >= SPACING - 1e-6
        if all(ped.status is MoveStatus.ARRIVED for ped in peds):
            return
    raise AssertionError([(ped.xy, ped.status.name) for ped in peds])


@settings(max_examples=60, deadline=None)
@given(st.floats(-70.0, 70.0), st.floats(-70.0, 70.0))
def test_two_who_meet_in_a_corridor_of_2_m_get_past(y0: float, y1: float) -> None:
    """LOC-04, LOC-07: from all offsets, without a replan, 2 s later than alone at most."""
    world = WalkWorld(ground=PlainGround.of(box(0.0, 0.0, 2000.0, 200.0)))
    one, other = two_meet(y0, y1, world)
    arrive(one, other, within_s=UNHINDERED_S + 2.0)
    assert one.record.replans_total == other.record.replans_total == 0


@settings(max_examples=100, deadline=None)
@given(st.floats(-math.pi, math.pi), st.floats(-math.pi, math.pi), st.floats(-math.pi, math.pi))
def test_two_who_walk_turn_in_the_same_sense(bearing: float, one: float, other: float) -> None:
    """Wherever both want to go, what each works out alone agrees."""
    world = WalkWorld()
    peds = [
        world.spawn(0.0, 0.0),
        world.spawn(SPACING * math.cos(bearing), SPACING * math.sin(bearing)),
    ]
    for ped, heading in zip(peds, (one, other), strict=True):
        x, y = ped.xy
        ped.walk((x + 1000.0 * math.cos(heading), y + 1000.0 * math.sin(heading)))
    grid = PedGrid(world.table)
    grid.rebuild(world.table.slots_in_id_order(), 100.0, 300.0)
    passing = Passing(world.table, grid, locomotion_tuning())
    senses = [
        passing.ways(walker_at(ped, index), 1 - index)[0].sense for index, ped in enumerate(peds)
    ]
    assert senses[0] == senses[1]
    assert senses[0] in (1, -1)


def walker_at(ped: WalkingPed, index: int) -> Walker:
    x, y = ped.xy
    return Walker(index, ped.slot, ped.row, Vec3(x, y), 0.0, WALK_SPEED, STEP_S, 2.0)


def test_who_are_exactly_in_line_keep_right() -> None:
    """Both leave the line to their right: at the same time on different sides of it."""
    world = WalkWorld()
    one, other = two_meet(0.0, 0.0, world)
    while one.xy[0] < -20.0:
        world.tick()
    assert one.xy[1] > 20.0
    assert other.xy[1] < -20.0


@pytest.mark.parametrize("lamp_y", [-75.0, 75.0])
def test_where_a_lamp_leaves_no_gap_the_other_side_is_taken(lamp_y: float) -> None:
    """LOC-05: nobody makes way into what stands beside the one who is passed.

    Between the lamp's edge and the stander's centre are 65 cm; one would need 93.
    """
    clearance = PlainClearance(disc(0.0, lamp_y, 10.0))
    world = WalkWorld(clearance=clearance)
    world.spawn(0.0, 0.0)
    passer = world.spawn(-400.0, 0.0)
    passer.walk((400.0, 0.0))
    furthest = 0.0
    while passer.status is MoveStatus.WALKING or passer.status is MoveStatus.WAITING_PATH:
        world.tick()
        if abs(passer.xy[1]) > abs(furthest):
            furthest = passer.xy[1]
        assert world.clock.step < 600
    assert passer.status is MoveStatus.ARRIVED
    assert passer.record.replans_total == 0
    assert furthest * lamp_y < 0.0


@settings(max_examples=40, deadline=None)
@given(st.floats(0.0, 30.0), st.floats(0.0, 30.0))
def test_making_way_never_leads_onto_the_road(y0: float, y1: float) -> None:
    """TASK-121, NAV-27: along a kerb the one who would step onto the road keeps off it."""
    kerb_y = 35.0
    ground = PlainGround(
        [(box(0.0, 0.0, 2000.0, 600.0), 0.0)], road=box(0.0, kerb_y + 200.0, 2000.0, 400.0)
    )
    world = WalkWorld(ground=ground)
    one, other = two_meet(y0, y1, world)
    for _ in range(math.ceil((UNHINDERED_S + 2.0) / STEP_S)):
        world.tick()
        assert max(one.xy[1], other.xy[1]) < kerb_y
    assert one.status is other.status is MoveStatus.ARRIVED


def test_who_is_on_the_road_makes_way_there() -> None:
    """NAV-27: people may jaywalk; two who meet on the road still get past each other."""
    ground = PlainGround([(box(0.0, 0.0, 2000.0, 600.0), 0.0)], road=box(0.0, 0.0, 2000.0, 600.0))
    arrive(*two_meet(0.0, 0.0, WalkWorld(ground=ground)), within_s=UNHINDERED_S + 2.0)


def two_meet_in_a_door(y0: float, y1: float, late: float) -> None:
    """Through 20 cm of wall; the paths lead through the middle of a door of 120 cm.

    One replan at most, and neither loses more than 6 s to the other: the time to step back
    out of the door, to wait and to come through (4.3 s in the worst of 300 pairs), and room.
    """
    walls = PlainClearance(box(0.0, -560.0, 20.0, 1000.0), box(0.0, 560.0, 20.0, 1000.0))
    world = WalkWorld(clearance=walls)
    one = world.spawn(-400.0, y0)
    other = world.spawn(400.0 + late, y1, yaw_deg=180.0)
    one.walk((-45.0, 0.0), (45.0, 0.0), (400.0, y0))
    other.walk((45.0, 0.0), (-45.0, 0.0), (-400.0, y1))
    arrive(one, other, within_s=UNHINDERED_S + (late + 100.0) / WALK_SPEED + 6.0)
    assert one.record.replans_total + other.record.replans_total <= 1


@settings(max_examples=40, deadline=None)
@given(st.floats(-150.0, 150.0), st.floats(-150.0, 150.0), st.floats(0.0, 200.0))
def test_two_who_meet_in_a_door_of_120_cm_get_through(y0: float, y1: float, late: float) -> None:
    """LOC-07: 60 cm between the door's sides are too few to pass: one gives way."""
    two_meet_in_a_door(y0, y1, late)


@pytest.mark.parametrize(("y0", "y1", "late"), [(149.0, -75.0, 0.25), (148.0, 1.0, 1.0)])
def test_who_stands_in_the_frame_of_a_door_slides_out_along_it(
    y0: float, y1: float, late: float
) -> None:
    """LOC-07: who must give way and has a jamb behind steps aside at right angles.

    Every wider step back leads into the jamb and every narrower one nearer to the other:
    without this way both stand there until they have replanned.
    """
    two_meet_in_a_door(y0, y1, late)
