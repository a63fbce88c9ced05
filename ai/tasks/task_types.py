"""Numbers and names of all task types.

The first five numbers are fixed, because level scripts use them. All others may
change between versions: data files, recordings, saves and logs use names.
Members stand in the order of the segments of TASK-97; a new type joins its
segment, wherever that is.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final


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
    PLAY_GESTURE = 8
    WANDER = 9
    ORDER = 10
    USE_SEQUENCE = 11
    MIRROR_IDLE = 12
    BRAIN = 13
    GUARD = 14

    # shocking-event reactions
    FACE_PLACE = 15
    SHOCKING_WATCH = 16
    SHOCKING_HURRY_AWAY = 17
    SHOCKING_GOTO_LOOK = 18
    SHOCKING_BACK_AWAY = 19
    SHOCKING_REACT = 20
    COWER = 21
    DUCK_AND_COVER = 22
    FILM_WITH_PHONE = 23
    REPORT_BY_PHONE = 24
    LOOK_AT_EVENT = 25

    # scenario
    DEFER_TO_SCENARIO = 26

    # threat response
    THREAT_RESPONSE = 27
    SMART_FLEE = 28
    EVACUATE = 29

    # go-to and movement
    CONTROL_MOVEMENT = 30
    MOVE_STAND_STILL = 31
    STATE_SPEED = 32
    GO_TO_POINT = 33
    WALK_TO = 34
    STEER = 35
    PURSUE = 36
    FACE = 37
    FOLLOW = 38
    PATROL = 39
    ENTER_ZONE = 40

    # motion
    ON_FOOT = 41

    # combat
    COMBAT = 42
    COMBAT_MOUNTED = 43
    MELEE = 44
    VEHICLE_COMBAT = 45
    STRIKE_ARM = 46

    # ragdoll: nothing else inside, nothing ragdoll outside; the marks name first and last
    KNOCKED_DOWN = 47
    GET_UP = 48
    RAGDOLL_RELAX = KNOCKED_DOWN
    RAGDOLL_LAST = GET_UP

    # damage to a body on its feet, its end, and help
    HIT_REACTION = 49
    DYING_DEAD = 50
    HELP_PERSON = 51
    ON_FIRE = 52

    # vehicle AI
    VEHICLE_FIRST = 53

    # debug only, in every build
    DEBUG_FIRST = 54


VIRTUAL_TYPES: Final = frozenset({TaskType.DEFER_TO_SCENARIO})
"""Answers of decision data that no class ever has: let the scenario point decide (TASK-99)."""

RESERVED_TYPES: Final = frozenset(
    {
        TaskType.CLIMB_LADDER,
        TaskType.EXIT_VEHICLE,
        TaskType.COMBAT_ROLL,
        TaskType.AIM_GUN_ON_FOOT,
        TaskType.THREAT_RESPONSE,
        TaskType.COMBAT,
        TaskType.COMBAT_MOUNTED,
        TaskType.MELEE,
        TaskType.VEHICLE_COMBAT,
        TaskType.VEHICLE_FIRST,
        TaskType.DEBUG_FIRST,
    }
)
"""Types that may be named although their class is not there: fixed numbers and range marks."""

COMBAT_TYPES: Final = frozenset(
    {
        TaskType.COMBAT,
        TaskType.THREAT_RESPONSE,
        TaskType.COMBAT_MOUNTED,
        TaskType.MELEE,
        TaskType.VEHICLE_COMBAT,
    }
)


def is_ragdoll_type(task_type: int) -> bool:
    """True for a ragdoll behaviour (TASK-98)."""
    return TaskType.RAGDOLL_RELAX <= task_type <= TaskType.RAGDOLL_LAST


def is_combat_type(task_type: int) -> bool:
    """True for a member of the fixed set of fights (TASK-98)."""
    return task_type in COMBAT_TYPES


def is_vehicle_ai_type(task_type: int) -> bool:
    """True for what drives a vehicle, not for what a ped does in one (TASK-98)."""
    return TaskType.VEHICLE_FIRST <= task_type < TaskType.DEBUG_FIRST
