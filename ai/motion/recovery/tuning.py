"""Schema of ``assets/tuning/knockdown.toml`` (orders document, section 10).

cm, s, kg, kg cm/s; degrees in keys that end in ``_deg`` or ``_deg_s``.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import Field, model_validator

from ai.tuning import OwnForm

Positive: TypeAlias = Annotated[float, Field(gt=0.0, le=1e6)]
NotNegative: TypeAlias = Annotated[float, Field(ge=0.0, le=1e6)]
Seconds: TypeAlias = Annotated[float, Field(gt=0.0, le=600.0)]
Share: TypeAlias = Annotated[float, Field(ge=0.0, le=1.0)]
Degrees: TypeAlias = Annotated[float, Field(ge=-180.0, le=180.0)]
Anchor: TypeAlias = tuple[
    Annotated[float, Field(ge=-100.0, le=100.0)], Annotated[float, Field(ge=-100.0, le=100.0)]
]


class EntryTuning(OwnForm):
    """What knocks down, and how hard (RAG-01, RAG-02, RAG-06)."""

    impulse_min: Positive
    up_min: Positive
    impulse_max: Positive
    up_max: Positive
    impulse_spread: Share
    facing_impulse_min: NotNegative
    ragdolls_max: int = Field(ge=1, le=256)
    hit_gap: float = Field(ge=0.0, le=10.0)

    @model_validator(mode="after")
    def _in_order(self) -> EntryTuning:
        if self.impulse_min > self.impulse_max or self.up_min > self.up_max:
            raise ValueError("a least impulse is above the greatest")
        return self


class BalanceTuning(OwnForm):
    """What a body on its feet takes without falling (EVT-39), in kg cm/s.

    - From ``stumble_min`` a hit makes it flinch, from ``stagger_min`` step aside.
    - ``agility_share``: by which share agility 0 lowers, and agility 1 raises, what it takes.
    - Who is faster than ``running_from`` (cm/s) takes ``running`` times as much.
    """

    stumble_min: Positive
    stagger_min: Positive
    agility_share: Annotated[float, Field(ge=0.0, le=0.9)]
    running: Annotated[float, Field(gt=0.0, le=2.0)]
    running_from: Positive

    @model_validator(mode="after")
    def _in_order(self) -> BalanceTuning:
        if self.stumble_min > self.stagger_min:
            raise ValueError("stumble_min must not be above stagger_min")
        return self


class FallTuning(OwnForm):
    """The channels of a limp body and what slows it (RAG-05, RAG-07, RAG-08, RAG-10)."""

    fall_time: Seconds
    extent_start: Annotated[float, Field(gt=0.0, le=1.0)]
    gravity: Positive
    bounce: Share
    bounce_min: NotNegative
    ground_mu: Annotated[float, Field(ge=0.0, le=10.0)]
    spin_brake: NotNegative
    speed_cap: Positive
    spin_cap: Positive
    roll_speed: Positive
    roll_radius: Positive
    roll_slip: Share
    roll_relax_deg_s: Positive


LimbAngles: TypeAlias = tuple[Degrees, Degrees]


class SplayForm(OwnForm):
    """Angles of the two joints of each limb, in degrees, as those of the left side (RAG-04)."""

    left_arm: LimbAngles
    right_arm: LimbAngles
    left_leg: LimbAngles
    right_leg: LimbAngles


class SplayTuning(OwnForm):
    """How limbs are flung out by who topples, by the way it comes to lie."""

    face_up: SplayForm
    face_down: SplayForm
    side_right: SplayForm


class TouchTuning(OwnForm):
    """A limp body against people on their feet (RAG-09, RAG-14).

    ``part_s``: a pair that has been apart this long touches for the first time again.
    """

    speed: Positive
    share: Share
    part_s: Seconds


class SettleTuning(OwnForm):
    """When a limp body counts as calm (REC-06 to REC-08)."""

    physics_min: Seconds
    speed: Positive
    spin_deg_s: Positive
    chest_factor: Share
    stable_min: Seconds
    stuck_report: Seconds


class GroundTuning(OwnForm):
    """What supports a body (REC-04)."""

    shift: NotNegative
    dz: NotNegative
    normal_z_min: Share


class StandTuning(OwnForm):
    """Room to stand in (REC-11); ``search`` are the distances tried, nearest first."""

    low: NotNegative
    high: Positive
    ped_gap: Positive
    lying_gap: NotNegative
    level_dz: Positive
    search: tuple[NotNegative, ...] = Field(min_length=1, max_length=8)
    search_directions: int = Field(ge=1, le=32)
    way_radius: Positive

    @model_validator(mode="after")
    def _nearest_first(self) -> StandTuning:
        if self.search[0] != 0.0 or list(self.search) != sorted(set(self.search)):
            raise ValueError("search must start at 0 and rise")
        return self


class RiseTuning(OwnForm):
    """From lying to standing (REC-14, REC-16)."""

    blend_time: Seconds
    frozen_report: Seconds


class BodyForm(OwnForm):
    """One body: a capsule of half a width's radius, with the moment of a box (RAG-04)."""

    mass: Positive
    length: Positive
    half_width: Positive


class BodiesForm(OwnForm):
    """Bodies by name; those of the limbs stand for both sides."""

    pelvis: BodyForm
    chest: BodyForm
    head: BodyForm
    upper_arm: BodyForm
    lower_arm: BodyForm
    thigh: BodyForm
    shin: BodyForm


class JointForm(OwnForm):
    """One joint with its limits, relative to the lying rest pose, of the left side."""

    low_deg: Degrees
    high_deg: Degrees
    parent_anchor: Anchor
    child_anchor: Anchor

    @model_validator(mode="after")
    def _in_order(self) -> JointForm:
        if self.low_deg > self.high_deg:
            raise ValueError("low_deg must not be above high_deg")
        return self


class JointsForm(OwnForm):
    """Joints by name; those of the limbs stand for both sides."""

    waist: JointForm
    neck: JointForm
    shoulder: JointForm
    elbow: JointForm
    hip: JointForm
    knee: JointForm


class RagdollForm(OwnForm):
    """The bodies of the figure of one rig (RAG-04).

    ``pivot_error_bias_base`` to the 60th is ``error_bias``; by a wall, while plan lengths
    grow, ``pivot_growing_bias_base`` takes its place.
    """

    rig: str = Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)
    friction: Share
    elasticity: Share
    pivot_max_force: Annotated[float, Field(gt=0.0, le=1e9)]
    pivot_error_bias_base: Annotated[float, Field(gt=0.0, lt=1.0)]
    pivot_growing_bias_base: Annotated[float, Field(gt=0.0, lt=1.0)]
    limit_max_force: Annotated[float, Field(gt=0.0, le=1e9)]
    tone_stiffness: Annotated[float, Field(ge=0.0, le=1e9)]
    tone_damping: Annotated[float, Field(ge=0.0, le=1e9)]
    body: BodiesForm
    joint: JointsForm

    @property
    def mass_kg(self) -> float:
        """Of the whole figure."""
        body = self.body
        pairs = body.upper_arm.mass + body.lower_arm.mass + body.thigh.mass + body.shin.mass
        return body.pelvis.mass + body.chest.mass + body.head.mass + 2.0 * pairs


class KnockdownTuning(OwnForm):
    """The whole of ``knockdown.toml``."""

    entry: EntryTuning
    balance: BalanceTuning
    fall: FallTuning
    splay: SplayTuning
    touch: TouchTuning
    settle: SettleTuning
    ground: GroundTuning
    stand: StandTuning
    rise: RiseTuning
    ragdoll: RagdollForm
