"""What the brains of one world share; part of the services that all peds share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ai.behaviours.brains.reports import Reports
from ai.behaviours.brains.tuning import BrainTuning
from ai.machines.authoring.library import BehaviourLibrary
from ai.machines.blackboard.board import EntityLife
from ai.machines.blackboard.shared import SharedBoard
from ai.machines.counters import Counters
from ai.machines.limits import BehaviourTuning
from ai.ports import Blows, Speech, Vec3


@dataclass(frozen=True, slots=True)
class BrainData:
    """What is read from files, once for all worlds.

    ``library`` holds the behaviours by name; reloading one replaces it there.
    """

    library: BehaviourLibrary
    limits: BehaviourTuning
    tuning: BrainTuning


@dataclass(frozen=True, slots=True)
class BrainServices:
    """One world's.

    - ``routes``: patrol routes by name, at least two points each (map polylines).
    - ``hashing``: brains keep the hash of their whole trace (ACT-25).
    """

    data: BrainData
    routes: Mapping[str, tuple[Vec3, ...]]
    life: EntityLife
    blows: Blows
    speech: Speech
    hashing: bool = False
    counters: Counters = field(default_factory=Counters)
    shared: SharedBoard = field(default_factory=SharedBoard)
    reports: Reports = field(default_factory=Reports)
