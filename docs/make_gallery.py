"""Makes the README's pictures: every shipped level at three moments, as its level frames it.

Run from the project's folder: ``python docs/make_gallery.py [LEVEL …]``; the pictures of
the named levels, or of all, are written to ``docs/gallery``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame

from game import resources
from game.levels.library import level_folders
from game.record import FilmedLevel
from game.recording.film import Film
from game.sandbox import Sandbox

FOLDER: Final = Path(__file__).resolve().parent / "gallery"
DRAWN_PX: Final = (960, 540)
SHOWN_PX: Final = (400, 225)
GAP_PX: Final = 4
MOMENTS: Final = (0.1, 0.4, 0.8)
"""When pictures are taken, as shares of a level's duration."""

MOMENTS_OF: Final = {"dominoes": (0.11, 0.14, 0.25)}
"""Levels where what matters is over soon."""

LATEST_S: Final = 40.0
"""Levels that go on for longer have shown by then what they are about."""

STEP_S: Final = 1.0 / 60.0


def make_strip(level: Path) -> pygame.Surface:
    """Three moments of a level side by side."""
    width, height = SHOWN_PX
    strip = pygame.Surface((len(MOMENTS) * (width + GAP_PX) - GAP_PX, height))
    strip.fill((255, 255, 255))
    with Sandbox.load(level) as box:
        film = Film(FilmedLevel(box), DRAWN_PX, overlay=False)
        length_s = min(box.level.duration_s, LATEST_S)
        step = 0
        for place, share in enumerate(MOMENTS_OF.get(level.name, MOMENTS)):
            while step < round(share * length_s / STEP_S):
                film.step()
                step += 1
            # The camera and the light drift in: a second for the viewer, none for the run.
            for _ in range(3):
                drawn = film.draw(1.0, 1.0, 1.0)
            shown = pygame.transform.smoothscale(drawn, SHOWN_PX)
            strip.blit(shown, (place * (width + GAP_PX), 0))
    return strip


def main(names: list[str]) -> int:
    """Make the pictures of these levels, or of all."""
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode((16, 16))
    FOLDER.mkdir(exist_ok=True)
    levels = {folder.name: folder for folder in level_folders(resources.shipped_levels())}
    unknown = [name for name in names if name not in levels]
    if unknown:
        print(f"no such level: {', '.join(unknown)}; there are {', '.join(sorted(levels))}")
        return 2
    for name in names or sorted(levels):
        target = FOLDER / f"{name}.jpg"
        pygame.image.save(make_strip(levels[name]), str(target))
        print(f"{target.name}: {target.stat().st_size // 1024} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
