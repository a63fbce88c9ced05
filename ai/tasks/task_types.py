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
    WANDER = 8
    ORDER = 9
    USE_SEQUENCE = 10
    MIRROR_IDLE = 11
    BRAIN = 12
    GUARD = 13

    # shocking-event reactions
    FACE_PLACE = 14
    SHOCKING_WATCH = 15
    SHOCKING_HURRY_AWAY = 16
    SHOCKING_GOTO_LOOK = 17
    SHOCKING_BACK_AWAY = 18
    SHOCKING_REACT = 19
    COWER = 20
    DUCK_AND_COVER = 21
    FILM_WITH_PHONE = 22
    REPORT_BY_PHONE = 23
    LOOK_AT_EVENT = 24

    # scenario
    DEFER_TO_SCENARIO = 25

    # threat response
    THREAT_RESPONSE = 26
    SMART_FLEE = 27

    # go-to and movement
    CONTROL_MOVEMENT = 28
    MOVE_STAND_STILL = 29
    STATE_SPEED = 30
    GO_TO_POINT = 31
    WALK_TO = 32
    STEER = 33
    PURSUE = 34
    FACE = 35
    FOLLOW = 36
    PATROL = 37
    ENTER_ZONE = 38

    # motion
    ON_FOOT = 39

    # combat
    COMBAT = 40
    COMBAT_MOUNTED = 41
    MELEE = 42
    VEHICLE_COMBAT = 43
    STRIKE_ARM = 44

    # ragdoll: nothing else inside, nothing ragdoll outside; the marks name first and last
    KNOCKED_DOWN = 45
    GET_UP = 46
    RAGDOLL_RELAX = KNOCKED_DOWN
    RAGDOLL_LAST = GET_UP

    # damage to a body on its feet, its end, and help
    HIT_REACTION = 47
    DYING_DEAD = 48
    HELP_PERSON = 49
    ON_FIRE = 50

    # vehicle AI
    VEHICLE_FIRST = 51

    # debug only, in every build
    DEBUG_FIRST = 52


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
