"""Tuning files that change while the street is played (TASK-112), in debug mode.

Looks at the files between two frames, now and then. A changed file takes effect at
once; a broken one is told and the old values stay.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from ai.tuning import ReloadRefused, TuningError, TuningManager, tuning_manager

EVERY_FRAMES = 30
"""Half a second: nobody saves a file any faster."""

Stamp: TypeAlias = tuple[Path, int, int] | None


class TuningWatch:
    """Reloads groups whose file has changed, until it is closed."""

    def __init__(self, manager: TuningManager = tuning_manager) -> None:
        self._manager = manager
        self._frame = 0
        self._seen: dict[str, Stamp] = {
            group.name: self._stamp(group.name) for group in manager.groups()
        }
        manager.allows_reload = True

    def frame(self) -> tuple[str, ...]:
        """Another frame is about to begin; returns what to tell, mostly nothing."""
        self._frame += 1
        return self.look() if self._frame % EVERY_FRAMES == 0 else ()

    def look(self) -> tuple[str, ...]:
        """Look at all files now."""
        told: list[str] = []
        for group in self._manager.groups():
            stamp = self._stamp(group.name)
            if stamp == self._seen.get(group.name):
                continue
            self._seen[group.name] = stamp
            try:
                self._manager.reload(group.name)
            except (TuningError, ReloadRefused) as error:
                told.append(f"{error}; the old values stay")
            else:
                told.append(f"{group.name}: reloaded")
        return tuple(told)

    def _stamp(self, group: str) -> Stamp:
        """What changes with a file; None without one, or with two."""
        try:
            path = self._manager.path_of(group)
            if path is None:
                return None
            found = path.stat()
        except (OSError, TuningError):
            return None
        return path, found.st_mtime_ns, found.st_size

    def close(self) -> None:
        """Watch no more; from now on reloading is refused."""
        self._manager.allows_reload = False
