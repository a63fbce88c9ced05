"""Standing peds and props: LOC-20 as far as physics goes, F6."""

from __future__ import annotations

import random

import pytest

from tests.game.world.small_worlds import SmallWorld, box


def test_a_walker_pushes_a_cone_aside_and_it_comes_to_rest(world: SmallWorld) -> None:
    """LOC-20: a cone 10 cm off the line is pushed at least 50 cm, no longer touches, lies still."""
    cone = world.put("cone", 500, 510)
    world.walk((300, 500), (130, 0), 240)
    x, y, _ = world.pose(cone)
    assert ((x - 500) ** 2 + (y - 510) ** 2) ** 0.5 >= 50.0
    assert y >= 500 + 30 + 20 - 1
    assert world.speed(cone) < 1.0


@pytest.mark.parametrize(("kind", "moves"), [("box", True), ("bag", True), ("bin", False)])
def test_only_props_under_15_kg_are_pushed(world: SmallWorld, kind: str, moves: bool) -> None:
    """LOC-20: box 4 kg and bag 3 kg yield; a bin of 18 kg is walked into without effect."""
    prop = world.put(kind, 500, 510)
    world.walk((300, 500), (130, 0), 240)
    assert (world.pose(prop) != (500, 510, 0)) == moves


def test_a_crate_of_40_kg_is_never_shoved_by_walkers(world: SmallWorld) -> None:
    """LOC-20: not even by a runner who passes through its place."""
    crate = world.put("crate", 500, 500)
    world.walk((300, 500), (480, 0), 60)
    assert world.pose(crate) == (500, 500, 0)
    assert world.physics.asleep(crate)


def test_a_standing_ped_is_where_its_circle_is_after_the_step(world: SmallWorld) -> None:
    """The circle travels the step that was really taken and ends at the committed place."""
    world.put("cone", 540, 560)
    world.walk((480, 500), (130, 0), 30)
    (circle,) = world.physics._standing._circles.values()
    assert circle.body is not None
    assert tuple(circle.body.position) == pytest.approx((480 + 65, 500), abs=1e-6)
    world.step((545, 500))
    world.step((545, 500))
    assert tuple(circle.body.position) == pytest.approx((545, 500), abs=1e-9)
    assert circle.body.velocity == (0, 0)


def test_a_ped_that_is_put_somewhere_hits_nothing_on_its_way(world: SmallWorld) -> None:
    """A place that no walk reaches in a step is none that was walked to: no speed comes from it."""
    cone = world.put("cone", 545, 500)
    world.step((200, 500))
    world.step((500, 500))
    assert world.speed(cone) < 130.0
    world.step((500, 500))
    assert 545.0 <= world.pose(cone)[0] < 555.0


def test_circles_are_there_only_where_there_is_something_to_push(world: SmallWorld) -> None:
    cone = world.put("cone", 1500, 1000)
    world.step((500, 500), (1460, 1000))
    assert world.physics.counts() == (2, 2, 2)
    world.step((500, 500), (460, 1000))
    assert world.physics.counts() == (1, 1, 2)
    world.throw(cone, -6000, 0)
    world.step((500, 500), (1360, 1000))
    assert world.physics.counts() == (2, 2, 2)


def test_who_is_not_named_as_standing_has_no_circle(world: SmallWorld) -> None:
    world.put("cone", 500, 560)
    world.step((500, 500))
    assert world.physics.counts() == (2, 2, 2)
    world.step()
    assert world.physics.counts() == (1, 1, 2)


def test_a_ped_that_appears_elsewhere_pushes_nothing_on_its_way(world: SmallWorld) -> None:
    """F25: also when a slot is reused: the newcomer has no velocity from its predecessor."""
    cone = world.put("cone", 500, 600)
    world.step((440, 500))
    world.step((560, 500))
    for _ in range(10):
        world.step((560, 500))
    assert world.pose(cone) == (500, 600, 0)


def test_a_ped_that_was_down_for_a_step_gets_up_without_a_push(world: SmallWorld) -> None:
    """RAG-11: where its circle was before the fall says nothing about how fast it stands up."""
    cone = world.put("cone", 500, 555)
    world.step((480, 500))
    world.step()
    world.step((490, 500))
    (circle,) = world.physics._standing._circles.values()
    assert circle.body is not None
    assert circle.body.velocity == (0, 0)
    assert world.pose(cone) == (500, 555, 0)


def test_a_flying_light_prop_bounces_off_a_standing_ped(world: SmallWorld) -> None:
    box_ = world.put("box", 800, 500)
    world.throw(box_, -700, 0)
    nearest = 9999.0
    for _ in range(60):
        world.step((500, 500))
        nearest = min(nearest, world.pose(box_)[0])
    assert nearest > 540
    assert world.speed(box_) <= 700


@pytest.mark.parametrize("seed", range(30))
def test_a_light_prop_between_a_ped_and_a_wall_is_neither_squeezed_through_nor_shot_off(
    seed: int,
) -> None:
    """F6: the ped walks up to the wall over it, then on along the wall, at every gait."""
    rng = random.Random(seed)
    world = SmallWorld()
    thickness, gait = rng.choice((8.0, 20.0, 30.0)), rng.choice((130.0, 330.0, 480.0))
    face = 500.0 + thickness / 2
    world.put("wall", 1500, 500, outline=box(3000, thickness))
    prop = world.put(
        rng.choice(("cone", "box", "bag")),
        1000 + rng.choice((0.0, rng.uniform(-20, 20))),
        face + rng.uniform(25, 60),
        yaw_rad=rng.choice((0.0, rng.uniform(0, 3))),
    )
    x, y, fastest = 1000.0, face + 200, 0.0
    for step in range(220):
        y = max(face + 30, y - gait / 60)
        x += gait / 60 if step > 110 else 0.0
        world.step((x, y))
        assert world.pose(prop)[1] > face
        fastest = max(fastest, world.speed(prop))
    assert fastest <= 2.5 * gait


def test_many_walkers_past_a_cone_at_a_wall_leave_it_on_its_side(world: SmallWorld) -> None:
    """F6: five in a row along the wall."""
    world.put("wall", 1500, 500, outline=box(3000, 20))
    cone = world.put("cone", 1000, 540)
    for step in range(200):
        world.step(*((700 - 80 * n + 5.5 * step, 541.0) for n in range(5)))
        assert world.pose(cone)[1] > 510
