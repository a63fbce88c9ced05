"""What can be told to people by hand, as slices of a ring: to who has an order, and to anybody."""

from __future__ import annotations

from collections.abc import Sequence

from ai.behaviours.order_record import OrderStatus
from game.ui.asking import Asking
from game.ui.hands import Hands
from game.ui.order_tool import OrderTool, Signal, Told
from game.ui.radial_menu import Slice

LIVE = (
    OrderStatus.PENDING,
    OrderStatus.TRAVELLING,
    OrderStatus.WAITING_FOR_SIGNAL,
    OrderStatus.AWAITING_DECISION,
)
CHOICES: tuple[tuple[str, str, Signal | Asking | Told, tuple[OrderStatus, ...]], ...] = (
    ("pause", "Hold", Signal.HOLD, (OrderStatus.TRAVELLING,)),
    ("go_on", "Continue", Signal.CONTINUE, (OrderStatus.WAITING_FOR_SIGNAL,)),
    ("redirect", "Redirect", Asking.REDIRECT, LIVE),
    ("cancel", "Cancel", Signal.CANCEL, LIVE),
    ("follow", "Follow", Asking.FOLLOW, ()),
    ("face", "Face", Asking.FACE, ()),
    ("patrol", "Patrol", Asking.PATROL, ()),
    ("stand", "Stand", Told.STAND, ()),
    ("wave", "Wave", Told.WAVE, ()),
)
"""Icon, word, what it does (a question: the next click answers) and the statuses it fits;
what fits none in particular can be told to anybody."""


class OrderMenu:
    """What the ring over some people offers, and what choosing a slice does."""

    def __init__(self, ped_ids: Sequence[int], orders: OrderTool, hands: Hands) -> None:
        self._orders = orders
        self._hands = hands
        self._ped_ids = tuple(ped_ids)
        self._statuses = {
            ped_id: order.status
            for ped_id in ped_ids
            if (order := orders.order_of(ped_id)) is not None
        }

    @property
    def slices(self) -> tuple[Slice, ...]:
        """The choices, dimmed where they fit nobody."""
        present = set(self._statuses.values())
        return tuple(
            Slice(icon, word, not fits or not present.isdisjoint(fits))
            for icon, word, _, fits in CHOICES
        )

    def choose(self, index: int) -> None:
        """Do what a slice says, for those whom it fits.

        A signal that fits nobody is given to all who have an order, so that the desk's own
        reason is told.
        """
        _, word, does, fits = CHOICES[index]
        match does:
            case Asking.REDIRECT if not self._statuses:
                self._orders.say_nobody_has_an_order(word)
            case Asking():
                self._hands.ask(does)
            case Told():
                self._orders.tell(self._ped_ids, does)
            case Signal():
                fitting = [ped_id for ped_id, status in self._statuses.items() if status in fits]
                if not self._statuses:
                    self._orders.say_nobody_has_an_order(word)
                self._orders.signal(fitting or list(self._statuses), does)
