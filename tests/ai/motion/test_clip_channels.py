"""Curves from root tracks and looking them up (CLIP-02 to CLIP-04)."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.motion.clip_channels import distance_channel, yaw_channel
from ai.motion.clips import ClipRefused, sample_position, value_at
from tests.ai.motion.clip_doubles import RUN, TUNING

FLAT = [0.0, 0.0, 0.0, 0.0]


def radians(degrees: list[float]) -> list[float]:
    return [math.radians(value) for value in degrees]


def test_samples_of_the_run_stop_are_a_120th_of_its_length_apart() -> None:
    """CLIP-02: 1.4 s / 120 = 0.0116667 s; d(0) = 0 and d(T) = 208.01."""
    stop = RUN.stop
    assert stop.samples == 121
    assert stop.duration_s / 120 == pytest.approx(0.0116667, abs=5e-8)
    assert stop.distance_at(0.0) == 0.0
    assert stop.distance_at(1.4) == pytest.approx(208.01, abs=0.005)


def test_lookup_is_linear_between_samples_and_clamped_to_the_clip() -> None:
    """CLIP-02: three samples over 1 s, 0, 10, 40 cm."""
    curve = [0.0, 10.0, 40.0]
    assert value_at(curve, 0.25, 1.0) == 5.0
    assert value_at(curve, 0.5, 1.0) == 10.0
    assert value_at(curve, 0.75, 1.0) == 25.0
    assert value_at(curve, -1.0, 1.0) == 0.0
    assert value_at(curve, 7.0, 1.0) == 40.0


def test_the_end_of_a_clip_lies_in_its_last_interval() -> None:
    """CLIP-02: both ends are samples, so T is the end of interval 119, not a 120th one."""
    assert sample_position(1.1, 1.1, 120) == (119, 1.0)
    assert sample_position(0.0, 1.1, 120) == (0, 0.0)


def test_distance_is_the_running_maximum_of_the_offset() -> None:
    """CLIP-03: offsets 0, 10, 8, 12 give 0, 10, 10, 12.

    The arc of 16 is over 1.2 * 12 = 14.4, so that limit is lifted to see the channel.
    """
    lenient = TUNING.model_copy(update={"arc_ratio_max": 2.0})
    channel = distance_channel("x", [0.0, 10.0, 8.0, 12.0], FLAT, lenient)
    assert channel == [0.0, 10.0, 10.0, 12.0]


def test_distance_is_the_straight_offset_and_not_the_arc() -> None:
    """CLIP-03: a 3-4-5 corner of arc 7 ends 5 cm from its start."""
    lenient = TUNING.model_copy(update={"arc_ratio_max": 2.0})
    assert distance_channel("x", [0.0, 3.0, 3.0], [0.0, 0.0, 4.0], lenient) == [0.0, 3.0, 5.0]


def test_offsets_start_from_the_first_frame_wherever_it_is() -> None:
    """CLIP-03: |XY(root_j - root_0)|."""
    assert distance_channel("x", [100.0, 101.0, 103.0], [7.0] * 3, TUNING) == [0.0, 1.0, 3.0]


def test_a_u_shaped_root_is_refused() -> None:
    """CLIP-03: out and back along a parallel line."""
    x = [0.0, 50.0, 100.0, 100.0, 50.0, 20.0]
    y = [0.0, 0.0, 0.0, 40.0, 40.0, 40.0]
    with pytest.raises(ClipRefused, match="'u' backs up or circles; distance channel unusable"):
        distance_channel("u", x, y, TUNING)


@pytest.mark.parametrize(("back_cm", "refused"), [(4.9, False), (5.1, True)])
def test_falling_back_over_five_centimetres_is_refused(back_cm: float, refused: bool) -> None:
    """CLIP-03: 5 cm below the running maximum is the limit (arc 109.8 and 110.2 of 120 allowed)."""
    x = [0.0, 100.0, 100.0 - back_cm, 100.0]
    if refused:
        with pytest.raises(ClipRefused, match="backs up"):
            distance_channel("x", x, FLAT, TUNING)
    else:
        assert distance_channel("x", x, FLAT, TUNING) == [0.0, 100.0, 100.0, 100.0]


@pytest.mark.parametrize(("aside_cm", "refused"), [(33.0, False), (34.0, True)])
def test_an_arc_over_a_fifth_longer_than_the_way_is_refused(aside_cm: float, refused: bool) -> None:
    """CLIP-03: 100 cm ahead by way of a point aside: 2 * hypot(50, 33) = 119.8, of 34 = 120.9."""
    x, y = [0.0, 50.0, 100.0], [0.0, aside_cm, 0.0]
    if refused:
        with pytest.raises(ClipRefused, match="circles"):
            distance_channel("x", x, y, TUNING)
    else:
        assert distance_channel("x", x, y, TUNING)[-1] == 100.0


@settings(deadline=None)
@given(st.lists(st.floats(min_value=0.0, max_value=20.0), min_size=2, max_size=121))
def test_distance_never_falls_and_ends_at_the_furthest_point(steps: list[float]) -> None:
    """CLIP-03: a root that only goes forward gives a monotone channel."""
    x = [0.0]
    for step in steps:
        x.append(x[-1] + step)
    channel = distance_channel("x", x, [0.0] * len(x), TUNING)
    assert all(a <= b for a, b in itertools.pairwise(channel))
    assert channel[0] == 0.0
    assert channel[-1] == max(abs(value) for value in x)


def test_yaw_accumulates_shortest_differences() -> None:
    """CLIP-04: 350, 0, 10, 20 deg accumulate to 30, normalised 0, 1/3, 2/3, 1."""
    channel = yaw_channel("x", radians([350.0, 0.0, 10.0, 20.0]), TUNING)
    assert channel == pytest.approx([0.0, 1 / 3, 2 / 3, 1.0], abs=1e-12)


def test_left_turns_rise_from_0_to_1_like_right_turns() -> None:
    """CLIP-04: divided by the signed total."""
    left = yaw_channel("x", radians([0.0, -20.0, -80.0]), TUNING)
    right = yaw_channel("x", radians([0.0, 20.0, 80.0]), TUNING)
    assert left == right == pytest.approx([0.0, 0.25, 1.0])


def test_a_turn_clip_that_hardly_turns_is_refused() -> None:
    """CLIP-04: |total| < 5 deg."""
    with pytest.raises(ClipRefused, match=r"'x' turns -4\.90 deg in all"):
        yaw_channel("x", radians([0.0, -4.9]), TUNING)
    assert yaw_channel("x", radians([0.0, 5.1]), TUNING) == [0.0, 1.0]


def test_a_turn_that_jumps_is_refused() -> None:
    """CLIP-04: a neighbour difference over 90 deg could go either way round."""
    with pytest.raises(ClipRefused, match=r"turns 91.00 deg between two samples"):
        yaw_channel("x", radians([0.0, 91.0, 120.0]), TUNING)


@pytest.mark.parametrize("degrees", [70.0, 170.0, -70.0, -170.0])
def test_one_clip_drives_turns_of_any_angle(degrees: float) -> None:
    """CLIP-04: yaw = start + y(t) * actual angle, exact at the end; half way at half time."""
    clip = RUN.turn_clip(math.radians(degrees))
    assert clip.name == ("turn_right" if degrees > 0 else "turn_left")
    assert clip.progress_at(0.0) == 0.0
    assert clip.progress_at(clip.duration_s) == 1.0
    assert clip.progress_at(clip.duration_s / 2) == pytest.approx(0.5, abs=1e-4)


def test_a_clip_without_a_yaw_channel_says_so() -> None:
    """CLIP-04: nobody reads a turn from a clip that has none."""
    with pytest.raises(ValueError, match="'run_stop' has no yaw channel"):
        RUN.stop.progress_at(0.1)
