"""Poses as rows of numbers: one column an angle, so that many samples blend at once.

Columns are named in ``CHANNELS``; angles in degrees, ``shrug`` and ``hop`` in cm.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.motion.authoring.pose_forms import BodyForm, PoseForm
from ai.motion.rig import SIDES

Floats = NDArray[np.float64]

BODY = tuple(BodyForm.model_fields)
ARM = ("forward", "outward", "elbow", "inward")
LEG = ("hip", "outward", "knee", "ankle")

CHANNELS: tuple[str, ...] = (
    *BODY,
    *(f"{side}_arm_{part}" for side in SIDES for part in ARM),
    *(f"{side}_leg_{part}" for side in SIDES for part in LEG),
)
"""Column names of a pose row."""

COLUMN = {name: column for column, name in enumerate(CHANNELS)}
"""Column of each channel."""


def pose_row(form: PoseForm) -> Floats:
    """A key pose as one row, shape (channels,)."""
    row = body_row(form)
    for limb, parts in (("arm", ARM), ("leg", LEG)):
        for side in SIDES:
            values = getattr(form, f"{limb}_{side}")
            for part, value in zip(parts, values, strict=True):
                row[COLUMN[f"{side}_{limb}_{part}"]] = value
    return row


def body_row(form: BodyForm) -> Floats:
    """Trunk and head of a form as one row, limbs 0, shape (channels,)."""
    row = np.zeros(len(CHANNELS))
    for name in BODY:
        row[COLUMN[name]] = getattr(form, name)
    return row


class Samples(NamedTuple):
    """Poses in the making: angles, and how body and feet depart from where angles put them.

    - ``rows`` has shape (samples, channels). The figure is carried by the lowest
      contact of these angles.
    - ``body_shift`` (samples,) raises everything but the feet, in cm.
    - ``foot_shifts`` (2, samples, 3) moves left and right foot, in cm.
    """

    rows: Floats
    body_shift: Floats
    foot_shifts: Floats


def blend(first: Samples, second: Samples, share: Floats) -> Samples:
    """From one to the other; ``share`` has shape (samples,), 0 is the first."""
    return Samples(
        first.rows + (second.rows - first.rows) * share[:, None],
        first.body_shift + (second.body_shift - first.body_shift) * share,
        first.foot_shifts + (second.foot_shifts - first.foot_shifts) * share[:, None],
    )


def smoothstep(share: Floats) -> Floats:
    """``s * s * (3 - 2 s)``, clamped to 0 and 1 (art-and-feel section 6)."""
    clamped = np.clip(share, 0.0, 1.0)
    return clamped * clamped * (3.0 - 2.0 * clamped)
