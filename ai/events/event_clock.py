"""Event time: it moves only inside an update bracket (EVT-04)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.events.event_errors import EventClockError

if TYPE_CHECKING:
    from ai.events.reaction_delays import DelayLedger

CLOSED = 0
UPDATE = 1
QUERY = 2


class EventClock:
    """A ped's event time.

    - ``mode`` is ``CLOSED``, ``UPDATE`` (ticks and delays move, decisions are made) or
      ``QUERY`` (looking changes nothing and draws nothing).
    - ``steps`` is the number of simulation steps since the ped's previous pass.
    - ``pass_no`` numbers the ped's update brackets from 1.
    - ``ledger`` hands out reaction delays.
    """

    __slots__ = ("ledger", "mode", "pass_no", "steps")

    def __init__(self, ledger: DelayLedger) -> None:
        self.ledger = ledger
        self.mode = CLOSED
        self.pass_no = 0
        self.steps = 0

    def begin_updates(self, steps: int) -> None:
        """Open a pass that comes ``steps`` steps after the previous one."""
        self._open(UPDATE)
        self.steps = steps
        self.pass_no += 1

    def end_updates(self) -> None:
        """Close it."""
        self._close(UPDATE)

    def begin_query(self) -> None:
        """Look without touching."""
        self._open(QUERY)

    def end_query(self) -> None:
        """Stop looking."""
        self._close(QUERY)

    def check_open(self) -> None:
        """Raise ``EventClockError`` outside both brackets."""
        if self.mode == CLOSED:
            raise EventClockError(
                "event time does not move here; open begin_updates() or begin_query() first"
            )

    def _open(self, mode: int) -> None:
        if self.mode != CLOSED:
            raise EventClockError("event-time brackets can't be nested; end the open one first")
        self.mode = mode

    def _close(self, mode: int) -> None:
        if self.mode != mode:
            raise EventClockError("this event-time bracket is not open; begin it first")
        self.mode = CLOSED
