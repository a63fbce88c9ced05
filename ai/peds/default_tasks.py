"""Which task a ped falls back to when nothing else asks for it (TASK-73).

Rows in force, first match wins: 3 the local player, 5b what the level names, 6 a
model that does nothing, 7 the model's default-task set, 8 wandering. The others
belong to parts of the ped that do not exist yet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field

from ai.behaviours.brains.brain_task import BrainTask
from ai.behaviours.brains.guard import GuardTask
from ai.behaviours.standing import TaskStand
from ai.behaviours.wander import TaskWander
from ai.peds.ped_models import load_ped_models
from ai.tasks.idle_tasks import DoNothing
from ai.tasks.task import Task
from ai.tuning import OwnForm, TuningError, load_own_form

if TYPE_CHECKING:
    from ai.peds.ped import Ped


def compute_wander_task() -> Task:
    """The task of a ped that nothing else is said about (TASK-73 row 8)."""
    return TaskWander()


MAKERS: Mapping[str, Callable[[], Task]] = {
    "wander": compute_wander_task,
    "do_nothing": lambda: DoNothing(-1.0),
    "stand": TaskStand,
    "guard": GuardTask,
    "brain": BrainTask,
}
"""Values that a level, a spawn cue or a default-task set may name."""


class _Set(OwnForm):
    on_foot: str


class _Sets(OwnForm):
    set: dict[str, _Set] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class DefaultTasks:
    """Default-task makers of every ped model, resolved at load."""

    makers_by_model: Mapping[str, Callable[[], Task]]

    @classmethod
    def load(cls, tuning_folder: Path) -> DefaultTasks:
        """Read ``default_tasks.toml`` and ``ped_models.toml``.

        Raises ``TuningError`` naming model, key and the allowed values; nothing is
        loaded half.
        """
        sets = load_own_form(tuning_folder / "default_tasks.toml", _Sets).set
        for name, entry in sets.items():
            if entry.on_foot not in MAKERS:
                raise TuningError(
                    f"{tuning_folder / 'default_tasks.toml'}: key 'set.{name}.on_foot' = "
                    f"{entry.on_foot!r}: must be one of {', '.join(MAKERS)}"
                )
        models = load_ped_models(tuning_folder)
        makers: dict[str, Callable[[], Task]] = {}
        for name, model in models.items():
            if model.do_nothing_on_foot:
                makers[name] = MAKERS["do_nothing"]
            elif not model.default_task_set:
                makers[name] = compute_wander_task
            elif model.default_task_set in sets:
                makers[name] = MAKERS[sets[model.default_task_set].on_foot]
            else:
                raise TuningError(
                    f"{tuning_folder / 'ped_models.toml'}: key 'model.{name}.default_task_set' = "
                    f"{model.default_task_set!r}: must be one of {', '.join(sets)}"
                )
        return cls(makers)

    def default_task(self, ped: Ped) -> Task:
        """A fresh default task of a ped: the first row that matches."""
        if ped.is_local_player:
            return ped.on_foot_motion().create_player_control_task()
        if ped.named_default_task:
            return MAKERS[ped.named_default_task]()
        return self.makers_by_model[ped.model]()
