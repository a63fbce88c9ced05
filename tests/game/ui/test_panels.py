"""Inspector, overlays and frame times at a window: keys, clicks, whom they show."""

from __future__ import annotations

import pygame
import pytest

from game.ui.commands import Command
from game.ui.inspector.painter import Action
from game.ui.session import Mark, Objective
from game.ui.street_window import FRAME_S
from tests.game.ui.hands_on import Player, you
from tests.streets import car, person, street


@pytest.fixture
def player() -> Player:
    """You in the middle, Ann to the left, Ben to the right, a car further down."""
    peds = (you(1000.0, 800.0), person(4, "ann", 800.0, 700.0), person(5, "ben", 1100.0, 700.0))
    made = Player(street(peds=peds, vehicles=(car(20, "red car", 500.0, 1200.0),)))
    made.steps(2)
    return made


def frames(player: Player, count: int = 10) -> None:
    for _ in range(count):
        player.street.draw(FRAME_S, alpha=1.0)


def shown(player: Player) -> str:
    reading = player.street.panels.inspector.reading
    return "nobody" if reading is None else reading.name


def button(player: Player, action: Action) -> tuple[int, int]:
    inspector = player.street.panels.inspector
    painted = inspector._painted
    assert painted is not None
    box = next(box for box, name in painted.buttons if name is action)
    return box.move(inspector.rect.topleft).center


def line_of_legend(player: Player, number: int) -> tuple[int, int]:
    return player.street.panels._legend._boxes[number - 1].center


# -- the inspector -------------------------------------------------------------------


def test_tab_opens_and_closes_the_inspector(player: Player) -> None:
    """Product section 6: Tab."""
    frames(player)
    assert shown(player) == "nobody"
    player.command(Command.INSPECTOR)
    frames(player)
    assert shown(player) == "you"
    player.command(Command.INSPECTOR)
    frames(player)
    assert shown(player) == "nobody"


def test_it_follows_the_selection_and_else_the_player(player: Player) -> None:
    player.command(Command.INSPECTOR)
    player.click(player.on("ann"))
    frames(player)
    assert shown(player) == "ann"
    player.click(player.on("ben"))
    frames(player)
    assert shown(player) == "ben"
    player.click(player.at(600.0, 400.0))
    frames(player)
    assert shown(player) == "you"


def test_without_a_player_and_a_selection_it_shows_nobody() -> None:
    nobody_plays = Player(street(peds=(person(4, "ann", 800.0, 700.0),)))
    nobody_plays.command(Command.INSPECTOR)
    frames(nobody_plays)
    assert shown(nobody_plays) == "nobody"


def test_a_click_on_the_panel_is_none_on_the_street(player: Player) -> None:
    """Who is shown stays selected, whatever stands under the panel."""
    player.command(Command.INSPECTOR)
    player.click(player.on("ann"))
    frames(player)
    player.click(player.street.panels.inspector.rect.center)
    player.right_click(player.street.panels.inspector.rect.center)
    assert player.selected == {4}
    player.steps(2)
    assert not player.order("ann").live


def test_the_wheel_over_the_panel_scrolls_it_and_zooms_nothing(player: Player) -> None:
    player.command(Command.INSPECTOR)
    frames(player)
    zoom = player.street.view.camera.zoom
    player.move(player.street.panels.inspector.rect.center)
    player.hear(pygame.MOUSEWHEEL, x=0, y=-3)
    frames(player)
    for _ in range(30):
        player.street.look(FRAME_S)
    assert player.street.view.camera.zoom == zoom


def test_a_box_that_is_dragged_over_the_panel_goes_on(player: Player) -> None:
    """What was begun on the street ends there."""
    player.command(Command.INSPECTOR)
    frames(player)
    start = player.at(700.0, 500.0)
    player.drag(start, player.street.panels.inspector.rect.center)
    assert {4, 5} <= player.selected


def test_follow_leads_the_camera_to_who_is_shown(player: Player) -> None:
    player.command(Command.INSPECTOR)
    player.click(player.on("ann"))
    frames(player)
    player.click(button(player, Action.FOLLOW))
    frames(player)
    for _ in range(240):
        player.street.look(FRAME_S)
    projection = player.street.projection()
    assert projection.centre_x == pytest.approx(800.0, abs=60.0)
    assert Action.FOLLOW in player.street.panels.inspector.switched_on
    player.click(button(player, Action.FOLLOW))
    frames(player)
    for _ in range(240):
        player.street.look(FRAME_S)
    assert player.street.projection().centre_x == pytest.approx(1000.0, abs=60.0)


