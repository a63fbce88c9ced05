"""Stages (4) to (6) of the walk update for walkers that simply keep going (NAV-12, LOC-01).

A walker is easy if it is aligned, in a moving clip phase, not at a corner and not
about to reach one, to begin or to end its stop; if its way is clear and its kept
direction or, where a choice is due, one that is clear of peds passes; and if everybody who
might come within the spacing in this sub-step is easy too, or stands, and none of
them is in another's way when they go one by one.

Nothing is written before a walker is sure to be easy. Operations are those of the
scalar path, in the same order.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ai.motion.clip_steps_batch import (
    ClipStates,
    gather_clip_states,
    loop_distances,
    loop_times,
    propose_start_batch,
    propose_stop_batch,
    scatter_clip_states,
)
from ai.motion.corners import REACHED_CM
from ai.motion.locomotion_tuning import LocomotionTuning
from ai.motion.movement_system import MovementSystem
from ai.motion.movement_table import ClipPhase, PositionWriter, StepOutcome
from ai.motion.ped_grid import FEW, PedGrid
from ai.motion.steer_clock import SteerClock
from ai.motion.steering import Steering
from ai.motion.steering_batch import SteeringBatch
from ai.motion.step_checks import LENGTH_SLACK_CM, NO_STEP_CM
from ai.motion.step_checks_batch import GroundColumns, StepChecksBatch
from ai.motion.turning import (
    ANGLE_SLACK_RAD,
    facing,
    facings,
    turned,
    turned_all,
    wrap_angles,
)
from ai.motion.walk_clips import WalkClips, stop_crawl
from ai.motion.walker_columns import Steps, Walkers, take_states
from ai.ports import Clearance, WalkSurface

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


class WalkersBatch:
    """Moves the easy ones among peds that walk a path."""

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
        self._clips = WalkClips(system.table, system.clips, tuning)
        self._curves = system.clips.curves
        self._grid = grid
        self._steer_clock = steer_clock
        self._checks = StepChecksBatch(grid, surface, clearance, tuning)
        self._tuning = tuning
        self._crawl = stop_crawl(tuning)
        self._turn_in_place = math.radians(tuning.turn_in_place_deg)
        self._align = math.radians(tuning.align_deg)
        self._steer_rate = math.radians(tuning.steer_rate_deg_s)
        self._steering = SteeringBatch(system.table, grid, self._checks, steering, tuning)

    def step(self, indices: Ints, rows: Ints, speed: Floats, reach: Floats, dt_s: float) -> Ints:
        """Move the easy walkers; returns their indices.

        - ``indices``: peds with a profile that walk a path, are not at its end and have
          accepted a step on it. The other arrays have an entry for every ped of the grid.
        """
        walkers = self._aimed(indices, rows[indices], speed[indices], dt_s)
        walkers = walkers.select(self._keeps_course(walkers))
        walkers = self._steering.steered(walkers, dt_s)
        if len(walkers.index) == 0:
            return walkers.index
        self._turn_to_lanes(walkers, dt_s)
        steps, passes = self._propose(walkers, dt_s)
        # A full step is judged too, and who chooses anew first looks if that touches a ped.
        alone = steps.partial | (walkers.due & (walkers.suggestion != 0.0))
        passes &= self._checks.room(walkers.index, passes, steps.x, steps.y, reach, alone)
        walkers = walkers.select(passes)
        self._commit(walkers, steps.select(passes), dt_s)
        return walkers.index

    def _aimed(self, index: Ints, row: Ints, speed: Floats, dt_s: float) -> Walkers:
        table = self._table
        slot = self._grid.slots[index]
        x = self._grid.x[index]
        y = self._grid.y[index]
        dx = table.corner_x[row] - x
        dy = table.corner_y[row] - y
        distance = np.sqrt(dx * dx + dy * dy)
        scale = np.where(distance > 0.0, distance, 1.0)
        headings = map(math.atan2, dy.tolist(), dx.tolist())
        near = self._steer_clock.near_mask(slot)
        steer_age = table.steer_age[row] + dt_s
        yaw = table.yaw[slot]
        heading = np.fromiter(headings, np.float64, len(index))
        suggestion = table.steer_suggestion[row]
        return Walkers(
            index=index,
            slot=slot,
            row=row,
            x=x,
            y=y,
            z=table.z[slot],
            yaw=yaw,
            yaw_after=turned_all(
                yaw, facings(heading, suggestion, self._align), self._steer_rate * dt_s
            ),
            speed=speed,
            aim_x=dx / scale,
            aim_y=dy / scale,
            heading=heading,
            distance=distance,
            rest=table.rest_after_corner[row],
            suggestion=suggestion,
            steer_age=steer_age,
            side_age=table.side_age[row] + dt_s,
            near=near,
            due=self._steer_clock.due_mask(row, near, steer_age),
            phase=table.clip_phase[row],
        )

    def _keeps_course(self, walkers: Walkers) -> Flags:
        """Who neither reaches a corner, nor turns first, nor begins a stop."""
        table = self._table
        row = walkers.row
        dx = walkers.x - table.corner_x[row]
        dy = walkers.y - table.corner_y[row]
        past = (dx * table.leg_x[row] + dy * table.leg_y[row] >= 0.0) | (
            dx * table.across_x[row] + dy * table.across_y[row] >= 0.0
        )
        last = table.corners_left[row] == 1
        on_way = np.where(
            last,
            walkers.distance > REACHED_CM,
            ~past & (walkers.distance > self._tuning.corner_reach),
        )
        remaining = walkers.distance + walkers.rest
        stopping = walkers.phase == int(ClipPhase.STOP)
        settling = stopping & (remaining <= self._tuning.corner_reach)
        # Both errors at once: a call costs more than the few numbers that it works on.
        yaws = np.array((walkers.yaw, walkers.yaw_after))
        error, error_after = np.abs(wrap_angles(walkers.heading - yaws))
        aligned = (error <= self._turn_in_place + ANGLE_SLACK_RAD) & (
            error_after <= self._align + ANGLE_SLACK_RAD
        )
        starting = walkers.phase == int(ClipPhase.START)
        looping = walkers.phase == int(ClipPhase.LOOP)
        profile = table.profile[row]
        goes_on = (starting | looping) & (remaining > self._curves.stop_distance[profile, -1])
        keeps: Flags = on_way & (settling | aligned) & (goes_on | stopping)
        return keeps

    def _turn_to_lanes(self, walkers: Walkers, dt_s: float) -> None:
        """Work out the yaw anew for those who step in another direction than before."""
        chosen = (walkers.suggestion != self._table.steer_suggestion[walkers.row]).nonzero()[0]
        for place in chosen.tolist():
            heading = facing(
                walkers.heading.item(place), walkers.suggestion.item(place), self._align
            )
            walkers.yaw_after[place] = turned(
                walkers.yaw.item(place), heading, self._steer_rate * dt_s
            )

    def _propose(self, walkers: Walkers, dt_s: float) -> tuple[Steps, Flags]:
        """Steps by the clips, and which of them pass and end neither path nor stop."""
        distance, states = self._clip_steps(walkers, dt_s)
        budget = walkers.speed * dt_s
        straight = walkers.suggestion == 0.0
        full = np.where(straight, np.minimum(budget, walkers.distance), budget)
        partial = distance < full
        # Where the clip wants less than a full step, that one must pass too (LOC-06).
        part = partial.nonzero()[0]
        count = len(distance)
        both = np.concatenate((np.arange(count), part))
        ground, length, passes = self._checked(
            walkers.take(both), np.concatenate((distance, full[part])), budget[both]
        )
        cheap = ground.cheap[:count]
        cheap[part] = ground.cheap[count:]
        full_passes = passes[count:]
        passes = passes[:count]
        passes[part] &= full_passes
        # Of a step aside the full one must stay on ground that one makes way onto.
        passes &= np.where(straight, distance < walkers.distance, cheap)
        passes &= (states.phase != int(ClipPhase.IDLE)) & (states.phase != int(ClipPhase.STOP_TAIL))
        x, y, z, length = ground.x[:count], ground.y[:count], ground.z[:count], length[:count]
        dx = self._table.corner_x[walkers.row] - x
        dy = self._table.corner_y[walkers.row] - y
        passes &= np.sqrt(dx * dx + dy * dy) + walkers.rest > REACHED_CM
        return Steps(x, y, z, length, partial, states), passes

    def _checked(
        self, walkers: Walkers, distance: Floats, budget: Floats
    ) -> tuple[GroundColumns, Floats, Flags]:
        """Steps of these distances: where they end, their lengths, and which pass (LOC-07).

        Other peds are not looked at here.
        """
        cosine = np.ones(len(distance))
        sine = np.zeros(len(distance))
        aside = walkers.suggestion != 0.0
        for i in aside.nonzero()[0].tolist():
            cosine[i] = math.cos(walkers.suggestion.item(i))
            sine[i] = math.sin(walkers.suggestion.item(i))
        to_x = walkers.x + (walkers.aim_x * cosine - walkers.aim_y * sine) * distance
        to_y = walkers.y + (walkers.aim_x * sine + walkers.aim_y * cosine) * distance
        landing = ~aside & (distance >= walkers.distance)
        to_x = np.where(landing, self._table.corner_x[walkers.row], to_x)
        to_y = np.where(landing, self._table.corner_y[walkers.row], to_y)
        ground = self._checks.ground(to_x, to_y, walkers.z)
        x, y, _, passes, _ = ground
        dx = x - walkers.x
        dy = y - walkers.y
        length = np.sqrt(dx * dx + dy * dy)
        passes &= length <= budget + LENGTH_SLACK_CM
        dx = to_x - walkers.x
        dy = to_y - walkers.y
        passes &= (length >= NO_STEP_CM) | (np.sqrt(dx * dx + dy * dy) < NO_STEP_CM)
        passes[passes] = self._checks.ways_free(
            walkers.x[passes], walkers.y[passes], x[passes], y[passes]
        )
        return ground, length, passes

    def _clip_steps(self, walkers: Walkers, dt_s: float) -> tuple[Floats, ClipStates]:
        """What the clips propose: distances in cm, and clip states after the step.

        States in LOOP stay as they were: legs advance by the ground that is accepted in
        the end (CLIP-09), which ``_commit`` sees to.
        """
        curves = self._curves
        states = gather_clip_states(self._table, walkers.row)
        remaining = walkers.distance + walkers.rest
        distance = loop_distances(walkers.speed, dt_s, remaining)
        for phase in (ClipPhase.START, ClipPhase.STOP):
            chosen = (walkers.phase == int(phase)).nonzero()[0]
            if len(chosen) <= FEW:
                for place in chosen.tolist():
                    proposal = self._clips.propose(
                        walkers.single(place, dt_s), remaining.item(place)
                    )
                    distance[place] = proposal.distance
                    for column, value in zip(states, proposal.new_state, strict=True):
                        column[place] = value
                continue
            before = take_states(states, chosen)
            speed = walkers.speed[chosen]
            if phase is ClipPhase.START:
                proposals = propose_start_batch(curves, before, speed, dt_s)
            else:
                proposals = propose_stop_batch(
                    curves, before, speed, dt_s, remaining[chosen], self._crawl
                )
            distance[chosen] = proposals.distance
            for column, values in zip(states, proposals.new_states, strict=True):
                column[chosen] = values
        return distance, states

    def _commit(self, walkers: Walkers, steps: Steps, dt_s: float) -> None:
        """Write what an accepted step writes (LOC-08)."""
        table = self._table
        row, slot = walkers.row, walkers.slot
        table.write_positions(slot, steps.x, steps.y, steps.z, PositionWriter.EXECUTOR)
        table.velocity_x[slot] = (steps.x - walkers.x) / dt_s
        table.velocity_y[slot] = (steps.y - walkers.y) / dt_s
        table.yaw[slot] = walkers.yaw_after
        table.measured_speed[row] = steps.length / dt_s
        table.travelled[row] += steps.length
        table.refused_time[row] = 0.0
        table.steer_suggestion[row] = walkers.suggestion
        table.outcome[row] = int(StepOutcome.STEPPED)

        aside = walkers.suggestion != 0.0
        table.side_age[row] = np.where(aside, 0.0, walkers.side_age)
        table.side_sign[row[aside]] = np.where(walkers.suggestion[aside] > 0.0, 1, -1)
        table.steer_age[row] = walkers.steer_age
        self._steer_clock.note_evaluations(row[walkers.due], walkers.near[walkers.due])

        scatter_clip_states(table, row, steps.states)
        looping = (walkers.phase == int(ClipPhase.LOOP)).nonzero()[0]
        row, length = row[looping], steps.length[looping]
        table.cycle_time[row] = loop_times(
            self._curves, table.profile[row], table.cycle_time[row], length
        )
