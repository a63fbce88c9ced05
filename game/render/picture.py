"""What the renderer draws: one read-only picture of a world, before and after its last step.

The renderer knows no world: ``picture_of`` fills these fields once a step. Poses of
moving things are kept for two steps, and drawing goes between them by ``alpha`` in
0..1, so that motion is smooth whatever the display's rate (product.md section 2).

Lengths in cm, angles in rad; ``PLACE`` columns are x, y, z, yaw.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ai.behaviours.gestures import Gesture
from ai.motion.movement_table import ClipPhase
from ai.ports import SurfacePatch, Vec3
from game.render.figures.faces import Mood
from game.render.fires.scorch import Scorch
from game.render.things.shape import ThingShape
from game.render.timelines.effect_stage import EffectStage
from game.world.description import GroundTile

PLACE_COLUMNS = 4


class Pose(NamedTuple):
    """Where a ped is in its clips, as far as drawing cares.

    - ``profile`` and ``phase`` (``ClipPhase``) name the clip.
    - ``time`` is the clip time in s; in LOOP it is the drawn phase, 0 to 1 (CLIP-13).
    - ``reach`` scales the fore-and-aft reach of the legs in LOOP (drawn stride).
    - ``mirrored`` swaps left and right; ``turn_left`` chooses between the turn clips.
    - ``clip_seq`` rises with each phase change: drawing fades from one to the next.
    - ``shove`` is how far the arms are thrust out, 0 to 1, over whatever the clip says.
    - ``gesture`` is made by ``gesture_share``, 0 to 1; ``head_rad`` is how far the head is turned
      aside for it, positive to the right.
    - ``joints``: of a body that is down, in the frame of its place, in place of a clip's;
      shape (joints, 3).
    """

    profile: int
    phase: int
    time: float
    reach: float = 1.0
    mirrored: bool = False
    turn_left: bool = False
    clip_seq: int = 0
    shove: float = 0.0
    joints: NDArray[np.float64] | None = None
    gesture: Gesture | None = None
    gesture_share: float = 0.0
    head_rad: float = 0.0


class PoseSource(Protocol):
    """Where joint positions come from: the clip library, or a double in tests."""

    @property
    def joints(self) -> Sequence[str]:
        """Names of the joints in the order of the poses' rows."""
        ...

    def poses(self, poses: Sequence[Pose]) -> NDArray[np.float64]:
        """Joint positions, shape (n, n_joints, 3): x forward, y right, z up, clip root removed."""
        ...


class OrderBubble(Enum):
    """How the order of a ped stands, as a sign over its head (art-and-feel section 12)."""

    GOING = auto()
    HELD = auto()
    DONE = auto()
    FAILED = auto()
    NO_WAY = auto()


@dataclass(slots=True)
class PedPictures:
    """All peds in ascending id; every sequence has one entry a ped."""

    ids: NDArray[np.int64]
    before: NDArray[np.float64]
    now: NDArray[np.float64]
    poses_before: Sequence[Pose]
    poses: Sequence[Pose]
    looks: Sequence[str]
    moods: Sequence[Mood]
    selected: NDArray[np.bool_]
    bubbles: Sequence[OrderBubble | None]

    @classmethod
    def none(cls) -> PedPictures:
        """No peds at all."""
        empty = np.zeros((0, PLACE_COLUMNS))
        return cls(
            np.zeros(0, dtype=np.int64),
            empty,
            empty,
            (),
            (),
            (),
            (),
            np.zeros(0, dtype=np.bool_),
            (),
        )


@dataclass(frozen=True, slots=True)
class StandingThing:
    """A thing that stays where it is."""

    shape: ThingShape
    x: float
    y: float
    z: float
    yaw: float


@dataclass(slots=True)
class PropPictures:
    """Things that move; ``before`` and ``now`` have a row (x, y, z, yaw) for each shape."""

    shapes: Sequence[ThingShape]
    before: NDArray[np.float64]
    now: NDArray[np.float64]

    @classmethod
    def none(cls) -> PropPictures:
        """No props at all."""
        empty = np.zeros((0, PLACE_COLUMNS))
        return cls((), empty, empty)


