"""The kinds of cues: what a level may have done, and the table that names them (LVL-11, LVL-34).

Cues are data, never code: a level from a stranger can do what stands here and
nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from game.levels.comparisons import Condition
from game.levels.forms import (
    LONGEST_S,
    Degrees,
    Flag,
    Length,
    LevelForm,
    LocalOffset,
    Name,
    Number,
    Place,
    Seconds,
    Sentence,
)
from game.levels.script_forms import TASKS_MAX, ScriptTask

LEVEL_SOURCE = "level"
"""Order source of a cue that names none: the level itself."""


class Cue(LevelForm):
    """What all cues have: when, and a name by which expectations refer to it.

    - ``at``: seconds from the start, or ``when``: a condition, or ``follows``: the name
      of another cue; ``after`` are seconds between the latter two and the cue.
    - ``every`` and ``times``: it acts so often in all, so many seconds apart.
    - ``choice``: of all cues that name the same choice one acts, picked by the run's
      seed; ``weight`` is its share of the chances, 1 if left out.
    """

    acts_again: ClassVar[bool] = True
    """False for what can be done only once."""

    do: str
    name: Name | None = None
    at: Seconds | None = None
    when: Condition | None = None
    follows: Name | None = None
    after: Seconds | None = None
    every: Annotated[float, Field(strict=True, gt=0.0, le=LONGEST_S)] | None = None
    times: Annotated[int, Field(strict=True, ge=2, le=1000)] | None = None
    choice: Name | None = None
    weight: Annotated[float, Field(strict=True, gt=0.0, le=1000.0)] | None = None

    @model_validator(mode="after")
    def _one_time(self) -> Cue:
        if sum(given is not None for given in (self.at, self.when, self.follows)) != 1:
            raise ValueError("say when: either 'at', 'when' or 'follows'")
        if self.after is not None and self.at is not None:
            raise ValueError("'after' belongs to 'when' and 'follows'")
        return self

    @model_validator(mode="after")
    def _often_and_perhaps(self) -> Cue:
        if (self.every is None) != (self.times is None):
            raise ValueError("'every' and 'times' go together")
        if self.times is not None and not self.acts_again:
            raise ValueError(f"'{self.do}' can be done only once: remove 'times'")
        if self.weight is not None and self.choice is None:
            raise ValueError("'weight' belongs to 'choice'")
        return self


class OrderCue(Cue):
    """A command of a running order."""

    do: Literal["order.hold", "order.continue", "order.cancel"]
    ped: Name


class _TargetCue(Cue):
    """A cue that sends a ped to an object's approach point or to a place.

    - ``track``: and after the object, wherever it goes (ORD-20).
    """

    ped: Name
    object: Name | None = None
    offset: LocalOffset | None = None
    track: Flag = False
    point: Place | None = None

    @model_validator(mode="after")
    def _one_target(self) -> _TargetCue:
        if (self.object is None) == (self.point is None):
            raise ValueError("name one target: 'object' or 'point'")
        if self.offset is not None and self.object is None:
            raise ValueError("'offset' belongs to 'object'")
        if self.track and self.object is None:
            raise ValueError("'track' belongs to 'object': a point stays where it is")
        return self


class OrderStartCue(_TargetCue):
    """A new order (ORD-05)."""

    do: Literal["order.start"]
    source: Name = LEVEL_SOURCE


class OrderRedirectCue(_TargetCue):
    """Another goal for a running order (ORD-12)."""

    do: Literal["order.redirect"]


class PropSpawnCue(Cue):
    """A thing appears; what is left out comes from its kind.

    At a place, or ``over`` the body of a ped, wherever that is by then.
    """

    acts_again = False

    do: Literal["prop.spawn"]
    object: Name
    kind: Name
    position: Place | None = None
    over: Name | None = None
    yaw_deg: Degrees = 0.0
    size: tuple[Length, Length] | None = None
    radius: Length | None = None
    z_low_cm: Annotated[float, Field(strict=True, ge=0.0, le=20_000.0)] | None = None
    z_high_cm: Length | None = None
    mass_kg: Number | None = None
    nav: Literal["block", "ignore"] | None = None

    @model_validator(mode="after")
    def _one_place_and_shape(self) -> PropSpawnCue:
        if (self.position is None) == (self.over is None):
            raise ValueError("say where: either 'position' or 'over'")
        if self.size is not None and self.radius is not None:
            raise ValueError("give 'size' or 'radius', not both")
        return self


class PropRemoveCue(Cue):
    """A thing disappears."""

    acts_again = False

    do: Literal["prop.remove"]
    object: Name


class PropMoveCue(Cue):
    """A thing is put somewhere else; without ``yaw_deg`` it keeps its heading."""

    do: Literal["prop.move"]
    object: Name
    position: Place
    yaw_deg: Degrees | None = None


class VehicleMoveCue(Cue):
    """A vehicle sets out to a place, straight and without turning; it halts for people."""

    do: Literal["vehicle.move"]
    object: Name
    position: Place
    speed_cm_s: Annotated[float, Field(strict=True, gt=0.0, le=2000.0)]


class PedSpawnCue(Cue):
    """A ped appears."""

    acts_again = False

    do: Literal["ped.spawn"]
    ped: Name
    position: Place
    yaw_deg: Degrees = 0.0
    model: Name = "ordinary"
    default_task: Name | None = None
    outfit: Name | None = None
    walk_speed_cm_s: Annotated[float, Field(strict=True, ge=10.0, le=480.0)] = 130.0
    behaviour: Name | None = None
    route: Name | None = None


class PedRemoveCue(Cue):
    """A ped leaves the world."""

    acts_again = False

    do: Literal["ped.remove"]
    ped: Name


class PedShoveCue(Cue):
    """A ped shoves whoever or whatever stands in front of it (LOC-20).

    ``impulse`` in kg cm/s; left out it is the player's.
    """

    do: Literal["ped.shove"]
    ped: Name
    impulse: Annotated[float, Field(strict=True, gt=0.0, le=45_000.0)] | None = None


class MachineRequestCue(Cue):
    """An order to a ped whose default task runs a machine: a state as its next target (HSM-30)."""

    do: Literal["machine.request"]
    ped: Name
    state: Name


class ImpactCue(Cue):
    """A ped is hit (RAG-01): an impulse in kg cm/s along ``heading_deg``, and upwards."""

    do: Literal["impact"]
    ped: Name
    impulse: Annotated[float, Field(strict=True, ge=0.0, le=1e6)]
    heading_deg: Degrees
    up: Annotated[float, Field(strict=True, ge=0.0, le=1e6)] = 0.0
    part: Literal[
        "pelvis", "chest", "head",
        "left_upper_arm", "left_lower_arm", "right_upper_arm", "right_lower_arm",
        "left_thigh", "left_shin", "right_thigh", "right_shin",
    ] = "chest"  # fmt: skip


class BlastCue(Cue):
    """Something blows up at a place; ``strength`` multiplies the usual force (EVT-40)."""

    do: Literal["blast"]
    position: Place
    strength: Annotated[float, Field(strict=True, gt=0.0, le=10.0)] = 1.0
    radius: Length | None = None


class FleeFromCue(Cue):
    """A script has a ped flee (SAFE-02): from a place, from one ``beside`` it, or an object.

    Where to it chooses by itself: ``safe_cm`` is how far it wants to be.
    """

    do: Literal["flee.from"]
    ped: Name
    position: Place | None = None
    beside: Place | None = None
    object: Name | None = None
    safe_cm: Annotated[float, Field(strict=True, gt=0.0, le=5000.0)] = 650.0

    @model_validator(mode="after")
    def _one_threat(self) -> FleeFromCue:
        if sum(one is not None for one in (self.position, self.beside, self.object)) != 1:
            raise ValueError("say from what: 'position', 'beside' or 'object'")
        return self


class ThreatMoveCue(Cue):
    """The place that a ped flees from is somewhere else now (SAFE-10)."""

    do: Literal["threat.move"]
    ped: Name
    position: Place


class FireLightCue(Cue):
    """A spot begins to burn (EVT-38, LVL-11).

    As it stands it is full at once, for so long or for good, and stays where it is; one that
    ``spreads`` grows, dies with its fuel (``burns_s``) and sets alight what is near.
    """

    do: Literal["fire.light"]
    position: Place
    radius_cm: Annotated[float, Field(strict=True, gt=0.0, le=2000.0)] = 60.0
    burns_s: Annotated[float, Field(strict=True, gt=0.0, le=3600.0)] | None = None
    spreads: Flag = False


class FireBurnCue(Cue):
    """A thing catches fire."""

    do: Literal["fire.burn"]
    object: Name


class FireOutCue(Cue):
    """Water falls on a round place, or every fire is out at once if none is named."""

    do: Literal["fire.out"]
    position: Place | None = None
    radius_cm: Annotated[float, Field(strict=True, gt=0.0, le=2000.0)] = 200.0


class WindCue(Cue):
    """The wind changes: it blows towards ``heading_deg``."""

    do: Literal["wind"]
    speed_cm_s: Annotated[float, Field(strict=True, ge=0.0, le=2000.0)]
    heading_deg: Degrees = 0.0


class BangCue(Cue):
    """A bang is heard (EVT-41): at a place, or made by a ped."""

    do: Literal["bang"]
    position: Place | None = None
    ped: Name | None = None
    radius_cm: Annotated[float, Field(strict=True, gt=0.0, le=20_000.0)] = 6000.0

    @model_validator(mode="after")
    def _one_place(self) -> BangCue:
        if (self.position is None) == (self.ped is None):
            raise ValueError("say where: either 'position' or 'ped'")
        return self


class WeaponCue(Cue):
    """A ped draws, aims along its facing, or puts away a weapon (EVT-47)."""

    do: Literal["weapon"]
    ped: Name
    state: Literal["none", "drawn", "aimed"]


class ShockCue(Cue):
    """What a level alone can make: a call for help, a show, a fine car, a horn, an alarm."""

    do: Literal["shock"]
    kind: Literal["help_call", "street_show", "nice_car", "horn", "alarm"]
    position: Place | None = None
    ped: Name | None = None
    object: Name | None = None

    @model_validator(mode="after")
    def _one_place(self) -> ShockCue:
        if sum(one is not None for one in (self.position, self.ped, self.object)) != 1:
            raise ValueError("say where: 'position', 'ped' or 'object'")
        return self


class ScriptCommandCue(Cue):
    """A script has a ped do something (EVT-67)."""

    do: Literal["script.command"]
    ped: Name
    task: ScriptTask
    source: Name = LEVEL_SOURCE

    @property
    def script_tasks(self) -> tuple[ScriptTask, ...]:
        """What is to be done, in order."""
        return (self.task,)


class ScriptSequenceCue(Cue):
    """A script has a ped do one thing after another (EVT-69); ``repeat``: over and over."""

    do: Literal["script.sequence"]
    ped: Name
    tasks: Annotated[tuple[ScriptTask, ...], Field(min_length=1, max_length=TASKS_MAX)]
    repeat: Flag = False
    source: Name = LEVEL_SOURCE

    @property
    def script_tasks(self) -> tuple[ScriptTask, ...]:
        """What is to be done, in order."""
        return self.tasks


class CaptionCue(Cue):
    """A line of text over the picture; captions summarise and are never evidence (NAV-23)."""

    do: Literal["caption"]
    text: Sentence
    for_s: Annotated[float, Field(strict=True, gt=0.0, le=60.0)] = 3.0


class CameraMoveCue(Cue):
    """The level's camera, and with it the focus, goes to a place."""

    do: Literal["camera.move"]
    position: Place
    zoom_px_per_cm: Annotated[float, Field(strict=True, ge=0.05, le=5.0)] | None = None
    over_s: Annotated[float, Field(strict=True, ge=0.0, le=60.0)] = 0.0


CUE_KINDS: Mapping[str, type[Cue]] = {
    "order.start": OrderStartCue,
    "order.hold": OrderCue,
    "order.continue": OrderCue,
    "order.redirect": OrderRedirectCue,
    "order.cancel": OrderCue,
    "prop.spawn": PropSpawnCue,
    "prop.remove": PropRemoveCue,
    "prop.move": PropMoveCue,
    "vehicle.move": VehicleMoveCue,
    "ped.spawn": PedSpawnCue,
    "ped.remove": PedRemoveCue,
    "ped.shove": PedShoveCue,
    "machine.request": MachineRequestCue,
    "impact": ImpactCue,
    "fire.light": FireLightCue,
    "fire.burn": FireBurnCue,
    "fire.out": FireOutCue,
    "wind": WindCue,
    "flee.from": FleeFromCue,
    "threat.move": ThreatMoveCue,
    "bang": BangCue,
    "blast": BlastCue,
    "weapon": WeaponCue,
    "shock": ShockCue,
    "script.command": ScriptCommandCue,
    "script.sequence": ScriptSequenceCue,
    "caption": CaptionCue,
    "camera.move": CameraMoveCue,
}
"""Every value of ``do``; any other refuses the level."""
