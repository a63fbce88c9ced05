"""A level's own decision files, which replace the shipped ones wholly (EVT-83)."""

from __future__ import annotations

from ai.events.decision_data import (
    MAKERS_FILE,
    RESPONSES_FILE,
    TASKS_FILE,
    DecisionData,
    DecisionDataError,
    OverridingFile,
    load_decision_data,
)
from ai.tuning import MAX_FILE_BYTES
from game import resources
from game.levels.errors import LevelError
from game.levels.level_folder import LevelFolder

FOLDER = "events"


def read_level_events(folder: LevelFolder) -> DecisionData | None:
    """What the level brings in its folder ``events``, joined with the shipped files, or None.

    Raises ``LevelError`` with every fault of every file.
    """
    if not (folder.path / FOLDER).is_dir():
        return None
    overrides = {}
    for name in (TASKS_FILE, RESPONSES_FILE, MAKERS_FILE):
        path = f"{FOLDER}/{name}"
        if (folder.path / path).exists():
            overrides[name] = OverridingFile(folder.label(path), folder.read(path, MAX_FILE_BYTES))
    if not overrides:
        return None
    try:
        return load_decision_data(resources.assets() / "events", overrides)
    except DecisionDataError as error:
        raise LevelError("; ".join(error.faults)) from error
