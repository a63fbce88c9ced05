"""Screenshots: PNG files, under names that are not taken unless they were asked for (F15)."""

from __future__ import annotations

import io
from pathlib import Path

import pygame

from game.whole_file import FileRefused, check_place, write_whole

STEM = "bystander"
ENDING = ".png"


def check_screenshot(path: Path) -> None:
    """Refuse a name under which no screenshot can be saved, before anything is drawn.

    Raises ``FileRefused``.
    """
    check_place(path)
    if path.suffix.lower() != ENDING:
        raise FileRefused(f"{path}: a screenshot is a PNG; let its name end in {ENDING}")


def write_screenshot(surface: pygame.Surface, path: Path) -> None:
    """Write a picture as a PNG, whole or not at all.

    Raises ``FileRefused``.
    """
    picture = io.BytesIO()
    pygame.image.save(surface, picture, ENDING)
    write_whole(path, picture.getvalue())


def save_screenshot(surface: pygame.Surface) -> str:
    """Write a picture into the working folder; returns the sentence to tell."""
    number = 1
    while (path := Path(f"{STEM}-{number}{ENDING}")).exists():
        number += 1
    try:
        write_screenshot(surface, path)
    except FileRefused as error:
        return f"Not saved: {error}"
    return f"Saved {path.resolve()}"
