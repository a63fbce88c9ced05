"""Panels: what they say, that they keep out of each other's way, that they can be hidden."""

from __future__ import annotations

import pygame
import pytest

from game.render.palette import load_palette
from game.ui.hud import Hint, Hud, Status
from game.ui.session import Mark, Objective
from game.ui.slide import Slide
from game.ui.theme import Theme, line_of_text, panel, wrapped

GROUND = (188, 178, 170)
HINT = Hint("Order", "click a person, then right click where to go")
STATUS = Status("Pickup", "day", 7, 12, 63.2, 1.0, 60, False, hint=HINT)


@pytest.fixture
def hud() -> Hud:
    return Hud(Theme(load_palette().interface))


def shown(
    hud: Hud, status: Status, size: tuple[int, int] = (1280, 720), out: float = 0.0
) -> pygame.Surface:
    surface = pygame.Surface(size)
    surface.fill(GROUND)
    hud.draw(surface, status, size[1] - 66, out)
    return surface


def covered(surface: pygame.Surface, box: pygame.Rect) -> float:
    """Share of a part of the picture that is not plain ground any more."""
    part = surface.subsurface(box)
    mask = pygame.mask.from_threshold(part, GROUND, (2, 2, 2))
    return 1.0 - mask.count() / (box.width * box.height)


def test_title_status_and_hint_lie_in_their_corners(hud: Hud) -> None:
    surface = shown(hud, STATUS)
    assert covered(surface, pygame.Rect(14, 14, 80, 30)) > 0.9
    assert covered(surface, pygame.Rect(1100, 14, 150, 26)) > 0.9
    assert covered(surface, pygame.Rect(500, 630, 280, 14)) > 0.9


def test_the_street_is_most_of_the_picture(hud: Hud) -> None:
    """Art-and-feel section 17, question 16: at least 70 % of it."""
    surface = shown(hud, STATUS._replace(caption="Order: go to the side of the car"))
    assert covered(surface, surface.get_rect()) < 0.15


def test_hidden_only_the_caption_stays(hud: Hud) -> None:
    assert covered(shown(hud, STATUS, out=1.0), pygame.Rect(0, 0, 1280, 720)) == 0.0
    spoken = shown(hud, STATUS._replace(caption="He waits."), out=1.0)
    assert covered(spoken, pygame.Rect(600, 620, 80, 26)) > 0.9


def test_panels_slide_out_towards_their_edges(hud: Hud) -> None:
    """Art-and-feel 13: panels slide within 120 ms."""
    half = shown(hud, STATUS, out=0.5)
    assert 0.0 < covered(half, pygame.Rect(12, 0, 90, 40)) < 0.9
    slide = Slide()
    slide.toggle()
    assert 0.0 < slide.advance(0.06) < 1.0
    assert slide.advance(0.06) == 1.0


def test_objectives_stand_under_the_title_with_their_marks(hud: Hud) -> None:
    """Product 6: levels show their expectations as objectives with ticks."""
    open_ = STATUS._replace(objectives=(Objective("The courier reaches the car", Mark.OPEN),))
    reached = STATUS._replace(objectives=(Objective("The courier reaches the car", Mark.REACHED),))
    assert covered(shown(hud, open_), pygame.Rect(14, 14, 264, 36)) > 0.9
    good = load_palette().interface.good
    box = pygame.Rect(12, 12, 60, 60)

    def ticks(status: Status) -> int:
        part = shown(hud, status).subsurface(box)
        return pygame.mask.from_threshold(part, good, (24, 24, 24)).count()

    assert ticks(open_) == 0
    assert ticks(reached) > 40


def test_a_notice_stands_where_the_hint_was(hud: Hud) -> None:
    accent = load_palette().interface.accent
    told = shown(hud, STATUS._replace(notice="Saved a picture"))
    part = told.subsurface(pygame.Rect(500, 620, 280, 34))
    assert pygame.mask.from_threshold(part, accent, (30, 30, 30)).count() > 40


@pytest.mark.parametrize("size", [(1280, 720), (1000, 600), (640, 360)])
def test_at_200_percent_nothing_overlaps(size: tuple[int, int]) -> None:
    """Product 7: legible at 1280 x 720 and at 200 % text size."""
    big = Hud(Theme(load_palette().interface, 2.0))
    surface = shown(big, STATUS, size)
    small = shown(Hud(Theme(load_palette().interface)), STATUS, size)
    assert covered(surface, surface.get_rect()) > covered(small, small.get_rect())
    assert covered(surface, pygame.Rect(0, 0, 10, size[1])) == 0.0
    assert covered(surface, pygame.Rect(size[0] - 10, 0, 10, size[1])) == 0.0


def test_in_a_narrow_window_the_title_box_holds_the_status_below_it(hud: Hud) -> None:
    """What is laid out under the title, as the legend of F2, keeps off both."""
    surface = shown(hud, STATUS, size=(320, 400))
    below = pygame.Rect(0, hud.title_box.bottom + 1, 320, 60)
    assert hud.title_box.height > 60
    assert covered(surface, below) == 0.0


def test_a_pause_is_seen_at_once(hud: Hud) -> None:
    """A thin frame in the accent about the whole picture."""
    accent = load_palette().interface.accent
    assert shown(hud, STATUS._replace(is_paused=True)).get_at((0, 300))[:3] == accent
    assert shown(hud, STATUS).get_at((0, 300))[:3] == GROUND


def test_panels_are_painted_when_what_they_say_changes(
    hud: Hud, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[str] = []

    def counting(text: str, *details: object, **more: object) -> pygame.Surface:
        painted.append(text)
        return line_of_text(text, *details, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("game.ui.hud.line_of_text", counting)
    shown(hud, STATUS)
    first = len(painted)
    shown(hud, STATUS._replace(time_s=63.21))
    assert len(painted) == first
    shown(hud, STATUS._replace(time_s=63.3))
    assert painted[first:] == ["12 peds", "1:03.3", "1×", "60 fps"]


@pytest.mark.parametrize("size", [(1280, 720), (640, 360), (320, 200)])
def test_a_long_caption_is_wrapped_within_the_window(hud: Hud, size: tuple[int, int]) -> None:
    caption = "The courier is sent to the side of a car and a barricade stands in the way. " * 2
    surface = shown(hud, STATUS._replace(caption=caption), size)
    assert covered(surface, pygame.Rect(0, 80, 6, size[1] - 90)) == 0.0
    assert covered(surface, pygame.Rect(size[0] - 6, 80, 6, size[1] - 90)) == 0.0


def test_words_are_wrapped_and_a_long_one_stands_alone() -> None:
    lines = wrapped("one two Donaudampfschifffahrtsgesellschaft three", 13, 60)
    assert "Donaudampfschifffahrtsgesellschaft" in lines
    assert " ".join(lines).split() == [
        "one",
        "two",
        "Donaudampfschifffahrtsgesellschaft",
        "three",
    ]


def test_a_panel_has_round_corners() -> None:
    card = panel((60, 40), (30, 27, 38))
    assert card.get_at((0, 0))[3] < 40
    assert card.get_at((30, 20))[3] > 200
