"""The size of a walking body, as far as navigation has to know it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BodySize:
    """A standing cylinder (LOC-07); the defaults are those of ``locomotion.toml``.

    - An obstacle stands in its way if the obstacle's height interval meets
      ``low_cm`` to ``high_cm`` above ground.
    - Ground heights that differ by more than ``step_height_cm`` can't be passed.
    """

    radius_cm: float = 30.0
    low_cm: float = 5.0
    high_cm: float = 180.0
    step_height_cm: float = 20.0

    def meets(self, z_low_cm: float, z_high_cm: float) -> bool:
        """True if something between these heights above ground stands in the body's way."""
        return z_high_cm > self.low_cm and z_low_cm < self.high_cm
