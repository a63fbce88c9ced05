"""What must hold between any two steps (product.md section 10); checked in strict runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ai.tasks.trees import PRIMARY, PrimarySlot

if TYPE_CHECKING:
    from game.world.world import World


class InvariantBroken(AssertionError):
    """The world is in a state that must not exist; the text names ped or body and rule."""


def check_invariants(world: World) -> None:
    """Raise ``InvariantBroken`` for the first rule that does not hold.

    - Every ped has a default task.
    - Every number of a ped's body is finite.
    - No body is in the space without an owner.

    That a position has one owner at a time is kept by ``write_position`` itself, and
    that no task is in two slots by the kernel.
    """
    for ped in world.peds.in_id_order():
        if ped.tasks.tree(PRIMARY).get_task(PrimarySlot.DEFAULT) is None:
            raise InvariantBroken(f"{ped!r} has no default task")
    table = world.table
    slots = np.flatnonzero(table.present)
    state = np.stack((table.x[slots], table.y[slots], table.z[slots], table.yaw[slots]))
    if not np.isfinite(state).all():
        bad = int(slots[np.flatnonzero(~np.isfinite(state).all(axis=0))[0]])
        raise InvariantBroken(f"ped#{int(table.ped_id[bad])} has a position that is not finite")
    unowned = world.physics.check_ownership()
    if unowned:
        raise InvariantBroken("; ".join(unowned))
