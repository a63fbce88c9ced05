"""What a ped is about to meet, and what it met: collisions (EVT-12, EVT-39, EVT-42, EVT-43)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ai.events.base import EditableEvent, Event, PlainEvent, Tag
from ai.events.priorities import EventPriority
from ai.events.types import EventType
from ai.ports import EntityRef, Vec3

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
