"""Cues: when they act, in which order, and what they have done (LVL-11, product.md section 11)."""

from __future__ import annotations

import math

import pytest

from ai.behaviours.order_record import OrderStatus
from ai.ports import Circle, Polygon, Vec3
from game.levels.cue_forms import CUE_KINDS, Cue
from game.levels.cues import CueRunner
from game.levels.forms import fit
from game.levels.showing import Captions, LevelCamera
from game.levels.times import end_of_step_s, first_step_at, steps_within
from game.world.description import CameraDescription, PedDescription, ThingDescription
from tests.game.levels.doubles import FakeWorld, cue_runner, fake_order, fake_ped


def cue(do: str, /, **keys: object) -> Cue:
    if not keys.keys() & {"at", "when", "follows"}:
        keys["at"] = 0.0
    return fit(CUE_KINDS[do], {"do": do, **keys})


def run(runner: CueRunner, world: FakeWorld, steps: int, start: int = 0) -> None:
    for step in range(start, start + steps):
        runner.act(world, world, step)


@pytest.mark.parametrize(
    ("seconds", "step"),
    [(0.0, 0), (0.5, 30), (3.0, 180), (6.5, 390), (8.0, 480), (0.51, 31), (1 / 60, 1), (0.1, 6)],
)
def test_a_time_is_the_first_step_that_begins_then(seconds: float, step: int) -> None:
    """Timer rule: a step begins at n / 60 s, and a rounding error is no step."""
    assert first_step_at(seconds) == step


def test_whole_steps_of_a_time() -> None:
    """Section 2: 3.5 s are 210 steps, 0.25 s are 15."""
    assert [steps_within(seconds) for seconds in (3.5, 0.25, 0.0, 0.3, 12.0)] == [
        210, 15, 0, 18, 720,
    ]  # fmt: skip
    assert end_of_step_s(719) == pytest.approx(12.0)


def test_a_cue_acts_once_in_the_step_of_its_time() -> None:
    """LVL-11: a cue at 0.5 s acts in step 30 and never again."""
    world = FakeWorld()
    runner = cue_runner(cue("order.hold", ped="courier", at=0.5))
    run(runner, world, 30)
    assert world.calls == []
    run(runner, world, 1, start=30)
    assert world.calls == [("hold", "cue[0]", "courier")]
    run(runner, world, 100, start=31)
    assert len(world.calls) == 1
    assert runner.acted_step("cue[0]") == 30


def test_cues_of_one_step_act_in_file_order() -> None:
    """LVL-11: (step, file order), whatever their times are."""
    world = FakeWorld()
    runner = cue_runner(
        cue("order.continue", ped="courier", at=0.2, name="late"),
        cue("order.hold", ped="courier", at=0.1, name="b"),
        cue("order.cancel", ped="courier", at=0.095, name="a"),
    )
    run(runner, world, 20)
    assert [call[:2] for call in world.calls] == [
        ("hold", "b"),
        ("cancel", "a"),
        ("continue", "late"),
    ]


def test_a_condition_sees_the_state_that_the_last_step_left() -> None:
    """LVL-11: conditions are asked at the start of a step, before anything of it happened."""
    order = fake_order()
    world = FakeWorld(peds={"courier": fake_ped(order)})
    when = {"ped": "courier", "field": "order.status", "is": "AWAITING_DECISION"}
    runner = cue_runner(cue("order.redirect", ped="courier", object="car_b", when=when))
    runner.act(world, world, 7)
    order.status = OrderStatus.AWAITING_DECISION
    runner.act(world, world, 8)
    assert world.calls == [("redirect", "cue[0]", "courier", "car_b", Vec3(0.0, 0.0, 0.0))]
    assert runner.acted_step("cue[0]") == 8


