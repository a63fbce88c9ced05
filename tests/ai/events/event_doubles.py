"""A street without a world: peds with groups and handlers, stub events, response kinds of tests."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from ai.events.base import Event, PlainEvent
from ai.events.decision_data import DecisionData, load_decision_data
from ai.events.decision_flags import BIT
from ai.events.decision_maker import (
    Cooldown,
    Decision,
    DecisionMaker,
    ResponseEntry,
    ResponseTaskDef,
)
from ai.events.decision_makers import DecisionMakers
from ai.events.decision_trace import Reason
from ai.events.event_services import EventServices
from ai.events.event_tuning import EventTuning
from ai.events.factory import ResponseFactory
from ai.events.ped_events import PedEvents
from ai.events.priorities import EventPriority
from ai.events.response import EventResponse
from ai.events.response_kinds import KINDS, Part
from ai.events.shocking_data import ShockingTuning
from ai.events.situation import Situation, SourceKind
from ai.events.subject import EventPed, Personality
from ai.events.task_events import COMMAND_MODULES_ONLY, ScriptCommandEvent
from ai.events.types import EventType
from ai.ports import EntityKind, EntityRef, Vec3
from ai.tasks.movement import MoveTaskBase
from ai.tasks.task import AbortPriority, Task
from ai.tasks.trees import MOVEMENT, PRIMARY, SECONDARY, MovementTreeSlot, PrimarySlot
from ai.tuning import load_own_form
from game.world.clock import StepClock
from tests.ai.tasks.doubles import STEP, FakePed, fresh_type

ASSETS = Path(__file__).resolve().parents[3] / "assets"
PHYSICAL = PrimarySlot.PHYSICAL_RESPONSE
TEMP = PrimarySlot.EVENT_RESPONSE_TEMP
NONTEMP = PrimarySlot.EVENT_RESPONSE_NONTEMP
SCRIPT = PrimarySlot.PRIMARY
DEFAULT = PrimarySlot.DEFAULT
NOTICE = EventType.AMBIENT_NOTICE
FOOT = BIT["valid_on_foot"]


@cache
def shipped_tuning() -> EventTuning:
    return load_own_form(ASSETS / "tuning" / "events.toml", EventTuning)


@cache
def shipped_shocking() -> ShockingTuning:
    return load_own_form(ASSETS / "events" / "shocking.toml", ShockingTuning)


@cache
def shipped_decisions() -> DecisionData:
    return load_decision_data(ASSETS / "events")


# -- tasks -------------------------------------------------------------------------------------


class Reply(Task):
    """What a response puts into a slot.

    - ``updates_left`` counts down to its end, for ever if negative.
    - ``refusals``: URGENT aborts that it still refuses.
    """

    task_type = fresh_type("reply")
    __slots__ = ("aborts", "asked", "cleaned", "enters", "name", "refusals", "updates_left")
    PARAMS: ClassVar[tuple[str, ...]] = ("name", "updates_left")

    class State(IntEnum):
        RUN = 0

    def __init__(self, name: str = "reply", updates_left: int = -1) -> None:
        super().__init__()
        self.name = name
        self.updates_left = updates_left
        self.refusals = 0
        self.enters = self.asked = self.cleaned = 0
        self.aborts: list[AbortPriority] = []

    def on_enter_run(self) -> None:
        self.enters += 1

    def on_update_run(self, dt: float) -> Any:
        self.updates_left -= 1
        return self.succeed() if self.updates_left == 0 else None

    def should_abort(self, priority: AbortPriority, event: object) -> bool:
        self.asked += 1
        if priority is AbortPriority.URGENT and self.refusals > 0:
            self.refusals -= 1
            return False
        return True

    def do_abort(self, priority: AbortPriority, event: object) -> None:
        self.aborts.append(priority)

    def clean_up(self) -> None:
        self.cleaned += 1


class Deletable(Reply):
    """May be deleted once it is aborted."""

    task_type = fresh_type("deletable")
    __slots__ = ()
    MAY_DELETE_ON_ABORT = True


class Dying(Reply):
    """Decides for itself whether an event may take its body over."""

    task_type = fresh_type("dying")
    __slots__ = ()
    decides_forced_aborts = True


class RagdollReply(Reply):
    """A ragdoll behaviour."""

    task_type = fresh_type("ragdoll_reply")
    __slots__ = ()
    is_ragdoll_behaviour = True


class Answers(Reply):
    """Says which event type it is a response for."""

    task_type = fresh_type("answers")
    __slots__ = ("answers",)

    def __init__(self, name: str = "answers", updates_left: int = -1) -> None:
        super().__init__(name, updates_left)
        self.answers = EventType.NONE

    def is_response_for(self, event_type: int) -> bool:
        return event_type == self.answers


class MoveReply(MoveTaskBase):
    """A movement part."""

    task_type = fresh_type("move_reply")
    __slots__ = ("aborts", "asked", "name", "refusals")
    PARAMS: ClassVar[tuple[str, ...]] = ("name",)

    def __init__(self, name: str = "move") -> None:
        super().__init__()
        self.name = name
        self.refusals = 0
        self.asked = 0
        self.aborts: list[AbortPriority] = []

    def process_move(self, dt: float) -> bool:
        self.move_interface.checked = True
        return False

    def should_abort(self, priority: AbortPriority, event: object) -> bool:
        self.asked += 1
        if priority is AbortPriority.URGENT and self.refusals > 0:
            self.refusals -= 1
            return False
        return True

    def do_abort(self, priority: AbortPriority, event: object) -> None:
        self.aborts.append(priority)


# -- events ------------------------------------------------------------------------------------


class Stub(PlainEvent):
    """An event whose every answer the test gives.

    - ``name`` tells it from others of its type; ``parts`` names what it puts into the
      container: ``m`` main, ``p`` physical, ``v`` movement, ``s`` main on the secondary tree.
    """

    __slots__ = (
        "at",
        "event_type",
        "interruptible",
        "is_temporary",
        "level",
        "name",
        "override",
        "parts",
        "requires_melee_abort",
        "requires_ragdoll_abort",
        "updates_left",
        "valid",
    )
    PAYLOAD: ClassVar[tuple[str, ...]] = __slots__
    DISCRIMINATORS: ClassVar[tuple[str, ...]] = ("name",)

    def __init__(
        self,
        level: int,
        name: str = "stub",
        *,
        event_type: EventType = EventType.LEADER_HOLD,
        parts: str = "m",
        temporary: bool = False,
        at: Vec3 | None = None,
        source: EntityRef | None = None,
        delay_s: tuple[float, float] = (0.0, 0.0),
        lifetime: int = 0,
        tag: int | str = 0,
        updates_left: int = -1,
        interruptible: bool = False,
        override: bool = False,
        ragdoll: bool = False,
        melee: bool = False,
    ) -> None:
        super().__init__(source, tag=tag, lifetime_ticks=lifetime, delay_range_s=delay_s)
        self.event_type = event_type
        self.level = EventPriority(level)
        self.name = name
        self.parts = parts
        self.is_temporary = temporary
        self.at = at
        self.updates_left = updates_left
        self.interruptible = interruptible
        self.override = override
        self.requires_ragdoll_abort = ragdoll
        self.requires_melee_abort = melee
        self.valid = True

    def priority(self, ped: EventPed) -> EventPriority:
        return self.level

    def position(self, world: Any) -> Vec3 | None:
        return super().position(world) if self.at is None else self.at

    def can_be_interrupted_by_same_type(self, new: Event, ped: EventPed) -> bool:
        return self.interruptible

    def create_response(self, ped: EventPed, response: EventResponse) -> None:
        if "p" in self.parts:
            response.set_physical(Reply(f"{self.name}.p", self.updates_left))
        if "m" in self.parts:
            response.set_main(Reply(self.name, self.updates_left))
        if "s" in self.parts:
            response.set_main(Reply(self.name, self.updates_left), on_secondary=True)
        if "v" in self.parts:
            response.set_movement(MoveReply(f"{self.name}.v"))
        response.override_as_non_temp = self.override


class Raising(Stub):
    """Its hook raises."""

    __slots__ = ()

    def create_response(self, ped: EventPed, response: EventResponse) -> None:
        response.set_main(Reply("half built"))
        raise RuntimeError("broken hook")


# -- the street --------------------------------------------------------------------------------


class Street:
    """Fills ``EventWorld``, holds the clock and the services of its peds."""

    def __init__(
        self,
        *,
        tuning: EventTuning | None = None,
        decisions: DecisionData | None = None,
        factory: ResponseFactory | None = None,
    ) -> None:
        self.clock = StepClock()
        self.people: list[Person] = []
        self.places: dict[EntityRef, Vec3] = {}
        self.removed: set[EntityRef] = set()
        self.friends: set[tuple[EntityRef, EntityRef]] = set()
        self.groups: list[tuple[EntityRef, ...]] = []
        self.blind: set[EntityRef] = set()
        self.walls: dict[EntityRef, int] = {}
        self.drivers: dict[EntityRef, EntityRef] = {}
        self.player: EntityRef | None = None
        self.said: list[str] = []
        self.factory = reply_factory() if factory is None else factory
        self.services = EventServices(
            self.clock,
            self,
            tuning or shipped_tuning(),
            shipped_shocking(),
            decisions or shipped_decisions(),
            self.factory,
            full_traces=True,
        )
        self.services.on_say = lambda ped, line: self.said.append(line)

    # the port

    def exists(self, ref: EntityRef) -> bool:
        return ref not in self.removed

    def position_of(self, ref: EntityRef) -> Vec3 | None:
        if ref in self.removed:
            return None
        person = self.ped(ref)
        return self.places.get(ref) if person is None else person.position

    def ped_behind(self, ref: EntityRef) -> EntityRef | None:
        return self.drivers.get(ref) if ref.kind is EntityKind.VEHICLE else (
            ref if ref.kind is EntityKind.PED else None
        )  # fmt: skip

    def ped(self, ref: EntityRef) -> Person | None:
        for person in self.people:
            if person.ref == ref and ref not in self.removed:
                return person
        return None

    def peds(self) -> Sequence[Person]:
        return [person for person in self.people if person.ref not in self.removed]

    def can_see(self, observer: EventPed, point: Vec3) -> bool:
        return observer.ref not in self.blind

    def can_hear(self, observer: EventPed, point: Vec3, radius_cm: float) -> bool:
        here = observer.position
        reach = radius_cm * 0.5 ** min(self.walls.get(observer.ref, 0), 2)
        return ((point.x - here.x) ** 2 + (point.y - here.y) ** 2) ** 0.5 <= reach

    def are_friends(self, one: EntityRef, other: EntityRef) -> bool:
        return (one, other) in self.friends

    def hates(self, one: EntityRef, other: EntityRef) -> bool:
        return False

    def group_of(self, ped: EntityRef) -> Sequence[EntityRef]:
        return next((group for group in self.groups if ped in group), ())

    def is_player(self, ref: EntityRef) -> bool:
        return ref == self.player

    # for tests

    def person(self, x: float = 0.0, y: float = 0.0, **traits: Any) -> Person:
        person = Person(self, len(self.people) + 1, Vec3(x, y), **traits)
        self.people.append(person)
        return person

    def befriend(self, *people: Person) -> None:
        self.friends.update((one.ref, two.ref) for one in people for two in people)

    def thing(self, x: float, y: float, kind: EntityKind = EntityKind.PROP) -> EntityRef:
        ref = EntityRef(kind, 100 + len(self.places), 1)
        self.places[ref] = Vec3(x, y)
        return ref

    def step(self, count: int = 1) -> None:
        """Stage 3, each ped's turn, end of step: ``EVT-31`` with nothing in between."""
        for _ in range(count):
            self.services.global_events.process()
            for person in self.peds():
                person.turn()
            for person in self.peds():
                person.events.end_step()
            self.clock.advance()


