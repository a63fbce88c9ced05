"""The fault list: what went wrong in the minds, kept so that a run can be failed for it (TASK-02).

Three ways to report exist: an *error* is raised to the caller, a *refusal* is a
return value plus one log line, and a *fault* is appended here and counted.
Tests and level runs fail if the list holds anything at the end but faults that
the test or level names as expected.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that must not happen.

    - ``kind`` is a stable word that tests match on (``"round_cap"``, ``"dead_man"``).
    - ``text`` is one sentence for a person.
    - ``entity`` names the owner (``"ped#12"``), empty if there is none.
    - ``details`` holds chain dumps, histories, tracebacks.
    """

    kind: str
    text: str
    entity: str = ""
    details: tuple[str, ...] = field(default=())


class FaultList:
    """Faults in the order in which they were recorded, at most ``limit`` kept in full."""

    def __init__(self, limit: int = 1000) -> None:
        self._limit = limit
        self._faults: list[Fault] = []
        self.total = 0

    def record(self, kind: str, text: str, entity: str = "", *details: str) -> Fault:
        """Append a fault and return it; past ``limit`` only ``total`` rises."""
        fault = Fault(kind, text, entity, details)
        self.total += 1
        if len(self._faults) < self._limit:
            self._faults.append(fault)
        return fault

    def all(self) -> tuple[Fault, ...]:
        """Every kept fault, oldest first."""
        return tuple(self._faults)

    def of_kind(self, kind: str) -> tuple[Fault, ...]:
        """The kept faults of one kind, oldest first."""
        return tuple(fault for fault in self._faults if fault.kind == kind)

    def clear(self) -> None:
        """Forget everything; called at world creation and between tests."""
        self._faults.clear()
        self.total = 0

    def __len__(self) -> int:
        return self.total


faults = FaultList()
"""The one list of the process: a world's minds run on one thread (TASK-04)."""
