"""Everything ``ai`` needs from a world, as small protocols (product.md section 1).

``game/world`` fills these ports, except ``WalkSurface`` and ``PathFinder``, which
``ai/navigation`` builds over ``LevelShapes``. Nothing in ``ai`` may import
pygame, pymunk or ``game``; a test enforces it.

Units: centimetres, seconds, radians; x right, y down the map, z up; positive yaw
turns clockwise on screen, forward = (cos yaw, sin yaw).
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STEP_S = 1.0 / 60.0
"""Length of a simulation step (product.md section 2)."""

TIMER_EPSILON_S = 1e-6
"""Slack of every float timer comparison (timer rule of the orders document)."""


def more_than(timer_s: float, limit_s: float) -> bool:
    """Timer rule, strict form: ``t > L + 1e-6`` (1.5 s is first exceeded on tick 91)."""
    return timer_s > limit_s + TIMER_EPSILON_S


def at_least(timer_s: float, limit_s: float) -> bool:
    """Timer rule, inclusive form: ``t >= L - 1e-6`` (1.3 s is reached on tick 78)."""
    return timer_s >= limit_s - TIMER_EPSILON_S


class Vec3(NamedTuple):
    """A point or displacement in cm."""

    x: float
    y: float
    z: float = 0.0


class EntityKind(IntEnum):
    """What an ``EntityRef`` points to."""

    PED = 0
    PROP = 1
    VEHICLE = 2
    MARKER = 3
    ORDER_SOURCE = 4


class EntityRef(NamedTuple):
    """Handle of a thing of the world: pool slot and generation (product.md section 5).

    A stale handle (the slot's generation has moved on) is refused or reads as
    none, never as another thing. ``world`` numbers the world that gave the handle
    out, so that one of another world is told apart (ORD-05 row 3).
    """

    kind: EntityKind
    slot: int
    generation: int
    world: int = 0


class Clock(Protocol):
    """Simulation time; never wall time."""

    @property
    def step(self) -> int:
        """Number of the step being simulated, from 0."""
        ...

    @property
    def dt_s(self) -> float:
        """Length of a step in seconds."""
        ...

    @property
    def time_s(self) -> float:
        """Simulated time at the start of this step: ``step * dt_s``."""
        ...


class RandomStreams(Protocol):
    """The named random streams of product.md section 2."""

    def ped(self, ped_id: int, name: str) -> random.Random:
        """Stream ``task``, ``reaction``, ``decision`` or ``brain`` of a ped, made when needed."""
        ...

    def level(self) -> random.Random:
        """The one stream of the level."""
        ...


class Circle(NamedTuple):
    """Footprint: a disc in cm."""

    x: float
    y: float
    radius: float


class Polygon(NamedTuple):
    """Footprint: a simple polygon in cm, either winding, not closed."""

    points: tuple[tuple[float, float], ...]


Footprint: TypeAlias = Circle | Polygon


class SurfacePatch(NamedTuple):
    """A walkable (or ``no_walk``) area of the map; the later of two wins where they overlap."""

    kind: str
    height_cm: float
    outline: Polygon


class Obstacle(NamedTuple):
    """A thing that stands in the way.

    - ``z_low_cm`` and ``z_high_cm`` are heights above the ground.
    - ``nav_block`` says whether it is cut out of the walk graph (NAV-25); one that
      is not is known to clearance alone.
    - ``dynamic`` is true for a thing that physics moves (a prop), false for walls,
      buildings, parked cars and fixed things.
    - ``mass_kg`` is 0 for what is not dynamic; a dynamic thing under 15 kg refuses
      no step (LOC-20).
    """

    object_id: int
    footprint: Footprint
    z_low_cm: float = 0.0
    z_high_cm: float = 300.0
    nav_block: bool = True
    dynamic: bool = False
    mass_kg: float = 0.0


class Danger(NamedTuple):
    """A round place whose ground costs so many times as much a cm; ``flee_cost`` to who flees."""

    area: Circle
    cost: float
    flee_cost: float = 1.0


class LevelShapes(Protocol):
    """What navigation is built over: the walkable ground and what stands on it."""

    @property
    def version(self) -> int:
        """Rises with each change of surfaces, static obstacles or nav-blocking props."""
        ...

    def surfaces(self) -> Sequence[SurfacePatch]:
        """All patches in map order (later wins where they overlap)."""
        ...

    def obstacles(self) -> Sequence[Obstacle]:
        """Static obstacles and every prop with ``nav = "block"``, in object-id order."""
        ...

    def dangers(self) -> Sequence[Danger]:
        """Round places that ways lead round if they can: fires."""
        ...

    def changed_since(self, version: int) -> Sequence[tuple[float, float, float, float]]:
        """Bounds (x_min, y_min, x_max, y_max) in cm of what changed after ``version``."""
        ...


class GroundPoint(NamedTuple):
    """A point put onto walkable ground.

    ``shift_cm`` is the XY distance between the asked and the projected point;
    ``surface`` names the kind of the ground, ``cost`` what a cm of it costs (NAV-27).
    """

    x: float
    y: float
    z: float
    normal_z: float
    shift_cm: float
    surface: str
    cost: float = 1.0


class WalkSurface(Protocol):
    """Projection of body centres onto walkable ground shrunk by the 30 cm body radius."""

    def project(self, x: float, y: float, max_shift_cm: float) -> GroundPoint | None:
        """Nearest walkable point, shifted by at most ``max_shift_cm`` in XY, or None."""
        ...

    def ground_inside(
        self, x: NDArray[np.float64], y: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Height of the ground in cm and its cost per cm, shape (n,) each.

        - The height is known where a point surely projects onto itself (shift 0), the cost
          where one ground lies all around it.
        - NaN elsewhere, which may be so for points on the ground too: those go through
          ``project``.
        """
        ...


class PathFailure(IntEnum):
    """Why a path request has no path (NAV-10); 0 means it has one."""

    NONE = 0
    NO_PATH = 1
    PARTIAL_ONLY = 2
    START_OFF_SURFACE = 3
    GOAL_OFF_SURFACE = 4
    CAPACITY = 5


class FoundPath(NamedTuple):
    """Result of a search: the failure, or the corners after the start, the last at the goal."""

    failure: PathFailure
    points: tuple[Vec3, ...]
    expansions: int


class PathSearch(Protocol):
    """A search that is advanced a counted number of expansions at a time."""

    def advance(self, expansions: int) -> int:
        """Expand at most this many nodes; return how many were used (0 only when done)."""
        ...

    @property
    def result(self) -> FoundPath | None:
        """The result once the search has ended, else None."""
        ...


class PathFinder(Protocol):
    """Path search over walkable ground; deterministic, counted, resumable."""

    @property
    def version(self) -> int:
        """Version of the walk graph; rises with each rebuild."""
        ...

    def begin(
        self, start: Vec3, goal: Vec3, *, expansions_max: int, ignore_costs: bool = False
    ) -> PathSearch:
        """Start a search; ``ignore_costs`` counts road as 1 (FLEE, NAV-27)."""
        ...

    def path_end(self, goal: Vec3) -> Vec3 | None:
        """Where a path to a goal would end; None if ``begin`` finds the goal off the surface."""
        ...

    def regions(self, start: Vec3, goal: Vec3) -> tuple[int, int]:
        """Connected-region ids of both ends (-1 off the surface), for the memory of NAV-10."""
        ...


class Clearance(Protocol):
    """Is a body volume, or a swept circle, free of static shapes and solid props.

    Standing peds are not asked about here: their spacing is the walk update's
    (LOC-07 c). Props under 15 kg are not solid (LOC-20). Heights are above ground.
    """

    def circle_free(
        self, x: float, y: float, radius_cm: float, low_cm: float, high_cm: float
    ) -> bool:
        """True if a standing cylinder meets nothing (touching is free)."""
        ...

    def sweep_free(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        radius_cm: float,
        low_cm: float,
        high_cm: float,
    ) -> bool:
        """True if a circle moved along the segment meets nothing (touching is free)."""
        ...

    def clear_mask(
        self, x: NDArray[np.float64], y: NDArray[np.float64], radius_cm: float
    ) -> NDArray[np.bool_]:
        """Shape (n,): True where a circle is surely free (LOC-19); False means ask exactly."""
        ...


class ObjectTransform(NamedTuple):
    """Centre pose of an object: position cm, yaw rad, scale per local axis, velocity cm/s."""

    position: Vec3
    yaw_rad: float
    scale: Vec3
    velocity: Vec3


class ObjectTransforms(Protocol):
    """Where objects are, or that they are gone.

    ``world`` is the number in the handles of this world's objects.
    """

    @property
    def world(self) -> int:
        """Number of the world that these objects belong to."""
        ...

    def transform(self, ref: EntityRef) -> ObjectTransform | None:
        """Present pose, or None if the object is gone."""
        ...

    def is_dying(self, ref: EntityRef) -> bool:
        """True while the object's removal has been asked for but not yet done."""
        ...


class WorldView(Protocol):
    """Read-only facts for scanners and perception."""

    @property
    def focus(self) -> Vec3:
        """The focus of product.md section 2."""
        ...


class FactSink(Protocol):
    """Where facts of a run are written down: who, what, in which step and phase.

    Facts are what the levels judge by (NAV-23): ``ARRIVED``, ``COMPLETED``,
    ``FAILED``. Writing one costs an append; when nothing listens it costs a call.
    """

    def note(self, ped_id: int, fact: str, *details: object) -> None:
        """Record ``fact`` with the present step and phase number (product.md section 11)."""
        ...


class OrderSources(Protocol):
    """World-owned logical objects that say who gave an order (ORD-04)."""

    def create(self, label: str) -> EntityRef:
        """Make a source; ``label`` is for people (``"cue"``, ``"player"``)."""
        ...

    def is_alive(self, ref: EntityRef) -> bool:
        """True until the source is destroyed."""
        ...

    def destroy(self, ref: EntityRef) -> bool:
        """End a source; False if it was gone already."""
        ...


class Markers(Protocol):
    """World-owned points that stand in as the object of an order to a place (ORD-25)."""

    def create_marker(self, position: Vec3) -> EntityRef:
        """Make a marker, readable through ``ObjectTransforms`` with yaw 0 and scale 1."""
        ...

    def move_marker(self, ref: EntityRef, position: Vec3) -> bool:
        """Put a marker somewhere else; False if it is gone."""
        ...

    def destroy_marker(self, ref: EntityRef) -> bool:
        """Remove a marker; False if it was gone already."""
        ...


class Speech(Protocol):
    """Say a line."""

    def say(self, speaker: EntityRef, line: str, seconds: float) -> None:
        """A ped says a line, by its key, for so long."""
        ...


class Blows(Protocol):
    """Blows that peds deal each other: real impacts, whatever those come to."""

    def strike(self, by: EntityRef, target: EntityRef, impulse: float) -> None:
        """Hit a ped from where another stands, in kg cm/s."""
        ...


class BodyPart(IntEnum):
    """The bodies of a limp ped in table order (RAG-04)."""

    PELVIS = 0
    CHEST = 1
    HEAD = 2
    LEFT_UPPER_ARM = 3
    LEFT_LOWER_ARM = 4
    RIGHT_UPPER_ARM = 5
    RIGHT_LOWER_ARM = 6
    LEFT_THIGH = 7
    LEFT_SHIN = 8
    RIGHT_THIGH = 9
    RIGHT_SHIN = 10


class LimpPose(NamedTuple):
    """How a limp body lies, seen from above, with the channels that a plan lacks.

    - ``x, y``: the pelvis in cm. ``z``: height of the pelvis above its ground (RAG-07).
    - ``angles``: of the bodies in ``BodyPart`` order, rad; each body's axis points to
      the head in the rest pose.
    - ``extent``: share of the plan lengths (RAG-05). ``tilt``: rad, 0 upright, pi/2 lying.
    - ``roll``: rad, 0 face up, positive on the right side, pi face down (RAG-10).
    """

    x: float
    y: float
    z: float
    angles: tuple[float, ...]
    extent: float
    tilt: float
    roll: float


class FallStart(NamedTuple):
    """How a ped goes limp (RAG-05, RAG-06).

    - ``ground_z``: height of its ground. ``yaw`` and ``speed``: where it faces and how fast
      it goes there. ``impulse``: kg cm/s, ``z`` upwards; ``part`` is what was hit.
    - ``pose``: the pose to go limp in; None is upright, toppling along the impulse.
    """

    x: float
    y: float
    ground_z: float
    yaw: float
    speed: float
    impulse: Vec3
    part: BodyPart
    pose: LimpPose | None = None


class Impact(NamedTuple):
    """A hit as it reaches a ped, in kg cm/s.

    - ``up`` lifts; ``part`` is a body by its name in lower case.
    - ``source``: who is behind it, for those whom the hit ped knocks over in turn.
    - ``force``: it goes through whatever else the ped's movement waits for (RAG-02).
    """

    impulse_xy: tuple[float, float]
    up: float = 0.0
    part: str = "chest"
    source: EntityRef | None = None
    force: bool = False

    @property
    def size(self) -> float:
        """Along the ground."""
        return math.hypot(*self.impulse_xy)

    def plus(self, other: Impact) -> Impact:
        """Both in one: the later one's part and source, unless it names none."""
        (x, y), (other_x, other_y) = self.impulse_xy, other.impulse_xy
        return Impact(
            (x + other_x, y + other_y),
            self.up + other.up,
            other.part,
            self.source if other.source is None else other.source,
            self.force or other.force,
        )


class BodyState(NamedTuple):
    """A limp body after the last physics step.

    - Velocities in cm/s, ``pelvis_spin`` in rad/s; ``vz`` belongs to ``pose.z``.
    - ``steps``: how many physics steps it has been through.
    - ``finite``: every number of every body is.
    """

    pose: LimpPose
    chest: tuple[float, float]
    head: tuple[float, float]
    pelvis_velocity: tuple[float, float]
    chest_velocity: tuple[float, float]
    pelvis_spin: float
    vz: float
    steps: int
    finite: bool


class BodyCheck(NamedTuple):
    """What a simulation says of the pelvis it has just been given (RAG-03)."""

    in_space: bool
    is_dynamic: bool
    mass_kg: float


class BodySim(Protocol):
    """The simulation of limp bodies, by ped slot; at most one body a slot."""

    def go_limp(self, slot: int, start: FallStart) -> None:
        """Add the bodies of a ped."""
        ...

    def check(self, slot: int) -> BodyCheck:
        """Is the pelvis really simulated?"""
        ...

    def hit(self, slot: int, impulse: Vec3, part: BodyPart) -> None:
        """Hit a limp body, kg cm/s (REC-17)."""
        ...

    def state(self, slot: int) -> BodyState:
        """Where the body is; raises ``LookupError`` if the slot has none."""
        ...

    def release(self, slot: int) -> bool:
        """Take bodies and joints out, once (RAG-13); False if there are none."""
        ...
