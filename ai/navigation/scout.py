"""A* over the sides of the walk mesh that counts what ground costs: where a way goes, roughly.

Each side is passed at the one point at which the way would go on most directly
to the goal. So a scouted way is a little too long and not to be walked, but it
tells over which ground the cheapest way leads and through which gaps a long one.
"""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import NamedTuple

from ai.navigation.interval_search import Place
from ai.navigation.walk_mesh import WalkMesh

SIDE_INSET_CM = 1.0
"""Sides are passed at least this far from their ends, where they are long enough."""


class Passage(NamedTuple):
    """Where a scouted way passes a side, and into which half-edge's cell."""

    half_edge: int
    x: float
    y: float


def _share(off: float, cost: float, off_beyond: float, cost_beyond: float, along: float) -> float:
    """Share of the way along a side that is best made before passing it.

    - ``off`` and ``off_beyond`` are the distances of both ends from the side's line,
      ``along`` that of their feet on it.
    - Snell's law for small angles; the dearer ground is never crossed at more than
      the angle of total reflection.
    """
    weight = off * cost_beyond
    weights = weight + off_beyond * cost
    share = weight / weights if weights > 0.0 else 0.5
    if cost < cost_beyond:
        most = off_beyond * cost / math.sqrt(cost_beyond * cost_beyond - cost * cost)
        return max(share, 1.0 - most / along) if along > most else share
    if cost > cost_beyond:
        most = off * cost_beyond / math.sqrt(cost * cost - cost_beyond * cost_beyond)
        return min(share, most / along) if along > most else share
    return share


class Scout:
    """One scouting, advanced a counted number of expansions at a time.

    - ``costs`` is the cost per cm by half-edge, at least 1.
    - ``way`` holds the passages in order once ``found``; ``exhausted`` is True once
      it is certain that there is no way.
    """

    def __init__(self, mesh: WalkMesh, costs: list[float], start: Place, goal: Place) -> None:
        self.way: list[Passage] = []
        self.found = False
        self.exhausted = False
        self._mesh = mesh
        self._costs = costs
        self._goal = goal
        # Nodes: estimate, serial number, half-edge entered, whether the way ends there.
        self._nodes: list[tuple[float, int, int, bool]] = []
        self._made = 0
        # By half-edge entered: cost of the way to it, where its side is passed, and
        # the half-edge entered before (-1: the start's cell).
        self._reached: dict[int, tuple[float, float, float, int, float]] = {}
        self._done: set[int] = set()
        for cell in start.cells:
            if cell in goal.cells:
                rest = math.sqrt((goal.x - start.x) ** 2 + (goal.y - start.y) ** 2)
                self._push(-1, costs[mesh.first_half_edge[cell]] * rest, at_goal=True)
            self._pass_sides(cell, -1, -1, start.x, start.y, 0.0)

    @property
    def ended(self) -> bool:
        """True once the scouting has an answer."""
        return self.found or self.exhausted

    def advance(self, expansions: int) -> int:
        """Expand at most this many nodes; return how many were expanded."""
        used = 0
        nodes = self._nodes
        done = self._done
        cell_of = self._mesh.cell
        while used < expansions and not self.ended:
            if not nodes:
                self.exhausted = True
                break
            _, _, half_edge, at_goal = heappop(nodes)
            if at_goal:
                self._trace_back(half_edge)
                break
            if half_edge in done:
                continue
            done.add(half_edge)
            used += 1
            cost, x, y, _, _ = self._reached[half_edge]
            cell = cell_of[half_edge]
            if cell in self._goal.cells:
                rest = math.sqrt((self._goal.x - x) ** 2 + (self._goal.y - y) ** 2)
                self._push(half_edge, cost + self._costs[half_edge] * rest, at_goal=True)
            # Back the same way only along the edge of dearer ground and onto it again.
            dearer = self._costs[self._mesh.links.twin[half_edge]] > self._costs[half_edge]
            self._pass_sides(cell, half_edge, -1 if dearer else half_edge, x, y, cost)
        return used

    def _pass_sides(
        self, cell: int, entered: int, but: int, x: float, y: float, cost: float
    ) -> None:
        """Make nodes of passing the sides of a cell, all ``but`` one, from a point of it.

        The place is the one on the cheapest line over the side to the goal, if all
        ground beyond were like that behind the side.
        """
        mesh = self._mesh
        twins = mesh.links.twin
        starts_x, starts_y = mesh.start_x, mesh.start_y
        alongs_x, alongs_y = mesh.along_x, mesh.along_y
        lengths = mesh.length
        costs = self._costs
        done = self._done
        reached = self._reached
        goal_x = self._goal.x
        goal_y = self._goal.y
        first = mesh.first_half_edge[cell]
        per_cm = costs[first]
        for side in range(first, mesh.first_half_edge[cell + 1]):
            twin = twins[side]
            if twin < 0 or side == but or twin in done:
                continue
            start_x = starts_x[side]
            start_y = starts_y[side]
            along_x = alongs_x[side]
            along_y = alongs_y[side]
            length = lengths[side]
            px = x - start_x
            py = y - start_y
            gx = goal_x - start_x
            gy = goal_y - start_y
            here = px * along_x + py * along_y
            here_off = px * along_y - py * along_x
            goal = gx * along_x + gy * along_y
            goal_off = gx * along_y - gy * along_x
            place = here + (goal - here) * _share(
                abs(here_off), per_cm, abs(goal_off), costs[twin], abs(goal - here)
            )
            inset = SIDE_INSET_CM if length > 4.0 * SIDE_INSET_CM else 0.25 * length
            if place < inset:
                place = inset
            elif place > length - inset:
                place = length - inset
            off = here - place
            way_cost = cost + per_cm * math.sqrt(off * off + here_off * here_off)
            off = goal - place
            estimate = way_cost + math.sqrt(off * off + goal_off * goal_off)
            known = reached.get(twin)
            if known is not None and known[4] <= estimate:
                continue
            reached[twin] = (
                way_cost,
                start_x + place * along_x,
                start_y + place * along_y,
                entered,
                estimate,
            )
            self._push(twin, estimate, at_goal=False)

    def _push(self, half_edge: int, estimate: float, *, at_goal: bool) -> None:
        self._made += 1
        heappush(self._nodes, (estimate, self._made, half_edge, at_goal))

    def _trace_back(self, half_edge: int) -> None:
        way = []
        while half_edge >= 0:
            _, x, y, before, _ = self._reached[half_edge]
            way.append(Passage(half_edge, x, y))
            half_edge = before
        way.reverse()
        self.way = way
        self.found = True
