"""``Sandbox``: a level played headless, as a library (product.md section 4)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ai import settings
from ai.events.trace import FactTrace
from ai.peds.ped import Ped
from ai.peds.trace_rows import StateTrace
from ai.ports import STEP_S
from game.closing import ClosedAtEnd
from game.levels.errors import LevelError, suggestion
from game.levels.expectations import ExpectationResult, ExpectationWatch
from game.levels.level import Level
from game.levels.level_file import read_cue
from game.levels.loading import check_goals, find_level
from game.levels.references import check_cue
from game.levels.scene import LevelScene
from game.levels.seen import Seen, kind_of
from game.levels.statements import Statements
from game.levels.transforms import TRANSFORMS, transformed
from game.levels.vocabulary import Vocabulary
from game.world.world import World, room_for_peds
from game.world.world_data import shipped_world_data


class StillWaiting(AssertionError):
    """``run_until`` ran out of time; the text says what was last seen."""


class CueRefused(AssertionError):
    """What was to be done (``Sandbox.do``) can't be done now; the text says why."""


class Unmet(AssertionError):
    """What was expected of a run (``Sandbox.expect``) did not come true; the text says what."""


class Sandbox(ClosedAtEnd):
    """One run of one level, stepped by the caller.

    Raises ``LevelError`` for a level whose peds or goals are off its walkable ground.

    - ``seed`` replaces the level's own; the same level, seed and steps give the same
      ``fingerprint``.
    - ``strict`` runs the strict checks and the invariants of every step.
    - Time is simulated time only: nothing here waits, or reads a clock.
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
        self._statements = Statements(
            level,
            self.scene.cues,
            self.scene.stage,
            own_seed=self.world.seed == level.description.seed,
        )
        self._watches: list[Seen] = []
        self._vocabulary = Vocabulary.of(self.world.data)
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
        """Advance by a number of steps of 1/60 s.

        Raises ``Unmet`` after the step that broke something expected.
        """
        for _ in range(count):
            self.world.step()
            step = self.world.clock.step - 1
            for watch in self._watches:
                watch.look(self.scene.stage, step)
            if self._statements.pending:
                _refuse(self._statements.judge(step))

    def run(self) -> None:
        """Advance to the level's own end."""
        self.run_for(max(self.level.duration_s - self.time_s, 0.0))

    def run_for(self, seconds: float) -> int:
        """Advance by a simulated time, rounded to whole steps; returns the steps taken."""
        count = round(seconds / STEP_S)
        self.step(count)
        return count

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
                self.step()
        raise StillWaiting(
            f"did not come to hold within {timeout_s:g} s; at {self.time_s:.2f} s: {self._people()}"
        )

    def _people(self) -> str:
        return "; ".join(
            f"{ped.name} at ({ped.position.x:.0f}, {ped.position.y:.0f}), "
            f"movement {ped.movement.status.name}, order {ped.order.status.name}"
            for ped in self.world.peds.in_id_order()
        )

    # -- acting ------------------------------------------------------------------

    def do(self, kind: str, **keys: Any) -> None:
        """Have something done now, in the words of a cue.

        ``box.do("order.start", ped="courier", object="car_a", offset=[-200.0, 0.0, 0.0])``

        Orders and script commands are queued and carried out in the next step; a
        refusal that comes then is a warning of the run, as one of a cue is.

        Raises ``LevelError`` for what a level would be refused for, with a hint, and
        ``CueRefused`` for what can't be done now, with the reason.
        """
        cue = read_cue({"do": kind, "at": self.time_s, **keys})
        check_cue(kind, cue, self.level.script, self.level.description, self._vocabulary)
        why_not = self.scene.cues.perform(self.scene.stage, kind, cue)
        if why_not is not None:
            raise CueRefused(f"{kind}: {why_not}")

    # -- expecting ---------------------------------------------------------------

    def expect(self, **statement: Any) -> None:
        """Expect something of the run from here on, in the words of ``[[expect]]``.

        ``box.expect(ped="courier", field="order.status", is_="COMPLETED", within=9.0)``

        - ``within`` without ``after`` counts from now; "the end" is where the run ends.
        - ``step`` and all that run it raise ``Unmet`` once it is broken; the end of the
          ``with`` block, or ``verify``, if it has not come true by then.

        Raises ``LevelError`` for a name, field or comparison that there is not, with a hint.
        """
        self._statements.add(statement, self.time_s)

    def verify(self) -> None:
        """What is expected must have come true by now.

        Raises ``Unmet`` with all that has not; nothing is expected any more afterwards.
        """
        _refuse(self._statements.finish())

    def watch(self, name: str, *fields: str) -> Seen:
        """Write fields of a ped, an object or ``"the run"`` down at the end of every step.

        Raises ``LevelError`` for a name or field that there is not, with a hint.
        """
        view = self.scene.stage
        of = kind_of(view, name)
        if of is None:
            known = [*self.level.everybody, *(one.name for one in self.world.things.in_id_order())]
            raise LevelError(f"watch: nothing is named '{name}'; {suggestion(name, known)}")
        seen = Seen(view, name, of, fields)
        self._watches.append(seen)
        return seen

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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close; without an error on the way, what was expected must have come true."""
        try:
            if kind is None:
                self.verify()
        finally:
            self.close()

    def close(self) -> None:
        """Give everything back; a second call does nothing."""
        if not self._closed:
            self._closed = True
            self.world.close()
            settings.strict = self._strict_before


def _refuse(unmet: list[ExpectationResult]) -> None:
    if unmet:
        raise Unmet("; ".join(f"{one.sentence} (last seen: {one.last_seen})" for one in unmet))
