"""Explosions: who stands within the blast (EVT-40)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ai.events.decision_trace import Reason
from ai.events.sound_events import ExplosionEvent, ExplosionHeard

if TYPE_CHECKING:
    from ai.events.scanners.facts import PedRows, ScanWorld
    from ai.events.scanners.happenings import Happenings
    from ai.events.scanners.scanner import Telling
    from ai.events.subject import EventPed


class ExplosionScanner:
    """Tells whom a blast of the step reaches; a full wall shelters.

    What the blast does to their bodies, and the street's hearing of it, are the affair of
    who made it and of the happenings; who is told here hears no ``EXPLOSION_HEARD`` of it.
    """

    name = "explosions"

    def __init__(self, telling: Telling, world: ScanWorld, happenings: Happenings) -> None:
        self._telling = telling
        self._world = world
        self._happenings = happenings

    def has_facts(self) -> bool:
        """Something blew up."""
        return bool(self._happenings.blasts)

    def take(self, rows: PedRows) -> None:
        """Each blast, everybody within its radius."""
        for blast in self._happenings.blasts:
            at = blast.at
            distance = np.hypot(rows.x - at.x, rows.y - at.y)
            for row in (distance <= blast.radius_cm).nonzero()[0].tolist():
                if self._world.walls_between(rows.place(row), at) == 0:
                    event = ExplosionEvent(at, blast.blast_id, blast.source)
                    self._telling.tell(rows, row, event)
                    _hear_it_no_more(rows.peds[row], blast.blast_id)


def _hear_it_no_more(ped: EventPed, blast_id: int) -> None:
    """Who is in a blast does not answer the sound of it too."""
    for event in ped.events.group.queue.entries:
        if isinstance(event, ExplosionHeard) and event.noise_id == blast_id:
            event.flagged = True
            ped.events.trace.note(Reason.NOT_AFFECTED_NOW, event, ped, "in the blast")
