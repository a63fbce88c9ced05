"""Going after somebody: the movement task of ``chase`` and ``goto_entity`` (ACT-18)."""

from __future__ import annotations

import math
from typing import ClassVar, Final, Self, cast

from ai.behaviours.actor import Actor
from ai.behaviours.general_claim import hold_general_claim, release_general_claim
from ai.motion.execution import RequestReply
from ai.motion.movement_table import MoveOwner, MoveStatus, SpeedMode
from ai.ports import Vec3
from ai.tasks.move_interface import MBR_STILL
from ai.tasks.movement import MoveTaskBase
from ai.tasks.task_types import TaskType

_LEEWAY_CM: Final = 25.0
"""Who stands near enough goes on only when the target is this much further off."""


class Quarry:
    """Whom to go after, as far as the ped knows; its host keeps it up to date.

    - ``place``: where it is, or was last known to be. ``is_gone``: it has left the world.
    - ``stop_cm``: near enough. ``halts``: ends when near enough, else it waits there.
    """

    __slots__ = ("halts", "is_gone", "place", "stop_cm")

    def __init__(self, place: Vec3, stop_cm: float, *, halts: bool) -> None:
        self.place = place
        self.stop_cm = stop_cm
        self.halts = halts
        self.is_gone = False


class TaskPursue(MoveTaskBase):
    """Runs after a quarry, up to its stop distance.

    - The goal follows the quarry by ``retarget``: no stop, no new movement.
    - Near enough it stands and faces the quarry, until that is further away again.
    - Ends SUCCEEDED near a quarry that halts it, FAILED when the quarry is gone, with the
      movement's reason when there is no way.
    - All its copies have the same quarry.
    """

    task_type = TaskType.PURSUE
    __slots__ = ("goal_step", "mbr", "move_owner", "quarry", "waits")
    PARAMS: ClassVar[tuple[str, ...]] = ("quarry", "mbr", "move_owner")

    def __init__(self, quarry: Quarry, mbr: float, move_owner: MoveOwner) -> None:
        super().__init__()
        self.quarry = quarry
        self.mbr = mbr
        self.move_owner = move_owner
        self.goal_step = 0
        self.waits = False

    @property
    def actor(self) -> Actor:
        """The ped."""
        return cast("Actor", self.entity)

    def update_progress(self, live: Self) -> None:
        """Where ``live`` is in its approach."""
        self.goal_step = live.goal_step
        self.waits = live.waits

    def on_enter_running(self) -> int | None:
        """Take the claim."""
        if not hold_general_claim(self.actor, self.move_owner.tag):
            return self.fail("CLAIM_REFUSED")
        return None

    def process_move(self, dt: float) -> bool:  # noqa: ARG002
        """Stand near the quarry, or run to where it is."""
        actor, quarry = self.actor, self.quarry
        movement, interface = actor.movement, self.move_interface
        interface.mbr = MBR_STILL
        interface.target = quarry.place
        if quarry.is_gone:
            self.fail("TARGET_GONE")
            return True
        here = actor.position
        away_x, away_y = quarry.place.x - here.x, quarry.place.y - here.y
        distance = math.hypot(away_x, away_y)
        near = quarry.stop_cm + (_LEEWAY_CM if self.waits else 0.0)
        if distance <= near:
            if quarry.halts:
                return True
            self.waits = True
            movement.wish(math.atan2(away_y, away_x))
            return False
        self.waits = False
        return self._run(quarry.place)

    def _run(self, place: Vec3) -> bool:
        """Ask for the way, or go on with it; True if there is none."""
        actor = self.actor
        movement = actor.movement
        step = actor.services.clock.step
        moving = actor.services.brains.data.tuning.moving
        if not movement.serves(self.move_owner):
            if movement.request_goal(place, SpeedMode.RUN, self.move_owner) is not (
                RequestReply.ACCEPTED
            ):
                self.fail("BAD_GOAL")
                return True
            self.goal_step = step
        elif movement.status is MoveStatus.FAILED:
            self.fail(movement.reason.name)
            return True
        elif not movement.live:
            movement.request_goal(place, SpeedMode.RUN, self.move_owner)
            self.goal_step = step
        elif (
            step >= self.goal_step + round(moving.retarget_s * 60.0)
            and math.dist(movement.goal, place) > moving.retarget_cm
            and not movement.suspend
        ):
            movement.retarget(place)
            self.goal_step = step
        self.move_interface.mbr = self.mbr
        return False

    def clean_up(self) -> None:
        """Give the claim back and leave no wish; a backup copy never had either."""
        if self.entity is not None:
            self.actor.movement.drop_wish()
            release_general_claim(self.actor, self.move_owner.tag)
