"""What peds are to one another, and who goes with whom (EVT-48)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from ai.ports import EntityRef


class Relation(Enum):
    """What B is to A; the value is the word in data."""

    FRIEND = "friend"
    LIKE = "like"
    NEUTRAL = "neutral"
    DISLIKE = "dislike"
    HATE = "hate"


class Relations:
    """Own entries of peds, rows between relation groups, and groups that go together.

    - A's view of B says nothing of B's of A.
    - A ped is in one group of those who go together at most; the first member leads.
    """

    def __init__(self, rows: Mapping[str, Mapping[str, str]]) -> None:
        self._rows = {
            (one, other): Relation(word) for one, row in rows.items() for other, word in row.items()
        }
        self._group_of_ped: dict[EntityRef, str] = {}
        self._own: dict[EntityRef, dict[EntityRef, Relation]] = {}
        self._together: dict[EntityRef, tuple[EntityRef, ...]] = {}

    # -- what is said ---------------------------------------------------------------------

    def join(self, ped: EntityRef, relation_group: str) -> None:
        """A ped belongs to a relation group; an empty name is none."""
        if relation_group:
            self._group_of_ped[ped] = relation_group

    def set(self, one: EntityRef, other: EntityRef, relation: Relation) -> None:
        """What ``other`` is to ``one`` from now on."""
        self._own.setdefault(one, {})[other] = relation

    def go_together(self, members: Sequence[EntityRef]) -> None:
        """These are one group from now on, led by the first.

        Raises ``ValueError`` if one of them is in a group already.
        """
        for member in members:
            if member in self._together:
                raise ValueError(f"{member} is in a group already; let it leave that first")
        group = tuple(members)
        for member in group:
            self._together[member] = group

    def forget(self, ped: EntityRef) -> None:
        """The ped has left the world; the next member leads."""
        self._group_of_ped.pop(ped, None)
        self._own.pop(ped, None)
        for entries in self._own.values():
            entries.pop(ped, None)
        group = self._together.pop(ped, ())
        left = tuple(member for member in group if member != ped)
        for member in left:
            if len(left) > 1:
                self._together[member] = left
            else:
                del self._together[member]

    # -- what holds -----------------------------------------------------------------------

    @property
    def matter(self) -> bool:
        """False while nobody is anything to anybody."""
        return bool(self._own) or bool(self._together) or bool(self._rows and self._group_of_ped)

    def knows_anybody(self, ped: EntityRef) -> bool:
        """False if everybody is neutral to this ped."""
        return ped in self._own or ped in self._group_of_ped

    def of(self, one: EntityRef, other: EntityRef) -> Relation:
        """What ``other`` is to ``one``: its own entry, else its group's row, else neutral."""
        own = self._own.get(one)
        if own is not None and other in own:
            return own[other]
        groups = self._group_of_ped.get(one), self._group_of_ped.get(other)
        if groups[0] is None or groups[1] is None:
            return Relation.NEUTRAL
        return self._rows.get((groups[0], groups[1]), Relation.NEUTRAL)

    def are_friends(self, one: EntityRef, other: EntityRef) -> bool:
        """Does ``one`` count ``other`` among its friends?"""
        return self.of(one, other) is Relation.FRIEND

    def hates(self, one: EntityRef, other: EntityRef) -> bool:
        """Does ``one`` hate ``other``? (EVT-78)."""
        return self.of(one, other) is Relation.HATE

    def group_of(self, ped: EntityRef) -> tuple[EntityRef, ...]:
        """Who goes together with a ped, itself included, the leader first; empty without any."""
        return self._together.get(ped, ())

    def leaders(self) -> list[EntityRef]:
        """The leader of each group, once."""
        return list(dict.fromkeys(group[0] for group in self._together.values()))
