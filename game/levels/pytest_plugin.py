"""Levels as tests: every folder with ``level.toml`` and ``map.tmx`` is a test item.

``--seeds N``, ``--mirror`` and ``--rotate`` add items for further seeds and for the
images of the map; tests of one's own get sandboxes from the fixture ``sandbox``.

Loaded through the entry point ``pytest11``, so it stays light until a level runs.
A folder called ``levels`` in which nothing is found fails the run: nothing tested
is nothing proven.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from game import Sandbox
    from game.levels.expectations import ExpectationResult
    from game.levels.level_file import LevelHead
    from game.levels.rounds import Round

LEVELS_FOLDER = "levels"
SUMMARY = "bystander_summary"
WARNINGS = "bystander_warnings"
"""Names of the user properties by which reports carry a level's numbers, across workers too."""


class LevelFailedError(Exception):
    """A level whose run is no pass; the text is the whole report."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """In how many ways each level is run."""
    group = parser.getgroup("bystander", "levels of Bystander")
    group.addoption("--seeds", type=_seeds, default=1, help="run each level with so many seeds")
    group.addoption("--mirror", action="store_true", help="run each level mirrored too")
    group.addoption(
        "--evidence",
        default="failed-levels",
        help="folder for pictures and films of failed levels; empty for none",
    )
    group.addoption("--rotate", action="store_true", help="run each level turned by 90 degrees too")


def _seeds(text: str) -> int:
    """A number of seeds; the limit itself stands in ``rounds``."""
    from game.levels.rounds import rounds

    try:
        return len(rounds(int(text)))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark of level items known."""
    config.addinivalue_line("markers", "level: a run of a level")


@pytest.fixture
def sandbox() -> Iterator[Callable[..., Sandbox]]:
    """Load levels as ``Sandbox.load`` does, with strict checks; all are closed after the test."""
    from game import Sandbox

    with ExitStack() as stack:

        def load(level: str | Path, **options: Any) -> Sandbox:
            return stack.enter_context(Sandbox.load(level, **{"strict": True} | options))

        yield load


class LevelFile(pytest.File):
    """A ``level.toml``."""

    def collect(self) -> Iterator[LevelItem]:
        """One item for each way in which levels are to be run."""
        from game.levels.rounds import rounds

        option = self.config.getoption
        for way in rounds(option("--seeds"), mirror=option("--mirror"), rotate=option("--rotate")):
            yield LevelItem.from_parent(self, name=way.label(self.path.parent.name), way=way)


class LevelItem(pytest.Item):
    """One run of one level, with every expectation of it."""

    def __init__(self, *, way: Round, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.way = way
        self.add_marker(pytest.mark.level)

    def runtest(self) -> None:
        """Run the level headless with strict checks and judge it."""
        from ai.faults import faults
        from game import Sandbox

        folder = self.path.parent
        way = self.way
        with Sandbox.load(folder, seed_offset=way.seed_offset, image=way.image, strict=True) as box:
            head = box.level.script.head
            box.run()
            box.expectations.finish()
            results = box.expectations.results()
            summary = box.expectations.summary()
        self.user_properties.append(
            (
                SUMMARY,
                (
                    summary.passed,
                    summary.passed_with_warnings,
                    summary.failed,
                    summary.not_run,
                ),
            )
        )
        self.user_properties.append((WARNINGS, _warnings(self.name, results)))
        left = [f"{fault.kind}: {fault.text}" for fault in faults.all() if _unexpected(fault, head)]
        faults.clear()
        if not summary.ok or left:
            raise LevelFailedError(self._leave(_report(folder, results, left), results))

    def _leave(self, report: str, results: tuple[ExpectationResult, ...]) -> str:
        """The report, with the folder of what can be looked at, if it is wanted."""
        parent = self.config.getoption("--evidence")
        if not parent:
            return report
        from game.evidence import leave_evidence
        from game.recording.errors import RecordingError
        from game.whole_file import FileRefused

        parent = self.config.invocation_params.dir / parent
        try:
            folder = leave_evidence(self.path.parent, self.way, results, report, parent)
        except (OSError, FileRefused, RecordingError) as error:
            return f"{report}\nno evidence could be left: {error}"
        return f"{report}\nits last seconds: {folder}"

    def repr_failure(
        self,
        excinfo: pytest.ExceptionInfo[BaseException],
        style: Any = None,
    ) -> Any:
        """What a tester needs: what was expected, what was last seen, how to look at it."""
        from game.levels.errors import LevelError

        if isinstance(excinfo.value, LevelFailedError | LevelError):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the level stands."""
        return self.path, None, f"level {self.name}"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> LevelFile | None:
    """Take up a level's file; a ``level.toml`` of another program has no map beside it."""
    if file_path.name == "level.toml" and file_path.with_name("map.tmx").is_file():
        return LevelFile.from_parent(parent, path=file_path)
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse a run over a levels folder that holds nothing to run."""
    for argument in config.args:
        path = config.invocation_params.dir / argument.split("::")[0]
        if path.name != LEVELS_FOLDER or not path.is_dir():
            continue
        if not any(item.path.is_relative_to(path) for item in items):
            raise pytest.UsageError(f"{path}: no levels found; nothing would be tested")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The four numbers over all levels, and every warning: a pass never hides one (LVL-09)."""
    reports = [
        report
        for group in ("passed", "failed")
        for report in terminalreporter.stats.get(group, ())
        if any(name == SUMMARY for name, _ in report.user_properties)
    ]
    if not reports:
        return
    totals = [0, 0, 0, 0]
    warnings: list[str] = []
    for report in reports:
        properties = dict(report.user_properties)
        totals = [total + one for total, one in zip(totals, properties[SUMMARY], strict=True)]
        warnings += properties[WARNINGS]
    passed, warned, failed, not_run = totals
    terminalreporter.section(f"expectations of {len(reports)} levels")
    terminalreporter.line(
        f"{passed} passed, {warned} passed with warnings, {failed} failed, {not_run} not run"
    )
    for warning in warnings:
        terminalreporter.line(warning)


def _warnings(level: str, results: Iterable[ExpectationResult]) -> list[str]:
    seen: dict[str, None] = {}
    for result in results:
        for warning in result.warnings:
            seen[f"{level}: {warning}"] = None
    return list(seen)


def _unexpected(fault: Any, head: LevelHead) -> bool:
    return fault.kind not in head.expected_faults


def _report(folder: Path, results: tuple[ExpectationResult, ...], faults: list[str]) -> str:
    from game.levels.judge import Outcome

    lines = []
    if not results:
        lines.append("the level has no expectations: nothing was tested; add an [[expect]]")
    for result in results:
        if result.outcome is not Outcome.PASSED:
            lines.append(f"{result.outcome}: {result.sentence}")
            lines.append(f"    last seen: {result.last_seen}")
        lines += [f"    warning: {warning}" for warning in result.warnings]
    lines += [f"fault left: {fault}" for fault in faults]
    lines.append(f"to look at it: bystander play {folder}")
    return "\n".join(lines)
