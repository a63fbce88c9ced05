"""Physics of props: friction, sleep, impulses, caps, height bands, determinism, finite state."""

from __future__ import annotations

import math
import random

import numpy as np
import pymunk
import pytest

from ai.faults import faults
from ai.ports import Polygon, Vec3
from game.world.bodies import BodyRegistry
from game.world.collision import HIGH, LOW, MID, bands_of
from game.world.fingerprint import RunFingerprint
from game.world.things import VX, VY
from tests.game.world.small_worlds import SmallWorld, box


def test_ground_friction_stops_a_body_at_600_cm_s_after_306_cm_in_1_02_s(
    world: SmallWorld,
) -> None:
    """RAG-08: mu 0.6 takes 588.6 cm/s2, never past zero (+-5 %); a crate is wooden, mu 0.6."""
    crate = world.put("crate", 500, 1000)
    world.throw(crate, 600, 0)
    taken = world.steps_to_rest(crate)
    x, y, yaw = world.pose(crate)
    assert taken / 60 == pytest.approx(1.02, rel=0.05)
    assert x - 500 == pytest.approx(306, rel=0.05)
    assert (y, yaw) == (1000.0, 0.0)
    for _ in range(60):
        world.step()
    assert world.pose(crate) == (x, y, yaw)


@pytest.mark.parametrize(("kind", "mu"), [("barrel", 0.5), ("cone", 0.8), ("trolley", 0.12)])
def test_ground_friction_goes_by_the_material(world: SmallWorld, kind: str, mu: float) -> None:
    """LOC-20: every prop has ground friction as RAG-08; v/t = mu * 981 whatever its mass."""
    prop = world.put(kind, 500, 1000)
    world.throw(prop, 400, 0)
    for _ in range(30):
        world.step()
    assert 400 - world.speed(prop) == pytest.approx(min(400.0, mu * 981 / 2), rel=0.01)


def test_ground_friction_takes_spin_too(world: SmallWorld) -> None:
    """RAG-08: 12 rad/s2 for wood: 6 rad/s are gone after half a second."""
    crate = world.put("crate", 500, 1000)
    moment = 40.0 * (68.0**2 + 68.0**2) / 12.0
    arm = 20.0
    world.physics.apply_impulse(crate, (0.0, 6.0 * moment / arm), (520.0, 1000.0))
    world.physics.apply_impulse(crate, (0.0, -6.0 * moment / arm))
    spin = world.things.state[crate.slot, 5]
    assert spin == pytest.approx(6.0, rel=1e-6)
    for _ in range(15):
        world.step()
    assert world.things.state[crate.slot, 5] == pytest.approx(3.0, rel=0.05)
    for _ in range(16):
        world.step()
    assert world.things.state[crate.slot, 5] == 0.0


def test_a_pushed_bin_comes_to_rest_within_1_5_s(world: SmallWorld) -> None:
    """LOC-20: pushed hard, at 600 cm/s, between a wall and a crate."""
    world.put("wall", 1000, 1000, outline=box(20, 400))
    world.put("crate", 700, 1000)
    bin_ = world.put("bin", 850, 1000)
    world.throw(bin_, 600, 40)
    assert world.steps_to_rest(bin_) <= 90


def test_resting_bodies_fall_asleep_and_wake_when_touched(world: SmallWorld) -> None:
    """With gravity 0 they never would by themselves: the threshold is set."""
    crate = world.put("crate", 500, 500)
    other = world.put("crate", 900, 500)
    world.throw(crate, 200, 0)
    world.steps_to_rest(crate)
    for _ in range(60):
        world.step()
    assert world.physics.asleep(crate)
    assert world.physics.asleep(other)
    world.throw(other, -900, 0)
    assert not world.physics.asleep(other)
    for _ in range(40):
        world.step()
    assert not world.physics.asleep(crate)
    assert world.pose(crate)[0] < 530


def test_what_only_drifts_falls_asleep_within_0_9_s(world: SmallWorld) -> None:
    """With gravity 0 pymunk's own threshold is 0: a body without friction would never sleep."""
    body = pymunk.Body(5.0, 100.0)
    body.velocity = (1.5, 0.0)
    world.physics._space.add(body, pymunk.Circle(body, 5.0))
    for _ in range(54):
        world.step()
    assert body.is_sleeping


