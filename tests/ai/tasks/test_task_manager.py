"""The manager, its trees and phase hooks (TASK-61 to 64, TASK-66, 67, 69)."""

from __future__ import annotations

from typing import Any

import pytest

from ai.tasks.phase_hooks import PhaseHook
from ai.tasks.task import Task
from ai.tasks.task_errors import TaskError, TaskPlacementError, TaskStateError, TreeBusyError
from ai.tasks.task_manager import TaskManager
from ai.tasks.task_pool import TaskPool
from ai.tasks.task_tree import SetTaskResult, TaskTree
from ai.tasks.trees import MOTION, MOVEMENT, PRIMARY, SECONDARY, PrimarySlot
from tests.ai.tasks.doubles import (
    STEP,
    FakePed,
    Log,
    MotionProbe,
    MoveProbe,
    Probe,
    fresh_type,
    tree_of,
    with_child,
)


def test_trees_stand_at_indices_0_to_3() -> None:
    """TASK-61: others raise ``IndexError``; an empty index says so."""
    ped = FakePed()
    manager = TaskManager(ped)
    for index in (-1, 4):
        with pytest.raises(IndexError):
            manager.add_tree(index, TaskTree(ped))
        with pytest.raises(IndexError):
            manager.tree(index)
    with pytest.raises(TaskError, match="no tree 2"):
        manager.tree(2)
    assert manager.trees() == ()


def test_a_taken_index_needs_replace_and_flushes_the_owned_tree() -> None:
    """TASK-61: an error without it; with it the old owned tree is flushed first."""
    ped = FakePed()
    task = Probe()
    ped.tasks.set_task(SECONDARY, task, 0)
    ped.step()
    new = TaskTree(ped, name="secondary")
    with pytest.raises(TaskPlacementError, match="replace=True"):
        ped.tasks.add_tree(SECONDARY, new)
    assert not task.is_deleted
    ped.tasks.add_tree(SECONDARY, new, replace=True)
    assert task.is_deleted
    assert task.log[-3:] == ["P.exitA", "P.clean", "P.deleted"]
    assert ped.tasks.tree(SECONDARY) is new


def test_an_external_tree_is_updated_but_not_ended() -> None:
    """TASK-61: replacing it leaves its tasks alone."""
    ped = FakePed()
    manager = TaskManager(ped)
    tree, task = tree_of(), Probe()
    tree.set_task(task, 0)
    manager.add_tree(0, tree, owned=False)
    manager.process(STEP)
    assert task.has_entered
    manager.add_tree(0, tree_of(), replace=True)
    assert task.has_entered


def test_one_step_updates_the_trees_in_index_order(log: Log) -> None:
    """TASK-62, TASK-69: primary, secondary, movement, motion, one pass."""
    ped = FakePed()
    ped.tasks.set_task(MOTION, MotionProbe("motion", log), 0)
    ped.tasks.set_task(MOVEMENT, MoveProbe("movement", log), 1)
    ped.tasks.set_task(SECONDARY, Probe("secondary", log), 0)
    ped.tasks.set_task(PRIMARY, Probe("primary", log), 3)
    ped.step()
    updates = ["primary.updA", "secondary.updA", "movement.move", "motion.pose"]
    assert [line for line in log if "enter" not in line] == updates


@pytest.mark.parametrize(
    ("change", "calls"),
    [
        (lambda ped, task: ped.tasks.set_task(PRIMARY, Probe(), 3), 1),
        (lambda ped, task: ped.tasks.set_task(PRIMARY, None, 3), 1),
        (lambda ped, task: ped.tasks.clear_if(PRIMARY, 3, task.ref()), 1),
        (lambda ped, task: ped.tasks.set_task(PRIMARY, task, 3), 0),
        (lambda ped, task: ped.tasks.set_task(PRIMARY, None, 0), 0),
        (lambda ped, task: ped.tasks.clear_if(PRIMARY, 2, task.ref()), 0),
    ],
)
def test_the_entity_is_told_when_a_slot_was_written(change: Any, calls: int) -> None:
    """TASK-63, combination 23: set and cleared tell it; unchanged and refused do not."""
    ped, task = FakePed(), Probe()
    ped.tasks.set_task(PRIMARY, task, 3)
    ped.changes = 0
    change(ped, task)
    assert ped.changes == calls


