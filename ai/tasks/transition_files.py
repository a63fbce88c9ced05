"""Reading transition tables: one file a family, names resolved to numbers at load (TASK-28).

A *family* is what one task class chooses from: one table for each of its situations.
``assets/tuning/transitions/<family>.toml`` has, for each table,

    [[on_foot.transition]]
    from = "WALK"
    to = "PAUSE"
    weight = 1.0
    require = ["ARRIVED"]

    [[on_foot.fallback]]
    from = "WALK"
    to = "STAND"
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from enum import IntEnum, IntFlag
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from ai.faults import faults
from ai.tasks.limits import FALLBACKS_PER_TABLE_MAX, TRANSITIONS_PER_TABLE_MAX
from ai.tasks.transitions import Fallback, TransitionRow, TransitionTable
from ai.tuning import OwnForm, TuningError, effective, first_error_sentence, read_toml

_log = logging.getLogger(__name__)


class _Fallback(OwnForm):
    from_state: str = Field(alias="from")
    to_state: str = Field(alias="to")


class _Transition(_Fallback):
    weight: float = Field(ge=0.0)
    require: list[str]


class TransitionFamily:
    """The tables of one task class, by situation.

    - ``states`` and ``conditions`` are the class's; files name their members.
    - ``situations`` names the tables that the file must have and may have. Two
      situations may share one: ``shared`` gives the table that a situation uses.
    """

    def __init__(
        self,
        name: str,
        states: type[IntEnum],
        conditions: type[IntFlag],
        situations: Sequence[str],
        shared: dict[str, str] | None = None,
    ) -> None:
        self.name = name
        self._states = states
        self._conditions = conditions
        self._shared = shared or {}
        self._names = tuple(each for each in situations if each not in self._shared)
        self._tables: dict[str, TransitionTable] = {}

    def table(self, situation: str) -> TransitionTable:
        """The table for a situation; looked up anew at each use, since situations change."""
        return self._tables[self._shared.get(situation, situation)]

    def load(self, folder: Path) -> tuple[str, ...]:
        """Read ``<name>.toml``; returns why tables were refused, one sentence each.

        - A table with a fault is refused as a whole; the previous one stays.
        - Rows beyond the limits are left out, with one fault for each table.

        Raises ``TuningError`` if the file can't be read, names a table that the family
        does not have, or leaves a situation without any table.
        """
        path = effective(folder / f"{self.name}.toml")
        data = read_toml(path)
        for name in data:
            if name not in self._names:
                raise TuningError(
                    f"{path}: table '{name}' is unknown; must be one of {', '.join(self._names)}"
                )
        refusals: list[str] = []
        for name in self._names:
            try:
                table = self._read(path, name, data.get(name))
            except TuningError as error:
                if name not in self._tables:
                    raise
                _log.warning("%s; the previous table stays", error)
                refusals.append(str(error))
            else:
                self._tables[name] = table
        return tuple(refusals)

    def _read(self, path: Path, name: str, data: Any) -> TransitionTable:
        if not isinstance(data, dict):
            raise TuningError(f"{path}: table '{name}' is missing; write [[{name}.transition]]")
        for key in data:
            if key not in ("transition", "fallback"):
                raise TuningError(f"{path}: key '{name}.{key}' is unknown")
        transitions = self._rows(path, name, "transition", data, TRANSITIONS_PER_TABLE_MAX)
        fallbacks = self._rows(path, name, "fallback", data, FALLBACKS_PER_TABLE_MAX)
        return TransitionTable(
            len(self._states),
            [row for row in transitions if isinstance(row, TransitionRow)],
            [row for row in fallbacks if isinstance(row, Fallback)],
        )

    def _rows(
        self, path: Path, name: str, kind: str, data: dict[str, Any], most: int
    ) -> list[TransitionRow | Fallback]:
        raw = data.get(kind, [])
        if not isinstance(raw, list):
            raise TuningError(f"{path}: key '{name}.{kind}' must be rows: [[{name}.{kind}]]")
        if len(raw) > most:
            faults.record(
                "transition_rows",
                f"{path}: [[{name}.{kind}]] row {most + 1} of {len(raw)}: "
                f"a table has at most {most}, the rest is left out; split the table",
            )
        return [
            self._row(f"{path}: [[{name}.{kind}]] row {number}", kind, row)
            for number, row in enumerate(raw[:most], start=1)
        ]

    def _row(self, where: str, kind: str, raw: Any) -> TransitionRow | Fallback:
        try:
            if kind == "fallback":
                row = _Fallback.model_validate(raw)
                return Fallback(
                    self._state(where, row.from_state), self._state(where, row.to_state)
                )
            way = _Transition.model_validate(raw)
        except ValidationError as error:
            raise TuningError(f"{where}: {first_error_sentence(error)}") from error
        require = 0
        for condition in way.require:
            if condition not in self._conditions.__members__:
                raise TuningError(
                    f"{where}: condition '{condition}' is unknown; "
                    f"must be one of {', '.join(self._conditions.__members__)}"
                )
            require |= int(self._conditions[condition])
        return TransitionRow(
            self._state(where, way.from_state),
            self._state(where, way.to_state),
            way.weight,
            require,
        )

    def _state(self, where: str, name: str) -> int:
        if name not in self._states.__members__:
            raise TuningError(
                f"{where}: state '{name}' is unknown; "
                f"must be one of {', '.join(self._states.__members__)}"
            )
        return int(self._states[name])
