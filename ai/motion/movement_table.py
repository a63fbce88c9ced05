"""Every number of every movement record, in numpy arrays: the hot data of the walk update.

A *record* is one ``MoveExecution`` (NAV-01). A ped has one record per
movement-tree slot (default, general, event response); its records are the rows
``ped_slot * RECORDS_PER_PED + MovementSlot``. ``MoveExecution`` is the typed face
of one row; the batches of ``locomotion`` work on the arrays.

Invariants, kept by the writers named here:

- Position and yaw of a ped stand once, in ``x, y, z, yaw`` by ped slot; they are
  written through ``write_position`` alone, by one writer per step (NAV-13).
- ``goal``, ``path`` and progress of a record change together (NAV-03).
- ``corner_x, corner_y, rest_after_corner, corners_left, leg_x, leg_y, across_x,
  across_y`` mirror ``paths[row]`` as seen from ``corner[row]``; ``set_corner`` is
  their one writer.
- Holds, timed stand, suspension and status are separate fields; no flag stands for all.
- ``reason`` is set while ``status`` is FAILED and NONE otherwise.
- ``generation`` goes on when a slot changes hands, so that a reply formed for a
  retired ped never fits its successor (NAV-04).
- ``present`` and ``ped_id`` change in ``reset_slot`` and ``free_slot`` alone, which
  drop the kept answer of ``slots_in_id_order``.
- ``blocked_time, no_progress_time, turn_time, travel_since_replan, retry_count,
  replans_total`` grow in the retry policy alone (NAV-17 to NAV-19), and
  ``best_corner_dist`` falls there alone, but for its first value on a new path.

Units: cm, s, rad. Arrays never grow: the capacity is the pool size of the world.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.ports import Vec3

RECORDS_PER_PED = 3


class MovementSlot(IntEnum):
    """Which of a ped's records; equals the slot index in the movement tree (TASK-69)."""

    EVENT_RESPONSE = 0
    GENERAL = 1
    DEFAULT = 2


class MoveStatus(IntEnum):
    """NAV-02. ARRIVED, FAILED, CANCELLED stay until the next ``request_goal``."""

    IDLE = 0
    WAITING_PATH = 1
    WALKING = 2
    ARRIVED = 3
    FAILED = 4
    CANCELLED = 5


class MoveReason(IntEnum):
    """Why a movement failed (NAV-05, NAV-09, NAV-10, NAV-18, ORD-20)."""

    NONE = 0
    NO_PATH = 1
    PARTIAL_ONLY = 2
    START_OFF_SURFACE = 3
    GOAL_OFF_SURFACE = 4
    CAPACITY = 5
    END_OUT_OF_TOLERANCE = 6
    BAD_REPLY = 7
    BLOCKED = 8
    NO_PROGRESS = 9
    CANNOT_CATCH = 10
    TARGET_GONE = 11


class SuspendReason(IntFlag):
    """Why a movement may not write position (NAV-14); any bit suspends."""

    NONE = 0
    NOT_OWNER = 1
    HIGHER_MOVE = 2
    FOREIGN_MAIN = 4
    SUPPRESSED = 8
    VEHICLE = 16
    BODY = 32


class SpeedMode(IntEnum):
    """Wished gait of a request; move blend ratio and profile follow from it (LOC-13)."""

    STAND = 0
    WALK = 1
    FAST_WALK = 2
    RUN = 3
    SPRINT = 4


class ClipPhase(IntEnum):
    """CLIP-07. GETUP is driven by the recovery."""

    IDLE = 0
    START = 1
    LOOP = 2
    STOP = 3
    STOP_TAIL = 4
    TURN = 5
    GETUP = 6


class PositionWriter(IntEnum):
    """Who wrote a ped's position this step (NAV-23)."""

    NONE = 0
    SPAWN = 1
    EXECUTOR = 2
    RECOVERY = 3
    MIRROR = 4
    STUMBLE = 5