def test_after_counts_from_when_the_condition_came_true() -> None:
    """LVL-04: 1.5 s after the state was first seen, 90 steps, though it has passed meanwhile."""
    order = fake_order(status=OrderStatus.AWAITING_DECISION)
    world = FakeWorld(peds={"courier": fake_ped(order)})
    when = {"ped": "courier", "field": "order.status", "is": "AWAITING_DECISION"}
    runner = cue_runner(cue("order.hold", ped="courier", when=when, after=1.5))
    runner.act(world, world, 10)
    order.status = OrderStatus.TRAVELLING
    run(runner, world, 89, start=11)
    assert world.calls == []
    runner.act(world, world, 100)
    assert len(world.calls) == 1


@pytest.mark.parametrize(
    ("comparison", "steps"),
    [
        ({"at_least": 3}, 3),
        ({"more_than": 3}, 4),
        ({"near": 5, "tolerance": 0.5}, 5),
        ({"is": 2}, 2),
    ],
)
def test_conditions_compare_numbers(comparison: dict[str, float], steps: int) -> None:
    """LVL-11: is and at_least, and the other comparisons of numbers."""
    world = FakeWorld(peds={"courier": fake_ped()})
    when = {"ped": "courier", "field": "movement.retry_count", **comparison}
    runner = cue_runner(cue("order.cancel", ped="courier", when=when))
    for step in range(10):
        world.ped("courier").movement.retry_count = step
        runner.act(world, world, step)
    assert runner.acted_step("cue[0]") == steps


def test_a_condition_about_somebody_who_is_not_there_never_holds() -> None:
    world = FakeWorld()
    when = {"ped": "courier", "field": "movement.retry_count", "at_least": -5}
    runner = cue_runner(cue("order.cancel", ped="courier", when=when))
    run(runner, world, 10)
    assert runner.acted_step("cue[0]") is None
    assert runner.warnings("courier") == ("cue 'cue[0]' was never due",)


def test_every_kind_of_cue_reaches_the_world() -> None:
    """LVL-11, LVL-34: what each kind has done."""
    world = FakeWorld()
    runner = cue_runner(
        cue("order.start", ped="a", object="car", offset=[-200.0, 0.0, 0.0], source="dispatch"),
        cue("order.start", ped="a", point=[5.0, 6.0]),
        cue("order.redirect", ped="a", point=[7.0, 8.0]),
        cue("order.continue", ped="a"),
        cue("order.cancel", ped="a"),
        cue("prop.remove", object="box"),
        cue("prop.move", object="box", position=[1.0, 2.0]),
        cue("prop.move", object="box", position=[1.0, 2.0], yaw_deg=90.0),
        cue("ped.remove", ped="a"),
        cue("caption", text="Hello", for_s=2.0),
        cue("camera.move", position=[3.0, 4.0], over_s=1.0),
        cue("order.start", ped="a", object="car", track=True),
        cue("order.redirect", ped="a", object="car", track=True),
        cue("vehicle.move", object="car", position=[9.0, 8.0], speed_cm_s=60.0),
    )
    run(runner, world, 1)
    assert world.calls == [
        ("start", "cue[0]", "a", "car", Vec3(-200.0, 0.0, 0.0), "dispatch"),
        ("start at", "cue[1]", "a", Vec3(5.0, 6.0), "level"),
        ("redirect to", "cue[2]", "a", Vec3(7.0, 8.0)),
        ("continue", "cue[3]", "a"),
        ("cancel", "cue[4]", "a"),
        ("remove", "box"),
        ("move", "box", Vec3(1.0, 2.0), None),
        ("move", "box", Vec3(1.0, 2.0), math.pi / 2),
        ("remove ped", "a"),
        ("caption", "Hello", 2.0),
        ("camera", Vec3(3.0, 4.0), None, 1.0),
        ("start", "cue[11]", "a", "car", Vec3(0.0, 0.0, 0.0), "level", "track"),
        ("redirect", "cue[12]", "a", "car", Vec3(0.0, 0.0, 0.0), "track"),
        ("drive", "car", Vec3(9.0, 8.0), 60.0),
    ]


