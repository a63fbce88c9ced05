"""The slots of a tree and the questions one may ask of them (TASK-34, TASK-35, TASK-47).

Invariant: ``active_slot`` is the lowest index whose slot is not empty, None if all
are; every write of a slot goes through ``_put``, which keeps it so.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, Final

from ai.tasks.detail_range import chain_detail_range
from ai.tasks.limits import SLOTS_PER_TREE_MAX
from ai.tasks.phase_hooks import chain_mask
from ai.tasks.task_entity import entity_label

if TYPE_CHECKING:
    from ai.tasks.task import Task
    from ai.tasks.task_entity import TaskEntity

HOOKS_UNKNOWN: Final = -1
"""Value of ``chain_hooks`` after a change: all bits set, so that whoever tests one looks again."""

DETAIL_UNKNOWN: Final = -2
"""Value of ``chain_detail`` after a change."""


class SlotRow:
    """One to five priority slots, 0 the highest.

    - ``slots``: what each slot holds; read it, the tree's methods write it.
    - ``active_slot``, ``active_root``: the first non-empty slot and its task.
    - ``chain_hooks``: OR of the hook masks of the active chain, or ``HOOKS_UNKNOWN``.
    - ``revision``: rises when the row holds other tasks or one of them is in another state,
      so that whoever has looked at them need not look again.
    - ``chain_detail``: largest ``detail_range`` of the active chain in cm, or
      ``DETAIL_UNKNOWN``; ``known_chain_detail`` never is.
    """

    __slots__ = (
        "active_root",
        "active_slot",
        "chain_detail",
        "chain_hooks",
        "entity",
        "name",
        "revision",
        "slot_names",
        "slots",
    )

    def _make_slots(self, entity: TaskEntity, slots: int | type[IntEnum], name: str) -> None:
        """Make empty slots: a number of them, or one for each member of an enum.

        Raises ``ValueError`` for none or more than five.
        """
        slot_names = _slot_names(slots)
        count = len(slot_names)
        if not 1 <= count <= SLOTS_PER_TREE_MAX:
            raise ValueError(f"{name}: {count} slots; a tree has 1 to {SLOTS_PER_TREE_MAX}")
        self.entity = entity
        self.name = name
        self.slot_names = slot_names
        self.active_slot: int | None = None
        self.active_root: Task | None = None
        self.revision = 0
        self.chain_hooks: int = HOOKS_UNKNOWN
        self.chain_detail: int = DETAIL_UNKNOWN
        self.slots: list[Task | None] = [None] * count

    def __repr__(self) -> str:
        return f"{entity_label(self.entity)} {self.name}"

    def check_slot(self, slot: int) -> None:
        """Raise ``IndexError`` naming tree and entity if there is no such slot."""
        if not 0 <= slot < len(self.slots):
            raise IndexError(f"{self!r}: no slot {slot}; it has {len(self.slots)}")

    # -- queries: none builds events or copies ------------------------------------------

    def get_task(self, slot: int) -> Task | None:
        """Root task of a slot."""
        self.check_slot(slot)
        return self.slots[slot]

    def leaf(self) -> Task | None:
        """Last of the active chain."""
        task = self.active_root
        while task is not None and task.child is not None:
            task = task.child
        return task

    def chain(self) -> Iterator[Task]:
        """The active chain, root first."""
        task = self.active_root
        while task is not None:
            yield task
            task = task.child

    def find(self, task_type: int) -> Task | None:
        """First task of a type on the active chain."""
        return _find_below(self.active_root, task_type)

    def find_in_slot(self, task_type: int, slot: int) -> Task | None:
        """First task of a type in the chain of a slot, active or waiting."""
        return _find_below(self.get_task(slot), task_type)

    def has(self, task_type: int) -> bool:
        """True if a task of a type is on the active chain."""
        return _find_below(self.active_root, task_type) is not None

    def ragdoll_handler(self, cause: object) -> Task | None:
        """First task of the active chain that keeps running with a limp body (TASK-75)."""
        task = self.active_root
        while task is not None and not task.handles_ragdoll(cause):
            task = task.child
        return task

    # -- kept up to date ----------------------------------------------------------------

    def chain_changed(self) -> None:
        """The active chain is another one, or has gained or lost a task."""
        self.revision += 1
        self.chain_hooks = HOOKS_UNKNOWN
        self.chain_detail = DETAIL_UNKNOWN

    def known_chain_hooks(self) -> int:
        """``chain_hooks``, worked out again if need be."""
        if self.chain_hooks == HOOKS_UNKNOWN:
            self.chain_hooks = chain_mask(self.active_root)
        return self.chain_hooks

    def known_chain_detail(self) -> int:
        """``chain_detail``, worked out again if need be."""
        if self.chain_detail == DETAIL_UNKNOWN:
            self.chain_detail = chain_detail_range(self.active_root)
        return self.chain_detail

    def _put(self, task: Task | None, slot: int) -> None:
        self.slots[slot] = task
        active = self.active_slot
        if active is None or slot <= active:
            if task is None:
                self._find_active(slot + 1)
            else:
                self.active_slot = slot
                self.active_root = task
        self.chain_changed()

    def _find_active(self, from_slot: int) -> None:
        """The first root from a slot on is the active one; those above are empty."""
        self.active_slot = None
        self.active_root = None
        for slot in range(from_slot, len(self.slots)):
            root = self.slots[slot]
            if root is not None:
                self.active_slot = slot
                self.active_root = root
                break


def _find_below(task: Task | None, task_type: int) -> Task | None:
    while task is not None and task.task_type != task_type:
        task = task.child
    return task


@cache
def _slot_names(slots: int | type[IntEnum]) -> tuple[str, ...]:
    """Names of slots in dumps, one tuple for all trees of a kind."""
    if isinstance(slots, int):
        return tuple(f"slot_{index}" for index in range(slots))
    return tuple(member.name.lower().replace("_response", "") for member in slots)
