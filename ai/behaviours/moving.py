"""Movement tasks: they state a speed as long as they are wanted, and never move a body (TASK-78).

A movement record says where a ped goes; these tasks say how fast, and mirror
what became of the record for their controller (ORD-26).
"""

from __future__ import annotations

from typing import ClassVar, Self, cast

from ai.behaviours.actor import Actor
from ai.behaviours.gait_speeds import MBR_OF_MODE
from ai.behaviours.general_claim import hold_general_claim, release_general_claim
from ai.motion.execution import RequestReply
from ai.motion.movement_table import MoveOwner, MoveStatus, SpeedMode
from ai.ports import Vec3
from ai.tasks.move_interface import MBR_STILL
from ai.tasks.movement import MoveTaskBase
from ai.tasks.task_types import TaskType

_ARRIVED = MoveStatus.ARRIVED
_FAILED = MoveStatus.FAILED
_CANCELLED = MoveStatus.CANCELLED


class TaskStateSpeed(MoveTaskBase):
    """Keeps a gait stated for a movement that its parent requested.

    - ``move_owner`` is the identity of that movement (NAV-16).
    - Ends with the record: SUCCEEDED on ARRIVED, FAILED with the record's reason.
    - Ends FAILED ``NOT_OWNER`` once the record serves somebody else.
    - Requests nothing, a restored backup copy included.
    """

    task_type = TaskType.STATE_SPEED
    __slots__ = ("move_owner", "speed_mode")
    PARAMS: ClassVar[tuple[str, ...]] = ("speed_mode", "move_owner")

    def __init__(self, speed_mode: SpeedMode, move_owner: MoveOwner) -> None:
        super().__init__()
        self.speed_mode = speed_mode
        self.move_owner = move_owner

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
        if not movement.serves(self.move_owner):
            return self._over("NOT_OWNER")
        status = movement.status
        if status is _ARRIVED:
            self.move_interface.mbr = MBR_STILL
            return True
        if status is _FAILED:
            return self._over(movement.reason.name)
        if status is _CANCELLED:
            return self._over("CANCELLED")
        self.move_interface.mbr = self.wished_mbr()
        return False

    def _over(self, reason: str) -> bool:
        self.move_interface.mbr = MBR_STILL
        self.fail(reason)
        return True


class TaskGoToPoint(TaskStateSpeed):
    """Walks to a point of its own choice, for tasks without an order or response above them.

    - ``move_owner`` has another tag for each goal; ``mbr`` is the stated move blend
      ratio, so that each ped keeps its own pace.
    - Holds the general claim while it is active.
    - Requests its path once, in the first enter. A restored copy requests nothing: it
      goes on, or ends ``NOT_OWNER`` if the record was taken meanwhile (ORD-26).
    """

    task_type = TaskType.GO_TO_POINT
    __slots__ = ("goal", "mbr", "requested")
    PARAMS: ClassVar[tuple[str, ...]] = ("goal", "mbr", "move_owner")

    def __init__(self, goal: Vec3, mbr: float, move_owner: MoveOwner) -> None:
        super().__init__(SpeedMode.WALK, move_owner)
        self.goal = goal
        self.mbr = mbr
        self.requested = False

    def wished_mbr(self) -> float:
        """The ped's own pace."""
        return self.mbr

    def update_progress(self, live: Self) -> None:
        """The request that ``live`` made is the copy's too."""
        self.requested = live.requested

    def on_enter_running(self) -> int | None:
        """Claim, and request unless that was done already."""
        actor = self.actor
        if not hold_general_claim(actor, self.move_owner.tag):
            return self.fail("CLAIM_REFUSED")
        if not self.requested and not self._is_served():
            reply = actor.movement.request_goal(self.goal, self.speed_mode, self.move_owner)
            if reply is not RequestReply.ACCEPTED:
                return self.fail(reply.name)
        self.requested = True
        return None

    def _is_served(self) -> bool:
        """True for a copy made before its controller learnt of the request."""
        movement = self.actor.movement
        return movement.owner == self.move_owner and movement.goal == self.goal

    def clean_up(self) -> None:
        """Give the claim back; the record's goal stays for whoever asks."""
        if self.entity is not None:
            release_general_claim(self.actor, self.move_owner.tag)
