"""Starting an order: the checks in their order, and the transaction behind them."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from ai.behaviours.order_commands import OrderReply, Refusal, StartOrder
from ai.behaviours.order_record import EndCause, OrderStatus
from ai.behaviours.order_task import OrderTask
from ai.events.command_records import CommandRefused, CommandStatus, RefusalReason
from ai.motion.claims import ClaimOwner
from ai.motion.movement_table import MoveStatus
from ai.peds.trace_rows import trace_row
from ai.ports import EntityKind, EntityRef, ObjectTransform, Vec3
from ai.tasks.task_errors import TaskPoolFull
from game.world.world import World
from tests.ai.behaviours.courier import GOAL_A, MAIN, NONTEMP, PHYSICAL, TEMP, Courier
from tests.ai.behaviours.stand_ins import Idler
from tests.streets import CAR_OFFSET, courier_street, perform, prop

CRATE = prop(60, "crate", 500.0, 1200.0, 25.0, 40.0)


@dataclass
class Attempt:
    """A start that would be accepted, until something is broken."""

    courier: Courier = field(
        default_factory=lambda: Courier(replace(courier_street(), props=(CRATE,)))
    )
    ped: EntityRef = None  # type: ignore[assignment]
    target: EntityRef = None  # type: ignore[assignment]
    offset: Vec3 = CAR_OFFSET
    source: EntityRef | None = None

    def __post_init__(self) -> None:
        self.ped = self.courier.ped.ref
        self.target = self.courier.car_a
        self.source = self.courier.world.sources.create("giver")

    @property
    def world(self) -> World:
        return self.courier.world

    def make(self) -> OrderReply:
        return perform(self.world, StartOrder(self.ped, self.target, self.offset, self.source))

    def crate(self) -> EntityRef:
        found = self.world.things.by_name("crate60")
        assert found is not None
        return found.ref

    def read_as(self, **changes: object) -> None:
        """Have the object's transform read with other numbers."""
        objects, target = self.world.objects, self.target
        honest = objects.transform

        def transform(ref: EntityRef) -> ObjectTransform | None:
            read = honest(ref)
            return read._replace(**changes) if ref == target and read is not None else read

        objects.transform = transform  # type: ignore[method-assign]


# -- row by row --------------------------------------------------------------------------------


def no_ped(attempt: Attempt) -> None:
    attempt.ped = attempt.ped._replace(generation=attempt.ped.generation + 1)


def a_prop_for_a_ped(attempt: Attempt) -> None:
    attempt.ped = attempt.crate()


def retired(attempt: Attempt) -> None:
    assert attempt.world.peds.request_removal(attempt.ped)


def dead_source(attempt: Attempt) -> None:
    assert attempt.source is not None
    assert attempt.world.sources.destroy(attempt.source)


def never_a_source(attempt: Attempt) -> None:
    attempt.source = EntityRef(EntityKind.ORDER_SOURCE, 9, 1, attempt.world.number)


def gone(attempt: Attempt) -> None:
    attempt.target = attempt.crate()
    attempt.world.things.request_removal(attempt.target)
    attempt.world.things.remove_dying()


def a_ped_for_an_object(attempt: Attempt) -> None:
    attempt.target = attempt.courier.ped.ref


def other_world(attempt: Attempt) -> None:
    attempt.target = Courier().car_a
    attempt.world.pool.activate()


def dying(attempt: Attempt) -> None:
    attempt.target = attempt.crate()
    assert attempt.world.things.request_removal(attempt.target)


def offset_of(*offset: float) -> Callable[[Attempt], None]:
    def breaks(attempt: Attempt) -> None:
        attempt.offset = Vec3(*offset)

    breaks.__name__ = f"offset{offset}"
    return breaks


def transform_with(**changes: object) -> Callable[[Attempt], None]:
    def breaks(attempt: Attempt) -> None:
        attempt.read_as(**changes)

    breaks.__name__ = "_".join(changes)
    return breaks


def linked(attempt: Attempt) -> None:
    attempt.courier.ped.vehicle_link = attempt.courier.car_a


def suppressed(attempt: Attempt) -> None:
    attempt.courier.ped.tasks_suppressed = True


def running(attempt: Attempt) -> None:
    assert attempt.courier.start(source=attempt.source).accepted
    attempt.courier.step()


def command_of_another(attempt: Attempt) -> None:
    courier = attempt.courier
    assert courier.world.scripts.give_task(courier.ped, Idler(), source=courier.source, kind="idle")
    courier.step()


