"""Why did this ped do that? The decision trace as text (EVT-96)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ai.events.decision_trace import Reason, Stage, TraceRecord
from ai.faults import faults
from ai.ports import STEP_S
from ai.tasks.task_entity import entity_label

if TYPE_CHECKING:
    from ai.events.subject import EventPed

SINCE_S = 5.0


@runtime_checkable
class Reasoned(Protocol):
    """Data of a record with more to say than fits its line: each flee point that was considered."""

    def lines(self) -> Iterable[str]:
        """All of it, a line each."""
        ...


def explain(ped: EventPed, since_s: float = SINCE_S) -> list[str]:
    """Lines of text, newest first, of the last ``since_s`` seconds; the ped's faults on top."""
    services = ped.events.services
    first_step = services.clock.step - round(since_s / STEP_S)
    label = entity_label(ped)
    lines = [f"fault {one.kind}: {one.text}" for one in faults.all() if one.entity == label]
    records = ped.events.trace.records(since_step=first_step)
    for record in reversed(records):
        lines.append(line_of(record))
        for one in record.data:
            if isinstance(one, Reasoned):
                lines += [f"    {line}" for line in one.lines()]
    return lines


def line_of(record: TraceRecord) -> str:
    """One record as a line."""
    text = f"{record.step * STEP_S:.2f} s  {record.event}"
    if record.source is not None:
        text += f" from {record.source.kind.name.lower()} {record.source.slot}"
    if record.distance_cm is not None:
        text += f" ({record.distance_cm:.0f} cm)"
    text += f": {record.reason.name}"
    if record.reason is Reason.ROLL:
        return text + "  " + _roll(record.data)
    if record.data:
        text += "  " + ", ".join(str(one) for one in record.data)
    return text


def _roll(data: tuple[object, ...]) -> str:
    chain, entry, chances, total, drawn, taken = data
    return f"DM {chain}, entry {entry}, [{chances}] r={drawn:.4g} of {total:.4g} → {taken}"


def last_decision(ped: EventPed) -> TraceRecord | None:
    """The newest record of the decide stage, or None."""
    for record in reversed(ped.events.trace.records()):
        if record.stage is Stage.DECIDE:
            return record
    return None
