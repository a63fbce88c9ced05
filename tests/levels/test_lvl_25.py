"""LVL-25, LVL-29: hit while rising, again and again; the parent is kept."""

from __future__ import annotations

import pytest

from ai.motion.movement_table import SuspendReason
from ai.motion.recovery.knock_downs import KnockDownReply
from ai.motion.recovery.phases import RecoveryPhase
from ai.tasks.trees import PRIMARY, PrimarySlot
from game import Sandbox
from tests.levels.runs import shipped

PHYSICS, BLENDING = RecoveryPhase.PHYSICS, RecoveryPhase.BLENDING
INACTIVE = RecoveryPhase.INACTIVE
HIT = (0.0, 15000.0)


class Fall:
    """LVL-01 with a courier that is hit by hand; judged in every step."""

    def __init__(self) -> None:
        self.box = Sandbox(shipped("pickup"), strict=True)
        self.courier = self.box.ped("courier")
        self.completions = 0
        self.steps(120)
        self.task = self.courier.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY)
        self.generation = self.courier.movement.generation
        self.travelled = self.courier.movement.travelled

    @property
    def phase(self) -> RecoveryPhase:
        return self.box.world.recovery.phase(self.courier.slot)

    def steps(self, count: int = 1) -> None:
        for _ in range(count):
            self.box.step()
            self.completions += self.phase is RecoveryPhase.COMPLETE

    def hit(self) -> None:
        reply = self.box.world.knock_downs.request(self.courier, HIT)
        assert reply is KnockDownReply.ACCEPTED
        self.steps()
        assert self.phase is PHYSICS

    def until(self, phase: RecoveryPhase) -> None:
        for _ in range(900):
            if self.phase is phase:
                return
            self.steps()
            assert (SuspendReason.BODY in self.courier.movement.suspend) is (
                self.phase not in (INACTIVE, RecoveryPhase.COMPLETE)
            )
        raise AssertionError(f"{self.phase.name} for 900 steps")

    def finish(self) -> None:
        """It stands up once, goes on with the same order and reaches the goal."""
        assert self.courier.movement.travelled == self.travelled
        assert self.courier.movement.generation == self.generation + 1
        self.until(INACTIVE)
        assert self.completions == 1
        assert self.courier.movement.generation == self.generation + 2
        assert self.courier.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY) is self.task
        self.steps(700)
        order = self.courier.order
        assert order.completed
        assert (order.session, order.instruction_count, order.failure_count) == (1, 1, 0)
        self.box.close()


@pytest.mark.parametrize("ticks", [round(tenth * 6) for tenth in range(15)])
def test_a_hit_at_any_moment_of_the_rise(ticks: int) -> None:
    """LVL-25: 15000 at blend_time 0.0, 0.1, ... s: back to PHYSICS, then one COMPLETE."""
    fall = Fall()
    fall.hit()
    fall.until(BLENDING)
    fall.steps(min(ticks, 80))
    fall.hit()
    fall.finish()


def test_a_hit_in_physics() -> None:
    """LVL-25: same with a hit in PHYSICS (tick 30)."""
    fall = Fall()
    fall.hit()
    fall.steps(30)
    fall.hit()
    fall.finish()


def test_ten_hits_in_a_row() -> None:
    """LVL-25: one COMPLETE."""
    fall = Fall()
    fall.hit()
    for number in range(10):
        if number % 2:
            fall.until(BLENDING)
        fall.steps(20)
        fall.hit()
    fall.finish()