def order_of_another(attempt: Attempt) -> None:
    assert attempt.courier.start().accepted
    attempt.courier.step()


def main_task_of_nobody(attempt: Attempt) -> None:
    attempt.courier.put(Idler(), MAIN)
    attempt.courier.step()


def response_in(slot: int) -> Callable[[Attempt], None]:
    def breaks(attempt: Attempt) -> None:
        attempt.courier.respond(slot)
        attempt.courier.step()

    breaks.__name__ = f"response_{slot}"
    return breaks


def dormant_order_of_another(attempt: Attempt) -> None:
    order_of_another(attempt)
    attempt.courier.fall()
    attempt.courier.step()


def waiting_order_of_another(attempt: Attempt) -> None:
    attempt.courier.fall()
    assert attempt.courier.start().accepted


def waiting_command_of_another(attempt: Attempt) -> None:
    courier = attempt.courier
    assert courier.world.scripts.give_task(courier.ped, Idler(), source=courier.source, kind="idle")


ROWS: list[tuple[int, Refusal, Callable[[Attempt], None]]] = [
    (1, Refusal.NO_PED, no_ped),
    (1, Refusal.NO_PED, a_prop_for_a_ped),
    (1, Refusal.PED_RETIRED, retired),
    (2, Refusal.BAD_SOURCE, dead_source),
    (2, Refusal.BAD_SOURCE, never_a_source),
    (3, Refusal.NO_OBJECT, gone),
    (3, Refusal.NO_OBJECT, a_ped_for_an_object),
    (3, Refusal.OTHER_WORLD, other_world),
    (3, Refusal.OBJECT_DYING, dying),
    (4, Refusal.BAD_OFFSET, offset_of(math.nan, 0.0, 0.0)),
    (4, Refusal.BAD_OFFSET, offset_of(0.0, math.inf, 0.0)),
    (4, Refusal.BAD_OFFSET, offset_of(1e200, 0.0, 0.0)),
    (4, Refusal.BAD_OFFSET, offset_of(0.0, 2000.1, 0.0)),
    (4, Refusal.BAD_OFFSET, offset_of(0.0, 1500.0, -1500.0)),
    (5, Refusal.BAD_TRANSFORM, transform_with(position=Vec3(math.nan, 0.0))),
    (5, Refusal.BAD_TRANSFORM, transform_with(yaw_rad=math.inf)),
    (5, Refusal.BAD_TRANSFORM, transform_with(scale=Vec3(1.0, 0.0, 1.0))),
    (5, Refusal.BAD_TRANSFORM, transform_with(velocity=Vec3(0.0, math.nan))),
    (5, Refusal.BAD_GOAL, transform_with(scale=Vec3(1e308, 1.0, 1.0))),
    (5, Refusal.BAD_GOAL, transform_with(position=Vec3(1.1e6, 0.0))),
    (6, Refusal.VEHICLE_RELATION, linked),
    (7, Refusal.SUPPRESSED, suppressed),
    (8, Refusal.SESSION_RUNNING, running),
    (9, Refusal.FOREIGN_MAIN_ACTIVE, command_of_another),
    (9, Refusal.FOREIGN_MAIN_ACTIVE, order_of_another),
    (9, Refusal.FOREIGN_MAIN_ACTIVE, dormant_order_of_another),
    (9, Refusal.FOREIGN_MAIN_ACTIVE, main_task_of_nobody),
    (9, Refusal.FOREIGN_MAIN_ACTIVE, response_in(TEMP)),
    (9, Refusal.FOREIGN_MAIN_ACTIVE, response_in(NONTEMP)),
    (10, Refusal.FOREIGN_MAIN_PENDING, waiting_order_of_another),
    (10, Refusal.FOREIGN_MAIN_PENDING, waiting_command_of_another),
]


@pytest.mark.parametrize(
    ("refusal", "breaks"),
    [(refusal, breaks) for _, refusal, breaks in ROWS],
    ids=[f"{row}-{refusal.name}-{breaks.__name__}" for row, refusal, breaks in ROWS],
)
def test_a_failed_check_is_the_reply_and_changes_nothing(
    refusal: Refusal, breaks: Callable[[Attempt], None]
) -> None:
    """ORD-05: a test per row; ped, trees, movement, desk and pools byte for byte as before."""
    attempt = Attempt()
    breaks(attempt)
    before = attempt.courier.snapshot()
    reply = attempt.make()
    assert attempt.courier.snapshot() == before
    assert (reply.accepted, reply.reason, reply.session) == (False, refusal, 0)
    if refusal is not Refusal.NO_PED:
        assert reply.detail, "the reply names the value at fault"


