"""Where peds flee to and why, as an overlay: every point considered, the chosen one, the way.

What is drawn is the reasoning that the choice itself has left, never one made up for the
picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ai.behaviours.safe_record import SafeResponse
from ai.navigation.flee_points import CandidateView, Fate, FleeRefused, GoalPoint
from ai.peds.ped import Ped
from ai.ports import Vec3
from game.render.colours import Colour
from game.render.debug_draw import DebugDraw
from game.render.projection import GroundBounds
from game.world.world import World

POINT_CM = 12.0
LABELLED_PEDS = 3
"""With more than so many in flight only the points are drawn: words would cover each other."""
REFUSAL_SHOWN_S = 2.0


class FleeColours(NamedTuple):
    """Colours by what became of a candidate; shape tells them apart too."""

    chosen: Colour
    kept: Colour
    hopeless: Colour
    dropped: Colour
    threat: Colour


def draw_flights(draw: DebugDraw, world: World, colours: FleeColours, sight: GroundBounds) -> None:
    """All flights that go on, and who has just found nowhere to flee to."""
    flights = [one for one in _flights(world) if _is_near(one[0].position, sight)]
    for ped, record, answer in flights:
        if record is not None:
            _draw_threats(draw, record, colours.threat)
            _draw_way(draw, ped, record, colours.chosen)
        for view in answer.views:
            _draw_candidate(draw, view, colours, with_words=len(flights) <= LABELLED_PEDS)
        if isinstance(answer, FleeRefused):
            draw.text(ped.position._replace(z=240.0), str(answer), colours.dropped)


def _flights(
    world: World,
) -> Iterator[tuple[Ped, SafeResponse | None, GoalPoint | FleeRefused]]:
    shown_steps = round(REFUSAL_SHOWN_S / world.clock.dt_s)
    for ped in world.peds.in_id_order():
        choice = world.safe.last_choice(ped.ref)
        if choice is None:
            continue
        record = world.safe.record(ped.ref)
        if record is not None and record.live:
            yield ped, record, choice.answer
        elif not choice.answer and world.clock.step - choice.step <= shown_steps:
            yield ped, None, choice.answer


def _draw_threats(draw: DebugDraw, record: SafeResponse, colour: Colour) -> None:
    """Each threat, and the distance that is safe from it."""
    for threat in record.threats:
        draw.circle(threat.at, 2.0 * POINT_CM, colour, 0)
        draw.circle(threat.at, threat.safe_cm, colour, 2)


def _draw_way(draw: DebugDraw, ped: Ped, record: SafeResponse, colour: Colour) -> None:
    """The way that the choice was made by, and the goal."""
    route = [Vec3(x, y) for x, y in record.route] or [ped.position, record.goal]
    for here, there in pairwise(route):
        draw.line(here, there, colour, 3)
    draw.circle(record.goal, 2.2 * POINT_CM, colour, 3)


def _draw_candidate(
    draw: DebugDraw, view: CandidateView, colours: FleeColours, *, with_words: bool
) -> None:
    """Chosen: filled; passed: a ring; not worth a search: a small ring; dropped: a cross."""
    at = Vec3(view.x, view.y)
    if view.fate is Fate.CHOSEN:
        colour = colours.chosen
        draw.circle(at, POINT_CM, colour, 0)
    elif view.fate is Fate.KEPT:
        colour = colours.kept
        draw.circle(at, POINT_CM, colour, 2)
    elif view.fate is Fate.NOT_SEARCHED:
        colour = colours.hopeless
        draw.circle(at, 0.7 * POINT_CM, colour, 1)
    else:
        colour = colours.dropped
        for rise in (-POINT_CM, POINT_CM):
            draw.line(
                Vec3(at.x - POINT_CM, at.y - rise), Vec3(at.x + POINT_CM, at.y + rise), colour, 2
            )
    if with_words:
        draw.text(Vec3(at.x, at.y, 2.0 * POINT_CM), words_of(view), colour)


def words_of(view: CandidateView) -> str:
    """The score, or the filter that dropped it; with how long the way out is."""
    if view.score is None:
        return f"{view.length_cm:.0f}: {view.fate.value}"
    most = "at most " if view.fate is Fate.NOT_SEARCHED else ""
    return f"{view.length_cm:.0f}: {most}{view.score:.0f}"


def _is_near(place: Vec3, sight: GroundBounds) -> bool:
    return sight.x_min <= place.x <= sight.x_max and sight.y_min <= place.y <= sight.y_max
