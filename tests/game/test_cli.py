"""The command line: results on standard output, failures in one sentence with status 2."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def bystander(
    *arguments: str, cwd: Path = ROOT, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the program as a user does, without a screen unless the caller asks for a driver."""
    surroundings = {key: value for key, value in os.environ.items() if key != "SDL_VIDEODRIVER"}
    surroundings |= {"PYTHONPATH": str(ROOT), "COLUMNS": "200"} | environment
    return subprocess.run(
        [sys.executable, "-m", "game", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env=surroundings,
    )


def assert_refused(result: subprocess.CompletedProcess[str], *words: str) -> None:
    """Status 2, nothing on standard output, one sentence that holds the words."""
    assert result.returncode == 2, result.stdout + result.stderr
    assert result.stdout == ""
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    for word in words:
        assert word in lines[0], lines[0]


@pytest.fixture
def broken_level(tmp_path: Path) -> Path:
    """A copy of a shipped level to break."""
    folder = tmp_path / "broken"
    shutil.copytree(ROOT / "levels" / "pickup", folder)
    return folder


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text that must be there."""
    text = path.read_text(encoding="utf-8")
    assert old in text, old
    path.write_text(text.replace(old, new), encoding="utf-8")


# -- results ---------------------------------------------------------------------


def test_a_run_prints_one_json_object_and_passes_twice_with_one_fingerprint() -> None:
    """LVL-08, product.md section 4: ``run --json`` parses, and repeats bit for bit."""
    first, second = (json.loads(bystander("run", "pickup", "--json").stdout) for _ in range(2))
    assert first["passed"] is True
    assert first["summary"]["failed"] == 0
    assert first["summary"]["passed"] == len(first["expectations"]) > 0
    assert first["fingerprint"] == second["fingerprint"]
    assert first["steps"] == round(first["seconds"] * 60)


def test_another_seed_still_passes() -> None:
    """LVL-01: the pickup does not hang on its seed."""
    result = bystander("run", "pickup", "--json", "--seed", "99")
    assert result.returncode == 0
    assert json.loads(result.stdout)["seed"] == 99


def test_a_run_that_is_cut_short_fails_with_status_1() -> None:
    """LVL-09: what was not run is no pass."""
    result = bystander("run", "pickup", "--seconds", "2", "--json")
    assert result.returncode == 1
    assert json.loads(result.stdout)["summary"]["not_run"] > 0


def test_a_run_as_text_ends_with_its_fingerprint() -> None:
    result = bystander("run", "pickup")
    assert result.returncode == 0
    assert result.stdout.strip().splitlines()[-1].startswith("fingerprint ")
    assert result.stderr == ""


def test_levels_lists_every_shipped_level() -> None:
    result = bystander("levels")
    assert result.returncode == 0
    for folder in (ROOT / "levels").iterdir():
        if (folder / "level.toml").is_file():
            assert folder.name in result.stdout


def test_check_prints_a_schema_for_editors() -> None:
    """Section 8: on standard output, as JSON and nothing else."""
    result = bystander("check", "--schema")
    assert result.returncode == 0
    assert "cue" in json.loads(result.stdout)["properties"]


@pytest.mark.parametrize("arguments", [(), ("--schema", "levels")])
def test_check_needs_folders_or_the_question_for_the_schema(arguments: tuple[str, ...]) -> None:
    assert_refused(bystander("check", *arguments), "--schema")


def test_check_accepts_every_shipped_level() -> None:
    """LVL-34: and every test level."""
    result = bystander("check", str(ROOT / "levels"))
    assert result.returncode == 0, result.stderr
    assert "pickup: ok" in result.stdout


def test_test_writes_a_junit_report(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    result = bystander("test", "pickup", "--junit", str(report))
    assert result.returncode == 0, result.stdout + result.stderr
    suite = ElementTree.parse(report).getroot()[0]
    assert suite.get("name") == "pickup"
    assert suite.get("failures") == "0"
    assert int(suite.get("tests") or 0) == len(suite) > 0


@pytest.mark.parametrize("command", ["play", "run", "test", "levels", "check"])
def test_every_command_has_help(command: str) -> None:
    result = bystander(command, "--help")
    assert result.returncode == 0
    assert "Usage" in result.stdout


# -- failures a user can cause -----------------------------------------------------


def test_an_unknown_level_is_answered_with_the_nearest_name() -> None:
    for command in ("run", "test", "play"):
        assert_refused(bystander(command, "pikcup"), "pikcup", "'pickup'")


def test_a_missing_map_is_named(broken_level: Path) -> None:
    (broken_level / "map.tmx").unlink()
    assert_refused(bystander("run", str(broken_level)), "map.tmx")


def test_a_broken_map_is_named(broken_level: Path) -> None:
    (broken_level / "map.tmx").write_text("<map", encoding="utf-8")
    assert_refused(bystander("run", str(broken_level)), "map.tmx")


def test_an_unknown_object_class_is_named_with_a_suggestion(broken_level: Path) -> None:
    edit(broken_level / "map.tmx", 'type="bollard"', 'type="bolard"')
    assert_refused(bystander("run", str(broken_level)), "bolard", "bollard")


def test_a_cue_for_an_object_that_does_not_exist_is_named(broken_level: Path) -> None:
    edit(broken_level / "level.toml", 'object = "car_a"', 'object = "car_x"')
    assert_refused(bystander("run", str(broken_level)), "car_x", "car_a")


def test_a_goal_off_walkable_ground_is_named(broken_level: Path) -> None:
    """ORD-25: a level's goal is refused at load."""
    edit(broken_level / "level.toml", "offset = [-200.0, 0.0, 0.0]", "offset = [-2.0, 0.0, 0.0]")
    assert_refused(bystander("run", str(broken_level)), "level.toml", "walkable")


def test_an_unknown_key_of_the_level_file_is_named(broken_level: Path) -> None:
    edit(broken_level / "level.toml", "duration_s = ", "durations = ")
    assert_refused(bystander("check", str(broken_level)), "level.toml")


def test_tuning_files_are_laid_over_the_shipped_ones(tmp_path: Path) -> None:
    """TASK-118: a file in ``--tuning`` is read in place of the shipped one, faults are its own."""
    shipped = (ROOT / "assets" / "tuning" / "wander.toml").read_text(encoding="utf-8")
    own = tmp_path / "wander.toml"
    own.write_text(shipped.replace("goal_near = 800.0", "goal_near = -1.0"), encoding="utf-8")
    arguments = ("run", "block", "--seconds", "1", "--tuning")
    assert_refused(bystander(*arguments, str(tmp_path)), str(own), "goal_near", "-1.0")
    assert_refused(bystander(*arguments, str(tmp_path / "no")), "--tuning", "is no folder")
    own.rename(tmp_path / "wonder.toml")
    assert_refused(bystander(*arguments, str(tmp_path)), "wonder.toml", "wander.toml")


def test_the_physics_tuning_comes_from_another_folder(tmp_path: Path) -> None:
    """TASK-110: ``--physics-tuning`` names a folder."""
    arguments = ("run", "block", "--seconds", "1", "--physics-tuning", str(tmp_path / "no"))
    assert_refused(bystander(*arguments), "--physics-tuning", "is no folder")


def test_playing_without_a_screen_names_what_works_without_one() -> None:
    """F11: one sentence, status 2."""
    result = bystander("play", "pickup", DISPLAY="", WAYLAND_DISPLAY="")
    assert_refused(result, "run", "record")


def test_a_screenshot_needs_frames() -> None:
    assert_refused(bystander("play", "pickup", "--screenshot", "x.png"), "--frames")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run",), "Missing argument"),
        (("run", "pickup", "--seed", "x"), "'--seed'"),
        (("play", "--frms", "3"), "--frames"),
        (("runn",), "'run'"),
        (("levels", "extra"), "(extra)"),
        (("play", "pickup", "--image", "upside_down"), "mirrored and turned"),
        (("test", "pickup", "--seeds", "0"), "give 1 to 10000"),
    ],
)
def test_a_wrong_argument_is_one_sentence(arguments: tuple[str, ...], said: str) -> None:
    """Section 10: no box, no traceback, and where to read more."""
    assert_refused(bystander(*arguments), said)


