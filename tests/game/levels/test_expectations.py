"""Expectations: windows, comparisons, outcomes and the report (LVL-09, LVL-11)."""

from __future__ import annotations

from typing import Any

import pytest

from ai.behaviours.order_record import OrderStatus
from ai.behaviours.safe_record import EventKey, SafeResponse, SafeResult, SafeState, Threat
from ai.events.types import EventType
from ai.motion.movement_table import ClipPhase, MoveReason, SpeedMode
from ai.ports import ObjectTransform, Vec3
from game.levels.cue_forms import CUE_KINDS
from game.levels.cues import CueRunner
from game.levels.expectation_forms import Expectation
from game.levels.expectations import ExpectationWatch
from game.levels.fields import OBJECT_FIELDS, PED_FIELDS, RUN_FIELDS
from game.levels.forms import fit
from game.levels.judge import Outcome
from game.levels.sight import Sight
from game.levels.subjects import Of
from tests.ai.machines.doubles import One, Plan, guard_standalone
from tests.game.levels.doubles import FakeWorld, cue_runner, fake_order, fake_ped, watch


def expect(**keys: Any) -> Expectation:
    if not keys.keys() & {"ped", "object", "peds"}:
        keys["ped"] = "courier"
    keys = {name.rstrip("_"): value for name, value in keys.items()}
    return fit(Expectation, keys)


def world_of(**movement: Any) -> FakeWorld:
    return FakeWorld(peds={"courier": fake_ped(fake_order(), **movement)})


def play(
    expectation: Expectation,
    values: list[Any],
    *,
    attribute: str = "retry_count",
    duration_s: float | None = None,
    cues: CueRunner | None = None,
) -> tuple[Outcome, str]:
    """Outcome and last seen after steps in which the movement's attribute had these values."""
    world = world_of()
    runner = cue_runner() if cues is None else cues
    seconds = len(values) / 60.0 if duration_s is None else duration_s
    judged = watch(world, expectation, cues=runner, duration_s=seconds)
    for step, value in enumerate(values):
        runner.act(world, world, step)
        setattr(world.ped("courier").movement, attribute, value)
        judged.judge(world, step)
    judged.finish()
    (result,) = judged.results()
    return result.outcome, result.last_seen


def by(steps: int) -> float:
    return steps / 60.0


RETRIES = {"field": "movement.retry_count"}


def test_by_counts_a_condition_that_holds_on_the_last_step() -> None:
    """Engineering notes, LVL-11: true at the last step is true in time, one later is not."""
    expectation = expect(**RETRIES, at_least=1, by=by(5))
    assert play(expectation, [0, 0, 0, 0, 1])[0] is Outcome.PASSED
    assert play(expectation, [0, 0, 0, 0, 0, 1])[0] is Outcome.FAILED


def test_by_is_satisfied_once_and_for_all() -> None:
    assert play(expect(**RETRIES, is_=1, by=by(5)), [0, 1, 0, 0, 0, 0])[0] is Outcome.PASSED


def test_what_was_last_seen_is_told() -> None:
    """Engineering notes: say what was last seen when it did not come true."""
    outcome, seen = play(expect(**RETRIES, at_least=9, by=by(3)), [1, 2, 3, 4])
    assert outcome is Outcome.FAILED
    assert seen == "movement.retry_count = 3 at 0.050 s"


def test_a_run_that_ends_before_the_time_is_up_proves_nothing() -> None:
    """LVL-09: not run is its own number, neither passed nor failed."""
    expectation = expect(**RETRIES, at_least=1, by=by(5))
    assert play(expectation, [0, 0], duration_s=by(10))[0] is Outcome.NOT_RUN
    throughout = expect(**RETRIES, at_most=1, during=[0.0, "end"])
    assert play(throughout, [0, 0], duration_s=by(3))[0] is Outcome.NOT_RUN
    assert play(throughout, [0, 0, 0], duration_s=by(3))[0] is Outcome.PASSED


def test_during_holds_on_every_step_of_the_window_and_is_not_asked_outside() -> None:
    """LVL-11: from step 2 until before step 4."""
    expectation = expect(**RETRIES, is_=1, during=[by(2), by(4)])
    assert play(expectation, [0, 0, 1, 1, 0, 0])[0] is Outcome.PASSED
    assert play(expectation, [0, 0, 0, 1, 0, 0])[0] is Outcome.FAILED
    assert play(expectation, [0, 0, 1, 0, 0, 0])[0] is Outcome.FAILED


