"""The live head of a ped: its own figure, posed as it is, seen from the front (art-and-feel 13).

The face is turned to the viewer and follows the ped's heading a little, so that it is
seen whichever way the ped walks. Poses come in the steps of the crowd's sprites, and the
last portraits are kept: a walk is painted once and then looked up.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from typing import NamedTuple

import pygame

from game.render.canvas import View
from game.render.figures.brush import Brush
from game.render.figures.dressing import Dressing
from game.render.figures.faces import Mood
from game.render.figures.figure import FigurePainter
from game.render.figures.looks import Outfits
from game.render.figures.skeleton import FigureRig
from game.render.figures.sprites import binned
from game.render.palette import Palette
from game.render.picture import PedPictures, Pose, PoseSource

SIZE_PX = 72
"""Width of a portrait at 100 % text size, for which the zoom holds."""

ZOOM_PX_PER_CM = 1.9
PITCH_DEG = 35.0
PORTRAITS_KEPT = 48
GLANCES = 4
FRAME_PX = 2
SUPERSAMPLING = 2
TO_THE_VIEWER_RAD = math.pi / 2.0
GLANCE_RAD = 0.55
"""How far the face turns with a ped that walks across the picture."""

HEAD_BELOW_MIDDLE = 0.06
"""Where the middle of the head stands, as a share of the portrait's height under its middle."""


class _Sitting(NamedTuple):
    """All that a portrait depends on."""

    ped_id: int
    pose: Pose
    glance: int
    mood: Mood
    size: int


class PortraitPainter:
    """Paints heads of one level's peds in the looks that the street gives them."""

    def __init__(self, palette: Palette, outfits: Outfits, source: PoseSource) -> None:
        self._palette = palette
        self._outfits = outfits
        self._source = source
        self._rig = FigureRig(source.joints)
        self._dressing = Dressing(outfits)
        self._kept: OrderedDict[_Sitting, pygame.Surface] = OrderedDict()

    def meet(self, peds: PedPictures) -> None:
        """Dress everybody who is new, in the order in which the street does."""
        self._dressing.meet(peds.ids.tolist(), peds.looks)

    def portrait(self, peds: PedPictures, row: int, size: int) -> pygame.Surface:
        """A framed square of the ped in a row, ``size`` px wide; shared, not to be drawn on."""
        sitting = _Sitting(
            ped_id=int(peds.ids[row]),
            pose=binned(peds.poses[row]),
            glance=round(math.cos(float(peds.now[row, 3])) * GLANCES),
            mood=peds.moods[row],
            size=size,
        )
        painted = self._kept.get(sitting)
        if painted is None:
            painted = self._kept[sitting] = self._paint(sitting)
            if len(self._kept) > PORTRAITS_KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(sitting)
        return painted

    def _paint(self, sitting: _Sitting) -> pygame.Surface:
        look = self._dressing.look(sitting.ped_id)
        body = self._outfits.body(look)
        joints = self._source.poses([sitting.pose])[0]
        view = View(ZOOM_PX_PER_CM * sitting.size / SIZE_PX, PITCH_DEG)
        yaw = TO_THE_VIEWER_RAD - GLANCE_RAD * sitting.glance / GLANCES
        skeleton = self._rig.seen(self._rig.shaped(joints, body), body, yaw, view)
        side = sitting.size * SUPERSAMPLING
        large = pygame.Surface((side, side))
        large.fill(self._palette.interface.inset)
        zoom = view.zoom * SUPERSAMPLING
        middle = side * (0.5 + HEAD_BELOW_MIDDLE)
        origin = (side * 0.5 - skeleton.head[0] * zoom, middle - skeleton.head[1] * zoom)
        brush = Brush(large, origin, zoom, SUPERSAMPLING, self._palette.ink.line)
        FigurePainter(brush, skeleton, look, body, self._palette.person, sitting.mood).paint()
        small = pygame.transform.smoothscale(large, (sitting.size, sitting.size))
        colour = self._palette.interface.accent
        pygame.draw.rect(small, colour, small.get_rect(), FRAME_PX)
        return small
