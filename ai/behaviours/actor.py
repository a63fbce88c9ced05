"""A ped as its behaviours see it, and the parts of the world that they share.

``ai/peds`` builds both. Behaviours come before peds in the order of rooms, so
what they need is named here and nothing else of a ped is theirs to use.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ai.behaviours.gait_speeds import GaitSpeeds
from ai.behaviours.injury import Health, InjuryTuning
from ai.behaviours.wander_tuning import WanderTuning
from ai.events.event_services import EventServices
from ai.events.subject import EventPed
from ai.ports import Clearance, Clock, EntityRef, FactSink, PathFinder, WalkSurface
from ai.tasks.task_manager import TaskManager
from ai.tasks.transition_files import TransitionFamily

if TYPE_CHECKING:
    from ai.behaviours.brains.services import BrainServices
    from ai.behaviours.burning import Burning
    from ai.behaviours.order_book import OrderBook
    from ai.behaviours.order_passes import OrderPasses
    from ai.behaviours.player import PlayerControls
    from ai.behaviours.safe_desk import SafeDesk
    from ai.motion.coordination import Coordination
    from ai.motion.execution import MoveExecution
    from ai.motion.locomotion_tuning import LocomotionTuning
    from ai.motion.movement_system import MovementSystem
    from ai.motion.recovery.knock_downs import KnockDowns
    from ai.motion.recovery.recovery import Recovery
    from ai.motion.recovery.tuning import KnockdownTuning
    from ai.motion.stumbles import Stumbles
    from ai.navigation.flee_desk import FleeDesk
    from ai.navigation.surfaces import Surfaces


class MotionWishes:
    """What the movement tree wishes and the motion tree reads (TASK-78).

    - ``desired_mbr`` is a move blend ratio in [0, 3].
    - ``desired_heading_rad`` is None while the heading follows the path.
    - ``gaze_rad``: how far the head is turned from where the body faces, clockwise; what is
      seen is seen from there (EVT-103).
    """

    __slots__ = ("desired_heading_rad", "desired_mbr", "gaze_rad")

    def __init__(self) -> None:
        self.desired_mbr = 0.0
        self.desired_heading_rad: float | None = None
        self.gaze_rad = 0.0


@dataclass(slots=True)
class Services:
    """What all peds of a world share."""

    clock: Clock
    facts: FactSink
    movement: MovementSystem
    coordination: Coordination
    surface: WalkSurface
    path_finder: PathFinder
    clearance: Clearance
    surfaces: Surfaces
    gait_speeds: GaitSpeeds
    wander: WanderTuning
    flee: FleeDesk
    safe: SafeDesk
    wander_transitions: TransitionFamily
    locomotion: LocomotionTuning
    events: EventServices
    order_book: OrderBook
    order_passes: OrderPasses
    player_controls: PlayerControls
    recovery: Recovery
    knock_downs: KnockDowns
    stumbles: Stumbles
    knockdown: KnockdownTuning
    injury: InjuryTuning
    brains: BrainServices
    burning: Burning


class Actor(EventPed, Protocol):
    """One ped.

    - ``rng`` is the ped's stream ``task`` (TASK-04).
    - ``movement`` is its general movement record (NAV-01).
    - ``health`` is what harm has left of it (EVT-102).
    """

    slot: int
    tasks: TaskManager
    motion: MotionWishes
    movement: MoveExecution
    services: Services
    health: Health

    @property
    def name(self) -> str:
        """Name that levels and people use."""
        ...

    @property
    def agility(self) -> float:
        """How much it takes on its feet, in [0, 1]."""
        ...

    def die(self) -> None:
        """Nothing affects it any more but what concerns the dead (EVT-12)."""
        ...

    @property
    def walk_speed_cm_s(self) -> float:
        """The pace at which it walks unasked."""
        ...

    @property
    def rng(self) -> random.Random:
        """Random numbers of the ped's tasks."""
        ...

    @property
    def fear(self) -> float:
        """In [0, 1] (EVT-101)."""
        ...

    @property
    def brain_rng(self) -> random.Random:
        """Its stream ``brain`` (BT-19)."""
        ...

    @property
    def behaviour(self) -> str:
        """Which behaviour of ``assets/behaviour`` its brain runs."""
        ...

    @property
    def route(self) -> str:
        """The patrol route that the level gives it, or empty."""
        ...

    @property
    def tasks_suppressed(self) -> bool:
        """A script or scene keeps the ped's tasks from moving it (NAV-14)."""
        ...

    @property
    def vehicle_link(self) -> EntityRef | None:
        """The vehicle the ped sits in, enters or leaves."""
        ...

    def force_full_update(self) -> None:
        """Make the ped's next turn a full update (TASK-86)."""
        ...

    def request_move_signals(self) -> None:
        """Call ``process_move_signals`` of its tasks every step from now on (TASK-68)."""
        ...
