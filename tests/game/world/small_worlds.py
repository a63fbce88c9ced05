"""A table of things with physics, shapes and clearance over it, for the tests of this room."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ai.motion.recovery.tuning import KnockdownTuning
from ai.ports import Circle, EntityRef, Footprint, Polygon, Vec3
from ai.tuning import load_own_form
from game import resources
from game.world.clearance import WorldClearance
from game.world.description import CameraDescription, LevelDescription, SurfaceDescription
from game.world.physics import PhysicsWorld
from game.world.shapes import WorldShapes
from game.world.thing_kinds import ThingCatalogue, load_catalogue
from game.world.things import VX, ThingTable

WIDTH_CM, HEIGHT_CM = 3000.0, 2000.0
PED_RADIUS_CM = 30.0
LIGHT_PROP_KG = 15.0
BODY = (5.0, 180.0)
"""Height interval of a standing body (LOC-07)."""


@cache
def catalogue() -> ThingCatalogue:
    """The shipped catalogue."""
    return load_catalogue(resources.tuning())


@cache
def knockdown() -> KnockdownTuning:
    """The shipped figures of falls."""
    return load_own_form(resources.tuning() / "knockdown.toml", KnockdownTuning)


def box(width_cm: float, length_cm: float) -> Polygon:
    """A rectangle round the origin."""
    x, y = width_cm / 2.0, length_cm / 2.0
    return Polygon(((-x, -y), (x, -y), (x, y), (-x, y)))


class EmptyField:
    """A distance field over ground where nothing stands."""

    def clear_mask(
        self, x: NDArray[np.float64], y: NDArray[np.float64], radius_cm: float
    ) -> NDArray[np.bool_]:
        return np.ones(len(x), dtype=np.bool_)


class SmallWorld:
    """30 x 20 m; ``walk`` moves one ped in a straight line."""

    def __init__(self) -> None:
        self.things = ThingTable(catalogue(), light_prop_kg=LIGHT_PROP_KG, capacity=256)
        self.physics = PhysicsWorld(
            self.things,
            width_cm=WIDTH_CM,
            height_cm=HEIGHT_CM,
            ped_capacity=16,
            ped_radius_cm=PED_RADIUS_CM,
            knockdown=knockdown(),
        )
        ground = SurfaceDescription(
            1, "pavement", Polygon(((0, 0), (WIDTH_CM, 0), (WIDTH_CM, HEIGHT_CM), (0, HEIGHT_CM)))
        )
        description = LevelDescription(
            name="small",
            title="Small",
            width_cm=WIDTH_CM,
            height_cm=HEIGHT_CM,
            seed=1,
            camera=CameraDescription(0.0, 0.0),
            surfaces=(ground,),
        )
        self.shapes = WorldShapes(description, self.things)
        self.clearance = WorldClearance(
            self.things, EmptyField(), width_cm=WIDTH_CM, height_cm=HEIGHT_CM
        )
        self._next_id = 1

    def put(
        self,
        kind: str,
        x: float,
        y: float,
        *,
        yaw_rad: float = 0.0,
        outline: Footprint | None = None,
        scale: Vec3 | None = None,
        heights: tuple[float, float] | None = None,
        nav_block: bool | None = None,
    ) -> EntityRef:
        """Spawn one thing with its kind's defaults but for what is named."""
        described = catalogue().describe(self._next_id, kind, Vec3(x, y), yaw_rad)
        self._next_id += 1
        if outline is not None:
            described = replace(described, outline=outline)
        if scale is not None:
            described = replace(described, scale=scale)
        if heights is not None:
            described = replace(described, z_low_cm=heights[0], z_high_cm=heights[1])
        if nav_block is not None:
            described = replace(described, nav_block=nav_block)
        return self.things.spawn(described)

    def remove(self, ref: EntityRef) -> None:
        """Ask for a removal and do it."""
        assert self.things.request_removal(ref)
        self.things.remove_dying()

    def throw(self, ref: EntityRef, vx: float, vy: float) -> None:
        """Give a prop at rest a velocity by an impulse at its centre."""
        thing = self.things.get(ref)
        assert thing is not None
        assert self.physics.apply_impulse(ref, (vx * thing.mass_kg, vy * thing.mass_kg))

    def step(self, *peds: tuple[float, float]) -> None:
        """One step of physics; peds stand where they are named, in slot order."""
        slots = np.arange(len(peds), dtype=np.int64)
        x = np.array([ped[0] for ped in peds], dtype=np.float64)
        y = np.array([ped[1] for ped in peds], dtype=np.float64)
        self.physics.step(slots, slots + 100, x, y)

    def walk(self, start: tuple[float, float], velocity: tuple[float, float], steps: int) -> None:
        """Let one ped walk through physics, whatever is in its way."""
        for index in range(1, steps + 1):
            self.step((start[0] + velocity[0] * index / 60, start[1] + velocity[1] * index / 60))

    def pose(self, ref: EntityRef) -> tuple[float, float, float]:
        """x, y and yaw of a thing."""
        x, y, yaw = self.things.state[ref.slot, :VX].tolist()
        return x, y, yaw

    def speed(self, ref: EntityRef) -> float:
        """Speed of a thing in cm/s."""
        vx, vy = self.things.state[ref.slot, VX : VX + 2].tolist()
        return float(np.hypot(vx, vy))

    def steps_to_rest(self, ref: EntityRef, limit: int = 600) -> int:
        """Steps until a prop is slower than 1 cm/s."""
        for taken in range(limit):
            if self.speed(ref) < 1.0:
                return taken
            self.step()
        raise AssertionError(f"still {self.speed(ref):.1f} cm/s after {limit} steps")


def disc(radius_cm: float) -> Circle:
    """A disc round the origin."""
    return Circle(0.0, 0.0, radius_cm)
