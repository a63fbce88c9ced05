"""Movement tasks, their controller and the movement tree (TASK-77 to TASK-82)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ai.ports import Vec3
from ai.tasks.idle_tasks import MoveStandStill
from ai.tasks.move_interface import (
    MBR_RUN,
    MBR_SPRINT,
    MBR_STILL,
    MBR_WALK,
    MoveInterface,
)
from ai.tasks.movement import ControlMovement, MoveTaskBase
from ai.tasks.task import AbortPriority, Outcome
from ai.tasks.task_errors import (
    TaskCopyError,
    TaskFault,
    TaskOwnershipError,
    TaskPlacementError,
    TreeBusyError,
)
from ai.tasks.task_pool import TaskPool
from ai.tasks.trees import MOTION, MOVEMENT, PRIMARY, SECONDARY, MovementTreeSlot, PrimarySlot
from tests.ai.tasks.doubles import (
    STEP,
    FakePed,
    Log,
    MotionProbe,
    MoveProbe,
    Probe,
    fresh_type,
    with_child,
)

EVENT_RESPONSE, GENERAL, DEFAULT = MovementTreeSlot


def controlled(ped: FakePed, move: MoveProbe, slot: int = PrimarySlot.PRIMARY) -> ControlMovement:
    """A controller of ``move`` in the primary tree."""
    control = ControlMovement(move)
    ped.tasks.set_task(PRIMARY, control, slot)
    return control


# -- the interface (TASK-77) ------------------------------------------------------------


def test_the_move_blend_ratio_is_clamped() -> None:
    """TASK-77: in [0, 3]; the four named ratios are 0, 1, 2, 3."""
    assert (MBR_STILL, MBR_WALK, MBR_RUN, MBR_SPRINT) == (0.0, 1.0, 2.0, 3.0)
    interface = MoveInterface(1.5)
    for value, kept in ((-0.5, 0.0), (3.5, 3.0), (2.25, 2.25)):
        interface.mbr = value
        assert interface.mbr == kept


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_value_that_is_not_finite_is_refused_and_the_old_one_kept(value: float) -> None:
    """TASK-77: ``ValueError`` for ratio and radius."""
    interface = MoveInterface(1.5, Vec3(1.0, 2.0), 30.0)
    with pytest.raises(ValueError, match="finite"):
        interface.mbr = value
    with pytest.raises(ValueError, match="finite"):
        interface.target_radius = value
    assert (interface.mbr, interface.target_radius) == (1.5, 30.0)


def test_a_negative_radius_is_refused() -> None:
    """TASK-77: ``ValueError``; 0 is legal."""
    interface = MoveInterface(target_radius=30.0)
    with pytest.raises(ValueError, match="negative"):
        interface.target_radius = -0.1
    interface.target_radius = 0.0
    assert interface.target_radius == 0.0


def test_every_movement_task_has_an_interface_and_others_have_none(pool: TaskPool) -> None:
    """TASK-77, TASK-80: a new one is checked and nobody's; wrong values cost no pool slot."""
    interface = MoveProbe().move_interface
    assert interface.checked
    assert interface.owner_uid == 0
    assert Probe().move_interface is None
    used = pool.used
    with pytest.raises(ValueError, match="finite"):
        MoveProbe(mbr=math.nan)
    assert pool.used == used


# -- the leaf mover (TASK-78) -----------------------------------------------------------


def test_the_wish_is_there_before_the_motion_task_runs(ped: FakePed) -> None:
    """TASK-78: same step, ``desired_mbr == 2.0`` before the motion task's update."""
    motion = MotionProbe()
    ped.tasks.set_task(MOTION, motion, 0)
    move = MoveProbe(mbr=2.0)
    move.move_interface.heading_rad = 0.5
    ped.tasks.set_task(MOVEMENT, move, GENERAL)
    ped.step()
    assert motion.wished == [2.0]
    assert ped.motion.desired_heading_rad == 0.5


def test_a_mover_ends_when_it_says_so(ped: FakePed) -> None:
    """TASK-78: True ends the task; it has the single state RUNNING."""
    assert [state.name for state in MoveTaskBase.State] == ["RUNNING"]
    move = MoveProbe(duration=2)
    controlled(ped, move)
    ped.step()
    live = ped.movement.get_task(GENERAL)
    assert live is not None
    assert live.outcome is Outcome.NONE
    ped.step()
    assert live.succeeded


def test_a_mover_without_process_move_says_what_is_missing() -> None:
    """TASK-78: the base is no movement of its own."""

    class Unfinished(MoveTaskBase):
        task_type = fresh_type("unfinished")
        __slots__ = ()

    with pytest.raises(NotImplementedError, match="process_move"):
        Unfinished().process_move(STEP)


