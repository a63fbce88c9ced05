"""Time, random streams and the fingerprint: product.md section 2."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest

from ai.motion.movement_table import MovementTable
from ai.ports import Vec3
from game.world.clock import StepClock
from game.world.fingerprint import RunFingerprint, ped_state
from game.world.random_streams import PED_STREAMS, SeededStreams


def test_time_is_the_product_of_step_and_length() -> None:
    clock = StepClock()
    for _ in range(3600):
        clock.advance()
    assert clock.step == 3600
    assert clock.time_s == 60.0
    assert clock.dt_s == 1.0 / 60.0


@pytest.mark.parametrize("dt_s", [0.0, -1.0, 1.5, math.nan])
def test_a_clock_refuses_a_step_without_length(dt_s: float) -> None:
    with pytest.raises(ValueError, match="dt_s"):
        StepClock(dt_s)


def test_a_stream_depends_on_seed_ped_and_name_and_not_on_what_was_made_before() -> None:
    """Draws of one part never shift another's, and the order of first use does not matter."""
    forward = SeededStreams(7)
    backward = SeededStreams(7)
    keys = [(ped, name) for ped in (1, 2, 30) for name in PED_STREAMS]
    drawn = {key: forward.ped(*key).random() for key in keys}
    level = forward.level().random()
    assert backward.level().random() == level
    for key in reversed(keys):
        backward.ped(4, "task").random()
        assert backward.ped(*key).random() == drawn[key]
    assert len(set(drawn.values())) == len(keys)
    assert SeededStreams(8).ped(1, "task").random() != drawn[1, "task"]


def test_a_stream_goes_on_where_it_was() -> None:
    streams = SeededStreams(7)
    first, second = streams.ped(1, "task").random(), streams.ped(1, "task").random()
    assert first != second
    again = SeededStreams(7)
    assert [again.ped(1, "task").random() for _ in range(2)] == [first, second]


def test_an_unknown_stream_name_is_refused() -> None:
    with pytest.raises(ValueError, match="use one of task, reaction, decision, brain"):
        SeededStreams(1).ped(1, "effects")


def test_a_retired_peds_streams_are_dropped() -> None:
    streams = SeededStreams(7)
    kept = streams.ped(1, "task")
    other = streams.ped(2, "task")
    streams.forget(1)
    streams.forget(99)
    assert streams.ped(1, "task") is not kept
    assert streams.ped(2, "task") is other


def test_streams_are_equal_in_another_process() -> None:
    """LVL-08: no hash seed, no address enters a draw."""
    draw = (
        "from game.world.random_streams import SeededStreams as S;"
        "print(S(7).ped(12, 'brain').random(), S(7).level().random())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", draw], capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    }
    streams = SeededStreams(7)
    assert outputs == {f"{streams.ped(12, 'brain').random()} {streams.level().random()}\n"}


def table_with(*peds: tuple[int, int, float]) -> MovementTable:
    """A table with peds of (slot, ped id, x)."""
    table = MovementTable(8)
    for slot, ped_id, x in peds:
        table.reset_slot(slot, ped_id, Vec3(x, 5.0), 0.5)
    return table


def digest(*steps: MovementTable) -> str:
    """Fingerprint of a run whose steps left these tables."""
    fingerprint = RunFingerprint()
    for number, table in enumerate(steps):
        fingerprint.add_step(number, *ped_state(table))
    return fingerprint.hexdigest()


def test_equal_runs_have_equal_fingerprints() -> None:
    one = table_with((0, 11, 1.0), (1, 12, 2.0))
    assert digest(one, one) == digest(table_with((0, 11, 1.0), (1, 12, 2.0)), one)


def test_a_pool_slot_is_no_part_of_a_fingerprint_but_the_ped_id_is() -> None:
    """Peds go in by ascending ped id, wherever the pool has put them."""
    forward = table_with((0, 11, 1.0), (1, 12, 2.0))
    assert digest(forward) == digest(table_with((5, 12, 2.0), (3, 11, 1.0)))
    assert digest(forward) != digest(table_with((0, 11, 1.0), (1, 13, 2.0)))


@pytest.mark.parametrize(
    ("field", "by_record"),
    [("x", False), ("yaw", False), ("status", True), ("clip_time", True), ("suspend", True)],
)
def test_the_smallest_change_in_any_step_changes_the_fingerprint(
    field: str, by_record: bool
) -> None:
    same, other = table_with((0, 11, 1.0)), table_with((0, 11, 1.0))
    array = getattr(other, field)
    index = int(other.active_record[0]) if by_record else 0
    array[index] = np.nextafter(array[index], 9e9) if array.dtype == np.float64 else 3
    assert digest(same, same, same) != digest(same, other, same)


def test_a_missing_step_and_a_shifted_border_between_arrays_are_seen() -> None:
    one, two = RunFingerprint(), RunFingerprint()
    one.add_step(0, np.array([1.0, 2.0]), np.array([3.0]))
    two.add_step(0, np.array([1.0]), np.array([2.0, 3.0]))
    assert one.hexdigest() != two.hexdigest()
    three, four = RunFingerprint(), RunFingerprint()
    three.add_step(0, np.array([1.0]))
    four.add_step(1, np.array([1.0]))
    assert three.hexdigest() != four.hexdigest()
