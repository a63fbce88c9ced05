"""What happens to a ped's own body: damage, death, falls, getting up (EVT-12, EVT-16)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ai.events.base import EditableEvent, Event, PlainEvent, Tag
from ai.events.collision_events import ReplanEvent, displaces_equal
from ai.events.notice_events import tell_friends
from ai.events.priorities import EventPriority
from ai.events.types import EventType
from ai.ports import EntityRef, Impact, Vec3
from ai.tasks.task import Task, TaskRef

if TYPE_CHECKING:
    from ai.events.event_world import EventWorld
    from ai.events.response import EventResponse
    from ai.events.subject import EventPed


# -- damage and death --------------------------------------------------------------------------


class DamageEvent(EditableEvent):
    """One hit; two hits are two events.

    - ``amount``: harm in [0, 1] (EVT-102). ``fatal``, ``ragdolls``, ``melee`` choose its
      priority (EVT-16). ``at``: where it struck.
    - ``impact``: what pushes the body, for the physical part of the answer; None for harm
      without a push, and for a body that is down already.
    """

    __slots__ = ("amount", "at", "fatal", "hit_id", "impact", "melee", "ragdolls")
    event_type = EventType.DAMAGE
    PAYLOAD: ClassVar[tuple[str, ...]] = (
        "hit_id", "amount", "fatal", "ragdolls", "melee", "at", "impact",
    )  # fmt: skip
    DISCRIMINATORS: ClassVar[tuple[str, ...]] = ("hit_id",)
    adds_physical_response = True

    def __init__(
        self,
        hit_id: int,
        source: EntityRef | None = None,
        *,
        amount: float = 0.0,
        fatal: bool = False,
        ragdolls: bool = False,
        melee: bool = False,
        at: Vec3 | None = None,
        impact: Impact | None = None,
        tag: Tag = 0,
    ) -> None:
        super().__init__(source, tag=tag)
        self.hit_id = hit_id
        self.impact = impact
        self.amount = amount
        self.fatal = fatal
        self.ragdolls = ragdolls
        self.melee = melee
        self.at = at

    def priority(self, ped: EventPed) -> EventPriority:  # noqa: ARG002
        """EVT-16, first match wins."""
        if self.fatal:
            return EventPriority.DEATH_RAGDOLL if self.ragdolls else EventPriority.DEATH
        if self.ragdolls:
            return EventPriority.DAMAGE_RAGDOLL
        return EventPriority.DAMAGE_MELEE if self.melee else EventPriority.DAMAGE

    @property
    def requires_ragdoll_abort(self) -> bool:  # type: ignore[override]
        """It takes the body over."""
        return self.ragdolls or self.fatal

    @property
    def requires_melee_abort(self) -> bool:  # type: ignore[override]
        """A shove, a blow, anything swung."""
        return self.melee

    def position(self, world: EventWorld) -> Vec3 | None:
        """Where it struck, else where its source is."""
        return super().position(world) if self.at is None else self.at

    def has_priority_over(self, other: Event, ped: EventPed) -> bool:
        """Also over an earlier hit of equal weight."""
        return super().has_priority_over(other, ped) or displaces_equal(self, other, ped)

    def can_be_interrupted_by_same_type(self, new: Event, ped: EventPed) -> bool:  # noqa: ARG002
        """Every new hit counts (EVT-57)."""
        return isinstance(new, DamageEvent) and new.hit_id != self.hit_id

    def create_response(self, ped: EventPed, response: EventResponse) -> None:
        """A physical part, and what the decision says; a fatal one is the end (EVT-85)."""
        factory = ped.events.services.factory
        if self.fatal:
            factory.add("dying_dead", ped, self, response)
        else:
            factory.add("knocked_down" if self.ragdolls else "hit_reaction", ped, self, response)
            super().create_response(ped, response)
        if response.is_empty:
            self.flagged = True

    @property
    def needs_decision(self) -> bool:  # type: ignore[override]
        """A fatal hit is answered without one."""
        return not self.fatal

    @property
    def will_respond(self) -> bool:  # type: ignore[override]
        """There is a physical part whatever was decided."""
        return True

    def on_response_started(self, ped: EventPed) -> None:
        """Friends hear of it whatever the answer (EVT-34); the dead forget the rest (EVT-18)."""
        tell_friends(ped, self.source)
        if self.fatal:
            ped.events.died()


class FixedResponseEvent(PlainEvent):
    """An event whose answer is one response kind, named by ``response_kind``."""

    __slots__ = ()
    response_kind: ClassVar[str]

    def create_response(self, ped: EventPed, response: EventResponse) -> None:
        """The one kind; one that can't be built says so, that the handler goes on."""
        if not ped.events.services.factory.add(self.response_kind, ped, self, response):
            self.flagged = True


