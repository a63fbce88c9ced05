"""A level's own decision files: they answer in its runs, and are checked with it (EVT-83)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from game import resources
from game.levels.check import check_levels
from game.levels.errors import LevelError
from game.levels.library import level_folders
from game.sandbox import Sandbox
from game.world.world_data import shipped_world_data

MAKERS = """
[[decision_maker]]
name = "base"
responses = ["any_notice"]

[[decision_maker]]
name = "ordinary"
parent = "base"
responses = ["guard_fire"]
"""


@pytest.fixture
def level(tmp_path: Path) -> Path:
    """A copy of a shipped level with an ``events`` folder."""
    shipped = next(iter(level_folders(resources.shipped_levels())))
    copied = tmp_path / shipped.name
    shutil.copytree(shipped, copied)
    (copied / "events").mkdir()
    return copied


def maker_names(level: Path) -> tuple[str, ...]:
    with Sandbox.load(level) as sandbox:
        return sandbox.world.events.decision_makers.names()


def test_override_and_rollback(level: Path) -> None:
    """EVT-83: with the override its entries answer; another run has the shipped ones again."""
    (level / "events" / "decision_makers.toml").write_text(MAKERS, encoding="utf-8")
    with Sandbox.load(level) as sandbox:
        makers = sandbox.world.events.decision_makers
        ordinary = makers.get("ordinary")
        assert ordinary is not None
        assert [entry.name for entry in ordinary.entries] == ["guard_fire"]
        assert makers.names() == ("base", "ordinary")
    (level / "events" / "decision_makers.toml").unlink()
    assert "timid" in maker_names(level)


def test_a_damaged_override_refuses_the_level(level: Path) -> None:
    """EVT-83: bystander check finds all faults without running, each with file and entry."""
    (level / "events" / "decision_makers.toml").write_text(
        MAKERS.replace("guard_fire", "gard_fire").replace('parent = "base"', 'parent = "bas"'),
        encoding="utf-8",
    )
    (level / "events" / "responses.toml").write_text("not toml", encoding="utf-8")
    (result,) = check_levels([level], shipped_world_data())
    assert not result.ok
    assert "events/responses.toml: not valid TOML" in result.fault
    assert "did you mean base" in result.fault
    with pytest.raises(LevelError, match="decision_makers"):
        Sandbox.load(level)
