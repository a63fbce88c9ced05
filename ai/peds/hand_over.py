"""Control of a ped changes hands between two simulations (TASK-74, TASK-107).

The primary tree is replaced as a whole; no task object crosses. Both calls are made
between steps, with the pool of the ped's own world active.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.tasks.mirror_tree import MirrorTaskTree, place_local_tasks
from ai.tasks.mirrorable import MirrorableTask
from ai.tasks.ped_trees import PedTaskTree
from ai.tasks.task_info import TaskInfo
from ai.tasks.trees import MOVEMENT, PRIMARY, SECONDARY

if TYPE_CHECKING:
    from ai.peds.ped import Ped


def can_hand_over(ped: Ped) -> bool:
    """False while a task of the active chain asks the change to wait."""
    return all(
        task.can_hand_over()
        for task in ped.tasks.tree(PRIMARY).chain()
        if isinstance(task, MirrorableTask)
    )


def become_mirrored(ped: Ped) -> MirrorTaskTree:
    """Another simulation owns the ped from now on; returns the tree that takes its reports.

    All of its own tasks end, its movement is given up, and nothing here moves it.
    """
    for tree in (PRIMARY, SECONDARY, MOVEMENT):
        ped.tasks.tree(tree).flush_immediately()
    ped.movement.cancel()
    ped.is_mirrored = True
    ped.tasks_suppressed = True
    made = MirrorTaskTree(ped)
    ped.tasks.add_tree(PRIMARY, made, replace=True)
    ped.force_full_update()
    return made


def become_local(ped: Ped, infos: tuple[TaskInfo, ...], sender: str) -> int:
    """The ped is this simulation's own from now on; returns how many tasks go on.

    - ``infos`` are the last of the former owner, ``sender``.
    - The default slot is filled, and the next turn is a full update.
    """
    ped.tasks.tree(PRIMARY).flush_immediately()
    ped.is_mirrored = False
    ped.tasks_suppressed = False
    made = PedTaskTree(ped, ped.default_task)
    ped.tasks.add_tree(PRIMARY, made, replace=True)
    placed = place_local_tasks(made, infos, sender)
    ped.force_full_update()
    return placed
