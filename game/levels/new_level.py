"""A working level to start from: what ``bystander new-level`` writes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from game import resources
from game.levels.errors import LevelError
from game.levels.level_file import LEVEL_FILE

PLACEHOLDER = "NEW LEVEL"
"""The title in the template, which the new level's name replaces."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


def write_new_level(name: str, parent: Path) -> Path:
    """Write a folder ``name`` with a map, its tiles and a ``level.toml``; returns the folder.

    Raises ``LevelError`` for a name that is no folder's, a folder that is there already,
    or a place that can't be written to; nothing is overwritten.
    """
    if not _NAME.fullmatch(name):
        raise LevelError(
            f"'{name}' can't be a level's name; take letters, digits, '_' and '-', a letter first"
        )
    folder = parent / name
    template = resources.new_level()
    try:
        folder.mkdir()
        for file in sorted(template.iterdir()):
            shutil.copyfile(file, folder / file.name)
        level_file = folder / LEVEL_FILE
        text = level_file.read_text(encoding="utf-8")
        level_file.write_text(text.replace(PLACEHOLDER, name), encoding="utf-8")
    except FileExistsError as error:
        raise LevelError(f"{folder}: is there already; take another name") from error
    except OSError as error:
        raise LevelError(f"{folder}: can't be written ({error.strerror or error})") from error
    return folder
