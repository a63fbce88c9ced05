"""Kept text: wrapped within a width, shortened where it must be, rendered once."""

from __future__ import annotations

import pytest

from game.render.fonts import font
from game.ui.kept_text import ELLIPSIS, KeptText

WHITE = (255, 255, 255)


@pytest.fixture
def texts() -> KeptText:
    return KeptText()


def test_a_line_is_rendered_once(texts: KeptText) -> None:
    line = texts.line("walking", 13, WHITE)
    assert texts.line("walking", 13, WHITE) is line
    assert texts.line("walking", 13, WHITE, bold=True) is not line
    assert texts.line("walking", 26, WHITE) is not line


def test_every_line_fits_and_no_word_is_lost(texts: KeptText) -> None:
    text = "Walking to the side of the red car by the bakery"
    lines = texts.wrapped(text, 13, 120)
    assert " ".join(lines) == text
    assert all(font(13).size(line)[0] <= 120 for line in lines)
    assert len(lines) > 1


def test_a_number_stays_with_its_unit(texts: KeptText) -> None:
    """Whatever the width, "3 m" is never torn apart."""
    for width in range(60, 300, 7):
        lines = texts.wrapped("Held up on the way to the side of car A; 3 m to go.", 13, width)
        assert any("3 m" in line for line in lines)


def test_a_word_that_is_too_long_is_shortened(texts: KeptText) -> None:
    (line,) = texts.wrapped("control_movement_that_never_ends", 13, 90)
    assert line.endswith(ELLIPSIS)
    assert font(13).size(line)[0] <= 90
    assert font(13).size(line[:-1] + "tr" + ELLIPSIS)[0] > 90


def test_what_fits_is_left_alone(texts: KeptText) -> None:
    assert texts.shortened("ann", 13, 90) == "ann"
    assert texts.wrapped("", 13, 90) == ()


def test_the_least_recently_used_is_forgotten(
    texts: KeptText, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("game.ui.kept_text.LINES_KEPT", 2)
    first = texts.line("one", 13, WHITE)
    second = texts.line("two", 13, WHITE)
    assert texts.line("one", 13, WHITE) is first
    texts.line("three", 13, WHITE)
    assert texts.line("one", 13, WHITE) is first
    assert texts.line("two", 13, WHITE) is not second
