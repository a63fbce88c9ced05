"""The palette: the colours of art-and-feel section 2, checked on load."""

from __future__ import annotations

from pathlib import Path

import pytest

from ai.tuning import TuningError, load_own_form
from game import resources
from game.render.palette import Palette, load_palette

SHIPPED = resources.assets() / "outfits" / "palette.toml"


def test_the_ground_is_greyish_and_the_ink_is_one() -> None:
    palette = load_palette()
    assert palette.ink.line == (38, 30, 46)
    assert palette.ground.pavement == (188, 178, 170)
    assert palette.ground.road == (98, 96, 108)
    assert palette.ground.kerb_top == (214, 206, 196)


def test_each_time_of_day_has_its_light() -> None:
    """Day 255 250 240 with full shadows, dusk 134 120 166 with 55 %, night 92 94 150 with none."""
    palette = load_palette()
    day, dusk, night = (palette.light_of(name) for name in ("day", "dusk", "night"))
    assert (day.multiply, day.shadow, day.lamps) == ((255, 250, 240), 1.0, 0.0)
    assert (dusk.multiply, dusk.shadow) == ((134, 120, 166), 0.55)
    assert (night.multiply, night.shadow) == ((92, 94, 150), 0.0)
    assert dusk.lamps > 0.0
    assert palette.light_of("noon") == day


def test_there_is_no_pure_black_or_white_in_the_world() -> None:
    """Art-and-feel section 17, question 18."""
    palette = load_palette()
    for group in ("ground", "building", "thing", "car", "person"):
        for name, value in getattr(palette, group).model_dump().items():
            colours = value if isinstance(value[0], tuple) else (value,)
            for colour in colours:
                assert colour not in ((0, 0, 0), (255, 255, 255)), f"{group}.{name}"


def test_a_material_is_found_by_name_or_else_by_number() -> None:
    palette = load_palette()
    assert palette.wall_of("slate", 0).wall == (120, 134, 150)
    assert palette.wall_of("", 7) == palette.wall[2]


def test_a_shop_the_palette_does_not_know_keeps_its_name() -> None:
    palette = load_palette()
    assert palette.shop_of("TEA").colour == (210, 140, 60)
    assert palette.shop_of("KITES").name == "KITES"
    assert palette.shop_of("KITES").colour in [shop.colour for shop in palette.shop]


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("road = [98, 96, 108]", "road = [98, 96, 308]", "ground.road"),
        ("road = [98, 96, 108]", "road = [98, 96]", "ground.road"),
        ("road = [98, 96, 108]\n", "", "key 'ground.road' is missing"),
        ("[ground]", "[ground]\nlava = [1, 2, 3]", "key 'ground.lava' is unknown"),
    ],
)
def test_a_damaged_palette_is_refused_with_file_and_key(
    tmp_path: Path, before: str, after: str, reason: str
) -> None:
    text = SHIPPED.read_text(encoding="utf-8")
    assert before in text
    damaged = tmp_path / "palette.toml"
    damaged.write_text(text.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(TuningError) as caught:
        load_own_form(damaged, Palette)
    assert reason in str(caught.value)
    assert str(damaged) in str(caught.value)
