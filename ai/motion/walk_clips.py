"""The clip side of walking: what a record's clip does when its ped rests, steps, stops or arrives.

The walk update alone moves a record's ``ClipState`` while it walks (LOC-17). A step
is proposed here and stored when it has been accepted (CLIP-10); a pose that moves
nobody is stored at once. A record without a profile has no clip: all of this leaves
it alone, and its ped moves by plain speed budget (LOC-13).
"""

from __future__ import annotations

from ai.motion.clip_library import ClipLibrary
from ai.motion.clip_profiles import ClipProfile
from ai.motion.clip_state import (
    ClipState,
    begin_stop,
    enter_phase,
    halt,
    read_clip_state,
    reset_clip,
    stop_due,
    write_clip_state,
)
from ai.motion.clip_steps import (
    MotionProposal,
    StopCrawl,
    advance_idle,
    advance_loop,
    advance_tail,
    propose_loop,
    propose_start,
    propose_stop,
)
from ai.motion.locomotion_tuning import LocomotionTuning
from ai.motion.movement_table import ClipPhase, MovementTable
from ai.motion.walker import Walker


def stop_crawl(tuning: LocomotionTuning) -> StopCrawl:
    """How the rest of a route is covered after the stop clip (CLIP-12)."""
    return StopCrawl(tuning.stop_crawl_min, tuning.stop_crawl_speed)


class WalkClips:
    """Steps the clip columns of one record at a time."""

    def __init__(self, table: MovementTable, clips: ClipLibrary, tuning: LocomotionTuning) -> None:
        self._table = table
        self._clips = clips
        self._crawl = stop_crawl(tuning)

    def profile(self, row: int) -> ClipProfile | None:
        """The record's profile, None for a ped without one."""
        return self._clips.profile_or_none(self._table.profile.item(row))

    def rest(self, row: int, dt_s: float) -> None:
        """A moving clip jumps to its stop tail and covers nothing (LOC-12); others play on."""
        profile = self.profile(row)
        if profile is None:
            return
        state = read_clip_state(self._table, row)
        if state.phase is ClipPhase.IDLE:
            state = advance_idle(profile, state, dt_s)
        elif state.phase is ClipPhase.STOP_TAIL:
            state = advance_tail(profile, state, dt_s)
        else:
            state = halt(profile, state)
        write_clip_state(self._table, row, state)

    def finish_pose(self, row: int, dt_s: float) -> bool:
        """Play the stop pose out at the path's end; True once it has ended (LOC-11).

        What is left of the stop clip covers no ground and plays at rate 1 like the
        tail (CLIP-11): it is proposed at the reference speed, with no route left.
        """
        profile = self.profile(row)
        if profile is None:
            return True
        state = read_clip_state(self._table, row)
        if state.phase is ClipPhase.STOP:
            speed = profile.reference_speed
            state = propose_stop(profile, state, speed, dt_s, 0.0, self._crawl).new_state
        elif state.phase is ClipPhase.STOP_TAIL:
            state = advance_tail(profile, state, dt_s)
        else:
            state = halt(profile, state)
        write_clip_state(self._table, row, state)
        return state.phase is ClipPhase.IDLE

    def propose(self, walker: Walker, remaining_cm: float) -> MotionProposal:
        """How far to go, and the clip state that goes with it (CLIP-08, CLIP-09).

        The travelling stop begins when the route has become as short as the stop clip
        and a step has been accepted on it (LOC-10).
        """
        row, speed, dt_s = walker.row, walker.speed, walker.dt_s
        state = read_clip_state(self._table, row)
        profile = self.profile(row)
        if profile is None:
            return MotionProposal(min(walker.budget, remaining_cm), state)
        if state.phase in (ClipPhase.START, ClipPhase.LOOP):
            begun = not self._table.first_step_pending.item(row)
            if begun and stop_due(profile, remaining_cm):
                state = begin_stop(profile, state, remaining_cm)
        elif state.phase is not ClipPhase.STOP:
            state = reset_clip(state) if state.phase is ClipPhase.GETUP else state
            state = enter_phase(state, ClipPhase.START)
        if state.phase is ClipPhase.STOP:
            return propose_stop(profile, state, speed, dt_s, remaining_cm, self._crawl)
        if state.phase is ClipPhase.LOOP:
            return propose_loop(profile, state, speed, dt_s, remaining_cm)
        return propose_start(profile, state, speed, dt_s)

    def commit(self, row: int, proposed: ClipState, accepted_cm: float) -> bool:
        """Store a proposal's state after its step was accepted; True if the stop has ended with it.

        Legs of a loop advance by the ground covered, which may be less than proposed
        (CLIP-09).
        """
        profile = self.profile(row)
        if profile is None:
            return False
        before = read_clip_state(self._table, row)
        if before.phase is ClipPhase.LOOP and proposed.phase is ClipPhase.LOOP:
            proposed = advance_loop(profile, before, accepted_cm)
        write_clip_state(self._table, row, proposed)
        return proposed.phase in (ClipPhase.IDLE, ClipPhase.STOP_TAIL)
