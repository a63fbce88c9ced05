"""One command being carried out, and what every kind of action has in common (ACT-20)."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from ai.machines.ledger.command import Command
from ai.ports import EntityRef, Vec3

if TYPE_CHECKING:
    from ai.behaviours.actor import Actor
    from ai.behaviours.brains.action_host import PedActionHost


class Ending(IntEnum):
    """How an action ended by itself; LOST is taken away, never a failure (ACT-16)."""

    NONE = 0
    SUCCESS = 1
    FAILURE = 2
    LOST = 3


class ActionRun:
    """From the first resource to the last.

    - ``begin`` starts initialising; a text refuses. ``ready`` and ``refusal`` are asked every
      step until it is admitted; both are for staged kinds.
    - ``after_step`` is asked in P10 while it is admitted.
    - ``stop`` asks for an end, ``has_stopped`` says whether it has come; ``cut`` ends at once.
    - ``is_revoking``: the ledger takes it back for a stronger one once it has stopped.
    """

    __slots__ = ("actor", "command", "host", "is_revoking", "stop_step")

    def __init__(self, host: PedActionHost, command: Command) -> None:
        self.host = host
        self.actor: Actor = host.actor
        self.command = command
        self.is_revoking = False
        self.stop_step = -1

    def begin(self, step: int) -> str:  # noqa: ARG002
        """Start initialising; returns why it can't, or an empty text."""
        return ""

    def ready(self, step: int) -> bool:  # noqa: ARG002
        """Is the initialisation complete."""
        return True

    def refusal(self) -> str:
        """Why the initialisation can't be completed any more, or an empty text."""
        return ""

    def admitted(self, step: int) -> None:
        """It is an instance from now on."""

    def after_step(self, step: int) -> Ending:  # noqa: ARG002
        """Has it ended by itself."""
        return Ending.NONE

    def stop(self, step: int) -> None:
        """Somebody wants it to end; asked once."""
        self.stop_step = step

    def has_stopped(self, step: int) -> bool:  # noqa: ARG002
        """Has the end that was asked for come."""
        return self.stop_step >= 0

    def cut(self) -> None:
        """End at once; nothing of it goes on."""

    @property
    def interruptible(self) -> bool:
        """False while it can't be cut (ACT-24)."""
        return True

    def entity(self, name: str) -> EntityRef | None:
        """A parameter that is an entity; None if it is not given or is gone."""
        ref = self.command.params.get(name)
        if isinstance(ref, EntityRef) and self.actor.services.brains.life.is_alive(ref):
            return ref
        return None

    def number(self, name: str, default: float) -> float:
        """A parameter that is a number."""
        value = self.command.params.get(name)
        return float(value) if isinstance(value, int | float) else default

    def text(self, name: str, default: str = "") -> str:
        """A parameter that is a text."""
        value = self.command.params.get(name)
        return value if isinstance(value, str) else default

    def point(self, name: str) -> Vec3 | None:
        """A parameter that is a place on the ground."""
        value = self.command.params.get(name)
        if isinstance(value, tuple) and len(value) == 2:
            return Vec3(value[0], value[1], self.actor.position.z)
        return None
