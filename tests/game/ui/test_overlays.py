"""Overlays, written down by a recorder instead of being painted."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ai.ports import Vec3
from game.render.colours import Colour
from game.render.palette import load_palette
from game.render.projection import GroundBounds
from game.ui.mesh_overlay import OUTLINE_PX, MeshOverlay
from game.ui.overlays import (
    ON_AT_FIRST,
    OverlaySet,
    draw_bodies,
    draw_claims,
    draw_obstacles,
    draw_paths,
    draw_tasks,
    draw_things,
    overlays_of,
)
from game.world.world import World
from tests.streets import barrier, courier_street, prop, start, steps, thing

COLOUR: Colour = (86, 180, 233)
RED: Colour = (213, 94, 0)
NOTHING = GroundBounds(-900.0, -900.0, -800.0, -800.0)
"""A sight far from everything."""


class Recorder:
    """Writes down what an overlay draws (fills ``DebugDraw``)."""

    def __init__(self) -> None:
        self.lines: list[tuple[Vec3, Vec3]] = []
        self.thick: list[tuple[Vec3, Vec3]] = []
        self.colours: set[Colour] = set()
        self.circles: list[tuple[Vec3, float]] = []
        self.widths: list[int] = []
        self.polygons: list[list[Vec3]] = []
        self.words: list[str] = []

    def line(self, start: Vec3, end: Vec3, colour: Colour, width_px: int = 1) -> None:
        self.lines.append((start, end))
        self.colours.add(colour)
        if width_px >= OUTLINE_PX:
            self.thick.append((start, end))

    def circle(self, centre: Vec3, radius_cm: float, colour: Colour, width_px: int = 1) -> None:
        self.circles.append((centre, radius_cm))
        self.widths.append(width_px)

    def polygon(self, corners: Sequence[Vec3], colour: Colour, width_px: int = 1) -> None:
        self.polygons.append(list(corners))
        self.widths.append(width_px)

    def text(self, at: Vec3, words: str, colour: Colour) -> None:
        self.words.append(words)


@pytest.fixture
def world() -> World:
    made = World(courier_street())
    assert start(made).accepted
    steps(made, 60)
    return made


def mesh_of(world: World, sight: GroundBounds | None = None) -> Recorder:
    draw = Recorder()
    colours = (COLOUR, RED)
    overlay = (
        MeshOverlay(world, colours) if sight is None else MeshOverlay(world, colours, lambda: sight)
    )
    overlay(draw)
    return draw


def test_the_navigation_mesh_keeps_a_bodys_radius_from_the_rim(world: World) -> None:
    """NAV-25: 2000 x 1600 cm of pavement, shrunk by 30 cm and a little more."""
    draw = mesh_of(world)
    xs = [point.x for line in draw.lines for point in line]
    ys = [point.y for line in draw.lines for point in line]
    assert (min(xs), max(xs)) == pytest.approx((30.0, 1970.0), abs=5.0)
    assert (min(ys), max(ys)) == pytest.approx((30.0, 1570.0), abs=5.0)


def test_each_side_is_drawn_once_and_the_outline_thick(world: World) -> None:
    """Both triangles of a side have it; the rim of the ground belongs to one alone."""
    draw = mesh_of(world)
    sides = {frozenset(line) for line in draw.lines}
    assert len(sides) == len(draw.lines)
    rim = [
        line
        for line in draw.lines
        if all(point.x < 35.0 for point in line) or all(point.x > 1965.0 for point in line)
    ]
    assert rim
    assert all(line in draw.thick for line in rim)
    assert 0 < len(draw.thick) < len(draw.lines)


def test_regions_have_colours_and_numbers_of_their_own() -> None:
    """A wall across the street makes two of one."""
    wall = barrier(30, 600.0, 800.0, 20.0, 1600.0)
    draw = mesh_of(World(courier_street(obstacles=(wall,))))
    assert draw.colours == {COLOUR, RED}
    assert [words.split(":")[0] for words in draw.words] == ["region 0", "region 1"]


def test_only_the_mesh_in_sight_is_drawn(world: World) -> None:
    assert mesh_of(world, NOTHING).lines == []
    some = mesh_of(world, GroundBounds(0.0, 0.0, 300.0, 300.0))
    assert 0 < len(some.lines) < len(mesh_of(world).lines)


def test_a_rebuilt_mesh_is_drawn_as_it_is(world: World) -> None:
    """NAV-26: what is taken away is walkable ground again after the rebuild."""
    draw, overlay = Recorder(), MeshOverlay(world, (COLOUR,))
    overlay(draw)
    before = set(draw.lines)
    world.things.request_removal(thing(world, "car_b"))
    steps(world, 120)
    draw = Recorder()
    overlay(draw)
    assert set(draw.lines) != before


def test_what_is_cut_out_of_the_mesh_is_outlined(world: World) -> None:
    """Car A at (1200, 600), 180 x 440."""
    draw = Recorder()
    draw_obstacles(draw, world, COLOUR)
    assert len(draw.polygons) == 2
    corners = {(round(point.x), round(point.y)) for point in draw.polygons[0]}
    assert corners == {(1110, 380), (1290, 380), (1290, 820), (1110, 820)}


def test_a_path_runs_from_the_ped_to_its_goal(world: World) -> None:
    """Car A's side point is (1000, 600)."""
    draw = Recorder()
    draw_paths(draw, world, COLOUR, RED)
    ped = world.peds.in_id_order()[0].position
    assert draw.lines[0][0][:2] == pytest.approx(ped[:2])
    assert draw.lines[-1][1][:2] == pytest.approx((1000.0, 600.0), abs=0.1)


