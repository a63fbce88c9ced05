"""The showcase of guards, played whole (HSM-32)."""

from __future__ import annotations

import pytest

from ai.faults import faults
from ai.machines.hsm.machine import StateMachine
from ai.tasks.task_types import TaskType
from ai.tasks.trees import PRIMARY
from game import Sandbox
from game.levels.judge import Outcome
from tests.levels.guard_runs import brain_of


def played(image: str | None) -> tuple[list[str], dict[str, int]]:
    """Modes of the guard in order, and the steps at which sight, target and mode changed."""
    modes: list[str] = []
    steps: dict[str, int] = {}
    with Sandbox.load("guards", image=image, strict=True) as box:
        ped = box.ped("guard")
        brains = []
        for step in range(round(box.level.duration_s * 60.0)):
            box.step()
            brain = brain_of(box.world, "guard")
            if not brains:
                brains = [brain_of(box.world, one) for one in ("guard", "colleague", "intruder")]
            machine = brain.mind
            assert isinstance(machine, StateMachine)
            active = machine.record.active
            assert active is not None
            if not modes or modes[-1] != active.name:
                modes.append(active.name)
                steps[active.name] = step
            for one in brains:
                one.ledger.resources.check()
            if brain.board.read("enemy_visible", "test"):
                steps.pop("lost", None)
            elif brain.board.read("enemy_known", "test"):
                steps.setdefault("lost", step)
            if machine.record.target_path == "combat/search":
                steps.setdefault("target search", step)
            types = [task.task_type for task in ped.tasks.tree(PRIMARY).slots if task is not None]
            assert TaskType.COMBAT not in types
        box.expectations.finish()
        results = box.expectations.results()
        assert [one.sentence for one in results if one.outcome is not Outcome.PASSED] == []
        assert [one.ledger.stale for one in brains] == [0, 0, 0]
        assert list(faults.all()) == []
    assert [one.ledger.held_bits() for one in brains] == [0, 0, 0]
    assert [list(one.ledger.live()) for one in brains] == [[], [], []]
    return modes, steps


@pytest.mark.parametrize("image", [None, "mirrored", "turned"])
def test_the_guard_goes_through_its_modes(image: str | None) -> None:
    """HSM-27, HSM-32, HSM-35: modes in order; search is set 240 steps after sight was lost."""
    modes, steps = played(image)
    assert modes == ["patrol", "chase", "attack", "chase", "search", "patrol"]
    assert abs(steps["target search"] - steps["lost"] - 240) <= 1
    assert steps["search"] - steps["target search"] <= 60


def test_the_same_level_gives_the_same_trace() -> None:
    """ACT-25: two runs of 1,200 steps: the same trace hash and fingerprint."""
    found = set()
    for _ in range(2):
        with Sandbox.load("guards", strict=True) as box:
            box.step(1200)
            found.add((brain_of(box.world, "guard").trace.hash(), box.fingerprint))
    assert len(found) == 1
