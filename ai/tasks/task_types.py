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

    # player
    PLAYER_CONTROL = 5

    # basic
    DO_NOTHING = 6
    STAND = 7
    WANDER = 8
    ORDER = 9

    # go-to and movement
    CONTROL_MOVEMENT = 10
    MOVE_STAND_STILL = 11
    STATE_SPEED = 12
    GO_TO_POINT = 13
    STEER = 14

    # motion
    ON_FOOT = 15

    # physical
    KNOCKED_DOWN = 16
    GET_UP = 17
    # responses to events
    FACE_PLACE = 18
    SHOCKING_WATCH = 19
    SHOCKING_HURRY_AWAY = 20
    SMART_FLEE = 21
    SHOCKING_GOTO_LOOK = 22
