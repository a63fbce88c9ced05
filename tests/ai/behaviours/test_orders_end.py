"""How an order ends, and that it leaves nothing behind (ORD-17, ORD-18)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ai.behaviours.order_commands import Refusal, StartOrder, StartOrderAt
from ai.behaviours.order_record import EndCause, OrderState, OrderStatus
from ai.behaviours.order_task import OrderTask
from ai.events.command_records import CommandStatus
from ai.motion.movement_table import MoveReason, MoveStatus
from ai.peds.ped import Ped
from ai.ports import Vec3
from tests.ai.behaviours.courier import NONTEMP, Courier, until_status
from tests.ai.behaviours.stand_ins import Idler, Walker
from tests.streets import CAR_OFFSET, perform


@pytest.mark.parametrize("period", [1, 15])
def test_arrived_completed_and_finished_are_three_entries(period: int) -> None:
    """ORD-17: ARRIVED and COMPLETED in one step, the task's end at its next, forced, update."""
    courier = Courier(period=period)
    courier.travel()
    until_status(courier, OrderStatus.COMPLETED)
    entry = courier.world.order_book.entry(courier.ped.ref)
    assert entry is not None
    scripts = courier.world.scripts
    assert courier.movement.status is MoveStatus.ARRIVED
    assert courier.task() is not None, "post-passes write records only"
    assert scripts.command_status(entry.command) is CommandStatus.PERFORMING
    assert courier.world.movement.claims.held(courier.ped.slot) == (), "the claim is released"
    courier.step()
    assert courier.task() is None
    assert scripts.command_status(entry.command) is CommandStatus.FINISHED
    rows = [
        row
        for row in courier.world.facts.of(courier.ped.ped_id)
        if row.fact in ("ARRIVED", "COMPLETED", "ORDER_TASK_FINISHED")
    ]
    assert [row.fact for row in rows] == ["ARRIVED", "COMPLETED", "ORDER_TASK_FINISHED"]
    arrived, completed, finished = rows
    assert (arrived.step, arrived.phase) == (completed.step, 11)
    assert completed.phase == 13
    assert (finished.step, finished.phase) == (completed.step + 1, 6)
    assert finished.details == (1, "SUCCEEDED")


@pytest.mark.parametrize("period", [1, 15])
def test_a_failure_is_taken_by_the_task_in_the_next_step(period: int) -> None:
    """ORD-15, ORD-16: whatever the slice, nothing is kept moving once a decision is awaited."""
    courier = Courier(period=period)
    courier.travel()
    assert courier.movement.fail(MoveReason.BLOCKED)
    until_status(courier, OrderStatus.AWAITING_DECISION)
    courier.step()
    task = courier.task()
    assert isinstance(task, OrderTask)
    assert task.state == OrderTask.State.AWAIT
    assert task.child is None


def test_arrival_under_a_hold_is_not_taken_before_the_signal() -> None:
    """ORD-17, LOC-11: Hold shortly before the end of the stop pose: no ARRIVED while held."""
    probe = Courier()
    probe.travel()
    until_status(probe, OrderStatus.COMPLETED)
    completed = probe.world.clock.step

    courier = Courier()
    courier.travel()
    courier.step(completed - 12 - courier.world.clock.step)
    assert courier.hold().accepted
    courier.step(120)
    assert courier.status is OrderStatus.WAITING_FOR_SIGNAL
    assert "ARRIVED" not in courier.facts()
    assert courier.go_on().accepted
    until_status(courier, OrderStatus.COMPLETED, 240)


# -- lost references (ORD-18) ------------------------------------------------------------------


def nothing_held(courier: Courier, ped: Ped) -> None:
    world = courier.world
    assert world.movement.claims.held(ped.slot) == ()
    assert world.movement.desk.handle(ped.slot * 3 + 1) is None
    assert world.objects.marker_count == 0
    assert world.order_book.live == []


@pytest.mark.parametrize("when", ["pending", "travelling", "held", "awaiting"])
def test_an_order_ends_with_its_source(when: str) -> None:
    """ORD-18: source gone: CANCELLED with SOURCE_GONE, in the pre-pass of the same step."""
    courier = Courier()
    source = courier.world.sources.create("cue script")
    if when == "pending":
        courier.fall()
    assert perform(
        courier.world, StartOrder(courier.ped.ref, courier.car_a, CAR_OFFSET, source)
    ).accepted
    courier.step(20)
    if when == "held":
        assert courier.hold().accepted
    if when == "awaiting":
        courier.fail_it()
    courier.step(3)
    assert courier.world.sources.destroy(source)
    courier.step()
    assert (courier.status, courier.order.end_cause) == (
        OrderStatus.CANCELLED,
        EndCause.SOURCE_GONE,
    )
    assert courier.task() is None
    assert courier.world.scripts.waiting_source(courier.ped) is None
    nothing_held(courier, courier.ped)
    if when != "pending":
        assert courier.movement.status is MoveStatus.CANCELLED
    assert courier.hold().reason is Refusal.SESSION_ENDED


