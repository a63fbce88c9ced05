"""The figure of a limp body: rig joints from bodies and channels, and back (RAG-05, RAG-10).

Seen from above, the simulation knows angles in the plan. Here they become a figure in
three dimensions: the trunk stands up out of the plan by the tilt and is turned about
the spine by the roll, limbs keep the angles to the trunk that their bodies have, and
sag to the ground as far as their lengths let them. So no limb is ever stretched,
whatever a joint of the simulation gives way by.

Map axes: x right, y down, z up; with them ``left = forward x up`` by the usual formula.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.motion.recovery.rising import Root
from ai.motion.rig import Rig
from ai.ports import BodyPart, LimpPose

Floats = NDArray[np.float64]
Vector = tuple[float, float, float]
Angles = tuple[float, float]

UPRIGHT_SHARE_MIN = 0.4
"""A limb whose plan length is under this share of its length points nowhere in the plan."""

_SIDES_SWAP_FROM, _SIDES_SWAP_TO = math.cos(math.radians(112.0)), math.cos(math.radians(158.0))
"""Roll, as a cosine, over which left limbs change from the bodies of one side to the other.

Between the resting rolls, so that a body at rest always shows its own limbs.
"""

_LIMB_BODIES = (
    (BodyPart.LEFT_UPPER_ARM, BodyPart.LEFT_LOWER_ARM, BodyPart.CHEST),
    (BodyPart.RIGHT_UPPER_ARM, BodyPart.RIGHT_LOWER_ARM, BodyPart.CHEST),
    (BodyPart.LEFT_THIGH, BodyPart.LEFT_SHIN, BodyPart.PELVIS),
    (BodyPart.RIGHT_THIGH, BodyPart.RIGHT_SHIN, BodyPart.PELVIS),
)

STEEPEST = 0.75
"""Sine that a limb's hang comes near, gently: a steeper one shoots out as it touches ground."""

_SINKS_FROM = math.radians(15.0)
"""Tilt from which limbs begin to sink to the ground."""

_STACK_CM = 9.0
"""How much higher an upper limb rests on the one below it."""


class Frame(NamedTuple):
    """Axes of a part of the trunk: where it looks, its left, its up, and the plan's side."""

    forward: Vector
    left: Vector
    up: Vector
    side: Vector


