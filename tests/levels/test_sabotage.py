"""The levels bite: a wrong build fails the level that is there to catch it, and no other."""

from __future__ import annotations

import pytest

from game import Sandbox
from game.levels.judge import Outcome
from tests.levels.faults import FAULTS, FLIGHT_FAULTS, KERNEL_FAULTS, Fault, KernelFault
from tests.levels.runs import shipped

LEVELS = tuple(fault.level for fault in FAULTS)
FLIGHTS = tuple(fault.level for fault in FLIGHT_FAULTS)


def fails(name: str) -> bool:
    """Play a level; does it not meet what it expects?

    Steps stop once an expectation has failed. An assertion of the program itself counts too.
    """
    with Sandbox(shipped(name), strict=True) as box:
        try:
            for _ in range(round(box.level.duration_s * 60)):
                box.step()
                if box.world.clock.step % 60 == 0 and _has_failed(box):
                    return True
        except AssertionError:
            return True
        box.expectations.finish()
        return any(one.outcome is not Outcome.PASSED for one in box.expectations.results())


def _has_failed(box: Sandbox) -> bool:
    return box.expectations.summary().failed > 0


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name.replace(" ", "-"))
def test_a_wrong_build_fails_exactly_its_level(
    fault: Fault, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LVL-01, LVL-02, LVL-04 to LVL-07, LVL-35: each level fails by the mistake it is there for.

    The mistakes are patched in by ``faults.py``, one at a time, for the time of a run; no
    switch of them is in the program. Every other level must not notice.
    """
    fault.patch(monkeypatch)
    assert fails(level) is (level == fault.level)


@pytest.mark.parametrize("level", FLIGHTS)
@pytest.mark.parametrize("fault", FLIGHT_FAULTS, ids=lambda fault: fault.name.replace(" ", "-"))
def test_a_wrong_flight_fails_exactly_its_level(
    fault: Fault, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LVL-03, LVL-24, LVL-26, LVL-27, LVL-31: the same for the levels about fleeing."""
    fault.patch(monkeypatch)
    assert fails(level) is (level == fault.level)


@pytest.mark.parametrize(
    "fault", KERNEL_FAULTS, ids=lambda fault: f"{fault.rule}-{fault.patch.__name__}"
)
def test_a_wrong_kernel_fails_its_counterexample(
    fault: KernelFault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LVL-20 to LVL-23, LVL-28, LVL-30: the test of a rule does not pass with its mistake."""
    fault.patch(monkeypatch)
    with pytest.raises(AssertionError):
        fault.test()
