"""The commit checks of a step (LOC-07)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai.motion import ped_grid, step_checks_batch
from ai.motion.movement_table import MovementTable
from ai.motion.ped_grid import FEW, PedGrid
from ai.motion.step_checks import StepChecks, ped_spacing_cm
from ai.motion.step_checks_batch import StepChecksBatch
from ai.motion.walker import CheckedStep, Walker
from ai.ports import Vec3
from tests.ai.motion.plain_world import PlainClearance, PlainGround, Solid, box
from tests.ai.motion.walk_world import locomotion_tuning, wide_ground

BUDGET = 130.0 / 60.0


@pytest.fixture(params=["few", "crowd"], scope="module")
def few_or_crowd(request: pytest.FixtureRequest) -> Iterator[None]:
    """What is done one by one, or all with all, for a few, and what is done in a crowd."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "crowd":
            patch.setattr(step_checks_batch, "FEW", 0)
            patch.setattr(ped_grid, "DENSE", 0)
        yield


class Judge:
    """Asks the commit checks about the first of some standing peds."""

    def __init__(
        self,
        *places: tuple[float, float],
        ground: PlainGround | None = None,
        clearance: PlainClearance | None = None,
    ) -> None:
        self.table = MovementTable(len(places))
        for slot, (x, y) in enumerate(places):
            self.table.reset_slot(slot, slot + 1, Vec3(x, y), 0.0)
        self.grid = PedGrid(self.table)
        self.grid.rebuild(self.table.slots_in_id_order(), 80.0, 250.0)
        self.surface = ground or wide_ground()
        self.clearance = clearance or PlainClearance()
        self.checks = StepChecks(
            self.table, self.grid, self.surface, self.clearance, locomotion_tuning()
        )
        self.batch = StepChecksBatch(self.grid, self.surface, self.clearance, locomotion_tuning())

    def step_to(self, x: float, y: float, budget: float = BUDGET) -> CheckedStep | None:
        walker = Walker(0, 0, 0, self.table.position(0), 0.0, 130.0, 1.0 / 60.0, budget)
        return self.checks.check(walker, x, y)


def test_a_free_step_is_accepted_with_its_length() -> None:
    """LOC-07: level ground, nobody near: the step ends where it was aimed."""
    assert Judge((0.0, 0.0)).step_to(2.0, 0.0) == CheckedStep(2.0, 0.0, 0.0, 2.0)


def test_projection_may_shift_a_step_by_5_cm_and_no_more() -> None:
    """LOC-07 a: ground ends at x = 470 for body centres; 4.9 cm over it is put back, 5.1 not."""
    ground = PlainGround.of(box(0.0, 0.0, 1000.0, 1000.0))
    judge = Judge((469.0, 0.0), ground=ground)
    step = judge.step_to(474.9, 0.0, budget=10.0)
    assert step is not None
    assert step.x == pytest.approx(470.0)
    assert step.length == pytest.approx(1.0)
    assert judge.step_to(475.1, 0.0, budget=10.0) is None


@pytest.mark.parametrize(("height", "passes"), [(20.0, True), (-20.0, True), (20.1, False)])
def test_a_step_may_go_20_cm_up_or_down(height: float, passes: bool) -> None:
    """LOC-07 a: step height 20 cm."""
    ground = PlainGround(
        [(box(0.0, 0.0, 1000.0, 1000.0), 0.0), (box(250.0, 0.0, 500.0, 1000.0), height)]
    )
    judge = Judge((-1.0, 0.0), ground=ground)
    assert (judge.step_to(1.0, 0.0) is not None) is passes


@pytest.mark.parametrize(("normal_z", "passes"), [(0.7, True), (0.69, False)])
def test_steep_ground_refuses(normal_z: float, passes: bool) -> None:
    """LOC-07 a: surface normal z at least 0.7."""
    ground = wide_ground()
    ground.normal_z = normal_z
    assert (Judge((0.0, 0.0), ground=ground).step_to(2.0, 0.0) is not None) is passes


