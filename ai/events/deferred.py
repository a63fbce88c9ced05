"""Worker batches and events: workers return records, the main thread adds (EVT-19)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

running = False
"""True while worker batches run; queues refuse to be changed then."""


class WorkerRecord(NamedTuple):
    """What a worker found for a ped; plain data, no event."""

    ped_id: int
    order: int
    finding: object


def deliver(
    batches: Iterable[Iterable[WorkerRecord]], add: Callable[[WorkerRecord], object]
) -> None:
    """Hand the records of finished batches over in ped-id order, whichever ended first."""
    records = [record for batch in batches for record in batch]
    records.sort(key=lambda record: (record.ped_id, record.order))
    for record in records:
        add(record)
