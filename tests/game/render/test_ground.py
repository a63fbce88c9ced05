"""The ground: who lies over whom, kerbs, gutters, paint, and the chunks baked from them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pygame
import pytest
import shapely

from game.render.canvas import View
from game.render.ground.chunks import CHUNK_PX, GroundChunks
from game.render.ground.plan import GroundPlan, Patch, kind_of, plan_ground
from game.render.palette import load_palette
from game.render.picture import GroundPicture
from game.render.projection import Projection
from game.world.description import GroundTile
from tests.game.render.doubles import patch

ROADSIDE = GroundPicture(
    2000.0,
    1200.0,
    (
        patch("pavement", 0.0, 0.0, 2000.0, 1200.0),
        patch("road", 0.0, 400.0, 2000.0, 900.0),
        patch("crossing", 1000.0, 400.0, 1160.0, 900.0),
    ),
)


def area(patches: tuple[Patch, ...]) -> float:
    """Summed area of all triangles."""
    return sum(shapely.Polygon(triangle).area for one in patches for triangle in one.triangles)


def test_the_later_surface_wins() -> None:
    """NAV-27: 2000 x 1200 of pavement, less 2000 x 500 of road, less its 160 x 500 of crossing."""
    regions = plan_ground(ROADSIDE).regions
    assert area(regions["pavement"]) == pytest.approx(1_400_000.0)
    assert area(regions["road"]) == pytest.approx(920_000.0)
    assert area(regions["crossing"]) == pytest.approx(80_000.0)
    assert area(regions["no_walk"]) == pytest.approx(0.0)


def test_ground_tiles_lie_over_surfaces() -> None:
    tiles = tuple(GroundTile(column, row, "grass") for row in (0, 1) for column in (2, 3, 5))
    regions = plan_ground(GroundPicture(1000.0, 500.0, ROADSIDE.surfaces[:1], tiles)).regions
    assert area(regions["grass"]) == pytest.approx(60_000.0)
    assert area(regions["pavement"]) == pytest.approx(440_000.0)


def test_what_the_map_leaves_out_is_bare() -> None:
    regions = plan_ground(
        GroundPicture(1000.0, 500.0, (patch("plaza", 0.0, 0.0, 400.0, 500.0),))
    ).regions
    assert area(regions["no_walk"]) == pytest.approx(300_000.0)


def test_an_unknown_word_is_pavement() -> None:
    assert kind_of("marble") == "pavement"
    assert kind_of("grass") == "grass"


def test_kerbs_are_16_wide_along_both_sides_and_end_with_the_level() -> None:
    plan = plan_ground(ROADSIDE)
    assert area(plan.kerb_tops) == pytest.approx(2 * 2000.0 * 16.0)
    assert area(plan.gutters) == pytest.approx(2 * 2000.0 * 28.0)
    headings = sorted(edge.end[0] - edge.start[0] for edge in plan.kerb_edges)
    assert sum(length for length in headings if length > 0.0) == pytest.approx(2000.0)
    assert sum(length for length in headings if length < 0.0) == pytest.approx(-2000.0)


def test_the_road_lies_on_the_right_of_every_kerb_edge() -> None:
    """With y down: the far kerb runs east (its face shows), the near one west."""
    for edge in plan_ground(ROADSIDE).kerb_edges:
        far = edge.start[1] == 400.0
        assert (edge.end[0] > edge.start[0]) == far


def test_crossings_have_bars_of_30_each_56_and_roads_dashes_of_100_each_200() -> None:
    """500 cm of crossing less 20: eight bars of 154 x 30; 2000 cm of road: ten dashes, less two."""
    plan = plan_ground(ROADSIDE)
    sizes = [shapely.Polygon(quad).area for quad in plan.paint]
    assert sum(1 for size in sizes if size == pytest.approx(30.0 * 0.96 * 160.0)) == 8
    dashes = [quad for quad in plan.paint if shapely.Polygon(quad).area == pytest.approx(1400.0)]
    middles = [sum(x for x, _ in quad) / 4.0 for quad in dashes]
    assert len(dashes) == 9
    assert not [x for x in middles if 950.0 < x < 1210.0]
    assert all(sum(y for _, y in quad) / 4.0 == pytest.approx(650.0) for quad in dashes)


def test_tiles_over_a_road_surface_leave_its_dashes_as_they_are() -> None:
    """Tiles and surfaces of one road are one road, not two that meet all along."""
    tiles = tuple(
        GroundTile(column, row, "crossing" if column in (10, 11) else "road")
        for row in range(4, 9)
        for column in range(20)
    )
    tiled = plan_ground(GroundPicture(2000.0, 1200.0, ROADSIDE.surfaces[:2], tiles))
    dashes = [quad for quad in tiled.paint if shapely.Polygon(quad).area == pytest.approx(1400.0)]
    middles = sorted(sum(x for x, _ in quad) / 4.0 for quad in dashes)
    assert middles == pytest.approx(
        [100.0, 300.0, 500.0, 700.0, 900.0, 1300.0, 1500.0, 1700.0, 1900.0]
    )


def test_a_road_of_tiles_alone_has_dashes() -> None:
    tiles = tuple(GroundTile(column, row, "road") for row in range(4, 9) for column in range(20))
    paint = plan_ground(GroundPicture(2000.0, 1200.0, ROADSIDE.surfaces[:1], tiles)).paint
    assert len(paint) == 10


@pytest.mark.parametrize("start", [1000.0, 1030.0, 1060.0, 1090.0])
def test_no_dash_runs_into_the_bars_of_a_crossing(start: float) -> None:
    crossing = patch("crossing", start, 400.0, start + 160.0, 900.0)
    floor = GroundPicture(2000.0, 1200.0, (*ROADSIDE.surfaces[:2], crossing))
    for quad in plan_ground(floor).paint:
        if shapely.Polygon(quad).area == pytest.approx(1400.0):
            assert all(x <= start - 45.0 or x >= start + 205.0 for x, _ in quad)


def test_where_two_roads_meet_there_are_no_dashes() -> None:
    """Two strips of 500: ten dashes each, of which the middle two and a half lie in both."""
    cross = (patch("road", 0.0, 750.0, 2000.0, 1250.0), patch("road", 750.0, 0.0, 1250.0, 2000.0))
    middles = [
        (sum(x for x, _ in quad) / 4.0, sum(y for _, y in quad) / 4.0)
        for quad in plan_ground(GroundPicture(2000.0, 2000.0, cross)).paint
    ]
    assert len(middles) == 16
    assert not [one for one in middles if all(750.0 < value < 1250.0 for value in one)]


def test_a_narrow_lane_has_no_line() -> None:
    lane = GroundPicture(2000.0, 400.0, (patch("road", 0.0, 0.0, 2000.0, 300.0),))
    assert plan_ground(lane).paint == ()


# -- chunks --------------------------------------------------------------------


def drawn(
    chunks: GroundChunks, projection: Projection, settled: View | None = None
) -> pygame.Surface:
    surface = pygame.Surface((projection.width, projection.height))
    view = settled or View(projection.zoom, projection.pitch_deg)
    chunks.draw(surface, projection, view)
    return surface


def mean_colour(surface: pygame.Surface, x: float, y: float, reach: int = 12) -> np.ndarray:
    box = pygame.Rect(round(x) - reach, round(y) - reach, 2 * reach, 2 * reach)
    part = surface.subsurface(box.clip(surface.get_rect()))
    return np.asarray(pygame.surfarray.array3d(part).astype(float).mean(axis=(0, 1)))


@pytest.fixture(scope="module")
def plan() -> GroundPlan:
    return plan_ground(ROADSIDE)


@pytest.mark.parametrize(
    ("place", "kind"), [((300.0, 200.0), "pavement"), ((300.0, 560.0), "road")]
)
def test_each_surface_has_its_colour(
    plan: GroundPlan, place: tuple[float, float], kind: str
) -> None:
    projection = Projection(800.0, 500.0, 55.0, 0.6, 960, 540)
    surface = drawn(GroundChunks(plan, load_palette(), None), projection)
    expected = np.array(getattr(load_palette().ground, kind), dtype=float)
    found = mean_colour(surface, *projection.to_screen(*place))
    # Two layers of multiply noise darken it to about 0.93 of itself.
    assert np.abs(found - expected * 0.93).max() < 14.0


def test_the_far_kerb_shows_its_face(plan: GroundPlan) -> None:
    """Kerb top above the edge, its darker face 14 cm high below it, then road."""
    projection = Projection(400.0, 400.0, 55.0, 1.2, 400, 200)
    surface = drawn(GroundChunks(plan, load_palette(), None), projection)
    x, edge = projection.to_screen(430.0, 400.0)
    top = mean_colour(surface, x, edge - 8.0, 3).mean()
    face = mean_colour(surface, x, edge + 4.0, 2).mean()
    road = mean_colour(surface, x, edge + 60.0, 6).mean()
    assert top > face + 25.0 > road + 25.0


def test_the_same_ground_looks_the_same_wherever_the_camera_stands(plan: GroundPlan) -> None:
    """Marks hang on the world, not on the picture."""
    chunks = GroundChunks(plan, load_palette(), None)
    here = Projection(700.0, 500.0, 55.0, 0.6, 640, 360).snapped()
    there = Projection(760.0, 540.0, 55.0, 0.6, 640, 360).snapped()
    first, second = drawn(chunks, here), drawn(chunks, there)
    dx = round(here.to_screen(0.0, 0.0)[0] - there.to_screen(0.0, 0.0)[0])
    dy = round(here.to_screen(0.0, 0.0)[1] - there.to_screen(0.0, 0.0)[1])
    for x, y in ((300, 200), (420, 240), (150, 300)):
        assert first.get_at((x, y)) == second.get_at((x - dx, y - dy))


def test_a_frame_bakes_no_more_chunks_than_it_may(plan: GroundPlan) -> None:
    """But for the first picture, which nothing can stand in for."""
    chunks = GroundChunks(plan, load_palette(), bakes_per_frame=1)
    projection = Projection(1000.0, 600.0, 55.0, 0.6, CHUNK_PX * 2, CHUNK_PX)
    outside = pygame.Surface((projection.width, projection.height))
    chunks.draw(outside, projection, View(0.6, 55.0))
    counts = [chunks.baked]
    for _ in range(6):
        chunks.draw(outside, projection, View(0.7, 55.0))
        counts.append(chunks.baked)
    assert counts[0] >= 4
    assert {after - before for before, after in pairwise(counts[:4])} == {1}


def test_while_the_camera_zooms_old_chunks_are_stretched(plan: GroundPlan) -> None:
    chunks = GroundChunks(plan, load_palette(), None)
    settled = View(0.6, 55.0)
    drawn(chunks, Projection(900.0, 500.0, 55.0, 0.6, 640, 360), settled)
    baked = chunks.baked
    near = Projection(900.0, 500.0, 55.0, 0.8, 640, 360)
    surface = drawn(chunks, near, settled)
    assert chunks.baked == baked
    road = mean_colour(surface, *near.to_screen(880.0, 600.0))
    assert np.abs(road - np.array(load_palette().ground.road) * 0.93).max() < 14.0


def test_beyond_the_rim_of_the_level_it_is_darker(plan: GroundPlan) -> None:
    projection = Projection(0.0, 200.0, 55.0, 0.6, 640, 360)
    surface = drawn(GroundChunks(plan, load_palette(), None), projection)
    inside = mean_colour(surface, *projection.to_screen(120.0, 200.0)).mean()
    outside = mean_colour(surface, *projection.to_screen(-120.0, 200.0)).mean()
    assert outside < 0.75 * inside
