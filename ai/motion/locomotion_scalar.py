"""The walk update of one ped: the definition that the batch must equal (LOC-01).

One call is one motion sub-step of one record. In order: (1) suspended: nothing at
all; (2) held, standing or without live intent, (3) without a usable path: the clip
comes to rest; (4) large heading error: turn in place; (5) not aligned: turn only;
(6) propose a step, check it, commit or refuse it. Only (6) changes XY.

Clip states are proposed and stored when the step is accepted (CLIP-10). Each call
sets ``outcome``; the timers that follow from it are the retry policy's (NAV-17). A
record that follows a wish (LOC-18) has no timers, so its outcome is always NONE.
"""

from __future__ import annotations

import math

from ai.motion.clip_state import (
    ClipState,
    begin_turn,
    halt,
    read_clip_state,
    reset_clip,
    write_clip_state,
)
from ai.motion.clip_steps import advance_turn
from ai.motion.corners import REACHED_CM, Corners
from ai.motion.locomotion_tuning import LocomotionTuning
from ai.motion.movement_system import MovementSystem
from ai.motion.movement_table import ClipPhase, PositionWriter, StepOutcome
from ai.motion.steer_clock import SteerClock
from ai.motion.steering import Choice, Steering, direction
from ai.motion.turning import ANGLE_SLACK_RAD, facing, turned, wrap_angle
from ai.motion.walk_clips import WalkClips
from ai.motion.walker import Aim, Walker, aim_along, aim_at
from ai.ports import at_least