def test_a_static_thing_that_appears_over_a_sleeper_wakes_it(world: SmallWorld) -> None:
    """F6: a sleeper looks for no contacts; it must not stay inside the barricade."""
    crate = world.put("crate", 500, 500)
    for _ in range(60):
        world.step()
    assert world.physics.asleep(crate)
    world.put("barricade", 530, 500, outline=box(20, 240))
    for _ in range(120):
        world.step()
    assert world.pose(crate)[0] == pytest.approx(520 - 34, abs=1.0)
    assert world.speed(crate) < 2.0


def test_impulses_change_speed_by_mass_and_are_capped(world: SmallWorld) -> None:
    crate = world.put("crate", 500, 500)
    assert world.physics.apply_impulse(crate, (4000.0, 0.0))
    assert world.things.state[crate.slot, VX] == pytest.approx(100.0)
    world.physics.apply_impulse(crate, (0.0, 1e9))
    assert world.speed(crate) == pytest.approx(6000.0)
    world.physics.apply_impulse(crate, (0.0, 1e7), (533.0, 500.0))
    assert abs(world.things.state[crate.slot, 5]) <= 30.0


@pytest.mark.parametrize("bad", [(math.nan, 0.0), (0.0, math.inf)])
def test_an_impulse_that_is_not_finite_is_refused(
    world: SmallWorld, bad: tuple[float, float]
) -> None:
    crate = world.put("crate", 500, 500)
    with pytest.raises(ValueError, match="finite"):
        world.physics.apply_impulse(crate, bad)
    with pytest.raises(ValueError, match="finite"):
        world.physics.apply_impulse(crate, (1.0, 0.0), bad)
    assert world.speed(crate) == 0.0


def test_what_physics_does_not_move_takes_no_impulse(world: SmallWorld) -> None:
    assert not world.physics.apply_impulse(world.put("car", 500, 500), (1e6, 0.0))


def test_a_prop_put_elsewhere_is_there_in_physics_too(world: SmallWorld) -> None:
    crate = world.put("crate", 500, 500)
    for _ in range(60):
        world.step()
    assert world.things.place(crate, Vec3(900, 700), 0.5, Vec3(120.0, 0.0))
    world.step()
    x, y, yaw = world.pose(crate)
    assert x == pytest.approx(902, abs=0.2)
    assert (y, yaw) == (700.0, 0.5)


@pytest.mark.parametrize(
    ("low", "high", "bands"),
    [
        (0, 30, LOW),
        (0, 30.1, LOW | MID),
        (60, 90, MID),
        (30, 100, MID),
        (100, 220, HIGH),
        (0, 220, LOW | MID | HIGH),
        (29.9, 30.0, LOW),
        (99.0, 101.0, MID | HIGH),
    ],
)
def test_a_thing_is_in_each_height_band_that_its_interval_meets(
    low: float, high: float, bands: int
) -> None:
    """RAG-09: LOW 0-30, MID 30-100, HIGH above 100; touching an edge is not meeting."""
    assert bands_of(low, high) == bands


def test_props_pass_under_what_is_above_them_and_meet_what_shares_a_band(
    world: SmallWorld,
) -> None:
    """RAG-09: a board 20 high slides under a beam at 60 to 90; a crate of 68 does not."""
    world.put("wall", 1000, 500, outline=box(20, 200), heights=(60, 90))
    world.put("wall", 1000, 900, outline=box(20, 200), heights=(60, 90))
    board = world.put("crate", 800, 500, heights=(0, 20))
    crate = world.put("crate", 800, 900)
    for prop in (board, crate):
        world.throw(prop, 800, 0)
        world.steps_to_rest(prop)
    for _ in range(30):
        world.step()
    assert world.pose(board)[0] > 1200
    assert world.pose(crate)[0] < 990 - 34 + 1


