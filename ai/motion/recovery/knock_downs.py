"""The only way into a ragdoll: requests, their checks, their effect at the end of W2 (RAG-01)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

from ai.motion.clip_profiles import NO_PROFILE
from ai.motion.movement_system import MovementSystem
from ai.motion.movement_table import SuspendReason
from ai.motion.recovery.phases import DOWN, Fallible, RecoveryPhase
from ai.motion.recovery.recovery import Recovery
from ai.motion.recovery.tuning import KnockdownTuning
from ai.ports import BodyPart, EntityRef, FactSink, Vec3, at_least

PARTS: dict[str, BodyPart] = {part.name.lower(): part for part in BodyPart}
"""Names by which a hit says what it struck."""

_FORCED_THROUGH = SuspendReason.FOREIGN_MAIN | SuspendReason.HIGHER_MOVE | SuspendReason.NOT_OWNER


class KnockDownReply(IntEnum):
    """Answer to a request; anything but ACCEPTED has changed nothing."""

    ACCEPTED = 0
    NO_WORLD = 1
    NO_PED = 2
    NO_MOTION_CONFIG = 3
    RETIRED = 4
    VEHICLE_RELATION = 5
    SUPPRESSED = 6
    SUSPENDED = 7
    RAGDOLL_LIMIT = 8
    BAD_IMPULSE = 9
    BAD_PART = 10
    TOO_SOON = 11
    """The body was hit less than ``hit_gap`` ago (REC-17)."""
    TOO_WEAK = 12
    SIM_NOT_STARTED = 13


class Outcome(NamedTuple):
    """What became of a ped's requests when they took effect."""

    reply: KnockDownReply
    impulse: Vec3


@dataclass(slots=True)
class _Pending:
    """Everything asked for one ped since the last end of W2."""

    ped: Fallible
    part: BodyPart
    origin: EntityRef | None
    impulses: list[Vec3] = field(default_factory=list)


