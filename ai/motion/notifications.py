"""Deferred notifications: what was bound to a ped's purpose and may come too late (ORD-21).

A clip marker, a cue's callback or a level trigger is bound when the ped has one
session and generation and delivered when it may have others. It carries the
token it was bound under; one that no longer fits is dropped and counted.
"""

from __future__ import annotations

from typing import NamedTuple


class NotificationToken(NamedTuple):
    """What a notification was bound to.

    ``session`` is the business session or, for the body, the recovery session;
    ``generation`` is the movement's.
    """

    ped_id: int
    session: int
    generation: int


class NotificationGate:
    """Lets through what still fits; ``dropped`` counts what does not."""

    def __init__(self) -> None:
        self.dropped = 0

    def admits(self, bound: NotificationToken, present: NotificationToken) -> bool:
        """True if ped, session and generation all still are those it was bound to."""
        if bound == present:
            return True
        self.dropped += 1
        return False
