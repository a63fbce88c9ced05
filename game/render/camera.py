"""The drawn camera: follows, zooms to the mouse, tilts, is dragged; all of it eased.

It exists for the viewer alone: nothing of it ever reaches the simulation, whose
focus is a fact of the run (product.md section 2). Times are the viewer's seconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from game.render.projection import PITCH_MAX_DEG, PITCH_MIN_DEG, Projection

FOLLOW_OMEGA = 6.0
"""Critically damped: a = w^2 (target - x) - 2 w v (art-and-feel section 10)."""

LOOK_AHEAD_S = 0.35
LOOK_AHEAD_MAX_CM = 160.0
CURSOR_SHARE = 0.12
CURSOR_MAX_CM = 120.0
DEAD_ZONE_CM = 25.0
ZOOM_MIN, ZOOM_MAX, ZOOM_START = 0.25, 1.8, 0.6
ZOOM_STEP = 1.15
ZOOM_EASE_S = 0.12
PITCH_EASE_S = 0.12
PITCH_START_DEG = 55.0
GLIDE_S = 0.25
HOME_S = 0.6
SETTLED_SHARE = 0.002
"""Zoom and pitch snap to their goal once they are this near to it: baking waits for that."""


class ViewPoint(Protocol):
    """Where the level wants to be looked at from; a fact of the run."""

    @property
    def x(self) -> float:
        """Ground point in the middle of the picture, cm."""

    @property
    def y(self) -> float:
        """Ground point in the middle of the picture, cm."""

    @property
    def zoom_px_per_cm(self) -> float:
        """How near."""

    @property
    def pitch_deg(self) -> float:
        """How steep."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What the camera keeps in the picture: a ground point (cm) and its velocity (cm/s).

    ``steady`` subjects (a level's own camera) are followed to the very point, without
    look-ahead, cursor pull or dead zone.
    """

    x: float
    y: float
    velocity_x: float = 0.0
    velocity_y: float = 0.0
    steady: bool = False


class Camera:
    """Where the picture is taken from, moved once a drawn frame by ``advance``."""

    def __init__(
        self,
        x: float,
        y: float,
        zoom: float = ZOOM_START,
        pitch_deg: float = PITCH_START_DEG,
    ) -> None:
        self.x = x
        self.y = y
        self.zoom = _clamp(zoom, ZOOM_MIN, ZOOM_MAX)
        self.pitch_deg = _clamp(pitch_deg, PITCH_MIN_DEG, PITCH_MAX_DEG)
        self.is_free = False
        self._velocity_x = 0.0
        self._velocity_y = 0.0
        self._zoom_goal = self.zoom
        self._pitch_goal_deg = self.pitch_deg
        self._pinned: tuple[float, float, float, float] | None = None
        self._dragging = False
        self._home_left_s = 0.0

    def projection(self, width: int, height: int) -> Projection:
        """The view onto a picture of that size."""
        return Projection(self.x, self.y, self.pitch_deg, self.zoom, width, height)

    # -- what the viewer asks for ----------------------------------------------

    def zoom_by(
        self, factor: float, mouse_x: float, mouse_y: float, width: int, height: int
    ) -> None:
        """Zoom so that the ground under the mouse stays under it."""
        self._zoom_goal = _clamp(self._zoom_goal * factor, ZOOM_MIN, ZOOM_MAX)
        ground_x, ground_y = self.projection(width, height).to_ground(mouse_x, mouse_y)
        self._pinned = (ground_x, ground_y, mouse_x - width * 0.5, mouse_y - height * 0.5)

    def zoom_to(self, zoom: float) -> None:
        """Ease to a zoom about the middle of the picture."""
        self._zoom_goal = _clamp(zoom, ZOOM_MIN, ZOOM_MAX)
        self._pinned = None

    def tilt_by(self, degrees: float) -> None:
        """Ease to a steeper (over 0) or flatter view."""
        self._pitch_goal_deg = _clamp(self._pitch_goal_deg + degrees, PITCH_MIN_DEG, PITCH_MAX_DEG)

    def drag(self, dx_px: float, dy_px: float, frame_s: float) -> None:
        """Move the ground with the mouse; the camera is free from now on."""
        self.is_free = True
        self._dragging = True
        dx = -dx_px / self.zoom
        dy = -dy_px / (self.zoom * math.sin(math.radians(self.pitch_deg)))
        self.x += dx
        self.y += dy
        if frame_s > 0.0:
            self._velocity_x, self._velocity_y = dx / frame_s, dy / frame_s

    def end_drag(self) -> None:
        """Let go: the camera glides to a halt."""
        self._dragging = False

    def pan(self, dx_cm: float, dy_cm: float) -> None:
        """Move a free camera over the ground."""
        self.is_free = True
        self.x += dx_cm
        self.y += dy_cm

    def home(self) -> None:
        """Go back to the subject within 0.6 s and follow it again."""
        if self.is_free:
            self.is_free = False
            self._home_left_s = HOME_S
            self._velocity_x = self._velocity_y = 0.0

    # -- once a frame ----------------------------------------------------------

    def advance(
        self, frame_s: float, subject: Subject | None, cursor: tuple[float, float] | None = None
    ) -> None:
        """Go on by the time of one drawn frame.

        - ``subject`` is what to follow, None to stay.
        - ``cursor`` is the ground point under the mouse, which pulls a little.
        """
        self._ease_zoom_and_pitch(frame_s)
        if self.is_free:
            self._glide(frame_s)
        elif subject is not None:
            goal_x, goal_y = self._goal(subject, cursor)
            if self._home_left_s > 0.0:
                self._come_home(frame_s, goal_x, goal_y)
            else:
                self._spring(frame_s, goal_x, goal_y)

    def _ease_zoom_and_pitch(self, frame_s: float) -> None:
        self.zoom = _eased(self.zoom, self._zoom_goal, frame_s, ZOOM_EASE_S)
        self.pitch_deg = _eased(self.pitch_deg, self._pitch_goal_deg, frame_s, PITCH_EASE_S)
        if self._pinned is not None:
            ground_x, ground_y, offset_x, offset_y = self._pinned
            self.x = ground_x - offset_x / self.zoom
            self.y = ground_y - offset_y / (self.zoom * math.sin(math.radians(self.pitch_deg)))
            if self.zoom == self._zoom_goal:
                self._pinned = None

    def _glide(self, frame_s: float) -> None:
        if self._dragging:
            return
        self.x += self._velocity_x * frame_s
        self.y += self._velocity_y * frame_s
        left = max(0.0, 1.0 - frame_s / GLIDE_S)
        self._velocity_x *= left
        self._velocity_y *= left

    def _goal(self, subject: Subject, cursor: tuple[float, float] | None) -> tuple[float, float]:
        if subject.steady:
            return subject.x, subject.y
        ahead_x, ahead_y = _shortened(
            subject.velocity_x * LOOK_AHEAD_S, subject.velocity_y * LOOK_AHEAD_S, LOOK_AHEAD_MAX_CM
        )
        goal_x, goal_y = subject.x + ahead_x, subject.y + ahead_y
        if cursor is not None:
            pull_x, pull_y = _shortened(
                (cursor[0] - goal_x) * CURSOR_SHARE,
                (cursor[1] - goal_y) * CURSOR_SHARE,
                CURSOR_MAX_CM,
            )
            goal_x, goal_y = goal_x + pull_x, goal_y + pull_y
        away_x, away_y = goal_x - self.x, goal_y - self.y
        distance = math.hypot(away_x, away_y)
        if distance <= DEAD_ZONE_CM:
            return self.x, self.y
        share = (distance - DEAD_ZONE_CM) / distance
        return self.x + away_x * share, self.y + away_y * share

    def _spring(self, frame_s: float, goal_x: float, goal_y: float) -> None:
        self.x, self._velocity_x = _critically_damped(self.x, self._velocity_x, goal_x, frame_s)
        self.y, self._velocity_y = _critically_damped(self.y, self._velocity_y, goal_y, frame_s)

    def _come_home(self, frame_s: float, goal_x: float, goal_y: float) -> None:
        """Arrive exactly when the time is up, fast first and slowing down."""
        share = min(1.0, 2.0 * frame_s / self._home_left_s)
        self._home_left_s -= frame_s
        if self._home_left_s <= 0.0:
            share = 1.0
        self.x += (goal_x - self.x) * share
        self.y += (goal_y - self.y) * share


def _critically_damped(
    value: float, velocity: float, goal: float, time_s: float
) -> tuple[float, float]:
    """Exact solution over a frame of a = w^2 (goal - x) - 2 w v: stable at any frame time."""
    away = value - goal
    rate = velocity + FOLLOW_OMEGA * away
    fading = math.exp(-FOLLOW_OMEGA * time_s)
    return (
        goal + (away + rate * time_s) * fading,
        (velocity - FOLLOW_OMEGA * rate * time_s) * fading,
    )


def _eased(value: float, goal: float, time_s: float, ease_s: float) -> float:
    """Exponential approach that ends on the goal."""
    value = goal + (value - goal) * math.exp(-time_s / ease_s)
    return goal if abs(value - goal) <= abs(goal) * SETTLED_SHARE else value


def _shortened(x: float, y: float, longest: float) -> tuple[float, float]:
    length = math.hypot(x, y)
    return (x, y) if length <= longest else (x * longest / length, y * longest / length)


def _clamp(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)
