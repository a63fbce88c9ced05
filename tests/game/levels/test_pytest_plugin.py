"""Levels as pytest items: ``pytest levels/`` (section 4, LVL-09)."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

import game
import game.evidence
from ai.faults import faults
from game.levels.expectations import ExpectationWatch
from game.levels.level_file import read_level_file
from game.levels.level_folder import LevelFolder
from game.levels.rounds import Round
from tests.game.levels.doubles import FakeWorld, cue_runner, fake_order, fake_ped
from tests.game.levels.maps import LEVEL_TOML, map_text, write_level

pytest_plugins = ["pytester"]
# A run in this process forgets the modules that it was the first to import, and kinds of
# events register once a process: whatever a run needs is imported above.

PASSES = '[[expect]]\nped = "courier"\nfield = "movement.retry_count"\nis = 0\nby = 1.0\n'
FAILS = '[[expect]]\nped = "courier"\nfield = "movement.retry_count"\nis = 9\nby = 1.0\n'
WARNS = '[[cue]]\nname = "hold"\ndo = "order.hold"\nped = "courier"\nat = 0.0\n' + PASSES


class FakeSandbox:
    """A sandbox whose world stands still and refuses every command."""

    fault = ""
    loaded: ClassVar[list[tuple[str, int, str | None]]] = []
    closed: ClassVar[list[str]] = []

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        script = read_level_file(LevelFolder(folder))
        self.level = SimpleNamespace(script=script)
        self.world = FakeWorld(peds={"courier": fake_ped(fake_order())}, refusal="NOT_TRAVELLING")
        self.cues = cue_runner(*script.cues)
        self.expectations = ExpectationWatch(
            script.expectations, script.head.duration_s, self.cues, self.world
        )

    @classmethod
    def load(
        cls, folder: Path, *, strict: bool, seed_offset: int = 0, image: str | None = None
    ) -> FakeSandbox:
        assert strict
        cls.loaded.append((Path(folder).name, seed_offset, image))
        return cls(Path(folder))

    def __enter__(self) -> FakeSandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed.append(self.name)

    def run(self) -> None:
        if self.fault:
            faults.record(self.fault, "something went wrong")
        for step in range(round(self.level.script.head.duration_s * 60)):
            self.cues.act(self.world, self.world, step)
            self.expectations.judge(self.world, step)


def leave(level: Path, way: Round, results: object, report: str, parent: Path) -> Path:
    """Evidence of a run over a fake sandbox: the report alone."""
    folder = parent / way.label(level.name)
    folder.mkdir(parents=True)
    (folder / "report.txt").write_text(report)
    return folder


@pytest.fixture
def levels(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder ``levels`` in a project of its own, run over a fake sandbox.

    The real thing is imported first: what is imported within an in-process run is dropped
    after it, and a second import would register every task and event class again.
    """
    importlib.import_module("game.evidence")
    monkeypatch.setitem(vars(game), "Sandbox", FakeSandbox)
    monkeypatch.setattr("game.evidence.leave_evidence", leave)
    FakeSandbox.loaded.clear()
    FakeSandbox.closed.clear()
    folder = pytester.path / "levels"
    folder.mkdir()
    return folder


def run(pytester: pytest.Pytester, *arguments: str) -> Any:
    return pytester.runpytest_inprocess(*arguments)


def test_a_level_that_meets_its_expectations_passes(
    pytester: pytest.Pytester, levels: Path
) -> None:
    """LVL-09: the four numbers are told."""
    write_level(levels / "good", map_text(), LEVEL_TOML + PASSES + PASSES)
    result = run(pytester, "levels")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["*expectations of 1 levels*", "2 passed, 0 passed with warnings, 0 failed, 0 not run"]
    )


def test_a_failing_level_tells_what_was_last_seen_and_how_to_look_at_it(
    pytester: pytest.Pytester, levels: Path
) -> None:
    """Engineering notes: what was last seen, and the one command that opens the level."""
    write_level(levels / "bad", map_text(), LEVEL_TOML + FAILS)
    result = run(pytester, "levels")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "failed: courier: movement.retry_count is 9 by 1 s",
            "*last seen: movement.retry_count = 0 at 1.000 s",
            f"to look at it: bystander play {levels / 'bad'}",
            "0 passed, 0 passed with warnings, 1 failed, 0 not run",
        ]
    )


def test_a_failing_level_leaves_its_last_seconds(pytester: pytest.Pytester, levels: Path) -> None:
    """Engineering notes: and the report says where; a level that passes leaves nothing."""
    write_level(levels / "bad", map_text(), LEVEL_TOML + FAILS)
    write_level(levels / "good", map_text(), LEVEL_TOML + PASSES)
    result = run(pytester, "levels")
    folder = pytester.path / "failed-levels" / "bad"
    result.stdout.fnmatch_lines([f"its last seconds: {folder}"])
    assert "failed: courier" in (folder / "report.txt").read_text()
    assert [each.name for each in folder.parent.iterdir()] == ["bad"]


def test_no_evidence_is_left_where_none_is_wanted(pytester: pytest.Pytester, levels: Path) -> None:
    write_level(levels / "bad", map_text(), LEVEL_TOML + FAILS)
    run(pytester, "levels", "--evidence", "").assert_outcomes(failed=1)
    assert not (pytester.path / "failed-levels").exists()


