"""The movement side of the field matrix (ORD-23), one case per cell.

Each operation is applied to records whose every field differs from its blank, so
that a field left alone and a field cleared can't be mistaken for each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import pytest

from ai.motion.clip_state import ClipState, read_clip_state, write_clip_state
from ai.motion.execution import AcceptResult, ReplanKind, RequestReply, StandReply
from ai.motion.movement_table import (
    ClipPhase,
    MoveReason,
    MoveStatus,
    SpeedMode,
    SuspendReason,
)
from ai.ports import Vec3
from tests.ai.motion.movement_doubles import CLIPS, GOAL, OWNER, Street

NEW_GOAL = Vec3(-500.0, 40.0, 0.0)
RUN = CLIPS.profile(CLIPS.index("run"))
LOOP = ClipState(RUN.index, ClipPhase.LOOP, cycle_time=0.4, clip_seq=5)
TAIL = ClipState(RUN.index, ClipPhase.STOP_TAIL, clip_time=RUN.tail_start_s, clip_seq=6)
RESET = ClipState(RUN.index, ClipPhase.IDLE, clip_seq=6)


class Fields(NamedTuple):
    """The matrix' movement rows, as values that can be compared, and when they were read."""

    time_s: float
    goal: Vec3
    generation: int
    handle: object
    cancelled: int
    needs_path: bool
    path_pending: bool
    path: tuple[Vec3, ...]
    corner: int
    path_usable: bool
    command_hold: bool
    stand_until: float | None
    suspend: SuspendReason
    blocked_time: float
    no_progress_time: float
    retry_count: int
    speed: float
    clip: ClipState
    reeval_steer: bool
    body: tuple[Vec3, float]


def read(street: Street) -> Fields:
    ped = street.ped
    return Fields(
        street.clock.time_s,
        ped.goal,
        ped.generation,
        street.system.desk.handle(ped.row),
        len(street.paths.cancelled),
        ped.needs_path,
        ped.path_pending,
        ped.path,
        ped.corner,
        ped.path_usable,
        ped.command_hold,
        ped.stand_until,
        ped.suspend,
        ped.blocked_time,
        ped.no_progress_time,
        ped.retry_count,
        ped.measured_speed,
        ped.clip,
        ped.reeval_steer,
        (ped.position, ped.yaw),
    )


def spoil(street: Street) -> None:
    """Give every field that could be cleared a value of its own."""
    table, row = street.table, street.ped.row
    table.blocked_time[row] = 0.5
    table.no_progress_time[row] = 0.75
    table.retry_count[row] = 2
    table.measured_speed[row] = 330.0
    table.reeval_steer[row] = False
    table.yaw[0] = 0.25
    write_clip_state(table, row, LOOP)


def fresh() -> Street:
    """Never asked to go anywhere; held, standing, with old figures."""
    street = Street()
    street.clock.step = 60
    street.table.command_hold[street.ped.row] = True
    street.table.stand_until[street.ped.row] = 500.0
    spoil(street)
    return street


def walking() -> Street:
    """On the second leg of a path of three points."""
    street = Street()
    street.request(GOAL)
    street.tick()
    street.paths.answer(street.paths.waiting[0], Vec3(10.0, 0.0), Vec3(20.0, 0.0), GOAL)
    street.tick()
    street.table.set_corner(street.ped.row, 1)
    spoil(street)
    return street


def stopped_walk() -> Street:
    """The same under a hold and a timed stand."""
    street = walking()
    street.table.command_hold[street.ped.row] = True
    street.table.stand_until[street.ped.row] = 500.0
    return street


def pending() -> Street:
    """Waiting for the reply to a query, with an old path on display, held and standing."""
    street = Street()
    street.request(GOAL)
    street.tick()
    row = street.ped.row
    street.table.paths[row] = (Vec3(5.0, 5.0), GOAL)
    street.table.set_corner(row, 1)
    street.table.command_hold[row] = True
    street.table.stand_until[row] = 500.0
    spoil(street)
    return street


