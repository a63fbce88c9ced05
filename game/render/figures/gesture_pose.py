"""Drawn gestures: hands up, phone to the eye or the ear, crouching, a turned head (EVT-84).

Laid over whatever the clips say. Bones keep their lengths; the feet stay on the ground.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.behaviours.gestures import Gesture
from game.render.figures.posture import TRUNK_JOINTS, above_hips, bend

Floats = NDArray[np.float64]
Way = tuple[float, float, float]

EASE_S: Final = 0.22
"""How long a gesture takes to be made."""
ROLL_RAD_S: Final = math.tau / 1.1
"""How fast somebody rolls on the ground."""
LYING_CM: Final = 7.0
"""Height of the lowest joint of a body that rolls."""
HEAD_TURN_MAX_RAD: Final = math.radians(75.0)


class _Hold(NamedTuple):
    """Where the arms point (ahead, outward, up), how far the body leans and sinks.

    ``sink`` is the share of the pelvis's height that it goes down.
    """

    right: tuple[Way, Way] | None = None
    left: tuple[Way, Way] | None = None
    lean_rad: float = 0.0
    sink: float = 0.0


_OVER_HEAD: Final = ((0.45, 0.55, 0.75), (0.15, -0.75, 0.65))
_UP: Final = ((0.15, 0.75, 0.65), (0.05, 0.10, 1.0))
_AT_EYE: Final = ((0.75, 0.15, 0.30), (0.45, -0.25, 1.00))
_AT_EAR: Final = ((0.20, 0.75, -0.35), (0.10, -0.80, 0.95))
_WAVING: Final = ((0.15, 0.45, 0.88), (0.0, 0.25, 0.97))
_THROWN_UP: Final = ((0.70, 0.60, -0.10), (0.50, 0.20, 0.80))
_TO_GROUND: Final = ((0.75, 0.05, -0.70), (0.85, -0.10, -0.55))
_BEFORE_CHEST: Final = ((0.60, 0.35, -0.60), (0.80, -0.25, 0.55))
_ON_KNEES: Final = ((0.70, 0.10, -0.70), (0.90, -0.10, -0.20))

HOLDS: Final[dict[Gesture, _Hold]] = {
    Gesture.STARTLE: _Hold(_THROWN_UP, _THROWN_UP, lean_rad=math.radians(-10.0)),
    Gesture.DUCK: _Hold(_ON_KNEES, _ON_KNEES, lean_rad=math.radians(38.0), sink=0.38),
    Gesture.COWER: _Hold(_OVER_HEAD, _OVER_HEAD, lean_rad=math.radians(48.0), sink=0.50),
    Gesture.HANDS_UP: _Hold(_UP, _UP),
    Gesture.FILM: _Hold(right=_AT_EYE),
    Gesture.PHONE: _Hold(right=_AT_EAR),
    Gesture.LOOK: _Hold(),
    Gesture.WAVE: _Hold(right=_WAVING),
    Gesture.ROLL: _Hold(_OVER_HEAD, _OVER_HEAD),
    Gesture.KNEEL: _Hold(_TO_GROUND, _TO_GROUND, lean_rad=math.radians(36.0), sink=0.42),
    Gesture.ON_GUARD: _Hold(_BEFORE_CHEST, _BEFORE_CHEST, lean_rad=math.radians(10.0)),
}


def eased(age_s: float) -> float:
    """How far a gesture is made this long after its begin: 0 to 1."""
    share = min(max(age_s / EASE_S, 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


class GesturePose:
    """Lays gestures over poses whose rows are the given joints."""

    def __init__(self, joints: Sequence[str]) -> None:
        self._pelvis = joints.index("pelvis")
        self._neck = joints.index("neck")
        self._head = np.array([joints.index(name) for name in ("head", "face", "crown")])
        self._upper = np.array(
            [row for row, name in enumerate(joints) if above_hips(name)], dtype=np.int64
        )
        self._sinking = np.array(
            [
                row
                for row, name in enumerate(joints)
                if name in TRUNK_JOINTS or above_hips(name) or name.endswith("_hip")
            ],
            dtype=np.int64,
        )
        self._arms = {
            side: tuple(joints.index(f"{side}_{j}") for j in ("shoulder", "elbow", "wrist", "hand"))
            for side in ("left", "right")
        }
        self._legs = [
            tuple(joints.index(f"{side}_{j}") for j in ("hip", "knee", "ankle"))
            for side in ("left", "right")
        ]

    def laid_over(self, pose: Floats, gesture: Gesture, share: float, head_rad: float) -> Floats:
        """The pose with a gesture made by a share of 0 to 1, the head turned by an angle.

        Shape (n_joints, 3) in and out.
        """
        posed = pose.copy()
        hold = HOLDS[gesture]
        if hold.sink > 0.0:
            self._sink(posed, hold.sink * share)
        bend(posed, self._pelvis, self._upper, hold.lean_rad * share)
        for side, outward, ways in (("left", -1.0, hold.left), ("right", 1.0, hold.right)):
            if ways is not None:
                self._aim(posed, self._arms[side], ways, outward, share)
        if gesture is Gesture.LOOK:
            self._turn_head(posed, head_rad * share)
        if gesture is Gesture.ROLL:
            return self._rolled(posed, share, head_rad)
        return posed

    def _rolled(self, posed: Floats, share: float, turn_rad: float) -> Floats:
        """The figure tipped over to its right and turned about its length by an angle.

        Rotations of the whole, so that bones keep their lengths; the lowest joint stays low.
        """
        pelvis = posed[self._pelvis]
        low = float(posed[:, 2].min())
        cos, sin = math.cos(turn_rad * share), math.sin(turn_rad * share)
        ahead = (posed[:, 0] - pelvis[0]) * cos - (posed[:, 1] - pelvis[1]) * sin
        aside = (posed[:, 0] - pelvis[0]) * sin + (posed[:, 1] - pelvis[1]) * cos
        along = posed[:, 2] - pelvis[2]
        tip = 0.5 * math.pi * share
        rolled = np.empty_like(posed)
        rolled[:, 0] = pelvis[0] + ahead
        rolled[:, 1] = pelvis[1] + aside * math.cos(tip) + along * math.sin(tip)
        rolled[:, 2] = along * math.cos(tip) - aside * math.sin(tip)
        rolled[:, 2] += low + (LYING_CM - low) * share - float(rolled[:, 2].min())
        return rolled

    def _sink(self, posed: Floats, share: float) -> None:
        """The pelvis goes down; each knee goes out ahead as far as its bones ask."""
        bones = [
            (
                float(np.linalg.norm(posed[knee] - posed[hip])),
                float(np.linalg.norm(posed[ankle] - posed[knee])),
            )
            for hip, knee, ankle in self._legs
        ]
        posed[self._sinking, 2] -= float(posed[self._pelvis, 2]) * share
        for (hip, knee, ankle), (thigh, shin) in zip(self._legs, bones, strict=True):
            posed[knee] = _bent_knee(posed[hip], posed[ankle], thigh, shin)

    @staticmethod
    def _aim(
        posed: Floats,
        rows: tuple[int, ...],
        ways: tuple[Way, Way],
        outward: float,
        share: float,
    ) -> None:
        bones = np.diff(posed[list(rows)], axis=0)
        for index, (ahead, aside, up) in enumerate((ways[0], ways[1], ways[1])):
            length = float(np.linalg.norm(bones[index]))
            aim = np.array((ahead, aside * outward, up))
            aim /= np.linalg.norm(aim)
            way = bones[index] / max(length, 1e-6) * (1.0 - share) + aim * share
            step = way * (length / max(float(np.linalg.norm(way)), 1e-6))
            posed[rows[index + 1]] = posed[rows[index]] + step

    def _turn_head(self, posed: Floats, angle_rad: float) -> None:
        angle = min(max(angle_rad, -HEAD_TURN_MAX_RAD), HEAD_TURN_MAX_RAD)
        cos, sin = math.cos(angle), math.sin(angle)
        neck = posed[self._neck]
        x = posed[self._head, 0] - neck[0]
        y = posed[self._head, 1] - neck[1]
        posed[self._head, 0] = neck[0] + x * cos - y * sin
        posed[self._head, 1] = neck[1] + x * sin + y * cos


def _bent_knee(hip: Floats, ankle: Floats, thigh: float, shin: float) -> Floats:
    """Where the knee is, ahead of the line from hip to ankle, with bones of these lengths."""
    line = ankle - hip
    apart = min(float(np.linalg.norm(line)), thigh + shin - 1e-6)
    along = (apart * apart + thigh * thigh - shin * shin) / (2.0 * max(apart, 1e-6))
    aside = math.sqrt(max(thigh * thigh - along * along, 0.0))
    way = line / max(float(np.linalg.norm(line)), 1e-6)
    ahead = np.array((1.0, 0.0, 0.0)) - way * float(way[0])
    ahead /= max(float(np.linalg.norm(ahead)), 1e-6)
    knee: Floats = hip + way * along + ahead * aside
    return knee