BREAKERS = [
    (Refusal.NO_PED, no_ped),
    (Refusal.BAD_SOURCE, never_a_source),
    (Refusal.OBJECT_DYING, dying),
    (Refusal.BAD_OFFSET, offset_of(math.nan, 0.0, 0.0)),
    (Refusal.BAD_TRANSFORM, transform_with(yaw_rad=math.nan)),
    (Refusal.VEHICLE_RELATION, linked),
    (Refusal.SUPPRESSED, suppressed),
    (Refusal.FOREIGN_MAIN_ACTIVE, main_task_of_nobody),
    (Refusal.FOREIGN_MAIN_PENDING, waiting_command_of_another),
]


@pytest.mark.parametrize("first", range(len(BREAKERS)))
def test_the_first_failed_check_wins_over_all_later_ones(first: int) -> None:
    """ORD-05: "in this order; first failure is the reply"."""
    attempt = Attempt()
    for _, breaks in reversed(BREAKERS[first:]):
        breaks(attempt)
    assert attempt.make().reason is BREAKERS[first][0]


def test_a_running_session_is_said_before_its_own_main_task() -> None:
    """ORD-05 rows 8 and 9: the same source is told to redirect, not that its slot is taken."""
    attempt = Attempt()
    running(attempt)
    attempt.courier.respond()
    assert attempt.make().reason is Refusal.SESSION_RUNNING


def test_a_giver_without_a_source_owns_no_nameless_task() -> None:
    """ORD-05 row 9: a main task of nobody's is foreign to an order that brings its own source."""
    attempt = Attempt()
    attempt.source = None
    main_task_of_nobody(attempt)
    assert attempt.make().reason is Refusal.FOREIGN_MAIN_ACTIVE


def test_an_offset_of_exactly_the_limit_is_taken() -> None:
    """ORD-05 row 4: length <= 2000 cm."""
    attempt = Attempt(offset=Vec3(0.0, 1200.0, 1600.0))
    assert attempt.make().accepted


def test_a_ped_that_is_down_may_be_given_an_order() -> None:
    """ORD-05: the command waits, the order stays PENDING and starts when the body is up."""
    courier = Courier()
    courier.fall()
    assert courier.start().accepted
    courier.step(60)
    assert courier.status is OrderStatus.PENDING
    assert courier.movement.owner is None
    courier.get_up()
    courier.step()
    assert courier.status is OrderStatus.TRAVELLING
    assert courier.movement.goal == GOAL_A


def test_a_source_may_give_an_order_in_place_of_its_own_waiting_command() -> None:
    """ORD-05 row 10, EVT-67 step 8: only another source's pending command forbids it."""
    courier = Courier()
    courier.fall()
    scripts = courier.world.scripts
    waiting = scripts.give_task(courier.ped, Idler(), source=courier.source, kind="idle")
    assert waiting
    assert courier.start().accepted
    assert scripts.command_status(waiting) is CommandStatus.REPLACED


def test_the_task_of_an_ended_order_is_in_nobodys_way() -> None:
    """ORD-05 row 9, ORD-17: in the step after COMPLETED another source may start at once.

    The task that still stands in PRIMARY takes its own, ended record and finishes; the
    new order begins in its place.
    """
    courier = Courier()
    courier.travel()
    while not courier.order.completed:
        courier.step()
    assert isinstance(courier.task(), OrderTask)
    other = courier.world.sources.create("other")
    assert courier.start(courier.car_b, source=other).accepted
    courier.step()
    assert courier.status is OrderStatus.TRAVELLING
    assert (courier.order.session, courier.order.source) == (2, other)


def test_an_ended_orders_task_finishes_although_the_next_order_has_to_wait() -> None:
    """ORD-17: the desk has another order already when the old task reads its own record."""
    courier = Courier()
    courier.travel()
    while not courier.order.completed:
        courier.step()
    faller = courier.fall()
    assert courier.start(courier.car_b).accepted
    courier.step(3)
    assert isinstance(courier.task(), OrderTask), "dormant, over, not yet asked"
    courier.get_up()
    assert faller.is_deleted
    pool = courier.world.pool
    slots, pool.slots = pool.slots, pool.used + pool.essential_reserve
    courier.step()
    assert courier.task() is None
    assert courier.facts("ORDER_TASK_FINISHED") == ["ORDER_TASK_FINISHED"]
    assert courier.status is OrderStatus.PENDING
    pool.slots = slots
    courier.step()
    assert courier.status is OrderStatus.TRAVELLING


