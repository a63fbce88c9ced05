"""The ground in chunks of 512 px, baked when first seen and kept while the view stays.

A chunk is painted at twice its size and smoothed down. While the camera zooms or
tilts, the chunks of the last settled view are stretched, so that a zoom never waits
for baking; once it settles, at most ``bakes_per_frame`` new chunks are made a frame.
"""

from __future__ import annotations

import math
from collections import OrderedDict

import pygame

from game.render.canvas import View
from game.render.colours import shade
from game.render.ground.plan import KERB_FACE_CM, KERB_STONE_CM, KERB_WIDTH_CM, GroundPlan, Patch
from game.render.ground.textures import (
    COARSE_NOISE,
    FINE_NOISE,
    TEXTURES,
    Bounds,
    Ground,
    multiply_noise,
)
from game.render.palette import GroundColours, Palette
from game.render.projection import Projection

CHUNK_PX = 512
SUPERSAMPLING = 2
CHUNKS_KEPT = 60
OUTSIDE_SHADE = 0.62
"""How dark the world is beyond the rim of the level."""


class GroundChunks:
    """Bakes and draws the ground of one level."""

    def __init__(self, plan: GroundPlan, palette: Palette, bakes_per_frame: int | None = 2) -> None:
        self._plan = plan
        self._colours = palette.ground
        self._bakes_per_frame = bakes_per_frame
        self._view: View | None = None
        self._chunks: OrderedDict[tuple[int, int], pygame.Surface] = OrderedDict()
        self._old_view: View | None = None
        self._old_chunks: OrderedDict[tuple[int, int], pygame.Surface] = OrderedDict()
        self.baked = 0
        """How many chunks were baked so far."""

    def draw(self, surface: pygame.Surface, projection: Projection, settled: View) -> None:
        """Fill the whole surface with ground.

        ``settled`` is the view that chunks are baked for; while the projection's own
        zoom or pitch differs from it, they are stretched.
        """
        # There is nothing to stand in for the first picture: it is baked whole.
        bakes = None if self._view is None else self._bakes_per_frame
        if settled != self._view:
            self._old_view, self._old_chunks = self._view, self._chunks
            self._view, self._chunks = settled, OrderedDict()
        missing = self._draw_set(surface, projection, settled, self._chunks, bakes)
        if missing:
            surface.fill(shade(self._colours.no_walk, OUTSIDE_SHADE))
            if self._old_view is not None:
                self._draw_set(surface, projection, self._old_view, self._old_chunks, 0)
            self._draw_set(surface, projection, settled, self._chunks, 0)
        elif self._old_chunks:
            self._old_chunks = OrderedDict()

    def _draw_set(
        self,
        surface: pygame.Surface,
        projection: Projection,
        view: View,
        chunks: OrderedDict[tuple[int, int], pygame.Surface],
        bakes: int | None,
    ) -> int:
        """Draw the chunks in sight, baking at most ``bakes``; return how many are missing."""
        stretch_x = projection.zoom / view.zoom
        stretch_y = stretch_x * projection.sin_pitch / view.sin_pitch
        wide, high = CHUNK_PX * stretch_x, CHUNK_PX * stretch_y
        # Whole pixels: chunks that sit between two would shimmer when the camera moves.
        left = round(projection.centre_x * projection.zoom - projection.width / 2)
        top = round(
            projection.centre_y * projection.sin_pitch * projection.zoom - projection.height / 2
        )
        first_column, last_column = (
            math.floor(left / wide),
            math.floor((left + projection.width - 1) / wide),
        )
        first_row, last_row = (
            math.floor(top / high),
            math.floor((top + projection.height - 1) / high),
        )
        if (last_column - first_column + 1) * (last_row - first_row + 1) > 4 * CHUNKS_KEPT:
            return 1
        missing = 0
        for row in range(first_row, last_row + 1):
            for column in range(first_column, last_column + 1):
                chunk = chunks.get((column, row))
                if chunk is None:
                    if bakes is not None and bakes <= 0:
                        missing += 1
                        continue
                    if bakes is not None:
                        bakes -= 1
                    chunk = self._bake(column, row, view)
                    self.baked += 1
                    chunks[column, row] = chunk
                    if len(chunks) > CHUNKS_KEPT:
                        chunks.popitem(last=False)
                else:
                    chunks.move_to_end((column, row))
                x0, y0 = round(column * wide) - left, round(row * high) - top
                if abs(stretch_x - 1.0) > 1e-9 or abs(stretch_y - 1.0) > 1e-9:
                    x1, y1 = round((column + 1) * wide) - left, round((row + 1) * high) - top
                    chunk = pygame.transform.scale(chunk, (max(1, x1 - x0), max(1, y1 - y0)))
                surface.blit(chunk, (x0, y0))
        return missing

    # -- baking ----------------------------------------------------------------

    def _bake(self, column: int, row: int, view: View) -> pygame.Surface:
        size = CHUNK_PX * SUPERSAMPLING
        scale = view.zoom * SUPERSAMPLING
        big = pygame.Surface((size, size))
        ground = Ground(big, column * size, row * size, scale, view.sin_pitch)
        self._paint_regions(ground)
        self._paint_road_edges(ground, view)
        for quad in self._plan.paint:
            if _may_show(ground, _bounds(quad)):
                ground.polygon(self._colours.paint, quad)
        low, high, cell = COARSE_NOISE
        multiply_noise(ground, low, high, cell)
        chunk = pygame.transform.smoothscale(big, (CHUNK_PX, CHUNK_PX))
        fine = Ground(chunk, column * CHUNK_PX, row * CHUNK_PX, view.zoom, view.sin_pitch)
        low, high, cell = FINE_NOISE
        multiply_noise(fine, low, high, cell)
        self._shade_outside(fine)
        return chunk.convert() if pygame.display.get_surface() else chunk

    def _paint_regions(self, ground: Ground) -> None:
        """Texture of every kind in the window, cut to its region; regions don't overlap."""
        seen = [
            (kind, [patch for patch in patches if _may_show(ground, patch.bounds)])
            for kind, patches in self._plan.regions.items()
        ]
        seen = [(kind, patches) for kind, patches in seen if patches]
        if not seen:
            TEXTURES["no_walk"](ground, self._colours)
            return
        if len(seen) == 1 and self._inside(ground):
            TEXTURES[seen[0][0]](ground, self._colours)
            return
        target = ground.surface
        if not self._inside(ground):
            TEXTURES["no_walk"](ground, self._colours)
            for _, patches in seen:
                for patch in patches:
                    _fill(ground, (0, 0, 0), patch)
        else:
            target.fill((0, 0, 0))
        layer = pygame.Surface(target.get_size())
        mask = pygame.Surface(target.get_size())
        for kind, patches in seen:
            TEXTURES[kind](ground.narrowed(layer, _bounds_of(patches)), self._colours)
            ground.surface = mask
            mask.fill((0, 0, 0))
            for patch in patches:
                _fill(ground, (255, 255, 255), patch)
            layer.blit(mask, (0, 0), special_flags=pygame.BLEND_MULT)
            target.blit(layer, (0, 0), special_flags=pygame.BLEND_MAX)
        ground.surface = target

    def _inside(self, ground: Ground) -> bool:
        plan = self._plan
        return (
            ground.x_min >= 0.0
            and ground.y_min >= 0.0
            and ground.x_max <= plan.width_cm
            and ground.y_max <= plan.height_cm
        )

    def _paint_road_edges(self, ground: Ground, view: View) -> None:
        """Gutters, kerb faces, kerb tops with their joints, and edgings of lawns."""
        colours, plan = self._colours, self._plan
        for patch in plan.gutters:
            if _may_show(ground, patch.bounds):
                _fill(ground, shade(colours.road, 0.80), patch)
        for patch in plan.borders:
            if _may_show(ground, patch.bounds):
                _fill(ground, shade(colours.kerb_face, 0.92), patch)
        for patch in plan.kerb_tops:
            if _may_show(ground, patch.bounds):
                _fill(ground, colours.kerb_top, patch)
        for edge in plan.kerb_edges:
            (ax, ay), (bx, by) = edge.start, edge.end
            if _may_show(ground, _bounds((edge.start, edge.end))):
                self._kerb_edge(ground, view, colours, ax, ay, bx, by)

    def _kerb_edge(
        self,
        ground: Ground,
        view: View,
        colours: GroundColours,
        ax: float,
        ay: float,
        bx: float,
        by: float,
    ) -> None:
        """A kerb's face if its road lies towards the camera, else its shade; its joints."""
        length = math.hypot(bx - ax, by - ay)
        ux, uy = (bx - ax) / length, (by - ay) / length
        # The road is on the right of start to end, with y down: towards (-uy, ux).
        start, end = ground.at(ax, ay), ground.at(bx, by)
        drop = KERB_FACE_CM * view.cos_pitch * ground.scale
        if ux > 0.02:
            pygame.draw.polygon(
                ground.surface,
                shade(colours.kerb_face, 0.80 + 0.20 * ux),
                [start, end, (end[0], end[1] + drop), (start[0], start[1] + drop)],
            )
            foot = ((start[0], start[1] + drop), (end[0], end[1] + drop))
            pygame.draw.line(ground.surface, shade(colours.road, 0.62), *foot, ground.width_px(2.4))
        else:
            pygame.draw.line(
                ground.surface, shade(colours.road, 0.62), start, end, ground.width_px(3.0)
            )
        joint = shade(colours.kerb_top, 0.80)
        at = KERB_STONE_CM
        while at < length - 10.0:
            x, y = ax + ux * at, ay + uy * at
            out = ground.at(x + uy * KERB_WIDTH_CM, y - ux * KERB_WIDTH_CM)
            pygame.draw.line(ground.surface, joint, ground.at(x, y), out, ground.width_px(1.4))
            at += KERB_STONE_CM

    def _shade_outside(self, ground: Ground) -> None:
        """Darken what lies beyond the rim of the level."""
        if self._inside(ground):
            return
        veil = pygame.Surface(ground.surface.get_size())
        tone = round(255 * OUTSIDE_SHADE)
        veil.fill((tone, tone, min(255, round(tone * 1.06))))
        x0, y0 = ground.at(0.0, 0.0)
        x1, y1 = ground.at(self._plan.width_cm, self._plan.height_cm)
        veil.fill(
            (255, 255, 255), pygame.Rect(round(x0), round(y0), round(x1 - x0), round(y1 - y0))
        )
        ground.surface.blit(veil, (0, 0), special_flags=pygame.BLEND_MULT)


def _fill(ground: Ground, colour: tuple[int, int, int], patch: Patch) -> None:
    for triangle in patch.triangles:
        ground.polygon(colour, triangle)


def _bounds(points: tuple[tuple[float, float], ...]) -> Bounds:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return (min(xs), min(ys), max(xs), max(ys))


def _bounds_of(patches: list[Patch]) -> Bounds:
    x_min, y_min, x_max, y_max = zip(*(patch.bounds for patch in patches), strict=True)
    return (min(x_min), min(y_min), max(x_max), max(y_max))


def _may_show(ground: Ground, bounds: Bounds) -> bool:
    margin = KERB_FACE_CM + 4.0
    return (
        bounds[0] - margin < ground.x_max
        and bounds[2] + margin > ground.x_min
        and bounds[1] - margin < ground.y_max
        and bounds[3] + margin > ground.y_min
    )
