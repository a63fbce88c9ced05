"""The Grab tool: people and loose things by a spring that follows the mouse."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from ai.ports import Vec3
from game.render.picture_of_world import WorldPicture
from game.render.projection import Projection
from game.ui.hud import Hint
from game.ui.picking import ped_at, ped_of, thing_at
from game.ui.theme import Theme
from game.ui.tool_marks import spring
from game.world.edits import DragTo, Grab, LetGo
from game.world.world import World

_Place = tuple[int, int]


class GrabTool:
    """Press on somebody or something, drag it about on a spring, let go to throw it."""

    def __init__(
        self, world: World, picture: WorldPicture, projection: Callable[[], Projection]
    ) -> None:
        self._world = world
        self._picture = picture
        self._projection = projection
        self._is_down = False
        self._to: _Place = (0, 0)

    @property
    def is_busy(self) -> bool:
        """True while something is held."""
        return self._is_down

    @property
    def hint(self) -> Hint:
        """What it can do now."""
        if self._is_down:
            return Hint("Grab", "drag it where you like · let go in motion to throw it")
        return Hint("Grab", "press on a person or a loose thing and drag it")

    def hover(self, pos: _Place | None) -> None:
        """It shows nothing before a press."""

    def press(self, pos: _Place) -> None:
        """Take hold of what is there."""
        projection = self._projection()
        place = Vec3(*projection.to_ground(*pos))
        ped = ped_of(self._world, ped_at(self._picture.picture.peds, projection, *pos))
        self._to = pos
        if ped is not None:
            self._is_down = True
            self._world.actions.submit(Grab(ped.ref, place))
            return
        thing = thing_at(self._world.things, projection, *pos)
        if thing is not None and thing.dynamic:
            self._is_down = True
            self._world.actions.submit(Grab(thing.ref, place))

    def drag(self, pos: _Place) -> None:
        """Pull it there."""
        self._to = pos
        if self._is_down:
            place = Vec3(*self._projection().to_ground(*pos))
            self._world.actions.submit(DragTo(place))

    def release(self, pos: _Place) -> None:  # noqa: ARG002
        """Open the hand."""
        self.let_go()

    def let_go(self) -> None:
        """Open the hand."""
        if self._is_down:
            self._is_down = False
            self._world.actions.submit(LetGo())

    def draw(self, surface: pygame.Surface, theme: Theme) -> None:
        """The spring from the hand to what it holds."""
        grip = self._world.grabber.grip
        if not self._is_down or grip is None:
            return
        at = self._projection().to_screen(*grip)
        spring(surface, at, self._to, theme.colours.accent)
