"""What glows and what glides."""

from __future__ import annotations

import pytest

from game.ui.inspector.changes import GLOW_S, Gliding, Glow
from game.ui.inspector.reading import Reading, Row, Section

ROW = ("order", "status")


def reading(text: str, *, ped_id: int = 1, tail: str = "", extra: tuple[Row, ...] = ()) -> Reading:
    row = Row("status", text, tail=tail)
    section = Section("order", "ORDER", text, (row, *extra))
    return Reading(ped_id, "ann", "calm", (), "Standing.", (section,))


@pytest.fixture
def glow() -> Glow:
    made = Glow()
    made.see(reading("pending"))
    return made


def test_nothing_glows_at_first_sight(glow: Glow) -> None:
    assert not glow.is_running


def test_a_changed_line_glows_for_0_4_s(glow: Glow) -> None:
    """Art-and-feel section 13: full at the change, half at 0.2 s, over at 0.4 s."""
    glow.see(reading("travelling"))
    assert glow.strength(ROW) == 1.0
    glow.advance(0.2)
    assert glow.strength(ROW) == pytest.approx(0.5)
    glow.advance(0.21)
    assert glow.strength(ROW) == 0.0
    assert not glow.is_running
    assert GLOW_S == 0.4


def test_a_running_number_does_not_glow(glow: Glow) -> None:
    glow.see(reading("pending", tail="3.4 s"))
    assert not glow.is_running


def test_a_new_line_glows(glow: Glow) -> None:
    glow.see(reading("pending", extra=(Row("failure", "blocked"),)))
    assert glow.strength(("order", "failure")) == 1.0
    assert glow.strength(ROW) == 0.0


def test_another_ped_starts_without_a_glow(glow: Glow) -> None:
    glow.see(reading("travelling"))
    glow.see(reading("completed", ped_id=2))
    assert not glow.is_running


def test_a_line_of_no_row_never_glows(glow: Glow) -> None:
    assert glow.strength(None) == 0.0


def test_a_value_is_there_at_first_and_glides_afterwards() -> None:
    bars = Gliding()
    bars.aim({"brave": 0.2})
    assert bars.value("brave") == 0.2
    assert not bars.is_running
    bars.aim({"brave": 0.8})
    bars.advance(1.0 / 60.0)
    assert 0.2 < bars.value("brave") < 0.8
    assert bars.is_running
    for _ in range(60):
        bars.advance(1.0 / 60.0)
    assert bars.value("brave") == 0.8
    assert not bars.is_running


def test_what_is_not_named_any_more_is_forgotten() -> None:
    bars = Gliding()
    bars.aim({"brave": 0.2})
    bars.aim({"agile": 0.4})
    assert bars.value("agile") == 0.4
    with pytest.raises(KeyError):
        bars.value("brave")
