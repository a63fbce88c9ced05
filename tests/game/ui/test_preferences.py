"""What the player has chosen is kept, and a damaged file is set aside."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.ui.preferences import PreferenceFile
from tests.game.ui.hands_on import Player
from tests.streets import street


def test_what_was_saved_is_read_again(tmp_path: Path) -> None:
    file = PreferenceFile(tmp_path / "deep" / "settings.json")
    file.values.text_scale = 1.5
    file.values.full_screen = True
    file.save()
    again = PreferenceFile(tmp_path / "deep" / "settings.json")
    assert again.values.text_scale == 1.5
    assert again.values.full_screen
    assert again.notice == ""


def test_without_a_file_the_usual_values_hold_and_nothing_is_told(tmp_path: Path) -> None:
    file = PreferenceFile(tmp_path / "settings.json")
    assert file.values.text_scale == 1.0
    assert file.notice == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"text_scale": 9}',
        '{"loudness": 1}',
        '{"volume": 2}',
        '{"full_screen": "perhaps"}',
    ],
)
def test_a_damaged_file_is_set_aside_with_a_notice(tmp_path: Path, text: str) -> None:
    """Product 10: a damaged settings file is set aside with a notice, never overwritten."""
    path = tmp_path / "settings.json"
    path.write_text(text, encoding="utf-8")
    file = PreferenceFile(path)
    assert file.values.text_scale == 1.0
    aside = tmp_path / "settings.json.damaged"
    assert aside.read_text(encoding="utf-8") == text
    assert str(aside) in file.notice
    file.save()
    assert aside.read_text(encoding="utf-8") == text


@given(st.binary(max_size=200))
def test_no_file_whatever_is_in_it_stops_the_program(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.mktemp("settings") / "settings.json"
    path.write_bytes(content)
    assert 1.0 <= PreferenceFile(path).values.text_scale <= 2.0


def test_a_folder_that_cant_be_written_to_is_told(tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder should be", encoding="utf-8")
    file = PreferenceFile(blocked / "settings.json")
    file.save()
    assert "not kept" in file.notice


def test_what_can_not_be_kept_is_told_when_it_is_chosen(tmp_path: Path) -> None:
    """And no more once the folder can be written to again."""
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder should be", encoding="utf-8")
    player = Player(street(), (640, 360), preferences=blocked / "settings.json")
    player.context.notices.clear()
    player.context.set_text_scale(1.5)
    assert "not kept" in player.notice
    blocked.unlink()
    player.context.notices.clear()
    player.context.set_text_scale(2.0)
    assert player.notice == ""


def test_values_out_of_range_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="text_scale"):
        PreferenceFile(tmp_path / "settings.json").values.text_scale = 3.0
