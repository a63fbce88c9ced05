"""The toolbar: a button for every command that has one, with icon, key and tooltip.

It knows which button is meant and how it looks; what a command does is the screen's.
Painted anew only when something on it has changed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import pygame

from game.render.glyphs import paint_glyph
from game.ui.commands import COMMANDS, INFO, Command, CommandInfo, Group
from game.ui.icons import ACCENT, CREAM, ICONS
from game.ui.theme import (
    GRID_PX,
    MARGIN_PX,
    RADIUS_PX,
    SMALL_PX,
    TEXT_PX,
    Theme,
    line_of_text,
    panel,
)
from game.ui.tooltip import paint_tooltip

TOOL_PX, BUTTON_PX = 48, 36
"""Sides of a tool's button and of the others, at 100 % text."""

BAR_PADDING_PX = 7
BUTTON_GAP_PX = 6
GROUP_GAP_PX = 18
SPEED_PX = 52
GROWTH = 0.4
"""Buttons grow by this share of what text grows."""

TWO_ROWS_FROM = 1.5
"""Text size from which tools stand in a row of their own (art-and-feel section 13)."""

TOOLTIP_AFTER_S = 0.3
PRESS_SHOWN_S = 0.12
PRESS_SHIFT_PX = 1
ICON_SHARE = 0.58


class ToolbarState(NamedTuple):
    """What the buttons show beside their icons.

    - ``lit`` are the commands whose effect is on at present.
    - ``speed`` is simulated seconds per second.
    """

    lit: frozenset[Command] = frozenset()
    speed: float = 1.0
    is_paused: bool = False


class Touch(NamedTuple):
    """What a mouse event meant to the toolbar; not ``taken``, it is for what lies below."""

    taken: bool
    command: Command | None = None
    speed: bool = False
    """The speed label was pressed."""


NOT_TAKEN = Touch(False)


class _Place(NamedTuple):
    info: CommandInfo
    box: pygame.Rect


class _Part(NamedTuple):
    """Buttons of one group that stand side by side; ``tells_speed``: the speed follows them."""

    group: Group
    infos: tuple[CommandInfo, ...]
    tells_speed: bool


class _Layout(NamedTuple):
    bar: pygame.Rect
    places: tuple[_Place, ...]
    speed: pygame.Rect
    rules: tuple[pygame.Rect, ...]