def test_a_spawned_thing_takes_its_kind_s_values_where_the_cue_states_none() -> None:
    """LVL-34: a beam 300 x 100, 60 to 90 cm up, of its kind; the cue may state its own."""
    world = FakeWorld()
    run(
        cue_runner(
            cue("prop.spawn", object="beam", kind="beam", position=[10.0, 20.0], yaw_deg=90.0),
            cue("prop.spawn", object="mine", kind="barrel", position=[1.0, 2.0], radius=40.0,
                z_low_cm=5.0, z_high_cm=50.0, mass_kg=12.0, nav="ignore"),
            cue("prop.spawn", object="long", kind="crate", position=[1.0, 2.0], size=[100.0, 20.0]),
        ),
        world,
        1,
    )  # fmt: skip
    beam, mine, long_crate = (call[1] for call in world.calls)
    assert isinstance(beam, ThingDescription)
    assert (beam.object_id, beam.name, beam.kind) == (0, "beam", "beam")
    assert (beam.position, beam.yaw_rad) == (Vec3(10.0, 20.0), math.pi / 2)
    assert beam.outline == Polygon(((-150, -50), (150, -50), (150, 50), (-150, 50)))
    assert (beam.z_low_cm, beam.z_high_cm, beam.nav_block) == (60.0, 90.0, False)
    assert mine.outline == Circle(0.0, 0.0, 40.0)
    assert (mine.z_low_cm, mine.z_high_cm, mine.mass_kg, mine.nav_block) == (5.0, 50.0, 12.0, False)
    assert long_crate.outline == Polygon(((-50, -10), (50, -10), (50, 10), (-50, 10)))


def test_a_spawned_ped_is_described_like_one_of_the_map() -> None:
    world = FakeWorld()
    run(
        cue_runner(
            cue(
                "ped.spawn", ped="anna", position=[10.0, 20.0], yaw_deg=180.0, default_task="wander"
            )
        ),
        world,
        1,
    )
    assert world.calls == [
        (
            "spawn ped",
            PedDescription(0, "anna", Vec3(10.0, 20.0), math.pi, default_task="wander"),
        )
    ]


def test_refusals_are_warnings_of_the_ped_s_expectations() -> None:
    """LVL-09: at once refused, refused when the queue is drained, never due: none is hidden."""
    world = FakeWorld(refusal="'courier' is not there")
    runner = cue_runner(
        cue("order.hold", ped="courier", name="hold"),
        cue("order.continue", ped="courier", name="later", at=9.0),
        cue("order.hold", ped="anna", name="other"),
    )
    run(runner, world, 1)
    runner.refused("hold", "NOT_TRAVELLING")
    assert runner.warnings("courier") == (
        "cue 'hold' was refused: 'courier' is not there",
        "cue 'hold' was refused: NOT_TRAVELLING",
        "cue 'later' was never due",
    )
    assert runner.warnings("anna") == ("cue 'other' was refused: 'courier' is not there",)


def test_a_cue_about_nobody_concerns_everybody() -> None:
    """LVL-09: a thing that did not come is a warning of every expectation."""
    world = FakeWorld(refusal="the place is taken")
    runner = cue_runner(cue("prop.spawn", object="box", kind="crate", position=[1.0, 2.0]))
    run(runner, world, 1)
    for subject in ("courier", "box"):
        assert runner.warnings(subject) == ("cue 'cue[0]' was refused: the place is taken",)


def test_captions_are_shown_for_their_time() -> None:
    captions = Captions()
    captions.show("first", 10, 1.0)
    captions.show("second", 30, 0.5)
    assert [captions.at(step) for step in (9, 10, 29, 30, 59, 60, 69, 70)] == [
        "", "first", "first", "second", "second", "first", "first", "",
    ]  # fmt: skip


