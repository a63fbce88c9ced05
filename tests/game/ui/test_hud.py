"""Panels: what they say, that they keep out of each other's way, that they can be hidden."""

from __future__ import annotations

import pygame
import pytest

from game.render.palette import load_palette
from game.ui.hud import Hud, Status
from game.ui.theme import line_of_text, panel, wrapped

GROUND = (188, 178, 170)
STATUS = Status("Pickup", "day", 7, 12, 63.2, 1.0, 60, False)


@pytest.fixture
def hud() -> Hud:
    return Hud(load_palette().interface)


def shown(hud: Hud, status: Status, size: tuple[int, int] = (1280, 720)) -> pygame.Surface:
    surface = pygame.Surface(size)
    surface.fill(GROUND)
    hud.draw(surface, status)
    return surface


def covered(surface: pygame.Surface, box: pygame.Rect) -> float:
    """Share of a part of the picture that is not plain ground any more."""
    part = surface.subsurface(box)
    mask = pygame.mask.from_threshold(part, GROUND, (2, 2, 2))
    return 1.0 - mask.count() / (box.width * box.height)


def test_title_status_and_hints_lie_in_their_corners(hud: Hud) -> None:
    surface = shown(hud, STATUS)
    assert covered(surface, pygame.Rect(14, 14, 80, 30)) > 0.9
    assert covered(surface, pygame.Rect(1100, 14, 150, 26)) > 0.9
    assert covered(surface, pygame.Rect(500, 688, 280, 16)) > 0.9


def test_the_street_is_most_of_the_picture(hud: Hud) -> None:
    """Art-and-feel section 17, question 16: at least 70 % of it."""
    surface = shown(hud, STATUS._replace(caption="Order: go to the side of the car"))
    assert covered(surface, surface.get_rect()) < 0.15


def test_hidden_only_the_caption_stays(hud: Hud) -> None:
    hud.is_hidden = True
    assert covered(shown(hud, STATUS), pygame.Rect(0, 0, 1280, 720)) == 0.0
    spoken = shown(hud, STATUS._replace(caption="He waits."))
    assert covered(spoken, pygame.Rect(560, 660, 160, 50)) > 0.4


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
    assert painted[first:] == ["12 peds", "1:03.3", "1x", "60 fps"]


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
