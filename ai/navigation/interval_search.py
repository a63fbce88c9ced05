"""A* over what is seen through the sides of the walk mesh: the shortest way, exactly.

A *root* is a point where a way may bend: the start, and the corners of the
outline. From a root the search looks through the mesh; a node is an *interval*,
the part of a side that the root sees. So the ways found are straight between
their roots and need no funnel afterwards, and the first way to reach the goal is
the shortest there is. (The idea is known as Polyanya.)

All ground counts the same here; ways over ground of different cost are put
together from legs of one cost each by ``mesh_path_search``.

Everything is counted and nothing is random: nodes with equal estimates are
expanded in the order in which they were made.
"""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import NamedTuple

from ai.navigation.walk_mesh import Links, WalkMesh

ON_LINE_CM = 1e-4
"""A root this near to the line of a side sees nothing through it; it stands on both cells."""

CONE_SLACK = 1e-5
"""Slack in cm² of the test whether a point lies within a view cone."""

ROOT = -1
GOAL = -2


class Place(NamedTuple):
    """A point on the mesh and every cell that holds it (several on sides and corners)."""

    x: float
    y: float
    cells: tuple[int, ...]


class IntervalSearch:
    """One search, advanced a counted number of expansions at a time.

    - ``way`` holds the places from start to goal once they are found, ``exhausted``
      is True once it is certain that there is none.
    """

    def __init__(self, mesh: WalkMesh, links: Links, start: Place, goal: Place) -> None:
        self.way: list[Place] = []
        self.length_cm = math.inf
        self.exhausted = False
        self._mesh = mesh
        self._links = links
        self._start = start
        self._goal = goal
        self._goal_x = goal.x
        self._goal_y = goal.y
        # Nodes: estimate, serial number, half-edge looked through (or ROOT, GOAL),
        # root, right and left end of the interval.
        self._nodes: list[tuple[float, int, int, int, float, float, float, float]] = []
        self._made = 0
        self._corner_root = [-1] * len(links.corner_x)
        # By root: position, length of the way to it, root before it, its corner (-1:
        # the start), and whether no shorter way to it has been found since.
        self._x: list[float] = []
        self._y: list[float] = []
        self._length: list[float] = []
        self._parent: list[int] = []
        self._corner: list[int] = []
        self._live: list[bool] = []
        self._add_root(start.x, start.y, 0.0, -1, -1)

    @property
    def ended(self) -> bool:
        """True once the search has an answer."""
        return self.exhausted or bool(self.way)

    def advance(self, expansions: int) -> int:
        """Expand at most this many nodes; return how many were expanded."""
        nodes = self._nodes
        live = self._live
        used = 0
        while used < expansions and not self.ended:
            if not nodes:
                self.exhausted = True
                break
            length, _, half_edge, root, ax, ay, bx, by = heappop(nodes)
            if not live[root]:
                continue
            if half_edge == GOAL:
                self.length_cm = length
                self._trace_back(root)
                break
            used += 1
            if half_edge == ROOT:
                self._look_around(root)
            else:
                self._look_through(half_edge, root, ax, ay, bx, by)
        return used

    # -- nodes -----------------------------------------------------------------

    def _push(self, side: int, root: int, ax: float, ay: float, bx: float, by: float) -> None:
        """Make a node of the part a (right) to b (left) of a side, as seen from a root.

        The estimate is the length of the shortest line from the root through the
        interval to the goal, mirrored to the far side if it lies on the near one.
        """
        twin = self._links.twin[side]
        if twin < 0:
            return
        x = self._x[root]
        y = self._y[root]
        ax_rel = ax - x
        ay_rel = ay - y
        bx_rel = bx - x
        by_rel = by - y
        gx = self._goal_x - x
        gy = self._goal_y - y
        dx = bx_rel - ax_rel
        dy = by_rel - ay_rel
        root_side = dx * ay_rel - dy * ax_rel
        goal_side = dy * (gx - ax_rel) - dx * (gy - ay_rel)
        if root_side * goal_side > 0.0:
            shift = 2.0 * goal_side / (dx * dx + dy * dy)
            gx -= shift * dy
            gy += shift * dx
        if ax_rel * gy - ay_rel * gx < 0.0:
            rest = math.sqrt(ax_rel * ax_rel + ay_rel * ay_rel)
            rest += math.sqrt((gx - ax_rel) ** 2 + (gy - ay_rel) ** 2)
        elif bx_rel * gy - by_rel * gx > 0.0:
            rest = math.sqrt(bx_rel * bx_rel + by_rel * by_rel)
            rest += math.sqrt((gx - bx_rel) ** 2 + (gy - by_rel) ** 2)
        else:
            rest = math.sqrt(gx * gx + gy * gy)
        self._made += 1
        heappush(self._nodes, (self._length[root] + rest, self._made, twin, root, ax, ay, bx, by))

    def _push_point(self, node: int, root: int, length: float) -> None:
        self._made += 1
        heappush(self._nodes, (length, self._made, node, root, 0.0, 0.0, 0.0, 0.0))

    def _add_root(self, x: float, y: float, length: float, parent: int, corner: int) -> int:
        root = len(self._x)
        self._x.append(x)
        self._y.append(y)
        self._length.append(length)
        self._parent.append(parent)
        self._corner.append(corner)
        self._live.append(True)
        rest = math.sqrt((self._goal_x - x) ** 2 + (self._goal_y - y) ** 2)
        self._push_point(ROOT, root, length + rest)
        return root

    def _reach_corner(self, corner: int, root: int) -> None:
        """Make a corner that a root sees a root itself, if a shortest way can bend there.

        A way bends only round a blocked angle that lies wholly on one side of it.
        """
        corner_x = self._links.corner_x[corner]
        corner_y = self._links.corner_y[corner]
        dx = corner_x - self._x[root]
        dy = corner_y - self._y[root]
        distance = math.sqrt(dx * dx + dy * dy)
        length = self._length[root] + distance
        known = self._corner_root[corner]
        if known >= 0 and self._length[known] <= length:
            return
        slack = distance * 1e-6
        first = dx * self._links.back_y[corner] - dy * self._links.back_x[corner]
        second = dx * self._links.on_y[corner] - dy * self._links.on_x[corner]
        if not ((first >= -slack and second >= -slack) or (first <= slack and second <= slack)):
            return
        if known >= 0:
            self._live[known] = False
        self._corner_root[corner] = self._add_root(corner_x, corner_y, length, root, corner)

    def _reach_goal(self, root: int) -> None:
        """Make a node of the straight way from a root to the goal."""
        x = self._goal_x - self._x[root]
        y = self._goal_y - self._y[root]
        self._push_point(GOAL, root, self._length[root] + math.sqrt(x * x + y * y))

    # -- expansions ------------------------------------------------------------

    def _look_through(
        self, half_edge: int, root: int, ax: float, ay: float, bx: float, by: float
    ) -> None:
        """Expand an interval: what does the root see of the other sides of the cell behind it?

        Cross products tell on which side of a ray through an end of the interval a
        vertex lies: ``*_right`` is above 0 left of the right ray, ``*_left`` is
        below 0 right of the left ray.
        """
        mesh = self._mesh
        start_x = mesh.start_x
        start_y = mesh.start_y
        following = mesh.following
        end_corner = self._links.end_corner
        x = self._x[root]
        y = self._y[root]
        right_x = ax - x
        right_y = ay - y
        left_x = bx - x
        left_y = by - y
        if mesh.cell[half_edge] in self._goal.cells:
            gx = self._goal_x - x
            gy = self._goal_y - y
            if (
                right_x * gy - right_y * gx >= -CONE_SLACK
                and left_x * gy - left_y * gx <= CONE_SLACK
            ):
                self._reach_goal(root)
        side = following[half_edge]
        px = start_x[side] - x
        py = start_y[side] - y
        p_right = right_x * py - right_y * px
        p_left = left_x * py - left_y * px
        while side != half_edge:
            end = following[side]
            qx = start_x[end] - x
            qy = start_y[end] - y
            q_right = right_x * qy - right_y * qx
            q_left = left_x * qy - left_y * qx
            if q_right > CONE_SLACK and p_left < -CONE_SLACK:
                if p_right >= 0.0:
                    from_x = px + x
                    from_y = py + y
                else:
                    share = p_right / (p_right - q_right)
                    from_x = px + share * (qx - px) + x
                    from_y = py + share * (qy - py) + y
                if q_left <= 0.0:
                    to_x = qx + x
                    to_y = qy + y
                else:
                    share = p_left / (p_left - q_left)
                    to_x = px + share * (qx - px) + x
                    to_y = py + share * (qy - py) + y
                self._push(side, root, from_x, from_y, to_x, to_y)
            if q_right >= -CONE_SLACK and q_left <= CONE_SLACK and end_corner[side] >= 0:
                self._reach_corner(end_corner[side], root)
            px = qx
            py = qy
            p_right = q_right
            p_left = q_left
            side = end

    def _look_around(self, root: int) -> None:
        """Expand a root: everything it sees of the cells it stands on."""
        corner = self._corner[root]
        if corner < 0:
            cells = self._start.cells
        else:
            cells = self._cells_around(corner)
        for cell in cells:
            self._look_at_sides(root, cell)

    def _cells_around(self, corner: int) -> tuple[int, ...]:
        mesh = self._mesh
        leaving = self._links.corner_leaving[corner]
        cells = [mesh.cell[leaving]]
        while (leaving := self._links.twin[mesh.preceding[leaving]]) >= 0:
            cells.append(mesh.cell[leaving])
        return tuple(cells)

    def _look_at_sides(self, root: int, cell: int) -> None:
        """Push the sides of a root's own cell, but those that it lies on, and reach the corners."""
        mesh = self._mesh
        end_corner = self._links.end_corner
        x = self._x[root]
        y = self._y[root]
        if cell in self._goal.cells:
            self._reach_goal(root)
        turn_x, turn_y, turn = self._turn_of(root)
        for side in range(mesh.first_half_edge[cell], mesh.first_half_edge[cell + 1]):
            end = mesh.following[side]
            ax = mesh.start_x[side]
            ay = mesh.start_y[side]
            bx = mesh.start_x[end]
            by = mesh.start_y[end]
            if end_corner[side] >= 0:
                self._reach_corner(end_corner[side], root)
            across = (ax - x) * (by - y) - (ay - y) * (bx - x)
            if across <= ON_LINE_CM * (abs(bx - ax) + abs(by - ay)):
                continue
            if turn != 0.0:
                # What lies on the other hand is seen without a bend at this root.
                a_turned = turn * (turn_x * (ay - y) - turn_y * (ax - x))
                b_turned = turn * (turn_x * (by - y) - turn_y * (bx - x))
                if a_turned <= 0.0 and b_turned <= 0.0:
                    continue
                if a_turned < 0.0:
                    share = a_turned / (a_turned - b_turned)
                    ax, ay = ax + share * (bx - ax), ay + share * (by - ay)
                elif b_turned < 0.0:
                    share = a_turned / (a_turned - b_turned)
                    bx, by = ax + share * (bx - ax), ay + share * (by - ay)
            self._push(side, root, ax, ay, bx, by)

    def _turn_of(self, root: int) -> tuple[float, float, float]:
        """Direction in which the way arrives at a root, and the hand to which it may bend.

        The hand is 1 for left and -1 for right, 0 if the way may go on anywhere.
        """
        corner = self._corner[root]
        if corner < 0:
            return 0.0, 0.0, 0.0
        parent = self._parent[root]
        dx = self._x[root] - self._x[parent]
        dy = self._y[root] - self._y[parent]
        links = self._links
        lean = dx * (links.back_y[corner] + links.on_y[corner])
        lean -= dy * (links.back_x[corner] + links.on_x[corner])
        return dx, dy, 0.0 if lean == 0.0 else math.copysign(1.0, lean)

    # -- result ----------------------------------------------------------------

    def _trace_back(self, root: int) -> None:
        way = [self._goal]
        while self._parent[root] >= 0:
            cells = self._cells_around(self._corner[root])
            way.append(Place(self._x[root], self._y[root], cells))
            root = self._parent[root]
        way.append(self._start)
        way.reverse()
        self.way = way
