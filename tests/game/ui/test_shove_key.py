"""Space in the window: the shove as the player feels it."""

from __future__ import annotations

import pygame
import pytest

from game.ui.commands import Command
from tests.game.ui.hands_on import Player, you
from tests.streets import prop, street, thing

SIZE = (900, 640)


def x_of(player: Player, name: str) -> float:
    return float(player.world.things.state[thing(player.world, name).slot, 0])


def test_space_shoves_the_crate_in_front_within_two_steps() -> None:
    """LOC-20; art-and-feel 16: shove within 0.1 s."""
    player = Player(
        street(peds=(you(),), props=(prop(20, "crate", 1070.0, 800.0, 20.0, 40.0),)), SIZE
    )
    player.key(pygame.K_SPACE)
    player.steps(2)
    assert x_of(player, "crate20") > 1072.0
    player.steps(60)
    rested = x_of(player, "crate20")
    player.steps(60)
    assert x_of(player, "crate20") == rested


@pytest.mark.parametrize(
    ("mass_kg", "words"), [(80.0, "Too heavy to shove"), (0.0, "There is nothing to shove")]
)
def test_a_shove_that_moves_nothing_says_why(mass_kg: float, words: str) -> None:
    props = (prop(20, "crate", 1070.0, 800.0, 20.0, mass_kg),) if mass_kg else ()
    player = Player(street(peds=(you(),), props=props), SIZE)
    player.command(Command.SHOVE)
    player.steps(1)
    assert player.notice.startswith(words)


def test_without_a_player_it_says_that_nobody_is_there_to_shove() -> None:
    player = Player(street(), SIZE)
    player.command(Command.SHOVE)
    assert player.notice.startswith("Nobody here is yours")


def test_a_shove_in_a_pause_waits_for_the_next_step() -> None:
    player = Player(
        street(peds=(you(),), props=(prop(20, "crate", 1070.0, 800.0, 20.0, 40.0),)), SIZE
    )
    player.command(Command.PAUSE)
    player.command(Command.SHOVE)
    player.frame()
    assert x_of(player, "crate20") == 1070.0
    player.command(Command.STEP)
    player.frame()
    player.command(Command.STEP)
    player.frame()
    assert x_of(player, "crate20") > 1070.0