def test_never_is_broken_by_one_step() -> None:
    """LVL-11: never-statements, of the whole run or of a window."""
    assert play(expect(**RETRIES, more_than=0, never=True), [0, 0, 0])[0] is Outcome.PASSED
    assert play(expect(**RETRIES, more_than=0, never=True), [0, 1, 0])[0] is Outcome.FAILED
    windowed = expect(**RETRIES, more_than=0, never=True, during=[by(2), "end"])
    assert play(windowed, [0, 1, 0, 0])[0] is Outcome.PASSED


def hold_and_continue(hold: int, go_on: int | None) -> CueRunner:
    cues = [
        fit(
            CUE_KINDS["order.hold"],
            {"do": "order.hold", "name": "hold", "ped": "courier", "at": by(hold)},
        )
    ]
    if go_on is not None:
        cues.append(
            fit(
                CUE_KINDS["order.continue"],
                {"do": "order.continue", "name": "continue", "ped": "courier", "at": by(go_on)},
            )
        )
    return cue_runner(*cues)


def test_a_window_between_cues_begins_with_the_one_and_ends_before_the_other() -> None:
    """LVL-02: drift from hold to continue; the reference is the place before the hold."""
    expectation = expect(field="drift", at_most=0.0, during=["hold", "continue"])
    places = [Vec3(float(x), 0.0) for x in (1, 2, 2, 2, 2, 3)]
    held = play(expectation, places, attribute="position", cues=hold_and_continue(2, 5))
    assert held[0] is Outcome.PASSED
    slid = play(expectation, places, attribute="position", cues=hold_and_continue(1, 5))
    assert slid[0] is Outcome.FAILED
    late = play(expectation, places, attribute="position", cues=hold_and_continue(2, 6))
    assert late[0] is Outcome.FAILED


def test_a_window_whose_cue_never_acts_is_not_run() -> None:
    """LVL-09: a window that never opened or never closed proves nothing."""
    opens = expect(**RETRIES, is_=0, during=["hold", "end"])
    assert play(opens, [0, 0], cues=hold_and_continue(9, None))[0] is Outcome.NOT_RUN
    closes = expect(**RETRIES, is_=0, during=["hold", "continue"])
    assert play(closes, [0, 0, 0], cues=hold_and_continue(1, 9))[0] is Outcome.NOT_RUN


def test_a_window_whose_cues_come_the_other_way_round_is_not_run() -> None:
    """LVL-09: nothing was looked at, so nothing is proven."""
    expectation = expect(**RETRIES, is_=0, during=["hold", "continue"])
    assert play(expectation, [0, 0, 0, 0], cues=hold_and_continue(2, 1))[0] is Outcome.NOT_RUN


def test_within_counts_from_the_cue() -> None:
    """LVL-02: displacement above 0 within so long after continue: 2 steps are steps 1 and 2."""
    expectation = expect(field="drift", more_than=0.0, within=by(2), after="hold")
    moved_in_time = [Vec3(0.0, 0.0), Vec3(0.0, 0.0), Vec3(1.0, 0.0), Vec3(1.0, 0.0)]
    moved_late = [Vec3(0.0, 0.0), Vec3(0.0, 0.0), Vec3(0.0, 0.0), Vec3(1.0, 0.0)]
    cues = hold_and_continue(1, None)
    assert play(expectation, moved_in_time, attribute="position", cues=cues)[0] is Outcome.PASSED
    cues = hold_and_continue(1, None)
    assert play(expectation, moved_late, attribute="position", cues=cues)[0] is Outcome.FAILED


def test_unchanged_and_rises_by_compare_with_the_state_before_the_window() -> None:
    """LVL-02: generation equal before and after; redirect raises it by one."""
    same = expect(field="movement.generation", unchanged=True, during=[by(2), "end"])
    risen = expect(field="movement.generation", rises_by=1, during=[by(2), "end"])
    assert play(same, [3, 4, 4, 4], attribute="generation")[0] is Outcome.PASSED
    assert play(same, [3, 4, 5, 5], attribute="generation")[0] is Outcome.FAILED
    assert play(risen, [3, 4, 5, 5], attribute="generation")[0] is Outcome.PASSED
    assert play(risen, [3, 4, 5, 6], attribute="generation")[0] is Outcome.FAILED
    from_start = expect(field="movement.generation", rises_by=2, by=by(3))
    assert play(from_start, [2, 3, 3], attribute="generation")[0] is Outcome.PASSED


