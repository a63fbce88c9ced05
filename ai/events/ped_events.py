"""Everything of one ped's events: group, handler, history, memory, trace, and what scripts set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.events.base import EditableEvent, Event, EventRef
from ai.events.decision_memory import DecisionMemory
from ai.events.decision_trace import DecisionTrace
from ai.events.event_clock import EventClock
from ai.events.handler import EventHandler
from ai.events.history import EventHistory, EventRecord, PlacedTask
from ai.events.ped_group import EventGroupPed
from ai.events.selection import select
from ai.events.shocking import ShockingEvent
from ai.events.subject import Personality
from ai.events.task_events import ScriptCommandEvent
from ai.tasks.trees import PRIMARY, PrimarySlot

if TYPE_CHECKING:
    from ai.events.decision_maker import ResponseEntry
    from ai.events.event_services import EventServices
    from ai.events.subject import EventPed
    from ai.events.types import EventType
    from ai.ports import EntityRef
    from ai.tasks.task import Task


class PedEvents:
    """A ped's part of the event system.

    - ``decision_maker``: its model's; ``decision_maker_override``: a script's, empty for none.
    - ``block_non_temporary``, ``ignore_shocking``: set by scripts (EVT-56, EVT-88).
    - ``ignored_bodies``: who may lie there without shocking it: its partners in a scene (EVT-45).
    - ``script_brain``: the one source whose commands it takes (EVT-68).
    - ``own_responses``: the ped's own entries, ahead of every decision maker's (EVT-74).
    - ``is_shared``: scripted and visible to another process (EVT-77).
    """

    __slots__ = (
        "_ped",
        "block_non_temporary",
        "clock",
        "decision_maker",
        "decision_maker_override",
        "group",
        "handler",
        "history",
        "ignore_shocking",
        "ignored_bodies",
        "is_shared",
        "memory",
        "own_responses",
        "personality",
        "script_brain",
        "services",
        "trace",
    )

    def __init__(
        self,
        ped: EventPed,
        services: EventServices,
        *,
        decision_maker: str = "",
        personality: Personality | None = None,
    ) -> None:
        tuning = services.tuning
        self._ped = ped
        self.services = services
        self.decision_maker = decision_maker
        self.decision_maker_override = ""
        self.personality = personality or Personality()
        self.block_non_temporary = False
        self.ignore_shocking = False
        self.ignored_bodies: dict[EntityRef, None] = {}
        self.is_shared = False
        self.script_brain: EntityRef | None = None
        self.own_responses: dict[EventType, ResponseEntry] = {}
        self.clock = EventClock(services.delays)
        self.trace = DecisionTrace(
            services.clock, services.world, tuning.trace_records, full=services.full_traces
        )
        self.memory = DecisionMemory(
            tuning.decide.cooldown_notes, round(tuning.decide.none_memory_s * 60)
        )
        self.group = EventGroupPed(services, ped)
        self.history = EventHistory(ped)
        self.handler = EventHandler(ped)

    @property
    def reaction_scale(self) -> float:
        """Factor of its reaction delays."""
        return self.personality.reaction_scale

    @property
    def is_brave(self) -> bool:
        """Brave enough for flags 22 and 23 (EVT-101)."""
        return self.personality.bravery >= self.services.tuning.fear.brave_from

    def add_event(
        self, event: Event, *, force_persistent: bool = False, make_space: bool = True
    ) -> EventRef | None:
        """The front door (EVT-26): a clone is queued, or None and the trace says why."""
        return self.group.add(event, force_persistent=force_persistent, make_space=make_space)

    def own_response(self, event_type: EventType) -> ResponseEntry | None:
        """The ped's own entry of a type."""
        return self.own_responses.get(event_type)

    def peek_highest(self) -> Event | None:
        """What would be chosen now: changes and draws nothing (EVT-50)."""
        self.clock.begin_query()
        try:
            return select(self._ped, self.clock)
        finally:
            self.clock.end_query()

    def after_decision(self, event: EditableEvent) -> None:
        """An event was decided: the offer is noted, and it frightens (EVT-89, EVT-101)."""
        if isinstance(event, ShockingEvent):
            event.after_decision(self._ped)
        self._ped.frighten(event)

    def note_physical(self, event: Event, task: Task) -> None:
        """Code that owns the body has put a task into PHYSICAL_RESPONSE by itself.

        The history takes it for the answer to ``event``, which is in no queue: what outranks
        that event alone interrupts it, and the response below resumes after it.
        """
        slot = PrimarySlot.PHYSICAL_RESPONSE
        placed = (PlacedTask(PRIMARY, slot, task),)
        self.history.begin_physical(EventRecord(event, placed, self.services.clock.step))

    def response_ended(self, event: Event) -> None:
        """An answered event is over: its record was dropped, or there was none."""
        if isinstance(event, ShockingEvent):
            event.response_ended(self.services.clock.step)
        self.services.budget.give_back(event)

    def died(self) -> None:
        """The dying response was committed: nothing that it lived for counts any more (EVT-18)."""
        self.group.queue.flush_all(
            spare=lambda one: isinstance(one, ScriptCommandEvent) and one.accept_when_dead
        )

    def end_step(self) -> None:
        """Phase 17: what is over leaves (EVT-63)."""
        if self.group.queue.entries:
            self.group.flush_expired()

    def clear(self) -> None:
        """The ped is removed or became mirrored: queue and history are emptied."""
        self.group.clear()
        self.history.clear()
