"""One path search: scouted over all ground, then made exact leg by leg.

1. The *scout* finds over which ground the cheapest way leads.
2. The way is cut into *legs* where the cost of the ground changes, and where it has
   become long. The place between two legs is a *joint*. Each leg is then searched
   exactly. A way of one leg, as most are, is the shortest there is.
3. Each joint is moved along its side to where the legs around it are cheapest, or
   left out if they lie on ground of one cost.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ai.faults import faults
from ai.navigation.interval_search import IntervalSearch, Place
from ai.navigation.scout import Passage, Scout
from ai.navigation.walk_mesh import WalkMesh
from ai.ports import FoundPath, PathFailure, Vec3

LEG_CM = 2000.0
"""A scouted way is cut after this length: the work for an exact leg grows faster than it."""

JOINT_SHIFT_MIN_CM = 1.0
"""A joint that would move less stays where it is."""

JOINT_INSET_CM = 0.1
"""Joints keep this far from the ends of their sides."""

JOINT_SPAN_CM = 300.0
"""The way over a joint within one ground is searched anew from this far before to as far after."""

STRAIGHT_CM = 0.01
"""A point this near to the line between its neighbours is left out of a path."""

NARROWINGS = 20
"""Times the stretch that holds a joint's best place is cut to two thirds: to a 3,000th."""


@dataclass(frozen=True, slots=True)
class Leg:
    """A way over ground of one cost, straight between its places."""

    way: list[Place]
    length_cm: float
    cost_per_cm: float

    @property
    def cost(self) -> float:
        """What the leg costs."""
        return self.length_cm * self.cost_per_cm


class Repair(NamedTuple):
    """What is being searched anew around a joint.

    - From place ``first`` of the leg before it to place ``last`` of the leg after it.
    - Over ``moved``, another place on the joint's side, or over none.
    """

    first: int
    last: int
    moved: Passage | None


