"""Where Tiled's objects are: from corner, anchor, rotation and flips to a centre pose (ORD-08).

Rectangles, ellipses and polygons turn about their own x, y, clockwise; a tile
object's x, y is the anchor of its picture (bottom left, unless the tileset says
otherwise) and it turns about that. Lengths in cm (1 map pixel = 1 cm).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import shapely
from pytiled_parser import tiled_object as tiled

from ai.ports import Circle, Polygon, Vec3
from game.levels.errors import LevelError
from game.levels.tiled.tilesets import (
    FLIPPED_DIAGONALLY,
    FLIPPED_HORIZONTALLY,
    FLIPPED_VERTICALLY,
    ROTATED_HEXAGONAL,
    Tilesets,
)

ELLIPSE_POINTS = 64
"""Corners of an ellipse that is no circle: 0.12 % too small at most, 1 cm at a half-axis of 8 m."""

MAX_POINTS = 500
MIN_AREA_CM2 = 1.0
_ROUND_CM = 0.01


class PlacedShape(NamedTuple):
    """Centre pose and outline of an object.

    - ``outline`` is in the local frame: centre at 0, unrotated, unscaled; None for a point.
    - ``scale`` is negative along a flipped axis, never 0.
    - ``is_picture``: a tile object, whose outline is the rectangle of its tile.
    """

    position: Vec3
    yaw_rad: float
    outline: Circle | Polygon | None
    scale: Vec3 = Vec3(1.0, 1.0, 1.0)
    is_picture: bool = False


def place(
    obj: tiled.TiledObject,
    layer_offset: tuple[float, float],
    tilesets: Tilesets,
    scale_wish: tuple[float, float],
    label: str,
) -> PlacedShape:
    """Centre pose of an object as Tiled shows it.

    - ``scale_wish`` is what the object's properties state; the outline is divided by
      it, so that outline times scale is what Tiled shows.
    - Raises ``LevelError`` for shapes that have no place in the game, for a scale of
      0 and for outlines without area or that cross themselves.
    """
    x = obj.coordinates.x + layer_offset[0]
    y = obj.coordinates.y + layer_offset[1]
    cosine, sine = turn_of(obj.rotation)
    yaw = math.radians(math.remainder(obj.rotation, 360.0))
    if isinstance(obj, tiled.Point):
        return PlacedShape(Vec3(x, y), yaw, None, _scale(scale_wish, label))
    if isinstance(obj, tiled.Tile):
        return _place_picture(obj, x, y, yaw, tilesets, scale_wish, label)
    if isinstance(obj, (tiled.Text, tiled.Polyline)):
        raise LevelError(f"{label}: a {type(obj).__name__.lower()} has no area; draw a shape here")
    points = _drawn_points(obj, label)
    shape = shapely.Polygon(points)
    if not shape.is_valid or shape.area < MIN_AREA_CM2:
        raise LevelError(f"{label}: the outline has no area or crosses itself")
    if isinstance(obj, tiled.Polygon):
        middle = (shape.centroid.x, shape.centroid.y)
    else:
        middle = (obj.size.width / 2.0, obj.size.height / 2.0)
    scale = _scale(scale_wish, label)
    centre = _turned(x, y, middle[0], middle[1], cosine, sine)
    outline: Circle | Polygon
    if isinstance(obj, tiled.Ellipse) and _is_round(obj.size.width, obj.size.height, scale):
        outline = Circle(0.0, 0.0, obj.size.width / 2.0 / abs(scale.x))
    else:
        outline = Polygon(
            tuple(((px - middle[0]) / scale.x, (py - middle[1]) / scale.y) for px, py in points)
        )
    return PlacedShape(Vec3(centre[0], centre[1]), yaw, outline, scale)


def turn_of(degrees: float) -> tuple[float, float]:
    """Cosine and sine of an angle, exact for quarter turns: maps are full of those."""
    quarters, rest = divmod(degrees, 90.0)
    if rest == 0.0:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarters) % 4]
    angle = math.radians(math.remainder(degrees, 360.0))
    return math.cos(angle), math.sin(angle)


_RIM = tuple(turn_of(360.0 * index / ELLIPSE_POINTS) for index in range(ELLIPSE_POINTS))


def rim(circle: Circle) -> Polygon:
    """A circle as a polygon of ``ELLIPSE_POINTS`` corners."""
    return Polygon(
        tuple(
            (circle.x + circle.radius * cosine, circle.y + circle.radius * sine)
            for cosine, sine in _RIM
        )
    )


def _drawn_points(obj: tiled.TiledObject, label: str) -> list[tuple[float, float]]:
    if isinstance(obj, tiled.Polygon):
        if not 3 <= len(obj.points) <= MAX_POINTS:
            raise LevelError(f"{label}: a polygon has 3 to {MAX_POINTS} corners")
        points = [(point.x, point.y) for point in obj.points]
        if not all(abs(x) < 1e9 and abs(y) < 1e9 for x, y in points):
            raise LevelError(f"{label}: a corner is out of range")
        return points
    width, height = obj.size.width, obj.size.height
    if width <= 0.0 or height <= 0.0:
        raise LevelError(f"{label}: has no size; use a point for the kind's own size")
    if isinstance(obj, tiled.Ellipse):
        return [
            (width / 2.0 * (1.0 + cosine), height / 2.0 * (1.0 + sine)) for cosine, sine in _RIM
        ]
    return [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]


def _place_picture(
    obj: tiled.Tile,
    x: float,
    y: float,
    yaw: float,
    tilesets: Tilesets,
    scale_wish: tuple[float, float],
    label: str,
) -> PlacedShape:
    if obj.gid & (FLIPPED_DIAGONALLY | ROTATED_HEXAGONAL):
        raise LevelError(f"{label}: a tile object can't be flipped along its diagonal; rotate it")
    if scale_wish != (1.0, 1.0):
        raise LevelError(f"{label}: a tile object's scale is its size; remove scale_x and scale_y")
    look = tilesets.look(obj.gid, label)
    width = obj.size.width or look.width
    height = obj.size.height or look.height
    if width < 0.0 or height < 0.0:
        raise LevelError(f"{label}: the size is negative")
    stretch_x, stretch_y = width / look.width, height / look.height
    if look.keeps_aspect and abs(stretch_x - stretch_y) > 1e-6 * stretch_x:
        raise LevelError(f"{label}: its tileset keeps the aspect; give it the tile's proportions")
    flip_x = -1.0 if obj.gid & FLIPPED_HORIZONTALLY else 1.0
    flip_y = -1.0 if obj.gid & FLIPPED_VERTICALLY else 1.0
    cosine, sine = turn_of(obj.rotation)
    centre = _turned(
        x,
        y,
        (0.5 - look.anchor[0]) * width + look.offset[0] * stretch_x,
        (0.5 - look.anchor[1]) * height + look.offset[1] * stretch_y,
        cosine,
        sine,
    )
    half_x, half_y = look.width / 2.0, look.height / 2.0
    outline = Polygon(((-half_x, -half_y), (half_x, -half_y), (half_x, half_y), (-half_x, half_y)))
    scale = _scale((stretch_x * flip_x, stretch_y * flip_y), label)
    return PlacedShape(Vec3(centre[0], centre[1]), yaw, outline, scale, is_picture=True)


def _turned(
    x: float, y: float, along_x: float, along_y: float, cosine: float, sine: float
) -> tuple[float, float]:
    return x + cosine * along_x - sine * along_y, y + sine * along_x + cosine * along_y


def _scale(wish: tuple[float, float], label: str) -> Vec3:
    if not all(0.01 <= abs(component) <= 100.0 for component in wish):
        raise LevelError(f"{label}: scale {wish} must be 0.01 to 100, or negative to mirror")
    return Vec3(wish[0], wish[1], 1.0)


def _is_round(width: float, height: float, scale: Vec3) -> bool:
    return abs(width - height) <= _ROUND_CM and abs(abs(scale.x) - abs(scale.y)) <= 1e-9
