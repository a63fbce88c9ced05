"""The ``PathFinder`` over the walk graph: puts start and goal onto it and begins searches."""

from __future__ import annotations

import math

from ai.navigation.ground_faces import GRAPH_MARGIN_CM
from ai.navigation.interval_search import Place
from ai.navigation.mesh_path_search import MeshPathSearch
from ai.navigation.walk_graph import WalkGraph
from ai.ports import FoundPath, PathFailure, PathSearch, Vec3

START_REACH_CM = 30.0
"""A start this far off the graph is put onto it: bodies are pushed, and stand nearer to walls."""


class EndedSearch:
    """A search that had its result before it began (``PathSearch`` of the ports)."""

    def __init__(self, failure: PathFailure) -> None:
        self.result: FoundPath | None = FoundPath(failure, (), 0)

    def advance(self, expansions: int) -> int:  # noqa: ARG002 (the port's signature)
        """Nothing is left to expand."""
        return 0


class MeshPathFinder:
    """Path search over a ``WalkGraph``.

    - Paths leave out the start. They end exactly at the goal if that is on the graph,
      else at the point of the graph nearest to it, which must lie in the box of NAV-06.
    - Points have the height of the ground.
    - A search sees the graph as it was when it began.
    """

    def __init__(self, graph: WalkGraph, goal_tolerance_cm: float) -> None:
        self._graph = graph
        self._goal_tolerance_cm = goal_tolerance_cm

    @property
    def version(self) -> int:
        """Version of the walk graph."""
        return self._graph.version

    def begin(
        self, start: Vec3, goal: Vec3, *, expansions_max: int, ignore_costs: bool = False
    ) -> PathSearch:
        """Start a search.

        Ends at once with ``START_OFF_SURFACE`` if the start is over 30 cm off the graph,
        ``GOAL_OFF_SURFACE`` if the nearest point of the graph is outside the goal's box,
        ``NO_PATH`` if both lie in regions that are not connected.
        """
        from_place = self._start_place(start)
        if from_place is None:
            return EndedSearch(PathFailure.START_OFF_SURFACE)
        to_place = self._goal_place(goal)
        if to_place is None:
            return EndedSearch(PathFailure.GOAL_OFF_SURFACE)
        if self._graph.region(from_place) != self._graph.region(to_place):
            return EndedSearch(PathFailure.NO_PATH)
        lead_in: tuple[Vec3, ...] = ()
        if math.hypot(from_place.x - start.x, from_place.y - start.y) > GRAPH_MARGIN_CM:
            height = self._graph.height_cm(from_place)
            lead_in = (Vec3(from_place.x, from_place.y, height),)
        return MeshPathSearch(
            self._graph.mesh,
            from_place,
            to_place,
            expansions_max=expansions_max,
            ignore_costs=ignore_costs,
            lead_in=lead_in,
        )

    def path_end(self, goal: Vec3) -> Vec3 | None:
        """The goal if it is on the graph, else the nearest point in its box (NAV-06)."""
        place = self._goal_place(goal)
        if place is None:
            return None
        return Vec3(place.x, place.y, self._graph.height_cm(place))

    def regions(self, start: Vec3, goal: Vec3) -> tuple[int, int]:
        """Connected-region ids of both ends, -1 off the graph."""
        from_place = self._start_place(start)
        to_place = self._goal_place(goal)
        return (
            -1 if from_place is None else self._graph.region(from_place),
            -1 if to_place is None else self._graph.region(to_place),
        )

    def _start_place(self, start: Vec3) -> Place | None:
        return self._graph.nearest_place(start.x, start.y, START_REACH_CM)

    def _goal_place(self, goal: Vec3) -> Place | None:
        tolerance = self._goal_tolerance_cm
        place = self._graph.nearest_place(goal.x, goal.y, tolerance * math.sqrt(2.0))
        if place is None or max(abs(place.x - goal.x), abs(place.y - goal.y)) > tolerance:
            return None
        return place
