"""Tunables: values that a class declares and a file may change (TASK-109).

class TaskFlee(Task):
class Tunables(TunableSet, group="Response Tasks"):
safe_distance = tunable(650.0, min=0.0, unit="cm")
safe_distance_sq = derived()

def finalize(self) -> None:
self.safe_distance_sq = self.safe_distance * self.safe_distance

tunables: ClassVar[Tunables]

TaskFlee.tunables.safe_distance  # an attribute read, the same object for ever
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from ai.tuning.groups import PHYSICS_GROUP, group_named

Value = bool | int | float | str

UNITS = ("cm", "s", "kg", "rad", "deg", "cm_s", "rad_s", "m")
"""Units that a name may end in; such a name must have that unit."""


@dataclass(frozen=True, slots=True)
class Tunable:
    """One declared value: its default, what is allowed, and the unit of numbers."""

    default: Value
    low: float | None
    high: float | None
    unit: str
    choices: tuple[str, ...]

    def allowed(self) -> str:
        """What is allowed, in words."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        kind = type(self.default).__name__
        low = "-inf" if self.low is None else f"{self.low:g}"
        high = "inf" if self.high is None else f"{self.high:g}"
        unit = f" {self.unit}" if self.unit else ""
        return kind if isinstance(self.default, bool | str) else f"{kind} in [{low}, {high}]{unit}"

    def read(self, raw: object) -> Value:
        """A value from a file as the tunable's own kind.

        A number may be written with its unit, ``"650 cm"``. Raises ``ValueError`` for
        the wrong kind, unit or range.
        """
        default = self.default
        if isinstance(default, bool) or isinstance(raw, bool):
            if type(raw) is not type(default):
                raise ValueError(f"must be {self.allowed()}")
            return bool(raw)
        if isinstance(default, str):
            if not isinstance(raw, str) or (self.choices and raw not in self.choices):
                raise ValueError(f"must be {self.allowed()}")
            return raw
        if isinstance(raw, str):
            raw = self._without_unit(raw)
        if not isinstance(raw, int | float) or (isinstance(default, int) and raw != int(raw)):
            raise ValueError(f"must be {self.allowed()}")
        low = -math.inf if self.low is None else self.low
        high = math.inf if self.high is None else self.high
        if not (math.isfinite(raw) and low <= raw <= high):
            raise ValueError(f"must be {self.allowed()}")
        return int(raw) if isinstance(default, int) else float(raw)

    def _without_unit(self, text: str) -> float:
        number, _, unit = text.strip().partition(" ")
        if not self.unit or unit.strip() != self.unit:
            raise ValueError(f"must be {self.allowed()}; its unit is {self.unit or 'none'}")
        try:
            return float(number)
        except ValueError:
            raise ValueError(f"must be {self.allowed()}") from None


class _Derived:
    """Mark of an attribute that ``finalize`` works out."""


def tunable(
    default: Value,
    *,
    min: float | None = None,  # noqa: A002 - reads as the file does
    max: float | None = None,  # noqa: A002
    unit: str = "",
    choices: tuple[str, ...] = (),
) -> Any:
    """Declare a value of a set, with bounds (both inclusive), unit or choices."""
    return Tunable(default, min, max, unit, choices)


def derived() -> Any:
    """Declare a value that ``finalize`` works out from the others."""
    return _Derived()


class _SetKind(type):
    """Turns a declared set into one object with slots, known to its class and the manager."""

    specs: dict[str, Tunable]
    instance: TunableSet

    def __new__(
        mcs,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        *,
        group: str = "",
        physics: str = "",
    ) -> _SetKind:
        specs = {key: value for key, value in namespace.items() if isinstance(value, Tunable)}
        free = [key for key, value in namespace.items() if isinstance(value, _Derived)]
        body = {key: value for key, value in namespace.items() if key not in (*specs, *free)}
        body["__slots__"] = (*specs, *free)
        made = super().__new__(mcs, name, bases, body)
        made.specs = specs
        if bases:
            _check_declaration(made, group, physics)
            made.group = group  # type: ignore[attr-defined]
            made.physics = physics  # type: ignore[attr-defined]
        return made

    def __init__(cls, *arguments: Any, **_options: Any) -> None:
        super().__init__(*arguments)

    def __set_name__(cls, owner: type, name: str) -> None:
        from ai.tuning.manager import tuning_manager

        cls.section = owner.__name__
        cls.instance = cls()
        cls.instance.put(cls.instance.defaults())
        tuning_manager.register(cls.instance)
        owner.tunables = cls.instance  # type: ignore[attr-defined]


def _check_declaration(cls: _SetKind, group: str, physics: str) -> None:
    where = cls.__qualname__
    if group_named(group) is None:
        raise TypeError(f"{where}: tuning group {group!r} is unknown; declare_group() it first")
    if physics and group != PHYSICS_GROUP:
        raise TypeError(f"{where}: physics sets belong to the group {PHYSICS_GROUP!r}")
    for name, spec in cls.specs.items():
        try:
            spec.read(spec.default)
        except ValueError as error:
            raise TypeError(f"{where}.{name}: default {spec.default!r}: {error}") from None
        ending = next((unit for unit in UNITS if name.endswith(f"_{unit}")), spec.unit)
        if ending != spec.unit and not spec.unit.endswith(ending):
            raise TypeError(f"{where}.{name}: ends in {ending} and has the unit {spec.unit!r}")


class TunableSet(metaclass=_SetKind):
    """Base of a class's ``Tunables``; the class gets the one object as ``tunables``.

    ``group`` names where its file is; ``physics`` which section of a physics set
    overlays it (TASK-113).
    """

    section: ClassVar[str]  # set per set: a set has one object
    group: ClassVar[str]
    physics: ClassVar[str]

    def finalize(self) -> None:
        """Work out what was declared as ``derived``; after every change of values."""

    def defaults(self) -> dict[str, Value]:
        """The declared values."""
        return {name: spec.default for name, spec in type(self).specs.items()}

    def values(self) -> dict[str, Value]:
        """The present values, derived ones apart."""
        return {name: getattr(self, name) for name in type(self).specs}

    def put(self, values: dict[str, Value]) -> None:
        """Take values over and finalise; the caller has checked them."""
        for name, value in values.items():
            setattr(self, name, value)
        self.finalize()
