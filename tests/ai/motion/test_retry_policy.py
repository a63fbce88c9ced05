"""Blocking, retry and failure (NAV-17 to NAV-19), on exact ticks."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ai.motion.execution import ReplanKind
from ai.motion.movement_table import MoveReason, MoveStatus, StepOutcome, SuspendReason
from ai.motion.retry_policy import FEW
from ai.ports import STEP_S, Vec3, more_than
from tests.ai.motion.movement_doubles import GOAL, TUNING, Street

FAR = Vec3(100_000.0, 0.0, 0.0)


@pytest.fixture
def street() -> Street:
    """A ped on its way to a far goal at 130 cm/s."""
    street = Street()
    street.start_walking(FAR)
    street.ped.desired_speed = 130.0
    return street


def ticks_to_replan(street: Street, outcome: StepOutcome, *, step_cm: float = 0.0) -> int:
    """Number of the first tick from now that replans."""
    before = street.ped.replans_total
    for tick in range(1, 1000):
        street.tick(outcome, step_cm=step_cm)
        if street.ped.replans_total > before:
            return tick
    raise AssertionError("no replan in 1000 ticks")


# -- the two timers --------------------------------------------------------------


def test_refused_steps_replan_on_tick_91(street: Street) -> None:
    """NAV-17, NAV-18: blocked_time > 1.5 s, strict, is first true on tick 91."""
    assert ticks_to_replan(street, StepOutcome.REFUSED) == 91


def test_steps_without_gain_replan_on_tick_121(street: Street) -> None:
    """NAV-17: oscillating between two props: accepted, no gain, > 2.0 s on tick 121."""
    assert ticks_to_replan(street, StepOutcome.STEPPED) == 121


def test_sliding_at_5_cm_s_along_a_fence_replans_on_tick_121(street: Street) -> None:
    """NAV-17: 10 cm in 120 ticks is less than the 13 cm that count as progress."""
    assert ticks_to_replan(street, StepOutcome.STEPPED, step_cm=5.0 * STEP_S) == 121


def test_walking_is_progress(street: Street) -> None:
    """NAV-17: 13 cm nearer than ever, every 6 ticks at 130 cm/s, keeps the timer down."""
    longest = 0.0
    for _ in range(300):
        street.tick(StepOutcome.STEPPED, step_cm=130.0 * STEP_S)
        longest = max(longest, street.ped.no_progress_time)
    assert street.ped.replans_total == 0
    assert longest <= 7 * STEP_S


@pytest.mark.parametrize(
    ("speed", "gain", "counts"),
    [(130.0, 12.9, False), (130.0, 13.1, True), (330.0, 32.9, False), (330.0, 33.1, True)],
)
def test_progress_is_a_tenth_of_a_second_of_the_desired_speed(
    street: Street, speed: float, gain: float, counts: bool
) -> None:
    """NAV-17: 13 cm walking, 33 running."""
    street.ped.desired_speed = speed
    best = street.ped.best_corner_dist
    street.tick(StepOutcome.STEPPED, step_cm=gain)
    assert street.ped.no_progress_time == (0.0 if counts else STEP_S)
    assert street.ped.best_corner_dist == pytest.approx(best - gain if counts else best)


def test_an_accepted_step_ends_the_blocking_and_not_the_lack_of_progress(street: Street) -> None:
    """NAV-17: blocked_time is 0 on any accepted step."""
    for _ in range(50):
        street.tick(StepOutcome.REFUSED)
    street.tick(StepOutcome.STEPPED, step_cm=1.0)
    assert street.ped.blocked_time == 0.0
    assert street.ped.no_progress_time == pytest.approx(51 * STEP_S)


def test_a_new_corner_starts_the_progress_anew(street: Street) -> None:
    """NAV-17: 0 on a corner change; the new best is the distance seen then."""
    row = street.ped.row
    street.ticks(100, StepOutcome.STEPPED)
    street.table.paths[row] = (Vec3(50.0, 0.0), FAR)
    street.table.set_corner(row, 1)
    street.tick(StepOutcome.STEPPED)
    assert street.ped.no_progress_time == 0.0
    assert street.ped.best_corner_dist == FAR.x
    assert ticks_to_replan(street, StepOutcome.STEPPED) == 121


def test_an_8_s_spin_replans_first_on_tick_301(street: Street) -> None:
    """NAV-17, section 12 (30): 180 ticks are exempt, then 121 without progress."""
    assert ticks_to_replan(street, StepOutcome.TURNED) == 301


def test_turning_neither_grows_nor_resets_the_timers(street: Street) -> None:
    """NAV-17: for at most 3 s of unbroken turning; blocked_time is left alone even after."""
    street.ticks(60, StepOutcome.REFUSED)
    blocked, no_progress = street.ped.blocked_time, street.ped.no_progress_time
    street.ticks(180, StepOutcome.TURNED)
    assert (street.ped.blocked_time, street.ped.no_progress_time) == (blocked, no_progress)
    street.tick(StepOutcome.TURNED)
    assert street.ped.blocked_time == blocked
    assert street.ped.no_progress_time == pytest.approx(no_progress + STEP_S)


def test_a_step_between_two_turns_breaks_the_spin(street: Street) -> None:
    """NAV-17: the 3 s are of unbroken turning."""
    street.ticks(179, StepOutcome.TURNED)
    street.tick(StepOutcome.STEPPED, step_cm=20.0)
    assert street.ped.turn_time == 0.0
    street.ticks(180, StepOutcome.TURNED)
    assert street.ped.no_progress_time == 0.0


def test_a_spin_right_after_a_corner_is_counted_too(street: Street) -> None:
    """NAV-17: the new corner's first sight is not kept waiting by the turn."""
    street.table.set_corner(street.ped.row, 0)
    assert ticks_to_replan(street, StepOutcome.TURNED) == 301


