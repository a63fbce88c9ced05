"""The menu: go on, start again, choose a level, settings, quit.

Its widgets are pygame_gui's, in the theme of ``menu_theme``. The library is imported
when the first menu opens. Mouse, arrows with Enter, and a gamepad all reach every
button. Time stands still meanwhile.
"""

from __future__ import annotations

import html
import warnings
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import pygame

from game.ui.menu_theme import menu_theme
from game.ui.screen import Next
from game.ui.theme import MARGIN_PX, RADIUS_PX, TEXT_SCALES, panel
from game.ui.window_context import WindowContext

if TYPE_CHECKING:
    from pygame_gui import UIManager
    from pygame_gui.elements import UIButton, UIScrollingContainer

    from game.ui.street_window import StreetWindow

WIDTH_PX, HEIGHT_PX = 640, 600
LEAST_PX = (360, 280)
"""A smaller window shows a part of the menu: widgets need some room to be laid out in."""

LEFT_PX = 220
ROW_PX = 36
PADDING_PX = 20
GAP_PX = 8
DIM_ALPHA = 150
ROW_GROWTH = 0.6
"""Rows grow by this share of what text grows, so that all fit at 200 %."""

VOLUME_STEP = 0.1

SWITCHES = (
    ("reduced_shake", "Less shaking"),
    ("reduced_flashes", "No flashes"),
    ("sound_captions", "Sounds in words"),
)
"""Preferences that are on or off, and how they are called."""

FORWARD = (pygame.K_DOWN, pygame.K_TAB)


