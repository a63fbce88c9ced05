"""Parameters of actions: ``"$key"``, ``"@name"``, ``"%scratch"`` or a literal (HSM-03)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from ai.machines.blackboard.board import Blackboard
from ai.machines.blackboard.keys import Value


class Source(IntEnum):
    """Where a parameter's value comes from."""

    LITERAL = 0
    KEY = 1
    SCRATCH = 2


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; ``@name`` has become a literal at load."""

    name: str
    source: Source
    value: Value = None
    slot: int = 0

    def read(self, board: Blackboard) -> Value:
        """Its value on the frozen snapshot."""
        if self.source is Source.KEY:
            return board.values[self.slot]
        if self.source is Source.SCRATCH:
            return board.scratch.get(str(self.value))
        return self.value


def resolved(parameters: tuple[Parameter, ...], board: Blackboard) -> Mapping[str, Value]:
    """All parameters with their present values; a key that reads none is left out."""
    found: dict[str, Value] = {}
    for parameter in parameters:
        value = parameter.read(board)
        if value is not None:
            found[parameter.name] = value
    return found


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """An action as a file asks for it; the kind is looked up in the ledger."""

    kind: str
    parameters: tuple[Parameter, ...] = ()
