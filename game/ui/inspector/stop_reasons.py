"""What keeps a movement from moving, in words: the rows of NAV-21 that are in force.

The reasons stay apart, as they do in the record: each has its own release, and
the words say which.
"""

from __future__ import annotations

from typing import NamedTuple

from ai.motion.execution import MoveExecution
from ai.motion.movement_table import ClipPhase, MoveReason, MoveStatus, SuspendReason
from ai.navigation.navigation_tuning import NavigationTuning


class StopReason(NamedTuple):
    """A reason that is in force: how to call it, what ends it, and the time that runs, if any."""

    key: str
    name: str
    until: str
    running: str = ""


SUSPENSIONS: tuple[tuple[SuspendReason, str, str], ...] = (
    (SuspendReason.BODY, "body is down", "until the recovery is complete"),
    (SuspendReason.HIGHER_MOVE, "higher movement", "until its claim is released"),
    (SuspendReason.FOREIGN_MAIN, "foreign main task", "until it ends or loses its slot"),
    (SuspendReason.NOT_OWNER, "slot lost", "until it is given back"),
    (SuspendReason.SUPPRESSED, "suppressed", "until the scene lets go"),
    (SuspendReason.VEHICLE, "vehicle", "until the ped is out of it"),
)
"""Every bit of ``suspend`` (NAV-14), in the order of NAV-21."""

MOVE_REASONS: dict[MoveReason, str] = {
    MoveReason.NONE: "",
    MoveReason.NO_PATH: "nothing leads there",
    MoveReason.PARTIAL_ONLY: "only a part of the way is open",
    MoveReason.START_OFF_SURFACE: "the ped stands off the walkable ground",
    MoveReason.GOAL_OFF_SURFACE: "the goal is off the walkable ground",
    MoveReason.CAPACITY: "the search gave up",
    MoveReason.END_OUT_OF_TOLERANCE: "the way ends too far from the goal",
    MoveReason.BAD_REPLY: "the path was unusable",
    MoveReason.BLOCKED: "blocked for too long",
    MoveReason.NO_PROGRESS: "no progress for too long",
    MoveReason.CANNOT_CATCH: "the target can't be caught",
    MoveReason.TARGET_GONE: "what it followed is gone",
}
"""Why a movement failed, for people; every reason has its words."""


def stop_reasons(
    movement: MoveExecution, now_s: float, tuning: NavigationTuning
) -> tuple[StopReason, ...]:
    """The reasons in force, in the order in which the motion stage asks for them (NAV-21).

    An idle movement has none: nothing is held back.
    """
    found = [
        StopReason(bit.name or "", name, until)
        for bit, name, until in SUSPENSIONS
        if movement.suspend & bit
    ]
    if movement.command_hold:
        found.append(StopReason("HOLD", "command hold", "until continue, redirect or cancel"))
    deadline = movement.stand_until
    if deadline is not None:
        left_s = max(0.0, deadline - now_s)
        found.append(StopReason("STAND", "timed stand", "until its time is up", f"{left_s:.1f} s"))
    found += _of_lifecycle(movement)
    if movement.clip.phase is ClipPhase.TURN:
        found.append(StopReason("TURN", "turning", "until it faces the way"))
    if movement.blocked_time > 0.0:
        running = f"{movement.blocked_time:.1f} of {tuning.blocked_limit:g} s"
        found.append(StopReason("BLOCKED", "blocked", "until a step is accepted", running))
    return tuple(found)


def _of_lifecycle(movement: MoveExecution) -> list[StopReason]:
    match movement.status:
        case MoveStatus.WAITING_PATH:
            return [StopReason("PATH", "waiting for a path", "until one is accepted")]
        case MoveStatus.ARRIVED:
            return [StopReason("ARRIVED", "arrived", "until a new goal")]
        case MoveStatus.FAILED:
            words = MOVE_REASONS[movement.reason]
            return [StopReason("FAILED", f"failed: {words}", "until a new goal")]
        case MoveStatus.CANCELLED:
            return [StopReason("CANCELLED", "cancelled", "until a new goal")]
        case _:
            return []
