"""Replies that were formed for a purpose that is gone when they arrive (LVL-21)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ai.behaviours.order_record import OrderStatus
from ai.motion.execution import ReplanKind
from ai.motion.movement_table import MoveStatus
from ai.navigation.path_service import PathReply
from tests.ai.behaviours.courier import Courier, until_status


class SlowPost:
    """Stands between the path service and the records and keeps finished replies back.

    - ``deliver`` hands out what is kept in the next step; the same reply may be given twice.
    """

    def __init__(self, courier: Courier) -> None:
        self.kept: list[PathReply] = []
        self.open = False
        self._due: list[PathReply] = []
        service = courier.world.movement.service
        self._honest = service.process
        service.process = self._process  # type: ignore[method-assign]

    def deliver(self, *replies: PathReply) -> None:
        self._due.extend(replies)

    def _process(self) -> list[PathReply]:
        replies = self._honest()
        due, self._due = self._due, []
        if self.open:
            return due + replies
        self.kept += replies
        return due


def redirect(courier: Courier) -> None:
    assert courier.redirect().accepted


def cancel(courier: Courier) -> None:
    assert courier.cancel().accepted


def suspend(courier: Courier) -> None:
    courier.fall()
    courier.step()


def replan(courier: Courier) -> None:
    assert courier.movement.replan(ReplanKind.RETRY)


@pytest.mark.parametrize("overtake", [redirect, cancel, suspend, replan])
def test_a_reply_that_was_overtaken_installs_nothing(
    overtake: Callable[[Courier], None],
) -> None:
    """LVL-21, NAV-04, NAV-05, section 12 (4, 14): generation n delivered after n + 1: STALE."""
    courier = Courier()
    post = SlowPost(courier)
    assert courier.start().accepted
    courier.step(3)
    (old,) = post.kept
    generation = courier.movement.generation
    assert old.generation == generation
    overtake(courier)
    assert courier.movement.generation == generation + 1
    here, status = courier.xy, courier.movement.status
    post.deliver(old)
    courier.step()
    assert courier.movement.stale_replies == 1
    assert not courier.movement.path_usable
    assert courier.movement.status is status
    courier.step(30)
    assert courier.xy == here
    assert courier.movement.generation == generation + 1
    post.open = True
    if overtake is cancel:
        courier.step(60)
        assert courier.xy == here
        assert courier.movement.status is MoveStatus.CANCELLED
        return
    if overtake is suspend:
        courier.get_up()
    else:
        post.deliver(post.kept[-1])
    courier.step(3)
    assert courier.movement.path_usable, "the reply of generation n + 1 is installed"
    until_status(courier, OrderStatus.COMPLETED)


def test_the_same_reply_twice_is_stale_the_second_time() -> None:
    """NAV-05, section 12 (5): pending is false by then; the path in use stays."""
    courier = Courier()
    post = SlowPost(courier)
    assert courier.start().accepted
    courier.step(3)
    (reply,) = post.kept
    post.deliver(reply, reply)
    courier.step()
    assert courier.movement.stale_replies == 1
    assert courier.movement.path_usable
    path = courier.movement.path
    courier.step(30)
    post.deliver(reply)
    courier.step()
    assert courier.movement.stale_replies == 2
    assert courier.movement.path == path
    until_status(courier, OrderStatus.COMPLETED)


def test_a_reply_for_a_removed_ped_never_fits_its_successor() -> None:
    """NAV-04: the slot's generation goes on; a late reply is stale for the ped in the slot now."""
    courier = Courier()
    post = SlowPost(courier)
    assert courier.start().accepted
    courier.step(3)
    (reply,) = post.kept
    world, old = courier.world, courier.ped
    world.peds.request_removal(old.ref)
    courier.step()
    heir = world.peds.spawn(old.traits, old.position, 0.0)
    assert heir.slot == old.slot
    courier.ped = heir
    post.open = True
    assert courier.start().accepted
    courier.step()
    post.deliver(reply)
    courier.step()
    assert heir.movement.stale_replies == 1
    until_status(courier, OrderStatus.COMPLETED)
