"""Declarations of blackboard keys and the checks of what is written to them (BB-01)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from ai.machines.errors import BlackboardError
from ai.ports import EntityRef

MAX_KEYS = 64
"""Keys of one ped (BB-01): a set of keys is one machine word of bits."""

MAX_TEXT = 64
"""Characters of a ``str`` value (BB-01)."""

Vec2: TypeAlias = tuple[float, float]
Value: TypeAlias = bool | int | float | str | Vec2 | EntityRef | None


class KeyType(StrEnum):
    """The types a key can be declared with."""

    BOOL = "bool"
    INT = "int"
    FLOAT = "float"
    VEC2 = "vec2"
    STR = "str"
    ENUM = "enum"
    ENTITY = "entity"


NUMBERS = (KeyType.INT, KeyType.FLOAT)

_DEFAULTS: dict[KeyType, Value] = {
    KeyType.BOOL: False,
    KeyType.INT: 0,
    KeyType.FLOAT: 0.0,
    KeyType.VEC2: (0.0, 0.0),
    KeyType.STR: "",
    KeyType.ENTITY: None,
}


@dataclass(frozen=True, slots=True)
class KeyDefinition:
    """One declared key.

    - ``minimum``, ``maximum``: bounds of numbers, inclusive, or None.
    - ``epsilon``: a float or vec2 counts as changed when it differs by more (BB-04).
    - ``values``: the allowed words of an enum.
    - ``shared``: one value per level instead of one per ped (BB-12).
    """

    name: str
    type: KeyType
    default: Value
    minimum: float | None = None
    maximum: float | None = None
    epsilon: float = 0.0
    values: tuple[str, ...] = ()
    shared: bool = False

    @staticmethod
    def default_of(key_type: KeyType, values: tuple[str, ...]) -> Value:
        """Default of a key that declares none."""
        return values[0] if key_type is KeyType.ENUM else _DEFAULTS[key_type]

    def checked(self, value: object) -> Value:
        """The value as it is kept (ints become floats for float keys).

        Raises ``ValueError`` with the reason; a bool is no int, NaN and infinity are refused.
        """
        match self.type:
            case KeyType.BOOL:
                if type(value) is bool:
                    return value
            case KeyType.INT:
                if type(value) is int:
                    return self._in_bounds(value)
            case KeyType.FLOAT:
                if type(value) is float or type(value) is int:
                    return self._in_bounds(finite(value))
            case KeyType.VEC2:
                if isinstance(value, tuple | list) and len(value) == 2:
                    return (finite(value[0]), finite(value[1]))
            case KeyType.STR:
                if type(value) is str:
                    if len(value) > MAX_TEXT:
                        raise ValueError(f"is longer than {MAX_TEXT} characters")
                    return value
            case KeyType.ENUM:
                if type(value) is str:
                    if value not in self.values:
                        raise ValueError(f"is none of {', '.join(self.values)}")
                    return value
            case KeyType.ENTITY:
                if value is None or isinstance(value, EntityRef):
                    return value
        raise ValueError(f"is not of type {self.type.value}")

    def _in_bounds(self, value: float) -> float:
        if self.minimum is not None and value < self.minimum:
            raise ValueError(f"is below the minimum {self.minimum}")
        if self.maximum is not None and value > self.maximum:
            raise ValueError(f"is above the maximum {self.maximum}")
        return value


def finite(value: object) -> float:
    """A finite float; raises ``ValueError`` for anything else, bools included."""
    if type(value) is not float and type(value) is not int:
        raise ValueError("is not a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError("is not finite")
    return number


class BoardLayout:
    """The keys of one ped, each with a slot number; immutable and shared.

    ``sources`` names for each key the file that declared it, for error messages;
    ``epsilons`` are the keys' own, by slot.
    """

    __slots__ = ("entity_slots", "epsilons", "keys", "shared_slots", "slots", "sources")

    def __init__(self, keys: Iterable[KeyDefinition], source: str = "") -> None:
        self.keys = tuple(keys)
        if len(self.keys) > MAX_KEYS:
            raise BlackboardError(
                f"{source or 'a blackboard'} declares {len(self.keys)} keys; a ped has at most "
                f"{MAX_KEYS}, so take some out"
            )
        self.slots: Mapping[str, int] = {key.name: slot for slot, key in enumerate(self.keys)}
        self.sources = dict.fromkeys(self.slots, source)
        self.epsilons = tuple(key.epsilon for key in self.keys)
        self.entity_slots = tuple(
            slot for slot, key in enumerate(self.keys) if key.type is KeyType.ENTITY
        )
        self.shared_slots = tuple(slot for slot, key in enumerate(self.keys) if key.shared)

    def __deepcopy__(self, memo: dict[int, object]) -> BoardLayout:
        return self

    def slot(self, name: str, user: str) -> int:
        """Slot of a key; raises ``BlackboardError`` naming key and user if undeclared."""
        slot = self.slots.get(name)
        if slot is None:
            raise BlackboardError(
                f"{user} uses key '{name}', which is not declared; add it to [blackboard]"
            )
        return slot

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BoardLayout) and self.keys == other.keys

    def __hash__(self) -> int:
        return hash(self.keys)

    @staticmethod
    def merged(layouts: Iterable[BoardLayout]) -> BoardLayout:
        """One layout for a ped whose brain is made of several files (BB-12).

        Raises ``BlackboardError`` naming both files if they declare a key differently.
        """
        found: dict[str, KeyDefinition] = {}
        sources: dict[str, str] = {}
        for layout in layouts:
            for key in layout.keys:
                source = layout.sources[key.name]
                other = found.setdefault(key.name, key)
                if other != key:
                    raise BlackboardError(
                        f"key '{key.name}' is declared differently in {sources[key.name]} and "
                        f"{source}; declare it alike in both"
                    )
                sources.setdefault(key.name, source)
        whole = BoardLayout(found.values())
        whole.sources = sources
        return whole
