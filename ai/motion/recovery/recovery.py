"""The recovery of every body that is down: phase 5 (W1) of a step (REC-01 to REC-25).

The record is the authority over a body; the tasks that stand for it (``BodyTasks``)
mirror it. Records are few, so they are objects, looked after in ped-id order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ai.faults import faults
from ai.motion.claims import ClaimOwner
from ai.motion.coordination import Coordination
from ai.motion.movement_system import MovementSystem
from ai.motion.movement_table import PositionWriter, SuspendReason
from ai.motion.recovery.falling import (
    UPRIGHT_TILT_RAD,
    fall_roll,
    fall_way,
    toppling_pose,
)
from ai.motion.recovery.limp_figure import LimpFigure
from ai.motion.recovery.phases import DOWN, LIMP, Fallible, PhaseReason, RecoveryPhase
from ai.motion.recovery.phases import RecoveryRecord as Record
from ai.motion.recovery.rise_poses import RisePoses
from ai.motion.recovery.rising import (
    Floats,
    PoseSnapshot,
    Root,
    animation_weight,
    lying_pose,
    mixed,
    rebased,
    spine_angle,
    standing_yaw,
)
from ai.motion.recovery.standing_room import LyingSpots, StandingRoom
from ai.motion.recovery.tuning import KnockdownTuning
from ai.ports import (
    BodyPart,
    BodySim,
    BodyState,
    EntityRef,
    FactSink,
    FallStart,
    LimpPose,
    Vec3,
    at_least,
)

_BODY = SuspendReason.BODY
_OWNER = ClaimOwner.RECOVERY


class BodyTasks(Protocol):
    """What stands in a ped's trees for its body; registered by ``ai/behaviours`` (REC-23)."""

    def body_taken(self, ped: Fallible) -> None:
        """The body went limp, for the first time or again."""
        ...

    def body_rising(self, ped: Fallible, session: int) -> None:
        """Physics has ended; the body gets up."""
        ...

    def body_complete(self, ped: Fallible) -> None:
        """The ped stands: its tasks go on in this very step."""
        ...

    def keep(self, ped: Fallible) -> None:
        """Called in each step of a body that is down: a task must stand for it."""
        ...


