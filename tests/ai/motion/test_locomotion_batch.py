"""The batch of the walk update equals its scalar path bit for bit (NAV-12, LOC-16)."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from ai.motion import (
    locomotion,
    locomotion_batch,
    ped_grid,
    steering_batch,
    step_checks_batch,
    walkers_batch,
)
from ai.motion.locomotion_batch import BatchWalk
from ai.motion.movement_table import ClipPhase, MoveStatus, PositionWriter, WriterConflict
from ai.ports import STEP_S
from tests.ai.motion.plain_world import PlainClearance, disc
from tests.ai.motion.walk_scenes import disturb, random_scene, table_bytes
from tests.ai.motion.walk_world import WalkWorld

SCENES = 500
BLOCK = 50
PEDS = 12


@pytest.fixture(autouse=True)
def batch_from_the_first_ped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small scenes go through the batch too, not only crowds."""
    monkeypatch.setattr(locomotion, "FEW", 0)


@pytest.fixture
def nothing_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside the batch, too, few peds are treated as many are."""
    for module in (locomotion_batch, steering_batch, step_checks_batch, walkers_batch):
        monkeypatch.setattr(module, "FEW", 0)
    monkeypatch.setattr(ped_grid, "DENSE", 0)


def assert_same(batch: WalkWorld, scalar: WalkWorld, where: str) -> None:
    ours, theirs = table_bytes(batch), table_bytes(scalar)
    differing = [name for name in ours if ours[name] != theirs[name]]
    assert not differing, f"{where}: {differing}"
    assert batch.walk.steer_checks_near == scalar.walk.steer_checks_near, where
    assert batch.walk.steer_checks_far == scalar.walk.steer_checks_far, where
    assert batch.facts.notes == scalar.facts.notes, where


@pytest.mark.parametrize("first", range(0, SCENES, BLOCK))
def test_batch_equals_scalar_on_random_scenes(first: int) -> None:
    """NAV-12, LOC-16: crowded scenes with all phases, stops, wishes and corners.

    Tables, counters and facts are equal after every step, long ones among them; nobody gets
    nearer than 63 cm who was not.
    """
    play_scenes(first)


@pytest.mark.usefixtures("nothing_one_by_one")
@pytest.mark.parametrize("first", range(0, SCENES, 2 * BLOCK))
def test_batch_equals_scalar_on_random_scenes_as_in_a_crowd(first: int) -> None:
    """NAV-12, LOC-16: the same with nobody taken out of a batch because they are few."""
    play_scenes(first)


def play_scenes(first: int) -> None:
    for seed in range(first, first + BLOCK):
        batch, draw = random_scene(seed, PEDS, force_scalar=False)
        scalar, scalar_draw = random_scene(seed, PEDS, force_scalar=True)
        for step in range(6):
            disturb(batch, draw)
            disturb(scalar, scalar_draw)
            dt_s = 0.12 if step == 3 else STEP_S
            before = spacings(batch)
            batch.tick(dt_s=dt_s)
            scalar.tick(dt_s=dt_s)
            assert_same(batch, scalar, f"seed {seed} step {step}")
            for pair, distance in spacings(batch).items():
                assert distance >= min(63.0, before[pair]) - 1e-9, f"seed {seed} step {step}"


def spacings(world: WalkWorld) -> dict[tuple[int, int], float]:
    return {
        (a.slot, b.slot): math.dist(a.xy, b.xy)
        for a in world.peds
        for b in world.peds
        if a.slot < b.slot
    }


@pytest.mark.parametrize("crowded", [False, True])
def test_batch_equals_scalar_while_a_crowd_crosses(
    crowded: bool, request: pytest.FixtureRequest
) -> None:
    """NAV-12: 20 peds on a ring walk through its middle, round a thing and each other, for 3 s."""
    if crowded:
        request.getfixturevalue("nothing_one_by_one")
    worlds = []
    for force_scalar in (False, True):
        clearance = PlainClearance(disc(0.0, 0.0, 30.0))
        world = WalkWorld(clearance=clearance, capacity=20, force_scalar=force_scalar)
        for number in range(20):
            angle = number / 20 * 2.0 * math.pi
            radius = 320.0 + 90.0 * (number % 2)
            x, y = radius * math.cos(angle), radius * math.sin(angle)
            ped = world.spawn(x, y, yaw_deg=math.degrees(angle) + 180.0)
            ped.walk((-x, -y))
        worlds.append(world)
    batch, scalar = worlds
    for step in range(180):
        batch.tick()
        scalar.tick()
        if step % 20 == 0 or step > 170:
            assert_same(batch, scalar, f"step {step}")
            assert min(spacings(batch).values()) >= 63.0
    assert sum(ped.record.travelled for ped in batch.peds) > 20 * 150.0


def test_most_of_a_plain_walk_is_batched(monkeypatch: pytest.MonkeyPatch) -> None:
    """LOC-16: in the open only starts, corners, landings and arrivals go one by one."""
    left_over: Counter[str] = Counter()
    batch_step = BatchWalk.step

    def counting(self: BatchWalk, rows: object, dt_s: float) -> list[int]:
        left = batch_step(self, rows, dt_s)  # type: ignore[arg-type]
        left_over["scalar"] += len(left)
        left_over["all"] += 40
        return left

    monkeypatch.setattr(BatchWalk, "step", counting)
    world = WalkWorld(capacity=40)
    for number in range(40):
        y = number * 200.0 - 4000.0
        ped = world.spawn(0.0, y)
        ped.walk((500.0, y), (900.0, y))
    while world.peds[0].status is MoveStatus.WALKING:
        world.tick()
    world.tick(60)
    assert left_over["scalar"] < 0.05 * left_over["all"]
    assert all(ped.status is MoveStatus.ARRIVED for ped in world.peds)


def test_later_peds_see_where_earlier_ones_have_gone() -> None:
    """NAV-12: two close up on each other, 66 cm apart with steps of 2.1667.

    The first by id goes on to 63.83 cm; after it the second finds no room for its own step.
    """
    for force_scalar in (True, False):
        world = WalkWorld(force_scalar=force_scalar)
        first = world.spawn(0.0, 0.0, profile=None)
        second = world.spawn(66.0, 0.0, yaw_deg=180.0, profile=None)
        first.walk((500.0, 0.0))
        second.walk((-500.0, 0.0))
        for ped in (first, second):
            world.table.reeval_steer[ped.row] = False
        world.tick()
        assert first.xy == (pytest.approx(130.0 / 60.0), 0.0)
        assert second.xy != (66.0 - 130.0 / 60.0, 0.0)
        assert math.dist(first.xy, second.xy) >= 63.0


def test_the_id_decides_who_goes_first_not_the_slot() -> None:
    """NAV-12: ascending ped id, whatever pool slots the peds have."""
    world = WalkWorld()
    low_slot = world.spawn(0.0, 0.0, profile=None)
    high_slot = world.spawn(66.0, 0.0, yaw_deg=180.0, profile=None)
    low_slot.walk((500.0, 0.0))
    high_slot.walk((-500.0, 0.0))
    world.table.ped_id[low_slot.slot], world.table.ped_id[high_slot.slot] = 9, 4
    for ped in (low_slot, high_slot):
        world.table.reeval_steer[ped.row] = False
    world.tick()
    assert high_slot.xy == (pytest.approx(66.0 - 130.0 / 60.0), 0.0)
    assert low_slot.xy != (pytest.approx(130.0 / 60.0), 0.0)


@pytest.mark.parametrize("force_scalar", [True, False])
def test_a_second_writer_of_a_position_is_refused(force_scalar: bool) -> None:
    """NAV-13, section 12 no. 17: who was moved by the recovery in this step is not walked."""
    world = WalkWorld(force_scalar=force_scalar)
    ped = world.spawn(0.0, 0.0)
    ped.walk((1000.0, 0.0))
    world.tick(90)
    assert ped.clip.phase is ClipPhase.LOOP
    world.table.begin_step()
    world.table.write_position(ped.slot, 500.0, 0.0, 0.0, PositionWriter.RECOVERY)
    with pytest.raises(WriterConflict, match="ped#1"):
        world.walk.step(STEP_S)