def needing() -> Street:
    """Waiting for room in the queue."""
    street = Street()
    street.request(GOAL)
    spoil(street)
    return street


def suspended() -> Street:
    """A walk cut off by a fall."""
    street = stopped_walk()
    street.coordination.set_reason(0, SuspendReason.BODY, True)
    street.coordination.coordinate()
    spoil(street)
    return street


def request(street: Street) -> None:
    reply = street.ped.request_goal(NEW_GOAL, SpeedMode.RUN, OWNER)
    assert reply is RequestReply.ACCEPTED


def suspend(street: Street) -> None:
    street.coordination.set_reason(0, SuspendReason.BODY, True)
    street.coordination.coordinate()


def resume(street: Street) -> None:
    street.coordination.set_reason(0, SuspendReason.BODY, False)
    street.coordination.coordinate()


def stand(street: Street) -> None:
    assert street.ped.stand(3.0) is StandReply.ACCEPTED


def expire(street: Street) -> None:
    street.clock.step = 500 * 60
    street.coordination.coordinate()


def accept(street: Street) -> None:
    reply = street.paths.answer(street.paths.waiting[0], Vec3(9.0, 9.0), GOAL)
    assert street.ped.accept_path(reply) is AcceptResult.INSTALLED


def arrive(street: Street) -> None:
    assert street.system.arrive(street.ped.row)


OPERATIONS: dict[str, tuple[Callable[[Street], object], tuple[Callable[[], Street], ...]]] = {
    "start": (request, (fresh,)),
    "hold": (lambda street: street.ped.hold(), (walking, pending, needing)),
    "continue": (lambda street: street.ped.release_hold(), (stopped_walk, pending)),
    "redirect": (request, (stopped_walk, pending, suspended)),
    "cancel": (lambda street: street.ped.cancel(), (stopped_walk, pending, needing)),
    "first suspend": (suspend, (stopped_walk, pending, needing)),
    "resume": (resume, (suspended,)),
    "replan": (lambda street: street.ped.replan(ReplanKind.RETRY), (stopped_walk, pending)),
    "stand": (stand, (walking, pending)),
    "stand expiry": (expire, (stopped_walk, pending)),
    "accept path": (accept, (pending,)),
    "arrived": (arrive, (walking,)),
    "failed": (lambda street: street.ped.fail(MoveReason.BLOCKED), (stopped_walk, pending)),
}

# One row per field, one column per operation, as the table of ORD-23 has them.
# Suspension sets needs_path where a path was needed or pending ("*").
MATRIX = """
                 start | hold | continue | redirect | cancel | first suspend | resume | replan | stand | stand expiry | accept path | arrived | failed
goal           | set   | =    | =        | set      | =      | =             | =      | =      | =     | =            | =           | =       | =
generation     | +1    | =    | =        | +1       | +1     | +1            | +1     | +1     | =     | =            | =           | =       | =
handle         | none  | =    | =        | cancel   | cancel | cancel        | none   | cancel | =     | =            | dropped     | none    | none
needs_path     | T     | =    | =        | T        | F      | *             | T      | T      | =     | =            | =           | =       | F
path_pending   | F     | =    | =        | F        | F      | F             | F      | F      | =     | =            | F           | =       | F
path           | 0     | =    | =        | 0        | 0      | kept          | 0      | 0      | =     | =            | set         | =       | =
command_hold   | F     | T    | F        | F        | F      | =             | =      | =      | =     | =            | =           | =       | =
stand_until    | 0     | =    | =        | 0        | =      | =             | =      | =      | set   | 0            | =           | =       | =
suspend        | =     | =    | =        | =        | =      | set           | clear  | =      | =     | =            | =           | =       | =
timers         | 0     | =    | =        | 0        | 0      | 0             | 0      | 0      | =     | =            | 0           | =       | =
retry_count    | 0     | =    | =        | 0        | 0      | =             | =      | +1     | =     | =            | =           | =       | =
speed          | 0     | 0    | =        | 0        | 0      | 0             | 0      | 0      | 0     | =            | =           | 0       | 0
clip           | reset | tail | =        | reset    | tail   | =             | reset  | tail   | tail  | =            | =           | =       | tail
reeval_steer   | T     | T    | =        | T        | =      | =             | T      | T      | T     | =            | T           | =       | =
body           | =     | =    | =        | =        | =      | =             | =      | =      | =     | =            | =           | =       | =
"""  # noqa: E501 - a table is read by its columns


