"""Validating levels without running them: what ``bystander check`` does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from game.levels.errors import LevelError
from game.levels.library import level_folders
from game.levels.loading import load_level

if TYPE_CHECKING:
    from game.world.world_data import WorldData


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check of one level found: ``fault`` is empty if it may be run."""

    path: Path
    fault: str

    @property
    def ok(self) -> bool:
        """True if nothing is wrong."""
        return not self.fault


def check_levels(paths: Sequence[Path], data: WorldData) -> list[CheckResult]:
    """Check level folders, and every level directly inside other folders.

    A path without any level is a fault of its own: nothing checked is nothing proven.
    """
    results = []
    for path in paths:
        try:
            folders = list(level_folders(path))
        except OSError as error:
            results.append(CheckResult(path, f"{path}: can't be read ({error.strerror})"))
            continue
        if not folders:
            results.append(CheckResult(path, f"{path}: there is no level here"))
        results += [CheckResult(folder, _fault(folder, data)) for folder in folders]
    return results


def _fault(folder: Path, data: WorldData) -> str:
    try:
        load_level(folder.resolve(), data)
    except LevelError as error:
        return str(error)
    return ""
