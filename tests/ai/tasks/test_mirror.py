"""Task infos, mirrors and their tree (TASK-101 to TASK-107)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, ClassVar, Self

import pytest

from ai.faults import faults
from ai.ports import Vec3
from ai.tasks import mirror_tree
from ai.tasks.mirror_tree import MirrorIdle, MirrorTaskTree, place_local_tasks
from ai.tasks.mirrorable import FieldValue, MirrorableTask
from ai.tasks.task import Outcome
from ai.tasks.task_errors import TaskStateError
from ai.tasks.task_flags import AbortPriority
from ai.tasks.task_info import InfoSender, InfoUpdate, TaskInfo, infos_of, is_newer
from ai.tasks.task_snapshot import TaskSnapshot
from ai.tasks.trees import PRIMARY, PrimarySlot
from tests.ai.tasks.doubles import STEP, FakePed, Log, Probe, fresh_type

LOG: Log = []


class Told(MirrorableTask):
    """Goes where it is told at the owner; a mirror logs what it does."""

    task_type = fresh_type("told")
    __slots__ = ("far", "goal")
    PARAMS = ("goal",)
    INFO_FIELDS: ClassVar[dict[str, type]] = {"goal": float}

    class State(IntEnum):
        WALK = 0
        STAND = 1
        FINISH = 2

    def __init__(self, goal: float = 0.0) -> None:
        super().__init__()
        self.goal = goal
        self.far = False

    def on_update_walk(self, dt: float) -> None:
        LOG.append("walk")

    def on_update_stand(self, dt: float) -> None:
        LOG.append("stand")

    def on_mirror_enter_walk(self) -> None:
        LOG.append("mirror enter walk")

    def on_mirror_update_walk(self, dt: float) -> object:
        LOG.append("mirror walk")
        return self.follow_owner()

    def on_mirror_exit_walk(self) -> None:
        LOG.append("mirror exit walk")

    def on_mirror_update_finish(self, dt: float) -> object:
        LOG.append("mirror finish")
        return self.follow_owner()

    def clean_up(self) -> None:
        LOG.append("clean")

    def is_in_scope(self, viewer: Vec3) -> bool:
        return not self.far

    def should_abort(self, priority: AbortPriority, event: object) -> bool:
        LOG.append("ask")
        return priority is AbortPriority.IMMEDIATE

    @classmethod
    def create_local(cls, payload: Mapping[str, FieldValue]) -> Self:
        return cls(float(payload["goal"]))


class Quitter(Told):
    """A mirror that comes to its own end."""

    task_type = fresh_type("quitter")
    __slots__ = ()

    def on_stopped_at_owner(self) -> bool:
        self.owner_state = self.State.FINISH
        return True


class Dying(Told):
    """The task of a death."""

    task_type = fresh_type("told_dying")
    __slots__ = ()


class Secret(MirrorableTask):
    """Is never taken over; overrides the body while it is mirrored."""

    task_type = fresh_type("secret")
    __slots__ = ()
    MIRROR_OVERRIDES_POSITION = True
    MIRROR_OWNS_POSE = True

    class State(IntEnum):
        HIDE = 0

    def on_update_hide(self, dt: float) -> None: ...


@pytest.fixture(autouse=True)
def empty_log() -> None:
    LOG.clear()


def info(
    name: str = "told",
    slot: int = 3,
    sequence: int = 1,
    state: int = 0,
    depth: int = 0,
    **fields: Any,
) -> TaskInfo:
    payload = {} if name == "secret" else {"goal": 1.0, **fields}
    return TaskInfo(name, slot, depth, sequence, state, True, payload)


def told(*infos: TaskInfo) -> InfoUpdate:
    return InfoUpdate("ped#7", tuple(one.instance for one in infos), infos)


@pytest.fixture
def viewer() -> FakePed:
    """A mirrored ped."""
    ped = FakePed()
    ped.primary.flush_immediately()
    ped.movement.flush_immediately()
    ped.is_mirrored = True
    ped.tasks.add_tree(PRIMARY, MirrorTaskTree(ped), replace=True)
    return ped


def tree_of(ped: FakePed) -> MirrorTaskTree:
    tree = ped.tasks.tree(PRIMARY)
    assert isinstance(tree, MirrorTaskTree)
    return tree


def show(ped: FakePed, *infos: TaskInfo) -> None:
    tree_of(ped).receive(told(*infos))
    ped.tasks.process(STEP)


# -- infos -----------------


@pytest.mark.parametrize(
    ("sequence", "than", "newer"),
    [(1, 0, True), (0, 0, False), (127, 0, True), (128, 0, False), (3, 250, True), (250, 3, False)],
)
def test_sequence_numbers_wrap(sequence: int, than: int, newer: bool) -> None:
    """TASK-101: newer means (a - b) & 255 in 1..127."""
    assert is_newer(sequence, than) is newer


def test_the_snapshot_yields_infos_and_unchanged_ones_are_not_resent(ped: FakePed) -> None:
    """TASK-101: names, places, instance numbers, payload; only what changed goes out again."""
    snapshot, sender = TaskSnapshot(), InfoSender()
    task = Told(5.0)
    ped.tasks.set_task(PRIMARY, task, PrimarySlot.PRIMARY)
    ped.step()
    snapshot.take(ped.tasks)
    (made,) = infos_of(ped.tasks, snapshot)
    assert made == TaskInfo("told", 3, 0, 1, 0, True, {"goal": 5.0})
    first = sender.update("ped#12", ped.tasks, snapshot)
    assert first.changed == (made,)
    assert first.running == ((3, 0, "told", 1),)
    assert sender.update("ped#12", ped.tasks, snapshot).changed == ()
    task.goal = 6.0
    (changed,) = sender.update("ped#12", ped.tasks, snapshot).changed
    assert changed.payload == {"goal": 6.0}
    ped.tasks.set_task(PRIMARY, Told(6.0), PrimarySlot.PRIMARY)
    ped.step()
    snapshot.take(ped.tasks)
    (other,) = sender.update("ped#12", ped.tasks, snapshot).changed
    assert other.sequence == 2
    sender.forget()
    assert len(sender.update("ped#12", ped.tasks, snapshot).changed) == 1


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        (info("tolled"), "type is unknown"),
        (info("probe"), "not mirrored"),
        (info(goal=1), "'goal' must be float"),
        (info(speed=2.0), "'speed' is unknown"),
        (info()._replace(payload={}), "'goal' is missing"),
        (info(state=9), "state 9"),
    ],
)
def test_a_bad_info_is_ignored_and_the_others_apply(
    viewer: FakePed, bad: TaskInfo, named: str
) -> None:
    """TASK-101: a fault names sender and field."""
    show(viewer, bad._replace(slot=1), info(slot=2))
    (fault,) = faults.of_kind("task_info")
    assert "ped#7" in fault.text
    assert named in fault.text
    assert isinstance(tree_of(viewer).mirror, Told)
    faults.clear()


# -- two machines -----------------


def test_a_mirror_runs_its_mirror_handlers_alone(viewer: FakePed) -> None:
    """TASK-103: the rows are chosen once, when it is placed; it starts in the state reported."""
    show(viewer, info())
    assert LOG == ["mirror enter walk", "mirror walk"]
    mirror = tree_of(viewer).mirror
    assert mirror is not None
    assert mirror.rows is Told.mirror_rows
    assert mirror.owner_state == 0


def test_a_missing_mirror_handler_does_nothing_and_goes_on(viewer: FakePed) -> None:
    """TASK-104: STAND has none: nothing runs, and the mirror stays there."""
    show(viewer, info())
    LOG.clear()
    show(viewer, info(state=1))
    assert LOG == ["mirror walk", "mirror exit walk"]
    mirror = tree_of(viewer).mirror
    assert mirror is not None
    viewer.step(5)
    assert mirror.state == Told.State.STAND
    assert not mirror.has_finished


def test_a_mirror_is_aborted_without_being_asked_and_never_resumes(viewer: FakePed) -> None:
    """TASK-105: child first, mirror exit, clean-up, quits on resume; it cannot refuse."""
    show(viewer, info())
    LOG.clear()
    mirror = tree_of(viewer).mirror
    assert mirror is not None
    assert mirror.make_abortable(AbortPriority.URGENT)
    assert LOG == ["mirror exit walk", "clean"]
    assert mirror.is_aborted
    assert mirror.outcome is Outcome.CANCELLED
    viewer.step()
    assert mirror.is_deleted


# -- the tree -----------------


def test_the_record_of_the_highest_priority_is_mirrored(viewer: FakePed) -> None:
    """TASK-106: lowest slot, then lowest depth."""
    show(viewer, info(slot=4), info(slot=2, depth=1, goal=9.0), info(slot=2, goal=5.0))
    mirror = tree_of(viewer).mirror
    assert isinstance(mirror, Told)
    assert mirror.goal == 5.0
    show(viewer, info(slot=4), info(slot=1, goal=7.0))
    mirror = tree_of(viewer).mirror
    assert isinstance(mirror, Told)
    assert mirror.goal == 7.0


def test_a_newer_report_of_the_same_task_changes_the_mirror_in_place(viewer: FakePed) -> None:
    """TASK-102: payload and state are taken over, the instance stays."""
    show(viewer, info())
    mirror = tree_of(viewer).mirror
    show(viewer, info(goal=8.0))
    assert tree_of(viewer).mirror is mirror
    assert isinstance(mirror, Told)
    assert mirror.goal == 8.0
    show(viewer, info(sequence=2))
    assert tree_of(viewer).mirror is not mirror


def test_an_old_sequence_number_is_ignored_but_for_a_death(
    viewer: FakePed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TASK-106, combination 31: a death is applied in that step, whatever its number."""
    monkeypatch.setattr(mirror_tree, "DYING_DEAD", "told_dying")
    show(viewer, info(sequence=9))
    mirror = tree_of(viewer).mirror
    old = InfoUpdate("ped#7", (info(sequence=9).instance,), (info(sequence=8, goal=3.0),))
    tree_of(viewer).receive(old)
    viewer.step()
    assert tree_of(viewer).mirror is mirror
    LOG.clear()
    show(viewer, info(sequence=9), info("told_dying", slot=4, sequence=2))
    dying = tree_of(viewer).mirror
    assert isinstance(dying, Dying)
    assert "mirror enter walk" in LOG
    tree_of(viewer).receive(told(info("told_dying", slot=4, sequence=1), info(slot=0)))
    viewer.step()
    assert isinstance(tree_of(viewer).mirror, Dying)
    dying.far = True
    before = dying.time_running
    viewer.step()
    assert isinstance(tree_of(viewer).mirror, Dying)
    assert tree_of(viewer).mirror is not dying or dying.time_running > before


