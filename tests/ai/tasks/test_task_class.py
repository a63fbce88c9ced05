"""Declaring a task class: tables, names, checks at class creation (TASK-05 to TASK-12)."""

from __future__ import annotations

import copy
import pickle
import sys
from enum import IntEnum
from typing import Any

import pytest

from ai.faults import faults
from ai.tasks.handler_table import EXIT, UPDATE
from ai.tasks.movement import MoveTaskBase
from ai.tasks.task import QUIT, SAME_STATE, Outcome, Task
from ai.tasks.task_errors import TaskCopyError, TaskStateError, TaskTypeError
from ai.tasks.task_flags import NOT_ENTERED, SKIP_ALL, SKIP_ANIM_FLAGS, SKIP_POST, STATE_NONE
from ai.tasks.task_types import TaskType
from tests.ai.tasks.doubles import (
    STEP,
    FakePed,
    HookedProbe,
    Log,
    MotionProbe,
    Probe,
    fresh_type,
    run,
    tree_of,
    with_child,
)


def states(count: int) -> type[IntEnum]:
    return IntEnum("State", {f"S{number}": number for number in range(count)})


def class_with_states(count: int) -> type[Task]:
    body: dict[str, Any] = {"__slots__": (), "State": states(count)}
    for number in range(count):
        body[f"on_update_s{number}"] = lambda self, dt: None
    return type("ManyStates", (Task,), body)


class GoStand(Task):
    """The example of TASK-05, with a probe for its walk."""

    task_type = fresh_type("go_stand")
    __slots__ = ("seconds", "walk_updates")
    PARAMS = ("walk_updates", "seconds")

    class State(IntEnum):
        WALK = 0
        STAND = 1
        FINISH = 2

    AFTER_ABORT = State.WALK

    def __init__(self, walk_updates: int, seconds: float) -> None:
        super().__init__()
        self.walk_updates = walk_updates
        self.seconds = seconds

    def on_enter_walk(self) -> None:
        def update(probe: Probe) -> object:
            return QUIT if probe.log.count("P.updA") == self.walk_updates else None

        self.set_new_task(Probe(script={"updA": update}))

    def on_update_walk(self, dt: float) -> None:
        if self.child_finished:
            assert self.child is not None
            self.set_state(self.State.STAND if self.child.succeeded else self.State.FINISH)

    def on_update_stand(self, dt: float) -> object:
        if self.time_in_state >= self.seconds:
            return self.succeed()
        return None


def test_the_example_class_walks_stands_and_succeeds() -> None:
    """TASK-05: states, handlers and the entry state 0, as the rule's example declares them."""
    tree = tree_of()
    task = GoStand(walk_updates=2, seconds=2.5 * STEP)
    tree.set_task(task, 0)
    run(tree)
    assert task.state == GoStand.State.WALK
    run(tree)
    assert task.state == GoStand.State.STAND
    run(tree, 2)
    assert task.outcome is Outcome.NONE
    run(tree)
    assert task.outcome is Outcome.SUCCEEDED


def test_a_tick_looks_nothing_up_by_name(log: Log) -> None:
    """TASK-06: 1000 idle ticks call ``getattr`` 0 times."""
    tree = tree_of()
    tree.set_task(Probe("P", log), 0)
    run(tree)
    calls: list[str] = []

    def profile(frame: object, event: str, argument: object) -> None:
        if event == "c_call":
            calls.append(argument.__name__)  # type: ignore[attr-defined]

    sys.setprofile(profile)
    try:
        run(tree, 1000)
    finally:
        sys.setprofile(None)
    assert log.count("P.updA") == 1001
    assert "append" in calls
    assert "getattr" not in calls


def test_a_misspelt_handler_is_named_when_the_class_is_made() -> None:
    """TASK-06: ``on_enter_wlak`` raises naming class and method."""
    with pytest.raises(TypeError, match=r"Misspelt\.on_enter_wlak"):

        class Misspelt(Task):
            __slots__ = ()

            class State(IntEnum):
                WALK = 0

            def on_enter_wlak(self) -> None: ...

            def on_update_walk(self, dt: float) -> None: ...


