"""The kinds of ground and their costs."""

from __future__ import annotations

from pathlib import Path

import pytest

from ai.navigation.surfaces import Surfaces, UnknownSurfaceKind
from ai.tuning import TuningError, load_own_form
from tests.ai.navigation.maps import SURFACES, TUNING


def test_the_shipped_costs_are_those_of_the_rule() -> None:
    """NAV-27: pavement, crossing, path, plaza 1, grass 1.3, road 3, no_walk never."""
    costs = {name: SURFACES.kind(name).cost for name in Surfaces.model_fields}
    assert costs == {
        "pavement": 1.0,
        "crossing": 1.0,
        "path": 1.0,
        "plaza": 1.0,
        "grass": 1.3,
        "road": 3.0,
        "no_walk": "never",
    }


def test_only_no_walk_is_not_walkable() -> None:
    """NAV-27: the player may stand on any but ``no_walk``."""
    kinds = Surfaces.model_fields
    assert [name for name in kinds if not SURFACES.kind(name).walkable] == ["no_walk"]
    assert SURFACES.no_walk.cost_per_cm == float("inf")


def test_an_unknown_kind_names_those_that_exist() -> None:
    """NAV-27: a map can only name kinds of the file."""
    with pytest.raises(UnknownSurfaceKind, match="'lava' is unknown; use one of pavement, cross"):
        SURFACES.kind("lava")


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("[road]\ncost = 3.0", "[road]\ncost = 0.5", "road.cost"),
        ("[road]\ncost = 3.0", '[road]\ncost = "often"', "road.cost"),
        ("[road]\ncost = 3.0", "[road]\ncost = 3.0\nslip = 1", "road.slip"),
        ("[plaza]\ncost = 1.0\n", "", "plaza"),
        ("[plaza]", "[lava]\ncost = 2.0\n[plaza]", "lava"),
    ],
)
def test_a_bad_file_is_refused_with_its_key(tmp_path: Path, old: str, new: str, key: str) -> None:
    """NAV-27, TASK-118: unknown, missing and out-of-range keys refuse the load."""
    text = (TUNING / "surfaces.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "surfaces.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(TuningError, match=f"surfaces.toml: key '{key}"):
        load_own_form(path, Surfaces)
