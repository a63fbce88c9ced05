"""The kinds of response: their parts and parameters (EVT-84).

``ai/behaviours`` registers what builds them in the response factory; a kind that
nobody registered loads, and answers none.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple, TypeAlias

ParameterValue: TypeAlias = float | int | str


class Part(Enum):
    """Which part of a response a kind fills."""

    MAIN = "main"
    SECONDARY = "main on secondary"
    PHYSICAL = "physical"
    MOVEMENT = "movement"
    NONE = "none"


class Parameter(NamedTuple):
    """A number within bounds, or one of some words; ``default`` None means it must be given."""

    low: float = 0.0
    high: float = 0.0
    default: ParameterValue | None = None
    words: tuple[str, ...] = ()

    def check(self, name: str, value: object) -> ParameterValue:
        """The value, if it may be used.

        Raises ``ValueError`` naming the bounds or words.
        """
        if self.words:
            if value not in self.words:
                raise ValueError(f"{name} = {value!r}: must be one of {', '.join(self.words)}")
            assert isinstance(value, str)
            return value
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ValueError(f"{name} = {value!r}: must be a number")
        if not self.low <= value <= self.high:
            raise ValueError(f"{name} = {value!r}: must be within {self.low:g} and {self.high:g}")
        return value


class KindInfo(NamedTuple):
    """What is known of a kind. ``code_only``: no decision may name it."""

    part: Part
    parameters: dict[str, Parameter]
    code_only: bool = False


def _duration(default: float | None) -> Parameter:
    return Parameter(-1.0, 600.0, default)


_DISTANCE: Final = Parameter(1.0, 20_000.0)
_MOVE: Final = Parameter(default="fast_walk", words=("walk", "fast_walk", "run", "sprint"))
_RUN: Final = Parameter(default="run", words=("walk", "fast_walk", "run", "sprint"))
_AFTER: Final = Parameter(default="none", words=("none", "watch", "film", "report"))

KINDS: Final[dict[str, KindInfo]] = {
    "none": KindInfo(Part.NONE, {}),
    "combat": KindInfo(Part.MAIN, {}),
    "threat_response": KindInfo(Part.MAIN, {}),
    "flee": KindInfo(
        Part.MAIN,
        {"safe_distance_cm": _DISTANCE, "move": _RUN, "after": _AFTER, "after_s": _duration(6.0)},
    ),
    "evacuate": KindInfo(Part.MAIN, {}),
    "hands_up": KindInfo(Part.MAIN, {"duration_s": _duration(None)}),
    "cower": KindInfo(Part.MAIN, {"duration_s": _duration(-1.0)}),
    "duck": KindInfo(Part.MAIN, {"duration_s": _duration(2.0)}),
    "watch": KindInfo(Part.MAIN, {"duration_s": _duration(None)}),
    "goto_look": KindInfo(Part.MAIN, {"stop_distance_cm": _DISTANCE, "duration_s": _duration(6.0)}),
    "hurry_away": KindInfo(
        Part.MAIN, {"move": _MOVE, "distance_cm": Parameter(1.0, 20_000.0, 1500.0)}
    ),
    "back_away": KindInfo(Part.MAIN, {"distance_cm": Parameter(1.0, 2000.0, 250.0)}),
    "react": KindInfo(Part.MAIN, {"duration_s": Parameter(0.1, 2.0, 1.2)}),
    "stop_and_stare": KindInfo(Part.MAIN, {"duration_s": _duration(6.0)}),
    "head_track": KindInfo(Part.SECONDARY, {"duration_s": _duration(None)}),
    "walk_round_entity": KindInfo(Part.MOVEMENT, {}),
    "walk_round_fire": KindInfo(Part.MOVEMENT, {}),
    "step_aside": KindInfo(Part.MAIN, {"distance_cm": Parameter(1.0, 500.0, 90.0)}),
    "hit_reaction": KindInfo(Part.PHYSICAL, {}),
    "knocked_down": KindInfo(Part.PHYSICAL, {}, code_only=True),
    "get_up": KindInfo(Part.PHYSICAL, {}, code_only=True),
    "fall": KindInfo(Part.MAIN, {}, code_only=True),
    "on_fire": KindInfo(Part.MAIN, {}, code_only=True),
    "dying_dead": KindInfo(Part.MAIN, {}, code_only=True),
    "leave_area": KindInfo(Part.MAIN, {"radius_cm": _DISTANCE}),
    "follow_leader": KindInfo(Part.MAIN, {}),
    "defer_to_scenario_point": KindInfo(Part.MAIN, {}),
    "investigate": KindInfo(Part.MAIN, {}),
    "agitated": KindInfo(Part.MAIN, {}),
    "greet": KindInfo(Part.SECONDARY, {}),
    "report_by_phone": KindInfo(Part.MAIN, {"duration_s": _duration(12.0)}),
    "film_with_phone": KindInfo(Part.MAIN, {"duration_s": _duration(10.0)}),
    "help_person": KindInfo(Part.MAIN, {}),
    "take_cover": KindInfo(Part.MAIN, {}),
    "roll": KindInfo(Part.PHYSICAL, {}),
    "climb_over": KindInfo(Part.MAIN, {}, code_only=True),
    "leave_water": KindInfo(Part.MAIN, {}, code_only=True),
    "exit_vehicle": KindInfo(Part.MAIN, {}),
    "brake_and_wait": KindInfo(Part.MAIN, {}),
    "drive_away": KindInfo(Part.MAIN, {}),
    "enter_vehicle_with_leader": KindInfo(Part.MAIN, {}),
    "leave_vehicle_with_leader": KindInfo(Part.MAIN, {}),
    "restrained": KindInfo(Part.MAIN, {}),
    "incapacitated": KindInfo(Part.MAIN, {}),
    "dragged": KindInfo(Part.MAIN, {}, code_only=True),
    "revived_stand": KindInfo(Part.MAIN, {}),
}

WATCHING_KINDS: Final = frozenset({"watch", "goto_look", "stop_and_stare", "film_with_phone"})
"""Kinds of which a shocking event takes a limited number at a time (EVT-90 d)."""

FLEEING_KINDS: Final = frozenset({"flee", "evacuate"})
"""Kinds of which group and street hear (EVT-90 a, c)."""

OUTLASTING_KINDS: Final = frozenset(
    {"combat", "flee", "evacuate", "threat_response", "hands_up", "cower"}
)
"""Kinds that outlast a nuisance: they override a temporary event's slot (EVT-85)."""
