"""Why a ped did what it did: a level is run up to a moment, and one ped's mind is told as text.

A run follows from its level and seed (product.md section 2), so it is played anew instead
of being kept.
"""

from __future__ import annotations

from ai.events.explain import explain
from ai.machines.dump import dot, dump
from ai.peds.ped import Ped
from ai.ports import STEP_S
from game.levels.errors import LevelError, suggestion
from game.sandbox import Sandbox

SINCE_S = 30.0
"""So much of the decision trace is told."""


def why(
    level: str,
    ped: str,
    *,
    steps: int | None = None,
    seed: int | None = None,
    brain: bool = False,
    as_graph: bool = False,
) -> str:
    """The decision trace of a ped, newest first, or its brain, after so many steps.

    Without ``steps`` at the level's end.

    Raises ``LevelError`` for a level that can't be read, for a ped that is not there at
    that moment, and for one without a brain.
    """
    with Sandbox.load(level, seed=seed) as box:
        box.step(round(box.level.duration_s / STEP_S) if steps is None else steps)
        found = box.world.peds.by_name(ped)
        if found is None:
            names = [one.name for one in box.world.peds.in_id_order()]
            raise LevelError(
                f"no ped is named '{ped}' at {box.time_s:g} s; {suggestion(ped, names)}"
            )
        if brain or as_graph:
            return _brain(found, as_graph=as_graph)
        heading = f"{found.name} at {box.time_s:.2f} s (seed {box.world.seed})"
        lines = explain(found, SINCE_S) or [f"nothing was decided in the last {SINCE_S:g} s"]
        return "\n".join((heading, *lines)) + "\n"


def _brain(ped: Ped, *, as_graph: bool) -> str:
    brain = ped.brain
    if brain is None:
        raise LevelError(f"'{ped.name}' runs no machine or tree of its own; leave --brain out")
    return dot(brain) if as_graph else dump(brain)
