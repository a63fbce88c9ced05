"""The one projection of (x, y, z): a tilted orthographic view without perspective.

Screen = centre + ((x - cx) s, ((y - cy) sin p - z cos p) s) (art-and-feel section 3),
with the zoom s in px/cm and the pitch p between looking straight down (90 deg) and
35 deg. Everything that is drawn goes through here, one point or many at a time.

Seen along the same axes a point also has a depth, y cos p + z sin p: larger is
nearer to the camera. Screen x, screen y and depth together are a pure rotation of
the world, so lengths and angles survive in these *view coordinates*.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

PITCH_MIN_DEG = 35.0
PITCH_MAX_DEG = 90.0


class GroundBounds(NamedTuple):
    """An upright rectangle of ground in cm."""

    x_min: float
    y_min: float
    x_max: float
    y_max: float


@dataclass(frozen=True, slots=True)
class Projection:
    """One view: what stands in the middle of the picture, how steep, how near.

    - ``centre_x``, ``centre_y``: ground point in cm in the middle of the picture.
    - ``pitch_deg``: 35 to 90; outside it is a ``ValueError``.
    - ``zoom``: px per cm, over 0.
    - ``width``, ``height``: size of the picture in px.
    """

    centre_x: float
    centre_y: float
    pitch_deg: float = 55.0
    zoom: float = 0.6
    width: int = 1280
    height: int = 720
    sin_pitch: float = field(init=False)
    cos_pitch: float = field(init=False)

    def __post_init__(self) -> None:
        if not PITCH_MIN_DEG <= self.pitch_deg <= PITCH_MAX_DEG:
            raise ValueError(
                f"pitch must be {PITCH_MIN_DEG:g} to {PITCH_MAX_DEG:g} deg, not {self.pitch_deg}"
            )
        if not self.zoom > 0.0:
            raise ValueError(f"zoom must be over 0 px/cm, not {self.zoom}")
        pitch_rad = math.radians(self.pitch_deg)
        object.__setattr__(self, "sin_pitch", math.sin(pitch_rad))
        object.__setattr__(self, "cos_pitch", math.cos(pitch_rad))

    def moved_px(self, right: float, down: float) -> Projection:
        """The same view with the picture shifted by so many px."""
        if right == 0.0 and down == 0.0:
            return self
        return replace(
            self,
            centre_x=self.centre_x - right / self.zoom,
            centre_y=self.centre_y - down / (self.zoom * self.sin_pitch),
        )

    def snapped(self) -> Projection:
        """The nearest view whose ground lies on whole pixels.

        Ground and things are placed by rounding; from a snapped view both round alike, so
        nothing shimmers against the ground while the camera moves.
        """
        across, down = self.zoom, self.zoom * self.sin_pitch
        half_x, half_y = self.width * 0.5, self.height * 0.5
        return replace(
            self,
            centre_x=(round(self.centre_x * across - half_x) + half_x) / across,
            centre_y=(round(self.centre_y * down - half_y) + half_y) / down,
        )

    def to_screen(self, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
        """Where a point of the world (cm) stands in the picture (px, y down)."""
        return (
            self.width * 0.5 + (x - self.centre_x) * self.zoom,
            self.height * 0.5
            + ((y - self.centre_y) * self.sin_pitch - z * self.cos_pitch) * self.zoom,
        )

    def to_screen_batch(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Shape (n, 3) cm in, (n, 2) px out: equal to ``to_screen`` for each row."""
        screen = np.empty((len(points), 2), dtype=np.float64)
        screen[:, 0] = self.width * 0.5 + (points[:, 0] - self.centre_x) * self.zoom
        screen[:, 1] = (
            self.height * 0.5
            + ((points[:, 1] - self.centre_y) * self.sin_pitch - points[:, 2] * self.cos_pitch)
            * self.zoom
        )
        return screen

    def to_ground(self, screen_x: float, screen_y: float, z: float = 0.0) -> tuple[float, float]:
        """The point (x, y) in cm at height ``z`` that is seen at a place of the picture."""
        return (
            self.centre_x + (screen_x - self.width * 0.5) / self.zoom,
            self.centre_y
            + ((screen_y - self.height * 0.5) / self.zoom + z * self.cos_pitch) / self.sin_pitch,
        )

    def depth(self, y: float, z: float = 0.0) -> float:
        """Nearness to the camera in cm; of two points at one place the larger is in front."""
        return y * self.cos_pitch + z * self.sin_pitch

    def visible_ground(self, margin_cm: float = 0.0) -> GroundBounds:
        """The ground in the picture, grown by a margin on every side."""
        x_min, y_min = self.to_ground(0.0, 0.0)
        x_max, y_max = self.to_ground(float(self.width), float(self.height))
        return GroundBounds(
            x_min - margin_cm, y_min - margin_cm, x_max + margin_cm, y_max + margin_cm
        )