class MenuScreen:
    """The menu over a street."""

    def __init__(self, below: StreetWindow, context: WindowContext) -> None:
        self._below = below
        self._context = context
        self._next: Next = self
        self._manager: UIManager | None = None
        self._laid_out_for: object = None
        self._backdrop: pygame.Surface | None = None
        self._box = pygame.Rect(0, 0, 0, 0)
        self._buttons: list[tuple[UIButton, Callable[[], None]]] = []
        self._focused: int | None = None
        context.release_all()

    @property
    def buttons(self) -> list[tuple[str, pygame.Rect]]:
        """Words and place of every button, in the order in which keys go through them."""
        self._ready()
        return [(button.text, pygame.Rect(button.get_abs_rect())) for button, _ in self._buttons]

    # -- what it does --------------------------------------------------------------

    def hear(self, event: pygame.event.Event) -> Next:
        """Take an event; returns the screen that goes on."""
        match event.type:
            case pygame.QUIT:
                return None
            case pygame.KEYDOWN if event.key == pygame.K_ESCAPE:
                return self._below
            case pygame.KEYDOWN:
                self._press_key(event)
            case pygame.CONTROLLERBUTTONDOWN:
                return self._press_pad(event.button)
            case pygame.VIDEORESIZE | pygame.WINDOWSIZECHANGED:
                self._below.hear(event)
            case pygame.CONTROLLERDEVICEADDED | pygame.CONTROLLERDEVICEREMOVED:
                self._context.gamepad.hear(event)
            case _:
                self._ready().process_events(event)
        return self._next

    def advance(self, frame_s: float) -> None:
        """Time stands still; only widgets move."""
        self._context.notices.advance(frame_s)
        self._ready().update(frame_s)

    def draw(self, frame_s: float) -> None:
        """The street, dimmed, and the menu over it."""
        manager = self._ready()
        surface = self._context.display.surface
        if self._backdrop is None:
            self._below.draw(frame_s)
            self._backdrop = surface.copy()
            dim = pygame.Surface(surface.get_size())
            dim.fill(self._context.theme.colours.panel)
            dim.set_alpha(DIM_ALPHA)
            self._backdrop.blit(dim, (0, 0))
            sheet = panel(self._box.size, self._context.theme.colours.panel, RADIUS_PX, 255)
            self._backdrop.blit(sheet, self._box)
        surface.blit(self._backdrop, (0, 0))
        manager.draw_ui(surface)

    # -- moving about without a mouse ------------------------------------------------

    def _press_key(self, event: pygame.event.Event) -> None:
        backwards = event.key == pygame.K_UP or (
            event.key == pygame.K_TAB and bool(getattr(event, "mod", 0) & pygame.KMOD_SHIFT)
        )
        if backwards:
            self._move_focus(-1)
        elif event.key in FORWARD:
            self._move_focus(1)
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE):
            self._choose_focused()

    def _press_pad(self, button: int) -> Next:
        match button:
            case pygame.CONTROLLER_BUTTON_DPAD_UP:
                self._move_focus(-1)
            case pygame.CONTROLLER_BUTTON_DPAD_DOWN:
                self._move_focus(1)
            case pygame.CONTROLLER_BUTTON_A:
                self._choose_focused()
            case pygame.CONTROLLER_BUTTON_B | pygame.CONTROLLER_BUTTON_START:
                return self._below
        return self._next

    def _move_focus(self, way: int) -> None:
        self._ready()
        if self._focused is None:
            self._focused = 0 if way > 0 else len(self._buttons) - 1
        else:
            self._show_focus(on=False)
            self._focused = (self._focused + way) % len(self._buttons)
        self._show_focus(on=True)

    def _show_focus(self, *, on: bool) -> None:
        """The focused button looks chosen; pygame_gui's own focus is for text entry."""
        if self._focused is not None:
            button = self._buttons[self._focused][0]
            change: Callable[[], None] = button.select if on else button.unselect
            change()

    def _choose_focused(self) -> None:
        self._ready()
        self._buttons[self._focused or 0][1]()

    # -- what the buttons do -----------------------------------------------------------

    def _resume(self) -> None:
        self._next = self._below

    def _restart(self) -> None:
        self._next = self._below.restart()

    def _play(self, name: str) -> None:
        self._next = self._below.open_level(name)

    def _quit(self) -> None:
        self._next = None

    def _toggle_full_screen(self) -> None:
        self._context.toggle_full_screen()
        self._lay_out_anew()

    def _change_text(self, way: int) -> None:
        at = min(
            range(len(TEXT_SCALES)),
            key=lambda index: abs(TEXT_SCALES[index] - self._context.theme.text_scale),
        )
        self._context.set_text_scale(TEXT_SCALES[min(max(at + way, 0), len(TEXT_SCALES) - 1)])
        self._lay_out_anew()

    def _change_volume(self, way: int) -> None:
        self._context.set_volume(self._context.preferences.values.volume + way * VOLUME_STEP)
        self._lay_out_anew()

    def _toggle(self, name: str) -> None:
        self._context.toggle(name)
        self._lay_out_anew()

    # -- the widgets -------------------------------------------------------------------

    def _lay_out_anew(self) -> None:
        self._laid_out_for = None

    def _ready(self) -> UIManager:
        """The widgets, laid out for the window and the text as they are now."""
        wanted = (self._context.display.size, self._context.theme.text_scale)
        if self._manager is None or self._laid_out_for != wanted:
            self._laid_out_for = wanted
            self._backdrop = None
            with warnings.catch_warnings():
                # Where a window is too small for its words, they are cut off; no more.
                warnings.simplefilter("ignore", UserWarning)
                self._manager = self._lay_out()
        return self._manager

    def _row_px(self) -> int:
        scale = self._context.theme.text_scale
        return round(ROW_PX * (1.0 + ROW_GROWTH * (scale - 1.0)))

    def _lay_out(self) -> UIManager:
        from pygame_gui import UIManager
        from pygame_gui.elements import UILabel

        theme, window = self._context.theme, self._context.display.size
        size = max(window[0], LEAST_PX[0]), max(window[1], LEAST_PX[1])
        manager = UIManager(size, menu_theme(theme), enable_live_theme_updates=False)
        self._buttons = []
        self._box = pygame.Rect(
            0,
            0,
            min(theme.px(WIDTH_PX), size[0] - 2 * MARGIN_PX),
            min(theme.px(HEIGHT_PX), size[1] - 2 * MARGIN_PX),
        )
        self._box.center = (size[0] // 2, size[1] // 2)
        row = self._row_px()
        inside = self._box.inflate(-2 * PADDING_PX, -2 * PADDING_PX)
        left = pygame.Rect(inside.topleft, (min(theme.px(LEFT_PX), inside.width // 2), row))
        UILabel(left, self._below.title, manager, object_id="#heading")
        left.top += row + GAP_PX
        self._add_rows(manager, left)
        quit_box = left.copy()
        quit_box.bottom = inside.bottom
        right = pygame.Rect(inside)
        right.left = left.right + PADDING_PX
        right.width = inside.right - right.left
        self._add_levels(manager, right)
        self._button(manager, quit_box, "Quit", self._quit)
        if self._focused is not None:
            self._focused = min(self._focused, len(self._buttons) - 1)
            self._show_focus(on=True)
        return manager

    def _add_rows(self, manager: UIManager, row: pygame.Rect) -> None:
        """Resume, restart, then the settings, one under the other."""

        def next_row() -> pygame.Rect:
            box = row.copy()
            row.top += row.height + GAP_PX
            return box

        self._button(manager, next_row(), "Resume", self._resume, "#primary")
        self._button(manager, next_row(), "Restart level", self._restart)
        state = "on" if self._context.display.is_full_screen else "off"
        self._button(manager, next_row(), f"Full screen: {state}", self._toggle_full_screen)
        percent = round(100 * self._context.theme.text_scale)
        self._stepper(manager, next_row(), f"Text {percent} %", self._change_text)
        values = self._context.preferences.values
        volume = f"Sound {round(100 * values.volume)} %"
        self._stepper(manager, next_row(), volume, self._change_volume)
        for name, words in SWITCHES:
            state = "on" if getattr(values, name) else "off"
            self._button(manager, next_row(), f"{words}: {state}", partial(self._toggle, name))

    def _stepper(
        self, manager: UIManager, box: pygame.Rect, words: str, change: Callable[[int], None]
    ) -> None:
        """A value between a button that makes it less and one that makes it more."""
        from pygame_gui.elements import UILabel

        less = pygame.Rect(box.topleft, (box.height, box.height))
        more = less.move(box.width - box.height, 0)
        self._button(manager, less, "−", lambda: change(-1))
        between = pygame.Rect(less.right, box.top, more.left - less.right, box.height)
        UILabel(between, words, manager, object_id="#value")
        self._button(manager, more, "+", lambda: change(1))

    def _add_levels(self, manager: UIManager, box: pygame.Rect) -> None:
        """A scrolling list of levels, each with what it is about under its title."""
        from pygame_gui.elements import UILabel, UIScrollingContainer, UITextBox

        row = self._row_px()
        UILabel(pygame.Rect(box.topleft, (box.width, row)), "Levels", manager, object_id="#heading")
        area = pygame.Rect(box.left, box.top + row + GAP_PX, box.width, box.height - row - GAP_PX)
        scrolled = UIScrollingContainer(area, manager, allow_scroll_x=False)
        width = area.width - 24
        y = 0
        for entry in self._context.sessions.levels():
            button_box = pygame.Rect(0, y, width, row)
            plays = partial(self._play, entry.name)
            self._button(manager, button_box, entry.title, plays, "#level", container=scrolled)
            y += row
            about = UITextBox(
                html.escape(entry.description),
                pygame.Rect(MARGIN_PX, y, width - MARGIN_PX, -1),
                manager,
                container=scrolled,
            )
            y += int(about.relative_rect.height) + GAP_PX
        scrolled.set_scrollable_area_dimensions((width, y))

    def _button(
        self,
        manager: UIManager,
        box: pygame.Rect,
        words: str,
        does: Callable[[], None],
        kind: str | None = None,
        container: UIScrollingContainer | None = None,
    ) -> None:
        from pygame_gui.elements import UIButton

        button = UIButton(box, words, manager, container=container, object_id=kind, command=does)
        self._buttons.append((button, does))
