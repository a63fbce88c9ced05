"""A level as it would stand on the mirrored or turned map: its people, its cues, its expectations.

A run of the image must come out as the level does (LVL-08): in outcomes, not in hashes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from game.levels.comparisons import Subject
from game.levels.cue_forms import (
    Cue,
    FleeFromCue,
    PropSpawnCue,
    ScriptCommandCue,
    ScriptSequenceCue,
)
from game.levels.expectation_forms import Expectation
from game.levels.fields import FINGERPRINT
from game.levels.level import Level
from game.levels.level_file import LevelFile
from game.levels.map_transforms import MapTransform, Mirrored, Turned, transformed_description
from game.levels.script_forms import ScriptTask

TRANSFORMS: Mapping[str, type[MapTransform]] = {one.name: one for one in (Mirrored, Turned)}

_AXIS_OF_FIELD = {
    f"{of}{axis}": (of, number)
    for of in ("position.", "order.goal_", "safe.goal_")
    for number, axis in enumerate("xy")
}
_NOT_OF_AN_IMAGE = frozenset({"yaw_deg", FINGERPRINT})

_OPPOSITE = {
    "at_least": "at_most",
    "at_most": "at_least",
    "more_than": "less_than",
    "less_than": "more_than",
}

Stated = TypeVar("Stated", bound=Subject)


def transformed(level: Level, transform: type[MapTransform]) -> Level:
    """The level on the image of its map.

    - What is said of coordinates is said of their images. Headings are not compared:
      the image of a range of angles is no range of numbers. Nor are fingerprints.
    """
    description = level.description
    motion = transform(description.width_cm, description.height_cm)
    return replace(
        level,
        description=transformed_description(description, motion),
        script=_script(level.script, motion),
    )


def _script(script: LevelFile, transform: MapTransform) -> LevelFile:
    spawned = {cue.object for cue in script.cues if isinstance(cue, PropSpawnCue)}
    return replace(
        script,
        cues=tuple(_cue(cue, transform, spawned) for cue in script.cues),
        expectations=tuple(
            _statement(one, transform)
            for one in script.expectations
            if one.field not in _NOT_OF_AN_IMAGE
        ),
    )


def _cue(cue: Cue, transform: MapTransform, spawned: set[str]) -> Cue:
    """The cue at the image of its place.

    A thing that a cue spawns has no scale that could be mirrored, so offsets in its own
    axes are mirrored instead.
    """
    changes: dict[str, Any] = {}
    if cue.when is not None:
        changes["when"] = _statement(cue.when, transform)
    for key in ("point", "position", "goal"):
        place = getattr(cue, key, None)
        if place is not None:
            changes[key] = transform.point(place)
    if isinstance(cue, FleeFromCue) and cue.beside is not None:
        origin, end = transform.point((0.0, 0.0)), transform.point(cue.beside)
        changes["beside"] = (end[0] - origin[0], end[1] - origin[1])
    if isinstance(cue, ScriptCommandCue):
        changes["task"] = _script_task(cue.task, transform)
    if isinstance(cue, ScriptSequenceCue):
        changes["tasks"] = tuple(_script_task(task, transform) for task in cue.tasks)
    yaw_deg = getattr(cue, "yaw_deg", None)
    if yaw_deg is not None:
        changes["yaw_deg"] = _yaw_deg(cue, yaw_deg, transform)
    heading_deg = getattr(cue, "heading_deg", None)
    if heading_deg is not None:
        image = transform.heading_rad(math.radians(heading_deg))
        changes["heading_deg"] = math.degrees(math.remainder(image, 2.0 * math.pi))
    offset = getattr(cue, "offset", None)
    if offset is not None and transform.mirrors and getattr(cue, "object", None) in spawned:
        changes["offset"] = (-offset[0], offset[1], offset[2])
    return cue.model_copy(update=changes)


def _script_task(task: ScriptTask, transform: MapTransform) -> ScriptTask:
    if task.point is None:
        return task
    return task.model_copy(update={"point": transform.point(task.point)})


def _yaw_deg(cue: Cue, yaw_deg: float, transform: MapTransform) -> float:
    """Of a ped the image of its direction; of a thing that of its own axes (``thing_pose``)."""
    yaw_rad = math.radians(yaw_deg)
    if hasattr(cue, "ped") or not transform.mirrors:
        return math.degrees(transform.heading_rad(yaw_rad))
    return -yaw_deg


def _statement(statement: Stated, transform: MapTransform) -> Stated:
    """What is said of a coordinate, said of its image; anything else as it is."""
    if statement.field not in _AXIS_OF_FIELD:
        return statement
    of, axis = _AXIS_OF_FIELD[statement.field]
    image = transform.coordinate(axis)
    changes: dict[str, Any] = {"field": f"{of}{'xy'[image.axis]}"}
    for key in statement.given():
        name = "is_" if key == "is" else key
        changes[name] = None
    for key in statement.given():
        value = getattr(statement, "is_" if key == "is" else key)
        if image.sign < 0.0:
            key = _OPPOSITE.get(key, key)
        changes["is_" if key == "is" else key] = image.offset + image.sign * value
    if isinstance(statement, Expectation) and statement.rises_by is not None:
        changes["rises_by"] = image.sign * statement.rises_by
    return statement.model_copy(update=changes)