def test_a_deferred_change_tells_and_a_refusal_does_not() -> None:
    """TASK-63, combination 23: a task that asks each step and is refused forces no full update."""
    ped = FakePed()
    results: list[SetTaskResult] = []

    def update(task: Probe) -> None:
        results.append(ped.tasks.set_task(PRIMARY, Probe("N"), PrimarySlot.DEFAULT))

    ped.tasks.set_task(PRIMARY, Probe(script={"updA": update}), PrimarySlot.DEFAULT)
    ped.changes = 0
    ped.step(5)
    assert results == [SetTaskResult.REFUSED_DEFAULT_BUSY] * 5
    assert ped.changes == 0

    def respond(task: Probe) -> None:
        if task.log.count("P.updA") == 1:
            results.append(ped.tasks.set_task(PRIMARY, Probe("R"), 0))

    ped.tasks.set_task(PRIMARY, Probe(script={"updA": respond}), 3)
    ped.changes = 0
    ped.step()
    assert results[-1] is SetTaskResult.DEFERRED
    assert ped.changes == 1


def test_closing_ends_everything_and_refuses_any_call(log: Log) -> None:
    """TASK-64: leaf-to-root clean-up of all trees; afterwards every call raises ``TaskError``."""
    ped = FakePed()
    child = Probe("C", log)
    ped.tasks.set_task(PRIMARY, Probe("R", log, {"enterA": with_child(lambda: child)}), 3)
    ped.tasks.set_task(SECONDARY, Probe("S", log), 0)
    ped.step()
    log.clear()
    ped.tasks.close()
    assert [line for line in log if line.endswith("clean")] == ["C.clean", "R.clean", "S.clean"]
    calls: list[Any] = [
        lambda: ped.tasks.process(STEP),
        lambda: ped.tasks.tree(PRIMARY),
        lambda: ped.tasks.trees(),
        lambda: ped.tasks.set_task(PRIMARY, None, 0),
        lambda: ped.tasks.add_tree(PRIMARY, TaskTree(ped)),
        lambda: ped.tasks.run_hook(PhaseHook.POST_MOVEMENT),
        lambda: ped.tasks.process_physics(STEP, 0),
        lambda: ped.tasks.run_queued_flushes(),
        ped.tasks.close,
    ]
    for call in calls:
        with pytest.raises(TaskError, match="closed"):
            call()


def test_a_manager_can_not_be_closed_by_a_task_of_its_own() -> None:
    """TASK-37, TASK-87: removals wait for the end of the AI phase."""
    ped = FakePed()
    raised: list[bool] = []

    def update(task: Probe) -> None:
        with pytest.raises(TreeBusyError):
            ped.tasks.close()
        raised.append(True)

    ped.tasks.set_task(PRIMARY, Probe(script={"updA": update}), 3)
    ped.step()
    assert raised == [True]
    ped.tasks.close()


def test_a_task_can_not_process_its_own_trees() -> None:
    """TASK-37: nor run a hook of its own tree from inside: ``TreeBusyError``."""
    ped = FakePed()
    raised: list[bool] = []

    def update(task: Probe) -> None:
        with pytest.raises(TreeBusyError):
            ped.primary.process(STEP)
        with pytest.raises(TreeBusyError):
            ped.primary.run_hook(PhaseHook.POST_MOVEMENT)
        raised.append(True)

    ped.tasks.set_task(PRIMARY, Recorder("R", script={"2": update}), 3)
    ped.step()
    assert raised == [True]


# -- phase hooks (TASK-66) --------------------------------------------------------------


