"""The four things that can be told to people who have an order, as slices of a ring."""

from __future__ import annotations

from collections.abc import Sequence

from ai.behaviours.order_record import OrderStatus
from game.ui.hands import Hands
from game.ui.order_tool import OrderTool, Signal
from game.ui.radial_menu import Slice

LIVE = (
    OrderStatus.PENDING,
    OrderStatus.TRAVELLING,
    OrderStatus.WAITING_FOR_SIGNAL,
    OrderStatus.AWAITING_DECISION,
)
CHOICES: tuple[tuple[str, str, Signal | None, tuple[OrderStatus, ...]], ...] = (
    ("pause", "Hold", Signal.HOLD, (OrderStatus.TRAVELLING,)),
    ("go_on", "Continue", Signal.CONTINUE, (OrderStatus.WAITING_FOR_SIGNAL,)),
    ("redirect", "Redirect", None, LIVE),
    ("cancel", "Cancel", Signal.CANCEL, LIVE),
)
"""Icon, word, signal (None: the next click says where to) and the statuses it fits."""


class OrderMenu:
    """What the ring over some people offers, and what choosing a slice does."""

    def __init__(self, ped_ids: Sequence[int], orders: OrderTool, hands: Hands) -> None:
        self._orders = orders
        self._hands = hands
        self._statuses = {
            ped_id: order.status
            for ped_id in ped_ids
            if (order := orders.order_of(ped_id)) is not None
        }

    @property
    def is_empty(self) -> bool:
        """Nobody of them has an order."""
        return not self._statuses

    @property
    def slices(self) -> tuple[Slice, ...]:
        """The choices, dimmed where they fit nobody."""
        present = set(self._statuses.values())
        return tuple(
            Slice(icon, word, not present.isdisjoint(fits)) for icon, word, _, fits in CHOICES
        )

    def choose(self, index: int) -> None:
        """Do what a slice says, for those whom it fits.

        If it fits nobody it is asked of all, so that the desk's own reason is told.
        """
        _, _, signal, fits = CHOICES[index]
        if signal is None:
            self._hands.redirect()
            return
        fitting = [ped_id for ped_id, status in self._statuses.items() if status in fits]
        self._orders.signal(fitting or list(self._statuses), signal)
