"""The frame-time graph: bands, scale, columns."""

from __future__ import annotations

import numpy as np
import pygame
import pytest
from numpy.typing import NDArray

from game.render.palette import load_palette
from game.ui.frame_graph import GRAPH_PX, Bands, FrameGraph, scale_of
from game.ui.frame_times import DRAWING, FRAMES_KEPT, PARTS, FrameTimes
from game.ui.theme import Theme
from game.world.world import World
from tests.streets import courier_street

NOWHERE = pygame.Rect(0, 0, 0, 0)
FLOOR_Y = 640


def row(drawing: float = 0.0, **phases: float) -> NDArray[np.float64]:
    made = np.zeros(PARTS)
    made[DRAWING] = drawing
    for name, cost_ms in phases.items():
        made[int(name[1:])] = cost_ms
    return made


def test_the_dearest_phases_have_bands_of_their_own() -> None:
    bands = Bands()
    assert bands.choose(row(p6=5, p11=4, p12=3, p14=2, p17=1, p2=0.5))
    assert sorted(bands.phases) == [6, 11, 12, 14, 17]


def test_a_phase_keeps_its_place_while_it_is_dear() -> None:
    """A band that changed its colour with every rank could not be followed."""
    bands = Bands()
    bands.choose(row(p6=5, p11=4, p12=3, p14=2, p17=1))
    place = bands.phases.index(11)
    assert not bands.choose(row(p6=1, p11=9, p12=3, p14=2, p17=4))
    assert bands.choose(row(p6=5, p11=4, p12=3, p14=2, p2=9))
    assert bands.phases.index(11) == place
    assert 17 not in bands.phases


def test_a_frame_is_split_without_remainder() -> None:
    """Drawing first, then the chosen, then the others: 8 + 5 + 4 + 3 + 2 + 1 + 0.75."""
    bands = Bands()
    frame = row(8.0, p6=5, p11=4, p12=3, p14=2, p17=1, p2=0.5, p3=0.25)
    bands.choose(frame)
    split = bands.split(frame)
    assert split[0] == 8.0
    assert split[-1] == pytest.approx(0.75)
    assert sum(split) == pytest.approx(frame.sum())


@pytest.mark.parametrize(("frame_ms", "scale_ms"), [(4.0, 10.0), (16.0, 20.0), (900.0, 320.0)])
def test_the_scale_is_the_least_that_holds_the_frames(frame_ms: float, scale_ms: float) -> None:
    assert scale_of(np.stack([row(frame_ms)] * 50)) == scale_ms


def test_one_slow_frame_in_a_hundred_does_not_shrink_the_graph() -> None:
    assert scale_of(np.stack([row(4.0)] * 99 + [row(200.0)])) == 10.0


class Clocked:
    """A graph over times that are turned by hand."""

    def __init__(self, text_scale: float = 1.0) -> None:
        self.now_ns = 0
        self.times = FrameTimes(World(courier_street()), lambda: self.now_ns)
        palette = load_palette()
        self.graph = FrameGraph(self.times, Theme(palette.interface, text_scale), palette)
        self.surface = pygame.Surface((1280, 720))

    def frames(self, count: int, drawing_ms: float) -> None:
        for _ in range(count):
            self.times.drawing_begins()
            self.now_ns += round(drawing_ms * 1e6)
            self.graph.draw(self.surface, FLOOR_Y, NOWHERE)
            self.times.frame_ends()

    def high(self, column: int) -> int:
        """Px that a column of the graph is filled with drawing's colour."""
        colour = load_palette().overlay.colours[0]
        graph = self.graph._graph
        return sum(graph.get_at((column, y))[:3] == colour for y in range(GRAPH_PX))


def test_nothing_is_drawn_until_it_is_switched_on() -> None:
    clocked = Clocked()
    clocked.frames(3, 5.0)
    untouched = pygame.mask.from_threshold(clocked.surface, (0, 0, 0), (1, 1, 1))
    assert untouched.count() == 1280 * 720


def test_a_column_is_as_high_as_its_frame() -> None:
    """5 of 10 ms: half of the height, at the right-hand edge, older ones to the left."""
    clocked = Clocked()
    clocked.times.toggle()
    clocked.frames(3, 5.0)
    assert clocked.high(FRAMES_KEPT - 1) == GRAPH_PX // 2
    assert clocked.high(FRAMES_KEPT - 2) == GRAPH_PX // 2
    assert clocked.high(FRAMES_KEPT - 3) == 0


def test_the_graph_is_scaled_anew_when_frames_grow() -> None:
    """A second and a half of 30 ms: the full height stands for 40."""
    clocked = Clocked()
    clocked.times.toggle()
    clocked.frames(30, 5.0)
    clocked.frames(90, 30.0)
    assert clocked.graph._scale_ms == 40.0
    assert clocked.high(FRAMES_KEPT - 1) == round(GRAPH_PX * 30 / 40)
    assert clocked.high(FRAMES_KEPT - 100) == round(GRAPH_PX * 5 / 40)


def test_switched_off_and_on_again_it_is_empty() -> None:
    clocked = Clocked()
    clocked.times.toggle()
    clocked.frames(20, 5.0)
    clocked.times.toggle()
    clocked.times.toggle()
    clocked.frames(2, 5.0)
    assert clocked.high(FRAMES_KEPT - 1) > 0
    assert clocked.high(FRAMES_KEPT - 2) == 0


@pytest.mark.parametrize("text_scale", [1.0, 2.0])
def test_it_stands_on_the_floor_and_beside_what_is_in_its_way(text_scale: float) -> None:
    clocked = Clocked(text_scale)
    clocked.times.toggle()
    clocked.frames(2, 5.0)
    ground = (0, 0, 0)
    seen = pygame.mask.from_threshold(clocked.surface, ground, (1, 1, 1))
    seen.invert()
    box = seen.get_bounding_rects()[0]
    assert box.bottom == FLOOR_Y - 12
    assert box.left == 12
    clocked.surface.fill(ground)
    legend = pygame.Rect(12, 140, 160, 400)
    clocked.graph.draw(clocked.surface, FLOOR_Y, legend)
    seen = pygame.mask.from_threshold(clocked.surface, ground, (1, 1, 1))
    seen.invert()
    assert seen.get_bounding_rects()[0].left == legend.right + 12
