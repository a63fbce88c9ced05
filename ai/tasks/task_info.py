"""Records that describe running tasks to another simulation (TASK-101).

Types and states travel by name and number of the class's own states; a payload is a
flat mapping of the fields that the class lists in ``INFO_FIELDS``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ai.faults import faults
from ai.tasks import task_registry
from ai.tasks.mirrorable import FieldValue, MirrorableTask
from ai.tasks.task_snapshot import SEQUENCE_MASK
from ai.tasks.trees import PRIMARY

if TYPE_CHECKING:
    from ai.tasks.task import Task
    from ai.tasks.task_manager import TaskManager
    from ai.tasks.task_snapshot import TaskEntry, TaskSnapshot

NEWER_MAX = 127
"""Sequence numbers up to this far ahead, in 8 bits, are newer; others are old."""


class TaskInfo(NamedTuple):
    """One running task.

    - ``slot``, ``depth``: its place in the owner's primary tree; ``sequence``: which
      instance of that place, in 8 bits.
    - ``active``: it is on the active chain, not waiting.
    """

    type_name: str
    slot: int
    depth: int
    sequence: int
    state: int
    active: bool
    payload: Mapping[str, FieldValue]

    @property
    def place(self) -> tuple[int, int]:
        """Slot and depth; the lower comes first."""
        return self.slot, self.depth

    @property
    def instance(self) -> tuple[int, int, str, int]:
        """What tells one task from the next in its place."""
        return self.slot, self.depth, self.type_name, self.sequence


class InfoUpdate(NamedTuple):
    """What an owner sends: which instances run, and the infos that changed since the last."""

    sender: str
    running: tuple[tuple[int, int, str, int], ...]
    changed: tuple[TaskInfo, ...]


def is_newer(sequence: int, than: int) -> bool:
    """Compare 8-bit sequence numbers."""
    return 1 <= (sequence - than) & SEQUENCE_MASK <= NEWER_MAX


class InfoSender:
    """The owner's side: turns snapshots into updates; what has not changed is not resent."""

    def __init__(self) -> None:
        self._sent: dict[tuple[int, int], TaskInfo] = {}

    def update(self, sender: str, manager: TaskManager, snapshot: TaskSnapshot) -> InfoUpdate:
        """What to send after a full update."""
        infos = infos_of(manager, snapshot)
        changed = tuple(info for info in infos if self._sent.get(info.place) != info)
        self._sent = {info.place: info for info in infos}
        return InfoUpdate(sender, tuple(info.instance for info in infos), changed)

    def forget(self) -> None:
        """Somebody new listens: everything is sent again."""
        self._sent.clear()


def infos_of(manager: TaskManager, snapshot: TaskSnapshot) -> tuple[TaskInfo, ...]:
    """Infos of all mirrorable tasks of a snapshot's primary tree that still live."""
    tree = manager.tree(PRIMARY)
    live: dict[int, Task] = {task.uid: task for task in tree.chain()}
    live.update({root.uid: root for root in tree.slots if root is not None})
    made: list[TaskInfo] = []
    for entry in snapshot.trees[PRIMARY]:
        task = live.get(entry.uid)
        if isinstance(task, MirrorableTask):
            made.append(_info(task, entry, active=entry.slot == tree.active_slot))
    return tuple(made)


def _info(task: MirrorableTask, entry: TaskEntry, *, active: bool) -> TaskInfo:
    return TaskInfo(
        task_registry.task_name(task.task_type),
        entry.slot,
        entry.depth,
        entry.sequence,
        entry.state,
        active,
        task.make_info(),
    )


def mirrorable_class(info: TaskInfo, sender: str) -> type[MirrorableTask] | None:
    """The class of an info; None, with a fault naming sender and field, for a bad one."""
    found = task_registry.class_named(info.type_name)
    cls = None if found is None else found.task_class
    if cls is None or not issubclass(cls, MirrorableTask):
        why = "its type is unknown or not mirrored"
    else:
        why = _wrong_with(info, cls)
        if not why:
            return cls
    text = f"{sender}: info of {info.type_name!r}: {why}; it was ignored"
    faults.record("task_info", text, sender)
    return None


def _wrong_with(info: TaskInfo, cls: type[MirrorableTask]) -> str:
    """What is wrong with an info's state and payload, or nothing."""
    if not 0 <= info.state < len(cls.local_rows) - 1:
        return f"state {info.state!r} does not exist"
    for name, kind in cls.INFO_FIELDS.items():
        if name not in info.payload:
            return f"field {name!r} is missing"
        if type(info.payload[name]) is not kind:
            return f"field {name!r} must be {kind.__name__}"
    for name in info.payload:
        if name not in cls.INFO_FIELDS:
            return f"field {name!r} is unknown"
    return ""
