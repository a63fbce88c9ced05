"""A ped's turn in phase 6: what its mind does in one step, in order (TASK-85)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.peds.movement_reasons import state_movement_reasons
from ai.tasks.detail_range import NO_DEMAND
from ai.tasks.phase_hooks import PhaseHook
from ai.tasks.task_snapshot import TaskSnapshot

if TYPE_CHECKING:
    from ai.events.base import Event, EventRef
    from ai.peds.ai_lod import AiLod
    from ai.peds.ped import Ped


class PedIntelligence:
    """The mind's clockwork.

    - ``update_period`` is the number of steps between full updates, as the AI LOD chose
      it unless a test has fixed one; a full update is due when
      ``(step + ped id) % period == 0`` or one is forced (TASK-86). A force that comes
      before the ped's turn makes that very turn full, a later one the next.
    - Time that partial updates skip is summed and handed to the next full one:
      nothing is dropped or clamped.
    """

    __slots__ = (
        "_ai_lod",
        "_detail_range_cm",
        "_ped",
        "_ped_id",
        "_period_fixed",
        "full_updates",
        "needs_full_update",
        "snapshot",
        "tasks_need_move_signals",
        "time_since_ai_s",
        "update_period",
    )

    def __init__(self, ped: Ped, ai_lod: AiLod) -> None:
        self._ped = ped
        self._ped_id = ped.ped_id
        self._ai_lod = ai_lod
        self._detail_range_cm = NO_DEMAND
        self._period_fixed = False
        ai_lod.add(ped.slot, is_local_player=ped.is_local_player)
        self.needs_full_update = True
        self.tasks_need_move_signals = False
        self.update_period = 1
        self.time_since_ai_s = 0.0
        self.full_updates = 0
        self.snapshot = TaskSnapshot()

    def task_changed(self) -> None:
        """The task manager wrote a slot: the next turn is full (TASK-63)."""
        self.needs_full_update = True

    def follow_period(self, period: int) -> None:
        """The AI LOD chose another period."""
        if not self._period_fixed:
            self.update_period = period

    def fix_period(self, period: int) -> None:
        """Keep this period whatever the AI LOD chooses (for tests)."""
        self._period_fixed = True
        self.update_period = period

    def full_update_due(self, step: int) -> bool:
        """True if this step's turn is a full update."""
        return self.needs_full_update or (step + self._ped_id) % self.update_period == 0

    def add_event(
        self, event: Event, *, force_persistent: bool = False, make_space: bool = True
    ) -> EventRef | None:
        """Tell the ped that something happened (EVT-26): None if that is refused."""
        return self._ped.events.add_event(
            event, force_persistent=force_persistent, make_space=make_space
        )

    def process(self, step: int, dt_s: float) -> None:
        """Take the ped's turn.

        - Full: the event handler turns the best event into tasks, which are entered in
          this very step. A mirrored ped has no events of its own: it does not think here.
        - Full or not: move signals, for tasks that asked for them (TASK-68).
        - Full: the trees run; then the snapshot of them is taken (TASK-65), and the mind
          states which of its tasks keep its movement from running, and what detail they
          demand.
        """
        self.time_since_ai_s += dt_s
        if not self.full_update_due(step):
            if self.tasks_need_move_signals:
                self._send_move_signals()
            return
        self.needs_full_update = False
        ped = self._ped
        if ped.is_mirrored:
            ped.events.clear()
        else:
            ped.threats.update(ped, ped.events.services.world, step)
            ped.events.handler.handle_events()
        if self.tasks_need_move_signals:
            self._send_move_signals()
        dt_ai_s = self.time_since_ai_s
        self.time_since_ai_s = 0.0
        self.full_updates += 1
        ped.tasks.process(dt_ai_s)
        if self.snapshot.take(ped.tasks):
            self._state_detail_range()
        state_movement_reasons(ped)

    def _state_detail_range(self) -> None:
        range_cm = self._ped.tasks.detail_range()
        if range_cm != self._detail_range_cm:
            self._detail_range_cm = range_cm
            if not self._ped.is_local_player:
                self._ai_lod.demand(self._ped.slot, range_cm)

    def _send_move_signals(self) -> None:
        """A task that answers True is called again in the next step, others are let go."""
        self.tasks_need_move_signals = False
        if self._ped.tasks.run_hook(PhaseHook.MOVE_SIGNALS):
            self.tasks_need_move_signals = True
