"""Schema of ``assets/tuning/scanners.toml``: periods, ranges and thresholds of perception."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ai.tuning import OwnForm

Length = Annotated[float, Field(gt=0.0, le=100_000.0)]
Seconds = Annotated[float, Field(gt=0.0, le=600.0)]
Steps = Annotated[int, Field(ge=1, le=600, strict=True)]
Degrees = Annotated[float, Field(gt=0.0, le=180.0)]
Speed = Annotated[float, Field(ge=0.0, le=100_000.0)]
Count = Annotated[int, Field(ge=1, le=1000, strict=True)]


class Periods(OwnForm):
    """Steps between two scans of a ped at near detail; double at medium, four times at far."""

    fires: Steps
    ahead: Steps
    vehicles: Steps
    crowds: Steps
    bodies: Steps
    runners: Steps
    weapons: Steps
    relations: Steps
    own_state: Steps


class Senses(OwnForm):
    """Sight and hearing of everybody (EVT-103)."""

    sight_cm: Length
    sight_half_angle_deg: Degrees
    hides_above_cm: Length
    walls_max: int = Field(ge=0, le=8)


class FireScan(OwnForm):
    """Fires (EVT-38)."""

    range_cm: Length
    heat_cm: Length
    path_cm: Length
    path_s: Seconds
    burning_steps: Steps
    burning_within_steps: Steps


class ImpactScan(OwnForm):
    """Contacts (EVT-39)."""

    part_s: Seconds
    provoked_contacts: Count
    provoked_within_s: Seconds


class SoundScan(OwnForm):
    """Sounds, and things that fly (EVT-41)."""

    footstep_cm: Length
    footstep_every_steps: Steps
    pass_cm: Length
    pass_cm_s: Speed
    land_cm: Length


class AheadScan(OwnForm):
    """Potential collisions (EVT-42)."""

    ped_radius_cm: Length
    margin_cm: Length
    moving_cm_s: Speed
    approached_cm_s: Speed
    ped_horizon_s: Seconds
    prop_horizon_s: Seconds
    vehicle_horizon_s: Seconds


class VehicleScan(OwnForm):
    """Moving vehicles (EVT-43)."""

    range_cm: Length
    moving_cm_s: Speed
    side_cm: Length
    ahead_s: Seconds
    miss_cm: Length
    miss_cm_s: Speed
    miss_within_steps: Steps
    miss_gap_s: Seconds
    mad_misses: Count
    mad_within_s: Seconds


class CrowdScan(OwnForm):
    """Standing groups (EVT-44)."""

    radius_cm: Length
    slow_cm_s: Speed
    peds: Count
    peds_left: Count
    refresh_steps: Steps


class BodyScan(OwnForm):
    """Bodies on the ground (EVT-45)."""

    range_cm: Length
    half_angle_deg: Degrees
    injured_after_s: Seconds
    refresh_steps: Steps


class RunnerScan(OwnForm):
    """Runners and stampedes (EVT-46)."""

    range_cm: Length
    running_cm_s: Speed
    gap_s: Seconds
    stampede_peds: Count
    stampede_cm: Length
    stampede_half_angle_deg: Degrees


class WeaponScan(OwnForm):
    """Drawn weapons (EVT-47)."""

    range_cm: Length
    aim_cm: Length
    aim_half_angle_deg: Degrees


class RelationScan(OwnForm):
    """Acquaintances and leaders (EVT-48)."""

    range_cm: Length
    gap_s: Seconds
    leader_cm: Length
    leader_moving_cm_s: Speed
    leader_moving_s: Seconds


class OwnStateScan(OwnForm):
    """A ped's own state (EVT-49)."""

    air_cm: Length
    air_steps: Steps
    wants_cm_s: Speed
    stuck_cm: Length
    stuck_s: Seconds


RelationWord = Literal["friend", "like", "neutral", "dislike", "hate"]


class ScannerTuning(OwnForm):
    """The whole file; ``relation`` says what a group of peds is to another, each way by itself."""

    disabled_steps: Steps
    candidates_max: Count
    period: Periods
    senses: Senses
    fires: FireScan
    impacts: ImpactScan
    sounds: SoundScan
    ahead: AheadScan
    vehicles: VehicleScan
    crowds: CrowdScan
    bodies: BodyScan
    runners: RunnerScan
    weapons: WeaponScan
    relations: RelationScan
    own_state: OwnStateScan
    relation: dict[str, dict[str, RelationWord]]
