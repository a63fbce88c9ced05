"""Looking at what a level says something of: a ped, an object, or the run itself."""

from __future__ import annotations

import math

from ai.behaviours.order_record import OrderState
from ai.ports import ObjectTransform, Vec3
from game.levels.stage import LevelView, WatchedPed
from game.levels.subjects import Of


class Sight:
    """One subject as fields read it: where it is now, and where it was.

    - ``ped`` is None for all but a ped that is there, ``pose`` for all but an object
      that is; of the run itself there is only the ``view``.
    - ``walked_cm`` is the ground covered from look to look.
    - ``previous`` is where it was at the last look, None at the first.
    - ``origin`` is what ``drift`` counts from; whoever reads sets it.
    """

    __slots__ = (
        "_order",
        "_order_read",
        "name",
        "of",
        "origin",
        "ped",
        "pose",
        "position",
        "previous",
        "view",
        "walked_cm",
    )

    def __init__(self, view: LevelView, name: str, of: Of) -> None:
        self.name = name
        self.of = of
        self.view = view
        self.walked_cm = 0.0
        self.ped: WatchedPed | None = None
        self._order: OrderState | None = None
        self._order_read = False
        self.pose: ObjectTransform | None = None
        self.origin: Vec3 | None = None
        self.position: Vec3 | None = None
        self.previous: Vec3 | None = None
        self.look(view)

    def look(self, view: LevelView) -> None:
        """Bring everything up to the present; called once a step by a watcher of every step."""
        self.view = view
        self.previous = self.position
        self._order_read = False
        if self.of is Of.PED:
            ped = self.ped = view.ped(self.name)
            self.position = None if ped is None else ped.movement.position
        elif self.of is Of.OBJECT:
            self.pose = view.pose(self.name)
            self.position = None if self.pose is None else self.pose.position
        if self.position is not None and self.previous is not None:
            self.walked_cm += math.hypot(
                self.position.x - self.previous.x, self.position.y - self.previous.y
            )

    @property
    def order(self) -> OrderState | None:
        """The ped's order, read once for all fields of a look; None without a ped."""
        if not self._order_read:
            self._order = None if self.ped is None else self.ped.order
            self._order_read = True
        return self._order
