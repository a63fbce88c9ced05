"""The drawn camera: every move eased, the ground under the mouse kept, the simulation untouched."""

from __future__ import annotations

import ast
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.render.camera import Camera, Subject

FRAME_S = 1.0 / 60.0
SIZE = (1280, 720)
ROOT = Path(__file__).resolve().parents[3]


def run(camera: Camera, seconds: float, subject: Subject | None = None) -> None:
    for _ in range(round(seconds / FRAME_S)):
        camera.advance(FRAME_S, subject)


def test_it_comes_to_a_steady_subject_without_overshooting() -> None:
    """Critically damped, w 6: after 1 s 1000 (1 + 6) e^-6 = 17.4 cm are left, never under 0."""
    camera = Camera(0.0, 0.0)
    subject = Subject(1000.0, 0.0, steady=True)
    furthest = 0.0
    for _ in range(60):
        camera.advance(FRAME_S, subject)
        furthest = max(furthest, camera.x)
    assert 1000.0 - camera.x == pytest.approx(17.35, abs=0.01)
    assert furthest <= 1000.0


@given(st.floats(0.001, 2.0))
def test_a_long_frame_does_not_make_it_swing(frame_s: float) -> None:
    """F7: the spring is solved exactly, so any frame time ends between start and subject."""
    camera = Camera(0.0, 0.0)
    camera.advance(frame_s, Subject(500.0, 0.0, steady=True))
    assert 0.0 <= camera.x <= 500.0


def test_within_the_dead_zone_it_rests() -> None:
    camera = Camera(0.0, 0.0)
    run(camera, 2.0, Subject(24.0, 0.0))
    assert camera.x == pytest.approx(0.0)


def test_it_looks_ahead_of_a_runner_by_at_most_160_cm() -> None:
    """0.35 s x 330 = 115.5 cm; 0.35 s x 600 = 210, held at 160; less the dead zone of 25."""
    for speed, ahead in ((330.0, 115.5), (600.0, 160.0)):
        camera = Camera(0.0, 0.0)
        run(camera, 5.0, Subject(0.0, 0.0, speed, 0.0))
        assert camera.x == pytest.approx(ahead - 25.0, abs=0.1)


def test_the_cursor_pulls_by_at_most_120_cm() -> None:
    camera = Camera(0.0, 0.0)
    for _ in range(300):
        camera.advance(FRAME_S, Subject(0.0, 0.0), cursor=(5000.0, 0.0))
    assert camera.x == pytest.approx(120.0 - 25.0, abs=0.1)


def test_zooming_keeps_the_ground_under_the_mouse() -> None:
    camera = Camera(300.0, 400.0)
    before = camera.projection(*SIZE).to_ground(1000.0, 100.0)
    camera.zoom_by(1.15**4, 1000.0, 100.0, *SIZE)
    for _ in range(60):
        camera.advance(FRAME_S, None)
        assert camera.projection(*SIZE).to_ground(1000.0, 100.0) == pytest.approx(before)
    assert camera.zoom == pytest.approx(0.6 * 1.15**4)


def test_the_zoom_is_eased_and_then_rests_exactly() -> None:
    """Time constant 0.12 s: after 0.12 s the way left is e^-1 of it; in the end none is."""
    camera = Camera(0.0, 0.0, zoom=0.6)
    camera.zoom_to(1.2)
    camera.advance(0.12, None)
    assert camera.zoom == pytest.approx(1.2 - 0.6 * math.exp(-1.0))
    run(camera, 2.0)
    assert camera.zoom == 1.2


@pytest.mark.parametrize(("factor", "limit"), [(1e-6, 0.25), (1e6, 1.8)])
def test_the_zoom_has_limits(factor: float, limit: float) -> None:
    camera = Camera(0.0, 0.0)
    camera.zoom_by(factor, 640.0, 360.0, *SIZE)
    run(camera, 3.0)
    assert camera.zoom == limit


@pytest.mark.parametrize(("degrees", "limit"), [(-500.0, 35.0), (500.0, 90.0)])
def test_the_pitch_goes_from_35_to_90_degrees(degrees: float, limit: float) -> None:
    camera = Camera(0.0, 0.0)
    camera.tilt_by(degrees)
    run(camera, 3.0)
    assert camera.pitch_deg == limit


def test_dragging_moves_the_ground_with_the_mouse() -> None:
    camera = Camera(0.0, 0.0)
    grabbed = camera.projection(*SIZE).to_ground(500.0, 300.0)
    camera.drag(40.0, -25.0, FRAME_S)
    assert camera.projection(*SIZE).to_ground(540.0, 275.0) == pytest.approx(grabbed)


def test_a_free_camera_glides_to_a_halt_and_follows_nobody() -> None:
    camera = Camera(0.0, 0.0)
    camera.drag(-60.0, 0.0, FRAME_S)
    camera.end_drag()
    start = camera.x
    run(camera, 0.1, Subject(-9000.0, 0.0))
    assert camera.x > start
    run(camera, 2.0, Subject(-9000.0, 0.0))
    rest = camera.x
    run(camera, 0.5, Subject(-9000.0, 0.0))
    assert camera.x == pytest.approx(rest, abs=0.5)


def test_home_is_reached_within_six_tenths_of_a_second() -> None:
    camera = Camera(0.0, 0.0)
    camera.pan(4000.0, 1000.0)
    camera.home()
    run(camera, 0.6, Subject(0.0, 0.0, steady=True))
    assert (camera.x, camera.y) == pytest.approx((0.0, 0.0), abs=1.0)


def test_nothing_of_the_simulation_knows_of_drawing() -> None:
    """Product section 2: the drawn camera never reaches the simulation."""
    for room in ("ai", "game/world", "game/levels"):
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module:
                    assert not node.module.startswith(("game.render", "game.ui")), path