def test_a_misspelt_mirror_handler_is_named_too() -> None:
    """TASK-06: the reserved prefixes include those of the mirror table."""
    with pytest.raises(TypeError, match="on_mirror_update_wlak"):

        class Misspelt(Task):
            __slots__ = ()

            class State(IntEnum):
                WALK = 0

            def on_update_walk(self, dt: float) -> None: ...

            def on_mirror_update_wlak(self, dt: float) -> None: ...


def test_a_state_without_an_update_handler_is_refused() -> None:
    """TASK-06: every state but ``FINISH`` needs ``on_update_x``."""
    with pytest.raises(TypeError, match="on_update_walk"):

        class Idle(Task):
            __slots__ = ()

            class State(IntEnum):
                WALK = 0


@pytest.mark.parametrize(
    "members", [{"A": 1}, {"A": 0, "B": 2}, {"A": 0, "B": 0}, {"A": 1, "B": 0}]
)
def test_state_ids_have_no_gaps_and_no_aliases(members: dict[str, int]) -> None:
    """TASK-06: ids are 0..n-1 in order."""
    body = {"__slots__": (), "State": IntEnum("State", members)}
    body |= {f"on_update_{name.lower()}": lambda self, dt: None for name in members}
    with pytest.raises(TypeError, match="number the states"):
        type("Gappy", (Task,), body)


def test_255_states_are_accepted_and_256_refused() -> None:
    """TASK-06: at most 255 states, ids 0..254."""
    assert len(class_with_states(255).local_rows) == 255 + 1
    with pytest.raises(TypeError, match="at most 255"):
        class_with_states(256)


def test_a_class_without_slots_is_refused() -> None:
    """TASK-06, TASK-02: ``__slots__`` is a must."""
    with pytest.raises(TypeError, match="__slots__"):

        class Loose(Task):
            pass


def test_a_base_class_that_brings_a_dict_is_found_in_strict_mode() -> None:
    """TASK-02: strict: an instance has no ``__dict__``."""

    class Mixin:
        pass

    class Loose(Probe, Mixin):
        task_type = fresh_type("loose")
        __slots__ = ()

    with pytest.raises(TaskTypeError, match="__dict__"):
        Loose()


def test_value_equality_is_refused() -> None:
    """TASK-25: tasks are equal by identity alone."""
    with pytest.raises(TypeError, match="identity"):

        class Equal(Task):
            __slots__ = ()

            def __eq__(self, other: object) -> bool:
                return True

    first, second = Probe(), Probe()
    assert first != second


@pytest.mark.parametrize("after", [3, -3])
def test_an_after_abort_state_that_does_not_exist_is_refused(after: int) -> None:
    """TASK-52: ``AFTER_ABORT`` is a state, ``SAME_STATE`` or ``QUIT``."""
    with pytest.raises(TypeError, match="AFTER_ABORT"):
        type("Lost", (Probe,), {"__slots__": (), "AFTER_ABORT": after})
    type("Same", (Probe,), {"__slots__": (), "AFTER_ABORT": SAME_STATE})
    type("Ends", (Probe,), {"__slots__": (), "AFTER_ABORT": QUIT})


def test_a_method_replaced_on_the_class_waits_for_rebuild_rows(monkeypatch: Any) -> None:
    """TASK-06: no effect until ``rebuild_rows``; TASK-02: strict finds it."""

    class Edited(Probe):
        task_type = fresh_type("edited")
        __slots__ = ()

        def on_update_a(self, dt: float) -> Any:
            return self.act("old")

    tree, log = tree_of(), Log()
    tree.set_task(Edited("E", log), 0)

    def replacement(self: Probe, dt: float) -> Any:
        return self.act("new")

    Edited.on_update_a = replacement  # type: ignore[method-assign]
    run(tree)
    assert log == ["E.enterA", "E.old"]
    with pytest.raises(TaskTypeError, match="rebuild_rows"):
        Edited()
    Edited.rebuild_rows()
    tree.set_task(Edited("F", log), 0)
    log.clear()
    run(tree)
    assert log == ["F.enterA", "F.new"]


