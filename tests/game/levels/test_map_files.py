"""Whole map files: forms that Tiled writes, and files that mean harm (section 10)."""

# ruff: noqa: E501 - a case of a table of file fragments stays on one line

from __future__ import annotations

import base64
import gzip
import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game.levels.errors import LevelError
from game.levels.level_folder import LevelFolder
from game.levels.tiled.tiled_map import MapContent, read_map
from game.world.description import GroundTile
from tests.game.levels.maps import (
    TILESET,
    layer,
    loaded_or_refusal,
    map_text,
    properties,
    read,
    vocabulary,
    write_level,
)

CRATE = '<object id="1" type="crate" x="5" y="4"><point/></object>'


def tile_layer(data: str, attributes: str = "", size: str = 'width="2" height="1"') -> str:
    return f'<layer name="ground" {size}><data {attributes}>{data}</data></layer>'


def packed(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}I", *numbers)


def read_ground(folder: Path, source: str) -> tuple[GroundTile, ...]:
    return read(folder, source, columns=2, rows=1).ground


@pytest.mark.parametrize(
    ("attributes", "data"),
    [
        ('encoding="csv"', "1,\n2147483650"),
        ("", '<tile gid="1"/><tile gid="2147483650"/>'),
        ('encoding="base64"', base64.b64encode(packed(1, 2147483650)).decode()),
        (
            'encoding="base64" compression="zlib"',
            base64.b64encode(zlib.compress(packed(1, 2147483650))).decode(),
        ),
        (
            'encoding="base64" compression="gzip"',
            "\n  "
            + base64.b64encode(gzip.compress(packed(1, 2147483650), mtime=0)).decode()
            + "\n",
        ),
    ],
)
def test_every_form_of_tile_data_is_read(tmp_path: Path, attributes: str, data: str) -> None:
    """Engineering notes: flip flags stay in the gid (2147483650 is tile 2, flipped)."""
    assert read_ground(tmp_path, tile_layer(data, attributes)) == (
        GroundTile(0, 0, "pavement"),
        GroundTile(1, 0, "road"),
    )


def test_empty_cells_have_no_ground_tile_and_later_layers_come_later(tmp_path: Path) -> None:
    first = tile_layer("1,1", 'encoding="csv"')
    second = tile_layer("0,2", 'encoding="csv"')
    assert read_ground(tmp_path, first + second) == (
        GroundTile(0, 0, "pavement"),
        GroundTile(1, 0, "pavement"),
        GroundTile(1, 0, "road"),
    )


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (tile_layer("KLUv/Q==", 'encoding="base64" compression="zstd"'), "'zstd' compression is not supported; choose CSV"),
        (tile_layer('<chunk x="-16" y="0" width="16" height="16">1</chunk>', 'encoding="csv"'), "stored in chunks; turn 'Infinite' off"),
        (tile_layer("1", 'encoding="csv"'), "holds 1 tiles where the map has room for 2"),
        (tile_layer("1,x", 'encoding="csv"'), "no number"),
        (tile_layer("1,-1", 'encoding="csv"'), "a number out of range"),
        (tile_layer("AAAA", 'encoding="base64"'), "wrong size for a map of 2 tiles"),
        (tile_layer("?", 'encoding="base64"'), "not valid base64"),
        (tile_layer("AAAA", 'encoding="base64" compression="zlib"'), "damaged"),
        (tile_layer("1,9", 'encoding="csv"'), "tile number 9 is in no tileset"),
        (tile_layer("1,1", 'encoding="csv"', 'width="1" height="2"'), "another size than the map"),
        ('<layer name="ground" width="2" height="1"/>', "holds no tile data"),
        ('<layer name="ground" offsetx="5" width="2" height="1"/>', "keep to the grid"),
        ('<imagelayer name="sky"><image source="/etc/passwd"/></imagelayer>', "image layers are not supported"),
        ('<objectgroup name="peds" parallaxx="0.5"/>', "set parallaxx to 1"),
        ("<group>" * 10 + "</group>" * 10, "nested over 8 deep"),
    ],
)  # fmt: skip
def test_layers_that_cannot_be_used_are_refused(tmp_path: Path, source: str, message: str) -> None:
    with pytest.raises(LevelError) as refused:
        read_ground(tmp_path, source)
    assert message in str(refused.value)


