"""The task pool, its profiles and the size of instances (TASK-88 to TASK-90)."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Any, ClassVar

import pytest

from ai.tasks import task_pool, task_registry
from ai.tasks.idle_tasks import DoNothing, MoveStandStill
from ai.tasks.limits_tuning import Limits
from ai.tasks.movement import ControlMovement
from ai.tasks.task import Task
from ai.tasks.task_errors import TaskError, TaskPoolFull, TaskTypeError
from ai.tasks.task_pool import POOL_PROFILES, TaskPool, active_pool
from ai.tasks.trees import PRIMARY
from ai.tuning import TuningError, load_own_form
from game import resources
from tests.ai.tasks.doubles import FakePed, MoveProbe, Probe, fresh_type, with_child


def small_pool() -> TaskPool:
    """100 slots: 36 usable and 64 in reserve."""
    made = TaskPool(slots=100, essential_reserve=64)
    made.activate()
    return made


def test_every_live_task_holds_one_slot(pool: TaskPool) -> None:
    """TASK-88: in a slot, a chain, pending, and as a backup."""
    ped = FakePed()
    base = pool.used
    pending = Probe("N")
    control = ControlMovement(MoveProbe())
    assert pool.used == base + 3
    control.discard()
    pending.discard()
    ped.primary.set_task(Probe(script={"enterA": with_child(Probe)}), 3)
    ped.step()
    assert pool.used == base + 2


def test_the_37th_ordinary_task_is_refused_and_essential_ones_still_come() -> None:
    """TASK-89: pool of 100, 36 usable and 64 reserved."""
    pool = small_pool()
    tasks = [Probe() for _ in range(36)]
    with pytest.raises(TaskPoolFull, match="36 of 100"):
        Probe()
    essential: list[Task] = [DoNothing(), *(MoveStandStill() for _ in range(63))]
    with pytest.raises(TaskPoolFull):
        DoNothing()
    assert pool.used == 100
    tasks[0].discard()
    essential[0].discard()
    essential[1].discard()
    last = DoNothing()
    for task in (*tasks[1:], *essential[2:], last):
        task.discard()
    assert pool.used == 0


def test_an_order_is_executed_once_tasks_are_freed() -> None:
    """TASK-89, combination 28: the attempt is dropped, the order kept and tried again."""
    small_pool()
    ped = FakePed()
    fillers = [Probe() for _ in range(34)]

    def try_order() -> bool:
        try:
            order = Probe("order")
        except TaskPoolFull:
            return False
        ped.tasks.set_task(PRIMARY, order, 3)
        return True

    assert not try_order()
    ped.step()
    ped.tasks.set_task(PRIMARY, None, 4)
    assert isinstance(ped.primary.get_task(4), DoNothing)
    fillers[0].discard()
    assert try_order()
    ped.step()
    assert ped.primary.active_slot == 3


def test_a_default_that_finds_no_slot_is_stood_in_for_without_a_fault() -> None:
    """TASK-89: an ordinary computed default waits; the essential stand-in comes."""
    pool = TaskPool(slots=20, essential_reserve=8)
    pool.activate()
    ped = FakePed(default=Probe)
    fillers = [Probe() for _ in range(12 - pool.used)]
    ped.primary.flush_immediately()
    fillers.append(Probe())
    ped.step()
    assert isinstance(ped.primary.get_task(4), DoNothing)
    fillers[0].discard()
    ped.step(301)
    assert isinstance(ped.primary.get_task(4), Probe)


def test_even_the_stand_in_may_find_no_slot() -> None:
    """TASK-89: reserve gone as well: nothing raises, the slot is filled once there is room."""
    pool = TaskPool(slots=20, essential_reserve=8)
    pool.activate()
    ped = FakePed()
    fillers = [DoNothing() for _ in range(20 - pool.used)]
    ped.primary.flush_immediately()
    fillers.append(DoNothing())
    ped.step(10)
    assert ped.primary.get_task(4) is None
    fillers[0].discard()
    ped.step(301)
    assert isinstance(ped.primary.get_task(4), DoNothing)


def test_the_first_exhaustion_lists_every_live_task(caplog: pytest.LogCaptureFixture) -> None:
    """TASK-89: entity, tree, slot, depth, type, state, time, totals per class; once per run."""
    small_pool()
    ped = FakePed()
    ped.primary.set_task(Probe(script={"enterA": with_child(Probe)}), 3)
    ped.step(2)
    control = ControlMovement(MoveProbe())
    fillers = [Probe() for _ in range(36 - active_pool().used)]
    with caplog.at_level(logging.WARNING, logger="ai.tasks"):
        for _ in range(3):
            with pytest.raises(TaskPoolFull):
                Probe()
    (record,) = caplog.records
    lines = record.getMessage().splitlines()
    assert "36 of 100 task slots in use" in lines
    assert any(
        "ped#12 primary [3] depth 1: probe#" in line and "0.017/0.033" in line for line in lines
    )
    assert any(line.startswith("  in no tree: probe#") for line in lines)
    assert any(f"kept by {control!r}: move_probe#" in line for line in lines)
    assert lines[-5:] == [
        f"  {len(fillers) + 2:5d} probe",
        "      1 control_movement",
        "      1 do_nothing",
        "      1 move_probe",
        "      1 move_stand_still",
    ]


@pytest.mark.parametrize(
    ("profile", "largest", "at_most"),
    [
        ("compact_a", 416, 1260),
        ("compact_b", 432, 1213),
        ("standard", 736, 7123),
        ("crowd", 736, 17_096),
    ],
)
def test_a_profile_bounds_the_slots(
    profile: str, largest: int, at_most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TASK-88: slots x largest task must fit the budget; refused naming both figures."""
    monkeypatch.setattr(task_registry, "registered", lambda: ())
    assert POOL_PROFILES[profile].largest_task == largest
    assert TaskPool(at_most, 0, profile).slots == at_most
    with pytest.raises(ValueError, match=str((at_most + 1) * largest)) as caught:
        TaskPool(at_most + 1, 0, profile)
    assert str(POOL_PROFILES[profile].budget) in str(caught.value)


