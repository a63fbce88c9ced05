"""Goals and people on walkable ground, checked when a level is loaded (ORD-25)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from ai.ports import GroundPoint
from game.levels.errors import LevelError
from game.levels.level import read_level
from game.levels.placement import check_ground
from tests.game.levels.maps import LEVEL_TOML, layer, map_text, vocabulary, write_level

MAP = map_text(
    layer("surfaces", '<object id="1" type="pavement" x="0" y="0" width="1000" height="1000"/>'),
    layer("peds", '<object id="2" name="courier" x="100" y="100"><point/></object>'),
    layer("vehicles", '<object id="3" name="car_a" type="car" x="500" y="500"><point/></object>'),
    layer("markers", '<object id="4" name="corner" x="620" y="300"><point/></object>'),
    layer(
        "obstacles", '<object id="5" name="gate" type="barricade" x="650" y="100"><point/></object>'
    ),
)


class LeftHalf:
    """Walkable is everything left of x = 600."""

    def project(self, x: float, y: float, max_shift_cm: float) -> GroundPoint | None:
        shift = max(0.0, x - 600.0)
        return None if shift > max_shift_cm else GroundPoint(min(x, 600.0), y, 0.0, 1.0, shift, "p")

    def ground_inside(
        self, x: NDArray[np.float64], y: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.where(x <= 600.0, 0.0, np.nan), np.ones_like(x)


def check(folder: Path, text: str, map_source: str = MAP) -> None:
    level = read_level(write_level(folder, map_source, LEVEL_TOML + text), vocabulary())
    check_ground(
        level.description, level.script, LeftHalf(), place_shift_cm=100.0, goal_shift_cm=15.0
    )


def start(target: str) -> str:
    return f'[[cue]]\nat = 1\ndo = "order.start"\nped = "courier"\n{target}\n'


@pytest.mark.parametrize(
    "target",
    [
        'object = "car_a"\noffset = [-200, 0, 0]',
        'object = "car_a"\noffset = [115, 0, 0]',
        "point = [700, 500]",
    ],
)
def test_a_goal_on_the_ground_or_near_enough_is_accepted(tmp_path: Path, target: str) -> None:
    """ORD-25: a place may be 100 cm off, an approach point as far as a path's end (NAV-06)."""
    check(tmp_path, start(target))


@pytest.mark.parametrize(
    ("target", "goal"),
    [
        ('object = "car_a"\noffset = [116, 0, 0]', r"\(616\.0, 500\.0\)"),
        ("point = [701, 500]", r"\(701\.0, 500\.0\)"),
        ('object = "corner"', r"\(620\.0, 300\.0\)"),
    ],
)
def test_a_goal_off_the_ground_refuses_the_level(tmp_path: Path, target: str, goal: str) -> None:
    """ORD-25: refused at load and by check, naming file, cue and goal."""
    expected = rf"level\.toml:6: cue\[0\] \(order\.start\): the goal {goal} is off walkable ground"
    with pytest.raises(LevelError, match=expected):
        check(tmp_path, start(target))


def test_a_redirect_is_checked_too(tmp_path: Path) -> None:
    with pytest.raises(LevelError, match=r"cue\[0\] \(order\.redirect\): the goal"):
        check(tmp_path, start("point = [900, 1]").replace("start", "redirect"))


def test_a_goal_at_something_that_a_cue_moves_is_known_only_then(tmp_path: Path) -> None:
    """ORD-25: at run time it is an ordinary failure."""
    target = start('object = "gate"')
    with pytest.raises(LevelError, match="off walkable ground"):
        check(tmp_path, target)
    check(
        tmp_path, target + '[[cue]]\nat = 0\ndo = "prop.move"\nobject = "gate"\nposition = [9, 9]\n'
    )


def test_a_ped_that_a_cue_spawns_off_the_ground_refuses_the_level(tmp_path: Path) -> None:
    """ORD-25: known at load, so it is said then."""
    spawn = '[[cue]]\nat = 0\ndo = "ped.spawn"\nped = "eve"\nposition = [{}]\n'
    check(tmp_path, spawn.format("500, 300"))
    with pytest.raises(LevelError, match=r"cue\[0\] \(ped.spawn\): \(900, 1\) is off walkable"):
        check(tmp_path, spawn.format("900, 1"))


def test_a_ped_off_the_ground_refuses_the_level(tmp_path: Path) -> None:
    stranded = layer("peds", '<object id="8" name="anna" x="700" y="700"><point/></object>')
    with pytest.raises(LevelError, match=r"ped 'anna' \(object 8 of the map\) stands off walkable"):
        check(tmp_path, "", MAP.replace("</map>", stranded + "</map>"))
