"""The icons of tools and commands, as data on a grid of 24 (art-and-feel section 14)."""

from __future__ import annotations

import math

from game.render.glyphs import CUT, Dot, Fill, Glyph, Line, points

CREAM, ACCENT = "cream", "accent"
"""Tones of icons; what is cut out shows the button."""


def _ring(tone: str, x: float, y: float, radius: float, width: float) -> Glyph:
    return (Dot(tone, x, y, radius), Dot(CUT, x, y, radius - width))


def _chevron(tone: str, y: float) -> Line:
    return Line(tone, 2.2, ((2.5, y), (12.0, y + 5.2), (21.5, y)))


_RESTART_ARC = "18.5,8.5 15,5.2 11,4.6 6.8,6.6 4.5,11 5,15.4 8.4,19 13,19.8 17,18.2"

ICONS: dict[str, Glyph] = {
    "fire": (
        Fill(ACCENT, points("12,1 17,8 19,14 17,20 12,23 7,20 5,14 8,11 9,14 11,9")),
        Fill(CUT, points("12.5,12 15,16 14.5,20 12,21.5 9.5,20 9,17")),
    ),
    "douse": (
        Fill(CREAM, points("8,8 16,8 17,11 17,22 7,22 7,11")),
        Fill(CREAM, points("10,3 14,3 14,8 10,8")),
        Line(CREAM, 2.2, points("14,4 20,3")),
        Dot(ACCENT, 20.0, 9.0, 1.6),
        Dot(ACCENT, 22.0, 13.0, 1.5),
        Dot(ACCENT, 19.0, 14.0, 1.4),
    ),
    "order": (
        Fill(CREAM, points("3,2 3,19 7.5,15 10.5,22 13.5,20.5 10.5,14 16,13.5")),
        *_ring(ACCENT, 19.0, 6.0, 3.2, 1.8),
    ),
    "impact": (
        Fill(
            CREAM,
            points(
                "12,1 14,8 20,4 17,10 23,12 17,14 20,20 14,16 "
                "12,23 10,16 4,20 7,14 1,12 7,10 4,4 10,8"
            ),
        ),
        Dot(ACCENT, 12.0, 12.0, 3.0),
    ),
    "grab": (
        Fill(
            CREAM,
            points(
                "6,11 6,5 8,4 9,5 9,10 9.6,3 11.4,2 12.6,3 12.6,10 13.2,4 15,3 16.2,4 16.2,11 "
                "17,7 18.6,6.4 19.6,7.4 19,15 17,20 16,22 9,22 8,19 3,13 4.4,11"
            ),
        ),
    ),
    "shove": (
        Dot(CREAM, 7.0, 5.0, 2.4),
        Line(CREAM, 3.4, points("7,9 8,15")),
        Line(CREAM, 2.6, points("8,15 4,22")),
        Line(CREAM, 2.6, points("8,15 12,18 11,22")),
        Line(CREAM, 2.4, points("8,9 15,9")),
        Fill(ACCENT, points("17,5 22,9 17,13")),
    ),
    "walk": (
        Dot(CREAM, 14.0, 4.0, 2.4),
        Line(CREAM, 3.4, points("13,8 11,14")),
        Line(CREAM, 2.6, points("11,14 14,17 14,22")),
        Line(CREAM, 2.6, points("11,14 9,18 5,21")),
        Line(CREAM, 2.2, points("13,8.5 16,12 19,12.5")),
        Line(CREAM, 2.2, points("12.5,8.5 8.5,10 7.5,13.5")),
    ),
    "restart": (
        Line(CREAM, 2.6, points(_RESTART_ARC)),
        Fill(CREAM, points("21.4,3.4 21.4,11 14.4,9.4")),
    ),
    "slower": (
        Fill(CREAM, points("11.5,4.5 11.5,19.5 2,12")),
        Fill(CREAM, points("22,4.5 22,19.5 12.5,12")),
    ),
    "faster": (
        Fill(CREAM, points("2,4.5 2,19.5 11.5,12")),
        Fill(CREAM, points("12.5,4.5 12.5,19.5 22,12")),
    ),
    "pause": (
        Fill(CREAM, points("6,4 10,4 10,20 6,20")),
        Fill(CREAM, points("14,4 18,4 18,20 14,20")),
    ),
    "play": (Fill(CREAM, points("7,3 20,12 7,21")),),
    "step": (
        Fill(CREAM, points("4,4 14,12 4,20")),
        Fill(CREAM, points("16,4 19.5,4 19.5,20 16,20")),
    ),
    "inspect": (
        *_ring(CREAM, 10.0, 10.0, 8.0, 2.6),
        Line(CREAM, 3.8, points("15.5,15.5 21.5,21.5")),
        Dot(ACCENT, 10.0, 10.0, 2.4),
    ),
    "overlay": (
        Fill(CREAM, points("12,2 22,7.4 12,12.8 2,7.4")),
        _chevron(CREAM, 12.0),
        _chevron(ACCENT, 16.4),
    ),
    "graph": (
        Line(CREAM, 2.4, points("3,3 3,21 21,21")),
        Fill(CREAM, points("6.5,13 9.5,13 9.5,19 6.5,19")),
        Fill(ACCENT, points("11.5,6 14.5,6 14.5,19 11.5,19")),
        Fill(CREAM, points("16.5,10 19.5,10 19.5,19 16.5,19")),
    ),
    "record": (*_ring(CREAM, 12.0, 12.0, 10.0, 2.4), Dot(ACCENT, 12.0, 12.0, 5.4)),
    "photo": (
        Fill(CREAM, points("2,7 7,7 9,4 15,4 17,7 22,7 22,20 2,20")),
        Dot(CUT, 12.0, 13.2, 4.8),
        Dot(ACCENT, 12.0, 13.2, 2.8),
    ),
    "help": (
        Line(
            CREAM,
            3.2,
            tuple(
                (12.0 + 4.6 * math.cos(turn), 7.8 + 4.6 * math.sin(turn))
                for turn in (math.pi * (1.0 + 0.1 * index) for index in range(15))
            )
            + points("12,13 12,15"),
        ),
        Dot(ACCENT, 12.0, 20.0, 2.2),
    ),
    "menu": (
        Fill(CREAM, points("3,4 21,4 21,7 3,7")),
        Fill(CREAM, points("3,10.5 21,10.5 21,13.5 3,13.5")),
        Fill(CREAM, points("3,17 21,17 21,20 3,20")),
    ),
    "go_on": (Fill(CREAM, points("7,3 20,12 7,21")),),
    "redirect": (
        Line(CREAM, 3.0, points("5,21 5,13 7,10.5 10,9.5 14,9.5")),
        Fill(CREAM, points("13,3.5 21.5,9.5 13,15.5")),
        *_ring(ACCENT, 18.5, 19.0, 3.2, 1.8),
    ),
    "follow": (
        Dot(CREAM, 7.0, 6.0, 2.4),
        Line(CREAM, 3.2, points("7,10 7,18")),
        Dot(ACCENT, 17.0, 4.0, 2.4),
        Line(ACCENT, 3.2, points("17,8 17,16")),
        Line(CREAM, 2.0, points("10,20 14,20")),
    ),
    "face": (
        *_ring(CREAM, 12.0, 12.0, 9.0, 2.2),
        Fill(ACCENT, points("12,12 21,7 21,17")),
        Dot(CREAM, 12.0, 12.0, 2.6),
    ),
    "patrol": (
        Line(CREAM, 2.2, points("4,19 9,6 15,17 20,5")),
        Dot(ACCENT, 4.0, 19.0, 2.6),
        Dot(ACCENT, 9.0, 6.0, 2.6),
        Dot(ACCENT, 15.0, 17.0, 2.6),
        Dot(ACCENT, 20.0, 5.0, 2.6),
    ),
    "stand": (
        *_ring(CREAM, 12.0, 12.0, 9.5, 2.2),
        Line(ACCENT, 2.4, points("12,12 12,6")),
        Line(ACCENT, 2.4, points("12,12 16,14")),
    ),
    "wave": (
        Dot(CREAM, 10.0, 6.0, 2.8),
        Line(CREAM, 3.6, points("10,10 10,17")),
        Line(CREAM, 2.4, points("10,11 5,16")),
        Line(ACCENT, 2.6, points("10,11 16,8 17,2")),
        Line(CREAM, 2.4, points("10,17 7,23")),
        Line(CREAM, 2.4, points("10,17 13,23")),
    ),
    "cancel": (
        Line(CREAM, 3.6, points("5.5,5.5 18.5,18.5")),
        Line(CREAM, 3.6, points("18.5,5.5 5.5,18.5")),
    ),
}
