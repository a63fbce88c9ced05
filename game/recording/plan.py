"""What is to be recorded: size, rate, speed, length, and which moment each frame shows.

Frames are taken at exact moments of the run: frame k at k times speed / fps seconds,
worked out as a fraction of whole numbers. A moment between two steps, as with 24
frames a second, is drawn that share of the way between them, so that motion is even
at any rate and speed.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction

from ai.ports import STEP_S
from game.recording.errors import RecordingError

STEPS_PER_S = round(1.0 / STEP_S)
SIZE_MIN, SIZE_MAX = 64, 4096
FPS_MAX = 60
SPEED_MIN, SPEED_MAX = 0.05, 20.0
SECONDS_MAX = 86_400.0


@dataclass(frozen=True, slots=True)
class FilmPlan:
    """One take, planned.

    - ``size`` is even in both directions, px.
    - ``speed`` is run time over film time.
    - ``overlay`` shows the debug overlays too.
    """

    size: tuple[int, int]
    fps: int
    speed: Fraction
    frames: int
    overlay: bool = False

    def moment(self, frame: int) -> tuple[int, float]:
        """Steps to have run for a frame, and the share of the way through the last of them."""
        position = Fraction(frame * STEPS_PER_S) * self.speed / self.fps
        steps = math.ceil(position)
        return steps, 1.0 - float(steps - position)

    def film_time_s(self, step: int) -> Fraction:
        """When the beginning of a step is shown."""
        return Fraction(step, STEPS_PER_S) / self.speed


def plan_film(
    seconds: float,
    *,
    size: tuple[int, int],
    fps: int = 30,
    speed: float = 1.0,
    overlay: bool = False,
) -> FilmPlan:
    """Plan a film of so many seconds of a run.

    Raises ``RecordingError`` naming the option that is out of range, and for a film
    without a single frame.
    """
    if not 1 <= fps <= FPS_MAX:
        raise RecordingError(f"--fps {fps}: must be between 1 and {FPS_MAX}")
    if not SPEED_MIN <= speed <= SPEED_MAX:
        raise RecordingError(f"--speed {speed:g}: must be between {SPEED_MIN:g} and {SPEED_MAX:g}")
    if not 0.0 < seconds <= SECONDS_MAX:
        raise RecordingError(
            f"--seconds {seconds:g}: must be above 0 and at most {SECONDS_MAX:.0f}"
        )
    exact_speed = Fraction(str(speed))
    frames = round(Fraction(str(seconds)) * fps / exact_speed)
    if frames == 0:
        raise RecordingError(
            f"--seconds {seconds:g}: too short for a single frame at {fps} frames a second and "
            f"{speed:g} times the speed"
        )
    return FilmPlan(even(size), fps, exact_speed, frames, overlay)


def parse_size(text: str) -> tuple[int, int]:
    """Width and height from ``1280x720``.

    Raises ``RecordingError`` for another form and for sizes that no video has.
    """
    found = re.fullmatch(r"(\d{1,5})[xX×](\d{1,5})", text.strip())
    if found is None:
        raise RecordingError(f"--size {text}: must be WIDTHxHEIGHT in pixels, such as 1280x720")
    size = int(found[1]), int(found[2])
    if not all(SIZE_MIN <= side <= SIZE_MAX for side in size):
        raise RecordingError(
            f"--size {text}: width and height must be between {SIZE_MIN} and {SIZE_MAX}"
        )
    return size


def even(size: tuple[int, int]) -> tuple[int, int]:
    """A size that video codecs take: one pixel more where it is odd (F13)."""
    return size[0] + size[0] % 2, size[1] + size[1] % 2
