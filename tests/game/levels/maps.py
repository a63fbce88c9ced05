"""Small Tiled maps and level files written for tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from game import resources
from game.levels.errors import LevelError
from game.levels.level_folder import LevelFolder
from game.levels.tiled.tiled_map import MapContent, read_map
from game.levels.vocabulary import Vocabulary
from game.world.thing_kinds import load_catalogue

SURFACES = frozenset({"pavement", "crossing", "path", "plaza", "grass", "road", "no_walk"})

TILESET = (
    '<tileset firstgid="1" name="ground" tilewidth="100" tileheight="100" tilecount="2" '
    'columns="2"><image source="ground.png" width="200" height="100"/>'
    '<tile id="0" type="pavement"/><tile id="1" type="road"/></tileset>'
)

LEVEL_TOML = """
title = "Test"
description = "A level of a test."
seed = 1
duration_s = 2.0
"""


def vocabulary() -> Vocabulary:
    """Kinds of the shipped catalogue, names of a small product."""
    return Vocabulary(
        things=load_catalogue(resources.tuning()),
        surfaces=SURFACES,
        ped_models=frozenset({"ordinary", "bystander", "dummy", "patrol_guard"}),
        outfits=frozenset({"courier", "elder", "guard", "jogger", "suit", "worker"}),
        default_tasks=frozenset({"stand", "wander", "do_nothing", "guard", "brain"}),
        behaviours=frozenset({"guard", "intruder"}),
        machine_states=frozenset(
            {"root", "peace", "peace/patrol", "combat/chase", "combat/attack", "combat/search"}
        ),
        ped_spacing_cm=63.0,
        ped_radius_cm=30.0,
        body_low_cm=5.0,
        ped_height_cm=180.0,
    )


def layer(name: str, *objects: str, attributes: str = "") -> str:
    """An object layer."""
    return f'<objectgroup name="{name}" {attributes}>{"".join(objects)}</objectgroup>'


def properties(**values: str | float | bool) -> str:
    """Custom properties of an object."""
    entries = []
    for name, value in values.items():
        if isinstance(value, bool):
            entries.append(f'<property name="{name}" type="bool" value="{str(value).lower()}"/>')
        elif isinstance(value, str):
            entries.append(f'<property name="{name}" value="{value}"/>')
        else:
            entries.append(f'<property name="{name}" type="float" value="{value}"/>')
    return f"<properties>{''.join(entries)}</properties>"


def map_text(
    *content: str,
    columns: int = 10,
    rows: int = 10,
    tilesets: str = TILESET,
    attributes: str = "",
    head: str = 'orientation="orthogonal" renderorder="right-down" infinite="0"',
) -> str:
    """A whole map file."""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<map version="1.8" {head} width="{columns}" '
        f'height="{rows}" tilewidth="100" tileheight="100" {attributes}>'
        f"{tilesets}{''.join(content)}</map>"
    )


def write_level(folder: Path, map_source: str, level_source: str = LEVEL_TOML) -> Path:
    """Write both files of a level."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "map.tmx").write_text(map_source, encoding="utf-8")
    (folder / "level.toml").write_text(level_source, encoding="utf-8")
    return folder


def read(folder: Path, *content: str, **options: str | int) -> MapContent:
    """Write a map with this content into a folder and read it."""
    write_level(folder, map_text(*content, **options))  # type: ignore[arg-type]
    return read_map(LevelFolder(folder), vocabulary())


Loaded = TypeVar("Loaded")


def loaded_or_refusal(load: Callable[[], Loaded]) -> Loaded | str:
    """What a loader returns, or the sentence with which it refuses; nothing else may come out."""
    try:
        return load()
    except LevelError as refused:
        return str(refused)