class Recorder(Probe):
    """Logs the update and every hook by its number in the rule's table."""

    task_type = fresh_type("recorder")
    __slots__ = ()

    def on_update_a(self, dt: float) -> Any:
        return self.act("2")

    def process_move_signals(self) -> bool:
        return bool(self.act("1"))

    def process_physics(self, dt: float, step: int) -> bool:
        return bool(self.act("3", dt, step))

    def process_post_movement(self) -> None:
        self.act("4")

    def process_post_camera(self) -> None:
        self.act("5")

    def process_pre_render(self) -> None:
        self.act("6")

    def process_post_pre_render(self) -> None:
        self.act("7")

    def process_after_attachments(self) -> None:
        self.act("8")


def frame(ped: FakePed, tree: int | None = None) -> None:
    """One frame with two physics sub-steps."""
    ped.tasks.run_hook(PhaseHook.MOVE_SIGNALS, tree)
    ped.step()
    ped.tasks.process_physics(STEP / 2, 0)
    ped.tasks.process_physics(STEP / 2, 1)
    for hook in list(PhaseHook)[2:7]:
        ped.tasks.run_hook(hook, tree)


def test_the_hooks_of_one_frame_come_in_order(log: Log) -> None:
    """TASK-66: over one frame with 2 sub-steps: 1, 2, 3, 3, 4 to 8."""
    ped = FakePed()
    ped.tasks.set_task(PRIMARY, Recorder("R", log), 3)
    ped.step()
    log.clear()
    frame(ped)
    assert log == [f"R.{number}" for number in (1, 2, 3, 3, 4, 5, 6, 7, 8)]


def test_each_hook_walks_the_trees_of_its_column(log: Log) -> None:
    """TASK-66: 1: primary, motion, secondary; 3: all; 4 to 8: primary, secondary, motion."""

    class MoveRecorder(MoveProbe):
        task_type = fresh_type("move_recorder")
        __slots__ = ()

        def process_physics(self, dt: float, step: int) -> bool:
            self.log.append("movement.3")
            return False

        def process_post_movement(self) -> None:
            self.log.append("movement.4")

    class MotionRecorder(Recorder):
        task_type = fresh_type("motion_recorder")
        __slots__ = ()
        is_motion_task = True

    ped = FakePed()
    ped.tasks.set_task(PRIMARY, Recorder("primary", log), 3)
    ped.tasks.set_task(SECONDARY, Recorder("secondary", log), 0)
    ped.tasks.set_task(MOVEMENT, MoveRecorder("M", log), 1)
    ped.tasks.set_task(MOTION, MotionRecorder("motion", log), 0)
    ped.step()
    log.clear()
    ped.tasks.run_hook(PhaseHook.MOVE_SIGNALS)
    assert log == ["primary.1", "motion.1", "secondary.1"]
    log.clear()
    ped.tasks.process_physics(STEP, 0)
    assert log == ["primary.3", "secondary.3", "movement.3", "motion.3"]
    log.clear()
    ped.tasks.run_hook(PhaseHook.POST_MOVEMENT)
    assert log == ["primary.4", "secondary.4", "motion.4"]
    log.clear()
    ped.tasks.run_hook(PhaseHook.POST_MOVEMENT, MOVEMENT)
    assert log == ["movement.4"]


def test_a_hook_goes_root_first_and_calls_only_who_overrides_it(log: Log) -> None:
    """TASK-66: the class's bit mask decides; a class without the hook in between is passed."""
    low = Recorder("L", log)
    mid = Probe("M", log, {"enterA": with_child(lambda: low)})
    root = Recorder("R", log, {"enterA": with_child(lambda: mid)})
    ped = FakePed()
    ped.tasks.set_task(PRIMARY, root, 3)
    ped.step()
    log.clear()
    ped.tasks.run_hook(PhaseHook.POST_MOVEMENT)
    assert log == ["R.4", "L.4"]
    assert Probe.hook_mask == 0
    assert Recorder.hook_mask == 0b01111111


