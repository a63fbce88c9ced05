"""Where a step and a drawn frame call the tasks (TASK-66, TASK-67, TASK-84)."""

from __future__ import annotations

import pytest

from ai.tasks.task import Task
from ai.tasks.trees import PRIMARY, PrimarySlot
from game.world import frame
from game.world.physics import SUB_STEP_S, PhysicsWorld
from game.world.things import Thing
from game.world.world import World
from tests.ai.tasks.doubles import Log, Probe, fresh_type
from tests.streets import courier_street, ped_named, prop, steps, street, thing


class Watcher(Probe):
    """Logs its update, the hooks, and the sub-steps of physics."""

    task_type = fresh_type("phase_watcher")
    __slots__ = ()

    def on_update_a(self, dt: float) -> None:
        self.act("update")

    def process_move_signals(self) -> bool:
        self.act("signals")
        return True

    def process_physics(self, dt: float, step: int) -> bool:
        self.act(f"physics {step}")
        assert dt == SUB_STEP_S
        return False

    def process_post_movement(self) -> None:
        self.act("moved")

    def process_post_camera(self) -> None:
        self.act("camera")

    def process_pre_render(self) -> None:
        self.act("posed")

    def process_post_pre_render(self) -> None:
        self.act("limbs")

    def process_after_attachments(self) -> None:
        self.act("attached")


@pytest.fixture
def log() -> Log:
    return []


def watched(log: Log) -> World:
    world = World(courier_street(), strict=True)
    ped = ped_named(world)
    ped.tasks.set_task(PRIMARY, Watcher("W", log), PrimarySlot.PRIMARY)
    world.step()
    ped.request_move_signals()
    log.clear()
    return world


def test_a_step_and_its_drawing_call_every_hook_at_its_place(log: Log) -> None:
    """TASK-66: over one frame with 2 sub-steps: 1, 2, 3, 3, 4, then 5 to 8 if it is drawn."""
    world = watched(log)
    world.step()
    assert log == ["W.signals", "W.update", "W.physics 0", "W.physics 1", "W.moved"]
    log.clear()
    frame.draw(world)
    assert log == ["W.camera", "W.posed", "W.limbs", "W.attached"]


def test_headless_steps_skip_what_belongs_to_drawing(log: Log) -> None:
    """TASK-66: 5 to 8 are never called by a step."""
    world = watched(log)
    steps(world, 10)
    assert not {line for line in log if line.endswith(("camera", "posed", "limbs", "attached"))}


def test_hooks_run_in_every_step_whatever_the_time_slice(log: Log) -> None:
    """TASK-66: a ped on a 1-in-6 slice: 60 steps, 10 updates, 120 sub-steps, 60 post movements."""
    world = watched(log)
    ped_named(world).intelligence.fix_period(6)
    steps(world, 60)
    assert log.count("W.update") == 10
    assert log.count("W.physics 0") == log.count("W.physics 1") == 60
    assert log.count("W.moved") == 60
    assert log.count("W.signals") == 60


def test_a_full_update_takes_the_snapshot_after_the_tasks_ran() -> None:
    """TASK-65, TASK-85: what the snapshot says is what the update came to; partial ones keep it."""
    world = World(courier_street(), strict=True)
    ped = ped_named(world)
    mind = ped.intelligence
    mind.fix_period(4)
    task = Probe("P", script={"updA": lambda task: task.set_state(1)})
    ped.tasks.set_task(PRIMARY, task, PrimarySlot.PRIMARY)
    world.step()
    entry = mind.snapshot.trees[PRIMARY][0]
    assert (entry.uid, entry.state) == (task.uid, 1)
    ped.tasks.tree(PRIMARY).clear(PrimarySlot.PRIMARY)
    full = mind.full_updates
    while mind.full_updates == full:
        assert mind.snapshot.trees[PRIMARY][0] is entry
        world.step()
    assert mind.snapshot.trees[PRIMARY][0].uid != task.uid


# -- vehicles and objects ------------------------------------------------------------------


def test_trees_of_things_run_after_the_peds_and_before_removals(log: Log) -> None:
    """TASK-84, product.md section 11: phase 7; in ascending object id."""
    world = watched(log)
    for name in ("car_b", "car_a"):
        mind = world.thing_tasks.of(_thing(world, name))
        mind.tasks.set_task(0, Watcher(name, log), 1)
    log.clear()
    world.step()
    updates = [line for line in log if line.endswith("update")]
    assert updates == ["W.update", "car_a.update", "car_b.update"]
    assert log.count("car_a.physics 0") == log.count("car_a.physics 1") == 1
    assert log.count("car_a.moved") == 1


def test_the_trees_of_a_thing_end_with_it(log: Log) -> None:
    """TASK-87: a removed vehicle's tasks are cleaned up and give their slots back."""
    world = watched(log)
    used = world.pool.used
    mind = world.thing_tasks.of(_thing(world, "car_a"))
    mind.tasks.set_task(0, Watcher("car", log), 1)
    world.step()
    assert world.pool.used == used + 1
    assert mind.label.endswith("#20")
    world.things.request_removal(thing(world, "car_a"))
    world.step()
    assert log.count("car.clean") == 1
    assert world.pool.used == used
    assert world.thing_tasks.in_id_order() == ()


def test_a_task_that_answers_true_keeps_the_body_of_its_thing_awake() -> None:
    """TASK-67: a prop that would fall asleep stays awake while its task asks for it."""

    class Wakeful(Probe):
        task_type = fresh_type("wakeful")
        __slots__ = ()

        def process_physics(self, dt: float, step: int) -> bool:
            return True

    world = World(street(props=(prop(60, "cone", 500.0, 600.0, 20.0, 3.0),)), strict=True)
    steps(world, 60)
    cone = _thing(world, "cone60")
    assert _sleeps(world.physics, cone.ref.slot)
    mind = world.thing_tasks.of(cone)
    mind.tasks.set_task(0, Wakeful("w"), 0)
    steps(world, 60)
    assert not _sleeps(world.physics, cone.ref.slot)
    mind.tasks.set_task(0, None, 0)
    steps(world, 60)
    assert _sleeps(world.physics, cone.ref.slot)


def test_closing_the_world_ends_the_tasks_of_things() -> None:
    """TASK-64: nothing is left in the pool."""
    world = World(courier_street(), strict=True)
    task: Task = Probe("P")
    world.thing_tasks.of(_thing(world, "car_a")).tasks.set_task(0, task, 1)
    world.step()
    world.close()
    assert task.is_deleted
    assert world.pool.used == 0


def _thing(world: World, name: str) -> Thing:
    found = world.things.by_name(name)
    assert found is not None
    return found


def _sleeps(physics: PhysicsWorld, slot: int) -> bool:
    body = physics._bodies[slot].body
    assert body is not None
    return body.is_sleeping
