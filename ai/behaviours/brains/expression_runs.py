"""Actions of voice and gaze: ``say``, ``look_at``, ``look_around``."""

from __future__ import annotations

import math

from ai.behaviours.brains.action_run import ActionRun, Ending
from ai.machines.steps import steps
from ai.ports import STEP_S


class TimedRun(ActionRun):
    """An action that ends after a time; a stop ends it at once."""

    __slots__ = ("_begun_step", "_due_step")

    def duration_s(self) -> float:
        """How long it takes."""
        raise NotImplementedError

    def admitted(self, step: int) -> None:
        """The time runs from now on."""
        self._begun_step = step
        self._due_step = step + steps(self.duration_s())

    def after_step(self, step: int) -> Ending:
        """Over when the time is."""
        if step >= self._due_step:
            self.cut()
            return Ending.SUCCESS
        return Ending.NONE

    def stop(self, step: int) -> None:
        """Nothing to wait for."""
        super().stop(step)
        self.cut()


class SayRun(TimedRun):
    """``say``: a line, by its key."""

    __slots__ = ()

    def duration_s(self) -> float:
        """How long a line takes."""
        return self.actor.services.brains.data.tuning.expression.say_s

    def admitted(self, step: int) -> None:
        """Say it."""
        super().admitted(step)
        line = self.text("line")
        self.actor.services.brains.speech.say(self.actor.ref, line, self.duration_s())
        self.host.said(line)


class LookAtRun(TimedRun):
    """``look_at``: the head follows a ped or thing."""

    __slots__ = ()

    def begin(self, step: int) -> str:  # noqa: ARG002
        """Is it there."""
        return "" if self.entity("target") is not None else "target_gone"

    def duration_s(self) -> float:
        """As asked."""
        return self.number("seconds", self.actor.services.brains.data.tuning.expression.look_s)

    def after_step(self, step: int) -> Ending:
        """Follow it; it may have gone."""
        target = self.entity("target")
        place = None if target is None else self.host.place_of(target)
        if place is None:
            self.cut()
            return Ending.FAILURE
        here = self.actor.position
        heading = math.atan2(place.y - here.y, place.x - here.x)
        most = math.radians(self.actor.services.brains.data.tuning.expression.look_around_deg)
        off = math.remainder(heading - self.actor.movement.yaw, math.tau)
        self.actor.motion.gaze_rad = max(-most, min(most, off))
        return super().after_step(step)

    def cut(self) -> None:
        """Look ahead again."""
        self.actor.motion.gaze_rad = 0.0


class LookAroundRun(TimedRun):
    """``look_around``: the head sweeps from side to side; what it sees is seen (EVT-103)."""

    __slots__ = ()

    def duration_s(self) -> float:
        """As asked."""
        return self.number("seconds", self.actor.services.brains.data.tuning.expression.look_s)

    def after_step(self, step: int) -> Ending:
        """Sweep on."""
        expression = self.actor.services.brains.data.tuning.expression
        turn = (step - self._begun_step) * STEP_S / expression.look_around_turn_s
        most = math.radians(expression.look_around_deg)
        self.actor.motion.gaze_rad = most * math.sin(turn * math.tau)
        return super().after_step(step)

    def cut(self) -> None:
        """Look ahead again."""
        self.actor.motion.gaze_rad = 0.0
