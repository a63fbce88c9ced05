"""What a failing level leaves behind: its last seconds to look at, and how to go there.

The level is run once more up to the step that decided against it; that a run repeats
is what makes this possible (LVL-08).
"""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Sequence
from pathlib import Path

from game.levels.expectations import ExpectationResult
from game.levels.judge import Outcome
from game.levels.rounds import Round
from game.levels.safe_names import safe_file_stem
from game.record import FilmedLevel
from game.recording.film import Film
from game.recording.headless import drawing_without_window
from game.recording.plan import plan_film
from game.recording.recorder import film_session
from game.recording.take import Take
from game.render.camera import ViewPoint
from game.sandbox import Sandbox
from game.ui.screenshots import write_screenshot
from game.whole_file import write_whole

FILM_S = 5.0
SIZE = (960, 540)
ZOOM_PX_PER_CM = 0.8
PEDS_MAX = 20
"""Facts of so many named peds are written out."""


class _PedView:
    """Looks at where a ped is, or where it was last."""

    def __init__(self, box: Sandbox, name: str, otherwise: ViewPoint) -> None:
        self._box = box
        self._name = name
        self.x = otherwise.x
        self.y = otherwise.y
        self.zoom_px_per_cm = ZOOM_PX_PER_CM
        self.pitch_deg = otherwise.pitch_deg

    def follow(self) -> None:
        ped = self._box.world.peds.by_name(self._name)
        if ped is not None:
            self.x, self.y = ped.position.x, ped.position.y


class _Watched(FilmedLevel):
    """A run filmed with the eyes on one of those whom the failure is about."""

    def __init__(self, box: Sandbox, subjects: Sequence[str]) -> None:
        super().__init__(box)
        names = [name for name in subjects if box.world.peds.by_name(name) is not None]
        self._ped_view = _PedView(box, names[0], super().view) if names else None
        self._look()

    @property
    def view(self) -> ViewPoint:
        """The ped's place, without one the level's own camera."""
        return super().view if self._ped_view is None else self._ped_view

    def step(self) -> None:
        """Advance, and look after the ped."""
        super().step()
        self._look()

    def _look(self) -> None:
        if self._ped_view is not None:
            self._ped_view.follow()


def leave_evidence(
    level: Path, way: Round, results: Sequence[ExpectationResult], report: str, parent: Path
) -> Path:
    """Write a folder about a failed run below ``parent``; returns the folder.

    - ``report.txt``: ``report``, and the command that opens a window at that step.
    - ``picture.png`` with overlays, and ``last_seconds.mp4``, up to the step that decided.
    - ``facts.csv``: what happened to the peds that the failed expectations name.
    - ``cues.csv``: which cue acted when.

    Files of an earlier failure of the same name are written over. Raises the errors of
    ``Sandbox``, ``Take`` and ``write_whole``.
    """
    failed = [one for one in results if one.outcome is Outcome.FAILED]
    with Sandbox.load(level, seed_offset=way.seed_offset, image=way.image, strict=False) as box:
        moments = [one.decided_s for one in failed if one.decided_s is not None]
        until_s = min(moments, default=box.level.duration_s)
        subjects = list(dict.fromkeys(name for one in failed for name in one.subjects))
        folder = parent / safe_file_stem(way.label(box.level.name))
        folder.mkdir(parents=True, exist_ok=True)
        _film(box, subjects, until_s, folder)
        write_whole(folder / "facts.csv", _facts(box, subjects[:PEDS_MAX]))
        write_whole(folder / "cues.csv", _cues(box))
        opened = _opened(level, way, box.world.seed, until_s)
        write_whole(folder / "report.txt", f"{report}\n{opened}\n".encode())
    return folder


def _film(box: Sandbox, subjects: Sequence[str], until_s: float, folder: Path) -> None:
    """Run on to the moment, and film the last of it."""
    box.run_for(max(0.0, until_s - FILM_S))
    filmed = _Watched(box, subjects)
    plan = plan_film(max(until_s - box.time_s, 0.1), size=SIZE, overlay=True)
    with drawing_without_window():
        with Take(folder / "last_seconds.mp4", plan.size, plan.fps, force=True) as take:
            film_session(filmed, plan, take, lambda: None)
            take.finish()
        canvas = Film(filmed, SIZE, overlay=True).draw(1.0, 0.0, 0.0)
        write_screenshot(canvas, folder / "picture.png")


def _facts(box: Sandbox, subjects: Sequence[str]) -> bytes:
    peds = [box.world.peds.by_name(name) for name in subjects]
    names = {ped.ped_id: ped.name for ped in peds if ped is not None}
    rows = [
        (fact.step, fact.phase, names[fact.ped_id], fact.fact, " ".join(map(str, fact.details)))
        for fact in box.facts
        if fact.ped_id in names
    ]
    return _table(("step", "phase", "ped", "fact", "details"), rows)


def _cues(box: Sandbox) -> bytes:
    return _table(("step", "cue"), [(step, cue) for cue, step in box.scene.cues.acted()])


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue().encode()


def _opened(level: Path, way: Round, seed: int, at_s: float) -> str:
    words = ["bystander", "play", str(level), "--seed", str(seed), "--at", f"{at_s:.3f}"]
    if way.image is not None:
        words += ["--image", way.image]
    return "to look at it there: " + shlex.join(words)
