"""An exception of a task ends that root and nothing else (TASK-02, TASK-03)."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from ai import settings
from ai.faults import faults
from ai.tasks.idle_tasks import DoNothing
from ai.tasks.phase_hooks import PhaseHook
from ai.tasks.task import Task
from ai.tasks.task_checks import check_tree
from ai.tasks.task_errors import TaskFault, TaskTypeError
from ai.tasks.task_pool import TaskPool
from ai.tasks.trees import MOTION, MOVEMENT, PRIMARY, SECONDARY
from tests.ai.tasks.doubles import (
    STEP,
    FakePed,
    Log,
    MotionProbe,
    MoveProbe,
    Probe,
    fresh_type,
    run,
    tree_of,
    with_child,
)

pytestmark = pytest.mark.expects_faults


def raise_in(*updates: int) -> Any:
    """Script entry: raise in these updates."""

    def update(task: Probe) -> None:
        if task.log.count(f"{task.name}.updA") in updates:
            raise RuntimeError("broken")

    return update


def drift(task: Probe) -> None:
    """Script entry: a trajectory of random steps."""
    assert task.entity is not None
    task.events.append(task.entity.rng.random())


def crowd_run(failing: int | None) -> tuple[list[FakePed], list[list[object]]]:
    """40 peds that drift for 20 steps in flee's slot; one may fail in its third update."""
    peds = [FakePed(number) for number in range(40)]
    trajectories: list[list[object]] = []
    for ped in peds:

        def update(task: Probe, ped: FakePed = ped) -> None:
            drift(task)
            if ped.ped_id == failing:
                raise_in(3)(task)

        flee = Probe("F", script={"updA": update})
        trajectories.append(flee.events)
        ped.tasks.set_task(PRIMARY, flee, 2)
    for _ in range(20):
        for ped in peds:
            ped.step()
    return peds, trajectories


@pytest.mark.usefixtures("in_play")
def test_one_failing_flee_of_forty_disturbs_nobody_else(pool: TaskPool) -> None:
    """TASK-03: 39 trajectories equal the run without the fault, the ped stands, one fault."""
    _, healthy = crowd_run(failing=None)
    peds, disturbed = crowd_run(failing=17)
    assert [t for n, t in enumerate(disturbed) if n != 17] == [
        t for n, t in enumerate(healthy) if n != 17
    ]
    assert isinstance(peds[17].primary.active_root, DoNothing)
    assert len(faults) == 1
    used = pool.used
    for _ in range(600):
        peds[17].step()
    assert pool.used == used


def test_strict_ends_the_root_first_and_raises_afterwards(log: Log) -> None:
    """TASK-03: ``TaskFault`` with its cause; exit and clean-up leaf to root; invariants hold."""
    child = Probe("C", log, {"updA": raise_in(2)})
    root = Probe("R", log, {"enterA": with_child(lambda: child)})
    tree = tree_of()
    tree.set_task(Probe("W", log), 4)
    run(tree)
    tree.set_task(root, 2)
    run(tree)
    log.clear()
    log.append("C.updA")
    with pytest.raises(TaskFault, match="RuntimeError: broken") as caught:
        run(tree)
    assert isinstance(caught.value.__cause__, RuntimeError)
    assert log[1:] == [
        *("R.updA", "C.updA"),
        *("C.exitA", "C.clean", "R.exitA", "R.clean", "R.deleted", "C.deleted"),
        *("W.enterA", "W.updA"),
    ]
    check_tree(tree)
    run(tree)


def test_the_fault_tells_traceback_chain_and_history() -> None:
    """TASK-03: all three are in its details; the entity is named."""
    tree = tree_of()
    tree.set_task(Probe(script={"updA": raise_in(1)}), 0)
    with pytest.raises(TaskFault):
        run(tree)
    (fault,) = faults.all()
    assert fault.kind == "task_exception"
    assert fault.entity == "ped#12"
    trace, chain, history = fault.details
    assert 'raise RuntimeError("broken")' in trace
    assert chain.startswith("probe#")
    assert history.startswith("probe#")


