"""A hit that does not throw: the body flinches or staggers, then goes on (EVT-84, EVT-85)."""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar, Final, cast

from ai.behaviours.actor import Actor
from ai.motion.claims import ClaimOwner
from ai.ports import at_least
from ai.tasks.task import Result, Task
from ai.tasks.task_types import TaskType

_STUMBLE: Final = ClaimOwner.STUMBLE


class TaskHitReaction(Task):
    """Plays one reaction clip with the position in its hands, then gives it back.

    - ``reaction`` is a key of ``ReactionClips``; ``push`` is where the steps go, any length.
    - Another hit takes its place at once. It is never resumed: what is over is over.
    """

    task_type = TaskType.HIT_REACTION
    __slots__ = ("duration_s", "push", "reaction")
    PARAMS: ClassVar[tuple[str, ...]] = ("reaction", "push")
    MAY_DELETE_ON_ABORT = True

    class State(IntEnum):
        """One state."""

        REACT = 0

    def __init__(self, reaction: str, push: tuple[float, float]) -> None:
        super().__init__()
        self.reaction = reaction
        self.push = push
        self.duration_s = 0.0

    def on_enter_react(self) -> Result | None:
        """Take the position and start the clip."""
        actor = cast("Actor", self.entity)
        movement = actor.services.movement
        priority = movement.tuning.claim.stumble
        if movement.claims.take(actor.slot, priority, _STUMBLE, None, self.uid) is None:
            return self.fail("NO_CLAIM")
        stumbles = actor.services.stumbles
        self.duration_s = stumbles.begin(actor.slot, self.uid, self.reaction, self.push)
        return None

    def on_update_react(self, _dt: float) -> Result | None:
        """End with the clip."""
        return self.succeed() if at_least(self.time_running, self.duration_s) else None

    def clean_up(self) -> None:
        """Give the position back."""
        if self.entity is not None:
            actor = cast("Actor", self.entity)
            actor.services.stumbles.end(actor.slot, self.uid)
            actor.services.movement.claims.release(actor.slot, _STUMBLE, self.uid)
