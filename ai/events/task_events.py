"""Events that carry a task: script commands and tasks given by code (EVT-67, EVT-70, EVT-73)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, Self

from ai.events.base import Event, PlainEvent, ScriptData, Tag
from ai.events.priorities import EventPriority, checked_priority
from ai.events.types import EventType
from ai.ports import EntityRef
from ai.tasks.task import Task
from ai.tasks.trees import PrimarySlot

if TYPE_CHECKING:
    from ai.events.event_tuning import CommandKind
    from ai.events.response import EventResponse
    from ai.events.subject import EventPed

COMMAND_MODULES_ONLY: Final = object()
"""Token of the modules that may make script commands."""


class TaskCarrier(PlainEvent):
    """An event that carries a task: every clone has a copy of its own (EVT-05).

    The task is released with the event, once; the response is built from another copy.
    """

    __slots__ = ("task",)

    def __init__(self, task: Task, *, source: EntityRef | None = None, tag: Tag = 0) -> None:
        super().__init__(source, tag=tag)
        self.task = task

    def clone(self) -> Self:
        """Raises ``TaskPoolFull`` if there is no room for the copy; nothing is left then."""
        task = self.task.copy()
        fresh = super().clone()
        fresh.task = task
        return fresh

    def is_valid_for_ped(self, ped: EventPed) -> bool:  # noqa: ARG002
        """A source says who gave it, and need not live on."""
        return True

    def on_response_started(self, ped: EventPed) -> None:  # noqa: ARG002
        """A copy was placed: the carried task has done its duty."""
        self.release()

    def release(self) -> None:
        """Delete the carried task."""
        if not self.task.is_deleted and self.task.tree is None:
            self.task.discard()

    def script_data(self) -> ScriptData:
        """The task by name."""
        return {**super().script_data(), "task": type(self.task).__name__}


class ScriptCommandEvent(TaskCarrier):
    """A task that a script ordered into PRIMARY.

    - ``command_number`` names the command. ``kind`` decides its priority (EVT-70).
    - Made by the script modules alone; raises ``TypeError`` for others.
    """

    __slots__ = ("accept_when_dead", "command_number", "kind")
    event_type = EventType.SCRIPT_COMMAND
    PAYLOAD: ClassVar[tuple[str, ...]] = ("command_number", "kind", "accept_when_dead")
    DISCRIMINATORS: ClassVar[tuple[str, ...]] = ("command_number",)
    is_temporary = True
    never_evicted = True

    def __init__(
        self,
        task: Task,
        command_number: int,
        kind: CommandKind,
        *,
        source: EntityRef | None = None,
        accept_when_dead: bool = False,
        token: object = None,
    ) -> None:
        if token is not COMMAND_MODULES_ONLY:
            raise TypeError("script commands come from ScriptCommands; use GivePedTaskEvent")
        super().__init__(task, source=source)
        self.command_number = command_number
        self.kind = kind
        self.accept_when_dead = accept_when_dead

    @property
    def slot(self) -> int:
        """Where the task goes."""
        return int(PrimarySlot.PRIMARY)

    @property
    def concerns_the_dead(self) -> bool:  # type: ignore[override]
        """Some commands are meant for the dead."""
        return self.accept_when_dead

    def priority(self, ped: EventPed) -> EventPriority:  # noqa: ARG002
        """EVT-16, first match wins."""
        if self.accept_when_dead:
            return EventPriority.MAX
        if self.kind.high:
            return (
                EventPriority.SCRIPT_COMMAND_HIGH
                if self.kind.breaks_ragdoll
                else EventPriority.SCRIPT_COMMAND_HIGH_NO_RAGDOLL
            )
        return EventPriority.SCRIPT_COMMAND

    def on_added(self, ped: EventPed) -> None:
        """Commands do not wait for a far ped's turn (EVT-09)."""
        ped.force_full_update()

    def create_response(self, ped: EventPed, response: EventResponse) -> None:  # noqa: ARG002
        """A copy, so that a command whose abort has to wait can be built anew."""
        response.set_main(self.task.copy())


class GivePedTaskEvent(TaskCarrier):
    """A task that code of the game gives into a slot of the main tree.

    Raises ``ValueError`` for a slot outside the main tree and for a priority below
    ``GIVE_PED_TASK``; the task is untouched.
    """

    __slots__ = ("given_priority", "slot")
    event_type = EventType.GIVE_PED_TASK
    PAYLOAD: ClassVar[tuple[str, ...]] = ("slot", "given_priority")

    def __init__(
        self,
        task: Task,
        slot: PrimarySlot,
        priority: EventPriority = EventPriority.GIVE_PED_TASK,
        *,
        source: EntityRef | None = None,
        tag: Tag = 0,
    ) -> None:
        if not isinstance(slot, PrimarySlot):
            raise ValueError(f"{slot!r}: tasks are given into slots of the main tree alone")
        if checked_priority(priority) < EventPriority.GIVE_PED_TASK:
            raise ValueError(f"{priority.name} is below GIVE_PED_TASK; use that, or one above")
        if task.is_move_task or task.is_motion_task:
            raise ValueError(f"{task!r}: movement and motion tasks can't be given")
        super().__init__(task, source=source, tag=tag)
        self.slot = slot
        self.given_priority = priority

    @property
    def is_temporary(self) -> bool:  # type: ignore[override]
        """By its slot."""
        return self.slot in (PrimarySlot.EVENT_RESPONSE_TEMP, PrimarySlot.PRIMARY)

    @property
    def concerns_the_dead(self) -> bool:  # type: ignore[override]
        """The dead may be dragged."""
        return self.given_priority is EventPriority.DRAGGED

    def priority(self, ped: EventPed) -> EventPriority:  # noqa: ARG002
        """What its maker said."""
        return self.given_priority

    def same_as(self, other: Event) -> bool:
        """Slot and kind of task."""
        return (
            isinstance(other, GivePedTaskEvent)
            and other.slot == self.slot
            and type(other.task) is type(self.task)
            and other.source == self.source
        )

    def create_response(self, ped: EventPed, response: EventResponse) -> None:  # noqa: ARG002
        """A copy; physical by its slot."""
        if self.slot == PrimarySlot.PHYSICAL_RESPONSE:
            response.set_physical(self.task.copy())
        else:
            response.set_main(self.task.copy())
