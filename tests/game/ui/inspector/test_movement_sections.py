"""ORDER, PATH and CLIP: one line while closed, every field behind it."""

from __future__ import annotations

import pytest

from ai.motion.movement_table import ClipPhase, MovementSlot, MoveReason
from game.ui.inspector.measures import playing, way_left_cm
from game.ui.inspector.movement_sections import clip_section, order_section, path_section
from game.ui.inspector.reading import Row, Section
from game.ui.inspector.stop_reasons import stop_reasons
from game.world.world import World
from tests.streets import barrier, courier_street, ped_named, start, steps, until


@pytest.fixture
def world() -> World:
    """One second after the courier was sent from (200, 600) to (1000, 600)."""
    made = World(courier_street())
    assert start(made).accepted
    steps(made, 60)
    return made


def path_of(world: World) -> Section:
    ped = ped_named(world)
    reasons = stop_reasons(ped.movement, world.clock.time_s, world.data.navigation)
    return path_section(
        ped.movement, reasons, world.movement.claims, ped.slot, world.data.navigation
    )


def by_key(section: Section) -> dict[str, Row]:
    assert len({row.key for row in section.rows}) == len(section.rows)
    return {row.key: row for row in section.rows}


def test_a_ped_without_an_order_has_none() -> None:
    world = World(courier_street())
    assert order_section(ped_named(world).order).summary == "none"


def test_an_order_shows_status_session_counts_and_goal(world: World) -> None:
    """ORD-02: the fields that tell one order from another."""
    section = order_section(ped_named(world).order)
    assert section.summary == "1 travelling · 1 told"
    rows = by_key(section)
    shown = {key: rows[key].text for key in ("status", "session", "told", "failures", "goal")}
    assert shown == {
        "status": "travelling",
        "session": "1",
        "told": "1",
        "failures": "0",
        "goal": "(1000, 600)",
    }
    assert "last_failure" not in rows


def test_a_failed_order_shows_count_and_reason() -> None:
    """ORD-15: a failure counts once and its reason stays."""
    world = World(courier_street(obstacles=(barrier(30, 600.0, 800.0, 20.0, 1600.0),)))
    assert start(world).accepted
    until(world, lambda: ped_named(world).order.failure_count == 1)
    section = order_section(ped_named(world).order)
    assert section.summary == "1 awaiting decision · 1 told, 1 failed"
    assert by_key(section)["last_failure"].text == "nothing leads there"
    assert path_of(world).summary == "failed: nothing leads there"
    assert by_key(path_of(world))["reason"].text == "nothing leads there"


def test_the_way_left_is_measured_over_the_corners(world: World) -> None:
    """A straight way: what was 800 cm less what has been walked."""
    movement = ped_named(world).movement
    assert way_left_cm(movement) == pytest.approx(1000.0 - movement.position.x, abs=0.01)


def test_without_a_usable_path_there_is_no_way_left() -> None:
    world = World(courier_street())
    assert way_left_cm(ped_named(world).movement) is None


def test_the_path_shows_the_fields_of_the_record(world: World) -> None:
    """NAV-01: status, generation, corner, goal, speeds, retries, suspend bits, claim."""
    section = path_of(world)
    left = way_left_cm(ped_named(world).movement)
    assert left is not None
    assert section.summary == f"walking · {left / 100.0:.1f} m left"
    rows = by_key(section)
    assert rows["generation"].text == "1"
    assert rows["corner"].text == "1 of 1"
    assert rows["goal"].text == "(1000, 600)"
    assert rows["speed"].tail == "130 of 130 cm/s"
    assert rows["retries"].text == "0 of 3, 0 for this goal"
    assert rows["suspend"].text == "none"
    claims = [row.text for key, row in rows.items() if key.startswith("claim.")]
    assert claims == ["order 1, priority 50"]


def test_suspend_bits_are_spelt_out_one_by_one(world: World) -> None:
    """NAV-14, NAV-21: two bits are two words and two reasons."""
    ped = ped_named(world)
    world.table.suspend[ped.movement.row] = 4 | 8
    rows = by_key(path_of(world))
    assert rows["suspend"].text == "foreign main, suppressed"
    assert rows["stop.FOREIGN_MAIN"].label == "stops"
    assert rows["stop.SUPPRESSED"].label == ""


def test_another_record_than_the_general_one_is_named(world: World) -> None:
    """NAV-01: a ped has a record for each movement slot."""
    ped = ped_named(world)
    record = world.movement.execution(ped.slot, MovementSlot.DEFAULT)
    section = path_section(record, (), world.movement.claims, ped.slot, world.data.navigation)
    assert by_key(section)["record"].text == "default"
    assert record.reason is MoveReason.NONE


def test_the_clip_shows_profile_phase_and_time(world: World) -> None:
    """CLIP-06: in LOOP the cycle time counts."""
    movement = ped_named(world).movement
    state = movement.clip
    assert state.phase is ClipPhase.LOOP
    loop = world.data.clips.profile(state.profile).loop
    share = state.cycle_time / loop.duration_s
    section = clip_section(movement, world.data.clips)
    assert section.summary == f"walk loop {share:.0%}"
    rows = by_key(section)
    assert rows["clip"].text == "walk_loop"
    assert rows["time"].tail == f"{state.cycle_time:.2f} s"
    assert rows["seq"].text == str(state.clip_seq)


@pytest.mark.parametrize(
    ("phase", "clip"),
    [
        (ClipPhase.IDLE, "idle"),
        (ClipPhase.START, "walk_start"),
        (ClipPhase.STOP, "walk_stop"),
        (ClipPhase.STOP_TAIL, "walk_stop"),
        (ClipPhase.TURN, "turn_right"),
    ],
)
def test_each_phase_plays_its_clip(world: World, phase: ClipPhase, clip: str) -> None:
    """CLIP-07: half way through each; a positive angle turns to the right."""
    profile = world.data.clips.profile(world.data.clips.index("walk"))
    clips = {one.name: one for one in world.data.clips.clips}
    state = ped_named(world).movement.clip._replace(
        phase=phase, clip_time=clips[clip].duration_s / 2.0, turn_angle=1.0
    )
    played = playing(profile, state)
    assert played is not None
    assert (played[0].name, played[1]) == (clip, pytest.approx(0.5))


def test_getting_up_plays_no_clip_of_the_profile(world: World) -> None:
    profile = world.data.clips.profile(world.data.clips.index("walk"))
    state = ped_named(world).movement.clip._replace(phase=ClipPhase.GETUP)
    assert playing(profile, state) is None
