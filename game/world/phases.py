"""The seventeen phases of a step, one function each: a call into one room of the house.

``phase`` numbers a function by its row of the step table and tells the fact trace,
so that every fact knows the phase it came about in.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING

from ai.tasks.task_manager import PhaseHook

if TYPE_CHECKING:
    from game.world.world import World

_POST_MOVEMENT = PhaseHook.POST_MOVEMENT
_DRAWN_HOOKS = (
    PhaseHook.POST_CAMERA,
    PhaseHook.PRE_RENDER,
    PhaseHook.POST_PRE_RENDER,
    PhaseHook.AFTER_ATTACHMENTS,
)


def phase(number: int) -> Callable[[Callable[[World], None]], Callable[[World], None]]:
    """Mark a function as the phase in row ``number`` of the step table."""

    def mark(work: Callable[[World], None]) -> Callable[[World], None]:
        @wraps(work)
        def numbered(world: World) -> None:
            world.enter_phase(number, work.__name__)
            work(world)

        return numbered

    return mark


@phase(1)
def input_and_cues(world: World) -> None:
    """Live or recorded input, the focus, cues that are due (orders are only queued)."""
    world.begin_step()
    world.act_for_player()
    world.scene.act()


@phase(2)
def scripts_and_commands(world: World) -> None:
    """The script round ends; queued order commands, in (step, sequence)."""
    world.events.scripts.end_round()
    world.orders.drain()


@phase(3)
def things_of_the_world(world: World) -> None:
    """Vehicles under way, struck props, what blows up, what burns; facts become events."""
    world.vehicle_moves.advance(world.clock.dt_s)
    world.prop_reactions.act()
    world.fires.advance()
    world.happenings.update()


@phase(4)
def global_events(world: World) -> None:
    """Global events are offered to peds and scripts; news of the last step is delivered."""
    world.events.global_events.process()


@phase(5)
def body_recovery(world: World) -> None:
    """W1: ragdoll feedback from the last physics, recovery phases."""
    world.recovery.update(world.clock.dt_s)


@phase(6)
def minds(world: World) -> None:
    """W2: The detail of all, what they notice, then each ped wholly: pre-passes, its mind.

    TASK-85, TASK-119; EVT-37: scanners look at facts that no mind changes, so all at once.
    """
    world.ai_lod.choose(world.peds.in_id_order(), world.focus)
    step = world.clock.step
    world.scanners.scan(step)
    world.happenings.clear_step()
    dt_s = world.clock.dt_s
    for ped in world.peds.in_id_order():
        world.order_passes.pre_pass(ped)
        world.safe.pre_pass(ped)
        ped.intelligence.process(step, dt_s)


@phase(7)
def vehicle_and_object_trees(world: World) -> None:
    """Task trees of vehicles and objects (TASK-84)."""
    world.thing_tasks.process(world.clock.dt_s)


@phase(8)
def removals(world: World) -> None:
    """Removals asked for so far (TASK-87)."""
    for ped in world.peds.in_id_order():
        ped.tasks.run_queued_flushes()
    world.thing_tasks.run_queued_flushes()
    world.remove_requested()


@phase(9)
def knock_downs(world: World) -> None:
    """Knock-downs asked for so far: summed, checked, bodies taken over."""
    world.knock_downs.take_effect()


@phase(10)
def coordination_before_motion(world: World) -> None:
    """W3: May the movement write position in this step?"""
    world.coordination.coordinate()
    world.order_passes.tracking.after_coordination()


@phase(11)
def turning_and_motion(world: World) -> None:
    """W4: Turning and actual motion; who stumbles takes its steps."""
    world.walk_update.step(world.clock.dt_s)
    world.stumbles.step(world.clock.dt_s)


@phase(12)
def path_service(world: World) -> None:
    """W5: The path service works and delivers, then takes new requests."""
    if not world.walk_graph.advance_rebuild():
        world.surface.advance_rebuild()
    world.reroute.look()
    world.path_hand_off.step()


@phase(13)
def coordination_after_motion(world: World) -> None:
    """W6: Coordination again, then the order post-pass."""
    world.coordination.coordinate()
    world.order_passes.post_pass()


@phase(14)
def physics(world: World) -> None:
    """Standing circles placed, two sub-steps with their hooks, contacts, hits passed on."""
    world.step_physics()


@phase(15)
def post_movement(world: World) -> None:
    """The post-movement hook of every task that wants it (TASK-66)."""
    world.run_task_hook(_POST_MOVEMENT)


@phase(16)
def population(world: World) -> None:
    """Later removals (TASK-87); spawning comes with the population."""
    world.remove_requested()


@phase(17)
def end_of_step(world: World) -> None:
    """Trace rows, expectations, invariants, fingerprint; then the step number rises."""
    world.end_step()


def hooks_of_a_drawn_frame(world: World) -> None:
    """The camera has moved, the poses are sampled, nothing is drawn yet (TASK-66).

    Outside of the steps, so no result of the simulation may depend on them.
    """
    for hook in _DRAWN_HOOKS:
        world.run_task_hook(hook)
