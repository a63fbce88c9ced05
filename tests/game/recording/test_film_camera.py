"""Film mode of the camera (art-and-feel section 10)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

from game.recording.film_camera import FilmCamera


@dataclass
class View:
    """A level's camera."""

    x: float = 500.0
    y: float = 400.0
    zoom_px_per_cm: float = 0.6
    pitch_deg: float = 55.0


def test_it_begins_where_the_level_looks() -> None:
    projection = FilmCamera(View(), (1280, 720)).projection()
    assert projection.to_ground(640, 360) == pytest.approx((500.0, 400.0))
    assert (projection.zoom, projection.pitch_deg) == (0.6, 55.0)


def test_it_follows_as_a_critically_damped_spring_of_omega_two_and_a_half() -> None:
    """After t a step of 100 cm is short of its goal by 100 (1 + 2.5 t) exp(-2.5 t)."""
    view = View()
    camera = FilmCamera(view, (1280, 720))
    view.x += 100.0
    for _ in range(30):
        camera.advance(1.0 / 30.0)
    short = 100.0 * (1.0 + 2.5) * math.exp(-2.5)
    assert camera.projection().to_ground(640, 360)[0] == pytest.approx(600.0 - short)


def test_it_arrives_on_the_very_point_and_stays() -> None:
    view = View()
    camera = FilmCamera(view, (1280, 720))
    view.x, view.zoom_px_per_cm = 900.0, 1.2
    for _ in range(300):
        camera.advance(1.0 / 30.0)
    projection = camera.projection()
    assert projection.to_ground(640, 360)[0] == pytest.approx(900.0, abs=0.01)
    assert projection.zoom == 1.2


def test_a_picture_of_another_size_shows_the_same_piece_of_street() -> None:
    """640 x 360 px at half the zoom: the same ground in the same corner."""
    whole = FilmCamera(View(), (1280, 720)).projection()
    half = FilmCamera(View(), (640, 360)).projection()
    assert half.to_ground(0, 0) == pytest.approx(whole.to_ground(0, 0))
    assert half.to_ground(640, 360) == pytest.approx(whole.to_ground(1280, 720))
