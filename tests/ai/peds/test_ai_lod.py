"""AI level of detail: who has a full update how often (TASK-76, TASK-119)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.peds.ai_lod import Detail
from ai.peds.ped import Ped
from ai.ports import Vec3
from ai.tasks.detail_range import DetailRange
from ai.tasks.limits_tuning import Limits
from ai.tasks.task import Task
from ai.tasks.trees import PRIMARY, SECONDARY, PrimarySlot, SecondarySlot
from ai.tuning import TuningError, load_own_form
from game import resources
from game.world.world import World
from tests.ai.tasks.doubles import fresh_type
from tests.streets import pavement, ped_named, person, steps, street

LENGTH_CM = 12_000.0
WIDTH_CM = 400.0
ROW_Y = 200.0


def long_street(places: Sequence[float], *, player: bool = False, task: str = "stand") -> World:
    """Peds of ids 100, 101, … in a row; the focus is the row's origin, x = 0."""
    peds = [person(100 + i, f"p{i}", x, ROW_Y, task=task) for i, x in enumerate(places)]
    if player:
        peds[0] = replace(peds[0], options={"player": True})
    description = replace(
        street(peds=peds, surfaces=(pavement(LENGTH_CM, WIDTH_CM),)),
        width_cm=LENGTH_CM,
        height_cm=WIDTH_CM,
    )
    world = World(description, ped_capacity=len(peds) + 2)
    world.focus = Vec3(0.0, ROW_Y)
    return world


def put(world: World, ped: Ped, distance_cm: float) -> None:
    """Look from elsewhere: the focus goes to this distance from a ped."""
    world.focus = Vec3(ped.position.x - distance_cm, ped.position.y)


def detail(world: World, ped: Ped) -> Detail:
    return world.ai_lod.detail(ped.slot)


class Watched(Task):
    """Does nothing; a subclass declares a range."""

    task_type = fresh_type("watched")
    __slots__ = ()
    PARAMS = ()

    class State(IntEnum):
        RUN = 0

    def on_update_run(self, _dt: float) -> None:
        pass


class WatchedFar(Watched):
    task_type = fresh_type("watched_far")
    __slots__ = ()
    detail_range: ClassVar[DetailRange] = DetailRange.FAR


class WatchedMid(Watched):
    task_type = fresh_type("watched_mid")
    __slots__ = ()
    detail_range: ClassVar[DetailRange] = DetailRange.MID


def test_detail_follows_the_distance_from_the_focus() -> None:
    """TASK-119: near up to 1500 cm, medium up to 3500, far beyond."""
    world = long_street([100.0, 1500.0, 1501.0, 3500.0, 3501.0, 9000.0])
    world.step()
    assert [detail(world, ped) for ped in world.peds.in_id_order()] == [
        Detail.NEAR,
        Detail.NEAR,
        Detail.MEDIUM,
        Detail.MEDIUM,
        Detail.FAR,
        Detail.FAR,
    ]
    periods = [ped.intelligence.update_period for ped in world.peds.in_id_order()]
    assert periods == [1, 1, 4, 4, 16, 16]


