"""Where to look in a level that has no camera of its own: at the two newest events.

Film mode (art-and-feel section 10). An event is a fact of the run's trace about a ped;
the picture shows the ped whom the newest is about, and the one before as well if both
fit in. Whom it shows changes at most every three seconds; in between they are followed.
"""

from __future__ import annotations

import math
from itertools import islice
from typing import NamedTuple

from ai.peds.ped import Ped
from game.recording.film_camera import FRAMED_SIZE
from game.recording.plan import STEPS_PER_S
from game.world.world import World

SHOT_MIN_STEPS = 3 * STEPS_PER_S
SHOWN_MAX = 2
THIRD = 1.0 / 6.0
"""From the middle of the picture to the line of its third, as a share of its side."""

FITS = 2.0 / 3.0
"""Two that are no further apart than this share of the picture are shown together."""


class _Size(NamedTuple):
    """What the picture shows of the ground, cm."""

    across: float
    down: float


class FilmDirector:
    """A ``ViewPoint`` over one world, moved by ``after_step``; it changes nothing there."""

    def __init__(self, world: World) -> None:
        camera = world.description.camera
        self.x = camera.x
        self.y = camera.y
        self.zoom_px_per_cm = camera.zoom_px_per_cm
        self.pitch_deg = camera.pitch_deg
        self._world = world
        self._newest: dict[int, int] = {}
        self._facts_read = 0
        self._shown: tuple[int, ...] = ()
        self._since_step = 0
        self._frame()

    def after_step(self) -> None:
        """Look on after a step of the world."""
        facts = self._world.facts
        for fact in facts.since(self._facts_read):
            # The newest is the last one put in.
            self._newest.pop(fact.ped_id, None)
            self._newest[fact.ped_id] = fact.step
        self._facts_read = len(facts)
        self._frame()

    def _frame(self) -> None:
        peds = {ped.ped_id: ped for ped in self._world.peds.in_id_order()}
        self._choose(peds)
        shown = [peds[ped_id] for ped_id in self._shown if ped_id in peds]
        if shown:
            self._look_at(shown)

    def _choose(self, peds: dict[int, Ped]) -> None:
        step = self._world.clock.step
        wanted = tuple(
            islice((one for one in reversed(self._newest) if one in peds), SHOWN_MAX)
        ) or self._nearest_to_middle(peds)
        is_empty = not any(ped_id in peds for ped_id in self._shown)
        if set(wanted) == set(self._shown):
            return
        if is_empty or step - self._since_step >= SHOT_MIN_STEPS:
            self._shown, self._since_step = wanted, step

    def _nearest_to_middle(self, peds: dict[int, Ped]) -> tuple[int, ...]:
        """Whom to look at before anything has happened."""
        camera = self._world.description.camera

        def away(ped: Ped) -> float:
            return math.hypot(ped.position.x - camera.x, ped.position.y - camera.y)

        return (min(peds.values(), key=away).ped_id,) if peds else ()

    def _look_at(self, shown: list[Ped]) -> None:
        """Two about the middle; one on a line of the thirds, with room where it looks."""
        size = self._size()
        first = shown[0]
        x, y = first.position.x, first.position.y
        other = shown[-1].position
        apart_x, apart_y = other.x - x, other.y - y
        if len(shown) > 1 and (
            abs(apart_x) <= FITS * size.across and abs(apart_y) <= FITS * size.down
        ):
            x, y = x + apart_x / 2.0, y + apart_y / 2.0
        else:
            x += THIRD * size.across * math.cos(first.yaw)
            y += THIRD * size.down * math.sin(first.yaw)
        description = self._world.description
        self.x = _within(x, size.across, description.width_cm)
        self.y = _within(y, size.down, description.height_cm)

    def _size(self) -> _Size:
        width, height = FRAMED_SIZE
        down = height / (self.zoom_px_per_cm * math.sin(math.radians(self.pitch_deg)))
        return _Size(width / self.zoom_px_per_cm, down)


def _within(middle: float, shown: float, whole: float) -> float:
    """The middle moved so that no edge of the map is seen, as far as the map is large enough."""
    half = min(shown, whole) / 2.0
    return min(max(middle, half), whole - half)
