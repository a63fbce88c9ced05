"""The ring of hold, continue, redirect and cancel over people who have an order."""

from __future__ import annotations

import pygame
import pytest

from ai.behaviours.order_commands import Refusal
from ai.behaviours.order_record import OrderStatus
from game.render.palette import load_palette
from game.ui.order_words import REFUSALS, told_off
from game.ui.radial_menu import RADIUS_PX, RadialMenu, Slice
from game.ui.radial_screen import RadialScreen
from game.ui.street_window import StreetWindow
from game.ui.theme import Theme
from tests.game.ui.hands_on import Player, you
from tests.streets import person, street

HOLD, CONTINUE, REDIRECT, CANCEL = range(4)


@pytest.fixture
def player() -> Player:
    """Ann has been sent on her way, and is selected."""
    player = Player(street(peds=(you(1500.0, 1200.0), person(4, "ann", 600.0, 800.0))), (900, 640))
    player.click(player.on("ann"))
    player.right_click(player.at(1200.0, 800.0))
    player.steps(40)
    assert player.order("ann").status is OrderStatus.TRAVELLING
    return player


def ring(player: Player) -> RadialScreen:
    assert isinstance(player.screen, RadialScreen)
    return player.screen


def choose(player: Player, index: int) -> None:
    player.click(ring(player).menu.middle_of(index))
    player.steps(1)


def open_ring(player: Player) -> None:
    player.right_click(player.on("ann"))
    assert [one.word for one in ring(player).menu.slices] == [
        "Hold",
        "Continue",
        "Redirect",
        "Cancel",
        "Follow",
        "Face",
        "Patrol",
        "Stand",
        "Wave",
    ]


def test_hold_then_continue_then_cancel(player: Player) -> None:
    """ORD-10, ORD-11, ORD-13 by hand."""
    open_ring(player)
    choose(player, HOLD)
    assert player.order("ann").status is OrderStatus.WAITING_FOR_SIGNAL
    open_ring(player)
    choose(player, CONTINUE)
    assert player.order("ann").status is OrderStatus.TRAVELLING
    open_ring(player)
    choose(player, CANCEL)
    assert player.order("ann").status is OrderStatus.CANCELLED


def test_redirect_takes_the_next_click(player: Player) -> None:
    """ORD-12 by hand: the ring asks for a place, and either button gives it."""
    open_ring(player)
    choose(player, REDIRECT)
    assert player.street.hands.hint.tool == "Redirect"
    player.click(player.at(700.0, 1100.0))
    player.steps(1)
    assert player.order("ann").goal[:2] == pytest.approx((700.0, 1100.0), abs=1.0)
    assert player.order("ann").instruction_count == 2
    assert player.street.hands.hint.tool == "Order"


def test_escape_gives_a_redirect_up_before_it_opens_the_menu(player: Player) -> None:
    open_ring(player)
    choose(player, REDIRECT)
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.screen, StreetWindow)
    assert not player.street.hands.is_redirecting
    assert player.order("ann").instruction_count == 1


def test_the_key_opens_the_ring_and_letting_go_over_a_slice_chooses(player: Player) -> None:
    player.press(pygame.K_o)
    player.move(ring(player).menu.middle_of(HOLD))
    player.release(pygame.K_o)
    player.steps(1)
    assert player.order("ann").status is OrderStatus.WAITING_FOR_SIGNAL


def test_a_tap_of_the_key_leaves_the_ring_open(player: Player) -> None:
    player.key(pygame.K_o)
    choose(player, CANCEL)
    assert player.order("ann").status is OrderStatus.CANCELLED


def test_what_does_not_fit_is_dimmed_and_the_desk_says_why(player: Player) -> None:
    open_ring(player)
    slices = ring(player).menu.slices
    assert [one.possible for one in slices] == [True, False, True, True, *[True] * 5]
    choose(player, CONTINUE)
    assert player.notice == "ann isn't being held, so there is nothing to continue"


def test_without_an_order_there_is_no_ring(player: Player) -> None:
    player.click(player.on("you"))
    player.key(pygame.K_o)
    assert isinstance(player.screen, StreetWindow)
    assert "order" in player.notice


