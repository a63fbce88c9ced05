"""One way for every hit: strike, DAMAGE, stumble or fall, harm, death (RAG-01, RAG-14 to 16)."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from ai.behaviours.dying import TaskDyingDead
from ai.behaviours.hit_reaction import TaskHitReaction
from ai.behaviours.knocked_down import TaskKnockedDown
from ai.behaviours.order_record import OrderStatus
from ai.events.types import EventType
from ai.motion.movement_table import SuspendReason
from ai.motion.recovery.balance import HitEffect, effect_of, pushed_way, raised, threshold_share
from ai.motion.recovery.phases import DOWN, LIMP, RecoveryPhase
from ai.peds.ped import Ped
from ai.ports import BodyPart, Impact
from ai.tasks.trees import PRIMARY, PrimarySlot
from game.world.impacts import Strike
from game.world.world import World
from tests.game.world.small_worlds import knockdown
from tests.streets import courier_street, ped_named, person, start, steps, street

PHYSICAL, MAIN = PrimarySlot.PHYSICAL_RESPONSE, PrimarySlot.EVENT_RESPONSE_NONTEMP


def alone(model: str = "ordinary", yaw_rad: float = 0.0, **options: bool) -> tuple[World, Ped]:
    """One ped on an empty street, after its first steps."""
    who = replace(person(10, "courier", 1000.0, 800.0, yaw_rad), model=model, options=options)
    world = World(street(peds=(who,)), strict=True)
    steps(world, 3)
    return world, ped_named(world)


def hit(world: World, ped: Ped, x: float, y: float = 0.0, up: float = 0.0) -> Strike:
    return world.impacts.strike(ped, Impact((x, y), up))


def body_task(ped: Ped) -> object:
    return ped.tasks.tree(PRIMARY).get_task(PHYSICAL)


def phase(world: World, ped: Ped) -> RecoveryPhase:
    return world.recovery.phase(ped.slot)


# -- how much a body takes ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("impulse", "effect"),
    [
        (4499.0, HitEffect.BUMP),
        (4500.0, HitEffect.FLINCH),
        (7499.0, HitEffect.FLINCH),
        (7500.0, HitEffect.STAGGER),
        (13499.0, HitEffect.STAGGER),
        (13500.0, HitEffect.FALL),
    ],
)
def test_what_a_hit_does_by_its_impulse(impulse: float, effect: HitEffect) -> None:
    """EVT-39, RAG-01: 60 cm/s x 75 kg a stumble, 180 a fall, for the middling ped on its feet."""
    assert effect_of(Impact((0.0, -impulse)), 0.5, 0.0, knockdown()) is effect


def test_what_lifts_throws_whatever_its_push() -> None:
    """RAG-01: up 6000 knocks down, 5999 does not."""
    assert effect_of(Impact((0.0, 0.0), 6000.0), 0.5, 0.0, knockdown()) is HitEffect.FALL
    assert effect_of(Impact((0.0, 0.0), 5999.0), 0.5, 0.0, knockdown()) is HitEffect.BUMP


@pytest.mark.parametrize(
    ("agility", "speed", "share"),
    [
        (0.5, 0.0, 1.0),
        (0.5, 130.0, 1.0),
        (0.0, 0.0, 0.8),
        (1.0, 0.0, 1.2),
        (0.5, 330.0, 0.85),
        (1.0, 330.0, 1.02),
    ],
)
def test_who_is_nimble_takes_more_and_who_runs_less(
    agility: float, speed: float, share: float
) -> None:
    """A threshold for each personality and gait; agility 0 to 1 is worth 20 % either way."""
    assert threshold_share(agility, speed, knockdown()) == pytest.approx(share)


@pytest.mark.parametrize(("model", "falls"), [("elderly", True), ("ordinary", False)])
def test_a_shove_that_a_passer_by_takes_throws_the_old(model: str, falls: bool) -> None:
    """Elderly, agility 0.1: 13500 x 0.84 = 11340; 12000 throws them, and the ordinary staggers."""
    world, ped = alone(model)
    assert hit(world, ped, 12000.0) is (Strike.FALL if falls else Strike.STUMBLE)
    world.step()
    assert (phase(world, ped) in DOWN) is falls


@pytest.mark.parametrize(
    ("degrees", "way"),
    [(0, "front"), (49, "front"), (51, "right"), (129, "right"), (131, "back"), (-90, "left")],
)
def test_a_push_is_named_by_the_side_it_goes_to(degrees: int, way: str) -> None:
    """Positive angles turn clockwise on the map: to the ped's right."""
    angle = 1.0 + math.radians(degrees)
    assert pushed_way((math.cos(angle), math.sin(angle)), 1.0) == way


