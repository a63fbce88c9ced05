"""Telling others: friends of who is threatened, the group of who flees (EVT-34, EVT-90)."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from ai.events.base import Event
from ai.events.decision_trace import Reason
from ai.events.notice_events import AmbientNotice
from ai.events.shocking import ShockingEvent
from ai.ports import EntityRef, Vec3

if TYPE_CHECKING:
    from ai.events.event_services import EventServices
    from ai.events.subject import EventPed


class News(NamedTuple):
    """What an informer says. ``hops`` is how often it may be passed on from here."""

    event: Event
    informer: EntityRef
    hops: int


class InformQueues:
    """Two bounded queues, emptied in the next step's phase 4.

    A full queue refuses the newest and the informer's trace says so. An informer that died
    or was removed meanwhile says nothing. Mirrored receivers are their owner's to tell.
    """

    def __init__(self, services: EventServices) -> None:
        self._services = services
        capacity = services.tuning.capacity
        self._friends: deque[News] = deque()
        self._group: deque[News] = deque()
        self._friends_max = capacity.inform_friends
        self._group_max = capacity.inform_group

    def __len__(self) -> int:
        return len(self._friends) + len(self._group)

    def tell_friends(self, informer: EventPed, event: Event) -> None:
        """Friends within earshot or sight hear of this event."""
        self._put(self._friends, self._friends_max, informer, event)

    def tell_group(self, informer: EventPed, event: Event) -> None:
        """The informer's group hears of this event, wherever it is."""
        self._put(self._group, self._group_max, informer, event)

    def leader_watches(self, leader: EventPed, place: Vec3) -> None:
        """Where a group's leader looks, its members look too (EVT-90 b)."""
        members = self._services.world.group_of(leader.ref)
        if members and members[0] == leader.ref:
            self.tell_group(leader, AmbientNotice(place))

    def _put(self, queue: deque[News], limit: int, informer: EventPed, event: Event) -> None:
        hops = event.hops if isinstance(event, ShockingEvent) else self._services.tuning.inform.hops
        if len(queue) >= limit:
            informer.events.trace.note(Reason.REFUSED_FULL, event, informer, "inform")
        else:
            queue.append(News(event.clone(), informer.ref, hops))

    def process(self) -> None:
        """Deliver what was said before this step."""
        for news in self._taken(self._friends):
            informer = self._speaking(news)
            if informer is not None:
                for ped in self._services.world.peds():
                    if self._hears_as_friend(ped, informer):
                        self._deliver(news, ped)
        for news in self._taken(self._group):
            informer = self._speaking(news)
            if informer is not None:
                for ref in self._services.world.group_of(informer.ref):
                    member = self._services.world.ped(ref)
                    if member is not None and member is not informer and not member.is_dead:
                        self._deliver(news, member)

    @staticmethod
    def _taken(queue: deque[News]) -> list[News]:
        news = list(queue)
        queue.clear()
        return news

    def _speaking(self, news: News) -> EventPed | None:
        informer = self._services.world.ped(news.informer)
        return None if informer is None or informer.is_dead or informer.retired else informer

    def _hears_as_friend(self, ped: EventPed, informer: EventPed) -> bool:
        world, tuning = self._services.world, self._services.tuning.inform
        if ped is informer or ped.is_dead or not world.are_friends(ped.ref, informer.ref):
            return False
        there, here = informer.position, ped.position
        distance = ((there.x - here.x) ** 2 + (there.y - here.y) ** 2) ** 0.5
        if distance > tuning.friend_radius_cm:
            return False
        return distance <= tuning.friend_hear_cm or world.can_see(ped, there)

    def _deliver(self, news: News, ped: EventPed) -> None:
        if ped.is_mirrored:
            return
        event = news.event
        if isinstance(event, ShockingEvent):
            event = event.for_peds()
            event.hops = news.hops - 1
            event.told_to(ped)
        event.delay_range_s = self._services.tuning.inform.delay_s
        ped.events.add_event(event)
