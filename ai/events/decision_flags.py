"""The 52 flags of a decision, and what they are tested against (EVT-77)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

STATE_FLAGS: Final = (
    "valid_on_foot",
    "valid_in_car",
    "valid_on_bicycle",
    "valid_in_aircraft",
    "valid_in_boat",
    "valid_seated",
    "valid_on_ground",
)
"""Numbers 1 to 7: any of them has to hold."""

REQUIREMENT_FLAGS: Final = (
    "only_if_driver",
    "only_if_passenger",
    "only_if_own_vehicle_moving",
    "only_if_source_in_vehicle",
    "only_if_source_on_foot",
    "only_if_using_scenario",
    "not_if_using_scenario",
    "only_if_scenario_point_has_response",
    "only_if_on_crossing",
    "not_if_on_crossing",
    "only_if_waiting_at_crossing",
    "only_if_scared",
    "only_if_not_scared",
    "only_if_terrified",
    "only_if_brave",
    "not_if_brave",
    "only_if_source_armed",
    "only_if_source_unarmed",
    "only_if_target_is_me",
    "only_if_target_is_friend",
    "only_if_source_is_player",
    "not_if_source_is_player",
    "only_if_source_is_ped",
    "only_if_source_is_vehicle",
    "only_if_source_is_prop",
    "only_if_no_source",
    "only_if_source_is_animal",
    "not_if_source_is_animal",
    "only_if_source_is_friend",
    "not_if_source_is_friend",
    "only_if_source_down",
    "only_if_self_animal",
    "not_if_self_animal",
    "only_if_self_armed",
    "only_if_self_unarmed",
    "only_if_self_injured",
    "only_if_indoors",
    "only_if_outdoors",
    "only_if_seen",
    "only_if_heard_only",
    "only_if_group_leader",
    "only_if_in_group",
    "not_if_in_group",
    "only_if_scripted_ped",
    "not_if_scripted_ped",
)
"""Numbers 8 to 52: all of those that are named have to hold."""

DECISION_FLAGS: Final = STATE_FLAGS + REQUIREMENT_FLAGS
BIT: Final = {name: 1 << index for index, name in enumerate(DECISION_FLAGS)}
STATE_MASK: Final = (1 << len(STATE_FLAGS)) - 1

_CONFLICTS: Final = (
    ("only_if_using_scenario", "not_if_using_scenario"),
    ("only_if_on_crossing", "not_if_on_crossing"),
    ("only_if_scared", "only_if_not_scared"),
    ("only_if_not_scared", "only_if_terrified"),
    ("only_if_brave", "not_if_brave"),
    ("only_if_source_armed", "only_if_source_unarmed"),
    ("only_if_source_is_player", "not_if_source_is_player"),
    ("only_if_source_is_animal", "not_if_source_is_animal"),
    ("only_if_source_is_friend", "not_if_source_is_friend"),
    ("only_if_self_animal", "not_if_self_animal"),
    ("only_if_self_armed", "only_if_self_unarmed"),
    ("only_if_indoors", "only_if_outdoors"),
    ("only_if_seen", "only_if_heard_only"),
    ("only_if_in_group", "not_if_in_group"),
    ("only_if_scripted_ped", "not_if_scripted_ped"),
    ("only_if_group_leader", "not_if_in_group"),
    *(
        ("only_if_no_source", other)
        for other in (
            "only_if_source_armed",
            "only_if_source_is_player",
            "only_if_source_is_ped",
            "only_if_source_is_vehicle",
            "only_if_source_is_prop",
            "only_if_source_is_animal",
            "only_if_source_is_friend",
            "only_if_source_down",
        )
    ),
)

FLEE_FLAGS: Final = (
    "run_at_once",
    "sprint",
    "keep_to_pavement",
    "avoid_crossings",
    "stop_when_out_of_sight",
    "cower_if_cornered",
    "stay_with_group",
    "drop_carried",
    "scream",
)
"""A mask of its own, handed to the flee task."""
FLEE_BIT: Final = {name: 1 << index for index, name in enumerate(FLEE_FLAGS)}


def nearest_name(name: str, known: Iterable[str]) -> str:
    """``": did you mean x?"`` for an unknown name, or an empty text."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.4)
    return f": did you mean {close[0]}?" if close else ""


def flag_mask(names: Iterable[str]) -> int:
    """The mask of a decision's flags.

    Raises ``ValueError`` for an unknown flag, a pair that excludes each other, and when no
    state is named in which the decision is valid.
    """
    mask = 0
    for name in names:
        if name not in BIT:
            raise ValueError(f"no flag is called {name!r}{nearest_name(name, DECISION_FLAGS)}")
        mask |= BIT[name]
    if not mask & STATE_MASK:
        raise ValueError(f"no state named; add one of {', '.join(STATE_FLAGS)}")
    for one, other in _CONFLICTS:
        if mask & BIT[one] and mask & BIT[other]:
            raise ValueError(f"{one} and {other} exclude each other; remove one")
    return mask


def flee_mask(names: Iterable[str]) -> int:
    """The mask of flee flags.

    Raises ``ValueError`` for an unknown one.
    """
    mask = 0
    for name in names:
        if name not in FLEE_BIT:
            raise ValueError(f"no flee flag is called {name!r}{nearest_name(name, FLEE_FLAGS)}")
        mask |= FLEE_BIT[name]
    return mask


def first_unmet(flags: int, holding: int) -> str | None:
    """Name of the first requirement that does not hold, or None."""
    unmet = flags & ~STATE_MASK & ~holding
    if not unmet:
        return None
    return DECISION_FLAGS[(unmet & -unmet).bit_length() - 1]
