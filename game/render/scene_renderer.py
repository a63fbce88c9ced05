"""One picture of the street: ground, shadows, things and people by depth, light, marks.

The order is that of art-and-feel section 3. The renderer reads a ``Picture`` and
keeps only what drawing needs from one frame to the next (baked sprites, fades); no
number of it ever goes back to the simulation.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import NamedTuple

import numpy as np
import pygame
from numpy.typing import NDArray

from ai.motion.pose_fader import PoseFader
from game.render.canvas import Canvas, View
from game.render.debug_draw import Overlay, PygameDebugDraw
from game.render.depth import DepthOrder
from game.render.fading import Fades
from game.render.figures.faces import Mood
from game.render.figures.looks import Look, Outfits
from game.render.figures.sprites import Figure, FigureSprites, ShadowTones
from game.render.ground.chunks import GroundChunks
from game.render.ground.plan import plan_ground
from game.render.light import LightMap, Pool, contact_tone, shadow_tone
from game.render.marks import paint_marks
from game.render.palette import Palette
from game.render.picture import GroundPicture, Picture, PoseSource, StandingThing, between, pose_between
from game.render.projection import Projection
from game.render.sprites import Sprite, stretched
from game.render.things.catalogue import style_of
from game.render.things.glows import Glow
from game.render.things.shape import Setting
from game.render.things.sprites import ThingSprites, ThingTones

FRESH_FIGURES_MAX = 4
"""Figures nearest the middle of the picture that are painted exactly, anew every second frame."""

FADE_S = 0.15
"""Drawn cross-fade between clip phases (LOC-14)."""

PED_REACH_CM = 260.0
"""A ped this far outside the picture (shadow and all) is not drawn."""


class Quality(NamedTuple):
    """How much a frame may cost; ``bakes_per_frame`` None bakes everything at once (for stills)."""

    bakes_per_frame: int | None = 2
    fresh_figures: int = FRESH_FIGURES_MAX


class _Exact(NamedTuple):
    """A figure painted exactly, and the frame, view and light it was painted in."""

    figure: Figure
    frame_number: int
    view: View
    tones: ShadowTones


class _Item(NamedTuple):
    key: float
    sprite: Sprite
    x: float
    y: float
    alpha: int


class SceneRenderer:
    """Draws pictures of one level; make a new one for another level."""

    def __init__(
        self,
        palette: Palette,
        outfits: Outfits,
        source: PoseSource,
        quality: Quality = Quality(),  # noqa: B008 -- an immutable tuple
    ) -> None:
        self._palette = palette
        self._outfits = outfits
        self._source = source
        self._quality = quality
        self._figures = FigureSprites(palette, outfits, source, quality.bakes_per_frame)
        self._things = ThingSprites(Setting(palette))
        self._ground: GroundChunks | None = None
        self._ground_of: GroundPicture | None = None
        self._order = DepthOrder(())
        self._standing: tuple[StandingThing, ...] = ()
        self._glows: list[list[Glow]] = []
        self._glow_pitch_deg = 0.0
        self._fades = Fades()
        self._fader = PoseFader(FADE_S)
        self._frame_number = 0
        self._exact: dict[int, _Exact] = {}
        self._drawn_time_s = 0.0
        self._settled: View | None = None
        self._last_view: View | None = None
        self._light_map = LightMap((1, 1))
        self._shadows = pygame.Surface((1, 1))
        self._shadow_grown = pygame.Surface((1, 1))

    def draw(
        self,
        surface: pygame.Surface,
        picture: Picture,
        projection: Projection,
        alpha: float = 1.0,
        overlays: Sequence[Overlay] = (),
        frame_s: float = 1.0 / 60.0,
    ) -> None:
        """Draw the picture ``alpha`` of the way from its last step to this one.

        ``frame_s`` is the time since the last frame, for fades that run on the viewer's
        clock.
        """
        projection = projection.snapped()
        settled = self._settle(projection)
        self._resize(surface.get_size())
        self._follow(picture, projection)
        light = self._palette.light_of(picture.time_of_day)
        sun = shadow_tone(self._palette.ground.shadow, light.shadow)
        tones = ShadowTones(sun, contact_tone(sun))
        self._things.use(Setting(self._palette, light.lamps > 0.0))
        self._figures.begin_frame()
        self._frame_number += 1

        if self._ground is not None:
            self._ground.draw(surface, projection, settled)
        self._shadows.fill((255, 255, 255))
        frame = _Frame(projection, settled, tones)
        items = self._standing_items(frame, picture, frame_s)
        items += self._prop_items(frame, picture, alpha)
        places = between(picture.peds.before, picture.peds.now, alpha)
        items += self._ped_items(frame, picture, places, alpha)
        pygame.transform.smoothscale(self._shadows, surface.get_size(), self._shadow_grown)
        surface.blit(self._shadow_grown, (0, 0), special_flags=pygame.BLEND_MULT)
        items.sort(key=lambda item: item.key)
        _blit_items(surface, items)
        self._light_map.lay(surface, light.multiply, self._pools(projection), light.lamps)
        paint_marks(surface, projection, picture.peds, places, self._palette.interface)
        if overlays:
            pen = PygameDebugDraw(surface, projection)
            for overlay in overlays:
                overlay(pen)

    # -- what is kept between frames -------------------------------------------

    def _settle(self, projection: Projection) -> View:
        """The view that sprites are baked for: it changes once the camera's has come to rest."""
        view = View(projection.zoom, projection.pitch_deg)
        if self._settled is None or view == self._last_view:
            self._settled = view
        self._last_view = view
        return self._settled

    def _resize(self, size: tuple[int, int]) -> None:
        if self._shadow_grown.get_size() != size:
            self._light_map = LightMap(size)
            self._shadow_grown = pygame.Surface(size)
            self._shadows = pygame.Surface((max(1, size[0] // 2), max(1, size[1] // 2)))

    def _follow(self, picture: Picture, projection: Projection) -> None:
        """Bake anew what follows from the level when the level has changed."""
        if picture.ground is not self._ground_of:
            self._ground_of = picture.ground
            self._ground = GroundChunks(
                plan_ground(picture.ground), self._palette, self._quality.bakes_per_frame
            )
        changed = picture.standing is not self._standing
        if changed:
            self._standing = picture.standing
            self._order = DepthOrder(picture.standing)
            self._fades.forget()
        if changed or projection.pitch_deg != self._glow_pitch_deg:
            self._glow_pitch_deg = projection.pitch_deg
            self._glows = [self._glows_of(thing, projection.pitch_deg) for thing in self._standing]

    def _glows_of(self, thing: StandingThing, pitch_deg: float) -> list[Glow]:
        """Lights of a thing, at one px a cm from its ground point."""
        view = View(1.0, pitch_deg)
        probe = Canvas(
            self._shadows, (0.0, 0.0), 1.0, view, self._palette.ink.line, thing.yaw + thing.shape.turn_rad
        )
        return style_of(thing.shape.kind).glows(probe, thing.shape, Setting(self._palette, True))

    # -- things ----------------------------------------------------------------

    def _standing_items(self, frame: _Frame, picture: Picture, frame_s: float) -> list[_Item]:
        hidden_by = self._hiding_things(picture, frame)
        alphas = self._fades.advance(hidden_by, frame_s)
        items: list[_Item] = []
        view, tones = frame.settled, ThingTones(*frame.tones)
        for index, thing in enumerate(self._standing):
            x, y = frame.projection.to_screen(thing.x, thing.y, thing.z)
            shadow = self._things.shadow(thing.shape, thing.yaw, view, tones, exact=True)
            self._blit_shadow(frame, shadow, x, y)
            sprite = frame.fitted(self._things.body(thing.shape, thing.yaw, view, exact=True))
            if frame.shows(sprite, x, y):
                items.append(_Item(self._order.keys[index], sprite, x, y, alphas.get(index, 255)))
        return items

    def _hiding_things(self, picture: Picture, frame: _Frame) -> set[int]:
        """Standing things whose picture covers a selected ped."""
        hiding: set[int] = set()
        for row in np.flatnonzero(picture.peds.selected).tolist():
            x, y, z = picture.peds.now[row, :3].tolist()
            chest_x, chest_y = frame.projection.to_screen(x, y, z + 110.0)
            for index in self._order.behind(x, y):
                thing = self._standing[index]
                if not style_of(thing.shape.kind).fades:
                    continue
                sprite = frame.fitted(self._things.body(thing.shape, thing.yaw, frame.settled, exact=True))
                at_x, at_y = frame.projection.to_screen(thing.x, thing.y, thing.z)
                box = sprite.surface.get_rect(topleft=(at_x + sprite.left, at_y + sprite.top))
                if box.collidepoint(chest_x, chest_y):
                    hiding.add(index)
        return hiding

    def _prop_items(self, frame: _Frame, picture: Picture, alpha: float) -> list[_Item]:
        props = picture.props
        items: list[_Item] = []
        view, tones = frame.settled, ThingTones(*frame.tones)
        places = between(props.before, props.now, alpha)
        keys = self._order.keys_of(places).tolist() if len(places) else []
        for shape, key, (x, y, z, yaw) in zip(props.shapes, keys, places.tolist(), strict=True):
            px, py = frame.projection.to_screen(x, y, z)
            self._blit_shadow(frame, self._things.shadow(shape, yaw, view, tones, exact=False), px, py)
            sprite = frame.fitted(self._things.body(shape, yaw, view, exact=False))
            if frame.shows(sprite, px, py):
                items.append(_Item(key, sprite, px, py, 255))
        return items

    # -- people ----------------------------------------------------------------

    def _ped_items(
        self, frame: _Frame, picture: Picture, places: NDArray[np.float64], alpha: float
    ) -> list[_Item]:
        peds = picture.peds
        if not len(places):
            return []
        projection = frame.projection
        sight = projection.visible_ground(PED_REACH_CM)
        seen = np.flatnonzero(
            (places[:, 0] > sight.x_min)
            & (places[:, 0] < sight.x_max)
            & (places[:, 1] > sight.y_min)
            & (places[:, 1] < sight.y_max)
        )
        dt_s = max(0.0, picture.time_s - self._drawn_time_s)
        self._drawn_time_s = picture.time_s
        if not len(seen):
            return []
        screen = projection.to_screen_batch(places[:, :3])
        poses = [
            pose_between(peds.poses_before[row], peds.poses[row], alpha) for row in seen.tolist()
        ]
        joints = self._source.poses(poses)
        fresh = self._fresh_rows(frame, screen, seen)
        keys = self._order.keys_of(places[seen]).tolist()
        items: list[_Item] = []
        for pose, live, key, row in zip(poses, joints, keys, seen.tolist(), strict=True):
            ped_id = int(peds.ids[row])
            shown = self._fader.fade(ped_id, pose.clip_seq, live, dt_s)
            look = self._outfits.look(peds.looks[row], ped_id)
            yaw, mood = float(places[row, 3]), peds.moods[row]
            if row in fresh or shown is not live:
                figure = self._exact_figure(frame, ped_id, shown, yaw, look, mood)
            else:
                self._exact.pop(ped_id, None)
                cached = self._figures.cached(pose, yaw, look, mood, frame.settled, frame.tones)
                figure = cached or self._exact_figure(frame, ped_id, shown, yaw, look, mood)
            x, y = screen[row].tolist()
            self._blit_shadow(frame, figure.shadow, x, y)
            items.append(_Item(key, frame.fitted(figure.body), x, y, 255))
        return items

    def _exact_figure(
        self,
        frame: _Frame,
        ped_id: int,
        joints: NDArray[np.float64],
        yaw_rad: float,
        look: Look,
        mood: Mood,
    ) -> Figure:
        """A figure in exactly its pose, painted this frame or the one before."""
        kept = self._exact.get(ped_id)
        same_scene = kept is not None and kept.view == frame.settled and kept.tones == frame.tones
        if kept is not None and same_scene and kept.frame_number >= self._frame_number - 1:
            return kept.figure
        figure = self._figures.fresh(joints, yaw_rad, look, mood, frame.settled, frame.tones)
        self._exact[ped_id] = _Exact(figure, self._frame_number, frame.settled, frame.tones)
        return figure

    def _fresh_rows(
        self, frame: _Frame, screen: NDArray[np.float64], seen: NDArray[np.int64]
    ) -> set[int]:
        """The rows of the peds nearest the middle of the picture."""
        count = self._quality.fresh_figures
        if len(seen) <= count:
            return set(seen.tolist())
        if count == 0:
            return set()
        middle = np.array((frame.projection.width / 2.0, frame.projection.height / 2.0))
        distance = np.sum((screen[seen] - middle) ** 2, axis=1)
        return set(seen[np.argsort(distance, kind="stable")[:count]].tolist())

    # -- layers ----------------------------------------------------------------

    def _blit_shadow(self, frame: _Frame, shadow: Sprite, x: float, y: float) -> None:
        sprite = frame.fitted(shadow)
        left, top = round(x * 0.5) + sprite.left, round(y * 0.5) + sprite.top
        width, height = sprite.surface.get_size()
        if left < self._shadows.get_width() and top < self._shadows.get_height():
            if left + width > 0 and top + height > 0:
                self._shadows.blit(sprite.surface, (left, top))

    def _pools(self, projection: Projection) -> list[Pool]:
        pools: list[Pool] = []
        zoom = projection.zoom
        for thing, glows in zip(self._standing, self._glows, strict=True):
            if not glows:
                continue
            x, y = projection.to_screen(thing.x, thing.y, thing.z)
            for glow in glows:
                reach = glow.radius_cm * zoom
                at_x, at_y = x + glow.at[0] * zoom, y + glow.at[1] * zoom
                if -reach < at_x < projection.width + reach and -reach < at_y < projection.height + reach:
                    pools.append(Pool(at_x, at_y, reach, glow.colour, glow.squash))
        return pools


def _blit_items(surface: pygame.Surface, items: Sequence[_Item]) -> None:
    faded = [item for item in items if item.alpha < 255]
    for item in faded:
        item.sprite.surface.set_alpha(item.alpha)
    surface.fblits(
        [
            (item.sprite.surface, (floor(item.x) + item.sprite.left, floor(item.y) + item.sprite.top))
            for item in items
        ]
    )
    for item in faded:
        item.sprite.surface.set_alpha(None)


class _Frame(NamedTuple):
    """What is the same for everything in one frame."""

    projection: Projection
    settled: View
    tones: ShadowTones

    def fitted(self, sprite: Sprite) -> Sprite:
        """The sprite at the projection's own zoom and pitch, stretched if need be."""
        across = self.projection.zoom / self.settled.zoom
        down = across * self.projection.sin_pitch / self.settled.sin_pitch
        if abs(across - 1.0) < 1e-9 and abs(down - 1.0) < 1e-9:
            return sprite
        return stretched(sprite, across, down)

    def shows(self, sprite: Sprite, x: float, y: float) -> bool:
        """Whether any of a sprite lies in the picture."""
        left, top = x + sprite.left, y + sprite.top
        return (
            left < self.projection.width
            and top < self.projection.height
            and left + sprite.surface.get_width() > 0
            and top + sprite.surface.get_height() > 0
        )
