"""A ped without a world, and the probe: a task that logs what the kernel does with it.

A probe's log lines are ``name.what``: ``enterA``, ``updA``, ``exitA``, ``ask``,
``do``, ``clean``, ``deleted``, ``pre``, ``post``. A script, a mapping from ``what``
to a function, gives it behaviour.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Mapping
from enum import IntEnum
from functools import cached_property
from typing import Any, TypeAlias

from ai.tasks.idle_tasks import DoNothing
from ai.tasks.movement import MoveTaskBase
from ai.tasks.ped_trees import MotionTaskTree, MovementTaskTree, PedTaskTree
from ai.tasks.task import QUIT, AbortPriority, Task
from ai.tasks.task_manager import TaskManager
from ai.tasks.task_tree import TaskTree
from ai.tasks.trees import (
    MOTION,
    MOVEMENT,
    PRIMARY,
    SECONDARY,
    TREE_NAMES,
    PrimarySlot,
    SecondarySlot,
)

STEP = 1 / 60

Log: TypeAlias = list[str]
Script: TypeAlias = Mapping[str, Callable[..., Any]]

_type_ids = itertools.count(60_000)


def fresh_type(name: str) -> IntEnum:
    """A task type that no other test uses."""
    return next(iter(IntEnum(name, {name.upper(): next(_type_ids)})))


class Wishes:
    """What the movement tree writes."""

    def __init__(self) -> None:
        self.desired_mbr = 0.0
        self.desired_heading_rad: float | None = None


class FakePed:
    """An entity with a ped's four trees and nothing else."""

    def __init__(self, ped_id: int = 12, default: Callable[[], Task] = DoNothing) -> None:
        self.ped_id = ped_id
        self.motion = Wishes()
        self.is_mirrored = False
        self.changes = 0
        self.tasks = TaskManager(self, self._task_changed)
        self.tasks.add_tree(PRIMARY, PedTaskTree(self, default))
        self.tasks.add_tree(SECONDARY, TaskTree(self, SecondarySlot, name=TREE_NAMES[SECONDARY]))
        self.tasks.add_tree(MOVEMENT, MovementTaskTree(self))
        self.tasks.add_tree(MOTION, MotionTaskTree(self))
        self.tasks.set_task(PRIMARY, None, PrimarySlot.DEFAULT)
        self.changes = 0

    @property
    def label(self) -> str:
        return f"ped#{self.ped_id}"

    @cached_property
    def rng(self) -> random.Random:
        """As a ped's: made when first drawn from."""
        return random.Random(self.ped_id)

    def _task_changed(self) -> None:
        self.changes += 1

    @property
    def primary(self) -> PedTaskTree:
        tree = self.tasks.tree(PRIMARY)
        assert isinstance(tree, PedTaskTree)
        return tree

    @property
    def movement(self) -> MovementTaskTree:
        tree = self.tasks.tree(MOVEMENT)
        assert isinstance(tree, MovementTaskTree)
        return tree

    def step(self, count: int = 1) -> None:
        """Process all trees a number of steps."""
        for _ in range(count):
            self.tasks.process(STEP)