def test_the_default_pool_fits_the_profile_used() -> None:
    """TASK-88: 16,384 x 736 = 12,058,624 of 12,582,912."""
    pool = TaskPool()
    assert (pool.slots, pool.essential_reserve) == (16_384, 64)
    assert pool.slots * POOL_PROFILES["crowd"].largest_task == 12_058_624
    assert POOL_PROFILES["crowd"].budget == 12_582_912


def test_a_profile_too_small_for_a_registered_class_is_refused() -> None:
    """TASK-90: naming both sizes."""

    class Wide(Probe):
        task_type = fresh_type("wide")
        __slots__ = tuple(f"field_{number}" for number in range(30))

    assert Wide.info is not None
    size = Wide.info.shallow_size
    assert 416 < size < 736
    with pytest.raises(ValueError, match=rf"416.*{size}"):
        TaskPool(100, 0, "compact_a")


@pytest.mark.parametrize(
    ("slots", "reserve", "profile"), [(100, 101, "crowd"), (100, -1, "crowd"), (100, 0, "huge")]
)
def test_impossible_pools_are_refused(slots: int, reserve: int, profile: str) -> None:
    """TASK-88: reserve outside the pool, unknown profile."""
    with pytest.raises(ValueError, match="must be"):
        TaskPool(slots, reserve, profile)


def test_a_class_with_80_extra_slots_is_refused() -> None:
    """TASK-90: instances over 736 bytes are refused at registration."""
    with pytest.raises(TaskTypeError, match="736"):

        class Huge(Probe):
            task_type = fresh_type("huge")
            __slots__ = tuple(f"field_{number}" for number in range(80))


def test_the_size_report_is_sorted_and_marks_380_bytes() -> None:
    """TASK-90: largest first; 380 or more listed first, as errors."""

    class Broad(Probe):
        task_type = fresh_type("broad")
        __slots__ = tuple(f"field_{number}" for number in range(25))

    assert Broad.info is not None
    assert Broad.info.shallow_size == sys.getsizeof(Broad()) >= 380
    lines = task_registry.size_report().splitlines()
    sizes = [int(line[6:10]) for line in lines]
    assert sizes == sorted(sizes, reverse=True)
    assert all(
        (line.startswith("ERROR")) == (size >= 380) for line, size in zip(lines, sizes, strict=True)
    )
    assert any("broad" in line for line in lines)


def test_the_shipped_classes_are_small() -> None:
    """TASK-90: no class of the kernel is listed as an error."""
    for cls in (DoNothing, MoveStandStill, ControlMovement):
        assert cls.info is not None
        assert cls.info.shallow_size < 380


def test_without_an_active_pool_no_task_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """TASK-88: the pool is made with the world; the error says how to mend it."""
    monkeypatch.setattr(task_pool, "_active", None)
    with pytest.raises(TaskError, match="activate"):
        Probe()


def test_limits_are_read_from_their_file(tmp_path: Path) -> None:
    """TASK-88, TASK-118: ``[tasks]`` whole against its schema; an unknown key is refused."""
    path = tmp_path / "limits.toml"
    text = (resources.assets() / "tuning" / "limits.toml").read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    pool = load_own_form(path, Limits).tasks.make_pool()
    assert (pool.slots, pool.essential_reserve) == (16_384, 64)
    path.write_text(text.replace("[tasks]", "[tasks]\nslots = 3"), encoding="utf-8")
    with pytest.raises(TuningError, match=r"limits\.toml.*slots"):
        load_own_form(path, Limits)
    path.write_text(text.replace("16384", "20000"), encoding="utf-8")
    with pytest.raises(ValueError, match=r"14720000.*12582912"):
        load_own_form(path, Limits).tasks.make_pool()


def test_uids_start_anew_with_each_world() -> None:
    """TASK-11, combination 33: they are unique per run and restart with it."""
    TaskPool().activate()
    first = [Probe().uid for _ in range(3)]
    TaskPool().activate()
    assert [Probe().uid for _ in range(3)] == first == [1, 2, 3]


def test_statics_are_restored() -> None:
    """TASK-04, combination 33: class-level values restart; without it they differ."""

    class Cooling(Probe):
        task_type = fresh_type("cooling")
        __slots__ = ()
        STATICS: ClassVar[Any] = {"last_uid": 0, "seen": []}
        last_uid = -1
        seen: Any = None

    def play() -> list[Any]:
        TaskPool().activate()
        trace: list[Any] = []
        for _ in range(2):
            trace.append((Cooling.last_uid, list(Cooling.seen)))
            Cooling.last_uid = Cooling().uid
            Cooling.seen.append(Cooling.last_uid)
        return trace

    first = play()
    assert first == [(0, []), (1, [1])]
    assert play() != first
    task_registry.reset_statics()
    assert play() == first
    assert Cooling.STATICS == {"last_uid": 0, "seen": []}
