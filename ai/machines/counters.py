"""The world's counters: numbers that are never used twice (ACT-02, ACT-03)."""

from __future__ import annotations

from typing import TypeAlias

Seq: TypeAlias = int
CommandId: TypeAlias = int
InstanceId: TypeAlias = int
EntryId: TypeAlias = int


class Counters:
    """One per world, shared by all its brains; each attribute is the last number given out.

    - All numbers are positive; 0 is invalid everywhere.
    - Nothing but a keyframe restore of the whole world ever sets one back (ACT-26).
    """

    __slots__ = ("command", "entry", "instance", "seq")

    def __init__(self) -> None:
        self.seq: Seq = 0
        self.command: CommandId = 0
        self.instance: InstanceId = 0
        self.entry: EntryId = 0
