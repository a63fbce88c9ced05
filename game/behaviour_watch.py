"""Behaviour files that change while the street is played (ACT-26), in debug mode.

Looks at the files between two frames, now and then. Every ped that runs a changed file goes
on with it from its latest target; a broken file is told and the old one stays.
"""

from __future__ import annotations

from pathlib import Path

from ai.machines.authoring.behaviour import Behaviour
from ai.machines.authoring.fault_report import BehaviourError
from ai.machines.authoring.library import BehaviourLibrary
from ai.machines.errors import BlackboardError
from game.world.world import World

EVERY_FRAMES = 30
"""Half a second: nobody saves a file any faster."""


class BehaviourWatch:
    """Reloads behaviours whose file has changed; ``library`` is what peds are made from."""

    def __init__(self, library: BehaviourLibrary) -> None:
        self._library = library
        self._frame = 0
        self._seen = {path: _stamp(path) for path in library.paths()}

    def frame(self, world: World) -> tuple[str, ...]:
        """Another frame is about to begin; returns what to tell, mostly nothing."""
        self._frame += 1
        return self.look(world) if self._frame % EVERY_FRAMES == 0 else ()

    def look(self, world: World) -> tuple[str, ...]:
        """Look at all files now."""
        told: list[str] = []
        for path, seen in self._seen.items():
            stamp = _stamp(path)
            if stamp == seen:
                continue
            self._seen[path] = stamp
            try:
                made = self._library.load(path)
            except BehaviourError as error:
                told.append(f"{error}; the old behaviour stays")
            except OSError as error:
                told.append(f"{path.name}: {error.strerror}; the old behaviour stays")
            else:
                told.append(self._taken_over(world, made))
        return tuple(told)

    def _taken_over(self, world: World, made: Behaviour) -> str:
        count = 0
        for ped in world.peds.in_id_order():
            brain = ped.brain
            if brain is None or brain.mind is None or brain.mind.mind != made.name:
                continue
            try:
                self._library.replace(brain, made)
            except BlackboardError as error:
                return str(error)
            count += 1
        return f"{made.name}: reloaded, {count} {'ped goes' if count == 1 else 'peds go'} by it"


def _stamp(path: Path) -> tuple[int, int] | None:
    """What changes with a file; None if it is gone."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
