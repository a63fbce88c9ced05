"""What a machine, tree or rule script may use of the brain that it lives in."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from ai import settings
from ai.faults import faults
from ai.machines.blackboard.board import Blackboard
from ai.machines.blackboard.keys import Value
from ai.machines.counters import Counters, EntryId, Seq
from ai.machines.inbox import Inbox, ItemKind
from ai.machines.ledger.ledger import Ledger
from ai.machines.limits import BrainLimits, DelaySteps
from ai.machines.trace import BrainTrace

PostEvent = Callable[[str, Mapping[str, Value]], None]
"""Posts an event of the given name for the ped (leaf ``post_event``, BT-09)."""


class BrainContext:
    """Shared by everything in one brain; ``step`` is the step being thought."""

    __slots__ = (
        "_raised", "board", "counters", "delays", "inbox", "ledger", "limits", "ped_id",
        "post_event", "random", "step", "subject", "trace",
    )  # fmt: skip

    def __init__(
        self,
        ped_id: int,
        board: Blackboard,
        ledger: Ledger,
        inbox: Inbox,
        counters: Counters,
        trace: BrainTrace,
        rng: random.Random,
        limits: BrainLimits,
        delays: DelaySteps,
        post_event: PostEvent,
        subject: object = None,
    ) -> None:
        self.ped_id = ped_id
        self.board = board
        self.ledger = ledger
        self.inbox = inbox
        self.counters = counters
        self.trace = trace
        self.random = rng
        self.limits = limits
        self.delays = delays
        self.post_event = post_event
        self.subject = subject
        """What the brain belongs to: nothing to this room, all to services and hooks."""
        self.step = 0
        self._raised: Exception | None = None

    def hook_failed(self, owner: str, hook: str, error: Exception) -> None:
        """Record a hook that raised; in strict it is raised at the end of the step (HSM-25)."""
        text = f"{hook} of '{owner}' raised {error!r}; the hook is not called again for this entry"
        faults.record("hook", text, f"ped#{self.ped_id}")
        if settings.strict and self._raised is None:
            self._raised = error

    def raise_kept(self) -> None:
        """End of a step: raise the first error that a hook has left behind in strict."""
        if self._raised is not None:
            error, self._raised = self._raised, None
            raise error

    def write(self, key: str, value: object, writer: str) -> Seq:
        """Queue a blackboard write; it is seen from the next boundary on (BB-02).

        Raises ``BlackboardError`` naming key, writer and value for a bad one.
        """
        slot, checked = self.board.checked(key, value, writer)
        return self.inbox.post(ItemKind.WRITE, slot, checked)

    def new_entry(self) -> EntryId:
        """Number of a new execution of a state or leaf."""
        self.counters.entry += 1
        return self.counters.entry
