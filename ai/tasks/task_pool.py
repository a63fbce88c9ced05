"""The bounded pool of live tasks (TASK-88, TASK-89).

Python allocates the objects; the pool counts them, so that a leak or an unbounded
producer is found as an error with a name instead of as slow death. A world makes
one pool and activates it at its creation and at the start of each of its steps;
linked worlds share one.

A task that is collected without having been deleted never had its clean-up: it is
counted as leaked, by class, and is a fault in strict mode (TASK-60).

Invariant: ``used`` equals the number of tasks that were constructed and not yet
deleted, wherever they are (slot, chain, pending, backup, stored).
"""

from __future__ import annotations

import logging
import threading
import weakref
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ai import settings
from ai.faults import faults
from ai.tasks import task_registry
from ai.tasks.phase_hooks import HOOK_METHODS
from ai.tasks.task_errors import TaskError, TaskPoolFull
from ai.tasks.task_registry import task_name
from ai.tasks.task_text import pool_report

if TYPE_CHECKING:
    from ai.tasks.task import Task

_log = logging.getLogger(__name__)

_KIB_512 = 512 * 1024


class PoolProfile(NamedTuple):
    """Memory that tasks may take: the largest instance and the budget of all, in bytes."""

    largest_task: int
    budget: int


POOL_PROFILES = {
    "compact_a": PoolProfile(416, _KIB_512),
    "compact_b": PoolProfile(432, _KIB_512),
    "standard": PoolProfile(736, 10 * _KIB_512),
    "crowd": PoolProfile(736, 24 * _KIB_512),
}
"""The profiles of TASK-88; small ones let tests and small levels run against tighter limits."""

SLOTS_DEFAULT = 16_384
ESSENTIAL_RESERVE_DEFAULT = 64


class _LiveTask(weakref.ref["Task"]):
    """Reference to a live task that still knows which it was once the task is gone."""

    __slots__ = ("hook_mask", "task_class", "uid")

    uid: int
    task_class: type[Task]
    hook_mask: int