def test_a_coarser_detail_begins_200_cm_past_the_border() -> None:
    """TASK-119: and a finer one at the border itself, so nobody flaps on it."""
    world = long_street([5000.0])
    ped = ped_named(world, "p0")
    for distance_cm, expected in (
        (1400.0, Detail.NEAR),
        (1700.0, Detail.NEAR),
        (1701.0, Detail.MEDIUM),
        (1501.0, Detail.MEDIUM),
        (1500.0, Detail.NEAR),
        (3600.0, Detail.MEDIUM),
        (3700.0, Detail.MEDIUM),
        (3701.0, Detail.FAR),
        (3501.0, Detail.FAR),
        (3500.0, Detail.MEDIUM),
        (5000.0, Detail.FAR),
        (1600.0, Detail.MEDIUM),
        (0.0, Detail.NEAR),
    ):
        put(world, ped, distance_cm)
        world.step()
        assert detail(world, ped) is expected, distance_cm


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0.0, 6000.0), min_size=1, max_size=12))
def test_the_batch_equals_one_ped_after_the_other(distances_cm: list[float]) -> None:
    """TASK-119: detail by the rule's own words, one border at a time."""
    world = long_street([6000.0])
    ped = ped_named(world, "p0")
    expected: int | None = None
    for distance_cm in distances_cm:
        put(world, ped, distance_cm)
        found = math.dist(ped.position[:2], world.focus[:2])
        finer = (found > 1500.0) + (found > 3500.0)
        coarser = (found > 1700.0) + (found > 3700.0)
        if expected is None or finer < expected:
            expected = finer
        elif coarser > expected:
            expected = coarser
        world.ai_lod.choose(world.peds.in_id_order(), world.focus)
        assert detail(world, ped) == expected
    world.close()


def test_1000_peds_have_160_full_updates_a_step() -> None:
    """TASK-119: 64 near, 200 medium, 736 far: on average 64 + 50 + 46."""
    places = [20.0 * i for i in range(64)]
    places += [1800.0 + 8.0 * i for i in range(200)]
    places += [4000.0 + 9.0 * i for i in range(736)]
    world = long_street(places)
    peds = world.peds.in_id_order()
    # Only the choice and the dates are looked at: so many minds need not run for it.
    world.ai_lod.choose(peds, world.focus)
    for ped in peds:
        ped.intelligence.needs_full_update = False
    per_step = [sum(p.intelligence.full_update_due(step) for p in peds) for step in range(160)]
    assert sum(per_step) / 160 == 64 + 50 + 46
    assert max(per_step) - min(per_step) <= 2
    world.close()


def test_far_minds_lose_no_time() -> None:
    """TASK-119, TASK-86: 64 steps give 4 full updates, with all of the time."""
    world = long_street([5000.0])
    ped = ped_named(world, "p0")
    task = Watched()
    ped.tasks.set_task(PRIMARY, task, PrimarySlot.PRIMARY)
    steps(world, 16)
    while not ped.intelligence.full_update_due(world.clock.step - 1):
        world.step()
    updates, ran_s = ped.intelligence.full_updates, task.time_running
    steps(world, 64)
    assert ped.intelligence.full_updates - updates == 4
    assert task.time_running - ran_s == pytest.approx(64 / 60, abs=1e-9)


def test_a_force_reaches_a_far_mind_at_once() -> None:
    """TASK-86, TASK-119: slices hold back nothing that must be seen to now."""
    world = long_street([5000.0])
    ped = ped_named(world, "p0")
    steps(world, 3)
    for _ in range(4):
        updates = ped.intelligence.full_updates
        ped.force_full_update()
        world.step()
        assert ped.intelligence.full_updates == updates + 1


def test_the_focus_is_the_player_who_is_always_near() -> None:
    """TASK-119, product.md section 2: the player's ped, not the level's camera."""
    world = long_street([9000.0, 9400.0, 100.0], player=True)
    world.step()
    assert world.focus == ped_named(world, "p0").position
    found = [detail(world, ped) for ped in world.peds.in_id_order()]
    assert found == [Detail.NEAR, Detail.NEAR, Detail.FAR]
    world.ai_lod.choose(world.peds.in_id_order(), Vec3(0.0, 0.0))
    assert detail(world, ped_named(world, "p0")) is Detail.NEAR


def test_a_task_keeps_its_ped_near_within_its_range() -> None:
    """TASK-76: at 30 m a ped with a FAR task stays full; with MID it may be simplified."""
    world = long_street([5000.0, 5010.0])
    far, mid = world.peds.in_id_order()
    far.tasks.set_task(PRIMARY, WatchedFar(), PrimarySlot.PRIMARY)
    mid.tasks.set_task(PRIMARY, WatchedMid(), PrimarySlot.PRIMARY)
    put(world, far, 3000.0)
    steps(world, 2)
    assert (detail(world, far), detail(world, mid)) == (Detail.NEAR, Detail.MEDIUM)
    put(world, far, 2400.0)
    steps(world, 2)
    assert (detail(world, far), detail(world, mid)) == (Detail.NEAR, Detail.NEAR)


