"""A level over a real world: cues have their effect, expectations see it (LVL-11, LVL-34)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ai.ports import Vec3
from game.levels.cue_forms import CUE_KINDS, Cue
from game.levels.expectation_forms import Expectation
from game.levels.forms import fit
from game.levels.judge import Outcome
from game.levels.level import Level
from game.levels.level_file import LevelFile, LevelHead
from game.levels.level_folder import LevelFolder
from game.levels.scene import LevelScene
from game.world.description import MarkerDescription
from game.world.world import World
from tests.game.levels.maps import vocabulary
from tests.streets import barrier, car, person, street


def cue(do: str, /, **keys: Any) -> Cue:
    if "at" not in keys and "when" not in keys:
        keys["at"] = 0.0
    return fit(CUE_KINDS[do], {"do": do, **keys})


@contextmanager
def playing(
    folder: Path, *cues: Cue, expectations: tuple[Expectation, ...] = (), **parts: Any
) -> Iterator[LevelScene]:
    """A scene over a street with a courier and a car."""
    description = street(
        peds=[person(10, "courier", 200.0, 600.0), *parts.pop("peds", ())],
        vehicles=[car(20, "car_a", 1200.0, 600.0)],
        **parts,
    )
    head = fit(LevelHead, {"title": "t", "duration_s": 5.0})
    script = LevelFile("t/level.toml", head, cues, expectations)
    world = World(description, strict=True)
    scene = LevelScene(Level(LevelFolder(folder), description, script, vocabulary()), world)
    world.scene = scene
    try:
        yield scene
    finally:
        world.close()


def step(scene: LevelScene, count: int = 1) -> None:
    for _ in range(count):
        scene._world.step()


def world_of(scene: LevelScene) -> World:
    return scene._world


START = {"ped": "courier", "object": "car_a", "offset": [-200.0, 0.0, 0.0]}


def test_an_order_cue_commits_in_its_own_step(tmp_path: Path) -> None:
    """LVL-11, ORD-22: queued in phase 1, carried out in phase 2, before the walk update."""
    with playing(tmp_path, cue("order.start", **START, at=0.1)) as scene:
        courier = scene.stage.ped("courier")
        assert courier is not None
        step(scene, 6)
        assert courier.order.session == 0
        step(scene)
        assert courier.order.session == 1
        assert courier.order.goal == pytest.approx(Vec3(1000.0, 600.0, 0.0))


def test_hold_continue_redirect_and_cancel_reach_the_desk(tmp_path: Path) -> None:
    """ORD-10 to ORD-13 through cues: each acts on the ped's present session."""
    cues = (
        cue("order.start", **START),
        cue("order.hold", ped="courier", at=0.5),
        cue("order.continue", ped="courier", at=1.0),
        cue("order.redirect", ped="courier", point=[300.0, 900.0], at=1.5),
        cue("order.cancel", ped="courier", at=2.0),
    )
    with playing(tmp_path, *cues) as scene:
        courier = scene.stage.ped("courier")
        assert courier is not None
        seen = []
        for _ in range(5):
            step(scene, 31 if not seen else 30)
            seen.append((courier.order.status.name, courier.order.instruction_count))
        assert seen == [
            ("WAITING_FOR_SIGNAL", 2),
            ("TRAVELLING", 3),
            ("TRAVELLING", 4),
            ("CANCELLED", 4),
            ("CANCELLED", 4),
        ]
        assert scene.cues.warnings("courier") == ()


def test_a_place_and_a_marker_are_goals(tmp_path: Path) -> None:
    """ORD-25: a cue with coordinates; a marker of the map by its name."""
    markers = {"peds": [person(11, "anna", 200.0, 900.0)]}
    cues = (
        cue("order.start", ped="courier", point=[700.0, 600.0]),
        cue("order.start", ped="anna", object="spot", at=0.1),
    )
    with playing(tmp_path, *cues, **markers) as scene:
        step(scene)
        courier = scene.stage.ped("courier")
        assert courier is not None
        assert courier.order.goal[:2] == pytest.approx((700.0, 600.0))
        step(scene, 6)
        assert scene.cues.warnings("anna") == ("cue 'cue[1]' was refused: 'spot' is not there",)


def test_markers_of_the_map_can_be_gone_to(tmp_path: Path) -> None:
    description = street(peds=[person(10, "courier", 200.0, 600.0)])
    spot = MarkerDescription(30, "spot", (Vec3(900.0, 400.0),))
    world = World(replace(description, markers=(spot,)), strict=True)
    head = fit(LevelHead, {"title": "t", "duration_s": 5.0})
    script = LevelFile("t", head, (cue("order.start", ped="courier", object="spot"),), ())
    scene = LevelScene(Level(LevelFolder(tmp_path), world.description, script, vocabulary()), world)
    world.scene = scene
    world.step()
    courier = world.peds.by_name("courier")
    assert courier is not None
    assert courier.order.goal == pytest.approx(Vec3(900.0, 400.0, 0.0))
    pose = scene.stage.pose("spot")
    assert pose is not None
    assert pose.position == Vec3(900.0, 400.0)
    world.close()


