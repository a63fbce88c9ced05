"""Timelines: files that are refused, heads and windows, and what a world's effects do not touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ai.ports import Vec3
from ai.tuning import TuningError
from game import resources
from game.render.picture_of_world import WorldPicture
from game.render.timelines.players import PLAYERS_MAX, Player, TimelineManager
from game.render.timelines.timeline_files import (
    Entry,
    Timeline,
    read_timeline,
    shipped_effects,
    shipped_timelines,
)
from game.world.world import EmptyScene, World
from tests.streets import courier_street, person, prop, steps, street, thing

FOLDER = resources.assets() / "events" / "timelines"


# -- files (EVT-93) -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('effect = "flame"', 'effect = "flames"', "entry.0.: no effect is called 'flames'"),
        ('sound = "crackle"', 'sound = "crackles"', "entry.2.: no sound is called 'crackles'"),
        ('type = "sound_once"', 'type = "sound"', "entry.2.: type 'sound' must be one of"),
        ("volume = 0.6", "loudness = 0.6", "entry.2.: key 'loudness' is unknown"),
        ("volume = 0.6", "volume = 1.6", "entry.2.: key 'volume' = 1.6"),
        ("at_s = 0.4", "at_s = 2.0", "entry.2.: at_s = 2 is not before length_s"),
        ("at_s = 0.4", "at_s = -0.1", "entry.2.: key 'at_s' = -0.1"),
        ("at_s = 0.4", "at_s = 0.4\nuntil_s = 0.5", "is over at once"),
        ("until_s = 0.1", "until_s = 2.1", "entry.3.: until_s = 2.1 is after length_s"),
        ("until_s = 0.1", "until_s = 0.0", "must be later than at_s"),
        ("until_s = 0.1\n", "", "until_s is missing"),
        ('shape = "ring"', 'shape = "star"', "entry.3.: key 'shape'"),
        ('mode = "continuous"', 'mode = "always"', "key 'mode' = 'always'"),
        ("volume = 0.6", "volume = 0.6\nper_piece = true", "per_piece belongs to"),
    ],
)
def test_timeline_schema(tmp_path: Path, old: str, new: str, words: str) -> None:
    """EVT-93: each fault names file, entry and key."""
    text = (FOLDER / "fire_small.toml").read_text()
    assert old in text
    path = tmp_path / "fire_small.toml"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(TuningError, match=words):
        read_timeline(path, shipped_effects())


def test_the_shipped_ones_load() -> None:
    """EVT-93: every file of the folder, by name."""
    assert set(shipped_timelines()) == {
        "fire_small",
        "blast",
        "hit",
        "breakage",
        "landing",
        "skid",
    }
    assert shipped_timelines()["fire_small"].loop


# -- players (EVT-94) -----------------------------------------------------------------------------


class Recorder:
    """A stage that counts."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, tuple[float, float, float]]] = []

    def start(self, entry: Entry, at: tuple[float, float, float], intensity: float) -> None:
        self.calls.append(("start", entry.type, at))

    def update(
        self, entry: Entry, at: tuple[float, float, float], intensity: float, dt_s: float
    ) -> None:
        self.calls.append(("update", entry.type, at))

    def stop(self, entry: Entry, at: tuple[float, float, float]) -> None:
        self.calls.append(("stop", entry.type, at))

    def count(self, what: str) -> int:
        return sum(call[0] == what for call in self.calls)


def timeline(tmp_path: Path, *entries: str, mode: str = "break", length: float = 1.0,
             loop: bool = False) -> Timeline:  # fmt: skip
    text = f'name = "t"\nmode = "{mode}"\nlength_s = {length}\nloop = {str(loop).lower()}\n'
    path = tmp_path / "t.toml"
    path.write_text(text + "".join(f"[[entry]]\n{one}\n" for one in entries))
    return read_timeline(path, shipped_effects())


def mark(at_s: float, until_s: float, more: str = "") -> str:
    return (
        f'type = "debug_mark"\nat_s = {at_s}\nuntil_s = {until_s}\nshape = "ring"\n'
        f'size_cm = 10.0\ncolour = "#ff8800"\n{more}'
    )


HERE = (0.0, 0.0, 0.0)


def test_timeline_windows(tmp_path: Path) -> None:
    """EVT-94: a window wholly inside one frame gets its start and its stop, once each."""
    stage = Recorder()
    manager = TimelineManager(stage)
    manager.break_apart(timeline(tmp_path, mark(0.010, 0.015)), "bin", HERE)
    manager.advance(1 / 60)
    assert (stage.count("start"), stage.count("stop")) == (1, 1)
    for _ in range(120):
        manager.advance(1 / 60)
    assert (stage.count("start"), stage.count("stop")) == (1, 1)
    assert len(manager) == 0


def test_an_owner_removed_mid_loop_stops_what_is_open_once(tmp_path: Path) -> None:
    """EVT-94 [stop_once]: stops = starts, also when the loop ends in the very same frame."""
    for frames in (1, 59, 60, 61, 90, 120):
        stage = Recorder()
        manager = TimelineManager(stage)
        made = timeline(tmp_path, mark(0.0, 1.0), mark(0.5, 0.9), mode="continuous", loop=True)
        manager.attach(made, "fire", HERE)
        for _ in range(frames):
            manager.advance(1 / 60)
        manager.detach("fire")
        manager.detach("fire")
        manager.advance(1 / 60)
        assert stage.count("start") == stage.count("stop"), frames
        assert stage.count("start") >= 1


