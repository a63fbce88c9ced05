"""Falls of whole peds in real worlds: who owns the body, what goes on afterwards (REC, F1-F6)."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from ai.behaviours.body_tasks import DirectBodyTasks
from ai.behaviours.knocked_down import TaskGetUp, TaskKnockedDown
from ai.behaviours.order_commands import CancelOrder, ContinueOrder, HoldOrder, RedirectOrderTo
from ai.behaviours.standing import TaskStand
from ai.motion.movement_table import MoveStatus, SuspendReason
from ai.motion.recovery.knock_downs import KnockDownReply
from ai.motion.recovery.phases import Fallible, RecoveryPhase
from ai.peds.ped import Ped
from ai.ports import Impact, Vec3
from ai.tasks.trees import PRIMARY, SECONDARY, PrimarySlot, SecondarySlot
from game.world.world import World
from tests.recovery_doubles import StubbedRecovery
from tests.streets import (
    barrier,
    courier_street,
    ped_named,
    person,
    prop,
    start,
    steps,
    street,
)

PHYSICAL = PrimarySlot.PHYSICAL_RESPONSE
DOWN = (RecoveryPhase.PHYSICS, RecoveryPhase.WAITING_FOR_SPACE, RecoveryPhase.BLENDING)
SOUTHWARD = (0.0, 15000.0)


def walking(**parts: object) -> tuple[World, Ped]:
    """The courier on its way along an order, one second after the start."""
    world = World(courier_street(**parts), strict=True, state_trace=True)  # type: ignore[arg-type]
    assert start(world).accepted
    steps(world, 60)
    return world, ped_named(world)


def knock(
    world: World, ped: Ped, impulse: tuple[float, float] = SOUTHWARD, up: float = 0.0
) -> None:
    """Hit it; the body is taken over in the next step."""
    assert world.knock_downs.request(ped, impulse, up) is KnockDownReply.ACCEPTED


def phase_of(world: World, ped: Ped) -> RecoveryPhase:
    return world.recovery.phase(ped.slot)


def until(world: World, ped: Ped, *phases: RecoveryPhase, most: int = 900) -> int:
    """Step until one of these phases; how many steps it took."""
    for count in range(most):
        if phase_of(world, ped) in phases:
            return count
        world.step()
    raise AssertionError(f"{phase_of(world, ped).name} for {most} steps")


def up_again(world: World, ped: Ped) -> int:
    """Step through a fall."""
    until(world, ped, *DOWN)
    return until(world, ped, RecoveryPhase.INACTIVE)


# -- REC-03, REC-19, REC-23: an order across a fall --------------------------------------


def test_an_order_goes_on_from_where_the_body_is() -> None:
    """REC-03, REC-18, REC-19, NAV-15: same task, counts and goal; generation + 2; then arrives."""
    world, ped = walking()
    task = ped.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY)
    g0, goal, order = ped.movement.generation, ped.movement.goal, ped.order
    knock(world, ped)
    world.step()
    assert ped.movement.generation == g0 + 1
    assert not ped.movement.path_usable
    until(world, ped, RecoveryPhase.COMPLETE)
    assert ped.movement.generation == g0 + 2
    assert ped.movement.goal == goal
    assert ped.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY) is task
    here = ped.position
    steps(world, 3)
    assert ped.movement.path_usable
    lying_off = math.dist(here[:2], (ped.movement.path[0].x, ped.movement.path[0].y))
    assert lying_off > 0.0
    assert ped.order is order
    assert (order.session, order.instruction_count, order.failure_count) == (1, 1, 0)
    steps(world, 600)
    assert ped.order.completed
    assert ped.movement.generation == g0 + 2


def test_a_task_stands_for_the_body_in_every_step() -> None:
    """REC-23, situation 45: never a step with BODY set and no body task in the slot."""
    world, ped = walking()
    knock(world, ped)
    kinds = []
    for _ in range(400):
        world.step()
        held = ped.tasks.tree(PRIMARY).get_task(PHYSICAL)
        assert (SuspendReason.BODY in ped.movement.suspend) == (held is not None)
        if held is not None and (not kinds or kinds[-1] is not type(held)):
            kinds.append(type(held))
    assert kinds == [TaskKnockedDown, TaskGetUp]


def test_the_walk_does_not_move_a_body_that_is_down() -> None:
    """RAG-11, NAV-11: an impact in tick n: no executor displacement in tick n or after."""
    world, ped = walking()
    knock(world, ped, (14000.0, 0.0))
    before = ped.position
    world.step()
    assert ped.position == before
    trace = world.state_trace
    assert trace is not None
    up_again(world, ped)
    rows = [row for row in trace.of(ped.ped_id) if row.recovery_phase in DOWN[:2]]
    assert {row.position_writer.name for row in rows[1:]} == {"RECOVERY"}
    assert len({(row.travelled, row.clip_time) for row in rows}) == 1


class LateGetUp(DirectBodyTasks):
    """A get-up that comes so many steps late, or never."""

    def __init__(self, world: World, delay: int | None) -> None:
        self._world, self._delay = world, delay
        self.due: tuple[int, int] | None = None

    def body_rising(self, ped: Fallible, session: int) -> None:
        if self._delay is not None:
            self.due = (self._world.clock.step + self._delay, session)

    def keep(self, ped: Fallible) -> None:
        super().keep(ped)
        if self.due is not None and self._world.clock.step >= self.due[0]:
            super().body_rising(ped, self.due[1])
            self.due = None


@pytest.mark.parametrize("delay", [30, None])
def test_a_get_up_that_is_late_or_lost_changes_nothing(delay: int | None) -> None:
    """REC-23, situation 45: the knocked-down task stays; no walk while BLENDING."""
    world = World(courier_street(), strict=True)
    tasks = LateGetUp(world, delay)
    stub = StubbedRecovery(world, tasks)
    assert start(world).accepted
    stub.step(60)
    ped = ped_named(world)
    stub.fell(ped)
    kinds = set()
    while phase_of(world, ped) is not RecoveryPhase.COMPLETE:
        held = ped.tasks.tree(PRIMARY).get_task(PHYSICAL)
        kinds.add(type(held))
        assert held is not None
        assert SuspendReason.BODY in ped.movement.suspend
        stub.step()
    assert (TaskGetUp in kinds) is (delay is not None)
    assert ped.tasks.tree(PRIMARY).get_task(PHYSICAL) is None
    stub.step(5)
    assert ped.movement.status is MoveStatus.WALKING


def test_a_get_up_of_an_old_session_ends() -> None:
    """REC-23: a get-up of an old session is dropped; the body keeps a task."""
    world, ped = walking()
    knock(world, ped)
    world.step()
    ped.tasks.set_task(PRIMARY, TaskGetUp(999), PHYSICAL)
    steps(world, 3)
    assert isinstance(ped.tasks.tree(PRIMARY).get_task(PHYSICAL), TaskKnockedDown)
    up_again(world, ped)


def test_a_body_task_asks_for_the_body_and_fails_if_it_is_refused() -> None:
    """REC-23, RAG-01: placed by a response it makes the request; refused: the order goes on."""
    world, ped = walking()
    g0 = ped.movement.generation
    ped.tasks.set_task(PRIMARY, TaskKnockedDown(Impact((math.nan, 0.0))), PHYSICAL)
    world.step()
    assert ped.tasks.tree(PRIMARY).get_task(PHYSICAL) is None
    assert ped.movement.generation == g0
    ped.tasks.set_task(PRIMARY, TaskKnockedDown(Impact((9000.0, 0.0))), PHYSICAL)
    steps(world, 2)
    assert ped.tasks.tree(PRIMARY).get_task(PHYSICAL) is None
    assert phase_of(world, ped) is RecoveryPhase.INACTIVE
    ped.tasks.set_task(PRIMARY, TaskKnockedDown(Impact((15000.0, 0.0))), PHYSICAL)
    world.step()
    assert phase_of(world, ped) is RecoveryPhase.PHYSICS


# -- REC-20, REC-21: what each intent does after the fall --------------------------------


def test_held_before_the_fall_it_stands_after_it_with_a_path() -> None:
    """REC-21, LVL-30, situation 1: hold, impact, no Continue: path fetched, no motion."""
    world, ped = walking()
    world.orders.submit(HoldOrder(ped.ref, 1))
    steps(world, 5)
    knock(world, ped)
    up_again(world, ped)
    here = ped.position
    steps(world, 120)
    assert ped.movement.path_usable
    assert ped.movement.command_hold
    assert ped.position == here
    world.orders.submit(ContinueOrder(ped.ref, 1))
    steps(world, 120)
    assert ped.position != here


def test_a_continue_while_down_lets_it_walk_afterwards() -> None:
    """REC-21, LVL-30: hold, impact, Continue while down."""
    world, ped = walking()
    world.orders.submit(HoldOrder(ped.ref, 1))
    steps(world, 5)
    knock(world, ped)
    steps(world, 30)
    world.orders.submit(ContinueOrder(ped.ref, 1))
    steps(world, 5)
    assert SuspendReason.BODY in ped.movement.suspend, "a release cleared the body's reason"
    up_again(world, ped)
    here = ped.position
    steps(world, 60)
    assert ped.position != here


def test_a_redirect_while_down_leads_to_the_new_goal() -> None:
    """REC-21, LVL-30: impact, hold, redirect while down: the new goal, no hold."""
    world, ped = walking()
    knock(world, ped)
    steps(world, 30)
    world.orders.submit(HoldOrder(ped.ref, 1))
    steps(world, 5)
    world.orders.submit(RedirectOrderTo(ped.ref, 1, Vec3(300.0, 1200.0)))
    up_again(world, ped)
    steps(world, 900)
    assert ped.order.completed
    assert math.dist(ped.position, (300.0, 1200.0, 0.0)) <= 15.0


def test_a_timed_stand_runs_out_while_down() -> None:
    """REC-21, LVL-30, NAV-20: stand 1 s, impact: it expires while down, then walks."""
    world, ped = walking()
    ped.movement.stand(1.0)
    knock(world, ped)
    up_again(world, ped)
    assert ped.movement.stand_until is None
    here = ped.position
    steps(world, 60)
    assert ped.position != here


def test_what_was_cancelled_while_down_stays_cancelled() -> None:
    """REC-20, situation 14: the body gets up; no query, no motion for two seconds."""
    world, ped = walking()
    knock(world, ped)
    steps(world, 30)
    world.orders.submit(CancelOrder(ped.ref, 1))
    world.step()
    assert ped.movement.status is MoveStatus.CANCELLED
    up_again(world, ped)
    here, generation = ped.position, ped.movement.generation
    steps(world, 120)
    assert ped.position == here
    assert ped.movement.status is MoveStatus.CANCELLED
    assert not ped.movement.path_pending
    assert ped.movement.generation == generation
    assert world.movement.claims.held(ped.slot) == ()


def test_who_stands_goes_on_standing() -> None:
    """REC-21: IDLE: unchanged, no query."""
    world = World(street(peds=(person(10, "courier", 1000.0, 800.0),)), strict=True)
    ped = ped_named(world)
    steps(world, 5)
    knock(world, ped)
    up_again(world, ped)
    assert ped.movement.status is MoveStatus.IDLE
    assert isinstance(ped.tasks.tree(PRIMARY).get_task(PrimarySlot.DEFAULT), TaskStand)


def test_a_fall_of_a_wanderer_resumes_its_walk() -> None:
    """REC-25: wander and other tasks that own their movement: dormant, then NAV-15."""
    world = World(street(peds=(person(10, "courier", 1000.0, 800.0, task="wander"),)), strict=True)
    ped = ped_named(world)
    while ped.movement.status is not MoveStatus.WALKING:
        world.step()
    steps(world, 60)
    goal = ped.movement.goal
    knock(world, ped)
    up_again(world, ped)
    assert ped.movement.goal == goal
    here = ped.position
    steps(world, 90)
    assert math.dist(ped.position, here) > 20.0


def test_hands_let_go_in_the_step_of_the_take_over() -> None:
    """REC-25: a phone in the hand is gone: PARTIAL_ANIM of the secondary tree is emptied."""
    world, ped = walking()
    ped.tasks.set_task(SECONDARY, TaskStand(), SecondarySlot.PARTIAL_ANIM)
    world.step()
    assert ped.tasks.tree(SECONDARY).get_task(SecondarySlot.PARTIAL_ANIM) is not None
    knock(world, ped)
    world.step()
    assert ped.tasks.tree(SECONDARY).get_task(SecondarySlot.PARTIAL_ANIM) is None


# -- RAG-13, RAG-14, LVL-33 ------------------------------------------------------------


def test_fifty_falls_leave_nothing_behind() -> None:
    """RAG-13, F2: knock-downs with random ends: counts of bodies and joints as before."""
    rng = random.Random(7)
    world = World(street(peds=(person(10, "courier", 1000.0, 800.0),)), strict=True)
    ped = ped_named(world)
    world.step()
    before = world.physics.counts()
    for _ in range(50):
        angle = rng.uniform(-math.pi, math.pi)
        reply = world.knock_downs.request(
            ped, (20000.0 * math.cos(angle), 20000.0 * math.sin(angle)), rng.uniform(0, 9000)
        )
        assert reply in (KnockDownReply.ACCEPTED, KnockDownReply.TOO_SOON)
        steps(world, rng.randint(1, 200))
        world.recovery.abort(ped.slot)
        world.table.x[ped.slot], world.table.y[ped.slot] = 1000.0, 800.0
        world.step()
        assert world.physics.counts() == before
        assert world.physics.check_ownership() == ()


@pytest.mark.parametrize(("speed", "falls"), [(300.0, True), (200.0, False)])
def test_a_thrown_ped_knocks_over_whom_it_hits(speed: float, falls: bool) -> None:
    """RAG-14: 75 kg x 300 cm/s x 0.8 = 18000: falls; 200: 12000: does not."""
    world = World(
        street(peds=(person(10, "courier", 1000.0, 800.0), person(11, "other", 1120.0, 800.0))),
        strict=True,
    )
    steps(world, 3)
    ped, other = ped_named(world), ped_named(world, "other")
    knock(world, ped, (30000.0, 0.0))
    world.step()
    limp = world.physics.ragdolls.limp_ped(ped.slot)
    assert limp is not None
    struck: list[tuple[float, float]] = []
    for _ in range(40):
        for body in limp.bodies:
            body.velocity = (speed, 0.0)
        world.step()
        struck += [hit.impulse for hit in world.physics.struck]
        if struck:
            break
    assert len(struck) == 1
    assert math.hypot(*struck[0]) == pytest.approx(75.0 * speed * 0.8, rel=0.05)
    steps(world, 2)
    assert (phase_of(world, other) in DOWN) is falls


def test_a_row_falls_and_everybody_is_up_again() -> None:
    """RAG-14, LVL-33: eight peds 80 cm apart, the first thrown: three others at least."""
    peds = [person(10 + n, f"p{n}", 600.0 + 80.0 * n, 800.0) for n in range(8)]
    world = World(street(peds=peds), strict=True)
    everybody = [ped_named(world, f"p{n}") for n in range(8)]
    steps(world, 3)
    knock(world, everybody[0], (45000.0, 0.0))
    fallen, hits = set(), 0
    for _ in range(600):
        world.step()
        hits += len(world.physics.struck)
        fallen |= {ped.name for ped in everybody if phase_of(world, ped) in DOWN}
    assert len(fallen - {"p0"}) >= 3
    assert all(phase_of(world, ped) is RecoveryPhase.INACTIVE for ped in everybody)
    assert hits <= 60


# -- field reports ---------------------------------------------------------------------


@pytest.mark.parametrize("speed", [500.0, 900.0, 3000.0, 6000.0])
@pytest.mark.parametrize("angle", [0.0, 0.6, 1.3])
def test_f1_nobody_leaves_a_closed_street(speed: float, angle: float) -> None:
    """F1, RAG-08: whatever throws a person, its bodies stay within walls of 20 cm."""
    walls = (
        barrier(50, 700.0, 800.0, 20.0, 640.0),
        barrier(51, 1300.0, 800.0, 20.0, 640.0),
        barrier(52, 1000.0, 500.0, 620.0, 20.0),
        barrier(53, 1000.0, 1100.0, 620.0, 20.0),
    )
    world = World(street(peds=(person(10, "a", 1000.0, 800.0),), obstacles=walls), strict=True)
    ped = ped_named(world, "a")
    world.step()
    push = speed * 75.0
    knock(world, ped, (push * math.cos(angle), push * math.sin(angle)))
    for _ in range(240):
        world.step()
        limp = world.physics.ragdolls.limp_ped(ped.slot)
        for body in () if limp is None else limp.bodies:
            assert 700.0 < body.position.x < 1300.0
            assert 500.0 < body.position.y < 1100.0


@pytest.mark.parametrize("seed", range(40))
def test_f2_removals_in_the_middle_of_hits(seed: int) -> None:
    """F2: peds removed while they hit each other: no abort; counts return to where they were."""
    rng = random.Random(seed)
    peds = [person(10 + n, f"p{n}", 700.0 + 70.0 * n, 800.0) for n in range(6)]
    world = World(street(peds=peds), strict=True)
    steps(world, 2)
    before = world.physics.counts()
    knock(world, ped_named(world, "p0"), (45000.0, 0.0))
    for n in range(6):
        steps(world, rng.randint(1, 12))
        ped = world.peds.by_name(f"p{n}")
        assert ped is not None
        world.peds.request_removal(ped.ref)
    steps(world, 5)
    assert world.physics.counts() == before
    assert world.recovery.in_id_order() == []


def test_f3_a_hit_callback_that_raises_stops_the_run() -> None:
    """F3: the step ends with that exception."""
    world = World(
        street(peds=(person(10, "a", 1000.0, 800.0), person(11, "b", 1075.0, 800.0))), strict=True
    )
    steps(world, 2)

    def broken(*_: object) -> None:
        raise RuntimeError("callback of a test")

    world.physics._people._strike = broken  # type: ignore[method-assign]
    knock(world, ped_named(world, "a"), (45000.0, 0.0))
    with pytest.raises(RuntimeError, match="callback of a test"):
        steps(world, 60)


def test_f5_pressed_against_a_wall_it_rests_in_time() -> None:
    """F5, F32: knocked down against a wall and beside others: at rest in 3 s, up clear of it."""
    walls = (barrier(50, 1000.0, 840.5, 400.0, 20.0),)
    world = World(street(peds=(person(10, "a", 1000.0, 800.0),), obstacles=walls), strict=True)
    ped = ped_named(world, "a")
    world.step()
    knock(world, ped, (0.0, 40000.0))
    assert until(world, ped, RecoveryPhase.BLENDING) <= 181
    up_again(world, ped)
    assert ped.position.y <= 800.5 + 1e-6


def test_f6_a_gap_is_shared_with_nobody() -> None:
    """F6: a person falls into a gap of a wall, a crate is pushed in: up where there is room."""
    walls = (
        barrier(50, 1000.0, 600.0, 20.0, 300.0, nav_block=False),
        barrier(51, 1000.0, 1000.0, 20.0, 300.0, nav_block=False),
    )
    crate = prop(60, "crate", 1120.0, 800.0, 30.0, 40.0)
    world = World(
        street(peds=(person(10, "a", 940.0, 800.0),), obstacles=walls, props=(crate,)), strict=True
    )
    ped = ped_named(world, "a")
    world.step()
    thing = world.things.by_name("crate60")
    assert thing is not None
    knock(world, ped, (16000.0, 0.0))
    steps(world, 20)
    world.physics.apply_impulse(thing.ref, (-9000.0, 0.0))
    up_again(world, ped)
    assert world.clearance.circle_free(ped.position.x, ped.position.y, 29.9, 5.0, 180.0)
    crate_at = world.things.state[thing.ref.slot, :2]
    assert math.dist(ped.position[:2], crate_at) >= 59.9


@pytest.mark.parametrize("way", [(-1.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
def test_f32_knocked_beside_a_parked_car_it_is_up_in_time(way: tuple[float, float]) -> None:
    """F32, REC-11: out of walls; up where its circle is free, within 5 s of calm."""
    world, ped = walking()
    car = world.things.by_name("car_a")
    assert car is not None
    world.table.x[ped.slot], world.table.y[ped.slot] = 1070.0, 600.0
    knock(world, ped, (15000.0 * way[0], 15000.0 * way[1]))
    assert up_again(world, ped) <= 60 * 8
    assert world.clearance.circle_free(ped.position.x, ped.position.y, 29.9, 5.0, 180.0)
    assert not (1110.0 < ped.position.x < 1290.0 and 380.0 < ped.position.y < 820.0)


# -- drawing: no pops -----------------------------------------------------------------


@pytest.mark.parametrize("heading", [0.0, 1.6, 3.1, -1.6])
def test_no_shown_joint_jumps(heading: float) -> None:
    """REC-12, LOC-14: no joint moves 2 cm further in a step than just before or just after it."""
    from game.render.picture_of_world import ClipPoses, WorldPicture

    world, ped = walking()
    picture, source = WorldPicture(world), ClipPoses(world.data.clips)
    knock(world, ped, (16000.0 * math.cos(heading), 16000.0 * math.sin(heading)), 3000.0)
    shown: list[object] = []
    phases: list[RecoveryPhase] = []
    for _ in range(330):
        world.step()
        picture.after_step()
        peds = picture.picture.peds
        joints = source.poses([peds.poses[0]])[0]
        x, y, z, yaw = peds.now[0].tolist()
        cosine, sine = math.cos(yaw), math.sin(yaw)
        shown.append(
            np.stack(
                (
                    x + joints[:, 0] * cosine - joints[:, 1] * sine,
                    y + joints[:, 0] * sine + joints[:, 1] * cosine,
                    z + joints[:, 2],
                ),
                axis=1,
            )
        )
        phases.append(phase_of(world, ped))
    first = next(n for n, phase in enumerate(phases) if phase in DOWN) + 1
    last = next(n for n, phase in enumerate(phases) if phase is RecoveryPhase.COMPLETE)
    bones = [n for n, name in enumerate(source.joints) if name not in ("face", "crown")]
    places = np.array(shown)[:, bones]
    moved = np.sqrt(((places[1:] - places[:-1]) ** 2).sum(axis=2))
    explained = np.maximum(moved[first - 1 : last - 2], moved[first + 1 : last])
    worst = float((moved[first : last - 1] - explained).max())
    assert worst <= 2.0
    rising = [n for n in range(first, last) if phases[n] is RecoveryPhase.BLENDING]
    assert moved[rising[1] : rising[-1]].max() * 60.0 <= 600.0


# -- an order to who is down -------------------------------------------------------------


def test_an_order_to_a_fallen_ped_waits_for_its_rise() -> None:
    """EVT-65, REC-03: a task stands for the body throughout, then the order is walked."""
    world = World(courier_street(), strict=True)
    ped = ped_named(world)
    steps(world, 10)
    knock(world, ped)
    until(world, ped, *DOWN)
    steps(world, 10)
    assert start(world).accepted
    while phase_of(world, ped) in DOWN:
        assert ped.tasks.tree(PRIMARY).slots[PHYSICAL] is not None
        world.step()
        assert world.clock.step < 900
    steps(world, 60)
    assert ped.order.status.name == "TRAVELLING"
    assert ped.movement.status is MoveStatus.WALKING
