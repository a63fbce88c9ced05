"""All decision makers of a world: by name, clones with components included (EVT-74, EVT-81)."""

from __future__ import annotations

from collections.abc import Sequence

from ai.events.decision_maker import (
    COMPONENTS_MAX,
    MAKERS_MAX,
    DecisionComponent,
    DecisionMaker,
    ResponseEntry,
)
from ai.events.event_errors import DecisionMakerError
from ai.events.types import EventType

FALLBACK = "base"
"""The one that a model without a decision maker has."""


class DecisionMakers:
    """The tables in force.

    - Names that data gave are fixed until ``replace``; clones come and go.
    - Nothing here refers to a ped: peds keep a name and look it up when they decide.
    """

    def __init__(self, makers: Sequence[DecisionMaker]) -> None:
        self._makers: dict[str, DecisionMaker] = {}
        self._clones: list[str] = []
        self.replace(makers)

    def replace(self, makers: Sequence[DecisionMaker]) -> None:
        """Other data are in force; clones of makers that are still there keep their components."""
        components = {name: self._makers[name] for name in self._clones}
        self._makers = {maker.name: maker for maker in makers}
        self._clones.clear()
        for name, clone in components.items():
            origin = self._makers.get(clone.parent.name if clone.parent else clone.name)
            if origin is not None and name not in self._makers:
                fresh = DecisionMaker(name, clone.entries, origin)
                fresh.component = clone.component
                self._makers[name] = fresh
                self._clones.append(name)

    def names(self) -> tuple[str, ...]:
        """Every name that a ped may have."""
        return tuple(self._makers)

    def get(self, name: str) -> DecisionMaker | None:
        """The maker of a name, or None if it was released or never was."""
        return self._makers.get(name)

    def clone(self, name: str, new_name: str) -> DecisionMaker:
        """A maker with the same entries and parent, and a component to change.

        Raises ``DecisionMakerError`` for an unknown name, one in use, or over a limit.
        """
        origin = self._makers.get(name)
        if origin is None:
            raise DecisionMakerError(
                f"no decision maker is called {name!r}; there are: {', '.join(self._makers)}"
            )
        if new_name in self._makers:
            raise DecisionMakerError(f"{new_name!r} is in use; choose another name")
        if len(self._clones) >= COMPONENTS_MAX:
            raise DecisionMakerError(
                f"at most {COMPONENTS_MAX} components exist; release a clone first"
            )
        if len(self._makers) >= MAKERS_MAX:
            raise DecisionMakerError(f"at most {MAKERS_MAX} decision makers exist")
        fresh = DecisionMaker(new_name, origin.entries, origin.parent)
        fresh.component = (
            DecisionComponent() if origin.component is None else origin.component.copy()
        )
        self._makers[new_name] = fresh
        self._clones.append(new_name)
        return fresh

    def release(self, name: str) -> None:
        """End a clone; its peds go back to their model's maker when they next decide."""
        if name not in self._clones:
            raise DecisionMakerError(f"{name!r} is no clone; only clones are released")
        self._clones.remove(name)
        del self._makers[name]

    def component(self, name: str) -> DecisionComponent:
        """What may be changed of a clone.

        Raises ``DecisionMakerError`` for a maker without one.
        """
        maker = self._makers.get(name)
        if maker is None or maker.component is None:
            raise DecisionMakerError(f"{name!r} has no component; change a clone of it")
        return maker.component

    def add_response(self, name: str, entry: ResponseEntry) -> None:
        """Answer a type by a dynamic entry of a clone."""
        self.component(name).add_response(entry)

    def remove_response(self, name: str, event_type: EventType) -> None:
        """Take it back."""
        self.component(name).remove_response(event_type)

    def block(self, name: str, event_type: EventType) -> None:
        """Answer a type by nothing."""
        self.component(name).block(event_type)

    def unblock(self, name: str, event_type: EventType) -> None:
        """Answer it again."""
        self.component(name).unblock(event_type)