def test_the_version_is_the_packages() -> None:
    result = bystander("--version")
    assert result.returncode == 0
    assert re.fullmatch(r"bystander \d+\.\d+\.\d+\n", result.stdout)


def test_a_wrong_number_of_seconds_is_named() -> None:
    assert_refused(bystander("run", "pickup", "--seconds", "0"), "--seconds")


def unwritable(tmp_path: Path, ending: str) -> list[str]:
    """Names under which no file can come to be."""
    (tmp_path / f"folder{ending}").mkdir()
    (tmp_path / "file").touch()
    return [
        "",
        str(tmp_path / f"folder{ending}"),
        str(tmp_path / "nowhere" / f"x{ending}"),
        str(tmp_path / "file" / f"x{ending}"),
        str(tmp_path / ("x" * 300 + ending)),
    ]


def test_a_screenshot_that_cannot_be_written_is_refused_before_anything_is_drawn(
    tmp_path: Path,
) -> None:
    """product.md section 4: one sentence for every place that takes no file."""
    for name in unwritable(tmp_path, ".png"):
        result = bystander(
            "play", "pickup", "--frames", "1", "--screenshot", name, SDL_VIDEODRIVER="dummy"
        )
        assert_refused(result, name)


@pytest.mark.parametrize("name", ["shot.jpg", "shot.txt", "shot"])
def test_a_screenshot_is_a_png_and_is_called_so(tmp_path: Path, name: str) -> None:
    """Another ending would stand for another kind of picture."""
    file = tmp_path / name
    result = bystander(
        "play", "pickup", "--frames", "1", "--screenshot", str(file), SDL_VIDEODRIVER="dummy"
    )
    assert_refused(result, name, ".png")
    assert not file.exists()


