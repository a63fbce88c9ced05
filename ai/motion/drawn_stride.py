"""Legs by ground covered: the drawn phase of loops, kept beside the clip state (CLIP-13).

Drawing only. A loop played far from its reference speed would look slow (the run
clip's own stride is 392 cm); so the drawn phase advances by the ground covered over
the stride that people take at that speed. Nothing of the simulation reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.motion.clip_profiles import ClipProfile
from ai.motion.clip_steps_batch import ClipStates
from ai.motion.movement_table import ClipPhase

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CROWD_STEP = 0.618
"""Shift of idle phases from one ped id to the next (art-and-feel section 6): never in unison."""

STRIDE_EASE_S = 0.25
"""Time in which a drawn stride follows a change of speed: planted feet must not jump."""


class DrawnClips(NamedTuple):
    """What to pose n peds by, as columns of shape (n,).

    - ``profile`` and ``phase`` (``ClipPhase``) name the clip; ``turn_left`` (bool)
      chooses between the two turns.
    - ``time`` is the clip time in s; in LOOP it is the drawn phase, 0 to 1.
    - ``reach`` is a factor on the fore-and-aft reach of the feet in LOOP.
    - ``mirrored`` (bool) swaps left and right.
    """

    profile: Ints
    phase: Ints
    time: Floats
    reach: Floats
    mirrored: NDArray[np.bool_]
    turn_left: NDArray[np.bool_]


class DrawnGaits:
    """Drawn phases of all peds by pool slot. A ped's entry starts anew in a new slot use.

    At a change to LOOP the drawn phase is 0, where the start clip ends on the left
    heel's contact. A stop clip begins on that same contact: it is drawn mirrored if
    the right foot's contact is the nearer one.
    """

    def __init__(self, capacity: int, profiles: Sequence[ClipProfile]) -> None:
        self._profiles = tuple(profiles)
        self._phase = np.zeros(capacity)
        self._stride = np.ones(capacity)
        self._mirrored = np.zeros(capacity, dtype=np.bool_)
        self._seen_ped = np.full(capacity, -1, dtype=np.int64)
        self._seen_seq = np.full(capacity, -1, dtype=np.int64)

    def advance(
        self, slots: Ints, ped_ids: Ints, states: ClipStates, accepted_cm: Floats, dt_s: float
    ) -> None:
        """Follow one step of n peds: their clip states after it and the ground they covered.

        ``drawn_phase += accepted / drawn_stride(v)``, v being the speed of this step.
        """
        changed = (self._seen_seq[slots] != states.clip_seq) | (self._seen_ped[slots] != ped_ids)
        speed = accepted_cm / dt_s
        looping = states.phase == ClipPhase.LOOP
        phase, stride = self._phase[slots], self._stride[slots]
        for profile in self._profiles:
            own = np.flatnonzero(looping & (states.profile == profile.index))
            wanted = np.array([profile.drawn_stride.length_cm(v) for v in speed[own].tolist()])
            eased = stride[own] + (wanted - stride[own]) * min(1.0, dt_s / STRIDE_EASE_S)
            moving = accepted_cm[own] > 0.0
            stride[own] = np.where(changed[own], wanted, np.where(moving, eased, stride[own]))
        right_is_nearer = (phase >= 0.25) & (phase < 0.75)
        stopping = (states.phase == ClipPhase.STOP) | (states.phase == ClipPhase.STOP_TAIL)
        mirrored = np.where(changed, right_is_nearer, self._mirrored[slots]) & stopping
        phase = np.where(changed & ~stopping, 0.0, phase)
        phase = np.where(looping, np.mod(phase + accepted_cm / stride, 1.0), phase)
        self._phase[slots] = phase
        self._stride[slots] = stride
        self._mirrored[slots] = mirrored
        self._seen_ped[slots] = ped_ids
        self._seen_seq[slots] = states.clip_seq

    def drawn(self, slots: Ints, ped_ids: Ints, states: ClipStates) -> DrawnClips:
        """What to pose n peds by, after ``advance`` has followed these states.

        An idle clip is shifted by the ped's id: a standing crowd doesn't breathe as one.
        """
        time = states.clip_time.copy()
        reach = np.ones(len(slots))
        idle = states.phase == ClipPhase.IDLE
        looping = states.phase == ClipPhase.LOOP
        for profile in self._profiles:
            own = states.profile == profile.index
            idles, loops = np.flatnonzero(own & idle), np.flatnonzero(own & looping)
            duration = profile.idle.duration_s
            shift = np.mod(ped_ids[idles] * CROWD_STEP, 1.0) * duration
            time[idles] = np.mod(time[idles] + shift, duration)
            strides = self._stride[slots[loops]].tolist()
            reach[loops] = [profile.drawn_stride.reach(stride) for stride in strides]
        time[looping] = self._phase[slots][looping]
        return DrawnClips(
            states.profile,
            states.phase,
            time,
            reach,
            self._mirrored[slots],
            states.turn_angle < 0.0,
        )