def test_out_of_scope_it_is_kept_as_long_as_it_runs(viewer: FakePed) -> None:
    """TASK-106: not updated meanwhile; no longer listed it goes."""
    show(viewer, info())
    mirror = tree_of(viewer).mirror
    assert isinstance(mirror, Told)
    mirror.far = True
    before = mirror.time_running
    for _ in range(300):
        show(viewer, info())
    assert tree_of(viewer).mirror is mirror
    assert mirror.time_running == before
    show(viewer)
    assert mirror.is_deleted
    assert isinstance(viewer.primary.active_root, MirrorIdle)


def test_a_mirror_may_come_to_its_own_end(viewer: FakePed) -> None:
    """TASK-106: no longer listed: WALK, then FINISH, then it is over by itself."""
    show(viewer, info("quitter"))
    LOG.clear()
    show(viewer)
    assert LOG[:3] == ["mirror walk", "mirror exit walk", "mirror finish"]
    assert tree_of(viewer).mirror is None


def test_what_has_run_to_its_end_here_is_not_made_again(viewer: FakePed) -> None:
    """TASK-106: the next record is mirrored in the same step instead."""
    show(viewer, info("quitter", slot=2), info(slot=3))
    mirror = tree_of(viewer).mirror
    assert isinstance(mirror, Quitter)
    mirror.stopped_at_owner = True
    mirror.owner_state = Quitter.State.FINISH
    LOG.clear()
    viewer.step()
    assert mirror.is_deleted
    assert type(tree_of(viewer).mirror) is Told
    assert LOG[-2:] == ["mirror enter walk", "mirror walk"]