@dataclass(frozen=True, slots=True)
class GroundPicture:
    """The level's floor: its size, surfaces in map order and ground tiles of 100 cm."""

    width_cm: float
    height_cm: float
    surfaces: tuple[SurfacePatch, ...] = ()
    tiles: tuple[GroundTile, ...] = ()


class FirePicture(NamedTuple):
    """A fire: place of its foot and radius of its flames in cm, strength 0 to 1.

    ``z`` is over 0 on top of what burns, or at the chest of a person who does; ``front_y`` is
    the edge of a thing that burns towards the viewer: its flames are drawn before it.
    """

    number: int
    x: float
    y: float
    z: float
    radius: float
    strength: float
    is_person: bool = False
    front_y: float | None = None


class OrderLine(NamedTuple):
    """The way that a ped under an order has still before it; no corners while none is known."""

    ped_id: int
    corners: tuple[Vec3, ...]
    goal: Vec3


class SpokenPicture(NamedTuple):
    """Words that a ped says now."""

    ped_id: int
    text: str


class Aim(NamedTuple):
    """A ring on the ground: where an order leads, would lead, or has just been given.

    - ``size`` multiplies the usual radius; ``strength``, 0 to 1, is how clearly it is seen.
    """

    place: Vec3
    size: float = 1.0
    strength: float = 1.0


@dataclass(slots=True)
class Marks:
    """What the viewer's hands leave on the picture; none of it is of the world.

    - ``hovered`` is the id of the ped under the mouse.
    - ``lines`` are shown for the selected alone.
    """

    hovered: int | None = None
    lines: tuple[OrderLine, ...] = ()
    aims: tuple[Aim, ...] = ()


@dataclass(slots=True)
class Picture:
    """One world as drawing sees it.

    ``ground`` and ``standing`` are the same objects as long as nothing in them has
    changed: what is baked from them is kept by identity.

    ``water``: where some fell in the last step, x, y and radius in cm.
    """

    ground: GroundPicture
    standing: tuple[StandingThing, ...] = ()
    peds: PedPictures = field(default_factory=PedPictures.none)
    props: PropPictures = field(default_factory=PropPictures.none)
    marks: Marks = field(default_factory=Marks)
    time_of_day: str = "day"
    caption: str = ""
    effects: EffectStage | None = None
    fires: tuple[FirePicture, ...] = ()
    scorches: tuple[Scorch, ...] = ()
    water: tuple[tuple[float, float, float], ...] = ()
    wind: tuple[float, float] = (0.0, 0.0)
    speech: tuple[SpokenPicture, ...] = ()
    time_s: float = 0.0


def pose_between(before: Pose, now: Pose, alpha: float) -> Pose:
    """The pose at ``alpha`` of the way from one step to the next.

    Across a phase change it is the new one (the fade hides the jump); a loop's phase
    goes on over its end.
    """
    if before.clip_seq != now.clip_seq or before.phase != now.phase:
        return now
    if before.shove != now.shove:
        now = now._replace(shove=before.shove + (now.shove - before.shove) * alpha)
    if now.gesture is before.gesture and now.gesture_share != before.gesture_share:
        made = before.gesture_share + (now.gesture_share - before.gesture_share) * alpha
        now = now._replace(gesture_share=made)
    if now.joints is not None and before.joints is not None:
        return now._replace(joints=before.joints + (now.joints - before.joints) * alpha)
    moved = now.time - before.time
    if now.phase == ClipPhase.LOOP:
        moved = (moved + 0.5) % 1.0 - 0.5
        return now._replace(time=(before.time + moved * alpha) % 1.0)
    if moved < 0.0:
        return now
    return now._replace(time=before.time + moved * alpha)


def between(
    before: NDArray[np.float64], now: NDArray[np.float64], alpha: float
) -> NDArray[np.float64]:
    """Places (n, 4) at ``alpha`` of the way from one step to the next; yaw turns the short way."""
    share = min(1.0, max(0.0, alpha))
    places: NDArray[np.float64] = before + (now - before) * share
    turn = (now[:, 3] - before[:, 3] + math.pi) % (2.0 * math.pi) - math.pi
    places[:, 3] = before[:, 3] + turn * share
    return places
