"""The framework of the scanners: who is due, what is equal, what is contained (EVT-37)."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from ai import settings
from ai.events.scanners.facts import Ints, PedRows
from ai.events.scanners.tuning import ScannerTuning
from ai.events.types import EventType
from ai.faults import faults
from ai.ports import Vec3
from ai.tuning import TuningError, load_own_form
from tests.ai.events.event_doubles import ASSETS
from tests.ai.events.scan_doubles import Scene, heard_of, only


class Recorder:
    """Notes who looked in which step."""

    name = "recorder"
    period = 15

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.seen: list[list[int]] = []

    def has_work(self) -> bool:
        return True

    def scan(self, rows: PedRows, due: Ints) -> None:
        self.seen.append(rows.ids[due].tolist())


def recording(scene: Scene) -> Recorder:
    only(scene)
    recorder = Recorder(scene)
    scene.scanners.polling = (recorder,)
    return recorder


def test_scanner_stagger() -> None:
    """EVT-37: peds 1 to 60, period 15: exactly 4 look in every step, each once a period."""
    scene = Scene()
    for number in range(60):
        scene.walker(1000.0 * number, 0.0)
    recorder = recording(scene)
    scene.run(15)
    assert [len(ids) for ids in recorder.seen] == [4] * 15
    assert sorted(one for ids in recorder.seen for one in ids) == list(range(1, 61))
    assert recorder.seen[0] == [one for one in range(1, 61) if (one * 7) % 15 == 0]


def test_far_peds_look_less_often() -> None:
    """EVT-37: periods double at medium and quadruple at far detail."""
    scene = Scene()
    for detail in range(3):
        scene.details[scene.walker(1000.0 * detail, 0.0).ped_id] = detail
    recorder = recording(scene)
    scene.run(120)
    looks = [sum(ids.count(one) for ids in recorder.seen) for one in (1, 2, 3)]
    assert looks == [8, 4, 2]


def crowd_of(seed: int) -> Scene:
    scene = Scene()
    rng = random.Random(seed)
    for number in range(40):
        person = scene.walker(
            rng.uniform(0, 1500), rng.uniform(0, 1500), rng.uniform(-150, 150),
            rng.uniform(-150, 150),
        )  # fmt: skip
        if number % 5 == 0:
            scene.velocities[person.ped_id] = (0.0, 0.0)
    scene.happenings.light_fire(Vec3(700.0, 700.0), 60.0)
    scene.happenings.light_fire(Vec3(300.0, 900.0), 90.0)
    return scene


def queues(scene: Scene) -> list[list[tuple[str, object]]]:
    return [
        [(one.event_type.name, getattr(one, "obstacle_id", None)) for one in person.queued()]
        for person in scene.people
    ]


@pytest.mark.parametrize("seed", range(5))
def test_scan_batch_equals_single(seed: int) -> None:
    """EVT-37: all due peds at once find what each of them finds alone."""
    together, alone = crowd_of(seed), crowd_of(seed)
    for scene in (together, alone):
        only(scene, "fires", "ahead")
    names = ("fires", "ahead")
    for scene, is_batch in ((together, True), (alone, False)):
        rows = scene.rows()
        for one in scene.scanners.polling:
            if one.name not in names:
                continue
            everybody = np.arange(len(scene.people), dtype=np.int64)
            if is_batch:
                one.scan(rows, everybody)
            else:
                for row in everybody:
                    one.scan(rows, np.array([row], dtype=np.int64))
    assert queues(together) == queues(alone)
    assert sum(map(len, queues(together))) > 10


class Failing(Recorder):
    """Raises for ped 2, but for the first ten steps alone."""

    name = "failing"
    period = 1

    def scan(self, rows: PedRows, due: Ints) -> None:
        super().scan(rows, due)
        if 2 in rows.ids[due].tolist() and self.scene.clock.step < 10:
            raise RuntimeError("broken scanner")


@pytest.mark.expects_faults
def test_scanner_exception_contained(in_play: None) -> None:
    """EVT-37: one that raises is silent for its ped for 60 steps and becomes an error event."""
    scene = Scene()
    for number in range(3):
        scene.walker(1000.0 * number, 0.0)
    failing = Failing(scene)
    only(scene)
    scene.scanners.polling = (failing,)
    scene.run(100)
    alone = [ids for ids in failing.seen if ids == [2]]
    assert alone == [[2]], "found out once, in the first step"
    looked = [step for step, ids in enumerate(failing.seen[4:], start=1) if 2 in ids]
    assert looked[0] == 60, "and looks again after 60 steps"
    (fault,) = faults.of_kind("scanner")
    assert "broken scanner" in fault.text
    (error,) = scene.services.scripts.errors.events()
    assert error.data["scanner"] == "failing"


def test_strict_mode_raises_what_a_scanner_raises() -> None:
    """EVT-37: strict mode re-raises."""
    assert settings.strict
    scene = Scene()
    scene.walker(0.0, 0.0)
    scene.walker(900.0, 0.0)
    scene.scanners.polling = (Failing(scene),)
    with pytest.raises(RuntimeError, match="broken scanner"):
        scene.look()


def test_a_disabled_scanner_emits_nothing() -> None:
    """EVT-37: off for a ped, off for everybody; a wrong name says which there are."""
    scene = only(Scene(), "fires")
    near, other = scene.walker(0.0, 0.0), scene.walker(100.0, 0.0)
    scene.happenings.light_fire(Vec3(50.0, 0.0), 60.0)
    scene.scanners.switch_off("fires", near.ped_id)
    scene.run(10)
    assert not heard_of(near, EventType.HEAT)
    assert heard_of(other, EventType.HEAT)
    scene.scanners.switch_on("fires", near.ped_id)
    scene.run(10)
    assert heard_of(near, EventType.HEAT)
    with pytest.raises(ValueError, match="no scanner is called 'eyes'; there are fires"):
        scene.scanners.switch_off("eyes")


def test_nobody_scans_for_the_dead_or_the_mirrored() -> None:
    """EVT-37: the dead and the mirrored hear of nothing."""
    scene = only(Scene(), "fires")
    dead, mirrored = scene.walker(0.0, 0.0), scene.walker(100.0, 0.0)
    dead.is_dead = mirrored.is_mirrored = True
    scene.happenings.light_fire(Vec3(50.0, 0.0), 60.0)
    scene.run(10)
    assert not dead.queued()
    assert not mirrored.queued()


def test_unknown_scanner_name_in_data_is_refused(tmp_path: Path) -> None:
    """EVT-37: unknown name, missing name, a period that is none: each refuses the file."""
    text = (ASSETS / "tuning" / "scanners.toml").read_text()
    path = tmp_path / "scanners.toml"
    for old, new, word in (
        ("fires = 10", "fires = 10\nsmells = 5", "period.smells"),
        ("fires = 10\n", "", "period.fires"),
        ("fires = 10", "fires = 0", "period.fires"),
        ('medic = "like"', 'medic = "loathe"', "loathe"),
    ):
        assert old in text
        path.write_text(text.replace(old, new, 1))
        with pytest.raises(TuningError, match=word):
            load_own_form(path, ScannerTuning)
