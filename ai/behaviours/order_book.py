"""The order book: every ped's order, and how an order ends.

An end touches nothing that is not the order's own (ORD-13): its claim, its
movement, its task, and the source and marker that were made for it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from ai.behaviours.actor import Actor
from ai.behaviours.order_checks import PedDirectory
from ai.behaviours.order_commands import PASSED
from ai.behaviours.order_ownership import movement_owner, owns_main_slot, owns_movement
from ai.behaviours.order_record import EndCause, OrderState, OrderStatus
from ai.behaviours.order_tuning import OrderTuning
from ai.events.command_records import CommandId
from ai.events.script_commands import ScriptCommands
from ai.motion.claims import ClaimOwner
from ai.motion.movement_system import MovementSystem
from ai.motion.movement_table import MoveOwner, MoveReason
from ai.ports import (
    Clock,
    EntityRef,
    FactSink,
    Markers,
    ObjectTransforms,
    OrderSources,
    WalkSurface,
)
from ai.tasks.trees import PRIMARY, PrimarySlot


@dataclass(slots=True)
class OrderPorts:
    """What orders need of the world."""

    clock: Clock
    facts: FactSink
    peds: PedDirectory
    transforms: ObjectTransforms
    sources: OrderSources
    markers: Markers
    surface: WalkSurface


@dataclass(slots=True, eq=False)
class Pursuit:
    """What the following of a moving object remembers from step to step (ORD-20).

    - ``sample_at_once``: the order has waited, or its movement was suspended.
    - ``far_cm`` is the distance from which the object must be closed in on, ``not_closing_s``
      for how long it has not been.
    """

    sample_at_once: bool = False
    since_sample_s: float = 0.0
    far_cm: float = math.inf
    not_closing_s: float = 0.0


@dataclass(slots=True, eq=False)
class OrderEntry:
    """A ped's order with what was made for it and goes with it.

    - ``move_owner`` is the identity of the movements that serve the order.
    - ``pursuit`` serves orders that track, and begins anew with each goal.
    """

    actor: Actor
    order: OrderState
    command: CommandId
    own_source: EntityRef | None
    own_marker: EntityRef | None
    move_owner: MoveOwner = field(init=False)
    pursuit: Pursuit = field(default_factory=Pursuit)

    def __post_init__(self) -> None:
        """Work out the identity once: the post-pass asks for it every step."""
        self.move_owner = movement_owner(self.order)


class OrderBook:
    """Orders by ped.

    Invariants:

    - A ped has at most one live order (ORD-02); the last ended one stays readable.
    - ``live`` holds the entries of live orders in ascending ped id.
    - What was made for an order (its source, its marker) and its claim are given back
      when it ends, once.
    """

    def __init__(
        self,
        ports: OrderPorts,
        movement: MovementSystem,
        scripts: ScriptCommands,
        tuning: OrderTuning,
    ) -> None:
        self.ports = ports
        self.movement = movement
        self.scripts = scripts
        self.tuning = tuning
        self.live: list[OrderEntry] = []
        self._entries: dict[EntityRef, OrderEntry] = {}

    def entry(self, ped: EntityRef) -> OrderEntry | None:
        """The entry of a ped's live or last order."""
        return self._entries.get(ped)

    def order_of(self, ped: EntityRef) -> OrderState | None:
        """A ped's live order, else its last ended one, else None."""
        entry = self._entries.get(ped)
        return None if entry is None else entry.order

    def add(self, entry: OrderEntry) -> None:
        """Enter a fresh order in place of the ped's last one.

        One that still lives has lost its slot or its command, or the start would have
        been refused; it ends.
        """
        last = self._entries.get(entry.actor.ref)
        if last is not None and last.order.live:
            pending = last.order.status is OrderStatus.PENDING
            self.give_up(last, EndCause.NOT_COMMITTED if pending else EndCause.SUPERSEDED)
        self._entries[entry.actor.ref] = entry
        self.live.append(entry)
        self.live.sort(key=_ped_id_of)
        self.ports.facts.note(entry.actor.ped_id, "ORDER_STARTED", entry.order.session)

    def give_up(self, entry: OrderEntry, cause: EndCause) -> None:
        """End an order as CANCELLED (ORD-13).

        Its command, movement and task go only as far as they are still its own.
        """
        actor, order = entry.actor, entry.order
        self.scripts.withdraw(entry.command)
        if owns_movement(actor, order, self.tuning.goal.match):
            actor.movement.cancel()
        if owns_main_slot(actor, order, self.scripts) is PASSED:
            task = actor.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY)
            assert task is not None
            actor.tasks.clear_if(PRIMARY, PrimarySlot.PRIMARY, task.ref())
        self.close(entry, OrderStatus.CANCELLED, cause)

    def take_failure(self, entry: OrderEntry, reason: MoveReason) -> None:
        """Count a failure, once, and wait for a decision (ORD-15, ORD-16)."""
        actor, order = entry.actor, entry.order
        order.failure_count += 1
        order.last_failure = reason
        order.change_status(OrderStatus.AWAITING_DECISION)
        self.ports.facts.note(actor.ped_id, "AWAITING_DECISION", order.session, reason.name)
        actor.force_full_update()

    def close(self, entry: OrderEntry, status: OrderStatus, cause: EndCause | None = None) -> None:
        """Write the end into the record and give back claim, source and marker.

        A full update follows, so that a sliced ped's task and movement reasons know of
        the end in the very next turn.
        """
        actor, order = entry.actor, entry.order
        if not order.change_status(status):
            return
        actor.force_full_update()
        order.end_cause = cause
        self.live.remove(entry)
        self.movement.claims.release(actor.slot, ClaimOwner.ORDER, order.session)
        self.replace_marker(entry, None)
        if entry.own_source is not None:
            self.ports.sources.destroy(entry.own_source)
            entry.own_source = None
        details = () if cause is None else (cause.name,)
        self.ports.facts.note(actor.ped_id, status.name, order.session, *details)

    def replace_marker(self, entry: OrderEntry, marker: EntityRef | None) -> None:
        """Take over the marker made for a new goal, and let go of the one before."""
        if entry.own_marker is not None:
            self.ports.markers.destroy_marker(entry.own_marker)
        entry.own_marker = marker

    def ped_retired(self, actor: Actor) -> None:
        """A ped leaves the world: its order ends PED_GONE and its entry goes (ORD-18)."""
        entry = self._entries.pop(actor.ref, None)
        if entry is not None and entry.order.live:
            self.give_up(entry, EndCause.PED_GONE)


def _ped_id_of(entry: OrderEntry) -> int:
    return entry.actor.ped_id