def test_unpacking_stops_at_the_size_of_the_map(tmp_path: Path) -> None:
    """Section 10: sizes are bounded; 100 MB of zeros in 100 kB are not unpacked."""
    bomb = base64.b64encode(zlib.compress(bytes(100_000_000))).decode()
    with pytest.raises(LevelError, match="wrong size for a map of 2 tiles"):
        read_ground(tmp_path, tile_layer(bomb, 'encoding="base64" compression="zlib"'))


def test_a_map_without_tiledversion_loads(tmp_path: Path) -> None:
    """Engineering notes: pytiled-parser fails on one with a bare KeyError."""
    assert "tiledversion" not in map_text()
    content = read(tmp_path, layer("props", CRATE))
    assert (content.width_cm, content.height_cm) == (1000.0, 1000.0)
    assert [thing.kind for thing in content.objects.things["props"]] == ["crate"]


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ('orientation="orthogonal" infinite="1"', "an infinite map has no edges; turn 'Infinite' off"),
        ('orientation="isometric" infinite="0"', "must be orthogonal, not isometric"),
    ],
)  # fmt: skip
def test_maps_that_cannot_be_shown_are_refused(tmp_path: Path, head: str, message: str) -> None:
    """Engineering notes: infinite maps are one clear sentence."""
    with pytest.raises(LevelError) as refused:
        read(tmp_path, layer("props", CRATE), head=head)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('tilewidth="100" tileheight="100">', 'tilewidth="32" tileheight="100">', "tilewidth is 32; tiles are 100 px"),
        ('width="10" height="10"', 'width="501" height="10"', "1 to 500 tiles"),
        ('width="10" height="10"', 'width="ten" height="10"', "width='ten' is no whole number"),
        ('width="10" height="10"', 'height="10"', "<map> lacks 'width'"),
    ],
)  # fmt: skip
def test_the_size_of_a_map_is_bounded(tmp_path: Path, old: str, new: str, message: str) -> None:
    source = map_text(attributes="").replace(" >", ">")
    assert old in source
    write_level(tmp_path, source.replace(old, new, 1))
    with pytest.raises(LevelError) as refused:
        read_map(LevelFolder(tmp_path), vocabulary())
    assert message in str(refused.value)


def test_an_external_tileset_inside_the_folder_is_read(tmp_path: Path) -> None:
    """Section 8: external tilesets behave as in Tiled; paths are relative to the file they stand in."""
    (tmp_path / "tiles").mkdir()
    (tmp_path / "tiles" / "ground.tsx").write_text(
        '<?xml version="1.0" encoding="UTF-8"?><tileset name="g" tilewidth="100" tileheight="100" '
        'tilecount="1" columns="1"><image source="../g.png" width="100" height="100"/>'
        '<tile id="0" class="plaza"/></tileset>'
    )
    content = read(
        tmp_path,
        tile_layer("5,0", 'encoding="csv"'),
        columns=2,
        rows=1,
        tilesets='<tileset firstgid="5" source="tiles/ground.tsx"/>',
    )
    assert content.ground == (GroundTile(0, 0, "plaza"),)


def write_template(folder: Path, source: str, name: str = "crate.tx") -> None:
    (folder / name).write_text(
        f'<?xml version="1.0" encoding="UTF-8"?><template>{source}</template>'
    )


def test_a_template_fills_in_what_the_object_leaves_out(tmp_path: Path) -> None:
    """Section 8: templates behave as in Tiled."""
    write_template(
        tmp_path,
        '<object type="crate" name="box" width="80" height="60">'
        + properties(mass_kg=20.0, nav="ignore")
        + "</object>",
    )
    plain, special = read(
        tmp_path,
        layer(
            "props",
            '<object id="1" template="crate.tx" x="100" y="200"/>',
            '<object id="2" template="crate.tx" name="mine" x="100" y="200" width="40">'
            + properties(mass_kg=30.0)
            + "</object>",
        ),
    ).objects.things["props"]
    assert (plain.name, plain.kind, plain.mass_kg, plain.nav_block) == ("box", "crate", 20.0, False)
    assert plain.position == (140.0, 230.0, 0.0)
    assert (special.name, special.mass_kg, special.nav_block) == ("mine", 30.0, False)
    assert special.position == (120.0, 230.0, 0.0)


