"""Finding levels, and what is shipped (section 8, F15)."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game import resources
from game.levels.cue_forms import CUE_KINDS
from game.levels.errors import LevelError, suggestion
from game.levels.fields import OBJECT_FIELDS, PED_FIELDS
from game.levels.level import read_level
from game.levels.library import LevelLibrary, level_folders
from game.levels.safe_names import safe_file_stem
from game.levels.tiled.map_objects import OBJECT_LAYERS
from game.levels.vocabulary import Vocabulary
from game.world.world_data import shipped_world_data
from tests.game.levels.maps import map_text, write_level

SHIPPED = sorted(LevelLibrary.shipped().folders().values())


def test_levels_are_listed_by_name_and_earlier_shelves_win(tmp_path: Path) -> None:
    for shelf, name in (("b", "two"), ("b", "one"), ("a", "two")):
        write_level(tmp_path / shelf / name, map_text())
    (tmp_path / "a" / "no_level").mkdir()
    folders = LevelLibrary([tmp_path / "a", tmp_path / "b"]).folders()
    assert list(folders) == ["one", "two"]
    assert folders["two"] == tmp_path / "a" / "two"


def test_a_level_is_found_by_name_by_folder_and_by_file(tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    mine = write_level(tmp_path / "mine", map_text())
    library = LevelLibrary([write_level(shelf / "pickup", map_text()).parent])
    assert library.find("pickup") == shelf / "pickup"
    assert library.find(mine) == mine
    assert library.find(str(mine / "level.toml")) == mine
    assert library.find(mine / "map.tmx") == mine


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pikcup", "there is no level 'pikcup'; did you mean 'pickup'?"),
        ("xyz", "there is no level 'xyz'; known: 'pickup'"),
        ("", "no level is named; known: 'pickup'"),
        ("a\0b", "there is no level"),
        ("x" * 5000, "there is no level"),
    ],
)
def test_an_unknown_level_is_refused_with_the_nearest_name(
    tmp_path: Path, name: str, message: str
) -> None:
    """Section 8: refused with a suggestion, whatever was typed."""
    library = LevelLibrary([write_level(tmp_path / "pickup", map_text()).parent])
    with pytest.raises(LevelError) as refused:
        library.find(name)
    assert message in str(refused.value)


def test_a_folder_without_a_level_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LevelError, match=r"holds no level\.toml, so it is no level"):
        LevelLibrary([]).find(tmp_path)
    assert list(level_folders(tmp_path)) == []


def test_the_shipped_levels_are_these() -> None:
    """Section 8: the levels that come with the program by now."""
    assert {"pickup", "hold_redirect", "sealed_redirect"} <= {path.name for path in SHIPPED}


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda path: path.name)
def test_every_shipped_level_is_read(folder: Path) -> None:
    """LVL-34: bystander check accepts every shipped level; each has something to prove."""
    level = read_level(folder, Vocabulary.of(shipped_world_data()))
    assert level.script.expectations
    assert level.name == folder.name


@pytest.mark.skipif(shutil.which("tmxrasterizer") is None, reason="Tiled is not installed")
@pytest.mark.parametrize("folder", SHIPPED, ids=lambda path: path.name)
def test_every_shipped_map_opens_in_tiled(folder: Path, tmp_path: Path) -> None:
    """Section 8: so does Tiled itself."""
    picture = tmp_path / "map.png"
    done = subprocess.run(
        ["tmxrasterizer", "--size", "300", folder / "map.tmx", picture],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    assert done.returncode == 0, done.stderr
    assert picture.stat().st_size > 500
    assert "rror" not in done.stderr


@pytest.mark.skipif(shutil.which("tiled") is None, reason="Tiled is not installed")
@pytest.mark.parametrize("folder", SHIPPED, ids=lambda path: path.name)
def test_tiled_saves_a_shipped_map_without_loss(folder: Path, tmp_path: Path) -> None:
    """Engineering notes: shipped maps write 'type', which Tiled 1.8 keeps and 'class' it drops."""
    copy = tmp_path / folder.name
    shutil.copytree(folder, copy)
    subprocess.run(
        ["tiled", "--export-map", folder / "map.tmx", copy / "map.tmx"],
        capture_output=True,
        check=True,
        timeout=60,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    names = Vocabulary.of(shipped_world_data())
    original, saved = read_level(folder, names), read_level(copy, names)
    assert saved.description == original.description


def test_shipped_levels_come_from_the_resources() -> None:
    """Section 1: assets and levels travel inside the wheel; one place knows where they are."""
    assert all(path.parent == resources.shipped_levels() for path in SHIPPED)


@pytest.mark.parametrize(
    ("text", "stem"),
    [
        ('Rue: "Café" 街/1', "Rue_Café_街_1"),
        ("../../etc/passwd", "etc_passwd"),
        ("CON", "CON_"),
        ("...", "level"),
        ("", "level"),
    ],
)
def test_any_text_makes_a_file_name(text: str, stem: str) -> None:
    """F15: safe file names."""
    assert safe_file_stem(text) == stem


@given(st.text())
def test_a_file_name_never_leaves_its_folder(text: str) -> None:
    """F15: for any text at all."""
    stem = safe_file_stem(text)
    assert stem
    assert len(stem.encode()) <= 81
    assert Path(stem).name == stem
    assert not set(stem) & set('/\\:*?"<>|.\0')


def test_a_suggestion_is_the_nearest_or_all() -> None:
    assert suggestion("pikup", ["pickup", "crowd"]) == "did you mean 'pickup'?"
    assert suggestion("zzz", ["pickup", "crowd"]) == "known: 'crowd', 'pickup'"
    assert suggestion("zzz", []) == "there are none"


def test_the_guide_names_every_field_kind_and_layer() -> None:
    """Section 1: a README says the format and how to add a level; it leaves nothing out."""
    guide = (resources.shipped_levels() / "README.md").read_text(encoding="utf-8")
    for name in (*PED_FIELDS, *OBJECT_FIELDS, *CUE_KINDS, *OBJECT_LAYERS):
        assert f"`{name}`" in guide, name
