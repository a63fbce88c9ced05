"""What operations on a movement record do to its clip (the clip row of ORD-23).

The walk update plays clips; here they are only sent somewhere else: to the stop
tail, back to IDLE, or onto another profile.
"""

from __future__ import annotations

from ai.motion.clip_library import ClipLibrary
from ai.motion.clip_state import halt, read_clip_state, reset_clip, write_clip_state
from ai.motion.movement_table import ClipPhase, MovementTable
from ai.motion.profile_change import carry_over


class RecordClips:
    """Changes the clip columns of one record at a time."""

    def __init__(self, table: MovementTable, clips: ClipLibrary) -> None:
        self._table = table
        self._clips = clips

    def to_tail(self, row: int) -> None:
        """Stop the clip without covering ground (CLIP-07, LOC-12)."""
        state = read_clip_state(self._table, row)
        profile = self._clips.profile_or_none(state.profile)
        if profile is not None:
            write_clip_state(self._table, row, halt(profile, state))

    def discard_stop(self, row: int) -> None:
        """Give up a travelling stop, whose scale was another path's (LOC-10)."""
        if int(self._table.clip_phase[row]) == int(ClipPhase.STOP):
            self.to_tail(row)

    def reset(self, row: int) -> None:
        """Start the clip anew in IDLE (CLIP-07).

        A get-up of a suspended record is the recovery's and goes on; the reset
        comes with the resume.
        """
        state = read_clip_state(self._table, row)
        if state.phase is ClipPhase.GETUP and int(self._table.suspend[row]) != 0:
            return
        write_clip_state(self._table, row, reset_clip(state))

    def set_profile(self, row: int, index: int) -> None:
        """Play the record with another profile, its clip carried over (LOC-13).

        Left for a later call while a travelling stop runs, whose distance is fixed.
        """
        state = read_clip_state(self._table, row)
        if state.profile != index and state.phase is not ClipPhase.STOP:
            old = self._clips.profile_or_none(state.profile)
            new = self._clips.profile_or_none(index)
            write_clip_state(self._table, row, carry_over(state, old, new))