@pytest.mark.parametrize("stop", ["hold", "stand", "suspend", "posing", "waiting"])
def test_neither_timer_runs_while_the_ped_is_stopped_for_a_reason(
    street: Street, stop: str
) -> None:
    """NAV-17: not under hold, stand, suspension, WAITING_PATH, nor in the stop pose."""
    ped = street.ped
    street.ticks(60, StepOutcome.REFUSED)
    outcome = StepOutcome.POSING if stop == "posing" else StepOutcome.REFUSED
    if stop == "hold":
        ped.hold()
    elif stop == "stand":
        ped.stand(600.0)
    elif stop == "suspend":
        street.coordination.set_reason(0, SuspendReason.SUPPRESSED, True)
        street.tick()
    elif stop == "waiting":
        street.paths.straight = False
        street.request(GOAL)
    before = (ped.blocked_time, ped.no_progress_time, ped.generation)
    street.ticks(300, outcome)
    assert (ped.blocked_time, ped.no_progress_time, ped.generation) == before
    if stop in ("hold", "stand", "posing"):
        assert ped.blocked_time == pytest.approx(60 * STEP_S)
    else:
        assert ped.blocked_time == 0.0


# -- replan and failure ----------------------------------------------------------


def test_a_sealed_passage_fails_366_ticks_after_the_first_refused_step(street: Street) -> None:
    """NAV-18: triggers at 91, then every 92 ticks, one of them waiting; generation start + 3."""
    generation = street.ped.generation
    changes = []
    for tick in range(1, 400):
        before = street.ped.generation, street.ped.status
        street.tick(StepOutcome.REFUSED)
        if (street.ped.generation, street.ped.status is MoveStatus.FAILED) != (
            before[0],
            before[1] is MoveStatus.FAILED,
        ):
            changes.append(tick)
    assert changes == [91, 183, 275, 367]
    assert street.ped.status is MoveStatus.FAILED
    assert street.ped.reason is MoveReason.BLOCKED
    assert street.ped.generation == generation + 3
    assert street.ped.replans_total == 3
    assert street.facts.notes == [(1, "FAILED", "BLOCKED", generation + 3)]


def test_the_path_is_awaited_for_exactly_one_tick(street: Street) -> None:
    """NAV-18: submitted with the trigger, installed a step on, refused two steps on."""
    street.ticks(91, StepOutcome.REFUSED)
    assert street.ped.status is MoveStatus.WAITING_PATH
    assert street.ped.path == ()
    street.tick(StepOutcome.REFUSED)
    assert street.ped.status is MoveStatus.WALKING
    assert street.ped.blocked_time == 0.0
    street.tick(StepOutcome.REFUSED)
    assert street.ped.blocked_time == STEP_S


