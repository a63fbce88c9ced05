"""One step of the simulation, on one page: its phases by name, in the only agreed order.

The table is product.md section 11; every phase runs for all peds, in ascending
ped id, before the next begins. Drawing stands outside. Phases whose rooms are
not there yet are kept as named, empty places (README of this room).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game.world import phases

if TYPE_CHECKING:
    from game.world.world import World


def draw(world: World) -> None:
    """Tell the tasks of ``world`` that it is about to be drawn; headless runs never do."""
    phases.hooks_of_a_drawn_frame(world)


def step(world: World) -> None:
    """Advance ``world`` by one step of 1/60 s."""
    phases.input_and_cues(world)
    phases.scripts_and_commands(world)
    phases.things_of_the_world(world)
    phases.global_events(world)
    phases.body_recovery(world)
    phases.minds(world)
    phases.vehicle_and_object_trees(world)
    phases.removals(world)
    phases.knock_downs(world)
    phases.coordination_before_motion(world)
    phases.turning_and_motion(world)
    phases.path_service(world)
    phases.coordination_after_motion(world)
    phases.physics(world)
    phases.post_movement(world)
    phases.population(world)
    phases.end_of_step(world)
