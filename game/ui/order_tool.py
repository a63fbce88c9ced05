"""Orders by hand: what the player means becomes order commands in the desk's queue.

The commands are the same objects that cues queue and a replay repeats (ORD-22);
nothing here touches a ped. A wish waits until the next step begins, so that in a
pause a later one takes the place of an earlier one, and so that it is decided by the
order as it stands then whether a ped starts or is redirected.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from ai.behaviours.approach import approach_point
from ai.behaviours.gestures import Gesture
from ai.behaviours.order_commands import (
    CancelOrder,
    ContinueOrder,
    HoldOrder,
    OrderCommand,
    RedirectOrder,
    RedirectOrderTo,
    Refusal,
    StartOrder,
    StartOrderAt,
)
from ai.behaviours.order_record import OrderState
from ai.peds.ped import Ped
from ai.ports import EntityRef, Vec3
from game.ui.goal_places import places_about, places_at
from game.ui.order_words import told_off
from game.world.script_asks import (
    AskFace,
    AskFollow,
    AskGesture,
    AskPatrol,
    AskStand,
    ScriptAsk,
)
from game.world.things import Thing
from game.world.world import World


class Signal(Enum):
    """What can be told to a ped that has an order."""

    HOLD = auto()
    CONTINUE = auto()
    CANCEL = auto()


class Told(Enum):
    """What anybody can be told at once."""

    STAND = auto()
    WAVE = auto()


STAND_S = 5.0
WAVE_S = 3.0
FOLLOW_CM = 150.0
"""For how long one stands or waves, how near one follows, when told by hand."""


class ToPlace(NamedTuple):
    """Go to a point of the ground."""

    place: Vec3


class ToThing(NamedTuple):
    """Go to a point in a thing's own axes; ``place`` is where that is now."""

    thing: EntityRef
    offset: Vec3
    place: Vec3


class ToFollow(NamedTuple):
    """Go after a ped or thing."""

    target: EntityRef


class ToFace(NamedTuple):
    """Turn to a place, or to what is there."""

    at: Vec3
    target: EntityRef | None


class ToPatrol(NamedTuple):
    """Walk along points, to and fro."""

    points: tuple[Vec3, ...]


Wish: TypeAlias = ToPlace | ToThing | Signal | ToFollow | ToFace | ToPatrol | Told

_SIGNALS: dict[Signal, type[HoldOrder | ContinueOrder | CancelOrder]] = {
    Signal.HOLD: HoldOrder,
    Signal.CONTINUE: ContinueOrder,
    Signal.CANCEL: CancelOrder,
}


