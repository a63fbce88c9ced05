"""A body simulation that does what a test tells it, and a street's recovery over it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from ai.behaviours.body_tasks import DirectBodyTasks
from ai.motion.recovery.knock_downs import KnockDowns
from ai.motion.recovery.phases import RecoveryPhase, RecoveryRecord
from ai.motion.recovery.recovery import Recovery
from ai.motion.recovery.standing_room import StandingRoom
from ai.peds.ped import Ped
from ai.ports import BodyCheck, BodyPart, BodyState, FallStart, LimpPose, Vec3
from game.world.world import World

HIT = (15000.0, 0.0)
SIMULATED = BodyCheck(in_space=True, is_dynamic=True, mass_kg=12.0)


@dataclass
class StubBody:
    """One limp body: lies where it is put, still, face up, head to the east."""

    x: float
    y: float
    z: float = 0.0
    vz: float = 0.0
    pelvis: tuple[float, float] = (0.0, 0.0)
    chest: tuple[float, float] = (0.0, 0.0)
    spin: float = 0.0
    roll: float = 0.0
    spine: float = 0.0
    steps: int = 0
    finite: bool = True


@dataclass
class StubSim:
    """Keeps bodies by slot; ``ready`` is what the pelvis reports when it is added."""

    ready: BodyCheck = SIMULATED
    bodies: dict[int, StubBody] = field(default_factory=dict)
    starts: list[FallStart] = field(default_factory=list)
    hits: list[Vec3] = field(default_factory=list)
    releases: int = 0
    steps_space: bool = True

    def go_limp(self, slot: int, start: FallStart) -> None:
        assert slot not in self.bodies, "two bodies of one ped"
        self.starts.append(start)
        self.bodies[slot] = StubBody(start.x, start.y)

    def check(self, slot: int) -> BodyCheck:
        assert slot in self.bodies
        return self.ready

    def hit(self, slot: int, impulse: Vec3, part: BodyPart) -> None:
        self.hits.append(impulse)

    def state(self, slot: int) -> BodyState:
        body = self.bodies[slot]
        along = math.cos(body.spine), math.sin(body.spine)
        pose = LimpPose(body.x, body.y, body.z, (body.spine,) * 11, 1.0, 0.5 * math.pi, body.roll)
        return BodyState(
            pose,
            (body.x + 32.5 * along[0], body.y + 32.5 * along[1]),
            (body.x + 72.0 * along[0], body.y + 72.0 * along[1]),
            body.pelvis,
            body.chest,
            body.spin,
            body.vz,
            body.steps,
            body.finite,
        )

    def release(self, slot: int) -> bool:
        self.releases += slot in self.bodies
        return self.bodies.pop(slot, None) is not None

    def step(self) -> None:
        """What physics does in a step, as far as anybody can tell."""
        for body in self.bodies.values():
            body.steps += self.steps_space


class StubbedRecovery:
    """A world whose bodies are the stub's: the rest of it is real."""

    def __init__(self, world: World, tasks: object | None = None) -> None:
        self.world = world
        self.sim = StubSim()
        data = world.data
        self.room = StandingRoom(
            world.table,
            world.surface,
            world.clearance,
            data.knockdown.ground,
            data.knockdown.stand,
            data.locomotion.ped_radius,
        )
        self.recovery = Recovery(
            world.movement,
            world.coordination,
            self.sim,
            self.room,
            DirectBodyTasks() if tasks is None else tasks,  # type: ignore[arg-type]
            data.knockdown,
            world.facts,
        )
        self.knock_downs = KnockDowns(world.movement, self.recovery, data.knockdown, world.facts)
        world.recovery = self.recovery
        world.knock_downs = self.knock_downs
        services = world.peds.in_id_order()[0].services
        services.recovery, services.knock_downs = self.recovery, self.knock_downs

    def step(self, count: int = 1) -> None:
        """Whole steps of the world; the stub's bodies have been through physics in each."""
        for _ in range(count):
            self.world.step()
            self.sim.step()

    def fell(self, ped: Ped, impulse: tuple[float, float] = HIT) -> RecoveryRecord:
        """Knock a ped down and make the step in which its body is taken over."""
        reply = self.knock_downs.request(ped, impulse)
        assert reply == 0, reply
        self.step()
        record = ped.recovery
        assert record is not None
        assert record.phase is RecoveryPhase.PHYSICS
        return record

    def body(self, ped: Ped) -> StubBody:
        """The stub's body of a ped."""
        return self.sim.bodies[ped.slot]

    def until(self, ped: Ped, phase: RecoveryPhase, most: int = 400) -> int:
        """Step until a phase; returns how many steps it took."""
        for count in range(most):
            if self.recovery.phase(ped.slot) is phase:
                return count
            self.step()
        raise AssertionError(f"not {phase.name} within {most} steps")