def test_lasts_counts_the_steps_in_which_it_holds() -> None:
    """LVL-02, LVL-04: held for 3.5 s; waiting for 1.5 s give or take a step."""
    exact = expect(**RETRIES, is_=1, lasts_s=by(3))
    assert play(exact, [0, 1, 1, 1, 0])[0] is Outcome.PASSED
    assert play(exact, [0, 1, 1, 0, 1])[0] is Outcome.PASSED
    assert play(exact, [0, 1, 1, 0, 0])[0] is Outcome.FAILED
    assert play(exact, [1, 1, 1, 1, 0])[0] is Outcome.FAILED
    loose = expect(**RETRIES, is_=1, lasts_s=by(3), tolerance_s=by(1))
    for held, outcome in ((1, "failed"), (2, "passed"), (4, "passed"), (5, "failed")):
        assert play(loose, [1] * held + [0] * (6 - held))[0] == outcome


def test_every_field_of_a_ped_reads() -> None:
    """LVL-11: the field table, on a ped that walks an order and has a machine."""
    order = fake_order(failure_count=2, last_failure=MoveReason.BLOCKED, goal=Vec3(30.0, 44.0))
    ped = fake_ped(
        order,
        position=Vec3(30.0, 4.0),
        path=(Vec3(30.0, 0.0), Vec3(30.0, 14.0), Vec3(60.0, 54.0)),
        corner=1,
        travelled=20.0,
        yaw=0.5,
    )
    patrol = One(guard_standalone(), {"goto_waypoint": Plan()})
    patrol.write(route="beat", route_len=2)
    patrol.steps(3)
    ped.brain = patrol.brain
    threats = [
        Threat(None, Vec3(30.0, 104.0), 650.0),
        Threat(None, Vec3(90.0, 84.0), 650.0),
    ]
    ped.safe_response = SafeResponse(
        10, EventKey(EventType.SAFE_RESPONSE, None, 7), 7, threats, Vec3(900.0, 40.0),
        SpeedMode.RUN, "flee_from", is_selected=True, state=SafeState.ENDED, start_count=1,
        result=SafeResult.FAILED, reason="NOT_SAFE", reselect_count=2,
    )  # fmt: skip
    world = FakeWorld(peds={"courier": ped}, solid=True)
    sight = Sight(world, "courier", Of.PED)
    sight.origin, sight.previous = Vec3(30.0, 1.0), Vec3(26.0, 1.0)
    read = {name: field.read(sight) for name, field in PED_FIELDS.items()}
    assert read == {
        "position.x": 30.0,
        "position.y": 4.0,
        "position.z": 0.0,
        "yaw_deg": pytest.approx(28.6478897565),
        "present": True,
        "drift": 3.0,
        "step_length": 5.0,
        "walked": 0.0,
        "order.status": "TRAVELLING",
        "order.session": 1,
        "order.instruction_count": 1,
        "order.failure_count": 2,
        "order.last_failure": "BLOCKED",
        "order.resample_count": 0,
        "order.goal_x": 30.0,
        "order.goal_y": 44.0,
        "movement.status": "WALKING",
        "movement.reason": "NONE",
        "movement.speed_mode": "WALK",
        "movement.generation": 1,
        "movement.retry_count": 0,
        "movement.replans_total": 0,
        "movement.stale_replies": 0,
        "movement.blocked_time": 0.0,
        "movement.measured_speed": 130.0,
        "movement.travelled": 20.0,
        # Walked 20, to the corner 10, from it to the end 50.
        "movement.path_length": 80.0,
        "movement.command_hold": False,
        "movement.standing": False,
        "movement.suspended": False,
        "distance.goal": 40.0,
        "distance.path_end": pytest.approx(58.309518948),
        "distance.nearest_ped": None,
        "clip.time": 0.25,
        "clip.phase": ClipPhase.LOOP.name,
        "task.main": "STAND",
        "task.leaf": "STAND",
        "task.secondary": "STAND",
        "task.movement": "STAND",
        "event.answered": "DAMAGE",
        "event.queued": 1,
        "recovery.phase": "PHYSICS",
        "recovery.session": 3,
        "recovery.age": 0.5,
        "recovery.stable_time": 0.25,
        "recovery.blend_time": 0.0,
        "recovery.hit_count": 2,
        "safe.state": "ENDED",
        "safe.result": "FAILED",
        "safe.reason": "NOT_SAFE",
        "safe.start_count": 1,
        "safe.reselect_count": 2,
        "safe.threats": 2,
        "safe.goal_x": 900.0,
        "safe.goal_y": 40.0,
        "safe.threat_distance": 100.0,
        "health": 1.0,
        "machine.mode": "peace/patrol",
        "machine.target": "peace/patrol",
        "machine.error": False,
        "machine.resources_held": 1,
        "machine.stale": 0,
        "inside_shape": True,
    }


