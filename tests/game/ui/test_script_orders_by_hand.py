"""Follow, face, patrol, stand and wave by hand: ring, click, and what the ped then does."""

from __future__ import annotations

import math

import pygame
import pytest

from ai.behaviours.gestures import Gesture, gesture_of
from ai.behaviours.order_record import OrderStatus
from ai.tasks.task import Task
from ai.tasks.task_types import TaskType
from ai.tasks.trees import PRIMARY, PrimarySlot
from game.render.picture import OrderBubble
from game.ui.radial_screen import RadialScreen
from game.world.script_asks import AskFollow
from tests.game.ui.hands_on import Player, you
from tests.streets import car, ped_named, person, street

FOLLOW, FACE, PATROL, STAND, WAVE = range(4, 9)


@pytest.fixture
def player() -> Player:
    """Ann is selected and has nothing to do; Ben strolls; a car is parked."""
    peds = (
        you(1500.0, 1200.0),
        person(4, "ann", 700.0, 800.0),
        person(5, "ben", 1300.0, 800.0),
    )
    made = Player(street(peds=peds, vehicles=(car(20, "car", 1000.0, 1000.0),)), (900, 640))
    made.steps(2)
    made.click(made.on("ann"))
    return made


def choose(player: Player, index: int) -> None:
    """Open the ring over Ann by its key and choose a slice."""
    player.key(pygame.K_o)
    assert isinstance(player.screen, RadialScreen)
    player.click(player.screen.menu.middle_of(index))


def task(player: Player, name: str = "ann") -> Task | None:
    return ped_named(player.world, name).tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY)


def task_type(player: Player) -> int | None:
    found = task(player)
    return None if found is None else found.task_type


def test_follow_takes_the_next_click_on_somebody(player: Player) -> None:
    """ORD by hand, EVT-70: she goes after Ben and halts 150 cm from him."""
    choose(player, FOLLOW)
    assert player.street.hands.hint.tool == "Follow"
    player.click(player.at(400.0, 400.0))
    assert player.street.hands.hint.tool == "Follow", "the ground is nobody to follow"
    player.click(player.on("ben"))
    assert player.street.hands.hint.tool == "Order"
    player.until(lambda: task_type(player) == TaskType.FOLLOW, 5)
    player.steps(600)
    assert player.street.view.picture.peds.bubbles[1] is OrderBubble.GOING
    ann, ben = (ped_named(player.world, name).position for name in ("ann", "ben"))
    assert math.dist(ann[:2], ben[:2]) <= 160.0
    assert task_type(player) == TaskType.FOLLOW
    assert isinstance(player.world.actions.log[-1].action, AskFollow)


def test_face_takes_a_place_or_a_thing(player: Player) -> None:
    """EVT-70: she turns to the car and is done."""
    choose(player, FACE)
    player.click(player.on("car"))
    player.steps(200)
    ann = ped_named(player.world, "ann")
    wanted = math.atan2(1000.0 - ann.position.y, 1000.0 - ann.position.x)
    assert math.remainder(ann.yaw - wanted, math.tau) == pytest.approx(0.0, abs=0.06)
    assert task(player) is None


def test_a_patrol_is_clicked_point_by_point(player: Player) -> None:
    """EVT-70: two points and a right click for the last: to and fro, until told otherwise."""
    choose(player, PATROL)
    for x in (700.0, 500.0):
        player.click(player.at(x, 900.0))
    player.street.hands.advance(0.0, None)
    assert len(player.run.world.script_asks.log) == 0
    assert len(player.street.view.picture.marks.aims) == 2
    player.right_click(player.at(500.0, 1100.0))
    player.until(lambda: task_type(player) == TaskType.PATROL, 5)
    found = task(player)
    assert found is not None
    places = [point[:2] for point in found.points]  # type: ignore[attr-defined]
    for place, clicked in zip(
        places, ((700.0, 900.0), (500.0, 900.0), (500.0, 1100.0)), strict=True
    ):
        assert place == pytest.approx(clicked, abs=2.0), "a pixel is worth so much"
    ann = ped_named(player.world, "ann")
    player.until(lambda: math.dist(ann.position[:2], (500.0, 1100.0)) < 20.0, 1500)
    player.until(lambda: math.dist(ann.position[:2], (700.0, 900.0)) < 20.0, 1500)