def test_an_idle_tree_costs_one_test(log: Log) -> None:
    """TASK-66: per-tree OR of the chain's masks, kept until the chain changes."""
    ped = FakePed()
    ped.tasks.set_task(PRIMARY, Probe("P", log), 3)
    ped.step()
    ped.tasks.run_hook(PhaseHook.POST_MOVEMENT)
    assert ped.primary.chain_hooks == 0
    ped.tasks.set_task(PRIMARY, Recorder("R", log), 2)
    ped.step()
    log.clear()
    ped.tasks.run_hook(PhaseHook.POST_MOVEMENT)
    assert log == ["R.4"]
    assert ped.primary.chain_hooks == 0b1111111
    ped.tasks.set_task(PRIMARY, None, 2)
    log.clear()
    ped.tasks.run_hook(PhaseHook.POST_MOVEMENT)
    assert log == []


def test_a_resumed_chain_gets_its_hooks_back(log: Log) -> None:
    """TASK-66: what was known of the chain above it is forgotten when that is cleared."""
    ped = FakePed()
    ped.tasks.set_task(PRIMARY, Recorder("R", log), 3)
    ped.step()
    ped.tasks.set_task(PRIMARY, Probe("P", log), 2)
    ped.step()
    ped.tasks.run_hook(PhaseHook.POST_MOVEMENT)
    ped.tasks.set_task(PRIMARY, None, 2)
    ped.step()
    log.clear()
    ped.tasks.run_hook(PhaseHook.POST_MOVEMENT)
    assert log == ["R.4"]


def test_a_child_that_comes_and_goes_changes_what_is_called(log: Log) -> None:
    """TASK-66: attaching and removing a child both refresh the tree's mask."""

    def update(task: Probe) -> None:
        if log.count("R.updA") == 2:
            task.set_new_task(Recorder("C", log))
        elif log.count("R.updA") == 4:
            task.remove_child()

    ped = FakePed()
    ped.tasks.set_task(PRIMARY, Probe("R", log, {"updA": update}), 3)
    called: list[int] = []
    for _ in range(5):
        before = log.count("C.4")
        ped.step()
        ped.tasks.run_hook(PhaseHook.POST_MOVEMENT)
        called.append(log.count("C.4") - before)
    assert called == [0, 1, 1, 0, 0]


@pytest.mark.parametrize("answers", [(True, False), (False, True), (False, False), (True, True)])
def test_physics_answers_are_ored_and_all_are_asked(answers: tuple[bool, bool], log: Log) -> None:
    """TASK-66: all chains of all trees are visited even after a True."""
    ped = FakePed()
    ped.tasks.set_task(PRIMARY, Recorder("P", log, {"3": lambda task, dt, step: answers[0]}), 3)
    ped.tasks.set_task(SECONDARY, Recorder("S", log, {"3": lambda task, dt, step: answers[1]}), 0)
    ped.step()
    log.clear()
    assert ped.tasks.process_physics(STEP, 0) is any(answers)
    assert log == ["P.3", "S.3"]


@pytest.mark.parametrize("answers", [(True, False), (False, True), (False, False)])
def test_answers_of_one_chain_are_ored_too(answers: tuple[bool, bool], log: Log) -> None:
    """TASK-66, TASK-67: a child that says no does not take back what its parent said."""
    ped = FakePed()
    child = Recorder("C", log, {"3": lambda task, dt, step: answers[1]})
    script = {"3": lambda task, dt, step: answers[0], "enterA": lambda t: t.set_new_task(child)}
    ped.tasks.set_task(PRIMARY, Recorder("P", log, script), 3)
    ped.step()
    log.clear()
    assert ped.tasks.process_physics(STEP, 0) is any(answers)
    assert log == ["P.3", "C.3"]


def test_a_task_outside_an_activation_gets_no_hook(log: Log) -> None:
    """TASK-66: never started or aborted tasks have nothing to do in a frame."""
    ped = FakePed()
    task = Recorder("R", log)
    ped.tasks.set_task(PRIMARY, task, 3)
    ped.tasks.run_hook(PhaseHook.POST_MOVEMENT)
    assert log == []


def test_a_hook_may_not_change_states_or_children(log: Log) -> None:
    """TASK-18, TASK-66: both raise ``TaskStateError``."""

    def attempt(task: Task) -> None:
        with pytest.raises(TaskStateError):
            task.set_state(1)
        with pytest.raises(TaskStateError):
            task.set_new_task(Probe())

    ped = FakePed()
    ped.tasks.set_task(PRIMARY, Recorder("R", log, {"4": attempt}), 3)
    ped.step()
    ped.tasks.run_hook(PhaseHook.POST_MOVEMENT)
    assert log[-1] == "R.4"


