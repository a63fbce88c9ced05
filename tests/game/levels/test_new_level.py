"""``bystander new-level``: a working level to start from."""

from __future__ import annotations

from pathlib import Path

import pytest

from game import Sandbox
from game.levels.errors import LevelError
from game.levels.new_level import write_new_level


def test_a_new_level_runs_and_meets_its_expectations(tmp_path: Path) -> None:
    """Section 8: map, cues and expectations of it are sound, and it bears the new name."""
    folder = write_new_level("corner_shop", tmp_path)
    with Sandbox.load(folder, strict=True) as box:
        assert box.level.name == "corner_shop"
        assert box.level.description.title == "corner_shop"
        box.run()
        box.expectations.finish()
        assert box.expectations.summary().ok


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    folder = write_new_level("mine", tmp_path)
    (folder / "level.toml").write_text("changed")
    with pytest.raises(LevelError, match="is there already"):
        write_new_level("mine", tmp_path)
    assert (folder / "level.toml").read_text() == "changed"


@pytest.mark.parametrize("name", ["", "../up", "a/b", "1st", "-x", "x" * 65, "ä", "a b"])
def test_a_name_that_is_no_folders_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(LevelError, match="can't be a level's name"):
        write_new_level(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(LevelError, match="can't be written"):
        write_new_level("mine", tmp_path / "nowhere")
