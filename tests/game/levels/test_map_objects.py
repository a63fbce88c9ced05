"""Objects of Tiled maps: where they are and what they are (product.md section 8, F12)."""

# ruff: noqa: E501 - a case of a table of file fragments stays on one line

from __future__ import annotations

import math
from pathlib import Path

import pytest

from ai.ports import Circle, Polygon, Vec3
from game.levels.errors import LevelError
from game.world.description import ThingDescription
from game.world.outlines import placed, scaled
from tests.game.levels.maps import layer, properties, read


def corners(thing: ThingDescription) -> list[tuple[float, float]]:
    outline = placed(
        scaled(thing.outline, thing.scale), thing.position.x, thing.position.y, thing.yaw_rad
    )
    assert isinstance(outline, Polygon)
    return sorted((round(x, 6) + 0.0, round(y, 6) + 0.0) for x, y in outline.points)


def only_prop(folder: Path, source: str, **options: str) -> ThingDescription:
    (thing,) = read(folder, layer("props", source), **options).objects.things["props"]
    return thing


BENCH_TILES = (
    '<tileset firstgid="10" name="benches" tilewidth="170" tileheight="55" tilecount="1" '
    'columns="1" {more}><image source="bench.png" width="170" height="55"/>'
    '<tile id="0" type="bench"/></tileset>'
)


# A bench of 170 x 55 whose top left corner, unrotated, is (300, 400).
# Rotated clockwise about that corner: +90 sends (dx, dy) to (-dy, dx), -90 to (dy, -dx).
COS, SIN = math.cos(math.radians(37.0)), math.sin(math.radians(37.0))
ABOUT_TOP_LEFT = {
    0: Vec3(385.0, 427.5),
    90: Vec3(300.0 - 27.5, 485.0),
    -90: Vec3(327.5, 400.0 - 85.0),
    37: Vec3(300.0 + 85.0 * COS - 27.5 * SIN, 400.0 + 85.0 * SIN + 27.5 * COS),
}
# The same as a tile object: x, y is the bottom left, so the centre is (85, -27.5) from it.
ABOUT_BOTTOM_LEFT = {
    0: Vec3(385.0, 372.5),
    90: Vec3(327.5, 485.0),
    -90: Vec3(300.0 - 27.5, 400.0 - 85.0),
    37: Vec3(300.0 + 85.0 * COS + 27.5 * SIN, 400.0 + 85.0 * SIN - 27.5 * COS),
}


@pytest.mark.parametrize("degrees", [0, 90, -90, 37])
def test_a_rectangle_turns_about_its_top_left(tmp_path: Path, degrees: int) -> None:
    """F12, engineering notes: within 1 cm of Tiled at 0, 90, -90 and 37 degrees."""
    thing = only_prop(
        tmp_path,
        f'<object id="1" type="bench" x="300" y="400" width="170" height="55" rotation="{degrees}"/>',
    )
    assert thing.position == pytest.approx(ABOUT_TOP_LEFT[degrees], abs=1e-9)
    assert thing.yaw_rad == pytest.approx(math.radians(degrees))
    assert thing.outline == Polygon(((-85.0, -27.5), (85.0, -27.5), (85.0, 27.5), (-85.0, 27.5)))


@pytest.mark.parametrize("degrees", [0, 90, -90, 37])
def test_a_tile_object_turns_about_its_bottom_left(tmp_path: Path, degrees: int) -> None:
    """F12, engineering notes: a tile object's x, y is its bottom left."""
    thing = only_prop(
        tmp_path,
        f'<object id="1" gid="10" x="300" y="400" width="170" height="55" rotation="{degrees}"/>',
        tilesets=BENCH_TILES.format(more=""),
    )
    assert thing.position == pytest.approx(ABOUT_BOTTOM_LEFT[degrees], abs=1e-9)
    assert thing.yaw_rad == pytest.approx(math.radians(degrees))


