"""Peds on plain ground with the real movement system around the walk update (W3 to W6)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ai.motion.clip_library import ClipLibrary
from ai.motion.clip_state import ClipState, read_clip_state, write_clip_state
from ai.motion.clip_tuning import ClipTuning
from ai.motion.coordination import Coordination
from ai.motion.execution import MoveExecution
from ai.motion.locomotion import WalkUpdate
from ai.motion.locomotion_tuning import LocomotionTuning
from ai.motion.movement_system import MovementSystem
from ai.motion.movement_table import (
    MovementTable,
    MoveOwner,
    MoveStatus,
    SpeedMode,
    StepOutcome,
)
from ai.motion.path_hand_off import PathHandOff
from ai.motion.retry_policy import RetryPolicy
from ai.navigation.navigation_tuning import NavigationTuning
from ai.ports import STEP_S, Vec3
from ai.tuning import load_own_form
from tests.ai.motion.movement_doubles import FactList, ManualClock
from tests.ai.motion.plain_world import FocusAt, PlainClearance, PlainGround, StraightPaths, box

ASSETS = Path(__file__).resolve().parents[3] / "assets"
WALK_SPEED = 130.0
RUN_SPEED = 330.0
OWNER = MoveOwner(task_type=1, source=None, tag=1)


@cache
def clip_library() -> ClipLibrary:
    """The shipped clips, loaded once for all tests."""
    return ClipLibrary.load(ASSETS, load_own_form(ASSETS / "tuning" / "clips.toml", ClipTuning))


@cache
def locomotion_tuning() -> LocomotionTuning:
    return load_own_form(ASSETS / "tuning" / "locomotion.toml", LocomotionTuning)


@cache
def navigation_tuning() -> NavigationTuning:
    return load_own_form(ASSETS / "tuning" / "navigation.toml", NavigationTuning)


def wide_ground() -> PlainGround:
    """Level ground of 100 m by 100 m about the origin."""
    return PlainGround.of(box(0.0, 0.0, 10_000.0, 10_000.0))


class WalkWorld:
    """A movement system with its walk phases; ``tick`` runs one step of them."""

    def __init__(
        self,
        *,
        ground: PlainGround | None = None,
        clearance: PlainClearance | None = None,
        focus: Vec3 = Vec3(0.0, 0.0),
        capacity: int = 8,
        force_scalar: bool = False,
        tuning: LocomotionTuning | None = None,
    ) -> None:
        self.table = MovementTable(capacity)
        self.clock = ManualClock()
        self.facts = FactList()
        self.paths = StraightPaths()
        self.clips = clip_library()
        self.clearance = clearance or PlainClearance()
        self.ground = ground or wide_ground()
        self.view = FocusAt(focus)
        self.system = MovementSystem(
            table=self.table,
            service=self.paths,  # type: ignore[arg-type]
            clips=self.clips,
            tuning=navigation_tuning(),
            clock=self.clock,
            facts=self.facts,
        )
        self.coordination = Coordination(self.system)
        self.hand_off = PathHandOff(self.system)
        self.walk = WalkUpdate(
            self.system,
            RetryPolicy(self.system),
            self.ground,
            self.clearance,
            self.view,
            tuning or locomotion_tuning(),
            force_scalar=force_scalar,
        )
        self.peds: list[WalkingPed] = []

    def spawn(
        self,
        x: float,
        y: float,
        *,
        yaw_deg: float = 0.0,
        profile: str | None = "walk",
        speed: float = WALK_SPEED,
    ) -> WalkingPed:
        slot = len(self.peds)
        index = -1 if profile is None else self.clips.index(profile)
        height = self.ground.project(x, y, 1e9)
        z = height.z if height is not None else 0.0
        record = self.system.spawn(slot, slot + 1, Vec3(x, y, z), math.radians(yaw_deg), index)
        record.desired_speed = speed
        ped = WalkingPed(self, slot, record)
        self.peds.append(ped)
        self.table.begin_step()
        return ped

    def tick(self, count: int = 1, dt_s: float = STEP_S) -> None:
        for _ in range(count):
            self.table.begin_step()
            self.coordination.coordinate()
            self.walk.step(dt_s)
            self.hand_off.step()
            self.coordination.coordinate()
            self.clock.step += 1


@dataclass
class WalkingPed:
    """A ped of a ``WalkWorld`` as its tests see it."""

    world: WalkWorld
    slot: int
    record: MoveExecution

    @property
    def row(self) -> int:
        return self.record.row

    @property
    def xy(self) -> tuple[float, float]:
        table = self.world.table
        return float(table.x[self.slot]), float(table.y[self.slot])

    @property
    def yaw_deg(self) -> float:
        return math.degrees(float(self.world.table.yaw[self.slot]))

    @property
    def clip(self) -> ClipState:
        return read_clip_state(self.world.table, self.row)

    @clip.setter
    def clip(self, state: ClipState) -> None:
        write_clip_state(self.world.table, self.row, state)

    @property
    def outcome(self) -> StepOutcome:
        return StepOutcome(int(self.world.table.outcome[self.row]))

    @property
    def status(self) -> MoveStatus:
        return self.record.status

    def request(self, *points: tuple[float, float], mode: SpeedMode = SpeedMode.WALK) -> None:
        """Ask for the last point as goal; the path found will be these points."""
        way = tuple(Vec3(x, y, 0.0) for x, y in points)
        self.world.paths.lay(self.row, *way)
        self.record.request_goal(way[-1], mode, OWNER)

    def walk(self, *points: tuple[float, float]) -> None:
        """``request``, with the path installed by the time this returns: W4 comes next."""
        self.request(*points)
        self.world.hand_off.step()
        self.world.hand_off.step()
        assert self.record.path_usable

    def moved(self, ticks: int = 1, dt_s: float = STEP_S) -> float:
        """Run ticks; how far the ped is from where it was."""
        before = self.xy
        self.world.tick(ticks, dt_s)
        return math.dist(before, self.xy)

    def run_until(self, status: MoveStatus, ticks: int) -> int:
        """Run until the record has this status; how many ticks that took."""
        for count in range(ticks):
            if self.status is status:
                return count
            self.world.tick()
        raise AssertionError(f"no {status.name} in {ticks} ticks: {self.status.name} at {self.xy}")
