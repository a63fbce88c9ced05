"""Flags of a task and the small vocabularies of the kernel.

Flags are plain ints in one bit mask, tested with module constants: an ``IntFlag``
costs ten times as much in the per-step path. Only the kernel writes them; task
code reads them through the properties of ``Task``.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

SKIP_PRE: Final = 1 << 0
"""The class has no ``pre_fsm`` of its own: don't call it."""
SKIP_POST: Final = 1 << 1
"""The class has no ``post_fsm`` of its own: don't call it."""
SKIP_ANIM_FLAGS: Final = 1 << 2
"""The class does not want ``apply_animation_flags``."""
CAN_CHANGE_STATE: Final = 1 << 3
"""The update handler is running: ``set_state`` is legal."""
NOT_ENTERED: Final = 1 << 4
"""The present state's enter is due."""
IN_ENTER: Final = 1 << 5
"""The enter handler is running: a child may be registered."""
IN_EXIT: Final = 1 << 6
"""The exit handler is running: ``keep_child`` is legal."""
KEEP_CHILD: Final = 1 << 7
"""Child and pending child survive this round's transition or resume."""
RESTART_STATE: Final = 1 << 8
"""Leave and re-enter the same state in this round."""
REMOVE_CHILD: Final = 1 << 9
"""End the child in this round."""
CHILD_FINISHED: Final = 1 << 10
"""The attached child is over; the parent may read it in this round."""
RESTART_ON_RESUME: Final = 1 << 11
"""Re-enter on the next update."""
QUIT_ON_RESUME: Final = 1 << 12
"""End on the next update instead of re-entering."""
IS_ABORTED: Final = 1 << 13
"""Waiting in a slot, to be resumed."""
RESUMING: Final = 1 << 14
"""The enter that is running is a resume."""
IN_ABORT: Final = 1 << 15
"""An abort is in progress, asking included."""
HAS_FINISHED: Final = 1 << 16
"""Over; only deletion follows."""
CLEANED: Final = 1 << 17
"""``clean_up`` has run for this activation."""
DELETED: Final = 1 << 18
"""Any further use is an error."""
CHILD_REGISTERED: Final = 1 << 19
"""A child was registered in this round: the child step has something to look at."""
STORED: Final = 1 << 20
"""Kept in a task list: it runs as a copy only (TASK-94)."""

SKIP_ALL: Final = SKIP_PRE | SKIP_POST | SKIP_ANIM_FLAGS
"""All flags of an idle task without hooks: the fast way through an update."""

ENTRY_DUE: Final = NOT_ENTERED | RESTART_ON_RESUME
"""At the start of a round: it begins with the first enter of an activation."""
STATE_CHANGE_DUE: Final = NOT_ENTERED | RESTART_STATE
"""After an update handler: exit and enter follow in the same round."""
CHILD_STEP_DUE: Final = CHILD_REGISTERED | REMOVE_CHILD | CHILD_FINISHED | KEEP_CHILD
"""At the end of a round: the child step has something to do, if only flags to take back."""
ROUND_DUE: Final = STATE_CHANGE_DUE | CHILD_STEP_DUE
"""After an update handler: the round has more to do than to update the child."""
HANDLER_RETURNED: Final = ~CAN_CHANGE_STATE
"""Mask that takes ``CAN_CHANGE_STATE`` back."""

STATE_NONE: Final = -1
"""No state: value of ``prev_state`` and ``entered`` alone (TASK-08)."""
SAME_STATE: Final = -2
"""After-abort choice: resume in the state that was interrupted (TASK-52)."""


class Result(IntEnum):
    """What a handler may return; ``None`` means ``CONTINUE`` (TASK-07)."""

    CONTINUE = 0
    QUIT = 1


CONTINUE: Final = Result.CONTINUE
QUIT: Final = Result.QUIT


class Outcome(IntEnum):
    """How a task ended (TASK-24)."""

    NONE = 0
    SUCCEEDED = 1
    FAILED = 2
    CANCELLED = 3


class AbortPriority(IntEnum):
    """How an abort is asked for: the first may be refused, the second not (TASK-48)."""

    URGENT = 0
    IMMEDIATE = 1


_FLAG_NAMES: Final = {
    NOT_ENTERED: "NOT_ENTERED",
    CAN_CHANGE_STATE: "CAN_CHANGE_STATE",
    RESTART_STATE: "RESTART_STATE",
    KEEP_CHILD: "KEEP_CHILD",
    REMOVE_CHILD: "REMOVE_CHILD",
    CHILD_FINISHED: "CHILD_FINISHED",
    RESTART_ON_RESUME: "RESTART_ON_RESUME",
    QUIT_ON_RESUME: "QUIT_ON_RESUME",
    IS_ABORTED: "IS_ABORTED",
    RESUMING: "RESUMING",
    IN_ABORT: "IN_ABORT",
    HAS_FINISHED: "HAS_FINISHED",
    CLEANED: "CLEANED",
    DELETED: "DELETED",
    IN_ENTER: "IN_ENTER",
    IN_EXIT: "IN_EXIT",
    CHILD_REGISTERED: "CHILD_REGISTERED",
    STORED: "STORED",
}


def flag_names(flags: int) -> tuple[str, ...]:
    """Names of the set flags in bit order; the skip flags, set on most tasks, are left out."""
    return tuple(name for bit, name in _FLAG_NAMES.items() if flags & bit)