# -- RAG-01: one event for all hits of a turn --------------------------------------------


def test_two_hits_of_one_step_are_one_fall_of_their_sum() -> None:
    """RAG-01: 10000 at 0 and 90 degrees: one session, impulse 14142 at 45 degrees."""
    world, ped = alone()
    assert hit(world, ped, 10000.0) is Strike.STUMBLE
    assert hit(world, ped, 0.0, 10000.0) is Strike.FALL
    world.step()
    asked = [fact.details for fact in world.facts.of(ped.ped_id) if fact.fact == "KNOCK_DOWN"]
    assert asked == [("ACCEPTED", 10000.0, 10000.0, 0.0)]
    assert ped.recovery is not None
    assert ped.recovery.session == 1
    assert ped.health.value == 1.0


def test_two_bumps_of_one_step_are_a_stumble() -> None:
    """RAG-01: what one is too little for, two come to."""
    world, ped = alone()
    assert hit(world, ped, 3000.0) is Strike.BUMP
    assert hit(world, ped, 3000.0) is Strike.STUMBLE
    world.step()
    world, ped = alone()
    assert hit(world, ped, 3000.0) is Strike.BUMP
    world.step()
    assert hit(world, ped, 3000.0) is Strike.BUMP, "bumps of two steps add up"


def test_no_number_is_no_hit() -> None:
    """RAG-01, EVT-39: non-finite impulses are ignored and noted."""
    world, ped = alone()
    assert hit(world, ped, math.nan) is Strike.BAD_IMPULSE
    world.step()
    assert body_task(ped) is None
    assert [fact.fact for fact in world.facts.of(ped.ped_id)] == ["BAD_IMPULSE"]


def test_a_far_ped_that_thinks_seldom_falls_in_the_step_of_the_hit() -> None:
    """RAG-01: the body is taken over at the end of W2 of that very step."""
    world, ped = alone()
    ped.intelligence.fix_period(60)
    steps(world, 70)
    hit(world, ped, 15000.0)
    world.step()
    assert phase(world, ped) is RecoveryPhase.PHYSICS
    assert isinstance(body_task(ped), TaskKnockedDown)


# -- below the threshold -----------------------------------------------------------------


@pytest.mark.parametrize("degrees", range(0, 360, 45))
def test_a_stagger_steps_where_it_is_pushed_and_ends(degrees: int) -> None:
    """EVT-84: three steps, 52 cm along the push, 0.9 s; then the ped has its feet again."""
    world, ped = alone()
    here = ped.position
    angle = math.radians(degrees)
    hit(world, ped, 12000.0 * math.cos(angle), 12000.0 * math.sin(angle))
    world.step()
    assert isinstance(body_task(ped), TaskHitReaction)
    steps(world, 60)
    assert body_task(ped) is None
    assert phase(world, ped) is RecoveryPhase.INACTIVE
    moved = ped.position.x - here.x, ped.position.y - here.y
    assert moved == pytest.approx((52.0 * math.cos(angle), 52.0 * math.sin(angle)), abs=0.1)
    assert world.movement.claims.held(ped.slot) == ()
    assert world.stumbles.shown_joints(ped.slot) is None


