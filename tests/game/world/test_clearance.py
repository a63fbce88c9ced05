"""Clearance against shapely, height intervals, touching, what is loose (LOC-07, LOC-19, LOC-20)."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.ports import Circle, Footprint, Polygon, Vec3
from game.world.exact_shapes import (
    convex_shape,
    disc_meets_convex,
    sweep_meets_convex,
    sweep_meets_disc,
)
from game.world.outlines import convex_parts
from tests.game.world.small_worlds import BODY, HEIGHT_CM, WIDTH_CM, SmallWorld, box, disc

MARGIN_CM = 1e-4
"""Cases nearer to touching than this are left out where shapely's rounding could decide."""


def geometry(footprint: Footprint) -> tuple[shapely.Geometry, float]:
    """A shapely shape and what is to be added to its distances' limit."""
    if isinstance(footprint, Circle):
        return shapely.Point(footprint.x, footprint.y), footprint.radius
    return shapely.Polygon(footprint.points), 0.0


def crowded_street(seed: int) -> SmallWorld:
    """A street full of things of all forms and heights, turned every way, some of them moving."""
    rng = random.Random(seed)
    world = SmallWorld()
    ell = Polygon(((-80, -80), (80, -80), (80, -40), (-40, -40), (-40, 80), (-80, 80)))
    forms = (
        ("wall", box(400, 20)), ("building", ell), ("bollard", disc(15)), ("car", None),
        ("crate", None), ("barrel", None), ("beam", None), ("cone", None), ("bench", None),
    )  # fmt: skip
    for kind, outline in forms * 4:
        ref = world.put(
            kind,
            rng.uniform(0, WIDTH_CM),
            rng.uniform(0, HEIGHT_CM),
            yaw_rad=rng.uniform(-4, 4),
            outline=outline,
            scale=Vec3(rng.choice((1.0, -1.0, 1.3)), rng.choice((1.0, 0.8)), 1.0),
        )
        if kind in ("crate", "barrel", "beam"):
            world.throw(ref, rng.uniform(-400, 400), rng.uniform(-400, 400))
    for _ in range(25):
        world.step()
    return world


def reference_free(
    world: SmallWorld, way: shapely.Geometry, radius: float, low: float, high: float
) -> bool | None:
    """The answer by shapely; None where it hangs on less than the margin."""
    for thing in world.things.in_id_order():
        if not thing.solid or thing.z_low_cm >= high or thing.z_high_cm <= low:
            continue
        shape, extra = geometry(world.things.footprint(thing))
        gap = shape.distance(way) - radius - extra
        if abs(gap) < MARGIN_CM:
            return None
        if gap < 0.0:
            return False
    return True


@pytest.mark.parametrize("seed", range(4))
def test_exact_queries_equal_shapely(seed: int) -> None:
    """LOC-07: 4 x 500 standing discs and swept ones, over all forms, scales and heights."""
    world = crowded_street(seed)
    rng = random.Random(seed + 1000)
    blocked = 0
    for _ in range(250):
        x, y = rng.uniform(0, WIDTH_CM), rng.uniform(0, HEIGHT_CM)
        angle, way_cm = rng.uniform(0, 2 * math.pi), rng.choice((0.0, 2.0, 90.0, 600.0))
        x1, y1 = x + way_cm * math.cos(angle), y + way_cm * math.sin(angle)
        radius = rng.choice((10.0, 30.0, 60.0))
        low, high = rng.choice((BODY, (0.0, 30.0), (60.0, 90.0), (100.0, 180.0)))
        expected = reference_free(world, shapely.Point(x, y), radius, low, high)
        if expected is not None:
            assert world.clearance.circle_free(x, y, radius, low, high) == expected
            blocked += not expected
        line = shapely.LineString([(x, y), (x1, y1)])
        expected = reference_free(world, line, radius, low, high)
        if expected is not None:
            assert world.clearance.sweep_free(x, y, x1, y1, radius, low, high) == expected
    assert blocked > 20


coordinate = st.integers(-200_000, 200_000).map(lambda thousandths: thousandths / 1000)


@given(
    corners=st.lists(st.tuples(coordinate, coordinate), min_size=3, max_size=8),
    start=st.tuples(coordinate, coordinate),
    end=st.tuples(coordinate, coordinate),
    radius=st.floats(0.5, 150.0),
)
@settings(max_examples=400, deadline=None)
def test_discs_and_sweeps_against_any_convex_polygon(
    corners: list[tuple[float, float]],
    start: tuple[float, float],
    end: tuple[float, float],
    radius: float,
) -> None:
    """LOC-07: the kernels agree with shapely's distances for every convex polygon."""
    hull = shapely.MultiPoint(corners).convex_hull
    if not isinstance(hull, shapely.Polygon) or hull.area < 1.0:
        return
    (ring,) = convex_parts(Polygon(tuple(hull.exterior.coords[:-1])))
    shape = convex_shape(ring)
    gap = hull.distance(shapely.Point(start)) - radius
    if abs(gap) > MARGIN_CM:
        assert disc_meets_convex(shape, *start, radius) == (gap < 0.0)
    gap = hull.distance(shapely.LineString([start, end])) - radius
    if abs(gap) > MARGIN_CM:
        assert sweep_meets_convex(shape, *start, *end, radius) == (gap < 0.0)
    gap = shapely.Point(corners[0]).distance(shapely.LineString([start, end])) - radius - 20.0
    if abs(gap) > MARGIN_CM:
        assert sweep_meets_disc(*corners[0], 20.0, *start, *end, radius) == (gap < 0.0)


