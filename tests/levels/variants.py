"""Variants of a loaded level, made by the test and never by a second map (LVL-34)."""

from __future__ import annotations

from dataclasses import replace

from game.levels.level import Level
from game.world.description import ThingDescription


def with_thing(level: Level, name: str, **changes: object) -> Level:
    """The level with one named thing changed."""

    def changed(things: tuple[ThingDescription, ...]) -> tuple[ThingDescription, ...]:
        return tuple(
            replace(one, **changes) if one.name == name else one  # type: ignore[arg-type]
            for one in things
        )

    description = level.description
    return replace(
        level,
        description=replace(
            description,
            obstacles=changed(description.obstacles),
            props=changed(description.props),
            vehicles=changed(description.vehicles),
        ),
    )


def with_obstacles(level: Level, *added: ThingDescription) -> Level:
    """The level with more obstacles."""
    description = level.description
    return replace(
        level, description=replace(description, obstacles=(*description.obstacles, *added))
    )


def without_expectations(level: Level) -> Level:
    """The level with its cues alone, for a variant that comes out otherwise."""
    return replace(level, script=replace(level.script, expectations=()))