@pytest.mark.parametrize(
    ("alignment", "centre"),
    [
        ("topleft", (385.0, 427.5)),
        ("top", (300.0, 427.5)),
        ("topright", (215.0, 427.5)),
        ("left", (385.0, 400.0)),
        ("center", (300.0, 400.0)),
        ("right", (215.0, 400.0)),
        ("bottomleft", (385.0, 372.5)),
        ("bottom", (300.0, 372.5)),
        ("bottomright", (215.0, 372.5)),
        ("unspecified", (385.0, 372.5)),
    ],
)
def test_a_tileset_may_move_the_anchor(
    tmp_path: Path, alignment: str, centre: tuple[float, float]
) -> None:
    """Engineering notes: unless the tileset's objectalignment says otherwise."""
    thing = only_prop(
        tmp_path,
        '<object id="1" gid="10" x="300" y="400" width="170" height="55"/>',
        tilesets=BENCH_TILES.format(more=f'objectalignment="{alignment}"'),
    )
    assert thing.position[:2] == pytest.approx(centre)


@pytest.mark.parametrize(
    ("gid", "scale"),
    [
        (10, (1.0, 1.0)),
        (10 | 0x80000000, (-1.0, 1.0)),
        (10 | 0x40000000, (1.0, -1.0)),
        (10 | 0xC0000000, (-1.0, -1.0)),
    ],
)
def test_flip_flags_in_the_gid_mirror_the_thing(
    tmp_path: Path, gid: int, scale: tuple[float, float]
) -> None:
    """F12, engineering notes: flags are masked and flip; the place stays."""
    thing = only_prop(
        tmp_path,
        f'<object id="1" gid="{gid}" x="300" y="400" width="170" height="55"/>',
        tilesets=BENCH_TILES.format(more=""),
    )
    assert thing.kind == "bench"
    assert thing.scale[:2] == scale
    assert thing.position == Vec3(385.0, 372.5)


def test_a_stretched_tile_object_is_a_scaled_thing(tmp_path: Path) -> None:
    """ORD-08: centre pose and scale come through; outline times scale is what Tiled shows."""
    thing = only_prop(
        tmp_path,
        '<object id="1" gid="10" x="300" y="400" width="340" height="55"/>',
        tilesets=BENCH_TILES.format(more=""),
    )
    assert thing.scale[:2] == (2.0, 1.0)
    assert corners(thing) == [(300, 345), (300, 400), (640, 345), (640, 400)]


def test_a_diagonal_flip_of_a_tile_object_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LevelError, match=r"map\.tmx: object 1: .*flipped along its diagonal"):
        only_prop(
            tmp_path,
            f'<object id="1" gid="{10 | 0x20000000}" x="300" y="400" width="170" height="55"/>',
            tilesets=BENCH_TILES.format(more=""),
        )


def test_scale_properties_leave_the_drawn_place_alone(tmp_path: Path) -> None:
    """ORD-08: a car of scale 1.2 has local axes 1.2 cm long; what Tiled shows is its solid place."""
    (car,) = read(
        tmp_path,
        layer(
            "vehicles",
            '<object id="7" name="car_a" type="car" x="400" y="200" width="216" height="440">'
            + properties(scale_x=1.2)
            + "</object>",
        ),
    ).objects.things["vehicles"]
    assert car.scale == pytest.approx(Vec3(1.2, 1.0, 1.0))
    assert isinstance(car.outline, Polygon)
    assert car.outline.points[2] == pytest.approx((90.0, 220.0))
    assert corners(car) == [(400, 200), (400, 640), (616, 200), (616, 640)]


@pytest.mark.parametrize("value", [0.0, 0.001, 101.0])
def test_a_scale_that_is_no_scale_is_refused(tmp_path: Path, value: float) -> None:
    """ORD-08: zero is a bad transform, negative mirrors."""
    with pytest.raises(LevelError, match="object 1: scale"):
        only_prop(
            tmp_path,
            '<object id="1" type="crate" x="1" y="1" width="68" height="68">'
            + properties(scale_x=value)
            + "</object>",
        )


