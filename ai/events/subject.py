"""A ped as the event system sees it; ``ai/peds`` has the real thing."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ai.ports import EntityRef, Vec3
from ai.tasks.task_entity import TaskEntity

if TYPE_CHECKING:
    from ai.events.base import Event
    from ai.events.ped_events import PedEvents
    from ai.events.situation import Situation


@dataclass(frozen=True, slots=True)
class Personality:
    """How a ped differs from others in its reactions.

    - ``reaction_scale`` multiplies its reaction delays (EVT-21).
    - ``bravery`` in [0, 1]: from the tuning's ``brave_from`` on it is brave (EVT-101).
    """

    reaction_scale: float = 1.0
    bravery: float = 0.4


class EventPed(TaskEntity, Protocol):
    """Whoever has a group of events, a handler and task trees."""

    ref: EntityRef
    events: PedEvents

    @property
    def ped_id(self) -> int:
        """Number of the ped: the order of all phases."""
        ...

    @property
    def position(self) -> Vec3:
        """Where it stands, in cm."""
        ...

    @property
    def is_dead(self) -> bool:
        """Dead peds are affected by little (EVT-12)."""
        ...

    @property
    def is_ragdolling(self) -> bool:
        """Its body is being simulated."""
        ...

    @property
    def retired(self) -> bool:
        """Its removal was asked for."""
        ...

    @property
    def reaction_rng(self) -> random.Random:
        """Its stream ``reaction`` (EVT-98)."""
        ...

    @property
    def decision_rng(self) -> random.Random:
        """Its stream ``decision``."""
        ...

    def situation(self, event: Event) -> Situation:
        """What holds of the ped and an event's source, for the flags of EVT-77."""
        ...

    def take_for_threat(self, other: EntityRef) -> None:
        """Another ped is a threat from now on (EVT-104); friends never are."""
        ...

    def frighten(self, event: Event) -> None:
        """An event was decided (EVT-101)."""
        ...

    def force_full_update(self) -> None:
        """Make its next turn a full update (TASK-86)."""
        ...
