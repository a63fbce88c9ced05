"""Cost of a step of the shipped levels: ``python -m tests.benchmarks.bench_levels [LEVEL…]``.

Prints milliseconds a step and times real time of each level, and below it what each
phase of a step takes and its share of the step, beside a calibration (3 million
integer additions in a loop, 0.20 s on the reference machine); goals scale with it.

All times are processor time, so that others on the machine disturb little. Every round
plays each level once. A step does the same work in every round, which the fingerprints
prove before a row is printed; so of each phase of each step the least time counts, and
what disturbs a single round drops out.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ai.ports import STEP_S
from game import Sandbox
from game.run_report import CALIBRATION_ADDITIONS

CALIBRATION_GOAL_S = 0.20
ROUNDS = 5
LONGEST_S = 15.0
"""A level is played to its end, or this long."""

REAL_TIME_GOALS = {
    "pickup": 20.0,
    "hold_redirect": 20.0,
    "sealed_redirect": 20.0,
    "cancel_while_down": 20.0,
    "blocked_standup": 20.0,
    "block": 5.0,
}


class PhaseTimes:
    """Seconds by step and phase of one run; hears of phases as ``PhaseListener``.

    ``names`` are the phases in the order of the step table.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self._moments: list[float] = []

    def phase_begins(self, number: int, name: str) -> None:
        """A phase is next, and the one before it is over."""
        if len(self.names) < number:
            self.names.append(name)
        self._moments.append(time.process_time())

    def finish(self) -> None:
        """The run is over, and with it its last phase."""
        self._moments.append(time.process_time())

    def table(self) -> NDArray[np.float64]:
        """Shape (steps, phases)."""
        return np.diff(np.array(self._moments)).reshape(-1, len(self.names))


@dataclass(slots=True)
class LevelTimes:
    """Least seconds of each phase of each step so far, and what proves the same work."""

    names: list[str] = field(default_factory=list)
    least_s: NDArray[np.float64] | None = None
    fingerprint: str = ""

    def add(self, times: PhaseTimes, fingerprint: str) -> None:
        """Take in one run."""
        table = times.table()
        if self.least_s is None:
            self.names, self.least_s, self.fingerprint = times.names, table, fingerprint
            return
        assert fingerprint == self.fingerprint, "two runs of one level differ"
        self.least_s = np.minimum(self.least_s, table)


def calibrate() -> float:
    """Seconds for 3 million integer additions, as ``game.run_report`` counts them."""
    start = time.process_time()
    total = 0
    for number in range(CALIBRATION_ADDITIONS):
        total += number
    assert total > 0
    return time.process_time() - start


def play(level: str, longest_s: float) -> tuple[PhaseTimes, str]:
    """One run of a level, judged as it is for users."""
    with Sandbox.load(level, strict=False) as box:
        times = PhaseTimes()
        box.world.phase_listener = times
        box.run_for(min(box.level.duration_s, longest_s))
        times.finish()
        return times, box.fingerprint


def print_level(name: str, found: LevelTimes, factor: float) -> None:
    """The row of a level, and its phases by cost."""
    assert found.least_s is not None
    steps = len(found.least_s)
    step_s = float(found.least_s.sum()) / steps
    goal = REAL_TIME_GOALS.get(name)
    wanted = "" if goal is None else f"{goal / factor:>13.1f}"
    print(f"{name:<34}{step_s * 1000.0:>10.3f}{STEP_S / step_s:>14.1f}{wanted}")
    phases_us = found.least_s.sum(axis=0) / steps * 1e6
    for index in np.argsort(-phases_us).tolist():
        if phases_us[index] >= 1.0:
            share = phases_us[index] / (step_s * 1e6)
            print(f"    {found.names[index]:<30}{phases_us[index]:>10.1f} us{share:>11.1%}")


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description="Cost of a step of the shipped levels.")
    parser.add_argument("levels", nargs="*", default=list(REAL_TIME_GOALS))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=LONGEST_S)
    asked = parser.parse_args()
    found = {level: LevelTimes() for level in asked.levels}
    calibrations = []
    for _ in range(asked.rounds):
        for level, times in found.items():
            calibrations.append(calibrate())
            times.add(*play(level, asked.seconds))
    factor = min(calibrations) / CALIBRATION_GOAL_S
    print(f"calibration: {min(calibrations):.3f} s (goal figures / {factor:.2f})")
    print(f"{'level':<34}{'ms a step':>10}{'x real time':>14}{'goal':>13}")
    for level, times in found.items():
        print_level(level, times, factor)


if __name__ == "__main__":
    main()
