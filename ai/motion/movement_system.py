"""The movement of every ped: records, claims and query handles, and what changes them.

``MovementSystem`` puts together what the walk phases share and is the one place
that says which fields an operation on a movement record changes: its row methods
are the movement side of the columns of the field matrix (ORD-23). A field that a
method leaves out stays as it was; a goal, its path and its progress always change
together (NAV-03).

Row methods take a record row and don't ask whether the ped lives; tasks and
orders go through ``MoveExecution``, which does.
"""

from __future__ import annotations

import math

from ai.motion.claims import ClaimTable
from ai.motion.clip_library import ClipLibrary
from ai.motion.execution import (
    AcceptResult,
    MoveExecution,
    ReplanKind,
    RequestReply,
    StandReply,
)
from ai.motion.movement_table import (
    RECORDS_PER_PED,
    MovementSlot,
    MovementTable,
    MoveOwner,
    MoveReason,
    MoveStatus,
    SpeedMode,
)
from ai.motion.path_replies import judge_path
from ai.motion.record_clips import RecordClips
from ai.navigation.navigation_tuning import NavigationTuning
from ai.navigation.path_desk import PathDesk
from ai.navigation.path_service import PathReply, PathService
from ai.ports import Clock, FactSink, Vec3

GOAL_LIMIT_CM = 1e6
"""Largest component of a goal that a request takes (NAV-03)."""


