"""The phases of a recovery and the one table of their changes (REC-01)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum, auto
from typing import TYPE_CHECKING, Protocol

from ai.ports import EntityRef

if TYPE_CHECKING:
    from ai.motion.recovery.rising import LyingPose, PoseSnapshot


class RecoveryPhase(IntEnum):
    """Where a ped's body is between being hit and standing again."""

    INACTIVE = 0
    PHYSICS = 1
    WAITING_FOR_SPACE = 2
    BLENDING = 3
    COMPLETE = 4


class PhaseReason(Enum):
    """Why a phase changed."""

    HIT = auto()
    SETTLED = auto()
    NO_SPACE = auto()
    SPACE_FREE = auto()
    UNSETTLED = auto()
    DONE = auto()
    ABORTED = auto()
    RETIRED = auto()
    SIM_NOT_STARTED = auto()


_ENDS = frozenset({PhaseReason.ABORTED, PhaseReason.RETIRED})
_P = RecoveryPhase
_R = PhaseReason

CHANGES: dict[tuple[RecoveryPhase, RecoveryPhase], frozenset[PhaseReason]] = {
    (_P.INACTIVE, _P.PHYSICS): frozenset({_R.HIT}),
    (_P.PHYSICS, _P.BLENDING): frozenset({_R.SETTLED}),
    (_P.PHYSICS, _P.WAITING_FOR_SPACE): frozenset({_R.NO_SPACE}),
    (_P.PHYSICS, _P.INACTIVE): _ENDS | {_R.SIM_NOT_STARTED},
    (_P.WAITING_FOR_SPACE, _P.BLENDING): frozenset({_R.SPACE_FREE}),
    (_P.WAITING_FOR_SPACE, _P.PHYSICS): frozenset({_R.UNSETTLED, _R.HIT}),
    (_P.WAITING_FOR_SPACE, _P.INACTIVE): _ENDS,
    (_P.BLENDING, _P.PHYSICS): frozenset({_R.HIT}),
    (_P.BLENDING, _P.COMPLETE): frozenset({_R.DONE}),
    (_P.BLENDING, _P.INACTIVE): _ENDS,
    (_P.COMPLETE, _P.INACTIVE): frozenset({_R.DONE}) | _ENDS,
}
"""Every change that exists, with the reasons that may stand behind it."""

LIMP = (RecoveryPhase.PHYSICS, RecoveryPhase.WAITING_FOR_SPACE)
"""Phases in which physics has the body."""

DOWN = (*LIMP, RecoveryPhase.BLENDING)
"""Phases in which the ped's movement is suspended by BODY (NAV-14)."""


class PhaseError(AssertionError):
    """A change of phase that the table lacks."""


class Fallible(Protocol):
    """A ped as its body's recovery sees it."""

    slot: int

    @property
    def ped_id(self) -> int:
        """Who it is."""
        ...

    @property
    def retired(self) -> bool:
        """It has left, or its removal was asked for."""
        ...

    @property
    def tasks_suppressed(self) -> bool:
        """A script or scene keeps its tasks from moving it (NAV-14)."""
        ...

    @property
    def vehicle_link(self) -> EntityRef | None:
        """The vehicle it sits in, enters or leaves."""
        ...


@dataclass(slots=True)
class RecoveryRecord:
    """One recovery session of one ped (REC-01).

    - ``session`` tags the claim. ``age``, ``stable_time``, ``blend_time``, ``position`` and
      ``session`` are stored apart; none is derived from another.
    - ``age``: s since the last hit. ``down_time``: s in PHYSICS, for the diagnostic alone.
    - ``position``: where the ped will stand, None while its ground is not confirmed;
      ``yaw`` in rad; ``ground_z``: height of the last ground confirmed. ``spine``, ``roll``
      and ``lying``: how it lay when it began to rise.
    - ``origin``: thrown by whom, for those whom it knocks over in turn (RAG-14).
    - ``kept_by``: tags of those who keep the body down; it does not rise until all let it.
    - ``search_from``: which of the places around is tried next (REC-11).
    - ``frozen_time``: s that the rise has been held up in a row (REC-16).
    """

    ped: Fallible
    session: int
    phase: RecoveryPhase = RecoveryPhase.INACTIVE
    age: float = 0.0
    stable_time: float = 0.0
    blend_time: float = 0.0
    blend_total: float = 0.0
    down_time: float = 0.0
    frozen_time: float = 0.0
    since_hit: float = 0.0
    hit_count: int = 1
    position: tuple[float, float, float] | None = None
    yaw: float = 0.0
    ground_z: float = 0.0
    spine: float = 0.0
    roll: float = 0.0
    lying: LyingPose | None = None
    snapshot: PoseSnapshot | None = None
    origin: EntityRef | None = None
    kept_by: tuple[int, ...] = ()
    search_from: int = 1
    verified: bool = False
    reported: bool = False

    def change(self, phase: RecoveryPhase, reason: PhaseReason) -> RecoveryPhase:
        """Enter a phase; returns the one left.

        Raises ``PhaseError`` for a change not in CHANGES.
        """
        before = self.phase
        if reason not in CHANGES.get((before, phase), ()):
            raise PhaseError(
                f"ped#{self.ped.ped_id}: a recovery can't go from {before.name} to {phase.name} "
                f"for {reason.name}; add it to CHANGES if it should"
            )
        self.phase = phase
        return before
