"""The checks that every thing passes before it enters the world (F4)."""

from __future__ import annotations

import math

from game.world.description import ThingDescription
from game.world.outlines import outline_fault
from game.world.thing_kinds import ThingCatalogue, ThingCategory, UnknownKind, mass_fault

_PLACE_MAX_CM = 1e6


class ThingRefused(Exception):
    """A thing that can't enter the world; the text names the object, the value and the reason."""


def thing_fault(description: ThingDescription, catalogue: ThingCatalogue) -> str | None:
    """Why a described thing can't enter the world, in one clause, or None."""
    try:
        kind = catalogue.kind(description.kind)
    except UnknownKind as error:
        return str(error)
    x, y, z = description.position
    if not all(math.isfinite(value) and abs(value) <= _PLACE_MAX_CM for value in (x, y, z)):
        return f"position ({x:g}, {y:g}, {z:g}) must be finite and within {_PLACE_MAX_CM:g} cm"
    if not math.isfinite(description.yaw_rad):
        return f"yaw {description.yaw_rad} is not a finite number"
    if not all(math.isfinite(value) and value != 0.0 for value in description.scale):
        return f"scale {tuple(description.scale)} must be finite and without a 0"
    low, high = description.z_low_cm, description.z_high_cm
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        return f"heights {low:g} to {high:g} cm must be finite and rise"
    if kind.category is ThingCategory.PROP:
        fault = mass_fault(description.mass_kg)
        if fault is not None:
            return fault
    return outline_fault(description.outline)


def check_thing(description: ThingDescription, catalogue: ThingCatalogue) -> None:
    """Raise ``ThingRefused`` unless the thing may enter the world."""
    fault = thing_fault(description, catalogue)
    if fault is not None:
        name = f" '{description.name}'" if description.name else ""
        raise ThingRefused(f"object {description.object_id}{name}: {fault}")