def test_projection_that_lengthens_a_step_refuses_it() -> None:
    """LOC-07, section 12 no. 28: a projection that would add 3 cm to a full step is refused."""
    ground = wide_ground()
    ground.shift = (3.0, 0.0)
    assert Judge((0.0, 0.0), ground=ground).step_to(BUDGET, 0.0) is None
    ground.shift = (-1.0, 0.0)
    assert Judge((0.0, 0.0), ground=ground).step_to(BUDGET, 0.0) is not None


def test_a_step_that_projection_takes_away_is_refused() -> None:
    """LOC-07: squarely against the edge of the ground nothing is left of a step."""
    ground = PlainGround.of(box(0.0, 0.0, 1000.0, 1000.0))
    judge = Judge((470.0, 0.0), ground=ground)
    assert judge.step_to(472.0, 0.0) is None
    assert judge.step_to(470.0, 0.0) is not None
    assert judge.step_to(471.0, 1.0) is not None


def test_the_length_after_projection_may_reach_the_budget() -> None:
    """LOC-07: at most the budget + 1e-6."""
    ground = wide_ground()
    ground.shift = (1.0, 0.0)
    judge = Judge((0.0, 0.0), ground=ground)
    assert judge.step_to(1.0, 0.0, budget=2.0 - 5e-7) is not None
    assert judge.step_to(1.0, 0.0, budget=2.0 - 5e-6) is None


@pytest.mark.parametrize(
    ("low", "high", "passes"),
    [
        (0.0, 4.9, True),
        (0.0, 5.1, False),
        (179.9, 300.0, False),
        (180.1, 300.0, True),
        (60.0, 90.0, False),
    ],
)
def test_only_what_meets_the_body_height_refuses(low: float, high: float, passes: bool) -> None:
    """LOC-07 b: solids whose height interval meets [5, 180] cm."""
    clearance = PlainClearance(Solid(box(42.0, 0.0, 20.0, 200.0), low, high))
    assert (Judge((0.0, 0.0), clearance=clearance).step_to(2.1, 0.0) is not None) is passes


def test_the_swept_way_counts_not_only_its_end() -> None:
    """LOC-07 b: a long step over a thin thing is refused although its end is free."""
    clearance = PlainClearance(box(50.0, 0.0, 2.0, 20.0))
    judge = Judge((0.0, 0.0), clearance=clearance)
    assert judge.step_to(100.0, 0.0, budget=100.0) is None


def test_touching_a_wall_is_free() -> None:
    """LOC-07: along a wall at exactly 30 cm."""
    clearance = PlainClearance(box(0.0, 40.0, 2000.0, 20.0))
    assert Judge((0.0, 0.0), clearance=clearance).step_to(2.0, 0.0) is not None


def test_peds_keep_63_cm_between_centres() -> None:
    """LOC-07 c: two radii of 30 and a gap of 3 cm."""
    assert ped_spacing_cm(locomotion_tuning()) == 63.0
    assert Judge((0.0, 0.0), (65.0, 0.0)).step_to(2.0, 0.0) is not None
    assert Judge((0.0, 0.0), (65.0, 0.0)).step_to(2.1, 0.0) is None


def test_peds_too_near_each_other_may_part() -> None:
    """LOC-07 c: nearer than 63 cm a step passes if, and only if, the distance grows."""
    judge = Judge((0.0, 0.0), (50.0, 0.0))
    assert judge.step_to(-2.0, 0.0) is not None
    assert judge.step_to(2.0, 0.0) is None
    assert judge.step_to(0.0, 0.0) is None


def test_spacing_goes_by_present_places() -> None:
    """NAV-12: a ped that has moved on in this step is judged where it is now."""
    judge = Judge((0.0, 0.0), (64.0, 0.0))
    assert judge.step_to(2.0, 0.0) is None
    judge.table.x[1] = 66.0
    assert judge.step_to(2.0, 0.0) is not None