class MeshPathSearch:
    """A search over one state of the walk graph (``PathSearch`` of the ports).

    - Start and goal must lie in one connected region.
    - Expansions of all stages count alike. If ``expansions_max`` is used up before
      all legs are found the result is ``PARTIAL_ONLY``; if it is used up later the path
      is given with the joints as they are.
    - ``lead_in`` is put before the path: where a start off the graph comes onto it.
    """

    def __init__(
        self,
        mesh: WalkMesh,
        start: Place,
        goal: Place,
        *,
        expansions_max: int,
        ignore_costs: bool,
        lead_in: tuple[Vec3, ...] = (),
    ) -> None:
        self._mesh = mesh
        self._start = start
        self._goal = goal
        self._lead_in = lead_in
        self._expansions_max = expansions_max
        self._used = 0
        self._costs = mesh.even_cost if ignore_costs else mesh.cost
        self._links = mesh.even_links if ignore_costs else mesh.ground_links
        self._scout = Scout(mesh, self._costs, start, goal)
        # What the legs are to be searched between, and what has been found of them.
        self._joints: list[Passage] = []
        self._legs: list[Leg] = []
        self._joint = 0
        self._searches: list[IntervalSearch] = []
        self._repair = Repair(0, 0, None)
        self._result: FoundPath | None = None

    @property
    def result(self) -> FoundPath | None:
        """The result once the search has ended."""
        return self._result

    def advance(self, expansions: int) -> int:
        """Expand at most this many nodes; return how many were used (0 only when done)."""
        before = self._used
        limit = min(before + expansions, self._expansions_max)
        while self._result is None and self._used < limit:
            if not self._scout.ended:
                self._used += self._scout.advance(limit - self._used)
                continue
            waiting = next((search for search in self._searches if not search.ended), None)
            if waiting is not None:
                self._used += waiting.advance(limit - self._used)
            else:
                self._go_on()
        if self._result is None and self._used == self._expansions_max:
            if self._legs:
                self._end(PathFailure.NONE, self._points())
            else:
                self._end(PathFailure.PARTIAL_ONLY, ())
        return self._used - before

    # -- stages ----------------------------------------------------------------

    def _go_on(self) -> None:
        """Take up the searches that have ended, and begin the next ones or end."""
        if self._legs:
            self._take_up_joint()
            self._begin_joint()
        elif self._scout.exhausted or any(search.exhausted for search in self._searches):
            # Both ends are connected, so that only a fault of the mesh can lead here.
            faults.record("path_lost", "the walk graph has no way within a connected region")
            self._end(PathFailure.PARTIAL_ONLY, ())
        elif not self._searches:
            self._cut_into_legs()
        else:
            self._legs = [
                Leg(search.way, search.length_cm, cost)
                for search, cost in zip(self._searches, self._leg_costs(), strict=True)
            ]
            self._begin_joint()

    def _cut_into_legs(self) -> None:
        mesh = self._mesh
        x, y = self._start.x, self._start.y
        length = 0.0
        for passage in self._scout.way:
            length += math.hypot(passage.x - x, passage.y - y)
            x, y = passage.x, passage.y
            twin = mesh.links.twin[passage.half_edge]
            if length > LEG_CM or self._costs[twin] != self._costs[passage.half_edge]:
                self._joints.append(passage)
                length = 0.0
        ends = [self._start, *(self._place(joint) for joint in self._joints), self._goal]
        self._searches = [
            self._search(start, goal, cost)
            for (start, goal), cost in zip(pairwise(ends), self._leg_costs(), strict=True)
        ]

    def _leg_costs(self) -> list[float]:
        """Cost per cm of each leg's ground."""
        if self._scout.way:
            last = self._costs[self._scout.way[-1].half_edge]
        else:
            shared = [cell for cell in self._start.cells if cell in self._goal.cells]
            last = min(self._cost_of(cell) for cell in shared)
        twin = self._mesh.links.twin
        return [*(self._costs[twin[joint.half_edge]] for joint in self._joints), last]

    def _begin_joint(self) -> None:
        """Begin to search anew what lies around the next joint that may be improved."""
        while self._joint < len(self._joints):
            before = self._legs[self._joint]
            after = self._legs[self._joint + 1]
            if before.cost_per_cm == after.cost_per_cm:
                first = len(before.way) - 1 - _places_within_span(before.way[::-1])
                last = _places_within_span(after.way)
                self._repair = Repair(first, last, None)
                self._searches = [
                    self._search(before.way[first], after.way[last], before.cost_per_cm)
                ]
                return
            joint = self._joints[self._joint]
            start, goal = before.way[-2], after.way[1]
            moved = self._best_passage(joint, start, before, goal, after)
            if math.hypot(moved.x - joint.x, moved.y - joint.y) >= JOINT_SHIFT_MIN_CM:
                self._repair = Repair(len(before.way) - 2, 1, moved)
                self._searches = [
                    self._search(start, self._place(moved), before.cost_per_cm),
                    self._search(self._place(moved), goal, after.cost_per_cm),
                ]
                return
            self._joint += 1
        self._end(PathFailure.NONE, self._points())

    def _take_up_joint(self) -> None:
        """Put what was found around a joint in place of what was there, if it is cheaper."""
        before = self._legs[self._joint]
        after = self._legs[self._joint + 1]
        around = slice(self._joint, self._joint + 2)
        ways = [search.way for search in self._searches]
        head = before.way[: self._repair.first]
        tail = after.way[self._repair.last + 1 :]
        if all(ways) and self._repair.moved is None:
            self._legs[around] = [_leg_over([*head, *ways[0], *tail], before.cost_per_cm)]
            del self._joints[self._joint]
            return
        if all(ways) and self._repair.moved is not None:
            new_before = _leg_over([*head, *ways[0]], before.cost_per_cm)
            new_after = _leg_over([*ways[1], *tail], after.cost_per_cm)
            if new_before.cost + new_after.cost < before.cost + after.cost:
                self._legs[around] = [new_before, new_after]
                self._joints[self._joint] = self._repair.moved
        self._joint += 1

    def _best_passage(
        self, joint: Passage, start: Place, before: Leg, goal: Place, after: Leg
    ) -> Passage:
        """The place on a joint's side over which start and goal are joined most cheaply.

        The cost is convex along the side, so that a search by thirds finds its least.
        """
        mesh = self._mesh
        end = mesh.following[joint.half_edge]
        ax, ay = mesh.start_x[joint.half_edge], mesh.start_y[joint.half_edge]
        dx, dy = mesh.start_x[end] - ax, mesh.start_y[end] - ay
        low = min(0.25, JOINT_INSET_CM / math.hypot(dx, dy))
        high = 1.0 - low
        for _ in range(NARROWINGS):
            third = (high - low) / 3.0
            costs = [
                before.cost_per_cm
                * math.hypot(ax + share * dx - start.x, ay + share * dy - start.y)
                + after.cost_per_cm * math.hypot(ax + share * dx - goal.x, ay + share * dy - goal.y)
                for share in (low + third, high - third)
            ]
            if costs[0] <= costs[1]:
                high -= third
            else:
                low += third
        share = (low + high) / 2.0
        return Passage(joint.half_edge, ax + share * dx, ay + share * dy)

    # -- places ----------------------------------------------------------------

    def _place(self, joint: Passage) -> Place:
        mesh = self._mesh
        twin = mesh.links.twin[joint.half_edge]
        return Place(joint.x, joint.y, (mesh.cell[twin], mesh.cell[joint.half_edge]))

    def _search(self, start: Place, goal: Place, cost: float) -> IntervalSearch:
        """A search for a leg over ground of this cost; its ends may lie on the edge of it."""
        ends = [
            Place(place.x, place.y, tuple(c for c in place.cells if self._cost_of(c) == cost))
            for place in (start, goal)
        ]
        return IntervalSearch(self._mesh, self._links, *ends)

    def _cost_of(self, cell: int) -> float:
        return self._costs[self._mesh.first_half_edge[cell]]

    # -- result ----------------------------------------------------------------

    def _points(self) -> tuple[Vec3, ...]:
        places = [place for leg in self._legs for place in leg.way[1:]]
        points = list(self._lead_in)
        before = self._start
        for place, following in pairwise(places):
            if _off_line(before, place, following) > STRAIGHT_CM:
                points.append(self._point(place))
                before = place
        points.append(self._point(places[-1]))
        return tuple(points)

    def _point(self, place: Place) -> Vec3:
        ground = self._mesh.ground[place.cells[0]]
        return Vec3(place.x, place.y, self._mesh.grounds[ground].height_cm)

    def _end(self, failure: PathFailure, points: tuple[Vec3, ...]) -> None:
        self._result = FoundPath(failure, points, self._used)


def _places_within_span(way: list[Place]) -> int:
    """Index of the first place of a way that is ``JOINT_SPAN_CM`` from its start, else its last."""
    length = 0.0
    for index, (here, there) in enumerate(pairwise(way)):
        length += math.hypot(there.x - here.x, there.y - here.y)
        if length >= JOINT_SPAN_CM:
            return index + 1
    return len(way) - 1


def _leg_over(way: list[Place], cost_per_cm: float) -> Leg:
    length = 0.0
    for here, there in pairwise(way):
        length += math.hypot(there.x - here.x, there.y - here.y)
    return Leg(way, length, cost_per_cm)


def _off_line(before: Place, place: Place, following: Place) -> float:
    """Distance of a place from the line between its neighbours."""
    dx, dy = following.x - before.x, following.y - before.y
    px, py = place.x - before.x, place.y - before.y
    squared = dx * dx + dy * dy
    share = min(max((px * dx + py * dy) / squared, 0.0), 1.0) if squared > 0.0 else 0.0
    return math.hypot(px - share * dx, py - share * dy)