def test_a_ped_that_has_left_has_nothing_to_read() -> None:
    """A comparison of nothing is false, so that a ped that is gone never looks well."""
    sight = Sight(FakeWorld(), "courier", Of.PED)
    read = {name: field.read(sight) for name, field in PED_FIELDS.items()}
    assert read.pop("present") is False
    assert set(read.values()) == {None}
    assert play_gone() is Outcome.FAILED


def play_gone() -> Outcome:
    world = world_of()
    judged = watch(world, expect(**RETRIES, is_=0, during=[0.0, "end"]), duration_s=by(2))
    judged.judge(world, 0)
    del world.peds["courier"]
    judged.judge(world, 1)
    return judged.results()[0].outcome


def test_a_ped_without_an_order_has_none_started() -> None:
    sight = Sight(FakeWorld(peds={"courier": fake_ped()}), "courier", Of.PED)
    read = {name: field.read(sight) for name, field in PED_FIELDS.items()}
    assert read["order.status"] == OrderStatus.NOT_STARTED.name
    assert (read["order.session"], read["order.last_failure"]) == (0, "NONE")
    assert (read["order.goal_x"], read["movement.path_length"]) == (None, None)
    assert read["distance.goal"] == 100.0
    assert (read["safe.state"], read["safe.result"]) == ("NONE", None)


def test_objects_are_watched_too() -> None:
    """LVL-04: the barricade's transform is unchanged."""
    pose = ObjectTransform(Vec3(7.0, 8.0), 1.5, Vec3(1.0, 1.0, 1.0), Vec3(0.0, 0.0, 0.0))
    world = FakeWorld(poses={"barricade": pose})
    still = expect(object="barricade", field="drift", at_most=0.0, during=[0.0, "end"])
    judged = watch(world, still, duration_s=by(3))
    judged.judge(world, 0)
    judged.judge(world, 1)
    world.poses["barricade"] = pose._replace(position=Vec3(7.0, 8.5))
    judged.judge(world, 2)
    (result,) = judged.results()
    assert (result.outcome, result.last_seen) == (Outcome.FAILED, "drift = 0.5 at 0.050 s")
    assert "order.status" not in OBJECT_FIELDS


def test_the_summary_has_four_numbers_and_hides_no_warning() -> None:
    """LVL-09: passed, passed with warnings, failed, not run."""
    world = world_of()
    world.peds["anna"] = fake_ped()
    runner = hold_and_continue(0, None)
    runner.act(world, world, 0)
    runner.refused("hold", "NOT_TRAVELLING")
    judged = watch(
        world,
        expect(**RETRIES, is_=0, by=by(1)),
        expect(ped="anna", **RETRIES, is_=0, by=by(1)),
        expect(**RETRIES, is_=5, by=by(1)),
        expect(**RETRIES, is_=5, by=by(100)),
        cues=runner,
        duration_s=2.0,
    )
    judged.judge(world, 0)
    judged.judge(world, 1)
    judged.finish()
    summary = judged.summary()
    assert (summary.passed, summary.passed_with_warnings, summary.failed, summary.not_run) == (
        1, 1, 1, 1,
    )  # fmt: skip
    assert summary.total == 4
    assert not summary.ok
    assert judged.results()[0].warnings == ("cue 'hold' was refused: NOT_TRAVELLING",)


def test_a_cue_that_is_not_due_yet_is_no_warning_while_the_run_goes_on() -> None:
    """LVL-09: only at the end is it known that a cue was never due."""
    world = world_of()
    judged = watch(
        world, expect(**RETRIES, is_=0, by=by(1)), cues=hold_and_continue(100, None), duration_s=1.0
    )
    judged.judge(world, 0)
    assert judged.results()[0].warnings == ()
    judged.finish()
    assert judged.results()[0].warnings == ("cue 'hold' was never due",)


