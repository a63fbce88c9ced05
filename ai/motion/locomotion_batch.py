"""The walk update of the easy peds, all together, equal to the scalar path bit for bit (NAV-12).

Easy are the peds whose sub-step is plain whatever the others do: suspended and
resting ones, stop poses, and the walkers of ``walkers_batch``. Everything else is
left to ``locomotion_scalar``, arrivals too, so that their facts come in ped-id order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.motion.clip_profiles import NO_PROFILE
from ai.motion.clip_steps_batch import (
    ClipStates,
    advance_tail_batch,
    gather_clip_states,
    idle_times,
    propose_stop_batch,
    scatter_clip_states,
)
from ai.motion.locomotion_tuning import LocomotionTuning
from ai.motion.movement_system import MovementSystem
from ai.motion.movement_table import ClipPhase, MoveStatus, StepOutcome
from ai.motion.ped_grid import FEW, PedGrid
from ai.motion.steer_clock import SteerClock
from ai.motion.steering import Steering
from ai.motion.walk_clips import stop_crawl
from ai.motion.walker_columns import take_states
from ai.motion.walkers_batch import WalkersBatch
from ai.ports import Clearance, WalkSurface

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(slots=True)
class Roles:
    """What the first three stages of LOC-01 make of each ped; shape (n,) each.

    - ``suspended``: stage (1). ``resting``: stages (2) and (3), and walkers without speed.
    - ``finishing``: at the path's end. ``walking``: on the way, at a speed.
    - A ped with none of these flags has a wish, slides, or has not accepted a step on its
      path yet: those go to the scalar path.
    - ``speed`` is the desired speed in cm/s, never negative; ``reach`` the longest step in
      cm that the ped may take in this sub-step, by whichever path.
    """

    suspended: Flags
    resting: Flags
    finishing: Flags
    walking: Flags
    speed: NDArray[np.float64]
    reach: NDArray[np.float64]


class BatchWalk:
    """Runs what is easy of a motion sub-step; knows nothing of the rest."""

    def __init__(
        self,
        system: MovementSystem,
        grid: PedGrid,
        steer_clock: SteerClock,
        steering: Steering,
        surface: WalkSurface,
        clearance: Clearance,
        tuning: LocomotionTuning,
    ) -> None:
        self._table = system.table
        self._curves = system.clips.curves
        self._arrive_distance = system.tuning.arrive_distance
        self._grid = grid
        self._crawl = stop_crawl(tuning)
        self._walkers = WalkersBatch(
            system, grid, steer_clock, steering, surface, clearance, tuning
        )

    def step(self, rows: Ints, dt_s: float) -> list[int]:
        """One motion sub-step of the grid's peds, whose active records are ``rows``.

        Returns the indices that are left for the scalar path, ascending.
        """
        table = self._table
        roles = self._roles(rows, dt_s)
        phase = table.clip_phase[rows]
        done = roles.suspended.copy()
        table.outcome[rows[roles.suspended]] = int(StepOutcome.NONE)

        bare = table.profile[rows] == NO_PROFILE
        idle = roles.resting & ~bare & (phase == int(ClipPhase.IDLE))
        tail = roles.resting & ~bare & (phase == int(ClipPhase.STOP_TAIL))
        resting = idle | tail | (roles.resting & bare)
        self._stand(rows[resting], StepOutcome.NONE)
        idling = rows[idle]
        table.clip_time[idling] = idle_times(
            self._curves, table.profile[idling], table.clip_time[idling], dt_s
        )
        if tail.any():
            self._play(rows[tail], advance_tail_batch(self._curves, self._clips(rows[tail]), dt_s))
        done |= resting

        finishing = (roles.finishing & ~bare).nonzero()[0]
        if len(finishing) > FEW:
            done[self._pose(finishing, rows, phase, dt_s)] = True
        walking = (roles.walking & ~bare).nonzero()[0]
        if len(walking):
            done[self._walkers.step(walking, rows, roles.speed, roles.reach, dt_s)] = True
        left_over: list[int] = (~done).nonzero()[0].tolist()
        return left_over

    def _roles(self, rows: Ints, dt_s: float) -> Roles:
        table = self._table
        status = table.status[rows]
        live = (status == int(MoveStatus.WAITING_PATH)) | (status == int(MoveStatus.WALKING))
        stopped = table.command_hold[rows] | ~np.isnan(table.stand_until[rows])
        runs = table.suspend[rows] == 0
        wished = table.wish_active[rows]
        follows = live & table.path_usable[rows]
        speed = np.maximum(table.desired_speed[rows], 0.0)
        on_path = runs & ~stopped & ~wished & follows
        at_end = table.corners_left[rows] == 0
        begun = ~table.first_step_pending[rows]
        moves = runs & ~stopped & (wished | (follows & ~at_end))
        return Roles(
            suspended=~runs,
            resting=(runs & (stopped | ~(wished | follows)))
            | (on_path & ~at_end & begun & (speed == 0.0)),
            finishing=on_path & at_end & begun,
            walking=on_path & ~at_end & begun & (speed > 0.0) & ~table.slides[rows],
            speed=speed,
            reach=np.where(moves, speed * dt_s, 0.0),
        )

    def _pose(self, indices: Ints, rows: Ints, phase: Ints, dt_s: float) -> Ints:
        """Advance stop poses that don't end now, within arrival distance (LOC-11).

        Returns the indices that are done.
        """
        table = self._table
        slots = self._grid.slots[indices]
        goals = np.array([table.goals[row] for row in rows[indices].tolist()])
        dx = goals[:, 0] - table.x[slots]
        dy = goals[:, 1] - table.y[slots]
        dz = goals[:, 2] - table.z[slots]
        near = np.sqrt(dx * dx + dy * dy + dz * dz) <= self._arrive_distance
        done: list[Ints] = []
        for wanted in (ClipPhase.STOP, ClipPhase.STOP_TAIL):
            chosen = indices[near & (phase[indices] == int(wanted))]
            if len(chosen) == 0:
                continue
            states = self._clips(rows[chosen])
            if wanted is ClipPhase.STOP:
                states = propose_stop_batch(
                    self._curves,
                    states,
                    self._curves.reference_speed[states.profile],
                    dt_s,
                    np.zeros(len(chosen)),
                    self._crawl,
                ).new_states
            else:
                states = advance_tail_batch(self._curves, states, dt_s)
            goes_on = (states.phase != int(ClipPhase.IDLE)).nonzero()[0]
            chosen = chosen[goes_on]
            self._stand(rows[chosen], StepOutcome.POSING)
            self._play(rows[chosen], take_states(states, goes_on))
            done.append(chosen)
        return np.concatenate(done) if done else indices[:0]

    def _stand(self, rows: Ints, outcome: StepOutcome) -> None:
        self._table.measured_speed[rows] = 0.0
        self._table.refused_time[rows] = 0.0
        self._table.outcome[rows] = int(outcome)

    def _clips(self, rows: Ints) -> ClipStates:
        return gather_clip_states(self._table, rows)

    def _play(self, rows: Ints, states: ClipStates) -> None:
        scatter_clip_states(self._table, rows, states)
