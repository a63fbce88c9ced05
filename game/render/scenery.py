"""Everything but people: standing things with their lights and fades, and moving props."""

from __future__ import annotations

import numpy as np
import pygame

from game.render.canvas import Canvas, View
from game.render.depth import DepthOrder
from game.render.fading import Fades
from game.render.frame import OPAQUE, Frame, Item
from game.render.light import Pool
from game.render.palette import Palette
from game.render.picture import PedPictures, Picture, PropPictures, StandingThing, between
from game.render.projection import Projection
from game.render.shadow_layer import ShadowLayer
from game.render.things.catalogue import overheads_of, style_of
from game.render.things.glows import Glow
from game.render.things.shape import Setting
from game.render.things.sprites import ThingSprites

CHEST_CM = 110.0
"""A ped counts as hidden when its chest is."""


class Scenery:
    """The things of one level, as drawn."""

    def __init__(self, palette: Palette) -> None:
        self._palette = palette
        self._sprites = ThingSprites(Setting(palette))
        self._source: tuple[StandingThing, ...] = ()
        self._standing: tuple[StandingThing, ...] = ()
        self.order = DepthOrder(())
        self._fades = Fades()
        self._glows: list[list[Glow]] = []
        self._glow_pitch_deg = 0.0

    def follow(self, picture: Picture, projection: Projection, lamps_on: bool) -> None:
        """Work out anew what follows from the standing things, the pitch or the light."""
        self._sprites.use(Setting(self._palette, lamps_on))
        changed = picture.standing is not self._source
        if changed:
            self._source = picture.standing
            self._standing = (*picture.standing, *overheads_of(picture.standing))
            self.order = DepthOrder(self._standing)
            self._fades.forget()
        if changed or projection.pitch_deg != self._glow_pitch_deg:
            self._glow_pitch_deg = projection.pitch_deg
            self._glows = [self._glows_of(thing, projection.pitch_deg) for thing in self._standing]

    def standing_items(
        self, frame: Frame, shadows: ShadowLayer, peds: PedPictures, frame_s: float
    ) -> list[Item]:
        """All standing things in the picture; those that hide a selected ped are faded."""
        alphas = self._fades.advance(self._hiding(frame, peds), frame_s)
        items: list[Item] = []
        for index, thing in enumerate(self._standing):
            x, y = frame.projection.to_screen(thing.x, thing.y, thing.z)
            shadow = self._sprites.shadow(
                thing.shape, thing.yaw, frame.settled, frame.tones, exact=True
            )
            shadows.add(frame, shadow, x, y)
            body = self._sprites.body(thing.shape, thing.yaw, frame.settled, exact=True)
            sprite = frame.fitted(body)
            if frame.shows(sprite, x, y):
                alpha = alphas.get(index, OPAQUE)
                items.append(Item(self.order.keys[index], sprite, x, y, alpha))
        return items

    def prop_items(
        self, frame: Frame, shadows: ShadowLayer, props: PropPictures, alpha: float
    ) -> list[Item]:
        """All moving things in the picture, ``alpha`` of the way between two steps."""
        if not len(props.shapes):
            return []
        places = between(props.before, props.now, alpha)
        keys = self.order.keys_of(places).tolist()
        items: list[Item] = []
        for shape, key, (x, y, z, yaw) in zip(props.shapes, keys, places.tolist(), strict=True):
            px, py = frame.projection.to_screen(x, y, z)
            shadow = self._sprites.shadow(shape, yaw, frame.settled, frame.tones, exact=False)
            shadows.add(frame, shadow, px, py)
            sprite = frame.fitted(self._sprites.body(shape, yaw, frame.settled, exact=False))
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
                body = self._sprites.body(thing.shape, thing.yaw, frame.settled, exact=True)
                sprite = frame.fitted(body)
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


_PROBED = pygame.Surface((1, 1))
"""Nothing is drawn on it: lights are measured with a canvas's own mapping."""