def test_the_largest_range_of_all_active_chains_counts_and_ends_with_its_task() -> None:
    """TASK-76: of four trees and whole chains; NONE makes no demand."""
    world = long_street([5000.0])
    ped = ped_named(world, "p0")
    assert ped.tasks.detail_range() == DetailRange.NONE
    ped.tasks.set_task(PRIMARY, WatchedMid(), PrimarySlot.PRIMARY)
    ped.tasks.set_task(SECONDARY, WatchedFar(), SecondarySlot.PARTIAL_ANIM)
    assert ped.tasks.detail_range() == DetailRange.FAR
    put(world, ped, 3000.0)
    steps(world, 2)
    assert detail(world, ped) is Detail.NEAR
    ped.tasks.set_task(SECONDARY, None, SecondarySlot.PARTIAL_ANIM)
    assert ped.tasks.detail_range() == DetailRange.MID
    steps(world, 2)
    assert detail(world, ped) is Detail.MEDIUM


def test_a_fixed_period_stays() -> None:
    """TASK-119: tests may fix a period."""
    world = long_street([5000.0])
    ped = ped_named(world, "p0")
    ped.intelligence.fix_period(6)
    for distance_cm in (0.0, 2500.0, 5000.0):
        put(world, ped, distance_cm)
        world.step()
        assert ped.intelligence.update_period == 6


def test_a_pool_slot_forgets_the_detail_of_the_ped_before() -> None:
    """TASK-119, product.md section 5: no border is held back by who was there before."""
    world = long_street([3600.0])
    old = ped_named(world, "p0")
    put(world, old, 1600.0)
    steps(world, 2)
    put(world, old, 1500.0)
    steps(world, 2)
    assert detail(world, old) is Detail.NEAR
    slot, traits, place = old.slot, old.traits, old.position
    world.peds.request_removal(old.ref)
    world.step()
    new = world.peds.spawn(traits, place, 0.0)
    assert new.slot == slot
    world.focus = Vec3(place.x - 1600.0, place.y)
    world.step()
    assert detail(world, new) is Detail.MEDIUM
    assert new.intelligence.update_period == 4


def test_two_runs_over_all_details_are_the_same() -> None:
    """TASK-119, product.md section 2: bit for bit, with wanderers of every detail."""

    def run() -> str:
        world = long_street([200.0 + 900.0 * i for i in range(9)], task="wander")
        steps(world, 240)
        details = {detail(world, ped) for ped in world.peds.in_id_order()}
        assert details == set(Detail)
        return world.fingerprint.hexdigest()

    assert run() == run()


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (("near_cm = 1500.0", "near_cm = -1.0"), "ai_lod.near_cm"),
        (("medium_cm = 3500.0", "medium_cm = 1400.0"), "ai_lod.medium_cm"),
        (("far_period = 16", "far_period = 0"), "ai_lod.far_period"),
        (("far_period = 16", "far_period = 61"), "ai_lod.far_period"),
        (("far_period = 16", ""), "ai_lod.far_period"),
        (("far_period = 16", "far_period = 16\nfarther = 1"), "ai_lod.farther"),
    ],
)
def test_bad_limits_are_refused_with_file_and_key(
    change: tuple[str, str], key: str, tmp_path: Path
) -> None:
    """TASK-118, TASK-119: ``limits.toml [ai_lod]`` against its schema."""
    text = (resources.assets() / "tuning" / "limits.toml").read_text(encoding="utf-8")
    path = tmp_path / "limits.toml"
    path.write_text(text.replace(*change), encoding="utf-8")
    with pytest.raises(TuningError, match=rf"limits\.toml.*{key}"):
        load_own_form(path, Limits)
