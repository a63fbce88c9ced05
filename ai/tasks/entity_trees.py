"""The trees of vehicles and objects (TASK-84).

The same kernel and the same abort rules as a ped's, with fewer slots and no default
task unless one is declared. A tree without tasks costs one comparison a step.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from ai.tasks.default_slot import DefaultSlot
from ai.tasks.task_tree import TaskTree

if TYPE_CHECKING:
    from ai.tasks.task import Task
    from ai.tasks.task_entity import TaskEntity
    from ai.tasks.task_manager import TaskManager

THING_PRIMARY: Final = 0
THING_SECONDARY: Final = 1


class VehicleSlot(IntEnum):
    """Primary slots of a vehicle: what a crash does to it, what it is about, the rest."""

    CRASH = 0
    PRIMARY = 1
    SECONDARY = 2


class VehicleSecondarySlot(IntEnum):
    """Doors, lights, a siren."""

    ANIM = 0


class ObjectSlot(IntEnum):
    """The one primary slot of an object."""

    PRIMARY = 0


class ObjectSecondarySlot(IntEnum):
    """The one secondary slot of an object."""

    ANIM = 0


def vehicle_trees(
    entity: TaskEntity, default_task: Callable[[], Task] | None = None
) -> tuple[TaskTree, TaskTree]:
    """Primary and secondary tree of a vehicle, which keeps them itself.

    ``default_task`` makes what fills ``SECONDARY`` whenever it is empty.
    """
    return (
        _tree(entity, VehicleSlot, "primary", VehicleSlot.SECONDARY, default_task),
        _tree(entity, VehicleSecondarySlot, "secondary", VehicleSecondarySlot.ANIM, None),
    )


def register_vehicle_trees(manager: TaskManager, trees: tuple[TaskTree, TaskTree]) -> None:
    """Have a manager update the two trees of a vehicle; they stay the vehicle's own (TASK-61)."""
    for index, tree in enumerate(trees):
        manager.add_tree(index, tree, owned=False)


def add_object_trees(
    manager: TaskManager, entity: TaskEntity, default_task: Callable[[], Task] | None = None
) -> None:
    """Give an object's manager its two trees."""
    for index, (slots, name) in enumerate(
        ((ObjectSlot, "primary"), (ObjectSecondarySlot, "secondary"))
    ):
        made = default_task if index == THING_PRIMARY else None
        manager.add_tree(index, _tree(entity, slots, name, 0, made))


def _tree(
    entity: TaskEntity,
    slots: type[IntEnum],
    name: str,
    default_slot: int,
    default_task: Callable[[], Task] | None,
) -> TaskTree:
    default = None if default_task is None else DefaultSlot(default_slot, default_task, None)
    return TaskTree(entity, slots, name=name, default=default)