class MovementSystem:
    """Owner of the movement table, the claims and the path desk of a world.

    ``clock`` dates timed stands, ``facts`` hears of ARRIVED and FAILED (NAV-23),
    ``service`` answers path requests that stand on ``desk``, ``clips`` is shared
    data and read only.
    """

    def __init__(
        self,
        *,
        table: MovementTable,
        service: PathService,
        clips: ClipLibrary,
        tuning: NavigationTuning,
        clock: Clock,
        facts: FactSink,
    ) -> None:
        self.table = table
        self.claims = ClaimTable(table.capacity, tuning.claim)
        self.service = service
        self.desk = PathDesk(service)
        self.clips = clips
        self.record_clips = RecordClips(table, clips)
        self.tuning = tuning
        self.clock = clock
        self._facts = facts
        self._executions: list[MoveExecution | None] = [None] * (table.capacity * RECORDS_PER_PED)

    # -- life of a ped's records -------------------------------------------------

    def spawn(
        self, slot: int, ped_id: int, position: Vec3, yaw_rad: float, profile: int
    ) -> MoveExecution:
        """Give a free slot to a new ped: blank records on a clip profile, no claim.

        Returns the general record. Raises ``ValueError`` if the slot is taken.
        """
        table = self.table
        if bool(table.present[slot]):
            raise ValueError(
                f"slot {slot} belongs to ped#{int(table.ped_id[slot])}; retire it first"
            )
        table.reset_slot(slot, ped_id, position, yaw_rad)
        for row in self._rows(slot):
            table.profile[row] = profile
            self._executions[row] = MoveExecution(self, row)
        return self.execution(slot, MovementSlot.GENERAL)

    def retire(self, slot: int) -> None:
        """Take a ped out of every batch; its queries, claims and stop reasons go with it."""
        table = self.table
        for row in self._rows(slot):
            if not self.cancel(row):
                self._drop_query(row)
            table.suspend[row] = 0
        table.outside_reasons[slot] = 0
        self.claims.clear(slot)
        table.free_slot(slot)

    def execution(self, slot: int, record: MovementSlot) -> MoveExecution:
        """The face of one of a ped's records; the same object for the ped's whole life.

        Raises ``ValueError`` if no ped was ever put into the slot.
        """
        face = self._executions[slot * RECORDS_PER_PED + int(record)]
        if face is None:
            raise ValueError(f"slot {slot} has no ped; spawn one first")
        return face

    # -- intent ------------------------------------------------------------------

    def request_goal(
        self, row: int, goal: Vec3, speed_mode: SpeedMode, owner: MoveOwner
    ) -> RequestReply:
        """Serve a new goal from nothing (NAV-03); suspension bits stay."""
        for component in goal:
            if not abs(component) <= GOAL_LIMIT_CM:
                return RequestReply.BAD_GOAL
        table = self.table
        self._begin_goal(row, goal, owner)
        table.generation[row] += 1
        table.speed_mode[row] = int(speed_mode)
        table.reeval_steer[row] = True
        self.record_clips.reset(row)
        self._await_path(row)
        return RequestReply.ACCEPTED

    def retarget(self, row: int, goal: Vec3) -> bool:
        """Lead a live movement after a goal that moves, without a halt (NAV-24).

        The old path stays usable until the new one is there; hold, stand, clip, retries
        and timers stay. False, with nothing changed, unless the intent is live and the
        goal is one that a request would take.
        """
        table = self.table
        if not table.is_live(row):
            return False
        for component in goal:
            if not abs(component) <= GOAL_LIMIT_CM:
                return False
        self._drop_query(row)
        table.generation[row] += 1
        table.goals[row] = goal
        table.needs_path[row] = True
        table.path_wait_ticks[row] = 0
        if table.corners_left.item(row):
            corner = Vec3(table.corner_x.item(row), table.corner_y.item(row))
            table.best_corner_dist[row] = self._distance_xy(row, corner)
        return True

    def bar_arrival(self, row: int, barred: bool) -> None:
        """Say whether a movement at its goal has not arrived for all that (ORD-20)."""
        self.table.arrival_barred[row] = barred

    def adopt_failed(self, row: int, goal: Vec3, reason: MoveReason, owner: MoveOwner) -> None:
        """Show an owner's old failure again: no query, nothing counted (ORD-19)."""
        self._begin_goal(row, goal, owner)
        self.table.needs_path[row] = False
        self.record_clips.to_tail(row)
        self._end(row, MoveStatus.FAILED, reason)

    def cancel(self, row: int) -> bool:
        """End a movement as CANCELLED (movement side of ORD-13).

        The timed stand and suspension bits stay. False, with nothing changed, if
        the record is IDLE or CANCELLED already.
        """
        table = self.table
        if int(table.status[row]) in (int(MoveStatus.IDLE), int(MoveStatus.CANCELLED)):
            return False
        self._drop_query(row)
        table.generation[row] += 1
        table.needs_path[row] = False
        self._clear_path(row)
        self._clear_timers(row)
        table.retry_count[row] = 0
        table.command_hold[row] = False
        self.record_clips.to_tail(row)
        self._end(row, MoveStatus.CANCELLED, MoveReason.NONE)
        return True

    def arrive(self, row: int) -> bool:
        """End a walk as ARRIVED; whether it has arrived is the walk update's to judge (LOC-11).

        False, with nothing changed, unless the record is WALKING.
        """
        if int(self.table.status[row]) != int(MoveStatus.WALKING):
            return False
        self._end(row, MoveStatus.ARRIVED, MoveReason.NONE)
        self._facts.note(self._ped_id(row), "ARRIVED", int(self.table.generation[row]))
        return True

    def fail(self, row: int, reason: MoveReason) -> bool:
        """End a live movement as FAILED, leaving goal and path for display.

        False, with nothing changed, unless the intent was live (NAV-02).
        """
        if not self.table.is_live(row):
            return False
        self._drop_query(row)
        self.table.needs_path[row] = False
        self.record_clips.to_tail(row)
        self._end(row, MoveStatus.FAILED, reason)
        self._facts.note(self._ped_id(row), "FAILED", reason.name, int(self.table.generation[row]))
        return True

    def wish(self, row: int, heading_rad: float, *, slides: bool, turn_time_limit_s: float) -> bool:
        """Steer by a heading instead of a goal (LOC-18); a live movement is cancelled.

        The record then serves no owner. False, with nothing changed, for a heading
        that is not finite.
        """
        if not math.isfinite(heading_rad):
            return False
        table = self.table
        if not table.wish_active[row]:
            self.cancel(row)
            table.owners[row] = None
        table.wish_active[row] = True
        table.wish_heading[row] = heading_rad
        table.slides[row] = slides
        table.turn_time_limit[row] = turn_time_limit_s
        return True

    def drop_wish(self, row: int) -> None:
        """End the steering by a heading; the walk update plays the stop."""
        table = self.table
        table.wish_active[row] = False
        table.slides[row] = False
        table.turn_time_limit[row] = math.inf

    # -- stop reasons ------------------------------------------------------------

    def hold(self, row: int) -> None:
        """Set the command hold; path, query and timers stay as they are (ORD-10)."""
        self.table.command_hold[row] = True
        self.table.steer_suggestion[row] = 0.0
        self._stop_in_place(row)

    def release_hold(self, row: int) -> None:
        """Withdraw the command hold; the kept path gets no free pass (ORD-11)."""
        self.table.command_hold[row] = False

    def stand(self, row: int, seconds: float) -> StandReply:
        """Set a deadline before which the ped stands (NAV-20)."""
        if not (math.isfinite(seconds) and 0.0 < seconds <= self.tuning.stand_max):
            return StandReply.BAD_DURATION
        self.table.stand_until[row] = self.clock.time_s + seconds
        self._stop_in_place(row)
        return StandReply.ACCEPTED

    def suspend(self, row: int) -> None:
        """Effects of the first suspension bit (NAV-14); the bits are the coordination's.

        The path stays for display, the clip stays where it is.
        """
        table = self.table
        table.needs_path[row] |= table.path_pending[row]
        self._drop_query(row)
        table.generation[row] += 1
        table.path_usable[row] = False
        self._clear_timers(row)
        table.measured_speed[row] = 0.0

    def resume(self, row: int) -> None:
        """Effects of the last suspension bit's going (NAV-15): a live intent is replanned."""
        self.record_clips.reset(row)
        self.table.measured_speed[row] = 0.0
        self.replan(row, ReplanKind.RESUME)

    # -- way ---------------------------------------------------------------------

    def replan(self, row: int, kind: ReplanKind) -> bool:
        """Withdraw the way and ask for it anew from where the ped is (NAV-15, NAV-18).

        False, with nothing changed, unless the intent is live.
        """
        table = self.table
        if not table.is_live(row):
            return False
        self._drop_query(row)
        table.generation[row] += 1
        if kind is ReplanKind.RETRY:
            table.retry_count[row] += 1
            table.replans_total[row] += 1
            table.travel_since_replan[row] = 0.0
        self._clear_path(row)
        self._clear_timers(row)
        self._stop_in_place(row)
        self._await_path(row)
        return True

    def accept_path(self, row: int, reply: PathReply) -> AcceptResult:
        """Install the points of a reply that is still wanted (NAV-05)."""
        table = self.table
        if reply.generation != int(table.generation[row]) or not bool(table.path_pending[row]):
            table.stale_replies[row] += 1
            return AcceptResult.STALE
        table.path_pending[row] = False
        self.desk.drop(row)
        reason, points = judge_path(reply.failure, reply.points, table.goals[row], self.tuning)
        if reason is not MoveReason.NONE:
            self.fail(row, reason)
            return AcceptResult.FAILED
        table.paths[row] = points
        table.path_usable[row] = True
        table.set_corner(row, 0)
        table.best_corner_dist[row] = self._distance_xy(row, points[0])
        table.status[row] = int(MoveStatus.WALKING)
        self._clear_timers(row)
        table.reeval_steer[row] = True
        table.first_step_pending[row] = True
        self.record_clips.discard_stop(row)
        return AcceptResult.INSTALLED

    # -- parts of the above --------------------------------------------------------

    def _begin_goal(self, row: int, goal: Vec3, owner: MoveOwner) -> None:
        """Goal and owner, with everything that belonged to the old goal or wish cleared."""
        table = self.table
        self._drop_query(row)
        self.drop_wish(row)
        table.goals[row] = goal
        table.owners[row] = owner
        self._clear_path(row)
        self._clear_timers(row)
        table.travelled[row] = 0.0
        table.travel_since_replan[row] = 0.0
        table.retry_count[row] = 0
        table.replans_total[row] = 0
        table.command_hold[row] = False
        table.stand_until[row] = math.nan
        table.arrival_barred[row] = False

    def _await_path(self, row: int) -> None:
        table = self.table
        table.needs_path[row] = True
        table.path_wait_ticks[row] = 0
        table.measured_speed[row] = 0.0
        table.status[row] = int(MoveStatus.WAITING_PATH)
        table.reason[row] = int(MoveReason.NONE)

    def _end(self, row: int, status: MoveStatus, reason: MoveReason) -> None:
        table = self.table
        table.measured_speed[row] = 0.0
        table.status[row] = int(status)
        table.reason[row] = int(reason)

    def _stop_in_place(self, row: int) -> None:
        table = self.table
        table.measured_speed[row] = 0.0
        table.reeval_steer[row] = True
        self.record_clips.to_tail(row)

    def _drop_query(self, row: int) -> None:
        self.desk.cancel(row)
        self.table.path_pending[row] = False

    def _clear_path(self, row: int) -> None:
        self.table.paths[row] = ()
        self.table.path_usable[row] = False
        self.table.set_corner(row, 0)

    def _clear_timers(self, row: int) -> None:
        table = self.table
        table.blocked_time[row] = 0.0
        table.no_progress_time[row] = 0.0
        table.turn_time[row] = 0.0
        table.refused_time[row] = 0.0

    def _distance_xy(self, row: int, point: Vec3) -> float:
        slot = row // RECORDS_PER_PED
        dx = point.x - float(self.table.x[slot])
        dy = point.y - float(self.table.y[slot])
        return math.sqrt(dx * dx + dy * dy)

    def _ped_id(self, row: int) -> int:
        return int(self.table.ped_id[row // RECORDS_PER_PED])

    @staticmethod
    def _rows(slot: int) -> range:
        return range(slot * RECORDS_PER_PED, (slot + 1) * RECORDS_PER_PED)
