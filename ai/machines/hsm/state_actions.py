"""The actions that states of a standalone machine own directly (HSM-09, HSM-22)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.machines.counters import EntryId
from ai.machines.hsm.definition import RevokedPolicy, State
from ai.machines.ledger.adapter import ActionAdapter, ActionEntry, EnterStatus
from ai.machines.ledger.command import OwnerId

if TYPE_CHECKING:
    from ai.machines.hsm.machine import StateMachine


class StateActions:
    """Entries of the states on the path and of the one being entered.

    After a revocation the rules come first; only a state that none of them has left
    restarts, stays or goes elsewhere (HSM-22).
    """

    __slots__ = ("_adapter", "_entries", "_machine", "_restart_step", "_revoked", "begun_step")

    def __init__(self, machine: StateMachine) -> None:
        self._machine = machine
        self._adapter = ActionAdapter(machine.context.ledger)
        self._entries: dict[State, ActionEntry] = {}
        self._revoked: State | None = None
        self._restart_step = 0
        self.begun_step = 0
        """Step in which the Enter in progress began."""

    def begin(self, state: State, entry_id: EntryId) -> None:
        """Submit the state's actions for a new entry."""
        context = self._machine.context
        owner = OwnerId(context.ped_id, self._machine.mind, state.path)
        self._entries[state] = entry = ActionEntry(owner, entry_id)
        self.begun_step = context.step
        self._adapter.begin(entry, state.actions, context.board)

    def failing(self, state: State) -> bool:
        """Has the Enter failed."""
        return self._adapter.failing(self._entries[state])

    def enter_status(self, state: State) -> EnterStatus:
        """Are all actions admitted."""
        status = self._adapter.enter_status(self._entries[state])
        if status is EnterStatus.OK:
            self._machine.context.board.action_result = "none"
        return status

    def reason(self, state: State) -> str:
        """Why the Enter failed."""
        entry = self._entries.get(state)
        return entry.reason if entry is not None else ""

    def fail(self, state: State, reason: str) -> None:
        """Begin the undo of what the Enter has got."""
        entry = self._entries.get(state)
        if entry is not None:
            entry.failing = True
            entry.reason = reason
            self._adapter.undo(entry)

    def stop(self, state: State) -> None:
        """Cancel the state's actions for its exit."""
        self._adapter.stop(self._entries[state])

    def all_stopped(self, state: State) -> bool:
        """Has every command of the state had its terminal."""
        entry = self._entries.get(state)
        return entry is None or self._adapter.all_stopped(entry)

    def forget(self, state: State) -> None:
        """The state is exited or undone: later replies for this entry are stale."""
        entry = self._entries.pop(state, None)
        if entry is not None:
            entry.entry = 0
        if self._revoked is state:
            self._revoked = None

    def update(self, state: State) -> bool:
        """New parameters for the state's live actions."""
        entry = self._entries.get(state)
        if entry is None:
            return False
        board = self._machine.context.board
        changed = False
        for action in state.actions:
            changed = self._adapter.update(entry, action, board) or changed
        return changed

    def publish(self) -> None:
        """P8: ``action_result``, and the restart of a state whose action was revoked."""
        context = self._machine.context
        revoked = self._revoked
        if revoked is not None and context.step >= self._restart_step:
            self._revoked = None
            self._machine.leave_after_revoked(revoked)
        for state, entry in self._entries.items():
            if entry.result:
                context.board.action_result = entry.result
                self._machine.rules.result_published()
                if entry.result == "cancelled":
                    self._note_revoked(state)
                entry.result = ""

    def _note_revoked(self, state: State) -> None:
        if state.on_revoked is RevokedPolicy.STAY:
            return
        context = self._machine.context
        # Rules read the result in the next step, so no policy acts before it.
        delay = 1
        if state.on_revoked is RevokedPolicy.RESTART:
            delay = max(1, context.delays.restart_after_revoked)
        self._revoked = state
        self._restart_step = context.step + delay
