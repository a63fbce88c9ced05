"""The workbench of ``ragdoll_lab``: sliders for falls, a button to throw again, figures.

Sliders and button are pygame_gui's, in the theme of the menus. What they change reaches
the run as actions; the figures are read off the body of the first ped after each step.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pygame

from game.ui.bench_settings import BenchSettings
from game.ui.menu_theme import menu_theme
from game.ui.theme import MARGIN_PX, PADDING_PX, SMALL_PX, TEXT_PX, Theme, line_of_text, panel
from game.world.ragdoll.measures import FallMeasures
from game.world.world import World

if TYPE_CHECKING:
    from pygame_gui import UIManager
    from pygame_gui.elements import UIButton, UIHorizontalSlider

WIDTH_PX: Final = 300
ROW_PX: Final = 40
SLIDER_PX: Final = 20
FIGURE_PX: Final = 18
THROWN_AT_STEP: Final = 18
"""When a run that was begun by Repeat throws, so that a first still picture is seen."""


@dataclass(frozen=True, slots=True)
class _Knob:
    """One slider: the setting it changes, what it is called, its range, how its value reads."""

    field: str
    words: str
    low: float
    high: float
    text: Callable[[float], str]


KNOBS: Final = (
    _Knob("ground_mu", "Ground friction", 0.05, 1.5, lambda value: f"{value:.2f}"),
    _Knob("tone_stiffness", "Muscle tone", 0.0, 2e6, lambda value: f"{value / 1e5:.1f}"),
    _Knob("tone_damping", "Damping", 0.0, 4e5, lambda value: f"{value / 1e4:.1f}"),
    _Knob("impulse", "Impulse", 4500.0, 45000.0, lambda value: f"{value / 75.0:.0f} cm/s"),
    _Knob("height_cm", "Hit height", 5.0, 175.0, lambda value: f"{value:.0f} cm"),
    _Knob("heading_deg", "Direction", -180.0, 180.0, lambda value: f"{value:.0f}°"),
)
_OF_BODIES: Final = ("ground_mu", "tone_stiffness", "tone_damping")


class RagdollBench:
    """Panel of one session.

    ``wants_again``: Repeat was pressed. The window begins the level anew, and the bench of
    that run, over the same settings, throws.
    """

    def __init__(self, world: World, theme: Theme, settings: BenchSettings) -> None:
        self.settings = settings
        self.measures = FallMeasures()
        self.rect = pygame.Rect(0, 0, 0, 0)
        self._world = world
        self._theme = theme
        self.wants_again = False
        self._manager: UIManager | None = None
        self._sliders: list[tuple[_Knob, UIHorizontalSlider]] = []
        self._button: UIButton | None = None
        self._laid_out_for: object = None
        self._throws = False
        self._is_new = True

    # -- the run -----------------------------------------------------------------

    def throw_again(self) -> None:
        """This run was begun to throw once more."""
        self._throws = True

    def before_step(self) -> None:
        """Tell a new run what is set, and throw when it is time."""
        if self._is_new:
            self._is_new = False
            self._world.actions.submit(self.settings.tune())
        if self._throws and self._world.clock.step >= THROWN_AT_STEP:
            self._throws = False
            blow = self.settings.blow(self._world)
            if blow is not None:
                self._world.actions.submit(blow)

    def after_step(self) -> None:
        """Read the figures."""
        peds = self._world.peds.in_id_order()
        if peds:
            slot = peds[0].slot
            limp = self._world.physics.ragdolls.limp_ped(slot)
            self.measures.follow(self._world.recovery.record(slot), limp)

    # -- events ------------------------------------------------------------------

    def hear(self, event: pygame.event.Event) -> bool:
        """Take an event if it is meant for the panel."""
        if event.type == pygame.KEYDOWN:
            self.wants_again = event.key == pygame.K_r
            return self.wants_again
        if self._manager is None:
            return False
        taken = bool(self._manager.process_events(event))
        place = getattr(event, "pos", None)
        return taken or (place is not None and self.covers(place))

    def covers(self, place: tuple[int, int]) -> bool:
        """Is this place of the window on the panel?"""
        return self.rect.collidepoint(place)

    # -- drawing -----------------------------------------------------------------

    def draw(self, surface: pygame.Surface, frame_s: float, top: int) -> None:
        """The panel, its left upper corner under ``top``."""
        theme = self._theme
        manager = self._ready(surface.get_size(), top)
        surface.blit(panel(self.rect.size, theme.colours.panel, alpha=235), self.rect)
        manager.update(frame_s)
        manager.draw_ui(surface)
        self._take_over()
        self._draw_words(surface)

    def _take_over(self) -> None:
        """What the sliders say now."""
        changed = False
        for knob, slider in self._sliders:
            value = float(slider.get_current_value())
            if value != getattr(self.settings, knob.field):
                setattr(self.settings, knob.field, value)
                changed |= knob.field in _OF_BODIES
        if changed:
            self._world.actions.submit(self.settings.tune())

    def _draw_words(self, surface: pygame.Surface) -> None:
        theme, x = self._theme, self.rect.left + PADDING_PX
        title = line_of_text("Workbench: falls", theme.px(TEXT_PX), theme.colours.accent)
        surface.blit(title, (x, self.rect.top + PADDING_PX))
        for row, knob in enumerate(KNOBS):
            value = knob.text(getattr(self.settings, knob.field))
            self._draw_pair(surface, self._row_top(row), knob.words, value)
        line = self._row_top(len(KNOBS)) + theme.px(ROW_PX) + 4
        for name, value in self.figures():
            self._draw_pair(surface, line, name, value)
            line += theme.px(FIGURE_PX)

    def _draw_pair(self, surface: pygame.Surface, line: int, name: str, value: str) -> None:
        """A name at the left and its value at the right."""
        size, colours = self._theme.px(SMALL_PX), self._theme.colours
        surface.blit(line_of_text(name, size, colours.dim), (self.rect.left + PADDING_PX, line))
        told = line_of_text(value, size, colours.text)
        surface.blit(told, told.get_rect(topright=(self.rect.right - PADDING_PX, line)))

    def figures(self) -> tuple[tuple[str, str], ...]:
        """What is shown of the present fall."""
        seen = self.measures
        rest = "–" if seen.to_rest_s is None else f"{seen.to_rest_s:.2f} s"
        return (
            ("Settled after", rest),
            ("Fastest limb", f"{seen.speed_peak:.0f} cm/s"),
            ("Fastest spin", f"{seen.spin_peak:.1f} rad/s"),
            ("Joint gap, peak", f"{seen.gap_peak_cm:.2f} cm"),
            ("Joint gap, now", f"{seen.gap_cm:.2f} cm"),
            ("Overlap, peak", f"{seen.overlap_cm:.2f} cm"),
        )

    def _press(self) -> None:
        self.wants_again = True

    # -- widgets -----------------------------------------------------------------

    def _row_top(self, row: int) -> int:
        return self.rect.top + PADDING_PX + self._theme.px(26) + row * self._theme.px(ROW_PX)

    def _ready(self, size: tuple[int, int], top: int) -> UIManager:
        wanted = (size, self._theme.text_scale, top)
        if self._manager is None or wanted != self._laid_out_for:
            self._laid_out_for = wanted
            rows = len(KNOBS) + 1
            height = self._theme.px(26 + rows * ROW_PX + 6 * FIGURE_PX) + 2 * PADDING_PX + 8
            self.rect = pygame.Rect(MARGIN_PX, top, self._theme.px(WIDTH_PX), height)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                self._manager = self._lay_out(size)
        return self._manager

    def _lay_out(self, size: tuple[int, int]) -> UIManager:
        from pygame_gui import UIManager
        from pygame_gui.elements import UIButton, UIHorizontalSlider

        manager = UIManager(size, menu_theme(self._theme), enable_live_theme_updates=False)
        inside = self.rect.width - 2 * PADDING_PX
        left = self.rect.left + PADDING_PX
        self._sliders = []
        for row, knob in enumerate(KNOBS):
            box = pygame.Rect(left, self._row_top(row) + self._theme.px(16), inside, SLIDER_PX)
            now = min(max(getattr(self.settings, knob.field), knob.low), knob.high)
            slider = UIHorizontalSlider(box, now, (knob.low, knob.high), manager)
            self._sliders.append((knob, slider))
        box = pygame.Rect(left, self._row_top(len(KNOBS)), inside, self._theme.px(30))
        self._button = UIButton(
            box, "Repeat · R", manager, object_id="#primary", command=self._press
        )
        return manager