def test_ellipses_are_discs_or_polygons(tmp_path: Path) -> None:
    """Section 8: an ellipse turns about its box's top left; a round one stays a circle."""
    content = read(
        tmp_path,
        layer(
            "props",
            '<object id="1" type="barrel" x="100" y="200" width="58" height="58" rotation="90">'
            "<ellipse/></object>",
            '<object id="2" type="crate" x="100" y="200" width="80" height="40"><ellipse/></object>',
        ),
    )
    disc, oval = content.objects.things["props"]
    assert disc.outline == Circle(0.0, 0.0, 29.0)
    assert disc.position == Vec3(100.0 - 29.0, 229.0)
    assert isinstance(oval.outline, Polygon)
    assert oval.position == Vec3(140.0, 220.0)
    for x, y in oval.outline.points:
        assert (x / 40.0) ** 2 + (y / 20.0) ** 2 == pytest.approx(1.0)


def test_a_polygon_turns_about_its_origin_and_has_its_centroid_as_centre(tmp_path: Path) -> None:
    """Section 8: polygon points are relative to x, y and turn about it."""
    thing = only_prop(
        tmp_path,
        '<object id="1" type="crate" x="500" y="500" rotation="90">'
        '<polygon points="0,0 60,0 0,60"/></object>',
    )
    # Centroid (20, 20) turned by 90 degrees is (-20, 20).
    assert thing.position == pytest.approx(Vec3(480.0, 520.0))
    assert corners(thing) == [(440, 500), (500, 500), (500, 560)]


def test_a_point_takes_the_size_of_its_kind(tmp_path: Path) -> None:
    thing = only_prop(tmp_path, '<object id="1" type="crate" x="500" y="400"><point/></object>')
    assert thing.position == Vec3(500.0, 400.0)
    assert thing.outline == Polygon(((-34.0, -34.0), (34.0, -34.0), (34.0, 34.0), (-34.0, 34.0)))
    assert thing.mass_kg == 40.0
    assert thing.nav_block


@pytest.mark.parametrize("attribute", ["type", "class"])
def test_both_names_of_the_class_are_read(tmp_path: Path, attribute: str) -> None:
    """Engineering notes: 'type' became 'class' in Tiled 1.9, and both occur."""
    thing = only_prop(
        tmp_path, f'<object id="1" {attribute}="crate" x="500" y="400"><point/></object>'
    )
    assert thing.kind == "crate"


def test_a_tile_object_inherits_class_and_properties_of_its_tile(tmp_path: Path) -> None:
    """Engineering notes: pytiled-parser leaves inheriting to its user."""
    tileset = BENCH_TILES.format(more="").replace(
        '<tile id="0" type="bench"/>',
        '<tile id="0" type="bench">' + properties(mass_kg=70.0, nav="ignore") + "</tile>",
    )
    inherits, has_own = (
        only_prop(tmp_path, source, tilesets=tileset)
        for source in (
            '<object id="1" gid="10" x="300" y="400" width="170" height="55"/>',
            '<object id="1" gid="10" x="300" y="400" width="170" height="55">'
            + properties(mass_kg=80.0)
            + "</object>",
        )
    )
    assert (inherits.kind, inherits.mass_kg, inherits.nav_block) == ("bench", 70.0, False)
    assert (has_own.kind, has_own.mass_kg, has_own.nav_block) == ("bench", 80.0, False)