def test_no_expectation_is_no_success() -> None:
    """Engineering notes: zero expectations in a level is a failure."""
    judged = watch(world_of(), duration_s=1.0)
    assert judged.summary().total == 0
    assert not judged.summary().ok


def test_a_summary_of_passes_is_ok() -> None:
    world = world_of()
    judged = watch(world, expect(**RETRIES, is_=0, by=by(1)), duration_s=1.0)
    judged.judge(world, 0)
    assert judged.summary().ok


@pytest.mark.parametrize(
    ("expectation", "sentence"),
    [
        (expect(**RETRIES, is_=0, by=2.5), "courier: movement.retry_count is 0 by 2.5 s"),
        (
            expect(**RETRIES, more_than=1, never=True),
            "courier: movement.retry_count never more than 1",
        ),
        (
            expect(field="drift", at_most=0.0, during=["hold", "end"]),
            "courier: drift at most 0 from 'hold' to the end",
        ),
        (
            expect(field="order.goal_x", near=5.0, tolerance=0.5, within=1.0, after="hold"),
            "courier: order.goal_x near 5 ± 0.5 within 1 s after 'hold'",
        ),
        (
            expect(**RETRIES, is_=1, lasts_s=1.5, tolerance_s=0.1),
            "courier: movement.retry_count is 1 for 1.5 ± 0.1 s",
        ),
        (expect(**RETRIES, is_=1, by=1.0, text="Hurry"), "Hurry"),
        (
            expect(**RETRIES, peds="all", at_most=2, always=True, after=1.0),
            "everybody: movement.retry_count always at most 2 after 1 s",
        ),
        (
            expect(**RETRIES, peds=["anna", "ben"], at_least_peds=1, is_=2, by=1.0),
            "at least 1 of anna, ben: movement.retry_count is 2 by 1 s",
        ),
    ],
)
def test_an_expectation_can_be_said_in_words(expectation: Expectation, sentence: str) -> None:
    """Section 6: levels show their expectations as objectives."""
    assert expectation.sentence() == sentence


# -- always, and of several ---------------------------------------------------------


def test_always_is_every_step_or_every_one_after_a_moment() -> None:
    """LVL-11: after step 2 the steps before it are not asked."""
    assert play(expect(**RETRIES, is_=1, always=True), [1, 1, 1])[0] is Outcome.PASSED
    assert play(expect(**RETRIES, is_=1, always=True), [0, 1, 1])[0] is Outcome.FAILED
    later = expect(**RETRIES, is_=1, always=True, after=by(2))
    assert play(later, [0, 0, 1, 1])[0] is Outcome.PASSED
    assert play(later, [0, 0, 1, 0])[0] is Outcome.FAILED


def test_never_after_a_moment_looks_at_the_steps_from_it() -> None:
    """LVL-11: the step of the cue is the first."""
    expectation = expect(**RETRIES, is_=1, never=True, after="hold")
    assert play(expectation, [1, 1, 0], cues=hold_and_continue(2, None))[0] is Outcome.PASSED
    assert play(expectation, [1, 1, 1], cues=hold_and_continue(2, None))[0] is Outcome.FAILED


def of_three(expectation: Expectation, values: list[tuple[int | None, ...]]) -> tuple[Outcome, str]:
    """Outcome and last seen with anna, ben and carl's retry counts, None while one is away."""
    names = ("anna", "ben", "carl")
    world = FakeWorld(peds={name: fake_ped(fake_order()) for name in names})
    judged = watch(world, expectation, duration_s=by(len(values)))
    everybody = dict(world.peds)
    for step, counts in enumerate(values):
        world.peds = {}
        for name, count in zip(names, counts, strict=True):
            if count is not None:
                everybody[name].movement.retry_count = count
                world.peds[name] = everybody[name]
        judged.judge(world, step)
    judged.finish()
    (result,) = judged.results()
    return result.outcome, result.last_seen


def test_of_several_it_must_hold_of_all_in_the_same_step() -> None:
    """LVL-11: two and then the third is not all three."""
    expectation = expect(**RETRIES, peds="all", is_=1, by=by(2))
    assert of_three(expectation, [(1, 1, 0), (1, 1, 1)])[0] is Outcome.PASSED
    outcome, seen = of_three(expectation, [(1, 1, 0), (0, 1, 1)])
    assert outcome is Outcome.FAILED
    assert seen == "movement.retry_count: holds for 2 of 3, not for anna at 0.033 s"