def test_the_camera_moves_evenly_and_arrives() -> None:
    """Section 2: the level's camera is part of the run; a later cue takes over from where it is."""
    camera = LevelCamera(CameraDescription(0.0, 0.0, 0.6))
    camera.move_to(Vec3(60.0, 0.0), 1.2, 1.0)
    places = []
    for _ in range(60):
        assert camera.moving
        camera.advance()
        places.append(camera.x)
    assert places == pytest.approx([float(step) for step in range(1, 61)])
    assert (camera.x, camera.zoom_px_per_cm, camera.moving) == (60.0, 1.2, False)
    camera.move_to(Vec3(0.0, 30.0), None, 0.0)
    camera.advance()
    assert (camera.x, camera.y, camera.zoom_px_per_cm) == (0.0, 30.0, 1.2)


# -- chains, repeats, choices ---------------------------------------------------------


def test_a_cue_follows_another_after_its_time() -> None:
    """LVL-11: 0.5 s, 30 steps, after the first has acted in step 6."""
    world = FakeWorld()
    runner = cue_runner(
        cue("order.hold", ped="courier", at=0.1, name="hold"),
        cue("order.continue", ped="courier", follows="hold", after=0.5, name="go on"),
    )
    run(runner, world, 60)
    assert (runner.acted_step("hold"), runner.acted_step("go on")) == (6, 36)


def test_a_follower_without_delay_acts_in_the_same_step_only_if_it_stands_below() -> None:
    """LVL-11: (step, file order)."""
    world = FakeWorld()
    runner = cue_runner(
        cue("order.continue", ped="courier", follows="hold", name="above"),
        cue("order.hold", ped="courier", at=0.1, name="hold"),
        cue("order.cancel", ped="courier", follows="hold", name="below"),
    )
    run(runner, world, 20)
    assert [call[1] for call in world.calls] == ["hold", "below", "above"]
    assert [runner.acted_step(name) for name in ("hold", "below", "above")] == [6, 6, 7]


def test_a_cue_repeats_at_even_distances_and_then_no_more() -> None:
    """LVL-11: three times, 0.25 s or 15 steps apart; its followers follow the first."""
    world = FakeWorld()
    runner = cue_runner(
        cue("order.hold", ped="courier", at=0.1, every=0.25, times=3, name="hold"),
        cue("order.cancel", ped="courier", follows="hold", name="cancel"),
    )
    steps = []
    for step in range(100):
        before = len(world.calls)
        runner.act(world, world, step)
        steps += [step] * (len(world.calls) - before)
    assert steps == [6, 6, 21, 36]
    assert runner.acted_step("hold") == 6


def test_a_repeated_cue_asks_its_condition_once() -> None:
    """LVL-11: what has begun goes on."""
    order = fake_order(status=OrderStatus.AWAITING_DECISION)
    world = FakeWorld(peds={"courier": fake_ped(order)})
    when = {"ped": "courier", "field": "order.status", "is": "AWAITING_DECISION"}
    runner = cue_runner(cue("order.hold", ped="courier", when=when, every=0.5, times=2))
    runner.act(world, world, 0)
    order.status = OrderStatus.TRAVELLING
    run(runner, world, 60, start=1)
    assert len(world.calls) == 2


def test_one_cue_of_a_choice_acts_by_the_seed_and_no_other_is_missed() -> None:
    """LVL-11: the same seed, the same choice; over many seeds the weights show."""

    def picked(seed: int) -> str:
        world = FakeWorld()
        runner = cue_runner(
            cue("order.hold", ped="courier", at=0.0, choice="what", name="hold", weight=3.0),
            cue("order.cancel", ped="courier", at=0.0, choice="what", name="cancel"),
            seed=seed,
        )
        run(runner, world, 5)
        ((_, name, _),) = world.calls
        assert runner.warnings("courier") == ()
        assert runner.is_left_out("cancel" if name == "hold" else "hold")
        return name

    names = [picked(seed) for seed in range(400)]
    assert names == [picked(seed) for seed in range(400)]
    # 300 expected with a standard deviation of 8.7: four of them either way.
    assert abs(names.count("hold") - 300) <= 35
