"""What a level shows beside its world: captions and where its camera is, step by step."""

from __future__ import annotations

from dataclasses import dataclass

from ai.ports import Vec3
from game.levels.times import steps_within
from game.world.description import CameraDescription


@dataclass(frozen=True, slots=True)
class Caption:
    """A line of text and the steps in which it is shown (``until_step`` not among them)."""

    text: str
    from_step: int
    until_step: int


class Captions:
    """The captions of a run, oldest first; for the picture, and for the text beside a video."""

    def __init__(self) -> None:
        self.shown: list[Caption] = []

    def show(self, text: str, step: int, duration_s: float) -> None:
        """Begin a caption in this step."""
        self.shown.append(Caption(text, step, step + max(1, steps_within(duration_s))))

    def at(self, step: int) -> str:
        """The text to show in a step, the latest begun one, or nothing."""
        for caption in reversed(self.shown):
            if caption.from_step <= step < caption.until_step:
                return caption.text
        return ""


class LevelCamera:
    """The level's camera: a fact of the run, not of the window that shows it.

    Moves evenly from where it is to where a cue sends it; a later cue takes over
    from there. Its centre is the focus while there is no player (product.md section 2).
    """

    def __init__(self, start: CameraDescription) -> None:
        self.x = start.x
        self.y = start.y
        self.zoom_px_per_cm = start.zoom_px_per_cm
        self.pitch_deg = start.pitch_deg
        self._target = (start.x, start.y, start.zoom_px_per_cm)
        self._steps_left = 0

    @property
    def moving(self) -> bool:
        """True until the last move has ended."""
        return self._steps_left > 0

    def move_to(self, position: Vec3, zoom_px_per_cm: float | None, over_s: float) -> None:
        """Be there after this time; None keeps the zoom."""
        zoom = self._target[2] if zoom_px_per_cm is None else zoom_px_per_cm
        self._target = (position.x, position.y, zoom)
        self._steps_left = max(1, steps_within(over_s))

    def advance(self) -> None:
        """One step of the move, if there is one."""
        if self._steps_left == 0:
            return
        share = 1.0 / self._steps_left
        x, y, zoom = self._target
        self._steps_left -= 1
        if self._steps_left == 0:
            self.x, self.y, self.zoom_px_per_cm = x, y, zoom
            return
        self.x += (x - self.x) * share
        self.y += (y - self.y) * share
        self.zoom_px_per_cm += (zoom - self.zoom_px_per_cm) * share
