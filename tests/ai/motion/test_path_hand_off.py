"""The path service's turn in a step, as the movement sees it (NAV-04, NAV-05, NAV-08 to NAV-10)."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from ai.motion.execution import AcceptResult, ReplanKind
from ai.motion.movement_table import (
    RECORDS_PER_PED,
    MoveReason,
    MoveStatus,
    StepOutcome,
    SuspendReason,
)
from ai.navigation.path_desk import PathDesk
from ai.navigation.path_service import PathReply, PathService
from ai.ports import FoundPath, PathFailure, Vec3
from tests.ai.motion.movement_doubles import GOAL, TUNING, Street

ELSEWHERE = Vec3(0.0, 700.0, 0.0)


@pytest.fixture
def street() -> Street:
    """A ped whose request stands in the queue."""
    street = Street()
    street.request()
    street.tick()
    assert street.ped.path_pending
    return street


def suspend(street: Street) -> None:
    street.coordination.set_reason(0, SuspendReason.BODY, True)
    street.coordination.coordinate()


OVERTAKEN_BY: dict[str, Callable[[Street], object]] = {
    "redirect": lambda street: street.request(ELSEWHERE),
    "cancel": lambda street: street.ped.cancel(),
    "suspend": suspend,
    "replan": lambda street: street.ped.replan(ReplanKind.RETRY),
    "fail": lambda street: street.ped.fail(MoveReason.BLOCKED),
}


# -- timing ------------------------------------------------------------------------


def test_a_request_is_answered_one_step_on_and_walked_two_steps_on() -> None:
    """NAV-08: submitted in tick n, reply in n + 1 at the earliest, first step in n + 2."""
    street = Street()
    street.paths.straight = True
    street.request()
    street.tick(StepOutcome.STEPPED, step_cm=2.0)
    assert street.ped.status is MoveStatus.WAITING_PATH
    street.tick(StepOutcome.STEPPED, step_cm=2.0)
    assert street.ped.status is MoveStatus.WALKING
    assert street.ped.travelled == 0.0
    street.tick(StepOutcome.STEPPED, step_cm=2.0)
    assert street.ped.travelled == 2.0


def test_submit_comes_after_the_replies_of_the_step(street: Street) -> None:
    """NAV-08: process first, then accept new; a reply and a new request in one step keep apart."""
    street.paths.answer(street.paths.waiting[0])
    street.request(ELSEWHERE)
    street.hand_off.step()
    assert street.ped.stale_replies == 1
    assert [request.goal for request in street.paths.waiting] == [ELSEWHERE]


def test_a_request_carries_the_present_position_and_the_limits(street: Street) -> None:
    """NAV-09, NAV-15: start where the ped is; at most 8192 expansions."""
    request = street.paths.submitted[0]
    assert request.start == street.ped.position
    assert request.goal == GOAL
    assert request.generation == street.ped.generation
    assert request.expansions_max == 8192


def test_requests_of_one_step_are_queued_by_ped_id_whatever_the_slots() -> None:
    """NAV-12: ascending ped id is the order of every phase; slots are used again."""
    street = Street(peds=2, spare_slots=1)
    street.system.retire(0)
    street.system.spawn(0, 99, Vec3(0.0, 0.0), 0.0, 0)
    street.system.spawn(2, 1, Vec3(0.0, 200.0), 0.0, 0)
    for slot in range(3):
        street.request(GOAL, street.general(slot))
    street.tick()
    ids = [int(street.table.ped_id[each.row // RECORDS_PER_PED]) for each in street.paths.submitted]
    assert ids == [1, 2, 99]


# -- stale replies -----------------------------------------------------------------


@pytest.mark.parametrize("cause", OVERTAKEN_BY)
def test_a_reply_that_was_overtaken_installs_nothing(street: Street, cause: str) -> None:
    """NAV-04, NAV-05, LVL-21, section 12 (4): formed, then overtaken, then delivered."""
    late = street.paths.answer(street.paths.waiting[0], Vec3(1.0, 1.0), GOAL)
    OVERTAKEN_BY[cause](street)
    path, status, generation = street.ped.path, street.ped.status, street.ped.generation
    assert street.ped.accept_path(late) is AcceptResult.STALE
    assert street.ped.stale_replies == 1
    assert (street.ped.path, street.ped.status, street.ped.generation) == (path, status, generation)
    assert not street.ped.path_usable


@pytest.mark.parametrize("cause", OVERTAKEN_BY)
def test_an_overtaken_query_is_withdrawn_from_the_service(street: Street, cause: str) -> None:
    """NAV-03 (2), NAV-04, NAV-14, NAV-18, ORD-13: handle and host record go together."""
    OVERTAKEN_BY[cause](street)
    assert street.paths.cancelled == [1]
    assert street.system.desk.handle(street.ped.row) is None
    assert not street.system.desk.cancel(street.ped.row)


def test_the_reply_to_the_new_request_is_installed(street: Street) -> None:
    """LVL-21: deliver n: STALE; deliver n + 1: installed."""
    late = street.paths.answer(street.paths.waiting[0])
    street.request(ELSEWHERE)
    street.paths.formed.clear()
    street.tick()
    fresh = street.paths.answer(street.paths.waiting[0])
    assert street.ped.accept_path(late) is AcceptResult.STALE
    assert street.ped.accept_path(fresh) is AcceptResult.INSTALLED
    assert street.ped.path == (ELSEWHERE,)


def test_the_same_reply_counts_once(street: Street) -> None:
    """NAV-05, section 12 (5): the second is STALE as nothing is pending."""
    reply = street.paths.answer(street.paths.waiting[0])
    assert street.ped.accept_path(reply) is AcceptResult.INSTALLED
    street.table.corner[street.ped.row] = 1
    assert street.ped.accept_path(reply) is AcceptResult.STALE
    assert street.ped.corner == 1
    assert street.ped.stale_replies == 1


def test_a_cancelled_movement_is_not_revived_by_a_late_reply(street: Street) -> None:
    """NAV-02, section 12 (14)."""
    late = street.paths.answer(street.paths.waiting[0])
    street.ped.cancel()
    for _ in range(120):
        street.ped.accept_path(late)
        street.tick(StepOutcome.STEPPED, step_cm=2.0)
    assert street.ped.status is MoveStatus.CANCELLED
    assert street.ped.travelled == 0.0


def test_a_reply_for_a_retired_ped_never_reaches_its_successor(street: Street) -> None:
    """NAV-04: same slot, same number of requests, another ped."""
    late = street.paths.answer(street.paths.waiting[0])
    street.paths.formed.clear()
    street.system.retire(0)
    successor = street.system.spawn(0, 99, Vec3(0.0, 0.0), 0.0, 0)
    street.request(ELSEWHERE, successor)
    street.tick()
    assert successor.path_pending
    assert successor.accept_path(late) is AcceptResult.STALE
    assert successor.path_pending


# -- replies under a stop ------------------------------------------------------------


def test_a_reply_under_hold_is_installed_and_nobody_walks(street: Street) -> None:
    """ORD-10, section 12 (3): a path result never releases a hold; 300 ticks."""
    street.ped.hold()
    street.paths.answer(street.paths.waiting[0])
    for _ in range(300):
        street.tick(StepOutcome.STEPPED, step_cm=2.0)
    assert street.ped.status is MoveStatus.WALKING
    assert street.ped.path == (GOAL,)
    assert street.ped.position == Vec3(0.0, 0.0, 0.0)
    assert street.ped.command_hold


def test_a_failed_reply_under_hold_fails_the_movement_and_leaves_the_hold(street: Street) -> None:
    """ORD-15, section 12 (12)."""
    street.ped.hold()
    street.paths.answer(street.paths.waiting[0], failure=PathFailure.NO_PATH)
    street.tick()
    assert street.ped.status is MoveStatus.FAILED
    assert street.ped.command_hold


# -- bad replies -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("failure", "points", "reason"),
    [
        (PathFailure.NO_PATH, (), MoveReason.NO_PATH),
        (PathFailure.PARTIAL_ONLY, (GOAL,), MoveReason.PARTIAL_ONLY),
        (PathFailure.START_OFF_SURFACE, (), MoveReason.START_OFF_SURFACE),
        (PathFailure.GOAL_OFF_SURFACE, (), MoveReason.GOAL_OFF_SURFACE),
        (PathFailure.CAPACITY, (), MoveReason.CAPACITY),
        (PathFailure.NONE, (), MoveReason.BAD_REPLY),
        (PathFailure.NONE, (Vec3(math.nan, 0.0), GOAL), MoveReason.BAD_REPLY),
        (PathFailure.NONE, (GOAL,) * 257, MoveReason.BAD_REPLY),
        (PathFailure.NONE, (Vec3(GOAL.x - 15.01, 0.0),), MoveReason.END_OUT_OF_TOLERANCE),
    ],
)
def test_a_bad_reply_fails_at_once_without_a_retry(
    street: Street, failure: PathFailure, points: tuple[Vec3, ...], reason: MoveReason
) -> None:
    """NAV-05, NAV-10: nothing installed, retry_count 0, generation unchanged."""
    request = street.paths.waiting[0]
    generation = street.ped.generation
    reply = PathReply(request.handle, request.row, request.generation, failure, points)
    assert street.ped.accept_path(reply) is AcceptResult.FAILED
    assert street.ped.status is MoveStatus.FAILED
    assert street.ped.reason is reason
    assert street.ped.path == ()
    assert not street.ped.path_pending
    assert not street.ped.needs_path
    assert street.ped.retry_count == 0
    assert street.ped.generation == generation
    assert street.facts.notes == [(1, "FAILED", reason.name, generation)]


def test_an_end_beside_the_goal_is_led_to_the_goal(street: Street) -> None:
    """NAV-07: (14, 14, 0) off; the last point is the goal itself."""
    end = Vec3(GOAL.x - 14.0, 14.0, 0.0)
    street.paths.answer(street.paths.waiting[0], end)
    street.tick()
    assert street.ped.path == (end, GOAL)
    assert float(street.table.rest_after_corner[street.ped.row]) == pytest.approx(19.799, abs=1e-3)


def test_the_first_step_of_a_new_path_is_marked_as_such(street: Street) -> None:
    """LOC-06, LOC-08: and the refusals of the old one are forgotten."""
    row = street.ped.row
    street.table.refused_time[row] = 0.3
    street.paths.answer(street.paths.waiting[0])
    street.tick()
    assert bool(street.table.first_step_pending[row])
    assert float(street.table.refused_time[row]) == 0.0


def test_progress_is_measured_from_where_the_path_was_installed(street: Street) -> None:
    """NAV-17: the first tick of a path counts; best distance is the first corner's."""
    street.paths.answer(street.paths.waiting[0])
    street.tick()
    assert street.ped.best_corner_dist == 1000.0


