"""Where peds flee to and why, as it is drawn: every candidate, the chosen one, the way (FLEE)."""

from __future__ import annotations

from ai.behaviours.safe_record import SafeResponse
from ai.navigation.flee_points import CandidateView, Fate, FleeRefused
from game.render.projection import GroundBounds
from game.ui.flee_overlay import FleeColours, draw_flights, words_of
from game.ui.mesh_overlay import EVERYTHING
from tests.ai.behaviours.test_safe_response import BEHIND, SAFE, Flight, wide
from tests.ai.behaviours.test_safe_threats import yard
from tests.game.ui.test_overlays import Recorder
from tests.streets import ped_named, steps

CHOSEN, KEPT, HOPELESS, DROPPED, THREAT = (
    (0, 200, 0), (200, 200, 0), (0, 0, 200), (200, 100, 0), (200, 0, 0),
)  # fmt: skip
COLOURS = FleeColours(CHOSEN, KEPT, HOPELESS, DROPPED, THREAT)


def drawn(flight: Flight, sight: GroundBounds = EVERYTHING) -> Recorder:
    recorder = Recorder()
    draw_flights(recorder, flight.world, COLOURS, sight)
    return recorder


def test_every_candidate_is_drawn_with_its_score_or_why_not() -> None:
    """FLEE-03 to FLEE-05: 21 of them in words, the chosen goal, the way, the safe distance."""
    flight = Flight()
    record = flight.running()
    seen = drawn(flight)
    assert len(seen.words) == 21
    assert "1200: 1290" in seen.words
    assert "750: at most 862" in seen.words
    assert sum(words.endswith("surface") for words in seen.words) == sum(
        view.fate is Fate.SURFACE for view in record.views
    )
    assert (record.threats[0].at, SAFE) in seen.circles
    assert any(centre == record.goal for centre, _ in seen.circles)
    (way,) = [line for line in seen.thick if line[1][:2] == record.goal[:2]]
    assert way[0][:2] == (500.0, 800.0)


def test_it_is_drawn_while_the_flight_goes_on() -> None:
    flight = Flight()
    record = flight.running()
    assert drawn(flight).words
    flight.until_ended(record)
    seen = drawn(flight)
    assert (seen.words, seen.circles, seen.lines) == ([], [], [])


def test_who_finds_nowhere_shows_why_for_two_seconds() -> None:
    """FLEE-07: 21 reasons and one sentence; for 120 steps."""
    flight = Flight(yard("mary"))
    assert isinstance(flight.desk.flee_from(flight.mary, (BEHIND,), SAFE), FleeRefused)
    steps(flight.world, 120)
    words = drawn(flight).words
    assert len(words) == 22
    assert words[-1].startswith("nowhere to flee to; dropped: ")
    flight.world.step()
    assert drawn(flight).words == []


def test_many_at_once_are_points_without_words() -> None:
    names = ("mary", "ben", "ann", "tim")
    flight = Flight(wide(*names))
    for name in names:
        reply = flight.desk.flee_from(ped_named(flight.world, name), (BEHIND,), SAFE)
        assert isinstance(reply, SafeResponse)
    seen = drawn(flight)
    assert seen.words == []
    assert len(seen.circles) > len(names)


def test_out_of_sight_nothing_is_drawn() -> None:
    flight = Flight()
    flight.running()
    seen = drawn(flight, GroundBounds(-900.0, -900.0, -800.0, -800.0))
    assert (seen.words, seen.circles, seen.lines) == ([], [], [])


def test_words_of_each_fate() -> None:
    """A score with its way, one that a straight way would give, or the filter."""
    views = {
        fate: CandidateView(30.0, 950.0, 0.0, 0.0, fate, score)
        for fate, score in ((Fate.KEPT, 1264.25), (Fate.NOT_SEARCHED, 1270.4), (Fate.ROOM, None))
    }
    assert [words_of(view) for view in views.values()] == [
        "950: 1264", "950: at most 1270", "950: room",
    ]  # fmt: skip
