"""The tilesets of a map: what a tile number stands for.

Tile objects and ground tiles name a tile by its number in the map (gid). A tile
has a size, a class and properties that an object of it inherits, which
pytiled-parser leaves to its user.
"""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree import ElementTree

from pytiled_parser.parsers.tmx.tileset import parse as parse_tileset
from pytiled_parser.tileset import Tileset

from game.levels.errors import LevelError
from game.levels.level_folder import LevelFolder
from game.levels.tiled.tmx_text import mend_properties, parse_xml, whole

FLIPPED_HORIZONTALLY = 0x80000000
FLIPPED_VERTICALLY = 0x40000000
FLIPPED_DIAGONALLY = 0x20000000
ROTATED_HEXAGONAL = 0x10000000
FLIP_FLAGS = 0xF0000000

MAX_TILESET_BYTES = 1_000_000
_UNCOUNTED = 1 << 20

_ANCHORS = {
    "unspecified": (0.0, 1.0),
    "topleft": (0.0, 0.0),
    "top": (0.5, 0.0),
    "topright": (1.0, 0.0),
    "left": (0.0, 0.5),
    "center": (0.5, 0.5),
    "right": (1.0, 0.5),
    "bottomleft": (0.0, 1.0),
    "bottom": (0.5, 1.0),
    "bottomright": (1.0, 1.0),
}


@dataclass(frozen=True, slots=True)
class TileLook:
    """One tile as a user of it needs it.

    - ``width`` and ``height`` in map pixels (cm).
    - ``anchor`` is the place of an object's x, y within the picture, as shares of its size.
    - ``offset`` moves the picture, in pixels of the unscaled tile.
    - ``keeps_aspect``: a stretched object shows the picture unstretched.
    """

    width: float
    height: float
    kind: str
    properties: dict[str, object]
    anchor: tuple[float, float]
    offset: tuple[float, float]
    keeps_aspect: bool


class Tilesets:
    """All tilesets of a map, those that only templates name included."""

    def __init__(self, folder: LevelFolder, map_root: ElementTree.Element, map_file: str) -> None:
        self._folder = folder
        self._by_first_gid: dict[int, Tileset] = {}
        self._first_gid_of_file: dict[str, int] = {}
        self._next_gid = 1
        self._looks: dict[int, TileLook] = {}
        label = folder.label(map_file)
        for entry in map_root.findall("tileset"):
            first_gid = whole(entry, "firstgid", label)
            if first_gid < self._next_gid:
                raise LevelError(f"{label}: tileset with firstgid {first_gid} overlaps another")
            source = entry.attrib.get("source")
            if source is None:
                self._add(first_gid, entry, label)
            else:
                self._add_file(first_gid, folder.locate(source, map_file))

    def first_gid_of_file(self, name: str) -> int:
        """First number of a tileset file that a template names; it is added if the map lacks it."""
        if name not in self._first_gid_of_file:
            self._add_file(self._next_gid, name)
        return self._first_gid_of_file[name]

    def look(self, gid: int, label: str) -> TileLook:
        """The tile with this number; flip flags are ignored.

        Raises ``LevelError`` if no tileset of the map has it.
        """
        number = gid & ~FLIP_FLAGS
        if number not in self._looks:
            first_gid = max((first for first in self._by_first_gid if first <= number), default=0)
            if first_gid == 0 or not self._has(first_gid, number - first_gid):
                raise LevelError(f"{label}: tile number {number} is in no tileset of the map")
            self._looks[number] = _look(self._by_first_gid[first_gid], number - first_gid, label)
        return self._looks[number]

    def _has(self, first_gid: int, tile_id: int) -> bool:
        tileset = self._by_first_gid[first_gid]
        return tile_id < tileset.tile_count or tile_id in (tileset.tiles or {})

    def _add_file(self, first_gid: int, name: str) -> None:
        label = self._folder.label(name)
        root = parse_xml(self._folder.read(name, MAX_TILESET_BYTES), label, "tileset")
        self._add(first_gid, root, label)
        self._first_gid_of_file[name] = first_gid

    def _add(self, first_gid: int, element: ElementTree.Element, label: str) -> None:
        if not 1 <= first_gid < ROTATED_HEXAGONAL:
            raise LevelError(f"{label}: firstgid {first_gid} is out of range")
        _mend(element, label)
        try:
            tileset = parse_tileset(element, first_gid, "utf-8")
        except Exception as error:  # the parser raises whatever its conversions raise
            raise LevelError(f"{label}: the tileset is damaged ({error!r})") from error
        self._by_first_gid[first_gid] = tileset
        last_id = max((tileset.tiles or {}).keys(), default=0)
        count = tileset.tile_count if tileset.tile_count < _UNCOUNTED else 1
        self._next_gid = first_gid + max(count, last_id + 1, 1)


def _mend(tileset: ElementTree.Element, label: str) -> None:
    """Keep what tile numbers need and state what the parser insists on.

    Collision shapes go: they may name templates, which the parser would read.
    """
    for key, default in (("name", ""), ("tilecount", str(_UNCOUNTED)), ("columns", "0")):
        tileset.attrib.setdefault(key, default)
    for key in ("tilewidth", "tileheight"):
        if whole(tileset, key, label, 0) < 0:
            raise LevelError(f"{label}: {key} is negative")
        tileset.attrib.setdefault(key, "0")
    tileset.attrib.pop("backgroundcolor", None)
    for child in list(tileset):
        if child.tag not in ("tileoffset", "tile"):
            tileset.remove(child)
    for tile in tileset.findall("tile"):
        tile_label = f"{label}: tile {tile.attrib.get('id', '?')}"
        if not 0 <= whole(tile, "id", tile_label) < _UNCOUNTED:
            raise LevelError(f"{tile_label}: the id is out of range")
        for child in list(tile):
            if child.tag not in ("properties", "image"):
                tile.remove(child)
        mend_properties(tile, tile_label)


def _look(tileset: Tileset, tile_id: int, label: str) -> TileLook:
    tile = (tileset.tiles or {}).get(tile_id)
    width = float(tileset.tile_width if tile is None or not tile.width else tile.width)
    height = float(tileset.tile_height if tile is None or not tile.height else tile.height)
    if not (0.0 < width <= 10_000.0 and 0.0 < height <= 10_000.0):
        raise LevelError(f"{label}: tile {tile_id} of tileset '{tileset.name}' has no usable size")
    alignment = tileset.alignment or "unspecified"
    if alignment not in _ANCHORS:
        raise LevelError(f"{label}: object alignment '{alignment}' is unknown")
    offset = tileset.tile_offset
    return TileLook(
        width=width,
        height=height,
        kind="" if tile is None else (tile.class_ or ""),
        properties={} if tile is None else dict(tile.properties or {}),
        anchor=_ANCHORS[alignment],
        offset=(0.0, 0.0) if offset is None else (float(offset.x), float(offset.y)),
        keeps_aspect=tileset.fill_mode == "preserve-aspect-fit",
    )
