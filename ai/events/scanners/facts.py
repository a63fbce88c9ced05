"""The facts of a step that scanners look at, and the port through which they come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ai.ports import EntityRef, Vec3

if TYPE_CHECKING:
    from ai.events.subject import EventPed

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]


@dataclass(slots=True)
class PedRows:
    """All peds that are there, in ascending id; every array has shape (n,).

    - Places in cm, ``yaw`` in rad, velocities and speeds in cm/s as the last step moved them.
    - ``detail``: the AI LOD's, 0 near, 1 medium, 2 far. ``is_down``: lying or rising.
    - ``wanted_speed``: what the present movement wishes; ``excused``: it turns, is held or
      has a live goal, whose own timers tell a jam (EVT-49). ``is_held``: by a command.
    - ``on_path``: it walks a path, whose update deals with what stands (EVT-42).
    - ``is_player``: nobody but the player moves that one.
    """

    peds: Sequence[EventPed]
    ids: Ints
    x: Floats
    y: Floats
    yaw: Floats
    vx: Floats
    vy: Floats
    speed: Floats
    detail: Ints
    wanted_speed: Floats
    excused: Flags
    is_held: Flags
    on_path: Flags
    is_down: Flags
    is_player: Flags

    def place(self, row: int) -> Vec3:
        """Where the ped of a row is."""
        return Vec3(self.x.item(row), self.y.item(row))


class Fire(NamedTuple):
    """Something burns within ``radius_cm`` of ``at``; ``source`` is what burns, if any."""

    fire_id: int
    at: Vec3
    radius_cm: float
    source: EntityRef | None = None


class SoundKind(Enum):
    """What a sound is taken for."""

    BANG = auto()
    FOOTSTEP = auto()
    BREAKAGE = auto()


class Sound(NamedTuple):
    """A sound of this step, heard within ``radius_cm``, less behind walls."""

    sound_id: int
    kind: SoundKind
    at: Vec3
    radius_cm: float
    source: EntityRef | None = None
    loudness: float = 1.0


class Flight(NamedTuple):
    """The way of a thrown or shot thing in this step; ``landed`` is where it struck, if it did."""

    start: Vec3
    end: Vec3
    speed_cm_s: float
    source: EntityRef | None = None
    landed: Vec3 | None = None


class Contact(NamedTuple):
    """Something touched a ped lightly; ``other`` is None for what is fixed."""

    ped: EntityRef
    other: EntityRef | None


class Lying(NamedTuple):
    """A ped on the ground for ``down_s``."""

    ref: EntityRef
    at: Vec3
    down_s: float
    is_dead: bool


class Armed(NamedTuple):
    """A ped with a weapon in hand, at ``row``; ``aims_rad`` is None while it aims at nobody."""

    ref: EntityRef
    row: int
    aims_rad: float | None


class Obstacle(NamedTuple):
    """A thing at rest near a ped: a disc, or with ``half_size`` an oriented box."""

    object_id: int
    ref: EntityRef
    at: Vec3
    radius_cm: float
    yaw_rad: float = 0.0
    half_size: tuple[float, float] | None = None


class MovingVehicle(NamedTuple):
    """A vehicle under way: a box whose long side lies along ``yaw_rad``."""

    ref: EntityRef
    object_id: int
    at: Vec3
    velocity: tuple[float, float]
    yaw_rad: float
    half_length_cm: float
    half_width_cm: float


class ScanWorld(Protocol):
    """What scanners ask of a world; all answers are of the present step and change nothing."""

    def rows(self) -> PedRows:
        """Everybody."""
        ...

    def walls_between(self, one: Vec3, other: Vec3) -> int:
        """Static shapes higher than the eye on the line, counted up to the tuned number."""
        ...

    def path_ahead(self, row: int) -> Sequence[Vec3]:
        """The corners still ahead of the ped of a row; empty if it walks no path."""
        ...

    def things_near(self, at: Vec3, reach_cm: float) -> Sequence[Obstacle]:
        """Props and vehicles at rest near a place, nearest first, a bounded number."""
        ...

    def moving_vehicles(self) -> Sequence[MovingVehicle]:
        """Vehicles under way, by object id."""
        ...

    def lying(self) -> Sequence[Lying]:
        """Whoever lies on the ground, by ped id."""
        ...

    def armed(self) -> Sequence[Armed]:
        """Whoever has a weapon in hand, by ped id."""
        ...

    def heights(self, rows: Ints) -> Floats:
        """Heights of the feet of the peds of these rows over the ground, cm."""
        ...
