"""Lifecycle and result of nodes, two different things (BT-02)."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, Literal


class Lifecycle(IntEnum):
    """Where a node is in its execution; RUNNING and CANCELLING are the active ones."""

    IDLE = 0
    RUNNING = 1
    CANCELLING = 2
    FINISHED = 3


class Result(IntEnum):
    """What a tick returns: RUNNING while not Finished, else the stored result."""

    RUNNING = 0
    SUCCESS = 1
    FAILURE = 2
    CANCELLED = 3

    @property
    def word(self) -> str:
        """Its name in files and traces."""
        return self.name.lower()


# Reading a member through its class costs several times a global name; ticks do it often.
IDLE: Final[Literal[Lifecycle.IDLE]] = Lifecycle.IDLE
ACTIVE: Final[Literal[Lifecycle.RUNNING]] = Lifecycle.RUNNING
CANCELLING: Final[Literal[Lifecycle.CANCELLING]] = Lifecycle.CANCELLING
FINISHED: Final[Literal[Lifecycle.FINISHED]] = Lifecycle.FINISHED
RUNNING: Final[Literal[Result.RUNNING]] = Result.RUNNING
SUCCESS: Final[Literal[Result.SUCCESS]] = Result.SUCCESS
FAILURE: Final[Literal[Result.FAILURE]] = Result.FAILURE
CANCELLED: Final[Literal[Result.CANCELLED]] = Result.CANCELLED

WORDS = tuple(result.word for result in Result)
"""Words by result number, for traces."""

MARKS = {IDLE: "[ ]", ACTIVE: "[R]", CANCELLING: "[C]"}
FINISHED_MARKS = {SUCCESS: "[S]", FAILURE: "[F]", CANCELLED: "[X]"}
"""Marks of dumps (HSM-33)."""
