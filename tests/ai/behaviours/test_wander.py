"""Wandering: goals on cheap ground, one request each, pauses, patience with failure (TASK-121)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from ai.behaviours.wander import TaskWander
from ai.motion.movement_table import MoveReason, MoveStatus
from ai.peds.ped import Ped
from ai.ports import STEP_S, EntityRef, GroundPoint, Polygon, Vec3
from ai.tasks.trees import PRIMARY, PrimarySlot
from game.world.description import LevelDescription, SurfaceDescription
from game.world.world import World
from tests.streets import barrier, pavement, ped_named, person, steps, street, until

ROAD = (400.0, 1000.0)
"""From y to y; pavements above and below."""
CROSSINGS = ((400.0, 600.0), (1400.0, 1600.0), (2400.0, 2600.0), (3400.0, 3600.0))
"""From x to x: never so far off that the way round costs more than the road."""
WIDTH, HEIGHT = 4000.0, 1400.0
MINUTES_3 = 180 * 60


def patch(
    object_id: int, kind: str, x0: float, y0: float, x1: float, y1: float
) -> SurfaceDescription:
    outline = Polygon(((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
    return SurfaceDescription(object_id=object_id, kind=kind, outline=outline)


def road_street(count: int = 10, seed: int = 1) -> LevelDescription:
    """Two pavements, a road between them, four crossings, ``count`` wanderers."""
    surfaces = [
        patch(1, "pavement", 0.0, 0.0, WIDTH, ROAD[0]),
        patch(2, "road", 0.0, *ROAD[:1], WIDTH, ROAD[1]),
        patch(3, "pavement", 0.0, ROAD[1], WIDTH, HEIGHT),
    ]
    for number, (x0, x1) in enumerate(CROSSINGS):
        surfaces.append(patch(4 + number, "crossing", x0, ROAD[0], x1, ROAD[1]))
    peds = tuple(
        replace(
            person(20 + n, f"p{n}", 250.0 + 370.0 * n, 200.0 if n % 2 else 1200.0, task="wander"),
            walk_speed_cm_s=110.0 + 4.0 * n,
        )
        for n in range(count)
    )
    level = street(peds=peds, surfaces=surfaces, seed=seed)
    return replace(level, width_cm=WIDTH, height_cm=HEIGHT)


def wander_of(ped: Ped) -> TaskWander:
    task = ped.tasks.tree(PRIMARY).get_task(PrimarySlot.DEFAULT)
    assert isinstance(task, TaskWander)
    return task


@dataclass
class Watched:
    """What one ped did in a run.

    - ``track`` has shape (steps, 2): where it stood at the end of each step, in cm.
    - ``replans`` counts requests anew for the goal it had, because the way was blocked.
    - ``goals`` and ``starts`` belong together: a goal, and where it was drawn.
    - ``stopped_short`` counts goals that somebody else stood on.
    """

    ped: Ped
    track: NDArray[np.float64]
    goals: list[Vec3] = field(default_factory=list)
    starts: list[Vec3] = field(default_factory=list)
    paths: list[tuple[Vec3, ...]] = field(default_factory=list)
    replans: int = 0
    replans_of_goal: int = 0
    pauses_s: list[float] = field(default_factory=list)
    stopped_short: int = 0

    @property
    def step_lengths(self) -> NDArray[np.float64]:
        return np.hypot(*np.diff(self.track, axis=0).T)

    @property
    def longest_still_s(self) -> float:
        longest = still = 0
        for length in self.step_lengths.tolist():
            still = still + 1 if length == 0.0 else 0
            longest = max(longest, still)
        return longest * STEP_S


@dataclass
class Run:
    """Three minutes of the street."""

    watched: list[Watched]
    requests: int


@pytest.fixture(scope="module")
def run() -> Run:
    world = World(road_street(), ped_capacity=16)
    for ped in world.peds.in_id_order():
        ped.intelligence.fix_period(1)  # what is watched is then seen in its own step
    watched = [
        Watched(ped, np.zeros((MINUTES_3, 2), dtype=np.float64)) for ped in world.peds.in_id_order()
    ]
    requests = [0]
    submit = world.movement.service.submit

    def counted(*arguments: object, **options: object) -> object:
        requests[0] += 1
        return submit(*arguments, **options)  # type: ignore[arg-type]

    world.movement.service.submit = counted  # type: ignore[method-assign, assignment]
    for step in range(MINUTES_3):
        before = [seen.ped.position for seen in watched]
        world.step()
        for seen, start in zip(watched, before, strict=True):
            look(seen, step, start)
    return Run(watched, requests[0])


def look(seen: Watched, step: int, start: Vec3) -> None:
    ped = seen.ped
    wander, movement = wander_of(ped), ped.movement
    seen.track[step] = ped.position[:2]
    if wander.goal_number > len(seen.goals):
        seen.goals.append(movement.goal)
        seen.starts.append(start)
    if movement.replans_total > seen.replans_of_goal:
        seen.replans += 1
    seen.replans_of_goal = movement.replans_total
    if movement.path_usable and (not seen.paths or seen.paths[-1] != movement.path):
        seen.paths.append(movement.path)
    if wander.state == TaskWander.State.PAUSE and wander.time_in_state == 0.0:
        seen.pauses_s.append(wander.wait_s)
        seen.stopped_short += movement.status is MoveStatus.CANCELLED


def test_nobody_stands_longer_than_25_s(run: Run) -> None:
    """TASK-121: pauses of 0 to 4 s, and the waits after nothing was found or reached."""
    for seen in run.watched:
        assert seen.longest_still_s <= 25.0, f"{seen.ped!r}"


def test_everybody_gets_about(run: Run) -> None:
    """TASK-121: walks from goal to goal; every pavement is used."""
    used = set()
    for seen in run.watched:
        assert len(seen.goals) >= 4
        places = seen.track // (1000.0, HEIGHT / 2)
        used |= {(int(x), int(y)) for x, y in places[::60].tolist()}
    assert used == {(part, side) for part in range(4) for side in range(2)}


def test_every_goal_is_far_enough_and_on_cheap_ground(run: Run) -> None:
    """TASK-121: 800 to 4000 cm away, on a surface of cost 1, never road."""
    for seen in run.watched:
        for start, goal in zip(seen.starts, seen.goals, strict=True):
            assert 800.0 <= math.hypot(goal.x - start.x, goal.y - start.y) <= 4000.0
            on_road = ROAD[0] < goal.y < ROAD[1]
            assert not on_road or any(x0 <= goal.x <= x1 for x0, x1 in CROSSINGS)


def test_ways_lead_over_crossings(run: Run) -> None:
    """TASK-121, NAV-27: nobody's way is on a road except on crossings."""
    crossed = 0
    for seen in run.watched:
        for one, other in chain.from_iterable(pairwise(path) for path in seen.paths):
            for point in along(one, other):
                if ROAD[0] + 1.0 < point.y < ROAD[1] - 1.0:
                    crossed += 1
                    assert any(x0 - 1.0 <= point.x <= x1 + 1.0 for x0, x1 in CROSSINGS)
    assert crossed > 0


