"""The ground of one level: walk graph, surface, path search and distance field."""

from __future__ import annotations

from ai.navigation.body_size import BodySize
from ai.navigation.distance_field import DistanceField
from ai.navigation.map_shapes import MapShapes
from ai.navigation.mesh_path_finder import MeshPathFinder
from ai.navigation.mesh_surface import MeshSurface
from ai.navigation.walk_graph import WalkGraph
from game.world.description import LevelDescription
from game.world.shapes import WorldShapes
from game.world.things import ThingTable
from game.world.world_data import WorldData


class Ground:
    """What navigation builds over a level's surfaces and things, kept up to date with them."""

    def __init__(self, description: LevelDescription, things: ThingTable, data: WorldData) -> None:
        self.shapes = WorldShapes(description, things)
        map_shapes = _map_shapes(self.shapes, data)
        self.walk_graph = WalkGraph(map_shapes)
        self.surface = MeshSurface(map_shapes)
        self.path_finder = MeshPathFinder(self.walk_graph, data.navigation.path_end_tolerance)
        self.distance_field = DistanceField(self.shapes)


def walk_surface(description: LevelDescription, data: WorldData) -> MeshSurface:
    """The walkable ground of a level at its start, without a world around it."""
    shapes = WorldShapes(description, things_of(description, data))
    return MeshSurface(_map_shapes(shapes, data))


def things_of(description: LevelDescription, data: WorldData, *, world: int = 0) -> ThingTable:
    """A table of everything that a level places."""
    things = ThingTable(data.things, light_prop_kg=data.locomotion.light_prop_kg, world=world)
    for thing in (*description.obstacles, *description.vehicles, *description.props):
        things.spawn(thing)
    return things


def _map_shapes(shapes: WorldShapes, data: WorldData) -> MapShapes:
    walking = data.locomotion
    body = BodySize(walking.ped_radius, walking.body_low, walking.ped_height, walking.step_height)
    return MapShapes(shapes, data.surfaces, body)
