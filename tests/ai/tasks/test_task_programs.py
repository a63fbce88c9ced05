"""Random programs: pairing (TASK-22) and invariants (TASK-46) hold whatever is done."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from ai.faults import faults
from ai.tasks.task import CONTINUE, QUIT, SAME_STATE, AbortPriority, Task
from ai.tasks.task_checks import check_tree
from ai.tasks.task_errors import TaskFault, TreeBusyError
from ai.tasks.task_pool import TaskPool
from ai.tasks.task_tree import SetTaskResult, TaskTree
from ai.tasks.trees import PrimarySlot
from tests.ai.tasks.doubles import STEP, FakePed, HookedProbe, Log, Probe, fresh_type

STATES = 3

# What a handler does, one after the other. ``set`` and ``restart`` are for updates only.
ENTER_ACTIONS = ("child", "drop", "remove", "keep", "quit", "raise")
UPDATE_ACTIONS = (*ENTER_ACTIONS, "set 0", "set 1", "set 2", "restart", "succeed", "fail")

enter_programs = st.lists(st.sampled_from(ENTER_ACTIONS), max_size=3)
update_programs = st.lists(st.sampled_from(UPDATE_ACTIONS), max_size=4)


class Programmed(Probe):
    """Takes one program from its list for each handler call; does nothing once it is used up."""

    task_type = fresh_type("programmed")
    __slots__ = ("after", "depth", "ledger", "programs")

    def __init__(
        self, ledger: list[Programmed], programs: list[list[str]], after: int, depth: int = 0
    ) -> None:
        super().__init__()
        self.ledger = ledger
        self.programs = programs
        self.after = after
        self.depth = depth
        ledger.append(self)

    def act(self, what: str, *arguments: Any) -> Any:
        self.log.append(what)
        updating = what.startswith("upd")
        if not (updating or what.startswith("enter")) or not self.programs:
            return None
        for action in self.programs.pop(0):
            if not updating and action not in ENTER_ACTIONS:
                continue
            result = self._do(action)
            if result is not CONTINUE:
                return result
        return None

    def _do(self, action: str) -> Any:
        if action == "child" and self.depth < 3:
            child = Programmed(self.ledger, self.programs[1::2], self.after, self.depth + 1)
            self.set_new_task(child)
        elif action == "drop":
            self.set_new_task(None)
        elif action == "remove":
            self.remove_child()
        elif action == "keep":
            self.keep_child()
        elif action == "restart":
            self.restart_state()
        elif action.startswith("set"):
            self.set_state(int(action[-1]))
        elif action == "raise":
            raise RuntimeError("programmed")
        elif action == "quit":
            return QUIT
        elif action == "succeed":
            return self.succeed()
        elif action == "fail":
            return self.fail("programmed")
        return CONTINUE

    def after_abort_state(self) -> int:
        return (0, 1, 2, SAME_STATE, QUIT)[self.after]


OUTER_ACTIONS = ("step", "step", "step", "abort", "force", "clear", "cover", "uncover")


def drive(tree: TaskTree, actions: list[str]) -> None:
    """Do to the root in slot 1 what the outside may do to it."""
    for action in actions:
        root = tree.get_task(1)
        try:
            if action == "step":
                tree.process(STEP)
            elif action == "abort" and root is not None:
                root.make_abortable(AbortPriority.URGENT)
            elif action == "force" and root is not None:
                root.make_abortable(AbortPriority.IMMEDIATE)
            elif action == "clear":
                tree.clear(1)
            elif action == "cover":
                tree.set_task(Probe("H"), 0)
            elif action == "uncover":
                tree.clear(0)
        except TaskFault as error:
            if not isinstance(error.__cause__, RuntimeError):
                raise


def run_program(programs: list[list[str]], after: int, actions: list[str]) -> None:
    """Play one program and check pairing, clean-ups and the pool."""
    faults.clear()
    pool = TaskPool()
    pool.activate()
    owner = FakePed()
    level = pool.used
    tree = TaskTree(owner, 2)
    ledger: list[Programmed] = []
    tree.set_task(Programmed(ledger, programs, after), 1)
    drive(tree, actions)
    check_tree(tree)
    tree.flush_immediately()
    assert pool.used == level
    for task in ledger:
        assert task.is_deleted
        check_pairing(task.log)
    faults.clear()


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    programs=st.lists(st.one_of(enter_programs, update_programs), max_size=14),
    after=st.integers(0, 4),
    actions=st.lists(st.sampled_from(OUTER_ACTIONS), min_size=1, max_size=12),
)
def test_enters_and_exits_are_paired_in_every_program(
    programs: list[list[str]], after: int, actions: list[str]
) -> None:
    """TASK-22: per task and state enters that returned == exits; TASK-23; the pool is level again.

    A program may change state, restart, quit, fail, raise, register, drop, keep and
    remove children; from outside the root is aborted, covered, uncovered, cleared.
    """
    run_program(programs, after, actions)


@pytest.mark.usefixtures("in_play")
def test_ten_thousand_random_programs_are_paired() -> None:
    """TASK-22: the same for 10,000 programs drawn at random, as in play."""
    draw = random.Random(22)
    for _ in range(10_000):
        programs = [
            draw.choices(UPDATE_ACTIONS, k=draw.randrange(4)) for _ in range(draw.randrange(10))
        ]
        run_program(programs, draw.randrange(5), draw.choices(OUTER_ACTIONS, k=draw.randint(1, 8)))


def check_pairing(log: Log) -> None:
    """Replay a log: at most one state is entered at a time, and each is left once."""
    entered: str | None = None
    cleaned = False
    ended = Counter(log)
    for place, what in enumerate(log):
        if what.startswith("enter"):
            assert entered is None, log
            following = log[place + 1] if place + 1 < len(log) else ""
            raised = following in ("clean", "deleted") and ended["deleted"] == 1
            entered = None if raised else what[-1]
            cleaned = False
        elif what.startswith("upd"):
            assert entered == what[-1], log
        elif what.startswith("exit"):
            assert entered == what[-1], log
            entered = None
        elif what == "clean":
            assert entered is None, log
            assert not cleaned, log
            cleaned = True
    assert entered is None, log
    assert log[-1] in ("deleted", "clean")
    assert ended["deleted"] == 1


class PedTreeMachine(RuleBasedStateMachine):
    """A primary tree under random sets, clears, steps and tasks that refuse and meddle."""

    def __init__(self) -> None:
        super().__init__()
        faults.clear()
        self.pool = TaskPool()
        self.pool.activate()
        self.ped = FakePed(default=self.make_default)
        self.tree = self.ped.primary
        self.made: list[Probe] = []
        self.updates_at_the_end: dict[int, int] = {}

    def make_default(self) -> Task:
        return Probe("D", script={"updA": lambda task: QUIT if self.draw(0.1) else None})

    def draw(self, chance: float) -> bool:
        return self.ped.rng.random() < chance

    @initialize(seed=st.integers(0, 1 << 16))
    def seed(self, seed: int) -> None:
        self.ped.rng.seed(seed)

    def meddle(self, task: Probe) -> object:
        """Update of every task: quits, changes state, spawns, sets slots, at random."""
        draw = self.ped.rng.random()
        if draw < 0.15:
            return task.succeed()
        if draw < 0.3:
            task.set_state(int(draw * 20) % STATES)
        elif draw < 0.45:
            task.set_new_task(self.make(refuses=self.draw(0.5)))
        elif draw < 0.6:
            slot = int(self.ped.rng.random() * 4)
            new = self.make(refuses=False)
            try:
                self.tree.set_task(new, slot)
            except TreeBusyError:
                assert new.is_deleted
        return None

    def make(self, refuses: bool) -> Probe:
        kind = HookedProbe if self.draw(0.3) else Probe
        task = kind(
            script={"updA": self.meddle, "updB": self.meddle, "updC": self.meddle},
            refuses=(AbortPriority.URGENT,) if refuses else (),
        )
        self.made.append(task)
        return task

    @rule(slot=st.sampled_from(PrimarySlot), refuses=st.booleans())
    def set_a_task(self, slot: int, refuses: bool) -> None:
        task = self.make(refuses)
        assert self.tree.set_task(task, slot) is SetTaskResult.SET
        assert self.tree.get_task(slot) is task

    @rule(slot=st.sampled_from(PrimarySlot))
    def clear_a_slot(self, slot: int) -> None:
        self.tree.clear(slot)

    @rule(slot=st.sampled_from(PrimarySlot))
    def set_the_same_again(self, slot: int) -> None:
        assert self.tree.set_task(self.tree.get_task(slot), slot) is SetTaskResult.UNCHANGED

    @rule(steps=st.integers(1, 4))
    def process(self, steps: int) -> None:
        for _ in range(steps):
            before = [task.log.count("P.pre") for task in self.made]
            self.ped.step()
            after = [task.log.count("P.pre") for task in self.made]
            assert all(b - a <= 1 for a, b in zip(before, after, strict=False))
            assert all(count <= 1 for count in after[len(before) :])

    @rule(slot=st.sampled_from(PrimarySlot), priority=st.sampled_from(AbortPriority))
    def abort_from(self, slot: int, priority: AbortPriority) -> None:
        done = self.tree.abort_tasks(priority, slot, delete=self.draw(0.5))
        assert done or priority is AbortPriority.URGENT

    @precondition(lambda self: self.tree.active_root is not None)
    @rule()
    def ask_and_be_refused_or_not(self) -> None:
        root = self.tree.active_root
        assert root is not None
        before = [(task.state, task.entered, task.flags) for task in self.tree.chain()]
        if not root.make_abortable(AbortPriority.URGENT):
            after = [(task.state, task.entered, task.flags) for task in self.tree.chain()]
            assert after == before

    @invariant()
    def tree_is_sound(self) -> None:
        """TASK-34, TASK-35, TASK-46, TASK-72, TASK-88.

        One active slot, the default slot never empty, no task in two places, nothing
        updated after it finished, and per task and state at most one exit an enter.
        """
        check_tree(self.tree)
        filled = [slot for slot, root in enumerate(self.tree.slots) if root is not None]
        assert self.tree.active_slot == filled[0]
        assert self.tree.active_root is self.tree.slots[filled[0]]
        assert self.tree.get_task(PrimarySlot.DEFAULT) is not None
        live = [task for task in self.made if not task.is_deleted]
        placed = [
            task for root in self.tree.slots if root is not None for task in chain_below(root)
        ]
        assert all(task in placed for task in live)
        assert len({id(task) for task in placed}) == len(placed)
        for task in self.made:
            self._check_log(task)
        for root in self.tree.slots:
            assert root is None or root.parent is None
        assert not faults.all()

    def _check_log(self, task: Probe) -> None:
        enters, exits = (
            Counter(line[-1] for line in task.log if f".{what}" in line)
            for what in ("enter", "exit")
        )
        assert all(0 <= enters[state] - exits[state] <= 1 for state in enters | exits)
        if task.has_finished:
            updates = sum(".upd" in line for line in task.log)
            assert self.updates_at_the_end.setdefault(task.uid, updates) == updates

    def teardown(self) -> None:
        self.ped.tasks.close()
        assert self.pool.used == 0
        for task in self.made:
            log = [line.partition(".")[2] for line in task.log]
            assert Counter(line[-1] for line in log if line.startswith("enter")) == Counter(
                line[-1] for line in log if line.startswith("exit")
            )
        faults.clear()


def chain_below(root: Task) -> list[Task]:
    chain = [root]
    while chain[-1].child is not None:
        chain.append(chain[-1].child)
    return chain


TestPedTree = PedTreeMachine.TestCase
TestPedTree.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
