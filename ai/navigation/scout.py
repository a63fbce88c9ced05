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
        # Nodes: estimate, serial number, half-edge entered.
        self._nodes: list[tuple[float, int, int]] = []
        self._made = 0
        # By half-edge entered: cost of the way to it, where its side is passed, and
        # the half-edge entered before (-1: the start's cell).
        self._reached: dict[int, tuple[float, float, float, int]] = {}
        self._done: set[int] = set()
        if any(cell in goal.cells for cell in start.cells):
            self.found = True
            return
        for cell in start.cells:
            first = mesh.first_half_edge[cell]
            self._pass_sides((first, *mesh.beyond[first]), -1, start.x, start.y, 0.0)

    @property
    def ended(self) -> bool:
        """True once the scouting has an answer."""
        return self.found or self.exhausted

    def advance(self, expansions: int) -> int:
        """Expand at most this many nodes; return how many were expanded."""
        used = 0
        nodes = self._nodes
        done = self._done
        beyond = self._mesh.beyond
        while used < expansions and not self.ended:
            if not nodes:
                self.exhausted = True
                break
            half_edge = heappop(nodes)[2]
            if half_edge in done:
                continue
            done.add(half_edge)
            used += 1
            if self._mesh.cell[half_edge] in self._goal.cells:
                self._trace_back(half_edge)
                break
            cost, x, y, _ = self._reached[half_edge]
            self._pass_sides(beyond[half_edge], half_edge, x, y, cost)
        return used

    def _pass_sides(
        self, sides: tuple[int, ...], entered: int, x: float, y: float, cost: float
    ) -> None:
        """Make nodes of passing the sides of a cell from a point of it.

        The place is the one on the shortest line over the side to the goal, taking a
        cost of 1 beyond it (Snell's law for small angles).
        """
        mesh = self._mesh
        reached = self._reached
        goal_x = self._goal.x
        goal_y = self._goal.y
        per_cm = self._costs[sides[0]]
        for side in sides:
            twin = mesh.links.twin[side]
            if twin < 0 or twin in self._done:
                continue
            start_x = mesh.start_x[side]
            start_y = mesh.start_y[side]
            along_x = mesh.along_x[side]
            along_y = mesh.along_y[side]
            length = mesh.length[side]
            px = x - start_x
            py = y - start_y
            gx = goal_x - start_x
            gy = goal_y - start_y
            here = px * along_x + py * along_y
            here_off = px * along_y - py * along_x
            goal = gx * along_x + gy * along_y
            goal_off = gx * along_y - gy * along_x
            reach = abs(here_off) + per_cm * abs(goal_off)
            place = here + (goal - here) * abs(here_off) / reach if reach > 0.0 else here
            inset = SIDE_INSET_CM if length > 4.0 * SIDE_INSET_CM else 0.25 * length
            if place < inset:
                place = inset
            elif place > length - inset:
                place = length - inset
            off = here - place
            way_cost = cost + per_cm * math.sqrt(off * off + here_off * here_off)
            known = reached.get(twin)
            if known is not None and known[0] <= way_cost:
                continue
            reached[twin] = (
                way_cost,
                start_x + place * along_x,
                start_y + place * along_y,
                entered,
            )
            off = goal - place
            self._made += 1
            estimate = way_cost + math.sqrt(off * off + goal_off * goal_off)
            heappush(self._nodes, (estimate, self._made, twin))

    def _trace_back(self, half_edge: int) -> None:
        way = []
        while half_edge >= 0:
            _, x, y, before = self._reached[half_edge]
            way.append(Passage(half_edge, x, y))
            half_edge = before
        way.reverse()
        self.way = way
        self.found = True
