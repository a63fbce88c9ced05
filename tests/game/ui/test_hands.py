"""Selecting people and sending them, as a player does it: clicks in, orders in the world out."""

from __future__ import annotations

import math

import pygame
import pytest

from ai.behaviours.order_commands import CancelOrder, RedirectOrderTo, StartOrder, StartOrderAt
from ai.behaviours.order_record import OrderStatus
from ai.ports import Vec3
from game.render.picture import OrderBubble
from game.ui.commands import Command
from game.ui.street_window import FRAME_S
from tests.game.ui.hands_on import Player, you
from tests.streets import barrier, car, ped_named, perform, person, street, thing

SIZE = (900, 640)


@pytest.fixture
def player() -> Player:
    peds = (
        you(1500.0, 1000.0),
        person(4, "ann", 700.0, 800.0),
        person(5, "ben", 900.0, 800.0),
        person(6, "cy", 1200.0, 900.0),
    )
    return Player(street(peds=peds, vehicles=(car(20, "car", 1300.0, 620.0),)), SIZE)


# -- selecting -----------------------------------------------------------------------


def test_a_click_selects_one_ctrl_adds_and_takes_away_and_empty_ground_clears(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Product 6: click, Ctrl-click."""
    player.click(player.on("ann"))
    assert player.selected == {4}
    monkeypatch.setattr(pygame.key, "get_mods", lambda: pygame.KMOD_CTRL)
    player.click(player.on("ben"))
    assert player.selected == {4, 5}
    player.click(player.on("ann"))
    assert player.selected == {5}
    player.click((5, 100))
    assert player.selected == {5}
    monkeypatch.undo()
    player.click((5, 100))
    assert player.selected == set()


def test_a_box_selects_all_whose_chests_lie_in_it_whichever_way_it_is_dragged(
    player: Player,
) -> None:
    """Product 6: box."""
    corner = player.at(600.0, 700.0, 90.0)
    opposite = player.at(1000.0, 900.0, 90.0)
    player.drag(corner, opposite)
    assert player.selected == {4, 5}
    player.click((5, 100))
    player.drag((opposite[0], corner[1]), (corner[0], opposite[1]))
    assert player.selected == {4, 5}


def test_a_box_with_ctrl_adds_to_those_who_were_selected(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    player.click(player.on("cy"))
    monkeypatch.setattr(pygame.key, "get_mods", lambda: pygame.KMOD_CTRL)
    player.drag(player.at(600.0, 700.0, 90.0), player.at(1000.0, 900.0, 90.0))
    assert player.selected == {4, 5, 6}


@pytest.mark.parametrize("kind", [pygame.WINDOWLEAVE, pygame.WINDOWFOCUSLOST])
def test_leaving_the_window_drops_the_box(player: Player, kind: int) -> None:
    """Engineering notes: losing focus or leaving the window leaves no drag stuck."""
    start, end = player.at(600.0, 700.0, 90.0), player.at(1000.0, 900.0, 90.0)
    player.drag(start, end, drops=False)
    assert player.selected == {4, 5}
    player.hear(kind)
    assert player.selected == set()
    player.move(player.on("cy"))
    assert player.selected == set()


@pytest.mark.parametrize("key", [pygame.K_F1, pygame.K_o])
def test_what_opens_over_the_street_drops_the_box(player: Player, key: int) -> None:
    """The release is heard by what is open: without this the mouse would go on boxing."""
    player.click(player.on("ann"))
    player.right_click(player.at(1000.0, 850.0))
    player.steps(3)
    player.drag(player.at(600.0, 700.0, 90.0), player.at(1000.0, 900.0, 90.0), drops=False)
    street = player.street
    player.key(key)
    assert player.screen is not street
    assert not street.hands.is_dragging
    player.hear(pygame.MOUSEBUTTONUP, pos=player.mouse, button=pygame.BUTTON_LEFT)
    player.key(pygame.K_ESCAPE)
    chosen = player.selected
    player.move(player.on("cy"))
    assert player.selected == chosen


def test_a_box_may_end_over_the_toolbar(player: Player) -> None:
    """The release is the box's wherever it happens: no drag stays open."""
    bar = player.street.toolbar.place(SIZE)
    player.drag(player.at(600.0, 700.0, 90.0), (bar.centerx, bar.centery))
    assert 4 in player.selected
    assert not player.street.hands.is_dragging
    assert not player.context.pacer.is_paused


def test_a_hand_that_trembles_still_clicks(player: Player) -> None:
    x, y = player.on("ann")
    player.drag((x, y), (x + 4, y + 3))
    assert player.selected == {4}


def test_who_has_left_is_no_longer_selected(player: Player) -> None:
    player.click(player.on("ann"))
    player.world.peds.request_removal(ped_named(player.world, "ann").ref)
    player.steps(2)
    assert player.selected == set()


def test_the_ped_under_the_mouse_is_marked_and_selecting_works_in_a_pause(
    player: Player,
) -> None:
    player.command(Command.PAUSE)
    player.street.look(FRAME_S, cursor=player.on("ann"))
    marks = player.street.view.picture.marks
    assert marks.hovered == 4
    player.click(player.on("ann"))
    assert player.street.view.picture.peds.selected.tolist() == [False, True, False, False]
    player.street.look(FRAME_S, cursor=(5, 100))
    assert marks.hovered is None


# -- sending -------------------------------------------------------------------------


def test_a_right_click_on_the_ground_sends_the_selected_there(player: Player) -> None:
    """ORD-25, ORD-22: the click becomes one command in the desk's log, carried out in phase 2."""
    player.click(player.on("ann"))
    player.right_click(player.at(900.0, 1000.0))
    assert player.world.orders.log == []
    player.steps(1)
    (line,) = player.world.orders.log
    assert isinstance(line.command, StartOrderAt)
    assert line.reply.accepted
    assert line.source == player.street.orders.source
    order = player.order("ann")
    assert order.status is OrderStatus.TRAVELLING
    assert order.goal[:2] == pytest.approx((900.0, 1000.0), abs=1.0)
    player.until(lambda: player.order("ann").completed)


def test_a_second_right_click_redirects_the_same_session(player: Player) -> None:
    """ORD-12: one session, the generation rises, nothing is started anew."""
    player.click(player.on("ann"))
    player.right_click(player.at(900.0, 1000.0))
    player.steps(30)
    first = player.order("ann").session
    player.right_click(player.at(600.0, 1100.0))
    player.steps(1)
    assert isinstance(player.world.orders.log[-1].command, RedirectOrderTo)
    order = player.order("ann")
    assert order.session == first
    assert order.instruction_count == 2
    assert order.goal[:2] == pytest.approx((600.0, 1100.0), abs=1.0)


def test_a_cars_right_hand_side_is_where_a_click_on_it_sends(player: Player) -> None:
    """ORD-05, ORD-08: offset (-200, 0, 0) of a car 180 cm wide."""
    player.click(player.on("ann"))
    player.right_click(player.on("car"))
    player.steps(1)
    command = player.world.orders.log[-1].command
    assert isinstance(command, StartOrder)
    assert command.target == thing(player.world, "car")
    assert command.offset_local == Vec3(-200.0, 0.0, 0.0)
    assert player.order("ann").goal[:2] == pytest.approx((1100.0, 620.0))


def test_a_barred_side_is_given_up_for_the_nearest_free_one(player: Player) -> None:
    bars = barrier(30, 1100.0, 620.0, 60.0, 300.0)
    barred = Player(
        street(
            peds=(you(1500.0, 1000.0), person(4, "ann", 1700.0, 620.0)),
            vehicles=(car(20, "car", 1300.0, 620.0),),
            obstacles=(bars,),
        ),
        SIZE,
    )
    barred.click(barred.on("ann"))
    barred.right_click(barred.on("car"))
    barred.steps(1)
    command = barred.world.orders.log[-1].command
    assert isinstance(command, StartOrder)
    assert command.offset_local == Vec3(200.0, 0.0, 0.0)


def test_several_get_places_of_their_own(player: Player) -> None:
    player.drag(player.at(600.0, 700.0, 90.0), player.at(1300.0, 1000.0, 90.0))
    assert player.selected == {4, 5, 6}
    player.right_click(player.at(900.0, 1200.0))
    player.steps(1)
    goals = [player.order(name).goal for name in ("ann", "ben", "cy")]
    gaps = [math.dist(goals[a], goals[b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    assert min(gaps) >= 66.0
    player.until(lambda: all(player.order(name).completed for name in ("ann", "ben", "cy")))


def test_several_at_a_car_stand_along_its_side(player: Player) -> None:
    player.drag(player.at(600.0, 700.0, 90.0), player.at(1300.0, 1000.0, 90.0))
    player.right_click(player.on("car"))
    player.steps(1)
    goals = sorted(player.order(name).goal[:2] for name in ("ann", "ben", "cy"))
    assert goals == [pytest.approx((1100.0, y)) for y in (530.0, 620.0, 710.0)]


def test_the_press_is_seen_in_the_same_frame(player: Player) -> None:
    """Art-and-feel 11 and 16: press feedback within one frame, the ring within 0.2 s."""
    player.click(player.on("ann"))
    player.right_click(player.at(900.0, 1000.0))
    player.street.look(FRAME_S)
    places = [aim.place for aim in player.street.view.picture.marks.aims]
    assert any(math.dist(place[:2], (900.0, 1000.0)) < 2.0 for place in places)
    player.steps(2)
    picture = player.street.view.picture
    assert picture.peds.bubbles[1] is OrderBubble.GOING
    assert [line.ped_id for line in picture.marks.lines] == [4]


def test_in_a_pause_the_last_wish_counts(player: Player) -> None:
    player.command(Command.PAUSE)
    player.click(player.on("ann"))
    player.right_click(player.at(900.0, 1000.0))
    player.right_click(player.at(600.0, 1100.0))
    assert len(player.street.orders.waiting) == 1
    player.steps(1)
    (line,) = player.world.orders.log
    assert line.reply.accepted
    assert player.order("ann").goal[:2] == pytest.approx((600.0, 1100.0), abs=1.0)
    assert player.notice == ""


def test_with_nobody_selected_it_says_what_to_do(player: Player) -> None:
    player.right_click(player.at(900.0, 1000.0))
    assert player.notice.startswith("Choose somebody first")


def test_the_players_own_ped_is_steered_never_sent(player: Player) -> None:
    player.click(player.on("you"))
    player.right_click(player.at(900.0, 1000.0))
    player.steps(1)
    assert player.world.orders.log == []
    assert "steer" in player.notice


def test_a_refusal_is_told_in_plain_words(player: Player) -> None:
    """Product 6: every refusal of the desk, by name and with its reason."""
    ped_named(player.world, "ann").tasks_suppressed = True
    player.click(player.on("ann"))
    player.right_click(player.at(900.0, 1000.0))
    player.steps(1)
    assert player.notice == "ann is part of a scene and can't leave it"


def test_ground_that_nobody_can_stand_on_is_refused_in_words(player: Player) -> None:
    """ORD-25: NO_GROUND more than 100 cm off walkable ground."""
    player.click(player.on("ann"))
    player.right_click(player.at(700.0, 1900.0))
    player.steps(1)
    assert player.notice == "ann can't go there: nobody can stand on that spot"


def test_no_room_at_a_thing_is_told_and_nothing_is_sent(player: Player) -> None:
    walls = [
        barrier(30, 1100.0, 620.0, 60.0, 700.0),
        barrier(31, 1500.0, 620.0, 60.0, 700.0),
        barrier(32, 1300.0, 290.0, 500.0, 60.0),
        barrier(33, 1300.0, 950.0, 500.0, 60.0),
    ]
    closed = Player(
        street(
            peds=(you(1700.0, 1200.0), person(4, "ann", 700.0, 800.0)),
            vehicles=(car(20, "car", 1300.0, 620.0),),
            obstacles=walls,
        ),
        SIZE,
    )
    closed.click(closed.on("ann"))
    closed.right_click(closed.on("car"))
    closed.steps(1)
    assert closed.world.orders.log == []
    assert closed.notice == "There is no room to stand beside that"


def test_an_order_of_somebody_else_is_redirected_too(player: Player) -> None:
    ped = ped_named(player.world, "ann")
    source = player.world.sources.create("script")
    assert perform(player.world, StartOrderAt(ped.ref, Vec3(900.0, 1000.0), source)).accepted
    player.steps(2)
    player.click(player.on("ann"))
    player.right_click(player.at(600.0, 1100.0))
    player.steps(1)
    order = player.order("ann")
    assert order.source == source
    assert order.goal[:2] == pytest.approx((600.0, 1100.0), abs=1.0)


def test_orders_by_hand_repeat_from_the_log_bit_for_bit(player: Player) -> None:
    """ORD-22: queueing the log's commands again in their steps repeats the run."""
    player.click(player.on("ann"))
    player.right_click(player.at(900.0, 1000.0))
    player.steps(40)
    player.right_click(player.at(600.0, 1100.0))
    player.steps(20)
    player.world.orders.submit(
        CancelOrder(ped_named(player.world, "ann").ref, player.order("ann").session)
    )
    player.steps(60)
    again = Player(player.world.description, SIZE)
    log = list(player.world.orders.log)
    for _ in range(120):
        while log and log[0].step == again.world.clock.step:
            again.world.orders.submit(_in_world(again, player, log.pop(0).command))
        again.run.step()
    assert again.world.fingerprint.hexdigest() == player.world.fingerprint.hexdigest()


def _in_world(again: Player, player: Player, command: object) -> object:
    """The same command with the handles of another world of the same level."""
    from dataclasses import replace

    changes: dict[str, object] = {"ped": ped_named(again.world, "ann").ref}
    if getattr(command, "source", None) is not None:
        changes["source"] = again.street.orders.source
    return replace(command, **changes)  # type: ignore[type-var]