def test_a_loop_starts_anew_and_a_pause_pauses(tmp_path: Path) -> None:
    """EVT-94: each second once; with no time nothing moves."""
    stage = Recorder()
    manager = TimelineManager(stage)
    made = timeline(tmp_path, mark(0.2, 0.4), mode="continuous", loop=True)
    manager.attach(made, "fire", HERE)
    for _ in range(150):
        manager.advance(1 / 60)
    assert stage.count("start") == 3
    before = list(stage.calls)
    for _ in range(60):
        manager.advance(0.0)
    assert stage.calls == before


@pytest.mark.parametrize(
    ("impulse", "intensity"), [(999.0, None), (1000.0, 0.0), (3000.0, 0.5), (9000.0, 1.0)]
)
def test_a_hit_is_as_strong_as_its_impulse(
    tmp_path: Path, impulse: float, intensity: float | None
) -> None:
    """EVT-94: between 1000 and 5000; below nothing; the same pair again after 0.2 s alone."""
    manager = TimelineManager(Recorder())
    made = timeline(tmp_path, mark(0.0, 0.1), mode="collision")
    player = manager.collide(made, "pair", HERE, impulse, (1000.0, 5000.0))
    assert (None if player is None else player.intensity) == intensity
    if player is not None:
        assert manager.collide(made, "pair", HERE, impulse, (1000.0, 5000.0)) is None
        assert manager.collide(made, "other", HERE, impulse, (1000.0, 5000.0)) is not None
        for _ in range(13):
            manager.advance(1 / 60)
        assert manager.collide(made, "pair", HERE, impulse, (1000.0, 5000.0)) is not None


def test_pieces_play_where_they_are_at_most_eight(tmp_path: Path) -> None:
    """EVT-94: entries a piece at each of at most 8 pieces, the others once."""
    stage = Recorder()
    manager = TimelineManager(stage)
    made = timeline(tmp_path, mark(0.0, 0.1, "per_piece = true"), mark(0.0, 0.1))
    pieces = [(float(number), 0.0, 0.0) for number in range(10)]
    manager.break_apart(made, "bin", HERE, pieces)
    manager.advance(1 / 60)
    starts = [call[2] for call in stage.calls if call[0] == "start"]
    assert starts == [*pieces[:8], HERE]


def test_the_oldest_one_shot_makes_room_and_a_fire_never(tmp_path: Path) -> None:
    """EVT-94: at most 64 players."""
    manager = TimelineManager(Recorder())
    once = timeline(tmp_path, mark(0.0, 0.9))
    fire = timeline(tmp_path, mark(0.0, 0.9), mode="continuous", loop=True)
    manager.attach(fire, "fire", HERE)
    first = manager.break_apart(once, 0, HERE)
    for number in range(1, PLAYERS_MAX - 1):
        manager.break_apart(once, number, HERE)
    assert len(manager) == PLAYERS_MAX
    assert isinstance(first, Player)
    assert not first.is_over
    manager.break_apart(once, "new", HERE)
    assert first.is_over
    assert len(manager) == PLAYERS_MAX
    assert manager.owners() == ["fire"]


# -- a world's effects (EVT-92) ---------------------------------------------------------------


class Explodes(EmptyScene):
    """Something blows up in step 90."""

    def __init__(self, world: World) -> None:
        self.world = world

    def act(self) -> None:
        if self.world.clock.step == 90:
            self.world.blasts.explode(Vec3(1500.0, 1000.0))


def test_timelines_do_not_matter() -> None:
    """EVT-92 [effects_streams]: the same run with and without them, bit for bit."""

    def run(*, with_effects: bool) -> str:
        people = (person(10, "courier", 400.0, 600.0), person(11, "mary", 700.0, 900.0))
        world = World(courier_street(peds=people))
        world.scene = Explodes(world)
        picture = WorldPicture(world) if with_effects else None
        for step in range(240):
            if step == 30:
                world.happenings.light_fire(Vec3(900.0, 900.0), 60.0, burns_s=2.0)
            world.step()
            if picture is not None:
                picture.after_step()
        if picture is not None:
            assert {one.timeline for one in picture.effects.manager.log} == {"fire_small", "blast"}
            assert len(picture.effects.stage) > 0
        digest = world.fingerprint.hexdigest()
        world.close()
        return digest

    assert run(with_effects=True) == run(with_effects=False)


def test_break_bin() -> None:
    """EVT-94: a crate that breaks: one sound_once and one debug_mark at it within 0.1 s."""
    world = World(street(props=(prop(20, "crate", 900.0, 900.0, 30.0, 20.0),)))
    picture = WorldPicture(world)
    crate = world.things.get(thing(world, "crate20"))
    assert crate is not None
    steps(world, 5)
    picture.after_step()
    world.prop_reactions.jolt(crate, 900.0, None)
    for _ in range(6):
        world.step()
        picture.after_step()
    started: list[Any] = [one for one in picture.effects.manager.log if one.what == "start"]
    for kind in ("sound_once", "debug_mark"):
        (found,) = [one for one in started if one.type == kind]
        assert found.timeline == "breakage"
        assert found.at[:2] == pytest.approx((900.0, 900.0), abs=5.0)
    world.close()


def test_a_fires_effects_end_with_it() -> None:
    """EVT-94: attached while it burns; out: every open entry is stopped."""
    world = World(street())
    picture = WorldPicture(world)
    world.happenings.light_fire(Vec3(900.0, 900.0), 30.0, burns_s=1.0)
    for _ in range(90):
        world.step()
        picture.after_step()
    log = picture.effects.manager.log
    lasting = [one for one in log if one.type in ("particles", "debug_mark")]
    starts = sum(one.what == "start" for one in lasting)
    assert starts == len(lasting) - starts
    assert lasting[0].intensity == 0.5
    assert not picture.effects.manager.owners()
    world.close()
