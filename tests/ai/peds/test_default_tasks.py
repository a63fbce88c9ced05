"""What a ped does unasked (TASK-70, TASK-72, TASK-73)."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from ai.behaviours.player import TaskPlayerControl
from ai.behaviours.standing import TaskStand
from ai.behaviours.wander import TaskWander
from ai.peds.default_tasks import DefaultTasks
from ai.peds.ped import Ped, PedTraits
from ai.ports import Vec3
from ai.tasks.idle_tasks import DoNothing, MoveStandStill
from ai.tasks.task import Task
from ai.tasks.trees import MOTION, MOVEMENT, PRIMARY, MovementTreeSlot, PrimarySlot
from ai.tuning import TuningError
from game import resources
from game.world.world import World
from tests.streets import street


def spawned(traits: PedTraits) -> tuple[World, Ped]:
    world = World(street(), strict=True, ped_capacity=8)
    return world, world.peds.spawn(traits, Vec3(500.0, 500.0), 0.0)


ROWS = [
    (PedTraits("p", "dummy", "stand", is_local_player=True), TaskPlayerControl, "row 3 before 5b"),
    (PedTraits("p", "dummy", "wander"), TaskWander, "row 5b before 7"),
    (PedTraits("p", "passer_by", "stand"), TaskStand, "row 5b before 7"),
    (PedTraits("p", "ordinary", "do_nothing"), DoNothing, "row 5b before 8"),
    (PedTraits("p", "bystander"), TaskStand, "row 7"),
    (PedTraits("p", "passer_by"), TaskWander, "row 7"),
    (PedTraits("p", "dummy"), DoNothing, "row 7"),
    (PedTraits("p", "ordinary"), TaskWander, "row 8"),
]


@pytest.mark.parametrize(("traits", "wanted", "row"), ROWS, ids=[row for *_, row in ROWS])
def test_the_first_matching_row_gives_the_default_task(
    traits: PedTraits, wanted: type[Task], row: str
) -> None:
    """TASK-73: rows 3, 5b, 7 and 8."""
    _, ped = spawned(traits)
    assert type(ped.tasks.tree(PRIMARY).get_task(PrimarySlot.DEFAULT)) is wanted


def test_a_spawned_ped_has_motion_and_standing_movement_at_once() -> None:
    """TASK-70: trees, standing movement and the motion default before its first update."""
    _, ped = spawned(PedTraits("p", "bystander"))
    assert ped.tasks.tree(MOTION).active_root is ped.on_foot_motion()
    standing = ped.tasks.tree(MOVEMENT).get_task(MovementTreeSlot.DEFAULT)
    assert isinstance(standing, MoveStandStill)
    assert ped.intelligence.needs_full_update


def test_the_default_slot_of_a_real_ped_is_never_empty() -> None:
    """TASK-72: cleared 1000 times, never None when read; nothing leaks."""
    world, ped = spawned(PedTraits("p", "bystander"))
    tree = ped.tasks.tree(PRIMARY)
    used = world.pool.used
    for _ in range(1000):
        ped.tasks.set_task(PRIMARY, None, PrimarySlot.DEFAULT)
        assert tree.get_task(PrimarySlot.DEFAULT) is not None
    assert world.pool.used == used


def test_a_ped_falls_back_to_its_default_when_a_task_ends() -> None:
    """TASK-72, TASK-121: the stand of a named default goes on below and after a task."""
    world, ped = spawned(PedTraits("p", "ordinary", "stand"))
    default = ped.tasks.tree(PRIMARY).get_task(PrimarySlot.DEFAULT)
    ped.tasks.set_task(PRIMARY, TaskStand(0.1), PrimarySlot.PRIMARY)
    for _ in range(20):
        world.step()
    assert ped.tasks.tree(PRIMARY).active_root is default


# -- the files ---------------------------------------------------------------------------------


@pytest.fixture
def tuning(tmp_path: Path) -> Path:
    for name in ("default_tasks.toml", "ped_models.toml"):
        shutil.copy(resources.assets() / "tuning" / name, tmp_path / name)
    return tmp_path


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def test_the_shipped_files_load(tuning: Path) -> None:
    """TASK-73: every shipped model has a maker."""
    assert {"ordinary", "bystander", "passer_by", "dummy"} <= set(
        DefaultTasks.load(tuning).makers_by_model
    )


def test_an_unknown_set_names_model_key_and_allowed_values(tuning: Path) -> None:
    """TASK-73: unknown set: load error naming model, key and the allowed values."""
    append(tuning / "ped_models.toml", '\n[model.clown]\ndefault_task_set = "juggle"\n')
    with pytest.raises(TuningError, match=r"model\.clown\.default_task_set.*juggle.*passer_by"):
        DefaultTasks.load(tuning)


def test_an_unknown_value_names_key_and_allowed_values(tuning: Path) -> None:
    """TASK-73: unknown value: load error naming key and the allowed values."""
    append(tuning / "default_tasks.toml", '\n[set.clown]\non_foot = "juggle"\n')
    with pytest.raises(
        TuningError, match=r"set\.clown\.on_foot.*juggle.*wander, do_nothing, stand"
    ):
        DefaultTasks.load(tuning)


def test_an_unknown_key_is_refused(tuning: Path) -> None:
    """TASK-118: own-form files refuse what they do not know."""
    append(tuning / "ped_models.toml", '\n[model.clown]\nnose = "red"\n')
    with pytest.raises(TuningError, match="nose"):
        DefaultTasks.load(tuning)


def test_traits_are_plain_data() -> None:
    """product.md section 5: what a level says of a ped can be compared and varied."""
    traits = PedTraits("p", "ordinary")
    assert replace(traits, name="q") != traits
    assert replace(traits) == traits


def test_a_model_may_do_nothing_on_foot(tmp_path: Path) -> None:
    """TASK-73: row 6 before 7: ``do_nothing_on_foot`` goes before the model's set."""
    for name in ("default_tasks.toml", "ped_models.toml"):
        shutil.copy(resources.tuning() / name, tmp_path / name)
    with (tmp_path / "ped_models.toml").open("a", encoding="utf-8") as file:
        file.write('\n[model.statue]\ndefault_task_set = "passer_by"\ndo_nothing_on_foot = true\n')
    _, ped = spawned(PedTraits("p", "ordinary"))
    task = DefaultTasks.load(tmp_path).makers_by_model["statue"]()
    assert type(task) is DoNothing
    task.discard()
    assert ped.tasks.tree(PRIMARY).active_root is not None
