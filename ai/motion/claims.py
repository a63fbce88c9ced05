"""The claim table: who may write a ped's position (NAV-13).

Exactly one writer moves a ped in a step: the holder of its highest claim. Claims
are few (a limit of four) and change seldom, so they are small objects per ped
slot; what the batches ask each step stands mirrored in three arrays that every
change of a slot's claims refreshes.

Priorities come from ``NavigationTuning.claim`` (larger wins). They compare claims
on movement records with each other and with the recovery's; they are no scale for
anything else.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from ai.motion.movement_table import MovementSlot
from ai.navigation.navigation_tuning import ClaimTuning


class ClaimOwner(IntEnum):
    """Kind of a claim's owner; with the tag it is what a release must match (NAV-13)."""

    DEFAULT_MOVEMENT = 0
    """The movement tree's default task; tag: the task's uid."""
    ORDER = 1
    """A script order; tag: its session."""
    SAFE_RESPONSE = 2
    """A safe response; tag: the response's tag."""
    CONTROL_MOVEMENT = 3
    """Any other task that moves through ``ControlMovement`` (NAV-16); tag: the task's uid."""
    EVENT_MOVEMENT = 4
    """The movement tree's event response; tag: the task's uid."""
    STUMBLE = 5
    """A stumble, which moves no record; tag: the task's uid."""
    RECOVERY = 6
    """Ragdoll and recovery; tag: the recovery session (REC-02)."""


RECORD_OF_OWNER: dict[ClaimOwner, MovementSlot] = {
    ClaimOwner.DEFAULT_MOVEMENT: MovementSlot.DEFAULT,
    ClaimOwner.ORDER: MovementSlot.GENERAL,
    ClaimOwner.SAFE_RESPONSE: MovementSlot.GENERAL,
    ClaimOwner.CONTROL_MOVEMENT: MovementSlot.GENERAL,
    ClaimOwner.EVENT_MOVEMENT: MovementSlot.EVENT_RESPONSE,
}
"""Which movement record a claim of this kind lets move; stumble and recovery have none."""


@dataclass(frozen=True, slots=True)
class MoveClaim:
    """One prioritised right to write a ped's position.

    ``source`` is the order, event or ped that stands behind the owner (None for a
    task of its own); it identifies, but a release does not ask for it.
    """

    priority: int
    owner_kind: ClaimOwner
    source: object | None
    tag: int

    def is_of(self, owner_kind: ClaimOwner, tag: int) -> bool:
        """True if this is the claim of that owner under that tag."""
        return self.owner_kind == owner_kind and self.tag == tag


class ClaimTable:
    """The claims of every ped slot, in the order in which they were taken.

    Invariants, kept by ``_refresh`` after every change:

    - ``highest_priority`` (shape (capacity,), int64): the highest claim's priority, 0 without one.
    - ``ordinary_priority`` (shape (capacity,), int64): the same without recovery claims.
    - ``moving_record`` (shape (capacity,), int64): ``MovementSlot`` of the highest claim
      that moves a record, GENERAL without one.

    No two claims of a slot have the same owner kind and tag. ``changes`` rises whenever
    the three may have changed.
    """

    def __init__(self, capacity: int, tuning: ClaimTuning) -> None:
        self._tuning = tuning
        self._claims: list[list[MoveClaim]] = [[] for _ in range(capacity)]
        self.changes = 0
        self.highest_priority = np.zeros(capacity, dtype=np.int64)
        self.ordinary_priority = np.zeros(capacity, dtype=np.int64)
        self.moving_record = np.full(capacity, int(MovementSlot.GENERAL), dtype=np.int64)

    def record_priority(self, record: MovementSlot) -> int:
        """The priority that the tuning derives from a record's movement-tree slot."""
        if record is MovementSlot.EVENT_RESPONSE:
            return self._tuning.event
        if record is MovementSlot.GENERAL:
            return self._tuning.general
        return self._tuning.default

    def take(
        self, slot: int, priority: int, owner_kind: ClaimOwner, source: object | None, tag: int
    ) -> MoveClaim | None:
        """Take a claim, or return None with nothing changed.

        Refused are:

        - an ordinary claim at or above the recovery's priority, or below 1;
        - a recovery claim with any other priority than the recovery's;
        - a claim past the limit per ped;
        - a second claim of the same owner kind and tag.
        """
        recovery = self._tuning.recovery
        if owner_kind is ClaimOwner.RECOVERY:
            if priority != recovery:
                return None
        elif not 1 <= priority < recovery:
            return None
        claims = self._claims[slot]
        if len(claims) >= self._tuning.max or self._index(slot, owner_kind, tag) is not None:
            return None
        claim = MoveClaim(priority, owner_kind, source, tag)
        claims.append(claim)
        self._refresh(slot)
        return claim

    def release(self, slot: int, owner_kind: ClaimOwner, tag: int) -> bool:
        """Give a claim back; False, with nothing changed, unless owner kind and tag match one."""
        index = self._index(slot, owner_kind, tag)
        if index is None:
            return False
        del self._claims[slot][index]
        self._refresh(slot)
        return True

    def retag(self, slot: int, owner_kind: ClaimOwner, old_tag: int, new_tag: int) -> bool:
        """Put a claim under another tag in place, so that it is never absent (REC-17).

        False, with nothing changed, if there is no claim under the old tag or
        already one under the new.
        """
        index = self._index(slot, owner_kind, old_tag)
        if index is None or self._index(slot, owner_kind, new_tag) is not None:
            return False
        old = self._claims[slot][index]
        self._claims[slot][index] = MoveClaim(old.priority, owner_kind, old.source, new_tag)
        return True

    def highest(self, slot: int) -> MoveClaim | None:
        """The claim whose holder writes the position; of equal priorities the earlier one."""
        best: MoveClaim | None = None
        for claim in self._claims[slot]:
            if best is None or claim.priority > best.priority:
                best = claim
        return best

    def highest_of_record(self, slot: int, record: MovementSlot) -> MoveClaim | None:
        """The highest claim that lets this record of the ped move, or None."""
        best: MoveClaim | None = None
        for claim in self._claims[slot]:
            if RECORD_OF_OWNER.get(claim.owner_kind) is record and (
                best is None or claim.priority > best.priority
            ):
                best = claim
        return best

    def held(self, slot: int) -> tuple[MoveClaim, ...]:
        """Every claim of a ped, oldest first."""
        return tuple(self._claims[slot])

    def clear(self, slot: int) -> None:
        """Drop every claim of a slot that changes hands."""
        self._claims[slot].clear()
        self._refresh(slot)

    def _index(self, slot: int, owner_kind: ClaimOwner, tag: int) -> int | None:
        for index, claim in enumerate(self._claims[slot]):
            if claim.is_of(owner_kind, tag):
                return index
        return None

    def _refresh(self, slot: int) -> None:
        self.changes += 1
        highest = 0
        ordinary = 0
        moving_priority = 0
        moving = MovementSlot.GENERAL
        for claim in self._claims[slot]:
            highest = max(highest, claim.priority)
            if claim.owner_kind is not ClaimOwner.RECOVERY:
                ordinary = max(ordinary, claim.priority)
            record = RECORD_OF_OWNER.get(claim.owner_kind)
            if record is not None and claim.priority > moving_priority:
                moving_priority = claim.priority
                moving = record
        self.highest_priority[slot] = highest
        self.ordinary_priority[slot] = ordinary
        self.moving_record[slot] = int(moving)
