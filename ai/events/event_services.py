"""What all peds of a world share of the event system."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from ai.events.budget import EventBudget
from ai.events.decision_data import DecisionData
from ai.events.decision_makers import DecisionMakers
from ai.events.decision_trace import DecisionTrace
from ai.events.event_tuning import EventTuning
from ai.events.event_world import EventWorld
from ai.events.factory import ResponseFactory
from ai.events.global_events import GlobalEvents
from ai.events.inform import InformQueues
from ai.events.reaction_delays import STEPS_PER_S, DelayLedger
from ai.events.script_groups import ScriptGroups
from ai.events.shocking_data import ShockingTuning
from ai.ports import Clock

if TYPE_CHECKING:
    from ai.events.base import Event
    from ai.events.subject import EventPed
    from ai.events.task_events import ScriptCommandEvent
    from ai.tasks.task import Task


class CommandDesk(Protocol):
    """What is told of commands as they are committed."""

    def placing(self, ped: EventPed) -> None:
        """One is about to be placed."""
        ...

    def performing(self, ped: EventPed, event: ScriptCommandEvent, task: Task) -> None:
        """Its task was placed."""
        ...


class NoCommands:
    """Nobody keeps records."""

    def placing(self, ped: EventPed) -> None:
        """Nothing is kept."""

    def performing(self, ped: EventPed, event: ScriptCommandEvent, task: Task) -> None:
        """Nothing is kept."""


class EventServices:
    """Made with the world, before its first ped (EVT-20).

    - ``full_traces``: peds made from now on keep the stages admit and select too.
    - ``world_trace``: what became of the world's own events.
    - ``commands``: who keeps the records of commands; ``on_say``: set by who speaks.
    - ``joins``: asked whether an event is a further threat for what a ped flees from already.
    """

    def __init__(
        self,
        clock: Clock,
        world: EventWorld,
        tuning: EventTuning,
        shocking: ShockingTuning,
        decisions: DecisionData,
        factory: ResponseFactory,
        *,
        full_traces: bool = False,
    ) -> None:
        self.clock = clock
        self.world = world
        self.tuning = tuning
        self.shocking = shocking
        self.factory = factory
        self.full_traces = full_traces
        self.budget = EventBudget(tuning.budget, tuning.base_share)
        self.delays = DelayLedger(
            clock,
            gap_steps=round(tuning.desync.gap_s * STEPS_PER_S),
            max_pushes=tuning.desync.max_pushes,
        )
        self.decision_makers = DecisionMakers(decisions.makers)
        self.scripts = ScriptGroups(clock, tuning)
        self.world_trace = DecisionTrace(clock, world, tuning.world_trace_records, full=full_traces)
        self.inform = InformQueues(self)
        self.global_events = GlobalEvents(self)
        self.commands: CommandDesk = NoCommands()
        self.on_say: Callable[[EventPed, str], None] = _ignore
        self.joins: Callable[[EventPed, Event], bool] = _nothing_to_join

    def say(self, ped: EventPed, line: str) -> None:
        """A response speaks."""
        self.on_say(ped, line)


def _nothing_to_join(_ped: EventPed, _event: Event) -> bool:
    return False


def _ignore(*_arguments: object) -> None:
    """Nobody listens."""
