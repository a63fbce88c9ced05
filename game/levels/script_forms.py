"""What a script may have a ped do: the form of a task in cues (EVT-67, EVT-70, LVL-34)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, model_validator

from game.levels.forms import LONGEST_S, Flag, LevelForm, Name, Place

TASKS_MAX = 16
"""Longest sequence (EVT-69)."""

_KEYS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "walk": (frozenset({"point", "object"}), frozenset()),
    "stand": (frozenset(), frozenset({"seconds"})),
    "face": (frozenset({"point", "object", "who"}), frozenset()),
    "follow": (frozenset({"object", "who"}), frozenset({"distance_cm"})),
    "patrol": (frozenset({"route"}), frozenset({"pause_s", "laps", "back"})),
    "enter_zone": (frozenset({"zone"}), frozenset()),
    "play": (frozenset({"gesture"}), frozenset({"seconds"})),
}
"""By kind: keys of which one is needed, and keys that may be there."""


class ScriptTask(LevelForm):
    """One task.

    - ``walk`` to a ``point`` or ``object``; ``stand`` for ``seconds``, for ever without.
    - ``face`` a ``point``, an ``object`` or ``who``; ``follow`` an ``object`` or ``who``.
    - ``patrol`` along a ``route`` (a polyline of the map's markers), ``laps`` times, for ever
      without; ``back``: to and fro.
    - ``enter_zone``: into an area of the map's zones.
    - ``play``: make a ``gesture`` on the spot, for ``seconds``, 2 without.
    """

    kind: Literal["walk", "stand", "face", "follow", "patrol", "enter_zone", "play"]
    point: Place | None = None
    object: Name | None = None
    who: Name | None = None
    route: Name | None = None
    zone: Name | None = None
    gesture: Literal["wave", "film", "phone", "hands_up", "duck", "cower", "startle"] | None = None
    seconds: Annotated[float, Field(strict=True, gt=0.0, le=LONGEST_S)] | None = None
    distance_cm: Annotated[float, Field(strict=True, ge=70.0, le=5000.0)] | None = None
    pause_s: Annotated[float, Field(strict=True, ge=0.0, le=LONGEST_S)] | None = None
    laps: Annotated[int, Field(strict=True, ge=1, le=1000)] | None = None
    back: Flag | None = None

    @model_validator(mode="after")
    def _keys_of_its_kind(self) -> ScriptTask:
        needed, allowed = _KEYS[self.kind]
        keys = set(type(self).model_fields) - {"kind"}
        stated = {key for key in keys if getattr(self, key) is not None}
        strange = stated - needed - allowed
        if strange:
            known = ", ".join(f"'{key}'" for key in sorted(needed | allowed))
            raise ValueError(f"'{min(strange)}' is no key of '{self.kind}'; it has {known}")
        if needed and len(stated & needed) != 1:
            raise ValueError(f"'{self.kind}' needs one of: {', '.join(sorted(needed))}")
        return self
