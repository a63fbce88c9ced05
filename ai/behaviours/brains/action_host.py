"""Carries out the commands of one ped with what peds have: tasks, speech, gaze (ACT-20, ACT-27)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from ai.behaviours.brains.action_run import ActionRun, Ending
from ai.behaviours.brains.expression_runs import LookAroundRun, LookAtRun, SayRun
from ai.behaviours.brains.mover_runs import (
    FleeRun,
    FollowRun,
    GoToRun,
    GoToWaypointRun,
    MoverRun,
)
from ai.behaviours.brains.strike import StrikeRun, TaskStrikeArm
from ai.machines.counters import CommandId, InstanceId
from ai.machines.ledger.command import Command, CommandState, Urgency
from ai.machines.ledger.ledger import Ledger
from ai.machines.ledger.resources import Resource
from ai.motion.claims import ClaimOwner
from ai.ports import EntityRef, Vec3
from ai.tasks.task import Task
from ai.tasks.trees import SECONDARY, SecondarySlot

if TYPE_CHECKING:
    from ai.behaviours.actor import Actor

RunMaker = Callable[["PedActionHost", Command], ActionRun]

RUNS: Final[dict[str, RunMaker]] = {
    "goto": GoToRun,
    "goto_waypoint": GoToWaypointRun,
    "goto_entity": lambda host, command: FollowRun(host, command, halts=True),
    "chase": lambda host, command: FollowRun(host, command, halts=False),
    "flee": FleeRun,
    "strike": StrikeRun,
    "look_at": LookAtRun,
    "look_around": LookAroundRun,
    "say": SayRun,
}
"""Who carries out each kind; a kind that is not here is refused with ``no_executor``."""

_OUTSIDE: Final = {
    ClaimOwner.EVENT_MOVEMENT: Resource.MOVER,
    ClaimOwner.STUMBLE: Resource.MOVER,
    ClaimOwner.RECOVERY: Resource.BODY,
}
"""Claims above a brain's own movement, and the resource that each of them takes (ACT-27)."""

_HANDS_UID: Final = 0
"""Stands for whatever task of others is in the secondary tree."""


class Mind(Protocol):
    """What the host asks of the task that it belongs to."""

    def place_of(self, ref: EntityRef) -> Vec3 | None:
        """Where an entity is, as far as the ped knows; None if it is gone."""
        ...

    def said(self, line: str) -> None:
        """A line was said."""
        ...


