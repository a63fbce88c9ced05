"""A head: skin, ears, face, hair; hats stand in ``hats``, expressions in ``faces``.

Heads are spheres. Marks and hair lie on them at directions made of the head's own
axes (forward, left, up), so they turn with it (art-and-feel section 5).
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from game.render.colours import Colour, mix, shade
from game.render.figures.brush import Ball, Brush
from game.render.figures.faces import Mood, paint_face
from game.render.figures.hats import paint_hat
from game.render.figures.looks import Body, HairStyle, Look
from game.render.figures.skeleton import Axes, Skeleton
from game.render.figures.vectors import Seen, blend, cross, moved, unit
from game.render.outlines import unit_circle
from game.render.palette import PersonColours

HEAD_RADIUS_CM = 13.0
EAR_RADIUS_CM = 3.0
HAIR_RADIUS_CM = 13.3
AFRO_RADIUS_CM = 16.0

HAIR_LINE: dict[HairStyle, float] = {
    "short": 0.06,
    "long": -0.02,
    "tail": 0.02,
    "bun": 0.02,
    "afro": -0.04,
    "crop": 0.24,
}
"""Hair covers where v . unit(0.62 up - 0.78 forward) is over this; bald has none."""

_CROWN_TILT = (0.62, 0.78)
_CAP_RINGS = (0.0, 0.45, 0.8, 1.0)
_CAP_POINTS = 26


def ink_head(brush: Brush, skeleton: Skeleton, body: Body) -> None:
    """The head's share of the silhouette: skull and ears."""
    size = skeleton.scale * body.head
    brush.ball(brush.ink, skeleton.head, HEAD_RADIUS_CM * size, brush.ink_px)
    for ear in _ears(skeleton, size):
        brush.ball(brush.ink, ear, EAR_RADIUS_CM * size, brush.ink_px)


def paint_head(
    brush: Brush, skeleton: Skeleton, look: Look, body: Body, colours: PersonColours, mood: Mood
) -> None:
    """Neck, hair behind, skull, ears, face, hair, hat."""
    size = skeleton.scale * body.head
    face, head = skeleton.face, skeleton.head
    towards = face.forward[2]
    _neck(brush, skeleton, look)
    loose = _loose_hair(skeleton, look, size)
    if loose and towards > 0.0:
        _paint_loose(brush, loose, shade(look.hair, 0.85), True)
    radius = HEAD_RADIUS_CM * size
    brush.ball(shade(look.skin, 0.82), head, radius)
    brush.ball(look.skin, moved(head, ((-0.14, -0.12, 0.0), radius)), radius * 0.84)
    for ear in _ears(skeleton, size):
        brush.ball(shade(look.skin, 0.62), ear, (EAR_RADIUS_CM + 0.5) * size)
        brush.ball(shade(look.skin, 0.9), ear, EAR_RADIUS_CM * size)
    paint_face(brush, head, face, look, colours, mood, size)
    if look.hair_style != "bald":
        _hair_cap(brush, head, face, look, size)
    if look.hair_style == "bun":
        bun = moved(head, (face.forward, -9.0 * size), (face.up, 11.0 * size))
        brush.ball(brush.ink, bun, 5.5 * size, brush.ink_px * 0.8)
        brush.ball(look.hair, bun, 5.5 * size)
        brush.ball(
            mix(look.hair, (255, 255, 255), 0.14), moved(bun, ((-1.0, -1.2, 0.0), size)), 2.2 * size
        )
    if loose and towards <= 0.0:
        _paint_loose(brush, loose, look.hair, look.hair_style == "tail")
    if look.hat is not None:
        paint_hat(brush, head, face, look.hat, size)


def _ears(skeleton: Skeleton, size: float) -> list[Seen]:
    """The ears that are not behind the head."""
    head, face = skeleton.head, skeleton.face
    sides = (moved(head, (face.left, side * 12.2 * size), (face.up, -size)) for side in (1.0, -1.0))
    return [ear for ear in sides if ear[2] > head[2] - 7.0]


def _neck(brush: Brush, skeleton: Skeleton, look: Look) -> None:
    size = skeleton.scale
    base = skeleton.neck
    brush.shaded_limb(
        look.skin, (base, 5.0 * size), (moved(base, (skeleton.trunk.up, 7.0 * size)), 4.6 * size)
    )


def _loose_hair(skeleton: Skeleton, look: Look, size: float) -> list[Ball]:
    """Hair that hangs behind the head."""
    head, face = skeleton.head, skeleton.face
    if look.hair_style == "long":
        return [
            (moved(head, (face.forward, -4.5 * size)), 12.0 * size),
            (moved(head, (face.forward, -7.0 * size), (face.up, -10.0 * size)), 9.6 * size),
        ]
    if look.hair_style == "tail":
        return [
            (moved(head, (face.forward, -11.0 * size), (face.up, 4.0 * size)), 6.0 * size),
            (moved(head, (face.forward, -17.0 * size), (face.up, -10.0 * size)), 3.5 * size),
        ]
    return []


def _paint_loose(brush: Brush, balls: list[Ball], colour: Colour, inked: bool) -> None:
    if inked:
        brush.limb(brush.ink, balls[0], balls[1], brush.ink_px * 0.8)
    brush.limb(colour, balls[0], balls[1])


@cache
def _cap_directions(style: HairStyle) -> NDArray[np.float64]:
    """Directions over the hair, shape (n, 3), along crown, left and behind the crown."""
    reach = math.acos(HAIR_LINE[style])
    return np.array(
        [
            (math.cos(reach * share), math.sin(reach * share) * cos, math.sin(reach * share) * sin)
            for share in _CAP_RINGS
            for cos, sin in unit_circle(_CAP_POINTS)
        ]
    )


def _hair_cap(brush: Brush, head: Seen, face: Axes, look: Look, size: float) -> None:
    """The part of a sphere about the crown, as the hull of its points that are seen."""
    up, ahead, left = face.up, face.forward, face.left
    tilt_up, tilt_back = _CROWN_TILT
    crown = unit(blend((up, tilt_up), (ahead, -tilt_back)))
    directions = _cap_directions(look.hair_style) @ np.array((crown, left, cross(crown, left)))
    seen = directions[directions[:, 2] > -0.02]
    if len(seen) < 7:
        return
    radius = (AFRO_RADIUS_CM if look.hair_style == "afro" else HAIR_RADIUS_CM) * size
    brush.hull_of(look.hair, seen * radius + head)
    # The light dot lies up and to the left, if there is hair.
    light = unit((up[0] * 0.9 - 0.45, up[1] * 0.9 - 0.25, up[2] * 0.9 + 0.1))
    if sum(a * b for a, b in zip(light, crown, strict=True)) > HAIR_LINE[look.hair_style] + 0.1:
        dot = moved(head, (light, 10.0 * size))
        brush.ball(mix(look.hair, (255, 255, 255), 0.16), dot, 3.6 * size)
