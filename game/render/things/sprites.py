"""Things ready to be put into the picture: baked by thing and heading, with their shadows.

Standing things are baked at their exact heading, moving ones at the nearest of 32.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence

import pygame

from game.render import shadow_layer
from game.render.canvas import SHADOW_SHIFT, Canvas, Solid, View
from game.render.colours import Colour
from game.render.frame import Tones
from game.render.outlines import Point, convex_hull
from game.render.sprites import KEY_COLOUR, BakeBudget, Baked, Box, Sprite, SpriteCache, bake
from game.render.things.catalogue import style_of
from game.render.things.shape import Setting, ThingShape

HEADINGS = 32
CONTACT_GROW_CM = 5.0
CHARRED = (255, 205, 160, 120, 90)
"""What a thing's colours are multiplied with, of 255, by how far fire has blackened it."""


class ThingSprites:
    """Bakes and keeps the pictures of things.

    ``bakes_per_frame`` bounds how many are baked anew for another view; a thing that
    has no picture at all always gets one.
    """

    def __init__(self, setting: Setting, bakes_per_frame: int | None = None) -> None:
        self._setting = setting
        self._kept = SpriteCache()
        self._budget = BakeBudget(bakes_per_frame)

    def begin_frame(self, setting: Setting) -> None:
        """Give the frame its share of bakes; forget everything if lamps went on or off."""
        self._budget.begin_frame()
        if setting != self._setting:
            self._setting = setting
            self._kept.clear()

    def baked(
        self, shape: ThingShape, yaw_rad: float, view: View, tones: Tones, *, exact: bool
    ) -> Baked:
        """The picture of a thing about its ground point, for this view or the one before."""
        yaw = yaw_rad if exact else _nearest(yaw_rad)
        key: Hashable = (shape.kind, shape.number, shape.char, round(yaw, 4), tones)
        baked = self._kept.get(key)
        if baked is None or (baked.body.view != view and self._budget.spend()):
            baked = Baked(
                self._paint_body(shape, yaw, view), self._paint_shadow(shape, yaw, view, tones)
            )
            self._kept.put(key, baked)
        return baked

    def _paint_body(self, shape: ThingShape, yaw_rad: float, view: View) -> Sprite:
        style = style_of(shape.kind)
        turned = yaw_rad + shape.turn_rad
        probe = Canvas(
            _NOWHERE, (0.0, 0.0), view.zoom, view, self._setting.palette.ink.line, turned
        )
        pixels = [probe.at(point) for solid in style.body(shape) for point in solid]
        box = _box(pixels, style.margin_cm * view.zoom + 2.0)
        supersampling = _supersampling(box)

        def paint(surface: pygame.Surface, anchor: Point) -> None:
            canvas = Canvas(
                surface,
                anchor,
                view.zoom * supersampling,
                view,
                self._setting.palette.ink.line,
                turned,
            )
            style.paint(canvas, shape, self._setting)
            if shape.char:
                tone = CHARRED[shape.char]
                surface.fill((tone, tone, tone, 255), special_flags=pygame.BLEND_RGBA_MULT)

        ink = self._setting.palette.ink.line
        return bake(box, supersampling, ink, view, paint, translucent=style.translucent)

    def _paint_shadow(self, shape: ThingShape, yaw_rad: float, view: View, tones: Tones) -> Sprite:
        turned = yaw_rad + shape.turn_rad
        scale = view.zoom * shadow_layer.SCALE
        hulls: list[tuple[Colour, list[Point]]] = []
        if tones.sun is not None:
            hulls += [
                (tones.sun, _shadow_hull(solid, turned, scale, view.sin_pitch))
                for solid in style_of(shape.kind).body(shape)
            ]
        if shape.z_low < 10.0:
            grown = _grown_footprint(shape.outline, CONTACT_GROW_CM)
            foot = [(x, y, 0.0) for x, y in grown]
            hulls.append((tones.contact, _shadow_hull(foot, turned, scale, view.sin_pitch)))
        pixels = [pixel for _, hull in hulls for pixel in hull] or [(0.0, 0.0)]
        box = _box(pixels, 1.0)
        surface = pygame.Surface((box.width, box.height))
        surface.fill(KEY_COLOUR)
        for colour, hull in hulls:
            if len(hull) > 2:
                pygame.draw.polygon(surface, colour, [(x - box.left, y - box.top) for x, y in hull])
        surface.set_colorkey(KEY_COLOUR, pygame.RLEACCEL)
        return Sprite(surface, box.left, box.top, view)


_NOWHERE = pygame.Surface((1, 1))


def _nearest(yaw_rad: float) -> float:
    return round(yaw_rad / (2.0 * math.pi) * HEADINGS) % HEADINGS * 2.0 * math.pi / HEADINGS


def _box(pixels: Sequence[Point], margin: float) -> Box:
    xs, ys = [x for x, _ in pixels], [y for _, y in pixels]
    return Box.around(min(xs), min(ys), max(xs), max(ys), margin)


def _supersampling(box: Box) -> int:
    """3 for small pictures, less for large ones: they have straight lines and cost memory."""
    area = box.width * box.height
    if area < 250_000:
        return 3
    return 2 if area < 2_000_000 else 1


def _shadow_hull(
    solid: Iterable[Solid], yaw_rad: float, scale: float, sin_pitch: float
) -> list[Point]:
    """Where a convex solid's shadow lies, px from the ground point."""
    cos, sin = math.cos(yaw_rad), math.sin(yaw_rad)
    return convex_hull(
        (
            (x * cos - y * sin + SHADOW_SHIFT[0] * z) * scale,
            (x * sin + y * cos + SHADOW_SHIFT[1] * z) * scale * sin_pitch,
        )
        for x, y, z in solid
    )


def _grown_footprint(outline: Sequence[Point], grow: float) -> list[Point]:
    grown: list[Point] = []
    for x, y in outline:
        length = math.hypot(x, y) or 1.0
        grown.append((x + x / length * grow, y + y / length * grow))
    return grown