def test_class_typed_properties_are_flattened(tmp_path: Path) -> None:
    """Engineering notes: pytiled-parser drops them silently."""
    thing = only_prop(
        tmp_path,
        '<object id="1" type="crate" x="5" y="4"><properties>'
        '<property name="paint" type="class" propertytype="Paint"><properties>'
        '<property name="gloss" type="float" value="0.5"/>'
        '<property name="layers" type="class"><properties>'
        '<property name="count" type="int" value="3"/></properties></property>'
        "</properties></property></properties><point/></object>",
    )
    assert thing.options == {"paint.gloss": 0.5, "paint.layers.count": 3}


def test_object_references_are_numbers(tmp_path: Path) -> None:
    """Engineering notes: object references come as strings."""
    thing = only_prop(
        tmp_path,
        '<object id="1" type="crate" x="5" y="4"><properties>'
        '<property name="owner" type="object" value="12"/></properties><point/></object>',
    )
    assert thing.options == {"owner": 12}


def test_colours_with_alpha_keep_their_order(tmp_path: Path) -> None:
    """Engineering notes: colours with alpha are ARGB."""
    thing = only_prop(
        tmp_path,
        '<object id="1" type="crate" x="5" y="4"><properties>'
        '<property name="tint" type="color" value="#80ff0102"/></properties><point/></object>',
    )
    assert thing.options == {"tint": "#80ff0102"}


def test_polyline_points_are_relative_to_the_object(tmp_path: Path) -> None:
    """Engineering notes: polyline points are relative to x, y (and turn with it)."""
    content = read(
        tmp_path,
        layer(
            "markers",
            '<object id="1" name="rounds" x="100" y="50"><polyline points="0,0 30,0 30,40"/></object>',
            '<object id="2" name="turned" x="100" y="50" rotation="90">'
            '<polyline points="0,0 30,0"/></object>',
            '<object id="3" name="spot" x="70" y="80"><point/></object>',
        ),
    )
    rounds, turned, spot = content.objects.markers
    assert rounds.points == (Vec3(100, 50), Vec3(130, 50), Vec3(130, 90))
    assert turned.points == (Vec3(100, 50), Vec3(100, 80))
    assert spot.points == (Vec3(70, 80),)


def test_layer_offsets_move_their_objects_through_groups(tmp_path: Path) -> None:
    (ped,) = read(
        tmp_path,
        '<group name="all" offsetx="100">',
        layer(
            "peds",
            '<object id="4" name="courier" x="20" y="30" rotation="90"><point/></object>',
            attributes='offsety="7"',
        ),
        "</group>",
    ).objects.peds
    assert ped.position == Vec3(120.0, 37.0)
    assert ped.yaw_rad == pytest.approx(math.pi / 2)


def test_peds_have_options_and_names(tmp_path: Path) -> None:
    """Section 5: peds have names, outfits and a default task."""
    named, unnamed = read(
        tmp_path,
        layer(
            "peds",
            '<object id="4" name="courier" x="20" y="30">'
            + properties(default_task="stand", outfit="courier", walk_speed_cm_s=120.0, player=True)
            + "<point/></object>",
            '<object id="5" x="220" y="30"><point/></object>',
        ),
    ).objects.peds
    assert (named.object_id, named.name, named.model) == (4, "courier", "ordinary")
    assert (named.default_task, named.outfit, named.walk_speed_cm_s) == ("stand", "courier", 120.0)
    assert named.options == {"player": True}
    assert (unnamed.name, unnamed.default_task, unnamed.options) == ("ped_5", "", {})