# -- the transaction ---------------------------------------------------------------------------


def test_an_accepted_start_creates_source_record_and_command() -> None:
    """ORD-06, ORD-14: PENDING, counts 1 and 0, the slot record; committed in the same step."""
    courier = Courier()
    sources = len(courier.world.sources)
    reply = perform(courier.world, StartOrder(courier.ped.ref, courier.car_a, CAR_OFFSET))
    assert (reply.accepted, reply.session, reply.instruction_count) == (True, 1, 1)
    order = courier.order
    assert order.status is OrderStatus.PENDING
    assert (order.instruction_count, order.failure_count, order.last_failure) == (1, 0, None)
    assert order.slot[:2] == (0, 3)
    assert (order.slot.source, order.slot.from_script) == (order.source, True)
    assert (order.slot.command_kind, order.slot.session) == ("goto_object", 1)
    assert len(courier.world.sources) == sources + 1
    assert courier.movement.owner is None
    courier.step()
    assert order.status is OrderStatus.TRAVELLING
    assert courier.movement.status is MoveStatus.WAITING_PATH
    held = courier.world.movement.claims.held(courier.ped.slot)
    assert [(claim.owner_kind, claim.tag) for claim in held] == [(ClaimOwner.ORDER, 1)]


def refuse_copy(courier: Courier, patch: pytest.MonkeyPatch) -> None:
    def full(task: OrderTask) -> OrderTask:
        raise TaskPoolFull("no slot")

    patch.setattr(OrderTask, "copy", full)


def refuse_making(courier: Courier, patch: pytest.MonkeyPatch) -> None:
    courier.world.pool.slots = courier.world.pool.used + courier.world.pool.essential_reserve


def refuse_mirrored(courier: Courier, patch: pytest.MonkeyPatch) -> None:
    courier.ped.is_mirrored = True


def refuse_giving(courier: Courier, patch: pytest.MonkeyPatch) -> None:
    def no(ped: object, task: OrderTask, **_: object) -> CommandRefused:
        task.discard()
        return CommandRefused(RefusalReason.UNKNOWN_PED)

    patch.setattr(courier.world.scripts, "give_task", no)