# -- controller and backup (TASK-79) ----------------------------------------------------


def arrival_step(ped: FakePed, clear_at: int | None) -> int:
    control = controlled(ped, MoveProbe(duration=200))
    for step in range(1, 400):
        ped.step()
        if step == clear_at:
            ped.tasks.set_task(MOVEMENT, None, GENERAL)
        if control.is_deleted:
            return step
    raise AssertionError("never arrived")


def test_a_cleared_movement_is_restored_with_its_progress(ped: FakePed) -> None:
    """TASK-79: cleared at step 100: at 101 a copy with the progress of 100 is there."""
    control = controlled(ped, MoveProbe(duration=200))
    ped.step(100)
    live = ped.movement.get_task(GENERAL)
    assert isinstance(live, MoveProbe)
    assert live.travelled == 100
    ped.tasks.set_task(MOVEMENT, None, GENERAL)
    ped.step()
    copy = ped.movement.get_task(GENERAL)
    assert isinstance(copy, MoveProbe)
    assert copy is not live
    assert copy.move_interface.owner_uid == control.uid
    assert copy.travelled == 100


def test_a_restored_movement_arrives_at_most_one_step_later() -> None:
    """TASK-79: arrival differs by at most 1 step from the undisturbed run."""
    undisturbed = arrival_step(FakePed(), clear_at=None)
    assert undisturbed == 201
    assert arrival_step(FakePed(), clear_at=100) - undisturbed in (0, 1)


def test_the_backup_never_enters_a_tree(ped: FakePed) -> None:
    """TASK-79: what runs is a copy, owned by the controller; the backup waits outside."""
    move = MoveProbe()
    control = controlled(ped, move)
    ped.step(3)
    assert control.backup is move
    assert move.tree is None
    assert not move.has_entered
    assert ped.movement.get_task(GENERAL) is not move
    with pytest.raises(TaskOwnershipError):
        ControlMovement(move)


def test_a_foreign_movement_is_replaced_by_an_own_copy(ped: FakePed) -> None:
    """TASK-79: missing or foreign: a fresh copy is placed."""
    control = controlled(ped, MoveProbe("own"))
    ped.step(3)
    foreign = MoveProbe("foreign")
    ped.tasks.set_task(MOVEMENT, foreign, GENERAL)
    ped.step()
    assert foreign.is_deleted
    live = control.live_move_task()
    assert live is ped.movement.get_task(GENERAL)
    assert isinstance(live, MoveProbe)
    assert live.name == "own"


@pytest.mark.parametrize(("fails_with", "outcome"), [("", "SUCCEEDED"), ("blocked", "FAILED")])
def test_the_controller_ends_with_the_movements_outcome(
    ped: FakePed, fails_with: str, outcome: str
) -> None:
    """TASK-79, TASK-81: succeed or fail with the reason, read in the step after."""
    control = controlled(ped, MoveProbe(duration=3, fails_with=fails_with))
    ped.step(3)
    assert control.outcome is Outcome.NONE
    ped.step()
    assert (control.outcome.name, control.fail_reason) == (outcome, fails_with)


def test_a_movement_that_can_not_be_copied_is_refused(pool: TaskPool) -> None:
    """TASK-79: an error at construction; neither task keeps a pool slot."""

    class Uncopyable(MoveProbe):
        task_type = fresh_type("uncopyable")
        __slots__ = ()
        PARAMS = None  # type: ignore[assignment]

    move = Uncopyable()
    with pytest.raises(TaskCopyError):
        ControlMovement(move)
    assert move.is_deleted
    wrong: Any = Probe()
    with pytest.raises(TaskPlacementError):
        ControlMovement(wrong)
    assert wrong.is_deleted
    assert pool.used == 0


@pytest.mark.expects_faults
def test_a_controller_outside_the_primary_tree_is_refused(ped: FakePed) -> None:
    """TASK-79: two would fight over the slot."""
    ped.tasks.set_task(SECONDARY, ControlMovement(MoveProbe()), 0)
    with pytest.raises(TaskFault, match="primary tree only"):
        ped.step()
    assert ped.movement.get_task(GENERAL) is None


def test_a_controller_as_a_child_works_as_well(ped: FakePed) -> None:
    """TASK-79: the parent reads its outcome like that of any child."""
    outcomes: list[Outcome] = []

    def update(task: Probe) -> object:
        if not task.child_finished:
            return None
        assert task.child is not None
        outcomes.append(task.child.outcome)
        return task.succeed()

    parent = Probe(
        script={
            "enterA": with_child(lambda: ControlMovement(MoveProbe(duration=2))),
            "updA": update,
        }
    )
    ped.primary.set_task(parent, PrimarySlot.PRIMARY)
    ped.step(3)
    assert outcomes == [Outcome.SUCCEEDED]


