"""Levels on images of their map (LVL-08), and the ways in which a level is run."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from ai.ports import Polygon, Vec3
from game.levels.level import Level, read_level
from game.levels.map_transforms import MapTransform, Mirrored, Turned
from game.levels.rounds import Round, rounds
from game.levels.transforms import TRANSFORMS, transformed
from game.levels.vocabulary import Vocabulary
from game.world.world_data import shipped_world_data
from tests.game.levels.maps import LEVEL_TOML, layer, map_text, write_level

TILES = (
    '<layer id="1" name="ground" width="10" height="6"><data encoding="csv">'
    + ",".join(["1"] * 30 + ["2"] * 30)
    + "</data></layer>"
)
SURFACES = layer(
    "surfaces", '<object id="1" type="pavement" x="0" y="0" width="1000" height="600"/>'
)
PEDS = layer("peds", '<object id="2" name="courier" x="200" y="100"><point/></object>')

SCRIPT = """
[[cue]]
at = 0.0
do = "prop.spawn"
object = "box"
kind = "crate"
position = [300.0, 100.0]
yaw_deg = 30.0

[[cue]]
when = { ped = "courier", field = "position.x", at_least = 250.0 }
do = "order.start"
ped = "courier"
object = "box"
offset = [-40.0, 70.0, 0.0]

[[cue]]
at = 2.0
do = "ped.spawn"
ped = "late"
position = [250.0, 150.0]
yaw_deg = 30.0

[[expect]]
ped = "courier"
field = "order.goal_x"
near = 300.0
tolerance = 1.0
by = 1.0

[[expect]]
ped = "courier"
field = "position.y"
less_than = 120.0
never = true

[[expect]]
ped = "courier"
field = "position.x"
rises_by = 5.0
during = [0.0, 1.0]

[[expect]]
ped = "courier"
field = "yaw_deg"
near = 0.0
tolerance = 5.0
by = 1.0

[[expect]]
ped = "courier"
field = "movement.retry_count"
is = 0
by = 1.0
"""


@pytest.fixture(scope="module")
def level(tmp_path_factory: pytest.TempPathFactory) -> Level:
    folder = tmp_path_factory.mktemp("levels") / "small"
    write_level(folder, map_text(TILES, SURFACES, PEDS, rows=6), LEVEL_TOML + SCRIPT)
    (folder / "ground.png").touch()
    return read_level(Path(folder), Vocabulary.of(shipped_world_data()))


def stated(level: Level, index: int) -> dict[str, object]:
    one = level.script.expectations[index]
    return {
        "field": one.field,
        **{key: getattr(one, "is_" if key == "is" else key) for key in one.given()},
        **({} if one.rises_by is None else {"rises_by": one.rises_by}),
    }


@pytest.mark.parametrize(
    ("transform", "point", "image"),
    [(Mirrored, (300.0, 100.0), (700.0, 100.0)), (Turned, (300.0, 100.0), (500.0, 300.0))],
)
def test_points_of_a_map_of_1000_by_600(
    transform: type[MapTransform], point: tuple[float, float], image: tuple[float, float]
) -> None:
    """LVL-08: mirrored x' = 1000 - x; turned x' = 600 - y, y' = x."""
    assert transform(1000.0, 600.0).point(point) == image


@pytest.mark.parametrize("name", sorted(TRANSFORMS))
def test_a_place_in_a_things_own_axes_lies_at_the_image_of_the_place(name: str) -> None:
    """LVL-08, ORD-08: the image of an approach point is the approach point of the image."""
    motion = TRANSFORMS[name](1000.0, 600.0)
    position, yaw, scale, offset = Vec3(300.0, 100.0), 0.4, Vec3(1.2, 0.8, 1.0), Vec3(-40.0, 70.0)

    def world_point(at: Vec3, turn: float, size: Vec3) -> tuple[float, float]:
        x, y = offset.x * size.x, offset.y * size.y
        return (
            at.x + x * math.cos(turn) - y * math.sin(turn),
            at.y + x * math.sin(turn) + y * math.cos(turn),
        )

    expected = motion.point(world_point(position, yaw, scale))
    found = world_point(motion.place(position), *motion.thing_pose(yaw, scale))
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("name", sorted(TRANSFORMS))
def test_a_heading_points_to_the_image_of_what_it_pointed_to(name: str) -> None:
    """LVL-08: also of peds, whose shape has no axes to mirror."""
    motion = TRANSFORMS[name](1000.0, 600.0)
    yaw = 0.3
    ahead = motion.point((300.0 + math.cos(yaw), 100.0 + math.sin(yaw)))
    stand = motion.point((300.0, 100.0))
    image = motion.heading_rad(yaw)
    assert (ahead[0] - stand[0], ahead[1] - stand[1]) == pytest.approx(
        (math.cos(image), math.sin(image))
    )


