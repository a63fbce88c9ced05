"""Array twins of ``clip_steps``: one call steps many peds that are in the same phase.

Every function equals its scalar namesake element by element, bit for bit: the
same additions, products and comparisons in the same order, nothing fused and
nothing from libm but ``fmod``, which is exact. Arrays have shape (n,), one entry
a ped; ``ClipStates`` entries all are in the phase the function is for, with a
profile (``NO_PROFILE`` peds don't come here).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.motion.clip_profiles import ClipProfile
from ai.motion.clip_steps import StopCrawl
from ai.motion.clip_tuning import ClipTuning
from ai.motion.clips import sample_positions
from ai.motion.movement_table import ClipPhase, MovementTable
from ai.motion.timer_batch import at_least_batch

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class ClipStates(NamedTuple):
    """``ClipState`` of many peds as columns."""

    profile: Ints
    phase: Ints
    clip_time: Floats
    cycle_time: Floats
    clip_seq: Ints
    stop_scale: Floats
    turn_start_yaw: Floats
    turn_angle: Floats


class MotionProposals(NamedTuple):
    """``MotionProposal`` of many peds as columns."""

    distance: Floats
    new_states: ClipStates


@dataclass(frozen=True, slots=True, eq=False)
class ProfileCurves:
    """Curves and figures of all profiles, stacked by profile index; read-only.

    Distance curves have shape (profiles, samples), the rest (profiles,).
    """

    reference_speed: Floats
    idle_duration: Floats
    start_distance: Floats
    start_duration: Floats
    loop_duration: Floats
    stop_distance: Floats
    stop_duration: Floats
    tail_start: Floats
    tuning: ClipTuning

    @classmethod
    def of(cls, profiles: Sequence[ClipProfile], tuning: ClipTuning) -> ProfileCurves:
        """Stack the profiles of a library."""

        def column(values: Sequence[object]) -> Floats:
            array = np.array(values, dtype=np.float64)
            array.setflags(write=False)
            return array

        return cls(
            reference_speed=column([p.reference_speed for p in profiles]),
            idle_duration=column([p.idle.duration_s for p in profiles]),
            start_distance=column([p.start.distance for p in profiles]),
            start_duration=column([p.start.duration_s for p in profiles]),
            loop_duration=column([p.loop.duration_s for p in profiles]),
            stop_distance=column([p.stop.distance for p in profiles]),
            stop_duration=column([p.stop.duration_s for p in profiles]),
            tail_start=column([p.tail_start_s for p in profiles]),
            tuning=tuning,
        )


def gather_clip_states(table: MovementTable, rows: Ints) -> ClipStates:
    """Copies of the clip columns of some movement records."""
    return ClipStates(
        table.profile[rows],
        table.clip_phase[rows],
        table.clip_time[rows],
        table.cycle_time[rows],
        table.clip_seq[rows],
        table.stop_scale[rows],
        table.turn_start_yaw[rows],
        table.turn_angle[rows],
    )


def scatter_clip_states(table: MovementTable, rows: Ints, states: ClipStates) -> None:
    """Replace the clip columns of some movement records; rows must not repeat."""
    table.profile[rows] = states.profile
    table.clip_phase[rows] = states.phase
    table.clip_time[rows] = states.clip_time
    table.cycle_time[rows] = states.cycle_time
    table.clip_seq[rows] = states.clip_seq
    table.stop_scale[rows] = states.stop_scale
    table.turn_start_yaw[rows] = states.turn_start_yaw
    table.turn_angle[rows] = states.turn_angle


def values_at(curves: Floats, profile: Ints, time_s: Floats, duration_s: Floats) -> Floats:
    """Batch twin of ``clips.value_at``; ``curves`` is (profiles, samples)."""
    index, part = sample_positions(time_s, duration_s, curves.shape[1] - 1)
    low = curves[profile, index]
    return np.asarray(low + (curves[profile, index + 1] - low) * part)


def propose_start_batch(
    curves: ProfileCurves, states: ClipStates, speed: Floats, dt_s: float
) -> MotionProposals:
    """Batch twin of ``propose_start``."""
    duration = curves.start_duration[states.profile]
    distance, end = _steps_along_curve(
        curves, curves.start_distance, duration, states, speed, dt_s, np.ones(len(speed))
    )
    done = at_least_batch(end, duration)
    moved = states._replace(clip_time=end)
    return MotionProposals(distance, _enter(moved, done, ClipPhase.LOOP, 0.0))


def propose_loop_batch(
    curves: ProfileCurves, states: ClipStates, speed: Floats, dt_s: float, remaining_cm: Floats
) -> MotionProposals:
    """Batch twin of ``propose_loop``."""
    distance = loop_distances(speed, dt_s, remaining_cm)
    return MotionProposals(distance, advance_loop_batch(curves, states, distance))


def loop_distances(speed: Floats, dt_s: float, remaining_cm: Floats) -> Floats:
    """The distances of ``propose_loop_batch``: the speed budget, capped by the route."""
    return np.minimum(np.maximum(speed, 0.0) * dt_s, remaining_cm)


def advance_loop_batch(
    curves: ProfileCurves, states: ClipStates, accepted_cm: Floats
) -> ClipStates:
    """Batch twin of ``advance_loop``."""
    cycle_time = loop_times(curves, states.profile, states.cycle_time, accepted_cm)
    return states._replace(cycle_time=cycle_time)


def loop_times(
    curves: ProfileCurves, profile: Ints, cycle_time: Floats, accepted_cm: Floats
) -> Floats:
    """The cycle times of ``advance_loop_batch``, the one column that it changes."""
    return np.fmod(
        cycle_time + accepted_cm / curves.reference_speed[profile], curves.loop_duration[profile]
    )


def propose_stop_batch(
    curves: ProfileCurves,
    states: ClipStates,
    speed: Floats,
    dt_s: float,
    remaining_cm: Floats,
    crawl: StopCrawl,
) -> MotionProposals:
    """Batch twin of ``propose_stop``."""
    duration = curves.stop_duration[states.profile]
    crawling = states.clip_time >= duration
    along, end = _steps_along_curve(
        curves, curves.stop_distance, duration, states, speed, dt_s, states.stop_scale
    )
    crawled = np.minimum(crawl.speed_cm_s, np.maximum(speed, 0.0)) * dt_s
    distance = np.minimum(np.where(crawling, crawled, along), remaining_cm)
    left = remaining_cm - distance
    ended = ~crawling & at_least_batch(end, duration)
    waits = ended & (left > crawl.min_cm)
    moved = states._replace(
        clip_time=np.where(crawling, states.clip_time, np.where(waits, duration, end))
    )
    tail = crawling & ~(left > 0.0)
    in_tail = _enter(moved, tail, ClipPhase.STOP_TAIL, curves.tail_start[states.profile])
    return MotionProposals(distance, _enter(in_tail, ended & ~waits, ClipPhase.IDLE, 0.0))


def advance_tail_batch(curves: ProfileCurves, states: ClipStates, dt_s: float) -> ClipStates:
    """Batch twin of ``advance_tail``."""
    clip_time = states.clip_time + dt_s
    done = at_least_batch(clip_time, curves.stop_duration[states.profile])
    return _enter(states._replace(clip_time=clip_time), done, ClipPhase.IDLE, 0.0)


def advance_idle_batch(curves: ProfileCurves, states: ClipStates, dt_s: float) -> ClipStates:
    """Batch twin of ``advance_idle``."""
    return states._replace(clip_time=idle_times(curves, states.profile, states.clip_time, dt_s))


def idle_times(curves: ProfileCurves, profile: Ints, clip_time: Floats, dt_s: float) -> Floats:
    """The clip times of ``advance_idle_batch``, the one column that it changes."""
    return np.fmod(clip_time + dt_s, curves.idle_duration[profile])


def _enter(
    states: ClipStates, mask: NDArray[np.bool_], phase: ClipPhase, clip_time: Floats | float
) -> ClipStates:
    """Batch twin of ``enter_phase`` for the masked entries; the others stay."""
    if not mask.any():
        return states
    return ClipStates(
        profile=states.profile,
        phase=np.where(mask, int(phase), states.phase),
        clip_time=np.where(mask, clip_time, states.clip_time),
        cycle_time=np.where(mask, 0.0, states.cycle_time),
        clip_seq=np.where(mask, states.clip_seq + 1, states.clip_seq),
        stop_scale=np.where(mask, 0.0, states.stop_scale),
        turn_start_yaw=np.where(mask, 0.0, states.turn_start_yaw),
        turn_angle=np.where(mask, 0.0, states.turn_angle),
    )


def _steps_along_curve(
    curves: ProfileCurves,
    distances: Floats,
    duration_s: Floats,
    states: ClipStates,
    speed: Floats,
    dt_s: float,
    scale: Floats,
) -> tuple[Floats, Floats]:
    """Batch twin of ``step_along_curve``: distances in cm and clip times in s.

    Only the entries over their budget are halved.
    """
    tuning = curves.tuning
    profile = states.profile
    rate = np.minimum(
        np.maximum(speed / curves.reference_speed[profile], tuning.rate_min), tuning.rate_max
    )
    end = np.minimum(duration_s, states.clip_time + dt_s * rate)
    before = values_at(distances, profile, states.clip_time, duration_s)
    want = np.maximum(0.0, values_at(distances, profile, end, duration_s) - before) * scale
    budget = np.maximum(speed, 0.0) * dt_s
    over_budget = (want > budget).nonzero()[0]
    if len(over_budget) == 0:
        return want, end
    profile, budget, before = profile[over_budget], budget[over_budget], before[over_budget]
    duration_s, scale = duration_s[over_budget], scale[over_budget]
    fits, over = states.clip_time[over_budget], end[over_budget]
    fitting = np.zeros(len(over_budget))
    for _ in range(tuning.bisection_steps):
        middle = (fits + over) * 0.5
        distance = np.maximum(0.0, values_at(distances, profile, middle, duration_s) - before)
        distance = distance * scale
        within = distance <= budget
        fits = np.where(within, middle, fits)
        fitting = np.where(within, distance, fitting)
        over = np.where(within, over, middle)
    want[over_budget] = fitting
    end[over_budget] = fits
    return want, end
