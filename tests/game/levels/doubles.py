"""A world small enough to steer by hand: what cues act on and expectations look at."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from ai.behaviours.order_record import OrderStatus
from ai.events.types import EventType
from ai.motion.movement_table import ClipPhase, MoveReason, MoveStatus, SpeedMode, SuspendReason
from ai.motion.recovery.phases import RecoveryPhase
from ai.ports import ObjectTransform, Vec3
from ai.tasks.task_types import TaskType
from game.levels.cue_forms import Cue
from game.levels.cues import CueRunner
from game.levels.expectation_forms import Expectation
from game.levels.expectations import ExpectationWatch
from game.world.description import PedDescription, ThingDescription
from tests.game.levels.maps import vocabulary


def fake_order(**changes: Any) -> SimpleNamespace:
    """An order record with the fields that levels read."""
    values: dict[str, Any] = {
        "status": OrderStatus.TRAVELLING,
        "session": 1,
        "instruction_count": 1,
        "failure_count": 0,
        "last_failure": None,
        "resample_count": 0,
        "goal": Vec3(100.0, 0.0),
    }
    return SimpleNamespace(**(values | changes))


def fake_movement(**changes: Any) -> SimpleNamespace:
    """A movement record with the fields that levels read."""
    values: dict[str, Any] = {
        "position": Vec3(0.0, 0.0),
        "yaw": 0.0,
        "goal": Vec3(100.0, 0.0),
        "path": (),
        "corner": 0,
        "status": MoveStatus.WALKING,
        "reason": MoveReason.NONE,
        "speed_mode": SpeedMode.WALK,
        "generation": 1,
        "retry_count": 0,
        "replans_total": 0,
        "stale_replies": 0,
        "blocked_time": 0.0,
        "measured_speed": 130.0,
        "travelled": 0.0,
        "command_hold": False,
        "stand_until": None,
        "suspend": SuspendReason.NONE,
        "clip": SimpleNamespace(phase=ClipPhase.LOOP, clip_time=0.25),
    }
    return SimpleNamespace(**(values | changes))


def fake_ped(order: SimpleNamespace | None = None, **movement: Any) -> Any:
    """A ped with an order and a movement record."""
    if order is None:
        order = fake_order(status=OrderStatus.NOT_STARTED, session=0, instruction_count=0)
    recovery = SimpleNamespace(
        phase=RecoveryPhase.PHYSICS,
        session=3,
        age=0.5,
        stable_time=0.25,
        blend_time=0.0,
        hit_count=2,
    )
    return SimpleNamespace(
        order=order,
        movement=fake_movement(**movement),
        recovery=recovery,
        tasks=SimpleNamespace(tree=lambda _: FAKE_TREE),
        events=FAKE_EVENTS,
        health=SimpleNamespace(value=1.0),
        brain=None,
    )


_STAND = SimpleNamespace(task_type=TaskType.STAND)
FAKE_TREE = SimpleNamespace(active_root=_STAND, leaf=lambda: _STAND)
"""Every tree of a fake ped: it stands."""

FAKE_EVENTS = SimpleNamespace(
    history=SimpleNamespace(
        current=SimpleNamespace(event=SimpleNamespace(event_type=EventType.DAMAGE))
    ),
    group=[SimpleNamespace()],
)
"""A fake ped answers a hit while something else waits."""


@dataclass
class FakeWorld:
    """Eyes and hands in one; ``calls`` lists what cues had done, in order."""

    peds: dict[str, Any] = field(default_factory=dict)
    poses: dict[str, ObjectTransform] = field(default_factory=dict)
    solid: bool = False
    calls: list[tuple[Any, ...]] = field(default_factory=list)
    refusal: str | None = None

    def ped(self, name: str) -> Any:
        return self.peds.get(name)

    def pose(self, name: str) -> ObjectTransform | None:
        return self.poses.get(name)

    def nearest_ped_cm(self, name: str) -> float | None:
        return None if len(self.peds) < 2 else 70.0

    def people(self) -> int:
        return len(self.peds)

    def things(self) -> int:
        return len(self.poses)

    def fingerprint(self) -> str:
        return "0123abcd"

    def body_free(self, position: Vec3) -> bool:
        return not self.solid

    def _note(self, *call: Any) -> str | None:
        self.calls.append(call)
        return self.refusal

    def order_start_object(
        self, cue: str, ped: str, target: str, offset: Vec3, source: str, track: bool
    ) -> str | None:
        tracks = ("track",) if track else ()
        return self._note("start", cue, ped, target, offset, source, *tracks)

    def order_start_point(self, cue: str, ped: str, point: Vec3, source: str) -> str | None:
        return self._note("start at", cue, ped, point, source)

    def order_hold(self, cue: str, ped: str) -> str | None:
        return self._note("hold", cue, ped)

    def order_continue(self, cue: str, ped: str) -> str | None:
        return self._note("continue", cue, ped)

    def order_redirect_object(
        self, cue: str, ped: str, target: str, offset: Vec3, track: bool
    ) -> str | None:
        tracks = ("track",) if track else ()
        return self._note("redirect", cue, ped, target, offset, *tracks)

    def order_redirect_point(self, cue: str, ped: str, point: Vec3) -> str | None:
        return self._note("redirect to", cue, ped, point)

    def order_cancel(self, cue: str, ped: str) -> str | None:
        return self._note("cancel", cue, ped)

    def thing_spawn(self, thing: ThingDescription, over: str | None) -> str | None:
        return self._note("spawn", thing) if over is None else self._note("spawn", thing, over)

    def impact(
        self, ped: str, impulse: float, heading_rad: float, up: float, part: str
    ) -> str | None:
        return self._note("impact", ped, impulse, heading_rad, up, part)

    def blast(self, at: Vec3, strength: float, radius_cm: float | None) -> None:
        self._note("blast", at, strength, radius_cm)

    def fire_light(
        self, position: Vec3, radius_cm: float, burns_s: float | None, spreads: bool
    ) -> None:
        self._note("fire_light", position, radius_cm, burns_s, spreads)

    def fire_burn(self, name: str) -> str | None:
        self._note("fire_burn", name)
        return None

    def fire_out(self, position: Vec3 | None, radius_cm: float) -> None:
        self._note("fire_out", position, radius_cm)

    def wind(self, x: float, y: float) -> None:
        self._note("wind", x, y)

    def bang(self, position: Vec3 | None, ped: str | None, radius_cm: float) -> str | None:
        return self._note("bang", position, ped, radius_cm)

    def weapon(self, ped: str, state: str) -> str | None:
        return self._note("weapon", ped, state)

    def shock(
        self, kind: str, position: Vec3 | None, ped: str | None, target: str | None
    ) -> str | None:
        return self._note("shock", kind, position, ped, target)

    def ped_shove(self, ped: str, impulse: float | None) -> str | None:
        return self._note("shove", ped, impulse)

    def machine_request(self, ped: str, state: str) -> str | None:
        return self._note("machine", ped, state)

    def thing_remove(self, name: str) -> str | None:
        return self._note("remove", name)

    def thing_move(self, name: str, position: Vec3, yaw_rad: float | None) -> str | None:
        return self._note("move", name, position, yaw_rad)

    def vehicle_move(self, name: str, position: Vec3, speed_cm_s: float) -> str | None:
        return self._note("drive", name, position, speed_cm_s)

    def ped_spawn(self, ped: PedDescription) -> str | None:
        return self._note("spawn ped", ped)

    def ped_remove(self, name: str) -> str | None:
        return self._note("remove ped", name)

    def script_command(self, ped: str, task: Any, source: str) -> str | None:
        return self._note("command", ped, task.kind, source)

    def script_sequence(self, ped: str, tasks: Any, source: str, repeat: bool) -> str | None:
        return self._note("sequence", ped, [task.kind for task in tasks], source, repeat)

    def caption(self, text: str, duration_s: float) -> None:
        self._note("caption", text, duration_s)

    def camera_move(self, position: Vec3, zoom_px_per_cm: float | None, over_s: float) -> None:
        self._note("camera", position, zoom_px_per_cm, over_s)


def cue_runner(*cues: Cue, seed: int = 0) -> CueRunner:
    """The cues of a level, over the shipped kinds of things."""
    return CueRunner(cues, vocabulary().things, random.Random(seed))


def watch(
    world: FakeWorld, *expectations: Expectation, cues: CueRunner | None = None, duration_s: float
) -> ExpectationWatch:
    """The expectations of a level over a fake world, whose peds are everybody."""
    runner = cue_runner() if cues is None else cues
    return ExpectationWatch(expectations, duration_s, runner, world, tuple(world.peds))