class LimpFigure:
    """Joints of limp bodies on one rig."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._size = rig.proportions
        number = {name: index for index, name in enumerate(rig.joints)}
        self._number = number
        self._contacts = [
            (index, float(radius))
            for index, radius in enumerate(rig.contact_radii.tolist())
            if not math.isnan(radius)
        ]

    # -- bodies to joints --------------------------------------------------------

    def joints(self, pose: LimpPose, root: Root) -> Floats:
        """Rig joints, shape (joints, 3), in the body frame of a root; ``root.z`` is the ground."""
        size = self._size
        pelvis = _frame(pose.angles[BodyPart.PELVIS], pose.tilt, pose.roll)
        chest = _frame(pose.angles[BodyPart.CHEST], pose.tilt, pose.roll)
        head = _frame(pose.angles[BodyPart.HEAD], pose.tilt, pose.roll)
        lying = _lying_share(pose.tilt)
        at: dict[str, Vector] = {"pelvis": (pose.x, pose.y, 0.0)}
        at["waist"] = _along(at["pelvis"], pelvis.up, size.pelvis_to_waist)
        at["neck"] = _along(at["waist"], chest.up, size.waist_to_neck)
        nape = _along(at["neck"], head.up, size.neck + size.head_above_neck)
        at["head"] = _along(nape, head.forward, size.head_ahead)
        gaze = _gaze(head, lying)
        at["face"] = _along(at["head"], gaze, size.face_ahead)
        at["crown"] = _along(at["head"], head.up, size.crown_above)
        floor = self._floor(at, chest, pelvis)
        swap = _swap_share(pose.roll)
        arms = self._limb_angles(pose, 0, swap)
        legs = self._limb_angles(pose, 2, swap)
        for sign, name in ((1.0, "left"), (-1.0, "right")):
            which = 0 if sign > 0.0 else 1
            self._put_arm(at, name, sign, chest, arms[which], floor, lying)
            self._put_leg(at, name, sign, pelvis, legs[which], floor, lying)
        return self._placed(at, floor, pose.z, root)

    def _floor(self, at: dict[str, Vector], chest: Frame, pelvis: Frame) -> float:
        """Height of the ground below the pelvis: the trunk lies on what is lowest of it.

        While it stands, its straight legs reach the ground first.
        """
        size, radii = self._size, self._rig.contact_radii
        depths = [
            at[name][2] - float(radii[self._number[name]]) for name in ("pelvis", "neck", "head")
        ]
        for sign in (1.0, -1.0):
            shoulder = at["neck"][2] + sign * chest.left[2] * size.shoulder_half_width
            hip = sign * pelvis.left[2] * size.hip_half_width
            depths.append(shoulder - 6.0)
            depths.append(hip - 8.0)
        leg = size.thigh + size.shin
        depths.append(-pelvis.up[2] * (leg + size.ankle_height))
        return min(depths)

    def _limb_angles(self, pose: LimpPose, first: int, swap: float) -> tuple[Angles, Angles]:
        """Plan angles of both limbs of a pair, person's left first, against the trunk's way."""
        found = []
        for upper, lower, trunk in _LIMB_BODIES[first : first + 2]:
            spine = pose.angles[trunk]
            found.append((_turned(pose.angles[upper] - spine), _turned(pose.angles[lower] - spine)))
        left, right = found
        return _between(left, right, swap), _between(right, left, swap)

    def _put_arm(
        self,
        at: dict[str, Vector],
        name: str,
        sign: float,
        chest: Frame,
        angles: Angles,
        floor: float,
        lying: float,
    ) -> None:
        size = self._size
        shoulder = _along(at["neck"], chest.up, -size.shoulder_drop)
        shoulder = _along(shoulder, chest.left, sign * size.shoulder_half_width)
        stack = _STACK_CM * max(0.0, sign * chest.left[2])
        at[f"{name}_shoulder"] = shoulder
        elbow = _hung(shoulder, _limb(chest, angles[0]), size.upper_arm, floor + 4.0 + stack, lying)
        at[f"{name}_elbow"] = elbow
        wrist = _hung(elbow, _limb(chest, angles[1]), size.forearm, floor + 3.5, lying)
        at[f"{name}_wrist"] = wrist
        ahead = _unit(_minus(wrist, elbow))
        hand = _along(wrist, ahead, size.hand)
        at[f"{name}_hand"] = (hand[0], hand[1], max(hand[2], floor + 3.0))

    def _put_leg(
        self,
        at: dict[str, Vector],
        name: str,
        sign: float,
        pelvis: Frame,
        angles: Angles,
        floor: float,
        lying: float,
    ) -> None:
        size = self._size
        hip = _along(at["pelvis"], pelvis.left, sign * size.hip_half_width)
        stack = _STACK_CM * max(0.0, sign * pelvis.left[2])
        at[f"{name}_hip"] = hip
        knee = _hung(hip, _limb(pelvis, angles[0]), size.thigh, floor + 6.0 + stack, lying)
        at[f"{name}_knee"] = knee
        rest = floor + 5.0 + 0.6 * stack
        ankle = _hung(knee, _limb(pelvis, angles[1]), size.shin, rest, lying)
        at[f"{name}_ankle"] = ankle
        shin = _unit(_minus(ankle, knee))
        sole = _foot_way(pelvis, shin, sign, lying)
        drop = size.ankle_height - 3.0
        for joint, ahead in (("toe", size.toe_ahead), ("heel", -size.heel_behind)):
            point = _along(_along(ankle, sole, ahead), shin, drop)
            at[f"{name}_{joint}"] = (point[0], point[1], max(point[2], floor + 2.8))

    def _placed(self, at: dict[str, Vector], floor: float, z: float, root: Root) -> Floats:
        """Stand everything on the ground and turn it into the root's frame."""
        world = np.array([at[name] for name in self._rig.joints])
        lowest = min(world[index, 2] - radius for index, radius in self._contacts)
        lift = z - min(lowest, floor)
        cosine, sine = math.cos(root.yaw), math.sin(root.yaw)
        dx, dy = world[:, 0] - root.x, world[:, 1] - root.y
        return np.stack((dx * cosine + dy * sine, dy * cosine - dx * sine, world[:, 2] + lift), 1)

    # -- joints to bodies --------------------------------------------------------

    def limp_pose(
        self,
        joints: Floats,
        root: Root,
        spine_rad: float,
        *,
        extent: float,
        tilt: float,
        roll: float,
    ) -> LimpPose:
        """The plan of a figure that is shown, for bodies that are to go limp in it (REC-17).

        What stands upright points nowhere in the plan; it then takes the trunk's way,
        the trunk that of ``spine_rad``.
        """
        cosine, sine = math.cos(root.yaw), math.sin(root.yaw)
        x = root.x + joints[:, 0] * cosine - joints[:, 1] * sine
        y = root.y + joints[:, 0] * sine + joints[:, 1] * cosine

        def way(start: str, end: str, length: float, otherwise: float) -> float:
            first, last = self._number[start], self._number[end]
            dx, dy = float(x[last] - x[first]), float(y[last] - y[first])
            if math.hypot(dx, dy) < UPRIGHT_SHARE_MIN * length:
                return otherwise
            return math.atan2(dy, dx)

        size = self._size
        chest = way("waist", "neck", size.waist_to_neck, spine_rad)
        angles = [0.0] * len(BodyPart)
        angles[BodyPart.PELVIS] = way("pelvis", "waist", size.pelvis_to_waist, chest)
        angles[BodyPart.CHEST] = chest
        angles[BodyPart.HEAD] = way("neck", "head", size.head_above_neck, chest)
        swapped = _swap_share(roll) > 0.5
        for index, (upper, lower, trunk) in enumerate(_LIMB_BODIES):
            is_left = (index % 2 == 0) is not swapped
            name = "left" if is_left else "right"
            bones = ("shoulder", "elbow", "wrist") if index < 2 else ("hip", "knee", "ankle")
            first, middle, last = (f"{name}_{bone}" for bone in bones)
            lengths = (size.upper_arm, size.forearm) if index < 2 else (size.thigh, size.shin)
            angles[upper] = way(middle, first, lengths[0], angles[trunk])
            angles[lower] = way(last, middle, lengths[1], angles[upper])
        pelvis = self._number["pelvis"]
        return LimpPose(float(x[pelvis]), float(y[pelvis]), 0.0, tuple(angles), extent, tilt, roll)


