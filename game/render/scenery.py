"""Everything but people: standing things with their lights and fades, and moving props."""

from __future__ import annotations

import math

import numpy as np
import pygame
from numpy.typing import NDArray

from game.render.canvas import Canvas, View
from game.render.depth import DepthOrder
from game.render.fading import Fades
from game.render.frame import OPAQUE, Frame, Item
from game.render.light import Pool
from game.render.palette import Palette
from game.render.picture import PedPictures, Picture, PropPictures, StandingThing, between
from game.render.projection import Projection
from game.render.shadow_layer import ShadowLayer
from game.render.sprites import Baked
from game.render.things.catalogue import overheads_of, style_of
from game.render.things.glows import Glow
from game.render.things.shape import Setting, ThingShape
from game.render.things.sprites import ThingSprites

CHEST_CM = 110.0
"""A ped counts as hidden when its chest is."""

SWAY_HZ = 0.3
GOLDEN_SHARE = 0.618
"""Of a cycle from one number to the next: neighbours never sway together."""


class Scenery:
    """The things of one level, as drawn."""

    def __init__(self, palette: Palette, bakes_per_frame: int | None = None) -> None:
        self._palette = palette
        self._sprites = ThingSprites(Setting(palette), bakes_per_frame)
        self._source: tuple[StandingThing, ...] = ()
        self._standing: tuple[StandingThing, ...] = ()
        self.order = DepthOrder(())
        self._reaches = np.zeros((0, 3))
        self._prop_reaches: dict[tuple[str, int], float] = {}
        self._fades = Fades()
        self._glows: list[list[Glow]] = []
        self._glow_pitch_deg = 0.0

    def follow(self, picture: Picture, projection: Projection, lamps_on: bool) -> None:
        """Work out anew what follows from the standing things, the pitch or the light."""
        self._sprites.begin_frame(Setting(self._palette, lamps_on))
        changed = picture.standing is not self._source
        if changed:
            self._source = picture.standing
            self._standing = (*picture.standing, *overheads_of(picture.standing))
            self.order = DepthOrder(self._standing)
            self._reaches = np.array(
                [(thing.x, thing.y, reach_of(thing.shape)) for thing in self._standing]
            ).reshape(len(self._standing), 3)
            self._fades.forget()
        if changed or projection.pitch_deg != self._glow_pitch_deg:
            self._glow_pitch_deg = projection.pitch_deg
            self._glows = [self._glows_of(thing, projection.pitch_deg) for thing in self._standing]

    def standing_items(
        self,
        frame: Frame,
        shadows: ShadowLayer,
        peds: PedPictures,
        time_s: float,
        frame_s: float,
    ) -> list[Item]:
        """All standing things in the picture; those that hide a selected ped are faded.

        ``time_s`` is that of the run, by which crowns of trees sway.
        """
        alphas = self._fades.advance(self._hiding(frame, peds), frame_s)
        items: list[Item] = []
        for index in _in_sight(frame.projection, self._reaches):
            thing = self._standing[index]
            x, y = frame.projection.to_screen(thing.x, thing.y, thing.z)
            baked = self._baked(frame, thing)
            shadows.add(frame, baked.shadow, x, y)
            sprite = frame.fitted(baked.body)
            if frame.shows(sprite, x, y):
                alpha = alphas.get(index, OPAQUE)
                aside = sway_px(thing.shape, time_s, frame.view.zoom)
                items.append(Item(self.order.keys[index], sprite, x + aside, y, alpha))
        return items

    def prop_items(
        self, frame: Frame, shadows: ShadowLayer, props: PropPictures, alpha: float
    ) -> list[Item]:
        """All moving things in the picture, ``alpha`` of the way between two steps."""
        if not len(props.shapes):
            return []
        places = between(props.before, props.now, alpha)
        reaches = [self._reach_of(shape) for shape in props.shapes]
        seen = _in_sight(frame.projection, np.column_stack((places[:, :2], reaches)))
        keys = self.order.keys_of(places[seen]).tolist()
        items: list[Item] = []
        for index, key, (x, y, z, yaw) in zip(seen, keys, places[seen].tolist(), strict=True):
            shape = props.shapes[index]
            px, py = frame.projection.to_screen(x, y, z)
            baked = self._sprites.baked(shape, yaw, frame.settled, frame.tones, exact=False)
            shadows.add(frame, baked.shadow, px, py)
            sprite = frame.fitted(baked.body)
            if frame.shows(sprite, px, py):
                items.append(Item(key, sprite, px, py))
        return items

    def pools(self, projection: Projection) -> list[Pool]:
        """The lights of all standing things that reach into the picture."""
        pools: list[Pool] = []
        zoom, width, height = projection.zoom, projection.width, projection.height
        for thing, glows in zip(self._standing, self._glows, strict=True):
            if not glows:
                continue
            x, y = projection.to_screen(thing.x, thing.y, thing.z)
            for glow in glows:
                reach = glow.radius_cm * zoom
                at_x, at_y = x + glow.at[0] * zoom, y + glow.at[1] * zoom
                if -reach < at_x < width + reach and -reach < at_y < height + reach:
                    pools.append(Pool(at_x, at_y, reach, glow.colour, glow.squash))
        return pools

    def _baked(self, frame: Frame, thing: StandingThing) -> Baked:
        return self._sprites.baked(thing.shape, thing.yaw, frame.settled, frame.tones, exact=True)

    def _reach_of(self, shape: ThingShape) -> float:
        key = (shape.kind, shape.number)
        reach = self._prop_reaches.get(key)
        if reach is None:
            reach = self._prop_reaches[key] = reach_of(shape)
        return reach

    def _hiding(self, frame: Frame, peds: PedPictures) -> set[int]:
        """Standing things that may fade and whose picture covers a selected ped."""
        hiding: set[int] = set()
        for row in np.flatnonzero(peds.selected).tolist():
            x, y, z = peds.now[row, :3].tolist()
            chest = frame.projection.to_screen(x, y, z + CHEST_CM)
            for index in self.order.behind(x, y):
                thing = self._standing[index]
                if not style_of(thing.shape.kind).fades:
                    continue
                sprite = frame.fitted(self._baked(frame, thing).body)
                at_x, at_y = frame.projection.to_screen(thing.x, thing.y, thing.z)
                box = sprite.surface.get_rect(topleft=(at_x + sprite.left, at_y + sprite.top))
                if box.collidepoint(chest):
                    hiding.add(index)
        return hiding

    def _glows_of(self, thing: StandingThing, pitch_deg: float) -> list[Glow]:
        """Lights of a thing, at one px a cm from its ground point."""
        turned = thing.yaw + thing.shape.turn_rad
        probe = Canvas(
            _PROBED, (0.0, 0.0), 1.0, View(1.0, pitch_deg), self._palette.ink.line, turned
        )
        return style_of(thing.shape.kind).glows(probe, thing.shape, Setting(self._palette, True))


