"""The one door for whatever is done to a run from outside: script orders and player's edits.

A recording of the log, queued again in its steps, repeats the run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ai.behaviours.order_commands import OrderCommand
from game.world.edits import EDITS, Edit
from game.world.script_asks import SCRIPT_ASKS, ScriptAsk

if TYPE_CHECKING:
    from ai.behaviours.order_desk import OrderDesk
    from ai.ports import Clock
    from game.world.edits import EditDesk
    from game.world.script_asks import ScriptDesk

Action: TypeAlias = OrderCommand | ScriptAsk | Edit


class ActionLine(NamedTuple):
    """What was asked for before a step."""

    step: int
    action: Action


class ActionDesk:
    """Hands every action to the desk that carries it out; ``log`` keeps all in their order."""

    def __init__(
        self, clock: Clock, orders: OrderDesk, scripts: ScriptDesk, edits: EditDesk
    ) -> None:
        self._clock = clock
        self._orders = orders
        self._scripts = scripts
        self._edits = edits
        self.log: list[ActionLine] = []

    def submit(self, action: Action) -> int:
        """Queue an action for the next step; returns its number in its own desk's log."""
        self.log.append(ActionLine(self._clock.step, action))
        if isinstance(action, EDITS):
            return self._edits.submit(action)
        if isinstance(action, SCRIPT_ASKS):
            return self._scripts.submit(action)
        return self._orders.submit(action)
