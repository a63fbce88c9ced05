"""What one ``process`` call of a tree keeps.

An object of its own, of one class for all kinds of trees: the interpreter reads
attributes of one class five times faster than those of several, and these are read
for every task of every update.
"""

from __future__ import annotations


class TreeRun:
    """State of the root loop.

    - ``process_id``: number of the present or last ``process`` call, from 1.
    - ``budget``: task updates left to it (TASK-43).
    - ``processing_slot``: slot whose chain is being updated or walked, None outside.
    - ``in_process``: inside ``process`` or a hook, between roots included.
    """

    __slots__ = ("budget", "in_process", "process_id", "processing_slot")

    def __init__(self) -> None:
        self.process_id = 0
        self.budget = 0
        self.processing_slot: int | None = None
        self.in_process = False
