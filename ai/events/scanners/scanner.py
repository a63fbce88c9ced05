"""The scanners of a world: who looks for what in which step (EVT-37).

All peds that are due in a step are scanned at once, at the head of phase 6: a scanner
reads facts that no mind changes, so this equals a scan at each ped's own turn. Events
are added in ascending ped id.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from ai import settings
from ai.events.script_events import ErrorScriptException
from ai.faults import faults
from ai.tasks.task_entity import entity_label

if TYPE_CHECKING:
    from ai.events.base import Event
    from ai.events.event_services import EventServices
    from ai.events.scanners.facts import Ints, PedRows, ScanWorld
    from ai.events.scanners.tuning import ScannerTuning

STAGGER: Final = 7
"""Peds of neighbouring numbers look in steps this far apart."""


class SubScanner(Protocol):
    """Looks for one kind of thing.

    - ``scan`` looks for the peds of the rows ``due`` alone, and its outcome for a ped does
      not depend on who else is due.
    - It adds events through ``Telling`` or to the global group, and touches no task.
    """

    name: str
    period: int

    def has_work(self) -> bool:
        """False if nothing that it looks for is there at all."""
        ...

    def scan(self, rows: PedRows, due: Ints) -> None:
        """Look, for these rows."""
        ...


class StepScanner(Protocol):
    """Does not poll: goes through the facts of the step, if there are any."""

    name: str

    def has_facts(self) -> bool:
        """True if the step brought something."""
        ...

    def take(self, rows: PedRows) -> None:
        """Tell whom it concerns."""
        ...


class Telling:
    """How scanners add events: never to the dead or to mirrored peds."""

    def __init__(self, services: EventServices) -> None:
        self.services = services

    def tell(self, rows: PedRows, row: int, event: Event) -> None:
        """Offer an event to the ped of a row."""
        ped = rows.peds[row]
        if not ped.is_dead and not ped.is_mirrored:
            ped.events.add_event(event)

    def can_see(self, rows: PedRows, row: int, at: tuple[float, float, float]) -> bool:
        """Does the ped of a row see a place? (EVT-103)."""
        ped = rows.peds[row]
        if ped.is_dead or ped.is_mirrored:
            return False
        return self.services.world.can_see(ped, at)  # type: ignore[arg-type]


class EventScanners:
    """All scanners of one world.

    - ``polling``: those that look from time to time. ``of_the_step``: those that go through
      facts. ``names``: of all of them.
    - ``switch_off`` silences a scanner for a ped or, without one, for all: a level's word.
    - One that raises is silent for its ped for a while; strict mode raises again.
    """

    def __init__(
        self,
        services: EventServices,
        world: ScanWorld,
        tuning: ScannerTuning,
        polling: Sequence[SubScanner],
        of_the_step: Sequence[StepScanner],
    ) -> None:
        self._services = services
        self._world = world
        self._disabled_steps = tuning.disabled_steps
        self.polling = tuple(polling)
        self.of_the_step = tuple(of_the_step)
        self.names = [one.name for one in self.polling]
        self.names += [one.name for one in self.of_the_step]
        self._silent: dict[str, dict[int, int | None]] = {}
        self._off: dict[str, None] = {}

    def switch_off(self, name: str, ped_id: int | None = None) -> None:
        """Silence a scanner for one ped or for everybody.

        Raises ``ValueError`` for a name that no scanner has.
        """
        self._check(name)
        if ped_id is None:
            self._off[name] = None
        else:
            self._silent.setdefault(name, {})[ped_id] = None

    def switch_on(self, name: str, ped_id: int | None = None) -> None:
        """Take it back."""
        self._check(name)
        if ped_id is None:
            self._off.pop(name, None)
        else:
            self._silent.get(name, {}).pop(ped_id, None)

    def scan(self, step: int) -> None:
        """Head of phase 6: the facts of the step, then whoever is due to look."""
        working = [one for one in self.polling if one.name not in self._off and one.has_work()]
        facts = [one for one in self.of_the_step if one.name not in self._off and one.has_facts()]
        if not working and not facts:
            return
        rows = self._world.rows()
        if not len(rows.ids):
            return
        for taker in facts:
            taker.take(rows)
        turn = rows.ids * STAGGER + step
        for one in working:
            due = (turn % (one.period << rows.detail) == 0).nonzero()[0]
            silent = self._silent.get(one.name)
            if silent:
                due = self._awake(silent, rows, due, step)
            if len(due):
                self._scan(one, rows, due, step)

    def _scan(self, one: SubScanner, rows: PedRows, due: Ints, step: int) -> None:
        try:
            one.scan(rows, due)
        except Exception:
            if settings.strict:
                raise
            for row in due.tolist():
                self._scan_alone(one, rows, row, step)

    def _scan_alone(self, one: SubScanner, rows: PedRows, row: int, step: int) -> None:
        """After a batch that raised: find out for whom; events that were added vanish as equal."""
        try:
            one.scan(rows, np.array([row], dtype=np.int64))
        except Exception as error:
            ped = rows.peds[row]
            self._silent.setdefault(one.name, {})[ped.ped_id] = step + self._disabled_steps
            faults.record("scanner", f"{one.name}: {error!r}", entity_label(ped))
            self._services.scripts.report(
                ErrorScriptException({"ped": ped.ped_id, "scanner": one.name, "text": str(error)}),
                error,
            )

    @staticmethod
    def _awake(silent: dict[int, int | None], rows: PedRows, due: Ints, step: int) -> Ints:
        """The due rows less those of peds for whom a scanner is silent."""
        for ped_id, until in list(silent.items()):
            if until is not None and step >= until:
                del silent[ped_id]
        ids = rows.ids
        return np.array([row for row in due.tolist() if ids.item(row) not in silent], np.int64)

    def _check(self, name: str) -> None:
        if name not in self.names:
            raise ValueError(f"no scanner is called {name!r}; there are {', '.join(self.names)}")
