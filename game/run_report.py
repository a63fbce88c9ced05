"""Runs of levels and what is said of them: outcome, figures, fingerprint, JUnit (LVL-09)."""

from __future__ import annotations

import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from ai.faults import faults
from ai.ports import STEP_S
from game.evacuation_report import check_report, write_report
from game.levels.expectations import ExpectationResult, Summary
from game.levels.judge import Outcome
from game.levels.rounds import Round
from game.sandbox import Sandbox
from game.whole_file import write_whole

CALIBRATION_ADDITIONS = 3_000_000


class TaskFigures(NamedTuple):
    """Tasks of a run: how many lived at its end, the most at once, and what was left over.

    - ``leaked`` counts tasks that were forgotten during the run or outlived its end.
    """

    alive: int
    high_water: int
    leaked: int


@dataclass(frozen=True, slots=True)
class RunResult:
    """One run of one level.

    - ``real_time_factor`` is simulated over wall time; ``calibration_s`` is how long
      3 million integer additions took beside it (product.md section 9).
    - ``fault_texts`` are the faults that the level does not name as expected.
    """

    level: str
    title: str
    seed: int
    seconds: float
    steps: int
    expectations: tuple[ExpectationResult, ...]
    summary: Summary
    fault_texts: tuple[str, ...]
    fingerprint: str
    tasks: TaskFigures
    wall_s: float
    real_time_factor: float
    calibration_s: float

    @property
    def passed(self) -> bool:
        """Every expectation passed, there was at least one, and no fault is left."""
        return self.summary.ok and not self.fault_texts

    def as_json(self) -> dict[str, Any]:
        """The run as plain data for ``--json``."""
        return {
            "level": self.level,
            "seed": self.seed,
            "seconds": self.seconds,
            "steps": self.steps,
            "passed": self.passed,
            "summary": {
                "passed": self.summary.passed,
                "passed_with_warnings": self.summary.passed_with_warnings,
                "failed": self.summary.failed,
                "not_run": self.summary.not_run,
            },
            "expectations": [
                {
                    "expectation": result.sentence,
                    "outcome": str(result.outcome),
                    "last_seen": result.last_seen,
                    "decided_s": result.decided_s,
                    "warnings": list(result.warnings),
                }
                for result in self.expectations
            ],
            "faults": list(self.fault_texts),
            "fingerprint": self.fingerprint,
            "tasks": self.tasks._asdict(),
            "figures": {
                "wall_s": round(self.wall_s, 4),
                "real_time_factor": round(self.real_time_factor, 1),
                "calibration_s": round(self.calibration_s, 4),
            },
        }


def run_level(
    level: str | Path,
    *,
    seconds: float | None = None,
    seed: int | None = None,
    strict: bool | None = None,
    way: Round = Round(),  # noqa: B008 - frozen
    report: Path | None = None,
) -> RunResult:
    """Run a level to its end, or for a time, and judge it.

    - ``report``: a folder for the evacuation's curve, CSV and PNG.
    - ``seed`` replaces the level's own, and with it the offset of ``way``.

    Raises ``LevelError`` for a level that can't be used.
    """
    with Sandbox.load(
        level, seed=seed, seed_offset=way.seed_offset, image=way.image, strict=strict
    ) as box:
        head = box.level.script.head
        if report is not None:
            check_report(box, str(level))
        started = time.perf_counter()
        if seconds is None:
            box.run()
        else:
            box.run_for(seconds)
        wall_s = time.perf_counter() - started
        box.expectations.finish()
        simulated_s = box.world.clock.step * STEP_S
        fault_texts = tuple(
            f"{fault.kind}: {fault.text}"
            for fault in faults.all()
            if fault.kind not in head.expected_faults
        )
        fingerprint = box.fingerprint
        if report is not None:
            write_report(box, report)
        tasks = _tasks_to_the_end(box)
        return RunResult(
            level=way.label(box.level.name),
            title=box.level.description.title,
            seed=box.world.seed,
            seconds=round(simulated_s, 4),
            steps=box.world.clock.step,
            expectations=box.expectations.results(),
            summary=box.expectations.summary(),
            fault_texts=fault_texts,
            fingerprint=fingerprint,
            tasks=tasks,
            wall_s=wall_s,
            real_time_factor=simulated_s / max(wall_s, 1e-9),
            calibration_s=calibrate(),
        )


def _tasks_to_the_end(box: Sandbox) -> TaskFigures:
    """Close the run and count what is left of its tasks."""
    pool = box.world.pool
    alive = pool.used
    box.close()
    return TaskFigures(alive, pool.high_water, pool.used + pool.leaked.total())


def calibrate() -> float:
    """Seconds that 3 million integer additions take here (0.20 s on the reference machine)."""
    started = time.perf_counter()
    total = 0
    for number in range(CALIBRATION_ADDITIONS):
        total += number
    return time.perf_counter() - started


def write_junit(results: Sequence[RunResult], path: Path) -> None:
    """Write one test case an expectation, in the form that build servers read.

    Raises ``FileRefused``.
    """
    suites = ElementTree.Element("testsuites")
    for result in results:
        failed = sum(one.outcome is not Outcome.PASSED for one in result.expectations)
        suite = ElementTree.SubElement(
            suites,
            "testsuite",
            name=result.level,
            tests=str(len(result.expectations)),
            failures=str(failed),
            time=f"{result.wall_s:.3f}",
        )
        for one in result.expectations:
            case = ElementTree.SubElement(
                suite, "testcase", classname=result.level, name=one.sentence
            )
            if one.outcome is not Outcome.PASSED:
                failure = ElementTree.SubElement(case, "failure", message=str(one.outcome))
                failure.text = f"last seen: {one.last_seen}"
    write_whole(path, ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True))