def test_surfaces_and_zones_are_polygons_in_map_order(tmp_path: Path) -> None:
    """NAV-27: a surface has a kind and a height; map order is kept, since the later one wins."""
    content = read(
        tmp_path,
        layer(
            "surfaces",
            '<object id="1" type="pavement" x="0" y="0" width="300" height="200"/>',
            '<object id="2" type="road" x="100" y="100" width="50" height="20" rotation="90">'
            '<properties><property name="height_cm" type="int" value="-12"/></properties></object>',
        ),
        layer(
            "zones",
            '<object id="3" name="yard" type="private" x="10" y="10">'
            '<polygon points="0,0 40,0 40,40"/></object>',
        ),
    )
    pavement, road = content.objects.surfaces
    assert pavement.kind == "pavement"
    assert pavement.outline == Polygon(((0, 0), (300, 0), (300, 200), (0, 200)))
    assert (road.kind, road.height_cm) == ("road", -12.0)
    assert sorted(road.outline.points) == [(80, 100), (80, 150), (100, 100), (100, 150)]
    (zone,) = content.objects.zones
    assert (zone.name, zone.kind) == ("yard", "private")
    for corner, expected in zip(zone.outline.points, [(10, 10), (50, 10), (50, 50)], strict=True):
        assert corner == pytest.approx(expected)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ('<object id="9" type="cratte" x="5" y="4"><point/></object>', "object 9: unknown kind 'cratte'; did you mean 'crate'?"),
        ('<object id="9" type="car" x="5" y="4"><point/></object>', "object 9: a 'car' belongs into the layer 'vehicles'"),
        ('<object id="9" name="box" type="crate" x="5" y="4" width="68" height="0"/>', "object 9 'box': has no size"),
        ('<object id="9" type="crate" x="5" y="4"><polyline points="0,0 1,1"/></object>', "object 9: a polyline has no area"),
        ('<object id="9" type="crate" x="5" y="4"><text>hi</text></object>', "object 9: a text has no area"),
        ('<object id="9" type="crate" x="5" y="4"><capsule/></object>', "object 9: objects of shape <capsule>"),
        ('<object id="9" type="crate" x="5" y="4"><polygon points="0,0 50,50 50,0 0,50"/></object>', "object 9: the outline has no area or crosses itself"),
        ('<object id="9" type="crate" x="nan" y="4"><point/></object>', "object 9: x='nan'"),
        ('<object id="9" type="crate" x="5"><polygon points="0,0 inf,0 0,50"/></object>', "object 9: a corner is out of range"),
        ('<object id="9" type="crate" x="5"><polygon points=""/></object>', "object 9: the object is damaged"),
        ('<object id="0" type="crate" x="5"><point/></object>', "object 0: the id is out of range"),
        ('<object type="crate" x="5"><point/></object>', "object ?: <object> lacks 'id'"),
        ('<object id="9" gid="77" x="5" y="4"/>', "object 9: tile number 77 is in no tileset"),
        ('<object id="9" gid="0" x="5" y="4"/>', "object 9: tile number 0 is in no tileset"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_file_and_object(
    tmp_path: Path, source: str, message: str
) -> None:
    """Section 10: one sentence naming the file and the object id."""
    with pytest.raises(LevelError) as refused:
        only_prop(tmp_path, source)
    assert str(refused.value).startswith(f"{tmp_path.name}/map.tmx: ")
    assert message in str(refused.value)


@pytest.mark.parametrize("mass", ["0", "-5", "1e9", "nan", "inf"])
def test_an_impossible_mass_is_refused(tmp_path: Path, mass: str) -> None:
    """F4: a prop's mass of 0, 1e9 or NaN is refused at load, with file and object id."""
    with pytest.raises(LevelError, match=r"map\.tmx: object 9: .*mass"):
        only_prop(
            tmp_path,
            '<object id="9" type="crate" x="5" y="4"><properties>'
            f'<property name="mass_kg" type="float" value="{mass}"/></properties><point/></object>',
        )


def test_an_outline_without_moment_is_refused(tmp_path: Path) -> None:
    """F4: an outline of no extent would have moment 0."""
    with pytest.raises(LevelError, match="object 9: the outline has no area"):
        only_prop(tmp_path, '<object id="9" type="crate" x="5" y="4" width="50" height="0.001"/>')


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"z_low_cm": 90.0, "z_high_cm": 60.0}, "heights 90 to 60"),
        ({"z_high_cm": 1e6}, "z_high_cm = 1e+06 must lie between"),
        ({"nav": "blocks"}, "nav = 'blocks' is unknown; did you mean 'block'?"),
        ({"mass_gk": 4.0}, "unknown property 'mass_gk'; did you mean 'mass_kg'?"),
        ({"mass_kg": "much"}, "mass_kg = 'much' must be a number"),
        ({"nav": True}, "nav = True is unknown"),
    ],
)
def test_options_of_things_are_checked(
    tmp_path: Path, values: dict[str, str | float | bool], message: str
) -> None:
    with pytest.raises(LevelError) as refused:
        only_prop(
            tmp_path,
            '<object id="9" type="crate" x="5" y="4">' + properties(**values) + "<point/></object>",
        )
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("layer_name", "source", "message"),
    [
        ("surfaces", '<object id="9" type="pavment" x="0" y="0" width="9" height="9"/>', "unknown kind of surface 'pavment'; did you mean 'pavement'?"),
        ("surfaces", '<object id="9" type="road" x="0" y="0"><point/></object>', "a point has no area"),
        ("surfaces", '<object id="9" type="road" x="0" y="0" width="9" height="9"><properties><property name="heigth_cm" value="1"/></properties></object>', "unknown property 'heigth_cm'; did you mean 'height_cm'?"),
        ("peds", '<object id="9" type="crate" x="0" y="0"><point/></object>', "is a 'ped', no 'crate'"),
        ("peds", '<object id="9" x="0" y="0"><properties><property name="default_task" value="stnad"/></properties><point/></object>', "default_task = 'stnad' is unknown; did you mean 'stand'?"),
        ("peds", '<object id="9" x="0" y="0"><properties><property name="outfit" value="gard"/></properties><point/></object>', "did you mean 'guard'?"),
        ("peds", '<object id="9" x="0" y="0"><properties><property name="outift" value="c"/></properties><point/></object>', "unknown property 'outift'; did you mean 'outfit'?"),
        ("peds", '<object id="9" x="0" y="0"><properties><property name="player" value="no"/></properties><point/></object>', "player = 'no' must be true or false"),
        ("peds", '<object id="9" name=" x " x="0" y="0"><point/></object>', "no blanks around it"),
        ("markers", '<object id="9" x="0" y="0"><point/></object>', "a marker needs a name"),
        ("markers", '<object id="9" name="m" x="0" y="0" width="9" height="9"/>', "a marker is a point or a polyline"),
        ("vehicles", '<object id="9" type="car" x="5" y="4"><properties><property name="mass_kg" type="float" value="5"/></properties><point/></object>', "only props have a mass"),
        ("surface", '<object id="9" x="0" y="0"/>', "layer 'surface': unknown object layer; did you mean 'surfaces'?"),
    ],
)  # fmt: skip
def test_each_layer_refuses_what_does_not_belong(
    tmp_path: Path, layer_name: str, source: str, message: str
) -> None:
    with pytest.raises(LevelError) as refused:
        read(tmp_path, layer(layer_name, source))
    assert message in str(refused.value)


def test_an_object_id_used_twice_is_refused(tmp_path: Path) -> None:
    """Section 2: a map object's id is a ped's id."""
    twin = '<object id="9" x="0" y="0"><point/></object>'
    with pytest.raises(LevelError, match="object 9: the id is used twice"):
        read(tmp_path, layer("peds", twin, twin))


def test_a_round_kind_as_a_square_tile_is_a_disc(tmp_path: Path) -> None:
    tileset = (
        '<tileset firstgid="10" name="barrels" tilewidth="58" tileheight="58" tilecount="1" '
        'columns="1"><tile id="0" type="barrel"/></tileset>'
    )
    thing = only_prop(
        tmp_path, '<object id="1" gid="10" x="0" y="58" width="58" height="58"/>', tilesets=tileset
    )
    assert thing.outline == Circle(0.0, 0.0, 29.0)
