"""Bounded pools of task helpers (TASK-91), and who holds which.

The pools are made once per program. An empty one refuses: the task goes on without
that help, which is counted and is no fault.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from ai.faults import faults
from ai.tasks.task_entity import entity_label

if TYPE_CHECKING:
    from ai.tasks.task import Task
    from ai.tasks.task_helper import TaskHelper

DEFAULT_SIZE: Final = 32


class HelperKind(StrEnum):
    """What there is a pool for, in the order in which the pools are made."""

    CLIMB_HAND_HOLD = "climb_hand_hold"
    GRIP = "grip"
    PATH_NODE_SEARCH = "path_node_search"
    VEHICLE_CLIP_REQUEST = "vehicle_clip_request"
    AMBIENT_LOOK_AT = "ambient_look_at"
    CONVERSATION = "conversation"
    CARRIED_PROP = "carried_prop"


class HelperPools:
    """Places for helpers, ``size`` of each kind.

    - ``refused`` counts by kind how often there was none.
    """

    def __init__(self, size: int = DEFAULT_SIZE) -> None:
        self.size = size
        self.refused: Counter[HelperKind] = Counter()
        self._used: dict[HelperKind, int] = dict.fromkeys(HelperKind, 0)
        self._held: dict[Task, list[TaskHelper]] = {}

    def take(self, kind: HelperKind | None) -> bool:
        """Take a place; False if there is none. Helpers of no kind are not bounded."""
        if kind is None:
            return True
        if self._used[kind] == self.size:
            self.refused[kind] += 1
            return False
        self._used[kind] += 1
        return True

    def give_back(self, kind: HelperKind | None) -> None:
        """Free a place."""
        if kind is not None:
            self._used[kind] -= 1

    def used(self, kind: HelperKind) -> int:
        """Places taken."""
        return self._used[kind]

    # -- leaks ------------------------------------------------------------------------

    def note_held(self, host: Task, helper: TaskHelper) -> None:
        """A host has a helper that it must release."""
        self._held.setdefault(host, []).append(helper)

    def note_released(self, host: Task, helper: TaskHelper) -> None:
        """A helper was released."""
        held = self._held.get(host)
        if held is not None and helper in held:
            held.remove(helper)
            if not held:
                del self._held[host]

    def check_released(self, host: Task) -> None:
        """A host was cleaned up: what it still holds is a leak, and is released."""
        if not self._held:
            return
        for helper in tuple(self._held.get(host, ())):
            faults.record(
                "helper_leaked",
                f"{helper!r}: its host was cleaned up without releasing it; "
                "release helpers in clean_up",
                entity_label(host.entity),
            )
            helper.release()

    def close(self) -> None:
        """The program ends: kinds in reverse order, a fault for each that is still held."""
        for kind in reversed(HelperKind):
            if self._used[kind]:
                faults.record("helper_held", f"{self._used[kind]} of {kind} held at the end")
            self._used[kind] = 0
        self._held.clear()


_pools = HelperPools()


def helper_pools() -> HelperPools:
    """The pools of the program."""
    return _pools


def make_helper_pools(size: int) -> HelperPools:
    """Make the program's pools, in place of those it started with."""
    global _pools
    _pools = HelperPools(size)
    return _pools