def test_copy_puts_reading_and_trees_on_the_clipboard(player: Player) -> None:
    """TASK-115: the same text of the trees as everywhere."""
    player.command(Command.INSPECTOR)
    player.click(player.on("ann"))
    frames(player)
    player.click(button(player, Action.COPY))
    text = pygame.scrap.get_text()
    assert text.startswith("ann (calm · ped 4)\nStanding about.")
    assert "ped#4 primary" in text
    assert "ann" in player.notice


def test_a_clipboard_that_refuses_is_told(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_text: str) -> None:
        raise pygame.error("no clipboard")

    monkeypatch.setattr(pygame.scrap, "put_text", refuse)
    player.command(Command.INSPECTOR)
    frames(player)
    player.click(button(player, Action.COPY))
    assert player.notice == "Not copied: no clipboard"


def test_hidden_with_all_panels_it_hears_nothing(player: Player) -> None:
    """H hides all."""
    player.command(Command.INSPECTOR)
    frames(player)
    place = player.street.panels.inspector.rect.center
    player.command(Command.HIDE)
    frames(player)
    assert not player.street.panels.covers(place)


# -- overlays and frame times ----------------------------------------------------------


def test_a_line_of_the_legend_switches_its_overlay(player: Player) -> None:
    player.command(Command.OVERLAYS)
    frames(player)
    overlays = player.street.view.overlays
    before = len(overlays.shown)
    player.click(line_of_legend(player, 1))
    assert len(overlays.shown) == before - 1
    player.click(line_of_legend(player, 2))
    assert len(overlays.shown) == before
    assert player.selected == set()


def test_alt_and_its_number_switch_an_overlay_too(player: Player) -> None:
    player.command(Command.OVERLAYS)
    overlays = player.street.view.overlays
    on = overlays.is_on("claims")
    player.key(pygame.K_4, mod=pygame.KMOD_LALT)
    assert overlays.is_on("claims") != on
    player.key(pygame.K_4)
    assert overlays.is_on("claims") != on


def test_the_overlay_button_and_f2_are_one_switch(player: Player) -> None:
    player.command(Command.INSPECTOR)
    frames(player)
    player.click(button(player, Action.OVERLAY))
    frames(player)
    assert player.street.view.overlays.is_shown
    assert Action.OVERLAY in player.street.panels.inspector.switched_on
    player.command(Command.OVERLAYS)
    frames(player)
    assert not player.street.view.overlays.is_shown
    assert Action.OVERLAY not in player.street.panels.inspector.switched_on


def test_the_legend_is_there_only_with_the_overlays(player: Player) -> None:
    player.command(Command.OVERLAYS)
    frames(player)
    place = line_of_legend(player, 1)
    assert player.street.panels.covers(place)
    player.command(Command.OVERLAYS)
    frames(player)
    assert not player.street.panels.covers(place)


def test_f3_measures_steps_and_drawing(player: Player) -> None:
    """Product section 6: frame-time graph by phase."""
    player.command(Command.FRAME_TIMES)
    times = player.street.panels.times
    for _ in range(3):
        player.steps(1)
        frames(player, 1)
    assert times.frames == 3
    phases, drawing = times.averages()[1:18], times.averages()[18]
    assert (phases > 0.0).all()
    assert drawing > 0.0
    player.command(Command.FRAME_TIMES)
    assert player.world.phase_listener is None


@pytest.mark.parametrize("text_scale", [1.0, 2.0])
@pytest.mark.parametrize("goals", [0, 2, 8])
def test_the_legend_lies_on_no_objective(
    player: Player, goals: int, text_scale: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Art-and-feel 17, 16: nothing of the interface overlaps."""
    objectives = tuple(
        Objective(f"The courier reaches the far side of the car, part {number}", Mark.OPEN)
        for number in range(goals)
    )
    monkeypatch.setattr(player.street, "_objectives", objectives)
    player.context.set_text_scale(text_scale)
    player.command(Command.OVERLAYS)
    player.street.draw(0.0)
    legend = player.street.panels._legend.rect
    assert legend.width > 0
    assert not legend.colliderect(player.street._hud.title_box)
