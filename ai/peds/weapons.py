"""What a ped does with a weapon in hand (EVT-47)."""

from __future__ import annotations

from enum import Enum


class Weapon(Enum):
    """None in hand, drawn, or aimed along the facing; the value is the word in cues."""

    NONE = "none"
    DRAWN = "drawn"
    AIMED = "aimed"
