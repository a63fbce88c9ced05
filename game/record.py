"""``bystander record``: a level into a video, headless."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from game.level_sessions import LevelSession
from game.recording.film_director import FilmDirector
from game.recording.headless import drawing_without_window
from game.recording.plan import FilmPlan, parse_size, plan_film
from game.recording.recorder import film_session
from game.recording.take import Recording, Take
from game.render.camera import ViewPoint
from game.sandbox import Sandbox


class FilmedLevel(LevelSession):
    """A sandbox as the recorder sees it: as its level frames it, or else in film mode."""

    def __init__(self, box: Sandbox) -> None:
        super().__init__(box)
        self._director = None if box.level.has_camera else FilmDirector(box.world)

    @property
    def view(self) -> ViewPoint:
        """The level's own camera; where it has none, the director's."""
        return super().view if self._director is None else self._director

    def step(self) -> None:
        """Advance by one step."""
        super().step()
        if self._director is not None:
            self._director.after_step()

    @property
    def caption(self) -> str:
        """The caption of the step just run: it is there from the step of its cue on."""
        return self._box.scene.stage.captions.at(self._box.world.clock.step - 1)


def record_level(
    level: str | Path,
    target: Path,
    *,
    size: str = "1280x720",
    fps: int = 30,
    speed: float = 1.0,
    seconds: float | None = None,
    seed: int | None = None,
    overlay: bool = False,
    force: bool = False,
) -> Recording:
    """Record a level to its end, or for a time of its run, with progress on standard error.

    Raises ``LevelError`` for a level that can't be used and ``RecordingError`` for a
    recording that can't be made; what was recorded until then is kept as ``.part``.
    """
    wished = parse_size(size)
    with Sandbox.load(level, seed=seed) as box:
        plan = plan_film(
            box.level.duration_s if seconds is None else seconds,
            size=wished,
            fps=fps,
            speed=speed,
            overlay=overlay,
        )
        with Take(target, plan.size, plan.fps, force=force) as take:
            if wished != plan.size:
                width, height = plan.size
                print(f"{size} has an odd side; the video is {width}x{height}", file=sys.stderr)
            try:
                return _record(FilmedLevel(box), plan, take)
            except KeyboardInterrupt as stop:
                raise take.broken_off("it was stopped") from stop


def _record(session: FilmedLevel, plan: FilmPlan, take: Take) -> Recording:
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
    with progress, drawing_without_window():
        bar = progress.add_task("recording", total=plan.frames)
        film_session(session, plan, take, lambda: progress.advance(bar))
        progress.update(bar, description="checking")
        return take.finish()
