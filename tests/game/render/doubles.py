"""A pose source of two poses and a few streets, for tests of drawing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ai.motion.movement_table import ClipPhase
from ai.ports import Circle, Footprint, Polygon, SurfacePatch
from game.render.figures.faces import Mood
from game.render.picture import (
    GroundPicture,
    OrderBubble,
    PedPictures,
    Picture,
    Pose,
    StandingThing,
)
from game.render.things.shape import Option, shape_of

JOINTS: dict[str, tuple[float, float, float]] = {
    "pelvis": (0.0, 0.0, 91.0),
    "waist": (0.0, 0.0, 101.0),
    "neck": (0.0, 0.0, 146.0),
    "head": (2.0, 0.0, 163.0),
    "face": (14.4, 0.0, 163.0),
    "crown": (2.0, 0.0, 176.0),
}
for _side, _y in (("left", -1.0), ("right", 1.0)):
    JOINTS |= {
        f"{_side}_shoulder": (0.0, 17.0 * _y, 141.0),
        f"{_side}_elbow": (0.0, 20.0 * _y, 111.0),
        f"{_side}_wrist": (2.0, 20.0 * _y, 86.0),
        f"{_side}_hand": (2.0, 20.0 * _y, 81.0),
        f"{_side}_hip": (0.0, 8.5 * _y, 91.0),
        f"{_side}_knee": (0.0, 8.5 * _y, 48.0),
        f"{_side}_ankle": (0.0, 8.5 * _y, 7.0),
        f"{_side}_heel": (-5.0, 8.5 * _y, 3.0),
        f"{_side}_toe": (15.0, 8.5 * _y, 2.8),
    }
"""A figure that stands straight: the proportions of art-and-feel section 4."""

UPRIGHT: NDArray[np.float64] = np.array(list(JOINTS.values()))
STANDING = Pose(0, int(ClipPhase.IDLE), 0.0)


def walking(phase: float) -> Pose:
    """A walk at a phase of its cycle."""
    return Pose(0, int(ClipPhase.LOOP), phase)


class TwoPoses:
    """Stands, or in LOOP swings its left foot 30 cm up and ahead in the first half of the cycle.

    A body that is down brings its own joints.
    """

    joints: Sequence[str] = tuple(JOINTS)

    def __init__(self) -> None:
        self.asked = 0

    def poses(self, poses: Sequence[Pose]) -> NDArray[np.float64]:
        self.asked += len(poses)
        return np.stack([self._pose(pose) for pose in poses])

    def _pose(self, pose: Pose) -> NDArray[np.float64]:
        if pose.joints is not None:
            return pose.joints
        joints = UPRIGHT.copy()
        if pose.phase == ClipPhase.LOOP and pose.time < 0.5:
            for name in ("left_ankle", "left_heel", "left_toe"):
                joints[self.joints.index(name)] += (30.0 * pose.reach, 0.0, 30.0)
        return joints


def rectangle(width: float, length: float) -> Polygon:
    """A centred rectangle: ``width`` along x, ``length`` along y."""
    x, y = width / 2.0, length / 2.0
    return Polygon(((-x, -y), (x, -y), (x, y), (-x, y)))


def patch(kind: str, x0: float, y0: float, x1: float, y1: float) -> SurfacePatch:
    """An upright rectangle of ground."""
    return SurfacePatch(kind, 0.0, Polygon(((x0, y0), (x1, y0), (x1, y1), (x0, y1))))


def thing(
    kind: str,
    x: float,
    y: float,
    footprint: Footprint,
    height: float = 100.0,
    *,
    yaw: float = 0.0,
    number: int = 1,
    options: dict[str, Option] | None = None,
) -> StandingThing:
    """A standing thing."""
    shape = shape_of(kind, footprint, 0.0, height, number=number, options=options)
    return StandingThing(shape, x, y, 0.0, yaw)


def ball(radius: float) -> Circle:
    """A round footprint."""
    return Circle(0.0, 0.0, radius)


def people(
    *places: tuple[float, float, float],
    poses: Sequence[Pose] | None = None,
    looks: Sequence[str] | None = None,
    selected: Sequence[int] = (),
    bubbles: Sequence[OrderBubble | None] | None = None,
) -> PedPictures:
    """Peds at (x, y, yaw), standing still, with ids from 1."""
    count = len(places)
    now = np.array([(x, y, 0.0, yaw) for x, y, yaw in places]).reshape(count, 4)
    shown = list(poses or [STANDING] * count)
    return PedPictures(
        ids=np.arange(count, dtype=np.int64) + 1,
        before=now.copy(),
        now=now,
        poses_before=shown,
        poses=shown,
        looks=list(looks or ["player"] * count),
        moods=[Mood.CALM] * count,
        selected=np.array([index in selected for index in range(count)], dtype=np.bool_),
        bubbles=list(bubbles or [None] * count),
    )


def street() -> Picture:
    """A pavement, a road with a crossing, a lawn, a house, a lamp, a car and three people."""
    ground = GroundPicture(
        1600.0,
        1400.0,
        (
            patch("pavement", 0.0, 300.0, 1600.0, 1400.0),
            patch("road", 0.0, 600.0, 1600.0, 1040.0),
            patch("crossing", 1200.0, 600.0, 1360.0, 1040.0),
            patch("grass", 100.0, 1140.0, 800.0, 1400.0),
        ),
    )
    standing = (
        thing("building", 500.0, 150.0, rectangle(700.0, 300.0), 630.0, number=1),
        thing("lamp", 1000.0, 520.0, ball(10.0), 420.0, number=2),
        thing("car", 500.0, 760.0, rectangle(180.0, 440.0), 142.0, yaw=-1.4, number=3),
    )
    peds = people(
        (800.0, 480.0, 1.2),
        (950.0, 900.0, 0.3),
        (300.0, 1240.0, -2.0),
        poses=[STANDING, walking(0.25), STANDING],
        looks=["guard", "courier", "player"],
        selected=(1,),
    )
    return Picture(ground, standing, peds)
