"""Figures ready to be put into the picture: cached ones for the crowd, fresh ones for the near.

The crowd is baked by look, clip, phase, heading and mood (art-and-feel section 3):
twelve phases a cycle, sixteen headings. A baked figure holds its shadow too. At
most ``bakes_per_frame`` are baked a frame; until then what is there of the same clip stands
in: another phase, or the neighbouring heading. A figure for which nothing is there is baked
at once: to paint it fresh would cost as much, and again in the next frame.
"""

from __future__ import annotations

import math
from collections.abc import Hashable

import numpy as np
import pygame
from numpy.typing import NDArray

from ai.motion.movement_table import ClipPhase
from game.render import shadow_layer
from game.render.canvas import View
from game.render.figures.brush import Brush
from game.render.figures.faces import Mood
from game.render.figures.figure import FigurePainter
from game.render.figures.looks import Body, Look, Outfits
from game.render.figures.shadow import PLANTED_BELOW_CM, paint_foot_blob, paint_shadow
from game.render.figures.skeleton import FigureRig
from game.render.frame import Tones
from game.render.palette import Palette
from game.render.picture import Pose, PoseSource
from game.render.sprites import BakeBudget, Baked, Box, Sprite, SpriteCache, bake

PHASES = 12
HEADINGS = 16
CLIP_BINS_PER_S = 12
IDLE_BINS_PER_S = 4
REACH_BINS = 10
BAKED_SUPERSAMPLING = 3
FRESH_SUPERSAMPLING = 2
SHADOW_SUPERSAMPLING = 3

_HEAD_MARGIN_CM = 26.0
_SHADOW_MARGIN_CM = 18.0


def binned(pose: Pose) -> Pose:
    """The pose that stands for this one in the cache."""
    if pose.phase == ClipPhase.LOOP:
        time = round(pose.time * PHASES) % PHASES / PHASES
    elif pose.phase == ClipPhase.IDLE:
        time = round(pose.time * IDLE_BINS_PER_S) / IDLE_BINS_PER_S
    else:
        time = round(pose.time * CLIP_BINS_PER_S) / CLIP_BINS_PER_S
    return pose._replace(time=time, reach=round(pose.reach * REACH_BINS) / REACH_BINS, clip_seq=0)


def heading_bin(yaw_rad: float) -> int:
    """Which of the sixteen headings is nearest."""
    return round(yaw_rad / (2.0 * math.pi) * HEADINGS) % HEADINGS