def test_a_refused_command_is_a_warning(tmp_path: Path) -> None:
    """LVL-09: a refusal at the drain is told with its reason, for the ped's expectations."""
    expectation = fit(Expectation, {"ped": "courier", "field": "order.session", "is": 1, "by": 1.0})
    cues = (
        cue("order.hold", ped="courier", name="early"),
        cue("order.start", **START, name="start"),
        cue("order.start", **START, name="again", at=0.2),
    )
    with playing(tmp_path, *cues, expectations=(expectation,)) as scene:
        step(scene, 20)
        (result,) = scene.expectations.results()
        assert result.outcome is Outcome.PASSED
        early, again = result.warnings
        assert early == "cue 'early' was refused: 'courier' has no order"
        assert again.startswith("cue 'again' was refused: SESSION_RUNNING")
        assert scene.expectations.summary().passed_with_warnings == 1


def test_things_come_go_and_move(tmp_path: Path) -> None:
    """LVL-11: prop.spawn, prop.move and prop.remove; a removal is done in the removal phase."""
    cues = (
        cue("prop.spawn", object="box", kind="crate", position=[600.0, 900.0]),
        cue("prop.move", object="gate", position=[700.0, 300.0], yaw_deg=90.0, at=0.1),
        cue("prop.remove", object="box", at=0.2),
        cue("prop.remove", object="box", at=0.3),
    )
    gate = replace(barrier(40, 600.0, 300.0), name="gate")
    with playing(tmp_path, *cues, obstacles=[gate]) as scene:
        step(scene)
        box = scene.stage.pose("box")
        assert box is not None
        assert box.position == Vec3(600.0, 900.0)
        thing = world_of(scene).things.by_name("box")
        assert thing is not None
        assert thing.object_id == 41
        step(scene, 6)
        moved = scene.stage.pose("gate")
        assert moved is not None
        assert moved.position == Vec3(700.0, 300.0)
        assert moved.yaw_rad == pytest.approx(1.5707963267948966)
        step(scene, 6)
        assert scene.stage.pose("box") is None
        step(scene, 6)
        assert scene.cues.warnings("box") == ("cue 'cue[3]' was refused: 'box' is not there",)


def test_peds_come_and_go(tmp_path: Path) -> None:
    """LVL-34: ped.spawn and ped.remove; the newcomer gets a spawn number above all map ids."""
    cues = (
        cue("ped.spawn", ped="anna", position=[500.0, 900.0], default_task="stand"),
        cue("ped.remove", ped="anna", at=0.2),
        cue("ped.remove", ped="anna", at=0.3),
    )
    with playing(tmp_path, *cues) as scene:
        step(scene)
        anna = scene.stage.ped("anna")
        assert anna is not None
        assert anna.ped_id > 20
        assert anna.position == pytest.approx(Vec3(500.0, 900.0, 0.0))
        step(scene, 14)
        assert scene.stage.ped("anna") is None
        step(scene, 6)
        assert scene.cues.warnings("anna") == ("cue 'cue[2]' was refused: 'anna' is not there",)


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ([230.0, 620.0], "the place is taken by 'courier'"),
        ([1200.0, 600.0], "the place is"),
        ([3000.0, 600.0], "the place is off walkable ground"),
    ],
)
def test_nobody_is_spawned_into_somebody_or_something(
    tmp_path: Path, place: list[float], reason: str
) -> None:
    """F5: refused with a message."""
    with playing(tmp_path, cue("ped.spawn", ped="anna", position=place)) as scene:
        step(scene)
        assert scene.stage.ped("anna") is None
        (refusal,) = scene.cues.warnings("anna")
        assert reason in refusal


def test_captions_and_the_camera_are_part_of_the_run(tmp_path: Path) -> None:
    """Section 2: the focus is where a cue has put the level's camera."""
    cues = (
        cue("caption", text="Hello", for_s=0.5, at=0.1),
        cue("camera.move", position=[500.0, 400.0], zoom_px_per_cm=1.0, over_s=0.2, at=0.1),
    )
    with playing(tmp_path, *cues) as scene:
        step(scene, 6)
        assert scene.stage.captions.at(5) == ""
        step(scene)
        assert scene.stage.captions.at(6) == "Hello"
        assert world_of(scene).focus.x not in (500.0, 1000.0)
        step(scene, 11)
        assert world_of(scene).focus[:2] == (500.0, 400.0)
        assert scene.stage.camera.zoom_px_per_cm == 1.0
        assert scene.stage.captions.at(36) == ""


def test_inside_shape_is_seen(tmp_path: Path) -> None:
    """LVL-01: no tick inside any shape; touching is free."""
    with playing(tmp_path, obstacles=[barrier(40, 600.0, 300.0)]) as scene:
        free = scene.stage.body_free
        assert free(Vec3(560.0, 300.0))
        assert not free(Vec3(561.0, 300.0))
        assert free(Vec3(600.0, 151.0 - 1.0))
