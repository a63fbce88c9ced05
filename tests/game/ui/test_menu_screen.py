"""The menu: levels, settings, restart, quit; by mouse, by keys, by gamepad."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from game.ui.menu_screen import MenuScreen
from game.ui.street_window import FRAME_S, StreetWindow
from tests.game.ui.hands_on import Player, you
from tests.streets import street

ROWS = (
    "Resume",
    "Restart level",
    "Full screen: off",
    "−",
    "+",
    "−",
    "+",
    "Less shaking: off",
    "No flashes: off",
    "Sounds in words: off",
    "Street",
    "Other street",
    "Broken street",
    "Quit",
)


@pytest.fixture
def player() -> Player:
    player = Player(street(peds=(you(),)), (900, 640))
    player.steps(3)
    player.key(pygame.K_ESCAPE)
    player.frame()
    return player


def menu(player: Player) -> MenuScreen:
    assert isinstance(player.screen, MenuScreen)
    return player.screen


def click(player: Player, words: str) -> None:
    """Click the button of these words, and let the widgets hear of it."""
    screen = menu(player)
    first = next(box for text, box in screen.buttons if text == words)
    player.click(first.center)


def test_it_offers_to_go_on_restart_settings_levels_and_to_quit(player: Player) -> None:
    """Product 6: resume, levels, settings, quit."""
    assert tuple(text for text, _ in menu(player).buttons) == ROWS


def test_time_stands_still_while_it_is_open(player: Player) -> None:
    before = player.run.steps
    for _ in range(5):
        player.frame(0.1)
    assert player.run.steps == before
    click(player, "Resume")
    player.frame(0.05)
    assert player.run.steps > before


def test_a_level_is_loaded_by_a_click(player: Player) -> None:
    click(player, "Other street")
    assert player.runs.begun == ["other"]
    assert isinstance(player.screen, StreetWindow)
    assert player.street.title == "Other"


def test_a_level_that_is_refused_says_why_and_the_old_run_goes_on(player: Player) -> None:
    old = player.run.world
    click(player, "Broken street")
    assert isinstance(player.screen, StreetWindow)
    assert player.notice == "broken/level.toml: key 'seed' is missing"
    player.steps(1)
    assert old.clock.step == 4


def test_restart_and_quit(player: Player) -> None:
    click(player, "Restart level")
    assert player.runs.begun == ["restart"]
    player.key(pygame.K_ESCAPE)
    click(player, "Quit")
    assert player.screen is None


def test_keys_reach_every_button(player: Player) -> None:
    """Arrows and Enter: the first press means the first row."""
    for key in (pygame.K_DOWN, pygame.K_DOWN, pygame.K_UP):
        player.key(key)
    player.key(pygame.K_DOWN)
    player.key(pygame.K_RETURN)
    assert player.runs.begun == ["restart"]


def test_up_from_the_top_is_the_last_row(player: Player) -> None:
    player.key(pygame.K_UP)
    player.press(pygame.K_RETURN)
    assert player.screen is None


def test_a_gamepad_reaches_every_button(player: Player) -> None:
    for _ in range(12):
        player.pad(pygame.CONTROLLERBUTTONDOWN, button=pygame.CONTROLLER_BUTTON_DPAD_DOWN)
    player.pad(pygame.CONTROLLERBUTTONDOWN, button=pygame.CONTROLLER_BUTTON_A)
    assert player.runs.begun == ["other"]


def test_the_text_size_changes_at_once_and_is_kept(tmp_path: Path) -> None:
    """Product 6 and 7: text size in the settings, 100 to 200 %."""
    file = tmp_path / "settings.json"
    player = Player(street(peds=(you(),)), (1280, 720), file)
    player.key(pygame.K_ESCAPE)
    for _ in range(6):
        player.frame()
        click(player, "+")
    assert player.context.theme.text_scale == 2.0
    player.frame()
    click(player, "−")
    assert player.context.theme.text_scale == 1.75
    again = Player(street(peds=(you(),)), (1280, 720), file)
    assert again.context.theme.text_scale == 1.75


def test_switches_are_kept_and_the_street_heeds_them(tmp_path: Path) -> None:
    """Section 10 and 11: less shaking and no flashes, at once and in the next run."""
    file = tmp_path / "settings.json"
    player = Player(street(peds=(you(),)), (1280, 720), file)
    player.key(pygame.K_ESCAPE)
    click(player, "Less shaking: off")
    player.frame()
    click(player, "No flashes: off")
    player.frame()
    player.key(pygame.K_ESCAPE)
    player.frame()
    stage = player.street.view.picture.effects
    assert stage is not None
    assert stage.reduces_shake
    assert stage.reduces_flashes
    again = Player(street(peds=(you(),)), (1280, 720), file)
    assert again.context.preferences.values.reduced_shake
    assert again.context.preferences.values.reduced_flashes


@pytest.mark.parametrize("text_scale", [1.0, 1.5, 2.0])
def test_rows_lie_apart_and_within_the_window(player: Player, text_scale: float) -> None:
    player.context.set_text_scale(text_scale)
    player.context.display.surface = pygame.display.set_mode((1280, 720))
    player.frame()
    fixed = [box for text, box in menu(player).buttons if "street" not in text.lower()]
    assert all(pygame.Rect(0, 0, 1280, 720).contains(box) for box in fixed)
    assert all(box.collidelist(fixed[index + 1 :]) == -1 for index, box in enumerate(fixed))


def test_full_screen_from_the_menu_lays_it_out_anew(player: Player) -> None:
    click(player, "Full screen: off")
    player.frame()
    assert player.context.display.is_full_screen
    assert "Full screen: on" in [text for text, _ in menu(player).buttons]
    click(player, "Full screen: on")
    assert not player.context.display.is_full_screen
    player.frame()


def test_no_key_sticks_through_the_menu(player: Player) -> None:
    """F8's kind: a key that is let go of while a menu hears the events."""
    player.key(pygame.K_ESCAPE)
    player.press(pygame.K_d)
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.screen, MenuScreen)
    player.release(pygame.K_d)
    player.key(pygame.K_ESCAPE)
    assert player.context.heading_rad is None


def test_it_is_seen_over_the_dimmed_street(player: Player) -> None:
    surface = player.context.display.surface
    player.screen = menu(player)
    player.frame()
    dimmed = surface.get_at((20, 320))
    player.key(pygame.K_ESCAPE)
    player.street.draw(FRAME_S)
    assert sum(dimmed[:3]) < sum(surface.get_at((20, 320))[:3])
