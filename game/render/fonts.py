"""The program's one typeface, Noto Sans, which travels with pygame_gui.

Found without importing pygame_gui, which is slow; a system without that file falls
back to pygame's own font.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pygame


@cache
def _file(bold: bool) -> str | None:
    spec = find_spec("pygame_gui")
    if spec is None or not spec.submodule_search_locations:
        return None
    name = "NotoSans-Bold.ttf" if bold else "NotoSans-Regular.ttf"
    path = Path(spec.submodule_search_locations[0]) / "data" / name
    return str(path) if path.is_file() else None


@cache
def _loaded(size: int, bold: bool) -> pygame.font.Font:
    return pygame.font.Font(_file(bold), size)


def font(size: int, *, bold: bool = False) -> pygame.font.Font:
    """The typeface at a height in px (5 to 200); ``pygame.font`` must be initialised.

    Fonts are kept until ``forget_fonts``.
    """
    return _loaded(max(5, min(200, size)), bold)


def forget_fonts() -> None:
    """Drop every loaded font; needed before ``pygame.font.quit``, after which they are dead."""
    _loaded.cache_clear()
