"""The inspector panel: whom it shows, what is folded, where it is scrolled (product section 6).

It looks at the world a few times a second of the viewer's time, and paints only when
what it says, or how it is looked at, has changed.
"""

from __future__ import annotations

import pygame

from game.render.figures.looks import Outfits
from game.render.palette import Palette
from game.render.picture import PedPictures, PoseSource
from game.ui.hud import CHIP_PX
from game.ui.inspector.changes import Gliding, Glow
from game.ui.inspector.measure_sheet import HEIGHT_PX
from game.ui.inspector.painter import Action, InspectorPainter, PaintedPanel, PanelState
from game.ui.inspector.portrait import PortraitPainter
from game.ui.inspector.reader import InspectorReader
from game.ui.inspector.reading import Reading
from game.ui.slide import SLIDE_S, Slide
from game.ui.theme import GRID_PX, MARGIN_PX, Theme
from game.world.world import World

READ_EVERY_S = 1.0 / 15.0
"""Nobody reads faster; a running number is still seen to run."""

SCROLL_STEP_PX = 32
PRESS_SHOWN_S = 0.12
CLOSED_AT_FIRST = frozenset({"events", "board", "ledger", "order", "path", "clip"})
"""One line each until they are opened (art-and-feel section 13)."""


class Inspector:
    """The panel at the right-hand edge.

    - It slides in and out; folds are remembered whoever is looked at.
    - The panel is as high as the window allows and scrolls.
    - ``reading`` is what it says at present, None while it shows nobody; ``rect`` is
      where it lies in the window; ``switched_on`` are the buttons that are lit.
    """

    def __init__(
        self,
        world: World,
        theme: Theme,
        palette: Palette,
        outfits: Outfits,
        source: PoseSource,
    ) -> None:
        self.switched_on: frozenset[Action] = frozenset()
        self.reading: Reading | None = None
        self.rect = pygame.Rect(0, 0, 0, 0)
        self._world = world
        self._theme = theme
        self._reader = InspectorReader(world, palette)
        self._portraits = PortraitPainter(palette, outfits, source)
        self._painter = InspectorPainter(theme)
        self._painter_scale = theme.text_scale
        self._slide = Slide()
        self._slide.is_hidden = True
        self._slide.advance(SLIDE_S)
        self._glow = Glow()
        self._bars = Gliding()
        self._closed = CLOSED_AT_FIRST
        self._scroll = 0
        self._hover: tuple[int, int] | None = None
        self._pressed: Action | None = None
        self._pressed_left_s = 0.0
        self._read_left_s = 0.0
        self._painted: PaintedPanel | None = None
        self._painted_of: object = None

    @property
    def is_open(self) -> bool:
        """True if it is shown, or sliding in."""
        return not self._slide.is_hidden

    def toggle(self) -> None:
        """Open or close."""
        self._slide.toggle()

    # -- drawing ---------------------------------------------------------------

    def meet(self, peds: PedPictures) -> None:
        """Who is on the street; to be told in every frame, so that portraits fit the street."""
        self._portraits.meet(peds)

    def draw(
        self,
        surface: pygame.Surface,
        peds: PedPictures,
        ped_id: int | None,
        frame_s: float,
        floor_y: int,
    ) -> None:
        """Draw the panel of a ped, or nothing if it is closed or the ped is not there.

        ``frame_s`` is the time since the last frame; the panel ends above ``floor_y``.
        Everybody must have been met.
        """
        out = self._slide.advance(frame_s)
        row = None if ped_id is None else _row_of(peds, ped_id)
        reading = None
        if out < 1.0 and ped_id is not None and row is not None:
            reading = self._read(ped_id, peds, row, frame_s)
        self.reading = reading
        if reading is None or row is None:
            self.rect.size = (0, 0)
            return
        self._glow.advance(frame_s)
        self._bars.advance(frame_s)
        self._pressed_left_s -= frame_s
        if self._pressed_left_s <= 0.0:
            self._pressed = None
        top = MARGIN_PX + self._theme.px(CHIP_PX) + 2 * GRID_PX
        panel = self._panel(reading, floor_y - MARGIN_PX - top)
        width = self._painter.sheet.width
        left = surface.get_width() - MARGIN_PX - width + round(out * (width + MARGIN_PX))
        self.rect.update(left, top, *panel.picture.get_size())
        surface.blit(panel.picture, self.rect)
        portrait = self._portraits.portrait(peds, row, panel.portrait.width)
        surface.blit(portrait, panel.portrait.move(self.rect.topleft))

    def _read(self, ped_id: int, peds: PedPictures, row: int, frame_s: float) -> Reading | None:
        """The present reading, a few times a second a fresh one."""
        self._read_left_s -= frame_s
        last = self.reading
        if last is not None and last.ped_id == ped_id and self._read_left_s > 0.0:
            return last
        ped = next((one for one in self._world.peds.in_id_order() if one.ped_id == ped_id), None)
        if ped is None:
            return None
        reading = self._reader.read(ped, peds.moods[row])
        self._glow.see(reading)
        self._bars.aim({trait.name: trait.share for trait in reading.traits})
        self._read_left_s = READ_EVERY_S
        return reading

    def _panel(self, reading: Reading, room_px: int) -> PaintedPanel:
        """The painted panel, in a window that leaves it so much height."""
        if self._painter_scale != self._theme.text_scale:
            self._painter = InspectorPainter(self._theme)
            self._painter_scale = self._theme.text_scale
            self._painted_of = None
        state = PanelState(
            size=(self._painter.sheet.width, max(1, min(HEIGHT_PX, room_px))),
            closed=self._closed,
            scroll=self._scroll,
            hover=self._hover,
            pressed=self._pressed,
            switched_on=self.switched_on,
        )
        moves = self._glow.is_running or self._bars.is_running
        if self._painted is None or moves or (reading, state) != self._painted_of:
            self._painted = self._painter.paint(reading, state, self._glow, self._bars)
            self._painted_of = None if moves else (reading, state)
            self._scroll = min(self._scroll, self._painted.scroll_max)
        return self._painted

    # -- the mouse -------------------------------------------------------------

    def covers(self, position: tuple[int, int]) -> bool:
        """True if a place of the window lies on the panel."""
        return bool(self.rect.collidepoint(position))

    def point_at(self, position: tuple[int, int] | None) -> None:
        """The mouse is there; None if it is not over the window."""
        over = position is not None and self.covers(position)
        self._hover = self._inside(position) if over and position is not None else None

    def press(self, position: tuple[int, int]) -> Action | None:
        """A click on the panel: folds a section, or asks for what a button says."""
        if self._painted is None:
            return None
        inside = self._inside(position)
        for box, action in self._painted.buttons:
            if box.collidepoint(inside):
                self._pressed, self._pressed_left_s = action, PRESS_SHOWN_S
                return action
        for box, section in self._painted.folds:
            if box.collidepoint(inside):
                self._closed ^= {section}
        return None

    def scroll(self, notches: int) -> None:
        """Turn the wheel over the panel: up is positive."""
        most = 0 if self._painted is None else self._painted.scroll_max
        self._scroll = min(most, max(0, self._scroll - notches * SCROLL_STEP_PX))

    def _inside(self, position: tuple[int, int]) -> tuple[int, int]:
        return position[0] - self.rect.left, position[1] - self.rect.top


def _row_of(peds: PedPictures, ped_id: int) -> int | None:
    """Which row of the picture a ped has, or None."""
    row = int(peds.ids.searchsorted(ped_id))
    return row if row < len(peds.ids) and int(peds.ids[row]) == ped_id else None
