"""The Fire and Douse tools: one place by a click, a line by a drag, a wider one with Shift."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

import pygame

from ai.ports import Vec3
from game.render.projection import Projection
from game.ui.hud import Hint
from game.ui.theme import Theme
from game.ui.tool_marks import ground_ring
from game.world.edits import Douse, LightFire
from game.world.world import World

_Place: TypeAlias = tuple[int, int]
SpotEdit: TypeAlias = LightFire | Douse


class SpotKind(NamedTuple):
    """What a tool does to a round place, how wide, and how far apart along a line.

    ``spacing`` is a share of the radius, in cm on the ground.
    """

    make: Callable[[Vec3, float], SpotEdit]
    name: str
    words: str
    radius_cm: float
    wide_cm: float
    spacing: float


FIRE: Final = SpotKind(
    LightFire,
    "Fire",
    "click: light a fire · drag: a line of fire · Shift: bigger",
    45.0,
    100.0,
    1.5,
)
DOUSE: Final = SpotKind(
    Douse, "Douse", "click: pour water · drag: along a line · Shift: wider", 95.0, 210.0, 0.8
)


class SpotTool:
    """Does one thing to round places.

    Invariant: two places of one drag are at least the spacing apart.
    """

    def __init__(self, kind: SpotKind, world: World, projection: Callable[[], Projection]) -> None:
        self._kind = kind
        self._world = world
        self._projection = projection
        self._last: tuple[float, float] | None = None
        self._cursor: _Place | None = None

    @property
    def is_busy(self) -> bool:
        """True from the press to the release."""
        return self._last is not None

    @property
    def hint(self) -> Hint:
        """What it can do now."""
        return Hint(self._kind.name, self._kind.words)

    def hover(self, pos: _Place | None) -> None:
        """Where the ring is shown; None where no street is under the mouse."""
        self._cursor = pos

    def press(self, pos: _Place) -> None:
        """Here, in the next step."""
        at = self._projection().to_ground(*pos)
        self._last = at
        self._act(at)

    def drag(self, pos: _Place) -> None:
        """On along the line, a place every so often."""
        self._cursor = pos
        end = self._projection().to_ground(*pos)
        gap = self._kind.spacing * self._radius_cm()
        while self._last is not None:
            length = math.dist(self._last, end)
            if length < gap:
                return
            share = gap / length
            at = (
                self._last[0] + (end[0] - self._last[0]) * share,
                self._last[1] + (end[1] - self._last[1]) * share,
            )
            self._last = at
            self._act(at)

    def release(self, pos: _Place) -> None:
        """The line ends here."""
        self.drag(pos)
        self._last = None

    def let_go(self) -> None:
        """The line ends where it is."""
        self._last = None

    def draw(self, surface: pygame.Surface, theme: Theme) -> None:
        """How wide it would be here."""
        if self._cursor is not None:
            colours = theme.colours
            tone = colours.accent if self._kind is FIRE else colours.info
            ground_ring(surface, self._projection(), self._cursor, self._radius_cm(), tone)

    def _act(self, at: tuple[float, float]) -> None:
        self._world.actions.submit(self._kind.make(Vec3(*at), self._radius_cm()))

    def _radius_cm(self) -> float:
        is_wide = bool(pygame.key.get_mods() & pygame.KMOD_SHIFT)
        return self._kind.wide_cm if is_wide else self._kind.radius_cm
