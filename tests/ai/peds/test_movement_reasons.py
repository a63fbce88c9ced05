"""Which tasks keep the general movement from running, in every combination (NAV-14, NAV-16)."""

from __future__ import annotations

from itertools import product

import pytest

from ai.behaviours.order_record import OrderStatus
from ai.behaviours.wander import TaskWander
from ai.motion.movement_table import MoveOwner, SuspendReason
from ai.peds.movement_reasons import main_task_is_foreign, slot_belongs_to_another
from ai.peds.ped import Ped
from ai.ports import Vec3
from ai.tasks.task import Task
from ai.tasks.trees import MOVEMENT, MovementTreeSlot, PrimarySlot
from game.world.world import World
from tests.ai.behaviours.courier import MAIN, NONTEMP, PHYSICAL, TEMP, Courier
from tests.ai.behaviours.stand_ins import Faller, Idler, Walker
from tests.streets import courier_street, ped_named, person, steps

OWNER = MoveOwner(int(Walker.task_type), None, 900)
AWAY = Vec3(1700.0, 300.0)

Kind = str
"""What stands in a slot: "-" nothing, "own" the movement's owner, "other" somebody else."""


def task_of(kind: Kind) -> Task | None:
    return {"-": None, "own": Walker(AWAY, 900), "other": Idler()}[kind]


CASES = [
    case
    for case in product(
        ("-", "other"), ("-", "own", "other"), ("-", "own", "other"), ("-", "other")
    )
    if case[1:3] != ("own", "own")
]
"""PHYSICAL, TEMP, NONTEMP, PRIMARY; an owner holds one slot."""


@pytest.mark.parametrize(("physical", "temp", "nontemp", "main"), CASES)
def test_foreign_main_is_the_first_main_task_that_does_not_own_the_movement(
    physical: Kind, temp: Kind, nontemp: Kind, main: Kind
) -> None:
    """NAV-14, NAV-16: 32 combinations of slots; overlays are looked through, defaults never count.

    By hand: of TEMP, NONTEMP, PRIMARY the first that is taken decides.
    """
    courier = Courier()
    for kind, slot in ((main, MAIN), (nontemp, NONTEMP), (temp, TEMP), (physical, PHYSICAL)):
        task = task_of(kind)
        if task is not None:
            courier.put(task, slot)
    courier.world.table.owners[courier.row] = OWNER
    taken = [kind for kind in (temp, nontemp, main) if kind != "-"]
    assert main_task_is_foreign(courier.ped) is (bool(taken) and taken[0] != "own")


@pytest.mark.parametrize("general", ["empty", "own", "other"])
@pytest.mark.parametrize("physical", [False, True])
@pytest.mark.parametrize("parent", ["own", "other", "default"])
@pytest.mark.parametrize("live", [False, True])
def test_not_owner_is_a_live_movement_that_nobody_of_its_owner_states(
    general: str, physical: bool, parent: str, live: bool
) -> None:
    """NAV-14: 36 combinations. An empty slot is excused by a parent dormant under an overlay."""
    courier = Courier()
    if parent != "default":
        courier.put(Walker(AWAY, 900) if parent == "own" else Idler(), MAIN)
    if general != "empty":
        walker = courier.put(Walker(AWAY, 900 if general == "own" else 901), TEMP)
        courier.step()
        move_task = courier.task(MovementTreeSlot.GENERAL, MOVEMENT)
        assert move_task is not None
        assert move_task.move_owner == walker.move_owner  # type: ignore[attr-defined]
        courier.clear(TEMP)
    if physical:
        courier.put(Faller(), PHYSICAL)
    table = courier.world.table
    table.owners[courier.row] = OWNER
    table.status[courier.row] = 2 if live else 5
    if general == "empty":
        expected = not (physical and parent == "own")
    else:
        expected = general == "other"
    assert slot_belongs_to_another(courier.ped) is (live and expected)


def test_a_record_without_an_owner_is_nobodys() -> None:
    """NAV-14: a ped that never moved is suspended by no task."""
    courier = Courier()
    courier.put(Idler(), MAIN)
    courier.step(3)
    assert courier.movement.suspend == SuspendReason.NONE


def test_a_wanderer_under_a_fall_keeps_its_movement() -> None:
    """NAV-16: a default task owns its movement too: empty GENERAL under an overlay is excused."""
    world, ped = wanderer()
    assert ped.movement.live
    owner, generation, goal = ped.movement.owner, ped.movement.generation, ped.movement.goal
    ped.tasks.set_task(0, Faller(), PHYSICAL)
    world.coordination.set_reason(ped.slot, SuspendReason.BODY, True)
    steps(world, 20)
    assert ped.movement.suspend == SuspendReason.BODY
    world.coordination.set_reason(ped.slot, SuspendReason.BODY, False)
    ped.tasks.set_task(0, None, PHYSICAL)
    here = ped.position
    steps(world, 30)
    assert (ped.movement.owner, ped.movement.goal) == (owner, goal)
    assert ped.movement.generation == generation + 2, "suspended, resumed, nothing requested"
    assert ped.position != here


def test_a_wanderer_whose_order_took_the_record_chooses_anew() -> None:
    """TASK-121, ORD-26: after the order one new request; the old goal is not gone back to."""
    world, ped = wanderer()
    old_goal = ped.movement.goal
    courier = Courier(world=world)
    assert courier.start().accepted
    steps(world, 30)
    assert ped.order.status is OrderStatus.TRAVELLING
    generation = ped.movement.generation
    assert courier.cancel().accepted
    assert ped.movement.goal == ped.order.goal
    requests = 0
    for _ in range(400):
        before = ped.movement.goal
        world.step()
        requests += ped.movement.goal != before
    assert requests >= 1
    assert ped.movement.goal not in (old_goal, ped.order.goal)
    assert ped.movement.generation == generation + 1 + requests, "cancel, and each new goal"


def test_a_wanderer_whose_record_a_response_took_does_not_count_it_as_a_failure() -> None:
    """TASK-121: it chooses anew in the step it resumes in; nothing of its own went wrong."""
    world, ped = wanderer()
    number = wander_of(ped).goal_number
    walker = Walker(Vec3(300.0, 300.0))
    ped.tasks.set_task(0, walker, NONTEMP)
    steps(world, 20)
    assert ped.movement.owner == walker.move_owner
    assert ped.movement.live
    ped.tasks.set_task(0, None, NONTEMP)
    world.step()
    wander = wander_of(ped)
    assert wander.failures == 0
    assert wander.state != TaskWander.State.WALK or wander.goal_number == number + 1
    assert ped.movement.owner != walker.move_owner or not ped.movement.desired_speed


def wander_of(ped: Ped) -> TaskWander:
    task = ped.tasks.tree(0).get_task(PrimarySlot.DEFAULT)
    assert isinstance(task, TaskWander)
    return task


def wanderer() -> tuple[World, Ped]:
    world = World(
        courier_street(peds=(person(10, "courier", 1000.0, 800.0, task="wander"),)),
        strict=True,
        ped_capacity=8,
    )
    ped = ped_named(world)
    for _ in range(2000):
        world.step()
        if ped.movement.measured_speed > 100.0:
            return world, ped
    raise AssertionError("it never walked")
