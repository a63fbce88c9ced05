"""A whole person: parts sorted by depth, one silhouette in ink, then shaded parts with clothes.

The recipe is art-and-feel sections 4 and 5. Two passes keep the outline single: all
parts in ink first, then all parts shaded, back to front.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import NamedTuple

from game.render.colours import Colour, shade
from game.render.figures.brush import FAR_SIDE_SHADE, Ball, Brush
from game.render.figures.faces import Mood
from game.render.figures.head import ink_head, paint_head
from game.render.figures.looks import Body, Look
from game.render.figures.skeleton import Limbs, Skeleton
from game.render.figures.vectors import along, minus, moved, unit
from game.render.palette import PersonColours

FRONT_SEEN_MIN = 0.12
"""The front of the trunk is dressed when it looks at the camera more than this."""

FAR_SIDE_MIN_CM = 4.0
"""Shoulders must differ this much in depth before one side counts as the far one."""


class Part(Enum):
    """A separately sorted part of a figure."""

    FOOT = auto()
    SHIN = auto()
    THIGH = auto()
    UPPER_ARM = auto()
    FOREARM = auto()
    TORSO = auto()
    SKIRT = auto()
    RUCKSACK = auto()
    HEAD = auto()


class _Placed(NamedTuple):
    depth: float
    part: Part
    side: Limbs | None
    dim: float


class FigurePainter:
    """One figure in one pose on one surface; made for a single ``paint``."""

    def __init__(
        self,
        brush: Brush,
        skeleton: Skeleton,
        look: Look,
        body: Body,
        colours: PersonColours,
        mood: Mood = Mood.CALM,
    ) -> None:
        self.brush = brush
        self.skeleton = skeleton
        self.look = look
        self.body = body
        self.colours = colours
        self.mood = mood
        self._size = skeleton.scale
        self._limb = skeleton.scale * body.limbs
        self._girth = body.torso

    def paint(self) -> None:
        """Ink pass, then shaded pass, both back to front."""
        parts = self._parts()
        for placed in parts:
            if placed.part is not Part.HEAD:
                self._ink(placed)
        ink_head(self.brush, self.skeleton, self.body)
        for placed in parts:
            self._shade(placed)

    # -- order -----------------------------------------------------------------

    def _parts(self) -> list[_Placed]:
        skeleton = self.skeleton
        lead = skeleton.left.shoulder[2] - skeleton.right.shoulder[2]
        parts: list[_Placed] = []
        for limbs, other_lead in ((skeleton.left, lead), (skeleton.right, -lead)):
            dim = FAR_SIDE_SHADE if other_lead < -FAR_SIDE_MIN_CM else 1.0
            for part, depth in (
                (Part.FOOT, min(limbs.ankle[2], limbs.toe[2]) - 4.0),
                (Part.SHIN, (limbs.knee[2] + limbs.ankle[2]) * 0.5),
                (Part.THIGH, (limbs.knee[2] + limbs.hip[2]) * 0.5),
                (Part.UPPER_ARM, (limbs.shoulder[2] + limbs.elbow[2]) * 0.5 + 1.5),
                (Part.FOREARM, (limbs.elbow[2] + limbs.wrist[2]) * 0.5 + 3.0),
            ):
                parts.append(_Placed(depth, part, limbs, dim))
        trunk_depth = (skeleton.neck[2] + skeleton.pelvis[2]) * 0.5
        parts.append(_Placed(trunk_depth, Part.TORSO, None, 1.0))
        parts.append(_Placed(skeleton.head[2] + 6.0, Part.HEAD, None, 1.0))
        if self.look.skirt:
            parts.append(_Placed(skeleton.pelvis[2] + 1.0, Part.SKIRT, None, 1.0))
        if self.look.rucksack is not None:
            parts.append(_Placed(self._rucksack()[0][0][2], Part.RUCKSACK, None, 1.0))
        parts.sort(key=lambda placed: placed.depth)
        return parts

    # -- shapes ----------------------------------------------------------------

    def _limb_balls(self, part: Part, limbs: Limbs) -> tuple[Ball, Ball]:
        size, limb = self._size, self._limb
        match part:
            case Part.FOOT:
                return (limbs.heel, 4.6 * size), (limbs.toe, 4.2 * size)
            case Part.SHIN:
                return (limbs.knee, 6.2 * limb), (limbs.ankle, 4.6 * limb)
            case Part.THIGH:
                return (limbs.hip, 8.6 * limb * self._girth**0.6), (limbs.knee, 6.4 * limb)
            case Part.UPPER_ARM:
                return (limbs.shoulder, 6.0 * limb), (limbs.elbow, 4.9 * limb)
            case _:
                return (limbs.elbow, 4.9 * limb), (limbs.wrist, 3.9 * limb)

    def _torso(self) -> list[Ball]:
        skeleton, size, girth = self.skeleton, self._size, self._girth
        trunk = skeleton.trunk
        belly = moved(
            along(skeleton.pelvis, skeleton.neck, 0.42),
            (trunk.forward, 4.0 * (girth - 0.85) * size),
        )
        return [
            (skeleton.left.shoulder, 6.8 * size),
            (skeleton.right.shoulder, 6.8 * size),
            (moved(skeleton.neck, (trunk.up, -2.0 * size)), 7.0 * size),
            (moved(skeleton.left.hip, (trunk.up, 5.0 * size)), 9.2 * size * girth),
            (moved(skeleton.right.hip, (trunk.up, 5.0 * size)), 9.2 * size * girth),
            (belly, 13.0 * size * girth),
        ]

    def _skirt(self) -> list[Ball]:
        skeleton, size = self.skeleton, self._size
        balls: list[Ball] = []
        for limbs in (skeleton.left, skeleton.right):
            balls.append((limbs.hip, 10.0 * size * self._girth))
            balls.append((along(limbs.hip, limbs.knee, 0.80), 8.5 * size))
        return balls

    def _rucksack(self) -> tuple[Ball, Ball]:
        skeleton, size = self.skeleton, self._size
        trunk = skeleton.trunk
        middle = moved(
            along(skeleton.pelvis, skeleton.neck, 0.62), (trunk.forward, -15.0 * size * self._girth)
        )
        return (
            (moved(middle, (trunk.up, 10.0 * size)), 8.0 * size),
            (moved(middle, (trunk.up, -9.0 * size)), 9.5 * size),
        )

    # -- ink -------------------------------------------------------------------

    def _ink(self, placed: _Placed) -> None:
        brush = self.brush
        if placed.side is not None:
            brush.limb(brush.ink, *self._limb_balls(placed.part, placed.side), brush.ink_px)
            if placed.part is Part.FOREARM:
                brush.ball(brush.ink, placed.side.hand, 4.6 * self._size, brush.ink_px)
        elif placed.part is Part.TORSO:
            brush.hull(brush.ink, self._torso(), brush.ink_px)
        elif placed.part is Part.SKIRT:
            brush.hull(brush.ink, self._skirt(), brush.ink_px)
        elif placed.part is Part.RUCKSACK:
            brush.limb(brush.ink, *self._rucksack(), brush.ink_px)

    # -- shade -----------------------------------------------------------------

    def _shade(self, placed: _Placed) -> None:
        if placed.side is not None:
            self._shade_limb(placed.part, placed.side, placed.dim)
            return
        painters: dict[Part, Callable[[], None]] = {
            Part.TORSO: self._shade_torso,
            Part.SKIRT: lambda: self.brush.shaded_hull(self.look.bottom, self._skirt()),
            Part.RUCKSACK: self._shade_rucksack,
            Part.HEAD: lambda: paint_head(
                self.brush, self.skeleton, self.look, self.body, self.colours, self.mood
            ),
        }
        painters[placed.part]()

    def _limb_colour(self, part: Part) -> Colour:
        look = self.look
        match part:
            case Part.FOOT:
                return look.shoes
            case Part.SHIN:
                return look.skin if look.shorts or look.skirt else look.bottom
            case Part.THIGH:
                return look.skin if look.skirt else look.bottom
            case Part.UPPER_ARM:
                return look.sleeves or look.top
            case _:
                return look.skin if look.short_sleeves else look.sleeves or look.top

    def _shade_limb(self, part: Part, limbs: Limbs, dim: float) -> None:
        brush = self.brush
        colour = shade(self._limb_colour(part), dim)
        brush.shaded_limb(colour, *self._limb_balls(part, limbs))
        if part is not Part.FOREARM:
            return
        hand = 4.4 * self._size
        brush.ball(shade(self.look.skin, 0.52), limbs.hand, hand + 0.7)
        brush.ball(shade(self.look.skin, 0.95 * dim), limbs.hand, hand)
        if limbs is self.skeleton.right and self.look.prop:
            self._prop(limbs)

    def _prop(self, limbs: Limbs) -> None:
        """What the right hand holds."""
        brush, size = self.brush, self._size
        trunk, face = self.skeleton.trunk, self.skeleton.face
        if self.look.prop == "baton":
            along_arm = unit(minus(limbs.hand, limbs.elbow))
            low = moved(limbs.hand, (along_arm, -4.0 * size))
            tip = moved(limbs.hand, (along_arm, 26.0 * size), (trunk.up, 24.0 * size))
            brush.line(brush.ink, low, tip, 7.0 * size)
            brush.line((88, 84, 96), low, tip, 4.0 * size)
            return
        centre = moved(limbs.hand, (face.up, 6.0 * size))
        for colour, half_up, half_left, grown in (
            (brush.ink, 8.0, 4.2, 2.0),
            (self.colours.phone_screen, 6.4, 3.4, 0.0),
        ):
            corners = [
                moved(centre, (face.up, up * half_up * size), (face.left, left * half_left * size))
                for up, left in ((1, 1), (1, -1), (-1, -1), (-1, 1))
            ]
            brush.polygon(colour, corners, grown)

    def _shade_torso(self) -> None:
        brush, look = self.brush, self.look
        brush.shaded_hull(look.top, self._torso())
        front = self.skeleton.trunk.forward[2]
        if front > FRONT_SEEN_MIN:
            self._dress_front()
        if look.sling is not None:
            self._sling(look.sling, front)
        if look.vest:
            self._vest(front)

    def _dress_front(self) -> None:
        """Open coat over a shirt, a stripe, or the bare triangle of a collar."""
        brush, look, size, skeleton = self.brush, self.look, self._size, self.skeleton
        trunk = skeleton.trunk
        collar = moved(skeleton.neck, (trunk.forward, 7.0 * size))
        hem = moved(skeleton.pelvis, (trunk.forward, 9.0 * size), (trunk.up, 6.0 * size))
        if look.coat:
            half = 5.1 * size
            brush.polygon(
                look.shirt or self.colours.shirt,
                [
                    moved(collar, (trunk.left, half)),
                    moved(collar, (trunk.left, -half)),
                    along(collar, hem, 0.55),
                ],
            )
            brush.line(shade(look.top, 0.5), along(collar, hem, 0.6), hem, 1.4 * size)
        elif look.stripe is not None:
            middle = moved(along(collar, hem, 0.5), (trunk.forward, 2.0 * size))
            half = 13.0 * size
            brush.line(
                look.stripe,
                moved(middle, (trunk.left, half)),
                moved(middle, (trunk.left, -half)),
                6.0 * size,
            )
        else:
            half = 4.5 * size
            brush.polygon(
                shade(look.skin, 0.9),
                [
                    moved(collar, (trunk.left, half)),
                    moved(collar, (trunk.left, -half)),
                    moved(collar, (trunk.up, -6.0 * size)),
                ],
            )

    def _sling(self, colour: Colour, front: float) -> None:
        """Strap from the left shoulder to a bag on the right hip."""
        brush, size, skeleton = self.brush, self._size, self.skeleton
        trunk = skeleton.trunk
        side = 1.0 if front > 0.0 else -1.0
        top = moved(
            skeleton.left.shoulder, (trunk.forward, 8.0 * side * size), (trunk.up, 4.0 * size)
        )
        hip = moved(skeleton.right.hip, (trunk.forward, 10.0 * side * size), (trunk.up, 8.0 * size))
        brush.line(brush.ink, top, hip, 5.0 * size)
        brush.line(colour, top, hip, 3.4 * size)
        bag = moved(skeleton.right.hip, (trunk.left, -9.0 * size), (trunk.up, 2.0 * size))
        brush.ball(brush.ink, bag, 9.0 * size, brush.ink_px * 0.8)
        brush.ball(shade(colour, 0.85), bag, 9.0 * size)
        brush.ball(colour, moved(bag, ((-1.0, -1.0, 0.0), 1.4 * size)), 7.0 * size)

    def _vest(self, front: float) -> None:
        """Two pale bands, on the front or on the back."""
        brush, size, skeleton = self.brush, self._size, self.skeleton
        trunk = skeleton.trunk
        middle = moved(
            along(skeleton.pelvis, skeleton.neck, 0.5),
            (trunk.forward, (6.0 if front > 0.0 else -6.0) * size),
        )
        half = 14.0 * size
        for height in (-8.0, 6.0):
            band = moved(middle, (trunk.up, height * size))
            brush.line(
                self.colours.reflector,
                moved(band, (trunk.left, half)),
                moved(band, (trunk.left, -half)),
                3.4 * size,
            )

    def _shade_rucksack(self) -> None:
        bag = self.look.rucksack
        if bag is None:
            return
        balls = self._rucksack()
        self.brush.shaded_limb(bag, *balls)
        if self.skeleton.trunk.forward[2] < 0.0:
            self.brush.ball(shade(bag, 0.7), balls[1][0], balls[1][1] * 0.5)
