"""Numbers and names of all event types (EVT-10, EVT-12).

Numbers stand in traces and recordings: a released one never changes, a removed
type leaves a hole.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

AI_TYPES: Final = range(1, 300)
SESSION_TYPES: Final = range(300, 400)
ERROR_TYPES: Final = range(400, 450)


class EventType(IntEnum):
    """Every type of event; ``NONE`` is never queued."""

    NONE = 0

    # the street at large
    TRANSIT_RIDE = 1
    AMBIENT_NOTICE = 2
    FOOTSTEP_HEARD = 3
    UNIDENTIFIED_NOISE = 4
    SUSPICIOUS_ACTIVITY = 5

    # shocking events
    SHOCKING_NICE_CAR = 10
    SHOCKING_STREET_SHOW = 11
    SHOCKING_CROWD = 12
    SHOCKING_HORN = 13
    SHOCKING_ALARM = 14
    SHOCKING_RUNNING_PED = 15
    SHOCKING_HELP_CALL = 16
    SHOCKING_BREAKAGE = 17
    SHOCKING_CAR_CRASH = 18
    SHOCKING_PED_KNOCKED_DOWN = 19
    SHOCKING_INJURED_PED = 20
    SHOCKING_BODY = 21
    SHOCKING_PED_RUN_OVER = 22
    SHOCKING_MAD_DRIVER = 23
    SHOCKING_WEAPON_DRAWN = 24
    SHOCKING_STAMPEDE = 25
    SHOCKING_FIGHT = 26
    SHOCKING_POTENTIAL_BLAST = 27
    SHOCKING_FIRE = 28
    SHOCKING_PED_ON_FIRE = 29
    SHOCKING_WEAPON_THREAT = 30
    SHOCKING_BANG = 31
    SHOCKING_EXPLOSION = 32

    # relations
    ACQUAINTANCE_LIKE = 60
    ACQUAINTANCE_DISLIKE = 61
    ACQUAINTANCE_HATE = 62
    FRIEND_RESPONDED_TO_THREAT = 63

    # what is about to be met
    POTENTIAL_WALK_INTO_PROP = 70
    POTENTIAL_WALK_INTO_PED = 71
    POTENTIAL_WALK_INTO_VEHICLE = 72
    POTENTIAL_WALK_INTO_FIRE = 73
    POTENTIAL_BE_WALKED_INTO = 74
    POTENTIAL_GET_RUN_OVER = 75
    HEAT = 76

    # provocation
    PROVOKED = 80

    # scripts and scenarios
    SCRIPT_WITH_DATA = 90
    SCENARIO_FORCE_ACTION = 91
    SAFE_RESPONSE = 92

    # bangs and near misses
    BANG_HEARD = 100
    PROJECTILE_WHIZZED_BY = 101
    PROJECTILE_IMPACT_NEAR = 102
    VEHICLE_NEAR_MISS = 103

    # calls and shouts
    CALL_FOR_COVER = 110
    SHOUT_TARGET_POSITION = 111
    SHOUT_BLOCKING_LINE = 112

    # vehicles and leaders
    VEHICLE_SEIZED = 120
    LEADER_ENTERED_VEHICLE = 130
    LEADER_LEFT_VEHICLE = 131
    LEADER_MOVED_OFF = 132
    LEADER_HOLD = 133

    # weapons and blasts
    AIMED_AT = 140
    EXPLOSION_HEARD = 141
    EXPLOSION = 142

    # tasks and commands
    NEW_TASK = 150
    SCRIPT_COMMAND = 151
    GIVE_PED_TASK = 152

    # collisions
    COLLISION_PROP = 160
    COLLISION_WALL = 161
    COLLISION_PED = 162
    COLLISION_PLAYER = 163
    COLLISION_VEHICLE = 164

    # own state
    IN_AIR = 170
    IN_WATER = 171

    # damage
    DAMAGE = 180
    ON_FIRE = 181

    # routes
    ROUTE_CLIMB = 190
    STUCK = 191

    # getting up and the end
    GET_UP = 200
    ROLL = 201
    RESTRAINED = 210
    INCAPACITATED = 220
    DEATH = 230
    REVIVED = 240

    # sessions, for scripts only
    SESSION_PLAYER_JOINED = 300
    SESSION_PLAYER_LEFT = 301
    SESSION_OWNERSHIP_CHANGED = 302
    SESSION_MESSAGE = 303
    SESSION_ENDED = 304

    # errors, for scripts only
    ERROR_SCRIPT_EXCEPTION = 400
    ERROR_UNKNOWN_PED = 401
    ERROR_REFUSED_COMMAND = 402
    ERROR_SEQUENCE = 403
    ERROR_BAD_DATA = 404


def is_ai(event_type: int) -> bool:
    """True for what peds and vehicles handle."""
    return event_type in AI_TYPES


def is_session(event_type: int) -> bool:
    """True for what scripts hear of a session."""
    return event_type in SESSION_TYPES


def is_error(event_type: int) -> bool:
    """True for what scripts hear of errors."""
    return event_type in ERROR_TYPES