class TaskPool:
    """Counts live tasks against a bound and hands out their uids, which are never reused.

    - ``slots`` bounds all tasks; the last ``essential_reserve`` free ones are for
      classes marked ``ESSENTIAL`` alone.
    - ``step`` is the step number that histories record; ``activate`` sets it.
    - ``high_water`` is the largest number of tasks that lived at once.
    - ``leaked`` counts tasks that were collected without having been deleted.

    Raises ``ValueError`` if the profile is unknown, ``slots`` times its largest task
    exceed its budget, or a registered class is larger than it allows.
    """

    def __init__(
        self,
        slots: int = SLOTS_DEFAULT,
        essential_reserve: int = ESSENTIAL_RESERVE_DEFAULT,
        profile: str = "crowd",
    ) -> None:
        _check_profile(slots, essential_reserve, profile)
        self.slots = slots
        self.essential_reserve = essential_reserve
        self.step = 0
        self._last_uid = 0
        self._live: dict[int, _LiveTask] = {}
        self._hook_users = [0] * len(HOOK_METHODS)
        self.high_water = 0
        self.leaked: Counter[str] = Counter()
        self._forget_leaked = _leak_recorder(weakref.ref(self))
        self._owner_thread = threading.get_ident()
        self._classes_reported: set[type[Task]] = set()
        self._full_reported = False

    @property
    def used(self) -> int:
        """Number of live tasks."""
        return len(self._live)

    def activate(self, step: int = 0) -> None:
        """Make this the pool that new tasks take their slot from."""
        global _active
        self.step = step
        _active = self

    def take(self, task: Task) -> int:
        """Take a slot for a task under construction; return its uid.

        Raises ``TaskPoolFull``, the first time per run with a report of all live
        tasks in the log.
        """
        free = self.slots - len(self._live)
        if free <= self.essential_reserve and (free <= 0 or not task.ESSENTIAL):
            self._refuse(task)
        uid = self._last_uid = self._last_uid + 1
        self._enter(task, uid)
        return uid

    def take_back(self, task: Task, uid: int) -> None:
        """Take a slot for a task that a keyframe brings back under its old uid (TASK-120)."""
        self._last_uid = max(self._last_uid, uid)
        self._enter(task, uid)

    def _enter(self, task: Task, uid: int) -> None:
        live = self._live[uid] = _LiveTask(task, self._forget_leaked)
        live.uid = uid
        live.task_class = type(task)
        mask = live.hook_mask = task.hook_mask
        if mask:
            self._count_hooks(mask, 1)
        used = len(self._live)
        if used > self.high_water:
            self.high_water = used

    def note_leak(self, uid: int, task_class: type[Task]) -> None:
        """A live task was collected: free its slot and say so (TASK-60)."""
        if uid not in self._live:
            return
        self.give_back(uid)
        self.leaked[task_name(task_class.task_type)] += 1
        if settings.strict and self is _active:
            faults.record(
                "task_leaked",
                f"{task_name(task_class.task_type)}#{uid}: was forgotten without being deleted, "
                "so its clean-up never ran; discard() a task that is not placed",
            )

    def give_back(self, uid: int) -> None:
        """Free the slot of a deleted task."""
        mask = self._live.pop(uid).hook_mask
        if mask:
            self._count_hooks(mask, -1)

    def wants_hook(self, hook: int) -> bool:
        """True while a task lives whose class overrides a phase hook.

        Whoever would walk a hook over all entities asks this first: most hooks of most
        steps have no taker at all.
        """
        return self._hook_users[hook] > 0

    def _count_hooks(self, mask: int, change: int) -> None:
        for hook in range(len(self._hook_users)):
            if mask & 1 << hook:
                self._hook_users[hook] += change

    def live_tasks(self) -> tuple[Task, ...]:
        """Every live task, oldest first."""
        alive = (reference() for reference in self._live.values())
        return tuple(task for task in alive if task is not None)

    def check_thread(self) -> None:
        """Strict: raise ``TaskError`` on any thread but the one that made the pool (TASK-04)."""
        if threading.get_ident() != self._owner_thread:
            raise TaskError("task trees may only be used on the thread that created their world")

    def first_report_of(self, task_class: type[Task]) -> bool:
        """True once per class and run: one endless loop must not fill the fault list (TASK-42)."""
        if task_class in self._classes_reported:
            return False
        self._classes_reported.add(task_class)
        return True

    def _refuse(self, task: Task) -> None:
        if not self._full_reported:
            self._full_reported = True
            _log.warning("task pool full:\n%s", pool_report(self))
        raise TaskPoolFull(
            f"no slot for {type(task).__name__}: {self.used} of {self.slots} in use, "
            f"{self.essential_reserve} reserved for essential tasks; try again later, "
            "or raise pool_slots in limits.toml"
        )


def _leak_recorder(pool: weakref.ref[TaskPool]) -> Callable[[weakref.ref[Task]], None]:
    """Callback of references to live tasks; holds no pool, so that a world can go."""

    def record(live: weakref.ref[Task]) -> None:
        owner = pool()
        if owner is not None and isinstance(live, _LiveTask):
            owner.note_leak(live.uid, live.task_class)

    return record


_active: TaskPool | None = None


def active_pool() -> TaskPool:
    """The pool of the world that is running.

    Raises ``TaskError`` before any was activated.
    """
    if _active is None:
        raise TaskError("no task pool is active: make a TaskPool and call its activate()")
    return _active


def _check_profile(slots: int, essential_reserve: int, profile: str) -> None:
    if not 0 <= essential_reserve <= slots:
        raise ValueError(f"essential_reserve = {essential_reserve} must be in 0..{slots}")
    if profile not in POOL_PROFILES:
        raise ValueError(f"profile {profile!r} must be one of {', '.join(POOL_PROFILES)}")
    largest, budget = POOL_PROFILES[profile]
    if slots * largest > budget:
        raise ValueError(
            f"profile {profile!r}: {slots} slots of {largest} bytes are {slots * largest} bytes, "
            f"its budget is {budget}; use at most {budget // largest} slots"
        )
    for info in task_registry.registered():
        if info.shallow_size > largest:
            raise ValueError(
                f"profile {profile!r} allows tasks of {largest} bytes, "
                f"{info.name} takes {info.shallow_size}; use a larger profile"
            )
