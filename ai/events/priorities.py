"""The ladder of event priorities (EVT-14).

Hundreds are layers, with gaps for members to come. Values stand in traces. The
orderings that exist for a reason are EVT-15 and have a test each.
"""

from __future__ import annotations

from enum import IntEnum


class EventPriority(IntEnum):
    """Larger is more urgent; ``NONE`` and ``BLOCK_NON_TEMP`` belong to no event."""

    NONE = 0

    # environment
    ENV_TRANSIT = 100
    ENV_TRIVIA = 110

    # investigate
    INVESTIGATE_SOUND = 150
    INVESTIGATE = 160

    # shocking: interesting, or the business of others
    SHOCK_INTERESTING = 200
    SHOCK_AFFECTS_OTHERS = 210

    # relations
    RELATION_LIKE = 300
    RELATION_DISLIKE = 310
    RELATION_HATE = 320

    # what is about to be met
    POT_PROP = 400
    POT_PED = 410
    POT_VEHICLE = 420
    POT_FIRE = 430
    POT_BE_WALKED_INTO = 440
    POT_RUN_OVER = 450

    SHOCK_POTENTIAL_DANGER = 500
    PROVOKED = 600

    # shocking: dangerous
    SHOCK_DANGEROUS = 700
    SHOCK_SERIOUS_DANGER = 710

    # scripts and scenarios
    SCRIPT_WITH_DATA = 800
    SCENARIO_FORCE = 810

    # bangs and near misses
    BANG = 900
    NEAR_MISS = 910

    # calls and shouts
    CALL_FOR_COVER = 1000
    SHOUT = 1010

    CARJACK = 1100
    LEADER = 1200

    # aimed at, explosion
    AIMED_AT = 1300
    EXPLOSION = 1310

    # tasks and commands
    NEW_TASK = 1400
    SCRIPT_COMMAND = 1410
    GIVE_PED_TASK = 1420

    BLOCK_NON_TEMP = 1500
    """A threshold: what a scripted ped may be told to ignore lies below, its body above."""

    COLLISION = 1600

    # air, water
    IN_AIR = 1700
    IN_WATER = 1710

    DAMAGE = 1800

    # close-fight damage, burning
    DAMAGE_MELEE = 1900
    ON_FIRE = 1910

    # routes
    ROUTE_CLIMB = 2000
    STUCK = 2010

    SCRIPT_COMMAND_HIGH_NO_RAGDOLL = 2100

    # getting up
    GET_UP = 2200
    ROLL = 2210

    RESTRAINED = 2300
    DAMAGE_RAGDOLL = 2400
    SCRIPT_COMMAND_HIGH = 2500
    INCAPACITATED = 2600
    DEATH = 2700
    DEATH_RAGDOLL = 2800
    DRAGGED = 2900
    REVIVED = 3000
    MAX = 3100
    """Accepted even by the dead."""


NOT_FOR_EVENTS = (EventPriority.NONE, EventPriority.BLOCK_NON_TEMP)
"""Members that no event may have (EVT-16)."""


def checked_priority(value: object) -> EventPriority:
    """The value, if an event may have it.

    Raises ``ValueError`` for a plain number, ``NONE`` or the threshold (EVT-16).
    """
    if not isinstance(value, EventPriority) or value in NOT_FOR_EVENTS:
        raise ValueError(
            f"{value!r} is no priority of an event; use a member of EventPriority "
            "other than NONE and BLOCK_NON_TEMP"
        )
    return value
