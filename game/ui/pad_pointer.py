"""The gamepad's pointer: the right stick moves it, two buttons click, so a pad can order too.

It speaks as a mouse does, in pygame's mouse events with a place in the window: whoever
hears the mouse hears it, and needs to know nothing of pads.
"""

from __future__ import annotations

import pygame

from game.ui.theme import Theme

SPEED_PX_PER_S = 900.0
"""With the stick at its end; a stick half way moves it a quarter as fast."""

FRAME_MAX_S = 0.1
CLICKS: dict[int, int] = {
    pygame.CONTROLLER_BUTTON_RIGHTSTICK: pygame.BUTTON_LEFT,
    pygame.CONTROLLER_BUTTON_B: pygame.BUTTON_RIGHT,
}
ARROW = ((0, 0), (0, 17), (4, 13), (8, 21), (11, 20), (7, 12), (13, 12))

Place = tuple[int, int]


class PadPointer:
    """Where the pad points, nowhere until its stick is moved for the first time."""

    def __init__(self) -> None:
        self._x = 0.0
        self._y = 0.0
        self._is_shown = False

    @property
    def place(self) -> Place | None:
        """The point of the window, None while it is not shown."""
        return (round(self._x), round(self._y)) if self._is_shown else None

    def hide(self) -> None:
        """The mouse has taken over, or the window has lost the focus."""
        self._is_shown = False

    def advance(
        self, frame_s: float, direction: tuple[float, float], size: tuple[int, int]
    ) -> pygame.event.Event | None:
        """Go on by the time of a frame; the movement if there was one.

        - ``direction`` is the stick's, right and down, -1 to 1 each.
        - It appears in the middle of a window of ``size`` and stays within it.
        """
        if direction == (0.0, 0.0):
            return None
        if not self._is_shown:
            self._is_shown = True
            self._x, self._y = size[0] / 2.0, size[1] / 2.0
        right, down = direction
        reach = SPEED_PX_PER_S * min(frame_s, FRAME_MAX_S)
        before = round(self._x), round(self._y)
        self._x = min(max(self._x + right * abs(right) * reach, 0.0), size[0] - 1.0)
        self._y = min(max(self._y + down * abs(down) * reach, 0.0), size[1] - 1.0)
        now = round(self._x), round(self._y)
        return pygame.event.Event(
            pygame.MOUSEMOTION,
            pos=now,
            rel=(now[0] - before[0], now[1] - before[1]),
            buttons=(0, 0, 0),
        )

    def click(self, event: pygame.event.Event) -> pygame.event.Event | None:
        """The mouse button that a pad's button stands for; None for others, or without a place."""
        button = CLICKS.get(event.button)
        if button is None or self.place is None:
            return None
        is_down = event.type == pygame.CONTROLLERBUTTONDOWN
        kind = pygame.MOUSEBUTTONDOWN if is_down else pygame.MOUSEBUTTONUP
        return pygame.event.Event(kind, pos=self.place, button=button)

    def draw(self, surface: pygame.Surface, theme: Theme) -> None:
        """An arrow, over everything else."""
        if self.place is None:
            return
        x, y = self.place
        corners = [(x + right, y + down) for right, down in ARROW]
        pygame.draw.polygon(surface, theme.colours.text, corners)
        pygame.draw.lines(surface, theme.colours.panel, True, corners, 2)
