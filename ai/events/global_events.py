"""The global group and stage 3 of a step: offer, deliver, inform, flush (EVT-31 to EVT-36)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ai.events.base import Event
from ai.events.decision_trace import Reason
from ai.events.group import EventGroup
from ai.events.priorities import EventPriority
from ai.events.shocking import FleeStart, ShockCause, ShockingEvent
from ai.events.types import EventType
from ai.ports import EntityRef, Vec3

if TYPE_CHECKING:
    from ai.events.event_services import EventServices
    from ai.events.subject import EventPed
    from ai.events.vehicle_group import EventGroupVehicle

PAIRS_IN_A_LOOP: Final = 256
"""Above so many pairs of ped and event the distances are one batch (EVT-32)."""


class SpawnBlock(NamedTuple):
    """No ambient ped appears here in this step (EVT-91)."""

    centre: Vec3
    radius_cm: float


class EventGroupGlobal(EventGroup):
    """The world's own events; alike ones are combined before anything is queued."""

    def __init__(self, services: EventServices) -> None:
        super().__init__(services, "global", services.tuning.capacity.global_, _rank_of)

    def add_or_combine(self, event: Event) -> Event | None:
        """Queue a clone, or let a queued one take it in; None if it is refused (EVT-35)."""
        self.check_kind(event)
        note = self.services.world_trace.note
        for entry in self.queue.entries:
            if entry.try_combine(event):
                note(Reason.MERGED_SAME_SOURCE, entry, None)
                return entry
        if not self.has_room_in_budget(event):
            note(Reason.REFUSED_NO_BUDGET, event, None)
            return None
        result = self.queue.add(event)
        if result.entry is None:
            note(Reason.REFUSED_FULL, event, None)
            return None
        if result.evicted is not None:
            note(Reason.EVICTED_FOR, result.evicted, None, result.entry.event_type.name)
        note(Reason.ADDED if result.is_new else Reason.DUPLICATE, result.entry, None)
        return result.entry

    def _gone(self, event: Event) -> None:
        self.services.world_trace.note(Reason.EXPIRED, event, None)
        super()._gone(event)


def _rank_of(event: Event) -> EventPriority:
    """Urgency to the street as a whole: by type, or by kind for shocking ones."""
    if isinstance(event, ShockingEvent):
        return event.cause.priority_far
    return event.rank


