"""A level's ``map.tmx`` as plain data (product.md section 8).

Reads what Tiled saves, as Tiled means it, or refuses it in one sentence that
names the file and the object: rotation, flips, templates, tilesets in files of
their own, inherited classes and properties, offset and grouped layers. Everything
is bounded, and nothing outside the level's folder is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

from pytiled_parser.parsers.tmx.tiled_object import parse as parse_object

from game.levels.errors import LevelError, suggestion
from game.levels.level_folder import LevelFolder
from game.levels.tiled.map_objects import OBJECT_LAYERS, MapObject, MapObjects, ObjectReader
from game.levels.tiled.templates import Templates
from game.levels.tiled.tile_data import tile_numbers
from game.levels.tiled.tilesets import FLIP_FLAGS, Tilesets
from game.levels.tiled.tmx_text import mend_object, parse_xml, real, whole
from game.levels.vocabulary import Vocabulary
from game.world.description import GroundTile

MAP_FILE = "map.tmx"
TILE_CM = 100
"""Side of a tile: 1 map pixel is 1 cm, tiles have 100 of them."""

MAX_MAP_BYTES = 8_000_000
MAX_TILES_ALONG = 500
"""A map is at most 500 m long and wide."""

MAX_TILE_LAYERS = 16
MAX_OBJECTS = 5000
MAX_GROUP_DEPTH = 8
MAX_OBJECT_ID = 2**31 - 1
MAX_OBJECT_NAME = 64


@dataclass(frozen=True, slots=True)
class MapContent:
    """Size, ground and objects of a map."""

    width_cm: float
    height_cm: float
    ground: tuple[GroundTile, ...]
    objects: MapObjects


def read_map(folder: LevelFolder, vocabulary: Vocabulary) -> MapContent:
    """Read the map of a level folder.

    Raises ``LevelError`` for whatever the game can't have.
    """
    label = folder.label(MAP_FILE)
    root = parse_xml(folder.read(MAP_FILE, MAX_MAP_BYTES), label, "map")
    columns, rows = _size(root, label)
    tilesets = Tilesets(folder, root, MAP_FILE)
    templates = Templates(folder, tilesets, MAP_FILE)
    reader = ObjectReader(tilesets, vocabulary)
    ground = _Ground(tilesets, vocabulary, columns, rows)
    seen_ids: set[int] = set()
    for layer, offset in _layers(root, (0.0, 0.0), label, 0):
        name = layer.attrib.get("name", "")
        layer_label = f"{label}: layer '{name}'"
        if layer.tag == "layer":
            ground.add_layer(layer, offset, layer_label)
            continue
        if name not in OBJECT_LAYERS:
            raise LevelError(
                f"{layer_label}: unknown object layer; {suggestion(name, OBJECT_LAYERS)}"
            )
        for element in layer.findall("object"):
            item = _object(element, offset, templates, label)
            if item.obj.id in seen_ids:
                raise LevelError(f"{item.label}: the id is used twice")
            seen_ids.add(item.obj.id)
            if len(seen_ids) > MAX_OBJECTS:
                raise LevelError(f"{label}: over {MAX_OBJECTS} objects")
            reader.add(name, item)
    return MapContent(
        float(columns * TILE_CM), float(rows * TILE_CM), tuple(ground.tiles), reader.read
    )


def _size(root: ElementTree.Element, label: str) -> tuple[int, int]:
    """Columns and rows; refuses maps that the game can't show."""
    orientation = root.attrib.get("orientation", "orthogonal")
    if orientation != "orthogonal":
        raise LevelError(f"{label}: a map must be orthogonal, not {orientation}")
    if root.attrib.get("infinite", "0") != "0":
        raise LevelError(
            f"{label}: an infinite map has no edges; turn 'Infinite' off in the map properties"
        )
    for key in ("tilewidth", "tileheight"):
        side = whole(root, key, label)
        if side != TILE_CM:
            raise LevelError(f"{label}: {key} is {side}; tiles are {TILE_CM} px (1 px = 1 cm)")
    size = (whole(root, "width", label), whole(root, "height", label))
    if not all(1 <= along <= MAX_TILES_ALONG for along in size):
        raise LevelError(f"{label}: a map is 1 to {MAX_TILES_ALONG} tiles long and wide")
    return size


