"""Fields written down step by step, for tests that ask what happened when."""

from __future__ import annotations

from collections.abc import Sequence

from game.levels.comparisons import Value
from game.levels.errors import LevelError, suggestion
from game.levels.fields import field_names, field_of
from game.levels.sight import Sight
from game.levels.stage import LevelView
from game.levels.subjects import THE_RUN, Of
from game.levels.times import end_of_step_s


class Seen:
    """Some fields of one ped, object or of the run, at the end of every step since.

    - ``seen["order.status"]`` are the values in order, one a step, None while there is
      nothing to read; ``steps`` are their step numbers.

    Raises ``LevelError`` for a field that there is not, with the nearest one.
    """

    def __init__(self, view: LevelView, name: str, of: Of, fields: Sequence[str]) -> None:
        self._sight = Sight(view, name, of)
        self._sight.origin = self._sight.position
        self._fields = {}
        for wanted in fields:
            field = field_of(wanted, of)
            if field is None:
                raise LevelError(
                    f"watch: unknown field '{wanted}'; {suggestion(wanted, field_names(of))}"
                )
            self._fields[wanted] = field
        self._values: dict[str, list[Value]] = {name: [] for name in self._fields}
        self.steps: list[int] = []

    def look(self, view: LevelView, step: int) -> None:
        """Write down what a step left."""
        self._sight.look(view)
        self.steps.append(step)
        for name, field in self._fields.items():
            self._values[name].append(field.read(self._sight))

    def __getitem__(self, field: str) -> list[Value]:
        return self._values[field]

    def changes(self, field: str) -> list[tuple[float, Value]]:
        """When a field took which value, in s: the first look, then every other value."""
        found: list[tuple[float, Value]] = []
        for step, value in zip(self.steps, self._values[field], strict=True):
            if not found or found[-1][1] != value:
                found.append((end_of_step_s(step), value))
        return found

    def first(self, field: str, value: Value) -> float | None:
        """When a field first had a value, in s; None if it never had."""
        values = self._values[field]
        return end_of_step_s(self.steps[values.index(value)]) if value in values else None


def kind_of(view: LevelView, name: str) -> Of | None:
    """What a name of a level stands for; None for nothing that is there."""
    if name == THE_RUN:
        return Of.RUN
    if view.ped(name) is not None:
        return Of.PED
    return Of.OBJECT if view.pose(name) is not None else None
