"""``MoveExecution``: the typed face of one movement record (NAV-01).

It reads and writes one row of the ``MovementTable`` and holds nothing of its own,
so that tasks, orders and traces see a record while the batches work on arrays.
What an operation does to the record's fields is written down once, in
``MovementSystem``; this face adds that a ped that is gone is never touched
through a face made for it, even when its slot has a new owner.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import TYPE_CHECKING

from ai.motion.claims import MoveClaim
from ai.motion.clip_state import ClipState, read_clip_state
from ai.motion.movement_table import (
    RECORDS_PER_PED,
    MovementSlot,
    MoveOwner,
    MoveReason,
    MoveStatus,
    SpeedMode,
    SuspendReason,
)
from ai.ports import Vec3

if TYPE_CHECKING:
    from ai.motion.movement_system import MovementSystem
    from ai.navigation.path_service import PathReply


_STATUSES = tuple(MoveStatus)
_REASONS = tuple(MoveReason)
"""Members by value: looking one up costs a quarter of making it from its value."""


class RequestReply(IntEnum):
    """Answer of ``request_goal``; anything but ACCEPTED has changed nothing."""

    ACCEPTED = 0
    BAD_GOAL = 1
    """A component is not finite or beyond 1e6 cm."""
    DEAD = 2
    """The ped is gone."""


class StandReply(IntEnum):
    """Answer of ``stand``; anything but ACCEPTED has changed nothing."""

    ACCEPTED = 0
    BAD_DURATION = 1
    """Not finite, not above 0, or above ``stand_max`` (NAV-20)."""
    DEAD = 2
    """The ped is gone."""


class AcceptResult(IntEnum):
    """What became of a path reply (NAV-05)."""

    STALE = 0
    """Of another generation, or nobody waits for one; only the stale counter has risen."""
    INSTALLED = 1
    FAILED = 2


class ReplanKind(IntEnum):
    """Why the way is asked for anew; the goal stays."""

    RETRY = 0
    """Blocked or without progress: counts as a retry and against the goal's replans (NAV-18)."""
    RESUME = 1
    """Runnable again: counts in neither (NAV-15, NAV-19)."""


