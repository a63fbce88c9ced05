"""Speed of recording (product.md section 9): ``python -m tests.benchmarks.bench_recording``.

Prints a table beside a calibration (3 million integer additions in a loop, 0.20 s on
the reference machine); goals scale with it. Drawing alone, encoding alone and both at
once take turns, in each round over the same frames of ``pickup`` at 1280 x 720; before
a row is printed, the video of the third must decode to the same pictures as that of
the second.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import av
import pygame

from game.level_sessions import LevelSession
from game.record import record_level
from game.recording.encoder import Encoder
from game.recording.formats import FORMATS
from game.recording.headless import drawing_without_window
from game.recording.part_file import PartFile
from game.recording.pixels import frame_of
from game.recording.plan import plan_film
from game.recording.recorder import film_session
from game.recording.video_writer import VideoWriter
from game.run_report import calibrate
from game.sandbox import Sandbox
from tests.game.recording.videos import look_at

CALIBRATION_GOAL_S = 0.20
OVERLAP_GOAL = 1.3
REAL_TIME_GOAL = 1.5
LEVEL = "pickup"
SIZE = (1280, 720)
FPS = 30
SECONDS = 2.0
ROUNDS = 5


class Drawn:
    """Stands in for a take: keeps the drawn frames, as they would go to the encoder."""

    def __init__(self) -> None:
        self.frames: list[av.VideoFrame] = []

    def caption(self, text: str, time_s: Fraction) -> None:
        """Nothing to write."""

    def add(self, canvas: pygame.Surface, times: int = 1) -> None:
        """Keep a copy."""
        self.frames.append(frame_of(canvas))

    def close(self) -> None:
        """Nothing is left to do."""


class Encoded(Drawn):
    """Stands in for a take: the encoder in its thread, without names and checks."""

    def __init__(self, file: PartFile, ending: str) -> None:
        super().__init__()
        self._writer = VideoWriter(file, FORMATS[ending], SIZE, FPS)

    def add(self, canvas: pygame.Surface, times: int = 1) -> None:
        """Hand it to the encoder."""
        self._writer.add(canvas, times)

    def close(self) -> None:
        """Wait for the encoder."""
        self._writer.close()


def film_s(take: Drawn) -> float:
    """Seconds that it takes to run and draw the loaded level into a take."""
    with Sandbox.load(LEVEL) as box:
        plan = plan_film(SECONDS, size=SIZE, fps=FPS)
        start = time.perf_counter()
        film_session(LevelSession(box), plan, take, lambda: None)  # type: ignore[arg-type]
        take.close()
        return time.perf_counter() - start


def encode_s(frames: list[av.VideoFrame], file: PartFile, ending: str) -> float:
    """Seconds that it takes to encode pictures, in this thread."""
    start = time.perf_counter()
    encoder = Encoder(file, FORMATS[ending], SIZE, FPS)
    for frame in frames:
        encoder.encode(frame, 1)
    encoder.finish()
    return time.perf_counter() - start


@contextmanager
def new_file(path: Path) -> Iterator[PartFile]:
    """An empty file to encode into."""
    path.touch()
    file = PartFile(path)
    yield file
    file.close()


def overlap_row(folder: Path, ending: str) -> tuple[float, float, float, float]:
    """Milliseconds a frame: drawing, encoding, both at once; and the ratio of the rounds."""
    rounds: list[tuple[float, float, float]] = []
    frames = round(SECONDS * FPS)
    alone, at_once = folder / f"alone{ending}", folder / f"both{ending}"
    for _ in range(ROUNDS + 1):
        drawn = Drawn()
        drawing = film_s(drawn)
        with new_file(alone) as file:
            encoding = encode_s(drawn.frames, file, ending)
        with new_file(at_once) as file:
            together = film_s(Encoded(file, ending))
        rounds.append((drawing, encoding, together))
        one, other = look_at(alone), look_at(at_once)
        assert one.frames == frames, f"{one.frames} frames instead of {frames}"
        assert one == other, "both at once made another video"
        alone.unlink()
        at_once.unlink()
    # The first round warms up what is loaded once.
    ratio = statistics.median(each[2] / max(each[:2]) for each in rounds[1:])
    draw, encode, both = (
        1000.0 * statistics.median(column) / frames for column in zip(*rounds[1:], strict=True)
    )
    return draw, encode, both, ratio


def whole_row(folder: Path, ending: str) -> float:
    """Video time over wall time of the whole command: loading, recording, checking."""
    best = 0.0
    for number in range(3):
        start = time.perf_counter()
        made = record_level(LEVEL, folder / f"whole{number}{ending}", size="1280x720", fps=FPS)
        best = max(best, made.seconds / (time.perf_counter() - start))
    return best


def main() -> None:
    """Measure and print the table."""
    factor = calibrate() / CALIBRATION_GOAL_S
    print(f"calibration: {factor * CALIBRATION_GOAL_S:.3f} s (goal figures x {factor:.2f})")
    print(f"{LEVEL}, {SIZE[0]}x{SIZE[1]} at {FPS} frames a second; ms a frame")
    heads = ("draw", "encode", "both", "ratio", "goal", "real time", "goal")
    print(f"{'':<7}" + "".join(f"{head:>11}" for head in heads))
    with tempfile.TemporaryDirectory() as name, drawing_without_window():
        folder = Path(name)
        for ending in FORMATS:
            draw, encode, both, ratio = overlap_row(folder, ending)
            whole = whole_row(folder, ending)
            print(
                f"{ending:<7}{draw:>11.1f}{encode:>11.1f}{both:>11.1f}{ratio:>11.2f}"
                f"{OVERLAP_GOAL:>11.2f}{whole:>10.2f}x{REAL_TIME_GOAL / factor:>10.2f}x"
            )


if __name__ == "__main__":
    main()