def test_touching_is_free_and_a_hair_nearer_is_not(world: SmallWorld) -> None:
    """LOC-07: by hand; wall face at x = 490, body radius 30, tolerance 1e-6."""
    world.put("wall", 500, 500, outline=box(20, 400))
    world.put("bollard", 1000, 500)
    free = world.clearance.circle_free
    assert free(460.0, 500, 30, *BODY)
    assert not free(460.00001, 500, 30, *BODY)
    assert free(1000, 455.0, 30, *BODY)
    assert not free(1000, 455.00001, 30, *BODY)
    sweep = world.clearance.sweep_free
    assert sweep(460.0, 200, 460.0, 900, 30, *BODY)
    assert not sweep(460.00001, 200, 460.00001, 900, 30, *BODY)
    assert sweep(400, 500, 460.0, 500, 30, *BODY)
    assert not sweep(400, 500, 540, 500, 30, *BODY)


def test_a_long_step_over_a_thin_wall_is_blocked_though_both_ends_are_free(
    world: SmallWorld,
) -> None:
    world.put("wall", 500, 500, outline=box(20, 400))
    assert world.clearance.circle_free(440, 500, 30, *BODY)
    assert world.clearance.circle_free(560, 500, 30, *BODY)
    assert not world.clearance.sweep_free(440, 500, 560, 500, 30, *BODY)


def test_a_sweep_that_starts_inside_is_blocked_even_if_it_leaves(world: SmallWorld) -> None:
    world.put("building", 500, 500, outline=box(200, 200))
    assert not world.clearance.sweep_free(500, 500, 900, 500, 30, *BODY)


@pytest.mark.parametrize(
    ("low", "high", "free"),
    [
        (5.0, 180.0, False),
        (0.0, 30.0, True),
        (0.0, 60.0, True),
        (0.0, 60.1, False),
        (89.9, 180.0, False),
        (90.0, 180.0, True),
        (70.0, 80.0, False),
    ],
)
def test_a_beam_at_60_to_90_is_met_only_by_what_overlaps_its_heights(
    world: SmallWorld, low: float, high: float, free: bool
) -> None:
    """REC-11, LOC-07: a lying body fits under the beam, a standing one does not."""
    world.put("beam", 500, 500)
    assert world.clearance.circle_free(500, 500, 30, low, high) == free
    assert world.clearance.sweep_free(300, 500, 700, 500, 30, low, high) == free


def test_light_props_refuse_no_step_and_heavier_ones_do(world: SmallWorld) -> None:
    """LOC-20: under 15 kg free, a bin of 18 kg and a crate of 40 kg refuse."""
    for index, kind in enumerate(("cone", "box", "bag", "bin", "crate")):
        world.put(kind, 300 + 300 * index, 500)
    free = [world.clearance.circle_free(300 + 300 * n, 500, 30, *BODY) for n in range(5)]
    assert free == [True, True, True, False, False]


def test_a_prop_is_met_where_physics_has_moved_it(world: SmallWorld) -> None:
    crate = world.put("crate", 500, 500)
    world.throw(crate, 600, 0)
    world.steps_to_rest(crate)
    x, _, _ = world.pose(crate)
    assert x > 780
    assert world.clearance.circle_free(500, 500, 30, *BODY)
    assert not world.clearance.circle_free(x, 500, 30, *BODY)
    assert not world.clearance.circle_free(x - 63.9, 500, 30, *BODY)
    assert world.clearance.circle_free(x - 64.1, 500, 30, *BODY)


def test_the_mask_is_never_freer_than_the_exact_test() -> None:
    """LOC-19: 10,000 points over moving props and a moving car; and it says yes far from them."""
    world = SmallWorld()
    rng = random.Random(3)
    for index in range(12):
        ref = world.put("crate", rng.uniform(200, 2800), rng.uniform(200, 1800))
        world.throw(ref, rng.uniform(-600, 600), rng.uniform(-600, 600))
        if index < 8:
            world.step()
    car = world.put("car", 2000, 1000)
    for step in range(20):
        world.things.place(car, Vec3(2000 + 5 * step, 1000), 0.3, Vec3(300.0, 0.0))
        world.step()
    x = np.array([rng.uniform(-100, 3100) for _ in range(10_000)])
    y = np.array([rng.uniform(-100, 2100) for _ in range(10_000)])
    mask = world.clearance.clear_mask(x, y, 40.0)
    assert 0.3 < mask.mean() < 1.0
    for px, py in zip(x[mask].tolist(), y[mask].tolist(), strict=True):
        assert world.clearance.circle_free(px, py, 40.0, *BODY)
    outside = (x < 0) | (y < 0)
    assert not mask[outside].any()


def test_the_mask_follows_what_is_removed(world: SmallWorld) -> None:
    crate = world.put("crate", 500, 500)
    at = (np.array([500.0]), np.array([500.0]))
    assert not world.clearance.clear_mask(*at, 30.0)[0]
    world.remove(crate)
    assert world.clearance.clear_mask(*at, 30.0)[0]


def test_a_radius_beyond_the_masks_reach_is_always_asked_exactly(world: SmallWorld) -> None:
    assert not world.clearance.clear_mask(np.array([500.0]), np.array([500.0]), 101.0)[0]


@pytest.mark.parametrize("radius", [0.0, -1.0, math.nan])
def test_a_query_needs_a_radius(world: SmallWorld, radius: float) -> None:
    with pytest.raises(ValueError, match="radius"):
        world.clearance.circle_free(0, 0, radius, *BODY)
    with pytest.raises(ValueError, match="radius"):
        world.clearance.sweep_free(0, 0, 1, 0, radius, *BODY)