def test_a_copied_controller_controls_a_copy(ped: FakePed, pool: TaskPool) -> None:
    """TASK-25, TASK-79: it has a backup of its own, with the progress so far."""
    control = controlled(ped, MoveProbe(duration=200))
    ped.step(10)
    twin = control.copy()
    twin.check_copyable()
    assert twin.backup is not control.backup
    assert twin.backup.travelled == 9  # type: ignore[attr-defined]
    used = pool.used
    twin.discard()
    assert pool.used == used - 2


@pytest.mark.parametrize("end", ["arrive", "clear", "abort and clear", "flush", "discard"])
def test_no_backup_is_forgotten(end: str, pool: TaskPool) -> None:
    """TASK-79, combination 29: the pool count returns to its start, however the controller ends."""
    ped = FakePed()
    start = pool.used
    if end == "discard":
        ControlMovement(MoveProbe()).discard()
    else:
        controlled(ped, MoveProbe(duration=3))
        ped.step(2)
        if end == "arrive":
            ped.step(3)
        elif end == "clear":
            ped.primary.clear(PrimarySlot.PRIMARY)
        elif end == "abort and clear":
            ped.primary.set_task(Probe(), 0)
            ped.step()
            ped.primary.clear(0)
            ped.primary.clear(PrimarySlot.PRIMARY)
        else:
            ped.primary.flush_immediately()
        ped.step(2)
    assert pool.used == start


def test_an_interrupted_controller_keeps_its_backup_and_places_one_copy(
    ped: FakePed, pool: TaskPool
) -> None:
    """TASK-79, combination 18: controller back: one new copy, not two, with the old progress."""
    control = controlled(ped, MoveProbe(duration=200))
    ped.step(10)
    used = pool.used
    ped.primary.set_task(Probe("R"), PrimarySlot.PHYSICAL_RESPONSE)
    ped.step(5)
    assert ped.movement.get_task(GENERAL) is None
    ped.primary.clear(PrimarySlot.PHYSICAL_RESPONSE)
    ped.step()
    live = control.live_move_task()
    assert isinstance(live, MoveProbe)
    assert live.travelled == 9 + 1
    assert pool.used == used


def test_a_controller_waits_while_the_pool_is_full() -> None:
    """TASK-89: no copy now; the next update tries again."""
    pool = TaskPool(slots=20, essential_reserve=4)
    pool.activate()
    ped = FakePed()
    control = controlled(ped, MoveProbe())
    filler = [Probe() for _ in range(20 - 4 - pool.used)]
    ped.step(2)
    assert ped.movement.get_task(GENERAL) is None
    filler[0].discard()
    ped.step()
    assert control.live_move_task() is not None


# -- the sweep (TASK-80) ----------------------------------------------------------------


def test_a_displaced_controllers_movement_ends_in_the_same_step(ped: FakePed) -> None:
    """TASK-80, combination 18: flee displaced by ragdoll: gone in that step, MBR 0."""
    log: Log = []
    controlled(ped, MoveProbe("M", log, mbr=2.0), PrimarySlot.EVENT_RESPONSE_NONTEMP)
    ped.step(3)
    assert ped.motion.desired_mbr == 2.0
    ped.primary.set_task(Probe("R"), PrimarySlot.PHYSICAL_RESPONSE)
    ped.step()
    assert ped.movement.get_task(GENERAL) is None
    assert ped.motion.desired_mbr == 0.0
    assert log[-1] == "M.clean"


def test_a_new_movement_survives_its_first_sweep_only(ped: FakePed) -> None:
    """TASK-80: created ``checked``; survivors are unchecked; then it is an orphan."""
    move = MoveProbe()
    ped.tasks.set_task(MOVEMENT, move, GENERAL)
    ped.step()
    assert move.has_entered
    assert not move.move_interface.checked
    ped.step()
    assert move.is_deleted


def test_only_the_general_slot_has_orphans(ped: FakePed) -> None:
    """TASK-80 (b): response and default need no controller."""
    response = MoveProbe()
    ped.tasks.set_task(MOVEMENT, response, EVENT_RESPONSE)
    ped.step(5)
    assert response.has_entered
    assert not response.move_interface.checked


def test_an_orphan_is_not_asked_twice(ped: FakePed) -> None:
    """TASK-48, TASK-80: the sweep goes straight to immediate."""
    asked: list[AbortPriority] = []

    class Asked(MoveProbe):
        task_type = fresh_type("asked_move")
        __slots__ = ()

        def should_abort(self, priority: AbortPriority, event: object) -> bool:
            asked.append(priority)
            return True

    ped.tasks.set_task(MOVEMENT, Asked(), GENERAL)
    ped.step(2)
    assert asked == [AbortPriority.IMMEDIATE]


