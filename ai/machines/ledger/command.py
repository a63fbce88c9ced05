"""A command, its states and the items by which its owner hears of it (ACT-03, ACT-04)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import NamedTuple, Protocol

from ai.machines.blackboard.keys import Value
from ai.machines.counters import CommandId, EntryId, InstanceId, Seq
from ai.machines.ledger.kinds import ActionKind


class OwnerId(NamedTuple):
    """Who submitted: the ped, its machine, tree or script, and the state or leaf in it."""

    ped: int
    mind: str
    part: str


class CommandState(IntEnum):
    """States of ACT-04."""

    SUBMITTED = 0
    ACTIVE = 1
    SUSPENDED = 2
    REJECTED_HELD = 3
    STOPPING = 4
    DONE = 5


class Outcome(IntEnum):
    """How a command ended; NONE before it has."""

    NONE = 0
    SUCCESS = 1
    FAILURE = 2
    REJECTED = 3
    CANCELLED = 4


class Urgency(IntEnum):
    """URGENT lets a key movement end; IMMEDIATE is obeyed in the same host phase (ACT-15)."""

    URGENT = 0
    IMMEDIATE = 1


class CancelAnswer(IntEnum):
    """What ``cancel`` answers at once (ACT-11)."""

    ACCEPTED = 0
    DUPLICATE = 1
    ALREADY_DONE = 2
    UNKNOWN = 3


class ReplyKind(IntEnum):
    """Items of the ledger, delivered at a boundary."""

    ADMITTED = 0
    REJECTED = 1
    COMPLETED = 2
    REVOKED = 3
    STOPPED = 4
    SUSPENDED = 5
    RESUMED = 6

    @property
    def verb(self) -> str:
        """Its trace verb."""
        return f"[{self.name.lower()}]"


TERMINAL_REPLIES = (ReplyKind.COMPLETED, ReplyKind.REVOKED, ReplyKind.STOPPED)
"""A rejection is terminal as well unless something is held."""


class CommandOwner(Protocol):
    """A state's entry or a leaf, as the ledger sees it.

    ``entry`` is its present entry, 0 while it has none; ``may_submit`` is false while it
    is exiting or cancelling. ``deliver`` only takes down the reply: no node or state
    code runs in it (ACT-01 P1).
    """

    @property
    def owner_id(self) -> OwnerId:
        """Ped, mind and part."""
        ...

    @property
    def entry(self) -> EntryId:
        """Present entry, 0 while it has none."""
        ...

    @property
    def may_submit(self) -> bool:
        """True while it is active or entering."""
        ...

    def deliver(self, reply: Reply) -> None:
        """Take down one reply."""
        ...


class Command:
    """One command of one ped; only the ledger writes its fields.

    Invariants:

    - ``held`` is 0 in DONE and, but for a staged initialisation, before ACTIVE.
    - ``instance`` is 0 until admission and stays afterwards.
    - ``outcome`` is NONE exactly until DONE.
    """

    __slots__ = (
        "cancel_seq", "cancel_step", "entry", "escalated", "forced", "held", "id", "instance",
        "kind", "late_success", "outcome", "overdue", "owner", "params", "preempting",
        "reject_reason", "seq", "slot", "state", "submit_hold", "submit_step", "urgency",
    )  # fmt: skip

    def __init__(
        self,
        command_id: CommandId,
        seq: Seq,
        kind: ActionKind,
        params: Mapping[str, Value],
        owner: CommandOwner,
        slot: int,
        step: int,
    ) -> None:
        self.id = command_id
        self.seq = seq
        self.kind = kind
        self.params = params
        self.owner = owner
        self.entry: EntryId = owner.entry
        self.slot = slot
        self.state = CommandState.SUBMITTED
        self.outcome = Outcome.NONE
        self.instance: InstanceId = 0
        self.held = 0
        self.submit_step = step
        self.submit_hold = 0
        self.cancel_seq: Seq = 0
        self.cancel_step = 0
        self.urgency = Urgency.URGENT
        self.escalated = False
        self.overdue = False
        self.preempting = False
        self.late_success = False
        self.forced = False
        self.reject_reason = ""

    @property
    def reject_held(self) -> bool:
        """True once it was rejected with part of its resources held (ACT-07)."""
        return self.reject_reason != "" and not self.admitted

    @property
    def admitted(self) -> bool:
        """True once it has had an instance."""
        return self.instance > 0


class Reply(NamedTuple):
    """An item of the ledger; ``bits`` are the resources held (REJECTED) or released (STOPPED)."""

    kind: ReplyKind
    command: Command
    bits: int = 0
    success: bool = False
    reason: str = ""

    @property
    def terminal(self) -> bool:
        """True if it is the last reply of its command."""
        return self.kind in TERMINAL_REPLIES or (self.kind is ReplyKind.REJECTED and not self.bits)
