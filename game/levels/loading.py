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
    from game.world.description import LevelDescription
    from game.world.world_data import WorldData


def load_level(level: str | Path, data: WorldData, library: LevelLibrary | None = None) -> Level:
    """Find, read and check a level by name or folder.

    Raises ``LevelError``.
    """
    shelves = LevelLibrary.shipped() if library is None else library
    found = read_level(shelves.find(level), Vocabulary.of(data))
    check_goals(found, data)
    return found


def check_goals(level: Level, data: WorldData) -> None:
    """Refuse a level whose peds or goals are off walkable ground (ORD-25).

    Raises ``LevelError``.
    """
    check_ground(
        level.description,
        level.script,
        walk_surface(level.description, data),
        place_shift_cm=data.orders.place.project_max,
        goal_shift_cm=data.navigation.path_end_tolerance,
    )


def walk_surface(description: LevelDescription, data: WorldData) -> WalkSurface:
    """The walkable ground of a level at its start, without a world around it."""
    from ai.navigation.body_size import BodySize
    from ai.navigation.map_shapes import MapShapes
    from ai.navigation.mesh_surface import MeshSurface
    from game.world.shapes import WorldShapes
    from game.world.things import ThingTable

    things = ThingTable(data.things, light_prop_kg=data.locomotion.light_prop_kg)
    for thing in (*description.obstacles, *description.vehicles, *description.props):
        things.spawn(thing)
    walking = data.locomotion
    body = BodySize(walking.ped_radius, walking.body_low, walking.ped_height, walking.step_height)
    return MeshSurface(MapShapes(WorldShapes(description, things), data.surfaces, body))