def cells() -> list[tuple[str, str, str]]:
    lines = MATRIX.strip().splitlines()
    columns = [name.strip() for name in lines[0].split("|")]
    found = []
    for line in lines[1:]:
        field, *marks = (part.strip() for part in line.split("|"))
        found += [(column, field, mark) for column, mark in zip(columns, marks, strict=True)]
    return found


def check_cell(field: str, mark: str, before: Fields, after: Fields) -> None:
    if field == "path":
        now = (after.path, after.corner, after.path_usable)
        was = (before.path, before.corner, before.path_usable)
        expected: object = {
            "=": was,
            "0": ((), 0, False),
            "kept": (before.path, before.corner, False),
            "set": ((Vec3(9.0, 9.0), GOAL), 0, True),
        }[mark]
        assert now == expected
    elif field == "timers":
        was = (before.blocked_time, before.no_progress_time)
        assert (after.blocked_time, after.no_progress_time) == ((0.0, 0.0) if mark == "0" else was)
    elif field == "handle":
        if mark == "=":
            assert (after.handle, after.cancelled) == (before.handle, before.cancelled)
        else:
            assert after.handle is None
            dropped_by_cancel = before.handle is not None and mark != "dropped"
            assert after.cancelled == before.cancelled + dropped_by_cancel
    elif mark == "*":
        assert after.needs_path is (before.needs_path or before.path_pending)
    else:
        set_to = {
            "goal": NEW_GOAL,
            "stand_until": before.time_s + 3.0,
            "suspend": SuspendReason.BODY,
        }
        cleared_to = {"stand_until": None, "retry_count": 0, "speed": 0.0}
        now, was = getattr(after, field), getattr(before, field)
        expected = {
            "=": was,
            "T": True,
            "F": False,
            "+1": was + 1 if isinstance(was, int) else None,
            "0": cleared_to.get(field),
            "set": set_to.get(field),
            "clear": SuspendReason.NONE,
            "tail": TAIL,
            "reset": RESET,
        }[mark]
        assert now == expected


@pytest.mark.parametrize(
    ("operation", "field", "mark"), cells(), ids=lambda value: value.replace(" ", "_")
)
def test_the_operation_changes_the_field_as_the_matrix_says(
    operation: str, field: str, mark: str
) -> None:
    """ORD-23 (movement side); NAV-03, NAV-14, NAV-15, NAV-18, NAV-20, ORD-10, ORD-11, ORD-13."""
    act, bases = OPERATIONS[operation]
    for base in bases:
        street = base()
        before = read(street)
        act(street)
        check_cell(field, mark, before, read(street))


def test_the_matrix_has_every_operation() -> None:
    """ORD-23: 13 operations, 15 rows on the movement side."""
    assert {operation for operation, _, _ in cells()} == set(OPERATIONS)
    assert len(cells()) == 13 * 15


# -- what the operations lead to ---------------------------------------------------


@pytest.mark.parametrize(
    ("operation", "status", "reason"),
    [
        ("start", MoveStatus.WAITING_PATH, MoveReason.NONE),
        ("redirect", MoveStatus.WAITING_PATH, MoveReason.NONE),
        ("resume", MoveStatus.WAITING_PATH, MoveReason.NONE),
        ("replan", MoveStatus.WAITING_PATH, MoveReason.NONE),
        ("accept path", MoveStatus.WALKING, MoveReason.NONE),
        ("arrived", MoveStatus.ARRIVED, MoveReason.NONE),
        ("failed", MoveStatus.FAILED, MoveReason.BLOCKED),
        ("cancel", MoveStatus.CANCELLED, MoveReason.NONE),
    ],
)
def test_the_operation_leads_to_its_status(
    operation: str, status: MoveStatus, reason: MoveReason
) -> None:
    """NAV-02, NAV-03 (8), NAV-05, NAV-15, NAV-18, ORD-13."""
    act, bases = OPERATIONS[operation]
    for base in bases:
        street = base()
        act(street)
        assert street.ped.status is status
        assert street.ped.reason is reason