def test_a_flinch_stays_where_it_is() -> None:
    """EVT-39: from 60 cm/s on; half a second."""
    world, ped = alone()
    here = ped.position
    hit(world, ped, 5000.0)
    steps(world, 20)
    assert isinstance(body_task(ped), TaskHitReaction)
    steps(world, 14)
    assert body_task(ped) is None
    assert ped.position == here


def test_a_stagger_never_steps_into_a_wall_or_a_person() -> None:
    """LOC-07: what is in the way ends the steps, not the clip."""
    peds = (person(10, "courier", 1000.0, 800.0), person(11, "other", 1085.0, 800.0))
    world = World(street(peds=peds), strict=True)
    steps(world, 3)
    ped = ped_named(world)
    hit(world, ped, 12000.0)
    steps(world, 60)
    assert 1010.0 < ped.position.x <= 1022.0 + 1e-6
    assert body_task(ped) is None


def test_a_walk_goes_on_after_a_stumble_with_all_it_had() -> None:
    """NAV-15: claim 80 suspends, its end resumes: same goal, order and task; generation + 2."""
    world = World(courier_street(), strict=True)
    assert start(world).accepted
    steps(world, 60)
    ped = ped_named(world)
    generation, goal = ped.movement.generation, ped.movement.goal
    task = ped.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY)
    hit(world, ped, 0.0, 12000.0)
    steps(world, 2)
    assert SuspendReason.HIGHER_MOVE in ped.movement.suspend
    steps(world, 60)
    assert (ped.movement.generation, ped.movement.goal) == (generation + 2, goal)
    assert ped.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY) is task
    steps(world, 700)
    assert ped.order.status is OrderStatus.COMPLETED


def test_a_hit_while_it_staggers_throws_it() -> None:
    """EVT-57: another hit counts; the stumble's claim does not shield it."""
    world, ped = alone()
    hit(world, ped, 12000.0)
    steps(world, 10)
    hit(world, ped, 15000.0)
    world.step()
    assert phase(world, ped) is RecoveryPhase.PHYSICS
    assert world.stumbles.tag_of(ped.slot) is None


def test_who_is_down_takes_no_notice_of_what_is_weak_or_too_soon() -> None:
    """EVT-39, REC-17: below 180 cm/s nothing; another knock-down 0.25 s after the last at least."""
    world, ped = alone()
    hit(world, ped, 15000.0)
    steps(world, 5)
    assert hit(world, ped, 15000.0) is Strike.IGNORED
    steps(world, 20)
    assert hit(world, ped, 13000.0) is Strike.IGNORED
    assert hit(world, ped, 15000.0) is Strike.FALL
    world.step()
    assert ped.recovery is not None
    assert ped.recovery.hit_count == 2


# -- RAG-15 --------------------------------------------------------------------------------


def test_a_hit_that_says_it_ragdolls_does() -> None:
    """RAG-15: a van's 6000 is raised to 13500 along its direction, and noted."""
    world, ped = alone()
    came_to = world.impacts.strike(ped, Impact((3600.0, -4800.0)), ragdolls=True)
    assert came_to is Strike.FALL
    world.step()
    assert phase(world, ped) is RecoveryPhase.PHYSICS
    noted = next(one for one in world.facts.of(ped.ped_id) if one.fact == "IMPULSE_RAISED")
    assert noted.details == pytest.approx((8100.0, -10800.0, 0.0))


def test_a_hit_without_a_direction_is_raised_into_the_air() -> None:
    """RAG-15, RAG-01: up 6000 is what throws anybody without a push."""
    assert raised(Impact((0.0, 0.0)), knockdown()) == Impact((0.0, 0.0), 6000.0)
    strong = Impact((20000.0, 0.0), 10.0)
    assert raised(strong, knockdown()) == strong


