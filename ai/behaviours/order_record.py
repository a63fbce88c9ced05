"""The record of a script order: its purpose, where the purpose came from, how it stands (ORD-02).

Whether a purpose still stands is read from ``status`` alone, never from a clip,
a speed or the body (ORD-01). A path is never the purpose.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from ai import settings
from ai.events.slot_identity import SlotIdentity
from ai.faults import faults
from ai.motion.movement_table import MoveReason
from ai.ports import EntityKind, EntityRef, ObjectTransform, Vec3


class OrderStatus(Enum):
    """ORD-03."""

    NOT_STARTED = auto()
    PENDING = auto()
    TRAVELLING = auto()
    WAITING_FOR_SIGNAL = auto()
    AWAITING_DECISION = auto()
    COMPLETED = auto()
    CANCELLED = auto()


ENDED = frozenset({OrderStatus.NOT_STARTED, OrderStatus.COMPLETED, OrderStatus.CANCELLED})
"""Statuses of a record that is not a live order."""

ALLOWED_CHANGES: frozenset[tuple[OrderStatus, OrderStatus]] = frozenset(
    {
        (OrderStatus.NOT_STARTED, OrderStatus.PENDING),
        (OrderStatus.PENDING, OrderStatus.TRAVELLING),
        (OrderStatus.TRAVELLING, OrderStatus.WAITING_FOR_SIGNAL),
        (OrderStatus.WAITING_FOR_SIGNAL, OrderStatus.TRAVELLING),
        (OrderStatus.TRAVELLING, OrderStatus.AWAITING_DECISION),
        (OrderStatus.WAITING_FOR_SIGNAL, OrderStatus.AWAITING_DECISION),
        (OrderStatus.AWAITING_DECISION, OrderStatus.TRAVELLING),
        (OrderStatus.TRAVELLING, OrderStatus.COMPLETED),
        (OrderStatus.PENDING, OrderStatus.CANCELLED),
        (OrderStatus.TRAVELLING, OrderStatus.CANCELLED),
        (OrderStatus.WAITING_FOR_SIGNAL, OrderStatus.CANCELLED),
        (OrderStatus.AWAITING_DECISION, OrderStatus.CANCELLED),
    }
)
"""The only changes of status there are (ORD-03)."""


class EndCause(Enum):
    """Why an order ended in CANCELLED."""

    CANCELLED = auto()
    SOURCE_GONE = auto()
    PED_GONE = auto()
    NOT_COMMITTED = auto()
    SLOT_REFUSED = auto()
    SUPERSEDED = auto()
    """It had lost its slot, and then the ped took an order of another source (ORD-02)."""


class IllegalStatusChange(AssertionError):
    """A change of order status outside the table of ORD-03."""


@dataclass(frozen=True, slots=True)
class Approach:
    """Where a goal came from (ORD-08, ORD-09): object, local offset, the transform read then.

    - ``track``: the goal goes with the object (ORD-20); else it is as it was read.
    """

    target: EntityRef
    offset_local: Vec3
    transform: ObjectTransform
    track: bool = False


@dataclass(slots=True)
class OrderState:
    """One order of one ped; plain data, copyable and comparable (ORD-02).

    - ``goal`` is the resolved world goal in cm; the execution never chooses another.
    - ``failure_count`` counts movement failures consumed, once each (ORD-15).
    - ``last_failure`` stays after a redirect, for display.
    - ``slot`` holds the seven identity fields that the main slot must show.
    - ``last_child_generation`` is diagnostic only (ORD-21).
    - ``resample_count`` counts the times that a tracked goal was moved (ORD-20).
    """

    source: EntityRef
    session: int
    goal: Vec3
    approach: Approach
    slot: SlotIdentity
    instruction_count: int = 1
    failure_count: int = 0
    last_failure: MoveReason | None = None
    status: OrderStatus = OrderStatus.NOT_STARTED
    end_cause: EndCause | None = None
    last_child_generation: int = 0
    resample_count: int = 0

    @property
    def live(self) -> bool:
        """True from PENDING until COMPLETED or CANCELLED."""
        return self.status not in ENDED

    @property
    def completed(self) -> bool:
        """True once the order took the movement's arrival."""
        return self.status is OrderStatus.COMPLETED

    def change_status(self, status: OrderStatus) -> bool:
        """Move to another status; True if done.

        A change that ORD-03 does not list leaves the record unchanged: strict mode
        raises ``IllegalStatusChange``, play writes a fault and returns False.
        """
        if (self.status, status) in ALLOWED_CHANGES:
            self.status = status
            return True
        text = (
            f"order {self.session} can't go from {self.status.name} to {status.name}; "
            "check its status before the command or result is taken"
        )
        if settings.strict:
            raise IllegalStatusChange(text)
        faults.record("order_status", text)
        return False


_NOBODY = EntityRef(EntityKind.ORDER_SOURCE, 0, 0)
_NOWHERE = Vec3(0.0, 0.0, 0.0)
_NO_APPROACH = Approach(
    EntityRef(EntityKind.MARKER, 0, 0),
    _NOWHERE,
    ObjectTransform(_NOWHERE, 0.0, Vec3(1.0, 1.0, 1.0), _NOWHERE),
)
_NO_SLOT = SlotIdentity.of_main(0)


def blank_order() -> OrderState:
    """What a ped without an order shows: session 0, no instruction, NOT_STARTED."""
    return OrderState(
        source=_NOBODY,
        session=0,
        goal=_NOWHERE,
        approach=_NO_APPROACH,
        slot=_NO_SLOT,
        instruction_count=0,
    )
