"""What holds of a ped and an event's source when a decision is made (EVT-77, EVT-78)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from ai.events.decision_flags import BIT

SCARED_FROM: Final = 0.5
TERRIFIED_FROM: Final = 0.8


class SourceKind(Enum):
    """Which of an entry's chances counts (EVT-78); the value is its key in data."""

    THREAT = "threat"
    FRIEND = "friend"
    PLAYER = "player"
    OTHER = "other"


class Posture(Enum):
    """How the ped is about; the value is the state flag that it makes hold."""

    ON_FOOT = "valid_on_foot"
    IN_CAR = "valid_in_car"
    ON_BICYCLE = "valid_on_bicycle"
    IN_AIRCRAFT = "valid_in_aircraft"
    IN_BOAT = "valid_in_boat"
    SEATED = "valid_seated"
    ON_GROUND = "valid_on_ground"


class SourceNature(Enum):
    """What the source is."""

    NONE = 0
    PED = 1
    VEHICLE = 2
    PROP = 3
    ANIMAL = 4


@dataclass(slots=True)
class Situation:
    """Built once per event and ped, when the event is decided.

    - ``source_kind``: no source is ``OTHER``; a vehicle counts as its driver.
    - ``seen``: by sight; otherwise it was only heard, or told of.
    """

    source_kind: SourceKind = SourceKind.OTHER
    posture: Posture = Posture.ON_FOOT
    is_driver: bool = False
    own_vehicle_moving: bool = False
    using_scenario: bool = False
    scenario_point_has_response: bool = False
    on_crossing: bool = False
    waiting_at_crossing: bool = False
    fear: float = 0.0
    brave: bool = False
    animal: bool = False
    armed: bool = False
    injured: bool = False
    indoors: bool = False
    in_group: bool = False
    group_leader: bool = False
    scripted: bool = False
    seen: bool = True
    source: SourceNature = SourceNature.NONE
    source_in_vehicle: bool = False
    source_armed: bool = False
    source_is_player: bool = False
    source_is_friend: bool = False
    source_down: bool = False
    target_is_me: bool = False
    target_is_friend: bool = False

    def mask(self) -> int:
        """The flags that hold, as one number."""
        nature = self.source
        in_vehicle = self.posture in (Posture.IN_CAR, Posture.ON_BICYCLE, Posture.IN_AIRCRAFT,
                                      Posture.IN_BOAT)  # fmt: skip
        ped_source = nature in (SourceNature.PED, SourceNature.ANIMAL)
        holds = {
            "only_if_driver": self.is_driver,
            "only_if_passenger": in_vehicle and not self.is_driver,
            "only_if_own_vehicle_moving": self.own_vehicle_moving,
            "only_if_source_in_vehicle": self.source_in_vehicle,
            "only_if_source_on_foot": ped_source and not self.source_in_vehicle,
            "only_if_using_scenario": self.using_scenario,
            "not_if_using_scenario": not self.using_scenario,
            "only_if_scenario_point_has_response": self.scenario_point_has_response,
            "only_if_on_crossing": self.on_crossing,
            "not_if_on_crossing": not self.on_crossing,
            "only_if_waiting_at_crossing": self.waiting_at_crossing,
            "only_if_scared": self.fear >= SCARED_FROM,
            "only_if_not_scared": self.fear < SCARED_FROM,
            "only_if_terrified": self.fear >= TERRIFIED_FROM,
            "only_if_brave": self.brave,
            "not_if_brave": not self.brave,
            "only_if_source_armed": self.source_armed,
            "only_if_source_unarmed": not self.source_armed,
            "only_if_target_is_me": self.target_is_me,
            "only_if_target_is_friend": self.target_is_friend,
            "only_if_source_is_player": self.source_is_player,
            "not_if_source_is_player": not self.source_is_player,
            "only_if_source_is_ped": nature is SourceNature.PED,
            "only_if_source_is_vehicle": nature is SourceNature.VEHICLE,
            "only_if_source_is_prop": nature is SourceNature.PROP,
            "only_if_no_source": nature is SourceNature.NONE,
            "only_if_source_is_animal": nature is SourceNature.ANIMAL,
            "not_if_source_is_animal": nature is not SourceNature.ANIMAL,
            "only_if_source_is_friend": self.source_is_friend,
            "not_if_source_is_friend": not self.source_is_friend,
            "only_if_source_down": self.source_down,
            "only_if_self_animal": self.animal,
            "not_if_self_animal": not self.animal,
            "only_if_self_armed": self.armed,
            "only_if_self_unarmed": not self.armed,
            "only_if_self_injured": self.injured,
            "only_if_indoors": self.indoors,
            "only_if_outdoors": not self.indoors,
            "only_if_seen": self.seen,
            "only_if_heard_only": not self.seen,
            "only_if_group_leader": self.group_leader,
            "only_if_in_group": self.in_group,
            "not_if_in_group": not self.in_group,
            "only_if_scripted_ped": self.scripted,
            "not_if_scripted_ped": not self.scripted,
        }
        mask = BIT[self.posture.value]
        for name, holding in holds.items():
            if holding:
                mask |= BIT[name]
        return mask
