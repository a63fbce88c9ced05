"""Events of level cues, scripts, relations, leaders, calls and vehicles (EVT-12, EVT-13)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from ai.events.base import EditableEvent, Event, PlainEvent, ScriptData, Tag
from ai.events.priorities import EventPriority
from ai.events.types import EventType
from ai.ports import EntityRef, Vec3

if TYPE_CHECKING:
    from ai.events.event_world import EventWorld
    from ai.events.response import EventResponse
    from ai.events.subject import EventPed

COMBINE_DISTANCE_CM: Final = 500.0
COMBINE_STEPS: Final = 60


class PlaceEvent(EditableEvent):
    """Something at a point, with or without a source. ``at`` stands for a source that is gone."""

    __slots__ = ("at",)
    PAYLOAD: ClassVar[tuple[str, ...]] = ("at",)

    def __init__(
        self,
        at: Vec3 | None,
        source: EntityRef | None = None,
        target: EntityRef | None = None,
        *,
        tag: Tag = 0,
    ) -> None:
        super().__init__(source, target, tag=tag)
        self.at = at

    def position(self, world: EventWorld) -> Vec3 | None:
        """Where it was noticed, else where its source is."""
        return super().position(world) if self.at is None else self.at


class AmbientNotice(PlaceEvent):
    """A level's hint that something is worth a glance: a door, music, the weather."""

    __slots__ = ()
    event_type = EventType.AMBIENT_NOTICE
    rank = EventPriority.ENV_TRIVIA
    is_temporary = True


class MergedNoise(PlaceEvent):
    """A global event that alike ones of near and soon join (EVT-35).

    - ``noise_id`` tells two of them apart; a combined one keeps the first's.
    - ``radius_cm``: how far it reaches; ``loudness`` decides whose place is kept.
    - ``start_step``: the first of them. ``count``: how many there were.
    """

    __slots__ = ("count", "loudness", "noise_id", "radius_cm", "start_step")
    PAYLOAD = ("at", "noise_id", "radius_cm", "loudness", "start_step", "count")
    DISCRIMINATORS: ClassVar[tuple[str, ...]] = ("noise_id",)
    exposed_to_scripts = True

    def __init__(
        self,
        at: Vec3,
        noise_id: int,
        radius_cm: float,
        start_step: int,
        *,
        loudness: float = 1.0,
        source: EntityRef | None = None,
        tag: Tag = 0,
    ) -> None:
        super().__init__(at, source, tag=tag)
        self.noise_id = noise_id
        self.radius_cm = radius_cm
        self.start_step = start_step
        self.loudness = loudness
        self.count = 1

    def exposed_to_ped(self, ped: EventPed) -> bool:
        """Within its radius."""
        assert self.at is not None
        return _squared(ped.position, self.at) <= self.radius_cm * self.radius_cm

    def try_combine(self, other: Event) -> bool:
        """Earliest start, larger radius, the louder one's place, the sum of counts."""
        if not isinstance(other, MergedNoise) or other.event_type != self.event_type:
            return False
        assert self.at is not None
        assert other.at is not None
        far = _squared(self.at, other.at) > COMBINE_DISTANCE_CM * COMBINE_DISTANCE_CM
        if far or abs(self.start_step - other.start_step) > COMBINE_STEPS:
            return False
        self.start_step = min(self.start_step, other.start_step)
        self.radius_cm = max(self.radius_cm, other.radius_cm)
        if other.loudness > self.loudness:
            self.loudness, self.at = other.loudness, other.at
        self.count += other.count
        if other.source != self.source:
            self.source = None
        return True


class SuspiciousActivity(MergedNoise):
    """Somebody does what one does not do."""

    __slots__ = ()
    event_type = EventType.SUSPICIOUS_ACTIVITY
    rank = EventPriority.INVESTIGATE


class ScriptDataEvent(EditableEvent):
    """A level script tells a ped something, with a payload of plain values."""

    __slots__ = ("data",)
    PAYLOAD: ClassVar[tuple[str, ...]] = ("data",)

    def __init__(
        self, data: dict[str, Any], source: EntityRef | None = None, *, tag: Tag = 0
    ) -> None:
        super().__init__(source, tag=tag)
        self.data = dict(data)

    def script_data(self) -> ScriptData:
        """The payload with it."""
        return {**super().script_data(), **self.data}


class ScriptWithData(ScriptDataEvent):
    """Answered as the decision maker lists."""

    __slots__ = ()
    event_type = EventType.SCRIPT_WITH_DATA
    rank = EventPriority.SCRIPT_WITH_DATA


