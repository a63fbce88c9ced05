"""Painting in a thing's own frame: local cm in, pixels of a surface out.

A ``Canvas`` is a pen over one surface for one thing: it knows where the thing's
ground point lies on the surface, how the thing is turned and how the scene is
tilted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import pygame

from game.render.colours import Colour
from game.render.outlines import Point, convex_hull, grown_hull
from game.render.strokes import capsule, stroke

Solid: TypeAlias = tuple[float, float, float]
"""A point or direction (x, y, z) in cm, in the thing's frame."""

SUN = (-0.46060, -0.29311, 0.83746)
"""Towards the sun in the world: (-0.55, -0.35, 1) normalised (art-and-feel section 7)."""

SHADOW_SHIFT = (0.55, 0.35)
"""How far a shadow falls right and down the map for each cm of height."""

INK_CM = 2.0
"""Width of the outline around everything."""


class View(NamedTuple):
    """How a picture is taken, without where: the key of everything that is baked."""

    zoom: float
    pitch_deg: float

    @property
    def sin_pitch(self) -> float:
        """Shortening of the ground down the picture."""
        return math.sin(math.radians(self.pitch_deg))

    @property
    def cos_pitch(self) -> float:
        """Height in the picture of a cm upwards."""
        return math.cos(math.radians(self.pitch_deg))


class Canvas:
    """A pen for one thing on one surface.

    - ``origin``: px of the thing's ground point (0, 0, 0).
    - ``scale``: px per cm of the surface (zoom times supersampling).
    - ``yaw_rad``: how the thing is turned; local x is its forward.
    """

    def __init__(
        self,
        surface: pygame.Surface,
        origin: Point,
        scale: float,
        view: View,
        ink: Colour,
        yaw_rad: float = 0.0,
    ) -> None:
        self.surface = surface
        self.scale = scale
        self.ink = ink
        self.sin_pitch = view.sin_pitch
        self.cos_pitch = view.cos_pitch
        self._origin_x, self._origin_y = origin
        self._cos_yaw = math.cos(yaw_rad)
        self._sin_yaw = math.sin(yaw_rad)

    # -- mapping ---------------------------------------------------------------

    def at(self, point: Solid) -> Point:
        """Pixel of a local point."""
        x, y, z = point
        world_y = x * self._sin_yaw + y * self._cos_yaw
        return (
            self._origin_x + (x * self._cos_yaw - y * self._sin_yaw) * self.scale,
            self._origin_y + (world_y * self.sin_pitch - z * self.cos_pitch) * self.scale,
        )

    def to_world(self, direction: Solid) -> Solid:
        """A local direction turned into the world."""
        x, y, z = direction
        return (
            x * self._cos_yaw - y * self._sin_yaw,
            x * self._sin_yaw + y * self._cos_yaw,
            z,
        )

    def facing(self, normal: Solid) -> float:
        """How much a face with this local unit normal looks at the camera (over 0 = is seen)."""
        _, y, z = self.to_world(normal)
        return y * self.cos_pitch + z * self.sin_pitch

    def sunlight(self, normal: Solid) -> float:
        """Share of the sun on a face: 0 to 1."""
        x, y, z = self.to_world(normal)
        return max(0.0, x * SUN[0] + y * SUN[1] + z * SUN[2])

    def wall_shade(self, normal: Solid) -> float:
        """Shade of an upright face of a box: 0.68 seen from the south, lighter to the west."""
        x, _, _ = self.to_world(normal)
        return 0.68 + (0.20 * -x if x < 0.0 else -0.10 * x)

    def width_px(self, width_cm: float) -> int:
        """A line width in px, never under 1."""
        return max(1, round(width_cm * self.scale))

    # -- painting --------------------------------------------------------------

    def polygon(self, colour: Colour, points: Iterable[Solid]) -> None:
        """Fill a flat polygon."""
        pygame.draw.polygon(self.surface, colour, [self.at(point) for point in points])

    def fill(self, colour: Colour, pixels: Sequence[Point]) -> None:
        """Fill a polygon that is given in pixels (of a face, say)."""
        pygame.draw.polygon(self.surface, colour, pixels)

    def line(self, colour: Colour, start: Solid, end: Solid, width_cm: float) -> None:
        """A straight stroke of a width in cm, with flat ends."""
        self.stroke(colour, self.at(start), self.at(end), width_cm * self.scale)

    def stroke(self, colour: Colour, start: Point, end: Point, width_px: float) -> None:
        """A straight stroke between pixels."""
        stroke(self.surface, colour, start, end, width_px)

    def rod(self, colour: Colour, start: Solid, end: Solid, radius_cm: float) -> None:
        """A round bar between two points, outlined in ink."""
        a, b = self.at(start), self.at(end)
        for tone, radius in ((self.ink, radius_cm + INK_CM), (colour, radius_cm)):
            width = radius * self.scale
            capsule(self.surface, tone, (*a, width), (*b, width))

    def ball(self, colour: Colour, centre: Solid, radius_cm: float) -> None:
        """A disc that faces the camera."""
        pygame.draw.circle(self.surface, colour, self.at(centre), max(1.0, radius_cm * self.scale))

    def plate(self, colour: Colour, centre: Solid, radius_cm: float) -> None:
        """A flat round plate: an ellipse as the ground shows circles."""
        x, y = self.at(centre)
        radius = radius_cm * self.scale
        box = pygame.Rect(0, 0, round(2 * radius), round(2 * radius * self.sin_pitch))
        box.center = (round(x), round(y))
        pygame.draw.ellipse(self.surface, colour, box)

    def hull(self, colour: Colour, points: Iterable[Solid], grow_cm: float = 0.0) -> None:
        """Fill the silhouette of a convex solid, pushed out by ``grow_cm``."""
        pixels = [self.at(point) for point in points]
        outline = grown_hull(pixels, grow_cm * self.scale) if grow_cm else convex_hull(pixels)
        if len(outline) > 2:
            pygame.draw.polygon(self.surface, colour, outline)

    def outline(self, points: Iterable[Solid]) -> None:
        """Ink behind a convex solid: its silhouette grown by the line's width, at least 1 px."""
        self.hull(self.ink, points, max(INK_CM, 1.0 / self.scale))
