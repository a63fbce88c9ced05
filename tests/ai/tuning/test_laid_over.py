"""A folder of tuning files in place of the shipped ones: ``--tuning DIR`` (TASK-118)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from pydantic import Field

from ai.tuning import (
    OwnForm,
    TunableSet,
    TuningError,
    TuningManager,
    lay_over,
    load_own_form,
    take_off,
    tunable,
)
from ai.tuning.groups import declare_group

declare_group("Test Laid")


class Strider:
    class Tunables(TunableSet, group="Test Laid"):
        stride = tunable(50.0, min=0.0)

    tunables: ClassVar[Tunables]


class Pace(OwnForm):
    speed: float = Field(ge=0.0)


@pytest.fixture
def shipped(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "shipped"
    (folder / "transitions").mkdir(parents=True)
    (folder / "pace.toml").write_text("speed = 1.0", encoding="utf-8")
    (folder / "transitions" / "wander.toml").write_text("speed = 2.0", encoding="utf-8")
    yield folder
    take_off()


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    (folder / "transitions").mkdir(parents=True)
    return folder


def test_a_file_with_its_own_form_is_read_in_place_of_the_shipped_one(
    shipped: Path, own: Path
) -> None:
    """TASK-118: by file name, in sub-folders too; the others are the shipped ones."""
    (own / "transitions" / "wander.toml").write_text("speed = 7.0", encoding="utf-8")
    lay_over(shipped, own)
    assert load_own_form(shipped / "transitions" / "wander.toml", Pace).speed == 7.0
    assert load_own_form(shipped / "pace.toml", Pace).speed == 1.0
    take_off()
    assert load_own_form(shipped / "transitions" / "wander.toml", Pace).speed == 2.0


def test_what_is_wrong_with_it_is_said_of_it(shipped: Path, own: Path) -> None:
    """TASK-118: the sentence names the file that is at fault, not the shipped one."""
    (own / "pace.toml").write_text("speed = -1.0", encoding="utf-8")
    lay_over(shipped, own)
    with pytest.raises(TuningError, match=rf"{own / 'pace.toml'}: key 'speed' = -1.0"):
        load_own_form(shipped / "pace.toml", Pace)


def test_a_group_is_read_from_it_and_reloaded_from_it(shipped: Path, own: Path) -> None:
    """TASK-112, TASK-118: a group without a shipped file may be laid, too."""
    manager = TuningManager()
    manager.register(Strider.tunables)
    path = own / "testlaid.toml"
    path.write_text("[Strider]\nstride = 60.0\n", encoding="utf-8")
    lay_over(shipped, own)
    assert manager.initialise(shipped) == ()
    assert Strider.tunables.stride == 60.0
    assert manager.path_of("Test Laid") == path
    path.write_text("[Strider]\nstride = 61.0\n", encoding="utf-8")
    manager.allows_reload = True
    manager.reload("Test Laid")
    assert Strider.tunables.stride == 61.0


@pytest.mark.parametrize("name", ["pase.toml", "transitions/pace.toml"])
def test_a_file_that_stands_in_for_none_is_refused(shipped: Path, own: Path, name: str) -> None:
    """TASK-118: a misspelt name would silently do nothing; nothing is laid then."""
    (own / "pace.toml").write_text("speed = 9.0", encoding="utf-8")
    (own / name).write_text("speed = 9.0", encoding="utf-8")
    with pytest.raises(TuningError, match=r"stands in for no tuning file; there are pace\.toml"):
        lay_over(shipped, own)
    assert load_own_form(shipped / "pace.toml", Pace).speed == 1.0


def test_a_folder_that_is_none_is_refused(shipped: Path, tmp_path: Path) -> None:
    with pytest.raises(TuningError, match="is no folder"):
        lay_over(shipped, tmp_path / "nowhere")
