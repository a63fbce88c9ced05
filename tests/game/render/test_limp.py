"""Who is hurt limps as drawn: a gait of its own, legs that differ, and the same walk (EVT-102)."""

from __future__ import annotations

import numpy as np

from ai.motion.movement_table import ClipPhase
from game.render.picture import Pose
from game.render.picture_of_world import ClipPoses, WorldPicture
from game.world.world import World
from tests.streets import courier_street, ped_named, start


def test_who_is_hurt_is_drawn_with_the_limp_and_walks_as_the_simulation_has_it() -> None:
    """Below ``limps_below`` = 0.6 the drawn profile is ``limp``; the record keeps ``walk``."""
    world = World(courier_street())
    picture = WorldPicture(world)
    clips = world.data.clips
    courier = ped_named(world)
    assert start(world).accepted
    for health, drawn in ((1.0, "walk"), (0.5, "limp"), (1.0, "walk")):
        courier.health.value = health
        for _ in range(40):
            world.pool.activate()
            world.step()
            picture.after_step()
        assert picture.picture.peds.poses[0].profile == clips.index(drawn)
        assert courier.movement.clip.profile == clips.index("walk")
    world.close()


def test_the_legs_of_a_limp_differ() -> None:
    """Half a cycle on, a walk is its own mirror image; a limp is not: one leg swings less."""
    world = World(courier_street())
    clips = world.data.clips
    source = ClipPoses(clips)
    left, right = (source.joints.index(f"{side}_ankle") for side in ("left", "right"))
    reach = {}
    for name in ("walk", "limp"):
        profile = clips.index(name)
        phases = np.arange(60) / 60.0
        joints = source.poses([Pose(profile, ClipPhase.LOOP, p) for p in phases.tolist()])
        lifts = [float(np.ptp(joints[:, row, 2])) for row in (left, right)]
        reach[name] = lifts[1] / lifts[0]
    assert abs(reach["walk"] - 1.0) < 0.02
    assert reach["limp"] < 0.7
    world.close()
