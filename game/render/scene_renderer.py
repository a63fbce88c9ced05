"""One picture of the street: ground, shadows, things and people by depth, light, marks.

The order is that of art-and-feel section 3. The renderer reads a ``Picture`` and
keeps only what drawing needs from one frame to the next (baked sprites, fades); no
number of it ever goes back to the simulation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pygame
from numpy.typing import NDArray

from game.render.canvas import View
from game.render.debug_draw import Overlay, PygameDebugDraw
from game.render.dizzy_stars import paint_dizzy_stars
from game.render.figures.faces import Mood
from game.render.figures.looks import Outfits
from game.render.fires.fire_layer import FireLayer
from game.render.frame import Frame, Tones, blit_items
from game.render.ground.chunks import GroundChunks
from game.render.ground.plan import plan_ground
from game.render.light import LightMap, Pool, contact_tone, shadow_tone
from game.render.marks import paint_marks
from game.render.order_bubbles import OrderBubbles
from game.render.palette import Palette
from game.render.people import People
from game.render.picture import GroundPicture, Picture, PoseSource, between
from game.render.projection import Projection
from game.render.scenery import Scenery
from game.render.shadow_layer import ShadowLayer
from game.render.speech_bubbles import SpeechBubbles


class Quality(NamedTuple):
    """How much a frame may cost.

    - ``bakes_per_frame``: figures, and things, that are baked anew in a frame; None for
      all that are missing (stills). Ground chunks are large: half as many of them.
    - ``exact_figures``: peds nearest the middle that are painted exactly.
    - ``fade_s``: the drawn cross-fade between clip phases (LOC-14, ``display_fade``).
    """

    bakes_per_frame: int | None = 2
    exact_figures: int = 4
    fade_s: float = 0.15


STARS_BELOW_CM = 75.0
"""Whose head is higher than that gets up."""


def whiten(surface: pygame.Surface, alpha: int) -> None:
    """Lay white over the picture, by 0 to 255."""
    if alpha > 0:
        left = 255 - alpha
        surface.fill((left, left, left), special_flags=pygame.BLEND_MULT)
        surface.fill((alpha, alpha, alpha), special_flags=pygame.BLEND_ADD)


class SceneRenderer:
    """Draws pictures of one level; make a new one for another level."""

    def __init__(
        self,
        palette: Palette,
        outfits: Outfits,
        source: PoseSource,
        quality: Quality,
    ) -> None:
        self._palette = palette
        self._quality = quality
        self._people = People(
            palette,
            outfits,
            source,
            bakes_per_frame=quality.bakes_per_frame,
            exact_max=quality.exact_figures,
            fade_s=quality.fade_s,
        )
        self._scenery = Scenery(palette, quality.bakes_per_frame)
        self._fires = FireLayer(palette, quality.bakes_per_frame)
        self._shadows = ShadowLayer()
        self._light_map = LightMap()
        self._bubbles = OrderBubbles(palette.interface)
        self._speech = SpeechBubbles(palette.interface)
        self._head = source.joints.index("head")
        self._ground: GroundChunks | None = None
        self._ground_of: GroundPicture | None = None
        self._settled: View | None = None
        self._last_view: View | None = None

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
        effects = picture.effects
        if effects is not None:
            projection = projection.moved_px(
                *effects.shake(projection.centre_x, projection.centre_y)
            )
        projection = projection.snapped()
        light = self._palette.light_of(picture.time_of_day)
        sun = shadow_tone(self._palette.ground.shadow, light.shadow)
        view = View(projection.zoom, projection.pitch_deg)
        frame = Frame(projection, view, self._settle(view), Tones(sun, contact_tone(sun)))
        self._scenery.follow(picture, projection, light.lamps > 0.0)

        self._ground_for(picture).draw(surface, projection, frame.settled)
        self._fires.follow(picture, frame)
        self._fires.paint_ground(surface, picture, projection)
        self._shadows.begin(surface.get_size())
        places = between(picture.peds.before, picture.peds.now, alpha)
        items = self._scenery.standing_items(
            frame, self._shadows, picture.peds, picture.time_s, frame_s
        )
        items += self._scenery.prop_items(frame, self._shadows, picture.props, alpha)
        items += self._people.items(
            frame, self._shadows, picture, places, self._scenery.order, alpha
        )
        items += self._fires.items(frame, picture, self._scenery.order)
        self._shadows.lay(surface)
        blit_items(surface, items)
        self._fires.paint_smoke(surface, projection)
        pools: list[Pool] = []
        if light.lamps > 0.0:
            pools = [*self._scenery.pools(projection), *self._fires.pools(picture, projection)]
        self._light_map.lay(surface, light.multiply, pools, light.lamps)
        self._fires.paint_bright(surface, projection)
        peds = picture.peds
        if effects is not None:
            effects.paint(surface, projection)
        self._paint_stars(surface, projection, picture, places)
        if effects is not None:
            alpha_of_flash = effects.flash_alpha(projection.centre_x, projection.centre_y)
            whiten(surface, alpha_of_flash)
        paint_marks(surface, projection, peds, places, picture.marks, self._palette.interface)
        self._bubbles.draw(surface, projection, peds, places, frame_s)
        self._speech.draw(surface, projection, peds, places, picture.speech, frame_s)
        if overlays:
            pen = PygameDebugDraw(surface, projection)
            for overlay in overlays:
                overlay(pen)

    def _paint_stars(
        self,
        surface: pygame.Surface,
        projection: Projection,
        picture: Picture,
        places: NDArray[np.float64],
    ) -> None:
        """Stars round the heads of those who have come down and do not rise yet."""
        peds, interface = picture.peds, self._palette.interface
        for row, mood in enumerate(peds.moods):
            joints = peds.poses[row].joints
            if mood is not Mood.DIZZY or joints is None:
                continue
            x, y, z, yaw = places[row].tolist()
            ahead, aside, up = joints[self._head].tolist()
            if up > STARS_BELOW_CM:
                continue
            cosine, sine = math.cos(yaw), math.sin(yaw)
            head = (
                x + ahead * cosine - aside * sine,
                y + ahead * sine + aside * cosine,
                z + up,
            )
            time_s = picture.time_s + 0.37 * int(peds.ids[row])
            paint_dizzy_stars(
                surface, projection, head, time_s, interface.accent, interface.paper_ink
            )

    def _settle(self, view: View) -> View:
        """The view that sprites are baked for: it changes once the camera's has come to rest."""
        if self._settled is None or view == self._last_view:
            self._settled = view
        self._last_view = view
        return self._settled

    def _ground_for(self, picture: Picture) -> GroundChunks:
        """The baked ground of the picture's level."""
        if self._ground is None or picture.ground is not self._ground_of:
            self._ground_of = picture.ground
            self._ground = GroundChunks(
                plan_ground(picture.ground), self._palette, self._chunks_per_frame()
            )
        return self._ground

    def _chunks_per_frame(self) -> int | None:
        bakes = self._quality.bakes_per_frame
        return None if bakes is None else max(1, bakes // 2)