def test_the_street_goes_on_under_the_ring_and_keys_still_steer(player: Player) -> None:
    open_ring(player)
    x = player.world.peds.by_name("you").position.x  # type: ignore[union-attr]
    player.press(pygame.K_a)
    for _ in range(60):
        ring(player).advance(1 / 60)
    assert player.world.peds.by_name("you").position.x < x - 20.0  # type: ignore[union-attr]
    player.release(pygame.K_a)
    assert player.context.heading_rad is None


@pytest.mark.parametrize("closing", ["escape", "elsewhere", "right"])
def test_it_closes_without_a_choice(player: Player, closing: str) -> None:
    open_ring(player)
    if closing == "escape":
        player.key(pygame.K_ESCAPE)
    elif closing == "right":
        player.right_click(player.mouse)
    else:
        player.click((5, 200))
    assert isinstance(player.screen, StreetWindow)
    assert player.order("ann").status is OrderStatus.TRAVELLING


def test_losing_the_focus_closes_the_ring_and_pauses(player: Player) -> None:
    open_ring(player)
    player.hear(pygame.WINDOWFOCUSLOST)
    assert isinstance(player.screen, StreetWindow)
    assert player.context.pacer.is_paused


def test_a_right_click_on_another_with_an_order_selects_it_first(player: Player) -> None:
    player.click((5, 200))
    assert player.selected == set()
    open_ring(player)
    assert isinstance(player.screen, RadialScreen)
    player.key(pygame.K_ESCAPE)
    assert player.selected == {4}


# -- the ring itself -------------------------------------------------------------------


def menu(count: int = 4) -> RadialMenu:
    slices = [Slice("pause", str(index)) for index in range(count)]
    return RadialMenu(Theme(load_palette().interface), (200, 200), slices)


@pytest.mark.parametrize(
    ("pos", "index"),
    [((200, 140), 0), ((260, 200), 1), ((200, 260), 2), ((140, 200), 3), ((200, 205), None)],
    ids=["up", "right", "down", "left", "hole"],
)
def test_slices_go_clockwise_from_the_top(pos: tuple[int, int], index: int | None) -> None:
    assert menu().slice_at(pos) == index


def test_aiming_needs_no_care_but_far_away_means_nothing() -> None:
    assert menu().slice_at((200 + round(1.6 * RADIUS_PX), 200)) == 1
    assert menu().slice_at((200 + round(1.8 * RADIUS_PX), 200)) is None


@pytest.mark.parametrize("count", [2, 4, 7, 11])
def test_the_middle_of_each_slice_means_it(count: int) -> None:
    ring = menu(count)
    assert [ring.slice_at(ring.middle_of(index)) for index in range(count)] == list(range(count))


def test_the_ring_stays_within_the_window() -> None:
    ring = menu()
    ring.centre = (3, 900)
    ring.keep_within((640, 480))
    assert ring.centre == (RADIUS_PX + 4, 480 - RADIUS_PX - 4)


def test_an_open_ring_stays_within_a_window_that_shrinks(player: Player) -> None:
    player.key(pygame.K_o)
    ring(player).menu.centre = (850, 600)
    window = pygame.Rect(0, 0, 320, 200)
    pygame.display.set_mode(window.size, pygame.RESIZABLE)
    player.hear(pygame.VIDEORESIZE, size=window.size, w=window.width, h=window.height)
    player.frame()
    menu = ring(player).menu
    assert all(window.collidepoint(menu.middle_of(index)) for index in range(len(menu.slices)))


# -- words -------------------------------------------------------------------------------


def test_every_reason_of_the_desk_has_plain_words() -> None:
    assert set(REFUSALS) == set(Refusal)
    spoken = [words for reason, words in REFUSALS.items() if reason is not Refusal.NONE]
    assert all(words and "_" not in words and words == words.strip() for words in spoken)


def test_equal_refusals_are_told_once_with_their_number() -> None:
    three = [("Ann", Refusal.NO_GROUND), ("Ben", Refusal.NO_GROUND), ("Cy", Refusal.SUPPRESSED)]
    assert told_off(three) == (
        "Ann can't go there: nobody can stand on that spot; so it is with 1 more"
    )
