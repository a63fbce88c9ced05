"""Small streets for tests: a world built from a few lines of data, stepped by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ai.behaviours.order_commands import OrderCommand, OrderReply, StartOrder
from ai.peds.ped import Ped
from ai.ports import Circle, EntityRef, Polygon, Vec3
from game.world.description import (
    CameraDescription,
    LevelDescription,
    PedDescription,
    SurfaceDescription,
    ThingDescription,
)
from game.world.world import World

CAR_OFFSET = Vec3(-200.0, 0.0, 0.0)
"""Beside a street car, on its right-hand side (ORD-08)."""


def box(width_cm: float, height_cm: float) -> Polygon:
    """A centred rectangle."""
    x, y = width_cm / 2, height_cm / 2
    return Polygon(((-x, -y), (x, -y), (x, y), (-x, y)))


def pavement(
    width_cm: float = 2000.0, height_cm: float = 1600.0, kind: str = "pavement"
) -> SurfaceDescription:
    """One patch of ground from the origin."""
    outline = Polygon(((0, 0), (width_cm, 0), (width_cm, height_cm), (0, height_cm)))
    return SurfaceDescription(object_id=1, kind=kind, outline=outline)


def car(object_id: int, name: str, x: float, y: float, yaw_rad: float = 0.0) -> ThingDescription:
    """A parked street car."""
    return ThingDescription(
        object_id=object_id,
        name=name,
        kind="car",
        position=Vec3(x, y),
        yaw_rad=yaw_rad,
        outline=box(180.0, 440.0),
        z_high_cm=140.0,
    )


def barrier(
    object_id: int,
    x: float,
    y: float,
    width_cm: float = 20.0,
    height_cm: float = 240.0,
    *,
    nav_block: bool = True,
) -> ThingDescription:
    """A fixed obstacle that stands in the way."""
    return ThingDescription(
        object_id=object_id,
        name=f"barrier{object_id}",
        kind="barricade",
        position=Vec3(x, y),
        yaw_rad=0.0,
        outline=box(width_cm, height_cm),
        z_high_cm=100.0,
        nav_block=nav_block,
    )


def prop(
    object_id: int, kind: str, x: float, y: float, radius_cm: float, mass_kg: float
) -> ThingDescription:
    """A round dynamic prop, unknown to the walk graph."""
    return ThingDescription(
        object_id=object_id,
        name=f"{kind}{object_id}",
        kind=kind,
        position=Vec3(x, y),
        yaw_rad=0.0,
        outline=Circle(0.0, 0.0, radius_cm),
        z_high_cm=80.0,
        mass_kg=mass_kg,
        nav_block=False,
    )


def person(
    object_id: int, name: str, x: float, y: float, yaw_rad: float = 0.0, task: str = "stand"
) -> PedDescription:
    """A ped that the street places."""
    return PedDescription(
        object_id=object_id,
        name=name,
        position=Vec3(x, y),
        yaw_rad=yaw_rad,
        default_task=task,
    )


def street(
    *,
    peds: Sequence[PedDescription] = (),
    vehicles: Sequence[ThingDescription] = (),
    obstacles: Sequence[ThingDescription] = (),
    props: Sequence[ThingDescription] = (),
    surfaces: Sequence[SurfaceDescription] = (),
    seed: int = 1,
) -> LevelDescription:
    """A level without a file."""
    return LevelDescription(
        name="street",
        title="Street",
        width_cm=2000.0,
        height_cm=1600.0,
        seed=seed,
        camera=CameraDescription(1000.0, 800.0),
        surfaces=tuple(surfaces) or (pavement(),),
        peds=tuple(peds),
        vehicles=tuple(vehicles),
        obstacles=tuple(obstacles),
        props=tuple(props),
    )


def courier_street(**changes: Sequence[object]) -> LevelDescription:
    """The courier at (200, 600) and car A at (1200, 600): its side point is (1000, 600)."""
    base = street(
        peds=(person(10, "courier", 200.0, 600.0),),
        vehicles=(
            car(20, "car_a", 1200.0, 600.0),
            car(21, "car_b", 900.0, 1300.0, 1.5707963267948966),
        ),
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def thing(world: World, name: str) -> EntityRef:
    """Handle of a named thing."""
    found = world.things.by_name(name)
    assert found is not None, name
    return found.ref


def ped_named(world: World, name: str = "courier") -> Ped:
    """A ped that must be there."""
    found = world.peds.by_name(name)
    assert found is not None, name
    return found


def perform(world: World, command: OrderCommand) -> OrderReply:
    """Carry out a command between two steps, as phase 2 would."""
    return world.orders.perform(command)


def start(world: World, target: str = "car_a", ped: str = "courier") -> OrderReply:
    """Order a ped to the side of a car."""
    return perform(world, StartOrder(ped_named(world, ped).ref, thing(world, target), CAR_OFFSET))


def steps(world: World, count: int) -> None:
    """Run a number of steps."""
    for _ in range(count):
        world.step()


def until(world: World, predicate: Callable[[], bool], limit: int = 3000) -> int:
    """Run until the predicate holds; returns how many steps it took."""
    for taken in range(limit + 1):
        if predicate():
            return taken
        world.step()
    raise AssertionError(f"did not come to hold within {limit} steps")