class OnFireEvent(FixedResponseEvent):
    """The ped burns."""

    __slots__ = ()
    event_type = EventType.ON_FIRE
    rank = EventPriority.ON_FIRE
    response_kind = "on_fire"

    def on_response_started(self, ped: EventPed) -> None:
        """The street sees somebody burn (EVT-100)."""
        ped.events.services.global_events.shock(
            EventType.SHOCKING_PED_ON_FIRE, ped.position, source=ped.ref
        )


class DeathEvent(FixedResponseEvent):
    """The ped dies; ``body_is_simulated`` raises it above orders to drag."""

    __slots__ = ("body_is_simulated",)
    event_type = EventType.DEATH
    PAYLOAD: ClassVar[tuple[str, ...]] = ("body_is_simulated",)
    response_kind = "dying_dead"
    concerns_the_dead = True
    requires_ragdoll_abort = True

    def __init__(
        self, source: EntityRef | None = None, *, body_is_simulated: bool = False, tag: Tag = 0
    ) -> None:
        super().__init__(source, tag=tag)
        self.body_is_simulated = body_is_simulated

    def priority(self, ped: EventPed) -> EventPriority:  # noqa: ARG002
        """EVT-16."""
        return EventPriority.DEATH_RAGDOLL if self.body_is_simulated else EventPriority.DEATH

    def on_response_started(self, ped: EventPed) -> None:
        """The dead forget the rest (EVT-18)."""
        ped.events.died()


class Revived(FixedResponseEvent):
    """Back to life."""

    __slots__ = ()
    event_type = EventType.REVIVED
    rank = EventPriority.REVIVED
    response_kind = "revived_stand"
    concerns_the_dead = True


class Restrained(FixedResponseEvent):
    """Held by ``source``."""

    __slots__ = ()
    event_type = EventType.RESTRAINED
    rank = EventPriority.RESTRAINED
    response_kind = "restrained"


class Incapacitated(FixedResponseEvent):
    """Alive and out of action."""

    __slots__ = ()
    event_type = EventType.INCAPACITATED
    rank = EventPriority.INCAPACITATED
    response_kind = "incapacitated"


# -- own state ---------------------------------------------------------------------------------


class SelfStateEvent(FixedResponseEvent):
    """What a ped notices about itself."""

    __slots__ = ()


class InAir(SelfStateEvent):
    """Nothing under its feet."""

    __slots__ = ()
    event_type = EventType.IN_AIR
    rank = EventPriority.IN_AIR
    is_temporary = True
    response_kind = "fall"


class InWater(SelfStateEvent):
    """In water."""

    __slots__ = ()
    event_type = EventType.IN_WATER
    rank = EventPriority.IN_WATER
    is_temporary = True
    response_kind = "leave_water"


class RouteClimb(SelfStateEvent):
    """The route goes over something."""

    __slots__ = ()
    event_type = EventType.ROUTE_CLIMB
    rank = EventPriority.ROUTE_CLIMB
    is_temporary = True
    response_kind = "climb_over"


class Stuck(ReplanEvent):
    """It wants to move and does not."""

    __slots__ = ()
    event_type = EventType.STUCK
    rank = EventPriority.STUCK


class RisingEvent(SelfStateEvent):
    """A task on the ground asks to get up or to roll (EVT-53).

    ``asked_by`` is that task, ``session`` the fall that it stands for (REC-23).
    """

    __slots__ = ("asked_by", "session")
    PAYLOAD: ClassVar[tuple[str, ...]] = ("asked_by", "session")
    requires_ragdoll_abort = True

    def __init__(self, asked_by: Task | TaskRef, session: int = 0, *, tag: Tag = 0) -> None:
        super().__init__(tag=tag)
        self.session = session
        self.asked_by = asked_by.ref() if isinstance(asked_by, Task) else asked_by


class GetUp(RisingEvent):
    """Get up."""

    __slots__ = ()
    event_type = EventType.GET_UP
    rank = EventPriority.GET_UP
    response_kind = "get_up"


class Roll(RisingEvent):
    """Roll off a hard landing."""

    __slots__ = ()
    event_type = EventType.ROLL
    rank = EventPriority.ROLL
    response_kind = "roll"