@pytest.mark.usefixtures("in_play")
@pytest.mark.parametrize("where", ["enterA", "updA", "exitA", "clean"])
def test_a_failure_anywhere_in_an_update_ends_the_root(where: str, pool: TaskPool) -> None:
    """TASK-03: each guarded: the rest of the clean-up runs, the pool is level again."""

    def fail(task: Probe) -> None:
        raise RuntimeError("broken")

    tree = tree_of()
    used = pool.used
    script = {"updA": lambda task: task.succeed()} | {where: fail}
    task = Probe(script=script)
    tree.set_task(task, 0)
    run(tree)
    assert task.is_deleted
    assert task.log.count("P.clean") == 1
    assert pool.used == used
    assert tree.active_root is None


@pytest.mark.usefixtures("in_play")
def test_a_failed_default_is_stood_in_for_and_tried_again_after_5_s() -> None:
    """TASK-03: a do-nothing task replaces it; the computed default comes after 5 s of steps."""
    made: list[Probe] = []

    def make() -> Task:
        made.append(Probe("D", script={"updA": raise_in(1)} if len(made) == 0 else {}))
        return made[-1]

    ped = FakePed(default=make)
    ped.step()
    assert isinstance(ped.primary.get_task(4), DoNothing)
    ped.step(299)
    assert isinstance(ped.primary.get_task(4), DoNothing)
    ped.step(1)
    assert len(made) == 2
    assert ped.primary.active_root is made[1]
    assert not ped.primary.default.waits_to_retry  # type: ignore[union-attr]
    ped.step(400)
    assert len(made) == 2


@pytest.mark.usefixtures("in_play")
def test_a_default_that_can_not_be_made_is_stood_in_for() -> None:
    """TASK-03, TASK-72: the factory's exception is a fault; the slot is not left empty."""

    def make() -> Task:
        raise RuntimeError("no such set")

    ped = FakePed(default=make)
    assert isinstance(ped.primary.get_task(4), DoNothing)
    assert [fault.kind for fault in faults.all()] == ["default_task"]
    ped.step(600)
    assert len(faults) == 3


def test_a_default_of_the_wrong_kind_is_refused_and_stood_in_for() -> None:
    """TASK-71, TASK-03: strict raises once the stand-in is in the slot."""
    ped = FakePed()
    ped.primary.default._make_task = MoveProbe  # type: ignore[union-attr]
    with pytest.raises(TaskFault, match="does not belong"):
        ped.primary.clear(4)
    assert isinstance(ped.primary.get_task(4), DoNothing)


@pytest.mark.usefixtures("in_play")
def test_other_trees_go_on_in_the_same_step(log: Log) -> None:
    """TASK-03: the failing primary root does not stop secondary, movement and motion."""
    ped = FakePed()
    ped.tasks.set_task(PRIMARY, Probe(script={"updA": raise_in(1)}), 3)
    ped.tasks.set_task(SECONDARY, Probe("S", log), 0)
    ped.tasks.set_task(MOVEMENT, MoveProbe("M", log), 1)
    ped.tasks.set_task(MOTION, MotionProbe("O", log), 0)
    ped.step()
    assert log == ["S.enterA", "S.updA", "M.move", "O.pose"]


@pytest.mark.usefixtures("in_play")
def test_a_failing_movement_task_leaves_the_ped_standing() -> None:
    """TASK-03, TASK-82: the default movement runs in the same step."""

    class Broken(MoveProbe):
        task_type = fresh_type("broken_move")
        __slots__ = ()

        def process_move(self, dt: float) -> bool:
            raise RuntimeError("broken")

    ped = FakePed()
    ped.motion.desired_mbr = 2.0
    ped.tasks.set_task(MOVEMENT, Broken(), 1)
    ped.step()
    assert ped.motion.desired_mbr == 0.0
    assert ped.movement.get_task(1) is None