class KnockDowns:
    """Requests of a step, by ped slot.

    ``outcome`` keeps what the last requests of a ped came to, until it asks anew.
    """

    def __init__(
        self,
        system: MovementSystem,
        recovery: Recovery,
        tuning: KnockdownTuning,
        facts: FactSink,
    ) -> None:
        self._system = system
        self._table = system.table
        self._recovery = recovery
        self._tuning = tuning
        self._facts = facts
        self._pending: dict[int, _Pending] = {}
        self._outcomes: dict[int, Outcome] = {}
        self._closed = False

    def request(
        self,
        ped: Fallible | None,
        impulse_xy: tuple[float, float],
        up: float = 0.0,
        part: str = "chest",
        source: EntityRef | None = None,
        *,
        force: bool = False,
    ) -> KnockDownReply:
        """Ask for a knock-down in kg cm/s; it takes effect at the end of W2.

        - Several for one ped in one step are added as vectors and make one.
        - ``source`` is who threw it, for those whom it knocks over in turn.
        - ``force``: what an explosion is allowed, going limp in the middle of anything
          but a vehicle or a suppression (RAG-02).
        """
        refusal = self._refusal(ped, force=force)
        if refusal is not None or ped is None:
            return KnockDownReply.NO_PED if refusal is None else refusal
        if part not in PARTS:
            return KnockDownReply.BAD_PART
        if not all(map(math.isfinite, (*impulse_xy, up))):
            return KnockDownReply.BAD_IMPULSE
        pending = self._pending.get(ped.slot)
        if pending is None:
            pending = self._pending[ped.slot] = _Pending(ped, PARTS[part], source)
        pending.impulses.append(Vec3(*impulse_xy, up))
        self._outcomes.pop(ped.slot, None)
        return KnockDownReply.ACCEPTED

    def is_pending(self, slot: int) -> bool:
        """True while a request of this ped waits for the end of W2."""
        return slot in self._pending

    def outcome(self, slot: int) -> Outcome | None:
        """What the last requests of a ped came to, or None while they wait or if there are none."""
        return self._outcomes.get(slot)

    def forget(self, slot: int) -> None:
        """The ped of that slot is leaving."""
        self._pending.pop(slot, None)
        self._outcomes.pop(slot, None)

    def close(self) -> None:
        """The world ends."""
        self._closed = True
        self._pending.clear()

    def take_effect(self) -> None:
        """End of W2: sum, limit, and take the bodies over, in ascending ped id."""
        if not self._pending:
            return
        asked = sorted(self._pending.values(), key=lambda pending: pending.ped.ped_id)
        self._pending.clear()
        for pending in asked:
            outcome = self._act(pending)
            self._outcomes[pending.ped.slot] = outcome
            self._facts.note(pending.ped.ped_id, "KNOCK_DOWN", outcome.reply.name, *outcome.impulse)

    def _act(self, pending: _Pending) -> Outcome:
        total = Vec3(*(sum(axis) for axis in zip(*pending.impulses, strict=True)))
        impulse, too_weak = self._limited(pending.ped, total)
        if too_weak:
            return Outcome(KnockDownReply.TOO_WEAK, impulse)
        record = self._recovery.record(pending.ped.slot)
        if record is None or record.phase is RecoveryPhase.COMPLETE:
            failed = self._recovery.go_limp(pending.ped, impulse, pending.part, pending.origin)
        else:
            failed = self._recovery.hit_again(record, impulse, pending.part, pending.origin)
        reply = KnockDownReply.ACCEPTED if failed is None else KnockDownReply.SIM_NOT_STARTED
        return Outcome(reply, impulse)

    def _limited(self, ped: Fallible, total: Vec3) -> tuple[Vec3, bool]:
        """The sum within its bounds, and whether it is too weak (RAG-01)."""
        entry = self._tuning.entry
        size = math.hypot(total.x, total.y)
        if size < entry.impulse_min and total.z < entry.up_min:
            return total, True
        share = min(1.0, entry.impulse_max / size) if size > 0.0 else 1.0
        up = min(max(total.z, 0.0), entry.up_max)
        limited = Vec3(total.x * share, total.y * share, up)
        if limited != total:
            self._facts.note(ped.ped_id, "IMPULSE_LIMITED", *total)
        return limited, False

    def _refusal(self, ped: Fallible | None, *, force: bool) -> KnockDownReply | None:
        """The checks of RAG-02, in their order."""
        if self._closed:
            return KnockDownReply.NO_WORLD
        if ped is None or self._table.ped_id.item(ped.slot) != ped.ped_id:
            return KnockDownReply.NO_PED
        row = self._table.active_record.item(ped.slot)
        if not self._has_motion_config(row):
            return KnockDownReply.NO_MOTION_CONFIG
        if ped.retired:
            return KnockDownReply.RETIRED
        if ped.vehicle_link is not None:
            return KnockDownReply.VEHICLE_RELATION
        if ped.tasks_suppressed:
            return KnockDownReply.SUPPRESSED
        record = self._recovery.record(ped.slot)
        if record is not None and record.phase in DOWN:
            limp = record.phase is not RecoveryPhase.BLENDING
            soon = not at_least(record.since_hit, self._tuning.entry.hit_gap)
            return KnockDownReply.TOO_SOON if limp and soon else None
        allowed = _FORCED_THROUGH if force else SuspendReason.NONE
        if self._table.suspend.item(row) & ~int(allowed | SuspendReason.BODY):
            return KnockDownReply.SUSPENDED
        if ped.slot not in self._pending and self._bodies_to_be() >= (
            self._tuning.entry.ragdolls_max
        ):
            return KnockDownReply.RAGDOLL_LIMIT
        return None

    def _has_motion_config(self, row: int) -> bool:
        profile = self._table.profile.item(row)
        return profile != NO_PROFILE and self._system.clips.rig.rig_id == self._tuning.ragdoll.rig

    def _bodies_to_be(self) -> int:
        """Bodies that physics has or will have at the end of W2."""
        coming = sum(not self._recovery.is_limp(slot) for slot in self._pending)
        return self._recovery.down_count() + coming
