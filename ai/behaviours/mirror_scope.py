"""How near a viewer must be for a mirrored ped's task to be replayed (TASK-102)."""

from __future__ import annotations

import math
from typing import Final

from ai.ports import Vec3

SCOPE_CM: Final = 5000.0


def in_scope(place: Vec3, viewer: Vec3) -> bool:
    """True within 50 m on the ground."""
    return math.hypot(place.x - viewer.x, place.y - viewer.y) <= SCOPE_CM
