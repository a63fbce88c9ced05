"""The event handler: once a full update one event becomes tasks in slots (EVT-54 to EVT-62)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ai import settings
from ai.events.base import EditableEvent, Event
from ai.events.body_events import RisingEvent
from ai.events.committing import commit, is_below_movement, task_name
from ai.events.deciding import decide
from ai.events.decision_trace import Reason
from ai.events.event_errors import HandlerError
from ai.events.history import EventRecord
from ai.events.making_room import make_room
from ai.events.priorities import EventPriority
from ai.events.response import EventResponse
from ai.events.script_events import ErrorScriptException
from ai.events.selection import mark_invalid, select
from ai.events.task_events import GivePedTaskEvent
from ai.events.types import EventType
from ai.faults import faults
from ai.tasks.task import Task
from ai.tasks.task_entity import entity_label
from ai.tasks.task_errors import TaskPoolFull
from ai.tasks.trees import MOVEMENT, PRIMARY, SECONDARY

if TYPE_CHECKING:
    from ai.events.subject import EventPed

ROUNDS_MAX: Final = 16
"""Next-best rounds of one pass (EVT-58)."""

_DEATHS: Final = (EventPriority.DEATH, EventPriority.DEATH_RAGDOLL)
_BLOCK_BELOW: Final = EventPriority.BLOCK_NON_TEMP
_NEVER_BLOCKED: Final = (
    EventType.SCRIPT_COMMAND,
    EventType.LEADER_ENTERED_VEHICLE,
    EventType.LEADER_LEFT_VEHICLE,
    EventType.SCENARIO_FORCE_ACTION,
)
_ASKED_SLOTS: Final = ((PRIMARY, 0), (PRIMARY, 1), (PRIMARY, 2), (SECONDARY, 0), (MOVEMENT, 0))
"""Where a response may stand without a record (EVT-57)."""


class EventHandler:
    """One ped's handler.

    - At most one response is committed a pass.
    - ``refused_calls`` counts calls that came where the handler may not run.
    - ``last_step``: step of the previous pass, -1 before the first.
    """

    __slots__ = ("_ped", "last_step", "refused_calls")

    def __init__(self, ped: EventPed) -> None:
        self._ped = ped
        self.last_step = -1
        self.refused_calls = 0

    @property
    def pass_no(self) -> int:
        """Number of the last pass."""
        return self._ped.events.clock.pass_no

    def handle_events(self, *, full: bool = True) -> bool:
        """One pass (EVT-54); True if a response was committed.

        Raises ``HandlerError`` in strict mode for a partial update or a mirrored ped;
        otherwise such a call is counted and does nothing.
        """
        ped = self._ped
        events = ped.events
        if not full or ped.is_mirrored:
            return self._refuse_call()
        step = events.services.clock.step
        clock = events.clock
        clock.begin_updates(step - self.last_step if self.last_step >= 0 else 0)
        self.last_step = step
        try:
            history = events.history
            if not history.is_empty:
                history.refresh()
            queue = events.group.queue
            if not queue.entries:
                return False
            events.trace.pass_no = clock.pass_no
            queue.hold()
            try:
                for event in queue.entries:
                    event.tick(clock)
                chosen = select(ped, clock)
            finally:
                queue.let_go()
            committed = chosen is not None and self._respond(chosen)
            mark_invalid(ped)
            return committed
        finally:
            clock.end_updates()

    def _refuse_call(self) -> bool:
        self.refused_calls += 1
        if settings.strict:
            raise HandlerError(
                f"{entity_label(self._ped)}: events are handled in full updates of local peds alone"
            )
        return False

    # -- steps 5 to 12 ------------------------------------------------------------------

    def _respond(self, chosen: Event) -> bool:
        ped = self._ped
        events = ped.events
        event: Event | None = chosen
        before: Event | None = None
        for _ in range(ROUNDS_MAX):
            if event is None:
                return False
            if event is before:
                return self._loop_guard(event)
            forced = self._death_after_broken_drag(event)
            if forced is not None:
                event = forced
                events.trace.note(Reason.DEATH_FORCED, event, ped)
            event.being_processed = True
            try:
                outcome = self._try(event, may_interrupt=forced is not None)
            except TaskPoolFull:
                return False
            except Exception as error:
                self._contain(event, error)
                return False
            finally:
                event.being_processed = False
            if outcome is not None:
                return outcome
            before = event
            event = select(ped, events.clock)
            if event is not None:
                events.trace.note(Reason.NEXT_BEST, event, ped)
        return False

    def _try(self, event: Event, *, may_interrupt: bool) -> bool | None:
        """True: committed. False: the pass is over without. None: on to the next best."""
        ped = self._ped
        note = ped.events.trace.note
        if not may_interrupt:
            if ped.events.services.joins(ped, event):
                ped.events.group.queue.take(event)
                return None
            if not self._may_interrupt(event):
                return False
        if self._is_blocked(event):
            event.flagged = True
            note(Reason.BLOCKED_NON_TEMP, event, ped)
            return None
        if self._is_repeated(event):
            event.flagged = True
            return None
        response = EventResponse()
        try:
            return self._build_and_commit(event, response)
        finally:
            response.discard()

    def _build_and_commit(self, event: Event, response: EventResponse) -> bool | None:
        ped = self._ped
        note = ped.events.trace.note
        if isinstance(event, EditableEvent) and event.decision is None and event.needs_decision:
            decide(ped, event)
        event.create_response(ped, response)
        if response.is_empty:
            note(Reason.NO_RESPONSE, event, ped)
            return None
        if is_below_movement(ped, event, response):
            event.passed_over_in = ped.events.clock.pass_no
            note(Reason.BELOW_MOVEMENT, event, ped)
            return None
        refusing = make_room(ped, event, response)
        if refusing is not None:
            self._wait_for(event, refusing)
            return False
        return commit(ped, event, response)

    def _wait_for(self, event: Event, task: Task) -> None:
        """The event survives this step, and is built afresh in the next pass (EVT-61)."""
        ped = self._ped
        events = ped.events
        history = events.history
        step = events.services.clock.step
        event.un_tick()
        history.wait_for(task, step)
        name = task_name(task)
        events.trace.note(Reason.WAIT_ABORT, event, ped, name)
        overdue = round(events.services.tuning.abort_overdue_s * 60)
        if not history.aborting_reported and step - history.aborting_since >= overdue:
            history.aborting_reported = True
            events.trace.note(Reason.ABORT_OVERDUE, event, ped, name, f"state {task.state}")

    def _loop_guard(self, event: Event) -> bool:
        self._ped.events.trace.note(Reason.LOOP_GUARD, event, self._ped)
        if settings.strict:
            raise HandlerError(
                f"{event!r} neither responds nor says that it will not; its create_response "
                "must fill the container, or flag the event"
            )
        return False

    def _contain(self, event: Event, error: Exception) -> None:
        """A hook raised: the event goes, scripts hear of it, strict mode raises again."""
        if isinstance(error, HandlerError):
            raise error
        ped = self._ped
        event.flagged = True
        ped.events.trace.note(Reason.FAILED_IN_HOOK, event, ped, repr(error))
        faults.record("event_hook", f"{event!r}: {error!r}", entity_label(ped))
        ped.events.services.scripts.report(
            ErrorScriptException({"ped": ped.ped_id, "event": repr(event), "text": str(error)}),
            error,
        )

    # -- may it? ------------------------------------------------------------------------

    def _may_interrupt(self, event: Event) -> bool:
        """The rank table of EVT-53."""
        ped = self._ped
        history = ped.events.history
        current = history.current
        if current is None or self._continues(event, current):
            return True
        if not event.has_priority_over(current.event, ped):
            ped.events.trace.note(Reason.BELOW_CURRENT, event, ped, repr(current.event))
            return False
        stored = history.stored
        if (
            history.temp is not None
            and stored is not None
            and not event.is_temporary
            and not event.has_priority_over(stored.event, ped)
        ):
            ped.events.trace.note(Reason.BELOW_STORED, event, ped, repr(stored.event))
            return False
        return True

    @staticmethod
    def _continues(event: Event, current: EventRecord) -> bool:
        """Getting up passes if the task that asks for it is the current record's own."""
        if not isinstance(event, RisingEvent):
            return False
        task = event.asked_by.get()
        return task is not None and any(one.task is task for one in current.placed)

    def _death_after_broken_drag(self, chosen: Event) -> Event | None:
        """A broken drag must not leave the ped undying (EVT-55)."""
        ped = self._ped
        current = ped.events.history.current
        if (
            current is None
            or not isinstance(current.event, GivePedTaskEvent)
            or current.event.given_priority is not EventPriority.DRAGGED
            or chosen.priority(ped) > EventPriority.DRAGGED
        ):
            return None
        active = ped.tasks.tree(PRIMARY).active_root
        if active is not None and any(one.task is active for one in current.placed):
            return None
        for event in ped.events.group.queue.entries:
            if (
                not event.flagged
                and event.priority(ped) in _DEATHS
                and event.is_ready(ped, ped.events.clock)
            ):
                return event
        return None

    def _is_blocked(self, event: Event) -> bool:
        """Told to ignore what does not touch its body (EVT-56)."""
        ped = self._ped
        return (
            ped.events.block_non_temporary
            and not event.is_temporary
            and event.event_type not in _NEVER_BLOCKED
            and event.priority(ped) < _BLOCK_BELOW
        )

    def _is_repeated(self, event: Event) -> bool:
        """The same type is being answered already (EVT-57)."""
        ped = self._ped
        history = ped.events.history
        event_type = event.event_type
        for record in (history.temp, history.non_temp, history.movement):
            if (
                record is not None
                and record.event.event_type == event_type
                and not record.event.can_be_interrupted_by_same_type(event, ped)
            ):
                ped.events.trace.note(Reason.SAME_TYPE, event, ped)
                return True
        for tree, slot in _ASKED_SLOTS:
            root = ped.tasks.tree(tree).slots[slot]
            if (
                root is not None
                and not root.has_finished
                and root.is_response_for(event_type)
                and history.record_of(tree, slot) is None
            ):
                ped.events.trace.note(Reason.SAME_TYPE_BY_TASK, event, ped, task_name(root))
                return True
        return False
