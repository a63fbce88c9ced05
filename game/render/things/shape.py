"""What a thing painter works from: sizes in the thing's own frame, its kind and its options."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ai.ports import Circle, Footprint
from game.render.canvas import Solid
from game.render.outlines import Point
from game.render.palette import Palette
from game.render.solids import prism, rectangle, ring

Option = str | float | int | bool


@dataclass(frozen=True, slots=True)
class ThingShape:
    """A thing's size and nature, without where it stands. Lengths in cm, scale applied.

    - ``outline`` is the footprint about the thing's centre; local x runs along the
      longer side of its bounding rectangle.
    - ``half_x`` >= ``half_y`` are half the sides of that rectangle.
    - ``z_low``, ``z_high`` are heights above the ground.
    - ``number`` tells things of one kind apart (the map's object id): it picks paints
      and details, always the same ones for the same thing.
    - ``char``: how far fire has blackened it, 0 to 4.
    - ``turn_rad`` is what the drawing's yaw has over the thing's own (0 or a quarter turn).
    """

    kind: str
    outline: tuple[Point, ...]
    is_round: bool
    half_x: float
    half_y: float
    z_low: float
    z_high: float
    number: int = 0
    turn_rad: float = 0.0
    options: Mapping[str, Option] = field(default_factory=dict)
    char: int = 0

    @property
    def height(self) -> float:
        """From the underside to the top, at least 1 cm."""
        return max(1.0, self.z_high - self.z_low)

    @property
    def radius(self) -> float:
        """Of a round thing, or of the circle inside an angular one."""
        return self.half_y

    def text(self, key: str, otherwise: str = "") -> str:
        """An option as text, or ``otherwise`` if it is not there."""
        value = self.options.get(key, otherwise)
        return value if isinstance(value, str) else otherwise

    def flag(self, key: str) -> bool:
        """An option as a yes or no; absent is no."""
        return self.options.get(key, False) is True


@dataclass(frozen=True, slots=True)
class Setting:
    """What a painter needs to know beside the thing: the colours and whether lamps are on."""

    palette: Palette
    lamps_on: bool = False


def shape_of(
    kind: str,
    footprint: Footprint,
    z_low: float,
    z_high: float,
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0),
    number: int = 0,
    options: Mapping[str, Option] | None = None,
    char: int = 0,
) -> ThingShape:
    """Normalise a footprint: scale applied, centred box, longer side along local x."""
    if isinstance(footprint, Circle):
        is_round = True
        radius = footprint.radius * max(abs(scale[0]), abs(scale[1]))
        points = [(x, y) for x, y, _ in ring(footprint.x, footprint.y, 0.0, radius)]
        half_x = half_y = radius
        turn_rad = 0.0
    else:
        is_round = False
        points = [(x * scale[0], y * scale[1]) for x, y in footprint.points]
        half_x = max(abs(x) for x, _ in points)
        half_y = max(abs(y) for _, y in points)
        turn_rad = 0.0
        if half_y > half_x * 1.001:
            points = [(y, -x) for x, y in points]
            half_x, half_y = half_y, half_x
            turn_rad = math.pi / 2.0
    return ThingShape(
        kind=kind,
        outline=tuple(points),
        is_round=is_round,
        half_x=half_x,
        half_y=half_y,
        z_low=z_low * abs(scale[2]),
        z_high=z_high * abs(scale[2]),
        number=number,
        turn_rad=turn_rad,
        options=dict(options or {}),
        char=char,
    )


def box_of(shape: ThingShape) -> list[Solid]:
    """The corners of the thing's bounding box."""
    return prism(rectangle(shape.half_x, shape.half_y), shape.z_low, shape.z_high)


def body_of(shape: ThingShape) -> list[Sequence[Solid]]:
    """The thing as one extruded outline: what throws its shadow if it has no better body."""
    return [prism(shape.outline, shape.z_low, shape.z_high)]


def outline_of(shape: ThingShape) -> Sequence[Point]:
    """The footprint itself: what a thing is sorted by if it has no better base."""
    return shape.outline
