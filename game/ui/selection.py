"""Who is selected: by a click, with Ctrl one more, by a box."""

from __future__ import annotations

from collections.abc import Collection

import pygame

BOX_FROM_PX = 6
"""A press that is dragged less than this is a click."""


class Selection:
    """Ids of the selected peds, in the order in which they were chosen."""

    def __init__(self) -> None:
        self._ids: tuple[int, ...] = ()

    @property
    def ids(self) -> tuple[int, ...]:
        """The selected, each once."""
        return self._ids

    def __contains__(self, ped_id: int) -> bool:
        return ped_id in self._ids

    def set(self, ids: Collection[int]) -> None:
        """Exactly these."""
        self._ids = tuple(dict.fromkeys(ids))

    def click(self, ped_id: int | None, *, adds: bool) -> None:
        """A click on a ped, or on nobody; one that adds takes a selected one away again."""
        if not adds:
            self._ids = () if ped_id is None else (ped_id,)
        elif ped_id in self._ids:
            self._ids = tuple(other for other in self._ids if other != ped_id)
        elif ped_id is not None:
            self._ids = (*self._ids, ped_id)

    def keep(self, present: Collection[int]) -> None:
        """Drop those who have left."""
        if any(ped_id not in present for ped_id in self._ids):
            self._ids = tuple(ped_id for ped_id in self._ids if ped_id in present)


class BoxDrag:
    """A box that is being dragged open, from the press to the release."""

    def __init__(self, start: tuple[int, int], before: tuple[int, ...]) -> None:
        self._start = start
        self._end = start
        self.before = before
        """What was selected when it began: a box with Ctrl adds to it."""

    def move(self, pos: tuple[int, int]) -> None:
        """The mouse is here now."""
        self._end = pos

    @property
    def is_open(self) -> bool:
        """True once it is more than a click."""
        across = abs(self._end[0] - self._start[0])
        down = abs(self._end[1] - self._start[1])
        return max(across, down) >= BOX_FROM_PX

    @property
    def box(self) -> pygame.Rect:
        """The box in window px, whichever way it was dragged."""
        (x0, y0), (x1, y1) = self._start, self._end
        return pygame.Rect(min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0))
