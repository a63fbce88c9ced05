"""Reads everything that brains are made from (ACT-22, HSM-28)."""

from __future__ import annotations

from pathlib import Path

from ai.behaviours.brains.guard import track_target
from ai.behaviours.brains.services import BrainData
from ai.behaviours.brains.tuning import BrainTuning
from ai.machines.authoring.fault_report import BehaviourError
from ai.machines.authoring.library import KINDS_FILE, BehaviourLibrary
from ai.machines.authoring.registry import BehaviourRegistry
from ai.machines.ledger.kinds import load_action_kinds
from ai.machines.limits import BehaviourTuning
from ai.tuning import TuningError, load_own_form


def load_brain_data(assets: Path) -> BrainData:
    """Read ``assets/behaviour`` and the tuning of brains.

    Raises ``TuningError`` naming file, key and reason.
    """
    limits = load_own_form(assets / "tuning" / "behaviour.toml", BehaviourTuning)
    registry = BehaviourRegistry(
        load_action_kinds(assets / "behaviour" / KINDS_FILE),
        services={"track_target": track_target},
    )
    library = BehaviourLibrary(registry, limits.params)
    try:
        library.load_folder(assets / "behaviour")
    except BehaviourError as error:
        raise TuningError(str(error)) from error
    return BrainData(library, limits, load_own_form(assets / "tuning" / "guards.toml", BrainTuning))