class Recovery:
    """Every recovery session of a world.

    Invariants, for each ped slot:

    - BODY is set, and the claim under the record's session held, exactly in the phases
      PHYSICS, WAITING_FOR_SPACE and BLENDING.
    - The simulation has bodies of the ped exactly in PHYSICS and WAITING_FOR_SPACE.
    - ``session`` rises with every body that goes limp and is never used twice.
    """

    def __init__(
        self,
        system: MovementSystem,
        coordination: Coordination,
        sim: BodySim,
        room: StandingRoom,
        tasks: BodyTasks,
        tuning: KnockdownTuning,
        facts: FactSink,
    ) -> None:
        self._system = system
        self._table = system.table
        self._coordination = coordination
        self._sim = sim
        self._room = room
        self._tasks = tasks
        self._tuning = tuning
        self._facts = facts
        self._figure = LimpFigure(system.clips.rig)
        self._rise_poses = RisePoses(system.clips, tuning.rise.blend_time)
        self._records: dict[int, Record] = {}
        self._session = 0

    # -- reading -----------------------------------------------------------------

    def record(self, slot: int) -> Record | None:
        """The session of a slot's ped, or None if its body is its own."""
        return self._records.get(slot)

    def phase(self, slot: int) -> RecoveryPhase:
        """The recovery phase of a slot's ped."""
        record = self._records.get(slot)
        return RecoveryPhase.INACTIVE if record is None else record.phase

    def is_limp(self, slot: int) -> bool:
        """True while physics has the ped's body."""
        return self.phase(slot) in LIMP

    def standing(self, slots: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of some slots whose peds are on their feet or rising: they have a circle."""
        limp = [slot for slot, record in self._records.items() if record.phase in LIMP]
        return slots[~np.isin(slots, limp)] if limp else slots

    def down_count(self) -> int:
        """How many bodies physics has (RAG-02)."""
        return sum(record.phase in LIMP for record in self._records.values())

    def in_id_order(self) -> Sequence[Record]:
        """All sessions, in ascending ped id."""
        return sorted(self._records.values(), key=_ped_id)

    def root(self, slot: int) -> Root:
        """The frame in which a body that is down is shown; its z is the ground's."""
        table = self._table
        return Root(
            table.x.item(slot),
            table.y.item(slot),
            self._records[slot].ground_z,
            table.yaw.item(slot),
        )

    def shown_joints(self, slot: int) -> Floats | None:
        """The pose of a body that is down, in the frame of ``root``; None for all others."""
        record = self._records.get(slot)
        if record is None or record.phase not in DOWN:
            return None
        if record.phase is RecoveryPhase.BLENDING:
            return self._rising_joints(record)
        return self._figure.joints(self._sim.state(slot).pose, self.root(slot))

    def getup_is_placeholder(self, slot: int) -> bool:
        """True for a body that rises without a get-up clip (REC-15)."""
        record = self._records.get(slot)
        if record is None or record.lying is None:
            return False
        return self._rise_poses.clip(self._profile(slot), record.lying) is None

    # -- going limp --------------------------------------------------------------

    def go_limp(
        self, ped: Fallible, impulse: Vec3, part: BodyPart, origin: EntityRef | None
    ) -> PhaseReason | None:
        """Take over the body of a ped that stands (RAG-03), all or nothing.

        None if done, else why not. A session that is COMPLETE ends here.
        """
        slot, claims = ped.slot, self._system.claims
        self._session += 1
        record = Record(ped, self._session, origin=origin, ground_z=self._table.z.item(slot))
        record.yaw = self._table.yaw.item(slot)
        if claims.take(slot, self._system.tuning.claim.recovery, _OWNER, None, record.session) is (
            None
        ):
            return PhaseReason.SIM_NOT_STARTED
        if not self._start(slot, impulse, part, None):
            claims.release(slot, _OWNER, record.session)
            return PhaseReason.SIM_NOT_STARTED
        before = self._records.get(slot)
        if before is not None:
            self._change(before, RecoveryPhase.INACTIVE, PhaseReason.DONE)
        self._records[slot] = record
        self._change(record, RecoveryPhase.PHYSICS, PhaseReason.HIT)
        self._coordination.set_reason(slot, _BODY, True)
        self._tasks.body_taken(ped)
        return None

    def hit_again(
        self, record: Record, impulse: Vec3, part: BodyPart, origin: EntityRef | None
    ) -> PhaseReason | None:
        """A body that is down is hit hard enough to count (REC-17). None if done, else why not."""
        if record.phase is RecoveryPhase.BLENDING:
            return self._fall_back(record, impulse, part, origin)
        self._sim.hit(record.ped.slot, impulse, part)
        if record.phase is RecoveryPhase.WAITING_FOR_SPACE:
            self._change(record, RecoveryPhase.PHYSICS, PhaseReason.HIT)
        record.age = 0.0
        record.stable_time = 0.0
        record.since_hit = 0.0
        record.hit_count += 1
        record.origin = origin
        return None

    # -- staying down ------------------------------------------------------------

    def keep_down(self, slot: int, tag: int) -> bool:
        """Keep a limp body from rising: hurt, dead (RAG-16) or held. False if it is not limp."""
        record = self._records.get(slot)
        if record is None or record.phase not in LIMP:
            return False
        if tag not in record.kept_by:
            record.kept_by = (*record.kept_by, tag)
        return True

    def let_rise(self, slot: int, tag: int) -> None:
        """Who has that tag keeps the body no longer; the holds of others stay."""
        record = self._records.get(slot)
        if record is not None:
            record.kept_by = tuple(one for one in record.kept_by if one != tag)

    def _fall_back(
        self, record: Record, impulse: Vec3, part: BodyPart, origin: EntityRef | None
    ) -> PhaseReason | None:
        slot = record.ped.slot
        pose = self._half_risen(record, impulse)
        if not self._start(slot, impulse, part, pose):
            return PhaseReason.SIM_NOT_STARTED
        self._session += 1
        self._system.claims.retag(slot, _OWNER, record.session, self._session)
        record.session = self._session
        record.snapshot = None
        record.age = record.stable_time = record.blend_time = record.since_hit = 0.0
        record.down_time = record.frozen_time = 0.0
        record.verified = record.reported = False
        record.hit_count += 1
        record.origin = origin
        self._change(record, RecoveryPhase.PHYSICS, PhaseReason.HIT)
        self._tasks.body_taken(record.ped)
        return None

    def _half_risen(self, record: Record, impulse: Vec3) -> LimpPose:
        """The shown pose as bodies have it: what has come up far enough topples anew."""
        assert record.lying is not None
        share = animation_weight(record.blend_time, record.blend_total)
        extent = 1.0 - (1.0 - self._tuning.fall.extent_start) * share
        tilt = 0.5 * math.pi * (1.0 - share)
        root = self.root(record.ped.slot)
        if tilt < UPRIGHT_TILT_RAD:
            way = fall_way(impulse, 0.0, root.yaw, self._tuning.entry.facing_impulse_min)
            roll = fall_roll(way, root.yaw)
            splay = self._tuning.splay
            return toppling_pose(root.x, root.y, way, roll, splay, extent=extent, tilt=tilt)
        joints = self._rising_joints(record)
        return self._figure.limp_pose(
            joints, root, record.spine, extent=extent, tilt=tilt, roll=record.roll
        )

    def _start(self, slot: int, impulse: Vec3, part: BodyPart, pose: LimpPose | None) -> bool:
        """Add the bodies and look whether they are simulated; nothing is left of a failure."""
        table = self._table
        row = table.active_record.item(slot)
        x, y, z = table.position(slot)
        speed = 0.0 if pose is not None else table.measured_speed.item(row)
        yaw = table.yaw.item(slot)
        self._sim.go_limp(slot, FallStart(x, y, z, yaw, speed, impulse, part, pose))
        check = self._sim.check(slot)
        if (
            check.in_space
            and check.is_dynamic
            and math.isfinite(check.mass_kg)
            and check.mass_kg > 0.0
        ):
            return True
        self._sim.release(slot)
        return False

    # -- W1 ----------------------------------------------------------------------

    def update(self, dt_s: float) -> None:
        """Read the bodies after the last physics step and change phases (W1)."""
        if not self._records:
            return
        records = self.in_id_order()
        states = {
            record.ped.slot: self._sim.state(record.ped.slot)
            for record in records
            if record.phase in LIMP
        }
        lying = {
            slot: LyingSpots((state.pose.x, state.pose.y), state.chest)
            for slot, state in states.items()
        }
        for record in records:
            if record.phase is RecoveryPhase.COMPLETE:
                self._change(record, RecoveryPhase.INACTIVE, PhaseReason.DONE)
                del self._records[record.ped.slot]
                continue
            self._tasks.keep(record.ped)
            if record.phase is RecoveryPhase.BLENDING:
                self._rise(record, lying, dt_s)
            else:
                self._lie(record, states[record.ped.slot], lying, dt_s)

    def _lie(
        self, record: Record, state: BodyState, lying: dict[int, LyingSpots], dt_s: float
    ) -> None:
        slot = record.ped.slot
        if not state.finite or (state.steps < 1 and not record.verified):
            self._give_up(record, state)
            return
        record.verified = True
        record.age += dt_s
        record.down_time += dt_s
        record.since_hit += dt_s
        supported = self._follow(record, state)
        settled = supported and self._is_slow(state)
        record.stable_time = record.stable_time + dt_s if settled else 0.0
        if record.kept_by:
            if record.phase is RecoveryPhase.WAITING_FOR_SPACE and not settled:
                self._change(record, RecoveryPhase.PHYSICS, PhaseReason.UNSETTLED)
        elif record.phase is RecoveryPhase.PHYSICS:
            settle = self._tuning.settle
            if at_least(record.age, settle.physics_min) and at_least(
                record.stable_time, settle.stable_min
            ):
                if not self._stand_up(record, state, lying, PhaseReason.SETTLED):
                    self._change(record, RecoveryPhase.WAITING_FOR_SPACE, PhaseReason.NO_SPACE)
            elif not record.reported and at_least(record.down_time, settle.stuck_report):
                record.reported = True
                self._facts.note(self._table.ped_id.item(slot), "STUCK_DOWN", record.session)
        elif not settled:
            self._change(record, RecoveryPhase.PHYSICS, PhaseReason.UNSETTLED)
        else:
            self._stand_up(record, state, lying, PhaseReason.SPACE_FREE)

    def _follow(self, record: Record, state: BodyState) -> bool:
        """The ped goes where its pelvis is; True if walkable ground carries it (REC-04, REC-05)."""
        pose, slot = state.pose, record.ped.slot
        ground = self._room.support(pose.x, pose.y, record.ground_z)
        if ground is None:
            record.position = None
        else:
            record.ground_z = ground.z
            record.position = (ground.x, ground.y, ground.z)
        self._table.write_position(
            slot, pose.x, pose.y, record.ground_z + pose.z, PositionWriter.RECOVERY
        )
        return ground is not None and pose.z == 0.0 and state.vz == 0.0

    def _is_slow(self, state: BodyState) -> bool:
        """REC-06, REC-07; what is not finite is not slow."""
        settle = self._tuning.settle
        pelvis = math.hypot(*state.pelvis_velocity, state.vz)
        chest = math.hypot(*state.chest_velocity, state.vz)
        linear = max(pelvis, settle.chest_factor * chest)
        return linear <= settle.speed and abs(state.pelvis_spin) <= math.radians(settle.spin_deg_s)

    def _stand_up(
        self,
        record: Record,
        state: BodyState,
        lying: dict[int, LyingSpots],
        reason: PhaseReason,
    ) -> bool:
        """Begin to rise if there is room (REC-11, REC-12); False, still down, if not."""
        slot, pose = record.ped.slot, state.pose
        pelvis = (pose.x, pose.y)
        spine = spine_angle(pelvis, state.chest, state.head, self._table.yaw.item(slot))
        confirmed = self._room.support(*pelvis, record.ground_z)
        if confirmed is None:
            return False
        found = self._room.find(slot, pelvis, confirmed, spine, record.search_from, lying)
        record.search_from = found.search_from
        if found.ground is None:
            return False
        record.lying = lying_pose(pose.roll)
        record.spine, record.roll = spine, pose.roll
        record.position = (found.ground.x, found.ground.y, found.ground.z)
        record.yaw = standing_yaw(record.lying, spine)
        old = self.root(slot)
        new = Root(*record.position, record.yaw)
        joints = rebased(self._figure.joints(pose, old), old, new)
        record.snapshot = PoseSnapshot(joints)
        record.ground_z = new.z
        record.blend_time = record.frozen_time = 0.0
        record.reported = False
        record.blend_total = self._rise_poses.total_s(self._profile(slot), record.lying)
        self._table.write_position(slot, *record.position, PositionWriter.RECOVERY)
        self._table.yaw[slot] = record.yaw
        self._sim.release(slot)
        del lying[slot]
        self._change(record, RecoveryPhase.BLENDING, reason)
        self._tasks.body_rising(record.ped, record.session)
        return True

    def _rise(self, record: Record, lying: dict[int, LyingSpots], dt_s: float) -> None:
        """One tick of the blend, or none while ground or room are gone (REC-14, REC-16)."""
        assert record.position is not None
        slot = record.ped.slot
        x, y, z = record.position
        if self._room.support(x, y, z) is None or not self._room.is_free(slot, x, y, z, lying):
            record.frozen_time += dt_s
            limit = self._tuning.rise.frozen_report
            if not record.reported and at_least(record.frozen_time, limit):
                record.reported = True
                self._facts.note(record.ped.ped_id, "RECOVERY_FROZEN", record.session)
            return
        record.frozen_time = 0.0
        record.blend_time += dt_s
        if at_least(record.blend_time, record.blend_total):
            self._change(record, RecoveryPhase.COMPLETE, PhaseReason.DONE)
            record.snapshot = None
            self.hand_back(slot, record.session)
            self._tasks.body_complete(record.ped)

    def _rising_joints(self, record: Record) -> Floats:
        assert record.snapshot is not None
        assert record.lying is not None
        live = self._rise_poses.pose(
            self._profile(record.ped.slot), record.lying, record.blend_time
        )
        weight = animation_weight(record.blend_time, self._tuning.rise.blend_time)
        return mixed(record.snapshot.joints, live, weight)

    # -- ends --------------------------------------------------------------------

    def hand_back(self, slot: int, session: int) -> bool:
        """Give the position back under a session; False if it is another's by now (REC-02)."""
        if not self._system.claims.release(slot, _OWNER, session):
            return False
        self._coordination.set_reason(slot, _BODY, False)
        return True

    def abort(self, slot: int) -> bool:
        """Who owns the body now ends its recovery; False if there is none (REC-22)."""
        return self._end(slot, PhaseReason.ABORTED)

    def retire(self, slot: int) -> bool:
        """The ped leaves the world, and its body with it (REC-22)."""
        return self._end(slot, PhaseReason.RETIRED)

    def _end(self, slot: int, reason: PhaseReason) -> bool:
        record = self._records.get(slot)
        if record is None:
            return False
        self._change(record, RecoveryPhase.INACTIVE, reason)
        del self._records[slot]
        self._sim.release(slot)
        record.snapshot = None
        self.hand_back(slot, record.session)
        return True

    def _give_up(self, record: Record, state: BodyState) -> None:
        """Physics does not have the body, or has lost it (RAG-03, RAG-13)."""
        slot = record.ped.slot
        if not state.finite:
            faults.record(
                "non_finite_ragdoll",
                f"ped#{record.ped.ped_id}: its body lost its finite state in physics; it stands up "
                "where it last was",
            )
        self._end(slot, PhaseReason.ABORTED if record.verified else PhaseReason.SIM_NOT_STARTED)
        self._tasks.body_complete(record.ped)

    # -- parts -------------------------------------------------------------------

    def _profile(self, slot: int) -> int:
        return self._table.profile.item(self._table.active_record.item(slot))

    def _change(self, record: Record, phase: RecoveryPhase, reason: PhaseReason) -> None:
        before = record.change(phase, reason)
        self._facts.note(
            record.ped.ped_id, "RECOVERY", record.session, before.name, phase.name, reason.name
        )


def _ped_id(record: Record) -> int:
    return record.ped.ped_id
