"""Which moment a frame shows, and what can be asked for."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.recording.errors import RecordingError
from game.recording.plan import FilmPlan, even, parse_size, plan_film


def plan(seconds: float = 2.0, **options: object) -> FilmPlan:
    return plan_film(seconds, **({"size": (320, 180)} | options))  # type: ignore[arg-type]


def test_thirty_frames_a_second_show_every_second_step() -> None:
    film = plan(fps=30)
    assert film.frames == 60
    assert [film.moment(frame) for frame in range(4)] == [(0, 1.0), (2, 1.0), (4, 1.0), (6, 1.0)]


def test_a_moment_between_two_steps_is_drawn_between_them() -> None:
    """24 frames a second: 2.5 steps a frame, so every other one lies halfway."""
    film = plan(fps=24)
    assert [film.moment(frame) for frame in range(4)] == [(0, 1.0), (3, 0.5), (5, 1.0), (8, 0.5)]


def test_slow_motion_shows_moments_within_a_step() -> None:
    """At a quarter of the speed and 60 frames a second a step lasts four frames."""
    film = plan(0.1, fps=60, speed=0.25)
    assert film.frames == 24
    assert [film.moment(frame) for frame in range(6)] == [
        (0, 1.0), (1, 0.25), (1, 0.5), (1, 0.75), (1, 1.0), (2, 0.25),
    ]  # fmt: skip


def test_twice_the_speed_makes_half_the_film() -> None:
    """LVL-10: no speed change unless asked for."""
    film = plan(13.0, fps=30, speed=2.0)
    assert film.frames == 195
    assert film.moment(1) == (4, 1.0)
    assert film.film_time_s(30) == Fraction(1, 4)


@given(
    fps=st.integers(1, 60),
    speed=st.floats(0.05, 20.0, allow_nan=False),
    frame=st.integers(0, 100_000),
)
def test_frames_are_evenly_spaced_at_any_rate_and_speed(fps: int, speed: float, frame: int) -> None:
    film = FilmPlan((320, 180), fps, Fraction(str(speed)), 1)
    steps, share = film.moment(frame)
    assert 0.0 <= share <= 1.0
    exact = frame * 60.0 * speed / fps
    assert math.isclose(steps - 1 + share, exact, rel_tol=1e-9, abs_tol=1e-6)


@pytest.mark.parametrize(
    ("seconds", "options", "named"),
    [
        (2.0, {"fps": 0}, "--fps 0"),
        (2.0, {"fps": 61}, "--fps 61"),
        (2.0, {"speed": 0.0}, "--speed 0"),
        (2.0, {"speed": math.nan}, "--speed nan"),
        (0.0, {}, "--seconds 0"),
        (math.nan, {}, "--seconds nan"),
        (math.inf, {}, "--seconds inf"),
    ],
)
def test_what_is_out_of_range_is_named(
    seconds: float, options: dict[str, object], named: str
) -> None:
    with pytest.raises(RecordingError, match=named):
        plan(seconds, **options)


def test_a_film_without_a_single_frame_is_a_failure() -> None:
    """engineering-notes: zero frames written are a failure; 0.01 s are 0.3 of a frame."""
    with pytest.raises(RecordingError, match="single frame"):
        plan(0.01)


def test_odd_sides_get_one_pixel_more() -> None:
    """F13."""
    assert even((641, 481)) == (642, 482)
    assert even((1280, 720)) == (1280, 720)
    assert plan(size=(641, 481)).size == (642, 482)


def test_sizes_are_read_and_bounded() -> None:
    assert parse_size("1280x720") == (1280, 720)
    assert parse_size(" 641X481 ") == (641, 481)
    for text in ("1280", "1280x", "-5x5", "1280x720x3", "99999999x5", "ax b", "1280.0x720"):
        with pytest.raises(RecordingError, match="WIDTHxHEIGHT"):
            parse_size(text)
    for text in ("16x720", "1280x9999"):
        with pytest.raises(RecordingError, match="between 64 and 4096"):
            parse_size(text)
