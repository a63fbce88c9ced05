"""What every movement task shows its controller (TASK-77)."""

from __future__ import annotations

import math
from typing import Final

from ai.ports import Vec3

MBR_STILL: Final = 0.0
MBR_WALK: Final = 1.0
MBR_RUN: Final = 2.0
MBR_SPRINT: Final = 3.0

NOBODY: Final = 0
"""``owner_uid`` of a movement task that no controller placed; task uids start at 1."""


class MoveInterface:
    """Wished speed, where to, and whether somebody still wants it.

    - ``mbr``: move blend ratio in [0, 3] (0 still, 1 walk, 2 run, 3 sprint).
    - ``target``: point in cm or None; ``target_radius``: in cm, not negative.
    - ``heading_rad``: wished heading, None while it follows the path.
    - ``checked``: the heartbeat; a controller sets it in each of its updates, the
      movement tree's sweep takes it back. True at first, so that a new task survives
      its first sweep.
    - ``owner_uid``: uid of the controller that placed the task.
    """

    __slots__ = ("_mbr", "_target_radius", "checked", "heading_rad", "owner_uid", "target")

    def __init__(
        self, mbr: float = MBR_STILL, target: Vec3 | None = None, target_radius: float = 0.0
    ) -> None:
        self._mbr = MBR_STILL
        self._target_radius = 0.0
        self.mbr = mbr
        self.target = target
        self.target_radius = target_radius
        self.heading_rad: float | None = None
        self.checked = True
        self.owner_uid = NOBODY

    @property
    def mbr(self) -> float:
        """Wished move blend ratio."""
        return self._mbr

    @mbr.setter
    def mbr(self, value: float) -> None:
        """Clamp to [0, 3]; ``ValueError`` for a non-finite value, the old one kept."""
        if value == self._mbr:
            return
        if not math.isfinite(value):
            raise ValueError(f"move blend ratio {value!r} is not finite")
        self._mbr = min(max(value, MBR_STILL), MBR_SPRINT)

    @property
    def target_radius(self) -> float:
        """How close is close enough, in cm."""
        return self._target_radius

    @target_radius.setter
    def target_radius(self, value: float) -> None:
        """``ValueError`` for a negative or non-finite radius, the old one kept."""
        if not 0.0 <= value < math.inf:
            raise ValueError(f"target radius {value!r} cm must be finite and not negative")
        self._target_radius = value