# -- a full queue ------------------------------------------------------------------


def test_a_queue_kept_full_for_61_ticks_fails_with_capacity() -> None:
    """NAV-09: size 4; needs_path stays True and is tried again for 60 ticks."""
    street = Street(5)
    street.paths.room = 4
    for slot in range(5):
        street.request(ped=street.general(slot))
    late = street.general(4)
    for tick in range(1, 61):
        street.tick()
        assert late.needs_path, tick
        assert late.status is MoveStatus.WAITING_PATH
    street.tick()
    assert late.status is MoveStatus.FAILED
    assert late.reason is MoveReason.CAPACITY
    assert not late.needs_path
    assert late.retry_count == 0


def test_room_in_the_queue_is_used_by_whoever_waits() -> None:
    """NAV-09: refused once, submitted in the next tick with room; the count starts anew."""
    street = Street(5)
    street.paths.room = 4
    for slot in range(5):
        street.request(ped=street.general(slot))
    late = street.general(4)
    street.ticks(60)
    street.paths.answer(street.paths.waiting[0])
    street.tick()
    assert late.path_pending
    assert not late.needs_path
    assert int(street.table.path_wait_ticks[late.row]) == 0


def test_a_suspended_ped_does_not_use_up_its_patience() -> None:
    """NAV-09, NAV-14: nothing is submitted while suspended."""
    street = Street()
    street.paths.room = 0
    street.request()
    street.ticks(30)
    suspend(street)
    street.ticks(TUNING.queue_full_ticks * 2)
    assert street.ped.status is MoveStatus.WAITING_PATH
    assert street.ped.needs_path