def test_a_point_in_a_thing_is_moved_to_where_one_can_stand(player: Player) -> None:
    """Product.md section 6: a click means what is possible; far from all ground, nothing."""
    choose(player, PATROL)
    player.click(player.at(960.0, 1000.0))
    player.click(player.at(700.0, 900.0))
    player.key(pygame.K_RETURN)
    player.until(lambda: task_type(player) == TaskType.PATROL, 5)
    first = task(player).points[0]  # type: ignore[union-attr]
    assert first.x == pytest.approx(1000.0 - 90.0 - 30.0, abs=3.0)
    assert first.y == pytest.approx(1000.0, abs=3.0)


def test_enter_ends_a_patrol_and_escape_drops_it(player: Player) -> None:
    """Everything that is begun can be ended or given up by keyboard."""
    choose(player, PATROL)
    player.click(player.at(700.0, 900.0))
    player.key(pygame.K_ESCAPE)
    player.steps(3)
    assert task(player) is None
    choose(player, PATROL)
    player.click(player.at(700.0, 900.0))
    player.click(player.at(900.0, 900.0))
    player.key(pygame.K_RETURN)
    player.until(lambda: task_type(player) == TaskType.PATROL, 5)


def test_stand_and_wave_need_no_click(player: Player) -> None:
    """NAV-20 by script: 5 s on the spot; a wave of 3 s, drawn as a gesture."""
    choose(player, STAND)
    player.until(lambda: task_type(player) == TaskType.STAND, 5)
    player.steps(5 * 60 + 3)
    assert task(player) is None
    choose(player, WAVE)
    player.until(lambda: task_type(player) == TaskType.PLAY_GESTURE, 5)
    shown = gesture_of(ped_named(player.world, "ann").tasks)
    assert shown is not None
    assert shown.gesture is Gesture.WAVE
    player.steps(3 * 60 + 3)
    assert task(player) is None


def test_a_script_takes_the_place_of_an_order_and_the_other_way_round(player: Player) -> None:
    """EVT-67 (8), ORD-02: of one giver the later command counts."""
    player.right_click(player.at(600.0, 1100.0))
    player.steps(3)
    assert player.order("ann").status is OrderStatus.TRAVELLING
    choose(player, STAND)
    player.steps(3)
    assert task_type(player) == TaskType.STAND
    assert player.order("ann").status is OrderStatus.CANCELLED
    player.right_click(player.at(600.0, 1100.0))
    player.steps(3)
    assert player.order("ann").status is OrderStatus.TRAVELLING
    assert task_type(player) == TaskType.ORDER


def test_what_is_about_orders_says_so_where_there_is_none(player: Player) -> None:
    for index, word in ((0, "hold"), (2, "redirect"), (3, "cancel")):
        choose(player, index)
        player.steps(1)
        assert player.notice == f"Nobody you chose has an order: nothing to {word}"


def test_asks_queued_again_in_their_steps_repeat_the_run(player: Player) -> None:
    """ORD-22: they are actions like orders and edits."""
    choose(player, WAVE)
    player.steps(30)
    choose(player, FOLLOW)
    player.click(player.on("ben"))
    player.steps(120)
    log = list(player.world.actions.log)
    assert [type(line.action).__name__ for line in log] == ["AskGesture", "AskFollow"]
    wanted = player.world.fingerprint.hexdigest()
    again = Player(player.world.description, (900, 640)).world
    for step in range(player.world.clock.step):
        for line in log:
            if line.step == step:
                again.actions.submit(
                    line.action._replace(
                        ped=line.action.ped._replace(world=again.number),
                        source=line.action.source._replace(world=again.number),
                        **(
                            {"target": line.action.target._replace(world=again.number)}
                            if isinstance(line.action, AskFollow)
                            else {}
                        ),
                    )
                )
        again.step()
    assert again.fingerprint.hexdigest() == wanted


def test_the_player_is_told_nothing(player: Player) -> None:
    player.click(player.on("you"))
    player.key(pygame.K_o)
    assert not isinstance(player.screen, RadialScreen)
    assert player.notice == "Choose somebody to give an order to first"
