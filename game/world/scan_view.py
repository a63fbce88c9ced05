"""The world as scanners look at it: fills ``ai.events.scanners.facts.ScanWorld``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from ai.events.scanners.facts import (
    Armed,
    Floats,
    Ints,
    Lying,
    MovingVehicle,
    Obstacle,
    PedRows,
)
from ai.motion.movement_table import ClipPhase, MoveStatus
from ai.motion.recovery.phases import DOWN, LIMP
from ai.peds.weapons import Weapon
from ai.ports import EntityKind, Vec3
from game.world.event_view import EYE_HIGH_CM, RAY_RADIUS_CM
from game.world.outlines import bounding_radius, bounds_of
from game.world.things import VX, Thing

if TYPE_CHECKING:
    from ai.events.scanners.tuning import ScannerTuning
    from game.world.world import World

_LIVE: Final = (int(MoveStatus.WAITING_PATH), int(MoveStatus.WALKING))
_TURNING: Final = int(ClipPhase.TURN)
_VELOCITY: Final = slice(VX, VX + 2)


class ScanView:
    """Answers of the present step; ``rows`` is gathered once for all scanners of it."""

    def __init__(self, world: World, tuning: ScannerTuning) -> None:
        self._world = world
        self._eye_low = tuning.senses.hides_above_cm
        self._walls_max = tuning.senses.walls_max
        self._candidates_max = tuning.candidates_max
        self._rows: PedRows | None = None
        self._rows_step = -1
        self._things: tuple[Thing, ...] = ()
        self._vehicles: tuple[Thing, ...] = ()

    def rows(self) -> PedRows:
        """Everybody, as the last step left them."""
        world = self._world
        if self._rows is None or self._rows_step != world.clock.step:
            self._rows = self._gather()
            self._rows_step = world.clock.step
        return self._rows

    def _gather(self) -> PedRows:
        world, table = self._world, self._world.table
        slots = table.slots_in_id_order()
        records = table.active_record[slots]
        vx, vy = table.velocity_x[slots], table.velocity_y[slots]
        held = table.command_hold[records]
        live = np.isin(table.status[records], _LIVE)
        turning = table.clip_phase[records] == _TURNING
        down = [record.ped.slot for record in world.recovery.in_id_order() if record.phase in DOWN]
        player = world.peds.local_player
        return PedRows(
            peds=world.peds.in_id_order(),
            ids=table.ped_id[slots],
            x=table.x[slots],
            y=table.y[slots],
            yaw=table.yaw[slots],
            vx=vx,
            vy=vy,
            speed=np.hypot(vx, vy),
            detail=world.ai_lod.details(slots),
            wanted_speed=table.desired_speed[records],
            excused=held | live | turning | (table.suspend[records] != 0),
            is_held=held,
            on_path=live & table.path_usable[records],
            is_down=np.isin(slots, down),
            is_player=slots == (-1 if player is None else player.slot),
        )

    def walls_between(self, one: Vec3, other: Vec3) -> int:
        """Solid shapes higher than the eye on the line, counted up to the tuned number."""
        return self._world.clearance.count_on_way(
            one.x, one.y, other.x, other.y, RAY_RADIUS_CM, self._eye_low, EYE_HIGH_CM,
            self._walls_max,
        )  # fmt: skip

    def path_ahead(self, row: int) -> Sequence[Vec3]:
        """The corners still ahead; empty without a usable path."""
        table = self._world.table
        record = table.active_record.item(table.slots_in_id_order().item(row))
        if table.status.item(record) not in _LIVE or not table.path_usable.item(record):
            return ()
        return table.paths[record][table.corner.item(record) :]

    def things_near(self, at: Vec3, reach_cm: float) -> Sequence[Obstacle]:
        """Solid props and vehicles at rest whose outline may lie within reach, nearest first."""
        things = self._world.things
        near: list[tuple[float, int, Obstacle]] = []
        for thing in things.in_id_order():
            if not thing.solid or not (thing.dynamic or thing.ref.kind is EntityKind.VEHICLE):
                continue
            x, y, yaw = things.state[thing.ref.slot, :VX].tolist()
            radius = bounding_radius(thing.outline)
            distance = math.hypot(x - at.x, y - at.y) - radius
            if distance <= reach_cm and not things.in_motion(thing):
                half = None if thing.dynamic else _half_size(thing)
                found = Obstacle(thing.object_id, thing.ref, Vec3(x, y), radius, yaw, half)
                near.append((distance, thing.object_id, found))
        near.sort(key=lambda one: one[:2])
        return [one[2] for one in near[: self._candidates_max]]

    def moving_vehicles(self) -> Sequence[MovingVehicle]:
        """Vehicles that have a velocity."""
        things = self._world.things
        if things.in_id_order() is not self._things:
            self._things = things.in_id_order()
            self._vehicles = tuple(
                one for one in self._things if one.ref.kind is EntityKind.VEHICLE
            )
        found = []
        for thing in self._vehicles:
            row = things.state[thing.ref.slot]
            if row[_VELOCITY].any():
                x, y, yaw, vx, vy, _ = row.tolist()
                half_x, half_y = _half_size(thing)
                long = abs(math.sin(math.radians(thing.kind.forward_deg))) > 0.5
                found.append(
                    MovingVehicle(
                        thing.ref,
                        thing.object_id,
                        Vec3(x, y),
                        (vx, vy),
                        yaw + math.radians(thing.kind.forward_deg),
                        half_y if long else half_x,
                        half_x if long else half_y,
                    )
                )
        return found

    def lying(self) -> Sequence[Lying]:
        """Limp bodies, and the dead."""
        found = {}
        for record in self._world.recovery.in_id_order():
            ped = self._world.peds.in_slot(record.ped.slot)
            if ped is not None and record.phase in LIMP:
                found[ped.ped_id] = Lying(ped.ref, ped.position, record.age, ped.is_dead)
        for ped in self._world.peds.in_id_order():
            if ped.is_dead and ped.ped_id not in found:
                found[ped.ped_id] = Lying(ped.ref, ped.position, 0.0, is_dead=True)
        return [found[ped_id] for ped_id in sorted(found)]

    def armed(self) -> Sequence[Armed]:
        """Whoever has a weapon out; it is aimed along the facing."""
        return [
            Armed(ped.ref, row, ped.yaw if ped.weapon is Weapon.AIMED else None)
            for row, ped in enumerate(self._world.peds.in_id_order())
            if ped.weapon is not Weapon.NONE
        ]

    def heights(self, rows: Ints) -> Floats:
        """Over the ground where that is surely known, 0 elsewhere."""
        table = self._world.table
        slots = table.slots_in_id_order()[rows]
        ground, _ = self._world.surface.ground_inside(table.x[slots], table.y[slots])
        heights: Floats = np.nan_to_num(table.z[slots] - ground, nan=0.0)
        return heights


def _half_size(thing: Thing) -> tuple[float, float]:
    x_min, y_min, x_max, y_max = bounds_of(thing.outline)
    return (x_max - x_min) / 2.0, (y_max - y_min) / 2.0
