"""What a state's hooks and services are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.machines.blackboard.keys import Value
from ai.machines.counters import EntryId
from ai.machines.hsm.definition import State
from ai.machines.hsm.record import RequestAnswer

if TYPE_CHECKING:
    from ai.machines.hsm.machine import StateMachine


class StateContext:
    """One per machine, set to the state in question before each call; not to be kept."""

    __slots__ = ("_machine", "entry", "state")

    def __init__(self, machine: StateMachine, state: State) -> None:
        self._machine = machine
        self.state = state
        self.entry: EntryId = 0

    @property
    def ped_id(self) -> int:
        """The ped."""
        return self._machine.context.ped_id

    @property
    def subject(self) -> object:
        """What the brain belongs to, as its maker gave it."""
        return self._machine.context.subject

    @property
    def step(self) -> int:
        """The step being thought."""
        return self._machine.context.step

    def read(self, key: str) -> Value:
        """A key of the frozen snapshot."""
        return self._machine.context.board.read(key, self.state.path)

    def write(self, key: str, value: Value) -> None:
        """Queue a write; seen from the next step on."""
        self._machine.context.write(key, value, self.state.path)

    def request(self, path: str) -> RequestAnswer:
        """Ask for another target; applied right after the hook returns (HSM-14)."""
        return self._machine.request(path)

    def update_actions(self) -> bool:
        """Give this state's live actions their parameters as they read now (ACT-18)."""
        return self._machine.update_actions(self.state)
