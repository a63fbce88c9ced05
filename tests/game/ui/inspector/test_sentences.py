"""The one sentence about a ped: for every stage of an order, of a walk, and of doing nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ai.behaviours.order_commands import CancelOrder, ContinueOrder, HoldOrder
from ai.motion.movement_table import MoveReason, SuspendReason
from ai.ports import EntityRef, Vec3
from game.ui.inspector.sentences import sentence
from game.world.world import World
from tests.streets import (
    barrier,
    courier_street,
    ped_named,
    perform,
    person,
    start,
    steps,
    street,
    until,
)


class PlainNames:
    """Calls every goal the same."""

    def goal(self, target: EntityRef, goal: Vec3, *, beside: bool) -> str:
        return "the side of the car" if beside else "the car"

    def near(self, place: Vec3) -> str:
        return "a spot by the bench"


def says(world: World, name: str = "courier") -> str:
    return sentence(ped_named(world, name), PlainNames(), world.clock.time_s)


@pytest.fixture
def sent() -> World:
    """The courier, 8 m from where it is sent to: from (200, 600) to (1000, 600)."""
    world = World(courier_street())
    assert start(world).accepted
    return world


def test_an_order_is_told_from_its_start_to_its_end(sent: World) -> None:
    """Each stage of the order and of the movement that serves it has words of its own."""
    assert says(sent) == "About to set off to the side of the car."
    steps(sent, 1)
    assert says(sent) == "Looking for a way to the side of the car."
    steps(sent, 1)
    assert says(sent) == "Walking to the side of the car; 8 m to go."
    movement = ped_named(sent).movement
    until(sent, lambda: movement.position.x > 510.0)
    assert says(sent) == "Walking to the side of the car; 5 m to go."
    until(sent, lambda: movement.position.x > 901.0)
    assert says(sent) == "Walking to the side of the car; almost there."
    until(sent, lambda: ped_named(sent).order.completed)
    assert says(sent) == "Has carried out its order."
    steps(sent, 2)
    assert says(sent) == "Standing about."


def test_a_held_order_waits_for_a_signal(sent: World) -> None:
    steps(sent, 60)
    ped = ped_named(sent)
    assert perform(sent, HoldOrder(ped.ref, ped.order.session)).accepted
    steps(sent, 1)
    assert says(sent) == "Waiting for a signal on the way to the side of the car."
    assert perform(sent, ContinueOrder(ped.ref, ped.order.session)).accepted
    steps(sent, 1)
    assert says(sent).startswith("Walking to the side of the car;")


def test_where_nothing_leads_it_waits_for_a_decision() -> None:
    """ORD-16: the order asks, and the sentence says what for."""
    wall = barrier(30, 600.0, 800.0, 20.0, 1600.0)
    world = World(courier_street(obstacles=(wall,)))
    assert start(world).accepted
    until(world, lambda: ped_named(world).order.failure_count == 1)
    assert says(world) == "Nothing leads to the side of the car: waiting for a decision."


def test_a_reason_without_words_of_its_own_still_makes_a_sentence(sent: World) -> None:
    steps(sent, 2)
    ped = ped_named(sent)
    ped.movement.fail(MoveReason.BAD_REPLY)
    steps(sent, 1)
    assert says(sent) == "Can't get to the side of the car: waiting for a decision."


def test_a_blocked_ped_is_held_up() -> None:
    """The wall is unknown to the path and met on the way; nothing is said before 0.3 s."""
    wall = barrier(30, 600.0, 800.0, 20.0, 1600.0, nav_block=False)
    world = World(courier_street(obstacles=(wall,)))
    assert start(world).accepted
    movement = ped_named(world).movement
    until(world, lambda: movement.blocked_time > 0.2)
    assert says(world).startswith("Walking to the side of the car;")
    until(world, lambda: movement.blocked_time > 0.35)
    assert says(world).startswith("Held up on the way to the side of the car; 4 m to go.")


def test_a_cancelled_order_is_over(sent: World) -> None:
    steps(sent, 30)
    ped = ped_named(sent)
    assert perform(sent, CancelOrder(ped.ref, ped.order.session)).accepted
    steps(sent, 2)
    assert says(sent) == "Standing about."


def test_a_ped_that_turns_round_first_says_so() -> None:
    """It looks away from the car: yaw 180 degrees."""
    away = replace(person(10, "courier", 200.0, 600.0), yaw_rad=3.14)
    world = World(courier_street(peds=(away,)))
    assert start(world).accepted
    steps(world, 5)
    assert says(world) == "Turning round to go to the side of the car; 8 m to go."


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (SuspendReason.SUPPRESSED, "Held in place by the scene"),
        (SuspendReason.VEHICLE, "In a vehicle"),
        (SuspendReason.BODY, "Down on the ground"),
    ],
)
def test_what_keeps_the_body_comes_before_the_order(
    sent: World, reason: SuspendReason, words: str
) -> None:
    """NAV-21: a suspended movement is told by its reason, and the order has not gone."""
    steps(sent, 30)
    ped = ped_named(sent)
    sent.coordination.set_reason(ped.slot, reason, True)
    steps(sent, 1)
    assert says(sent) == f"{words}; the order waits."


def test_a_timed_stand_counts_down() -> None:
    """NAV-20."""
    world = World(courier_street())
    ped_named(world).movement.stand(3.0)
    steps(world, 30)
    assert says(world) == "Standing still for 2 s."


@pytest.mark.parametrize(
    ("task", "words"),
    [("stand", "Standing about."), ("do_nothing", "Doing nothing.")],
)
def test_default_tasks_have_sentences(task: str, words: str) -> None:
    world = World(street(peds=(person(3, "ann", 1000.0, 800.0, task=task),)))
    steps(world, 2)
    assert says(world, "ann") == words


def test_a_stroller_is_followed_through_its_walk() -> None:
    """TASK-121: choose, walk, pause, each told."""
    world = World(street(peds=(person(3, "ann", 1000.0, 800.0, task="wander"),)))
    heard: list[str] = []
    for _ in range(1500):
        words = says(world, "ann").partition(";")[0].rstrip(".")
        if not heard or heard[-1] != words:
            heard.append(words)
        if words == "Looking round":
            break
        world.step()
    assert heard[0] == "Choosing where to go"
    assert "Looking for a way to a spot by the bench" in heard
    assert "Walking to a spot by the bench" in heard
    assert heard[-1] == "Looking round"


def test_the_players_ped_waits_for_its_player() -> None:
    you = replace(person(3, "you", 1000.0, 800.0), options={"player": True}, default_task="")
    world = World(street(peds=(you,)))
    steps(world, 2)
    assert says(world, "you") == "Waiting for you to steer."
    world.player_controls.heading_rad = 0.0
    world.player_controls.mbr = 1.0
    steps(world, 60)
    assert says(world, "you") == "Walking as you steer."
    world.player_controls.mbr = 2.0
    steps(world, 90)
    assert says(world, "you") == "Running as you steer."


def test_a_ped_on_its_way_out_is_leaving() -> None:
    world = World(courier_street())
    ped = ped_named(world)
    world.peds.request_removal(ped.ref)
    assert says(world) == "Leaving the street."