def _in_sight(projection: Projection, reaches: NDArray[np.float64]) -> list[int]:
    """Things of which picture or shadow may show; rows of ``reaches`` are x, y and reach, cm."""
    sight = projection.visible_ground()
    x, y, reach = reaches.T
    inside = (x + reach > sight.x_min) & (x - reach < sight.x_max)
    # Upwards the picture shows ground that lies far down the map: heights cover it.
    far = reach / projection.sin_pitch
    inside &= (y + reach > sight.y_min) & (y - far < sight.y_max)
    return np.flatnonzero(inside).tolist()


def reach_of(shape: ThingShape) -> float:
    """How far from its ground point a thing, its height or its shadow may show, cm."""
    tallest = max(point[2] for solid in style_of(shape.kind).body(shape) for point in solid)
    return math.hypot(shape.half_x, shape.half_y) + tallest + style_of(shape.kind).margin_cm


def sway_px(shape: ThingShape, time_s: float, zoom: float) -> int:
    """How far the wind has moved a picture to the right: whole px, each thing in a time of its own.

    Whole, so that crown and trunk never jitter against each other while the camera moves.
    """
    sway_cm = style_of(shape.kind).sway_cm
    if sway_cm == 0.0:
        return 0
    phase = shape.number * GOLDEN_SHARE
    return round(sway_cm * zoom * math.sin(2.0 * math.pi * (SWAY_HZ * time_s + phase)))


_PROBED = pygame.Surface((1, 1))
"""Nothing is drawn on it: lights are measured with a canvas's own mapping."""
