"""Where the flames are, for whoever looks for a way: round places that cost more to cross.

Two rings a fire: its flames, which nobody crosses who has a way round, fleeing or not; and
the ground that is too hot to linger on, which only dearly leads anywhere.
"""

from __future__ import annotations

import numpy as np

from ai.ports import Circle, Danger
from game.world.fire.flames import Floats
from game.world.fire.tuning import DangerTuning
from game.world.shapes import WorldShapes


class Dangers:
    """Keeps the level's dangers like the fires, in steps coarse enough to be worth a new mesh.

    ``flames``: the inner rings alone.
    """

    def __init__(self, shapes: WorldShapes, tuning: DangerTuning) -> None:
        self._shapes = shapes
        self._tuning = tuning
        self.flames: tuple[Circle, ...] = ()

    def follow(self, x: Floats, y: Floats, reach: Floats) -> None:
        """Take over full fires (n,) in cm, to within the rounding."""
        tuning, step = self._tuning, self._tuning.round_to
        rounded = (np.round(x / step), np.round(y / step), np.ceil(reach / step))
        places = sorted({tuple(row) for row in (np.stack(rounded, axis=1) * step).tolist()})
        self.flames = tuple(Circle(x, y, radius + tuning.margin) for x, y, radius in places)
        hot = [Circle(x, y, radius + tuning.hot_margin) for x, y, radius in places]
        self._shapes.set_dangers(
            [Danger(circle, tuning.cost, tuning.cost) for circle in self.flames]
            + [Danger(circle, tuning.hot_cost) for circle in hot]
        )
