"""Can what a level places stand where it is placed (F1, F5, RAG-09, ORD-25).

The checks of ground need the walk surface of the level's world, which is built
from the description; whoever has one passes it in.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import shapely

from ai.behaviours.approach import approach_point
from ai.ports import Circle, ObjectTransform, Vec3, WalkSurface
from game.levels.cue_forms import (
    Cue,
    OrderRedirectCue,
    OrderStartCue,
    PedSpawnCue,
    PropMoveCue,
    PropSpawnCue,
    VehicleMoveCue,
)
from game.levels.errors import LevelError
from game.levels.level_file import LevelFile
from game.levels.references import things_of
from game.levels.vocabulary import Vocabulary
from game.world.description import LevelDescription, ThingDescription
from game.world.outlines import placed, scaled
from game.world.thing_kinds import ThingCategory

WALL_MIN_CM = 20.0
"""No standing thing with sides is thinner: a body at 900 cm/s moves 15 cm a step (RAG-09)."""

OUTSIDE_MAX_CM = 2000.0
"""How far beyond the map's edge the middle of a thing may lie: backdrops."""

_ROUNDING_CM = 0.01
_AT_REST = Vec3(0.0, 0.0, 0.0)


def check_places(description: LevelDescription, vocabulary: Vocabulary, label: str) -> None:
    """Bounds, thin walls, and room for every ped.

    Raises ``LevelError`` naming the objects.
    """
    for thing in things_of(description):
        _check_inside(description, thing.position, OUTSIDE_MAX_CM, f"{label}: {_called(thing)}")
        kind = vocabulary.things.kinds[thing.kind]
        if kind.category is ThingCategory.STATIC and _is_thin(thing):
            raise LevelError(
                f"{label}: {_called(thing)}: is thinner than {WALL_MIN_CM:g} cm; "
                "a thrown body would pass through"
            )
    for ped in description.peds:
        called = f"{label}: object {ped.object_id} '{ped.name}'"
        _check_inside(description, ped.position, 0.0, called)
    _check_spacing(description, vocabulary, label)
    _check_room(description, vocabulary, label)


def check_ground(
    description: LevelDescription,
    level_file: LevelFile,
    surface: WalkSurface,
    *,
    place_shift_cm: float,
    goal_shift_cm: float,
) -> None:
    """Every ped, spawned or of the map, and every goal of an order cue is on walkable ground.

    - ``place_shift_cm``: how far an order to a place may be put onto the ground.
    - ``goal_shift_cm``: how far an approach point may be off it (NAV-06).
    - Approach points of things that cues spawn or move are known only at run time.

    Raises ``LevelError`` naming file and ped or cue (ORD-25).
    """
    for index, cue in enumerate(level_file.cues):
        if isinstance(cue, PedSpawnCue):
            x, y = cue.position
            if surface.project(x, y, goal_shift_cm) is None:
                raise LevelError(
                    f"{level_file.cue_label(index)}: ({x:g}, {y:g}) is off walkable ground"
                )
    for ped in description.peds:
        if surface.project(ped.position.x, ped.position.y, goal_shift_cm) is None:
            raise LevelError(
                f"{level_file.label}: ped '{ped.name}' (object {ped.object_id} of the map) "
                "stands off walkable ground"
            )
    for label, goal, shift_cm in _goals(description, level_file, place_shift_cm, goal_shift_cm):
        if surface.project(goal.x, goal.y, shift_cm) is None:
            raise LevelError(
                f"{label}: the goal ({goal.x:.1f}, {goal.y:.1f}) is off walkable ground"
            )


