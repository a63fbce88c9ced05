"""Schema of ``assets/tuning/fire.toml``: lengths in cm, times in s, speeds in cm/s."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, model_validator

from ai.behaviours.burning import BurningTuning
from ai.tuning import OwnForm, TuningError, load_own_form
from game.world.thing_kinds import ThingCatalogue


class FlameTuning(OwnForm):
    """How one fire grows and dies.

    - ``growth_s``, ``dying_s``: from nothing to full, and back when the fuel is spent.
    - ``lit_fuel_s``: what a fire on bare ground has to burn.
    - ``water_s``: how long a dousing keeps a spot wet; ``dousing_s``: how long a full flame
      lasts under water.
    """

    usual_radius: float = Field(gt=0.0, le=1000.0)
    growth_s: float = Field(gt=0.0, le=60.0)
    dying_s: float = Field(gt=0.0, le=60.0)
    lit_fuel_s: float = Field(gt=0.0, le=3600.0)
    water_s: float = Field(gt=0.0, le=60.0)
    dousing_s: float = Field(gt=0.0, le=60.0)


class SpreadTuning(OwnForm):
    """How fire gets from one thing to the next: by heat, and by embers in the wind."""

    every_steps: int = Field(ge=1, le=60)
    reach: float = Field(gt=0.0, le=1000.0)
    wind_reach: float = Field(ge=0.0, le=10.0)
    wind_full: float = Field(gt=0.0, le=5000.0)
    cools_per_s: float = Field(ge=0.0, le=10.0)
    jitter: float = Field(ge=0.0, lt=1.0)
    embers_per_s: float = Field(ge=0.0, le=10.0)
    ember_range: float = Field(gt=0.0, le=5000.0)
    ember_heat: float = Field(ge=0.0, le=100.0)
    ember_radius: float = Field(gt=0.0, le=500.0)


class SmokeTuning(OwnForm):
    """Smoke as density by cells of ``cell`` cm; ``hides_at`` is density times cm of way."""

    cell: float = Field(ge=25.0, le=1000.0)
    made_per_s: float = Field(ge=0.0, le=100.0)
    lasts_s: float = Field(gt=0.0, le=120.0)
    spreads_cm2_s: float = Field(ge=0.0, le=100_000.0)
    hides_at: float = Field(gt=0.0, le=100_000.0)


class DangerTuning(OwnForm):
    """Where ways should not lead: so far beyond the flames, at such a cost for a cm.

    ``hot``: where one does not stay for the heat (EVT-38 b); a flee does not count that.
    """

    margin: float = Field(ge=0.0, le=500.0)
    cost: float = Field(gt=1.0, le=100.0)
    hot_margin: float = Field(ge=0.0, le=1000.0)
    hot_cost: float = Field(ge=1.0, le=100.0)
    every_steps: int = Field(ge=1, le=600)
    round_to: float = Field(gt=0.0, le=200.0)


class BarrelTuning(OwnForm):
    """What an explosive thing stands, and how long it cooks before it goes up."""

    heats_s: float = Field(gt=0.0, le=600.0)
    cooks_s: float = Field(gt=0.0, le=600.0)


class MaterialFuel(OwnForm):
    """How a material burns: heat until it catches, and how long a thing of ``mass_kg`` lasts."""

    ignites_s: float = Field(gt=0.0, le=600.0)
    lasts_s: float = Field(gt=0.0, le=3600.0)
    mass_kg: float = Field(gt=0.0, le=10_000.0)

    def burns_for_s(self, mass_kg: float) -> float:
        """How long a thing of a mass burns: with the cube root of it, as its width does."""
        if mass_kg <= 0.0:
            return self.lasts_s
        return float(self.lasts_s * (mass_kg / self.mass_kg) ** (1.0 / 3.0))


class FireTuning(OwnForm):
    """Form of ``fire.toml``."""

    flame: FlameTuning
    spread: SpreadTuning
    smoke: SmokeTuning
    danger: DangerTuning
    person: BurningTuning
    barrel: BarrelTuning
    burns: dict[str, MaterialFuel] = Field(min_length=1)

    @model_validator(mode="after")
    def _smoke_is_stable(self) -> FireTuning:
        step_s = self.spread.every_steps / 60.0
        if self.smoke.spreads_cm2_s * step_s > 0.2 * self.smoke.cell**2:
            raise ValueError("smoke.spreads_cm2_s is too much for cells of smoke.cell")
        return self


def load_fire(folder: Path, things: ThingCatalogue) -> FireTuning:
    """Read ``fire.toml`` of a tuning folder.

    Raises ``TuningError`` naming file, key and value, also for a material nobody knows.
    """
    path = folder / "fire.toml"
    tuning = load_own_form(path, FireTuning)
    for name in tuning.burns:
        if name not in things.materials:
            raise TuningError(
                f"{path}: key 'burns.{name}': materials.toml has {', '.join(things.materials)}"
            )
    return tuning
