"""The panels that look into the simulation: inspector, frame-time graph, overlay legend.

One object for the street's screen: it hears the mouse before the street does, draws
over the street, and carries out what the panels' buttons ask for.
"""

from __future__ import annotations

import pygame

from ai.tasks.task_text import tree_text
from game.render.figures.looks import shipped_outfits
from game.render.palette import load_palette
from game.render.picture_of_world import ClipPoses, WorldPicture
from game.ui.frame_graph import FrameGraph
from game.ui.frame_times import FrameTimes
from game.ui.inspector.inspector import Inspector
from game.ui.inspector.painter import Action
from game.ui.notices import Notices
from game.ui.overlay_legend import OverlayLegend
from game.ui.street_view import StreetView
from game.ui.theme import Theme
from game.world.world import World

_Place = tuple[int, int]


class Panels:
    """Inspector, graph and legend of one session.

    - ``shown`` is the ped that the inspector is to show: the last one selected, else
      the player's, else nobody.
    - ``times`` is told when steps, drawing and frames begin and end.
    """

    def __init__(
        self,
        world: World,
        theme: Theme,
        view: StreetView,
        picture: WorldPicture,
        notices: Notices,
    ) -> None:
        palette = load_palette()
        self.inspector = Inspector(
            world, theme, palette, shipped_outfits(), ClipPoses(world.data.clips)
        )
        self.times = FrameTimes(world)
        self._graph = FrameGraph(self.times, theme, palette)
        self._legend = OverlayLegend(view.overlays, theme)
        self._world = world
        self._view = view
        self._picture = picture
        self._notices = notices
        self._is_following = False
        self._is_hidden = False
        self._mouse: _Place = (-1, -1)

    # -- drawing -------------------------------------------------------------------

    def draw(
        self,
        surface: pygame.Surface,
        selected: tuple[int, ...],
        frame_s: float,
        *,
        title: pygame.Rect,
        floor_y: int,
        is_hidden: bool,
    ) -> None:
        """Lay the panels over the picture.

        - ``selected`` are the selected peds in the order in which they were chosen.
        - ``title`` is where the level's name and objectives lie.
        - ``floor_y`` is where the toolbar begins; ``is_hidden``: no panel is wanted now.
        """
        self._is_hidden = is_hidden
        peds = self._picture.picture.peds
        self.inspector.meet(peds)
        shown = self.shown(selected)
        overlays_on = {Action.OVERLAY} if self._view.overlays.is_shown else set()
        following = {Action.FOLLOW} if self._is_following else set()
        self.inspector.switched_on = frozenset(overlays_on | following)
        self._view.follows = shown if self._is_following and self.inspector.is_open else None
        if is_hidden:
            return
        self.inspector.draw(surface, peds, shown, frame_s, floor_y)
        self._legend.draw(surface, title, floor_y)
        self._graph.draw(surface, floor_y, self._legend.rect)

    def shown(self, selected: tuple[int, ...]) -> int | None:
        """Whom the inspector is to show."""
        if selected:
            return selected[-1]
        player = self._picture.player_row
        return None if player is None else int(self._picture.picture.peds.ids[player])

    # -- events --------------------------------------------------------------------

    def hear(self, event: pygame.event.Event) -> bool:
        """Take an event if it is meant for a panel; False leaves it to what lies below."""
        match event.type:
            case pygame.KEYDOWN if getattr(event, "mod", 0) & pygame.KMOD_ALT:
                return self._view.overlays.switch(event.key - pygame.K_0)
            case pygame.MOUSEMOTION:
                self._point_at(event.pos)
                return self.covers(event.pos) and not any(event.buttons)
            case pygame.MOUSEWHEEL if self.covers(self._mouse):
                self.inspector.scroll(event.y)
                return True
            case pygame.MOUSEBUTTONDOWN if self.covers(event.pos):
                if event.button == pygame.BUTTON_LEFT:
                    self._press(event.pos)
                return True
        return False

    def covers(self, position: _Place) -> bool:
        """True if a place of the window lies on a panel that can be used."""
        if self._is_hidden:
            return False
        return self.inspector.covers(position) or self._legend.covers(position)

    def _point_at(self, position: _Place) -> None:
        self._mouse = position
        self.inspector.point_at(position)
        self._legend.point_at(position)

    def _press(self, position: _Place) -> None:
        self._legend.press(position)
        if not self.inspector.covers(position):
            return
        match self.inspector.press(position):
            case Action.FOLLOW:
                self._is_following = not self._is_following
                self._view.camera.home()
            case Action.OVERLAY:
                self._view.overlays.toggle()
            case Action.COPY:
                self._copy()
            case None:
                pass

    def _copy(self) -> None:
        """Put what the inspector says, and the task trees, onto the clipboard."""
        reading = self.inspector.reading
        if reading is None:
            return
        ped = next(
            (one for one in self._world.peds.in_id_order() if one.ped_id == reading.ped_id), None
        )
        trees = "" if ped is None else tree_text(ped.tasks)
        try:
            pygame.scrap.put_text(f"{reading.as_text()}\n\n{trees}\n")
        except pygame.error as error:
            self._notices.say(f"Not copied: {error}")
        else:
            self._notices.say(f"What there is to say about {reading.name} is on the clipboard")
