"""The ped: identity, four task trees, a mind, and the face of its movement record."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ai.behaviours.actor import MotionWishes, Services
from ai.behaviours.brains.brain_task import BrainTask
from ai.behaviours.injury import Health
from ai.behaviours.on_foot import OnFootMotion
from ai.behaviours.order_record import OrderState, blank_order
from ai.behaviours.safe_record import SafeResponse
from ai.events.ped_events import PedEvents
from ai.events.situation import Situation
from ai.machines.brain import Brain
from ai.motion.movement_table import MovementSlot, SuspendReason
from ai.motion.recovery.phases import DOWN, RecoveryRecord
from ai.peds.intelligence import PedIntelligence
from ai.peds.nerves import Nerves
from ai.peds.situation_of import situation_of
from ai.peds.threats import ThreatList
from ai.peds.weapons import Weapon
from ai.ports import EntityRef, RandomStreams, Vec3
from ai.tasks.ped_trees import MotionTaskTree, MovementTaskTree, PedTaskTree
from ai.tasks.task import Task
from ai.tasks.task_manager import TaskManager
from ai.tasks.task_tree import TaskTree
from ai.tasks.trees import (
    MOTION,
    MOVEMENT,
    PRIMARY,
    SECONDARY,
    TREE_NAMES,
    MotionSlot,
    PrimarySlot,
    SecondarySlot,
)

if TYPE_CHECKING:
    from ai.events.base import Event
    from ai.peds.ai_lod import AiLod
    from ai.peds.default_tasks import DefaultTasks
    from ai.peds.ped_models import PedData


@dataclass(frozen=True, slots=True)
class PedTraits:
    """What a level or a spawn says of a ped.

    - ``named_default_task`` is a value of TASK-73 row 5b, or empty.
    - ``model`` is a key of ``assets/tuning/ped_models.toml``.
    - ``immortal``: no harm is the end of it (EVT-102); the player never dies either.
    - ``behaviour`` is what a brain of it runs, ``route`` where that patrols.
    """

    name: str
    model: str
    named_default_task: str = ""
    outfit: str = ""
    walk_speed_cm_s: float = 130.0
    is_local_player: bool = False
    immortal: bool = False
    behaviour: str = "guard"
    route: str = ""


class Ped:
    """One pedestrian (the protocol ``Actor`` of the behaviours).

    - ``ref`` is its handle, ``slot`` its place in the pool and in every array,
      ``ped_id`` the order of every phase and the key of its random streams.
    - ``weapon`` is what it has in hand, set by cues.
    - Position and yaw are read through ``movement``; nothing here writes them.
    - A new ped has its four trees, a do-nothing task and a standing movement at
      once (TASK-70); ``wake`` gives it its motion and its computed default.
    """

    __slots__ = (
        "_defaults",
        "_nerves",
        "_streams",
        "_tasks_suppressed",
        "_vehicle_link",
        "agility",
        "events",
        "health",
        "intelligence",
        "is_dead",
        "is_mirrored",
        "motion",
        "movement",
        "ped_id",
        "ref",
        "retired",
        "services",
        "slot",
        "tasks",
        "threats",
        "traits",
        "weapon",
    )

    def __init__(
        self,
        ref: EntityRef,
        ped_id: int,
        traits: PedTraits,
        services: Services,
        streams: RandomStreams,
        defaults: DefaultTasks,
        ai_lod: AiLod,
        ped_data: PedData,
    ) -> None:
        self.ref = ref
        self.slot = ref.slot
        self.ped_id = ped_id
        self.traits = traits
        self.services = services
        self.motion = MotionWishes()
        self.movement = services.movement.execution(ref.slot, MovementSlot.GENERAL)
        self.retired = False
        self.is_mirrored = False
        self.is_dead = False
        self.weapon = Weapon.NONE
        self._streams = streams
        self._defaults = defaults
        self._nerves = Nerves(services.events.tuning.fear)
        self.threats = ThreatList(ped_data.tuning.threats)
        self._tasks_suppressed = False
        self._vehicle_link: EntityRef | None = None
        ped_model = ped_data.models[traits.model]
        self.agility = ped_model.agility
        self.health = Health(
            ped_data.tuning.damage, immortal=traits.immortal or traits.is_local_player
        )
        self.events = PedEvents(
            self,
            services.events,
            decision_maker=ped_model.decision_maker,
            personality=ped_model.personality,
        )
        self.intelligence = PedIntelligence(self, ai_lod)
        self.tasks = TaskManager(self, on_task_changed=self.intelligence.task_changed)
        self.tasks.add_tree(PRIMARY, PedTaskTree(self, self.default_task))
        self.tasks.add_tree(SECONDARY, TaskTree(self, SecondarySlot, name=TREE_NAMES[SECONDARY]))
        self.tasks.add_tree(MOVEMENT, MovementTaskTree(self))
        self.tasks.add_tree(MOTION, MotionTaskTree(self))

    def wake(self) -> None:
        """Role and model are set: place the motion task and the computed default (TASK-70)."""
        self.tasks.set_task(MOTION, OnFootMotion(), MotionSlot.DEFAULT)
        self.tasks.set_task(PRIMARY, None, PrimarySlot.DEFAULT)

    def default_task(self) -> Task:
        """A fresh task for its default slot (TASK-73)."""
        return self._defaults.default_task(self)

    # -- identity and traits -----------------------------------------------------

    @property
    def name(self) -> str:
        """Name that levels and people use."""
        return self.traits.name

    @property
    def model(self) -> str:
        """Key into the ped models."""
        return self.traits.model

    @property
    def named_default_task(self) -> str:
        """Default task that the level names, or empty."""
        return self.traits.named_default_task

    @property
    def walk_speed_cm_s(self) -> float:
        """The pace at which this ped walks unasked (TASK-121); who is hurt limps."""
        pace = self.traits.walk_speed_cm_s
        return pace * self.services.injury.limp_speed if self.limps else pace

    @property
    def limps(self) -> bool:
        """Too hurt to walk as ever."""
        return self.health.value < self.services.injury.limps_below

    @property
    def is_local_player(self) -> bool:
        """True for the one ped that the player steers."""
        return self.traits.is_local_player

    @property
    def rng(self) -> random.Random:
        """The ped's stream ``task`` (TASK-04), made when first drawn from."""
        return self._streams.ped(self.ped_id, "task")

    @property
    def brain_rng(self) -> random.Random:
        """Its stream ``brain`` (BT-19)."""
        return self._streams.ped(self.ped_id, "brain")

    @property
    def behaviour(self) -> str:
        """Which behaviour a brain of it runs."""
        return self.traits.behaviour

    @property
    def route(self) -> str:
        """The patrol route that the level gives it, or empty."""
        return self.traits.route

    @property
    def reaction_rng(self) -> random.Random:
        """Its stream ``reaction`` (EVT-98)."""
        return self._streams.ped(self.ped_id, "reaction")

    @property
    def decision_rng(self) -> random.Random:
        """Its stream ``decision`` (EVT-98)."""
        return self._streams.ped(self.ped_id, "decision")

    @property
    def label(self) -> str:
        """Name in dumps and faults."""
        return f"ped#{self.ped_id}"

    def __repr__(self) -> str:
        return f"{self.label} {self.name}"

    # -- events ------------------------------------------------------------------

    @property
    def is_ragdolling(self) -> bool:
        """Its body is simulated, or rises from that (REC-23)."""
        return self.services.recovery.phase(self.slot) in DOWN

    @property
    def fear(self) -> float:
        """In [0, 1]; raised by what it decides on, and falling (EVT-101)."""
        return self._nerves.fear(self.services.clock.step)

    def take_for_threat(self, other: EntityRef) -> None:
        """Another ped is a threat from now on (EVT-104); friends never are."""
        world = self.events.services.world
        place = world.position_of(other)
        if place is not None and not world.are_friends(self.ref, other):
            self.threats.register(other, place, self.services.clock.step)

    def die(self) -> None:
        """Nothing affects it any more but what concerns the dead (EVT-12)."""
        self.is_dead = True

    def frighten(self, event: Event) -> None:
        """An event was decided."""
        self._nerves.frighten(self, event, self.services.clock.step)

    def situation(self, event: Event) -> Situation:
        """What holds of it and an event's source, for a decision (EVT-77)."""
        return situation_of(self, event)

    # -- where it is, what it serves ---------------------------------------------

    @property
    def position(self) -> Vec3:
        """Where the ped stands, in cm."""
        return self.movement.position

    @property
    def yaw(self) -> float:
        """Where the ped faces, in rad."""
        return self.movement.yaw

    @property
    def recovery(self) -> RecoveryRecord | None:
        """The session in which its body is down or rising; None while it is its own."""
        return self.services.recovery.record(self.slot)

    @property
    def safe_response(self) -> SafeResponse | None:
        """Its live safe response, else its last one, else None."""
        return self.services.safe.record(self.ref)

    @property
    def order(self) -> OrderState:
        """Its live order, else its last ended one, else a blank record that is NOT_STARTED."""
        order = self.services.order_book.order_of(self.ref)
        return blank_order() if order is None else order

    @property
    def brain(self) -> Brain | None:
        """The brain that its default task runs, or None."""
        task = self.tasks.tree(PRIMARY).get_task(PrimarySlot.DEFAULT)
        return task.brain if isinstance(task, BrainTask) else None

    def on_foot_motion(self) -> OnFootMotion:
        """The present motion task."""
        motion = self.tasks.tree(MOTION).active_root
        assert isinstance(motion, OnFootMotion)
        return motion

    # -- what keeps it from moving -------------------------------------------------

    @property
    def tasks_suppressed(self) -> bool:
        """A script or scene keeps the ped's tasks from moving it (NAV-14)."""
        return self._tasks_suppressed

    @tasks_suppressed.setter
    def tasks_suppressed(self, on: bool) -> None:
        self._tasks_suppressed = on
        self.services.coordination.set_reason(self.slot, SuspendReason.SUPPRESSED, on)

    @property
    def vehicle_link(self) -> EntityRef | None:
        """The vehicle it sits in, enters or leaves."""
        return self._vehicle_link

    @vehicle_link.setter
    def vehicle_link(self, vehicle: EntityRef | None) -> None:
        self._vehicle_link = vehicle
        self.services.coordination.set_reason(self.slot, SuspendReason.VEHICLE, vehicle is not None)

    def force_full_update(self) -> None:
        """Make its next turn a full update (TASK-86)."""
        self.intelligence.needs_full_update = True

    def request_move_signals(self) -> None:
        """Call ``process_move_signals`` of its tasks every step from now on (TASK-68)."""
        self.intelligence.tasks_need_move_signals = True
