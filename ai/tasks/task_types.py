"""Numbers and names of all task types.

The first five numbers are fixed, because level scripts use them. All others may
change between versions: data files, recordings, saves and logs use names.
Members stand in the order of the segments of TASK-97; a new type joins its
segment, wherever that is.
"""

from __future__ import annotations

from enum import IntEnum


class TaskType(IntEnum):
    """Every type of task (TASK-96); ``NONE`` is what an unregistered class reads."""

    NONE = -1

    # fixed by scripts
    HANDS_UP = 0
    CLIMB_LADDER = 1
    EXIT_VEHICLE = 2
    COMBAT_ROLL = 3
    AIM_GUN_ON_FOOT = 4

    # basic
    DO_NOTHING = 5
    STAND = 6
    WANDER = 7
    ORDER = 8

    # go-to and movement
    CONTROL_MOVEMENT = 9
    MOVE_STAND_STILL = 10
    STATE_SPEED = 11
    GO_TO_POINT = 12

    # motion
    ON_FOOT = 13