def test_a_ped_that_gets_no_nearer_fails_for_lack_of_progress(street: Street) -> None:
    """NAV-18: FAILED with NO_PROGRESS after 3 retries, 121 + 3 * 122 ticks."""
    street.ticks(486, StepOutcome.STEPPED)
    assert street.ped.status is MoveStatus.WALKING
    street.tick(StepOutcome.STEPPED)
    assert street.ped.status is MoveStatus.FAILED
    assert street.ped.reason is MoveReason.NO_PROGRESS


def test_a_single_refused_step_is_a_local_matter(street: Street) -> None:
    """NAV-17, section 12 (31): no replan, no failure from a small bump."""
    generation = street.ped.generation
    for _ in range(20):
        street.tick(StepOutcome.REFUSED)
        street.tick(StepOutcome.STEPPED, step_cm=20.0)
    assert street.ped.generation == generation
    assert street.ped.retry_count == 0


def test_nothing_grows_once_the_movement_has_ended(street: Street) -> None:
    """NAV-02, section 12 (11): FAILED is said once."""
    street.ticks(1000, StepOutcome.REFUSED)
    assert street.ped.generation == 1 + 3
    assert len(street.facts.notes) == 1


# -- long trips ------------------------------------------------------------------


def travel(street: Street, length: float) -> None:
    while length > 0.0:
        step = min(length, 20.0)
        street.tick(StepOutcome.STEPPED, step_cm=step)
        length -= step


@pytest.mark.parametrize(("length", "retries"), [(299.0, 1), (301.0, 0)])
def test_3_m_of_travel_since_the_last_replan_give_the_retries_back(
    street: Street, length: float, retries: int
) -> None:
    """NAV-19, section 12 (31): not reset by tiny moves."""
    travel(street, 1000.0)
    street.ticks(92, StepOutcome.REFUSED)
    assert street.ped.retry_count == 1
    travel(street, length)
    assert street.ped.retry_count == retries
    assert street.ped.replans_total == 1


def test_the_thirteenth_replan_of_a_goal_fails_blocked(street: Street) -> None:
    """NAV-19: two alternately closing gates: FAILED after 12 replans, not an endless loop."""
    replans = 0
    for _ in range(20):
        street.ticks(92, StepOutcome.REFUSED)
        if street.ped.status is MoveStatus.FAILED:
            break
        replans += 1
        travel(street, 320.0)
    assert replans == 12
    assert street.ped.reason is MoveReason.BLOCKED
    assert street.ped.replans_total == 12


def test_lack_of_progress_past_the_twelfth_replan_is_blocked_too(street: Street) -> None:
    """NAV-19: the 13th is FAILED with BLOCKED, whatever timer asked."""
    street.table.replans_total[street.ped.row] = 12
    street.ticks(121, StepOutcome.STEPPED)
    assert street.ped.reason is MoveReason.BLOCKED


def test_replans_of_a_resume_count_in_neither(street: Street) -> None:
    """NAV-15, NAV-19."""
    street.ticks(92, StepOutcome.REFUSED)
    before = (street.ped.retry_count, street.ped.replans_total)
    travel(street, 200.0)
    for on in (True, False):
        street.coordination.set_reason(0, SuspendReason.BODY, on)
        street.ticks(3)
    assert (street.ped.retry_count, street.ped.replans_total) == before == (1, 1)
    travel(street, 101.0)
    assert street.ped.retry_count == 0


def test_a_new_goal_forgets_replans_and_retries(street: Street) -> None:
    """NAV-03 (5), NAV-19: 12 replans per goal."""
    street.ticks(92, StepOutcome.REFUSED)
    street.request(GOAL)
    assert (street.ped.retry_count, street.ped.replans_total) == (0, 0)


# -- batch -----------------------------------------------------------------------


