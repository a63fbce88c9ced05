"""Screenshots under names that are not taken (F15)."""

from __future__ import annotations

from pathlib import Path

import pygame

STEM = "bystander"


def save_screenshot(surface: pygame.Surface) -> str:
    """Write a picture into the working folder; returns the sentence to tell."""
    number = 1
    while (path := Path(f"{STEM}-{number}.png")).exists():
        number += 1
    try:
        pygame.image.save(surface, path)
    except (OSError, pygame.error) as error:
        return f"Not saved: {error}"
    return f"Saved {path.resolve()}"
