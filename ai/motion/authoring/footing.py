"""Feet on the ground: where a foot stands, and the ankle that puts it there.

A foot is rigid. While it stands, its heel is the contact as long as the toes are
up, its toe as soon as the heel is; flat, both are. So a standing foot may roll
from heel to toe without sliding. All points in cm, shape (samples, ...).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.motion.authoring.pose_channels import smoothstep
from ai.motion.rig import Leg, Rig

Floats = NDArray[np.float64]


class FootShape(NamedTuple):
    """Heel and toe of a foot as offsets from its ankle, shape (samples, 3) each, and its size."""

    heel: Floats
    toe: Floats
    heel_radius: float
    toe_radius: float
    length: float

    @classmethod
    def of(cls, rig: Rig, leg: Leg, joints: Floats) -> FootShape:
        """The foot of a leg as the pose turns it."""
        ankle = joints[:, leg.ankle]
        return cls(
            joints[:, leg.heel] - ankle,
            joints[:, leg.toe] - ankle,
            float(rig.contact_radii[leg.heel]),
            float(rig.contact_radii[leg.toe]),
            rig.proportions.heel_behind + rig.proportions.toe_ahead,
        )

    def on_heel(self) -> NDArray[np.bool_]:
        """True where the heel is the contact: it asks for the higher ankle."""
        return self.heel_radius - self.heel[:, 2] >= self.toe_radius - self.toe[:, 2]

    def along(self) -> Floats:
        """Unit vectors on the ground from heel to toe, shape (samples, 2)."""
        way = self.toe[:, :2] - self.heel[:, :2]
        return np.asarray(way / np.sqrt(np.sum(way * way, axis=1, keepdims=True)))

    def heel_points(self, ankle: Floats) -> Floats:
        """Where the heel would stand, were the foot laid down about its contact; (samples, 2)."""
        from_toe = ankle[:, :2] + self.toe[:, :2] - self.along() * self.length
        on_heel = self.on_heel()[:, None]
        return np.where(on_heel, ankle[:, :2] + self.heel[:, :2], from_toe)

    def standing_ankle(self, heel: Floats, along: Floats) -> Floats:
        """Ankles that put the contact on one place on the ground, shape (samples, 3).

        ``heel`` is where the flat foot's heel would stand, ``along`` the way its toes
        point; shape (2,) each.
        """
        on_heel = self.on_heel()
        height = np.where(
            on_heel, self.heel_radius - self.heel[:, 2], self.toe_radius - self.toe[:, 2]
        )
        ground = np.where(
            on_heel[:, None], heel - self.heel[:, :2], heel + along * self.length - self.toe[:, :2]
        )
        return np.concatenate((ground, height[:, None]), axis=1)

    def turned(self, angle: Floats) -> FootShape:
        """The same foot turned on the spot by angles in rad, x towards y; shape (samples,)."""
        return self._replace(heel=turned(self.heel, angle), toe=turned(self.toe, angle))


def turned(points: Floats, angle: Floats) -> Floats:
    """Points of shape (samples, 3) turned about z, x towards y, by angles in rad."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.stack(
        (
            points[:, 0] * cosine - points[:, 1] * sine,
            points[:, 0] * sine + points[:, 1] * cosine,
            points[:, 2],
        ),
        axis=1,
    )


def ease_between(first: Floats, second: Floats, share: Floats) -> Floats:
    """From one correction to the next, smoothstep; ``share`` has shape (samples,)."""
    weight = smoothstep(share)[:, None]
    return np.asarray(first + (second - first) * weight)


def move_foot(joints: Floats, leg: Leg, shift: Floats) -> None:
    """Shift ankle, heel and toe of a leg, in place; ``shift`` has shape (samples, 3)."""
    for joint in leg.foot:
        joints[:, joint] += shift


def keep_above_ground(rig: Rig, joints: Floats) -> None:
    """Raise feet that would sink below the ground, in place; shape (samples, joints, 3)."""
    for leg in rig.legs:
        heights = joints[:, leg.foot, 2] - rig.contact_radii[list(leg.foot)]
        move_foot(joints, leg, np.maximum(-heights.min(axis=1), 0.0)[:, None] * _UP)


_UP = np.array([0.0, 0.0, 1.0])
