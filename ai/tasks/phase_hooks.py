"""Phase hooks: what tasks do in a step or frame outside their state machine (TASK-66).

Each class has a bit mask of the hooks it overrides, each tree the OR of the masks
of its active chain, so an idle tree costs one test per hook.

A hook may not change states or register children. While a chain is walked its
slot is busy, just as while it is updated: setting or clearing it raises
``TreeBusyError``, setting a higher slot waits until the walk is over (TASK-37).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ai.tasks.task_flags import STATE_NONE
from ai.tasks.trees import MOTION, MOVEMENT, PRIMARY, SECONDARY

if TYPE_CHECKING:
    from ai.tasks.task import Task
    from ai.tasks.task_points import TaskPoints


class PhaseHook(IntEnum):
    """The hooks in their order within a frame; the FSM update stands after the first.

    ``RAGDOLL_PHYSICS`` is the physics hook of ragdoll behaviours, for a walk that
    passes all others over (TASK-67).
    """

    MOVE_SIGNALS = 0
    PHYSICS = 1
    POST_MOVEMENT = 2
    POST_CAMERA = 3
    PRE_RENDER = 4
    POST_PRE_RENDER = 5
    AFTER_ATTACHMENTS = 6
    RAGDOLL_PHYSICS = 7


HOOK_METHODS: Final = (
    "process_move_signals",
    "process_physics",
    "process_post_movement",
    "process_post_camera",
    "process_pre_render",
    "process_post_pre_render",
    "process_after_attachments",
    "process_physics",
)
"""Method of ``Task`` by hook."""

_AFTER_MOVEMENT: Final = (PRIMARY, SECONDARY, MOTION)
HOOK_TREES: Final[tuple[tuple[int, ...], ...]] = (
    (PRIMARY, MOTION, SECONDARY),
    (PRIMARY, SECONDARY, MOVEMENT, MOTION),
    _AFTER_MOVEMENT,
    _AFTER_MOVEMENT,
    _AFTER_MOVEMENT,
    _AFTER_MOVEMENT,
    _AFTER_MOVEMENT,
    (PRIMARY, SECONDARY, MOVEMENT, MOTION),
)
"""Trees by hook, in the order in which they are walked."""

HookTable: TypeAlias = tuple[Callable[..., Any], ...]


def hook_table(cls: type[TaskPoints]) -> HookTable:
    """Plain functions of a class by hook."""
    return tuple(getattr(cls, name) for name in HOOK_METHODS)


def overridden_hooks(table: HookTable, defaults: HookTable, *, is_ragdoll: bool) -> int:
    """Bit mask of the hooks whose function differs from the default."""
    mask = 0
    for hook, (function, default) in enumerate(zip(table, defaults, strict=True)):
        if function is not default and (is_ragdoll or hook != PhaseHook.RAGDOLL_PHYSICS):
            mask |= 1 << hook
    return mask


def chain_mask(root: Task | None) -> int:
    """OR of the hook masks of a chain."""
    mask = 0
    while root is not None:
        mask |= root.hook_mask
        root = root.child
    return mask


def walk_chain(root: Task | None, hook: PhaseHook, arguments: tuple[Any, ...]) -> bool:
    """Call one hook down a chain, root first; return whether any task answered True.

    Every task is asked, also after a True. A task outside an activation (never
    entered, aborted, finished) has nothing to do in a frame and is passed over.
    """
    bit = 1 << hook
    answer = False
    while root is not None:
        if root.hook_mask & bit and root.entered != STATE_NONE:
            answer = root.hooks[hook](root, *arguments) is True or answer
        root = root.child
    return answer
