"""Object templates of Tiled: an object of the map that takes what it leaves out from a file."""

from __future__ import annotations

from xml.etree import ElementTree

from game.levels.errors import LevelError
from game.levels.level_folder import LevelFolder
from game.levels.tiled.tilesets import FLIP_FLAGS, Tilesets
from game.levels.tiled.tmx_text import SHAPE_TAGS, parse_xml, whole

MAX_TEMPLATE_BYTES = 200_000


class Templates:
    """Resolves objects that name a template, as Tiled does.

    - An attribute, shape or property of the object itself wins over the template's.
    - A template's tile number counts from the template's own tileset, which is
      added to the map's if it has none of that file.
    """

    def __init__(self, folder: LevelFolder, tilesets: Tilesets, map_file: str) -> None:
        self._folder = folder
        self._tilesets = tilesets
        self._map_file = map_file

    def resolved(self, element: ElementTree.Element) -> ElementTree.Element:
        """The object itself, or a new element merged from its template and itself."""
        source = element.attrib.get("template")
        if source is None:
            return element
        name = self._folder.locate(source, self._map_file)
        label = self._folder.label(name)
        root = parse_xml(self._folder.read(name, MAX_TEMPLATE_BYTES), label, "template")
        merged = root.find("object")
        if merged is None:
            raise LevelError(f"{label}: the template holds no object")
        if "template" in merged.attrib:
            raise LevelError(f"{label}: a template can't be made of another template")
        if "gid" in merged.attrib:
            merged.attrib["gid"] = str(self._map_gid(root, merged, name, label))
        for key, value in element.attrib.items():
            if key != "template":
                merged.attrib[key] = value
        _merge_shape(merged, element)
        _merge_properties(merged, element)
        return merged

    def _map_gid(
        self, root: ElementTree.Element, merged: ElementTree.Element, name: str, label: str
    ) -> int:
        gid = whole(merged, "gid", label)
        tileset = root.find("tileset")
        if tileset is None or "source" not in tileset.attrib:
            raise LevelError(f"{label}: the template's tile has no tileset file")
        tileset_file = self._folder.locate(tileset.attrib["source"], name)
        first = whole(tileset, "firstgid", label, 1)
        tile_id = (gid & ~FLIP_FLAGS) - first
        if not 0 <= gid < 2**32 or tile_id < 0:
            raise LevelError(f"{label}: tile number {gid} is out of range")
        return (gid & FLIP_FLAGS) | (self._tilesets.first_gid_of_file(tileset_file) + tile_id)


def _merge_shape(merged: ElementTree.Element, own: ElementTree.Element) -> None:
    shapes = [child for child in own if child.tag in SHAPE_TAGS]
    if shapes:
        for child in [child for child in merged if child.tag in SHAPE_TAGS]:
            merged.remove(child)
        merged.extend(shapes)


def _merge_properties(merged: ElementTree.Element, own: ElementTree.Element) -> None:
    own_holder = own.find("properties")
    if own_holder is None:
        return
    holder = merged.find("properties")
    if holder is None:
        merged.append(own_holder)
        return
    own_names = {entry.attrib.get("name") for entry in own_holder}
    for entry in [entry for entry in holder if entry.attrib.get("name") in own_names]:
        holder.remove(entry)
    holder.extend(own_holder)
