"""What navigation sees of the world: LevelShapes, NAV-25."""

from __future__ import annotations

from ai.ports import Polygon, Vec3
from tests.game.world.small_worlds import SmallWorld, box


def ids(world: SmallWorld) -> list[int]:
    """Object ids of the obstacles, as they come."""
    return [obstacle.object_id for obstacle in world.shapes.obstacles()]


def test_statics_vehicles_and_blocking_props_are_obstacles_and_others_are_not(
    world: SmallWorld,
) -> None:
    """NAV-25: a static thing that is ``ignore`` is known, uncut; an ``ignore`` prop is not."""
    world.put("wall", 500, 500)
    world.put("bollard", 800, 500, nav_block=False)
    world.put("crate", 1000, 500)
    world.put("trolley", 1200, 500)
    world.put("car", 1500, 500)
    assert ids(world) == [1, 2, 3, 5]
    wall, bollard, crate, car = world.shapes.obstacles()
    assert wall.nav_block
    assert not wall.dynamic
    assert not bollard.nav_block
    assert crate.dynamic
    assert crate.mass_kg == 40.0
    assert not car.dynamic
    assert car.mass_kg == 0.0


def test_surfaces_are_those_of_the_level_in_map_order(world: SmallWorld) -> None:
    (ground,) = world.shapes.surfaces()
    assert ground.kind == "pavement"
    assert ground.height_cm == 0.0


def test_the_version_rises_and_the_bounds_are_named(world: SmallWorld) -> None:
    before = world.shapes.version
    barricade = world.put("barricade", 700, 600, outline=box(20, 240))
    assert world.shapes.version > before
    assert world.shapes.changed_since(before) == ((690.0, 480.0, 710.0, 720.0),)
    assert world.shapes.changed_since(world.shapes.version) == ()
    spawned = world.shapes.version
    world.remove(barricade)
    assert world.shapes.changed_since(spawned) == ((690.0, 480.0, 710.0, 720.0),)
    assert ids(world) == []


def test_a_thing_put_elsewhere_changes_both_places(world: SmallWorld) -> None:
    barricade = world.put("barricade", 700, 600, outline=box(20, 240))
    before = world.shapes.version
    world.things.place(barricade, Vec3(900, 600), 0.0)
    assert world.shapes.changed_since(before) == (
        (690.0, 480.0, 710.0, 720.0),
        (890.0, 480.0, 910.0, 720.0),
    )


def test_what_the_walk_graph_does_not_know_changes_nothing(world: SmallWorld) -> None:
    before = world.shapes.version
    trolley = world.put("trolley", 500, 500)
    world.throw(trolley, 200, 0)
    world.step()
    world.remove(trolley)
    assert world.shapes.version == before


def test_a_version_long_past_is_answered_with_the_whole_level(world: SmallWorld) -> None:
    barricade = world.put("barricade", 700, 600)
    for shift in range(700):
        world.things.place(barricade, Vec3(700 + shift, 600), 0.0)
    assert world.shapes.changed_since(0) == ((0.0, 0.0, 3000.0, 2000.0),)
    assert len(world.shapes.changed_since(world.shapes.version - 3)) == 3


def test_a_pushed_blocking_prop_changes_the_graph_once_it_rests(world: SmallWorld) -> None:
    """NAV-25: one change per push, not one per step; meanwhile the old place stands."""
    crate = world.put("crate", 500, 500)
    before = world.shapes.version
    world.throw(crate, 300, 0)
    for _ in range(20):
        world.step()
    assert world.shapes.version == before
    world.steps_to_rest(crate)
    world.step()
    assert len(world.shapes.changed_since(before)) == 2
    x, _, _ = world.pose(crate)
    (obstacle,) = world.shapes.obstacles()
    assert isinstance(obstacle.footprint, Polygon)
    assert min(px for px, _ in obstacle.footprint.points) == x - 34.0
    settled = world.shapes.version
    for _ in range(60):
        world.step()
    assert world.shapes.version == settled


def test_props_that_overlap_change_the_graph_once_they_have_parted(world: SmallWorld) -> None:
    """NAV-25: pushed apart they have no velocity, yet they are not at rest: one change each."""
    crates = world.put("crate", 500, 500), world.put("crate", 550, 500)
    before = world.shapes.version
    places = [world.pose(crate) for crate in crates]
    world.step()
    assert all(world.pose(crate) != place for crate, place in zip(crates, places, strict=True))
    assert world.shapes.version == before
    for _ in range(300):
        world.step()
    assert len(world.shapes.changed_since(before)) == 4


def test_a_vehicle_under_way_is_no_part_of_the_graph_until_it_stands(world: SmallWorld) -> None:
    car = world.put("car", 500, 500)
    before = world.shapes.version
    for step in range(1, 120):
        world.things.place(car, Vec3(500 + step, 500), 0.0, Vec3(60.0, 0.0))
    assert ids(world) == []
    assert world.shapes.version == before + 1
    world.things.place(car, Vec3(620, 500), 0.0)
    assert ids(world) == [1]
    assert world.shapes.version == before + 2
