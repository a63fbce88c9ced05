"""Contact callbacks that remove, spawn and raise: F2, F3."""

from __future__ import annotations

import random
import traceback

import pymunk
import pytest

from ai.ports import EntityKind
from game.world.bodies import BodyOwner, BodyRegistry, OwnedBody
from game.world.callbacks import CallbackGuard
from game.world.collision import CollisionType
from tests.game.world.small_worlds import SmallWorld, box


@pytest.mark.parametrize("block", range(10))
def test_removing_and_spawning_inside_callbacks_returns_every_count(block: int) -> None:
    """F2: 500 seeds; the hit thing is removed with its joints and debris spawned, in callbacks."""
    for seed in range(50 * block, 50 * block + 50):
        rng = random.Random(seed)
        world = SmallWorld()
        world.put("wall", 700, 500, outline=box(20, 600))
        before = world.physics.counts()

        def shatter(arbiter: pymunk.Arbiter, world: SmallWorld = world) -> None:
            owner = world.physics.owner_of(arbiter.shapes[1])
            if owner is None:
                return
            thing = world.things.in_slot(owner.slot)
            if world.things.request_removal(thing.ref):
                world.things.remove_dying()
                if thing.kind_name == "crate":
                    x, y = arbiter.bodies[1].position
                    for shift in (-60, 0, 60):
                        world.put("bag", x - 120, y + shift)

        moment = rng.choice(("begin", "pre_solve", "post_solve", "separate"))
        world.physics.on_contact(CollisionType.STATIC, CollisionType.PROP, **{moment: shatter})
        for y in (400, 500, 600):
            crate = world.put("crate", rng.uniform(560, 600), y)
            world.throw(crate, rng.uniform(400, 900), rng.uniform(-90, 90))
        for _ in range(25):
            world.step((560, 430))
        assert not world.physics.check_ownership()
        world.physics.on_contact(CollisionType.STATIC, CollisionType.PROP, **{moment: _ignore})
        kinds = [thing.kind_name for thing in world.things.in_id_order()]
        if moment != "separate":
            assert "crate" not in kinds
            assert "bag" in kinds
        for thing in world.things.in_id_order():
            world.things.request_removal(thing.ref)
        world.things.remove_dying()
        world.step()
        assert world.physics.counts() == before


def _ignore(_arbiter: pymunk.Arbiter) -> None:
    """A callback that does nothing."""


@pytest.mark.parametrize("moment", ["begin", "pre_solve", "post_solve", "separate"])
def test_an_exception_in_a_callback_stops_the_run_with_its_traceback(
    world: SmallWorld, moment: str
) -> None:
    """F3: raised after the step, once, with the line it came from; what was held back is done."""
    world.put("wall", 700, 500, outline=box(20, 600))
    crate = world.put("crate", 600, 500)
    calls = 0

    def broken_callback(_arbiter: pymunk.Arbiter) -> None:
        nonlocal calls
        calls += 1
        world.put("cone", 300, 300)
        raise ZeroDivisionError("hit callback")

    world.physics.on_contact(CollisionType.STATIC, CollisionType.PROP, **{moment: broken_callback})
    world.throw(crate, 600, 0)

    def run() -> None:
        for _ in range(20):
            world.step()
        world.throw(crate, -600, 0)
        for _ in range(20):
            world.step()

    with pytest.raises(ZeroDivisionError, match="hit callback") as caught:
        run()
    assert calls == 1
    assert "broken_callback" in "".join(traceback.format_tb(caught.value.__traceback__))
    assert world.physics.counts() == (2, 3, 4)
    assert not world.physics.check_ownership()


def test_a_removal_between_steps_brings_about_callbacks_that_may_spawn_and_raise(
    world: SmallWorld,
) -> None:
    """F2, F3: ``separate`` is called when a touching body is removed."""
    world.put("wall", 700, 500, outline=box(20, 600))
    crate = world.put("crate", 657, 500)
    broken = False

    def separated(_arbiter: pymunk.Arbiter) -> None:
        world.put("cone", 300, 300)
        if broken:
            raise ZeroDivisionError("separate callback")

    world.physics.on_contact(CollisionType.STATIC, CollisionType.PROP, separate=separated)
    world.step()
    world.remove(crate)
    assert [thing.kind_name for thing in world.things.in_id_order()] == ["wall", "cone"]
    assert world.physics.counts() == (1, 2, 2)
    assert not world.physics.check_ownership()
    crate = world.put("crate", 657, 500)
    world.step()
    broken = True
    with pytest.raises(ZeroDivisionError, match="separate callback"):
        world.remove(crate)


def test_the_first_exception_is_kept_and_later_callbacks_are_skipped() -> None:
    guard = CallbackGuard()
    heard: list[int] = []

    def first(_arbiter: pymunk.Arbiter) -> None:
        raise KeyError("first")

    wrapped_first, wrapped_later = guard.wrap(first), guard.wrap(lambda _: heard.append(1))
    nothing = None
    wrapped_first(nothing, nothing, nothing)  # type: ignore[arg-type]
    wrapped_later(nothing, nothing, nothing)  # type: ignore[arg-type]
    assert heard == []
    with pytest.raises(KeyError, match="first"):
        guard.raise_kept()
    guard.raise_kept()
    wrapped_later(nothing, nothing, nothing)  # type: ignore[arg-type]
    assert heard == [1]


def owned_disc(slot: int) -> OwnedBody:
    """A dynamic disc with a joint."""
    body = pymunk.Body(1.0, 1.0)
    joint = pymunk.PivotJoint(body, pymunk.Body(body_type=pymunk.Body.STATIC), (0, 0), (0, 0))
    return OwnedBody(BodyOwner(EntityKind.PROP, slot), body, (pymunk.Circle(body, 5.0),), (joint,))


def test_a_body_leaves_once_joints_and_shapes_with_it() -> None:
    """F2: a second removal asserts in pymunk; here it is refused."""
    space = pymunk.Space()
    registry = BodyRegistry(space, CallbackGuard())
    owned = owned_disc(3)
    registry.add(owned)
    assert registry.owner(owned.shapes[0]) == (EntityKind.PROP, 3)
    assert registry.remove(owned)
    assert not registry.remove(owned)
    assert len(registry) == 0
    assert not space.bodies
    assert not space.shapes
    assert not space.constraints
    assert registry.owner(owned.shapes[0]) is None


def test_what_is_added_and_removed_in_one_callback_never_enters() -> None:
    space = pymunk.Space()
    guard = CallbackGuard()
    registry = BodyRegistry(space, guard)
    for slot in range(2):
        registry.add(owned_disc(slot))
    brief = owned_disc(9)

    def come_and_go(_arbiter: pymunk.Arbiter) -> None:
        if not brief.removed:
            registry.add(brief)
            assert registry.remove(brief)
            assert not registry.remove(brief)

    space.on_collision(begin=guard.wrap(come_and_go))
    registry.step_space(1 / 120)
    assert brief.removed
    assert len(registry) == 2
    assert registry.check() == ()
