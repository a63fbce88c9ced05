"""Drawn by Tiled and loaded by us: the same place within 1 cm (F12)."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from ai.ports import Polygon
from game.world.description import ThingDescription
from game.world.outlines import bounds_of, placed, scaled
from tests.game.levels.maps import layer, read

pytestmark = pytest.mark.skipif(
    shutil.which("tmxrasterizer") is None, reason="Tiled's tmxrasterizer is not installed"
)

TILESET = (
    '<tileset firstgid="10" name="benches" tilewidth="170" tileheight="55" tilecount="1" '
    'columns="1" {attributes}>{inside}<image source="bench.png" width="170" height="55"/>'
    '<tile id="0" type="bench"/></tileset>'
)
MARK = (0.0, 0.0, 40.0, 20.0)
"""Blue rectangle in the picture's top left: shows flips."""


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A red bench with a blue corner."""
    pygame = pytest.importorskip("pygame")
    surface = pygame.Surface((170, 55))
    surface.fill((255, 0, 0))
    surface.fill((0, 0, 255), MARK)
    path = tmp_path_factory.mktemp("picture") / "bench.png"
    pygame.image.save(surface, path)
    return path


def drawn(folder: Path) -> NDArray[np.int64]:
    """Pixels of the map as Tiled draws it, shape (width, height, 3)."""
    pygame = pytest.importorskip("pygame")
    subprocess.run(
        ["tmxrasterizer", "--no-smoothing", "--scale", "1", folder / "map.tmx", folder / "out.png"],
        check=True,
        capture_output=True,
        timeout=60,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    loaded = pygame.surfarray.array3d(pygame.image.load(folder / "out.png"))
    return np.asarray(loaded, dtype=np.int64)


def bounds_of_pixels(mask: NDArray[np.bool_]) -> tuple[int, int, int, int]:
    columns = np.flatnonzero(mask.any(axis=1))
    rows = np.flatnonzero(mask.any(axis=0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def loaded_bounds(thing: ThingDescription, outline: Polygon) -> tuple[float, float, float, float]:
    x, y, _ = thing.position
    return bounds_of(placed(scaled(outline, thing.scale), x, y, thing.yaw_rad))


@pytest.mark.parametrize(
    ("source", "attributes", "inside"),
    [
        ('gid="10" width="170" height="55" rotation="0"', "", ""),
        ('gid="10" width="170" height="55" rotation="90"', "", ""),
        ('gid="10" width="170" height="55" rotation="-90"', "", ""),
        ('gid="10" width="170" height="55" rotation="37"', "", ""),
        ('gid="2147483658" width="170" height="55" rotation="37"', "", ""),
        ('gid="1073741834" width="170" height="55" rotation="90"', "", ""),
        ('gid="3221225482" width="170" height="55" rotation="-90"', "", ""),
        ('gid="2147483658" width="300" height="80" rotation="37"', "", ""),
        ('gid="10" width="300" height="80" rotation="37"', "", '<tileoffset x="7" y="11"/>'),
        ('gid="10" width="170" height="55" rotation="37"', 'objectalignment="center"', ""),
        ('gid="10" width="170" height="55" rotation="37"', 'objectalignment="topright"', ""),
    ],
)
def test_a_tile_object_stands_where_tiled_draws_it(
    tmp_path: Path, picture: Path, source: str, attributes: str, inside: str
) -> None:
    """F12: at 0, 90, -90, 37 degrees, flipped, stretched, offset, with other anchors."""
    shutil.copy(picture, tmp_path / "bench.png")
    tileset = TILESET.format(attributes=attributes, inside=inside)
    props = layer("props", f'<object id="1" x="400" y="400" {source}/>')
    (thing,) = read(tmp_path, props, columns=8, rows=8, tilesets=tileset).objects.things["props"]
    pixels = drawn(tmp_path)
    red, blue = pixels[:, :, 0] > 128, pixels[:, :, 2] > 128
    blue &= ~(red & blue)
    red &= pixels[:, :, 1] < 128
    assert isinstance(thing.outline, Polygon)
    assert bounds_of_pixels(red | blue) == pytest.approx(
        loaded_bounds(thing, thing.outline), abs=1.0
    )
    left, top, right, bottom = MARK
    mark = Polygon(
        tuple(
            (x - 85.0, y - 27.5)
            for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))
        )
    )
    assert bounds_of_pixels(blue) == pytest.approx(loaded_bounds(thing, mark), abs=1.0)


@pytest.mark.parametrize("degrees", [0, 90, -90, 37])
@pytest.mark.parametrize(
    "shape", ["", "<ellipse/>", '<polygon points="85,25 170,10 100,65 10,50"/>']
)
def test_a_shape_stands_where_tiled_draws_it(tmp_path: Path, degrees: int, shape: str) -> None:
    """F12: the bench as rectangle, and other shapes.

    Tiled's fill ends 1 to 2 px inside its line, and a polygon's first corner has a
    dot, so that corner is none of the outermost ones here.
    """
    size = "" if "polygon" in shape else 'width="170" height="55"'
    props = layer(
        "props",
        f'<object id="1" type="bench" x="400" y="400" {size} rotation="{degrees}">{shape}</object>',
    )
    (thing,) = read(tmp_path, props, columns=8, rows=8, tilesets="").objects.things["props"]
    pixels = drawn(tmp_path)
    middle = pixels[round(thing.position.x), round(thing.position.y)]
    assert (middle != pixels[0, 0]).any(), "Tiled draws nothing at the loaded centre"
    filled = (abs(pixels - middle) <= 2).all(axis=2)
    assert isinstance(thing.outline, Polygon)
    assert bounds_of_pixels(filled) == pytest.approx(loaded_bounds(thing, thing.outline), abs=2.5)
