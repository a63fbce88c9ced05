"""Schemas of what is authored by hand: ``assets/clips/authored/{poses,gaits,clips}.toml``.

Angles in degrees, lengths in cm, times in s, phases as shares of a cycle. The
meaning of every angle stands in ``assets/clips/README.md``.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, RootModel, StringConstraints, model_validator

from ai.tuning import OwnForm

Word: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]
Degrees: TypeAlias = Annotated[float, Field(ge=-180.0, le=180.0)]
Share: TypeAlias = Annotated[float, Field(ge=0.0, le=1.0)]
Seconds: TypeAlias = Annotated[float, Field(ge=0.0, le=60.0)]
Four: TypeAlias = tuple[Degrees, Degrees, Degrees, Degrees]
Foot: TypeAlias = Literal["left", "right"]


class BodyForm(OwnForm):
    """Angles of trunk and head; one that is left out is 0."""

    pitch: Degrees = 0.0
    spin: Degrees = 0.0
    lean: Degrees = 0.0
    side: Degrees = 0.0
    twist: Degrees = 0.0
    look: Degrees = 0.0
    nod: Degrees = 0.0
    shrug: float = Field(default=0.0, ge=-10.0, le=10.0)
    hop: float = Field(default=0.0, ge=0.0, le=50.0)


class PoseForm(BodyForm):
    """One key pose: arms as forward, outward, elbow, inward; legs as hip, outward, knee, ankle."""

    arm_left: Four
    arm_right: Four
    leg_left: Four
    leg_right: Four


class PosesForm(RootModel[dict[Word, PoseForm]]):
    """The whole of ``poses.toml``."""


class WaveForm(OwnForm):
    """An angle over a cycle: ``mean + amplitude * cos(order * 2 pi phase + shift)``."""

    mean: Degrees = 0.0
    amplitude: Degrees = 0.0
    order: int = Field(default=1, ge=1, le=4)
    shift_deg: Degrees = 0.0


class LegTableForm(OwnForm):
    """Angles of one leg at rising phases from 0; the other leg is half a cycle later."""

    phase: tuple[Share, ...] = Field(min_length=4, max_length=40)
    hip: tuple[Degrees, ...]
    knee: tuple[Degrees, ...]
    ankle: tuple[Degrees, ...]

    @model_validator(mode="after")
    def _fits(self) -> LegTableForm:
        for name in ("hip", "knee", "ankle"):
            if len(getattr(self, name)) != len(self.phase):
                raise ValueError(f"{name} needs {len(self.phase)} values, one a phase")
        if self.phase[0] != 0.0 or list(self.phase) != sorted(set(self.phase)):
            raise ValueError("phase must start at 0 and rise")
        return self


class ContactForm(OwnForm):
    """When the foot of the leg table stands on the ground, as phases.

    ``set_back`` moves the foothold back, in cm, from where the angles have it: a
    shorter reach ahead lets the body ride higher.
    """

    first: Share
    last: Share
    set_back: float = Field(default=0.0, ge=-20.0, le=20.0)

    @model_validator(mode="after")
    def _in_order(self) -> ContactForm:
        if self.first >= self.last:
            raise ValueError("first must be before last")
        return self


class GaitForm(OwnForm):
    """One gait: a leg table, waves for the rest, and how the body rises and the feet stand.

    - ``stride`` is the ground in cm that a cycle covers while planted feet stand still.
    - ``body_rise`` makes the pelvis a wave, in cm, lowest at ``body_lowest``; without
      it the pelvis is carried by the lower foot, with ``flight_rise`` cm on top of
      the straight line from take-off to landing while no foot is down.
    - ``swing_lift`` raises a swinging foot, in cm, above what the angles give it.
    - ``right_leg``: the right leg's own table, for who limps; without it the legs are alike.
    """

    stride: float = Field(gt=0.0, le=1000.0)
    contact: ContactForm
    body_rise: float | None = Field(default=None, ge=0.0, le=50.0)
    body_lowest: Share = 0.0
    flight_rise: float = Field(default=0.0, ge=0.0, le=50.0)
    swing_lift: float = Field(default=0.0, ge=0.0, le=20.0)
    leg: LegTableForm
    right_leg: LegTableForm | None = None
    leg_outward: Degrees = 0.0
    arm_forward: WaveForm
    elbow: WaveForm
    arm_outward: Degrees
    arm_inward: Degrees
    lean: WaveForm = WaveForm()
    side: WaveForm = WaveForm()
    twist: WaveForm = WaveForm()
    nod: WaveForm = WaveForm()


class GaitsForm(RootModel[dict[Word, GaitForm]]):
    """The whole of ``gaits.toml``."""


class KeyForm(OwnForm):
    """A pose at a time: of ``poses.toml``, or of a gait at a phase.

    - ``weight`` blends from ``idle`` (0) to the pose (1).
    - ``add`` is put on top of the body angles.
    - Between two keys of one gait the gait itself runs from phase to phase.
    """

    at: Seconds
    pose: Word | None = None
    gait: Word | None = None
    phase: float = Field(default=0.0, ge=0.0, le=10.0)
    weight: Share = 1.0
    add: BodyForm = BodyForm()

    @model_validator(mode="after")
    def _one_source(self) -> KeyForm:
        if (self.pose is None) == (self.gait is None):
            raise ValueError("a key needs either pose or gait")
        return self


class FootfallForm(OwnForm):
    """A foot that stands still from ``first`` to ``last``, where the keys have it at ``anchor``.

    ``lift`` raises the foot, in cm, on its way from here to the next footfall, or to the
    clip's end.
    """

    foot: Foot
    first: Seconds
    last: Seconds
    anchor: Seconds
    lift: float = Field(default=0.0, ge=0.0, le=50.0)

    @model_validator(mode="after")
    def _in_order(self) -> FootfallForm:
        if self.first > self.last:
            raise ValueError("first must not be after last")
        return self


class RootForm(OwnForm):
    """How the root moves: still, turning, or straight at a speed in cm/s.

    - Straight is along x, or ``heading_deg`` off it (positive to the right): who is pushed
      steps back or aside without turning.
    - ``ramp_up`` rises linearly from 0 to ``speed`` over the clip.
    - ``ramp_down`` falls linearly from ``speed`` to 0 within ``ramp`` seconds.
    - ``turn`` turns by ``angle_deg`` (positive clockwise on screen), smoothstep.
    """

    kind: Literal["still", "steady", "ramp_up", "ramp_down", "turn"] = "still"
    speed: float = Field(default=0.0, ge=0.0, le=2000.0)
    ramp: Seconds = 0.0
    angle_deg: Degrees = 0.0
    heading_deg: Degrees = 0.0


class WobbleForm(OwnForm):
    """A body angle (or shrug) that swings over the clip, ``cycles`` times."""

    channel: Literal["shrug", "side", "look", "nod", "lean", "twist"]
    amplitude: float = Field(ge=-45.0, le=45.0)
    cycles: int = Field(ge=1, le=40)
    shift_deg: Degrees = 0.0


class ClipForm(OwnForm):
    """One clip: a root and either a whole gait cycle or keys with footfalls.

    ``mirrored_as`` names a second clip, the same with left and right swapped.
    """

    rig: Word
    mirrored_as: Word | None = None
    duration: float = Field(gt=0.0, le=60.0)
    root: RootForm = RootForm()
    loop_of: Word | None = None
    key: tuple[KeyForm, ...] = ()
    wobble: tuple[WobbleForm, ...] = ()
    footfall: tuple[FootfallForm, ...] = ()

    @model_validator(mode="after")
    def _keys_cover_the_clip(self) -> ClipForm:
        if self.loop_of is not None:
            if self.key or self.footfall:
                raise ValueError("a loop_of clip takes its poses from the gait alone")
            return self
        times = [key.at for key in self.key]
        if not times or times[0] != 0.0 or times[-1] != self.duration:
            raise ValueError("keys must run from 0 to the duration")
        if times != sorted(set(times)):
            raise ValueError("keys must rise in time")
        return self


class ClipsForm(RootModel[dict[Word, ClipForm]]):
    """The whole of authored ``clips.toml``: one table a clip."""