@pytest.mark.expects_faults
def test_a_handler_result_other_than_the_known_ones_is_a_fault_in_strict_mode() -> None:
    """TASK-07: update returning True: a fault that names the handler, the task runs on."""
    tree = tree_of()
    task = Probe(script={"updA": lambda task: True})
    tree.set_task(task, 0)
    run(tree)
    (fault,) = faults.all()
    assert fault.kind == "handler_result"
    assert "on_update of Probe returned True" in fault.text
    assert task.has_entered
    assert not task.has_finished


@pytest.mark.usefixtures("in_play")
def test_an_unknown_handler_result_means_go_on_in_play() -> None:
    """TASK-07: in play it means continue, without a fault."""
    tree = tree_of()
    task = Probe(script={"enterA": lambda task: 7, "updA": lambda task: True})
    tree.set_task(task, 0)
    run(tree, 3)
    assert not task.has_finished
    assert len(faults) == 0


@pytest.mark.parametrize("result", [None, 0])
def test_none_and_continue_go_on(result: object) -> None:
    """TASK-07: ``None`` and ``CONTINUE`` both go on."""
    from ai.tasks.task import CONTINUE

    tree = tree_of()
    task = Probe(script={"updA": lambda task: None if result is None else CONTINUE})
    tree.set_task(task, 0)
    run(tree, 2)
    assert task.log == ["P.enterA", "P.updA", "P.updA"]


def test_the_return_value_of_exit_is_ignored() -> None:
    """TASK-07: exit can't end a task."""
    task = Probe(
        script={"updA": lambda task: task.set_state(task.State.B), "exitA": lambda task: QUIT}
    )
    tree = tree_of()
    tree.set_task(task, 0)
    run(tree)
    assert task.log == ["P.enterA", "P.updA", "P.exitA", "P.enterB", "P.updB"]


@pytest.mark.parametrize("state", [99, -1, 3, "A", None])
def test_an_unknown_state_is_refused_where_it_is_asked_for(state: Any) -> None:
    """TASK-08, TASK-17: ``set_state(99)`` raises and the state is unchanged."""
    seen: list[int] = []

    def update(task: Probe) -> None:
        with pytest.raises(TaskStateError, match="is no state of Probe"):
            task.set_state(state)
        seen.append(task.state)

    tree = tree_of()
    tree.set_task(Probe(script={"updA": update}), 0)
    run(tree)
    assert seen == [Probe.State.A]


@pytest.mark.expects_faults
@pytest.mark.parametrize("state", [99, 3])
def test_a_state_written_behind_the_kernels_back_is_one_fault_and_a_finished_task(
    state: int,
) -> None:
    """TASK-08: the task ends with one fault; its real state is exited."""
    tree = tree_of()
    task = Probe()
    tree.set_task(task, 0)
    run(tree)
    task.state = state
    run(tree)
    assert [fault.kind for fault in faults.all()] == ["unknown_state"]
    assert task.has_finished
    assert task.log == ["P.enterA", "P.updA", "P.exitA", "P.clean", "P.deleted"]


def test_an_update_without_a_state_runs_no_handler(ped: FakePed) -> None:
    """TASK-08: a mirror without a record is in ``STATE_NONE``: it runs nothing and goes on."""
    task = Probe()
    task.state = STATE_NONE
    tree = tree_of()
    tree.set_task(task, 0)
    run(tree, 2)
    assert task.log == []
    assert tree.active_root is task


def test_a_finish_state_without_handlers_quits() -> None:
    """TASK-09: the kernel supplies its update; an own ``on_update_finish`` overrides it."""

    class Finisher(Task):
        task_type = fresh_type("finisher")
        __slots__ = ()

        class State(IntEnum):
            START = 0
            FINISH = 1

        def on_update_start(self, dt: float) -> None:
            self.set_state(self.State.FINISH)

    class Lingerer(Finisher):
        task_type = fresh_type("lingerer")
        __slots__ = ()

        def on_update_finish(self, dt: float) -> None: ...

    finisher, lingerer = Finisher(), Lingerer()
    tree = tree_of()
    tree.set_task(finisher, 0)
    run(tree)
    assert finisher.outcome is Outcome.SUCCEEDED
    tree.set_task(lingerer, 0)
    run(tree)
    assert lingerer.state == Lingerer.State.FINISH
    assert not lingerer.has_finished


