"""The state trace: one row a ped a step, one column a fact (NAV-23)."""

from __future__ import annotations

from ai.motion.movement_table import MoveStatus, PositionWriter
from ai.peds.trace_rows import StateTrace, TraceRow
from ai.ports import Vec3
from game.world.world import World
from tests.streets import courier_street, ped_named, person, start, steps

COLUMNS = [
    "step", "ped_id", "source", "session", "order_status", "instruction_count", "failure_count",
    "order_goal", "movement_goal", "generation", "movement_status", "movement_reason", "suspend",
    "command_hold", "stand_until", "recovery_phase", "recovery_session", "position", "yaw",
    "position_writer", "clip_phase",
    "clip_time", "measured_speed", "travelled", "blocked_time", "retry_count",
]  # fmt: skip


def test_the_row_schema() -> None:
    """NAV-23: the columns, none of them a collapse of others."""
    assert list(TraceRow._fields) == COLUMNS


def test_every_ped_has_a_row_in_every_step() -> None:
    """NAV-23: in (step, ped id) order; a row shows its step's end."""
    world = World(
        courier_street(peds=(person(10, "courier", 200.0, 600.0), person(5, "x", 200.0, 1200.0))),
        strict=True,
        state_trace=True,
        ped_capacity=8,
    )
    assert start(world).accepted
    steps(world, 40)
    trace = world.state_trace
    assert isinstance(trace, StateTrace)
    assert [(row.step, row.ped_id) for row in trace.rows] == [
        (step, ped_id) for step in range(40) for ped_id in (5, 10)
    ]
    last = trace.of(10)[-1]
    courier = ped_named(world)
    assert (last.position, last.generation) == (courier.position, courier.movement.generation)
    assert (last.session, last.order_status, last.order_goal) == (
        1,
        "TRAVELLING",
        Vec3(1000.0, 600.0),
    )
    assert last.movement_status is MoveStatus.WALKING
    assert last.position_writer is PositionWriter.EXECUTOR
    idle = trace.of(5)[-1]
    assert (idle.session, idle.order_status, idle.order_goal, idle.source) == (
        0,
        "NOT_STARTED",
        None,
        None,
    )
    assert idle.position_writer is PositionWriter.NONE
