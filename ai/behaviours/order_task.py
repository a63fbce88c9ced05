"""The parent task of a script order: keeps the movement wished for as long as the order stands.

The purpose itself is the order's record; this task follows the record's status and
never decides about it (ORD-01). It finishes when the record has ended, and waits
without a child while a decision is awaited (ORD-16).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import ClassVar, Self, cast

from ai.behaviours.actor import Actor
from ai.behaviours.moving import TaskStateSpeed
from ai.behaviours.order_ownership import movement_owner
from ai.behaviours.order_record import OrderState, OrderStatus, blank_order
from ai.motion.movement_table import MoveOwner, SpeedMode
from ai.ports import Vec3
from ai.tasks.mirrorable import FieldValue, MirrorableTask
from ai.tasks.movement import ControlMovement
from ai.tasks.task_types import TaskType


class OrderTask(MirrorableTask):
    """One session of an order.

    - ``order`` is the session's own record, which every copy of the task shares: the
      desk may long have another order for the ped when this one ends.
    - TRAVEL: its ``ControlMovement`` keeps the movement task alive, also under a hold.
    - AWAIT: nothing moves; only the next command leads on.
    - Neither a resume nor a redirect requests a path here: the desk did, or the
      movement record resumes by itself (ORD-19, ORD-26).

    Its end by itself is written down as ORDER_TASK_FINISHED (session, outcome), the
    last of the three entries after ARRIVED and COMPLETED (ORD-17).
    """

    task_type = TaskType.ORDER
    __slots__ = ("order",)
    PARAMS = ("order",)
    INFO_FIELDS: ClassVar[dict[str, type]] = {
        "goal_x": float,
        "goal_y": float,
        "session": int,
        "status": str,
    }

    class State(IntEnum):
        """States; the order's own status is the record's."""

        TRAVEL = 0
        AWAIT = 1

    AFTER_ABORT = State.TRAVEL

    def __init__(self, order: OrderState) -> None:
        super().__init__()
        self.order = order

    @property
    def actor(self) -> Actor:
        """The ped."""
        return cast("Actor", self.entity)

    @property
    def move_owner(self) -> MoveOwner:
        """Identity of the movement that serves this order (NAV-16)."""
        return movement_owner(self.order)

    def on_enter_travel(self) -> int | None:
        """Begin, resume, or go on after a redirect: told apart by the record."""
        order = self.order
        if not order.live:
            return self._end()
        passes = self.actor.services.order_passes
        if order.status is not OrderStatus.PENDING:
            passes.resume(self.actor, order)
        elif not passes.begin(self.actor, order):
            return self._end()
        if order.status is OrderStatus.AWAITING_DECISION:
            return None
        if self.child is not None and not self.child.has_finished:
            self.keep_child()
        else:
            self.set_new_task(ControlMovement(TaskStateSpeed(SpeedMode.WALK, self.move_owner)))
        return None

    def on_update_travel(self, _dt: float) -> int | None:
        """Follow the record's status."""
        if not self.order.live:
            return self._end()
        if self.order.status is OrderStatus.AWAITING_DECISION:
            self.set_state(self.State.AWAIT)
        elif self.child is None or self.child_finished:
            self.restart_state()
        return None

    def on_update_await(self, _dt: float) -> int | None:
        """Wait for the next command."""
        if not self.order.live:
            return self._end()
        if self.order.status is not OrderStatus.AWAITING_DECISION:
            self.set_state(self.State.TRAVEL)
        return None

    def _end(self) -> int:
        order = self.order
        if order.completed:
            result = self.succeed()
        else:
            result = self.fail("CANCELLED" if order.end_cause is None else order.end_cause.name)
        actor = self.actor
        actor.services.facts.note(
            actor.ped_id, "ORDER_TASK_FINISHED", order.session, self.outcome.name
        )
        return result

    # -- remote (TASK-102): the record stays at the owner, its numbers are shown ----------

    def make_info(self) -> Mapping[str, FieldValue]:
        """What a viewer may know of the order."""
        order = self.order
        return {
            "goal_x": float(order.goal.x),
            "goal_y": float(order.goal.y),
            "session": order.session,
            "status": order.status.name,
        }

    @classmethod
    def create_mirror(cls, payload: Mapping[str, FieldValue]) -> Self:
        """An order task over a record of its own that only shows the owner's."""
        made = cls(blank_order())
        made._show(payload)
        return made

    def read_info(self, state: int, payload: Mapping[str, FieldValue]) -> None:
        """Show what the owner's record says."""
        self.owner_state = state
        self._show(payload)

    def _show(self, payload: Mapping[str, FieldValue]) -> None:
        order = self.order
        order.session = int(payload["session"])
        order.goal = Vec3(float(payload["goal_x"]), float(payload["goal_y"]))
        order.status = OrderStatus[str(payload["status"])]

    def on_mirror_update_travel(self, _dt: float) -> int | None:
        """Follow the owner; its end is the owner's."""
        return self.follow_owner()

    def on_mirror_update_await(self, _dt: float) -> int | None:
        """Follow the owner."""
        return self.follow_owner()
