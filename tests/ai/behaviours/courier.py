"""A courier under orders: a street with two cars, and what can be done to them by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from ai.behaviours.order_commands import (
    CancelOrder,
    ContinueOrder,
    HoldOrder,
    OrderReply,
    RedirectOrder,
    RedirectOrderTo,
    StartOrder,
    StartOrderAt,
)
from ai.behaviours.order_record import OrderState, OrderStatus
from ai.motion.execution import MoveExecution
from ai.motion.movement_table import RECORDS_PER_PED, MovementSlot, MoveReason, SuspendReason
from ai.peds.ped import Ped
from ai.ports import EntityRef, Vec3
from ai.tasks.task import Task
from ai.tasks.trees import MOVEMENT, PRIMARY, PrimarySlot
from game.world.description import LevelDescription
from game.world.world import World
from tests.ai.behaviours.stand_ins import Faller, Idler, respond
from tests.streets import CAR_OFFSET, courier_street, ped_named, perform, steps, thing, until

GOAL_A = Vec3(1000.0, 600.0)
"""The side of car A, by hand: (1200, 600) + (-200, 0)."""
GOAL_B = Vec3(900.0, 1100.0)
"""The side of car B, turned by 90 degrees: (900, 1300) + (0, -200)."""

PHYSICAL = PrimarySlot.PHYSICAL_RESPONSE
TEMP = PrimarySlot.EVENT_RESPONSE_TEMP
NONTEMP = PrimarySlot.EVENT_RESPONSE_NONTEMP
MAIN = PrimarySlot.PRIMARY


class Courier:
    """The world of one courier.

    - ``source`` is a source of its own, used by ``start`` unless another is given.
    """

    def __init__(
        self,
        street: LevelDescription | None = None,
        *,
        period: int = 1,
        world: World | None = None,
    ) -> None:
        if world is None:
            world = World(street or courier_street(), strict=True, ped_capacity=16)
        self.world = world
        self.ped: Ped = ped_named(world)
        self.ped.intelligence.fix_period(period)
        self.source = self.world.sources.create("test")
        self.car_a = thing(self.world, "car_a")
        self.car_b = thing(self.world, "car_b")

    # -- looking -----------------------------------------------------------------

    @property
    def movement(self) -> MoveExecution:
        return self.ped.movement

    @property
    def row(self) -> int:
        return self.ped.slot * RECORDS_PER_PED + int(MovementSlot.GENERAL)

    @property
    def order(self) -> OrderState:
        order = self.world.order_book.order_of(self.ped.ref)
        assert order is not None
        return order

    @property
    def status(self) -> OrderStatus:
        return self.order.status

    @property
    def xy(self) -> tuple[float, float]:
        return self.ped.position.x, self.ped.position.y

    def task(self, slot: int = MAIN, tree: int = PRIMARY) -> Task | None:
        return self.ped.tasks.tree(tree).get_task(slot)

    def facts(self, name: str | None = None) -> list[str]:
        return [row.fact for row in self.world.facts.of(self.ped.ped_id, name)]

    def counts(self) -> tuple[int, int, int, int]:
        """Session, instructions, failures, movement generation."""
        order = self.order
        return (
            order.session,
            order.instruction_count,
            order.failure_count,
            self.movement.generation,
        )

    # -- commanding ----------------------------------------------------------------

    def start(
        self,
        target: EntityRef | None = None,
        offset: Vec3 = CAR_OFFSET,
        source: EntityRef | None = None,
    ) -> OrderReply:
        return perform(
            self.world,
            StartOrder(self.ped.ref, target or self.car_a, offset, source or self.source),
        )

    def start_at(self, x: float, y: float) -> OrderReply:
        return perform(self.world, StartOrderAt(self.ped.ref, Vec3(x, y), self.source))

    def hold(self, session: int = 1) -> OrderReply:
        return perform(self.world, HoldOrder(self.ped.ref, session))

    def go_on(self, session: int = 1) -> OrderReply:
        return perform(self.world, ContinueOrder(self.ped.ref, session))

    def redirect(self, session: int = 1, target: EntityRef | None = None) -> OrderReply:
        return perform(
            self.world, RedirectOrder(self.ped.ref, session, target or self.car_b, CAR_OFFSET)
        )

    def redirect_to(self, x: float, y: float, session: int = 1) -> OrderReply:
        return perform(self.world, RedirectOrderTo(self.ped.ref, session, Vec3(x, y)))

    def cancel(self, session: int = 1) -> OrderReply:
        return perform(self.world, CancelOrder(self.ped.ref, session))

    # -- bringing about --------------------------------------------------------------

    def step(self, count: int = 1) -> None:
        steps(self.world, count)

    def travel(self, count: int = 30) -> None:
        """An order on its way to car A for some steps."""
        assert self.start().accepted
        self.step(count)
        assert self.status is OrderStatus.TRAVELLING

    def fail_it(self) -> None:
        """A movement failure that the order takes in the same step."""
        self.movement.fail(MoveReason.BLOCKED)
        self.step()
        assert self.status is OrderStatus.AWAITING_DECISION

    def put(self, task: Task, slot: int) -> Task:
        """Put a task of somebody else into a slot of the main tree."""
        if slot < PrimarySlot.PRIMARY:
            return respond(self.ped, task, slot)
        self.ped.tasks.set_task(PRIMARY, task, slot)
        return task

    def clear(self, slot: int, tree: int = PRIMARY) -> None:
        self.ped.tasks.set_task(tree, None, slot)

    def body(self, down: bool) -> None:
        """What a recovery states of the body."""
        self.world.coordination.set_reason(self.ped.slot, SuspendReason.BODY, down)

    def fall(self) -> Faller:
        """A knock-down: overlay above, body down."""
        faller = Faller()
        self.put(faller, PHYSICAL)
        self.body(True)
        return faller

    def get_up(self) -> None:
        self.body(False)
        self.clear(PHYSICAL)

    def respond(self, slot: int = NONTEMP) -> Idler:
        """An event response that moves nothing."""
        idler = Idler()
        self.put(idler, slot)
        return idler

    # -- the whole state, for "nothing has changed" -------------------------------------

    def snapshot(self) -> bytes:
        """Everything of ped, trees, movement, desk, book and pools, byte by byte."""
        world, ped = self.world, self.ped
        table = world.table
        arrays = [
            array.tobytes() for array in vars(table).values() if isinstance(array, np.ndarray)
        ]
        trees = [
            [_chain(task) for task in tree.slots]
            for tree in (ped.tasks.tree(index) for index in range(4))
        ]
        desk = world.orders
        text = repr(
            (
                trees,
                [(slot, repr(task)) for slot, task in ped.tasks.tree(MOVEMENT).mail.items()],
                table.paths,
                table.owners,
                ped.tasks_suppressed,
                ped.vehicle_link,
                ped.retired,
                ped.intelligence.needs_full_update,
                world.order_book.order_of(ped.ref),
                [entry.order.session for entry in world.order_book.live],
                len(desk._queue),
                len(desk.log),
                desk._start._last_session,
                world.scripts._last_number,
                world.scripts.waiting_source(ped),
                world.scripts.main_identity(ped),
                world.movement.claims.held(ped.slot),
                world.movement.desk.handle(self.row),
                world.sources._pool._generations[:32],
                len(world.sources),
                world.objects._markers._pool._generations[:32],
                world.objects.marker_count,
                world.pool.used,
                world.pool._last_uid,
            )
        )
        return b"".join(arrays) + text.encode()


def _chain(task: Task | None) -> list[tuple[Any, ...]]:
    links = []
    while task is not None:
        links.append(
            (task.uid, repr(task), int(task.state), task.flags, task.outcome, task.time_running)
        )
        task = task.child
    return links


def until_status(courier: Courier, status: OrderStatus, limit: int = 3000) -> int:
    """Run until the order has a status; returns the steps taken."""
    return until(courier.world, lambda: courier.status is status, limit)


def bring_to(courier: Courier, status: str) -> None:
    """An order of session 1 in a status."""
    if status == "pending":
        courier.fall()
        assert courier.start().accepted
        courier.step(3)
        assert courier.status is OrderStatus.PENDING
        return
    courier.travel()
    if status == "held":
        assert courier.hold().accepted
        courier.step(5)
    elif status == "awaiting":
        courier.fail_it()
        courier.step(5)