@pytest.mark.parametrize("place", [False, True], ids=["object", "place"])
@pytest.mark.parametrize(
    ("refuse", "detail"),
    [
        (refuse_making, "POOL_FULL"),
        (refuse_copy, "POOL_FULL"),
        (refuse_mirrored, "MIRRORED"),
        (refuse_giving, "UNKNOWN_PED"),
    ],
)
def test_start_rollback(
    place: bool,
    refuse: Callable[[Courier, pytest.MonkeyPatch], None],
    detail: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """ORD-06: refused inside the transaction: source, marker and record go, SLOT_REFUSED."""
    courier = Courier()
    courier.step(3)
    refuse(courier, monkeypatch)
    world = courier.world
    before = (courier.xy, world.pool.used, len(world.sources), world.objects.marker_count)
    trees = [list(courier.ped.tasks.tree(index).slots) for index in range(4)]
    if place:
        reply = courier.start_at(800.0, 800.0)
    else:
        reply = perform(world, StartOrder(courier.ped.ref, courier.car_a, CAR_OFFSET))
    assert (reply.reason, reply.detail) == (Refusal.SLOT_REFUSED, detail)
    after = (courier.xy, world.pool.used, len(world.sources), world.objects.marker_count)
    assert after == before
    assert [list(courier.ped.tasks.tree(index).slots) for index in range(4)] == trees
    assert world.order_book.order_of(courier.ped.ref) is None
    assert world.order_book.live == []
    monkeypatch.undo()
    world.pool.slots = 16_384
    courier.ped.is_mirrored = False
    assert courier.start().session == 1, "a refused start uses up no session"


def test_a_refused_claim_fails_task_and_order() -> None:
    """ORD-06: the first enter is all or nothing: SLOT_REFUSED, no claim, no request."""
    courier = Courier()
    claims = courier.world.movement.claims
    for tag in range(4):
        claims.take(courier.ped.slot, 60, ClaimOwner.STUMBLE, None, tag)
    assert courier.start().accepted
    record = courier.order
    courier.step()
    assert (record.status, record.end_cause) == (OrderStatus.CANCELLED, EndCause.SLOT_REFUSED)
    assert courier.movement.owner is None
    assert len(claims.held(courier.ped.slot)) == 4
    assert courier.task() is None
    assert courier.world.order_book.live == []


def test_a_pending_order_whose_command_is_dropped_is_cancelled() -> None:
    """ORD-03: from PENDING also: command replaced or dropped (NOT_COMMITTED)."""
    courier = Courier()
    courier.fall()
    assert courier.start().accepted
    order = courier.order
    other = courier.world.sources.create("other")
    assert courier.world.scripts.give_task(courier.ped, Idler(), source=other, kind="idle")
    courier.step()
    assert (order.status, order.end_cause) == (OrderStatus.CANCELLED, EndCause.NOT_COMMITTED)
    assert courier.world.order_book.live == []


def test_a_pending_order_whose_slot_refuses_is_cancelled() -> None:
    """EVT-66, ORD-03: a slot that refuses the write ends the command, and with it the order."""
    courier = Courier()
    courier.fall()
    assert courier.start().accepted
    order = courier.order
    courier.clear(PHYSICAL)
    courier.ped.is_mirrored = True
    used = courier.world.pool.used
    courier.step(2)
    assert (order.status, order.end_cause) == (OrderStatus.CANCELLED, EndCause.NOT_COMMITTED)
    assert courier.world.pool.used < used


def test_a_new_order_ends_one_that_had_lost_its_slot() -> None:
    """ORD-02: one live order per ped; claim, marker and source of the old one are given back."""
    courier = Courier()
    assert courier.start_at(1200.0, 1000.0).accepted
    courier.step(5)
    old = courier.order
    idler = Idler(updates_left=3)
    courier.put(idler, MAIN)
    courier.step(10)
    assert old.status is OrderStatus.TRAVELLING, "only a command or a lost reference ends it"
    other = courier.world.sources.create("other")
    assert courier.start(source=other).accepted
    assert (old.status, old.end_cause) == (OrderStatus.CANCELLED, EndCause.SUPERSEDED)
    assert courier.world.objects.marker_count == 0
    courier.step()
    held = courier.world.movement.claims.held(courier.ped.slot)
    assert [(claim.owner_kind, claim.tag) for claim in held] == [(ClaimOwner.ORDER, 2)]
    assert [entry.order.session for entry in courier.world.order_book.live] == [2]


# -- the record --------------------------------------------------------------------------------


def test_order_record_roundtrip() -> None:
    """ORD-02: a copy is equal, the trace row reads back to it, and neither follows the original."""
    courier = Courier()
    courier.travel()
    order = courier.order
    twin = copy.copy(order)
    assert twin == order
    assert copy.deepcopy(order) == order
    row = trace_row(courier.ped, 0)
    assert row.order_goal is not None
    read_back = replace(
        order,
        source=row.source,
        session=row.session,
        goal=row.order_goal,
        instruction_count=row.instruction_count,
        failure_count=row.failure_count,
        status=OrderStatus[row.order_status],
    )
    assert read_back == order
    courier.hold()
    assert twin != order
    assert (twin.status, order.status) == (
        OrderStatus.TRAVELLING,
        OrderStatus.WAITING_FOR_SIGNAL,
    )


def test_sessions_increase_and_are_never_used_twice() -> None:
    """ORD-02, ORD-04: a fresh start is a new session even with an identical goal."""
    courier = Courier()
    seen = []
    for _ in range(3):
        reply = courier.start()
        seen.append(reply.session)
        courier.step()
        assert courier.cancel(reply.session).accepted
    assert seen == [1, 2, 3]


def test_redirect_vs_new_session() -> None:
    """ORD-04: the same goal by redirect (session 1) and by cancel and start (session 2)."""
    traces = []
    for redirected in (True, False):
        courier = Courier()
        courier.travel(20)
        if redirected:
            assert courier.redirect().accepted
        else:
            assert courier.cancel().accepted
            assert courier.start(courier.car_b).accepted
        courier.step()
        traces.append((courier.order.session, courier.movement.generation, courier.order.goal))
    (one, first, goal), (two, second, same) = traces
    assert goal == same
    assert (one, two) == (1, 2)
    assert (first, second) == (2, 3), "a cancel is a generation of its own"
