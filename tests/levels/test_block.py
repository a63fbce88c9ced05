"""The default block: who and what is there, where people may walk, and that they do.

The ground of both streets is checked on the map itself (no run needed): every
pavement can be reached from every other without a step onto the road, and the
path search never prefers the road.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

import pytest
import shapely

from ai.motion.movement_table import MoveStatus
from ai.navigation.body_size import BodySize
from ai.navigation.map_shapes import MapShapes
from ai.navigation.mesh_path_finder import MeshPathFinder
from ai.navigation.walk_graph import WalkGraph
from ai.peds.ped import Ped
from ai.ports import STEP_S, Circle, PathFailure, Vec3
from game import Sandbox
from game.levels.level import Level
from game.render.figures.looks import shipped_outfits
from game.world.description import LevelDescription, PedDescription, ThingDescription
from game.world.outlines import placed, scaled
from game.world.shapes import WorldShapes
from game.world.things import ThingTable
from game.world.world_data import shipped_world_data
from tests.levels.runs import shipped

STREETS = ("block", "dusk")
CHEAP = frozenset({"pavement", "crossing", "path", "plaza"})
"""Kinds of cost 1: the only ground that wanderers choose goals on (NAV-27, TASK-121)."""

NOT_WANDERING = frozenset({"player", "courier", "jogger"})
SHOPS = {"BAKERY", "BOOKS", "PIZZA", "RADIO", "TEA", "HATS"}
BODY_CM = 30.5
"""What the walk graph keeps from walls (NAV-26)."""

STANDS_MAX_S = 25.0
RUN_S = 120.0
REPLANS_MAX = 5
"""Of 40 people in two minutes; there were 75 when nobody knew how to get round others."""

LOOK_EVERY_STEPS = 6
LOOK_S = LOOK_EVERY_STEPS * STEP_S
DRAWN_CM = 0.01
"""The ground is drawn on a grid of 0.001 cm."""


@pytest.fixture(scope="module")
def block() -> Level:
    return shipped("block")


@pytest.fixture(scope="module", params=STREETS)
def street(request: pytest.FixtureRequest) -> LevelDescription:
    return shipped(request.param).description


def wanderers(description: LevelDescription) -> list[PedDescription]:
    return [ped for ped in description.peds if ped.name not in NOT_WANDERING]


def outline_of(thing: ThingDescription) -> shapely.Geometry:
    outline = placed(
        scaled(thing.outline, thing.scale), thing.position.x, thing.position.y, thing.yaw_rad
    )
    if isinstance(outline, Circle):
        return shapely.Point(outline.x, outline.y).buffer(outline.radius)
    return shapely.Polygon(outline.points)


def seen_ground(description: LevelDescription) -> dict[str, shapely.Geometry]:
    """By kind, what is seen of it: later surfaces win (NAV-27)."""
    seen: dict[str, list[shapely.Geometry]] = {}
    covered: shapely.Geometry = shapely.Polygon()
    for surface in reversed(description.surfaces):
        area = shapely.Polygon(surface.outline.points)
        seen.setdefault(surface.kind, []).append(area.difference(covered))
        covered = covered.union(area)
    return {kind: shapely.union_all(parts) for kind, parts in seen.items()}


def cheap_ground(description: LevelDescription) -> shapely.Geometry:
    ground = seen_ground(description)
    return shapely.union_all([area for kind, area in ground.items() if kind in CHEAP])


# -- who and what is there --------------------------------------------------------


def test_forty_people_wander_and_each_is_somebody(block: Level) -> None:
    """product.md section 5: 40 placed peds with names, personality and a pace of their own."""
    people = wanderers(block.description)
    assert len(people) == 40
    assert len({ped.name for ped in people}) == 40
    for ped in people:
        assert len(ped.name.split()) == 2, ped.name
        assert ped.default_task in ("", "wander")
        assert 110.0 <= ped.walk_speed_cm_s <= 150.0, ped.name
        for trait in ("bravery", "curiosity", "sociability", "agility"):
            assert 0.0 <= float(ped.options[trait]) <= 1.0, (ped.name, trait)


def test_the_player_stands_by_the_bakery_in_the_middle_of_the_picture(block: Level) -> None:
    """art-and-feel section 16: the first picture is the player before the BAKERY."""
    description = block.description
    (player,) = [ped for ped in description.peds if ped.options.get("player") is True]
    (bakery,) = [one for one in description.obstacles if one.options.get("shop") == "BAKERY"]
    assert outline_of(bakery).distance(shapely.Point(player.position[:2])) < 500.0
    camera = description.camera
    assert math.dist((camera.x, camera.y), player.position[:2]) < 100.0
    assert camera.zoom_px_per_cm == 0.6


def test_the_first_picture_holds_twelve_people_at_least(block: Level) -> None:
    """art-and-feel section 16: the frame holds 12 to 18 peds."""
    camera = block.description.camera
    half_width = 1280.0 / 0.6 / 2.0
    half_height = 720.0 / 0.6 / math.sin(math.radians(55.0)) / 2.0
    seen = [
        ped.name
        for ped in block.description.peds
        if abs(ped.position.x - camera.x) < half_width
        and abs(ped.position.y - camera.y) < half_height
    ]
    assert 12 <= len(seen) <= 18, seen


def test_nobody_stands_on_anybody_and_all_on_their_own_ground(street: LevelDescription) -> None:
    """TASK-121: a metre apart at least, on ground that a wanderer would choose."""
    for one, other in combinations(street.peds, 2):
        assert math.dist(one.position[:2], other.position[:2]) >= 100.0, (one.name, other.name)
    cheap = cheap_ground(street)
    for ped in street.peds:
        assert cheap.contains(shapely.Point(ped.position[:2])), ped.name


def test_named_looks_are_in_the_cast(street: LevelDescription) -> None:
    """art-and-feel section 4: named peds of levels have fixed looks."""
    known = set(shipped_outfits().names)
    assert {ped.outfit for ped in street.peds if ped.outfit} <= known


def test_the_shops_face_the_street_and_the_south_side_is_low(block: Level) -> None:
    """art-and-feel section 7: six shops on the north side; nothing over 330 cm opposite."""
    buildings = [one for one in block.description.obstacles if one.kind == "building"]
    shops = {str(one.options["shop"]) for one in buildings} - {"none"}
    assert shops == SHOPS
    middle_of_street = 3150.0
    for building in buildings:
        if building.position.y > middle_of_street:
            assert building.z_high_cm <= 330.0, building.object_id
            assert building.options["shop"] == "none"


def test_parked_vehicles_are_of_many_kinds(block: Level) -> None:
    """product.md section 5: cars and vans, one of them a taxi, in all four directions."""
    vehicles = block.description.vehicles
    kinds = [vehicle.kind for vehicle in vehicles]
    assert 8 <= len(vehicles) <= 13
    assert (kinds.count("taxi"), kinds.count("van")) == (1, 1)
    quarter_turns = {round(vehicle.yaw_rad / (math.pi / 2.0)) % 4 for vehicle in vehicles}
    assert quarter_turns == {0, 1, 2, 3}


# -- where people may walk ----------------------------------------------------------


def test_surfaces_cover_the_map_without_a_gap(street: LevelDescription) -> None:
    """NAV-27: every place of the map is of some kind."""
    covered = shapely.union_all([shapely.Polygon(one.outline.points) for one in street.surfaces])
    whole = shapely.box(0.0, 0.0, street.width_cm, street.height_cm)
    assert whole.difference(covered).area < 1.0


def test_pavements_are_three_metres_wide_at_least(street: LevelDescription) -> None:
    """NAV-26: no pavement is narrower than 300 cm between kerb and wall."""
    ground = seen_ground(street)
    pavement = shapely.union_all([ground["pavement"], ground["plaza"], ground["path"]])
    opened = pavement.buffer(-149.0, join_style="mitre").buffer(149.0, join_style="mitre")
    assert ground["pavement"].difference(opened.buffer(1.0)).area < 1.0


def test_all_of_the_pavement_hangs_together(street: LevelDescription) -> None:
    """TASK-121, NAV-27: a wanderer gets everywhere over crossings, never over a road."""
    things = [*street.obstacles, *street.vehicles, *street.props]
    solid = shapely.union_all([outline_of(one) for one in things if one.nav_block])
    cheap = cheap_ground(street).buffer(1.0, join_style="mitre").difference(solid)
    places = [part for part in shapely.get_parts(cheap.buffer(-BODY_CM)) if part.area > 10_000.0]
    assert len(places) == 1


def test_the_way_across_is_never_over_the_road(street: LevelDescription) -> None:
    """TASK-121, NAV-27: from any kerb to the one opposite, the crossing is always cheaper."""
    road = seen_ground(street)["road"].buffer(-1.0)
    finder = path_finder(street)
    asked = 0
    cheap = cheap_ground(street)
    for start, goal in across_the_roads(street):
        if not all(cheap.contains(shapely.Point(place[:2])) for place in (start, goal)):
            continue
        search = finder.begin(start, goal, expansions_max=8192)
        while search.result is None:
            search.advance(1000)
        if search.result.failure in (PathFailure.START_OFF_SURFACE, PathFailure.GOAL_OFF_SURFACE):
            continue
        assert search.result.failure is PathFailure.NONE
        asked += 1
        way = shapely.LineString([point[:2] for point in (start, *search.result.points)])
        assert way.intersection(road).length < 1.0, (start, goal)
    assert asked > 40


def path_finder(description: LevelDescription) -> MeshPathFinder:
    data = shipped_world_data()
    walking = data.locomotion
    things = ThingTable(data.things, light_prop_kg=walking.light_prop_kg)
    for thing in (*description.obstacles, *description.vehicles, *description.props):
        things.spawn(thing)
    body = BodySize(walking.ped_radius, walking.body_low, walking.ped_height, walking.step_height)
    shapes = MapShapes(WorldShapes(description, things), data.surfaces, body)
    return MeshPathFinder(WalkGraph(shapes), data.navigation.path_end_tolerance)


def across_the_roads(description: LevelDescription) -> Iterator[tuple[Vec3, Vec3]]:
    """Places 35 cm beside a kerb and the ones right opposite, every 100 cm along each road."""
    roads = [one for one in description.surfaces if one.kind == "road"]
    for road in roads:
        x0, y0, x1, y1 = shapely.Polygon(road.outline.points).bounds
        if x1 - x0 > y1 - y0:
            for x in range(int(x0) + 50, int(x1), 100):
                yield Vec3(x, y0 - 35.0), Vec3(x, y1 + 35.0)
        else:
            for y in range(int(y0) + 50, int(y1), 100):
                yield Vec3(x0 - 35.0, y), Vec3(x1 + 35.0, y)


# -- and that they do ---------------------------------------------------------------


@dataclass
class Walk:
    """Two minutes of the block, looked at ten times a second.

    - ``places`` are all places of wanderers; ``stood_s`` the longest time each stood.
    - ``unasked`` names who asked for a path without a new goal or a replan.
    - ``replans`` counts ways given up because somebody or something was in them.
    - ``failures`` are the reasons of all movements that failed.
    """

    places: list[tuple[float, float]] = field(default_factory=list)
    stood_s: dict[str, float] = field(default_factory=dict)
    unasked: set[str] = field(default_factory=set)
    replans: int = 0
    failures: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def walk(block: Level) -> Walk:
    found = Walk()
    names = [ped.name for ped in wanderers(block.description)]
    with Sandbox(block, strict=False) as box:
        peds = [box.ped(name) for name in names]
        standing = dict.fromkeys(names, 0.0)
        before = {ped.name: _asked_for(ped) for ped in peds}
        place = {ped.name: ped.position for ped in peds}
        for step in range(round(RUN_S / STEP_S)):
            box.step()
            for ped in peds:
                now, then = _asked_for(ped), before[ped.name]
                stopped_short = ped.movement.status is MoveStatus.CANCELLED
                if now[0] != then[0] and now[1:] == then[1:] and not stopped_short:
                    found.unasked.add(ped.name)
                found.replans += max(now[2] - then[2], 0)
                before[ped.name] = now
            if step % LOOK_EVERY_STEPS:
                continue
            for ped in peds:
                here = ped.position
                moved = math.dist(here, place[ped.name]) > 0.5
                standing[ped.name] = 0.0 if moved else standing[ped.name] + LOOK_S
                longest = max(found.stood_s.get(ped.name, 0.0), standing[ped.name])
                found.stood_s[ped.name] = longest
                place[ped.name] = here
                found.places.append((here.x, here.y))
        found.failures = [str(row.details[0]) for row in box.facts if row.fact == "FAILED"]
    return found


def _asked_for(ped: Ped) -> tuple[int, Vec3, int]:
    """Number of the movement, its goal, and how often a way was planned anew."""
    movement = ped.movement
    return movement.generation, movement.goal, movement.replans_total


def test_nobody_stands_about(walk: Walk) -> None:
    """TASK-121: nobody stands longer than 25 s."""
    longest = max(walk.stood_s, key=lambda name: walk.stood_s[name])
    assert walk.stood_s[longest] <= STANDS_MAX_S, longest


def test_nobody_walks_on_the_road(walk: Walk, block: Level) -> None:
    """TASK-121: nobody on a road except on crossings, not for a step aside either."""
    cheap = cheap_ground(block.description)
    grass = seen_ground(block.description)["grass"]
    points = shapely.points(walk.places)
    off = shapely.distance(shapely.union(cheap, grass), points)
    assert float(off.max()) <= DRAWN_CM


def test_goals_hold_and_nobody_gets_stuck(walk: Walk) -> None:
    """TASK-121, NAV-18: every goal can be walked to; hardly anybody has to look for another way."""
    assert walk.failures == []
    assert walk.replans <= REPLANS_MAX


def test_every_pavement_is_used(walk: Walk, block: Level) -> None:
    """TASK-121: somebody walks on each pavement, crossing, path and plaza that the map draws."""
    points = shapely.points(walk.places)
    for surface in block.description.surfaces:
        if surface.kind in {"pavement", "crossing"}:
            area = shapely.Polygon(surface.outline.points)
            assert shapely.contains(area, points).any(), (surface.object_id, surface.kind)


def test_a_goal_asks_for_one_path(walk: Walk) -> None:
    """TASK-121: paths are asked for at most once a goal; only NAV-17 plans anew."""
    assert walk.unasked == set()
