"""The event: something happened that may matter to a ped (EVT-02 to EVT-09).

What a class declares is checked once, when it is made, by ``registry``. Nothing
here knows queues, handlers or decision makers.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, TypeAlias

from ai.events import registry
from ai.events.decision_maker import NOTHING, Decided
from ai.events.event_clock import QUERY
from ai.events.priorities import EventPriority
from ai.ports import EntityRef, Vec3

if TYPE_CHECKING:
    from ai.events.event_clock import EventClock
    from ai.events.event_world import EventWorld
    from ai.events.response import EventResponse
    from ai.events.subject import EventPed
    from ai.events.types import EventType

NO_DELAY: Final = (0.0, 0.0)
Tag: TypeAlias = int | str
ScriptData: TypeAlias = dict[str, Any]
"""Numbers, strings, booleans and entity ids only: it must survive ``json.dumps``."""

_BY_TUNING: Final = -1


class EventRef:
    """What others keep of an event; reads None once it was flushed, evicted or answered."""

    __slots__ = ("_event",)

    def __init__(self, event: Event) -> None:
        self._event: Event | None = event

    def get(self) -> Event | None:
        """The event, or None once it has left its queue."""
        return self._event

    def invalidate(self) -> None:
        """The event leaves its queue; called by the queue alone."""
        self._event = None


class Event:
    """Base of every event.

    - ``source``, ``target``: weak handles. ``tag``: who added it; not compared.
    - ``ticks``: handler passes so far. ``lifetime_ticks`` and ``delay_range_s`` are the
      type's own, from tuning, unless the maker of the event names others.
    - ``persistent``: never expires by ticks. ``flagged``: to be deleted, overrides that.
    - ``being_processed``: the handler works on it; protects it from being flushed.
    - ``delay_steps``: steps left until it may be chosen; None until drawn.
    - ``event_id``: number of the queued clone, unique in a run; 0 outside a queue.

    Invariant: a queue owns a clone, the maker keeps its own object (EVT-05).
    """

    __slots__ = (
        "_advanced_in_pass",
        "_ref",
        "being_processed",
        "delay_range_s",
        "delay_steps",
        "event_id",
        "flagged",
        "is_past_delay",
        "lifetime_ticks",
        "passed_over_in",
        "persistent",
        "source",
        "tag",
        "target",
        "ticks",
    )

    event_type: EventType
    rank: ClassVar[EventPriority] = EventPriority.NONE
    """Priority of a type that has a fixed one."""
    PAYLOAD: ClassVar[tuple[str, ...]] = ()
    """Attributes that a clone copies beside the base's."""
    DISCRIMINATORS: ClassVar[tuple[str, ...]] = ()
    """Attributes of the payload that tell two events of one type and source apart (EVT-06)."""
    is_temporary: bool = False
    is_editable: ClassVar[bool] = False
    is_for_scripts: ClassVar[bool] = False
    """Session and error events: never in a ped's, a vehicle's or the global group."""
    never_evicted: ClassVar[bool] = False
    concerns_the_dead: bool = False
    exposed_to_scripts: ClassVar[bool] = False
    requires_ragdoll_abort: bool = False
    requires_melee_abort: bool = False
    needs_decision: bool = False
    """It is answered by a decision, and not without one."""
    will_respond: bool = True
    """False once it was decided to stay unanswered."""

    def __init_subclass__(cls) -> None:
        """Check and register a class that declares a type (EVT-02, EVT-10)."""
        super().__init_subclass__()
        registry.declare(cls)

    def __init__(
        self,
        source: EntityRef | None = None,
        target: EntityRef | None = None,
        *,
        tag: Tag = 0,
        lifetime_ticks: int | None = None,
        delay_range_s: tuple[float, float] | None = None,
    ) -> None:
        self.source = source
        self.target = target
        self.tag = tag
        self.lifetime_ticks = _BY_TUNING if lifetime_ticks is None else lifetime_ticks
        self.delay_range_s = delay_range_s
        self.persistent = False
        self.reset_state()

    def reset_state(self) -> None:
        """Fresh ticks, delay and marks: a new event, or a clone."""
        self.ticks = 0
        self.flagged = False
        self.being_processed = False
        self.delay_steps: int | None = None
        self.is_past_delay = self.delay_range_s is None or self.delay_range_s == NO_DELAY
        self.event_id = 0
        self.passed_over_in = -1
        self._advanced_in_pass = -1
        self._ref: EventRef | None = None

    # -- what every class says ----------------------------------------------------------

    @abstractmethod
    def priority(self, ped: EventPed) -> EventPriority:
        """How urgent it is to this ped now; read afresh each time it is needed."""
        raise NotImplementedError

    @abstractmethod
    def clone(self) -> Self:
        """An independent copy with fresh ticks, delay and decision (EVT-05)."""
        raise NotImplementedError

    @abstractmethod
    def same_as(self, other: Event) -> bool:
        """Do both mean the same? Never raises (EVT-06)."""
        raise NotImplementedError

    @abstractmethod
    def script_data(self) -> ScriptData:
        """What a script may read of it."""
        raise NotImplementedError

    # -- what a class may say -----------------------------------------------------------

    def has_priority_over(self, other: Event, ped: EventPed) -> bool:
        """Strictly: equal priorities do not displace each other (EVT-08)."""
        return self.priority(ped) > other.priority(ped)

    def affects_ped(self, ped: EventPed) -> bool:
        """Does the event concern this ped? Asked at admission and again at selection."""
        return self.concerns_the_dead or not ped.is_dead

    def is_valid_for_ped(self, ped: EventPed) -> bool:
        """Do its references still make sense?"""
        if self.source is None and self.target is None:
            return True
        world = ped.events.services.world
        return (self.source is None or world.exists(self.source)) and (
            self.target is None or world.exists(self.target)
        )

    def position(self, world: EventWorld) -> Vec3 | None:
        """Where it happens: the source's position, else None."""
        return None if self.source is None else world.position_of(self.source)

    def source_ped(self, world: EventWorld) -> EntityRef | None:
        """The ped behind the source: itself, or a vehicle's driver."""
        return None if self.source is None else world.ped_behind(self.source)

    def can_be_interrupted_by_same_type(self, new: Event, ped: EventPed) -> bool:  # noqa: ARG002
        """May a new event of this type displace the answer to this one? (EVT-57)."""
        return False

    def create_response(self, ped: EventPed, response: EventResponse) -> None:
        """Put tasks into the container; nothing is an answer too."""

    def on_added(self, ped: EventPed) -> None:
        """A queue has taken it: what takes over a body can't wait for a far ped's turn (EVT-09)."""
        if self.requires_ragdoll_abort:
            ped.force_full_update()

    def on_response_started(self, ped: EventPed) -> None:
        """Its response was committed."""

    def exposed_to_ped(self, ped: EventPed) -> bool:  # noqa: ARG002
        """Does the global group offer it to this ped? (EVT-32)."""
        return False

    def refused_by(self, ped: EventPed) -> None:
        """The ped did not take it in when it was offered; most events do not mind."""

    def exposed_to_occupant(self, ped: EventPed) -> bool:  # noqa: ARG002
        """Does a vehicle's group offer it to this occupant? (EVT-27)."""
        return False

    def process_in_global_group(self, step: int) -> bool:  # noqa: ARG002
        """True keeps it in the global group for another step (EVT-36)."""
        return False

    def try_combine(self, other: Event) -> bool:  # noqa: ARG002
        """Take another global event into this one; True if that was done (EVT-35)."""
        return False

    def release(self) -> None:
        """The queue's clone is over: give back what it carries, once."""

    # -- time ---------------------------------------------------------------------------

    @property
    def in_delay(self) -> bool:
        """True from the creation until the delay has run out, if the event has one."""
        return not self.is_past_delay

    @property
    def expired(self) -> bool:
        """Over (EVT-03). With lifetime n it gets n + 1 passes."""
        return self.flagged or (
            self.is_past_delay and self.ticks > self.lifetime_ticks and not self.persistent
        )

    def tick(self, clock: EventClock) -> None:
        """Count a pass; nothing in a query."""
        clock.check_open()
        if clock.mode != QUERY:
            self.ticks += 1

    def un_tick(self) -> None:
        """Take a pass back, not below 0."""
        if self.ticks > 0:
            self.ticks -= 1

    def is_ready(self, ped: EventPed, clock: EventClock) -> bool:
        """May it be chosen yet? (EVT-21).

        The first call of an update draws the delay; each later pass takes the steps since
        the previous one off, once however often it is asked. Its ticks start anew when it
        becomes ready. Raises ``EventClockError`` outside an update or query.
        """
        clock.check_open()
        if self.is_past_delay:
            return True
        if clock.mode == QUERY or self._advanced_in_pass == clock.pass_no:
            return False
        self._advanced_in_pass = clock.pass_no
        if self.delay_steps is None:
            assert self.delay_range_s is not None
            self.delay_steps = clock.ledger.draw(
                self.event_type, self.delay_range_s, ped.reaction_rng, ped.events.reaction_scale
            )
        else:
            self.delay_steps -= clock.steps
        if self.delay_steps > 0:
            return False
        self.is_past_delay = True
        self.ticks = 0
        return True

    # -- for the queue ------------------------------------------------------------------

    @property
    def lifetime_is_open(self) -> bool:
        """No maker named a lifetime: tuning does, at admission."""
        return self.lifetime_ticks == _BY_TUNING

    def give_defaults(self, lifetime_ticks: int, delay_range_s: tuple[float, float]) -> None:
        """At admission: what the type's tuning says, where the maker said nothing."""
        if self.lifetime_is_open:
            self.lifetime_ticks = lifetime_ticks
        if self.delay_range_s is None:
            self.delay_range_s = delay_range_s
        self.is_past_delay = self.delay_range_s == NO_DELAY

    def ref(self) -> EventRef:
        """The one handle of this event."""
        if self._ref is None:
            self._ref = EventRef(self)
        return self._ref

    def leave_queue(self) -> None:
        """It was flushed, evicted or answered: handles read None from now on."""
        if self._ref is not None:
            self._ref.invalidate()
            self._ref = None

    def __repr__(self) -> str:
        number = f"#{self.event_id}" if self.event_id else ""
        return f"{self.event_type.name}{number}"