def _goals(
    description: LevelDescription,
    level_file: LevelFile,
    place_shift_cm: float,
    goal_shift_cm: float,
) -> Iterator[tuple[str, Vec3, float]]:
    poses = {
        thing.name: ObjectTransform(thing.position, thing.yaw_rad, thing.scale, _AT_REST)
        for thing in things_of(description)
        if thing.name
    }
    for marker in description.markers:
        poses[marker.name] = ObjectTransform(marker.points[0], 0.0, Vec3(1.0, 1.0, 1.0), _AT_REST)
    for moved in _moved_names(level_file.cues):
        poses.pop(moved, None)
    for index, cue in enumerate(level_file.cues):
        if not isinstance(cue, OrderStartCue | OrderRedirectCue):
            continue
        label = level_file.cue_label(index)
        if cue.point is not None:
            yield label, Vec3(*cue.point), place_shift_cm
        elif cue.object in poses:
            offset = Vec3(0.0, 0.0, 0.0) if cue.offset is None else Vec3(*cue.offset)
            yield label, approach_point(poses[cue.object], offset), goal_shift_cm


def _moved_names(cues: tuple[Cue, ...]) -> Iterator[str]:
    for cue in cues:
        if isinstance(cue, PropMoveCue | PropSpawnCue | VehicleMoveCue):
            yield cue.object


def _called(thing: ThingDescription) -> str:
    return f"object {thing.object_id}" + (f" '{thing.name}'" if thing.name else "")


def _check_inside(
    description: LevelDescription, position: Vec3, slack_cm: float, label: str
) -> None:
    if not (
        -slack_cm <= position.x <= description.width_cm + slack_cm
        and -slack_cm <= position.y <= description.height_cm + slack_cm
    ):
        raise LevelError(f"{label}: ({position.x:g}, {position.y:g}) lies outside the map")


def _is_thin(thing: ThingDescription) -> bool:
    """True if the outline, or the joint of two parts of it, is narrower than a wall may be."""
    outline = scaled(thing.outline, thing.scale)
    if isinstance(outline, Circle):
        return False
    core = shapely.Polygon(outline.points).buffer(
        -(WALL_MIN_CM / 2.0 - _ROUNDING_CM), join_style="mitre"
    )
    return core.is_empty or core.geom_type != "Polygon"


def _check_spacing(description: LevelDescription, vocabulary: Vocabulary, label: str) -> None:
    """No two peds on one spot (F5); a grid keeps crowds cheap."""
    spacing = vocabulary.ped_spacing_cm
    cells: dict[tuple[int, int], list[int]] = {}
    peds = description.peds
    for index, ped in enumerate(peds):
        column, row = int(ped.position.x // spacing), int(ped.position.y // spacing)
        for cell in ((column + dx, row + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)):
            for other_index in cells.get(cell, ()):
                other = peds[other_index]
                if math.dist(ped.position[:2], other.position[:2]) < spacing:
                    raise LevelError(
                        f"{label}: objects {other.object_id} '{other.name}' and {ped.object_id} "
                        f"'{ped.name}' stand less than {spacing:g} cm apart; move one"
                    )
        cells.setdefault((column, row), []).append(index)


def _check_room(description: LevelDescription, vocabulary: Vocabulary, label: str) -> None:
    """No ped inside a thing."""
    tall = [
        thing
        for thing in things_of(description)
        if thing.z_low_cm < vocabulary.ped_height_cm and thing.z_high_cm > vocabulary.body_low_cm
    ]
    shapes = [_shape(thing) for thing in tall]
    tree = shapely.STRtree(shapes)
    radius = vocabulary.ped_radius_cm - _ROUNDING_CM
    for ped in description.peds:
        point = shapely.Point(ped.position.x, ped.position.y)
        for index in sorted(tree.query(point.buffer(radius)).tolist()):
            if shapes[index].distance(point) < radius:
                raise LevelError(
                    f"{label}: object {ped.object_id} '{ped.name}' stands inside "
                    f"{_called(tall[index])}; move it"
                )


def _shape(thing: ThingDescription) -> shapely.Geometry:
    outline = placed(
        scaled(thing.outline, thing.scale), thing.position.x, thing.position.y, thing.yaw_rad
    )
    if isinstance(outline, Circle):
        return shapely.Point(outline.x, outline.y).buffer(outline.radius, quad_segs=32)
    return shapely.Polygon(outline.points)
