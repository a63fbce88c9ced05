"""Order commands as action objects: what a cue, a click and a replay put into the desk's queue.

One kind of object is order, log entry and replay input at once: it names all it
needs, is plain data, and only ``OrderDesk`` carries it out (ORD-22).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from ai.behaviours.order_record import OrderStatus
from ai.ports import EntityRef, Vec3


class Refusal(Enum):
    """Why an order command was refused; NONE means accepted."""

    NONE = auto()
    NO_PED = auto()
    PED_RETIRED = auto()
    BAD_SOURCE = auto()
    NO_OBJECT = auto()
    OTHER_WORLD = auto()
    OBJECT_DYING = auto()
    BAD_OFFSET = auto()
    BAD_TRANSFORM = auto()
    BAD_GOAL = auto()
    NO_GROUND = auto()
    VEHICLE_RELATION = auto()
    SUPPRESSED = auto()
    SESSION_RUNNING = auto()
    FOREIGN_MAIN_ACTIVE = auto()
    FOREIGN_MAIN_PENDING = auto()
    SLOT_REFUSED = auto()
    WRONG_SESSION = auto()
    SESSION_ENDED = auto()
    INTERRUPTED = auto()
    NOT_TRAVELLING = auto()
    NOT_WAITING = auto()
    SLOT_MISMATCH = auto()
    NOT_ACTIVE = auto()
    GOAL_MISMATCH = auto()
    NOTHING_TO_CANCEL = auto()


class CheckResult(NamedTuple):
    """``PASSED``, or the first check that failed with the field or value at fault."""

    refusal: Refusal
    detail: str = ""


PASSED = CheckResult(Refusal.NONE)


@dataclass(frozen=True, slots=True)
class OrderReply:
    """Answer to a command.

    - ``detail`` names the value or field that failed (``"offset=(nan, 0, 0)"``, ``"session"``).
    """

    accepted: bool
    reason: Refusal
    session: int = 0
    instruction_count: int = 0
    detail: str = ""

    @classmethod
    def refused(
        cls, check: CheckResult, session: int = 0, instruction_count: int = 0
    ) -> OrderReply:
        """The reply to a command that failed a check."""
        return cls(False, check.refusal, session, instruction_count, check.detail)


@dataclass(frozen=True, slots=True)
class StartOrder:
    """Send a ped to the approach point of an object (ORD-05); ``track``: and after it (ORD-20)."""

    ped: EntityRef
    target: EntityRef
    offset_local: Vec3 = Vec3(0.0, 0.0, 0.0)
    source: EntityRef | None = None
    track: bool = False


@dataclass(frozen=True, slots=True)
class StartOrderAt:
    """Send a ped to a place on the ground (ORD-25)."""

    ped: EntityRef
    place: Vec3
    source: EntityRef | None = None


@dataclass(frozen=True, slots=True)
class HoldOrder:
    """Wait where you are until told otherwise (ORD-10)."""

    ped: EntityRef
    session: int


@dataclass(frozen=True, slots=True)
class ContinueOrder:
    """Go on with what you were doing (ORD-11)."""

    ped: EntityRef
    session: int


@dataclass(frozen=True, slots=True)
class RedirectOrder:
    """Go to another object instead, within the same session (ORD-12); ``track`` as for a start."""

    ped: EntityRef
    session: int
    target: EntityRef
    offset_local: Vec3 = Vec3(0.0, 0.0, 0.0)
    track: bool = False


@dataclass(frozen=True, slots=True)
class RedirectOrderTo:
    """Go to another place instead, within the same session (ORD-12, ORD-25)."""

    ped: EntityRef
    session: int
    place: Vec3


@dataclass(frozen=True, slots=True)
class CancelOrder:
    """Give the order up (ORD-13)."""

    ped: EntityRef
    session: int


OrderCommand: TypeAlias = (
    StartOrder
    | StartOrderAt
    | HoldOrder
    | ContinueOrder
    | RedirectOrder
    | RedirectOrderTo
    | CancelOrder
)


@dataclass(frozen=True, slots=True)
class OrderLogLine:
    """What came of a queued command (ORD-22); replaying the lines in order repeats the run."""

    step: int
    sequence: int
    command: OrderCommand
    reply: OrderReply
    ped_id: int
    source: EntityRef | None
    status: OrderStatus | None
    failure_count: int
    generation: int
