"""Movement tasks over a real movement record: who requests, who claims, who reads (ORD-26)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ai.behaviours.gait_speeds import MBR_OF_MODE, GaitSpeeds
from ai.behaviours.moving import TaskGoToPoint, TaskStateSpeed
from ai.behaviours.standing import TaskStand
from ai.motion.claims import ClaimOwner
from ai.motion.movement_table import MoveOwner, MoveReason, MoveStatus, SpeedMode
from ai.ports import Vec3
from ai.tasks.task import Outcome
from ai.tasks.trees import MOVEMENT, MovementTreeSlot
from game.world.world_data import shipped_world_data
from tests.ai.behaviours.courier import MAIN, NONTEMP, PHYSICAL, Courier
from tests.ai.behaviours.stand_ins import Faller, Walker

AWAY = Vec3(1700.0, 600.0)
OTHER = MoveOwner(77, None, 1)
GENERAL = MovementTreeSlot.GENERAL


def walking(count: int = 30) -> tuple[Courier, Walker]:
    """A ped that a task without an order sends along."""
    courier = Courier()
    walker = Walker(AWAY)
    courier.put(walker, MAIN)
    courier.step(count)
    assert courier.movement.owner == walker.move_owner
    return courier, walker


def claims_of(courier: Courier) -> list[tuple[ClaimOwner, int]]:
    held = courier.world.movement.claims.held(courier.ped.slot)
    return [(claim.owner_kind, claim.tag) for claim in held]


def live_task(courier: Courier) -> TaskStateSpeed | None:
    task = courier.task(GENERAL, MOVEMENT)
    assert task is None or isinstance(task, TaskStateSpeed)
    return task


# -- one request (ORD-26) ---------------------------------------------------------------------


def test_a_go_to_requests_once_and_holds_one_claim() -> None:
    """ORD-26, NAV-13: once, in the first enter; one claim under its owner's tag."""
    courier, walker = walking(1)
    assert courier.movement.generation == 1
    courier.step(200)
    assert courier.movement.generation == 1
    assert claims_of(courier) == [(ClaimOwner.CONTROL_MOVEMENT, walker.tag)]
    assert courier.world.movement.claims.highest(courier.ped.slot).priority == 50  # type: ignore[union-attr]


@pytest.mark.parametrize("after", [1, 2, 30])
def test_a_restored_copy_requests_nothing_and_has_the_claim(after: int) -> None:
    """ORD-26, TASK-79: GENERAL cleared: a copy, generation unchanged, one claim.

    Also when it is cleared before the controller has learnt of the request (1 step).
    """
    courier, walker = walking(after)
    first = live_task(courier)
    courier.clear(GENERAL, MOVEMENT)
    assert claims_of(courier) == [], "the task that was cleared gave it back"
    courier.step()
    second = live_task(courier)
    assert second is not None
    assert second is not first
    assert courier.movement.generation == 1
    assert claims_of(courier) == [(ClaimOwner.CONTROL_MOVEMENT, walker.tag)]
    courier.step(900)
    assert courier.movement.status is MoveStatus.ARRIVED
    assert courier.movement.generation == 1
    assert claims_of(courier) == []
    assert courier.task() is None


def test_a_copy_does_not_take_back_a_record_that_was_taken() -> None:
    """ORD-26: it ends NOT_OWNER instead of requesting a second time."""
    courier, walker = walking()
    courier.movement.request_goal(Vec3(300.0, 300.0), SpeedMode.WALK, OTHER)
    courier.clear(GENERAL, MOVEMENT)
    courier.step(3)
    assert courier.movement.owner == OTHER
    assert courier.movement.goal == Vec3(300.0, 300.0)
    assert courier.movement.generation == 3, "the other's request, and its suspension"
    assert (walker.outcome, walker.fail_reason) == (Outcome.FAILED, "NOT_OWNER")
    assert claims_of(courier) == []


def test_an_interrupted_go_to_goes_on_after_a_fall() -> None:
    """ORD-26, NAV-15: claim given back while dormant, taken again; the record's own resume."""
    courier, walker = walking()
    courier.fall()
    courier.step(10)
    assert claims_of(courier) == []
    courier.get_up()
    courier.step()
    assert claims_of(courier) == [(ClaimOwner.CONTROL_MOVEMENT, walker.tag)]
    assert courier.movement.generation == 3, "suspended, resumed"
    courier.step(900)
    assert courier.movement.status is MoveStatus.ARRIVED


def test_a_refused_claim_fails_the_task_before_it_requests() -> None:
    """NAV-13: a ped has at most 4 claims."""
    courier = Courier()
    claims = courier.world.movement.claims
    for tag in range(4):
        assert claims.take(courier.ped.slot, 60, ClaimOwner.STUMBLE, None, tag)
    walker = Walker(AWAY)
    courier.put(walker, MAIN)
    courier.step(3)
    assert walker.fail_reason == "CLAIM_REFUSED"
    assert courier.movement.owner is None
    assert len(claims_of(courier)) == 4


def test_a_bad_goal_fails_the_task_and_gives_the_claim_back() -> None:
    """NAV-03: BAD_GOAL, nothing changed."""
    courier = Courier()
    walker = Walker(Vec3(float("nan"), 0.0))
    courier.put(walker, MAIN)
    courier.step(3)
    assert walker.fail_reason == "BAD_GOAL"
    assert courier.movement.generation == 0
    assert claims_of(courier) == []