def test_a_hit_that_throws_goes_through_whatever_the_movement_waits_for() -> None:
    """RAG-15, RAG-02: watching something over an order (FOREIGN_MAIN) shields nobody."""
    world = World(courier_street(), strict=True)
    assert start(world).accepted
    steps(world, 60)
    ped = ped_named(world)
    world.coordination.set_reason(ped.slot, SuspendReason.FOREIGN_MAIN, True)
    hit(world, ped, 15000.0)
    world.step()
    assert phase(world, ped) is RecoveryPhase.PHYSICS


# -- EVT-102: harm, limping, lying hurt ----------------------------------------------------


def test_what_hits_cost() -> None:
    """EVT-102: 15000 at 75 kg is 200 cm/s: 0.98 left; a shove that one takes costs nothing."""
    world, ped = alone()
    hit(world, ped, 15000.0)
    assert ped.health.value == pytest.approx(0.98)
    world, ped = alone()
    hit(world, ped, 12000.0)
    assert ped.health.value == 1.0
    world, ped = alone()
    hit(world, ped, 9e5)
    assert ped.health.value == pytest.approx(0.5), "one impact takes half at the most"


def test_who_is_hurt_limps() -> None:
    """Below 0.6 it walks at 0.6 of its pace."""
    _, ped = alone()
    assert ped.walk_speed_cm_s == 130.0
    ped.health.take(0.41)
    assert ped.limps
    assert ped.walk_speed_cm_s == pytest.approx(78.0)


def settled(world: World, ped: Ped) -> None:
    """Step until it has lain still."""
    for _ in range(400):
        world.step()
        record = ped.recovery
        if record is not None and record.stable_time > 0.5 and record.age > 1.5:
            return
    raise AssertionError("it never lay still")


def test_who_is_badly_hurt_lies_and_calls_until_it_pulls_itself_together() -> None:
    """Below 0.35 it stays down, calls, and rises after 15 s at 0.5; nothing else of it changed."""
    world, ped = alone()
    ped.health.take(0.7)
    hit(world, ped, 15000.0)
    settled(world, ped)
    heard = 0
    for _ in range(60 * 12):
        world.step()
        assert phase(world, ped) is RecoveryPhase.PHYSICS
        heard += any(
            event.event_type is EventType.SHOCKING_HELP_CALL
            for event in world.events.global_events.group.events()
        )
    assert heard > 60
    steps(world, 60 * 8)
    assert phase(world, ped) is RecoveryPhase.INACTIVE
    assert ped.health.value == pytest.approx(0.5)
    assert ped.limps


@pytest.mark.parametrize("model", ["medic", "ordinary"])
def test_who_lies_hurt_is_helped_up_by_who_hears_the_call(model: str) -> None:
    """EVT-100, EVT-84: the call brings a medic, or one of several passers-by, and they rise."""
    helpers = [
        replace(person(11 + n, f"h{n}", 1250.0 + 90.0 * n, 800.0, math.pi), model=model)
        for n in range(1 if model == "medic" else 4)
    ]
    world = World(street(peds=(person(10, "courier", 1000.0, 800.0), *helpers)), strict=True)
    steps(world, 3)
    ped = ped_named(world)
    ped.health.take(0.7)
    hit(world, ped, 0.0, 15000.0)
    settled(world, ped)
    for _ in range(60 * 12):
        world.step()
        if phase(world, ped) is RecoveryPhase.BLENDING:
            break
    assert phase(world, ped) is RecoveryPhase.BLENDING, "nobody helped within 12 s"
    assert ped.health.value == pytest.approx(0.5)
    nearest = min(math.dist(one.position, ped.position) for one in world.peds.in_id_order()[1:])
    assert nearest < 200.0


# -- RAG-16: dying ---------------------------------------------------------------------------


def test_a_fatal_hit_takes_the_body_over_once_and_for_good() -> None:
    """RAG-16, EVT-102: fatal standing: one take-over, no knocked-down task; it never rises."""
    world, ped = alone()
    ped.health.take(0.6)
    assert hit(world, ped, 45000.0) is Strike.FALL
    steps(world, 60 * 12)
    assert ped.is_dead
    assert ped.health.value == 0.0
    assert body_task(ped) is None
    assert isinstance(ped.tasks.tree(PRIMARY).get_task(MAIN), TaskDyingDead)
    assert phase(world, ped) in LIMP
    assert SuspendReason.BODY in ped.movement.suspend
    taken = [one for one in world.facts.of(ped.ped_id) if one.fact == "RECOVERY"]
    assert [one.details[1:] for one in taken] == [("INACTIVE", "PHYSICS", "HIT")]