# No lengths whose squares are 0: the exact shapes of the doubles would divide by them.
coordinate = st.floats(min_value=-600.0, max_value=600.0).map(lambda cm: round(cm, 6))


@pytest.mark.usefixtures("few_or_crowd")
@given(st.lists(st.tuples(coordinate, coordinate), min_size=2, max_size=FEW + 20))
def test_the_grid_forgets_nobody_in_range(places: list[tuple[float, float]]) -> None:
    """NAV-12: all peds within the range are named as near, one by one and as pairs alike."""
    table = MovementTable(len(places))
    for slot, (x, y) in enumerate(places):
        table.reset_slot(slot, slot + 1, Vec3(x, y), 0.0)
    grid = PedGrid(table)
    grid.rebuild(table.slots_in_id_order(), 80.0, 250.0)
    asked, others = grid.touch.pairs(np.arange(len(places)))
    pairs = set(zip(asked.tolist(), others.tolist(), strict=True))
    assert len(pairs) == len(asked)
    one, other = grid.touch.all_pairs()
    both_ways = [*zip(one.tolist(), other.tolist(), strict=True)]
    both_ways += zip(other.tolist(), one.tolist(), strict=True)
    assert len(set(both_ways)) == len(both_ways)
    assert pairs.issuperset(both_ways)
    for index, here in enumerate(places):
        near = grid.touch.near(index)
        assert len(set(near)) == len(near)
        assert index not in near
        for other, there in enumerate(places):
            if other != index and math.dist(here, there) <= 80.0:
                assert other in near
                assert (index, other) in pairs
                assert (index, other) in both_ways


@pytest.mark.usefixtures("few_or_crowd")
@given(
    st.lists(st.tuples(coordinate, coordinate, coordinate, coordinate), min_size=1, max_size=12),
    st.sampled_from((0.0, 0.002, 0.02, 0.1, 1.0)),
)
def test_the_batch_of_the_way_check_equals_the_single_one(
    ways: list[tuple[float, float, float, float]], share: float
) -> None:
    """LOC-16, LOC-19: steps and probes of any length, near and far from shapes."""
    clearance = PlainClearance(box(0.0, 0.0, 200.0, 40.0, 30.0), box(300.0, -200.0, 60.0, 60.0))
    judge = Judge((0.0, 0.0), clearance=clearance)
    x0, y0, x1, y1 = (np.array(column) for column in zip(*ways, strict=True))
    x1 = x0 + (x1 - x0) * share
    y1 = y0 + (y1 - y0) * share
    single = [
        judge.checks.way_free(*way)
        for way in zip(x0.tolist(), y0.tolist(), x1.tolist(), y1.tolist(), strict=True)
    ]
    assert judge.batch.ways_free(x0, y0, x1, y1).tolist() == single


@given(st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=12))
def test_the_batch_of_the_ground_check_equals_the_single_one(
    points: list[tuple[float, float]],
) -> None:
    """LOC-16: on, beside and off the ground, over a kerb of 12 and a wall of 25 cm."""
    ground = PlainGround(
        [
            (box(0.0, 0.0, 900.0, 900.0), 0.0),
            (box(300.0, 0.0, 300.0, 900.0), 12.0),
            (box(-300.0, 0.0, 200.0, 900.0), 25.0),
        ]
    )
    judge = Judge((0.0, 0.0), ground=ground)
    walker = Walker(0, 0, 0, Vec3(0.0, 0.0), 0.0, 130.0, 1.0 / 60.0, BUDGET)
    x, y = (np.array(column) for column in zip(*points, strict=True))
    ground_x, ground_y, ground_z, passes, _ = judge.batch.ground(x, y, np.zeros(len(x)))
    for i, (point_x, point_y) in enumerate(points):
        single = judge.checks.ground(walker, point_x, point_y)
        assert passes[i] == (single is not None)
        if single is not None:
            assert (ground_x[i], ground_y[i], ground_z[i]) == (single.x, single.y, single.z)
