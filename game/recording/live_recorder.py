"""Recording while a run is played (F9 key): the window hands over what it draws.

Frames are counted by steps of the run, never by the clock: a slow machine, a dragged
window or a pause leave no trace in the video (F7), and it runs at normal speed
however fast the run was played.
"""

from __future__ import annotations

import threading
from fractions import Fraction
from pathlib import Path

import pygame

from game.recording.burnt_caption import BurntCaption
from game.recording.errors import RecordingError, reason
from game.recording.pixels import new_canvas
from game.recording.plan import STEPS_PER_S, even
from game.recording.take import Recording, Take

LIVE_FPS = 30
SAME_SIZE_WITHIN_PX = 1


class LiveRecorder:
    """One recording of a window's street.

    - The video keeps the size the window had at the start; when the window is resized,
      its picture is fitted in with dark edges (F9).
    - ``outcome`` is None while it goes on, then what came of it, for the window to say.
    - ``wait`` before the program ends.
    """

    def __init__(self, target: Path, size: tuple[int, int], step: int) -> None:
        """Begin at a step of the run; ``names.free_name`` finds a target that is not taken.

        Raises ``RecordingError`` if the file can't be made.
        """
        self.outcome: Recording | RecordingError | None = None
        self._canvas = new_canvas(even(size))
        self._take = Take(target, self._canvas.get_size(), LIVE_FPS)
        self._burnt = BurntCaption()
        self._last_step = step
        self._steps = 0
        self._finishing: threading.Thread | None = None

    def is_due(self, step: int) -> bool:
        """True if the picture after this step belongs into the video."""
        return self._due(self._steps_until(step)) > 0

    def take(self, street: pygame.Surface, step: int, caption: str = "") -> None:
        """Look at the picture after a step: the street alone, without interface.

        - When more than one frame is due, as after a long frame, the picture fills them.
        - After a jump back (restart, rewind) the video goes on from there.
        - A failure ends the recording and is found in ``outcome``.
        """
        if self.outcome is not None or self._finishing is not None:
            return
        self._steps = self._steps_until(step)
        self._last_step = step
        due = self._due(self._steps)
        try:
            self._take.caption(caption, Fraction(self._steps, STEPS_PER_S))
            if due > 0:
                self._fit(street)
                self._burnt.draw(self._canvas, caption)
                self._take.add(self._canvas, due)
        except RecordingError as error:
            self.outcome = error

    def stop(self) -> None:
        """End the recording; the rest is written and checked while play goes on."""
        if self.outcome is None and self._finishing is None:
            self._finishing = threading.Thread(target=self._finish, name="video finish")
            self._finishing.start()

    def wait(self) -> Recording | RecordingError:
        """Stop, and wait until it is known what came of it."""
        self.stop()
        if self._finishing is not None:
            self._finishing.join()
        assert self.outcome is not None
        return self.outcome

    # -- inside --------------------------------------------------------------------

    def _steps_until(self, step: int) -> int:
        """Steps recorded by then."""
        return self._steps + max(0, step - self._last_step)

    def _due(self, steps: int) -> int:
        """Frames that the video lacks up to there; the first shows the very start."""
        return steps * LIVE_FPS // STEPS_PER_S + 1 - self._take.frames

    def _fit(self, street: pygame.Surface) -> None:
        """Put a picture of any size into the middle of the canvas."""
        width, height = self._canvas.get_size()
        wide, high = street.get_size()
        if max(abs(width - wide), abs(height - high)) > SAME_SIZE_WITHIN_PX:
            fit = min(width / wide, height / high)
            wide, high = max(1, round(wide * fit)), max(1, round(high * fit))
            street = pygame.transform.smoothscale(street, (wide, high))
        if (wide, high) != (width, height):
            self._canvas.fill((0, 0, 0))
        self._canvas.blit(street, ((width - wide) // 2, (height - high) // 2))

    def _finish(self) -> None:
        try:
            self.outcome = self._take.finish()
        except RecordingError as error:
            self.outcome = error
        except Exception as error:
            self.outcome = self._take.broken_off(reason(error))