def test_a_template_may_bring_its_own_tileset(tmp_path: Path) -> None:
    """A template's tile counts from the template's tileset, flips included; the map needs no such tileset."""
    (tmp_path / "things.tsx").write_text(
        '<tileset name="things" tilewidth="68" tileheight="68" tilecount="2" columns="2">'
        '<tile id="1" type="crate"/></tileset>'
    )
    write_template(
        tmp_path,
        '<tileset firstgid="1" source="things.tsx"/>'
        f'<object gid="{2 | 0x80000000}" width="68" height="68"/>',
    )
    (thing,) = read(
        tmp_path, layer("props", '<object id="1" template="crate.tx" x="100" y="200"/>')
    ).objects.things["props"]
    assert (thing.kind, thing.scale[:2]) == ("crate", (-1.0, 1.0))
    assert thing.position == (134.0, 166.0, 0.0)


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ('<object template="other.tx"/>', "can't be made of another template"),
        ("<tileset firstgid='1' source='x.tsx'/>", "holds no object"),
        ('<object gid="3"/>', "has no tileset file"),
        ('<tileset firstgid="1" source="../../up.tsx"/><object gid="1"/>', "lies outside the level's folder"),
    ],
)  # fmt: skip
def test_a_template_that_cannot_be_used_is_refused(
    tmp_path: Path, template: str, message: str
) -> None:
    folder = tmp_path / "level"
    folder.mkdir()
    write_template(folder, template)
    with pytest.raises(LevelError) as refused:
        read(folder, layer("props", '<object id="1" template="crate.tx" x="1" y="2"/>'))
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "path", ["/etc/hostname", "../secret.tsx", "..\\secret.tsx", "sub/../../secret.tsx", "link.tsx"]
)
def test_nothing_outside_the_folder_is_read(tmp_path: Path, path: str) -> None:
    """Section 10: no path outside the level's own folder, links included."""
    (tmp_path / "secret.tsx").write_text('<tileset name="s" tilewidth="1" tileheight="1"/>')
    folder = tmp_path / "level"
    folder.mkdir()
    (folder / "link.tsx").symlink_to(tmp_path / "secret.tsx")
    for source in (
        map_text(tilesets=f'<tileset firstgid="1" source="{path}"/>'),
        map_text(layer("props", f'<object id="1" template="{path}" x="0" y="0"/>')),
    ):
        write_level(folder, source)
        with pytest.raises(LevelError, match="outside the level's folder"):
            read_map(LevelFolder(folder), vocabulary())


def test_a_tileset_s_collision_shapes_name_no_files(tmp_path: Path) -> None:
    """Section 10: pytiled-parser would read a template named inside a tile's collision shapes."""
    secret = tmp_path / "secret.tx"
    secret.write_text("<template><object/></template>")
    tileset = TILESET.replace(
        '<tile id="0" type="pavement"/>',
        '<tile id="0" type="pavement"><objectgroup><object id="1" x="0" y="0" '
        f'template="{secret}"/></objectgroup></tile>',
    )
    folder = write_level(tmp_path / "level", map_text(tilesets=tileset))
    level_folder = LevelFolder(folder)
    read_map(level_folder, vocabulary())
    assert list(level_folder.hashes) == ["map.tmx"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ('<!DOCTYPE map [<!ENTITY a "aaaa">]><map>&a;</map>', "document type"),
        ("<map><a", "not valid XML"),
        ("", "not valid XML"),
        ('{"type": "map"}', "JSON form; save it in the XML form"),
        ("<tileset/>", "it begins with <tileset>"),
        ("<map>" + "<a>" * 100_000 + "</a>" * 100_000 + "</map>", "nested over 16 deep"),
    ],
)  # fmt: skip
def test_files_that_are_no_maps_are_refused(tmp_path: Path, source: str, message: str) -> None:
    write_level(tmp_path, source)
    with pytest.raises(LevelError) as refused:
        read_map(LevelFolder(tmp_path), vocabulary())
    assert message in str(refused.value)


