"""LVL-28: the car of LVL-01 drives on while the courier comes; ORD-20's cases in a level."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ai.ports import Vec3
from game.levels.cue_forms import CUE_KINDS, Cue
from game.levels.level import Level
from game.levels.map_transforms import MapTransform, Mirrored, Turned
from game.levels.transforms import transformed
from tests.levels.runs import distance, play, shipped
from tests.levels.variants import without_expectations

SIDE = Vec3(1000.0, 900.0)
"""Beside the car after 300 cm down the map, by hand: (1200, 900) + (-200, 0)."""


def cue(do: str, **keys: object) -> Cue:
    return CUE_KINDS[do].model_validate({"do": do, **keys})


def following(*cues: Cue, duration_s: float = 16.0) -> Level:
    """LVL-01 with an order that goes after the car, and what becomes of the car."""
    level = without_expectations(shipped("pickup"))
    start = cue(
        "order.start", ped="courier", object="car_a", offset=[-200.0, 0.0, 0.0], track=True, at=0.5
    )
    head = level.script.head.model_copy(update={"duration_s": duration_s})
    return replace(level, script=replace(level.script, head=head, cues=(start, *cues)))


DRIVES = cue("vehicle.move", object="car_a", position=[1200.0, 900.0], speed_cm_s=60.0, at=2.0)


@pytest.mark.parametrize("image", [None, Mirrored, Turned])
def test_a_car_that_drives_on_and_stops_is_met(image: type[MapTransform] | None) -> None:
    """LVL-28, ORD-20: 60 cm/s for 5 s, then it stops: within 15 cm of the final side point.

    Session 1, instruction 1, no failure, at most 10 retargets in the 5 s: each is a generation.
    """
    level, side = following(DRIVES), SIDE
    if image is not None:
        motion = image(level.description.width_cm, level.description.height_cm)
        level, side = transformed(level, image), motion.place(SIDE)
    run = play(level)
    assert run.last.order_status == "COMPLETED"
    assert distance(run.last, side) <= 15.0
    assert run.first("COMPLETED").step > 7 * 60
    begun, driven = run.rows[119], run.rows[119 + 300]
    assert 1 <= driven.generation - begun.generation <= 10
    assert {row.session for row in run.rows[30:]} == {1}
    assert {row.instruction_count for row in run.rows[30:]} == {1}
    assert {row.failure_count for row in run.rows} == {0}


def test_a_car_that_is_removed_is_a_failure() -> None:
    """LVL-28, ORD-20: failure 1, AWAITING_DECISION, and nobody moves on."""
    level = following(DRIVES, duration_s=8.0)

    def remove(box: object) -> None:
        world = box.world  # type: ignore[attr-defined]
        if world.clock.step == 240:
            world.things.request_removal(world.things.by_name("car_a").ref)

    run = play(level, before_step=remove)
    assert run.last.order_status == "AWAITING_DECISION"
    assert run.last.failure_count == 1
    assert run.first("AWAITING_DECISION").details == (1, "TARGET_GONE")
    assert len({row.position for row in run.rows[250:]}) == 1