def plain_after_substep(street: Street, slot: int) -> None:
    """NAV-17 to NAV-19 for one ped in plain numbers: what the batch must equal."""
    table = street.table
    row = int(table.active_record[slot])
    outcome = StepOutcome(int(table.outcome[row]))
    turn_time = float(table.turn_time[row]) + STEP_S if outcome is StepOutcome.TURNED else 0.0
    table.turn_time[row] = turn_time
    spinning = more_than(turn_time, TUNING.turn_exempt_max)
    if outcome is StepOutcome.REFUSED:
        table.blocked_time[row] += STEP_S
    elif outcome is StepOutcome.STEPPED:
        table.blocked_time[row] = 0.0
        table.travel_since_replan[row] += float(table.measured_speed[row]) * STEP_S
        if float(table.travel_since_replan[row]) >= TUNING.retry_reset_travel:
            table.retry_count[row] = 0
    dx = float(table.corner_x[row]) - float(table.x[slot])
    dy = float(table.corner_y[row]) - float(table.y[slot])
    distance = math.sqrt(dx * dx + dy * dy)
    best = float(table.best_corner_dist[row])
    gain = TUNING.progress_min * float(table.desired_speed[row])
    counts = outcome in (StepOutcome.STEPPED, StepOutcome.REFUSED) or spinning
    new_corner = math.isinf(best) and (counts or outcome is StepOutcome.TURNED)
    if new_corner or (counts and distance <= best - gain):
        table.best_corner_dist[row] = distance
        table.no_progress_time[row] = 0.0
    elif counts:
        table.no_progress_time[row] += STEP_S
    blocked = more_than(float(table.blocked_time[row]), TUNING.blocked_limit)
    stuck = more_than(float(table.no_progress_time[row]), TUNING.no_progress_limit)
    if not (counts and (blocked or stuck)):
        return
    if int(table.retry_count[row]) == TUNING.retries_max:
        street.system.fail(row, MoveReason.BLOCKED if blocked else MoveReason.NO_PROGRESS)
    elif int(table.replans_total[row]) == TUNING.replans_per_goal_max:
        street.system.fail(row, MoveReason.BLOCKED)
    else:
        street.system.replan(row, ReplanKind.RETRY)


RETRY_FIELDS = (
    "generation",
    "status",
    "reason",
    "blocked_time",
    "no_progress_time",
    "turn_time",
    "retry_count",
    "replans_total",
    "best_corner_dist",
    "travel_since_replan",
    "needs_path",
)


def seeded_run(batch: bool, seed: int, peds: int = 40, steps: int = 900) -> list[list[Any]]:
    """All fields after each tick of peds that do one thing for a while, then another."""
    rng = np.random.default_rng(seed)
    kinds = rng.choice([0, 1, 1, 2, 2, 2, 3, 4], size=(steps // 60, peds))
    strides = rng.choice([0.0, 0.1, 20.0], size=peds)
    street = Street(peds, tuning=TUNING)
    street.paths.straight = True
    for slot in range(peds):
        street.request(FAR, street.general(slot))
        street.general(slot).desired_speed = float(rng.choice([130.0, 330.0]))
    slots = street.table.slots_in_id_order()
    history = []
    for step in range(steps):
        street.table.begin_step()
        street.coordination.coordinate()
        for slot in slots.tolist():
            outcome = StepOutcome(int(kinds[step // 60, slot]))
            street.act(slot, outcome, float(strides[slot]))
        if batch:
            street.retry.after_substep(slots, STEP_S)
        else:
            for slot in slots.tolist():
                plain_after_substep(street, slot)
        street.hand_off.step()
        street.clock.step += 1
        history.append([getattr(street.table, name).tolist() for name in RETRY_FIELDS])
    return history


@pytest.mark.parametrize(("seed", "peds"), [(1, 40), (2, 40), (3, 40), (2, FEW + 1), (4, FEW)])
def test_the_batch_equals_the_plain_rules(seed: int, peds: int) -> None:
    """NAV-12, NAV-17 to NAV-19: bit for bit over 900 ticks, for a crowd and for a few."""
    batch = seeded_run(True, seed, peds)
    assert batch == seeded_run(False, seed, peds)
    statuses = set(batch[-1][RETRY_FIELDS.index("status")])
    assert {int(MoveStatus.WALKING), int(MoveStatus.FAILED)} <= statuses
