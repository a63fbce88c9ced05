"""F1: every key is written where it acts."""

from __future__ import annotations

import pygame
import pytest

from game.ui.commands import COMMANDS, Command
from game.ui.help_screen import CARDS, HelpScreen
from game.ui.street_window import StreetWindow
from tests.game.ui.hands_on import Player, you
from tests.streets import street


@pytest.fixture
def player() -> Player:
    player = Player(street(peds=(you(),)))
    player.command(Command.HELP)
    assert isinstance(player.screen, HelpScreen)
    return player


def test_every_command_is_told_on_its_button_or_in_a_card() -> None:
    """Product 6: F1 shows them all."""
    written = " ".join(f"{key} {does}" for _, rows in CARDS for key, does in rows)
    for info in COMMANDS:
        assert info.icon or info.key_name in written, info.name


def test_it_dims_the_scene_and_time_stands_still(player: Player) -> None:
    before = player.run.steps
    player.frame(0.1)
    assert player.run.steps == before
    surface = player.context.display.surface
    dimmed = surface.get_at((10, 400))
    player.key(pygame.K_F1)
    player.frame(0.0)
    assert sum(dimmed[:3]) < sum(surface.get_at((10, 400))[:3])


@pytest.mark.parametrize("kind", ["key", "click", "pad"])
def test_anything_goes_back(player: Player, kind: str) -> None:
    if kind == "key":
        player.key(pygame.K_x)
    elif kind == "click":
        player.click((400, 300))
    else:
        player.pad(pygame.CONTROLLERBUTTONDOWN, button=pygame.CONTROLLER_BUTTON_B)
    assert isinstance(player.screen, StreetWindow)


def test_a_key_that_was_held_is_let_go_of_while_one_reads(player: Player) -> None:
    """F8's kind: the release is heard through the help."""
    player.key(pygame.K_x)
    player.press(pygame.K_d)
    player.command(Command.HELP)
    player.release(pygame.K_d)
    player.key(pygame.K_x)
    assert player.context.heading_rad is None
