"""A ped's own place in its clips, and the phase changes it may make (CLIP-06, CLIP-07).

``ClipState`` is a value: a proposal carries a new one, and the old one stands
until the executor accepts (CLIP-10). Its columns lie in ``MovementTable``;
``read_clip_state`` and ``write_clip_state`` are the way between the two.

Every phase change goes through ``enter_phase``, which counts it.
"""

from __future__ import annotations

from typing import NamedTuple

from ai.motion.clip_profiles import ClipProfile
from ai.motion.movement_table import ClipPhase, MovementTable

PHASE_CHANGES: dict[ClipPhase, tuple[ClipPhase, ...]] = {
    ClipPhase.IDLE: (ClipPhase.TURN, ClipPhase.START),
    ClipPhase.START: (ClipPhase.LOOP, ClipPhase.STOP, ClipPhase.STOP_TAIL, ClipPhase.TURN),
    ClipPhase.LOOP: (ClipPhase.STOP, ClipPhase.STOP_TAIL, ClipPhase.TURN),
    ClipPhase.STOP: (ClipPhase.STOP_TAIL,),
    ClipPhase.STOP_TAIL: (ClipPhase.TURN, ClipPhase.START),
    ClipPhase.TURN: (),
    ClipPhase.GETUP: (),
}
"""Changes beside the one that is always allowed: any phase to IDLE (CLIP-07)."""


_PHASES = tuple(ClipPhase)
"""Members by value."""


class PhaseChangeRefused(ValueError):
    """A phase change outside the table of CLIP-07: the caller chose the wrong moment."""


class ClipState(NamedTuple):
    """Where one ped is in its clips (CLIP-06). Times in s, angles in rad.

    - ``profile`` is an index into the clip library, ``NO_PROFILE`` for none.
    - ``clip_time`` runs in every phase but LOOP, ``cycle_time`` in LOOP.
    - ``clip_seq`` rises by one with each phase change.
    - ``stop_scale`` scales the stop clip's distance in STOP, 0 otherwise (LOC-10).
    - ``turn_start_yaw`` and ``turn_angle`` (positive clockwise) hold in TURN.
    """

    profile: int
    phase: ClipPhase = ClipPhase.IDLE
    clip_time: float = 0.0
    cycle_time: float = 0.0
    clip_seq: int = 0
    stop_scale: float = 0.0
    turn_start_yaw: float = 0.0
    turn_angle: float = 0.0


def allowed(before: ClipPhase, after: ClipPhase) -> bool:
    """True if CLIP-07 has this phase change."""
    return after is ClipPhase.IDLE or after in PHASE_CHANGES[before]


def enter_phase(
    state: ClipState,
    phase: ClipPhase,
    *,
    clip_time: float = 0.0,
    stop_scale: float = 0.0,
    turn_start_yaw: float = 0.0,
    turn_angle: float = 0.0,
) -> ClipState:
    """The state at the start of another phase; ``clip_seq`` + 1, ``cycle_time`` 0.

    Raises ``PhaseChangeRefused`` for a change that CLIP-07 does not have.
    """
    if not allowed(state.phase, phase):
        raise PhaseChangeRefused(
            f"clip phase {state.phase.name} has no change to {phase.name}; "
            f"go through IDLE with reset_clip"
        )
    return ClipState(
        profile=state.profile,
        phase=phase,
        clip_time=clip_time,
        cycle_time=0.0,
        clip_seq=state.clip_seq + 1,
        stop_scale=stop_scale,
        turn_start_yaw=turn_start_yaw,
        turn_angle=turn_angle,
    )


def reset_clip(state: ClipState) -> ClipState:
    """IDLE from its start, after a new goal or a resume; an idle state only starts anew."""
    if state.phase is ClipPhase.IDLE:
        return state._replace(clip_time=0.0)
    return enter_phase(state, ClipPhase.IDLE)


def halt(profile: ClipProfile, state: ClipState) -> ClipState:
    """What hold, stand, block, replan and cancel do to the clip (CLIP-07, LOC-12).

    - START, LOOP and STOP go to the stop tail: pose only, no root distance is left.
    - TURN goes to IDLE; the yaw reached so far stays.
    - IDLE and STOP_TAIL go on as they are.
    """
    if state.phase in (ClipPhase.START, ClipPhase.LOOP, ClipPhase.STOP):
        return enter_phase(state, ClipPhase.STOP_TAIL, clip_time=profile.tail_start_s)
    if state.phase is ClipPhase.TURN:
        return enter_phase(state, ClipPhase.IDLE)
    return state


def begin_turn(state: ClipState, yaw_rad: float, angle_rad: float) -> ClipState:
    """TURN from ``yaw_rad`` by the shortest angle to the target, fixed for this turn (LOC-03)."""
    return enter_phase(state, ClipPhase.TURN, turn_start_yaw=yaw_rad, turn_angle=angle_rad)


def stop_due(profile: ClipProfile, remaining_cm: float) -> bool:
    """True once the rest of the route is no longer than the stop clip (LOC-10)."""
    return remaining_cm <= profile.stop_distance


def begin_stop(profile: ClipProfile, state: ClipState, remaining_cm: float) -> ClipState:
    """STOP, scaled once so that it ends with the route: ``remaining / stop distance`` (LOC-10)."""
    return enter_phase(state, ClipPhase.STOP, stop_scale=remaining_cm / profile.stop_distance)


def read_clip_state(table: MovementTable, row: int) -> ClipState:
    """The clip state of one movement record."""
    return ClipState(
        table.profile.item(row),
        _PHASES[table.clip_phase.item(row)],
        table.clip_time.item(row),
        table.cycle_time.item(row),
        table.clip_seq.item(row),
        table.stop_scale.item(row),
        table.turn_start_yaw.item(row),
        table.turn_angle.item(row),
    )


def write_clip_state(table: MovementTable, row: int, state: ClipState) -> None:
    """Replace the clip state of one movement record."""
    table.profile[row] = state.profile
    table.clip_phase[row] = state.phase
    table.clip_time[row] = state.clip_time
    table.cycle_time[row] = state.cycle_time
    table.clip_seq[row] = state.clip_seq
    table.stop_scale[row] = state.stop_scale
    table.turn_start_yaw[row] = state.turn_start_yaw
    table.turn_angle[row] = state.turn_angle