class FigureSprites:
    """Bakes and keeps figures; one for the life of a renderer."""

    def __init__(
        self,
        palette: Palette,
        outfits: Outfits,
        source: PoseSource,
        bakes_per_frame: int | None = 2,
    ) -> None:
        self._palette = palette
        self._outfits = outfits
        self._source = source
        self._rig = FigureRig(source.joints)
        self._budget = BakeBudget(bakes_per_frame)
        self._kept = SpriteCache()
        self._nearest: dict[Hashable, Hashable] = {}

    def begin_frame(self) -> None:
        """Give the frame its share of bakes."""
        self._budget.begin_frame()

    def may_paint(self) -> bool:
        """Take one figure of the frame's share for painting it fresh; False if none is left."""
        return self._budget.spend()

    def cached(
        self, pose: Pose, yaw_rad: float, look: Look, mood: Mood, view: View, tones: Tones
    ) -> Baked:
        """The crowd's picture of a figure.

        It may be of another phase, of the neighbouring heading or for another view, until
        its own can be baked.
        """
        stands_for, heading = binned(pose), heading_bin(yaw_rad)
        clip: Hashable = (id(look), pose.profile, pose.phase, mood, tones)
        group: Hashable = (clip, heading)
        key: Hashable = (group, stands_for, view)
        figure = self._kept.get(key)
        if figure is None:
            stand_in = self._stand_in(clip, heading)
            if not self._budget.spend() and stand_in is not None:
                return stand_in
            joints = self._source.poses([stands_for])[0]
            yaw = heading * 2.0 * math.pi / HEADINGS
            figure = self._painted(joints, yaw, look, mood, view, tones, is_kept=True)
            self._kept.put(key, figure)
        self._nearest[group] = key
        return figure

    def _stand_in(self, clip: Hashable, heading: int) -> Baked | None:
        """What was last shown of this clip in this heading, else in one beside it."""
        for near in (heading, (heading + 1) % HEADINGS, (heading - 1) % HEADINGS):
            figure = self._kept.get(self._nearest.get((clip, near)))
            if figure is not None:
                return figure
        return None

    def fresh(
        self,
        joints: NDArray[np.float64],
        yaw_rad: float,
        look: Look,
        mood: Mood,
        view: View,
        tones: Tones,
    ) -> Baked:
        """A figure painted now, in exactly this pose and heading; smooth-edged, dearer to draw."""
        return self._painted(joints, yaw_rad, look, mood, view, tones, is_kept=False)

    def _painted(
        self,
        joints: NDArray[np.float64],
        yaw_rad: float,
        look: Look,
        mood: Mood,
        view: View,
        tones: Tones,
        *,
        is_kept: bool,
    ) -> Baked:
        body = self._outfits.body(look)
        shaped = self._rig.shaped(joints, body)
        return Baked(
            self._paint_body(shaped, yaw_rad, look, body, mood, view, is_kept),
            self._paint_shadow(shaped, yaw_rad, view, tones, is_kept),
        )

    def _paint_body(
        self,
        shaped: NDArray[np.float64],
        yaw_rad: float,
        look: Look,
        body: Body,
        mood: Mood,
        view: View,
        is_kept: bool,
    ) -> Sprite:
        supersampling = BAKED_SUPERSAMPLING if is_kept else FRESH_SUPERSAMPLING
        skeleton = self._rig.seen(shaped, body, yaw_rad, view)
        points = [skeleton.pelvis, skeleton.neck, skeleton.head, *skeleton.left, *skeleton.right]
        xs, ys = [point[0] for point in points], [point[1] for point in points]
        margin = _HEAD_MARGIN_CM * skeleton.scale * max(1.0, body.torso)
        zoom = view.zoom
        box = Box.around(
            min(xs) * zoom, min(ys) * zoom, max(xs) * zoom, max(ys) * zoom, margin * zoom + 2.0
        )
        ink = self._palette.ink.line

        def paint(surface: pygame.Surface, anchor: tuple[float, float]) -> None:
            brush = Brush(surface, anchor, zoom * supersampling, supersampling, ink)
            FigurePainter(brush, skeleton, look, body, self._palette.person, mood).paint()

        return bake(box, supersampling, ink, view, paint, translucent=not is_kept)

    def _paint_shadow(
        self,
        shaped: NDArray[np.float64],
        yaw_rad: float,
        view: View,
        tones: Tones,
        is_kept: bool,
    ) -> Sprite:
        scale = view.zoom * shadow_layer.SCALE
        points = self._rig.shadow(shaped, yaw_rad, view)
        feet = self._rig.feet(shaped, yaw_rad, view)
        xs, ys = [x for x, _ in points], [y for _, y in points]
        box = Box.around(
            min(xs) * scale,
            min(ys) * scale,
            max(xs) * scale,
            max(ys) * scale,
            _SHADOW_MARGIN_CM * scale + 1.0,
        )
        fine = scale * SHADOW_SUPERSAMPLING

        def paint(surface: pygame.Surface, anchor: tuple[float, float]) -> None:
            if tones.sun is not None:
                paint_shadow(surface, anchor, fine, points, tones.sun)
            for centre, height_cm in feet:
                if height_cm < PLANTED_BELOW_CM:
                    place = (anchor[0] + centre[0] * fine, anchor[1] + centre[1] * fine)
                    paint_foot_blob(surface, place, fine, view.sin_pitch, tones.contact)

        edge = tones.sun or tones.contact
        return bake(box, SHADOW_SUPERSAMPLING, edge, view, paint, translucent=not is_kept)
