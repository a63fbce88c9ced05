"""Film mode for levels without a camera of their own (art-and-feel section 10)."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from ai.behaviours.order_commands import StartOrderAt
from ai.ports import Vec3
from game.levels.new_level import write_new_level
from game.record import FilmedLevel
from game.recording.film_director import FilmDirector
from game.sandbox import Sandbox
from game.world.description import CameraDescription, LevelDescription, PedDescription
from game.world.world import World
from tests.streets import pavement, ped_named, perform, person, street

ACROSS_CM = 1280.0 / 0.6
DOWN_CM = 720.0 / (0.6 * math.sin(math.radians(55.0)))


def wide_street(
    width_cm: float, height_cm: float, peds: tuple[PedDescription, ...]
) -> LevelDescription:
    """All of it pavement."""
    return replace(
        street(peds=peds, surfaces=(pavement(width_cm, height_cm),)),
        width_cm=width_cm,
        height_cm=height_cm,
        camera=CameraDescription(width_cm / 2.0, height_cm / 2.0),
    )


@pytest.fixture
def world() -> World:
    """Ann in the middle, Ben beside her, Cy at the other end; the map is larger than a picture."""
    peds = (
        person(1, "ann", 2000.0, 1500.0),
        person(2, "ben", 2300.0, 1500.0, math.pi),
        person(3, "cy", 3600.0, 2500.0, math.pi),
    )
    return World(wide_street(4000.0, 3000.0, peds))


def happens(world: World, name: str) -> None:
    world.facts.note(ped_named(world, name).ped_id, "ARRIVED")


def runs(world: World, director: FilmDirector, count: int) -> None:
    for _ in range(count):
        world.step()
        director.after_step()


def test_before_anything_happens_it_looks_at_who_is_nearest_to_the_middle(world: World) -> None:
    """Ann looks east from (2000, 1500): she stands on the left line of the thirds."""
    director = FilmDirector(world)
    assert (director.x, director.y) == pytest.approx((2000.0 + ACROSS_CM / 6.0, 1500.0))


def test_the_two_newest_events_are_framed_together_where_they_fit(world: World) -> None:
    director = FilmDirector(world)
    happens(world, "ben")
    happens(world, "ann")
    runs(world, director, 180)
    assert (director.x, director.y) == pytest.approx((2150.0, 1500.0), abs=5.0)


def test_of_two_that_do_not_fit_the_newer_is_shown_with_room_ahead(world: World) -> None:
    """Cy, 1600 cm from Ann where 1422 fit, looks west: he stands on the right line."""
    director = FilmDirector(world)
    happens(world, "ann")
    happens(world, "cy")
    runs(world, director, 180)
    at_edge = 3000.0 - DOWN_CM / 2.0
    wanted = min(3600.0 - ACROSS_CM / 6.0, 4000.0 - ACROSS_CM / 2.0)
    assert (director.x, director.y) == pytest.approx((wanted, min(2500.0, at_edge)), abs=5.0)


def test_nobody_is_shown_for_less_than_three_seconds(world: World) -> None:
    """What happens meanwhile waits; the newest of it is shown then."""
    director = FilmDirector(world)
    runs(world, director, 10)
    happens(world, "ben")
    runs(world, director, 40)
    happens(world, "cy")
    first = director.x
    runs(world, director, 129)
    assert director.x == pytest.approx(first, abs=5.0)
    runs(world, director, 1)
    assert director.x == pytest.approx(4000.0 - ACROSS_CM / 2.0, abs=5.0)


def test_who_is_shown_is_followed_all_the_time(world: World) -> None:
    director = FilmDirector(world)
    ann = ped_named(world, "ann")
    perform(world, StartOrderAt(ann.ref, Vec3(2000.0, 2000.0), world.sources.create("test")))
    runs(world, director, 150)
    assert ann.position.y > 1550.0
    assert director.y == pytest.approx(ann.position.y + DOWN_CM / 6.0 * math.sin(ann.yaw))


def test_no_edge_of_the_map_is_shown_where_there_is_more_of_it() -> None:
    corner = World(wide_street(4000.0, 600.0, (person(1, "ann", 100.0, 100.0, math.pi),)))
    director = FilmDirector(corner)
    assert (director.x, director.y) == pytest.approx((ACROSS_CM / 2.0, 300.0))


def test_it_stays_where_it_is_when_everybody_is_gone() -> None:
    empty = World(street())
    director = FilmDirector(empty)
    before = director.x, director.y
    runs(empty, director, 200)
    assert (director.x, director.y) == before


def test_only_levels_without_a_camera_are_filmed_so(tmp_path: Path) -> None:
    folder = write_new_level("corner", tmp_path)
    with Sandbox.load(folder) as box:
        assert box.level.has_camera
        assert FilmedLevel(box).view is box.scene.stage.camera
    file = folder / "level.toml"
    text = file.read_text(encoding="utf-8")
    camera = text[text.index("[camera]") : text.index("# -- what happens")]
    file.write_text(text.replace(camera, ""), encoding="utf-8")
    with Sandbox.load(folder) as box:
        assert not box.level.has_camera
        assert isinstance(FilmedLevel(box).view, FilmDirector)
    moves = '\n[[cue]]\nat = 1.0\ndo = "camera.move"\nposition = [500.0, 500.0]\n'
    file.write_text(text.replace(camera, "") + moves, encoding="utf-8")
    with Sandbox.load(folder) as box:
        assert box.level.has_camera


def test_filming_leaves_no_trace_in_the_run(world: World) -> None:
    """TASK-117's kind: nothing of what looks on reaches the simulation."""
    alone = World(world.description)
    director = FilmDirector(world)
    runs(world, director, 120)
    for _ in range(120):
        alone.step()
    assert world.fingerprint.hexdigest() == alone.fingerprint.hexdigest()