def test_a_hook_can_not_delete_the_chain_that_is_walked(log: Log) -> None:
    """TASK-66: its slot is busy; a higher slot set in a hook is written after the walk."""
    results: list[object] = []

    def attempt(task: Task) -> None:
        with pytest.raises(TreeBusyError):
            ped.tasks.set_task(PRIMARY, None, 3)
        results.append(ped.tasks.set_task(PRIMARY, Probe("N", log), 0))
        results.append(ped.primary.get_task(0))

    ped = FakePed()
    task = Recorder("R", log, {"4": attempt})
    ped.tasks.set_task(PRIMARY, task, 3)
    ped.step()
    ped.tasks.run_hook(PhaseHook.POST_MOVEMENT)
    assert results == [SetTaskResult.DEFERRED, None]
    assert ped.primary.get_task(0) is not None
    assert task.is_aborted


def test_move_signals_tell_whether_to_call_again(log: Log) -> None:
    """TASK-66: the manager hands the OR of the answers on."""
    ped = FakePed()
    again: list[bool] = [True]
    ped.tasks.set_task(PRIMARY, Recorder("R", log, {"1": lambda task: bool(again)}), 3)
    ped.step()
    assert ped.tasks.run_hook(PhaseHook.MOVE_SIGNALS) is True
    again.clear()
    assert ped.tasks.run_hook(PhaseHook.MOVE_SIGNALS) is False


# -- the physics hook (TASK-67) ---------------------------------------------------------


class LimpRecorder(Recorder):
    """A ragdoll behaviour with all hooks."""

    task_type = fresh_type("limp_recorder")
    __slots__ = ()
    is_ragdoll_behaviour = True


def test_a_walk_for_ragdolls_passes_all_others_over(log: Log) -> None:
    """TASK-67: with ``ragdoll_only`` tasks that are ragdoll behaviours are called alone."""
    ped = FakePed()
    limp = LimpRecorder("L", log, {"3": lambda task, dt, step: True})
    root = Recorder("R", log, {"enterA": with_child(lambda: limp)})
    ped.tasks.set_task(PRIMARY, root, 3)
    ped.step()
    log.clear()
    assert ped.tasks.process_physics(STEP, 0, ragdoll_only=True) is True
    assert log == ["L.3"]
    log.clear()
    ped.tasks.process_physics(STEP, 0)
    assert log == ["R.3", "L.3"]


def test_the_number_of_sub_steps_is_readable_inside_the_hook_alone(log: Log) -> None:
    """TASK-67: elsewhere ``TaskError``, also after a hook that raised."""
    ped = FakePed()
    seen: list[int] = []
    script = {"3": lambda task, dt, step: seen.append(ped.tasks.num_physics_steps)}
    ped.tasks.set_task(PRIMARY, Recorder("R", log, script), 3)
    ped.step()
    ped.tasks.process_physics(STEP / 2, 1, 2)
    ped.tasks.process_physics(STEP / 3, 0, 3)
    assert seen == [2, 3]
    with pytest.raises(TaskError, match="physics hook"):
        _ = ped.tasks.num_physics_steps


def test_the_pool_knows_whether_anybody_wants_a_hook(pool: TaskPool) -> None:
    """TASK-66: while no living task overrides a hook nobody need be asked."""
    assert not pool.wants_hook(PhaseHook.PHYSICS)
    task = Recorder("R")
    assert pool.wants_hook(PhaseHook.PHYSICS)
    assert not pool.wants_hook(PhaseHook.RAGDOLL_PHYSICS)
    limp = LimpRecorder("L")
    assert pool.wants_hook(PhaseHook.RAGDOLL_PHYSICS)
    for one in (task, limp):
        one.discard()
    assert not any(pool.wants_hook(hook) for hook in PhaseHook)
