"""Structural limits of the task kernel: numbers that its mechanisms rest on.

They are constants, not tuning: changing one changes what the rules promise. The
size of the task pool alone is data (``limits_tuning``).
"""

from __future__ import annotations

from typing import Final

SLOTS_PER_TREE_MAX: Final = 5
TREES_PER_MANAGER: Final = 4
STATES_PER_CLASS_MAX: Final = 255
TASK_TYPE_ID_MAX: Final = 65_535

TRANSITIONS_PER_TABLE_MAX: Final = 128
FALLBACKS_PER_TABLE_MAX: Final = 32
"""Further rows of a transition table are left out (TASK-28)."""

DELETION_QUEUE_MAX: Final = 1280
"""Tasks that may wait for release while chains are being walked (TASK-59)."""

TASKS_PER_LIST_MAX: Final = 16
SEQUENCES_MAX: Final = 128
"""Stored sequences of the whole game (TASK-95)."""

HELPER_BYTES_MAX: Final = 192
"""A helper class with larger instances is refused (TASK-90)."""

HISTORY_RECORDS: Final = (80 - 4) // 8
"""State changes a history keeps: 8-byte records in 80 bytes with a 4-byte head (TASK-42)."""

ROUNDS_SOFT_MAX: Final = 30
"""Rounds of one update that are normal (TASK-42)."""

ROUND_OF_LOOP_FAULT: Final = ROUNDS_SOFT_MAX + HISTORY_RECORDS + 1
"""The round that reports a suspected endless loop, once the history is full of it."""

ROUNDS_HARD_MAX: Final = ROUNDS_SOFT_MAX + HISTORY_RECORDS + 2
"""The last round; the loop is left by force after it."""

UPDATES_PER_PROCESS: Final = 1000
"""Dead-man budget: task updates of one tree in one ``process`` call (TASK-43)."""

ROOT_PASSES_MAX: Final = 30
"""Passes of the root loop in one ``process`` call (TASK-38)."""

DEFAULT_RETRY_S: Final = 5.0
"""How long a failed default task is stood in for before it is tried again (TASK-03)."""

INSTANCE_BYTES_LISTED: Final = 380
"""From here on the size report lists a class as an error (TASK-90)."""

INSTANCE_BYTES_MAX: Final = 736
"""A class with larger instances is refused at registration (TASK-90)."""