def test_a_vehicle_and_a_concave_static_thing_stop_props(world: SmallWorld) -> None:
    """RAG-09: cars are static shapes; the mouth of a concave thing is open, its back is not.

    A contact is found after the sub-step that made it: 900 cm/s enter by up to 7.5 cm.
    """
    world.put("car", 800, 500)
    horseshoe = Polygon(
        ((0, 0), (200, 0), (200, 20), (20, 20), (20, 180), (200, 180), (200, 200), (0, 200))
    )
    world.put("building", 500, 1000, outline=horseshoe)
    at_car = world.put("crate", 500, 500)
    into_mouth = world.put("crate", 1000, 1100)
    world.throw(at_car, 900, 0)
    world.throw(into_mouth, -900, 0)
    furthest = 0.0
    closest = 9999.0
    for _ in range(120):
        world.step()
        furthest = max(furthest, world.pose(at_car)[0])
        closest = min(closest, world.pose(into_mouth)[0])
    assert furthest < 710 - 34 + 8
    assert closest < 560
    assert closest > 520 + 34 - 8


def test_a_concave_prop_turns_about_its_own_centre(world: SmallWorld) -> None:
    ell = Polygon(((-40, -40), (40, -40), (40, -20), (-20, -20), (-20, 40), (-40, 40)))
    prop = world.put("crate", 500, 500, outline=ell)
    world.throw(prop, 300, 0)
    world.steps_to_rest(prop)
    x, y, yaw = world.pose(prop)
    assert x == pytest.approx(576, abs=4)
    assert (y, yaw) == (500.0, 0.0)


def chaos(seed: int) -> str:
    """Two seconds of thrown props, walkers, spawns and removals; the fingerprint of it."""
    rng = random.Random(seed)
    world = SmallWorld()
    for x in (20.0, 2980.0):
        world.put("wall", x, 1000, outline=box(20, 1960))
    for y in (20.0, 1980.0):
        world.put("wall", 1500, y, outline=box(2960, 20))
    refs = [
        world.put(kind, rng.uniform(200, 2800), rng.uniform(200, 1800), yaw_rad=rng.uniform(0, 6))
        for kind in ("crate", "cone", "bin", "box", "barrel", "bench", "bag", "beam") * 4
    ]
    fingerprint = RunFingerprint()
    for step in range(120):
        if step % 10 == 0:
            for ref in rng.sample(refs, 6):
                world.throw(ref, rng.uniform(-900, 900), rng.uniform(-900, 900))
            world.remove(refs.pop(rng.randrange(len(refs))))
            refs.append(world.put("crate", rng.uniform(200, 2800), rng.uniform(200, 1800)))
        world.step(*((300 + 5.5 * step, 200.0 * row) for row in range(1, 9)))
        slots, state = world.physics.prop_state()
        fingerprint.add_step(step, slots, state)
    assert not world.physics.check_ownership()
    return fingerprint.hexdigest()


def test_the_same_run_twice_is_equal_bit_for_bit() -> None:
    """LVL-08: with contacts, sleepers, walkers, spawns and removals; another seed differs."""
    assert chaos(1) == chaos(1)
    assert chaos(1) != chaos(2)


def naps(seed: int) -> tuple[str, bool]:
    """Props that are hit, come to rest and are hit again; the fingerprint, and if any rested."""
    rng = random.Random(seed)
    world = SmallWorld()
    refs = [
        world.put(kind, 400.0 + 160.0 * n, 500.0 + 90.0 * (n % 3), yaw_rad=rng.uniform(0, 6))
        for n, kind in enumerate(("crate", "cone", "bin", "box", "barrel", "bench", "bag"))
    ]
    fingerprint = RunFingerprint()
    left_alone = False
    for step in range(600):
        if step % 150 == 0:
            for ref in rng.sample(refs, 4):
                world.throw(ref, rng.uniform(-700, 700), rng.uniform(-700, 700))
        x = 100.0 + 3.0 * min(step % 300, 150)
        world.step((x, 560.0), (100.0, 100.0))
        left_alone |= world.physics._rests_at == world.physics._registry.changes
        slots, state = world.physics.prop_state()
        fingerprint.add_step(step, slots, state)
    return fingerprint.hexdigest(), left_alone