def test_what_a_mirror_overrides_is_known(viewer: FakePed) -> None:
    """TASK-102, TASK-106: whoever follows the owner's body leaves that alone."""
    show(viewer, info("secret"))
    tree = tree_of(viewer)
    viewer.step()
    assert (tree.overrides_position, tree.overrides_heading, tree.owns_pose) == (True, False, True)
    show(viewer)
    viewer.step()
    assert not tree.overrides_position


# -- taking over -----------------


def test_tasks_go_on_locally_in_their_slot_and_state(ped: FakePed) -> None:
    """TASK-107: whose class implements ``create_local``; others are dropped."""
    infos = (info(slot=3, state=1, goal=4.0), info("secret", slot=2), info(slot=3, depth=1))
    assert place_local_tasks(ped.primary, infos, "ped#7") == 1
    ped.step()
    task = ped.primary.get_task(PrimarySlot.PRIMARY)
    assert isinstance(task, Told)
    assert (task.goal, task.state) == (4.0, Told.State.STAND)
    assert LOG == ["stand"]
    assert ped.primary.get_task(PrimarySlot.EVENT_RESPONSE_NONTEMP) is None


def test_only_a_fresh_task_starts_in_another_state(ped: FakePed) -> None:
    """TASK-107: one in use, or a state that does not exist, is refused."""
    with pytest.raises(TaskStateError):
        Told().start_in(7)
    task = Probe("P")
    ped.tasks.set_task(PRIMARY, task, PrimarySlot.PRIMARY)
    with pytest.raises(TaskStateError):
        task.start_in(1)