def test_a_fatal_hit_while_down_takes_the_live_bodies_over() -> None:
    """RAG-16, REC-22: the bodies are the same objects, and BODY is set in every step."""
    world, ped = alone()
    hit(world, ped, 20000.0)
    steps(world, 30)
    limp = world.physics.ragdolls.limp_ped(ped.slot)
    ped.health.take(0.9)
    hit(world, ped, 45000.0)
    for _ in range(300):
        world.step()
        assert SuspendReason.BODY in ped.movement.suspend
        assert world.physics.ragdolls.limp_ped(ped.slot) is limp
    assert ped.is_dead
    assert isinstance(ped.tasks.tree(PRIMARY).active_root, TaskDyingDead)


def test_the_dead_lie_down_again_if_their_recovery_is_ended_by_force() -> None:
    """RAG-16, REC-22: while nobody else has the body, the task asks for it anew."""
    world, ped = alone()
    ped.health.take(0.6)
    hit(world, ped, 45000.0)
    steps(world, 120)
    world.recovery.abort(ped.slot)
    assert phase(world, ped) is RecoveryPhase.INACTIVE
    steps(world, 60)
    assert ped.is_dead
    assert phase(world, ped) in LIMP
    assert isinstance(ped.tasks.tree(PRIMARY).active_root, TaskDyingDead)


def test_a_fatal_hit_while_rising_throws_it_down_again() -> None:
    """RAG-16, REC-17: it does not stand up dead."""
    world, ped = alone()
    hit(world, ped, 15000.0)
    for _ in range(400):
        world.step()
        if phase(world, ped) is RecoveryPhase.BLENDING:
            break
    steps(world, 30)
    ped.health.take(0.95)
    hit(world, ped, 45000.0)
    steps(world, 600)
    assert ped.is_dead
    assert phase(world, ped) in LIMP


def test_a_dead_body_is_pushed_and_answers_nothing() -> None:
    """EVT-12: the dead take no DAMAGE; the body is a body and slides."""
    world, ped = alone()
    ped.health.take(0.6)
    hit(world, ped, 45000.0)
    steps(world, 300)
    here, events = ped.position, len(ped.events.group)
    assert hit(world, ped, 0.0, 30000.0) is Strike.IGNORED
    steps(world, 60)
    assert ped.position.y > here.y + 20.0
    assert len(ped.events.group) == events
    pelvis = world.physics.ragdolls.limp_ped(ped.slot)
    assert pelvis is not None
    steps(world, 240)
    assert pelvis.bodies[BodyPart.PELVIS].is_sleeping, "a dead body at rest costs nothing"


@pytest.mark.parametrize("options", [{"immortal": True}, {"player": True}])
def test_the_immortal_get_up_again(options: dict[str, bool]) -> None:
    """EVT-102: a level's word, or the player: it stays at 0.05."""
    world, ped = alone(**options)
    ped.health.take(0.9)
    hit(world, ped, 45000.0)
    assert ped.health.value == pytest.approx(0.05)
    steps(world, 60 * 25)
    assert not ped.is_dead
    assert phase(world, ped) is RecoveryPhase.INACTIVE


def test_a_dead_ped_that_is_removed_leaves_nothing_behind() -> None:
    """REC-22, RAG-13: bodies, joints and claim go with it."""
    world, ped = alone()
    before = world.physics.counts()
    ped.health.take(0.6)
    hit(world, ped, 45000.0)
    steps(world, 120)
    world.peds.request_removal(ped.ref)
    world.step()
    assert world.physics.counts() == before
