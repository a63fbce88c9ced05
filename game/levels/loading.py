"""From a level's name to a level that is checked against the ground it stands on (ORD-25)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ai.ports import WalkSurface
from game.levels.level import Level, read_level
from game.levels.library import LevelLibrary
from game.levels.placement import check_ground
from game.levels.vocabulary import Vocabulary

if TYPE_CHECKING:
    from game.world.world_data import WorldData


def find_level(level: str | Path, data: WorldData, library: LevelLibrary | None = None) -> Level:
    """Find and read a level by name or folder; its goals are not checked against the ground yet.

    Raises ``LevelError``.
    """
    shelves = LevelLibrary.shipped() if library is None else library
    return read_level(shelves.find(level), Vocabulary.of(data))


def load_level(level: str | Path, data: WorldData, library: LevelLibrary | None = None) -> Level:
    """Find, read and check a level without a world around it.

    Raises ``LevelError``.
    """
    from game.world.ground import walk_surface

    found = find_level(level, data, library)
    check_goals(found, data, walk_surface(found.description, data))
    return found


def check_goals(level: Level, data: WorldData, surface: WalkSurface) -> None:
    """Refuse a level whose peds or goals are off its walkable ground (ORD-25).

    Raises ``LevelError``.
    """
    check_ground(
        level.description,
        level.script,
        surface,
        place_shift_cm=data.orders.place.project_max,
        goal_shift_cm=data.navigation.path_end_tolerance,
    )
