"""Frame times by phase, measured with a clock that tests turn by hand."""

from __future__ import annotations

import numpy as np
import pytest

from game.ui.frame_times import DRAWING, FRAMES_KEPT, PARTS, FrameTimes
from game.world.world import World
from tests.streets import courier_street, steps

MS = 1_000_000


class HandClock:
    """Goes on by what it is told to."""

    def __init__(self) -> None:
        self.now_ns = 0

    def __call__(self) -> int:
        return self.now_ns

    def wait(self, ms: int) -> None:
        self.now_ns += ms * MS


class Ear:
    """Notes every phase that it hears of."""

    def __init__(self) -> None:
        self.heard: list[int] = []

    def phase_begins(self, number: int, name: str) -> None:
        self.heard.append(number)


@pytest.fixture
def world() -> World:
    return World(courier_street())


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def times(world: World, clock: HandClock) -> FrameTimes:
    made = FrameTimes(world, clock)
    made.toggle()
    return made


def frame(times: FrameTimes, clock: HandClock, **parts_ms: int) -> None:
    """One frame of named parts: ``p6=3`` is 3 ms of phase 6, ``drawing=2`` the drawing."""
    for name, cost_ms in parts_ms.items():
        if name == "drawing":
            times.drawing_begins()
        else:
            times.phase_begins(int(name[1:]), name)
        clock.wait(cost_ms)
    times.frame_ends()


def test_time_goes_to_the_part_that_began_last(times: FrameTimes, clock: HandClock) -> None:
    frame(times, clock, p6=3, p11=4, drawing=8)
    row = times.last()
    assert (row[6], row[11], row[DRAWING]) == (3.0, 4.0, 8.0)
    assert row.sum() == 15.0


def test_steps_of_one_frame_are_added_up(times: FrameTimes, clock: HandClock) -> None:
    """Two steps in a frame: phase 6 costs 3 ms in each."""
    for _ in range(2):
        times.phase_begins(6, "minds")
        clock.wait(3)
    times.drawing_begins()
    clock.wait(1)
    times.frame_ends()
    assert times.last()[6] == 6.0


def test_waiting_between_frames_counts_for_nothing(times: FrameTimes, clock: HandClock) -> None:
    frame(times, clock, drawing=2)
    clock.wait(1000)
    frame(times, clock, drawing=2)
    assert times.averages()[DRAWING] == 2.0


def test_a_frame_without_a_step_has_its_drawing(times: FrameTimes, clock: HandClock) -> None:
    """Paused: told twice that drawing begins, it is measured from the first."""
    times.drawing_begins()
    clock.wait(3)
    times.drawing_begins()
    clock.wait(4)
    times.frame_ends()
    assert times.last()[DRAWING] == 7.0


def test_the_last_240_frames_are_kept_oldest_first(times: FrameTimes, clock: HandClock) -> None:
    """250 frames of 1, 2, 3 ... ms: 11 to 250 are left."""
    for number in range(1, 251):
        frame(times, clock, drawing=number)
    assert times.kept == FRAMES_KEPT
    assert times.rows()[:, DRAWING].tolist() == [float(ms) for ms in range(11, 251)]
    assert times.averages()[DRAWING] == pytest.approx(130.5)


def test_before_the_first_frame_there_is_nothing(times: FrameTimes) -> None:
    assert times.rows().shape == (0, PARTS)
    assert times.averages().tolist() == [0.0] * PARTS
    with pytest.raises(IndexError):
        times.last()


def test_all_seventeen_phases_of_a_step_are_heard(times: FrameTimes, world: World) -> None:
    """Product section 11: every row of the step table, by its own name."""
    times._clock_ns = iter(range(0, 1000 * MS, MS)).__next__
    steps(world, 1)
    times.drawing_begins()
    times.frame_ends()
    assert times.last()[1:DRAWING].tolist() == [1.0] * 17
    assert times.names[6] == "minds"
    assert times.names[17] == "end_of_step"


def test_switched_off_nobody_listens(world: World, times: FrameTimes, clock: HandClock) -> None:
    times.toggle()
    assert world.phase_listener is None
    frame(times, clock, drawing=5)
    assert times.frames == 0


def test_who_listened_before_still_hears(world: World, clock: HandClock) -> None:
    ear = Ear()
    world.phase_listener = ear
    times = FrameTimes(world, clock)
    times.toggle()
    steps(world, 1)
    assert ear.heard == list(range(1, 18))
    times.toggle()
    assert world.phase_listener is ear


def test_switched_on_again_it_begins_anew(times: FrameTimes, clock: HandClock) -> None:
    frame(times, clock, drawing=5)
    times.toggle()
    times.toggle()
    assert times.frames == 0
    assert not np.any(times._rows)


def test_measuring_changes_nothing() -> None:
    """TASK-117: the run is the same with the tool on."""
    plain, measured = World(courier_street()), World(courier_street())
    FrameTimes(measured).toggle()
    steps(plain, 60)
    steps(measured, 60)
    assert plain.fingerprint.hexdigest() == measured.fingerprint.hexdigest()
