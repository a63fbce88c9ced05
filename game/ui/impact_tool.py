"""The Impact tool: press and drag to push somebody or something, on the ground a blast."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import pygame

from ai.ports import EntityRef, Vec3
from game.render.picture_of_world import WorldPicture
from game.render.projection import Projection
from game.ui.hud import Hint
from game.ui.picking import ped_at, ped_of, thing_at
from game.ui.theme import Theme
from game.ui.tool_marks import arrow, ground_ring
from game.world.edits import PushPed, PushProp, SetOffBlast
from game.world.things import Thing
from game.world.world import World

_Place = tuple[int, int]

CLICK_PX: Final = 8.0
"""A mouse that has moved less than this since the press was clicked, not dragged."""

CLICK_IMPULSE: Final = 20_000.0
LEAST_IMPULSE: Final = 6_000.0
MOST_IMPULSE: Final = 45_000.0
IMPULSE_OF_CM: Final = 150.0
"""Strength of a drag, in kg cm/s for each cm of it on the ground, from the least to the most."""

BLAST_OF_CM: Final = 1.0 / 300.0
MOST_BLAST: Final = 2.0
"""A blast is as strong as usual when clicked, and stronger the longer the drag."""

LIFT_SHARE: Final = 0.25
"""Share of a push on a person that lifts it: what is thrown by hand flies a little."""


def strength_of(length_cm: float) -> float:
    """Impulse of a drag, in kg cm/s."""
    return min(LEAST_IMPULSE + IMPULSE_OF_CM * length_cm, MOST_IMPULSE)


class ImpactTool:
    """Press and drag: a push in that direction; on empty ground a blast.

    A click pushes away from the viewer, on the ground it sets off a blast of usual strength.
    """

    def __init__(
        self,
        world: World,
        picture: WorldPicture,
        projection: Callable[[], Projection],
        ping: Callable[[Vec3], None],
    ) -> None:
        self._world = world
        self._picture = picture
        self._projection = projection
        self._ping = ping
        self._from: _Place | None = None
        self._to: _Place = (0, 0)
        self._ped: EntityRef | None = None
        self._thing: Thing | None = None

    @property
    def is_busy(self) -> bool:
        """True from the press to the release."""
        return self._from is not None

    @property
    def hint(self) -> Hint:
        """What it can do now."""
        if self._from is None:
            return Hint(
                "Impact", "press on somebody or something and drag · on the ground: a blast"
            )
        if self._is_click():
            return Hint("Impact", "drag for direction and strength · let go to strike")
        if self._is_blast():
            return Hint("Blast", f"{self._blast_strength():.1f} times the usual")
        return Hint("Impact", f"{round(strength_of(self._length_cm()) / 75.0)} cm/s for a person")

    def hover(self, pos: _Place | None) -> None:
        """It shows nothing before a press."""

    def press(self, pos: _Place) -> None:
        """Aim at what is there."""
        projection = self._projection()
        self._from = self._to = pos
        ped_id = ped_at(self._picture.picture.peds, projection, *pos)
        ped = ped_of(self._world, ped_id)
        self._ped = None if ped is None else ped.ref
        thing = None if ped is not None else thing_at(self._world.things, projection, *pos)
        self._thing = thing if thing is not None and thing.dynamic else None

    def drag(self, pos: _Place) -> None:
        """Draw the arrow out."""
        self._to = pos

    def release(self, pos: _Place) -> None:
        """Strike in the next step."""
        if self._from is None:
            return
        self._to = pos
        place = Vec3(*self._projection().to_ground(*self._from))
        way, size = self._way(), self._impulse()
        push = (way[0] * size, way[1] * size)
        if self._ped is not None:
            self._world.actions.submit(PushPed(self._ped, push, LIFT_SHARE * size))
        elif self._thing is not None:
            self._world.actions.submit(PushProp(self._thing.ref, push, (place.x, place.y)))
        else:
            self._world.actions.submit(SetOffBlast(place, self._blast_strength()))
        self._ping(place)
        self._from = None

    def let_go(self) -> None:
        """Nothing is struck."""
        self._from = None

    def draw(self, surface: pygame.Surface, theme: Theme) -> None:
        """The arrow, or the ring that a blast will reach."""
        if self._from is None:
            return
        accent = theme.colours.accent
        if self._is_blast():
            radius = self._world.data.blasts.radius_cm
            ground_ring(surface, self._projection(), self._from, radius, accent)
            throws = radius * self._world.data.blasts.throws_share
            ground_ring(surface, self._projection(), self._from, throws, accent)
        if not self._is_click():
            share = (self._impulse() - LEAST_IMPULSE) / (MOST_IMPULSE - LEAST_IMPULSE)
            arrow(surface, self._from, self._to, 3 + round(5 * share), accent)

    # -- inside ------------------------------------------------------------------

    def _is_click(self) -> bool:
        assert self._from is not None
        return math.dist(self._from, self._to) < CLICK_PX

    def _is_blast(self) -> bool:
        return self._ped is None and self._thing is None

    def _length_cm(self) -> float:
        assert self._from is not None
        projection = self._projection()
        return math.dist(projection.to_ground(*self._from), projection.to_ground(*self._to))

    def _impulse(self) -> float:
        return CLICK_IMPULSE if self._is_click() else strength_of(self._length_cm())

    def _blast_strength(self) -> float:
        return 1.0 if self._is_click() else min(1.0 + BLAST_OF_CM * self._length_cm(), MOST_BLAST)

    def _way(self) -> tuple[float, float]:
        """Unit vector on the ground; a click pushes up the picture."""
        assert self._from is not None
        projection = self._projection()
        start, end = projection.to_ground(*self._from), projection.to_ground(*self._to)
        length = math.dist(start, end)
        if self._is_click() or length == 0.0:
            return (0.0, -1.0)
        return ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
