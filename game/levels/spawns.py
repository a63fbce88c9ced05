"""What spawn cues put into the world, as the descriptions that the map's own objects have too."""

from __future__ import annotations

import math
from dataclasses import replace

from ai.ports import Circle, Polygon, Vec3
from game.levels.cue_forms import PedSpawnCue, PropSpawnCue
from game.world.description import PedDescription, ThingDescription
from game.world.thing_kinds import ThingCatalogue

SPAWN_ID = 0
"""Object id of what a cue spawns: the world gives it the next spawn number."""


def described_thing(cue: PropSpawnCue, catalogue: ThingCatalogue) -> ThingDescription:
    """The cue's thing: its kind's own values where the cue states none.

    One that comes over a ped has the origin for its place until the stage puts it there.

    Raises ``game.world.thing_kinds.UnknownKind``.
    """
    place = Vec3(0.0, 0.0) if cue.position is None else Vec3(*cue.position)
    thing = catalogue.describe(SPAWN_ID, cue.kind, place, math.radians(cue.yaw_deg), cue.object)
    outline: Circle | Polygon = thing.outline
    if cue.radius is not None:
        outline = Circle(0.0, 0.0, cue.radius)
    elif cue.size is not None:
        x, y = cue.size[0] / 2.0, cue.size[1] / 2.0
        outline = Polygon(((-x, -y), (x, -y), (x, y), (-x, y)))
    return replace(
        thing,
        outline=outline,
        z_low_cm=thing.z_low_cm if cue.z_low_cm is None else cue.z_low_cm,
        z_high_cm=thing.z_high_cm if cue.z_high_cm is None else cue.z_high_cm,
        mass_kg=thing.mass_kg if cue.mass_kg is None else cue.mass_kg,
        nav_block=thing.nav_block if cue.nav is None else cue.nav == "block",
    )


def described_ped(cue: PedSpawnCue) -> PedDescription:
    """The cue's ped."""
    return PedDescription(
        object_id=SPAWN_ID,
        name=cue.ped,
        position=Vec3(*cue.position),
        yaw_rad=math.radians(cue.yaw_deg),
        model=cue.model,
        default_task=cue.default_task or "",
        outfit=cue.outfit or "",
        walk_speed_cm_s=cue.walk_speed_cm_s,
        behaviour=cue.behaviour or "",
        route=cue.route or "",
    )
