"""Runs of levels as the window plays them: one at a time, restarted or exchanged for another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ai import settings
from game.closing import ClosedAtEnd
from game.levels.errors import LevelError
from game.levels.judge import Outcome
from game.levels.level_file import read_level_file
from game.levels.level_folder import LevelFolder
from game.levels.library import LevelLibrary
from game.render.camera import ViewPoint
from game.sandbox import Sandbox
from game.ui.errors import SessionRefused
from game.ui.session import LevelEntry, Mark, Objective
from game.world.world import World

_MARKS = {Outcome.PASSED: Mark.REACHED, Outcome.FAILED: Mark.MISSED}


class LevelSession:
    """A sandbox as the window sees it."""

    def __init__(self, box: Sandbox) -> None:
        self._box = box

    @property
    def world(self) -> World:
        """The world of this run."""
        return self._box.world

    @property
    def view(self) -> ViewPoint:
        """The level's own camera."""
        return self._box.scene.stage.camera

    @property
    def caption(self) -> str:
        """The caption of the present step, or nothing."""
        return self._box.scene.stage.captions.at(self._box.world.clock.step)

    @property
    def objectives(self) -> list[Objective]:
        """The expectations that the level words for players, and how they stand."""
        return [
            Objective(one.sentence, _MARKS.get(one.outcome, Mark.OPEN))
            for one in self._box.expectations.results()
            if one.objective
        ]

    def step(self) -> None:
        """Advance by one step."""
        self._box.step()

    def run_to(self, time_s: float) -> None:
        """Advance to a time of the run, unless it is past it."""
        self._box.run_for(max(0.0, time_s - self._box.time_s))


class LevelSessions(ClosedAtEnd):
    """Runs of shipped levels for the window, one at a time; a context that ends the last.

    Raises ``LevelError`` for a first level that can't be used.
    """

    def __init__(
        self, level: str | Path, *, seed: int | None, strict: bool, image: str | None = None
    ) -> None:
        self._library = LevelLibrary.shipped()
        self._strict = strict
        self._strict_before = settings.strict
        self._box = Sandbox.load(level, seed=seed, image=image, strict=strict)

    @property
    def present(self) -> LevelSession:
        """The run that goes on."""
        return LevelSession(self._box)

    def levels(self) -> list[LevelEntry]:
        """The shipped levels; one that is damaged is left out, as ``check`` says why."""
        entries: list[LevelEntry] = []
        for name, folder in self._library.folders().items():
            try:
                head = read_level_file(LevelFolder(folder)).head
            except LevelError:
                continue
            entries.append(LevelEntry(name, head.title, head.description))
        return entries

    def restart(self) -> LevelSession:
        """The present level from its beginning, with the same seed."""
        level, seed = self._box.level, self._box.world.seed
        return self._begin(lambda: Sandbox(level, seed=seed, strict=self._strict))

    def open(self, name: str) -> LevelSession:
        """Another level, by name, with its own seed."""
        return self._begin(lambda: Sandbox.load(name, strict=self._strict))

    def _begin(self, make: Callable[[], Sandbox]) -> LevelSession:
        """The new run is made before the old one ends: a refusal leaves the old one running."""
        try:
            box = make()
        except LevelError as error:
            raise SessionRefused(str(error)) from error
        self._box.close()
        settings.strict = self._strict
        self._box = box
        return self.present

    def close(self) -> None:
        """End the present run; strict checks are as they were before the first."""
        self._box.close()
        settings.strict = self._strict_before
