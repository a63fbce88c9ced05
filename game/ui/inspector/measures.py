"""Small readings that several sections share: ways in metres, points, places in clips."""

from __future__ import annotations

import math

from ai.motion.clip_profiles import ClipProfile
from ai.motion.clip_state import ClipState
from ai.motion.clips import MotionClip
from ai.motion.execution import MoveExecution
from ai.motion.movement_table import ClipPhase
from ai.ports import Vec3

CM_PER_M = 100.0


def way_left_cm(movement: MoveExecution) -> float | None:
    """Length of the way over the corners that are left, None without a usable path."""
    if not movement.path_usable:
        return None
    here = movement.position
    left = 0.0
    for corner in movement.path[movement.corner :]:
        left += math.hypot(corner.x - here.x, corner.y - here.y)
        here = corner
    return left


def metres(length_cm: float) -> str:
    """``9.1 m``."""
    return f"{length_cm / CM_PER_M:.1f} m"


def point(place: Vec3) -> str:
    """``(240, 1090)``, in cm."""
    return f"({place.x:.0f}, {place.y:.0f})"


def playing(profile: ClipProfile, state: ClipState) -> tuple[MotionClip, float] | None:
    """The clip that a state plays and how much of it is done, 0 to 1 (CLIP-06, CLIP-07).

    None while getting up: that clip belongs to the recovery.
    """
    match state.phase:
        case ClipPhase.IDLE:
            clip = profile.idle
        case ClipPhase.START:
            clip = profile.start
        case ClipPhase.LOOP:
            return profile.loop, state.cycle_time / profile.loop.duration_s % 1.0
        case ClipPhase.STOP | ClipPhase.STOP_TAIL:
            clip = profile.stop
        case ClipPhase.TURN:
            clip = profile.turn_clip(state.turn_angle)
        case _:
            return None
    share = state.clip_time / clip.duration_s
    return clip, share % 1.0 if state.phase is ClipPhase.IDLE else min(1.0, share)
