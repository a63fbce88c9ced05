"""What each phase of a step calls in its room: wiring that no room's own tests can see."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

import pytest

from ai.ports import PathFailure, Vec3
from ai.tasks.task import Task
from ai.tasks.trees import PRIMARY, PrimarySlot
from game.world.world import World
from tests.ai.tasks.doubles import fresh_type
from tests.streets import barrier, courier_street, ped_named, person, prop, steps, street, thing


class AtPhase:
    """Does something each time a phase is about to begin."""

    def __init__(self, number: int, act: Callable[[], None]) -> None:
        self._number = number
        self._act = act

    def phase_begins(self, number: int, name: str) -> None:
        if number == self._number:
            self._act()


class PhaseDiary(Task):
    """Notes the phase in which each of its calls comes; flushes its tree if asked to."""

    task_type = fresh_type("phase_diary")
    __slots__ = ("flushes", "phases", "world")
    PARAMS = ("world",)

    class State(IntEnum):
        RUN = 0

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world
        self.phases: list[tuple[str, int]] = []
        self.flushes = False

    def on_update_run(self, dt: float) -> None:
        self.phases.append(("update", self.world.facts.phase))
        if self.flushes:
            assert self.entity is not None
            self.entity.tasks.tree(PRIMARY).flush_immediately()

    def process_post_movement(self) -> None:
        self.phases.append(("post_movement", self.world.facts.phase))


def diary_in(world: World) -> PhaseDiary:
    diary = PhaseDiary(world)
    ped_named(world).tasks.set_task(PRIMARY, diary, PrimarySlot.PRIMARY)
    return diary


def test_minds_think_in_phase_6_and_the_post_movement_hook_runs_in_phase_15() -> None:
    """TASK-66: the hook comes when the ped has moved and physics has run, once a step."""
    world = World(courier_street())
    diary = diary_in(world)
    steps(world, 2)
    assert diary.phases == [("update", 6), ("post_movement", 15)] * 2


def test_a_flush_asked_for_by_a_running_task_is_done_in_phase_8() -> None:
    """TASK-55, TASK-87: not inside the tree that runs, and not in a later step."""
    world = World(courier_street())
    diary_in(world).flushes = True
    tree = ped_named(world).tasks.tree(PRIMARY)
    held: dict[int, bool] = {}

    class Look:
        def phase_begins(self, number: int, name: str) -> None:
            held[number] = tree.get_task(PrimarySlot.PRIMARY) is not None

    world.phase_listener = Look()
    world.step()
    assert held[8]
    assert not held[9]


@pytest.mark.parametrize("asked_before", range(1, 18))
def test_what_is_asked_to_leave_leaves_in_phase_8_or_else_in_phase_16(asked_before: int) -> None:
    """TASK-87: a removal waits for the end of the minds, or for the end of the step."""
    world = World(courier_street(), strict=True)
    ped, car = ped_named(world).ref, thing(world, "car_a")

    def ask() -> None:
        if world.clock.step == 0:
            assert world.peds.request_removal(ped)
            assert world.things.request_removal(car)

    done_in: list[tuple[int, int]] = []

    class Look(AtPhase):
        def phase_begins(self, number: int, name: str) -> None:
            if world.peds.resolve(ped) is None and not done_in:
                assert world.things.get(car) is None
                done_in.append((world.clock.step, number - 1))
            super().phase_begins(number, name)

    world.phase_listener = Look(asked_before, ask)
    steps(world, 2)
    expected = (0, 8) if asked_before <= 8 else (0, 16) if asked_before <= 16 else (1, 8)
    assert done_in == [expected]


def corners_past(world: World) -> int:
    """Corners of the way along y = 600 past x = 700, as the world knows it now."""
    search = world.path_finder.begin(
        Vec3(400.0, 600.0), Vec3(1000.0, 600.0), expansions_max=8192, ignore_costs=False
    )
    while search.result is None:
        search.advance(800)
    assert search.result.failure is PathFailure.NONE
    return len(search.result.points)


def test_the_walk_graph_follows_a_barricade_that_appears_and_goes() -> None:
    """NAV-26: it is brought up to date in phase 12, so that the next path knows."""
    world = World(courier_street())
    assert corners_past(world) == 1
    world.things.spawn(barrier(99, 700.0, 600.0))
    steps(world, 30)
    assert corners_past(world) > 1
    assert world.things.request_removal(thing(world, "barrier99"))
    steps(world, 30)
    assert corners_past(world) == 1


def test_the_fingerprint_sees_a_prop_that_nobody_is_near() -> None:
    """product.md section 2: all prop states of every step are in it."""
    prints = set()
    for impulse in (0.0, 1e-9):
        world = World(
            street(
                peds=(person(1, "far", 1800.0, 1400.0),),
                props=(prop(60, "cone", 300.0, 300.0, 20.0, 3.0),),
            )
        )
        world.physics.apply_impulse(thing(world, "cone60"), (100.0 + impulse, 0.0))
        steps(world, 3)
        prints.add(world.fingerprint.hexdigest())
    assert len(prints) == 2