class Person(FakePed):
    """Fills ``EventPed``."""

    def __init__(
        self,
        street: Street,
        ped_id: int,
        position: Vec3,
        *,
        decision_maker: str = "ordinary",
        period: int = 1,
        bravery: float = 0.4,
        reaction_scale: float = 1.0,
    ) -> None:
        super().__init__(ped_id)
        self.street = street
        self.ref = EntityRef(EntityKind.PED, ped_id, 1)
        self.position = position
        self.is_dead = False
        self.is_ragdolling = False
        self.retired = False
        self.period = period
        self.forced = False
        self.frights: list[Event] = []
        self.threats: list[EntityRef] = []
        self.circumstances = Situation()
        self.reaction_rng = random.Random(1000 + ped_id)
        self.decision_rng = random.Random(2000 + ped_id)
        self.events = PedEvents(
            self,
            street.services,
            decision_maker=decision_maker,
            personality=Personality(reaction_scale, bravery),
        )

    def force_full_update(self) -> None:
        self.forced = True

    def take_for_threat(self, other: EntityRef) -> None:
        self.threats.append(other)

    def frighten(self, event: Event) -> None:
        self.frights.append(event)

    def situation(self, event: Event) -> Situation:
        return self.circumstances

    def turn(self) -> None:
        if (self.street.clock.step + self.ped_id) % self.period == 0 or self.forced:
            self.forced = False
            if not self.is_mirrored:
                self.events.handler.handle_events()
            self.tasks.process(STEP)

    # reading

    def add(self, event: Event, **how: Any) -> Event | None:
        ref = self.events.add_event(event, **how)
        return None if ref is None else ref.get()

    def queued(self) -> list[Event]:
        return list(self.events.group.events())

    def slot(self, slot: int, tree: int = PRIMARY) -> Any:
        return self.tasks.tree(tree).get_task(slot)

    def secondary(self) -> Any:
        return self.slot(0, SECONDARY)

    def side_step(self) -> Any:
        return self.slot(MovementTreeSlot.EVENT_RESPONSE, MOVEMENT)

    def main_task(self) -> Any:
        return self.tasks.tree(PRIMARY).active_root

    def reasons(self) -> list[Reason]:
        return self.events.trace.reasons()

    def has_reason(self, reason: Reason) -> bool:
        return reason in self.reasons()