def test_those_who_are_away_count_neither_way() -> None:
    """LVL-11: but nobody at all is nothing to read."""
    expectation = expect(**RETRIES, peds="all", is_=1, always=True)
    assert of_three(expectation, [(1, 1, None), (1, None, None)])[0] is Outcome.PASSED
    outcome, seen = of_three(expectation, [(1, 1, 1), (None, None, None)])
    assert outcome is Outcome.FAILED
    assert seen == "movement.retry_count: nobody is there at 0.033 s"


def test_never_of_several_is_broken_by_one() -> None:
    """LVL-11: and the report says by whom."""
    expectation = expect(**RETRIES, peds=["anna", "ben"], more_than=0, never=True)
    assert of_three(expectation, [(0, 0, 5), (0, 0, 5)])[0] is Outcome.PASSED
    outcome, seen = of_three(expectation, [(0, 0, 0), (0, 1, 0)])
    assert outcome is Outcome.FAILED
    assert seen == "movement.retry_count: holds for 1 of 2, of them ben at 0.033 s"


def test_a_number_of_several_is_enough() -> None:
    """LVL-11, counts: LVL-33's "at least three others fall" in small."""
    expectation = expect(**RETRIES, peds="all", at_least_peds=2, is_=1, by=by(2))
    assert of_three(expectation, [(1, 0, 0), (0, 1, 1)])[0] is Outcome.PASSED
    assert of_three(expectation, [(1, 0, 0), (0, 0, 1)])[0] is Outcome.FAILED


def test_drift_of_several_counts_from_where_each_was() -> None:
    """LVL-11: before the window."""
    world = FakeWorld(peds={name: fake_ped(fake_order()) for name in ("anna", "ben")})
    expectation = expect(field="drift", peds="all", at_most=1.0, during=[by(1), "end"])
    judged = watch(world, expectation, duration_s=by(3))
    for step, places in enumerate([(0.0, 500.0), (1.0, 500.0), (1.0, 501.0)]):
        for name, x in zip(("anna", "ben"), places, strict=True):
            world.ped(name).movement.position = Vec3(x, 0.0)
        judged.judge(world, step)
    judged.finish()
    assert judged.summary().passed == 1


def test_the_run_itself_is_a_subject() -> None:
    """LVL-11: of the run there are a fingerprint and counts of who and what is there."""
    world = FakeWorld(peds={"a": fake_ped(), "b": fake_ped()})
    sight = Sight(world, "the run", Of.RUN)
    assert {name: field.read(sight) for name, field in RUN_FIELDS.items()} == {
        "fingerprint": "0123abcd",
        "people": 2,
        "things": 0,
        "fires": 0,
        "crowd.left": 0,
        "crowd.alarmed": 0,
        "crowd.inside": 2,
        "crowd.fallen": 0,
        "crowd.burning": 0,
    }


@pytest.mark.parametrize(
    ("fingerprint", "own_seed", "outcomes"),
    [
        ("0123abcd", True, [Outcome.PASSED]),
        ("ffff", True, [Outcome.FAILED]),
        ("0123abcd", False, []),
    ],
)
def test_a_fingerprint_is_expected_of_the_seed_it_was_taken_with(
    fingerprint: str, own_seed: bool, outcomes: list[Outcome]
) -> None:
    """LVL-11, LVL-08: another seed is another run, of which no fingerprint is expected."""
    world = FakeWorld()
    expectation = fit(
        Expectation, {"run": True, "field": "fingerprint", "is": fingerprint, "by": by(2)}
    )
    watched = ExpectationWatch([expectation], by(2), cue_runner(), world, own_seed=own_seed)
    for step in range(2):
        watched.judge(world, step)
    watched.finish()
    assert [result.outcome for result in watched.results()] == outcomes


def test_ground_covered_adds_up_from_look_to_look() -> None:
    """LVL-07: "travels at least 1500 cm" counts every step, there and back."""
    world = FakeWorld(peds={"courier": fake_ped()})
    sight = Sight(world, "courier", Of.PED)
    for x in (3.0, 7.0, 2.0):
        world.peds["courier"].movement.position = Vec3(x, 0.0)
        sight.look(world)
    assert PED_FIELDS["walked"].read(sight) == 12.0
