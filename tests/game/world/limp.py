"""A limp ped in a small world, thrown by hand."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ai.ports import BodyPart, BodyState, FallStart, LimpPose, Vec3
from game.world.description import ThingDescription
from game.world.ragdoll.limp_ped import LimpPed
from tests.game.world.small_worlds import SmallWorld, box

PLACE = (1500.0, 1000.0)
_NOBODY = np.empty(0, dtype=np.int64)
_NOWHERE = np.empty(0)


def throw(
    world: SmallWorld,
    impulse: float = 0.0,
    heading_rad: float = 0.0,
    *,
    up: float = 0.0,
    yaw_rad: float = 0.0,
    speed: float = 0.0,
    part: BodyPart = BodyPart.CHEST,
    place: tuple[float, float] = PLACE,
    pose: LimpPose | None = None,
    slot: int = 0,
) -> LimpPed:
    """Let a ped go limp."""
    push = Vec3(impulse * math.cos(heading_rad), impulse * math.sin(heading_rad), up)
    ragdolls = world.physics.ragdolls
    ragdolls.go_limp(slot, FallStart(*place, 0.0, yaw_rad, speed, push, part, pose))
    found = ragdolls.limp_ped(slot)
    assert found is not None
    return found


def step(world: SmallWorld, count: int = 1) -> None:
    """Physics alone; nobody stands."""
    for _ in range(count):
        world.physics.step(_NOBODY, _NOBODY, _NOWHERE, _NOWHERE)


def states(world: SmallWorld, count: int, slot: int = 0) -> Iterator[BodyState]:
    """The body after each of so many steps."""
    for _ in range(count):
        step(world)
        yield world.physics.ragdolls.state(slot)


def wall(
    world: SmallWorld,
    object_id: int,
    x: float,
    y: float,
    width: float,
    height: float,
    heights: tuple[float, float] = (0.0, 300.0),
) -> None:
    """A stone wall."""
    world.things.spawn(
        ThingDescription(
            object_id=object_id,
            name=f"wall{object_id}",
            kind="wall",
            position=Vec3(x, y),
            yaw_rad=0.0,
            outline=box(width, height),
            z_low_cm=heights[0],
            z_high_cm=heights[1],
        )
    )
