"""The peds of a world: their pool slots and handles, spawning, and removal in two steps."""

from __future__ import annotations

from bisect import bisect_right
from operator import attrgetter

from ai.behaviours.actor import Services
from ai.events.relations import Relations
from ai.events.script_commands import ScriptCommands
from ai.peds.ai_lod import AiLod
from ai.peds.default_tasks import DefaultTasks
from ai.peds.ped import Ped, PedTraits
from ai.peds.ped_models import PedData
from ai.ports import EntityKind, EntityRef, Vec3
from game.world.handles import HandlePool
from game.world.random_streams import SeededStreams

_ped_id = attrgetter("ped_id")


class PedRoster:
    """Every ped by handle, name and id.

    - Iteration is in ascending ped id: the order of every phase.
    - A removal is asked for at any time and done between phases (TASK-87); until
      then the ped is there, retired, and no target of orders.
    - ``_by_name`` answers ``by_name`` until a ped comes or goes; names never change.
    - A slot's arrays, claims, queries, commands and streams are reset or released
      before the slot is used again.
    """

    def __init__(
        self,
        capacity: int,
        services: Services,
        scripts: ScriptCommands,
        streams: SeededStreams,
        defaults: DefaultTasks,
        ai_lod: AiLod,
        ped_data: PedData,
        relations: Relations,
        *,
        first_spawn_id: int,
        world: int = 0,
    ) -> None:
        self._pool = HandlePool(capacity, world)
        self._services = services
        self._scripts = scripts
        self._streams = streams
        self._defaults = defaults
        self._ai_lod = ai_lod
        self._ped_data = ped_data
        self._relations = relations
        self._peds: list[Ped | None] = [None] * capacity
        self._in_id_order: tuple[Ped, ...] = ()
        self._local_player: Ped | None = None
        self._by_name: dict[str, Ped] | None = None
        self._retiring: list[Ped] = []
        self._next_spawn_id = first_spawn_id
        self.departures = 0
        """How many peds have left so far; rises with each handle that turns stale."""

    def __len__(self) -> int:
        return len(self._pool)

    # -- looking up ------------------------------------------------------------

    def resolve(self, ref: EntityRef) -> Ped | None:
        """The ped of a handle, also one that is retired and still there; None for a stale one."""
        return self._peds[ref.slot] if self._pool.alive(ref) else None

    def in_id_order(self) -> tuple[Ped, ...]:
        """All peds that are there, in ascending ped id."""
        return self._in_id_order

    def in_slot(self, slot: int) -> Ped | None:
        """The ped in a pool slot, or None."""
        return self._peds[slot]

    def by_name(self, name: str) -> Ped | None:
        """The first ped of that name in id order, or None."""
        if self._by_name is None:
            self._by_name = {ped.name: ped for ped in reversed(self._in_id_order)}
        return self._by_name.get(name)

    @property
    def local_player(self) -> Ped | None:
        """The ped that the player steers, or None if there is none."""
        return self._local_player

    # -- coming and going --------------------------------------------------------

    def spawn(
        self, traits: PedTraits, position: Vec3, yaw_rad: float, ped_id: int | None = None
    ) -> Ped:
        """Put a ped into the world; ``ped_id`` is a map object's, else the next spawn number.

        Raises ``PoolExhausted`` if all slots are taken.
        """
        if ped_id is None:
            ped_id = self._next_spawn_id
            self._next_spawn_id += 1
        ref = self._pool.acquire(EntityKind.PED)
        services = self._services
        services.movement.spawn(
            ref.slot, ped_id, position, yaw_rad, services.gait_speeds.walk_profile
        )
        ped = Ped(
            ref,
            ped_id,
            traits,
            services,
            self._streams,
            self._defaults,
            self._ai_lod,
            self._ped_data,
        )
        self._peds[ref.slot] = ped
        self._enlist(ped)
        self._relations.join(ref, self._ped_data.models[traits.model].relation_group)
        ped.wake()
        return ped

    def request_removal(self, ref: EntityRef) -> bool:
        """Retire a ped; it leaves in the next removal phase. False if it is gone or going."""
        ped = self.resolve(ref)
        if ped is None or ped.retired:
            return False
        ped.retired = True
        self._retiring.append(ped)
        return True

    def remove_retired(self) -> int:
        """Take out every ped whose removal was asked for; returns how many."""
        removed = len(self._retiring)
        for ped in self._retiring:
            self._remove(ped)
        self._retiring.clear()
        return removed

    def close(self) -> None:
        """Take out everybody: the world ends."""
        for ped in self._in_id_order:
            self.request_removal(ped.ref)
        self.remove_retired()

    def _remove(self, ped: Ped) -> None:
        services = self._services
        services.knock_downs.forget(ped.slot)
        services.recovery.retire(ped.slot)
        services.order_book.ped_retired(ped)
        services.safe.ped_retired(ped)
        self._scripts.forget(ped)
        ped.events.clear()
        ped.tasks.close()
        services.movement.retire(ped.slot)
        self._streams.forget(ped.ped_id)
        self._relations.forget(ped.ref)
        self._strike_off(ped)
        self._peds[ped.slot] = None
        self._pool.release(ped.ref)
        self.departures += 1

    def _enlist(self, ped: Ped) -> None:
        """Put a ped at its place in the order; nearly always that is the end."""
        order = self._in_id_order
        place = len(order)
        if order and ped.ped_id < order[-1].ped_id:
            place = bisect_right(order, ped.ped_id, key=_ped_id)
        self._in_id_order = (*order[:place], ped, *order[place:])
        player = self._local_player
        if ped.is_local_player and (player is None or ped.ped_id < player.ped_id):
            self._local_player = ped
        self._by_name = None

    def _strike_off(self, ped: Ped) -> None:
        """Take a ped out of the order."""
        order = self._in_id_order
        place = order.index(ped)
        self._in_id_order = (*order[:place], *order[place + 1 :])
        if ped is self._local_player:
            self._local_player = next((p for p in self._in_id_order if p.is_local_player), None)
        self._by_name = None
