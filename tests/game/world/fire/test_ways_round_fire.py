"""Danger as part of the ground: ways lead round fires while there is one (FLEE-04, NAV-27)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from ai.behaviours.order_commands import StartOrderAt
from ai.navigation.walk_graph import WalkGraph
from ai.ports import Circle, Danger, Obstacle, Polygon, SurfacePatch, Vec3
from game.world.fire.reroute import crossed
from game.world.world import World
from tests.ai.navigation.maps import ChangingShapes, find, map_shapes
from tests.streets import ped_named, person, steps, street, until

START, GOAL = (300.0, 800.0), (1700.0, 800.0)
FIRE = Danger(Circle(1000.0, 800.0, 90.0), 25.0, 25.0)
HEAT = Danger(Circle(1000.0, 800.0, 225.0), 4.0)


def nearest(points: Sequence[tuple[float, float]], to: tuple[float, float]) -> float:
    """How near straight pieces come to a point."""
    best = float("inf")
    for a, b in pairwise(points):
        a_, b_, p = np.array(a), np.array(b), np.array(to)
        along = b_ - a_
        share = float(np.clip((p - a_) @ along / max(along @ along, 1e-9), 0.0, 1.0))
        best = min(best, float(np.linalg.norm(a_ + share * along - p)))
    return best


def graph_with(*dangers: Danger, walls: Sequence[Obstacle] = ()) -> WalkGraph:
    ground = SurfacePatch("pavement", 0.0, Polygon(((0, 0), (2000, 0), (2000, 1600), (0, 1600))))
    shapes = ChangingShapes([ground], list(walls))
    shapes.set_dangers(*dangers)
    return WalkGraph(map_shapes(shapes))


@pytest.mark.parametrize("ignore_costs", [False, True])
def test_a_way_leads_round_a_fire_and_a_flee_does_too(ignore_costs: bool) -> None:
    """Straight through would be 0 cm from it; round it is 90 or more, and at most 4 % longer."""
    graph = graph_with(FIRE)
    found = find(graph, START, GOAL, ignore_costs=ignore_costs)
    way = [START, *((point.x, point.y) for point in found.points)]
    assert nearest(way, (1000.0, 800.0)) >= 89.9
    length = sum(float(np.hypot(b[0] - a[0], b[1] - a[1])) for a, b in pairwise(way))
    assert length <= 1400.0 * 1.04


@pytest.mark.parametrize("ignore_costs", [False, True])
def test_where_there_is_no_way_round_it_leads_through(ignore_costs: bool) -> None:
    """A fire over the whole width of a passage closes nothing: it costs."""
    walls = [
        Obstacle(1, Polygon(((990, 0), (1010, 0), (1010, 700), (990, 700)))),
        Obstacle(2, Polygon(((990, 900), (1010, 900), (1010, 1600), (990, 1600)))),
    ]
    graph = graph_with(FIRE._replace(area=Circle(1000.0, 800.0, 150.0)), walls=walls)
    found = find(graph, START, GOAL, ignore_costs=ignore_costs)
    assert found.points
    assert found.points[-1][:2] == GOAL


def test_who_walks_goes_round_the_heat_and_who_flees_does_not_mind_it() -> None:
    """225 cm off against 90: the hot ring costs walkers alone."""
    graph = graph_with(FIRE, HEAT)
    for ignore_costs, low, high in ((False, 224.0, 240.0), (True, 89.0, 100.0)):
        found = find(graph, START, GOAL, ignore_costs=ignore_costs)
        way = [START, *((point.x, point.y) for point in found.points)]
        assert low <= nearest(way, (1000.0, 800.0)) <= high


def test_without_dangers_nothing_is_cut() -> None:
    """The mesh of a street that does not burn is the one it was."""
    plain = graph_with().mesh
    assert plain.even_links is plain.links
    assert set(plain.even_cost) == {1.0}
    burning = graph_with(FIRE).mesh
    assert set(burning.even_cost) == {1.0, 25.0}
    assert len(set(burning.region)) == 1, "danger parts no regions"


def test_pieces_cross_discs() -> None:
    """Past at 10 cm, touching, through, ending before."""
    starts = np.array([[0.0, 0.0]] * 4)
    ends = np.array([[100.0, 0.0], [100.0, 40.0], [100.0, 100.0], [30.0, 30.0]])
    discs = np.array([[70.0, 70.0, 20.0]])
    assert crossed(starts, ends, discs)[:, 0].tolist() == [False, False, True, False]


def test_a_walker_whose_way_begins_to_burn_goes_round() -> None:
    """A fire on the way of somebody who is on it already: it never comes within its flames."""
    peds = [replace(person(10, "courier", *START), model="dummy")]
    world = World(street(peds=peds), strict=True)
    ped = ped_named(world)
    steps(world, 2)
    source = world.sources.create("test")
    world.actions.submit(StartOrderAt(ped.ref, Vec3(*GOAL), source))
    until(world, lambda: ped.position.x > 500.0)
    world.fires.light(Vec3(1000.0, 800.0), 60.0, steady=True)
    least = 1e9
    for _ in range(900):
        world.step()
        least = min(least, float(np.hypot(ped.position.x - 1000.0, ped.position.y - 800.0)))
        if ped.position.x > 1500.0:
            break
    assert ped.position.x > 1500.0, "it got there"
    assert least > 210.0, "further than the heat that would drive it back"