class Toolbar:
    """Buttons at the lower edge of the window."""

    def __init__(self, theme: Theme, commands: Collection[Command]) -> None:
        self._theme = theme
        self._infos = tuple(info for info in COMMANDS if info.command in commands and info.icon)
        self._layout_of: tuple[tuple[int, int], float] | None = None
        self._layout = _Layout(pygame.Rect(0, 0, 0, 0), (), pygame.Rect(0, 0, 0, 0), ())
        self._painted: tuple[object, pygame.Surface] | None = None
        self._icons: dict[tuple[str, int, bool], pygame.Surface] = {}
        self._hovered: Command | None = None
        self._hovered_s = 0.0
        self._pressed: Command | None = None
        self._pressed_left_s = 0.0

    # -- where things are --------------------------------------------------------

    def place(self, size: tuple[int, int]) -> pygame.Rect:
        """Lay the buttons out for a window of that size; returns the whole bar."""
        key = (size, self._theme.text_scale)
        if key != self._layout_of:
            self._layout_of = key
            self._layout = self._lay_out(size)
            self._painted = None
        return self._layout.bar

    def box_of(self, command: Command) -> pygame.Rect | None:
        """Where a command's button is, None without one."""
        for place in self._layout.places:
            if place.info.command is command:
                return place.box
        return None

    @property
    def boxes(self) -> tuple[tuple[Command, pygame.Rect], ...]:
        """Every button, from left to right in each row."""
        return tuple((place.info.command, place.box) for place in self._layout.places)

    @property
    def tells_tip(self) -> bool:
        """True while the tooltip of a button is shown."""
        return self._hovered is not None and self._hovered_s >= TOOLTIP_AFTER_S

    @property
    def speed_box(self) -> pygame.Rect:
        """Where the speed is written."""
        return self._layout.speed

    # -- mouse and time ----------------------------------------------------------

    def hear(self, event: pygame.event.Event) -> Touch:
        """Take a mouse event if it is over the bar; commands fire on the press."""
        if event.type not in (
            pygame.MOUSEMOTION,
            pygame.MOUSEBUTTONDOWN,
            pygame.MOUSEBUTTONUP,
        ):
            return NOT_TAKEN
        if not self._layout.bar.collidepoint(event.pos):
            self._hover(None)
            return NOT_TAKEN
        command = self._command_at(event.pos)
        self._hover(command)
        if event.type != pygame.MOUSEBUTTONDOWN or event.button != pygame.BUTTON_LEFT:
            return Touch(True)
        if command is not None:
            self.press(command)
        return Touch(True, command, speed=self._layout.speed.collidepoint(event.pos))

    def press(self, command: Command) -> None:
        """Show a button as pressed for a moment, by whatever means it was."""
        self._pressed, self._pressed_left_s = command, PRESS_SHOWN_S

    def leave(self) -> None:
        """The mouse is somewhere else altogether."""
        self._hover(None)

    def advance(self, frame_s: float) -> None:
        """Go on by the time of a frame."""
        self._hovered_s += frame_s
        self._pressed_left_s -= frame_s
        if self._pressed_left_s <= 0.0:
            self._pressed = None

    def _hover(self, command: Command | None) -> None:
        if command is not self._hovered:
            self._hovered, self._hovered_s = command, 0.0

    def _command_at(self, pos: tuple[int, int]) -> Command | None:
        for place in self._layout.places:
            if place.box.inflate(BUTTON_GAP_PX, BUTTON_GAP_PX).collidepoint(pos):
                return place.info.command
        return None

    # -- layout ------------------------------------------------------------------

    def _lay_out(self, size: tuple[int, int]) -> _Layout:
        rows = self._rows(size[0])
        heights = [max(self._side(part.group) for part in row) for row in rows]
        width = max(self._row_px(row) for row in rows)
        height = sum(heights) + BUTTON_GAP_PX * (len(rows) - 1) + 2 * BAR_PADDING_PX
        bar = pygame.Rect((size[0] - width) // 2, size[1] - height - GRID_PX, width, height)
        places: list[_Place] = []
        rules: list[pygame.Rect] = []
        speed = pygame.Rect(0, 0, 0, 0)
        y = bar.top + BAR_PADDING_PX
        for row, row_height in zip(rows, heights, strict=True):
            x = bar.centerx - self._row_px(row) // 2 + MARGIN_PX
            for part in row:
                if part is not row[0]:
                    rules.append(pygame.Rect(x + GROUP_GAP_PX // 2, y + 4, 1, row_height - 8))
                    x += GROUP_GAP_PX
                side = self._side(part.group)
                for info in part.infos:
                    box = pygame.Rect(x, y + (row_height - side) // 2, side, side)
                    places.append(_Place(info, box))
                    x += side + BUTTON_GAP_PX
                if part.tells_speed:
                    speed = pygame.Rect(x, y, self._theme.px(SPEED_PX), row_height)
                    x += speed.width + BUTTON_GAP_PX
                x -= BUTTON_GAP_PX
            y += row_height + BUTTON_GAP_PX
        return _Layout(bar, tuple(places), speed, tuple(rules))

    def _rows(self, width_px: int) -> list[list[_Part]]:
        """One row if it fits and text is small, else tools apart; then a group for each row.

        A group that is wider than the window alone is cut into rows as even as can be.
        """
        groups = [group for group in (Group.TOOLS, Group.TIME, Group.VIEW) if self._of(group)]
        parts = [_Part(group, tuple(self._of(group)), group is Group.TIME) for group in groups]
        if self._theme.text_scale < TWO_ROWS_FROM and self._row_px(parts) <= width_px:
            return [parts]
        rest = [part for part in parts if part.group is not Group.TOOLS]
        rows = [[part] for part in parts if part.group is Group.TOOLS]
        rows += [rest] if rest and self._row_px(rest) <= width_px else [[part] for part in rest]
        return [
            cut for row in rows for cut in (self._cut(row[0], width_px) if len(row) == 1 else [row])
        ]

    def _cut(self, part: _Part, width_px: int) -> list[list[_Part]]:
        count = len(part.infos)
        for rows in range(1, count + 1):
            each = -(-count // rows)
            cuts = [
                _Part(
                    part.group, part.infos[at : at + each], part.tells_speed and at + each >= count
                )
                for at in range(0, count, each)
            ]
            if max(self._row_px([cut]) for cut in cuts) <= width_px:
                break
        return [[cut] for cut in cuts]

    def _of(self, group: Group) -> list[CommandInfo]:
        return [info for info in self._infos if info.group is group]

    def _side(self, group: Group) -> int:
        side = TOOL_PX if group is Group.TOOLS else BUTTON_PX
        return round(side * (1.0 + GROWTH * (self._theme.text_scale - 1.0)))

    def _row_px(self, parts: Sequence[_Part]) -> int:
        width = 2 * MARGIN_PX + GROUP_GAP_PX * (len(parts) - 1)
        for part in parts:
            width += len(part.infos) * (self._side(part.group) + BUTTON_GAP_PX) - BUTTON_GAP_PX
            if part.tells_speed:
                width += self._theme.px(SPEED_PX) + BUTTON_GAP_PX
        return width

    # -- painting ----------------------------------------------------------------

    def draw(self, surface: pygame.Surface, state: ToolbarState, down_px: int = 0) -> None:
        """Lay the bar over the picture, shifted down while it slides in or out."""
        bar = self._layout.bar
        says = (state, self._hovered, self._pressed)
        if self._painted is None or self._painted[0] != says:
            self._painted = (says, self._paint(state))
        surface.blit(self._painted[1], bar.move(0, down_px))
        box = None if self._hovered is None else self.box_of(self._hovered)
        if self.tells_tip and down_px == 0 and box is not None and self._hovered is not None:
            paint_tooltip(surface, self._theme, INFO[self._hovered], box, bar.top)

    def _paint(self, state: ToolbarState) -> pygame.Surface:
        theme, layout = self._theme, self._layout
        bar = panel(layout.bar.size, theme.colours.panel).copy()
        origin = layout.bar.topleft
        for rule in layout.rules:
            pygame.draw.rect(bar, theme.colours.inset, rule.move(-origin[0], -origin[1]))
        for place in layout.places:
            self._paint_button(bar, place, place.box.move(-origin[0], -origin[1]), state)
        tone = theme.colours.text if state.speed == 1.0 else theme.colours.accent
        speed = line_of_text(f"{state.speed:g}×", theme.px(TEXT_PX), tone, bold=True)
        box = layout.speed.move(-origin[0], -origin[1])
        bar.blit(speed, speed.get_rect(center=box.center))
        return bar

    def _paint_button(
        self, bar: pygame.Surface, place: _Place, box: pygame.Rect, state: ToolbarState
    ) -> None:
        colours = self._theme.colours
        info = place.info
        is_lit = info.command in state.lit
        ground = colours.accent if is_lit else colours.inset
        if info.command is self._hovered:
            ground = self._theme.lightened(ground)
        if info.command is self._pressed:
            box = box.move(0, PRESS_SHIFT_PX)
        bar.blit(panel(box.size, ground, RADIUS_PX, 255), box)
        name = "play" if info.command is Command.PAUSE and state.is_paused else info.icon
        icon = self._icon(name, round(box.width * ICON_SHARE), is_lit)
        bar.blit(icon, icon.get_rect(center=box.center))
        if info.group is Group.TOOLS:
            tone = colours.panel if is_lit else colours.dim
            key = line_of_text(info.key_name, self._badge_px(info.key_name), tone, bold=True)
            bar.blit(key, key.get_rect(bottomright=(box.right - 4, box.bottom - 1)))

    def _badge_px(self, key_name: str) -> int:
        """Size of a key's name on its button: a long one can't grow more than the button does."""
        size = SMALL_PX - 2
        if len(key_name) == 1:
            return self._theme.px(size)
        return round(size * (1.0 + GROWTH * (self._theme.text_scale - 1.0)))

    def _icon(self, name: str, size: int, is_lit: bool) -> pygame.Surface:
        key = (name, size, is_lit)
        icon = self._icons.get(key)
        if icon is None:
            colours = self._theme.colours
            cream = colours.panel if is_lit else colours.text
            accent = colours.panel if is_lit else colours.accent
            icon = self._icons[key] = paint_glyph(ICONS[name], size, {CREAM: cream, ACCENT: accent})
        return icon