@pytest.mark.parametrize("when", ["pending", "waiting for the path", "travelling", "interrupted"])
def test_an_order_ends_with_its_ped(when: str) -> None:
    """ORD-18: ped retired: CANCELLED with PED_GONE, query and claims released, nothing leaks."""
    courier = Courier()
    world = courier.world
    tasks, peds, sources = world.pool.used, len(world.peds), len(world.sources)
    guest = world.peds.spawn(
        replace(courier.ped.traits, name="guest", named_default_task="stand"),
        Vec3(300.0, 1300.0),
        0.0,
    )
    if when == "pending":
        guest.tasks.set_task(0, Idler(), NONTEMP - 2)
    command = StartOrder(guest.ref, courier.car_a, CAR_OFFSET)
    assert perform(world, command).accepted
    courier.step({"pending": 5, "waiting for the path": 1}.get(when, 40))
    if when == "interrupted":
        guest.tasks.set_task(0, Walker(Vec3(300.0, 900.0)), NONTEMP)
        courier.step(10)
    order = world.order_book.order_of(guest.ref)
    assert order is not None
    assert order.live
    assert world.peds.request_removal(guest.ref)
    assert perform(world, command).reason is Refusal.PED_RETIRED
    courier.step()
    assert (order.status, order.end_cause) == (OrderStatus.CANCELLED, EndCause.PED_GONE)
    (ended,) = world.facts.of(guest.ped_id, "CANCELLED")
    assert (ended.phase, ended.details) == (6, (order.session, "PED_GONE")), "in the pre-pass"
    assert world.order_book.order_of(guest.ref) is None
    assert world.peds.resolve(guest.ref) is None
    assert perform(world, command).reason is Refusal.NO_PED
    nothing_held(courier, guest)
    assert (world.pool.used, len(world.peds), len(world.sources)) == (tasks, peds, sources)


def test_a_successor_in_the_slot_inherits_nothing() -> None:
    """ORD-18, section 12 (4): a ped in the same pool slot has no order, no path, no claim."""
    courier = Courier()
    world = courier.world
    traits = replace(courier.ped.traits, name="guest")
    guest = world.peds.spawn(traits, Vec3(300.0, 1300.0), 0.0)
    assert perform(world, StartOrder(guest.ref, courier.car_a, CAR_OFFSET)).accepted
    courier.step(1)
    assert guest.movement.path_pending
    world.peds.request_removal(guest.ref)
    courier.step(1)
    heir = world.peds.spawn(traits, Vec3(300.0, 1300.0), 0.0)
    assert heir.slot == guest.slot
    assert heir.ref != guest.ref
    courier.step(60)
    assert heir.position == Vec3(300.0, 1300.0)
    assert heir.order.status is OrderStatus.NOT_STARTED
    assert heir.movement.status is MoveStatus.IDLE


def test_a_hundred_orders_and_peds_leave_nothing_behind() -> None:
    """ORD-18: claims, query handles, markers, sources, commands, tasks and ped handles."""
    courier = Courier()
    world = courier.world
    courier.step(5)
    before = books(courier)
    records: list[OrderState] = []
    for number in range(100):
        guest = world.peds.spawn(
            replace(courier.ped.traits, name=f"guest{number}"),
            Vec3(200.0 + 15.0 * (number % 50), 1300.0),
            0.0,
        )
        if number % 2:
            command = StartOrder(guest.ref, courier.car_a, CAR_OFFSET)
        else:
            command = StartOrderAt(guest.ref, Vec3(700.0, 900.0))
        if number % 5 == 0:
            guest.tasks.set_task(0, Idler(), 0)
        assert perform(world, command).accepted
        order = world.order_book.order_of(guest.ref)
        assert order is not None
        records.append(order)
        courier.step(number % 4)
        world.peds.request_removal(guest.ref)
        courier.step(1)
    courier.step(2)
    assert books(courier) == before
    assert {record.end_cause for record in records} == {EndCause.PED_GONE}
    world.close()
    assert world.pool.used == 0


def books(courier: Courier) -> dict[str, object]:
    """Everything that could leak."""
    world = courier.world
    return {
        "tasks": world.pool.used,
        "peds": len(world.peds),
        "markers": world.objects.marker_count,
        "sources": len(world.sources),
        "live": len(world.order_book.live),
        "entries": len(world.order_book._entries),
        "commands": len(world.scripts._peds),
        "claims": [world.movement.claims.held(slot) for slot in range(16)],
        "queries": [world.movement.desk.handle(row) for row in range(48)],
        "present": int(world.table.present.sum()),
    }