class GlobalEvents:
    """Everything of stage 3, and the one way to make a shocking event.

    - ``vehicles``: groups of vehicles, by handle.
    - ``spawn_blocks``: renewed in each step by the events that live.
    """

    def __init__(self, services: EventServices) -> None:
        self._services = services
        self.group = EventGroupGlobal(services)
        self.vehicles: dict[EntityRef, EventGroupVehicle] = {}
        self.spawn_blocks: list[SpawnBlock] = []
        self._shown_to_scripts: dict[int, None] = {}
        self._last_cause = 0

    # -- making -------------------------------------------------------------------------

    def shock(
        self,
        event_type: EventType,
        at: Vec3,
        *,
        source: EntityRef | None = None,
        other: EntityRef | None = None,
        cause_id: int | None = None,
    ) -> ShockingEvent | None:
        """A fact that shocks; a second one of the same cause refreshes the first (EVT-86).

        - The cause is the ``source``, unless ``cause_id`` numbers those of a type: fires of
          one arsonist are several.

        Returns the event in the global group, or None if there is no room for it.
        """
        for entry in self.group.queue.entries:
            if isinstance(entry, ShockingEvent) and entry.is_of(event_type, source, cause_id):
                entry.refresh()
                return entry
        tuning = self._services.shocking
        self._last_cause += 1
        cause = ShockCause(
            self._last_cause,
            tuning.of(event_type),
            tuning,
            at,
            self._services.clock.step,
            other,
            cause_id,
        )
        event = ShockingEvent(event_type, cause, source, hops=self._services.tuning.inform.hops)
        queued = self.group.add_or_combine(event)
        return queued if isinstance(queued, ShockingEvent) else None

    def flee_started(self, event: ShockingEvent, ped: EventPed) -> None:
        """Three who start to flee the same thing together are a stampede (EVT-90 c)."""
        cause, rule = event.cause, self._services.shocking.stampede
        step = self._services.clock.step
        if not cause.kind.stampede or cause.has_stampede:
            return
        since = step - round(rule.within_s * 60)
        cause.flee_starts = [one for one in cause.flee_starts if one.step >= since]
        cause.flee_starts.append(FleeStart(ped.ref, ped.position, step))
        near = [
            one
            for one in cause.flee_starts
            if math.dist(one.place[:2], ped.position[:2]) <= rule.radius_cm
        ]
        together = [
            one
            for one in near
            if all(math.dist(one.place[:2], two.place[:2]) <= rule.radius_cm for two in near)
        ]
        if len(together) >= rule.peds:
            cause.has_stampede = True
            count = len(together)
            centroid = Vec3(
                sum(one.place.x for one in together) / count,
                sum(one.place.y for one in together) / count,
            )
            self.shock(EventType.SHOCKING_STAMPEDE, centroid, source=event.source)

    # -- stage 3 ------------------------------------------------------------------------

    def process(self) -> None:
        """Phase 4 of a step: offer, vehicles, inform queues, process and flush (EVT-31 a-d)."""
        if self.group.queue.entries:
            self._offer_to_peds()
            self._offer_to_scripts()
        for vehicle in self.vehicles.values():
            vehicle.deliver()
        self._services.inform.process()
        self._process_and_flush()

    def _offer_to_peds(self) -> None:
        """Every exposed ped in id order, every event in queue order (EVT-32)."""
        peds = [ped for ped in self._services.world.peds() if not ped.is_dead]
        events = list(self.group.queue.entries)
        forms = [one.for_peds() if isinstance(one, ShockingEvent) else one for one in events]
        for row, column in self._pairs(peds, events):
            ped = peds[row]
            event = events[column]
            if event.exposed_to_ped(ped) and ped.events.add_event(forms[column]) is None:
                event.refused_by(ped)

    def _pairs(self, peds: list[EventPed], events: list[Event]) -> Iterable[tuple[int, int]]:
        """Indices of ped and event, by ped first; many pairs go through a distance batch."""
        if len(peds) * len(events) <= PAIRS_IN_A_LOOP:
            return product(range(len(peds)), range(len(events)))
        rows, columns = np.nonzero(self._near_batch(peds, events))
        return zip(rows.tolist(), columns.tolist(), strict=True)

    def _near_batch(
        self, peds: list[EventPed], events: list[Event]
    ) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        """Shape (peds, events): False where a shocking event is surely out of reach."""
        world = self._services.world
        here = np.array([ped.position[:2] for ped in peds])
        places = np.zeros((len(events), 2))
        reach = np.full(len(events), np.inf)
        for column, event in enumerate(events):
            if isinstance(event, ShockingEvent):
                places[column] = event.position(world)[:2]
                reach[column] = event.cause.kind.reach_cm
        apart = here[:, None, :] - places[None, :, :]
        near: np.ndarray[tuple[int, int], np.dtype[np.bool_]] = np.hypot(
            apart[:, :, 0], apart[:, :, 1]
        ) <= reach * (1.0 + 1e-9)
        return near

    def _offer_to_scripts(self) -> None:
        """Each event once, not once a step of its life (EVT-33)."""
        for event in self.group.queue.entries:
            if event.exposed_to_scripts and event.event_id not in self._shown_to_scripts:
                self._shown_to_scripts[event.event_id] = None
                self._services.scripts.add(event)

    def _process_and_flush(self) -> None:
        """Tick each event and ask it whether it stays (EVT-36)."""
        self.spawn_blocks.clear()
        step = self._services.clock.step
        for event in list(self.group.queue.entries):
            event.ticks += 1
            if not event.process_in_global_group(step):
                event.flagged = True
                self._shown_to_scripts.pop(event.event_id, None)
            elif isinstance(event, ShockingEvent) and event.cause.kind.spawn_block_cm > 0.0:
                self.spawn_blocks.append(
                    SpawnBlock(event.cause.at, event.cause.kind.spawn_block_cm)
                )
        self.group.flush_expired()

    def clear(self) -> None:
        """The world ends, or a level is unloaded."""
        self.group.clear()
        for vehicle in self.vehicles.values():
            vehicle.clear()
        self.spawn_blocks.clear()
        self._shown_to_scripts.clear()

    def blocks_spawn(self, x: float, y: float) -> bool:
        """May no ambient ped appear at this point? (EVT-91)."""
        return any(
            math.hypot(block.centre.x - x, block.centre.y - y) <= block.radius_cm
            for block in self.spawn_blocks
        )
