"""Fire and Douse as a player uses them: clicks, lines, Shift; what is done is an action."""

from __future__ import annotations

import math
from itertools import pairwise

import pygame
import pytest

from game.ui.commands import Command
from game.ui.spot_tools import DOUSE, FIRE, SpotKind
from game.world.edits import Douse, LightFire
from tests.game.ui.hands_on import Player, you
from tests.streets import street

SIZE = (900, 640)
TOOLS = [(Command.FIRE, FIRE, LightFire), (Command.DOUSE, DOUSE, Douse)]


@pytest.fixture
def player() -> Player:
    return Player(street(peds=(you(1500.0, 1000.0),)), SIZE)


def edits_of(player: Player) -> list[LightFire | Douse]:
    player.steps(1)
    made = [line.edit for line in player.world.edits.log]
    return [edit for edit in made if isinstance(edit, LightFire | Douse)]


@pytest.mark.parametrize(("command", "kind", "made"), TOOLS)
def test_a_click_is_one_place(
    player: Player, command: Command, kind: SpotKind, made: type[LightFire | Douse]
) -> None:
    """Product 6: light a fire there, put it out there; written down like any action."""
    player.command(command)
    player.click(player.at(900.0, 900.0))
    (edit,) = edits_of(player)
    assert isinstance(edit, made)
    assert edit.at[:2] == pytest.approx((900.0, 900.0), abs=2.0)
    assert edit.radius_cm == kind.radius_cm
    assert player.world.actions.log[-1].action == edit


@pytest.mark.parametrize(("command", "kind", "made"), TOOLS)
def test_a_drag_is_a_line_of_places_evenly_apart(
    player: Player, command: Command, kind: SpotKind, made: type[LightFire | Douse]
) -> None:
    """4 m of line: one at the press and one each spacing after it."""
    player.command(command)
    player.drag(player.at(700.0, 900.0), player.at(1100.0, 900.0))
    edits = edits_of(player)
    gap = kind.spacing * kind.radius_cm
    assert len(edits) == 1 + math.floor(400.0 / gap + 0.02)
    for one, other in pairwise(edits):
        assert isinstance(one, made)
        assert math.dist(one.at[:2], other.at[:2]) == pytest.approx(gap, abs=0.01)


@pytest.mark.parametrize(("command", "kind", "made"), TOOLS)
def test_shift_makes_it_wider(
    player: Player,
    command: Command,
    kind: SpotKind,
    made: type[LightFire | Douse],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player.command(command)
    monkeypatch.setattr(pygame.key, "get_mods", lambda: pygame.KMOD_LSHIFT)
    player.click(player.at(900.0, 900.0))
    (edit,) = edits_of(player)
    assert isinstance(edit, made)
    assert edit.radius_cm == kind.wide_cm > kind.radius_cm


def test_what_is_lit_can_be_put_out(player: Player) -> None:
    """A fire by click, water on it by click: nothing burns a second later."""
    spot = player.at(900.0, 900.0)
    player.command(Command.FIRE)
    player.click(spot)
    player.steps(60)
    assert len(player.world.fires) == 1
    player.command(Command.DOUSE)
    player.click(spot)
    player.steps(60)
    assert len(player.world.fires) == 0


def test_the_ring_of_the_tool_is_seen_before_the_press(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cursor preview: the picture at the ring's edge differs from that of another tool."""
    spot = player.at(900.0, 900.0)
    monkeypatch.setattr(pygame.mouse, "get_pos", lambda: spot)
    monkeypatch.setattr(pygame.mouse, "get_focused", lambda: True)
    pictures = []
    for command in (Command.GRAB, Command.FIRE):
        player.command(command)
        player.frame()
        x, y = player.at(900.0 + FIRE.radius_cm, 900.0)
        surface = pygame.display.get_surface()
        assert surface is not None
        pictures.append([surface.get_at((x + dx, y))[:3] for dx in range(-3, 4)])
    assert pictures[0] != pictures[1]
