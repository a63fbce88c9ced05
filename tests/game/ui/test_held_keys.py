"""Held keys: what they ask for, and that none sticks."""

from __future__ import annotations

import math

import pygame
import pytest

from game.ui.held_keys import Held, HeldKeys


@pytest.mark.parametrize(
    ("keys", "heading_deg"),
    [
        ((pygame.K_d,), 0.0),
        ((pygame.K_s,), 90.0),
        ((pygame.K_LEFT,), 180.0),
        ((pygame.K_UP,), -90.0),
        ((pygame.K_w, pygame.K_d), -45.0),
    ],
)
def test_directions_are_those_of_the_picture(keys: tuple[int, ...], heading_deg: float) -> None:
    held = HeldKeys()
    for key in keys:
        held.press(key)
    assert held.heading_rad == pytest.approx(math.radians(heading_deg))


def test_opposite_keys_cancel_out() -> None:
    held = HeldKeys()
    held.press(pygame.K_a)
    held.press(pygame.K_d)
    assert held.heading_rad is None


def test_a_direction_that_two_keys_hold_goes_when_both_are_up() -> None:
    held = HeldKeys()
    held.press(pygame.K_w)
    held.press(pygame.K_UP)
    held.release(pygame.K_w)
    assert held.direction == (0, -1)
    held.release(pygame.K_UP)
    assert held.direction == (0, 0)


def test_losing_the_focus_releases_everything() -> None:
    """F8: W held, focus lost, W released elsewhere, focus back: nothing sticks."""
    held = HeldKeys()
    held.press(pygame.K_w)
    held.press(pygame.K_LSHIFT)
    held.release_all()
    assert held.heading_rad is None
    assert not held.asks(Held.RUN)
    held.release(pygame.K_w)
    assert held.direction == (0, 0)


def test_other_keys_ask_for_nothing() -> None:
    held = HeldKeys()
    held.press(pygame.K_p)
    held.release(pygame.K_F12)
    assert held.direction == (0, 0)
