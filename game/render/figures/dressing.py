"""Who wears what in one level: each ped gets its look when it is first met, and keeps it."""

from __future__ import annotations

from collections.abc import Sequence

from game.render.colours import Colour
from game.render.figures.looks import Look, Outfits

NEIGHBOURS = 2
"""A composed top may come back after this many others."""


class Dressing:
    """The looks of one level's peds.

    Peds are met in the order of their ids, which is that of a level's map: those met
    one after the other are neighbours and never share a top (art-and-feel section 2).
    Nobody comes in the very clothes of somebody else while there are others left.
    """

    def __init__(self, outfits: Outfits) -> None:
        self._outfits = outfits
        self._looks: dict[int, Look] = {}
        self._phoning: dict[int, Look] = {}
        self._met: list[int] = []
        self._tops: list[Colour] = []
        self._worn: set[tuple[Colour, Colour]] = set()

    def meet(self, ped_ids: Sequence[int], names: Sequence[str]) -> None:
        """Dress everybody who is new; ``names`` are the looks that they ask for."""
        if self._met == ped_ids:
            return
        self._met = list(ped_ids)
        for ped_id, name in zip(ped_ids, names, strict=True):
            if ped_id in self._looks:
                continue
            look = self._outfits.named(name)
            if look is None:
                look = self._outfits.compose(ped_id, avoid=self._tops, worn=self._worn)
                self._tops = [*self._tops, look.top][-NEIGHBOURS:]
            self._worn.add((look.top, look.bottom))
            self._looks[ped_id] = look

    def look(self, ped_id: int) -> Look:
        """What a ped wears that has been met.

        Raises ``KeyError`` for one that has not.
        """
        return self._looks[ped_id]

    def with_phone(self, ped_id: int) -> Look:
        """The same look with a phone in the right hand; one object a ped, as caches want it."""
        look = self._phoning.get(ped_id)
        if look is None:
            look = self._phoning[ped_id] = self._looks[ped_id].model_copy(update={"prop": "phone"})
        return look
