"""What the next step of a clip is: how far the ped wants to go, and its clip state after that.

All functions are pure. Those that move a ped *propose* a ``MotionProposal``; the
executor checks the step and only then stores the new state, so a refused step
leaves clip time and cycle time as they were (CLIP-10). Speeds in cm/s,
distances in cm, times in s.

``clip_steps_batch`` holds the array twins; they use the same operations in the
same order and must stay equal bit for bit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ai.motion.clip_profiles import ClipProfile
from ai.motion.clip_state import ClipState, enter_phase
from ai.motion.clip_tuning import ClipTuning
from ai.motion.clips import MotionClip, value_at
from ai.motion.movement_table import ClipPhase
from ai.ports import at_least


class MotionProposal(NamedTuple):
    """A step along the route in cm, and the clip state that goes with it if it is accepted."""

    distance: float
    new_state: ClipState


class TurnStep(NamedTuple):
    """Yaw in rad after a step of a turn clip, and the clip state after it."""

    yaw_rad: float
    new_state: ClipState


class CurveStep(NamedTuple):
    """Distance covered in cm by advancing a clip to ``clip_time``."""

    distance: float
    clip_time: float


class StopCrawl(NamedTuple):
    """How a rest of the route is covered after the stop clip has ended (CLIP-12)."""

    min_cm: float
    speed_cm_s: float


def step_along_curve(
    channel: Sequence[float],
    duration_s: float,
    clip_time: float,
    reference_speed: float,
    speed: float,
    dt_s: float,
    scale: float,
    tuning: ClipTuning,
) -> CurveStep:
    """Advance a start or stop clip by one step, never past the speed budget (CLIP-08).

    - ``rate = clamp(speed / reference_speed, rate_min, rate_max)``; the clip time
      advances by ``dt_s * rate``, clamped to the clip.
    - If the curve covers more than ``max(speed, 0) * dt_s`` in that time, the time is
      shortened by ``bisection_steps`` halvings, keeping the largest tested time whose
      distance fits: pose and displacement stay tied.
    """
    rate = min(max(speed / reference_speed, tuning.rate_min), tuning.rate_max)
    end = min(duration_s, clip_time + dt_s * rate)
    before = value_at(channel, clip_time, duration_s)
    want = max(0.0, value_at(channel, end, duration_s) - before) * scale
    budget = max(speed, 0.0) * dt_s
    if want <= budget:
        return CurveStep(want, end)
    fits, over, want = clip_time, end, 0.0
    for _ in range(tuning.bisection_steps):
        middle = (fits + over) * 0.5
        distance = max(0.0, value_at(channel, middle, duration_s) - before) * scale
        if distance <= budget:
            fits, want = middle, distance
        else:
            over = middle
    return CurveStep(want, fits)


def propose_start(
    profile: ClipProfile, state: ClipState, speed: float, dt_s: float
) -> MotionProposal:
    """A step of the START phase; its last one leads into LOOP at cycle time 0."""
    step = _curve_step(profile, profile.start, state, speed, dt_s, 1.0)
    if at_least(step.clip_time, profile.start.duration_s):
        return MotionProposal(step.distance, enter_phase(state, ClipPhase.LOOP))
    return MotionProposal(step.distance, state._replace(clip_time=step.clip_time))


def propose_loop(
    profile: ClipProfile, state: ClipState, speed: float, dt_s: float, remaining_cm: float
) -> MotionProposal:
    """A step of the LOOP phase: the speed budget, capped by the rest of the route (CLIP-09)."""
    distance = min(max(speed, 0.0) * dt_s, remaining_cm)
    return MotionProposal(distance, advance_loop(profile, state, distance))


def advance_loop(profile: ClipProfile, state: ClipState, accepted_cm: float) -> ClipState:
    """The state after covering ground in LOOP: legs advance by what was accepted (CLIP-09).

    For steps that the executor shortened after the proposal.
    """
    cycle_time = math.fmod(
        state.cycle_time + accepted_cm / profile.reference_speed, profile.loop.duration_s
    )
    return state._replace(cycle_time=cycle_time)


def propose_stop(
    profile: ClipProfile,
    state: ClipState,
    speed: float,
    dt_s: float,
    remaining_cm: float,
    crawl: StopCrawl,
) -> MotionProposal:
    """A step of the STOP phase (CLIP-08, LOC-10, CLIP-12).

    - Root distance is scaled by ``stop_scale`` and capped by the rest of the route.
    - A clip that ends with no more than ``crawl.min_cm`` of route left leads to IDLE.
    - With more left, the clip stands at its end and the rest is covered at up to
      ``crawl.speed_cm_s``; then the stop tail is played.
    """
    if state.clip_time >= profile.stop.duration_s:
        distance = min(min(crawl.speed_cm_s, max(speed, 0.0)) * dt_s, remaining_cm)
        if remaining_cm - distance > 0.0:
            return MotionProposal(distance, state)
        tail = enter_phase(state, ClipPhase.STOP_TAIL, clip_time=profile.tail_start_s)
        return MotionProposal(distance, tail)
    step = _curve_step(profile, profile.stop, state, speed, dt_s, state.stop_scale)
    distance = min(step.distance, remaining_cm)
    if not at_least(step.clip_time, profile.stop.duration_s):
        return MotionProposal(distance, state._replace(clip_time=step.clip_time))
    if remaining_cm - distance > crawl.min_cm:
        return MotionProposal(distance, state._replace(clip_time=profile.stop.duration_s))
    return MotionProposal(distance, enter_phase(state, ClipPhase.IDLE))


def advance_tail(profile: ClipProfile, state: ClipState, dt_s: float) -> ClipState:
    """A step of the STOP_TAIL phase at rate 1; it contributes no distance (CLIP-11)."""
    clip_time = state.clip_time + dt_s
    if at_least(clip_time, profile.stop.duration_s):
        return enter_phase(state, ClipPhase.IDLE)
    return state._replace(clip_time=clip_time)


def advance_turn(profile: ClipProfile, state: ClipState, dt_s: float) -> TurnStep:
    """A step of the TURN phase: ``yaw = start + y(t) * angle``, all of it at the end (CLIP-04)."""
    clip = profile.turn_clip(state.turn_angle)
    clip_time = state.clip_time + dt_s
    if at_least(clip_time, clip.duration_s):
        yaw = state.turn_start_yaw + state.turn_angle
        return TurnStep(yaw, enter_phase(state, ClipPhase.IDLE))
    yaw = state.turn_start_yaw + clip.progress_at(clip_time) * state.turn_angle
    return TurnStep(yaw, state._replace(clip_time=clip_time))


def advance_idle(profile: ClipProfile, state: ClipState, dt_s: float) -> ClipState:
    """A step of the IDLE phase: the idle clip plays round and round."""
    return state._replace(clip_time=math.fmod(state.clip_time + dt_s, profile.idle.duration_s))


def _curve_step(
    profile: ClipProfile,
    clip: MotionClip,
    state: ClipState,
    speed: float,
    dt_s: float,
    scale: float,
) -> CurveStep:
    return step_along_curve(
        clip.distance,
        clip.duration_s,
        state.clip_time,
        profile.reference_speed,
        speed,
        dt_s,
        scale,
        profile.tuning,
    )
