"""Tasks that run on both sides of a link: at their owner and as a mirror (TASK-102 to TASK-105).

One class, two machines: local handlers ``on_update_x`` under local control, mirror
handlers ``on_mirror_update_x`` under a mirrored entity; the kernel chooses once, when
the task is placed. A mirror decides nothing by itself: it follows what its owner reports.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Self, TypeAlias

from ai.tasks.task import QUIT, Result, Task
from ai.tasks.task_flags import STATE_NONE

if TYPE_CHECKING:
    from ai.ports import Vec3

FieldValue: TypeAlias = bool | int | float | str


class MirrorableTask(Task):
    """A task that can be described by a record and replayed from one.

    Declared by a class:

    - ``INFO_FIELDS``: names and types of its payload; ``make_info`` gives the values.
    - ``MIRROR_OVERRIDES_POSITION``, ``MIRROR_OVERRIDES_HEADING``, ``MIRROR_OWNS_POSE``:
      what the mirror does itself, so that nobody corrects it meanwhile.

    ``owner_state`` is the state last reported, ``stopped_at_owner`` is set once the
    owner's task has ended.
    """

    __slots__ = ("owner_state", "stopped_at_owner")

    INFO_FIELDS: ClassVar[dict[str, type]] = {}
    MIRROR_OVERRIDES_POSITION: ClassVar[bool] = False
    MIRROR_OVERRIDES_HEADING: ClassVar[bool] = False
    MIRROR_OWNS_POSE: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__()
        self.owner_state = STATE_NONE
        self.stopped_at_owner = False

    # -- at the owner -------------------------------------------------------------------

    def make_info(self) -> Mapping[str, FieldValue]:
        """Values of ``INFO_FIELDS``; by default the attributes of the same names."""
        return {name: getattr(self, name) for name in self.INFO_FIELDS}

    def can_hand_over(self) -> bool:
        """May another simulation take the entity over at this moment?"""
        return True

    # -- as a mirror --------------------------------------------------------------------

    @classmethod
    def create_mirror(cls, payload: Mapping[str, FieldValue]) -> Self:
        """A mirror of a record; by default constructed with the payload."""
        return cls(**payload)

    def read_info(self, state: int, payload: Mapping[str, FieldValue]) -> None:
        """Take a newer report of the same task over."""
        self.owner_state = state
        for name in self.INFO_FIELDS:
            setattr(self, name, payload[name])

    def is_in_scope(self, viewer: Vec3) -> bool:  # noqa: ARG002
        """Is the entity near enough to ``viewer``, in cm, for its task to be replayed?"""
        return True

    def on_stopped_at_owner(self) -> bool:
        """The owner's task has ended; True if the mirror comes to its own end."""
        return False

    def follow_owner(self) -> Result | None:
        """For mirror update handlers: go where the owner is; end once it has ended."""
        if self.owner_state not in (STATE_NONE, self.state):
            self.set_state(self.owner_state)
            return None
        return QUIT if self.stopped_at_owner else None

    # -- taking over --------------------------------------------------------------------

    @classmethod
    def create_local(cls, payload: Mapping[str, FieldValue]) -> Task | None:  # noqa: ARG003
        """The task that goes on locally from a record, None if this kind does not."""
        return None