class PlainEvent(Event):
    """An event whose class lists its payload; what has to be said follows from the lists."""

    __slots__ = ()

    def priority(self, ped: EventPed) -> EventPriority:  # noqa: ARG002
        """The type's own."""
        return self.rank

    def clone(self) -> Self:
        """Copy the base's fields and ``PAYLOAD``."""
        cls = type(self)
        fresh = cls.__new__(cls)
        fresh.source = self.source
        fresh.target = self.target
        fresh.tag = self.tag
        fresh.lifetime_ticks = self.lifetime_ticks
        fresh.delay_range_s = self.delay_range_s
        fresh.persistent = self.persistent
        for name in cls.PAYLOAD:
            setattr(fresh, name, getattr(self, name))
        fresh.reset_state()
        return fresh

    def same_as(self, other: Event) -> bool:
        """Type, source, target and ``DISCRIMINATORS`` agree."""
        if (
            type(other) is not type(self)
            or other.event_type != self.event_type
            or other.source != self.source
            or other.target != self.target
        ):
            return False
        for name in self.DISCRIMINATORS:
            if getattr(self, name) != getattr(other, name, None):
                return False
        return True

    def script_data(self) -> ScriptData:
        """Source, target, and the plain values of the payload."""
        data: ScriptData = {"type": self.event_type.name}
        for name in ("source", "target", *self.PAYLOAD):
            value = getattr(self, name)
            if value is None or isinstance(value, (bool, int, float, str)):
                data[name] = value
            elif isinstance(value, (EntityRef, Vec3)):
                data[name] = list(value)
        return data


class EditableEvent(PlainEvent):
    """An event whose response is looked up in a decision maker.

    - ``decision`` is None until it is computed, then fixed (EVT-82).
    - ``adds_physical_response``: the class puts a physical part into the container too.
    """

    __slots__ = ("decision",)

    is_editable = True
    adds_physical_response: ClassVar[bool] = False

    def reset_state(self) -> None:
        """Undecided."""
        super().reset_state()
        self.decision: Decided | None = None

    @property
    def needs_decision(self) -> bool:  # type: ignore[override]
        """Unless a class knows better."""
        return True

    @property
    def will_respond(self) -> bool:  # type: ignore[override]
        """Not decided yet, or decided for something."""
        return self.decision is None or self.decision.definition is not None

    def create_response(self, ped: EventPed, response: EventResponse) -> None:
        """What the decision says, through the response factory (EVT-85).

        A factory that answers none makes "none" of the decision, and that is remembered.
        """
        decision, services = self.decision, ped.events.services
        if (
            decision is not None
            and decision.definition is not None
            and not services.factory.build(ped, self, decision, response)
        ):
            ped.events.memory.remember_none(
                self.event_type, self.source, decision.band, services.clock.step
            )
            self.decision = NOTHING