def _layers(
    parent: ElementTree.Element, offset: tuple[float, float], label: str, depth: int
) -> Iterator[tuple[ElementTree.Element, tuple[float, float]]]:
    """Tile and object layers in map order, with the sum of their groups' offsets."""
    if depth > MAX_GROUP_DEPTH:
        raise LevelError(f"{label}: layer groups are nested over {MAX_GROUP_DEPTH} deep")
    for child in parent:
        if child.tag not in ("layer", "objectgroup", "group", "imagelayer"):
            continue
        name = child.attrib.get("name", "")
        layer_label = f"{label}: layer '{name}'"
        if child.tag == "imagelayer":
            raise LevelError(f"{layer_label}: image layers are not supported; remove it")
        for key in ("parallaxx", "parallaxy"):
            if real(child, key, layer_label, 1.0) != 1.0:
                raise LevelError(f"{layer_label}: layers have no pace of their own; set {key} to 1")
        moved = (
            offset[0] + real(child, "offsetx", layer_label, 0.0),
            offset[1] + real(child, "offsety", layer_label, 0.0),
        )
        if child.tag == "group":
            yield from _layers(child, moved, label, depth + 1)
        else:
            yield child, moved


def _object(
    element: ElementTree.Element, offset: tuple[float, float], templates: Templates, label: str
) -> MapObject:
    object_label = f"{label}: object {element.attrib.get('id', '?')}"
    object_id = whole(element, "id", object_label)
    if not 1 <= object_id <= MAX_OBJECT_ID:
        raise LevelError(f"{object_label}: the id is out of range")
    resolved = templates.resolved(element)
    name = resolved.attrib.get("name", "")
    if name:
        object_label += f" '{name}'"
    if len(name) > MAX_OBJECT_NAME or not name.isprintable() or name != name.strip():
        raise LevelError(
            f"{object_label}: a name has at most {MAX_OBJECT_NAME} printable characters "
            "and no blanks around it"
        )
    mend_object(resolved, object_label)
    try:
        obj = parse_object(resolved, "utf-8")
    except Exception as error:  # the parser raises whatever its conversions raise
        raise LevelError(f"{object_label}: the object is damaged ({error!r})") from error
    return MapObject(obj, offset, object_label)


class _Ground:
    """Collects ground tiles; where layers overlap the later one is drawn over the earlier."""

    def __init__(self, tilesets: Tilesets, vocabulary: Vocabulary, columns: int, rows: int) -> None:
        self._tilesets = tilesets
        self._kinds = vocabulary.surfaces
        self._columns = columns
        self._rows = rows
        self._layer_count = 0
        self.tiles: list[GroundTile] = []

    def add_layer(
        self, layer: ElementTree.Element, offset: tuple[float, float], label: str
    ) -> None:
        self._layer_count += 1
        if self._layer_count > MAX_TILE_LAYERS:
            raise LevelError(f"{label}: over {MAX_TILE_LAYERS} tile layers")
        if offset != (0.0, 0.0):
            raise LevelError(f"{label}: ground tiles keep to the grid; set the offset to 0")
        size = (whole(layer, "width", label), whole(layer, "height", label))
        if size != (self._columns, self._rows):
            raise LevelError(f"{label}: has another size than the map")
        numbers = tile_numbers(layer, label, self._columns * self._rows)
        kinds: dict[int, str] = {}
        for index, number in enumerate(numbers):
            tile = number & ~FLIP_FLAGS
            if tile == 0:
                continue
            if tile not in kinds:
                kinds[tile] = self._kind(tile, label)
            row, column = divmod(index, self._columns)
            self.tiles.append(GroundTile(column, row, kinds[tile]))

    def _kind(self, tile: int, label: str) -> str:
        kind = self._tilesets.look(tile, label).kind
        if kind not in self._kinds:
            raise LevelError(
                f"{label}: tile {tile} is of the unknown ground kind '{kind}'; "
                f"set the tile's class in its tileset ({suggestion(kind, self._kinds)})"
            )
        return kind
