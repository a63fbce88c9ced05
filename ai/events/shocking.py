"""Shocking events: what a whole street may see and hear (EVT-86 to EVT-90)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from ai.events import registry
from ai.events.base import EditableEvent, Event, ScriptData, Tag
from ai.events.collision_events import displaces_equal
from ai.events.priorities import EventPriority
from ai.events.response_kinds import FLEEING_KINDS, WATCHING_KINDS
from ai.events.shocking_data import SHOCKING_TYPES, ShockingTuning, ShockKind
from ai.events.types import EventType
from ai.ports import EntityRef, Vec3

if TYPE_CHECKING:
    from ai.events.event_world import EventWorld
    from ai.events.subject import EventPed

_NOT_FOR_FRIENDS: Final = frozenset(
    {
        EventType.SHOCKING_RUNNING_PED,
        EventType.SHOCKING_MAD_DRIVER,
        EventType.SHOCKING_WEAPON_DRAWN,
        EventType.SHOCKING_FIGHT,
        EventType.SHOCKING_WEAPON_THREAT,
        EventType.SHOCKING_BANG,
    }
)
"""Kinds that friends and group of the source take no notice of (EVT-88)."""

_FIRST_DANGEROUS: Final = EventPriority.SHOCK_DANGEROUS


LOOK_AGAIN_STEPS: Final = 6
"""Who refused it (unseen, unheard, no room) is asked again after a tenth of a second."""


class Offer(NamedTuple):
    """A ped decided on a cause; ``ended_step`` is -1 while its response runs."""

    step: int
    place: Vec3
    priority: EventPriority
    ended_step: int


class FleeStart(NamedTuple):
    """A ped started to flee from a cause."""

    ped: EntityRef
    place: Vec3
    step: int


class ShockCause:
    """What all clones of one shocking event share, and which is released with the last.

    - ``at`` follows the source while it exists.
    - ``sensed``: who noticed it, and whether by sight; once counts for its whole life.
    - ``look_again``: the step from which on it is offered anew to who refused it.
    - ``queued``: who has it in the queue, by ped id. ``offered_to``: who decided on it.
      ``watchers``: who watches now.
    - ``cause_id``: the maker's own number of it, None where the source tells causes apart.
      ``uninvolved``: who takes no notice of it.
    - ``priority_far``, ``priority_close`` (within ``close_cm``): what the kind says, as the
      per-step path wants it.
    """

    __slots__ = (
        "at",
        "cause_id",
        "close_cm",
        "flee_starts",
        "has_stampede",
        "kind",
        "look_again",
        "number",
        "offered_to",
        "other",
        "priority_close",
        "priority_far",
        "queued",
        "sensed",
        "start_step",
        "tuning",
        "uninvolved",
        "watchers",
    )

    def __init__(
        self,
        number: int,
        kind: ShockKind,
        tuning: ShockingTuning,
        at: Vec3,
        start_step: int,
        other: EntityRef | None = None,
        cause_id: int | None = None,
    ) -> None:
        self.number = number
        self.kind = kind
        self.tuning = tuning
        self.at = at
        self.start_step = start_step
        self.other = other
        self.cause_id = cause_id
        self.uninvolved: dict[EntityRef, None] = {}
        self.priority_far: EventPriority = kind.shock_class(math.inf).value
        self.close_cm = -1.0 if kind.close is None else kind.close.distance_cm
        self.priority_close: EventPriority = kind.shock_class(self.close_cm).value
        self.queued: dict[int, None] = {}
        self.sensed: dict[EntityRef, bool] = {}
        self.look_again: dict[EntityRef, int] = {}
        self.offered_to: dict[EntityRef, Offer] = {}
        self.watchers: dict[EntityRef, None] = {}
        self.flee_starts: list[FleeStart] = []
        self.has_stampede = False


class ShockingEvent(EditableEvent):
    """One cause, as the global group keeps it or as a clone in a ped's queue.

    - Made through ``GlobalEvents.shock``, once a cause.
    - ``hops``: how often the news of it may still be passed on (EVT-34).
    - ``queued_by``: id of the ped in whose queue it is; ``decided_by``: where it was decided.
    """

    __slots__ = ("cause", "decided_by", "event_type", "hops", "queued_by")
    PAYLOAD: ClassVar[tuple[str, ...]] = ("event_type", "cause", "hops")
    exposed_to_scripts = True

    def __init__(
        self,
        event_type: EventType,
        cause: ShockCause,
        source: EntityRef | None,
        *,
        hops: int = 1,
        tag: Tag = 0,
    ) -> None:
        super().__init__(source, tag=tag, lifetime_ticks=cause.kind.life_ticks)
        self.event_type = event_type
        self.cause = cause
        self.hops = hops
        self.delay_range_s = (0.0, 0.0)

    def reset_state(self) -> None:
        """In nobody's queue, decided by nobody."""
        super().reset_state()
        self.queued_by: int | None = None
        self.decided_by: EntityRef | None = None

    def for_peds(self) -> ShockingEvent:
        """The form that is offered: short-lived, with the kind's reaction delay (EVT-86)."""
        cause = self.cause
        form = ShockingEvent(self.event_type, cause, self.source, hops=self.hops, tag=cause.number)
        form.lifetime_ticks = cause.tuning.lifetime_ticks
        form.delay_range_s = cause.kind.delay_s
        return form

    # -- what it is ---------------------------------------------------------------------

    def same_as(self, other: Event) -> bool:
        """Clones of one global event are equal, others are not (EVT-06)."""
        return isinstance(other, ShockingEvent) and other.cause is self.cause

    def position(self, world: EventWorld) -> Vec3:
        """Where the source is, or was last."""
        if self.source is not None:
            place = world.position_of(self.source)
            if place is not None:
                self.cause.at = place
        return self.cause.at

    def is_valid_for_ped(self, ped: EventPed) -> bool:  # noqa: ARG002
        """A place stays a place when its source is gone."""
        return True

    def priority(self, ped: EventPed) -> EventPriority:
        """By kind, raised at close range, at the moment of asking (EVT-87)."""
        cause = self.cause
        if cause.close_cm < 0.0:
            return cause.priority_far
        close = self.distance_to(ped) <= cause.close_cm
        return cause.priority_close if close else cause.priority_far

    def has_priority_over(self, other: Event, ped: EventPed) -> bool:
        """Also over an equal one that it may interrupt (EVT-08)."""
        return super().has_priority_over(other, ped) or displaces_equal(self, other, ped)

    def can_be_interrupted_by_same_type(self, new: Event, ped: EventPed) -> bool:
        """By a graver one, or an equal one at less than half the distance (EVT-57)."""
        if not isinstance(new, ShockingEvent):
            return False
        answered = self.cause.offered_to.get(ped.ref)
        priority = new.priority(ped)
        if answered is not None and priority > answered.priority:
            return True
        return (
            new.cause is not self.cause
            and priority == self.priority(ped)
            and new.distance_to(ped) < 0.5 * self.distance_to(ped)
        )

    def script_data(self) -> ScriptData:
        """Type, place, parties."""
        data = super().script_data()
        data.update(id=self.cause.number, at=list(self.cause.at))
        data["other"] = None if self.cause.other is None else list(self.cause.other)
        return data

    # -- whom it concerns (EVT-88, EVT-89) ----------------------------------------------

    def exposed_to_ped(self, ped: EventPed) -> bool:
        """In reach, not queued yet, and not decided on already."""
        cause = self.cause
        if ped.ped_id in cause.queued:
            return False
        if cause.look_again.get(ped.ref, 0) > ped.events.services.clock.step:
            return False
        reach = cause.kind.reach_cm
        place = self.position(ped.events.services.world)
        here = ped.position
        squared = (place.x - here.x) ** 2 + (place.y - here.y) ** 2
        return squared <= reach * reach and not self.was_offered(ped)

    def affects_ped(self, ped: EventPed) -> bool:
        """Does it matter to this ped? A clone that it decided on stays its business."""
        if self.decision is not None:
            return not ped.is_dead
        cause = self.cause
        if ped.is_dead or ped.is_mirrored or ped.ref in (self.source, cause.other):
            return False
        if ped.ref in cause.uninvolved:
            return False
        if ped.events.ignore_shocking and self.priority(ped) < _FIRST_DANGEROUS:
            return False
        world = ped.events.services.world
        if self.source is not None:
            behind = world.ped_behind(self.source)
            if behind == ped.ref:
                return False
            if (
                behind is not None
                and self.event_type in _NOT_FOR_FRIENDS
                and (world.are_friends(ped.ref, behind) or behind in world.group_of(ped.ref))
            ):
                return False
        return self._is_sensed_by(ped) and not self.was_offered(ped)

    def _is_sensed_by(self, ped: EventPed) -> bool:
        cause = self.cause
        if ped.ref in cause.sensed:
            return True
        world = ped.events.services.world
        place = self.position(world)
        distance = self.distance_to(ped)
        if distance <= cause.kind.see_cm and world.can_see(ped, place):
            cause.sensed[ped.ref] = True
        elif distance <= cause.kind.hear_cm and world.can_hear(ped, place, cause.kind.hear_cm):
            cause.sensed[ped.ref] = False
        else:
            return False
        return True

    def refused_by(self, ped: EventPed) -> None:
        """It is not offered to this ped again for a moment."""
        self.cause.look_again[ped.ref] = ped.events.services.clock.step + LOOK_AGAIN_STEPS

    def was_seen_by(self, ped: EventPed) -> bool:
        """Noticed by sight."""
        return self.cause.sensed.get(ped.ref, False)

    def told_to(self, ped: EventPed) -> None:
        """Who is told of it counts as having sensed it (EVT-90)."""
        self.cause.sensed.setdefault(ped.ref, False)

    def was_offered(self, ped: EventPed) -> bool:
        """Decided on, and not renewed since (EVT-89)."""
        cause = self.cause
        offer = cause.offered_to.get(ped.ref)
        if offer is None:
            return False
        services = ped.events.services
        again = cause.tuning.offer
        place = self.position(services.world)
        if self.priority(ped) > offer.priority:
            return False
        if math.dist(place[:2], offer.place[:2]) > again.moved_cm:
            return False
        return not (
            offer.ended_step >= 0
            and services.clock.step - offer.ended_step >= round(again.after_s * 60)
            and self.distance_to(ped) <= again.inside_share_of_see * cause.kind.see_cm
        )

    def distance_to(self, ped: EventPed) -> float:
        """Between the ped and where it happens, in cm."""
        place = self.position(ped.events.services.world)
        here = ped.position
        return math.hypot(place.x - here.x, place.y - here.y)

    # -- what comes of it (EVT-89, EVT-90) ----------------------------------------------

    def after_decision(self, ped: EventPed) -> None:
        """Note the offer, and the watcher's place."""
        services = ped.events.services
        step = services.clock.step
        nothing = self.decision is None or self.decision.definition is None
        self.cause.offered_to[ped.ref] = Offer(
            step, self.position(services.world), self.priority(ped), step if nothing else -1
        )
        self.decided_by = ped.ref
        if self.decision is not None and self.decision.kind in WATCHING_KINDS:
            self.cause.watchers[ped.ref] = None

    def on_added(self, ped: EventPed) -> None:
        """It is not offered again while it is queued here."""
        super().on_added(ped)
        self.queued_by = ped.ped_id
        self.cause.queued[ped.ped_id] = None

    def leave_queue(self) -> None:
        """From now on it may be."""
        super().leave_queue()
        if self.queued_by is not None:
            self.cause.queued.pop(self.queued_by, None)
            self.queued_by = None

    def has_room_for_watcher(self) -> bool:
        """May one more ped watch? (EVT-90 d)."""
        limit = self.cause.kind.max_watchers
        return limit < 0 or len(self.cause.watchers) < limit

    def on_response_started(self, ped: EventPed) -> None:
        """Group and street hear of it."""
        assert self.decision is not None
        services = ped.events.services
        if self.decision.kind in FLEEING_KINDS and self.priority(ped) >= _FIRST_DANGEROUS:
            if self.hops > 0:
                services.inform.tell_group(ped, self)
            services.global_events.flee_started(self, ped)
        elif self.decision.kind in WATCHING_KINDS:
            services.inform.leader_watches(ped, self.position(services.world))

    def response_ended(self, step: int) -> None:
        """The ped that decided is done with it."""
        ref = self.decided_by
        if ref is not None:
            offer = self.cause.offered_to.get(ref)
            if offer is not None:
                self.cause.offered_to[ref] = offer._replace(ended_step=step)

    def release(self) -> None:
        """A watcher's place is free again."""
        if self.decided_by is not None:
            self.cause.watchers.pop(self.decided_by, None)

    # -- in the global group ------------------------------------------------------------

    def process_in_global_group(self, step: int) -> bool:  # noqa: ARG002
        """Kept until its life is over."""
        return not self.expired

    def refresh(self) -> None:
        """Its cause goes on: the life starts anew."""
        self.ticks = 0

    def is_of(self, event_type: EventType, source: EntityRef | None, cause_id: int | None) -> bool:
        """Is this the event of that cause? (one event per cause, EVT-86)."""
        if self.event_type != event_type or self.expired:
            return False
        if cause_id is not None or self.cause.cause_id is not None:
            return self.cause.cause_id == cause_id
        return source is not None and self.source == source


for _type in SHOCKING_TYPES:
    registry.register(_type, ShockingEvent)
