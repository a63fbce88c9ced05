"""The order book: every ped's order, and how an order ends.

An end touches nothing that is not the order's own (ORD-13): its claim, its
movement, its task, and the source and marker that were made for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ai.behaviours.actor import Actor
from ai.behaviours.order_checks import PedDirectory
from ai.behaviours.order_ownership import OWNED, owns_main_slot, owns_movement
from ai.behaviours.order_record import EndCause, OrderState, OrderStatus
from ai.behaviours.order_tuning import OrderTuning
from ai.events.script_commands import CommandId, ScriptCommands
from ai.motion.claims import ClaimOwner
from ai.motion.movement_system import MovementSystem
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


@dataclass(slots=True)
class OrderEntry:
    """A ped's order with what was made for it and goes with it."""

    actor: Actor
    order: OrderState
    command: CommandId
    own_source: EntityRef | None
    own_marker: EntityRef | None = None


class OrderBook:
    """Orders by ped.

    - One live order a ped; the last ended one stays readable.
    - ``live`` holds the entries of live orders in ascending ped id.
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
        """Enter a fresh order; it takes the place of the ped's last one."""
        self._entries[entry.actor.ref] = entry
        self.live.append(entry)
        self.live.sort(key=_ped_id_of)

    def give_up(self, entry: OrderEntry, cause: EndCause) -> None:
        """End an order as CANCELLED; its command, movement and task go only if still its own."""
        actor, order = entry.actor, entry.order
        if order.status is OrderStatus.PENDING:
            self.scripts.withdraw(actor, entry.command)
        else:
            if owns_movement(actor, order, self.tuning.goal.match):
                actor.movement.cancel()
            if owns_main_slot(actor, order, self.scripts) is OWNED:
                task = actor.tasks.tree(PRIMARY).get_task(PrimarySlot.PRIMARY)
                assert task is not None
                actor.tasks.clear_if(PRIMARY, PrimarySlot.PRIMARY, task.ref())
        self.close(entry, OrderStatus.CANCELLED, cause)

    def close(self, entry: OrderEntry, status: OrderStatus, cause: EndCause | None = None) -> None:
        """Write the end into the record and give back claim, source and marker."""
        actor, order = entry.actor, entry.order
        order.change_status(status)
        order.end_cause = cause
        self.movement.claims.release(actor.slot, ClaimOwner.ORDER, order.session)
        self.live.remove(entry)
        self.drop_marker(entry)
        if entry.own_source is not None:
            self.ports.sources.destroy(entry.own_source)
            entry.own_source = None
        self.ports.facts.note(actor.ped_id, status.name, order.session)

    def drop_marker(self, entry: OrderEntry) -> None:
        """Remove the marker that was made for an order to a place, if one was."""
        if entry.own_marker is not None:
            self.ports.markers.destroy_marker(entry.own_marker)
            entry.own_marker = None

    def ped_retired(self, actor: Actor) -> None:
        """A ped leaves the world: its order ends PED_GONE and its entry goes (ORD-18)."""
        entry = self._entries.get(actor.ref)
        if entry is not None and entry.order.live:
            self.give_up(entry, EndCause.PED_GONE)
        self._entries.pop(actor.ref, None)


def _ped_id_of(entry: OrderEntry) -> int:
    return entry.actor.ped_id