def test_cues_happen_at_the_image_of_their_place(level: Level) -> None:
    """LVL-08: a spawned thing has no scale, so the offset in its own axes is mirrored."""
    width = level.description.width_cm
    spawn, order, late = transformed(level, Mirrored).script.cues
    assert spawn.position == (width - 300.0, 100.0)  # type: ignore[attr-defined]
    assert spawn.yaw_deg == -30.0  # type: ignore[attr-defined]
    assert order.offset == (40.0, 70.0, 0.0)  # type: ignore[attr-defined]
    assert order.when is not None
    assert (order.when.field, order.when.at_most) == ("position.x", width - 250.0)
    assert order.when.at_least is None
    assert late.yaw_deg == pytest.approx(150.0)  # type: ignore[attr-defined]


def test_turned_cues_turn(level: Level) -> None:
    """LVL-08: a quarter more for things and people, and offsets as they were."""
    height = level.description.height_cm
    spawn, order, late = transformed(level, Turned).script.cues
    assert spawn.position == (height - 100.0, 300.0)  # type: ignore[attr-defined]
    assert spawn.yaw_deg == pytest.approx(120.0)  # type: ignore[attr-defined]
    assert order.offset == (-40.0, 70.0, 0.0)  # type: ignore[attr-defined]
    assert late.yaw_deg == pytest.approx(120.0)  # type: ignore[attr-defined]


def test_what_is_said_of_a_coordinate_is_said_of_its_image(level: Level) -> None:
    """LVL-08: comparisons turn round with their axis; headings are not compared."""
    width, height = level.description.width_cm, level.description.height_cm
    image = transformed(level, Mirrored)
    assert stated(image, 0) == {"field": "order.goal_x", "near": width - 300.0}
    assert stated(image, 1) == {"field": "position.y", "less_than": 120.0}
    assert stated(image, 2) == {"field": "position.x", "rises_by": -5.0}
    assert stated(image, 3) == {"field": "movement.retry_count", "is": 0}
    turned = transformed(level, Turned)
    assert stated(turned, 0) == {"field": "order.goal_y", "near": 300.0}
    assert stated(turned, 1) == {"field": "position.x", "more_than": height - 120.0}
    assert stated(turned, 2) == {"field": "position.y", "rises_by": 5.0}
    assert len(image.script.expectations) == len(level.script.expectations) - 1


def test_the_map_is_moved_whole(level: Level) -> None:
    """LVL-08: ground tiles, surfaces and sizes; twice mirrored is the map itself."""
    turned = transformed(level, Turned).description
    assert (turned.width_cm, turned.height_cm) == (
        level.description.height_cm,
        level.description.width_cm,
    )
    again = transformed(transformed(level, Mirrored), Mirrored).description
    assert set(again.ground) == set(level.description.ground)
    assert again.surfaces[0].outline == Polygon(level.description.surfaces[0].outline.points)


def test_rounds_are_every_seed_on_every_map() -> None:
    """LVL-08: the level itself comes first."""
    assert rounds() == [Round()]
    assert rounds(2, mirror=True) == [
        Round(0, None),
        Round(1, None),
        Round(0, "mirrored"),
        Round(1, "mirrored"),
    ]
    assert [one.label("pickup") for one in rounds(2, rotate=True)] == [
        "pickup",
        "pickup[seed+1]",
        "pickup[turned]",
        "pickup[turned, seed+1]",
    ]


@pytest.mark.parametrize("seeds", [0, -1, 10_001])
def test_a_number_of_seeds_out_of_range_is_refused(seeds: int) -> None:
    with pytest.raises(ValueError, match="give 1 to 10000"):
        rounds(seeds)