@pytest.mark.parametrize(
    "operation", ["hold", "continue", "first suspend", "stand", "stand expiry"]
)
def test_the_operation_leaves_the_status(operation: str) -> None:
    """NAV-01: holds, timed stand, suspension and status are separate fields."""
    act, bases = OPERATIONS[operation]
    for base in bases:
        street = base()
        before = street.ped.status
        act(street)
        assert street.ped.status is before


def test_a_new_goal_clears_all_progress() -> None:
    """NAV-03 (5), LOC-18: travelled, best distance, replans, waits and a wish go too."""
    street = walking()
    table, row = street.table, street.ped.row
    table.travelled[row] = 55.0
    table.best_corner_dist[row] = 12.0
    table.replans_total[row] = 5
    table.travel_since_replan[row] = 200.0
    table.turn_time[row] = 1.0
    table.path_wait_ticks[row] = 9
    request(street)
    assert street.ped.travelled == 0.0
    assert math.isinf(street.ped.best_corner_dist)
    assert street.ped.replans_total == 0
    assert float(table.travel_since_replan[row]) == 0.0
    assert street.ped.turn_time == 0.0
    assert int(table.path_wait_ticks[row]) == 0
    assert street.ped.owner == OWNER
    assert street.ped.speed_mode is SpeedMode.RUN


def test_a_hold_also_forgets_the_steering_choice() -> None:
    """ORD-10: steer suggestion 0."""
    street = walking()
    street.table.steer_suggestion[street.ped.row] = 0.5
    street.ped.hold()
    assert street.ped.steer_suggestion == 0.0


@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        (ClipPhase.IDLE, ClipPhase.IDLE),
        (ClipPhase.START, ClipPhase.STOP_TAIL),
        (ClipPhase.LOOP, ClipPhase.STOP_TAIL),
        (ClipPhase.STOP, ClipPhase.STOP_TAIL),
        (ClipPhase.STOP_TAIL, ClipPhase.STOP_TAIL),
        (ClipPhase.TURN, ClipPhase.IDLE),
        (ClipPhase.GETUP, ClipPhase.GETUP),
    ],
)
@pytest.mark.parametrize("operation", ["hold", "stand", "cancel", "replan", "failed"])
def test_a_commanded_stop_goes_to_the_tail_from_moving_phases_only(
    operation: str, phase: ClipPhase, expected: ClipPhase
) -> None:
    """CLIP-07, CLIP-11, LOC-12, LOC-10: the tail starts with no distance left."""
    street = walking()
    row = street.ped.row
    before = ClipState(RUN.index, phase, 0.9, 0.3, 5, 0.5, 0.1, 2.0)
    write_clip_state(street.table, row, before)
    OPERATIONS[operation][0](street)
    after = read_clip_state(street.table, row)
    assert after.phase is expected
    if phase is expected:
        assert after == before
    else:
        assert after.clip_seq == 6
        assert after.stop_scale == 0.0
    if expected is ClipPhase.STOP_TAIL and phase is not expected:
        assert after.clip_time == pytest.approx(0.688, abs=0.0005)
    assert street.ped.yaw == 0.25


def test_a_get_up_under_way_is_not_reset_by_a_redirect() -> None:
    """CLIP-07, ORD-12: GETUP is driven by the recovery; the resume resets the clip."""
    street = suspended()
    write_clip_state(street.table, street.ped.row, ClipState(RUN.index, ClipPhase.GETUP, 0.5))
    request(street)
    assert street.ped.clip.phase is ClipPhase.GETUP
    resume(street)
    assert street.ped.clip.phase is ClipPhase.IDLE