@pytest.mark.parametrize("how", ["finished", "orphan"])
def test_the_response_goes_with_the_general_movement(ped: FakePed, how: str) -> None:
    """TASK-80 (c): when the sweep emptied ``GENERAL``, ``EVENT_RESPONSE`` is ended too."""
    move = MoveProbe(duration=1 if how == "finished" else 100)
    ped.tasks.set_task(MOVEMENT, move, GENERAL)
    ped.step()
    response = MoveProbe("R")
    ped.tasks.set_task(MOVEMENT, response, EVENT_RESPONSE)
    ped.step()
    assert ped.movement.slots[:2] == [None, None]
    assert response.is_deleted


# -- a finished movement stays one step (TASK-81) ---------------------------------------


def test_arrival_is_read_in_the_next_step_and_then_swept(ped: FakePed) -> None:
    """TASK-81: arrival in step n; seen in n + 1, after which ``GENERAL`` is empty."""
    log: Log = []
    control = controlled(ped, MoveProbe("M", log, duration=4))
    ped.step(4)
    live = ped.movement.get_task(GENERAL)
    assert live is not None
    assert live.has_finished
    assert not control.has_finished
    ped.step()
    assert control.succeeded
    assert ped.movement.get_task(GENERAL) is None
    assert log == [*["M.move"] * 4, "M.clean", "M.clean"]


def test_no_lower_slot_starts_in_the_step_of_the_arrival(ped: FakePed) -> None:
    """TASK-81: the default movement starts in the step after."""
    ped.step()
    controlled(ped, MoveProbe(duration=1))
    ped.step()
    still = ped.movement.get_task(DEFAULT)
    assert still is not None
    assert not still.has_entered
    ped.step()
    assert still.has_entered


def test_an_outcome_does_not_reach_the_wrong_controller(ped: FakePed) -> None:
    """TASK-79, combination 19: finished in the step its controller was aborted: swept once."""
    log: Log = []
    first = controlled(ped, MoveProbe("1", log, duration=2))
    ped.step(2)
    second = controlled(ped, MoveProbe("2", log, duration=5), PrimarySlot.EVENT_RESPONSE_NONTEMP)
    ped.step()
    assert first.is_aborted
    assert second.outcome is Outcome.NONE
    live = second.live_move_task()
    assert isinstance(live, MoveProbe)
    assert live.name == "2"
    assert log.count("1.clean") == 1


# -- other rules (TASK-82) --------------------------------------------------------------


@pytest.mark.parametrize("new", [True, False])
def test_setting_the_general_slot_ends_the_response(ped: FakePed, new: bool) -> None:
    """TASK-82: to a task or to None: the response is aborted and deleted."""
    ped.tasks.set_task(MOVEMENT, MoveProbe("G"), GENERAL)
    response = MoveProbe("R")
    ped.tasks.set_task(MOVEMENT, response, EVENT_RESPONSE)
    ped.step()
    ped.tasks.set_task(MOVEMENT, MoveProbe("N") if new else None, GENERAL)
    assert response.is_deleted
    assert ped.movement.get_task(EVENT_RESPONSE) is None


def test_a_response_can_not_end_itself_by_setting_the_general_slot(ped: FakePed) -> None:
    """TASK-37, TASK-82: ``TreeBusyError``; the passed task is deleted."""
    passed: list[MoveProbe] = []

    class Meddling(MoveProbe):
        task_type = fresh_type("meddling")
        __slots__ = ()

        def process_move(self, dt: float) -> bool:
            assert self.entity is not None
            passed.append(MoveProbe())
            with pytest.raises(TreeBusyError):
                self.entity.tasks.set_task(MOVEMENT, passed[-1], GENERAL)
            return False

    response = Meddling()
    ped.tasks.set_task(MOVEMENT, response, EVENT_RESPONSE)
    ped.step()
    assert passed[0].is_deleted
    assert response.has_entered


def test_without_a_movement_the_ped_stands_still(ped: FakePed) -> None:
    """TASK-82: the default is ``MoveStandStill``, which writes 0."""
    ped.motion.desired_mbr = 3.0
    assert isinstance(ped.movement.get_task(DEFAULT), MoveStandStill)
    ped.step()
    assert ped.motion.desired_mbr == 0.0


def test_a_mirrored_peds_movement_is_not_processed(ped: FakePed) -> None:
    """TASK-82: not even swept."""
    move = MoveProbe()
    ped.tasks.set_task(MOVEMENT, move, GENERAL)
    ped.is_mirrored = True
    ped.step(3)
    assert ped.movement.get_task(GENERAL) is move
    assert not move.has_entered