def test_evidence_that_cant_be_left_hides_no_failure(
    pytester: pytest.Pytester, levels: Path
) -> None:
    write_level(levels / "bad", map_text(), LEVEL_TOML + FAILS)
    (pytester.path / "failed-levels").touch()
    result = run(pytester, "levels")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["failed: courier*", "no evidence could be left: *"])


def test_warnings_are_told_though_the_level_passes(pytester: pytest.Pytester, levels: Path) -> None:
    """LVL-09: passed never hides warnings."""
    write_level(levels / "warned", map_text(), LEVEL_TOML + WARNS)
    result = run(pytester, "levels")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        [
            "0 passed, 1 passed with warnings, 0 failed, 0 not run",
            "warned: cue 'hold' was refused: NOT_TRAVELLING",
        ]
    )


def test_a_level_without_expectations_fails(pytester: pytest.Pytester, levels: Path) -> None:
    """Engineering notes: zero expectations in a level is a failure."""
    write_level(levels / "empty", map_text(), LEVEL_TOML)
    result = run(pytester, "levels")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["the level has no expectations*"])


def test_a_folder_of_levels_without_a_level_fails(pytester: pytest.Pytester, levels: Path) -> None:
    """Engineering notes: zero levels found is a failure, even beside tests that pass."""
    pytester.makepyfile("def test_something(): pass")
    result = run(pytester, ".", "levels")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*no levels found; nothing would be tested*"])


@pytest.mark.expects_faults
@pytest.mark.parametrize(("expected", "passed"), [("", False), ("round_cap", True)])
def test_a_fault_fails_the_level_unless_it_names_it(
    pytester: pytest.Pytester,
    levels: Path,
    monkeypatch: pytest.MonkeyPatch,
    expected: str,
    passed: bool,
) -> None:
    """TASK-02: a level run fails if the fault list holds anything but what the level names."""
    monkeypatch.setattr(FakeSandbox, "fault", "round_cap")
    head = LEVEL_TOML + (f'expected_faults = ["{expected}"]\n' if expected else "")
    write_level(levels / "faulty", map_text(), head + PASSES)
    result = run(pytester, "levels")
    result.assert_outcomes(passed=int(passed), failed=int(not passed))
    if not passed:
        result.stdout.fnmatch_lines(["fault left: round_cap: something went wrong"])


def test_a_level_that_is_refused_is_one_sentence(pytester: pytest.Pytester, levels: Path) -> None:
    write_level(levels / "broken", map_text(), LEVEL_TOML + "[[cue]]\ndo = 'x'\n")
    result = run(pytester, "levels")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["broken/level.toml:*: cue[[]0[]]: unknown kind of cue 'x'*"])
    assert "Traceback" not in result.stdout.str()


def test_a_level_file_of_another_program_is_left_alone(
    pytester: pytest.Pytester, levels: Path
) -> None:
    (levels / "level.toml").write_text("x = 1")
    pytester.makepyfile("def test_something(): pass")
    run(pytester, ".").assert_outcomes(passed=1)


def test_further_seeds_and_images_are_items_of_their_own(
    pytester: pytest.Pytester, levels: Path
) -> None:
    """LVL-08: the level as it is comes first, and each run has a name of its own."""
    write_level(levels / "good", map_text(), LEVEL_TOML + PASSES)
    result = run(pytester, "levels", "--seeds", "2", "--mirror", "--rotate", "-v")
    result.assert_outcomes(passed=6)
    result.stdout.fnmatch_lines(["*::good[[]turned, seed+1] PASSED*"])
    assert FakeSandbox.loaded == [
        ("good", 0, None),
        ("good", 1, None),
        ("good", 0, "mirrored"),
        ("good", 1, "mirrored"),
        ("good", 0, "turned"),
        ("good", 1, "turned"),
    ]


def test_no_seeds_at_all_is_a_wrong_argument(pytester: pytest.Pytester, levels: Path) -> None:
    """Engineering notes: nothing tested is nothing proven."""
    write_level(levels / "good", map_text(), LEVEL_TOML + PASSES)
    result = run(pytester, "levels", "--seeds", "0")
    result.stderr.fnmatch_lines(["*--seeds: seeds = 0: give 1 to 10000*"])
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_levels_carry_a_mark(pytester: pytest.Pytester, levels: Path) -> None:
    write_level(levels / "good", map_text(), LEVEL_TOML + PASSES)
    run(pytester, "levels", "-m", "level").assert_outcomes(passed=1)
    run(pytester, "levels", "-m", "not level").assert_outcomes(deselected=1)


def test_tests_get_sandboxes_that_are_closed_behind_them(
    pytester: pytest.Pytester, levels: Path
) -> None:
    """Product section 4: the fixture ``sandbox`` loads any number of levels."""
    write_level(levels / "good", map_text(), LEVEL_TOML)
    pytester.makepyfile(
        """
        def test_two(sandbox):
            first, second = sandbox("levels/good"), sandbox("levels/good", seed_offset=3)
            assert first.level.script.head.seed == 1
        """
    )
    run(pytester).assert_outcomes(passed=1, failed=1)
    assert ("good", 3, None) in FakeSandbox.loaded
    assert FakeSandbox.closed == ["good"] * 3
