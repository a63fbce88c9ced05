"""A ped's four trees and their slots, by index (TASK-69).

Index order is update order: intent, side actions, wished speed and heading, pose.
Slot 0 of a tree has the highest priority.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

PRIMARY: Final = 0
SECONDARY: Final = 1
MOVEMENT: Final = 2
MOTION: Final = 3

TREE_NAMES: Final = ("primary", "secondary", "movement", "motion")


class PrimarySlot(IntEnum):
    """What a ped is about.

    - ``PHYSICAL_RESPONSE``: knocked down, flinch.
    - ``EVENT_RESPONSE_TEMP``: short reactions (step round, look).
    - ``EVENT_RESPONSE_NONTEMP``: flee, fight.
    - ``PRIMARY``: script orders.
    - ``DEFAULT``: what the ped does unasked; never empty.
    """

    PHYSICAL_RESPONSE = 0
    EVENT_RESPONSE_TEMP = 1
    EVENT_RESPONSE_NONTEMP = 2
    PRIMARY = 3
    DEFAULT = 4


class SecondarySlot(IntEnum):
    """Side actions."""

    PARTIAL_ANIM = 0


class MovementTreeSlot(IntEnum):
    """Who wishes a speed; ``DEFAULT`` stands still."""

    EVENT_RESPONSE = 0
    GENERAL = 1
    DEFAULT = 2


GENERAL_MOVEMENT: Final = int(MovementTreeSlot.GENERAL)
"""As a plain int, for the per-step path: reading an enum's member costs ten times as much."""


class MotionSlot(IntEnum):
    """The one root of the motion tree."""

    DEFAULT = 0
