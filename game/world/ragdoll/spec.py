"""Which bodies and joints a limp figure is made of, from ``knockdown.toml`` (RAG-04)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ai.motion.recovery.tuning import BodyForm, JointForm, RagdollForm
from ai.ports import BodyPart


@dataclass(frozen=True, slots=True)
class BodyPlan:
    """One body, in ``BodyPart`` order: a capsule along x, the head's end at +x.

    ``half_straight`` is half of what is straight of it: 0 for a round one.
    """

    part: BodyPart
    mass: float
    moment: float
    half_straight: float
    radius: float


@dataclass(frozen=True, slots=True)
class JointPlan:
    """A pivot with a rotary limit, in rad against the parent; anchors in cm at full extent.

    ``is_limb``: muscles hold it; the trunk is slack.
    """

    parent: BodyPart
    child: BodyPart
    parent_anchor: tuple[float, float]
    child_anchor: tuple[float, float]
    low: float
    high: float
    is_limb: bool


@dataclass(frozen=True, slots=True)
class RagdollSpec:
    """Everything that is the same for all limp figures of a rig."""

    bodies: tuple[BodyPlan, ...]
    joints: tuple[JointPlan, ...]
    mass_kg: float

    @classmethod
    def of(cls, form: RagdollForm) -> RagdollSpec:
        """Lay out both sides; the right side mirrors anchors and limits of the left."""
        body, joint = form.body, form.joint
        forms = (
            body.pelvis, body.chest, body.head,
            body.upper_arm, body.lower_arm, body.upper_arm, body.lower_arm,
            body.thigh, body.shin, body.thigh, body.shin,
        )  # fmt: skip
        part = BodyPart
        joints = [
            _joint(joint.waist, part.PELVIS, part.CHEST),
            _joint(joint.neck, part.CHEST, part.HEAD),
        ]
        for upper, lower, side in (
            (part.LEFT_UPPER_ARM, part.LEFT_LOWER_ARM, 1),
            (part.RIGHT_UPPER_ARM, part.RIGHT_LOWER_ARM, -1),
        ):
            joints.append(_joint(joint.shoulder, part.CHEST, upper, side))
            joints.append(_joint(joint.elbow, upper, lower, side))
        for upper, lower, side in (
            (part.LEFT_THIGH, part.LEFT_SHIN, 1),
            (part.RIGHT_THIGH, part.RIGHT_SHIN, -1),
        ):
            joints.append(_joint(joint.hip, part.PELVIS, upper, side))
            joints.append(_joint(joint.knee, upper, lower, side))
        bodies = tuple(_body(which, one) for which, one in zip(BodyPart, forms, strict=True))
        return cls(bodies, tuple(joints), form.mass_kg)


def _body(part: BodyPart, form: BodyForm) -> BodyPlan:
    width = 2.0 * form.half_width
    return BodyPlan(
        part,
        form.mass,
        form.mass * (form.length * form.length + width * width) / 12.0,
        max(0.0, form.length / 2.0 - form.half_width),
        form.half_width,
    )


def _joint(form: JointForm, parent: BodyPart, child: BodyPart, side: int = 0) -> JointPlan:
    low, high = math.radians(form.low_deg), math.radians(form.high_deg)
    if side < 0:
        low, high = -high, -low
    return JointPlan(
        parent,
        child,
        (form.parent_anchor[0], (side or 1) * form.parent_anchor[1]),
        (form.child_anchor[0], (side or 1) * form.child_anchor[1]),
        low,
        high,
        is_limb=side != 0,
    )