def test_a_report_that_cannot_be_written_is_refused_before_anything_runs(tmp_path: Path) -> None:
    for name in unwritable(tmp_path, ".xml"):
        assert_refused(bystander("test", "pickup", "--junit", name), name)


def test_a_video_that_cannot_be_written_is_refused_before_anything_runs(tmp_path: Path) -> None:
    for name in unwritable(tmp_path, ".mp4")[1:]:
        assert_refused(bystander("record", "pickup", "-o", name), name)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
@pytest.mark.parametrize("arguments", [("run", "pickup", "--json"), ("run", "pickup"), ("levels",)])
def test_a_full_disk_behind_standard_output_is_one_sentence(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [sys.executable, "-m", "game", *arguments],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert result.returncode == 2
    assert len(result.stderr.strip().splitlines()) == 1, result.stderr


def test_a_path_that_is_too_long_is_refused_by_every_command_that_takes_one() -> None:
    for command in ("run", "play", "test", "check"):
        assert_refused(bystander(command, "x" * 5000), "xxxxx")


def test_square_brackets_in_a_level_are_words_and_no_markup(broken_level: Path) -> None:
    """Title, expectation and folder may hold what the tables take for markup."""
    folder = broken_level.with_name("[red]a[b]")
    broken_level.rename(folder)
    edit(folder / "level.toml", 'title = "Pickup', 'title = "[b]Pickup[/blue]')
    edit(folder / "level.toml", 'text = "The courier', 'text = "[/red] The courier')
    for command in ("run", "test"):
        result = bystander(command, str(folder))
        assert result.returncode == 0, result.stderr
        assert "[red]a[b]" in result.stdout
    assert "[/red] The courier" in bystander("run", str(folder)).stdout


def test_a_seed_is_as_large_as_a_level_may_name_one() -> None:
    assert bystander("run", "pickup", "--seed", str(2**63 - 1)).returncode == 0
    assert bystander("run", "pickup", "--seed", str(2**63)).returncode == 2


def test_frames_under_a_driver_without_a_screen_are_drawn_and_saved(tmp_path: Path) -> None:
    """product.md section 4: ``--frames N --screenshot FILE`` under SDL's dummy driver."""
    file = tmp_path / "shot.png"
    result = bystander(
        "play", "pickup", "--frames", "5", "--screenshot", str(file), SDL_VIDEODRIVER="dummy"
    )
    assert result.returncode == 0, result.stderr
    assert file.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert result.stdout == ""


def test_why_tells_what_a_ped_decided() -> None:
    """EVT-96: the decision trace as text, of a moment of a run that is played anew."""
    result = bystander("why", "reactions", "--ped", "oda", "--at", "6")
    assert result.returncode == 0
    assert result.stdout.startswith("oda at 6.00 s (seed ")
    assert "SHOCKING_EXPLOSION" in result.stdout
    assert "ROLL" in result.stdout


def test_why_shows_a_brain_as_text_and_as_a_graph() -> None:
    """HSM-33: states of the machine, resources; the same as a graph."""
    text = bystander("why", "guards", "--ped", "guard", "--step", "60", "--brain").stdout
    assert " step 60 gen " in text.splitlines()[0]
    assert text.splitlines()[-2].startswith("resources mover=")
    graph = bystander("why", "guards", "--ped", "guard", "--step", "60", "--brain", "--dot").stdout
    assert graph.startswith("digraph brain {")


def test_why_refuses_what_it_can_not_tell() -> None:
    """Product.md section 4: one sentence, status 2."""
    assert_refused(bystander("why", "pickup", "--ped", "curier"), "'curier'", "'courier'")
    assert_refused(bystander("why", "pickup", "--ped", "courier", "--brain"), "--brain")
    assert_refused(bystander("why", "pickup", "--ped", "courier", "--dot"), "--brain")
    assert_refused(bystander("why", "pickup", "--ped", "courier", "--at", "-1"), "--at")
    both = ("--at", "1", "--step", "2")
    assert_refused(bystander("why", "pickup", "--ped", "courier", *both), "--step")
