"""Changing a ped's clip profile without a jump in its clip (LOC-13).

The clips of two profiles play the same roles at other speeds, so a change keeps the
phase and the share of its clip that has been played: legs of a walk loop go on at the
same place of the run loop.
"""

from __future__ import annotations

from ai.motion.clip_profiles import NO_PROFILE, ClipProfile
from ai.motion.clip_state import ClipState, reset_clip
from ai.motion.movement_table import ClipPhase


def carry_over(state: ClipState, old: ClipProfile | None, new: ClipProfile | None) -> ClipState:
    """The state under another profile; None stands for a ped without one.

    - The phase stays, and so does ``clip_seq``: no phase change is made.
    - STOP has a distance that is fixed for the stop, which another clip does not
      have: raises ``ValueError``.
    - To or from no profile the clip starts anew.
    """
    if state.phase is ClipPhase.STOP:
        raise ValueError("a travelling stop keeps its profile; change it after the stop")
    if new is None:
        return reset_clip(state)._replace(profile=NO_PROFILE)
    if old is None:
        return reset_clip(state)._replace(profile=new.index)
    state = state._replace(profile=new.index)
    if state.phase is ClipPhase.START:
        scale = new.start.duration_s / old.start.duration_s
        return state._replace(clip_time=state.clip_time * scale)
    if state.phase is ClipPhase.LOOP:
        scale = new.loop.duration_s / old.loop.duration_s
        return state._replace(cycle_time=state.cycle_time * scale)
    if state.phase is ClipPhase.STOP_TAIL:
        played = (state.clip_time - old.tail_start_s) / (old.stop.duration_s - old.tail_start_s)
        tail_s = new.stop.duration_s - new.tail_start_s
        return state._replace(clip_time=new.tail_start_s + played * tail_s)
    return state