def test_files_are_bounded_and_text(tmp_path: Path) -> None:
    folder = LevelFolder(write_level(tmp_path, map_text()))
    with pytest.raises(LevelError, match="over 10 bytes, refused"):
        folder.read("map.tmx", 10)
    (tmp_path / "map.tmx").write_bytes(b"\xff\xfe<map/>")
    with pytest.raises(LevelError, match="is not UTF-8"):
        folder.read("map.tmx", 1000)
    (tmp_path / "map.tmx").unlink()
    with pytest.raises(LevelError, match="the file is missing"):
        folder.read("map.tmx", 1000)


def test_too_many_objects_are_refused(tmp_path: Path) -> None:
    points = (f'<object id="{number}" x="0" y="0"><point/></object>' for number in range(1, 5002))
    with pytest.raises(LevelError, match="over 5000 objects"):
        read(tmp_path, layer("peds", *points))


def test_a_message_is_one_short_line(tmp_path: Path) -> None:
    """Section 10: a hostile name can't flood or forge the terminal."""
    with pytest.raises(LevelError) as refused:
        read(tmp_path, layer("x" * 5000 + "&#10;\u202e\u0007"))
    text = str(refused.value)
    assert len(text) <= 600
    assert text.isprintable()


def test_a_written_file_is_noticed(tmp_path: Path) -> None:
    """LVL-09: levels never write map files; the hash is checked after the run."""
    folder = LevelFolder(write_level(tmp_path, map_text()))
    read_map(folder, vocabulary())
    assert folder.changed_files() == []
    (tmp_path / "map.tmx").write_text(map_text() + "\n")
    assert folder.changed_files() == ["map.tmx"]


WHOLE_MAP = map_text(
    tile_layer("1," * 99 + "2", 'encoding="csv"', 'width="10" height="10"'),
    layer("surfaces", '<object id="1" type="pavement" x="0" y="0" width="300" height="200"/>'),
    layer("props", CRATE.replace('id="1"', 'id="2"')),
    layer("peds", '<object id="3" name="courier" x="20" y="30"><point/></object>'),
    layer("markers", '<object id="4" name="m" x="2" y="3"><polyline points="0,0 5,5"/></object>'),
)
HOSTILE_WORDS = st.sampled_from(
    ['""', '"-1"', '"1e400"', '"nan"', '"99999999999999999999"', '"&#0;"', '"\n"', "<!--", ">", "é"]
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_damaged_map_loads_or_is_refused_in_one_sentence(
    tmp_path: Path, data: st.DataObject
) -> None:
    """Section 10: fuzzed loaders; a LevelError or a map, never another exception."""
    source = WHOLE_MAP
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(source)))
        cut = data.draw(st.integers(0, 30))
        source = source[:at] + data.draw(st.text(max_size=6) | HOSTILE_WORDS) + source[at + cut :]
    write_level(tmp_path, source.encode("utf-8", "ignore").decode())
    result = loaded_or_refusal(lambda: read_map(LevelFolder(tmp_path), vocabulary()))
    assert isinstance(result, MapContent) or result.isprintable()


ATTRIBUTE_VALUES = st.sampled_from(
    ["", "0", "-3", "1e308", "nan", "inf", "x", "4294967297", "  7", "1,2 3,4", "true", "٣"]
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_attribute_may_hold_anything(tmp_path: Path, data: st.DataObject) -> None:
    """Section 10: the same with every attribute of the map in turn."""
    pieces = WHOLE_MAP.split('="')
    index = data.draw(st.integers(3, len(pieces) - 1))
    _, rest = pieces[index].split('"', 1)
    pieces[index] = f'{data.draw(ATTRIBUTE_VALUES)}"{rest}'
    write_level(tmp_path, '="'.join(pieces))
    result = loaded_or_refusal(lambda: read_map(LevelFolder(tmp_path), vocabulary()))
    assert isinstance(result, MapContent) or result.isprintable()
