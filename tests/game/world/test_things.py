"""The table of things: transforms, removal in two steps, footprints (ORD-08, TASK-87, F12)."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from ai.ports import Circle, EntityKind, Polygon, Vec3
from game.world.outlines import (
    bounding_radius,
    bounds_of,
    convex_parts,
    placed,
    scaled,
    smallest_half_extent,
)
from game.world.things import Thing
from tests.game.world.small_worlds import SmallWorld, box, catalogue, disc


@pytest.mark.parametrize(
    ("x", "y", "yaw_deg", "scale_x", "goal"),
    [
        (1200, 600, 0, 1.0, (1000.00, 600.00)),
        (900, 1300, 90, 1.0, (900.00, 1100.00)),
        (900, 1300, 90, 1.5, (900.00, 1000.00)),
        (1200, 600, 30, 1.2, (992.15, 480.00)),
        (1200, 600, 0, -1.0, (1400.00, 600.00)),
    ],
)
def test_a_goal_comes_through_position_yaw_and_scale_of_the_transform(
    world: SmallWorld, x: float, y: float, yaw_deg: float, scale_x: float, goal: tuple[float, float]
) -> None:
    """ORD-08: the four rows to 0.01 cm, and one mirrored."""
    car = world.put("car", x, y, yaw_rad=math.radians(yaw_deg), scale=Vec3(scale_x, 1.0, 1.0))
    transform = world.things.transform(car)
    assert transform is not None
    offset_x = transform.scale.x * -200.0
    along = (math.cos(transform.yaw_rad) * offset_x, math.sin(transform.yaw_rad) * offset_x)
    found = (transform.position.x + along[0], transform.position.y + along[1])
    assert found == pytest.approx(goal, abs=0.005)
    assert car.kind is EntityKind.VEHICLE


def test_yaw_turns_clockwise_on_screen_and_negative_scale_mirrors() -> None:
    """ORD-08, F12: by hand: local (10, 20) mirrored in x, turned by 90 degrees."""
    outline = Polygon(((0, 0), (10, 0), (10, 20)))
    mirrored = scaled(outline, Vec3(-1.0, 1.0, 1.0))
    assert mirrored == Polygon(((0, 0), (-10, 0), (-10, 20)))
    turned = placed(mirrored, 100.0, 200.0, math.pi / 2)
    assert isinstance(turned, Polygon)
    assert np.allclose(turned.points, [(100, 200), (100, 190), (80, 190)])


def test_a_disc_stays_a_disc_under_equal_scale_and_becomes_an_ellipse_else() -> None:
    assert scaled(disc(10.0), Vec3(-2.0, 2.0, 1.0)) == Circle(0.0, 0.0, 20.0)
    ellipse = scaled(disc(10.0), Vec3(3.0, 1.0, 1.0))
    assert bounds_of(ellipse) == pytest.approx((-30.0, -10.0, 30.0, 10.0))


def test_extents_are_measured_over_all_directions() -> None:
    """RAG-17: the smallest half extent of a rectangle 40 x 100 is 20, turned or not."""
    assert smallest_half_extent(box(40, 100)) == pytest.approx(20.0)
    assert smallest_half_extent(placed(box(40, 100), 0, 0, 0.7)) == pytest.approx(20.0)
    assert smallest_half_extent(disc(26.0)) == 26.0
    assert bounding_radius(box(60, 80)) == pytest.approx(50.0)
    assert bounding_radius(Circle(3.0, 4.0, 10.0)) == pytest.approx(15.0)


def test_a_concave_outline_falls_into_convex_parts_of_the_same_area() -> None:
    ell = Polygon(((0, 0), (100, 0), (100, 20), (20, 20), (20, 100), (0, 100)))
    parts = convex_parts(ell)
    assert len(parts) > 1
    doubled = [
        sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(part, part[1:] + part[:1], strict=True))
        for part in parts
    ]
    assert min(doubled) > 0.0
    assert sum(doubled) / 2.0 == pytest.approx(100 * 20 + 20 * 80)
    square = Polygon(((0, 0), (0, 10), (10, 10), (10, 0)))
    assert convex_parts(square) == (((10, 0), (10, 10), (0, 10), (0, 0)),)


def test_a_thing_is_dying_between_request_and_removal(world: SmallWorld) -> None:
    """TASK-87, ORD-05: readable and dying until the removal phase, gone after it."""
    crate = world.put("crate", 500, 500)
    assert not world.things.is_dying(crate)
    assert world.things.request_removal(crate)
    assert world.things.is_dying(crate)
    assert world.things.transform(crate) is not None
    assert not world.things.request_removal(crate)
    assert world.things.remove_dying() == 1
    assert world.things.transform(crate) is None
    assert not world.things.is_dying(crate)
    assert world.things.remove_dying() == 0


def test_counts_return_exactly_after_spawns_and_removals(world: SmallWorld) -> None:
    """RAG-13: bodies, shapes and joints are as before, whatever came and went."""
    world.put("building", 300, 300)
    world.put("crate", 1500, 1000)
    before = world.physics.counts()
    kinds = ("crate", "cone", "barricade", "beam", "car", "bag")
    for round_number in range(20):
        refs = [world.put(kind, 800 + 90 * n, 500) for n, kind in enumerate(kinds)]
        world.step((760, 520), (900, 560))
        for ref in refs[round_number % 3 :] + refs[: round_number % 3]:
            world.remove(ref)
        world.step()
        assert not world.physics.check_ownership()
    assert world.physics.counts() == before
    assert len(world.things) == 2
    assert len(world.shapes.obstacles()) == 2


def test_what_is_not_movable_is_neither_moved_nor_removed(world: SmallWorld) -> None:
    wall = world.put("wall", 500, 500)
    assert not world.things.request_removal(wall)
    assert not world.things.place(wall, Vec3(0, 0), 0.0)
    assert world.things.remove_dying() == 0
    assert world.pose(wall) == (500, 500, 0)


def test_a_barricade_comes_and_goes_while_the_street_runs(world: SmallWorld) -> None:
    barricade = world.put("barricade", 700, 600, outline=box(20, 240))
    assert not world.clearance.circle_free(700, 600, 30, 5, 180)
    world.step()
    world.remove(barricade)
    assert world.clearance.circle_free(700, 600, 30, 5, 180)
    assert world.physics.counts() == (0, 0, 0)


@pytest.mark.parametrize("bad", [Vec3(math.nan, 0), Vec3(0, math.inf), Vec3(0, 0, math.nan)])
def test_a_place_that_is_not_finite_is_refused(world: SmallWorld, bad: Vec3) -> None:
    crate = world.put("crate", 500, 500)
    assert not world.things.place(crate, bad, 0.0)
    assert not world.things.place(crate, Vec3(1, 1), math.nan)
    assert world.pose(crate) == (500, 500, 0)


def test_a_moved_vehicle_tells_its_velocity_and_takes_its_shape_along(world: SmallWorld) -> None:
    """ORD-20: a car at 60 cm/s is seen to move, and stands when it has stopped."""
    car = world.put("car", 500, 500)
    for step in range(1, 61):
        assert world.things.place(car, Vec3(500 + step, 500), 0.0, Vec3(60.0, 0.0))
        world.step()
    moving = world.things.transform(car)
    assert moving is not None
    assert moving.position.x == 560.0
    assert moving.velocity == (60.0, 0.0, 0.0)
    assert world.things.place(car, Vec3(560, 500), 0.0)
    parked = world.things.transform(car)
    assert parked is not None
    assert parked.velocity == (0.0, 0.0, 0.0)
    assert world.clearance.circle_free(439, 500, 30, 5, 180)
    assert not world.clearance.circle_free(451, 500, 30, 5, 180)
    assert world.physics.counts() == (0, 1, 0)


def test_things_are_found_by_name_and_id_and_iterated_by_id(world: SmallWorld) -> None:
    refs = [world.put("crate", 200 * n, 500) for n in range(1, 4)]
    world.remove(refs[0])
    again = world.put("cone", 900, 900)
    things = world.things.in_id_order()
    assert [thing.object_id for thing in things] == [2, 3, 4]
    found = world.things.by_object_id(4)
    assert found is not None
    assert found.ref == again
    assert world.things.by_object_id(1) is None
    assert world.things.by_name("nobody") is None


def test_a_name_finds_the_thing_with_the_lowest_object_id(world: SmallWorld) -> None:
    """Also when it was asked for before one came or went."""
    described = [
        replace(catalogue().describe(n, "cone", Vec3(90.0 * n, 90.0)), name="cone")
        for n in (5, 3, 4)
    ]
    five = world.things.spawn(described[0])
    assert _named(world, "cone") == 5
    three = world.things.spawn(described[1])
    world.things.spawn(described[2])
    assert _named(world, "cone") == 3
    world.remove(three)
    assert _named(world, "cone") == 4
    world.remove(five)
    assert _named(world, "cone") == 4


def _named(world: SmallWorld, name: str) -> int:
    thing = world.things.by_name(name)
    assert thing is not None
    return thing.object_id


def test_an_observer_that_comes_late_hears_of_everything(world: SmallWorld) -> None:
    heard: list[str] = []

    class Listener:
        def thing_added(self, thing: Thing) -> None:
            heard.append(f"+{thing.object_id}")

        def thing_removed(self, thing: Thing) -> None:
            heard.append(f"-{thing.object_id}")

        def thing_placed(self, thing: Thing) -> None:
            heard.append(f"={thing.object_id}")

        def props_moved(self, slots: object) -> None:
            heard.append("moved")

    first = world.put("crate", 500, 500)
    world.things.observe(Listener())
    world.put("cone", 900, 500)
    world.things.place(first, Vec3(600, 500), 0.0)
    world.remove(first)
    assert heard == ["+1", "+2", "=1", "-1"]
