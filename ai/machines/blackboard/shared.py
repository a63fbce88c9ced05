"""Keys that a whole level has in common (BB-12)."""

from __future__ import annotations

from ai.machines.blackboard.keys import BoardLayout, KeyDefinition, Value
from ai.machines.errors import BlackboardError


class SharedBoard:
    """One value per shared key; each ped reads it at its own boundary.

    ``version`` rises with every write, so that a ped whose level is quiet compares one number.
    """

    __slots__ = ("_keys", "_private", "_sources", "_values", "version")

    def __init__(self) -> None:
        self._keys: dict[str, KeyDefinition] = {}
        self._sources: dict[str, str] = {}
        self._private: dict[str, str] = {}
        self._values: dict[str, Value] = {}
        self.version = 0

    def declare(self, layout: BoardLayout) -> None:
        """Take the shared keys of a layout.

        Raises ``BlackboardError`` naming both files if one is declared differently elsewhere,
        privately included.
        """
        for key in layout.keys:
            name, source = key.name, layout.sources[key.name]
            if name in self._keys:
                if self._keys[name] != key:
                    raise _differing(name, self._sources[name], source)
            elif not key.shared:
                self._private.setdefault(name, source)
            elif name in self._private:
                raise _differing(name, self._private[name], source)
            else:
                self._keys[name] = key
                self._sources[name] = source
                self._values[name] = key.default

    def value(self, name: str) -> Value:
        """The value after every write so far."""
        return self._values[name]

    def set(self, name: str, value: Value) -> None:
        """Write a checked value; writes come in seq order, the last wins (BB-02)."""
        self._values[name] = value
        self.version += 1


def _differing(name: str, first: str, second: str) -> BlackboardError:
    return BlackboardError(
        f"key '{name}' is shared and declared differently in {first} and {second}; "
        "declare it alike in both"
    )