class MoveExecution:
    """One movement record of one ped; made by ``MovementSystem.execution``.

    Properties read the present value of the field of the same name (NAV-01).
    Operations on a ped that is gone change nothing; those that reply say so.
    """

    __slots__ = ("_ped_id", "_slot", "_system", "_table", "row")

    def __init__(self, system: MovementSystem, row: int) -> None:
        self._system = system
        self._table = system.table
        self._slot = row // RECORDS_PER_PED
        self._ped_id = int(system.table.ped_id[self._slot])
        self.row = row

    # -- identity ----------------------------------------------------------------

    @property
    def alive(self) -> bool:
        """True while the ped for which this face was made is in the world."""
        return (
            self._table.present.item(self._slot)
            and self._table.ped_id.item(self._slot) == self._ped_id
        )

    @property
    def record(self) -> MovementSlot:
        """Which of the ped's records this is."""
        return MovementSlot(self.row % RECORDS_PER_PED)

    @property
    def owner(self) -> MoveOwner | None:
        """The task that the present goal serves; None before the first goal and after a wish."""
        return self._table.owners[self.row]

    def serves(self, owner: MoveOwner) -> bool:
        """True if the record's owner is this one by its full identity (NAV-16)."""
        served = self._table.owners[self.row]
        return served is owner or served == owner

    @property
    def claim(self) -> MoveClaim | None:
        """The highest claim that lets this record move, or None."""
        return self._system.claims.highest_of_record(self._slot, self.record)

    # -- the body ----------------------------------------------------------------

    @property
    def position(self) -> Vec3:
        """The ped's position in cm."""
        return self._table.position(self._slot)

    @property
    def yaw(self) -> float:
        """The ped's yaw in rad."""
        return self._table.yaw.item(self._slot)

    @property
    def clip(self) -> ClipState:
        """Phase and times of the record's motion clip (CLIP-06)."""
        return read_clip_state(self._table, self.row)

    @property
    def measured_speed(self) -> float:
        """Length of the last accepted step over its time, in cm/s; 0 while stopped."""
        return self._table.measured_speed.item(self.row)

    @property
    def desired_speed(self) -> float:
        """Wished speed in cm/s, stated by the motion task (LOC-17)."""
        return self._table.desired_speed.item(self.row)

    @desired_speed.setter
    def desired_speed(self, speed_cm_s: float) -> None:
        if self.alive:
            self._table.desired_speed[self.row] = speed_cm_s

    def set_profile(self, index: int) -> None:
        """Play the record with another clip profile (LOC-13, LOC-17)."""
        if self._table.profile.item(self.row) != index and self.alive:
            self._system.record_clips.set_profile(self.row, index)

    # -- goal and way ------------------------------------------------------------

    @property
    def goal(self) -> Vec3:
        """Where the movement goes, in cm."""
        return self._table.goals[self.row]

    @property
    def speed_mode(self) -> SpeedMode:
        """The gait that the request asked for."""
        return SpeedMode(self._table.speed_mode.item(self.row))

    @property
    def generation(self) -> int:
        """Which request a path reply must belong to (NAV-04)."""
        return self._table.generation.item(self.row)

    @property
    def status(self) -> MoveStatus:
        """NAV-02."""
        return _STATUSES[self._table.status.item(self.row)]

    @property
    def live(self) -> bool:
        """True while the intent is live: WAITING_PATH or WALKING (NAV-02)."""
        return self._table.is_live(self.row)

    @property
    def reason(self) -> MoveReason:
        """Why the movement is FAILED; NONE in every other status."""
        return _REASONS[self._table.reason.item(self.row)]

    @property
    def needs_path(self) -> bool:
        """A request for a path is to be submitted."""
        return self._table.needs_path.item(self.row)

    @property
    def path_pending(self) -> bool:
        """A submitted request has not been answered yet."""
        return self._table.path_pending.item(self.row)

    @property
    def path(self) -> tuple[Vec3, ...]:
        """The installed points; kept for display while not usable."""
        return self._table.paths[self.row]

    @property
    def path_usable(self) -> bool:
        """The installed points may be walked on."""
        return self._table.path_usable.item(self.row)

    @property
    def corner(self) -> int:
        """Index in ``path`` of the point walked to; its length once the path is consumed."""
        return self._table.corner.item(self.row)

    @property
    def travelled(self) -> float:
        """Accepted steps since the request, in cm."""
        return self._table.travelled.item(self.row)

    @property
    def steer_suggestion(self) -> float:
        """Direction last chosen around obstacles, as a deviation in rad (LOC-04)."""
        return self._table.steer_suggestion.item(self.row)

    @property
    def reeval_steer(self) -> bool:
        """The direction is chosen anew at the next step (LOC-04)."""
        return self._table.reeval_steer.item(self.row)

    # -- stop reasons ------------------------------------------------------------

    @property
    def command_hold(self) -> bool:
        """An open-ended wait that only a command or a new goal ends (ORD-10)."""
        return self._table.command_hold.item(self.row)

    @property
    def stand_until(self) -> float | None:
        """Deadline of the timed stand in s of simulated time, or None (NAV-20)."""
        deadline = self._table.stand_until.item(self.row)
        return None if math.isnan(deadline) else deadline

    @property
    def suspend(self) -> SuspendReason:
        """Why the movement may not write position; NONE if it may (NAV-14)."""
        return SuspendReason(self._table.suspend.item(self.row))

    # -- counters ----------------------------------------------------------------

    @property
    def blocked_time(self) -> float:
        """Seconds of refused steps in a row (NAV-17)."""
        return self._table.blocked_time.item(self.row)

    @property
    def no_progress_time(self) -> float:
        """Seconds without enough gain on the corner (NAV-17)."""
        return self._table.no_progress_time.item(self.row)

    @property
    def best_corner_dist(self) -> float:
        """Least distance to the present corner so far, in cm; infinite before the first."""
        return self._table.best_corner_dist.item(self.row)

    @property
    def retry_count(self) -> int:
        """Replans since the request or since the last long enough travel (NAV-19)."""
        return self._table.retry_count.item(self.row)

    @property
    def replans_total(self) -> int:
        """Replans for this goal (NAV-19)."""
        return self._table.replans_total.item(self.row)

    @property
    def stale_replies(self) -> int:
        """Replies that came for another generation or unasked."""
        return self._table.stale_replies.item(self.row)

    @property
    def turn_time(self) -> float:
        """Seconds of unbroken turning (NAV-17)."""
        return self._table.turn_time.item(self.row)

    # -- operations --------------------------------------------------------------

    def request_goal(self, goal: Vec3, speed_mode: SpeedMode, owner: MoveOwner) -> RequestReply:
        """Serve a new goal (NAV-03)."""
        if not self.alive:
            return RequestReply.DEAD
        return self._system.request_goal(self.row, goal, speed_mode, owner)

    def retarget(self, goal: Vec3) -> bool:
        """Follow a goal that moves, without a halt (NAV-24); False unless the intent is live."""
        return self.alive and self._system.retarget(self.row, goal)

    def bar_arrival(self, barred: bool) -> None:
        """Say whether the goal moves on, so that being at it is no arrival (ORD-20)."""
        if self.alive and self._table.arrival_barred.item(self.row) != barred:
            self._system.bar_arrival(self.row, barred)

    def wish(
        self, heading_rad: float, *, slides: bool = False, turn_time_limit_s: float = math.inf
    ) -> bool:
        """Steer by a heading at ``desired_speed`` instead of going to a goal (LOC-18).

        - ``slides``: a refused straight step tries its part along the obstacle.
        - ``turn_time_limit_s``: longest time of a turn in place.

        False, with nothing changed, for a heading that is not finite.
        """
        return self.alive and self._system.wish(
            self.row, heading_rad, slides=slides, turn_time_limit_s=turn_time_limit_s
        )

    def drop_wish(self) -> None:
        """End the steering by a heading."""
        if self.alive:
            self._system.drop_wish(self.row)

    def hold(self) -> bool:
        """Stand still until ``release_hold`` (ORD-10); True if done."""
        if not self.alive:
            return False
        self._system.hold(self.row)
        return True

    def release_hold(self) -> bool:
        """Withdraw the command hold and nothing else (ORD-11); True if done."""
        if not self.alive:
            return False
        self._system.release_hold(self.row)
        return True

    def stand(self, seconds: float) -> StandReply:
        """Stand still until a deadline this far ahead in simulated time (NAV-20)."""
        if not self.alive:
            return StandReply.DEAD
        return self._system.stand(self.row, seconds)

    def cancel(self) -> bool:
        """End the movement as CANCELLED (ORD-13); False if there was none to end."""
        return self.alive and self._system.cancel(self.row)

    def accept_path(self, reply: PathReply) -> AcceptResult:
        """Take the reply to a path request (NAV-05)."""
        if not self.alive:
            return AcceptResult.STALE
        return self._system.accept_path(self.row, reply)

    def fail(self, reason: MoveReason) -> bool:
        """End the movement as FAILED; False unless the intent was live."""
        return self.alive and self._system.fail(self.row, reason)

    def adopt_failed(self, goal: Vec3, reason: MoveReason, owner: MoveOwner) -> bool:
        """Show a failure that its owner has already taken notice of (ORD-19); True if done."""
        if not self.alive:
            return False
        self._system.adopt_failed(self.row, goal, reason, owner)
        return True

    def replan(self, kind: ReplanKind) -> bool:
        """Ask for the way anew from where the ped is; False unless the intent was live."""
        return self.alive and self._system.replan(self.row, kind)
