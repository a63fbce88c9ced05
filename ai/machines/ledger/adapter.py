"""How states and rule scripts use the ledger: several actions under one entry (ACT-21)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from ai.machines.blackboard.board import Blackboard
from ai.machines.counters import CommandId, EntryId
from ai.machines.errors import BadCommandError
from ai.machines.ledger.command import OwnerId, Reply, ReplyKind
from ai.machines.ledger.ledger import Ledger
from ai.machines.parameters import ActionSpec, resolved


class EnterStatus(IntEnum):
    """How far the Enter of an entry is."""

    PENDING = 0
    OK = 1
    FAILED = 2


class ActionEntry:
    """One execution of a state or rule and the commands it submitted.

    - ``result`` is the word of the last action that ended after the Enter was OK, or "".
    - ``failing``: before all were admitted, one was rejected, failed or was revoked.
    """

    __slots__ = (
        "_ending", "_open", "_waiting", "command_ids", "entered", "entry", "failing", "owner_id",
        "reason", "result",
    )  # fmt: skip

    def __init__(self, owner_id: OwnerId, entry: EntryId) -> None:
        self.owner_id = owner_id
        self.entry = entry
        self.command_ids: list[CommandId] = []
        self.entered = False
        self.failing = False
        self.reason = ""
        self.result = ""
        self._ending = False
        self._waiting = 0
        self._open = 0

    @property
    def may_submit(self) -> bool:
        """False once it is stopped or undone (ACT-05)."""
        return not self._ending

    @property
    def is_waiting(self) -> bool:
        """True while an action is not admitted."""
        return self._waiting > 0

    @property
    def all_done(self) -> bool:
        """True when every command has had its terminal."""
        return self._open == 0

    def begun(self, command_id: CommandId) -> None:
        """Note a submitted command."""
        self.command_ids.append(command_id)
        self._waiting += 1
        self._open += 1

    def end(self) -> None:
        """No more submits."""
        self._ending = True

    def deliver(self, reply: Reply) -> None:
        """Write a reply down (P1)."""
        match reply.kind:
            case ReplyKind.ADMITTED:
                self._waiting -= 1
            case ReplyKind.REJECTED:
                self._fail(reply.reason)
            case ReplyKind.COMPLETED:
                self._ended("success" if reply.success else "failure")
            case ReplyKind.REVOKED:
                self._ended("cancelled")
            case _:
                pass
        if reply.terminal:
            self._open -= 1

    def _ended(self, word: str) -> None:
        if self.entered:
            self.result = word
        elif word != "success":
            self._fail(word)

    def _fail(self, reason: str) -> None:
        if not self.failing:
            self.failing = True
            self.reason = reason


class ActionAdapter:
    """The ledger as states and rule scripts see it; it keeps no state of its own."""

    __slots__ = ("_ledger",)

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def begin(self, entry: ActionEntry, actions: Sequence[ActionSpec], board: Blackboard) -> None:
        """Submit all actions; one that doesn't fit makes the entry fail."""
        for slot, action in enumerate(actions):
            try:
                command_id = self._ledger.submit(
                    entry, action.kind, resolved(action.parameters, board), slot
                )
            except BadCommandError as error:
                entry.failing = True
                entry.reason = str(error)
                return
            entry.begun(command_id)

    def failing(self, entry: ActionEntry) -> bool:
        """Has the Enter failed, though what it had got may still be held."""
        if not entry.failing and not entry.entered:
            for command_id in entry.command_ids:
                if self._ledger.admission_expired(command_id):
                    entry.failing = True
                    entry.reason = "not admitted in time"
        return entry.failing

    def enter_status(self, entry: ActionEntry) -> EnterStatus:
        """OK when all are admitted; FAILED when it failed and everything is released (ACT-07)."""
        if self.failing(entry):
            self.undo(entry)
            return EnterStatus.FAILED if entry.all_done else EnterStatus.PENDING
        if entry.is_waiting:
            return EnterStatus.PENDING
        entry.entered = True
        return EnterStatus.OK

    def undo(self, entry: ActionEntry) -> None:
        """Cancel every command of a failed Enter; asking again changes nothing."""
        self.stop(entry)

    def stop(self, entry: ActionEntry) -> None:
        """Cancel every command of the entry; asking again changes nothing."""
        if entry.may_submit:
            entry.end()
            for command_id in entry.command_ids:
                self._ledger.cancel(command_id)

    def all_stopped(self, entry: ActionEntry) -> bool:
        """True when every command of the entry has had its terminal."""
        return entry.all_done

    def update(self, entry: ActionEntry, action: ActionSpec, board: Blackboard) -> bool:
        """Give the live instance of an action its parameters as they read now (ACT-18)."""
        for command_id in entry.command_ids:
            command = self._ledger.command(command_id)
            if command is not None and command.kind.name == action.kind:
                return self._ledger.update(command_id, resolved(action.parameters, board))
        return False
