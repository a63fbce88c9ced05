"""What happens to a ped's own body and way: collisions, damage, death, falls (EVT-12, EVT-16)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ai.events.base import EditableEvent, Event, PlainEvent, Tag
from ai.events.notice_events import tell_friends
from ai.events.priorities import EventPriority
from ai.events.types import EventType
from ai.ports import EntityRef, Vec3
from ai.tasks.task import Task, TaskRef

if TYPE_CHECKING:
    from ai.events.event_world import EventWorld
    from ai.events.response import EventResponse
    from ai.events.subject import EventPed


# -- what is about to be met (EVT-42, EVT-43) --------------------------------------------------


class PotentialCollisionEvent(EditableEvent):
    """``obstacle_id`` is about to be met, in ``time_s`` from now; ``at`` is where it is.

    Another obstacle that will be met sooner may displace the answer (EVT-57).
    """

    __slots__ = ("at", "obstacle_id", "time_s")
    is_temporary = True
    PAYLOAD: ClassVar[tuple[str, ...]] = ("at", "obstacle_id", "time_s")
    DISCRIMINATORS: ClassVar[tuple[str, ...]] = ("obstacle_id",)

    def __init__(
        self,
        obstacle_id: int,
        time_s: float,
        at: Vec3 | None = None,
        source: EntityRef | None = None,
        *,
        tag: Tag = 0,
    ) -> None:
        super().__init__(source, tag=tag)
        self.obstacle_id = obstacle_id
        self.time_s = time_s
        self.at = at

    def position(self, world: EventWorld) -> Vec3 | None:
        """Where the obstacle is."""
        return super().position(world) if self.at is None else self.at

    def has_priority_over(self, other: Event, ped: EventPed) -> bool:
        """Also over an equal one of its type that it may interrupt (EVT-08)."""
        return super().has_priority_over(other, ped) or displaces_equal(self, other, ped)

    def can_be_interrupted_by_same_type(self, new: Event, ped: EventPed) -> bool:  # noqa: ARG002
        """By another obstacle that comes sooner."""
        return (
            isinstance(new, PotentialCollisionEvent)
            and new.obstacle_id != self.obstacle_id
            and new.time_s < self.time_s
        )


def displaces_equal(new: Event, other: Event, ped: EventPed) -> bool:
    """Equal priority, same type, and the other says that it may be interrupted (EVT-08)."""
    return (
        new.event_type == other.event_type
        and new.priority(ped) == other.priority(ped)
        and other.can_be_interrupted_by_same_type(new, ped)
    )


class PotentialWalkIntoProp(PotentialCollisionEvent):
    """A prop ahead."""

    __slots__ = ()
    event_type = EventType.POTENTIAL_WALK_INTO_PROP
    rank = EventPriority.POT_PROP


class PotentialWalkIntoPed(PotentialCollisionEvent):
    """A ped ahead."""

    __slots__ = ()
    event_type = EventType.POTENTIAL_WALK_INTO_PED
    rank = EventPriority.POT_PED


class PotentialWalkIntoVehicle(PotentialCollisionEvent):
    """A vehicle ahead."""

    __slots__ = ()
    event_type = EventType.POTENTIAL_WALK_INTO_VEHICLE
    rank = EventPriority.POT_VEHICLE


class PotentialWalkIntoFire(PotentialCollisionEvent):
    """A fire ahead."""

    __slots__ = ()
    event_type = EventType.POTENTIAL_WALK_INTO_FIRE
    rank = EventPriority.POT_FIRE


class PotentialBeWalkedInto(PotentialCollisionEvent):
    """Somebody comes at this standing ped."""

    __slots__ = ()
    event_type = EventType.POTENTIAL_BE_WALKED_INTO
    rank = EventPriority.POT_BE_WALKED_INTO


class PotentialGetRunOver(PotentialCollisionEvent):
    """A moving vehicle comes at this ped."""

    __slots__ = ()
    event_type = EventType.POTENTIAL_GET_RUN_OVER
    rank = EventPriority.POT_RUN_OVER


class Heat(PotentialCollisionEvent):
    """Too close to the fire at ``at``."""

    __slots__ = ()
    event_type = EventType.HEAT
    rank = EventPriority.SHOCK_POTENTIAL_DANGER


# -- what was met (EVT-39) ---------------------------------------------------------------------


class CollisionEvent(EditableEvent):
    """A light contact with ``source``, or a wall."""

    __slots__ = ()
    is_temporary = True
    rank = EventPriority.COLLISION


class CollisionProp(CollisionEvent):
    """With a prop."""

    __slots__ = ()
    event_type = EventType.COLLISION_PROP


class CollisionPed(CollisionEvent):
    """With a ped."""

    __slots__ = ()
    event_type = EventType.COLLISION_PED


class CollisionPlayer(CollisionEvent):
    """With the player."""

    __slots__ = ()
    event_type = EventType.COLLISION_PLAYER


class CollisionVehicle(CollisionEvent):
    """With a vehicle."""

    __slots__ = ()
    event_type = EventType.COLLISION_VEHICLE


class ReplanEvent(PlainEvent):
    """The way is not as planned: the walk update's own replan deals with it, no task does."""

    __slots__ = ()
    is_temporary = True

    def create_response(self, ped: EventPed, response: EventResponse) -> None:  # noqa: ARG002
        """No task: say so, that the handler goes on."""
        self.flagged = True


class CollisionWall(ReplanEvent):
    """With what never moves."""

    __slots__ = ()
    event_type = EventType.COLLISION_WALL
    rank = EventPriority.COLLISION


# -- damage and death --------------------------------------------------------------------------


class DamageEvent(EditableEvent):
    """One hit; two hits are two events.

    - ``amount``: harm in [0, 1] (EVT-102). ``fatal``, ``ragdolls``, ``melee`` choose its
      priority (EVT-16). ``at``: where it struck.
    """

    __slots__ = ("amount", "at", "fatal", "hit_id", "melee", "ragdolls")
    event_type = EventType.DAMAGE
    PAYLOAD: ClassVar[tuple[str, ...]] = ("hit_id", "amount", "fatal", "ragdolls", "melee", "at")
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
        tag: Tag = 0,
    ) -> None:
        super().__init__(source, tag=tag)
        self.hit_id = hit_id
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
    """A task on the ground asks to get up or to roll; ``asked_by`` is that task (EVT-53)."""

    __slots__ = ("asked_by",)
    PAYLOAD: ClassVar[tuple[str, ...]] = ("asked_by",)
    requires_ragdoll_abort = True

    def __init__(self, asked_by: Task | TaskRef, *, tag: Tag = 0) -> None:
        super().__init__(tag=tag)
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