class Probe(Task):
    """Logs everything; behaves as its script says."""

    task_type = fresh_type("probe")
    __slots__ = ("asked", "events", "log", "name", "refuses", "script")

    class State(IntEnum):
        A = 0
        B = 1
        C = 2

    def __init__(
        self,
        name: str = "P",
        log: Log | None = None,
        script: Script | None = None,
        refuses: tuple[AbortPriority, ...] = (),
    ) -> None:
        super().__init__()
        self.name = name
        self.log: Log = [] if log is None else log
        self.script: Script = script or {}
        self.refuses = refuses
        self.asked: list[AbortPriority] = []
        self.events: list[object] = []

    def act(self, what: str, *arguments: Any) -> Any:
        self.log.append(f"{self.name}.{what}")
        action = self.script.get(what)
        return action(self, *arguments) if action else None

    def on_enter_a(self) -> Any:
        return self.act("enterA")

    def on_update_a(self, dt: float) -> Any:
        return self.act("updA")

    def on_exit_a(self) -> None:
        self.act("exitA")

    def on_enter_b(self) -> Any:
        return self.act("enterB")

    def on_update_b(self, dt: float) -> Any:
        return self.act("updB")

    def on_exit_b(self) -> None:
        self.act("exitB")

    def on_enter_c(self) -> Any:
        return self.act("enterC")

    def on_update_c(self, dt: float) -> Any:
        return self.act("updC")

    def on_exit_c(self) -> None:
        self.act("exitC")

    def should_abort(self, priority: AbortPriority, event: object) -> bool:
        self.asked.append(priority)
        self.act("ask")
        return priority not in self.refuses

    def do_abort(self, priority: AbortPriority, event: object) -> None:
        self.events.append(event)
        self.act("do")

    def clean_up(self) -> None:
        self.act("clean")

    def on_deleted(self) -> None:
        self.act("deleted")

    def after_abort_state(self) -> int:
        return self.script.get("after_abort", lambda _: 0)(self)  # type: ignore[no-any-return]

    def may_delete_on_abort(self) -> bool:
        return "may_delete" in self.script


class HookedProbe(Probe):
    """A probe that logs its pre and post hook too."""

    task_type = fresh_type("hooked_probe")
    __slots__ = ()

    def pre_fsm(self, dt: float) -> Any:
        return self.act("pre")

    def post_fsm(self, dt: float) -> Any:
        return self.act("post")


class MoveProbe(MoveTaskBase):
    """A movement task that ends after a number of updates; copies go on counting."""

    task_type = fresh_type("move_probe")
    __slots__ = ("duration", "fails_with", "log", "mbr", "name", "travelled")
    PARAMS = ("name", "log", "mbr", "duration", "fails_with")

    def __init__(
        self,
        name: str = "M",
        log: Log | None = None,
        mbr: float = 1.0,
        duration: int = 1_000_000,
        fails_with: str = "",
    ) -> None:
        super().__init__(mbr)
        self.name = name
        self.log: Log = [] if log is None else log
        self.mbr = mbr
        self.duration = duration
        self.fails_with = fails_with
        self.travelled = 0

    def process_move(self, dt: float) -> bool:
        self.log.append(f"{self.name}.move")
        self.travelled += 1
        if self.travelled < self.duration:
            return False
        if self.fails_with:
            self.fail(self.fails_with)
        return True

    def update_progress(self, live: MoveProbe) -> None:
        self.travelled = live.travelled

    def clean_up(self) -> None:
        self.log.append(f"{self.name}.clean")


class MotionProbe(Task):
    """A motion task with, on demand, a child."""

    task_type = fresh_type("motion_probe")
    __slots__ = ("log", "make_child", "name", "wished")
    is_motion_task = True

    class State(IntEnum):
        POSE = 0

    def __init__(
        self,
        name: str = "O",
        log: Log | None = None,
        make_child: Callable[[], Task] | None = None,
    ) -> None:
        super().__init__()
        self.name = name
        self.log: Log = [] if log is None else log
        self.make_child = make_child
        self.wished: list[float] = []

    def on_update_pose(self, dt: float) -> None:
        self.log.append(f"{self.name}.pose")
        assert self.entity is not None
        self.wished.append(self.entity.motion.desired_mbr)
        if self.make_child is not None:
            self.set_new_task(self.make_child())
            self.make_child = None


def quit_now(*_: object) -> object:
    """Script entry: end the task."""
    return QUIT


def with_child(make: Callable[[], Task]) -> Callable[..., None]:
    """Script entry: register a child."""

    def register(task: Task, *_: object) -> None:
        task.set_new_task(make())

    return register


def tree_of(slots: int = 5, name: str = "tree") -> TaskTree:
    """A plain tree without a default slot."""
    return TaskTree(FakePed(), slots, name=name)


def run(tree: TaskTree, steps: int = 1) -> None:
    """Process one tree a number of steps."""
    for _ in range(steps):
        tree.process(STEP)