class OrderTool:
    """The player's orders over one world.

    - ``source`` stands for the player as the giver of orders (ORD-04).
    - ``say`` is told in plain words what was refused, and why.
    """

    def __init__(self, world: World, say: Callable[[str], None]) -> None:
        self.source = world.sources.create("player")
        self._world = world
        self._say = say
        self._wishes: list[tuple[int, Wish]] = []
        self._asked: dict[int, str] = {}
        self._asked_scripts: dict[int, str] = {}
        self._log_read = len(world.orders.log)
        self._scripts_read = len(world.script_asks.log)

    # -- what the player means ---------------------------------------------------

    def send(self, ped_ids: Sequence[int], thing: Thing | None, point: Vec3) -> tuple[Vec3, ...]:
        """Send peds to a thing, or to a point of the ground; returns where each is to stand.

        The player's own ped is steered, never sent. Says so if there is nobody to send
        or no room at the thing.
        """
        if not ped_ids:
            self._say("Choose somebody first: click a person, then right click where to go")
            return ()
        peds = self._people(ped_ids)
        if not peds:
            self._say("You steer this one yourself; choose somebody else to send")
            return ()
        goals = self._goals(peds, thing, point)
        if len(goals) < len(peds):
            self._say(_no_room(len(peds) - len(goals), len(peds)))
        for ped, goal in zip(peds, goals, strict=False):
            self._forget_goal(ped.ped_id)
            self._wishes.append((ped.ped_id, goal))
        return tuple(goal.place for goal in goals)

    def signal(self, ped_ids: Sequence[int], signal: Signal) -> None:
        """Tell peds that have an order to hold, continue or cancel it."""
        for ped in self._people(ped_ids):
            if signal is Signal.CANCEL and self._forget_goal(ped.ped_id) and not ped.order.live:
                continue
            self._wishes.append((ped.ped_id, signal))

    def tell(self, ped_ids: Sequence[int], wish: ToFollow | ToFace | ToPatrol | Told) -> None:
        """Have peds follow, face, patrol, stand or wave; nobody follows itself."""
        peds = self._people(ped_ids)
        if not peds:
            self._say("You steer this one yourself; choose somebody else to give an order to")
        for ped in peds:
            if isinstance(wish, ToFollow) and wish.target == ped.ref:
                continue
            self._forget_goal(ped.ped_id)
            self._wishes.append((ped.ped_id, wish))

    def can_tell(self, ped_id: int) -> bool:
        """Somebody who is there and whom the player does not steer."""
        return bool(self._people((ped_id,)))

    def say_nobody_has_an_order(self, word: str) -> None:
        """A slice that is about orders was chosen for people without one."""
        self._say(f"Nobody you chose has an order: nothing to {word.lower()}")

    @property
    def waiting(self) -> tuple[Vec3, ...]:
        """Where peds will be sent when the next step begins."""
        return tuple(wish.place for _, wish in self._wishes if isinstance(wish, (ToPlace, ToThing)))

    def order_of(self, ped_id: int) -> OrderState | None:
        """A ped's live order, None without one."""
        ped = self._by_id().get(ped_id)
        order = None if ped is None else self._world.order_book.order_of(ped.ref)
        return order if order is not None and order.live else None

    # -- once a step -------------------------------------------------------------

    def before_step(self) -> None:
        """Queue what was wished since the last step."""
        if not self._wishes:
            return
        peds = self._by_id()
        wishes, self._wishes = self._wishes, []
        for ped_id, wish in wishes:
            ped = peds.get(ped_id)
            if ped is None:
                continue
            name = ped.name or f"Ped {ped_id}"
            if isinstance(wish, (ToPlace, ToThing, Signal)):
                self._asked[self._world.actions.submit(self._command(ped, wish))] = name
            else:
                if ped.order.live:
                    # The desk carries orders out first: the ped is free when the ask comes.
                    self._world.actions.submit(CancelOrder(ped.ref, ped.order.session))
                self._asked_scripts[self._world.actions.submit(self._ask(ped, wish))] = name

    def after_step(self) -> None:
        """Read the answers of the desk; say what was refused."""
        log = self._world.orders.log
        refusals: list[tuple[str, Refusal]] = []
        for line in log[self._log_read :]:
            name = self._asked.pop(line.sequence, None)
            if name is not None and not line.reply.accepted:
                refusals.append((name, line.reply.reason))
        self._log_read = len(log)
        asks = self._world.script_asks.log
        for ask in asks[self._scripts_read :]:
            name = self._asked_scripts.pop(ask.sequence, None)
            if name is not None and ask.refused:
                self._say(f"{name} can't do that now ({ask.refused.lower().replace('_', ' ')})")
        self._scripts_read = len(asks)
        if refusals:
            self._say(told_off(refusals))

    # -- inside ------------------------------------------------------------------

    def _ask(self, ped: Ped, wish: ToFollow | ToFace | ToPatrol | Told) -> ScriptAsk:
        match wish:
            case ToFollow(target):
                return AskFollow(ped.ref, self.source, target, FOLLOW_CM)
            case ToFace(at, target):
                return AskFace(ped.ref, self.source, at, target)
            case ToPatrol(points):
                return AskPatrol(ped.ref, self.source, points)
            case Told.STAND:
                return AskStand(ped.ref, self.source, STAND_S)
            case Told.WAVE:
                return AskGesture(ped.ref, self.source, Gesture.WAVE, WAVE_S)

    def _command(self, ped: Ped, wish: ToPlace | ToThing | Signal) -> OrderCommand:
        order = ped.order
        match wish:
            case Signal():
                return _SIGNALS[wish](ped.ref, order.session)
            case ToPlace(place):
                if order.live:
                    return RedirectOrderTo(ped.ref, order.session, place)
                return StartOrderAt(ped.ref, place, self.source)
            case ToThing(thing, offset):
                if order.live:
                    return RedirectOrder(ped.ref, order.session, thing, offset)
                return StartOrder(ped.ref, thing, offset, self.source)

    def _goals(
        self, peds: Sequence[Ped], thing: Thing | None, point: Vec3
    ) -> list[ToPlace | ToThing]:
        """A place for each, as far as there is room; peds that stand together don't cross."""
        world = self._world
        if thing is None:
            return _dealt(peds, [ToPlace(place) for place in places_about(world, point, len(peds))])
        transform = world.things.transform(thing.ref)
        if transform is None:
            return []
        offsets = places_at(world, thing, _middle(peds), len(peds))
        return _dealt(
            peds,
            [ToThing(thing.ref, offset, approach_point(transform, offset)) for offset in offsets],
        )

    def _forget_goal(self, ped_id: int) -> bool:
        """Drop a ped's earlier wish to go somewhere; True if it had one."""
        kept = [
            (other, wish)
            for other, wish in self._wishes
            if other != ped_id or isinstance(wish, Signal)
        ]
        had_one = len(kept) < len(self._wishes)
        self._wishes = kept
        return had_one

    def _people(self, ped_ids: Sequence[int]) -> list[Ped]:
        peds = self._by_id()
        found = [peds[ped_id] for ped_id in ped_ids if ped_id in peds]
        return [ped for ped in found if not ped.is_local_player]

    def _by_id(self) -> dict[int, Ped]:
        return {ped.ped_id: ped for ped in self._world.peds.in_id_order()}


def _middle(peds: Sequence[Ped]) -> Vec3:
    places = [ped.position for ped in peds]
    return Vec3(
        sum(place.x for place in places) / len(places),
        sum(place.y for place in places) / len(places),
    )


def _dealt(peds: Sequence[Ped], goals: list[ToPlace | ToThing]) -> list[ToPlace | ToThing]:
    """The goals in the order of the peds: each takes the nearest that is left."""
    left = list(goals)
    dealt: list[ToPlace | ToThing] = []
    for ped in peds:
        if not left:
            break
        here = ped.position
        nearest = min(
            left, key=lambda goal: (goal.place.x - here.x) ** 2 + (goal.place.y - here.y) ** 2
        )
        left.remove(nearest)
        dealt.append(nearest)
    return dealt


def _no_room(left_over: int, wanted: int) -> str:
    if left_over < wanted:
        return f"There is no room for {left_over} of them there"
    return "There is no room to stand beside that"
