"""Expressions: marks on the sphere of the head, one set a mood (art-and-feel section 5)."""

from __future__ import annotations

from enum import IntEnum

from game.render.colours import Colour, mix, shade
from game.render.figures.brush import Brush
from game.render.figures.looks import Look
from game.render.figures.skeleton import Axes
from game.render.figures.vectors import Seen, blend, moved, unit
from game.render.palette import PersonColours

MARK_RADIUS_CM = 12.4
SEEN_MIN = 0.10
EYES_ONLY_BELOW_ZOOM = 0.45
NO_FACE_BELOW_ZOOM = 0.30
"""In px/cm of the finished picture."""


class Mood(IntEnum):
    """What a face shows."""

    CALM = 0
    HAPPY = 1
    CURIOUS = 2
    TALKING = 3
    SCARED = 4
    ANGRY = 5
    DIZZY = 6


class _Face:
    """A face being painted: puts marks at (left, up) on the head, if they are seen."""

    def __init__(self, brush: Brush, head: Seen, axes: Axes, size: float) -> None:
        self.brush = brush
        self._head = head
        self._axes = axes
        self.size = size

    def on(self, left: float, up: float) -> tuple[Seen, float]:
        """The place of a mark and how much it looks at the camera."""
        axes = self._axes
        way = unit(blend((axes.forward, 1.0), (axes.left, left), (axes.up, up)))
        return moved(self._head, (way, MARK_RADIUS_CM * self.size)), way[2]

    def mark(self, colour: Colour, left: float, up: float, radius: float) -> None:
        point, seen = self.on(left, up)
        if seen > SEEN_MIN:
            self.brush.ball(colour, point, radius * self.size)

    def bar(
        self, colour: Colour, start: tuple[float, float], end: tuple[float, float], width: float
    ) -> None:
        a, seen_a = self.on(*start)
        b, seen_b = self.on(*end)
        if seen_a > SEEN_MIN and seen_b > SEEN_MIN:
            self.brush.line(colour, a, b, width * self.size)


def paint_face(
    brush: Brush,
    head: Seen,
    axes: Axes,
    look: Look,
    colours: PersonColours,
    mood: Mood,
    size: float,
) -> None:
    """Eyes, cheeks, nose, mouth, beard and glasses; less of it when the figure is small."""
    zoom = brush.finished_zoom
    if zoom < NO_FACE_BELOW_ZOOM or axes.forward[2] < -0.6:
        return
    face = _Face(brush, head, axes, size)
    small = zoom < EYES_ONLY_BELOW_ZOOM
    if not small:
        cheek = mix(look.skin, colours.cheek, 0.45 if mood is Mood.HAPPY else 0.35)
        if mood not in (Mood.SCARED, Mood.DIZZY):
            for side in (1.0, -1.0):
                face.mark(cheek, 0.62 * side, -0.42, 2.0)
        face.mark(shade(look.skin, 0.78), 0.0, -0.30, 1.8)
        if look.beard:
            for left in (-0.5, -0.25, 0.0, 0.25, 0.5):
                face.mark(look.hair, left * 1.1, -0.80 + abs(left) * 0.5, 3.6)
    _eyes(face, colours, mood)
    if small:
        return
    _mouth(face, colours, mood)
    if look.glasses:
        for side in (1.0, -1.0):
            point, seen = face.on(0.42 * side, -0.10)
            if seen > SEEN_MIN:
                brush.hoop(brush.ink, point, 4.2 * size, 1.2)


def _eyes(face: _Face, colours: PersonColours, mood: Mood) -> None:
    ink = face.brush.ink
    if mood is Mood.SCARED:
        for side in (1.0, -1.0):
            face.mark(colours.eye_white, 0.42 * side, -0.02, 3.6)
            face.mark(ink, 0.42 * side, -0.06, 1.6)
        return
    if mood is Mood.DIZZY:
        for side in (1.0, -1.0):
            for tilt in (1.0, -1.0):
                face.bar(
                    ink,
                    (0.45 * side - 0.2, -0.08 - 0.2 * tilt),
                    (0.45 * side + 0.2, -0.08 + 0.2 * tilt),
                    1.3,
                )
        return
    if mood is Mood.CURIOUS:
        face.mark(ink, 0.42, -0.04, 2.5)
        face.mark(ink, -0.42, -0.10, 1.9)
        face.bar(ink, (0.24, 0.26), (0.62, 0.34), 1.8)
        return
    for side in (1.0, -1.0):
        face.mark(ink, 0.42 * side, -0.10, 1.9)
        if mood is Mood.ANGRY:
            face.bar(ink, (0.2 * side, 0.06), (0.7 * side, 0.24), 2.0)


def _mouth(face: _Face, colours: PersonColours, mood: Mood) -> None:
    match mood:
        case Mood.HAPPY:
            for left in (-0.26, -0.13, 0.0, 0.13, 0.26):
                face.mark(colours.mouth, left, -0.56 + abs(left) * 0.35, 1.3)
        case Mood.CURIOUS:
            face.mark(colours.mouth, -0.1, -0.55, 1.7)
        case Mood.TALKING:
            face.mark(colours.mouth, 0.0, -0.58, 2.5)
        case Mood.SCARED:
            face.mark(colours.mouth_open, 0.0, -0.62, 3.4)
        case Mood.DIZZY:
            face.mark(colours.mouth_open, 0.1, -0.6, 2.2)
        case Mood.ANGRY:
            face.bar(colours.mouth_open, (0.25, -0.55), (-0.25, -0.55), 2.0)
        case Mood.CALM:
            pass
