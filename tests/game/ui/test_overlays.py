"""Overlays, written down by a recorder instead of being painted."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ai.ports import Vec3
from game.render.colours import Colour
from game.render.palette import load_palette
from game.ui.overlays import draw_claims, draw_paths, draw_surfaces, overlays_of
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


def test_surfaces_and_what_is_cut_out_of_them_are_outlined(world: World) -> None:
    draw = Recorder()
    draw_surfaces(draw, world, COLOUR)
    assert [Vec3(0.0, 0.0), Vec3(2000.0, 0.0), Vec3(2000.0, 1600.0), Vec3(0.0, 1600.0)] in (
        draw.polygons
    )
    assert len(draw.polygons) == 3


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
