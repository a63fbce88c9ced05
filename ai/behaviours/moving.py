"""Movement tasks: they state a speed as long as they are wanted, and never move a body (TASK-78).

A movement record says where a ped goes; these tasks say how fast, and mirror
what became of the record for their controller (ORD-26).
"""

from __future__ import annotations

from typing import ClassVar, cast

from ai.behaviours.actor import Actor
from ai.behaviours.gait_speeds import MBR_OF_MODE
from ai.motion.claims import ClaimOwner
from ai.motion.execution import RequestReply
from ai.motion.movement_table import MoveOwner, MoveStatus, SpeedMode
from ai.ports import Vec3
from ai.tasks.move_interface import MBR_STILL
from ai.tasks.movement import MoveTaskBase
from ai.tasks.task_types import TaskType


class TaskStateSpeed(MoveTaskBase):
    """Keeps a gait stated for a movement that its parent requested.

    - Ends with the record: SUCCEEDED on ARRIVED, FAILED with the record's reason.
    - Ends FAILED ``NOT_OWNER`` once the record serves somebody else.
    - Requests nothing, a restored backup copy included.
    """

    task_type = TaskType.STATE_SPEED
    __slots__ = ("owner", "speed_mode")
    PARAMS: ClassVar[tuple[str, ...]] = ("speed_mode", "owner")

    def __init__(self, speed_mode: SpeedMode, owner: MoveOwner) -> None:
        super().__init__()
        self.speed_mode = speed_mode
        self.owner = owner

    @property
    def actor(self) -> Actor:
        """The ped."""
        return cast("Actor", self.entity)

    def wished_mbr(self) -> float:
        """Move blend ratio to state while the movement lives."""
        return MBR_OF_MODE[self.speed_mode]

    def process_move(self, dt: float) -> bool:  # noqa: ARG002
        """State the speed; True once the record has ended."""
        movement = self.actor.movement
        self.move_interface.target = movement.goal
        if movement.owner != self.owner:
            return self._over("NOT_OWNER")
        status = movement.status
        if status is MoveStatus.ARRIVED:
            self.move_interface.mbr = MBR_STILL
            return True
        if status is MoveStatus.FAILED:
            return self._over(movement.reason.name)
        if status is MoveStatus.CANCELLED:
            return self._over("CANCELLED")
        self.move_interface.mbr = self.wished_mbr()
        return False

    def _over(self, reason: str) -> bool:
        self.move_interface.mbr = MBR_STILL
        self.fail(reason)
        return True


class TaskGoToPoint(TaskStateSpeed):
    """Walks to a point of its own choice, for tasks without an order or response above them.

    - Takes the general claim and requests its path once, in its first enter; a
      copy that finds the record already serving its owner requests nothing (ORD-26).
    - ``mbr`` is the stated move blend ratio, so that each ped keeps its own pace.
    """

    task_type = TaskType.GO_TO_POINT
    __slots__ = ("goal", "mbr")
    PARAMS: ClassVar[tuple[str, ...]] = ("goal", "mbr", "owner")

    def __init__(self, goal: Vec3, mbr: float, owner: MoveOwner) -> None:
        super().__init__(SpeedMode.WALK, owner)
        self.goal = goal
        self.mbr = mbr

    def wished_mbr(self) -> float:
        """The ped's own pace."""
        return self.mbr

    def on_enter_running(self) -> int | None:
        """Claim and request, unless the record serves this purpose already."""
        actor = self.actor
        if not self._claim():
            return self.fail("CLAIM_REFUSED")
        if actor.movement.owner == self.owner:
            return None
        reply = actor.movement.request_goal(self.goal, self.speed_mode, self.owner)
        if reply is not RequestReply.ACCEPTED:
            return self.fail(reply.name)
        return None

    def _claim(self) -> bool:
        actor = self.actor
        system = actor.services.movement
        kind, tag = ClaimOwner.CONTROL_MOVEMENT, self.owner.tag
        if any(claim.is_of(kind, tag) for claim in system.claims.held(actor.slot)):
            return True
        priority = system.tuning.claim.general
        return system.claims.take(actor.slot, priority, kind, actor.ref, tag) is not None

    def clean_up(self) -> None:
        """Give the claim back; the record's goal stays for whoever asks.

        A backup copy was never in a tree and holds nothing.
        """
        if self.entity is None:
            return
        actor = self.actor
        actor.services.movement.claims.release(
            actor.slot, ClaimOwner.CONTROL_MOVEMENT, self.owner.tag
        )