def test_overriding_one_handler_leaves_the_parents_table_untouched() -> None:
    """TASK-10: the subclass has a table of its own, resolved through its own MRO."""
    before = Probe.local_rows

    class Other(Probe):
        __slots__ = ()

        def on_exit_b(self) -> None: ...

    assert Probe.local_rows is before
    assert Other.local_rows is not before
    assert Other.local_rows[Probe.State.B][EXIT] is not before[Probe.State.B][EXIT]
    assert Other.local_rows[Probe.State.B][UPDATE] is before[Probe.State.B][UPDATE]


def test_a_subclass_with_states_of_its_own_replaces_the_list() -> None:
    """TASK-10: inherited handlers serve states of the same name; others are not called typos."""

    class Shorter(Probe):
        __slots__ = ()

        class State(IntEnum):
            B = 0

    assert len(Shorter.local_rows) == 1 + 1
    assert Shorter.local_rows[0][UPDATE] is Probe.local_rows[Probe.State.B][UPDATE]


def test_a_mirrored_entity_runs_the_mirror_handlers(ped: FakePed) -> None:
    """TASK-06, TASK-11: the table is chosen when the task is placed or attached."""

    class Mirrored(Probe):
        task_type = fresh_type("mirrored")
        __slots__ = ()

        def on_mirror_enter_a(self) -> None:
            self.act("mirrorEnterA")

        def on_mirror_update_a(self, dt: float) -> None:
            self.act("mirrorUpdA")

    tree = tree_of()
    tree.entity.is_mirrored = True  # type: ignore[misc]
    task = Mirrored()
    tree.set_task(task, 0)
    run(tree, 2)
    assert task.log == ["P.mirrorEnterA", "P.mirrorUpdA", "P.mirrorUpdA"]


def test_a_mirror_handler_may_change_the_state_and_missing_ones_go_on() -> None:
    """TASK-06, TASK-18: ``set_state`` is legal there; a missing handler does nothing."""

    class Follower(Probe):
        task_type = fresh_type("follower")
        __slots__ = ()

        def on_mirror_update_a(self, dt: float) -> None:
            self.set_state(self.State.B)

    tree = tree_of()
    tree.entity.is_mirrored = True  # type: ignore[misc]
    task = Follower()
    tree.set_task(task, 0)
    run(tree, 2)
    assert task.state == task.entered == Probe.State.B
    assert task.log == []


def test_a_new_task_has_the_fields_that_the_rule_says() -> None:
    """TASK-11, TASK-12: state 0, nothing entered, timers 0, outcome NONE, uids never reused."""
    first = Probe()
    second = Probe()
    assert second.uid == first.uid + 1
    second.discard()
    assert Probe().uid == first.uid + 2
    assert (first.state, first.prev_state, first.entered) == (0, STATE_NONE, STATE_NONE)
    assert (first.time_in_state, first.time_running) == (0.0, 0.0)
    assert first.outcome is Outcome.NONE
    assert first.entity is first.parent is first.child is first.pending is first.clip is None
    assert first.flags == NOT_ENTERED | SKIP_ALL


def test_skip_flags_are_set_where_the_class_overrides_no_hook() -> None:
    """TASK-12, TASK-14: classes that override neither hook never pay a call."""

    class Posting(Probe):
        task_type = fresh_type("posting")
        __slots__ = ()

        def pre_fsm(self, dt: float) -> None: ...

    class Flagging(Probe):
        task_type = fresh_type("flagging")
        __slots__ = ()
        WANTS_ANIM_FLAGS = True

    assert HookedProbe().flags == NOT_ENTERED | SKIP_ANIM_FLAGS
    assert Posting().flags == NOT_ENTERED | SKIP_POST | SKIP_ANIM_FLAGS
    assert not Flagging().flags & SKIP_ANIM_FLAGS


def test_the_first_process_enters_and_updates_state_0(log: Log) -> None:
    """TASK-12: enter, update of state 0 in that order in one step."""
    tree = tree_of()
    tree.set_task(Probe("P", log), 2)
    run(tree)
    assert log == ["P.enterA", "P.updA"]


