"""Task trees of vehicles and objects (TASK-84): minds of things, made when first asked for.

A thing that nobody gives a task has no trees and costs nothing.
"""

from __future__ import annotations

import random

from ai.tasks.entity_trees import add_object_trees, register_vehicle_trees, vehicle_trees
from ai.tasks.task_manager import TaskManager
from ai.tasks.task_tree import TaskTree
from game.world.random_streams import SeededStreams
from game.world.thing_kinds import ThingCategory
from game.world.things import Thing, ThingTable


class ThingMind:
    """Trees of one vehicle or object (``TaskEntity`` of the kernel)."""

    __slots__ = ("_streams", "is_mirrored", "tasks", "thing", "trees")

    def __init__(self, thing: Thing, streams: SeededStreams) -> None:
        self.thing = thing
        self.is_mirrored = False
        self._streams = streams
        self.tasks = TaskManager(self)
        self.trees: tuple[TaskTree, ...] = ()
        """The trees that a vehicle keeps itself; its manager updates them."""
        if thing.kind.category is ThingCategory.VEHICLE:
            pair = vehicle_trees(self)
            register_vehicle_trees(self.tasks, pair)
            self.trees = pair
        else:
            add_object_trees(self.tasks, self)

    @property
    def label(self) -> str:
        """Name in dumps and faults."""
        return f"{self.thing.kind_name}#{self.thing.object_id}"

    @property
    def rng(self) -> random.Random:
        """The thing's own stream ``task``; object ids and ped ids never meet."""
        return self._streams.ped(self.thing.object_id, "task")


class ThingTasks:
    """The minds of all things that have one, in ascending object id."""

    def __init__(self, things: ThingTable, streams: SeededStreams) -> None:
        self._streams = streams
        self._minds: dict[int, ThingMind] = {}
        self._in_id_order: tuple[ThingMind, ...] = ()
        things.observe(self)

    def of(self, thing: Thing) -> ThingMind:
        """The mind of a thing, with empty trees when it is first asked for."""
        mind = self._minds.get(thing.object_id)
        if mind is None:
            mind = self._minds[thing.object_id] = ThingMind(thing, self._streams)
            self._sort()
        return mind

    def in_id_order(self) -> tuple[ThingMind, ...]:
        """All minds that there are."""
        return self._in_id_order

    def process(self, dt_s: float) -> None:
        """Update all trees."""
        for mind in self._in_id_order:
            mind.tasks.process(dt_s)

    def run_queued_flushes(self) -> None:
        """Do what trees put off while they were processing."""
        for mind in self._in_id_order:
            mind.tasks.run_queued_flushes()

    def close(self) -> None:
        """The world ends."""
        for mind in self._in_id_order:
            mind.tasks.close()
        self._minds.clear()
        self._in_id_order = ()

    def _sort(self) -> None:
        self._in_id_order = tuple(self._minds[key] for key in sorted(self._minds))

    # -- observing the things ------------------------------------------------------

    def thing_added(self, thing: Thing) -> None:
        """Nothing to do: it has no tasks yet."""

    def thing_removed(self, thing: Thing) -> None:
        """Its tasks end with it (TASK-87)."""
        mind = self._minds.pop(thing.object_id, None)
        if mind is not None:
            mind.tasks.close()
            self._streams.forget(thing.object_id)
            self._sort()

    def thing_placed(self, thing: Thing) -> None:
        """Nothing to do: tasks look for themselves."""

    def props_moved(self, slots: object) -> None:
        """Nothing to do: tasks look for themselves."""
