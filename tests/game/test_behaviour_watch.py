"""Behaviour files that change while the street is played (ACT-26)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ai.machines.authoring.library import BehaviourLibrary
from ai.machines.hsm.machine import StateMachine
from game import Sandbox, resources
from game.behaviour_watch import BehaviourWatch

GUARD = "guard.toml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the shipped behaviours that may be written to."""
    return Path(shutil.copytree(resources.assets() / "behaviour", tmp_path / "behaviour"))


@pytest.fixture
def box(folder: Path) -> Iterator[Sandbox]:
    """Level guards, whose library was loaded from the copy."""
    with Sandbox.load("guards") as made:
        brains = made.world.data.brains
        library = BehaviourLibrary(brains.library.registry, brains.limits.params)
        library.load_folder(folder)
        shipped = brains.library.behaviours, brains.library._files
        brains.library.behaviours, brains.library._files = library.behaviours, library._files
        made.step(60)
        yield made
        brains.library.behaviours, brains.library._files = shipped


def machine(box: Sandbox, name: str = "guard") -> StateMachine:
    brain = box.ped(name).brain
    assert brain is not None
    assert isinstance(brain.mind, StateMachine)
    return brain.mind


def rewrite(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_changed_file_is_taken_over_by_living_peds(box: Sandbox, folder: Path) -> None:
    """ACT-26: they go on from the latest target, in a machine of the new definition."""
    watch = BehaviourWatch(box.world.data.brains.library)
    assert watch.look(box.world) == ()
    before = machine(box)
    target = before.record.target.path
    path = folder / GUARD
    path.write_text("# another day\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
    (told,) = watch.look(box.world)
    assert told == "guard: reloaded, 2 peds go by it"
    after = machine(box)
    assert after is not before
    assert after.definition is not before.definition
    assert after.record.target.path == target
    box.run_for(2.0)
    assert after.record.active is not None
    assert watch.look(box.world) == ()


def test_a_broken_file_is_told_and_the_old_one_stays(box: Sandbox, folder: Path) -> None:
    """ACT-23: named by file and line; mended, it is taken."""
    watch = BehaviourWatch(box.world.data.brains.library)
    before = machine(box)
    path = folder / GUARD
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole + "\nnonsense = [", encoding="utf-8")
    (told,) = watch.look(box.world)
    assert GUARD in told
    assert told.endswith("the old behaviour stays")
    assert machine(box) is before
    path.unlink()
    (gone,) = watch.look(box.world)
    assert gone.endswith("the old behaviour stays")
    path.write_text(whole + "\n# mended\n", encoding="utf-8")
    assert watch.look(box.world) == ("guard: reloaded, 2 peds go by it",)


def test_other_keys_need_a_restart(box: Sandbox, folder: Path) -> None:
    """ACT-26: the blackboard of a living ped can't change."""
    watch = BehaviourWatch(box.world.data.brains.library)
    before = machine(box)
    rewrite(folder / GUARD, "[blackboard]", '[blackboard]\nmood = { type = "int" }')
    (told,) = watch.look(box.world)
    assert "restart the level" in told
    assert machine(box) is before


def test_it_looks_twice_a_second(box: Sandbox, folder: Path) -> None:
    watch = BehaviourWatch(box.world.data.brains.library)
    path = folder / GUARD
    path.write_text(path.read_text(encoding="utf-8") + "\n# later\n", encoding="utf-8")
    told = [words for _ in range(30) for words in watch.frame(box.world)]
    assert len(told) == 1
