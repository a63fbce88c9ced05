"""Overlays, written down by a recorder instead of being painted."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ai.ports import Vec3
from game.render.colours import Colour
from game.render.palette import load_palette
from game.ui.overlays import (
    draw_claims,
    draw_navigation_mesh,
    draw_obstacles,
    draw_paths,
    overlays_of,
)
from game.world.world import World
from tests.streets import courier_street, start, steps

COLOUR: Colour = (86, 180, 233)
RED: Colour = (213, 94, 0)


class Recorder:
    """Writes down what an overlay draws (fills ``DebugDraw``)."""

    def __init__(self) -> None:
        self.lines: list[tuple[Vec3, Vec3]] = []
        self.circles: list[tuple[Vec3, float]] = []
        self.polygons: list[list[Vec3]] = []
        self.words: list[str] = []

    def line(self, start: Vec3, end: Vec3, colour: Colour, width_px: int = 1) -> None:
        self.lines.append((start, end))

    def circle(self, centre: Vec3, radius_cm: float, colour: Colour, width_px: int = 1) -> None:
        self.circles.append((centre, radius_cm))

    def polygon(self, corners: Sequence[Vec3], colour: Colour, width_px: int = 1) -> None:
        self.polygons.append(list(corners))

    def text(self, at: Vec3, words: str, colour: Colour) -> None:
        self.words.append(words)


@pytest.fixture
def world() -> World:
    made = World(courier_street())
    assert start(made).accepted
    steps(made, 60)
    return made


def test_the_navigation_mesh_keeps_a_bodys_radius_from_the_rim(world: World) -> None:
    """NAV-25: 2000 x 1600 cm of pavement, shrunk by 30 cm and a little more."""
    draw = Recorder()
    draw_navigation_mesh(draw, world, COLOUR)
    xs = [point.x for line in draw.lines for point in line]
    ys = [point.y for line in draw.lines for point in line]
    assert (min(xs), max(xs)) == pytest.approx((30.0, 1970.0), abs=5.0)
    assert (min(ys), max(ys)) == pytest.approx((30.0, 1570.0), abs=5.0)


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


def test_overlays_change_nothing(world: World) -> None:
    before = world.fingerprint.hexdigest()
    table = world.table.x.copy()
    for overlay in overlays_of(world, load_palette()):
        overlay(Recorder())
    assert world.fingerprint.hexdigest() == before
    assert (world.table.x == table).all()
