"""Playing timelines: heads, windows, and the log of what started and stopped (EVT-94).

Nothing here reaches the simulation: own random stream, no event, no task, no body (EVT-92).
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from game.render.timelines.timeline_files import Entry, Timeline

PLAYERS_MAX = 64
PIECES_MAX = 8
LOG_RECORDS = 256
SAME_PAIR_S = 0.2
Place = tuple[float, float, float]


class LogRecord(NamedTuple):
    """One start or stop of one entry."""

    time_s: float
    timeline: str
    entry: int
    type: str
    what: str
    owner: object
    intensity: float
    at: Place


class Stage(Protocol):
    """What entries act upon: particles, sounds, the camera, marks."""

    def start(self, entry: Entry, at: Place, intensity: float) -> None:
        """The head has come to the entry."""
        ...

    def update(self, entry: Entry, at: Place, intensity: float, dt_s: float) -> None:
        """A lasting entry goes on."""
        ...

    def stop(self, entry: Entry, at: Place) -> None:
        """A lasting entry is over; exactly once for each start."""
        ...


class Player:
    """One timeline being played for an owner.

    - ``intensity`` in [0, 1] and ``at`` may be set each frame. ``is_over``: nothing is left.
    - A window that lies within one frame still has its start and its stop.

    Invariant: ``_open`` holds the lasting entries that were started and not stopped.
    """

    def __init__(
        self,
        manager: TimelineManager,
        timeline: Timeline,
        owner: object,
        at: Place,
        intensity: float,
        pieces: Sequence[Place] = (),
    ) -> None:
        self.timeline = timeline
        self.owner = owner
        self.at = at
        self.intensity = intensity
        self.is_over = False
        self._manager = manager
        self._head_s = 0.0
        self._next = 0
        self._order = sorted(
            range(len(timeline.entries)), key=lambda number: timeline.entries[number].at_s
        )
        self._open: dict[int, None] = {}
        self._pieces = tuple(pieces[:PIECES_MAX])

    @property
    def is_continuous(self) -> bool:
        """It never makes room for another."""
        return self.timeline.mode == "continuous"

    def advance(self, dt_s: float) -> None:
        """Move the head by a frame."""
        if self.is_over:
            return
        left = dt_s
        while True:
            part = min(left, self.timeline.length_s - self._head_s)
            self._run_to(self._head_s + part, part)
            left -= part
            if self._head_s < self.timeline.length_s - 1e-9:
                return
            self._stop_open()
            if not self.timeline.loop:
                self.is_over = True
                return
            self._head_s = 0.0
            self._next = 0
            if left <= 0.0:
                return

    def stop(self) -> None:
        """The owner is gone: every open entry stops, once."""
        if not self.is_over:
            self.is_over = True
            self._stop_open()

    def _run_to(self, head_s: float, dt_s: float) -> None:
        entries = self.timeline.entries
        self._head_s = head_s
        while self._next < len(self._order) and entries[self._order[self._next]].at_s <= head_s:
            number = self._order[self._next]
            self._next += 1
            self._tell("start", number)
            if entries[number].ranged:
                self._open[number] = None
        for number in list(self._open):
            until = entries[number].until_s
            assert until is not None
            if until <= head_s:
                del self._open[number]
                self._tell("stop", number)
            else:
                for at in self._places(entries[number]):
                    self._manager.stage.update(entries[number], at, self.intensity, dt_s)

    def _stop_open(self) -> None:
        open_now, self._open = self._open, {}
        for number in open_now:
            self._tell("stop", number)

    def _tell(self, what: str, number: int) -> None:
        entry = self.timeline.entries[number]
        for at in self._places(entry):
            if what == "start":
                self._manager.stage.start(entry, at, self.intensity)
            else:
                self._manager.stage.stop(entry, at)
            self._manager.note(self, number, what, at)

    def _places(self, entry: Entry) -> Sequence[Place]:
        return self._pieces if entry.per_piece and self._pieces else (self.at,)


class TimelineManager:
    """All players of a picture, oldest first, and the log.

    - ``advance`` is called once a frame; with 0 s, or not at all, nothing moves: a pause.
    """

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.rng = random.Random(0)
        self.time_s = 0.0
        self.log: deque[LogRecord] = deque(maxlen=LOG_RECORDS)
        self._players: list[Player] = []
        self._attached: dict[object, Player] = {}
        self._last_hit: dict[object, float] = {}

    def __len__(self) -> int:
        return len(self._players)

    def attach(
        self, timeline: Timeline, owner: object, at: Place, intensity: float = 1.0
    ) -> Player | None:
        """Play for as long as the owner is there; an owner has one player."""
        known = self._attached.get(owner)
        if known is not None:
            known.at, known.intensity = at, intensity
            return known
        player = self._play(timeline, owner, at, intensity)
        if player is not None:
            self._attached[owner] = player
        return player

    def detach(self, owner: object) -> None:
        """The owner is gone."""
        player = self._attached.pop(owner, None)
        if player is not None:
            player.stop()

    def owners(self) -> list[object]:
        """Who has a player attached."""
        return list(self._attached)

    def collide(
        self,
        timeline: Timeline,
        pair: object,
        at: Place,
        impulse: float,
        bounds: tuple[float, float],
    ) -> Player | None:
        """Play once for a hit; its intensity is where the impulse lies within the bounds.

        Nothing below them, and nothing again for the pair within a fifth of a second.
        """
        low, high = bounds
        last = self._last_hit.get(pair)
        if impulse < low or (last is not None and self.time_s - last < SAME_PAIR_S):
            return None
        self._last_hit[pair] = self.time_s
        return self._play(timeline, pair, at, min((impulse - low) / (high - low), 1.0))

    def break_apart(
        self, timeline: Timeline, owner: object, at: Place, pieces: Sequence[Place] = ()
    ) -> Player | None:
        """Play once for a breakage; entries a piece play where each of the pieces is."""
        return self._play(timeline, owner, at, 1.0, pieces)

    def advance(self, dt_s: float) -> None:
        """A frame has passed."""
        if dt_s <= 0.0:
            return
        self.time_s += dt_s
        for player in self._players:
            player.advance(dt_s)
        self._players = [one for one in self._players if not one.is_over]
        if len(self._last_hit) > LOG_RECORDS:
            self._last_hit = {
                pair: last
                for pair, last in self._last_hit.items()
                if self.time_s - last < SAME_PAIR_S
            }

    def note(self, player: Player, number: int, what: str, at: Place) -> None:
        """Write a start or stop down."""
        entry = player.timeline.entries[number]
        self.log.append(
            LogRecord(
                self.time_s,
                player.timeline.name,
                number,
                entry.type,
                what,
                player.owner,
                player.intensity,
                at,
            )
        )

    def _play(
        self,
        timeline: Timeline,
        owner: object,
        at: Place,
        intensity: float,
        pieces: Sequence[Place] = (),
    ) -> Player | None:
        if len(self._players) >= PLAYERS_MAX and not self._make_room():
            return None
        player = Player(self, timeline, owner, at, intensity, pieces)
        self._players.append(player)
        return player

    def _make_room(self) -> bool:
        """The oldest one-shot goes first, a continuous one never."""
        for player in self._players:
            if not player.is_continuous:
                player.stop()
                self._players.remove(player)
                return True
        return False