@pytest.mark.usefixtures("in_play")
def test_a_failing_motion_root_leaves_the_tree_empty() -> None:
    """TASK-03: the motion tree has no stand-in; the entity places the next motion task."""

    class Broken(MotionProbe):
        task_type = fresh_type("broken_motion")
        __slots__ = ()

        def on_update_pose(self, dt: float) -> None:
            raise RuntimeError("broken")

    ped = FakePed()
    ped.tasks.set_task(MOTION, Broken(), 0)
    ped.step()
    assert ped.tasks.tree(MOTION).active_root is None
    ped.step()


def test_a_failing_hook_ends_its_root_too() -> None:
    """TASK-03, TASK-66: a hook's exception is contained and raised afterwards in strict mode."""

    class Broken(Probe):
        task_type = fresh_type("broken_hook")
        __slots__ = ()

        def process_post_movement(self) -> None:
            raise RuntimeError("broken")

    ped = FakePed()
    task = Broken()
    ped.tasks.set_task(PRIMARY, task, 3)
    ped.step()
    with pytest.raises(TaskFault):
        ped.tasks.run_hook(PhaseHook.POST_MOVEMENT)
    assert task.is_deleted
    assert task.log[-3:] == ["P.exitA", "P.clean", "P.deleted"]
    ped.step()


def test_an_interrupt_is_not_contained_but_leaves_the_tree_usable() -> None:
    """TASK-03: only exceptions of tasks are: ``KeyboardInterrupt`` passes through."""

    def interrupt(task: Probe) -> None:
        if task.log.count("P.updA") == 1:
            raise KeyboardInterrupt

    tree = tree_of()
    task = Probe(script={"updA": interrupt})
    tree.set_task(task, 0)
    with pytest.raises(KeyboardInterrupt):
        run(tree)
    assert not tree.run.in_process
    tree.clear(0)


def fingerprint(strict: bool) -> str:
    """Hash of 3600 steps of six peds that change tasks, children and slots at random."""
    settings.strict = strict
    TaskPool().activate()
    peds = [FakePed(number) for number in range(6)]

    def update(task: Probe) -> None:
        assert task.entity is not None
        draw = task.entity.rng.random()
        if draw < 0.02:
            task.set_state(int(draw * 150))
        elif draw < 0.03:
            task.set_new_task(Probe("C", script={"updA": drift_and_end}))
        elif draw < 0.035:
            task.entity.tasks.set_task(PRIMARY, Probe("H", script={"updA": drift_and_end}), 1)

    def drift_and_end(task: Probe) -> object:
        assert task.entity is not None
        return task.succeed() if task.entity.rng.random() < 0.1 else None

    digest = hashlib.sha256()
    for ped in peds:
        script = {"updA": update, "updB": update, "updC": update}
        ped.tasks.set_task(PRIMARY, Probe("P", script=script), 3)
    for _ in range(3600):
        for ped in peds:
            ped.step()
            for task in ped.primary.chain():
                digest.update(f"{task.uid} {task.state} {task.time_running:.6f}".encode())
    return digest.hexdigest()


def test_strict_mode_changes_nothing_as_long_as_no_fault_occurs() -> None:
    """TASK-02, combination 36: the same seed, strict on and off: equal hashes over 3600 steps."""
    assert fingerprint(strict=True) == fingerprint(strict=False)
    assert len(faults) == 0


def test_the_registered_type_is_read_back_in_strict_mode() -> None:
    """TASK-02: a ``task_type`` changed on the class after its registration is found."""

    class Drifting(Probe):
        task_type = fresh_type("drifting")
        __slots__ = ()

    Drifting.task_type = Probe.task_type
    with pytest.raises(TaskTypeError, match="not the type it registered"):
        Drifting()


def test_time_of_a_contained_step_is_not_lost_for_others() -> None:
    """TASK-03: the root that follows in the same step gets the full ``dt``."""
    settings.strict = False
    tree = tree_of()
    order = Probe("O")
    tree.set_task(order, 3)
    tree.set_task(Probe(script={"updA": raise_in(1)}), 1)
    run(tree)
    assert order.time_running == pytest.approx(STEP)
