"""What a failing level leaves: a picture, its last seconds, what happened, how to go there."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import av
import pytest

from game import Sandbox, resources
from game.evidence import leave_evidence
from game.levels.rounds import Round

WRONG = """
[[expect]]
text = "The courier never moves"
ped = "courier"
field = "movement.travelled"
more_than = 100.0
never = true
"""


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The evidence of a level that fails on the mirrored map with another seed."""
    base = tmp_path_factory.mktemp("evidence")
    level = base / "pickup"
    shutil.copytree(resources.shipped_levels() / "pickup", level)
    with (level / "level.toml").open("a", encoding="utf-8") as file:
        file.write(WRONG)
    way = Round(2, "mirrored")
    with Sandbox.load(level, seed_offset=2, image="mirrored") as box:
        box.run()
        box.expectations.finish()
        results = box.expectations.results()
    assert [one.outcome for one in results].count("failed") == 1
    return leave_evidence(level, way, results, "the report", base)


def rows(table: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))


def test_the_folder_is_called_after_the_run(left: Path) -> None:
    assert left.name == "pickup_mirrored_seed_2"
    assert sorted(path.name for path in left.iterdir()) == [
        "cues.csv",
        "facts.csv",
        "last_seconds.mp4",
        "last_seconds.vtt",
        "picture.png",
        "report.txt",
    ]


def test_the_report_ends_with_the_command_that_goes_there(left: Path) -> None:
    """Engineering notes: the one command that opens that level at that step."""
    report, command = (left / "report.txt").read_text().splitlines()
    assert report == "the report"
    words = command.removeprefix("to look at it there: ").split()
    assert words[:2] == ["bystander", "play"]
    assert words[3:6] == ["--seed", "9", "--at"]
    assert words[7:] == ["--image", "mirrored"]
    # 100 cm at 130 cm/s take 0.77 s after the order at 0.5 s, a little more with the start.
    assert 1.2 < float(words[6]) < 2.5


def test_the_film_ends_at_the_step_that_decided(left: Path) -> None:
    """Engineering notes: at most the last 5 s, here all from the beginning."""
    until_s = float((left / "report.txt").read_text().split("--at ")[1].split()[0])
    with av.open(str(left / "last_seconds.mp4")) as film:
        frames = sum(1 for _ in film.decode(video=0))
    assert frames == round(until_s * 30)


def test_what_happened_to_those_named_is_a_table(left: Path) -> None:
    """NAV-23: facts with step and phase, up to the moment; and the cues that acted."""
    facts = rows(left / "facts.csv")
    assert {row["ped"] for row in facts} == {"courier"}
    assert facts[1] == {
        "step": "30",
        "phase": "2",
        "ped": "courier",
        "fact": "ORDER_STARTED",
        "details": "1",
    }
    assert rows(left / "cues.csv")[0] == {"step": "30", "cue": "start"}


def test_the_picture_is_as_large_as_the_film(left: Path) -> None:
    import pygame

    assert pygame.image.load(left / "picture.png").get_size() == (960, 540)
