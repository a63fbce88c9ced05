"""Roofs of buildings: parapet, seams, patches, and what stands on them.

Works for any outline: what would reach over the edge is left out.
"""

from __future__ import annotations

import random

import shapely
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from game.render.canvas import Canvas
from game.render.colours import Colour, shade
from game.render.outlines import Point
from game.render.palette import Palette, WallColours
from game.render.solids import paint_prism, paint_round, rectangle
from game.render.things.shape import ThingShape

PARAPET_CM = 16.0
GUTTER_CM = 22.0
SEAM_EVERY_CM = 120.0
CELL_CM = 260.0
"""Things on a roof stand in cells of this size, at most one a cell."""

TANK_REACH_CM = 48.0


def paint_roof(
    canvas: Canvas, shape: ThingShape, material: WallColours, palette: Palette, dice: random.Random
) -> None:
    """The top of a building, with vents, hatches and a tank where there is room."""
    outline = Polygon(shape.outline)
    top = shape.z_high
    floor_colour = shade(material.wall, 0.74)
    for inset, colour in (
        (0.0, shade(material.trim, 0.92)),
        (PARAPET_CM, shade(material.wall, 0.48)),
        (GUTTER_CM, floor_colour),
    ):
        _fill(canvas, outline.buffer(-inset, join_style="mitre"), top, colour)
    floor = outline.buffer(-GUTTER_CM, join_style="mitre")
    if floor.is_empty:
        return
    _seams(canvas, floor, top, shade(material.wall, 0.69))
    cells = _cells(floor)
    dice.shuffle(cells)
    for x, y in cells[len(cells) // 2 :]:
        half_x, half_y = dice.uniform(30.0, 90.0), dice.uniform(20.0, 60.0)
        patch = Polygon(rectangle(half_x, half_y, x, y)).intersection(floor)
        _fill(canvas, patch, top, shade(floor_colour, dice.choice((0.93, 0.96, 1.05))))
    standing = [
        (x, y) for x, y in cells if floor.contains(shapely.Point(x, y).buffer(TANK_REACH_CM))
    ]
    standing = standing[: max(1, len(standing) // 2)]
    # What stands further down the map is painted later: it may hide what is behind it.
    standing.sort(key=lambda at: canvas.to_world((at[0], at[1], 0.0))[1])
    tank = dice.randrange(len(standing)) if standing else -1
    for index, (x, y) in enumerate(standing):
        if index == tank:
            _tank(canvas, x, y, top, palette)
        elif dice.random() < 0.6:
            _vent(canvas, x, y, top, palette)
        else:
            _hatch(canvas, x, y, top, material, palette)


def _fill(canvas: Canvas, area: BaseGeometry, z: float, colour: Colour) -> None:
    for part in shapely.get_parts(area):
        if isinstance(part, Polygon) and not part.is_empty:
            canvas.polygon(colour, [(x, y, z) for x, y in part.exterior.coords])


def _seams(canvas: Canvas, floor: BaseGeometry, z: float, colour: Colour) -> None:
    """Joints of the roofing felt, across the building."""
    x_min, y_min, x_max, y_max = floor.bounds
    x = x_min + SEAM_EVERY_CM / 2.0
    while x < x_max:
        cut = shapely.intersection(floor, LineString([(x, y_min), (x, y_max)]))
        for part in shapely.get_parts(cut):
            if isinstance(part, LineString) and not part.is_empty:
                (ax, ay), (bx, by) = part.coords[0], part.coords[-1]
                canvas.line(colour, (ax, ay, z), (bx, by, z), 3.0)
        x += SEAM_EVERY_CM


def _cells(floor: BaseGeometry) -> list[Point]:
    """Middles of the cells that lie on the roof."""
    x_min, y_min, x_max, y_max = floor.bounds
    columns = max(1, int((x_max - x_min) / CELL_CM))
    rows = max(1, int((y_max - y_min) / CELL_CM))
    middles = [
        (
            x_min + (x_max - x_min) * (column + 0.5) / columns,
            y_min + (y_max - y_min) * (row + 0.5) / rows,
        )
        for row in range(rows)
        for column in range(columns)
    ]
    return [(x, y) for x, y in middles if floor.contains(shapely.Point(x, y))]


def _vent(canvas: Canvas, x: float, y: float, top: float, palette: Palette) -> None:
    """A sheet-metal box with slits."""
    metal = palette.building.metal_box
    box = rectangle(34.0, 28.0, x, y)
    for face in paint_prism(canvas, box, top, top + 40.0, shade(metal, 0.86)):
        for share in (0.25, 0.45, 0.65):
            low = face.height * share
            face.quad(shade(metal, 0.45), 6.0, face.width - 6.0, low, low + 4.0)


def _hatch(
    canvas: Canvas, x: float, y: float, top: float, material: WallColours, palette: Palette
) -> None:
    """A raised skylight."""
    frame = shade(material.wall, 0.9)
    glass = palette.building.glass_day
    paint_prism(canvas, rectangle(46.0, 34.0, x, y), top, top + 24.0, frame)
    pane = [(px, py, top + 24.0) for px, py in rectangle(38.0, 26.0, x, y)]
    canvas.polygon(glass, pane)
    canvas.polygon(
        palette.car.gleam,
        [
            (x - 26.0, y + 26.0, top + 24.0),
            (x - 12.0, y + 26.0, top + 24.0),
            (x + 8.0, y - 26.0, top + 24.0),
            (x - 6.0, y - 26.0, top + 24.0),
        ],
    )


def _tank(canvas: Canvas, x: float, y: float, top: float, palette: Palette) -> None:
    """A wooden water tank with a pointed lid."""
    wood = palette.thing.trunk
    paint_round(canvas, (top, 40.0), (top + 84.0, 40.0), shade(wood, 1.2), None, x, y)
    paint_round(canvas, (top + 84.0, 43.0), (top + 104.0, 6.0), shade(wood, 0.9), None, x, y)
