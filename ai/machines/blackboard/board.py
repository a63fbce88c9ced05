"""The blackboard of one ped: writes wait, values change together once a step (BB-02 to BB-05)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Protocol

from ai.machines.blackboard.keys import BoardLayout, Value
from ai.machines.blackboard.shared import SharedBoard
from ai.machines.errors import BlackboardError
from ai.ports import EntityRef


class EntityLife(Protocol):
    """Which handles still point at something; a stale one reads as none (BB-01)."""

    @property
    def version(self) -> int:
        """Rises whenever a thing of the world is gone."""
        ...

    def is_alive(self, ref: EntityRef) -> bool:
        """False for a stale handle, also when its slot has a new owner."""
        ...


class Blackboard:
    """Snapshot, pending writes and net changes of one ped.

    - ``values[slot]`` is the snapshot; nothing but ``freeze`` changes it.
    - ``changed`` has the bit of every slot that counts as changed in this step.
    - ``changed_step[slot]`` is the step of the last such change, or of creation.
    - ``entered_step``, ``tree_result``, ``action_result``, ``scratch`` are the words a
      condition may read beside keys (BB-06); who evaluates a condition sets them first.

    Cost: write and read O(1); ``freeze`` O(pending writes), with nothing pending a few
    comparisons and no allocation (BB-11).
    """

    __slots__ = (
        "_counted", "_life", "_life_version", "_pending", "_shared", "_shared_version",
        "action_result", "changed", "changed_step", "entered_step", "layout", "scratch", "step",
        "tree_result", "values",
    )  # fmt: skip

    def __init__(
        self,
        layout: BoardLayout,
        step: int = 0,
        *,
        shared: SharedBoard | None = None,
        life: EntityLife | None = None,
    ) -> None:
        if layout.shared_slots and shared is None:
            raise BlackboardError(
                f"key '{layout.keys[layout.shared_slots[0]].name}' is shared; "
                "give the blackboard the level's SharedBoard"
            )
        self.layout = layout
        self.step = step
        self.values: list[Value] = [key.default for key in layout.keys]
        self.changed = 0
        self.changed_step = [step] * len(self.values)
        self.entered_step = step
        self.tree_result = "none"
        self.action_result = "none"
        self.scratch: dict[str, Value] = {}
        self._counted = list(self.values)
        self._pending: dict[int, Value] = {}
        self._shared = shared
        self._shared_version = 0
        self._life = life
        self._life_version = 0
        if shared is not None:
            shared.declare(layout)
            for slot in layout.shared_slots:
                self.values[slot] = self._counted[slot] = shared.value(layout.keys[slot].name)
            self._shared_version = shared.version

    def checked(self, name: str, value: object, writer: str) -> tuple[int, Value]:
        """Slot and value of a write, which has changed nothing yet.

        Raises ``BlackboardError`` naming key, writer and value; the write is dropped whole.
        """
        slot = self.layout.slot(name, writer)
        try:
            return slot, self.layout.keys[slot].checked(value)
        except ValueError as error:
            raise BlackboardError(
                f"{writer} wrote {value!r} to key '{name}', which {error}; the old value stays"
            ) from error

    def stage(self, slot: int, value: Value) -> None:
        """Take a write in (P1); the last of a key wins."""
        if self._shared is not None and self.layout.keys[slot].shared:
            self._shared.set(self.layout.keys[slot].name, value)
        else:
            self._pending[slot] = value

    def freeze(self, step: int) -> int:
        """Publish the snapshot of this step (P2); returns the bits of net-changed keys."""
        self.step = step
        self.changed = 0
        if self._shared is not None and self._shared.version != self._shared_version:
            self._shared_version = self._shared.version
            for slot in self.layout.shared_slots:
                self._pending[slot] = self._shared.value(self.layout.keys[slot].name)
        if self._pending:
            self._publish(self._pending)
            self._pending.clear()
        if self._life is not None and (self.changed or self._life.version != self._life_version):
            self._drop_stale(self._life)
        return self.changed

    def _publish(self, values: Mapping[int, Value]) -> None:
        """Make values by slot the present ones, and note which of them count as changed."""
        counted, epsilons = self._counted, self.layout.epsilons
        for slot, value in values.items():
            self.values[slot] = value
            before = counted[slot]
            if value == before:
                continue
            epsilon = epsilons[slot]
            if epsilon > 0.0 and not _differs(before, value, epsilon):
                continue
            counted[slot] = value
            self.changed |= 1 << slot
            self.changed_step[slot] = self.step

    def _drop_stale(self, life: EntityLife) -> None:
        self._life_version = life.version
        for slot in self.layout.entity_slots:
            ref = self.values[slot]
            if isinstance(ref, EntityRef) and not life.is_alive(ref):
                self._publish({slot: None})

    def read(self, name: str, reader: str) -> Value:
        """The frozen value; raises ``BlackboardError`` for an undeclared key."""
        return self.values[self.layout.slot(name, reader)]

    def since_s(self, name: str, reader: str) -> float:
        """Seconds since the key last changed, or since creation (BB-05)."""
        return (self.step - self.changed_step[self.layout.slot(name, reader)]) / 60.0

    def has_pending(self) -> bool:
        """True while a staged write waits for the next freeze."""
        return bool(self._pending)


def _differs(before: Value, value: Value, epsilon: float) -> bool:
    """More than ``epsilon`` between two floats or two points."""
    if isinstance(before, tuple) and isinstance(value, tuple):
        return math.dist(before[:2], value[:2]) > epsilon
    if isinstance(before, int | float) and isinstance(value, int | float):
        return abs(value - before) > epsilon
    return before != value
