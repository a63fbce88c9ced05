"""The four task trees of a ped as rows, and the line that says why it stands still.

Rows come from ``tree_views``: every slot is there, as a row if it holds a task and as
a mark at the end of its tree's head line in any case (TASK-115).
"""

from __future__ import annotations

from ai.motion.execution import MoveExecution
from ai.peds.ped import Ped
from ai.tasks.task_text import SlotView, TaskView, TreeView
from ai.tasks.trees import PRIMARY
from game.ui.inspector.reading import Row, Section, SlotMark, Tone
from game.ui.inspector.stop_reasons import StopReason

STANDS_BELOW_CM_S = 1.0

MARKS = {"*": SlotMark.ACTIVE, "a": SlotMark.ABORTED, "n": SlotMark.WAITING, " ": SlotMark.EMPTY}
"""Shapes for the marks of ``SlotView``."""


def task_section(views: tuple[TreeView, ...]) -> Section:
    """All trees in index order."""
    rows: list[Row] = []
    for tree in views:
        marks = tuple(MARKS[slot.mark] for slot in tree.slots)
        rows.append(Row(tree.name, tree.name, tone=Tone.DIM, slots=marks))
        for slot in tree.slots:
            rows += [_task_row(tree, slot, task) for task in slot.tasks]
    active = _active_slot(views[PRIMARY])
    summary = "none" if active is None else _name(active.tasks[-1])
    return Section("tasks", "TASKS", summary, tuple(rows))


def _task_row(tree: TreeView, slot: SlotView, task: TaskView) -> Row:
    mark = MARKS[slot.mark]
    if mark is SlotMark.ACTIVE:
        tone = Tone.TEXT if task.depth == 0 else Tone.INFO
    else:
        tone = Tone.DIM
    key = f"{tree.name}.{slot.number}.{task.depth}"
    text, tail = _task_words(task)
    return Row(key, text, tail=tail, tone=tone, depth=task.depth + 1)


def _task_words(task: TaskView) -> tuple[str, str]:
    """What stands still and what runs: name, state and flags; times in state and in all."""
    name = _name(task)
    running = ""
    if task.resumes == "quits":
        text = f"{name} was {task.was.lower()}, will quit"
    elif task.was:
        where = "" if task.resumes == task.was else f" {task.resumes.lower()}"
        text = f"{name} was {task.was.lower()}, will resume{where}"
    elif "NOT_ENTERED" in task.flags:
        text = f"{name} not started"
    else:
        text = f"{name} {task.state.lower()}"
        if task.flags:
            text += f" [{' '.join(task.flags).lower()}]"
        running = f"{task.time_in_state_s:.1f} s"
        if task.time_running_s - task.time_in_state_s >= 0.1:
            running = f"{task.time_in_state_s:.1f} of {task.time_running_s:.1f} s"
    if task.urgent_refused_in_step >= 0:
        text += f", refused to let go in step {task.urgent_refused_in_step}"
    return text, running


def why_still(ped: Ped, views: tuple[TreeView, ...], reasons: tuple[StopReason, ...]) -> str:
    """Why nothing is happening; empty while the ped moves (TASK-117).

    Names the active slot, what it put aside, who refused to let go, and what holds the body.
    """
    if not _stands(ped.movement):
        return ""
    parts = []
    primary = views[PRIMARY]
    active = _active_slot(primary)
    if active is None:
        parts.append("no task runs")
    else:
        root = active.tasks[0]
        parts.append(f"{_name(root)} ({root.state.lower()}) runs in slot {active.name}")
        parts += [
            f"{_name(slot.tasks[0])} was put aside by {_name(root)}"
            for slot in primary.slots
            if slot.mark == "a"
        ]
    parts += [
        f"{_name(task)} refused to let go in step {task.urgent_refused_in_step}"
        for slot in primary.slots
        for task in slot.tasks
        if task.urgent_refused_in_step >= 0
    ]
    parts += [f"{reason.name}, {reason.until}" for reason in reasons]
    return "; ".join(parts)


def _stands(movement: MoveExecution) -> bool:
    return movement.measured_speed < STANDS_BELOW_CM_S


def _active_slot(tree: TreeView) -> SlotView | None:
    return next((slot for slot in tree.slots if slot.mark == "*"), None)


def _name(task: TaskView) -> str:
    return f"{task.name}#{task.uid}"
