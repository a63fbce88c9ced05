"""Pools and handles: product.md section 5, F25."""

from __future__ import annotations

import pytest

from ai.ports import EntityKind, EntityRef
from game.world.handles import HandlePool, PoolExhausted
from game.world.markers import MarkerTable
from tests.game.world.small_worlds import SmallWorld, Vec3


def test_a_released_slot_refuses_the_old_handle_when_it_is_used_again() -> None:
    """F25: 50 holders of one handle; the newcomer in its slot is nobody's target."""
    pool = HandlePool(4)
    first = pool.acquire(EntityKind.PED)
    held = [first] * 50
    assert pool.release(first)
    newcomer = pool.acquire(EntityKind.PED)
    assert newcomer.slot == first.slot
    assert not any(pool.alive(ref) for ref in held)
    assert pool.alive(newcomer)


def test_a_handle_is_released_once() -> None:
    pool = HandlePool(4)
    ref = pool.acquire(EntityKind.PROP)
    assert pool.release(ref)
    again = pool.acquire(EntityKind.PROP)
    assert not pool.release(ref)
    assert pool.alive(again)
    assert len(pool) == 1


def test_a_handle_of_another_kind_generation_or_world_is_not_alive() -> None:
    pool = HandlePool(4, world=7)
    ref = pool.acquire(EntityKind.PED)
    assert pool.alive(ref)
    assert not pool.alive(ref._replace(kind=EntityKind.PROP))
    assert not pool.alive(ref._replace(generation=ref.generation + 1))
    assert not pool.alive(ref._replace(world=8))
    assert not pool.alive(EntityRef(EntityKind.PED, 99, 1, 7))
    assert not pool.alive(EntityRef(EntityKind.PED, -1, 1, 7))


def test_the_lowest_free_slot_is_taken_first() -> None:
    pool = HandlePool(4)
    refs = [pool.acquire(EntityKind.PED) for _ in range(4)]
    for index in (2, 0, 3):
        pool.release(refs[index])
    assert [pool.acquire(EntityKind.PED).slot for _ in range(3)] == [0, 2, 3]


def test_a_full_pool_says_its_limit() -> None:
    pool = HandlePool(1)
    pool.acquire(EntityKind.PED)
    with pytest.raises(PoolExhausted, match="all 1 slots"):
        pool.acquire(EntityKind.PED)


def test_a_removed_things_handle_reads_as_none_and_never_as_the_next_thing(
    world: SmallWorld,
) -> None:
    """F25: a transform, an impulse and a removal by an old handle leave the newcomer alone."""
    old = world.put("crate", 500, 500)
    world.remove(old)
    new = world.put("crate", 900, 900)
    assert new.slot == old.slot
    assert world.things.transform(old) is None
    assert not world.physics.apply_impulse(old, (1e4, 0.0))
    assert not world.things.request_removal(old)
    assert not world.things.place(old, Vec3(0, 0), 0.0)
    assert world.pose(new) == (900, 900, 0)
    assert world.speed(new) == 0.0


def test_markers_come_and_go_by_handle() -> None:
    """ORD-25: counted before and after 100 markers: equal; a destroyed one reads as none."""
    markers = MarkerTable(capacity=8)
    refs = []
    for index in range(100):
        ref = markers.create(Vec3(index, 2.0, 3.0))
        transform = markers.transform(ref)
        assert transform is not None
        assert transform.position == (index, 2.0, 3.0)
        assert transform.yaw_rad == 0.0
        assert transform.scale == (1.0, 1.0, 1.0)
        assert markers.release(ref)
        refs.append(ref)
    assert len(markers) == 0
    assert all(markers.transform(ref) is None for ref in refs)
    assert not markers.release(refs[0])