def test_who_holds_a_movement_is_said_over_the_head(world: World) -> None:
    draw = Recorder()
    draw_claims(draw, world, COLOUR)
    assert draw.words == ["courier walking · order"]


def test_the_corner_walked_to_is_filled(world: World) -> None:
    draw = Recorder()
    draw_paths(draw, world, COLOUR, RED)
    assert draw.widths[0] == 0
    assert all(width > 0 for width in draw.widths[1:])


def test_the_task_at_work_is_said_over_the_head(world: World) -> None:
    """TASK-114, TASK-115: name, number and state, as in every other text of the trees."""
    draw = Recorder()
    draw_tasks(draw, world, COLOUR)
    root = world.peds.in_id_order()[0].tasks.tree(0).active_root
    assert root is not None
    assert draw.words == [f"order#{root.uid} TRAVEL"]


def test_bodies_stand_on_circles_and_point_where_they_go(world: World) -> None:
    """A ped of radius 30 cm that walks east."""
    draw = Recorder()
    draw_bodies(draw, world, COLOUR)
    position = world.peds.in_id_order()[0].position
    assert draw.circles == [(position, world.data.locomotion.ped_radius)]
    ((begin, end),) = draw.lines
    assert begin == position
    assert end.x - begin.x == pytest.approx(65.0, abs=2.0)
    assert end.y == pytest.approx(begin.y, abs=1.0)


def test_things_are_drawn_as_physics_has_them() -> None:
    """LOC-20: a solid car is drawn thick, a light cone that is pushed aside thin."""
    world = World(courier_street(props=(prop(40, "cone", 1500.0, 300.0, 14.0, 2.0),)))
    draw = Recorder()
    draw_things(draw, world, RED, COLOUR)
    assert len(draw.polygons) == 2
    assert draw.circles == [(Vec3(1500.0, 300.0), 14.0)]
    assert draw.widths == [2, 2, 1]


def test_what_is_out_of_sight_is_left_out(world: World) -> None:
    draw = Recorder()
    draw_things(draw, world, RED, COLOUR, NOTHING)
    draw_bodies(draw, world, COLOUR, NOTHING)
    draw_claims(draw, world, COLOUR, NOTHING)
    draw_tasks(draw, world, COLOUR, NOTHING)
    assert [*draw.lines, *draw.circles, *draw.polygons, *draw.words] == []


def test_overlays_are_switched_one_by_one_and_as_a_whole(world: World) -> None:
    overlays = OverlaySet(overlays_of(world, load_palette()))
    keys = [overlay.key for overlay in overlays.overlays]
    assert overlays.shown == ()
    assert not overlays.switch(1)
    overlays.toggle()
    assert len(overlays.shown) == len(ON_AT_FIRST)
    assert overlays.switch(1)
    assert overlays.is_on(keys[0]) == (keys[0] not in ON_AT_FIRST)
    assert not overlays.switch(len(keys) + 1)
    overlays.toggle()
    assert overlays.shown == ()
    overlays.toggle()
    assert overlays.is_on(keys[0]) == (keys[0] not in ON_AT_FIRST)


def test_overlays_change_nothing(world: World) -> None:
    """TASK-117: the world is the same after all of them."""
    before = world.fingerprint.hexdigest()
    table = world.table.x.copy()
    for overlay in overlays_of(world, load_palette()):
        overlay.draw(Recorder())
    assert world.fingerprint.hexdigest() == before
    assert (world.table.x == table).all()
