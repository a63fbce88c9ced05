"""Hit stops: who is struck is held as drawn for a moment, then catches up (section 11).

Drawing only: the simulation goes on, and headless runs and recordings have none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from game.render.picture import Pose, between

HOLD_LIGHT_STEPS: Final = 2
HOLD_HEAVY_STEPS: Final = 3
CATCH_UP_STEPS: Final = 4


@dataclass(slots=True)
class _Stop:
    """One figure that is held: as it was when it was struck, and for how long."""

    place: NDArray[np.float64]
    pose: Pose
    hold_steps: int
    age_steps: int = 0

    def share(self, age_steps: int) -> float:
        """How far it has caught up, 0 to 1, so many steps after it was struck."""
        late = (age_steps - self.hold_steps) / CATCH_UP_STEPS
        return min(max(late, 0.0), 1.0)


class HitStops:
    """The figures of one picture that are held, by ped id."""

    def __init__(self) -> None:
        self._stops: dict[int, _Stop] = {}

    def __len__(self) -> int:
        return len(self._stops)

    def strike(self, ped_id: int, place: NDArray[np.float64], pose: Pose, hold_steps: int) -> None:
        """Hold a figure as it was drawn last: its row of places and its pose."""
        if ped_id not in self._stops:
            self._stops[ped_id] = _Stop(place.copy(), pose, hold_steps)

    def advance(
        self,
        ids: list[int],
        before: NDArray[np.float64],
        now: NDArray[np.float64],
        poses_before: list[Pose],
        poses: list[Pose],
    ) -> None:
        """Show the held where and as they are held, in all rows that are given; go on a step.

        Whoever catches up has its own pose again, faded into by the sequence of its clip.
        """
        if not self._stops:
            return
        for row, ped_id in enumerate(ids):
            stop = self._stops.get(ped_id)
            if stop is None:
                continue
            share_before, share = stop.share(stop.age_steps), stop.share(stop.age_steps + 1)
            held = stop.place[None, :]
            before[row] = between(held, before[row : row + 1].copy(), share_before)[0]
            now[row] = between(held, now[row : row + 1].copy(), share)[0]
            if share == 0.0:
                poses_before[row] = poses[row] = stop.pose
            elif share_before == 0.0:
                poses_before[row] = poses[row]
            stop.age_steps += 1
        self._stops = {
            ped_id: stop
            for ped_id, stop in self._stops.items()
            if stop.share(stop.age_steps) < 1.0 and ped_id in set(ids)
        }
