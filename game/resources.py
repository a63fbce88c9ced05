"""The one place that knows where assets and levels lie, in a wheel and in a checkout alike.

A wheel carries both folders inside ``game/data`` (``force-include`` of the build
file); an editable install or a checkout has them beside the ``game`` package.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


class ResourcesMissing(Exception):
    """Neither place holds the folder: the installation is incomplete."""


@cache
def _folder(name: str) -> Path:
    for candidate in (_PACKAGE / "data" / name, _PACKAGE.parent / name):
        if candidate.is_dir():
            return candidate
    raise ResourcesMissing(
        f"the folder '{name}' is missing at {_PACKAGE.parent}; reinstall bystander"
    )


def assets() -> Path:
    """Folder of the data that the program ships: clips, rigs, outfits, tuning."""
    return _folder("assets")


def tuning() -> Path:
    """Folder of the tuning files."""
    return assets() / "tuning"


_physics_tuning: Path | None = None


def use_physics_tuning(folder: Path) -> None:
    """Take the file of the physics tasks from another folder (TASK-110).

    Raises ``ResourcesMissing`` if there is no such folder.
    """
    global _physics_tuning
    if not folder.is_dir():
        raise ResourcesMissing(f"--physics-tuning {folder}: is no folder")
    _physics_tuning = folder


def physics_tuning() -> Path | None:
    """Folder of the file of the physics tasks, None if it is that of the others."""
    return _physics_tuning


def new_level() -> Path:
    """Folder of the level that new ones start from."""
    return assets() / "new_level"


def shipped_levels() -> Path:
    """Folder with one folder a shipped level."""
    return _folder("levels")