class SafeResponseEvent(ScriptDataEvent):
    """Something to be fled from, named by code or script (SAFE-02)."""

    __slots__ = ()
    event_type = EventType.SAFE_RESPONSE
    rank = EventPriority.SCRIPT_WITH_DATA


class ScenarioForceAction(PlainEvent):
    """A scenario point makes a ped act."""

    __slots__ = ()
    event_type = EventType.SCENARIO_FORCE_ACTION
    rank = EventPriority.SCENARIO_FORCE


class RelationEvent(EditableEvent):
    """A ped is met whom this one has a relation to; ``source`` is that ped."""

    __slots__ = ()


class AcquaintanceLike(RelationEvent):
    """Somebody liked."""

    __slots__ = ()
    event_type = EventType.ACQUAINTANCE_LIKE
    rank = EventPriority.RELATION_LIKE


class AcquaintanceDislike(RelationEvent):
    """Somebody disliked."""

    __slots__ = ()
    event_type = EventType.ACQUAINTANCE_DISLIKE
    rank = EventPriority.RELATION_DISLIKE


class AcquaintanceHate(RelationEvent):
    """Somebody hated."""

    __slots__ = ()
    event_type = EventType.ACQUAINTANCE_HATE
    rank = EventPriority.RELATION_HATE

    def on_response_started(self, ped: EventPed) -> None:
        """Friends hear of it whatever the answer (EVT-34)."""
        tell_friends(ped, self.source)


class FriendRespondedToThreat(RelationEvent):
    """A friend has a threat, which is the ``source``."""

    __slots__ = ()
    event_type = EventType.FRIEND_RESPONDED_TO_THREAT
    rank = EventPriority.RELATION_HATE


def tell_friends(ped: EventPed, threat: EntityRef | None) -> None:
    """Queue the news of a threat for the friends of a ped (EVT-34)."""
    if threat is not None:
        ped.events.services.inform.tell_friends(ped, FriendRespondedToThreat(threat))


class ProvokedEvent(EditableEvent):
    """Pushed, insulted, blocked by ``source``; friends hear of it when it comes to blows."""

    __slots__ = ()
    event_type = EventType.PROVOKED
    rank = EventPriority.PROVOKED

    def on_response_started(self, ped: EventPed) -> None:
        """EVT-34: only when answered by combat."""
        if self.decision is not None and self.decision.kind == "combat":
            tell_friends(ped, self.source)


class GroupCall(EditableEvent):
    """A member of the group calls; ``source`` is the caller."""

    __slots__ = ()


class CallForCover(GroupCall):
    """Cover me."""

    __slots__ = ()
    event_type = EventType.CALL_FOR_COVER
    rank = EventPriority.CALL_FOR_COVER


class ShoutTargetPosition(GroupCall):
    """There it is: ``target``."""

    __slots__ = ()
    event_type = EventType.SHOUT_TARGET_POSITION
    rank = EventPriority.SHOUT


class ShoutBlockingLine(GroupCall):
    """Out of my line."""

    __slots__ = ()
    event_type = EventType.SHOUT_BLOCKING_LINE
    rank = EventPriority.SHOUT
    is_temporary = True


class VehicleSeized(EditableEvent):
    """The vehicle ``target`` is being taken by ``source``."""

    __slots__ = ()
    event_type = EventType.VEHICLE_SEIZED
    rank = EventPriority.CARJACK

    def exposed_to_occupant(self, ped: EventPed) -> bool:
        """To everybody in it but who takes it."""
        return ped.ref != self.source


class TransitRide(PlainEvent):
    """A ride in public transport goes on."""

    __slots__ = ()
    event_type = EventType.TRANSIT_RIDE
    rank = EventPriority.ENV_TRANSIT


class LeaderEvent(PlainEvent):
    """The leader, ``source``, gives an order by what it does."""

    __slots__ = ()
    rank = EventPriority.LEADER

    def create_response(self, ped: EventPed, response: EventResponse) -> None:
        """What was decided; who was told nothing to do says so."""
        super().create_response(ped, response)
        if response.is_empty:
            self.flagged = True


class LeaderEnteredVehicle(LeaderEvent):
    """Get in."""

    __slots__ = ()
    event_type = EventType.LEADER_ENTERED_VEHICLE


class LeaderLeftVehicle(LeaderEvent):
    """Get out."""

    __slots__ = ()
    event_type = EventType.LEADER_LEFT_VEHICLE


class LeaderMovedOff(LeaderEvent):
    """Come along."""

    __slots__ = ()
    event_type = EventType.LEADER_MOVED_OFF


class LeaderHold(LeaderEvent):
    """Wait here."""

    __slots__ = ()
    event_type = EventType.LEADER_HOLD


def _squared(one: Vec3, other: Vec3) -> float:
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2
