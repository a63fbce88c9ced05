"""The primary tree of a mirrored entity: it replays the records of another simulation (TASK-106).

Of all that the owner reports the task of the highest priority is mirrored, in
``PRIMARY``; below it the default slot idles.
"""

from __future__ import annotations

import logging
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from ai.ports import Vec3
from ai.tasks.mirrorable import MirrorableTask
from ai.tasks.ped_trees import PedTaskTree
from ai.tasks.task import Task
from ai.tasks.task_abort import abort_chain
from ai.tasks.task_errors import TaskPoolFull
from ai.tasks.task_flags import HAS_FINISHED, AbortPriority
from ai.tasks.task_info import InfoUpdate, TaskInfo, is_newer, mirrorable_class
from ai.tasks.task_types import TaskType
from ai.tasks.trees import PrimarySlot

if TYPE_CHECKING:
    from ai.tasks.task_entity import TaskEntity

_log = logging.getLogger(__name__)

DYING_DEAD: Final = "dying_dead"
"""The task that is always applied, ahead of everything: no dead ped keeps walking."""

_MIRROR = int(PrimarySlot.PRIMARY)


class MirrorIdle(Task):
    """What a mirrored entity does while nothing of it is mirrored."""

    task_type = TaskType.MIRROR_IDLE
    __slots__ = ()
    PARAMS = ()
    ESSENTIAL = True

    class State(IntEnum):
        """One state for ever."""

        IDLE = 0

    def on_update_idle(self, _dt: float) -> None:
        """Wait for a record."""


class MirrorTaskTree(PedTaskTree):
    """Follows infos; nobody else may set a task here (TASK-71).

    - ``running`` is what the owner reported last as running.
    - ``viewer`` is where this simulation looks from, for the scope of mirrors.
    - ``overrides_position``, ``overrides_heading``, ``owns_pose``: what the present
      mirror does itself; whoever follows the owner's body leaves that alone.
    """

    __slots__ = (
        "_done",
        "_infos",
        "_mirrored",
        "_places",
        "_recalculate",
        "_sender",
        "overrides_heading",
        "overrides_position",
        "owns_pose",
        "running",
        "viewer",
    )

    def __init__(self, entity: TaskEntity) -> None:
        self._places = True
        super().__init__(entity, MirrorIdle, first=MirrorIdle)
        self._places = False
        self._infos: dict[tuple[int, int], TaskInfo] = {}
        self._mirrored: TaskInfo | None = None
        self._recalculate = False
        self._sender = ""
        self.running: tuple[tuple[int, int, str, int], ...] = ()
        self._done: dict[tuple[int, int], TaskInfo] = {}
        self.viewer = Vec3(0.0, 0.0, 0.0)
        self.overrides_position = self.overrides_heading = self.owns_pose = False

    def can_set_task(self) -> bool:
        """Only while this tree itself places a mirror or its idle default."""
        return self._places

    @property
    def mirror(self) -> MirrorableTask | None:
        """The present mirror."""
        task = self.slots[_MIRROR]
        return task if isinstance(task, MirrorableTask) else None

    def receive(self, update: InfoUpdate) -> None:
        """Take an owner's report over; what it changes is done in the next process."""
        self._sender = update.sender
        self.running = update.running
        running = set(update.running)
        for place in [key for key, info in self._infos.items() if info.instance not in running]:
            del self._infos[place]
        for info in update.changed:
            if mirrorable_class(info, update.sender) is None:
                continue
            known = self._infos.get(info.place)
            old = known is not None and is_newer(known.sequence, info.sequence)
            if old and info.type_name != DYING_DEAD:
                continue
            self._infos[info.place] = info
        self._recalculate = True

    def prepare(self, dt: float) -> bool:
        """Follow the reports first; a mirror out of scope is kept and not updated."""
        goes_on = super().prepare(dt)
        if self._recalculate:
            self._recalculate = False
            self._follow()
        mirror = self.mirror
        self.overrides_position = mirror is not None and mirror.MIRROR_OVERRIDES_POSITION
        self.overrides_heading = mirror is not None and mirror.MIRROR_OVERRIDES_HEADING
        self.owns_pose = mirror is not None and mirror.MIRROR_OWNS_POSE
        if mirror is None or self._is_dying(self._mirrored):
            return goes_on
        return goes_on and mirror.is_in_scope(self.viewer)

    def take_out(self, slot: int) -> None:
        """A mirror that has ended makes room for the next record, in the same step."""
        root = self.slots[slot]
        finished = root is not None and root.flags & HAS_FINISHED
        super().take_out(slot)
        if slot == _MIRROR:
            if finished and self._mirrored is not None:
                self._done[self._mirrored.place] = self._mirrored
            self._mirrored = None
            if finished:
                self._choose()

    def _follow(self) -> None:
        """Bring the mirror to what is reported."""
        mirror, shown = self.mirror, self._mirrored
        if mirror is not None and shown is not None:
            best = self._best()
            now = self._infos.get(shown.place)
            if now is not None and now.instance == shown.instance:
                mirror.read_info(now.state, now.payload)
                self._mirrored = now
                outranked = best is not None and best.place < now.place
                if self._is_dying(now) or not (outranked or self._is_dying(best)):
                    return
            elif not mirror.stopped_at_owner:
                mirror.stopped_at_owner = True
                if mirror.on_stopped_at_owner() and not self._is_dying(best):
                    return
            elif not self._is_dying(best):
                return
            self._end_mirror()
        self._choose()

    def _end_mirror(self) -> None:
        root = self.slots[_MIRROR]
        if root is not None:
            abort_chain(root, AbortPriority.IMMEDIATE, None)
            self.take_out(_MIRROR)

    def _best(self) -> TaskInfo | None:
        """The info of the highest priority that has not run to its end here."""
        dying = [info for info in self._infos.values() if self._is_dying(info)]
        shown = self._mirrored
        found: TaskInfo | None = None
        for info in dying or self._infos.values():
            if shown is not None and info.instance == shown.instance:
                continue
            done = self._done.get(info.place)
            if not dying and done is not None and done.instance == info.instance:
                continue
            if found is None or info.place < found.place:
                found = info
        return found

    def _choose(self) -> None:
        """Make the mirror of the best record; with a full pool the next report tries again."""
        info = self._best()
        if info is None:
            return
        cls = mirrorable_class(info, self._sender)
        assert cls is not None
        try:
            mirror = cls.create_mirror(info.payload)
        except TaskPoolFull:
            self._recalculate = True
            return
        mirror.owner_state = info.state
        mirror.start_in(info.state)
        self._mirrored = info
        self._places = True
        try:
            self.write(mirror, _MIRROR)
        finally:
            self._places = False

    @staticmethod
    def _is_dying(info: TaskInfo | None) -> bool:
        return info is not None and info.type_name == DYING_DEAD


def place_local_tasks(tree: PedTaskTree, infos: tuple[TaskInfo, ...], sender: str) -> int:
    """Go on locally with what another simulation ran (TASK-107); returns how many tasks do.

    Each goes to its recorded slot and starts in the state that the record names.
    """
    placed = 0
    for info in infos:
        cls = None if info.depth else mirrorable_class(info, sender)
        task = None if cls is None else cls.create_local(info.payload)
        if task is None:
            if not info.depth:
                _log.info("%r: %s is not taken over from %s", tree, info.type_name, sender)
            continue
        if type(task) is cls:
            task.start_in(info.state)
        tree.set_task(task, info.slot)
        placed += 1
    return placed
