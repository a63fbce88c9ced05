"""What the command line prints: tables on standard output, progress on standard error.

Words of a level are escaped: square brackets in them are no markup of ``rich``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from game.levels.check import check_levels
from game.levels.judge import Outcome
from game.levels.level_file import read_level_file
from game.levels.level_folder import LevelFolder
from game.levels.library import LevelLibrary
from game.levels.rounds import Round
from game.run_report import RunResult, run_level
from game.world.world_data import shipped_world_data

_STYLE = {Outcome.PASSED: "green", Outcome.FAILED: "red"}


def print_run(result: RunResult) -> None:
    """One run: what was expected and seen, the figures, the fingerprint."""
    console = Console()
    table = Table(title=escape(f"{result.title} ({result.level}), seed {result.seed}"))
    for column in ("outcome", "at", "expectation", "last seen"):
        table.add_column(column)
    for one in result.expectations:
        at = "" if one.decided_s is None else f"{one.decided_s:.2f} s"
        style = _STYLE.get(one.outcome, "yellow")
        outcome = f"[{style}]{one.outcome}[/]"
        table.add_row(outcome, at, escape(one.sentence), escape(one.last_seen))
    console.print(table)
    for warning in sorted({text for one in result.expectations for text in one.warnings}):
        console.print(f"warning: {warning}", style="yellow", markup=False)
    for fault in result.fault_texts:
        console.print(f"fault left: {fault}", style="red", markup=False)
    console.print(_numbers(result))
    console.print(
        f"{result.seconds:g} s in {result.wall_s:.2f} s: {result.real_time_factor:.0f} times real "
        f"time (calibration {result.calibration_s:.2f} s)"
    )
    console.print(f"fingerprint {result.fingerprint}")


def run_and_print_all(
    levels: Sequence[str], *, seed: int | None, ways: Sequence[Round]
) -> list[RunResult]:
    """Run levels, all shipped ones if none is named, in every way; a table with progress."""
    library = LevelLibrary.shipped()
    names = list(levels) or list(library.folders())
    results: list[RunResult] = []
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with progress:
        bar = progress.add_task("levels", total=len(names) * len(ways))
        for name, way in product(names, ways):
            progress.update(bar, description=escape(way.label(name)))
            results.append(run_level(name, seed=seed, strict=True, way=way))
            progress.advance(bar)
    table = Table(title="levels")
    for column in ("level", "result", "expectations", "real time", "fingerprint"):
        table.add_column(column)
    for result in results:
        verdict = "[green]passed[/]" if result.passed else "[red]failed[/]"
        speed = f"{result.real_time_factor:.0f}x"
        table.add_row(escape(result.level), verdict, _numbers(result), speed, result.fingerprint)
    console = Console()
    console.print(table)
    for result in results:
        for one in result.expectations:
            if one.outcome is not Outcome.PASSED:
                console.print(
                    f"{result.level}: {one.outcome}: {one.sentence}; last seen: {one.last_seen}",
                    markup=False,
                )
        for fault in result.fault_texts:
            console.print(f"{result.level}: fault left: {fault}", markup=False)
    return results


def print_levels() -> None:
    """The shipped levels with their titles."""
    table = Table()
    for column in ("level", "title", "time of day", "description"):
        table.add_column(column)
    for name, folder in LevelLibrary.shipped().folders().items():
        head = read_level_file(LevelFolder(folder)).head
        table.add_row(*map(escape, (name, head.title, head.time_of_day, head.description)))
    Console().print(table)


def print_check(paths: Sequence[Path]) -> bool:
    """Validate level folders, a line each; True if all are sound."""
    console = Console()
    errors = Console(stderr=True)
    results = check_levels(paths, shipped_world_data())
    for result in results:
        if result.ok:
            console.print(f"{result.path}: ok", markup=False, highlight=False, soft_wrap=True)
        else:
            errors.print(result.fault, markup=False, highlight=False, soft_wrap=True)
    return bool(results) and all(result.ok for result in results)


def _numbers(result: RunResult) -> str:
    numbers = result.summary
    return (
        f"{numbers.passed} passed, {numbers.passed_with_warnings} with warnings, "
        f"{numbers.failed} failed, {numbers.not_run} not run"
    )