# -- the real service ----------------------------------------------------------------


class SlowSearch:
    """Ends after a number of expansions, straight at its goal."""

    def __init__(self, goal: Vec3, expansions: int) -> None:
        self._goal = goal
        self._left = expansions

    def advance(self, expansions: int) -> int:
        used = min(expansions, self._left)
        self._left -= used
        return used

    @property
    def result(self) -> FoundPath | None:
        if self._left:
            return None
        return FoundPath(PathFailure.NONE, (self._goal,), 0)


class SlowFinder:
    """A path finder whose every search takes the same number of expansions."""

    version = 1

    def __init__(self, expansions: int) -> None:
        self._expansions = expansions

    def begin(
        self, start: Vec3, goal: Vec3, *, expansions_max: int, ignore_costs: bool = False
    ) -> SlowSearch:
        return SlowSearch(goal, self._expansions)

    def path_end(self, goal: Vec3) -> Vec3 | None:
        return goal

    def regions(self, start: Vec3, goal: Vec3) -> tuple[int, int]:
        return (0, 0)


def served_by(finder: SlowFinder, queue_size: int, peds: int) -> Street:
    street = Street(peds)
    tuning = TUNING.model_copy(update={"queue_size": queue_size})
    street.system.service = PathService(finder, tuning)
    street.system.desk = PathDesk(street.system.service)
    for slot in range(peds):
        street.request(ped=street.general(slot))
    return street


def test_the_service_keeps_the_same_times() -> None:
    """NAV-08: submitted in tick 1, walking after tick 2; cancelled queries leave the queue."""
    street = served_by(SlowFinder(60), 2048, 3)
    street.tick()
    assert [street.general(slot).path_pending for slot in range(3)] == [True] * 3
    street.general(1).cancel()
    assert len(street.system.service) == 2
    street.tick()
    statuses = [street.general(slot).status for slot in range(3)]
    assert statuses == [MoveStatus.WALKING, MoveStatus.CANCELLED, MoveStatus.WALKING]
    assert street.general(1).stale_replies == 0
    assert street.system.desk.handle(street.ped.row) is None


def test_a_service_kept_full_for_61_ticks_fails_the_one_that_waits() -> None:
    """NAV-09: a queue of 4 behind searches that need 61 steps each."""
    street = served_by(SlowFinder(800 * 62), 4, 5)
    street.ticks(60)
    assert street.general(4).needs_path
    street.tick()
    assert street.general(4).reason is MoveReason.CAPACITY
    assert [street.general(slot).live for slot in range(4)] == [True] * 4
