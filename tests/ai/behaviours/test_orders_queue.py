"""Commands are queued, carried out in their order, written down, and can be replayed (ORD-22)."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from typing import Any

from ai.behaviours.order_commands import (
    CancelOrder,
    ContinueOrder,
    HoldOrder,
    OrderCommand,
    OrderLogLine,
    RedirectOrder,
    RedirectOrderTo,
    Refusal,
    StartOrder,
    StartOrderAt,
)
from ai.behaviours.order_record import OrderStatus
from ai.ports import EntityRef, Vec3
from game.world.world import World
from tests.ai.behaviours.courier import GOAL_B, Courier
from tests.ai.behaviours.stand_ins import Idler
from tests.streets import CAR_OFFSET, courier_street, ped_named, thing


def submit(courier: Courier, *commands: OrderCommand) -> list[int]:
    return [courier.world.orders.submit(command) for command in commands]


def test_commands_run_in_phase_2_in_the_order_they_came() -> None:
    """ORD-22: queued with (step, seq), drained before the walk update; nothing happens earlier."""
    courier = Courier()
    numbers = submit(
        courier,
        StartOrder(courier.ped.ref, courier.car_a, CAR_OFFSET, courier.source),
        HoldOrder(courier.ped.ref, 1),
        RedirectOrder(courier.ped.ref, 1, courier.car_b, CAR_OFFSET),
    )
    assert numbers == [1, 2, 3]
    assert courier.world.orders.log == []
    assert courier.world.order_book.order_of(courier.ped.ref) is None
    courier.step()
    assert [line.sequence for line in courier.world.orders.log] == [1, 2, 3]
    assert [line.reply.reason for line in courier.world.orders.log] == [
        Refusal.NONE,
        Refusal.NOT_TRAVELLING,
        Refusal.NONE,
    ]
    assert courier.status is OrderStatus.TRAVELLING
    assert courier.movement.goal == courier.order.goal


def test_hold_then_redirect_in_one_step() -> None:
    """ORD-22: the redirect withdraws the hold: TRAVELLING to B, 3 instructions."""
    courier = Courier()
    courier.travel()
    submit(
        courier,
        HoldOrder(courier.ped.ref, 1),
        RedirectOrder(courier.ped.ref, 1, courier.car_b, CAR_OFFSET),
    )
    courier.step()
    assert courier.status is OrderStatus.TRAVELLING
    assert courier.order.instruction_count == 3
    assert not courier.movement.command_hold
    assert math_close(courier.order.goal, GOAL_B)


def test_redirect_then_hold_in_one_step() -> None:
    """ORD-22: the hold comes last: WAITING_FOR_SIGNAL, goal B, 3 instructions."""
    courier = Courier()
    courier.travel()
    submit(
        courier,
        RedirectOrder(courier.ped.ref, 1, courier.car_b, CAR_OFFSET),
        HoldOrder(courier.ped.ref, 1),
    )
    here = courier.xy
    courier.step(60)
    assert courier.status is OrderStatus.WAITING_FOR_SIGNAL
    assert courier.order.instruction_count == 3
    assert courier.movement.command_hold
    assert courier.xy == here
    assert math_close(courier.order.goal, GOAL_B)


def math_close(one: Vec3, other: Vec3) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) < 1e-6


def test_at_most_256_commands_a_step() -> None:
    """ORD-22: of 300 commands 256 run in the first step, the rest in the second."""
    courier = Courier()
    submit(courier, *[HoldOrder(courier.ped.ref, 1)] * 300)
    courier.step()
    assert len(courier.world.orders.log) == 256
    courier.step()
    lines = courier.world.orders.log
    assert [line.sequence for line in lines] == list(range(1, 301))
    assert [line.step for line in lines] == [0] * 256 + [1] * 44


def test_a_log_line_says_all_that_matters() -> None:
    """ORD-22: step, seq, ped, source, session, command, reply, status, counts, generation."""
    courier = Courier()
    courier.travel()
    command = HoldOrder(courier.ped.ref, 1)
    submit(courier, command)
    courier.step()
    (line,) = courier.world.orders.log
    assert line == OrderLogLine(
        step=30,
        sequence=1,
        command=command,
        reply=line.reply,
        ped_id=courier.ped.ped_id,
        source=courier.source,
        status=OrderStatus.WAITING_FOR_SIGNAL,
        failure_count=0,
        generation=courier.movement.generation,
    )
    assert (line.reply.session, line.reply.instruction_count) == (1, 2)


def test_a_command_to_nobody_is_written_down_too() -> None:
    """ORD-22: each command yields a line."""
    courier = Courier()
    submit(courier, CancelOrder(courier.ped.ref._replace(generation=77), 1))
    courier.step()
    (line,) = courier.world.orders.log
    assert (line.reply.reason, line.ped_id, line.status) == (Refusal.NO_PED, -1, None)


def test_a_start_that_finds_the_pool_full_is_not_lost() -> None:
    """TASK-89: a pool of 36 usable slots, all taken: the order runs once tasks are freed.

    Commands behind it in the queue are carried out meanwhile; one of them may free tasks.
    """
    courier = Courier()
    courier.step(2)
    world = courier.world
    pool = world.pool
    pool.slots = pool.used + 36 + pool.essential_reserve
    ballast = [Idler() for _ in range(36)]
    submit(
        courier,
        StartOrder(courier.ped.ref, courier.car_a, CAR_OFFSET, courier.source),
        HoldOrder(courier.ped.ref, 1),
    )
    courier.step(5)
    assert [line.sequence for line in world.orders.log] == [2]
    assert world.order_book.order_of(courier.ped.ref) is None
    for task in ballast:
        task.discard()
    courier.step()
    assert [line.sequence for line in world.orders.log] == [2, 1]
    assert courier.status is OrderStatus.TRAVELLING


# -- replay ------------------------------------------------------------------------------------


def random_command(rng: random.Random, world: World, sources: list[EntityRef]) -> OrderCommand:
    ped = ped_named(world)
    session = max(1, ped.order.session - (rng.random() < 0.1))
    car = thing(world, rng.choice(["car_a", "car_b"]))
    place = Vec3(rng.uniform(50.0, 1950.0), rng.uniform(50.0, 1550.0))
    return rng.choice(
        [
            StartOrder(ped.ref, car, CAR_OFFSET, rng.choice(sources)),
            StartOrderAt(ped.ref, place, rng.choice(sources)),
            StartOrder(ped.ref, car, Vec3(5000.0, 0.0), None),
            HoldOrder(ped.ref, session),
            ContinueOrder(ped.ref, session),
            RedirectOrder(ped.ref, session, car, CAR_OFFSET),
            RedirectOrderTo(ped.ref, session, place),
            CancelOrder(ped.ref, session),
        ]
    )


def in_world(command: OrderCommand, world: World) -> OrderCommand:
    """The same command with its handles in another world of the same level."""
    changes: dict[str, Any] = {}
    for one in fields(command):
        value = getattr(command, one.name)
        if isinstance(value, EntityRef):
            changes[one.name] = value._replace(world=world.number)
    return replace(command, **changes)


def plain(line: OrderLogLine, world: World) -> OrderLogLine:
    source = None if line.source is None else line.source._replace(world=world.number)
    return replace(line, command=in_world(line.command, world), source=source)


def test_replaying_the_log_reproduces_the_run() -> None:
    """ORD-22: the log's commands, queued again in their steps, give the same hash and log."""
    rng = random.Random(22)
    first = World(courier_street(), strict=True, ped_capacity=16)
    sources = [first.sources.create(name) for name in ("a", "b")]
    for _ in range(900):
        while rng.random() < 0.05:
            first.orders.submit(random_command(rng, first, sources))
        first.step()
    log = first.orders.log
    assert len(log) > 25
    assert {line.reply.accepted for line in log} == {True, False}

    second = World(courier_street(), strict=True, ped_capacity=16)
    for name in ("a", "b"):
        second.sources.create(name)
    todo = list(log)
    for step in range(900):
        while todo and todo[0].step == step:
            second.orders.submit(in_world(todo.pop(0).command, second))
        second.step()
    assert [plain(line, second) for line in log] == second.orders.log
    assert second.fingerprint.hexdigest() == first.fingerprint.hexdigest()

    third = World(courier_street(), strict=True, ped_capacity=16)
    for name in ("a", "b"):
        third.sources.create(name)
    third.orders.submit(in_world(log[0].command, third))
    for _ in range(900):
        third.step()
    assert third.fingerprint.hexdigest() != first.fingerprint.hexdigest(), "the log matters"