class StepOutcome(IntEnum):
    """What one motion sub-step of a record did; the retry policy reads it (NAV-17)."""

    NONE = 0
    """Suspended, held, standing, no live intent or no usable path: no timer runs."""
    STEPPED = 1
    """A step was accepted."""
    REFUSED = 2
    """A step was proposed and every candidate was refused."""
    TURNED = 3
    """Turn in place or turn only: timers neither grow nor reset, for at most 3 s."""
    POSING = 4
    """Within arrival distance, finishing the stop pose: no timer runs."""


class WriterConflict(AssertionError):
    """A second writer moved a ped in one step (NAV-13)."""


@dataclass(frozen=True, slots=True)
class MoveOwner:
    """Identity of the task that a movement serves (NAV-01): never collapsed into one flag.

    - ``task_type`` is the task's type id, ``source`` the order, event or ped that
      stands behind it (``None`` for a task of its own), ``tag`` the order's session,
      the response's tag or the owning task's uid.
    """

    task_type: int
    source: object | None
    tag: int


NO_GOAL = Vec3(0.0, 0.0)
"""Goal of a record that never had one."""

_LIVE = (int(MoveStatus.WAITING_PATH), int(MoveStatus.WALKING))


class MovementTable:
    """Arrays for ``capacity`` peds and their ``capacity * RECORDS_PER_PED`` records.

    By ped slot: ``x, y, z, yaw`` (float64), ``writer`` (int64, ``PositionWriter``),
    ``ped_id`` (int64, -1 = free slot), ``present`` (bool: unretired, takes room),
    ``active_record`` (int64: row run by the walk update this step),
    ``outside_reasons`` (int64, ``SuspendReason`` bits that others than the claim
    table have stated; the coordination turns them into ``suspend``),
    ``velocity_x, velocity_y`` (cm/s: what the walk update moved the ped by in its
    last sub-step, 0 if it did not), ``important`` (bool: steered as if near the
    focus, LOC-04).

    By record row, named as in NAV-01 and CLIP-06. Kept beside those:

    - ``path_wait_ticks``: steps in a row in which the path service's queue was full.
    - ``travel_since_replan``: accepted steps since the last retry, in cm (NAV-19).
    - ``outcome``: ``StepOutcome`` of the last motion sub-step.
    - ``first_step_pending``: no step has been accepted on the present path (LOC-06).
    - ``refused_time``: s of refused steps in a row, for the pose alone (LOC-08).
    - ``arrival_barred``: whoever moves the goal along is not at it yet: no ARRIVED (ORD-20).
    - ``steer_age``, ``side_age``: s of walking since the direction was chosen, and since
      the last side step, whose side is ``side_sign`` (1 or -1; LOC-04). ``pass_sign`` is
      the side on which a ped was passed last: 1 right of it, -1 left, 0 never.

    What a record without a goal is steered by (LOC-18):

    - ``wish_active``: the record follows a wish instead of goal and path;
      ``wish_heading`` (rad, finite) and ``desired_speed`` are the wish.
    - ``slides``: a refused straight step tries its part along the obstacle.
    - ``turn_time_limit``: longest time of a turn in place, over 0 (inf: the clip's own).

    ``corners_left`` counts the points from ``corner`` to the end of the path (0:
    path consumed or none); ``leg_x, leg_y`` is the unit direction of the leg into
    the corner, zero if the leg has no length, and ``across_x, across_y`` that plus the
    one of the next leg: the way across the corner, halfway between the two.
    """

    def __init__(self, capacity: int) -> None:
        if capacity < 1:
            raise ValueError(f"capacity must be at least 1, not {capacity}")
        self.capacity = capacity
        rows = capacity * RECORDS_PER_PED

        def floats(count: int, fill: float = 0.0) -> NDArray[np.float64]:
            return np.full(count, fill, dtype=np.float64)

        def ints(count: int, fill: int = 0) -> NDArray[np.int64]:
            return np.full(count, fill, dtype=np.int64)

        def flags(count: int) -> NDArray[np.bool_]:
            return np.zeros(count, dtype=np.bool_)

        self.x = floats(capacity)
        self.y = floats(capacity)
        self.z = floats(capacity)
        self.yaw = floats(capacity)
        self.writer = ints(capacity)
        self.ped_id = ints(capacity, -1)
        self.present = flags(capacity)
        self.outside_reasons = ints(capacity)
        self.velocity_x = floats(capacity)
        self.velocity_y = floats(capacity)
        self.important = flags(capacity)
        self.active_record = np.arange(capacity, dtype=np.int64) * RECORDS_PER_PED + int(
            MovementSlot.GENERAL
        )

        self.generation = ints(rows)
        self.status = ints(rows)
        self.reason = ints(rows)
        self.speed_mode = ints(rows)
        self.needs_path = flags(rows)
        self.path_pending = flags(rows)
        self.path_usable = flags(rows)
        self.corner = ints(rows)
        self.corner_x = floats(rows)
        self.corner_y = floats(rows)
        self.rest_after_corner = floats(rows)
        self.corners_left = ints(rows)
        self.leg_x = floats(rows)
        self.leg_y = floats(rows)
        self.across_x = floats(rows)
        self.across_y = floats(rows)
        self.desired_speed = floats(rows)
        self.measured_speed = floats(rows)
        self.travelled = floats(rows)
        self.steer_suggestion = floats(rows)
        self.reeval_steer = flags(rows)
        self.command_hold = flags(rows)
        self.stand_until = floats(rows, math.nan)
        self.suspend = ints(rows)
        self.blocked_time = floats(rows)
        self.no_progress_time = floats(rows)
        self.best_corner_dist = floats(rows, math.inf)
        self.retry_count = ints(rows)
        self.replans_total = ints(rows)
        self.travel_since_replan = floats(rows)
        self.stale_replies = ints(rows)
        self.turn_time = floats(rows)
        self.path_wait_ticks = ints(rows)
        self.outcome = ints(rows)

        self.profile = ints(rows)
        self.clip_phase = ints(rows)
        self.clip_time = floats(rows)
        self.cycle_time = floats(rows)
        self.clip_seq = ints(rows)
        self.stop_scale = floats(rows)
        self.turn_start_yaw = floats(rows)
        self.turn_angle = floats(rows)

        self.refused_time = floats(rows)
        self.side_sign = ints(rows, 1)
        self.pass_sign = ints(rows)
        self.side_age = floats(rows, math.inf)
        self.steer_age = floats(rows)
        self.first_step_pending = flags(rows)
        self.arrival_barred = flags(rows)

        self.wish_active = flags(rows)
        self.wish_heading = floats(rows)
        self.slides = flags(rows)
        self.turn_time_limit = floats(rows, math.inf)

        self._in_id_order: NDArray[np.int64] | None = None
        self.goals: list[Vec3] = [NO_GOAL] * rows
        self.paths: list[tuple[Vec3, ...]] = [()] * rows
        self.owners: list[MoveOwner | None] = [None] * rows
        self._blank = {
            name: array.copy()
            for name, array in vars(self).items()
            if isinstance(array, np.ndarray) and name != "generation"
        }

    # -- life of a slot --------------------------------------------------------

    def reset_slot(self, slot: int, ped_id: int, position: Vec3, yaw_rad: float) -> None:
        """Give a pool slot to a new ped: every field but ``generation`` starts anew."""
        first = slot * RECORDS_PER_PED
        for name, blank in self._blank.items():
            array: NDArray[Any] = getattr(self, name)
            if len(blank) == self.capacity:
                array[slot] = blank[slot]
            else:
                array[first : first + RECORDS_PER_PED] = blank[first : first + RECORDS_PER_PED]
        for row in range(first, first + RECORDS_PER_PED):
            self.goals[row] = NO_GOAL
            self.paths[row] = ()
            self.owners[row] = None
        self.ped_id[slot] = ped_id
        self.present[slot] = True
        self._in_id_order = None
        self.x[slot], self.y[slot], self.z[slot] = position
        self.yaw[slot] = yaw_rad
        self.writer[slot] = int(PositionWriter.SPAWN)

    def free_slot(self, slot: int) -> None:
        """Take a retired ped's slot out of every batch."""
        self.present[slot] = False
        self.ped_id[slot] = -1
        self._in_id_order = None

    def slots_in_id_order(self) -> NDArray[np.int64]:
        """Slots of all present peds in ascending ped id: the order of every phase.

        Read only, and the same array until a ped comes or goes.
        """
        if self._in_id_order is None:
            slots = np.flatnonzero(self.present)
            slots = slots[np.argsort(self.ped_id[slots], kind="stable")]
            slots.setflags(write=False)
            self._in_id_order = slots
        return self._in_id_order

    # -- position --------------------------------------------------------------

    def begin_step(self) -> None:
        """Forget who wrote positions in the last step."""
        self.writer.fill(int(PositionWriter.NONE))

    def write_position(
        self, slot: int, x: float, y: float, z: float, writer: PositionWriter
    ) -> None:
        """Move one ped.

        Raises ``WriterConflict`` if another writer moved it in this step (NAV-13);
        the same writer may write again (motion sub-steps, LOC-02).
        """
        before = int(self.writer[slot])
        if before not in (int(PositionWriter.NONE), int(writer)):
            raise WriterConflict(
                f"ped#{int(self.ped_id[slot])}: {writer.name} wrote a position that "
                f"{PositionWriter(before).name} had written in this step"
            )
        self.writer[slot] = int(writer)
        self.x[slot] = x
        self.y[slot] = y
        self.z[slot] = z

    def write_positions(
        self,
        slots: NDArray[np.int64],
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        z: NDArray[np.float64],
        writer: PositionWriter,
    ) -> None:
        """Move many peds, each at most once; shapes (n,). Raises as ``write_position`` does."""
        before = self.writer[slots]
        foreign = (before != int(PositionWriter.NONE)) & (before != int(writer))
        if foreign.any():
            first = int(np.flatnonzero(foreign)[0])
            self.write_position(
                int(slots[first]), float(x[first]), float(y[first]), float(z[first]), writer
            )
        self.writer[slots] = int(writer)
        self.x[slots] = x
        self.y[slots] = y
        self.z[slots] = z

    def position(self, slot: int) -> Vec3:
        """A ped's position in cm."""
        return Vec3(self.x.item(slot), self.y.item(slot), self.z.item(slot))

    # -- intent ----------------------------------------------------------------

    def is_live(self, row: int) -> bool:
        """True while a record's intent is live: WAITING_PATH or WALKING (NAV-02)."""
        return self.status.item(row) in _LIVE

    # -- path progress ---------------------------------------------------------

    def set_corner(self, row: int, corner: int) -> None:
        """Head for ``paths[row][corner]``; also restarts ``best_corner_dist`` (LOC-09)."""
        points = self.paths[row]
        self.corner[row] = corner
        self.corners_left[row] = max(0, len(points) - corner)
        if corner < len(points):
            here = points[corner]
            self.corner_x[row] = here.x
            self.corner_y[row] = here.y
            self._set_legs(row, corner)
            rest = 0.0
            for before, after in zip(points[corner:], points[corner + 1 :], strict=False):
                rest += math.sqrt((after.x - before.x) ** 2 + (after.y - before.y) ** 2)
            self.rest_after_corner[row] = rest
        else:
            self.rest_after_corner[row] = 0.0
        self.best_corner_dist[row] = math.inf

    def _set_legs(self, row: int, corner: int) -> None:
        """Directions at a corner; the first leg starts where the ped is."""
        points = self.paths[row]
        here = points[corner]
        start = points[corner - 1] if corner else self.position(row // RECORDS_PER_PED)
        leg_x, leg_y = _unit(here.x - start.x, here.y - start.y)
        across_x, across_y = leg_x, leg_y
        if corner + 1 < len(points):
            after = points[corner + 1]
            next_x, next_y = _unit(after.x - here.x, after.y - here.y)
            across_x += next_x
            across_y += next_y
        self.leg_x[row], self.leg_y[row] = leg_x, leg_y
        self.across_x[row], self.across_y[row] = across_x, across_y


def _unit(x: float, y: float) -> tuple[float, float]:
    """The direction of a vector; zero stays zero."""
    length = math.sqrt(x * x + y * y)
    return (x / length, y / length) if length > 0.0 else (0.0, 0.0)