class PedActionHost:
    """The hands and feet of one ped's brain (fills ``ActionHost``).

    - ``mover`` is the run that has the mover's child; the task attaches or removes the
      child when ``mover_changed``, as only a task may in its own update.
    - ``runs`` are commands that have begun, in command id order.
    - Claims of others on the ped and what is in the secondary tree are watched here, so
      that neither motion nor events know the ledger.
    """

    def __init__(self, actor: Actor, mind: Mind, owner_type: int) -> None:
        self.actor = actor
        self.owner_type = owner_type
        self.mover: MoverRun | None = None
        self.mover_changed = False
        self.runs: dict[CommandId, ActionRun] = {}
        self._mind = mind
        self._outside: dict[tuple[Resource, int], None] = {}

    # -- what runs use -------------------------------------------------------------

    def place_of(self, ref: EntityRef) -> Vec3 | None:
        """Where an entity is, as far as the ped knows."""
        return self._mind.place_of(ref)

    def said(self, line: str) -> None:
        """A line was said."""
        self._mind.said(line)

    def give_mover(self, run: MoverRun) -> None:
        """Have this run's child attached in the task's next round."""
        self.mover = run
        self.mover_changed = True

    def take_mover(self, run: MoverRun) -> None:
        """Have its child removed."""
        if self.mover is run:
            self.mover = None
            self.mover_changed = True

    # -- what the task calls ---------------------------------------------------------

    def child_ended(self, child: Task) -> None:
        """The mover's child has quit, in a later round of the task's update (ACT-27)."""
        if self.mover is not None:
            self.mover.child_ended(child)

    def refresh(self) -> None:
        """Before the brain's step: tell movements that follow somebody where that is now."""
        if isinstance(self.mover, FollowRun):
            self.mover.refresh()

    # -- ActionHost --------------------------------------------------------------------

    def take_requests(self, ledger: Ledger, step: int) -> None:
        """P9: outside holders, cancels, preemptions, claims, then admissions."""
        self._watch_outside(ledger)
        for command in ledger.take_cancels():
            self._cancel(ledger, command, step)
        for command in ledger.take_preemptions():
            run = self.runs[command.id]
            run.is_revoking = True
            run.stop(step)
        ledger.resume_claims()
        for command in ledger.waiting():
            self._initialise(ledger, command, step)

    def _cancel(self, ledger: Ledger, command: Command, step: int) -> None:
        run = self.runs.get(command.id)
        if run is None:
            ledger.stopped(command.id)
            return
        if run.stop_step < 0:
            run.stop(step)
        if command.urgency is Urgency.IMMEDIATE:
            run.cut()
            self._stopped(ledger, command)
        elif not command.admitted and run.has_stopped(step):
            self._stopped(ledger, command)

    def _stopped(self, ledger: Ledger, command: Command) -> None:
        del self.runs[command.id]
        ledger.stopped(command.id)

    def _initialise(self, ledger: Ledger, command: Command, step: int) -> None:
        run = self.runs.get(command.id)
        if run is None:
            if not ledger.try_hold(command):
                return
            maker = RUNS.get(command.kind.name)
            if maker is None:
                ledger.reject(command.id, "no_executor")
                return
            run = maker(self, command)
            refusal = run.begin(step)
            if refusal:
                ledger.reject(command.id, refusal)
                return
            self.runs[command.id] = run
        refusal = run.refusal()
        if refusal:
            ledger.reject(command.id, refusal, command.held)
        elif run.ready(step) and ledger.admit(command.id):
            run.admitted(step)

    def run_actions(self, ledger: Ledger, step: int) -> None:
        """P10: what has ended by itself, what has stopped; by command id."""
        self._watch_outside(ledger)
        if not self.runs:
            return
        for command_id in sorted(self.runs):
            run = self.runs.get(command_id)
            if run is not None:
                self._after_step(ledger, run, step)

    def _after_step(self, ledger: Ledger, run: ActionRun, step: int) -> None:
        command = run.command
        state = command.state
        if state is CommandState.DONE:
            del self.runs[command.id]
        elif state is CommandState.STOPPING:
            if run.has_stopped(step):
                self._stopped(ledger, command)
            elif command.admitted:
                self._ended(ledger, run, run.after_step(step))
        elif state is CommandState.ACTIVE:
            if run.is_revoking:
                if run.has_stopped(step):
                    del self.runs[command.id]
                    ledger.revoke(command.instance, "preempted")
            else:
                self._ended(ledger, run, run.after_step(step))

    def _ended(self, ledger: Ledger, run: ActionRun, ending: Ending) -> None:
        if ending is Ending.NONE:
            return
        del self.runs[run.command.id]
        run.cut()
        if ending is Ending.LOST:
            ledger.revoke(run.command.instance, "lost")
        else:
            ledger.complete(run.command.instance, success=ending is Ending.SUCCESS)

    def interruptible(self, instance: InstanceId) -> bool:
        """A pure query (ACT-24)."""
        return all(
            run.interruptible for run in self.runs.values() if run.command.instance == instance
        )

    def force_stop(self, command: Command) -> None:
        """Stop it at once."""
        run = self.runs.pop(command.id, None)
        if run is not None:
            run.cut()

    def suspend(self, command: Command) -> None:
        """The coordination has taken write permission and query already (NAV-14)."""

    def resume(self, command: Command) -> None:
        """The coordination plans again from where the ped stands (NAV-15)."""

    def parameters_changed(self, command: Command) -> None:
        """Followers read their target anew in every step."""

    # -- holders outside the ledger (ACT-17) ---------------------------------------------

    def _watch_outside(self, ledger: Ledger) -> None:
        """Tell the ledger who has come and gone since the last look."""
        actor = self.actor
        system = actor.services.movement
        hands = actor.tasks.tree(SECONDARY).slots[SecondarySlot.PARTIAL_ANIM]
        above = system.claims.highest_priority.item(actor.slot) > system.tuning.claim.general
        others_hands = hands is not None and type(hands) is not TaskStrikeArm
        if not self._outside and not above and not others_hands:
            return
        found: dict[tuple[Resource, int], None] = {}
        if above:
            for claim in system.claims.held(actor.slot):
                resource = _OUTSIDE.get(claim.owner_kind)
                if resource is not None:
                    found[resource, claim.tag] = None
        if others_hands:
            found[Resource.HANDS, _HANDS_UID] = None
        for resource, uid in found:
            if (resource, uid) not in self._outside:
                ledger.hold_external(resource, uid)
        for resource, uid in self._outside:
            if (resource, uid) not in found:
                ledger.release_external(resource, uid)
        self._outside = found
