"""How two peds that touch get round each other.

- Both turn about the point between them in the same sense, so that neither needs to know
  what the other decides. The sense follows from where both want to go: it is the one that
  their wishes would turn the line between them in. Who are exactly in line keep right.
- Where there is no room to turn, as in a door, the one of the greater id gives way.
- Who goes the same way as somebody that gives way to others gives way too.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ai.motion.locomotion_tuning import LocomotionTuning
from ai.motion.movement_table import MovementTable
from ai.motion.ped_grid import PedGrid
from ai.motion.walker import Walker
from ai.ports import more_than


class Way(NamedTuple):
    """A step round a ped: how far its direction is turned from that to the ped, in rad.

    ``sense`` is 1 with the clock as seen on the map, -1 against it.
    """

    sense: int
    angle: float


class Passing:
    """Chooses how to step round a touched ped, from places at the sub-step's start."""

    def __init__(self, table: MovementTable, grid: PedGrid, tuning: LocomotionTuning) -> None:
        self._table = table
        self._grid = grid
        self._onward_cm = tuning.passing_onward
        self._angle = math.radians(tuning.passing_angle_deg)
        self._give_way = tuple(math.radians(angle) for angle in tuning.give_way_angles_deg)
        self._side_memory_s = tuning.side_memory

    def ways(self, walker: Walker, other: int) -> tuple[Way, ...]:
        """Ways to step round the ped with this grid index, the best first.

        - Two who walk against each other both turn in the agreed sense. Where one has no
          room for it, the one of the greater id gives way and the other waits: in a door
          they would turn this way and that for ever.
        - Round who stands the sense is the one of a moment ago: where that ped leaves a gap
          on one side only, nobody would get through by trying both in turn.
        """
        mine = self._onward(walker.index)
        theirs = self._onward(other)
        sense = self._agreed(walker, other, mine, theirs)
        turn = Way(sense, sense * self._angle)
        if theirs == (0.0, 0.0):
            table = self._table
            kept = table.pass_sign.item(walker.row)
            if kept != 0 and not more_than(table.side_age.item(walker.row), self._side_memory_s):
                turn = Way(kept, kept * self._angle)
            return turn, Way(-turn.sense, -turn.angle)
        if mine[0] * theirs[0] + mine[1] * theirs[1] >= 0.0:
            if not self._comes_back(walker, other):
                return turn, Way(-turn.sense, -turn.angle)
        elif other > walker.index:
            return (turn,)
        back = (Way(s, s * angle) for angle in self._give_way for s in (sense, -sense))
        return turn, *back

    def _comes_back(self, walker: Walker, other: int) -> bool:
        """True if somebody who goes the same way is giving way to others, towards this ped."""
        grid = self._grid.lists()
        dx = grid.x[walker.index] - grid.x[other]
        dy = grid.y[walker.index] - grid.y[other]
        return dx * grid.velocity_x[other] + dy * grid.velocity_y[other] > 0.0

    def towards(self, walker: Walker, other: int) -> float:
        """Heading in rad from a ped to another."""
        grid = self._grid.lists()
        return math.atan2(
            grid.y[other] - grid.y[walker.index], grid.x[other] - grid.x[walker.index]
        )

    def _agreed(
        self, walker: Walker, other: int, mine: tuple[float, float], theirs: tuple[float, float]
    ) -> int:
        """The sense that both come to from where both want to go."""
        grid = self._grid.lists()
        dx = grid.x[other] - grid.x[walker.index]
        dy = grid.y[other] - grid.y[walker.index]
        return -1 if dx * (theirs[1] - mine[1]) - dy * (theirs[0] - mine[0]) > 0.0 else 1

    def _onward(self, index: int) -> tuple[float, float]:
        """Unit vector to where a ped will be after ``passing_onward`` cm; (0, 0) if it stays.

        A corner at arm's length says little about where somebody is going, so the way is
        followed past it.
        """
        table = self._table
        slot = self._grid.lists().slots[index]
        row = table.active_record.item(slot)
        if (
            table.suspend.item(row)
            or table.command_hold.item(row)
            or not math.isnan(table.stand_until.item(row))
        ):
            return 0.0, 0.0
        if table.wish_active.item(row):
            heading = table.wish_heading.item(row)
            return math.cos(heading), math.sin(heading)
        if not (table.is_live(row) and table.path_usable.item(row)):
            return 0.0, 0.0
        from_x = x = self._grid.lists().x[index]
        from_y = y = self._grid.lists().y[index]
        left = self._onward_cm
        for point in table.paths[row][table.corner.item(row) :]:
            dx, dy = point.x - x, point.y - y
            length = math.sqrt(dx * dx + dy * dy)
            share = min(1.0, left / length) if length > 0.0 else 1.0
            x, y = x + dx * share, y + dy * share
            left -= length
            if left <= 0.0:
                break
        dx, dy = x - from_x, y - from_y
        length = math.sqrt(dx * dx + dy * dy)
        return (dx / length, dy / length) if length > 0.0 else (0.0, 0.0)
