"""Tunables: declaration, groups, loading, reloading, saving, overlays (TASK-109 to TASK-113)."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from ai.tuning import ReloadRefused, TunableSet, TuningError, TuningManager, derived, tunable
from ai.tuning.groups import declare_group, group_named
from ai.tuning.manager import set_id
from game.tuning_watch import TuningWatch

declare_group("Test Values")
declare_group("Test Developer", dev_only=True)


class Runaway:
    class Tunables(TunableSet, group="Test Values"):
        safe_distance = tunable(650.0, min=0.0, max=5000.0, unit="cm")
        looks = tunable(3, min=1, max=9)
        gait = tunable("run", choices=("walk", "run"))
        screams = tunable(False)
        safe_distance_sq = derived()

        def finalize(self) -> None:
            if self.looks == 8:
                raise ValueError("eight is not allowed with anything")
            self.safe_distance_sq = self.safe_distance**2

    tunables: ClassVar[Tunables]


class Second:
    class Tunables(TunableSet, group="Test Values"):
        pause_s = tunable(1.5, min=0.0, unit="s")

    tunables: ClassVar[Tunables]


class Flinching:
    class Tunables(TunableSet, group="Physics Tasks", physics="flinch"):
        stiffness = tunable(1.0, min=0.0, max=10.0)
        damping = tunable(1.0, min=0.0, max=10.0)

    tunables: ClassVar[Tunables]


class Shot:
    class Tunables(TunableSet, group="Physics Tasks", physics="shot"):
        force = tunable(5.0, min=0.0, max=10.0)

    tunables: ClassVar[Tunables]


SETS = (Runaway, Second, Flinching, Shot)


@pytest.fixture
def manager() -> Iterator[TuningManager]:
    """A manager of the sets of this file alone; their defaults are back afterwards."""
    made = TuningManager()
    made.allows_reload = True
    for owner in SETS:
        made.register(owner.tunables)
    yield made
    for owner in SETS:
        owner.tunables.put(owner.tunables.defaults())


def write(folder: Path, text: str, name: str = "testvalues.toml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


# -- declaring ----------------


def test_a_set_is_one_object_with_its_defaults() -> None:
    """TASK-109: read as ``Runaway.tunables.safe_distance``, a slot; derived values are there."""
    assert Runaway.tunables.safe_distance == 650.0
    assert Runaway.tunables.safe_distance_sq == 422_500.0
    assert not hasattr(Runaway.tunables, "__dict__")
    assert type(Runaway.tunables).safe_distance.__class__.__name__ == "member_descriptor"


def test_the_id_is_the_same_in_every_process() -> None:
    """TASK-109: CRC-32 of ``<Class>.Tunables``."""
    assert set_id("Runaway") == zlib.crc32(b"Runaway.Tunables")


def test_a_name_or_hash_that_is_taken_is_an_error(manager: TuningManager) -> None:
    """TASK-109, combination 35: when the second class is made, not last-one-wins."""
    with pytest.raises(TypeError, match=r"Runaway\.Tunables"):
        manager.register(Runaway.tunables)


def test_declarations_that_can_not_be_right_are_refused() -> None:
    """TASK-109: unknown group, default outside its own range, a unit that the name contradicts."""
    with pytest.raises(TypeError, match="unknown"):

        class NoGroup:
            class Tunables(TunableSet, group="No Such Group"):
                value = tunable(1.0)

    with pytest.raises(TypeError, match="default 9"):

        class OutOfRange:
            class Tunables(TunableSet, group="Test Values"):
                value = tunable(9.0, max=5.0)

    with pytest.raises(TypeError, match="unit"):

        class WrongUnit:
            class Tunables(TunableSet, group="Test Values"):
                wait_s = tunable(1.0, unit="cm")


def test_groups_name_their_files(tmp_path: Path) -> None:
    """TASK-110: lower case, spaces removed; dev-only ones lie in a folder of their own."""
    combat, developer = group_named("Combat Tasks"), group_named("Test Developer")
    assert combat is not None
    assert developer is not None
    assert combat.stem == "combattasks"
    assert combat.folder(tmp_path / "tuning") == tmp_path / "tuning"
    assert developer.folder(tmp_path / "tuning") == tmp_path / "tuning_dev"
    names = ("Combat", "Motion", "Response", "Movement", "Scenario", "Vehicle", "Animation")
    assert all(group_named(f"{name} Tasks") for name in (*names, "Physics"))
    assert all(group_named(f"{name} Events") for name in ("Damage", "Shocking", "Leader"))


# -- loading ----------------


def test_defaults_then_file_values_then_finalise(manager: TuningManager, tmp_path: Path) -> None:
    """TASK-111: what the file leaves out keeps its default; derived values follow."""
    write(tmp_path, '[Runaway]\nsafe_distance = 100\ngait = "walk"\nscreams = true\n')
    assert manager.initialise(tmp_path) == ()
    values = Runaway.tunables
    assert (values.safe_distance, values.safe_distance_sq) == (100.0, 10_000.0)
    assert (values.looks, values.gait, values.screams) == (3, "walk", True)
    assert Second.tunables.pause_s == 1.5


def test_a_number_may_be_written_with_its_unit(manager: TuningManager, tmp_path: Path) -> None:
    """TASK-111: and the unit is checked."""
    write(tmp_path, '[Runaway]\nsafe_distance = "120 cm"\n')
    assert manager.initialise(tmp_path) == ()
    assert Runaway.tunables.safe_distance == 120.0
    write(tmp_path, '[Runaway]\nsafe_distance = "1.2 m"\n')
    (refusal,) = manager.initialise(tmp_path)
    assert "unit is cm" in refusal


def test_a_missing_file_or_section_means_defaults(
    manager: TuningManager, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """TASK-111: with one log line."""
    write(tmp_path, "[Second]\npause_s = 2.0\n")
    with caplog.at_level(logging.INFO, "ai.tuning"):
        assert manager.initialise(tmp_path) == ()
    assert Runaway.tunables.values() == Runaway.tunables.defaults()
    assert sum("no section 'Runaway'" in line for line in caplog.messages) == 1
    assert sum("Physics Tasks: no file" in line for line in caplog.messages) == 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "safe_distance = -1.0",
            "key 'Runaway.safe_distance' = -1.0: must be float in [0, 5000] cm",
        ),
        ("safe_distance = nan", "must be float in [0, 5000] cm"),
        ("safe_distance = inf", "must be float in [0, 5000] cm"),
        ("looks = 2.5", "key 'Runaway.looks' = 2.5: must be int in [1, 9]"),
        ("looks = true", "key 'Runaway.looks' = True: must be int in [1, 9]"),
        ('gait = "crawl"', "key 'Runaway.gait' = 'crawl': must be one of walk, run"),
        ("screams = 1", "key 'Runaway.screams' = 1: must be bool"),
        ("speed = 1.0", "key 'Runaway.speed' is unknown"),
        ("looks = 8", "eight is not allowed"),
    ],
)
def test_one_bad_key_leaves_the_whole_group_as_it_was(
    manager: TuningManager, tmp_path: Path, line: str, told: str
) -> None:
    """TASK-111, TASK-118: file, section, key, value and range are named; other groups load."""
    path = write(tmp_path, f"[Second]\npause_s = 9.0\n[Runaway]\n{line}\n")
    write(tmp_path, "[Shot]\nforce = 6.0\n", "physicstasks.toml")
    (refusal,) = manager.initialise(tmp_path)
    assert told in refusal
    assert str(path) in refusal
    assert Second.tunables.pause_s == 1.5
    assert Runaway.tunables.values() == Runaway.tunables.defaults()
    assert Shot.tunables.force == 6.0


def test_json_may_stand_in_for_toml(manager: TuningManager, tmp_path: Path) -> None:
    """TASK-110, TASK-111: the same structure gives equal values; both at once are refused."""
    write(tmp_path, '{"Runaway": {"safe_distance": 100, "looks": 5}}', "testvalues.json")
    assert manager.initialise(tmp_path) == ()
    by_json = Runaway.tunables.values()
    (tmp_path / "testvalues.json").unlink()
    write(tmp_path, "[Runaway]\nsafe_distance = 100\nlooks = 5\n")
    assert manager.initialise(tmp_path) == ()
    assert Runaway.tunables.values() == by_json
    write(tmp_path, "{}", "testvalues.json")
    (refusal,) = manager.initialise(tmp_path)
    assert "testvalues.toml" in refusal
    assert "testvalues.json" in refusal


@pytest.mark.parametrize("name", ["Animation Tasks", "Damage Events", "Leader Events"])
def test_some_groups_are_toml_only(name: str) -> None:
    """TASK-110."""
    group = group_named(name)
    assert group is not None
    assert group.toml_only


def test_a_set_registered_late_is_loaded_at_once(tmp_path: Path) -> None:
    """TASK-111: whatever the import order."""
    late = TuningManager()
    write(tmp_path, "[Second]\npause_s = 4.0\n")
    late.initialise(tmp_path)
    try:
        late.register(Second.tunables)
        assert Second.tunables.pause_s == 4.0
    finally:
        Second.tunables.put(Second.tunables.defaults())


def test_another_folder_for_the_physics_group(manager: TuningManager, tmp_path: Path) -> None:
    """TASK-110: ``--physics-tuning DIR`` replaces the folder of Physics Tasks alone."""
    write(tmp_path, "[Shot]\nforce = 1.0\n", "shipped/physicstasks.toml")
    write(tmp_path, "[Shot]\nforce = 2.0\n", "mine/physicstasks.toml")
    manager.initialise(tmp_path / "shipped", tmp_path / "mine")
    assert Shot.tunables.force == 2.0


# -- reloading and saving ----------------


def test_a_reload_takes_effect_in_place(manager: TuningManager, tmp_path: Path) -> None:
    """TASK-112, combination 34: whoever holds the set sees new values, derived ones too."""
    held = Runaway.tunables
    write(tmp_path, "[Runaway]\nsafe_distance = 100\n")
    manager.initialise(tmp_path)
    write(tmp_path, "[Runaway]\nsafe_distance = 200\n")
    manager.reload("Test Values")
    assert held is Runaway.tunables
    assert (held.safe_distance, held.safe_distance_sq) == (200.0, 40_000.0)


def test_a_broken_file_changes_nothing(manager: TuningManager, tmp_path: Path) -> None:
    """TASK-112, combination 34: the error is told, the old values stay."""
    write(tmp_path, "[Runaway]\nsafe_distance = 100\n")
    manager.initialise(tmp_path)
    for text in ("[Runaway", "[Runaway]\nsafe_distance = -5\n", "[Runaway]\nlooks = 8\n"):
        write(tmp_path, text)
        with pytest.raises(TuningError):
            manager.reload("Test Values")
        assert Runaway.tunables.safe_distance_sq == 10_000.0


def test_recorded_and_headless_runs_refuse_it(manager: TuningManager, tmp_path: Path) -> None:
    """TASK-112: unless somebody plays live, in debug mode."""
    manager.initialise(tmp_path)
    manager.allows_reload = False
    with pytest.raises(ReloadRefused, match="--debug"):
        manager.reload("Test Values")
    with pytest.raises(ReloadRefused):
        manager.edit("Test Values", "Runaway", "looks", 4)
    assert not TuningManager().allows_reload


def test_saving_writes_what_differs_and_keeps_the_order(
    manager: TuningManager, tmp_path: Path
) -> None:
    """TASK-112: comments and order stay, defaults go, new values stand last in their section."""
    path = write(
        tmp_path,
        "# Who runs away.\n[Second]\npause_s = 2.0  # long\n\n"
        "[Runaway]\n# far\nlooks = 5\nsafe_distance = 100.0\n",
    )
    manager.initialise(tmp_path)
    manager.edit("Test Values", "Runaway", "looks", 3)
    manager.edit("Test Values", "Runaway", "gait", "walk")
    manager.edit("Test Values", "Second", "pause_s", 2.5)
    assert manager.save("Test Values") == path
    assert path.read_text(encoding="utf-8") == (
        "# Who runs away.\n[Second]\npause_s = 2.5\n\n"
        '[Runaway]\n# far\nsafe_distance = 100.0\ngait = "walk"\n'
    )
    before = [one.values() for one in manager.sets("Test Values")]
    manager.load_from_assets("Test Values")
    assert [one.values() for one in manager.sets("Test Values")] == before


def test_loading_from_the_assets_discards_edits(manager: TuningManager, tmp_path: Path) -> None:
    """TASK-112."""
    write(tmp_path, "[Runaway]\nlooks = 5\n")
    manager.initialise(tmp_path)
    manager.edit("Test Values", "Runaway", "looks", 7)
    assert Runaway.tunables.looks == 7
    manager.load_from_assets("Test Values")
    assert Runaway.tunables.looks == 5


# -- watching files while playing ----------------


def test_a_changed_file_takes_effect_while_playing(manager: TuningManager, tmp_path: Path) -> None:
    """TASK-112: told by name; a broken one is told and the old values stay; mended, it is taken."""
    write(tmp_path, "[Runaway]\nlooks = 5\n")
    manager.initialise(tmp_path)
    watch = TuningWatch(manager)
    assert watch.look() == ()
    write(tmp_path, "[Runaway]\nlooks = 66\n")
    (told,) = watch.look()
    assert "key 'Runaway.looks' = 66" in told
    assert told.endswith("the old values stay")
    assert Runaway.tunables.looks == 5
    assert watch.look() == ()
    write(tmp_path, "[Runaway]\nlooks = 7\n# mended\n")
    assert watch.look() == ("Test Values: reloaded",)
    assert Runaway.tunables.looks == 7
    watch.close()
    with pytest.raises(ReloadRefused):
        manager.reload("Test Values")


def test_a_file_that_comes_or_goes_counts_as_changed(
    manager: TuningManager, tmp_path: Path
) -> None:
    """TASK-112: looked at every half second of frames."""
    manager.initialise(tmp_path)
    watch = TuningWatch(manager)
    path = write(tmp_path, "[Runaway]\nlooks = 4\n")
    told = [words for _ in range(30) for words in watch.frame()]
    assert told == ["Test Values: reloaded"]
    path.unlink()
    assert watch.look() == ("Test Values: reloaded",)
    assert Runaway.tunables.looks == 3


# -- extra physics sets ----------------


def physics(folder: Path, **sets: str) -> None:
    write(folder, "[Flinching]\nstiffness = 2.0\n", "physicstasks.toml")
    for name, text in sets.items():
        write(folder, text, f"physicssets/{name}.toml")


def values() -> tuple[float, float, float]:
    return Flinching.tunables.stiffness, Flinching.tunables.damping, Shot.tunables.force


def test_overlays_stack_and_revert(manager: TuningManager, tmp_path: Path) -> None:
    """TASK-113: append a, append b, revert a: values equal those of b alone over the base."""
    physics(
        tmp_path,
        a="[flinch]\nstiffness = 3.0\ndamping = 4.0\n",
        b="[flinch]\ndamping = 5.0\n[shot]\nforce = 7.0\n",
    )
    manager.initialise(tmp_path)
    base = values()
    assert base == (2.0, 1.0, 5.0)
    manager.append_physics_set("b")
    only_b = values()
    manager.revert_physics_set("b")
    assert values() == base
    manager.append_physics_set("a")
    manager.append_physics_set("b")
    assert values() == (3.0, 5.0, 7.0)
    manager.revert_physics_set("a")
    assert values() == only_b == (2.0, 5.0, 7.0)
    assert manager.physics_sets == ("b",)
    manager.reload("Physics Tasks")
    assert values() == only_b


def test_misused_overlays_change_nothing(manager: TuningManager, tmp_path: Path) -> None:
    """TASK-113: append twice, revert of one not appended, other sections, keys or values."""
    physics(
        tmp_path,
        a="[flinch]\nstiffness = 3.0\n",
        odd="[flinch]\nstiffness = 4.0\n[walk]\nforce = 1.0\n",
        wild="[shot]\nforce = 99.0\n",
        free="[grab]\nforce = 1.0\n",
    )
    manager.initialise(tmp_path)
    manager.append_physics_set("a")
    before = values()
    for name in ("a", "odd", "wild", "free", "missing"):
        with pytest.raises(TuningError):
            manager.append_physics_set(name)
    with pytest.raises(TuningError):
        manager.revert_physics_set("odd")
    assert values() == before
    assert manager.physics_sets == ("a",)


# -- in a street ----------------


def test_a_shipped_class_reads_its_tunable_at_its_next_look(tmp_path: Path) -> None:
    """TASK-112: changed while a ped wanders, it holds from the next read on."""
    from ai.behaviours.wander import TaskWander
    from ai.tuning import tuning_manager
    from game import resources
    from game.world.world_data import shipped_world_data

    shipped_world_data()
    assert "Movement Tasks" in [group.name for group in tuning_manager.groups()]
    held = TaskWander.tunables
    write(tmp_path, "[TaskWander]\nrecheck_average = 0.25\n", "movementtasks.toml")
    try:
        tuning_manager.initialise(tmp_path)
        assert held.recheck_average == 0.25
    finally:
        tuning_manager.initialise(resources.tuning())
    assert held.recheck_average == 10.0
