"""Tuning data: files with their own form, and tunables in groups that reload while playing.

- ``laid_over``: a folder of files in place of the shipped ones (``--tuning``).
- ``own_form``: files that are read whole against a schema (TASK-118).
- ``tunable_set``: values that a class declares (TASK-109); ``groups``: which file has
  which (TASK-110); ``manager``: loading, reloading, saving, overlays (TASK-111 to 113).
"""

from ai.tuning.errors import TuningError
from ai.tuning.laid_over import effective, lay_over, take_off
from ai.tuning.manager import ReloadRefused, TuningManager, tuning_manager
from ai.tuning.own_form import (
    MAX_FILE_BYTES,
    OwnForm,
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
    "effective",
    "first_error_sentence",
    "key_path",
    "lay_over",
    "load_own_form",
    "read_toml",
    "take_off",
    "tunable",
    "tuning_manager",
]
