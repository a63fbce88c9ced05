"""The state trace: one row per ped per step, from which any judgement can be rebuilt (NAV-23).

A judgement that a continuation is right needs ped, source, session, goal,
generation, body phase, position and result together; no column collapses them.
Columns of responses join when those exist.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ai.motion.movement_table import (
    ClipPhase,
    MoveReason,
    MoveStatus,
    PositionWriter,
    SuspendReason,
)
from ai.motion.recovery.phases import RecoveryPhase
from ai.ports import EntityRef, Vec3

if TYPE_CHECKING:
    from ai.peds.ped import Ped


class TraceRow(NamedTuple):
    """State of one ped at the end of one step. Lengths in cm, times in s, angles in rad."""

    step: int
    ped_id: int
    source: EntityRef | None
    session: int
    order_status: str
    instruction_count: int
    failure_count: int
    order_goal: Vec3 | None
    movement_goal: Vec3
    generation: int
    movement_status: MoveStatus
    movement_reason: MoveReason
    suspend: SuspendReason
    command_hold: bool
    stand_until: float | None
    recovery_phase: RecoveryPhase
    recovery_session: int
    position: Vec3
    yaw: float
    position_writer: PositionWriter
    clip_phase: ClipPhase
    clip_time: float
    measured_speed: float
    travelled: float
    blocked_time: float
    retry_count: int


def trace_row(ped: Ped, step: int) -> TraceRow:
    """Read a ped's row."""
    movement = ped.movement
    order = ped.services.order_book.order_of(ped.ref)
    clip = movement.clip
    recovery = ped.recovery
    return TraceRow(
        step=step,
        ped_id=ped.ped_id,
        source=None if order is None else order.source,
        session=0 if order is None else order.session,
        order_status="NOT_STARTED" if order is None else order.status.name,
        instruction_count=0 if order is None else order.instruction_count,
        failure_count=0 if order is None else order.failure_count,
        order_goal=None if order is None else order.goal,
        movement_goal=movement.goal,
        generation=movement.generation,
        movement_status=movement.status,
        movement_reason=movement.reason,
        suspend=movement.suspend,
        command_hold=movement.command_hold,
        stand_until=movement.stand_until,
        recovery_phase=RecoveryPhase.INACTIVE if recovery is None else recovery.phase,
        recovery_session=0 if recovery is None else recovery.session,
        position=movement.position,
        yaw=movement.yaw,
        position_writer=PositionWriter(int(ped.services.movement.table.writer[ped.slot])),
        clip_phase=clip.phase,
        clip_time=clip.clip_time,
        measured_speed=movement.measured_speed,
        travelled=movement.travelled,
        blocked_time=movement.blocked_time,
        retry_count=movement.retry_count,
    )


class StateTrace:
    """Rows of a run in (step, ped id) order."""

    def __init__(self) -> None:
        self.rows: list[TraceRow] = []

    def record(self, peds: Iterable[Ped], step: int) -> None:
        """Append a row of every ped, in the order given."""
        for ped in peds:
            self.rows.append(trace_row(ped, step))

    def of(self, ped_id: int) -> list[TraceRow]:
        """One ped's rows, oldest first."""
        return [row for row in self.rows if row.ped_id == ped_id]