def reply_factory(*, without: Sequence[str] = ()) -> ResponseFactory:
    """Builds a ``Reply`` named like the definition for every kind; ``without`` stay unbuilt."""
    factory = ResponseFactory()
    for kind, info in KINDS.items():
        if info.part is not Part.NONE and kind not in without:
            factory.register(kind, _builder(info.part))
    return factory


def _builder(part: Part) -> Callable[..., str | None]:
    def build(
        ped: EventPed,
        event: Event,
        definition: ResponseTaskDef,
        flee_flags: int,
        response: EventResponse,
    ) -> str | None:
        if part is Part.MOVEMENT:
            response.set_movement(MoveReply(definition.name))
        elif part is Part.PHYSICAL:
            response.set_physical(Reply(definition.name))
        else:
            response.set_main(Reply(definition.name), on_secondary=part is Part.SECONDARY)
        return None

    return build


# -- commands, tasks, decision makers -----------------------------------------------------------


def command(number: int = 1, kind: str = "walk", *, for_dead: bool = False) -> ScriptCommandEvent:
    return ScriptCommandEvent(
        Reply("command"),
        number,
        shipped_tuning().command_kind(kind),
        accept_when_dead=for_dead,
        token=COMMAND_MODULES_ONLY,
    )


def give_command(ped: Person, event: ScriptCommandEvent | None = None) -> None:
    event = command() if event is None else event
    ped.add(event, force_persistent=True)
    event.release()


def put(ped: Person, task: Task, slot: int = DEFAULT) -> Task:
    ped.tasks.set_task(PRIMARY, task, slot)
    ped.tasks.process(1 / 60)
    return task


def task(name: str, kind: str = "watch") -> ResponseTaskDef:
    return ResponseTaskDef(name, kind, KINDS[kind], {"duration_s": 1.0})


def decision(name: str, chance: float = 1.0, kind: str = "watch", flags: int = FOOT,
             **band: float) -> Decision:  # fmt: skip
    return Decision(task(name, kind), dict.fromkeys(SourceKind, chance), flags, **band)


def entry(
    name: str,
    *decisions: Decision,
    event: EventType = NOTICE,
    cooldown: Cooldown | None = None,
) -> ResponseEntry:
    return ResponseEntry(name, event, decisions or (decision(name),), cooldown)


def set_makers(street: Street, *makers: DecisionMaker) -> DecisionMakers:
    base = [] if any(one.name == "base" for one in makers) else [DecisionMaker("base", ())]
    street.services.decision_makers.replace([*base, *makers])
    return street.services.decision_makers
