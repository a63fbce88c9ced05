"""Tuning data: files with their own form, and tunables in groups that reload while playing.

- ``own_form``: files that are read whole against a schema (TASK-118).
- ``tunable_set``: values that a class declares (TASK-109); ``groups``: which file has
  which (TASK-110); ``manager``: loading, reloading, saving, overlays (TASK-111 to 113).
"""

from ai.tuning.manager import ReloadRefused, TuningManager, tuning_manager
from ai.tuning.own_form import (
    MAX_FILE_BYTES,
    OwnForm,
    TuningError,
    first_error_sentence,
    key_path,
    load_own_form,
    read_toml,
)
from ai.tuning.tunable_set import TunableSet, derived, tunable

__all__ = [
    "MAX_FILE_BYTES",
    "OwnForm",
    "ReloadRefused",
    "TunableSet",
    "TuningError",
    "TuningManager",
    "derived",
    "first_error_sentence",
    "key_path",
    "load_own_form",
    "read_toml",
    "tunable",
    "tuning_manager",
]
