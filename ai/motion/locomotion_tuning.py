"""Schema of ``assets/tuning/locomotion.toml`` (orders document, section 10)."""

from __future__ import annotations

from pydantic import Field, model_validator

from ai.tuning import OwnForm


class LocomotionTuning(OwnForm):
    """Body size, turning, candidate fan, step checks, drawing, and the player's own rules.

    - Units stand in names where they are not cm (lengths), s (times) or cm/s (speeds);
      ``shove_impulse`` is in kg cm/s, ``normal_z_min`` a component of a unit vector.
    - The walk update reads all up to ``refused_pose_delay`` and the two ``stop_crawl``
      figures; ``display_fade`` is for drawing, ``light_prop_kg`` and the ``shove`` figures
      for what props do, the ``slide`` figures and ``player_turn`` for the player's ped.
    - ``passing_onward`` is a length, ``aside_cost_max`` a cost per cm of ground.
    """

    ped_radius: float = Field(gt=0.0, le=100.0)
    ped_gap: float = Field(ge=0.0, le=100.0)
    ped_height: float = Field(gt=0.0, le=400.0)
    body_low: float = Field(ge=0.0, le=100.0)
    substep_max: float = Field(gt=0.0, le=1.0)
    elapsed_max: float = Field(gt=0.0, le=10.0)
    turn_in_place_deg: float = Field(gt=0.0, le=180.0)
    align_deg: float = Field(gt=0.0, le=180.0)
    steer_rate_deg_s: float = Field(gt=0.0, le=3600.0)
    candidate_angles_deg: tuple[float, ...] = Field(min_length=1, max_length=18)
    aside_cost_max: float = Field(ge=1.0)
    passing_angle_deg: float = Field(gt=90.0, le=180.0)
    give_way_angles_deg: tuple[float, ...] = Field(max_length=18)
    passing_onward: float = Field(gt=0.0, le=1000.0)
    ahead_probe: float = Field(ge=0.0, le=1000.0)
    side_probe: float = Field(ge=0.0, le=1000.0)
    forward_probe: float = Field(ge=0.0, le=1000.0)
    side_memory: float = Field(ge=0.0, le=60.0)
    reeval_near: float = Field(gt=0.0, le=10.0)
    reeval_far: float = Field(gt=0.0, le=10.0)
    near_range: float = Field(ge=0.0)
    step_height: float = Field(ge=0.0, le=200.0)
    step_shift: float = Field(ge=0.0, le=100.0)
    normal_z_min: float = Field(ge=0.0, le=1.0)
    corner_reach: float = Field(ge=0.0, le=100.0)
    refused_pose_delay: float = Field(ge=0.0, le=10.0)
    display_fade: float = Field(ge=0.0, le=2.0)
    stop_crawl_min: float = Field(ge=0.0, le=15.0)
    stop_crawl_speed: float = Field(gt=0.0, le=500.0)
    light_prop_kg: float = Field(ge=0.0)
    shove_prop_kg: float = Field(ge=0.0)
    shove_reach: float = Field(gt=0.0, le=300.0)
    shove_angle_deg: float = Field(gt=0.0, le=180.0)
    shove_impulse: float = Field(gt=0.0, le=1e6)
    shove_speed_max: float = Field(gt=0.0, le=6000.0)
    slide_step_deg: float = Field(gt=0.0, le=45.0)
    slide_gain_min: float = Field(ge=0.0, le=1.0)
    player_turn: float = Field(gt=0.0, le=2.0)

    @model_validator(mode="after")
    def _ordered(self) -> LocomotionTuning:
        angles = self.candidate_angles_deg
        if angles[0] != 0.0 or list(angles) != sorted(set(angles)) or angles[-1] > 180.0:
            raise ValueError("candidate_angles_deg must start at 0 and rise to at most 180")
        if self.align_deg > self.turn_in_place_deg:
            raise ValueError("align_deg must not exceed turn_in_place_deg")
        return self
