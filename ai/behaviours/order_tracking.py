"""Orders that follow a moving object: the goal is read anew as the object goes on (ORD-20).

The order's goal and the movement's change together, here alone, and never while the
order waits or its movement is suspended: whoever leads on samples at once, before any
new query.
"""

from __future__ import annotations

import math

from ai.behaviours.approach import approach_point, goal_is_usable
from ai.behaviours.order_book import OrderBook, OrderEntry
from ai.behaviours.order_ownership import owns_movement, same_goal
from ai.behaviours.order_record import OrderStatus
from ai.motion.movement_table import MoveReason
from ai.ports import ObjectTransform, Vec3, at_least, more_than

TAKES_A_LOSS = frozenset({OrderStatus.TRAVELLING, OrderStatus.WAITING_FOR_SIGNAL})
"""Statuses in which the loss of the object is a failure; in AWAITING_DECISION it is one already."""


class OrderTracking:
    """Samples the objects of tracked orders.

    - ``step`` is a part of the pre-pass; ``after_coordination`` of phase 10, where a
      movement that may go on again has just asked for a path.
    - An order has arrived only when the object stands and the movement leads to where
      its side is now.
    """

    def __init__(self, book: OrderBook) -> None:
        self._book = book
        self._tuning = book.tuning.tracking

    def step(self, entry: OrderEntry) -> None:
        """One step of a tracked order that is past PENDING."""
        actor, order = entry.actor, entry.order
        transform = self._transform(entry)
        if transform is None:
            if order.status in TAKES_A_LOSS:
                self._lose(entry)
            return
        if order.status is not OrderStatus.TRAVELLING or actor.movement.suspend:
            entry.pursuit.sample_at_once = True
            return
        if not owns_movement(actor, order, self._book.tuning.goal.match):
            return
        dt_s = self._book.ports.clock.dt_s
        entry.pursuit.since_sample_s += dt_s
        if entry.pursuit.sample_at_once or at_least(
            entry.pursuit.since_sample_s, self._tuning.resample
        ):
            self._sample(entry, transform)
        there = self._is_there(entry, transform)
        actor.movement.bar_arrival(not there)
        if not there:
            self._give_up_in_time(entry, transform, dt_s)

    def after_coordination(self) -> None:
        """Phase 10: sample for movements that have just become runnable (ORD-20)."""
        for entry in self._book.live:
            order = entry.order
            if (
                order.approach.track
                and entry.pursuit.sample_at_once
                and order.status is OrderStatus.TRAVELLING
                and not entry.actor.movement.suspend
            ):
                self.sample_now(entry)

    def sample_now(self, entry: OrderEntry) -> None:
        """Bring the goal of a tracked order up to date, whenever the last time was.

        Without effect on an order that does not track, and while its object is gone.
        """
        order = entry.order
        if not order.approach.track:
            return
        transform = self._transform(entry)
        if transform is not None:
            self._sample(entry, transform)

    # -- inside --------------------------------------------------------------------

    def _transform(self, entry: OrderEntry) -> ObjectTransform | None:
        """Where the object is; None once its removal has been asked for."""
        transforms = self._book.ports.transforms
        target = entry.order.approach.target
        return None if transforms.is_dying(target) else transforms.transform(target)

    def _sample(self, entry: OrderEntry, transform: ObjectTransform) -> None:
        entry.pursuit.sample_at_once = False
        entry.pursuit.since_sample_s = 0.0
        order, movement = entry.order, entry.actor.movement
        tuning = self._tuning
        speed = _speed(transform)
        if speed > tuning.lead_min_speed:
            transform = _led(transform, tuning.lead)
        goal = approach_point(transform, order.approach.offset_local)
        if not goal_is_usable(goal):
            return
        if speed > tuning.still_speed:
            is_off = math.dist(goal, order.goal) > tuning.move_threshold
        else:
            is_off = not same_goal(goal, order.goal, self._book.tuning.goal.match)
        if is_off:
            owned = owns_movement(entry.actor, order, self._book.tuning.goal.match)
            if owned and not movement.retarget(goal):
                return
            order.goal = goal
            order.resample_count += 1

    def _is_there(self, entry: OrderEntry, transform: ObjectTransform) -> bool:
        """True if the object stands where the movement leads to."""
        if _speed(transform) > self._tuning.still_speed:
            return False
        order = entry.order
        goal = approach_point(transform, order.approach.offset_local)
        return same_goal(goal, order.goal, self._book.tuning.goal.match)

    def _give_up_in_time(self, entry: OrderEntry, transform: ObjectTransform, dt_s: float) -> None:
        """Fail a chase that comes no nearer; close by, keeping up is enough."""
        tuning, movement, pursuit = self._tuning, entry.actor.movement, entry.pursuit
        goal = approach_point(transform, entry.order.approach.offset_local)
        distance = math.dist(movement.position, goal)
        if distance <= max(pursuit.far_cm - tuning.give_up_gain, tuning.give_up_gain):
            pursuit.far_cm = distance
            pursuit.not_closing_s = 0.0
            return
        pursuit.not_closing_s += dt_s
        if more_than(pursuit.not_closing_s, tuning.give_up):
            movement.fail(MoveReason.CANNOT_CATCH)

    def _lose(self, entry: OrderEntry) -> None:
        """The object is gone: a failure of the order, and nothing left to walk to."""
        actor, order = entry.actor, entry.order
        if owns_movement(actor, order, self._book.tuning.goal.match):
            actor.movement.cancel()
        self._book.take_failure(entry, MoveReason.TARGET_GONE)


def _speed(transform: ObjectTransform) -> float:
    return math.hypot(transform.velocity.x, transform.velocity.y)


def _led(transform: ObjectTransform, lead_s: float) -> ObjectTransform:
    """The pose as it will be after the lead, if the object goes on as it does."""
    place, velocity = transform.position, transform.velocity
    return transform._replace(
        position=Vec3(place.x + velocity.x * lead_s, place.y + velocity.y * lead_s, place.z)
    )
