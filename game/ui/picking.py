"""What is under the mouse: the ped, the thing or the ground that is seen there."""

from __future__ import annotations

import math

import numpy as np
import pygame
import shapely
from numpy.typing import NDArray

from ai.peds.ped import Ped
from ai.ports import Circle
from game.render.picture import PedPictures
from game.render.projection import Projection
from game.world.outlines import bounding_radius
from game.world.things import YAW, Thing, ThingTable
from game.world.world import World

PED_REACH_PX = 40.0
PED_WIDTH_FACTOR = 1.5
"""A figure is higher than wide: distances across count this much more."""

CHEST_CM = 90.0
THING_MAX_CM = 300.0
"""What reaches further from its middle is a house or a long wall, and no goal of a click."""


def ped_at(
    peds: PedPictures,
    projection: Projection,
    x: float,
    y: float,
    reach_px: float = PED_REACH_PX,
) -> int | None:
    """The id of the ped whose figure is nearest to a point of the window, if it is near."""
    if not len(peds.ids):
        return None
    chests = _chests(peds, projection)
    across = np.abs(chests[:, 0] - x) * PED_WIDTH_FACTOR
    distances = np.maximum(across, np.abs(chests[:, 1] - y))
    nearest = int(np.argmin(distances))
    return int(peds.ids[nearest]) if distances[nearest] < reach_px else None


def peds_in(peds: PedPictures, projection: Projection, box: pygame.Rect) -> tuple[int, ...]:
    """The ids of the peds whose chests lie in a box of the window, ascending."""
    chests = _chests(peds, projection)
    inside = (
        (chests[:, 0] >= box.left)
        & (chests[:, 0] < box.right)
        & (chests[:, 1] >= box.top)
        & (chests[:, 1] < box.bottom)
    )
    return tuple(peds.ids[inside].tolist())


def chest_of(peds: PedPictures, projection: Projection, ped_id: int) -> tuple[int, int] | None:
    """Where the chest of a ped is in the window, None if the ped is not there."""
    row = int(np.searchsorted(peds.ids, ped_id))
    if row >= len(peds.ids) or int(peds.ids[row]) != ped_id:
        return None
    x, y = _chests(peds, projection)[row].tolist()
    return round(x), round(y)


def _chests(peds: PedPictures, projection: Projection) -> NDArray[np.float64]:
    """Shape (n, 2): where the chests of all peds are in the window."""
    return projection.to_screen_batch(peds.now[:, :3] + (0.0, 0.0, CHEST_CM))


def thing_at(things: ThingTable, projection: Projection, x: float, y: float) -> Thing | None:
    """The thing that is seen at a point of the window; of several, the one in front.

    A thing is seen where the line of sight meets its body: the ground points that
    the pixel shows at the heights from its foot to its top.
    """
    best: Thing | None = None
    best_y = -math.inf
    for thing in things.in_id_order():
        radius = bounding_radius(thing.outline)
        if radius > THING_MAX_CM or thing.dying:
            continue
        thing_x, thing_y = things.state[thing.ref.slot, :YAW].tolist()
        foot = projection.to_ground(x, y, thing.z_low_cm)
        top = projection.to_ground(x, y, thing.z_high_cm)
        if abs(foot[0] - thing_x) > radius:
            continue
        if top[1] < thing_y - radius or foot[1] > thing_y + radius:
            continue
        if thing_y > best_y and _meets(things, thing, foot, top):
            best, best_y = thing, thing_y
    return best


def _meets(
    things: ThingTable, thing: Thing, foot: tuple[float, float], top: tuple[float, float]
) -> bool:
    sight = shapely.LineString((foot, top)) if foot != top else shapely.Point(foot)
    footprint = things.footprint(thing)
    if isinstance(footprint, Circle):
        return bool(sight.distance(shapely.Point(footprint.x, footprint.y)) <= footprint.radius)
    return bool(shapely.Polygon(footprint.points).intersects(sight))


def ped_of(world: World, ped_id: int | None) -> Ped | None:
    """The ped of an id that was pointed at, None if it has left."""
    if ped_id is None:
        return None
    return next((ped for ped in world.peds.in_id_order() if ped.ped_id == ped_id), None)
