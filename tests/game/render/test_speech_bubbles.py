"""Speech bubbles (art-and-feel section 12): at most four, none on another, none cut."""

from __future__ import annotations

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import numpy as np
import pygame

from game.render.dizzy_stars import paint_dizzy_stars
from game.render.figures.faces import Mood
from game.render.palette import load_palette
from game.render.picture import PedPictures, Pose, SpokenPicture
from game.render.projection import Projection
from game.render.speech_bubbles import SpeechBubbles, paint_speech

PROJECTION = Projection(500.0, 500.0, 55.0, 0.6, 640, 480)


def crowd(count: int) -> tuple[PedPictures, np.ndarray]:
    """Peds in a row, close together."""
    places = np.array([(480.0 + 12.0 * n, 500.0, 0.0, 0.0) for n in range(count)])
    poses = [Pose(0, 0, 0.0)] * count
    return (
        PedPictures(
            np.arange(count, dtype=np.int64),
            places,
            places,
            poses,
            poses,
            [""] * count,
            [Mood.CALM] * count,
            np.zeros(count, dtype=np.bool_),
            [None] * count,
        ),
        places,
    )


def painted(count: int, words: str = "Is that smoke?") -> int:
    """How many pixels of paper are in a picture of so many who speak."""
    pygame.font.init()
    colours = load_palette().interface
    peds, places = crowd(count)
    surface = pygame.Surface((640, 480))
    speech = tuple(SpokenPicture(n, words) for n in range(count))
    SpeechBubbles(colours).draw(surface, PROJECTION, peds, places, speech, 1.0)
    return int((pygame.surfarray.array3d(surface) == np.array(colours.paper)).all(axis=2).sum())


def test_bubbles_do_not_cover_each_other_and_a_fifth_is_left_out() -> None:
    """Four show four times as much paper as one, and six no more than four."""
    pygame.font.init()
    one = painted(1)
    assert one > 500
    assert painted(4) == 4 * one
    assert painted(6) == 4 * one


def test_a_bubble_grows_with_its_words_and_points_down() -> None:
    """The tail's tip is the middle of the lower edge."""
    pygame.font.init()
    colours = load_palette().interface
    short, long = paint_speech("No.", colours), paint_speech("Where was I going?", colours)
    assert long.get_width() > short.get_width()
    assert short.get_height() == long.get_height()
    width, height = long.get_size()
    assert long.get_at((width // 2, height - 2)).a == 255
    assert long.get_at((4, height - 2)).a == 0


def test_who_has_left_says_nothing() -> None:
    """A line of a ped that is not in the picture is not drawn."""
    pygame.font.init()
    peds, places = crowd(1)
    surface = pygame.Surface((640, 480))
    line = (SpokenPicture(99, "Manners!"),)
    SpeechBubbles(load_palette().interface).draw(surface, PROJECTION, peds, places, line, 1.0)
    assert not pygame.surfarray.array3d(surface).any()


def test_stars_go_round_once_in_ten_elevenths_of_a_second() -> None:
    """Section 9: 1.1 turns a second; three alike are the same picture after a third of that."""

    def picture(time_s: float) -> np.ndarray:
        surface = pygame.Surface((640, 480))
        head = (500.0, 500.0, 20.0)
        paint_dizzy_stars(surface, PROJECTION, head, time_s, (255, 176, 64), (52, 44, 60))
        return pygame.surfarray.array3d(surface)

    assert (picture(0.0) != picture(0.1)).any()
    assert (picture(0.05) == picture(0.05 + 1.0 / 1.1 / 3.0)).mean() > 0.999
