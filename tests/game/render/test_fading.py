"""Fades of what hides someone: down to 28 % within a quarter of a second, and back."""

from __future__ import annotations

from game.render.fading import Fades


def test_it_fades_down_to_28_percent_in_a_quarter_of_a_second() -> None:
    """255 x (1 - 0.72 / 2) = 163 half way, 71 in the end."""
    fades = Fades()
    assert fades.advance({3}, 0.125) == {3: 163}
    assert fades.advance({3}, 0.125) == {3: 71}
    assert fades.advance({3}, 10.0) == {3: 71}


def test_it_comes_back_and_is_forgotten() -> None:
    fades = Fades()
    fades.advance({3}, 0.25)
    assert fades.advance(set(), 0.125) == {3: 163}
    assert fades.advance(set(), 0.125) == {}


def test_a_new_set_of_things_is_opaque() -> None:
    fades = Fades()
    fades.advance({0}, 1.0)
    fades.forget()
    assert fades.advance(set(), 0.0) == {}
