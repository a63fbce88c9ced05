"""Pictures to record and videos to look into, for the tests of this folder."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import av
import pygame

from game.recording.pixels import new_canvas

ROOT = Path(__file__).resolve().parents[3]
SIZE = (160, 90)


def moving_square(size: tuple[int, int] = SIZE) -> list[pygame.Surface]:
    """60 canvases: a bright square crosses a dark ground."""
    found = []
    for number in range(60):
        canvas = new_canvas(size)
        canvas.fill((40, 60, 50))
        canvas.fill((230, 200, 60), (2 * number, 20, 20, 20))
        found.append(canvas)
    return found


class Seen(NamedTuple):
    """What a video shows when it is decoded."""

    times_s: list[float]
    sizes: set[tuple[int, int]]
    digest: str

    @property
    def frames(self) -> int:
        return len(self.times_s)


def look_at(path: Path) -> Seen:
    """Decode a whole video, whatever its name."""
    times: list[float] = []
    sizes = set()
    digest = hashlib.sha256()
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            times.append(float(frame.time))
            sizes.add((frame.width, frame.height))
            digest.update(frame.to_ndarray(format="rgb24").tobytes())
    return Seen(times, sizes, digest.hexdigest())


def picture_of(path: Path, frame: int) -> pygame.Surface:
    """One frame of a video."""
    with av.open(str(path)) as container:
        for number, each in enumerate(container.decode(video=0)):
            if number == frame:
                pixels = each.to_ndarray(format="rgb24").swapaxes(0, 1)
                return pygame.surfarray.make_surface(pixels)
    raise AssertionError(f"{path} has no frame {frame}")


def python(program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a program in a fresh interpreter that knows the project."""
    return subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