def along(one: Vec3, other: Vec3) -> list[Vec3]:
    parts = max(1, int(math.dist(one, other) // 10.0))
    return [
        Vec3(one.x + (other.x - one.x) * n / parts, one.y + (other.y - one.y) * n / parts)
        for n in range(parts + 1)
    ]


def test_one_path_request_a_goal(run: Run) -> None:
    """TASK-121, ORD-26: asked for once per goal; only a blocked way is asked for again."""
    goals = sum(len(seen.goals) for seen in run.watched)
    generations = sum(seen.ped.movement.generation - seen.stopped_short for seen in run.watched)
    assert run.requests == generations, "no request but those of a generation"
    assert run.requests == goals + sum(seen.replans for seen in run.watched)


def test_everybody_walks_at_their_own_speed(run: Run) -> None:
    """TASK-121, LOC-15: 110 to 146 cm/s, each ped its own."""
    for seen in run.watched:
        bound = seen.ped.walk_speed_cm_s * STEP_S
        assert bound * 0.99 < seen.step_lengths.max() <= bound + 1e-9


def test_it_pauses_at_its_goals(run: Run) -> None:
    """TASK-121: 0 to 4 s at a goal, drawn anew each time."""
    pauses_s = [pause for seen in run.watched for pause in seen.pauses_s]
    assert len(pauses_s) > 20
    assert len(set(pauses_s)) == len(pauses_s)
    assert 0.0 <= min(pauses_s) < 1.0
    assert 3.0 < max(pauses_s) <= 4.0


def test_wandering_is_deterministic() -> None:
    """TASK-121, product.md section 2: one seed, one run; another seed, another."""
    prints = []
    for seed in (1, 1, 2):
        world = World(road_street(4, seed), ped_capacity=8)
        steps(world, 600)
        prints.append(world.fingerprint.hexdigest())
    assert prints[0] == prints[1] != prints[2]


# -- failures ----------------------------------------------------------------------------------


def alone(**changes: object) -> tuple[World, Ped]:
    """One wanderer on a wide pavement."""
    level = street(
        peds=(person(10, "w", 2000.0, 2000.0, task="wander"),),
        surfaces=(pavement(4000.0, 4000.0),),
        **changes,  # type: ignore[arg-type]
    )
    world = World(replace(level, width_cm=4000.0, height_cm=4000.0), strict=True, ped_capacity=8)
    ped = ped_named(world, "w")
    ped.intelligence.fix_period(1)
    return world, ped


def test_three_failures_in_a_row_stand_5_s() -> None:
    """TASK-121: a failed one draws another goal at once; the third stands 5 s."""
    world, ped = alone()
    wander = wander_of(ped)
    world.step()
    chosen = []
    while len(chosen) < 4:
        if wander.goal_number > len(chosen):
            chosen.append((world.clock.step, wander.goal_number))
            assert ped.movement.live
            ped.movement.fail(MoveReason.NO_PATH)
        world.step()
    first, second, third, fourth = (step for step, _ in chosen)
    assert second - first <= 3
    assert third - second <= 3
    assert fourth - third == pytest.approx(300, abs=3)
    assert [number for _, number in chosen] == [1, 2, 3, 4]


def test_an_arrival_forgets_earlier_failures() -> None:
    """TASK-121: three in a row, not three in all."""
    world, ped = alone()
    wander = wander_of(ped)
    row = ped.slot * 3 + 1
    for _ in range(3):
        for _ in range(2):
            number = wander.goal_number
            while wander.goal_number == number:
                world.step()
            ped.movement.fail(MoveReason.NO_PATH)
        while not ped.movement.live:
            world.step()
        while ped.movement.status is not MoveStatus.WALKING:
            world.step()
        world.movement.arrive(row)
        steps(world, 3)
        assert wander.failures == 0
        assert wander.state == TaskWander.State.PAUSE


def test_unreachable_goals_are_given_up_one_by_one() -> None:
    """TASK-121, NAV-10: a yard that nothing leads out of: stands 5 s after each three goals."""
    level = street(
        peds=(person(10, "w", 2000.0, 2000.0, task="wander"),),
        surfaces=(pavement(4000.0, 4000.0),),
        obstacles=(
            barrier(30, 2000.0, 1800.0, 420.0, 20.0),
            barrier(31, 2000.0, 2200.0, 420.0, 20.0),
            barrier(32, 1800.0, 2000.0, 20.0, 420.0),
            barrier(33, 2200.0, 2000.0, 20.0, 420.0),
        ),
    )
    world = World(replace(level, width_cm=4000.0, height_cm=4000.0), strict=True, ped_capacity=8)
    ped = ped_named(world, "w")
    wander = wander_of(ped)
    steps(world, 1200)
    assert ped.position == Vec3(2000.0, 2000.0)
    assert 9 <= wander.goal_number <= 15, "three goals, then 5 s, in 20 s"
    assert ped.movement.generation == wander.goal_number


def narrow_ground(world: World, allowed: Callable[[float], bool]) -> list[tuple[float, float]]:
    """Let candidate goals project only in some directions (deg off ahead); log what was asked."""
    ped = world.peds.in_id_order()[0]
    asked: list[tuple[float, float]] = []
    surface = ped.services.surface
    honest = surface.project

    def project(x: float, y: float, max_shift_cm: float) -> GroundPoint | None:
        here = ped.position
        distance = math.hypot(x - here.x, y - here.y)
        if distance < 500.0:
            return honest(x, y, max_shift_cm)
        off = math.degrees(math.remainder(math.atan2(y - here.y, x - here.x) - ped.yaw, math.tau))
        asked.append((off, distance))
        return GroundPoint(x, y, 0.0, 1.0, 0.0, "pavement") if allowed(off) else None

    surface.project = project  # type: ignore[method-assign]
    ped.services.path_finder.path_end = lambda goal: goal  # type: ignore[method-assign]
    return asked


def test_without_any_goal_it_looks_behind_then_stands_2_s() -> None:
    """TASK-121: of 6 candidates none projects: those behind, then stand 2 s and draw again."""
    world, ped = alone()
    asked = narrow_ground(world, lambda off: False)
    world.step()
    assert len(asked) == 12
    assert all(800.0 - 1e-6 <= distance <= 4000.0 + 1e-6 for _, distance in asked)
    assert all(abs(off) >= 90.0 - 1e-6 for off, _ in asked[6:])
    assert any(abs(off) < 90.0 for off, _ in asked[:6])
    assert wander_of(ped).goal_number == 0
    steps(world, 118)
    assert len(asked) == 12
    steps(world, 4)
    assert len(asked) == 24


def test_what_lies_ahead_is_preferred_and_what_lies_behind_avoided() -> None:
    """TASK-121: weight 3 for the 60 degrees ahead, 1 elsewhere, 0.3 behind.

    Over many draws ahead (60 of 360 degrees) comes 3 times as often per degree as the
    sides, and behind 0.3 times; six candidates a draw blur it a little.
    """
    world, ped = alone()
    narrow_ground(world, lambda off: True)
    wander = wander_of(ped)
    counts = {"ahead": 0, "side": 0, "behind": 0}
    for _ in range(3000):
        goal = wander._draw_goal(behind_only=False)
        assert goal is not None
        off = abs(
            math.degrees(
                math.remainder(math.atan2(goal.y - 2000.0, goal.x - 2000.0) - ped.yaw, math.tau)
            )
        )
        counts["ahead" if off <= 30.0 else "behind" if off >= 150.0 else "side"] += 1
    per_degree = {"ahead": 60.0, "side": 240.0, "behind": 60.0}
    density = {name: counts[name] / per_degree[name] for name in counts}
    assert 2.2 < density["ahead"] / density["side"] < 3.2
    assert 0.2 < density["behind"] / density["side"] < 0.45


def test_a_goal_is_where_a_path_ends_and_has_room() -> None:
    """TASK-121: no goal lies in a prop, at a wall, or where the walk graph doesn't reach.

    The barriers take a third of the pavement; half of them the walk graph doesn't know.
    """
    barriers = tuple(
        barrier(30 + n, 300.0 + 380.0 * (n % 10), 300.0 + 700.0 * (n // 10), 240.0, 100.0,
                nav_block=n % 2 == 0)
        for n in range(50)
    )  # fmt: skip
    world, ped = alone(obstacles=barriers)
    wander = wander_of(ped)
    services = ped.services
    drawn = [wander._draw_goal(behind_only=False) for _ in range(400)]
    goals = [goal for goal in drawn if goal is not None]
    assert len(goals) > 300
    for goal in goals:
        assert services.path_finder.path_end(goal) == goal
        assert world.clearance.circle_free(goal.x, goal.y, services.wander.goal_room, 5.0, 180.0)


def test_it_stops_short_of_a_goal_that_somebody_stands_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """TASK-121: that is as good as arriving: a pause, no failure, no walking on the spot."""
    level = street(
        peds=(
            person(10, "w", 2000.0, 2000.0, task="wander"),
            person(11, "stander", 3000.0, 2000.0),
        ),
        surfaces=(pavement(4000.0, 4000.0),),
    )
    world = World(replace(level, width_cm=4000.0, height_cm=4000.0), strict=True, ped_capacity=8)
    ped, stander = ped_named(world, "w"), ped_named(world, "stander")
    wander = wander_of(ped)
    taken = stander.position
    monkeypatch.setattr(TaskWander, "_draw_goal", lambda _self, *, behind_only: taken)
    until(world, lambda: wander.state == TaskWander.State.PAUSE, limit=800)
    gap = math.dist(ped.position, stander.position)
    assert 63.0 - 1e-6 <= gap <= ped.services.wander.goal_taken_near
    assert wander.failures == 0
    assert ped.movement.replans_total == 0
    assert ped.movement.status is MoveStatus.CANCELLED


def test_two_peds_have_two_streams() -> None:
    """product.md section 2: what one ped draws shifts no other's draws."""
    goals: list[list[Vec3]] = []
    for count in (2, 1):
        level = road_street(count)
        world = World(level, strict=True, ped_capacity=8)
        steps(world, 2)
        goals.append([ped.movement.goal for ped in world.peds.in_id_order()])
    assert goals[0][0] == goals[1][0]


def test_a_removed_wanderer_leaves_no_claim() -> None:
    """NAV-13: claims by ped slot go with the ped."""
    world, ped = alone()
    steps(world, 30)
    ref: EntityRef = ped.ref
    assert world.movement.claims.held(ref.slot)
    world.peds.request_removal(ref)
    world.step()
    assert world.movement.claims.held(ref.slot) == ()
    assert world.pool.used == 0
