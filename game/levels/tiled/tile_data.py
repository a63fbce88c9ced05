"""Tile numbers of a ground layer, decoded within the layer's own size.

pytiled-parser unpacks whatever a file holds; a few bytes of it can grow to
gigabytes. Here unpacking stops at the size that the map's width and height give.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from xml.etree import ElementTree

import numpy as np

from game.levels.errors import LevelError

_WINDOW_BITS = {"zlib": 15, "gzip": 31}


def tile_numbers(layer: ElementTree.Element, label: str, count: int) -> list[int]:
    """The ``count`` numbers of a tile layer, row by row, flip flags still in them.

    Reads every form that Tiled writes: CSV, base64 plain, zlib or gzip, and one
    element a tile. Raises ``LevelError`` for zstd, for chunks (infinite maps) and for
    damaged or wrongly sized data.
    """
    data = layer.find("data")
    if data is None:
        raise LevelError(f"{label}: holds no tile data")
    if data.find("chunk") is not None:
        raise LevelError(f"{label}: is stored in chunks; turn 'Infinite' off in the map properties")
    encoding = data.attrib.get("encoding", "")
    compression = data.attrib.get("compression", "")
    text = data.text or ""
    if encoding == "":
        numbers = _whole_numbers([tile.attrib.get("gid", "0") for tile in data], label)
    elif encoding == "csv":
        numbers = _whole_numbers(text.split(","), label)
    elif encoding == "base64":
        numbers = _unpacked(text, compression, label, count)
    else:
        raise LevelError(f"{label}: tile data in the form '{encoding}' is not supported")
    if len(numbers) != count:
        raise LevelError(f"{label}: holds {len(numbers)} tiles where the map has room for {count}")
    return numbers


def _whole_numbers(texts: list[str], label: str) -> list[int]:
    try:
        numbers = [int(text) for text in texts]
    except ValueError as error:
        raise LevelError(f"{label}: tile data holds something that is no number") from error
    if any(not 0 <= number < 2**32 for number in numbers):
        raise LevelError(f"{label}: tile data holds a number out of range")
    return numbers


def _unpacked(text: str, compression: str, label: str, count: int) -> list[int]:
    try:
        raw = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise LevelError(f"{label}: tile data is not valid base64") from error
    if compression:
        if compression not in _WINDOW_BITS:
            raise LevelError(
                f"{label}: '{compression}' compression is not supported; choose CSV, zlib or gzip "
                "as the tile layer format in the map properties"
            )
        unpacker = zlib.decompressobj(_WINDOW_BITS[compression])
        try:
            raw = unpacker.decompress(raw, 4 * count + 1)
        except zlib.error as error:
            raise LevelError(f"{label}: packed tile data is damaged") from error
    if len(raw) != 4 * count:
        raise LevelError(f"{label}: tile data has the wrong size for a map of {count} tiles")
    numbers: list[int] = np.frombuffer(raw, dtype="<u4").tolist()
    return numbers