def test_the_entity_is_set_when_a_root_is_placed_and_a_child_attached() -> None:
    """TASK-11: not before."""
    child = Probe("C")
    root = Probe("R", script={"enterA": lambda task: task.set_new_task(child)})
    tree = tree_of()
    assert root.entity is None
    tree.set_task(root, 0)
    assert root.entity is tree.entity
    assert child.entity is None
    run(tree)
    assert child.entity is tree.entity


def test_a_class_without_a_registered_type_can_not_be_constructed(pool: Any) -> None:
    """TASK-12: the forgotten type is caught, and reads NONE until then."""

    class Forgotten(Probe):
        __slots__ = ()

    assert Forgotten.task_type is TaskType.NONE
    with pytest.raises(TaskTypeError, match="Forgotten"):
        Forgotten()
    assert pool.used == 0


def test_flags_have_no_setters_for_task_code() -> None:
    """TASK-13: the properties are read-only."""
    task = Probe()
    for name in ("child_finished", "is_aborted", "is_resuming", "has_finished", "in_abort"):
        assert getattr(task, name) is False
        with pytest.raises(AttributeError):
            setattr(task, name, True)


def test_the_kernel_knows_the_class_flags() -> None:
    """TASK-75: move, motion, ragdoll and combat are class-level and in the registry."""
    assert MoveTaskBase.is_move_task
    assert MotionProbe.info is not None
    assert MotionProbe.info.is_motion_task
    assert Probe.info is not None
    flags = (Probe.info.is_move_task, Probe.info.is_motion_task)
    assert flags == (Probe.info.is_ragdoll_behaviour, Probe.info.is_combat) == (False, False)


# -- copying (TASK-25) ------------------------------------------------------------------


def test_a_copy_starts_afresh_with_equal_parameters() -> None:
    """TASK-25: a copy of a task that is under way starts at state 0 with an uid of its own."""
    tree = tree_of()
    task = GoStand(walk_updates=1, seconds=9.0)
    tree.set_task(task, 0)
    run(tree, 3)
    assert task.state == GoStand.State.STAND
    twin = task.copy()
    assert (twin.walk_updates, twin.seconds) == (1, 9.0)
    assert (twin.state, twin.entered, twin.time_running, twin.child) == (0, STATE_NONE, 0.0, None)
    assert twin.uid != task.uid


def test_a_class_without_parameters_is_refused_when_it_is_to_be_copied() -> None:
    """TASK-25: ``TaskCopyError``, also when asked beforehand."""
    task = Probe()
    with pytest.raises(TaskCopyError, match="PARAMS"):
        task.copy()
    with pytest.raises(TaskCopyError, match="PARAMS"):
        task.check_copyable()
    GoStand(1, 1.0).check_copyable()


def test_strict_compares_each_parameter_of_a_copy(pool: Any) -> None:
    """TASK-25, TASK-02: a constructor that changes what it is given is found."""

    class Forgetful(Probe):
        task_type = fresh_type("forgetful")
        __slots__ = ("count",)
        PARAMS = ("count",)

        def __init__(self, count: int) -> None:
            super().__init__()
            self.count = count + 1

    task = Forgetful(1)
    with pytest.raises(TaskCopyError, match="parameter count"):
        task.copy()
    assert pool.used == 1


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_other_ways_of_copying_are_refused(duplicate: Any) -> None:
    """TASK-25: ``copy.copy``, ``copy.deepcopy`` and pickling raise ``TypeError``."""
    with pytest.raises(TypeError):
        duplicate(Probe())


def test_a_wrong_child_registration_in_a_constructor_is_refused() -> None:
    """TASK-18, TASK-20: the constructor may neither change state nor register a child."""

    class Hasty(Probe):
        task_type = fresh_type("hasty")
        __slots__ = ()

        def __init__(self) -> None:
            super().__init__()
            with pytest.raises(TaskStateError):
                self.set_state(self.State.B)
            with pytest.raises(TaskStateError):
                with_child(Probe)(self)

    assert Hasty().state == 0
