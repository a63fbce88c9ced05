"""Which direction a ped steps in: the candidate fan (LOC-04, LOC-05) and sliding (LOC-18).

A *suggestion* is the angle between the aim and the direction of the step. It is
kept between evaluations and re-checked with every step.

An evaluation goes through the fan, smaller deviations first, in two ranks:

1. A candidate that *leads on*: its step passes the commit checks and nothing is in
   its way within the ahead probe. The straight direction is probed for solid things
   and for peds. A side candidate must get past the solid thing that refused the
   straight direction (LOC-05), and past peds; nothing solid may stand where it leads.
2. Failing that, the first candidate whose step alone passes the commit checks. The
   straight step needs no more, so a ped goes up to what stops it; a side step round
   a solid thing still needs LOC-05, so nobody slides into a dead corner, but peds in
   the way may be squeezed past.

Nothing of the two: the step is refused. Before all this, where only a ped that is touched
refuses the straight step, a step round that ped is tried (``passing``): the widest of the
fan would still lead at it. After all this, where a ped ahead is touched and something solid
refuses the step, too, the same is tried: in a door one of two must give way.

No side step leads from cheap ground onto the road (``StepChecks.stays_cheap``).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ai.motion.locomotion_tuning import LocomotionTuning
from ai.motion.movement_table import MovementTable
from ai.motion.passing import Passing
from ai.motion.ped_grid import PedGrid
from ai.motion.step_checks import StepChecks, ped_spacing_cm, sight_cm
from ai.motion.turning import wrap_angle
from ai.motion.walker import Aim, CheckedStep, Walker
from ai.ports import more_than


class Direction(NamedTuple):
    """A deviation from the aim in rad, with its cosine and sine."""

    angle: float
    cosine: float
    sine: float

    def turn(self, aim: Aim) -> tuple[float, float]:
        """Unit vector of the aim turned by this deviation."""
        return (
            aim.x * self.cosine - aim.y * self.sine,
            aim.x * self.sine + aim.y * self.cosine,
        )


class Choice(NamedTuple):
    """A step that may be committed and the suggestion that led to it."""

    suggestion: float
    step: CheckedStep


def direction(angle: float) -> Direction:
    """The deviation by an angle."""
    return Direction(angle, math.cos(angle), math.sin(angle))


def candidate_angles(tuning: LocomotionTuning) -> tuple[float, ...]:
    """Deviations of the fan in rad, smallest first (LOC-04)."""
    return tuple(math.radians(angle) for angle in tuning.candidate_angles_deg)


def slide_angles(tuning: LocomotionTuning) -> tuple[float, ...]:
    """Deviations in rad that find the part of a step along an obstacle (LOC-18)."""
    step = tuning.slide_step_deg
    return tuple(math.radians(step * number) for number in range(math.ceil(90.0 / step)))


def both_sides(angles: tuple[float, ...], first_sign: int) -> tuple[Direction, ...]:
    """Deviations to both sides of each angle, the preferred side first; 0 only once."""
    found: list[Direction] = []
    for angle in angles:
        if angle == 0.0:
            found.append(direction(0.0))
        else:
            found += (direction(first_sign * angle), direction(-first_sign * angle))
    return tuple(found)


class Steering:
    """Evaluates the fan for one ped at a time; ``steering_batch`` knows the easy cases."""

    def __init__(
        self,
        table: MovementTable,
        grid: PedGrid,
        checks: StepChecks,
        tuning: LocomotionTuning,
    ) -> None:
        self._table = table
        self._grid = grid
        self._checks = checks
        self._tuning = tuning
        self._spacing_squared = ped_spacing_cm(tuning) ** 2
        self._sight_squared = sight_cm(tuning) ** 2
        self._fans = {sign: both_sides(candidate_angles(tuning), sign) for sign in (1, -1)}
        self._passing = Passing(table, grid, tuning)
        self._slides = {sign: both_sides(slide_angles(tuning), sign) for sign in (1, -1)}

    def evaluate(self, walker: Walker, aim: Aim, distance: float) -> Choice | None:
        """Choose anew among all directions for a step of this length, or refuse (LOC-04)."""
        touched = self._checks.ped_in_way(walker, aim, min(walker.budget, aim.distance))
        if touched is not None:
            choice = self._step_round_ped(walker, aim, touched, distance)
            if choice is not None:
                # Once past, there is no reason to go on round where the other was.
                self._table.reeval_steer[walker.row] = True
                return choice
        ahead = min(self._tuning.ahead_probe, aim.distance)
        ahead_free = self._ahead_free(walker, aim, ahead)
        fallback: Choice | None = None
        for candidate in self._fan(walker.row, self._table.side_age.item(walker.row)):
            straight = candidate.angle == 0.0
            leads_on = (ahead_free or not straight) and self._leads_on(
                walker, aim, candidate, ahead
            )
            if not leads_on and fallback is not None:
                continue
            if not (straight or ahead_free or self._gets_past(walker, aim, candidate)):
                continue
            choice = self.step_along(walker, aim, candidate, distance)
            if choice is not None and leads_on:
                return choice
            fallback = fallback or choice
        if fallback is None and touched is None:
            pressed = self._checks.ped_touched(walker, aim)
            if pressed is not None:
                return self._step_round_ped(walker, aim, pressed, distance)
        return fallback

    def lane(self, walker: Walker, aim: Aim, side_age_s: float) -> Direction | None:
        """The first direction that leads on, where nothing solid is straight ahead; else None.

        It is what ``evaluate`` chooses if no ped is touched and the step passes; None says
        that only ``evaluate`` can tell.
        """
        ahead = min(self._tuning.ahead_probe, aim.distance)
        if self._ahead_free(walker, aim, ahead):
            for candidate in self._fan(walker.row, side_age_s):
                if self._leads_on(walker, aim, candidate, ahead):
                    return candidate
        return None

    def _step_round_ped(
        self, walker: Walker, aim: Aim, other: int, distance: float
    ) -> Choice | None:
        """A step round a ped that is touched, or None.

        Who stands on the last point of the path is waited for.
        """
        table = self._table
        if table.corners_left.item(walker.row) == 1 and not table.wish_active.item(walker.row):
            places = self._grid.lists()
            dx, dy = places.x[other] - aim.corner_x, places.y[other] - aim.corner_y
            if dx * dx + dy * dy < self._spacing_squared:
                return None
        towards = self._passing.towards(walker, other)
        for way in self._passing.ways(walker, other):
            candidate = direction(wrap_angle(towards + way.angle - aim.heading))
            choice = self.step_along(walker, aim, candidate, distance)
            if choice is not None:
                table.pass_sign[walker.row] = way.sense
                return choice
        return None

    def step_along(
        self, walker: Walker, aim: Aim, candidate: Direction, distance: float
    ) -> Choice | None:
        """One direction's step if it passes the commit checks.

        - A full step must pass in its place too, however little the clip wants to go:
          else a ped would creep up to what refused it with each new start (LOC-06).
        - A side step keeps off dear ground, but for who slides along what is in the way.
        - A straight step that would pass the corner lands on it exactly (LOC-08).
        """
        full = walker.budget
        if candidate.angle == 0.0:
            full = min(full, aim.distance)
        if candidate.angle != 0.0 and not self._table.slides.item(walker.row):
            x, y, _ = walker.position
            along_x, along_y = candidate.turn(aim)
            if not self._checks.stays_cheap(walker, x + along_x * full, y + along_y * full):
                return None
        if distance < full and self._check(walker, aim, candidate, full) is None:
            return None
        step = self._check(walker, aim, candidate, distance)
        return None if step is None else Choice(candidate.angle, step)

    def _check(
        self, walker: Walker, aim: Aim, candidate: Direction, distance: float
    ) -> CheckedStep | None:
        if candidate.angle == 0.0 and distance >= aim.distance:
            return self._checks.check(walker, aim.corner_x, aim.corner_y)
        x, y, _ = walker.position
        along_x, along_y = candidate.turn(aim)
        return self._checks.check(walker, x + along_x * distance, y + along_y * distance)

    def slide(self, walker: Walker, aim: Aim, distance: float) -> Choice | None:
        """The straight step, or its part along what refuses it (LOC-18).

        The part in a direction that deviates by ``a`` is ``distance * cos a`` long;
        the smallest deviation that passes is the one along the obstacle. What gains
        nearly nothing in the wished direction is given up. The wish stays straight,
        so the suggestion is 0.
        """
        x, y, _ = walker.position
        first_side = self._first_side(walker.row, self._table.side_age.item(walker.row))
        for candidate in self._slides[first_side]:
            choice = self.step_along(walker, aim, candidate, distance * candidate.cosine)
            if choice is not None:
                step = choice.step
                gain = (step.x - x) * aim.x + (step.y - y) * aim.y
                if gain >= self._tuning.slide_gain_min * distance:
                    return Choice(0.0, step)
        return None

    def _fan(self, row: int, side_age_s: float) -> tuple[Direction, ...]:
        """The candidates in the order in which they are tried."""
        return self._fans[self._first_side(row, side_age_s)]

    def _first_side(self, row: int, side_age_s: float) -> int:
        """Side tried first: the one last used if that is not long ago, else positive (LOC-04)."""
        if more_than(side_age_s, self._tuning.side_memory):
            return 1
        return self._table.side_sign.item(row)

    def _leads_on(self, walker: Walker, aim: Aim, candidate: Direction, ahead: float) -> bool:
        """True if no ped is in a candidate's way, nor anything solid in that of a side candidate.

        What is solid straight ahead is for the caller to know.
        """
        back = abs(candidate.angle) < abs(self._table.steer_suggestion.item(walker.row))
        return self._peds_clear(walker, aim, candidate, ahead, back=back) and (
            candidate.angle == 0.0 or self._side_free(walker, aim, candidate, ahead)
        )

    def _ahead_free(self, walker: Walker, aim: Aim, ahead: float) -> bool:
        """True if nothing solid refuses the straight direction within the ahead probe."""
        x, y, _ = walker.position
        return self._checks.way_free(x, y, x + aim.x * ahead, y + aim.y * ahead)

    def _side_free(self, walker: Walker, aim: Aim, candidate: Direction, ahead: float) -> bool:
        """True if a side direction leads on for who makes way for a ped.

        Nothing solid may be in its way within the ahead probe, nor from there towards the
        corner within the forward probe: who makes way would else walk into what stands
        beside it, or get behind it.
        """
        x, y, _ = walker.position
        along_x, along_y = candidate.turn(aim)
        side_x = x + along_x * ahead
        side_y = y + along_y * ahead
        if not self._checks.way_free(x, y, side_x, side_y):
            return False
        onward = aim.from_point(side_x, side_y)
        forward = min(self._tuning.forward_probe, onward.distance)
        return self._checks.way_free(
            side_x, side_y, side_x + onward.x * forward, side_y + onward.y * forward
        )

    def _gets_past(self, walker: Walker, aim: Aim, candidate: Direction) -> bool:
        """True if a side step leads somewhere (LOC-05).

        The way along the candidate must be free for the side probe, and from its end
        the way towards the corner for the forward probe. For the widest candidates
        the forward probe is lengthened until it is as deep as the ahead probe was;
        else a ped would side-step along a wall that it has not come near to yet.
        """
        tuning = self._tuning
        x, y, _ = walker.position
        along_x, along_y = candidate.turn(aim)
        side_x = x + along_x * tuning.side_probe
        side_y = y + along_y * tuning.side_probe
        if self._checks.ground(walker, side_x, side_y) is None:
            return False
        if not self._checks.way_free(x, y, side_x, side_y):
            return False
        onward = aim.from_point(side_x, side_y)
        depth = tuning.ahead_probe - tuning.side_probe * candidate.cosine
        forward = min(max(tuning.forward_probe, depth), onward.distance)
        return self._checks.way_free(
            side_x, side_y, side_x + onward.x * forward, side_y + onward.y * forward
        )

    def _peds_clear(
        self, walker: Walker, aim: Aim, candidate: Direction, ahead: float, *, back: bool
    ) -> bool:
        """True if no ped in sight would come too near while this one covers the ahead probe.

        Peds are taken to go on as they did in their last sub-step, from where they
        were at the start of this one; those receding don't count. A ped that would turn
        ``back`` from its side step must find the way clear, too, of peds who give up
        theirs: two who have just given way to each other would swing back otherwise.
        """
        if not self._approach_clear(walker, aim, candidate, ahead, aside=True):
            return False
        return not back or self._approach_clear(walker, aim, candidate, ahead, aside=False)

    def _approach_clear(
        self, walker: Walker, aim: Aim, candidate: Direction, ahead: float, *, aside: bool
    ) -> bool:
        """Judge the nearest approach; without ``aside`` others move along the aim's line only."""
        _, xs, ys, velocities_x, velocities_y = self._grid.lists()
        x, y, _ = walker.position
        along_x, along_y = candidate.turn(aim)
        horizon_s = ahead / walker.speed
        for index in self._grid.sight.near(walker.index):
            dx = xs[index] - x
            dy = ys[index] - y
            if dx * dx + dy * dy > self._sight_squared:
                continue
            velocity_x = velocities_x[index]
            velocity_y = velocities_y[index]
            if not aside:
                on_line = velocity_x * aim.x + velocity_y * aim.y
                velocity_x = on_line * aim.x
                velocity_y = on_line * aim.y
            closing_x = along_x * walker.speed - velocity_x
            closing_y = along_y * walker.speed - velocity_y
            closing = dx * closing_x + dy * closing_y
            if closing <= 0.0:
                continue
            speed_squared = closing_x * closing_x + closing_y * closing_y
            time_s = min(closing / speed_squared, horizon_s)
            dx -= closing_x * time_s
            dy -= closing_y * time_s
            if dx * dx + dy * dy < self._spacing_squared:
                return False
        return True