# -- frames ------------------------------------------------------------------------


def _frame(angle: float, tilt: float, roll: float) -> Frame:
    """Axes of a trunk part whose plan direction to the head is ``angle``."""
    ux, uy = math.cos(angle), math.sin(angle)
    lean, stand = math.sin(tilt), math.cos(tilt)
    up = (ux * lean, uy * lean, stand)
    side = (-uy, ux, 0.0)
    # Face up: looks back along the way it falls while it stands, to the sky once it lies.
    open_up = (-ux * stand, -uy * stand, lean)
    cosine, sine = math.cos(roll), math.sin(roll)
    forward = _mix(open_up, cosine, side, -sine)
    left = _mix(side, cosine, open_up, sine)
    return Frame(forward, left, up, side)


def _lying_share(tilt: float) -> float:
    """0 while the figure topples, 1 once it lies: what is limp then sinks to the ground."""
    share = min(max((tilt - _SINKS_FROM) / (math.pi / 2.0 - _SINKS_FROM), 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


def _swap_share(roll: float) -> float:
    """0 while the person's left is the bodies' left, 1 once it is their right."""
    share = (math.cos(roll) - _SIDES_SWAP_FROM) / (_SIDES_SWAP_TO - _SIDES_SWAP_FROM)
    share = min(max(share, 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


def _limb(trunk: Frame, angle: float) -> Vector:
    """Direction of a limb that is turned by ``angle`` from hanging down the trunk."""
    return _mix(trunk.up, -math.cos(angle), trunk.side, -math.sin(angle))


def _gaze(head: Frame, lying: float) -> Vector:
    """Where the face looks: who lies on it has turned it aside."""
    into_ground = max(0.0, -head.forward[2]) * lying
    aside = 1.0 if head.left[2] >= 0.0 else -1.0
    way = _mix(head.forward, 1.0 - 0.75 * into_ground, head.side, 0.9 * into_ground * aside)
    return _unit((way[0], way[1], way[2] + 0.25 * into_ground))


def _foot_way(pelvis: Frame, shin: Vector, sign: float, lying: float) -> Vector:
    """Where the toes point: as the body looks, outwards, stretched by who lies on the face."""
    into_ground = max(0.0, -pelvis.forward[2]) * lying
    way = _mix(pelvis.forward, 1.0 - 0.85 * into_ground, shin, 0.85 * into_ground)
    return _unit(_mix(way, 1.0, pelvis.left, sign * 0.45 * lying))


def _hung(start: Vector, way: Vector, length: float, rest_z: float, lying: float) -> Vector:
    """The far end of a limb: along its way, and down to where it rests if it can reach that."""
    most = STEEPEST * length
    drop = most * math.tanh((rest_z - start[2]) / most)
    z = way[2] * length + (drop - way[2] * length) * lying
    plan = math.hypot(way[0], way[1])
    reach = math.sqrt(max(length * length - z * z, 0.0))
    if plan < 1e-9:
        return (start[0], start[1], start[2] + math.copysign(length, z))
    share = reach / plan
    return (start[0] + way[0] * share, start[1] + way[1] * share, start[2] + z)


# -- small vectors -----------------------------------------------------------------


def _turned(angle: float) -> float:
    """An angle within -pi..pi."""
    return math.atan2(math.sin(angle), math.cos(angle))


def _between(first: Angles, second: Angles, share: float) -> Angles:
    return (
        first[0] + (second[0] - first[0]) * share,
        first[1] + (second[1] - first[1]) * share,
    )


def _along(start: Vector, way: Vector, length: float) -> Vector:
    return (start[0] + way[0] * length, start[1] + way[1] * length, start[2] + way[2] * length)


def _mix(first: Vector, a: float, second: Vector, b: float) -> Vector:
    return (
        first[0] * a + second[0] * b,
        first[1] * a + second[1] * b,
        first[2] * a + second[2] * b,
    )


def _minus(end: Vector, start: Vector) -> Vector:
    return (end[0] - start[0], end[1] - start[1], end[2] - start[2])


def _unit(vector: Vector) -> Vector:
    length = math.sqrt(vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2)
    return (vector[0] / length, vector[1] / length, vector[2] / length)
