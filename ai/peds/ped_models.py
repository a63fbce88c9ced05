"""Ped models: what peds of a kind have in common (TASK-73, EVT-74, EVT-101)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from ai.events.decision_makers import FALLBACK
from ai.events.subject import Personality
from ai.peds.ped_tuning import PedTuning
from ai.tuning import OwnForm, TuningError, load_own_form

FILE = "ped_models.toml"


class PedModel(OwnForm):
    """One model.

    - ``default_task_set`` is a key of ``default_tasks.toml``, or empty: then it wanders.
    - ``decision_maker`` is a name of ``decision_makers.toml``.
    - ``relation_group`` is a key of ``relation`` in ``scanners.toml``, or empty (EVT-48).
    - ``reaction_scale`` and ``bravery`` as in ``Personality``.
    - ``agility``: 0 is soon off its feet, 1 hardly ever.
    """

    default_task_set: str = ""
    do_nothing_on_foot: bool = False
    decision_maker: str = FALLBACK
    relation_group: str = ""
    reaction_scale: float = Field(default=1.0, ge=0.0, le=10.0)
    bravery: float = Field(default=0.4, ge=0.0, le=1.0)
    agility: float = Field(default=0.5, ge=0.0, le=1.0)

    @property
    def personality(self) -> Personality:
        """How peds of this model differ in their reactions."""
        return Personality(self.reaction_scale, self.bravery)


class _Models(OwnForm):
    model: dict[str, PedModel] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class PedData:
    """What peds are made with: their models, and what all of them keep in mind."""

    models: Mapping[str, PedModel]
    tuning: PedTuning

    @classmethod
    def load(cls, tuning_folder: Path) -> PedData:
        """Read ``ped_models.toml`` and ``peds.toml``.

        Raises ``TuningError`` naming file, key and reason.
        """
        return cls(
            load_ped_models(tuning_folder),
            load_own_form(tuning_folder / "peds.toml", PedTuning),
        )


def load_ped_models(tuning_folder: Path) -> Mapping[str, PedModel]:
    """Read ``ped_models.toml``.

    Raises ``TuningError`` naming file, key and reason.
    """
    return load_own_form(tuning_folder / FILE, _Models).model


def check_decision_makers(
    tuning_folder: Path, models: Mapping[str, PedModel], known: tuple[str, ...]
) -> None:
    """Raise ``TuningError`` for a model whose decision maker does not exist (EVT-74)."""
    for name, model in models.items():
        if model.decision_maker not in known:
            raise TuningError(
                f"{tuning_folder / FILE}: key 'model.{name}.decision_maker' = "
                f"{model.decision_maker!r}: must be one of {', '.join(known)}"
            )
