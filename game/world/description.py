"""A level as plain data: what the loader of ``game/levels`` hands to the world.

Everything stands in map units (cm, rad) with centre poses (ORD-08): a map
editor's corners, flips and tile anchors are already resolved. Object ids are the
map's own, unique in the level; a ped's map id is its ped id (product.md section 2).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ai.events.decision_data import DecisionData
from ai.ports import Circle, Polygon, Vec3


@dataclass(frozen=True, slots=True)
class SurfaceDescription:
    """A walkable or forbidden patch of ground (NAV-27); later ones win where they overlap."""

    object_id: int
    kind: str
    outline: Polygon
    height_cm: float = 0.0


@dataclass(frozen=True, slots=True)
class ThingDescription:
    """A static obstacle, a prop or a vehicle.

    - ``kind`` is a key of ``assets/tuning/things.toml`` and gives category, size,
      height, mass, material and nav where the map states none.
    - ``outline`` is in the thing's local frame (centre at 0, unrotated, unscaled).
    - ``scale`` may be negative (mirrored), never 0.
    """

    object_id: int
    name: str
    kind: str
    position: Vec3
    yaw_rad: float
    outline: Circle | Polygon
    scale: Vec3 = Vec3(1.0, 1.0, 1.0)
    z_low_cm: float = 0.0
    z_high_cm: float = 100.0
    mass_kg: float = 0.0
    nav_block: bool = True
    options: dict[str, str | float | int | bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PedDescription:
    """A ped that the level places.

    - ``default_task`` is a value of TASK-73 (``"stand"``, ``"wander"``, ...) or empty.
    - ``model`` is a key of ``assets/tuning/ped_models.toml``.
    - ``behaviour`` is a name of ``assets/behaviour``, or empty; ``route`` names a marker with
      the points of its patrol.
    """

    object_id: int
    name: str
    position: Vec3
    yaw_rad: float = 0.0
    model: str = "ordinary"
    default_task: str = ""
    outfit: str = ""
    walk_speed_cm_s: float = 130.0
    behaviour: str = ""
    route: str = ""
    options: dict[str, str | float | int | bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MarkerDescription:
    """A named point or polyline (patrol route) of the map."""

    object_id: int
    name: str
    points: tuple[Vec3, ...]


@dataclass(frozen=True, slots=True)
class ZoneDescription:
    """A named area of the map."""

    object_id: int
    name: str
    kind: str
    outline: Polygon


@dataclass(frozen=True, slots=True)
class CameraDescription:
    """Where a level's camera starts; its centre is also the focus while there is no player."""

    x: float
    y: float
    zoom_px_per_cm: float = 0.6
    pitch_deg: float = 55.0


@dataclass(frozen=True, slots=True)
class GroundTile:
    """One ground tile's picture: which tile of which image stands in a cell (drawing only)."""

    column: int
    row: int
    kind: str


@dataclass(frozen=True, slots=True)
class LevelDescription:
    """One level: the map and the scene data of ``level.toml`` that the world needs.

    ``wind`` is the way that air moves, in cm/s.
    """

    name: str
    title: str
    width_cm: float
    height_cm: float
    seed: int
    camera: CameraDescription
    time_of_day: str = "day"
    description: str = ""
    surfaces: tuple[SurfaceDescription, ...] = ()
    obstacles: tuple[ThingDescription, ...] = ()
    props: tuple[ThingDescription, ...] = ()
    vehicles: tuple[ThingDescription, ...] = ()
    peds: tuple[PedDescription, ...] = ()
    markers: tuple[MarkerDescription, ...] = ()
    zones: tuple[ZoneDescription, ...] = ()
    ground: tuple[GroundTile, ...] = ()
    decisions: DecisionData | None = None
    workbench: str = ""
    wind: tuple[float, float] = (0.0, 0.0)
