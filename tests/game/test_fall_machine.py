"""A fall, and everything that may happen to it in any order (REC-01, REC-17 to REC-22).

Whatever comes (hits, blasts, harm, fire, the player's hand, orders): one owner of the position
at a time, no body or joint left over, nothing cancelled that goes on, and in the end a ped
that stands, lies dead or waits for a reason.
"""

from __future__ import annotations

import math

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ai.behaviours.order_commands import CancelOrder, ContinueOrder, HoldOrder, RedirectOrderTo
from ai.behaviours.order_record import OrderStatus
from ai.events.types import EventType
from ai.motion.claims import ClaimOwner
from ai.motion.movement_table import MoveStatus, SuspendReason
from ai.motion.recovery.phases import DOWN, LIMP, RecoveryPhase
from ai.ports import Impact, Vec3
from ai.tasks.task_types import TaskType
from ai.tasks.trees import PRIMARY, PrimarySlot
from game.world.edits import DragTo, Grab, LetGo
from game.world.world import World
from tests.streets import courier_street, ped_named, start, steps

JOINTS = 10 + 10 + 8 + 22
ANGLES = st.floats(-math.pi, math.pi, allow_nan=False)


class FallMachine(RuleBasedStateMachine):
    """One courier on an order, hit, held, cancelled, redirected and taken away at any moment."""

    @initialize()
    def begin(self) -> None:
        """An order under way."""
        self.world = World(courier_street(), strict=True)
        assert start(self.world).accepted
        steps(self.world, 45)
        self.ped = ped_named(self.world)
        self.gone = False
        self.cancelled = False
        self.was_down = False

    @property
    def phase(self) -> RecoveryPhase:
        return self.world.recovery.phase(self.ped.slot)

    @rule(angle=ANGLES, size=st.floats(0.0, 60000.0), up=st.floats(0.0, 30000.0))
    @precondition(lambda self: not self.gone)
    def hit(self, angle: float, size: float, up: float) -> None:
        """An impact of any strength."""
        push = size * math.cos(angle), size * math.sin(angle)
        self.world.knock_downs.request(self.ped, push, up)

    @rule(angle=ANGLES, size=st.floats(0.0, 60000.0), up=st.floats(0.0, 30000.0))
    @precondition(lambda self: not self.gone)
    def strike(self, angle: float, size: float, up: float) -> None:
        """A hit as the world has it: bump, stumble or fall."""
        push = size * math.cos(angle), size * math.sin(angle)
        self.world.impacts.strike(self.ped, Impact(push, up))

    @rule(angle=ANGLES, away=st.floats(0.0, 600.0), strength=st.floats(0.1, 2.0))
    def blast(self, angle: float, away: float, strength: float) -> None:
        here = self.ped.position
        at = Vec3(here.x + away * math.cos(angle), here.y + away * math.sin(angle))
        self.world.blasts.explode(at, strength=strength)

    @rule(amount=st.floats(0.0, 0.7))
    @precondition(lambda self: not self.gone)
    def harm(self, amount: float) -> None:
        """Harm without a push, a burn say."""
        self.world.impacts.strike(self.ped, Impact((0.0, 0.0)), harm=amount)

    @rule(angle=ANGLES)
    def fire(self, angle: float) -> None:
        """Something burns close by: it may flee, above its order."""
        here = self.ped.position
        at = Vec3(here.x + 200.0 * math.cos(angle), here.y + 200.0 * math.sin(angle))
        self.world.events.global_events.shock(EventType.SHOCKING_FIRE, at)

    @rule(x=st.floats(150.0, 1800.0), y=st.floats(150.0, 1400.0))
    @precondition(lambda self: not self.gone)
    def grab(self, x: float, y: float) -> None:
        self.world.actions.submit(Grab(self.ped.ref, self.ped.position))
        self.world.actions.submit(DragTo(Vec3(x, y)))
        self.world.step()

    @rule()
    def let_go(self) -> None:
        self.world.actions.submit(LetGo())
        self.world.step()

    @rule(count=st.sampled_from([1, 2, 7, 20, 60, 95, 130]))
    def wait(self, count: int) -> None:
        """Time passes."""
        steps(self.world, count)

    @rule()
    @precondition(lambda self: not self.gone)
    def hold(self) -> None:
        self.world.orders.submit(HoldOrder(self.ped.ref, 1))

    @rule()
    @precondition(lambda self: not self.gone)
    def go_on(self) -> None:
        self.world.orders.submit(ContinueOrder(self.ped.ref, 1))

    @rule(x=st.floats(150.0, 1800.0), y=st.floats(150.0, 1400.0))
    @precondition(lambda self: not self.gone)
    def redirect(self, x: float, y: float) -> None:
        self.world.orders.submit(RedirectOrderTo(self.ped.ref, 1, Vec3(x, y)))

    @rule()
    @precondition(lambda self: not self.gone)
    def cancel(self) -> None:
        self.world.orders.submit(CancelOrder(self.ped.ref, 1))
        self.world.step()
        self.cancelled |= self.ped.order.status is OrderStatus.CANCELLED

    @rule()
    @precondition(lambda self: not self.gone)
    def clear_the_slot(self) -> None:
        """Somebody empties the physical slot: the body keeps a task all the same."""
        self.ped.tasks.set_task(PRIMARY, None, PrimarySlot.PHYSICAL_RESPONSE)
        self.world.step()

    @rule()
    @precondition(lambda self: not self.gone)
    def abort(self) -> None:
        """Something that owns the body ends its recovery."""
        self.world.recovery.abort(self.ped.slot)
        self.world.step()

    @rule()
    @precondition(lambda self: not self.gone)
    def remove(self) -> None:
        self.gone = True
        self.world.peds.request_removal(self.ped.ref)
        self.world.step()

    @invariant()
    def body_and_claim_go_together(self) -> None:
        """BODY, the claim of 90 and the bodies exist exactly in their phases."""
        limp = self.phase in LIMP
        bodies, _, joints = self.world.physics.counts()
        held = self.world.grabber.grip is not None
        assert (bodies - held, joints - held) == ((11, JOINTS) if limp else (0, 0))
        held_claims = self.world.movement.claims.held(self.ped.slot)
        recoveries = [claim for claim in held_claims if claim.owner_kind is ClaimOwner.RECOVERY]
        assert len(recoveries) == (self.phase in DOWN)
        if self.gone:
            assert self.phase is RecoveryPhase.INACTIVE
            return
        assert (SuspendReason.BODY in self.ped.movement.suspend) is (self.phase in DOWN)
        task = self.ped.tasks.tree(PRIMARY).get_task(PrimarySlot.PHYSICAL_RESPONSE)
        assert self.phase not in DOWN or task is not None or self.ped.is_dead
        stumbles = [claim for claim in held_claims if claim.owner_kind is ClaimOwner.STUMBLE]
        assert len(stumbles) <= 1
        assert bool(stumbles) is (self.world.stumbles.tag_of(self.ped.slot) is not None)

    @property
    def moves_for_itself(self) -> bool:
        """REC-20: what moves it after a cancel is another task with its own goal."""
        owner = self.ped.movement.owner
        return owner is not None and owner.task_type != TaskType.ORDER

    @invariant()
    def what_was_cancelled_stays_so(self) -> None:
        if self.cancelled and not self.gone:
            assert self.ped.order.status is OrderStatus.CANCELLED
            assert self.ped.movement.status is MoveStatus.CANCELLED or self.moves_for_itself

    def teardown(self) -> None:
        """Left alone for half a minute it stands, or lies or waits for a reason that is told."""
        if not hasattr(self, "world"):
            return
        self.world.actions.submit(LetGo())
        steps(self.world, 1800)
        if not self.gone and self.ped.is_dead:
            assert self.phase in LIMP, "the dead lie"
        elif not self.gone:
            record = self.ped.recovery
            if record is not None and record.phase is RecoveryPhase.PHYSICS:
                assert record.position is None, "it lies on good ground and does not get up"
            if record is None and self.cancelled and not self.moves_for_itself:
                here = self.ped.position
                steps(self.world, 60)
                assert self.ped.position == here
        self.world.close()
        assert self.world.physics.counts()[0] == 0


FallMachine.TestCase.settings = settings(
    max_examples=30,
    stateful_step_count=16,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestFalls = FallMachine.TestCase