# -- mirrors (TASK-79, TASK-81) -------------------------------------------------------------------


def cancelled(courier: Courier) -> None:
    courier.movement.cancel()


def failed(courier: Courier) -> None:
    courier.movement.fail(MoveReason.NO_PROGRESS)


def taken(courier: Courier) -> None:
    courier.movement.request_goal(Vec3(300.0, 300.0), SpeedMode.WALK, OTHER)


@pytest.mark.parametrize(
    ("end", "reason"), [(cancelled, "CANCELLED"), (failed, "NO_PROGRESS"), (taken, "NOT_OWNER")]
)
def test_the_movement_task_mirrors_how_its_record_ended(
    end: Callable[[Courier], None], reason: str
) -> None:
    """ORD-26: the outcome mirrors the record for the controller, one step later (TASK-81)."""
    courier, walker = walking()
    end(courier)
    courier.step()
    live = live_task(courier)
    assert live is not None
    assert live.has_finished
    assert live.fail_reason == reason
    assert not walker.has_finished
    assert courier.ped.motion.desired_mbr == 0.0
    courier.step()
    assert (walker.outcome, walker.fail_reason) == (Outcome.FAILED, reason)
    assert live_task(courier) is None


def test_an_arrival_is_read_in_the_next_step() -> None:
    """TASK-81, ORD-26: ARRIVED in W4 of n; the task ends in n + 1, the controller in n + 2."""
    courier, walker = walking()
    while courier.movement.status is not MoveStatus.ARRIVED:
        courier.step()
    assert not walker.has_finished
    courier.step()
    live = live_task(courier)
    assert live is not None
    assert live.succeeded
    courier.step()
    assert walker.succeeded
    assert live_task(courier) is None


def test_arrival_in_the_step_of_a_fall_is_not_lost() -> None:
    """TASK combination 19: the movement ends in the step its controller is interrupted."""
    courier, walker = walking()
    while courier.movement.status is not MoveStatus.ARRIVED:
        courier.step()
    courier.put(Faller(), PHYSICAL)
    courier.step(5)
    courier.clear(PHYSICAL)
    courier.step(4)
    assert walker.succeeded
    assert courier.movement.generation == 1
    assert claims_of(courier) == []


def test_no_ped_keeps_walking_when_its_controller_is_displaced() -> None:
    """TASK combination 18, TASK-80: one copy comes back, not two."""
    courier, _ = walking()
    courier.respond(NONTEMP)
    courier.step()
    assert live_task(courier) is None
    assert courier.movement.desired_speed == 0.0
    used = courier.world.pool.used
    courier.clear(NONTEMP)
    courier.step(2)
    assert live_task(courier) is not None
    assert courier.world.pool.used == used, "a response less, a movement task more"


# -- speeds (LOC-13) ------------------------------------------------------------------------------

SPEEDS = GaitSpeeds.of(shipped_world_data().clips)


@pytest.mark.parametrize(
    ("mbr", "cm_s"),
    [(-1.0, 0.0), (0.0, 0.0), (0.5, 65.0), (1.0, 130.0), (1.5, 230.0), (2.0, 330.0), (2.5, 405.0),
     (3.0, 480.0), (9.0, 480.0)],
)  # fmt: skip
def test_a_move_blend_ratio_means_a_speed(mbr: float, cm_s: float) -> None:
    """LOC-13: 0, 1, 2, 3 mean 0, 130, 330, 480 cm/s, linear between."""
    assert SPEEDS.speed_cm_s(mbr) == pytest.approx(cm_s)


def test_named_gaits_and_their_profiles() -> None:
    """LOC-13: walk 1, fast walk 1.5 on the walk profile, run 2 and sprint 3 on the run profile."""
    assert [MBR_OF_MODE[mode] for mode in SpeedMode] == [0.0, 1.0, 1.5, 2.0, 3.0]
    profiles = [SPEEDS.profile(mbr) for mbr in (1.0, 1.5, 1.51, 2.0, 3.0)]
    walk, run = SPEEDS.walk_profile, SPEEDS.run_profile
    assert profiles == [walk, walk, run, run, run]


@pytest.mark.parametrize("cm_s", [0.0, 65.0, 110.0, 130.0, 150.0, 230.0])
def test_a_peds_own_pace_has_a_ratio(cm_s: float) -> None:
    """LOC-13, TASK-121: 110 to 150 cm/s there and back."""
    assert SPEEDS.speed_cm_s(SPEEDS.walk_mbr(cm_s)) == pytest.approx(cm_s)


def test_a_copy_keeps_every_parameter() -> None:
    """TASK-25: what PARAMS names is kept; a copy of a movement under way has its progress."""
    courier, walker = walking()
    live = live_task(courier)
    assert isinstance(live, TaskGoToPoint)
    copy = live.copy()
    assert (copy.goal, copy.mbr, copy.move_owner) == (AWAY, 1.0, walker.move_owner)
    assert copy.requested
    copy.discard()
    assert claims_of(courier), "a copy that was never placed gives back nobody's claim"


def test_standing_ends_after_its_time() -> None:
    """TASK-73: stand with a duration; for ever without one. 0.5 s is reached on the 30th update."""
    courier = Courier()
    courier.put(TaskStand(0.5), MAIN)
    courier.step(29)
    assert courier.task() is not None
    courier.step()
    assert courier.task() is None
