"""``Sandbox``: a level played headless, as a library (product.md section 4)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Self

from ai import settings
from ai.events.trace import FactTrace
from ai.peds.ped import Ped
from ai.peds.trace_rows import StateTrace
from ai.ports import STEP_S
from game.closing import ClosedAtEnd
from game.levels.expectations import ExpectationWatch
from game.levels.level import Level
from game.levels.loading import check_goals, find_level
from game.levels.scene import LevelScene
from game.levels.transforms import TRANSFORMS, transformed
from game.world.world import World, room_for_peds
from game.world.world_data import shipped_world_data


class StillWaiting(AssertionError):
    """``run_until`` ran out of time; the text says what was last seen."""


class Sandbox(ClosedAtEnd):
    """One run of one level, stepped by the caller.

    Raises ``LevelError`` for a level whose peds or goals are off its walkable ground.

    - ``seed`` replaces the level's own; the same level, seed and steps give the same
      ``fingerprint``.
    - ``strict`` runs the strict checks and the invariants of every step.
    - ``trace`` keeps one row per ped per step in ``state_trace`` (NAV-23).

    Usable as a context manager; ``close`` gives back what the run held.
    """

    def __init__(
        self,
        level: Level,
        *,
        seed: int | None = None,
        strict: bool | None = None,
        trace: bool = False,
    ) -> None:
        self.level = level
        self._strict_before = settings.strict
        if strict is not None:
            settings.strict = strict
        self.world = World(
            level.description,
            seed=seed,
            data=shipped_world_data(),
            strict=settings.strict,
            state_trace=trace,
            ped_capacity=room_for_peds(level.description, level.ped_spawns),
        )
        check_goals(level, self.world.data, self.world.surface)
        self.scene = LevelScene(level, self.world)
        self.world.scene = self.scene
        self._closed = False

    @classmethod
    def load(
        cls,
        level: str | Path,
        *,
        seed: int | None = None,
        seed_offset: int = 0,
        image: str | None = None,
        strict: bool | None = None,
        trace: bool = False,
    ) -> Self:
        """Load a shipped level by name, or any level by its folder.

        - ``seed_offset`` is added to the level's own seed, if ``seed`` does not replace it.
        - ``image``: ``"mirrored"`` or ``"turned"``, to run on that image of its map (LVL-08).

        Raises ``LevelError`` in one sentence for a level that can't be used.
        """
        found = find_level(level, shipped_world_data())
        if image is not None:
            found = transformed(found, TRANSFORMS[image])
        if seed is None:
            seed = found.description.seed + seed_offset
        return cls(found, seed=seed, strict=strict, trace=trace)

    # -- running -----------------------------------------------------------------

    def step(self, count: int = 1) -> None:
        """Advance by a number of steps of 1/60 s."""
        for _ in range(count):
            self.world.step()

    def run(self, seconds: float | None = None) -> None:
        """Advance by a time, rounded to whole steps; without one, to the level's own end."""
        if seconds is None:
            seconds = max(self.level.duration_s - self.time_s, 0.0)
        self.step(round(seconds / STEP_S))

    def run_until(self, predicate: Callable[[], bool], timeout_s: float) -> int:
        """Advance until the predicate holds; returns the steps taken.

        It is asked before the first and after every step, the last included. Raises
        ``StillWaiting`` if it holds at none of them.
        """
        limit = round(timeout_s / STEP_S)
        for taken in range(limit + 1):
            if predicate():
                return taken
            if taken < limit:
                self.world.step()
        raise StillWaiting(
            f"did not come to hold within {timeout_s:g} s; at {self.time_s:.2f} s: {self._people()}"
        )

    def _people(self) -> str:
        return "; ".join(
            f"{ped.name} at ({ped.position.x:.0f}, {ped.position.y:.0f}), "
            f"movement {ped.movement.status.name}, order {ped.order.status.name}"
            for ped in self.world.peds.in_id_order()
        )

    # -- reading -----------------------------------------------------------------

    def ped(self, name: str) -> Ped:
        """The ped of that name.

        Raises ``KeyError`` naming those that are there.
        """
        found = self.world.peds.by_name(name)
        if found is None:
            names = ", ".join(ped.name for ped in self.world.peds.in_id_order())
            raise KeyError(f"no ped is called {name!r}; there are: {names}")
        return found

    @property
    def time_s(self) -> float:
        """Simulated time so far."""
        return self.world.clock.time_s

    @property
    def fingerprint(self) -> str:
        """Hash over all ped and prop states of every step so far."""
        return self.world.fingerprint.hexdigest()

    @property
    def facts(self) -> FactTrace:
        """What happened to whom, with step and phase."""
        return self.world.facts

    @property
    def state_trace(self) -> StateTrace:
        """State rows of every step.

        Raises ``ValueError`` if the sandbox was made without ``trace=True``.
        """
        if self.world.state_trace is None:
            raise ValueError("no state trace is kept; load the sandbox with trace=True")
        return self.world.state_trace

    @property
    def expectations(self) -> ExpectationWatch:
        """What the level expects, and how it stands."""
        return self.scene.expectations

    # -- ending ------------------------------------------------------------------

    def close(self) -> None:
        """Give everything back; a second call does nothing."""
        if not self._closed:
            self._closed = True
            self.world.close()
            settings.strict = self._strict_before