def test_leaving_a_sleeping_space_alone_changes_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Product.md section 9: the same run with every step of the space done."""
    skipped, left_alone = naps(3)
    assert left_alone
    monkeypatch.setattr(BodyRegistry, "all_asleep", lambda _registry: False)
    assert naps(3) == (skipped, False)


@pytest.fixture
def asleep(world: SmallWorld, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A crate and a cone that sleep; the list grows with each step of the space from then on."""
    world.put("crate", 500, 500)
    world.put("cone", 900, 900)
    for _ in range(60):
        world.step((300, 300))
    stepped: list[float] = []
    original = BodyRegistry.step_space

    def step_space(registry: BodyRegistry, dt_s: float) -> None:
        stepped.append(dt_s)
        original(registry, dt_s)

    monkeypatch.setattr(BodyRegistry, "step_space", step_space)
    return stepped


def test_a_space_in_which_all_sleep_is_left_alone(world: SmallWorld, asleep: list[float]) -> None:
    for x in range(300, 600, 10):
        world.step((x, 300))
    assert asleep == []


@pytest.mark.parametrize("disturbance", ["hit", "placed", "static", "prop", "removed", "ped"])
def test_whatever_may_wake_a_body_has_the_space_stepped_again(
    world: SmallWorld, asleep: list[float], disturbance: str
) -> None:
    """F6: at once, in two sub-steps."""
    crate, cone = (thing.ref for thing in world.things.in_id_order())
    ped = (300.0, 300.0)
    if disturbance == "hit":
        world.throw(crate, 50, 0)
    elif disturbance == "placed":
        assert world.things.place(crate, Vec3(700.0, 500.0), 0.0)
    elif disturbance == "static":
        world.put("wall", 1500, 1000, outline=box(20, 400))
    elif disturbance == "prop":
        world.put("bin", 1500, 1000)
    elif disturbance == "removed":
        world.remove(cone)
    else:
        ped = (880.0, 900.0)
    world.step(ped)
    assert asleep == [1 / 120, 1 / 120]


@pytest.mark.expects_faults
@pytest.mark.parametrize("column", [VX, VY])
def test_a_body_that_loses_its_finite_state_is_taken_out_with_one_fault(
    world: SmallWorld, column: int
) -> None:
    """NaN velocity becomes NaN position silently: found in the same step, the step goes on."""
    neighbour = world.put("crate", 900, 500)
    broken = world.put("crate", 500, 500)
    world.throw(neighbour, 100, 0)
    body = world.physics._bodies[broken.slot].body
    assert body is not None
    body.velocity = (math.nan, 0.0) if column == VX else (0.0, math.nan)
    world.step()
    assert [fault.kind for fault in faults.all()] == ["non_finite_body"]
    assert world.physics.counts() == (1, 1, 2)
    assert world.things.is_dying(broken)
    assert np.isfinite(world.things.state).all()
    world.step()
    assert world.things.remove_dying() == 1
    assert world.speed(neighbour) > 0.0
    assert faults.total == 1
    assert not world.physics.check_ownership()


def test_closing_the_world_empties_the_space(world: SmallWorld) -> None:
    """RAG-13: on world close, counts return to 0."""
    world.put("building", 1500, 1000)
    world.put("cone", 500, 500)
    world.put("crate", 700, 500)
    world.step((480, 500))
    assert world.physics.counts() == (3, 4, 4)
    world.physics.close()
    assert world.physics.counts() == (0, 0, 0)


def test_a_body_without_an_owner_is_reported(world: SmallWorld) -> None:
    """Product.md section 10: no body in the space without an owner."""
    world.put("crate", 500, 500)
    assert world.physics.check_ownership() == ()
    stray = pymunk.Body(1.0, 1.0)
    world.physics._space.add(stray, pymunk.Circle(stray, 5.0))
    faults_found = world.physics.check_ownership()
    assert len(faults_found) == 2
    assert all("has no owner" in fault for fault in faults_found)
    owned = world.physics._bodies[0]
    world.physics._space.remove(*owned.joints)
    missing = [fault for fault in world.physics.check_ownership() if "not in the space" in fault]
    assert len(missing) == 2