class ScalarWalk:
    """Runs LOC-01 for one ped at a time."""

    def __init__(
        self,
        system: MovementSystem,
        steering: Steering,
        corners: Corners,
        steer_clock: SteerClock,
        tuning: LocomotionTuning,
    ) -> None:
        self._system = system
        self._table = system.table
        self._clips = WalkClips(system.table, system.clips, tuning)
        self._steering = steering
        self._corners = corners
        self._steer_clock = steer_clock
        self._tuning = tuning
        self._turn_in_place = math.radians(tuning.turn_in_place_deg)
        self._align = math.radians(tuning.align_deg)
        self._steer_rate = math.radians(tuning.steer_rate_deg_s)

    def step(self, index: int, slot: int, row: int, dt_s: float) -> None:
        """One motion sub-step of a ped's record; ``index`` is the ped's place in the grid."""
        table = self._table
        if table.suspend.item(row):
            table.outcome[row] = int(StepOutcome.NONE)
            return
        wished = table.wish_active.item(row)
        if (
            table.command_hold.item(row)
            or not math.isnan(table.stand_until.item(row))
            or not (wished or (table.is_live(row) and table.path_usable.item(row)))
        ):
            self._rest(row, dt_s, StepOutcome.NONE)
            return
        speed = max(table.desired_speed.item(row), 0.0)
        walker = Walker(
            index, slot, row, table.position(slot), table.yaw.item(slot), speed, dt_s, speed * dt_s
        )
        if wished:
            self._follow_wish(walker)
        else:
            self._follow_path(walker)

    # -- what is followed ----------------------------------------------------------

    def _follow_path(self, walker: Walker) -> None:
        table = self._table
        row = walker.row
        if table.first_step_pending.item(row):
            # A side step that suited an earlier path is nothing to keep on this one (LOC-06).
            table.steer_suggestion[row] = 0.0
        if walker.speed > 0.0:
            self._corners.consume(walker)
        if table.corners_left.item(row) == 0:
            self._finish(walker)
        elif walker.speed > 0.0:
            x, y, _ = walker.position
            aim = aim_at(x, y, table.corner_x.item(row), table.corner_y.item(row))
            if not self._turn_first(walker, aim):
                self._walk(walker, aim)
        else:
            self._rest(row, walker.dt_s, StepOutcome.NONE)

    def _follow_wish(self, walker: Walker) -> None:
        """Steer by the wish's heading; at speed 0 it is a facing (LOC-17, LOC-18)."""
        table = self._table
        aim = aim_along(table.wish_heading.item(walker.row))
        if not self._turn_first(walker, aim):
            if walker.speed > 0.0:
                self._walk(walker, aim)
            else:
                table.yaw[walker.slot] = self._yaw_after(walker, aim, 0.0)
                self._rest(walker.row, walker.dt_s, StepOutcome.NONE)
        table.outcome[walker.row] = int(StepOutcome.NONE)

    # -- standing ------------------------------------------------------------------

    def _rest(self, row: int, dt_s: float, outcome: StepOutcome) -> None:
        """No translation: the clip goes to its stop tail, or goes on with it (LOC-12)."""
        self._stand(row, outcome)
        self._clips.rest(row, dt_s)

    def _stand(self, row: int, outcome: StepOutcome) -> None:
        self._table.measured_speed[row] = 0.0
        self._table.refused_time[row] = 0.0
        self._table.outcome[row] = int(outcome)

    def _finish(self, walker: Walker) -> None:
        """At the path's end: play the stop pose out, then arrive (LOC-11).

        Too far from the goal it counts as a refused step (NAV-07). At a goal that moves on
        it only stands (ORD-20).
        """
        row = walker.row
        goal_x, goal_y, goal_z = self._table.goals[row]
        x, y, z = walker.position
        dx, dy, dz = goal_x - x, goal_y - y, goal_z - z
        if math.sqrt(dx * dx + dy * dy + dz * dz) > self._system.tuning.arrive_distance:
            self._rest(row, walker.dt_s, StepOutcome.REFUSED)
        elif not self._clips.finish_pose(row, walker.dt_s):
            self._stand(row, StepOutcome.POSING)
        elif self._table.arrival_barred.item(row):
            self._rest(row, walker.dt_s, StepOutcome.POSING)
        else:
            self._stand(row, StepOutcome.NONE)
            self._system.arrive(row)

    # -- turning -------------------------------------------------------------------

    def _turn_first(self, walker: Walker, aim: Aim) -> bool:
        """Stages (4) and (5): True if this sub-step turns and does not step (LOC-03).

        The last ``corner_reach`` centimetres of a travelling stop are covered
        without: a turn in place for them would undo the stop.
        """
        table = self._table
        row = walker.row
        state = read_clip_state(table, row)
        if state.phase is ClipPhase.TURN:
            self._turn_in_clip(walker, state)
            return True
        if state.phase is ClipPhase.STOP and self._remaining(row, aim) <= self._tuning.corner_reach:
            return False
        error = abs(wrap_angle(aim.heading - walker.yaw))
        has_clips = self._clips.profile(row) is not None
        if error > self._turn_in_place + ANGLE_SLACK_RAD and has_clips:
            self._begin_turn(walker, aim, state)
            return True
        yaw = self._yaw_after(walker, aim, table.steer_suggestion.item(row))
        if abs(wrap_angle(aim.heading - yaw)) <= self._align + ANGLE_SLACK_RAD:
            return False
        table.yaw[walker.slot] = yaw
        self._stand(row, StepOutcome.TURNED)
        if state.phase in (ClipPhase.IDLE, ClipPhase.STOP_TAIL):
            self._clips.rest(row, walker.dt_s)
        return True

    def _begin_turn(self, walker: Walker, aim: Aim, state: ClipState) -> None:
        """Fix the target of a turn in place; the direction is chosen anew after it."""
        table = self._table
        profile = self._system.clips.profile(state.profile)
        if state.phase is ClipPhase.STOP:
            state = halt(profile, state)
        elif state.phase is ClipPhase.GETUP:
            state = reset_clip(state)
        table.steer_suggestion[walker.row] = 0.0
        table.reeval_steer[walker.row] = True
        angle = wrap_angle(aim.heading - walker.yaw)
        self._turn_in_clip(walker, begin_turn(state, walker.yaw, angle))

    def _turn_in_clip(self, walker: Walker, state: ClipState) -> None:
        """A step of a turn clip, faster than the clip where the record's limit asks for it."""
        table = self._table
        row = walker.row
        profile = self._system.clips.profile(state.profile)
        duration_s = profile.turn_clip(state.turn_angle).duration_s
        rate = max(1.0, duration_s / table.turn_time_limit.item(row))
        turn = advance_turn(profile, state, walker.dt_s * rate)
        table.yaw[walker.slot] = wrap_angle(turn.yaw_rad)
        write_clip_state(table, row, turn.new_state)
        self._stand(row, StepOutcome.TURNED)

    def _yaw_after(self, walker: Walker, aim: Aim, suggestion: float) -> float:
        """The yaw after following the direction of a step at the steer rate (LOC-03)."""
        heading = facing(aim.heading, suggestion, self._align)
        return turned(walker.yaw, heading, self._steer_rate * walker.dt_s)

    # -- stepping ------------------------------------------------------------------

    def _walk(self, walker: Walker, aim: Aim) -> None:
        """Stage (6): propose a step, check it, commit it or leave everything (LOC-08)."""
        row = walker.row
        proposal = self._clips.propose(walker, self._remaining(row, aim))
        choice = self._choose(walker, aim, proposal.distance)
        if choice is None:
            self._refuse(row, walker.dt_s)
            return
        self._accept(walker, aim, choice)
        stop_over = self._clips.commit(row, proposal.new_state, choice.step.length)
        if not self._table.wish_active.item(row):
            self._table.first_step_pending[row] = False
            self._note_path_end(walker, stop_over)

    def _choose(self, walker: Walker, aim: Aim, distance: float) -> Choice | None:
        """The kept direction re-checked, or a new choice where one is due or needed (LOC-04)."""
        table = self._table
        row = walker.row
        table.side_age[row] += walker.dt_s
        if table.slides.item(row):
            return self._steering.slide(walker, aim, distance)
        due = self._steer_clock.advance(walker)
        if not due:
            kept = direction(table.steer_suggestion.item(row))
            choice = self._steering.step_along(walker, aim, kept, distance)
            if choice is not None:
                return choice
        self._steer_clock.note_evaluation(walker)
        return self._steering.evaluate(walker, aim, distance)

    def _accept(self, walker: Walker, aim: Aim, choice: Choice) -> None:
        """Commit position, yaw and what was covered (LOC-08)."""
        table = self._table
        row, slot, dt_s = walker.row, walker.slot, walker.dt_s
        x, y, z, length = choice.step
        table.write_position(slot, x, y, z, PositionWriter.EXECUTOR)
        table.velocity_x[slot] = (x - walker.position.x) / dt_s
        table.velocity_y[slot] = (y - walker.position.y) / dt_s
        table.yaw[slot] = self._yaw_after(walker, aim, choice.suggestion)
        table.measured_speed[row] = length / dt_s
        table.travelled[row] += length
        table.refused_time[row] = 0.0
        table.steer_suggestion[row] = choice.suggestion
        if choice.suggestion != 0.0:
            table.side_sign[row] = 1 if choice.suggestion > 0.0 else -1
            table.side_age[row] = 0.0
        table.outcome[row] = int(StepOutcome.STEPPED)

    def _note_path_end(self, walker: Walker, stop_over: bool) -> None:
        """Consume the path with a step to its end, or with the stop's end near it (CLIP-12)."""
        table = self._table
        row = walker.row
        x, y, _ = table.position(walker.slot)
        left = aim_at(x, y, table.corner_x.item(row), table.corner_y.item(row)).distance
        left += table.rest_after_corner.item(row)
        if left <= (self._tuning.stop_crawl_min if stop_over else REACHED_CM):
            self._corners.finish(row)

    def _refuse(self, row: int, dt_s: float) -> None:
        """Leave position, clip and what was covered; after a while show the stop tail (LOC-08)."""
        table = self._table
        refused_time = table.refused_time.item(row) + dt_s
        self._stand(row, StepOutcome.REFUSED)
        table.reeval_steer[row] = True
        table.refused_time[row] = refused_time
        if at_least(refused_time, self._tuning.refused_pose_delay):
            self._clips.rest(row, dt_s)

    def _remaining(self, row: int, aim: Aim) -> float:
        """Length of the route left in cm; without end for a wish."""
        return aim.distance + self._table.rest_after_corner.item(row)
