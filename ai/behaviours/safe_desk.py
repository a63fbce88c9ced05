"""The desk of safe responses: who flees from what, from the first question to the clean-up (SAFE).

Three ways in. ``flee_from`` runs the flee policy for a script, ``queue`` takes a goal from
outside; both add a ``SAFE_RESPONSE`` event, whose answer is the flee task. ``begin_perceived``
is for the flee task of an event that the ped perceived by itself. From the start on the
record leads and the task follows: threats that move, further threats and lost ones are
looked after in ``pre_pass``, ahead of the ped's mind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from ai.behaviours.actor import Actor
from ai.behaviours.safe_checks import (
    add_own_entry,
    check_queue,
    distance_cm,
    drop_own_entry,
    is_answered_by_flee,
)
from ai.behaviours.safe_goals import drop_choice, flee_goal, order_of, points_of
from ai.behaviours.safe_record import (
    EventKey,
    SafeRefusal,
    SafeResponse,
    SafeResult,
    SafeState,
    Threat,
    key_of,
)
from ai.events.base import EditableEvent
from ai.events.decision_trace import Reason
from ai.events.notice_events import SafeResponseEvent
from ai.events.types import EventType
from ai.motion.claims import ClaimOwner
from ai.motion.execution import RequestReply
from ai.motion.movement_table import MoveStatus, SpeedMode, SuspendReason
from ai.navigation.flee_points import FleeRefused, GoalPoint
from ai.navigation.flee_tuning import SafeTuning
from ai.ports import EntityRef, FactSink, Markers, Vec3, at_least
from ai.tasks.trees import PRIMARY, PrimarySlot

if TYPE_CHECKING:
    from ai.events.base import Event
    from ai.events.event_world import EventWorld
    from ai.events.subject import EventPed
    from ai.tasks.task import Task

NOT_YET = SuspendReason.HIGHER_MOVE | SuspendReason.SUPPRESSED | SuspendReason.VEHICLE
"""What keeps a response from starting, beside a body that is down (SAFE-04)."""

SCRIPT: Final = "script"
"""What a scripted choice is made for."""

SafeReply: TypeAlias = SafeResponse | SafeRefusal | FleeRefused
Spot: TypeAlias = EntityRef | Vec3
"""What a script says is to be fled from: an entity, or a place."""


class _Asked(NamedTuple):
    """A flee that waits for its turn to choose."""

    spots: tuple[Spot, ...]
    safe_cm: float
    source: EntityRef | None
    tag: int | None


class SafeDesk:
    """Every ped's safe response.

    Invariants:

    - A ped has at most one live response; its last ended one stays readable (SAFE-01).
    - What was made for a response (its markers, its decision entry, its claim) is given back
      when it ends, once (SAFE-09).
    """

    def __init__(
        self, world: EventWorld, markers: Markers, facts: FactSink, tuning: SafeTuning, dt_s: float
    ) -> None:
        self._world = world
        self._markers = markers
        self._facts = facts
        self.tuning = tuning
        self._dt_s = dt_s
        self._records: dict[EntityRef, SafeResponse] = {}
        self._live: dict[EntityRef, SafeResponse] = {}
        self._waiting: dict[EntityRef, _Asked] = {}
        self._refused: dict[EntityRef, dict[EventKey, int]] = {}
        self._tags = 0

    def record(self, ped: EntityRef) -> SafeResponse | None:
        """A ped's live response, else its last one, else None."""
        return self._records.get(ped)

    # -- entries ---------------------------------------------------------------------------

    def flee_from(
        self,
        actor: Actor,
        spots: Sequence[Spot],
        safe_cm: float,
        *,
        source: EntityRef | None = None,
        tag: int | None = None,
    ) -> SafeReply | None:
        """Have a ped flee, to a point that the policy chooses (SAFE-02).

        Refused, or without a point, nothing was made or changed. None: the step has nothing
        left for choosing (FLEE-10): the ped goes on with what it does, and is asked for again
        in the next step.
        """
        self._waiting.pop(actor.ref, None)
        threats, made = self._threats(spots, safe_cm)
        reply = self._checked(actor, threats, source, tag)
        goal: GoalPoint | FleeRefused | None = None
        if reply is None:
            key = self._key(threats, source, tag)
            goal = flee_goal(actor, points_of(threats), SCRIPT, key.event_type, key.source)
        elif isinstance(reply, SafeResponse):
            reply.own_markers += made
            return reply
        else:
            drop_choice(actor, SCRIPT)
        if isinstance(goal, GoalPoint):
            queued = self._queue(actor, goal.position, threats, source, tag, "flee_from")
            if isinstance(queued, SafeResponse):
                queued.own_markers = made
                self._take_choice(actor, queued, goal)
                return queued
            reply = queued
        for marker in made:
            self._markers.destroy_marker(marker)
        if reply is not None:
            return reply
        if isinstance(goal, FleeRefused):
            self._facts.note(actor.ped_id, "FLEE_REFUSED", dict(goal.dropped))
            return goal
        self._waiting[actor.ref] = _Asked(tuple(spots), safe_cm, source, tag)
        return None

    def queue(
        self,
        actor: Actor,
        goal: Vec3,
        spots: Sequence[Spot],
        safe_cm: float,
        *,
        source: EntityRef | None = None,
        tag: int | None = None,
    ) -> SafeResponse | SafeRefusal:
        """Have a ped flee to a goal that the caller chose; nothing is selected (SAFE-02)."""
        threats, made = self._threats(spots, safe_cm)
        reply = self._checked(actor, threats, source, tag, goal)
        queued = reply or self._queue(actor, goal, threats, source, tag, "queue")
        if isinstance(queued, SafeResponse):
            queued.own_markers += made
        else:
            for marker in made:
                self._markers.destroy_marker(marker)
        return queued

    def begin_perceived(
        self, actor: Actor, task: Task, key: EventKey, threats: list[Threat], mode: SpeedMode
    ) -> SafeResponse | FleeRefused | None:
        """The record of a flee task whose event the ped perceived; None: not in this step.

        A refusal leaves no record: the response was never there.
        """
        goal = flee_goal(actor, points_of(threats), key, key.event_type, key.source)
        if isinstance(goal, FleeRefused):
            self._refused.setdefault(actor.ref, {})[key] = actor.services.clock.step
        if not isinstance(goal, GoalPoint):
            return goal
        record = self._enter(actor, key, threats, goal.position, mode, "perceived")
        record.root_uid = task.root.uid
        record.go_to(SafeState.PENDING)
        self._take_choice(actor, record, goal)
        return record

    def may_ask_again(self, actor: Actor, key: EventKey) -> bool:
        """False for a while after there was nowhere to flee to from this threat (FLEE-07)."""
        refused = self._refused.get(actor.ref)
        if not refused:
            return True
        since = actor.services.clock.step - round(self.tuning.refusal_cooldown_s / self._dt_s)
        for over in [one for one, step in refused.items() if step <= since]:
            del refused[over]
        return key not in refused

    def ped_retired(self, actor: Actor) -> None:
        """A ped leaves the world: its response ends, and nothing is kept of it."""
        record = self._live.get(actor.ref)
        if record is not None:
            self.end(actor, record, SafeResult.CANCELLED, "PED_GONE")
        for kept in (self._records, self._waiting, self._refused):
            kept.pop(actor.ref, None)

    def _threats(
        self, spots: Sequence[Spot], safe_cm: float
    ) -> tuple[list[Threat], list[EntityRef]]:
        """Threats of entities, and of markers that are made for places."""
        threats, made = [], []
        for spot in spots:
            if isinstance(spot, EntityRef):
                place = self._world.position_of(spot)
                threats.append(Threat(spot, Vec3(math.nan, math.nan) if place is None else place,
                                      safe_cm))  # fmt: skip
            elif all(math.isfinite(component) for component in spot):
                marker = self._markers.create_marker(spot)
                made.append(marker)
                threats.append(Threat(marker, spot, safe_cm))
            else:
                threats.append(Threat(None, spot, safe_cm))
        return threats, made

    def _checked(
        self,
        actor: Actor,
        threats: list[Threat],
        source: EntityRef | None,
        tag: int | None,
        goal: Vec3 | None = None,
    ) -> SafeRefusal | SafeResponse | None:
        """Why these threats can't be fled from, or the response that they join, or None."""
        key = self._key(threats, source, tag)
        live = self._live.get(actor.ref)
        world, tuning = self._world, self.tuning
        if live is None or not _can_join(live, key):
            return check_queue(actor, live, key, threats, goal, world, tuning)
        refusal = check_queue(actor, None, key, threats, None, world, tuning)
        return refusal or self._announce(actor, live, key, threats)

    def _announce(
        self, actor: Actor, live: SafeResponse, key: EventKey, threats: list[Threat]
    ) -> SafeRefusal | SafeResponse:
        """Add the event by which further threats join an active response (SAFE-11)."""
        event = SafeResponseEvent({}, key.source, tag=key.tag)
        if actor.events.add_event(event, force_persistent=True) is None:
            return SafeRefusal.QUEUE_REFUSED
        self._tags += 1
        live.joining[key] = threats
        for threat in threats:
            threat.chosen_at = threat.at
        actor.force_full_update()
        return live

    def _key(
        self, threats: Sequence[Threat], source: EntityRef | None, tag: int | None
    ) -> EventKey:
        """By default the first threat is the source, and the next number the tag."""
        if source is None and threats:
            source = threats[0].source
        return EventKey(EventType.SAFE_RESPONSE, source, self._tags + 1 if tag is None else tag)

    def _queue(
        self,
        actor: Actor,
        goal: Vec3,
        threats: list[Threat],
        source: EntityRef | None,
        tag: int | None,
        entry: str,
    ) -> SafeResponse | SafeRefusal:
        key = self._key(threats, source, tag)
        has_own = not is_answered_by_flee(actor)
        if has_own:
            add_own_entry(actor, threats[0].safe_cm, self.tuning.scripted_move)
        event = SafeResponseEvent({}, key.source, tag=key.tag)
        if actor.events.add_event(event, force_persistent=True) is None:
            if has_own:
                drop_own_entry(actor)
            return SafeRefusal.QUEUE_REFUSED
        mode = SpeedMode.SPRINT if self.tuning.scripted_move == "sprint" else SpeedMode.RUN
        record = self._enter(actor, key, threats, goal, mode, entry)
        record.has_own_entry = has_own
        self._note_places(actor, record)
        actor.force_full_update()
        return record

    def _enter(
        self,
        actor: Actor,
        key: EventKey,
        threats: list[Threat],
        goal: Vec3,
        mode: SpeedMode,
        entry: str,
    ) -> SafeResponse:
        self._tags += 1
        # Which of several is asked about first must not depend on who named them first.
        threats.sort(key=lambda threat: order_of(threat.source))
        record = SafeResponse(
            actor.ped_id, key, self._tags, threats, goal, mode, entry, is_selected=False
        )
        self._records[actor.ref] = self._live[actor.ref] = record
        self._facts.note(actor.ped_id, "SAFE_QUEUED", entry)
        return record

    def move_threat(self, ped: EntityRef, position: Vec3) -> bool:
        """Put the place that a scripted flee is from somewhere else; False if there is none."""
        record = self._live.get(ped)
        if record is None or not record.own_markers:
            return False
        return self._markers.move_marker(record.own_markers[0], position)

    # -- the task's side -------------------------------------------------------------------

    def queued_for(self, actor: Actor, key: EventKey) -> SafeResponse | None:
        """The queued response that an event's task serves: type, source and tag agree (SAFE-04)."""
        record = self._live.get(actor.ref)
        if record is None or record.key != key or record.state >= SafeState.ACTIVE:
            return None
        return record

    def start(self, actor: Actor, record: SafeResponse, task: Task) -> bool:
        """Set off, if the ped may run now (SAFE-04, SAFE-05); False: it waits, or has ended."""
        if record.state is SafeState.QUEUED:
            record.go_to(SafeState.PENDING)
        record.root_uid = task.root.uid
        movement = actor.movement
        if actor.tasks_suppressed or actor.vehicle_link is not None or movement.suspend & NOT_YET:
            return False
        if record.is_selected and self._has_moved(actor, record):
            goal = self._select(actor, record)
            if goal is None:
                return False
            if isinstance(goal, FleeRefused):
                self.end(actor, record, SafeResult.NEVER_STARTED, "NO_FLEE_POINT")
                return False
            self._take_choice(actor, record, goal)
        claims = actor.services.movement.claims
        priority = actor.services.movement.tuning.claim.general
        kind, source = ClaimOwner.SAFE_RESPONSE, record.key.source
        if claims.take(actor.slot, priority, kind, source, record.tag) is None:
            self.end(actor, record, SafeResult.NEVER_STARTED, "CLAIM_REFUSED")
            return False
        record.replaced_goal = movement.goal if movement.live else None
        reply = movement.request_goal(record.goal, record.speed_mode, record.move_owner)
        if reply is not RequestReply.ACCEPTED:
            self.end(actor, record, SafeResult.NEVER_STARTED, reply.name)
            return False
        record.initial_generation = movement.generation
        record.start_count += 1
        record.go_to(SafeState.ACTIVE)
        record.since_sample_s = record.since_selection_s = 0.0
        self._facts.note(actor.ped_id, "SAFE_ACTIVE", record.tag)
        return True

    def resume(self, actor: Actor, record: SafeResponse) -> None:
        """The task is active again after something stood above it (SAFE-12).

        The movement goes on by itself, unless somebody else had it meanwhile.
        """
        if not actor.movement.serves(record.move_owner):
            actor.movement.request_goal(record.goal, record.speed_mode, record.move_owner)

    def movement_over(self, actor: Actor, record: SafeResponse) -> bool:
        """Take what the movement came to; False: a further goal is sought, or has been given."""
        movement = actor.movement
        status = movement.status
        if movement.owner != record.move_owner or status is MoveStatus.CANCELLED:
            self.end(actor, record, SafeResult.CANCELLED, "MOVEMENT_CANCELLED")
        elif status is MoveStatus.FAILED:
            self.end(actor, record, SafeResult.FAILED, movement.reason.name)
        elif status is MoveStatus.ARRIVED:
            return self._arrived(actor, record)
        return not record.live

    def _arrived(self, actor: Actor, record: SafeResponse) -> bool:
        """Safe when chosen is not safe now (SAFE-07)."""
        self._look(record)
        margin = self.tuning.arrival_margin_cm
        if all(
            distance_cm(actor.position, threat.at) > threat.safe_cm + margin
            for threat in record.threats
        ):
            self.end(actor, record, SafeResult.SUCCEEDED)
        elif self._reselect(actor, record) is False:
            self.end(actor, record, SafeResult.FAILED, "NOT_SAFE")
        return not record.live

    # -- every step ------------------------------------------------------------------------

    def pre_pass(self, actor: Actor) -> None:
        """Phase 6, ahead of the ped's mind: threats that are gone, that move, that wait."""
        if self._waiting and actor.ref in self._waiting:
            asked = self._waiting[actor.ref]
            if actor.retired or actor.is_dead:
                del self._waiting[actor.ref]
            else:
                self.flee_from(
                    actor, asked.spots, asked.safe_cm, source=asked.source, tag=asked.tag
                )
        if not self._live:
            return
        record = self._live.get(actor.ref)
        if record is None:
            return
        if actor.retired or actor.is_dead:
            self.end(actor, record, SafeResult.CANCELLED, "PED_GONE")
            return
        self._look(record)
        if not record.threats:
            self.end(actor, record, SafeResult.SOURCE_LOST)
            return
        is_down = bool(actor.movement.suspend & SuspendReason.BODY)
        if record.state is not SafeState.ACTIVE:
            if not is_down:
                record.waited_s += self._dt_s
                if at_least(record.waited_s, self.tuning.start_within_s):
                    self.end(actor, record, SafeResult.NEVER_STARTED, "TIMEOUT")
            return
        root = actor.tasks.tree(PRIMARY).slots[PrimarySlot.EVENT_RESPONSE_NONTEMP]
        if root is None or root.uid != record.root_uid:
            self.end(actor, record, SafeResult.CANCELLED, "SLOT_LOST")
            return
        record.since_selection_s += self._dt_s
        if actor.movement.suspend or not actor.movement.live:
            return
        record.since_sample_s += self._dt_s
        if at_least(record.since_sample_s, self.tuning.sample_s):
            self._sample(actor, record)

    def _sample(self, actor: Actor, record: SafeResponse) -> None:
        """Is the goal still one to run to? (SAFE-10)."""
        if self._goal_is_unsafe(record) or self._runs_towards(actor, record):
            if not at_least(record.since_selection_s, self.tuning.reselect_gap_s):
                return
            if self._reselect(actor, record) is None:
                return
        record.since_sample_s = 0.0

    def _goal_is_unsafe(self, record: SafeResponse) -> bool:
        """Rule (a)."""
        margin = self.tuning.queue_margin_cm
        return any(
            distance_cm(record.goal, threat.at) <= threat.safe_cm + margin
            for threat in record.threats
        )

    def _runs_towards(self, actor: Actor, record: SafeResponse) -> bool:
        """Rule (b): a threat has moved, and the way leads to where they are now."""
        moved = self.tuning.threat_moved_cm
        if all(distance_cm(one.at, one.chosen_at) < moved for one in record.threats):
            return False
        here = actor.position
        away = actor.services.flee.away_from(here, points_of(record.threats))
        gap = distance_cm(here, record.goal)
        if gap <= 0.0:
            return False
        dot = (away[0] * (record.goal.x - here.x) + away[1] * (record.goal.y - here.y)) / gap
        return dot < self.tuning.towards_dot

    def _reselect(self, actor: Actor, record: SafeResponse) -> bool | None:
        """Another goal; False: there is none, the old one stays. None: not in this step."""
        if record.reselect_count >= self.tuning.reselect_max:
            self.end(actor, record, SafeResult.FAILED, "RESELECT_LIMIT")
            return None
        goal = self._select(actor, record)
        if goal is None:
            return None
        if isinstance(goal, FleeRefused):
            record.views, record.route = goal.views, ()
            return False
        self._take_choice(actor, record, goal)
        record.reselect_count += 1
        movement = actor.movement
        # Whoever runs for their life does not stop to think: led on without a halt (NAV-24).
        if not (movement.serves(record.move_owner) and movement.retarget(record.goal)):
            movement.request_goal(record.goal, record.speed_mode, record.move_owner)
        self._facts.note(actor.ped_id, "SAFE_RESELECTED", record.reselect_count)
        return True

    # -- further threats -------------------------------------------------------------------

    def join(self, ped: EventPed, event: Event) -> bool:
        """Take a further threat into an active response; False if there is nothing to join."""
        record = self._live.get(ped.ref)
        if (
            record is None
            or record.state is not SafeState.ACTIVE
            or event.event_type != record.key.event_type
            or any(threat.is_of(event) for threat in record.threats)
        ):
            return False
        place = event.position(self._world)
        if place is None:
            return False
        threats = record.joining.pop(key_of(event), None) or [
            Threat(event.source, place, record.threats[0].safe_cm, place, event.tag)
        ]
        record.threats += threats
        record.threats.sort(key=lambda threat: order_of(threat.source))
        while len(record.threats) > self.tuning.threats_max:
            far = max(record.threats, key=lambda one: distance_cm(ped.position, one.at))
            record.threats.remove(far)
        record.joined.append(event)
        record.since_sample_s = self.tuning.sample_s
        self._count_as_decided(ped, event)
        ped.events.trace.note(Reason.JOINED, event, ped)
        self._facts.note(ped.ped_id, "SAFE_JOINED", len(record.threats))
        return True

    @staticmethod
    def _count_as_decided(ped: EventPed, event: Event) -> None:
        """It frightens, and is not offered again while it is being answered (EVT-89)."""
        if not isinstance(event, EditableEvent):
            return
        answered = ped.events.history.record_of(PRIMARY, PrimarySlot.EVENT_RESPONSE_NONTEMP)
        if answered is not None and isinstance(answered.event, EditableEvent):
            event.decision = answered.event.decision
        ped.events.after_decision(event)

    # -- the end ---------------------------------------------------------------------------

    def end(self, actor: Actor, record: SafeResponse, result: SafeResult, reason: str = "") -> bool:
        """End a response and clean up after it, once; False if that was done (SAFE-09).

        Its movement is ended only if it is still its own; its task follows by itself.
        """
        if not record.live:
            return False
        record.go_to(SafeState.ENDED)
        record.result, record.reason = result, reason
        self._live.pop(actor.ref, None)
        drop_choice(actor, record.key)
        movement = actor.movement
        if movement.owner == record.move_owner and movement.live:
            movement.cancel()
        claims = actor.services.movement.claims
        claims.release(actor.slot, ClaimOwner.SAFE_RESPONSE, record.tag)
        keys = (record.key, *map(key_of, record.joined), *record.joining)
        for event in actor.events.group.queue.entries:
            if key_of(event) in keys:
                event.flagged = True
        for event in record.joined:
            actor.events.response_ended(event)
        record.joined.clear()
        if record.has_own_entry:
            drop_own_entry(actor)
        for marker in record.own_markers:
            self._markers.destroy_marker(marker)
        record.own_markers.clear()
        actor.force_full_update()
        self._facts.note(actor.ped_id, "SAFE_ENDED", result.name, reason)
        return True

    # -- details ---------------------------------------------------------------------------

    def _look(self, record: SafeResponse) -> None:
        """Where the threats are now; those whose source is gone leave the list (SAFE-11)."""
        left = []
        for threat in record.threats:
            if threat.source is not None:
                if not self._world.exists(threat.source):
                    continue
                threat.at = self._world.position_of(threat.source) or threat.at
            left.append(threat)
        record.threats[:] = left

    def _select(self, actor: Actor, record: SafeResponse) -> GoalPoint | FleeRefused | None:
        key = record.key
        return flee_goal(actor, points_of(record.threats), key, key.event_type, key.source)

    def _take_choice(self, actor: Actor, record: SafeResponse, goal: GoalPoint) -> None:
        record.goal = goal.position
        record.is_selected = True
        record.views, record.route = goal.views, goal.route
        self._note_places(actor, record)

    @staticmethod
    def _note_places(actor: Actor, record: SafeResponse) -> None:
        record.chosen_from = actor.position
        record.since_selection_s = 0.0
        for threat in record.threats:
            threat.chosen_at = threat.at

    def _has_moved(self, actor: Actor, record: SafeResponse) -> bool:
        """The ped, or a threat, since the goal was chosen (SAFE-04)."""
        limit = self.tuning.moved_before_start_cm
        return distance_cm(actor.position, record.chosen_from) > limit or any(
            distance_cm(threat.at, threat.chosen_at) > limit for threat in record.threats
        )


def _can_join(live: SafeResponse, key: EventKey) -> bool:
    """True for a further threat of the kind that is being fled from already (SAFE-03)."""
    return (
        live.state is SafeState.ACTIVE
        and live.key.event_type == key.event_type
        and key not in live.joining
        and all(threat.source != key.source for threat in live.threats)
    )
