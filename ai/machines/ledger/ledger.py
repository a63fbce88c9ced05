"""The action ledger of one ped: every command, instance, resource and cancel (ACT-03 to ACT-19).

State changes when a call is made, and that order is the stamp order of ACT-14: a
completion noted before a cancel is asked for has made the command DONE, so the
cancel is answered ALREADY_DONE, however late the owner hears of it. Owners hear
at a boundary only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping

from ai import settings
from ai.faults import faults
from ai.machines.blackboard.keys import Value
from ai.machines.counters import CommandId, Counters, InstanceId
from ai.machines.errors import BadCommandError, LedgerContractError, OwnerNotActiveError
from ai.machines.inbox import Inbox, ItemKind
from ai.machines.ledger.command import (
    CancelAnswer,
    Command,
    CommandOwner,
    CommandState,
    Outcome,
    OwnerId,
    Reply,
    ReplyKind,
    Urgency,
)
from ai.machines.ledger.host import ActionHost
from ai.machines.ledger.kinds import ActionKind, ConflictPolicy
from ai.machines.ledger.resource_table import ResourceTable
from ai.machines.ledger.resources import RESOURCES, Resource, words
from ai.machines.limits import BrainLimits
from ai.machines.trace import BrainTrace


class Ledger:
    """Owner's face: ``submit``, ``cancel``, ``update``, ``force_release``, ``close``.

    Host's face: ``take_cancels``, ``take_preemptions``, ``resume_claims``, ``waiting``,
    ``try_hold``; ``admit``, ``reject``, ``complete``, ``revoke``, ``stopped``;
    ``hold_external``, ``release_external``.

    Cost: every call is O(1) in the number of peds and O(live commands) at most.
    """

    def __init__(
        self,
        ped_id: int,
        kinds: Mapping[str, ActionKind],
        counters: Counters,
        inbox: Inbox,
        trace: BrainTrace,
        host: ActionHost,
        *,
        limits: BrainLimits,
        escalate_steps: int,
    ) -> None:
        self.ped_id = ped_id
        self.host = host
        self.kinds = kinds
        self.resources = ResourceTable()
        self.stale = 0
        self.late_refused = 0
        self.step = 0
        self._counters = counters
        self._inbox = inbox
        self._trace = trace
        self._limits = limits
        self._escalate_steps = escalate_steps
        self._commands: dict[CommandId, Command] = {}
        self._by_instance: dict[InstanceId, Command] = {}
        self._live: list[Command] = []
        self._cancels: list[Command] = []
        self._preemptions: list[Command] = []
        self._stopping: list[Command] = []
        self._heard: deque[CommandId] = deque()
        self._watermark: CommandId = 0

    # The owner's face

    def submit(
        self, owner: CommandOwner, kind_name: str, params: Mapping[str, Value], slot: int = 0
    ) -> CommandId:
        """Ask for an action; the answer comes at a later boundary (ACT-05).

        - The same owner, entry and slot again: the same id, nothing new.
        - Raises ``OwnerNotActiveError`` for an exiting or cancelling owner and
          ``BadCommandError`` for an unknown kind or parameters that don't fit.
        """
        for command in self._live:
            if command.owner is owner and command.entry == owner.entry and command.slot == slot:
                return command.id
        if not owner.may_submit:
            raise OwnerNotActiveError(
                f"{owner.owner_id.part} is ending and may not submit '{kind_name}'; "
                "submit from an active state or a running leaf"
            )
        kind = self.kinds.get(kind_name)
        if kind is None:
            raise BadCommandError(f"unknown action kind '{kind_name}'; add it to actions.toml")
        kind.check(params)
        return self._create(owner, kind, params, slot).id

    def _create(
        self, owner: CommandOwner, kind: ActionKind, params: Mapping[str, Value], slot: int
    ) -> Command:
        counters = self._counters
        counters.seq += 1
        counters.command += 1
        command = Command(counters.command, counters.seq, kind, params, owner, slot, self.step)
        command.submit_hold = self.resources.body_held_until(self.step)
        self._commands[command.id] = command
        self._trace.note(
            self.step, "submit", f"c{command.id}", f"{kind.name}{{{_held(kind.resources)}}}"
        )
        if len(self._live) >= self._limits.live_commands:
            self._live.append(command)
            self.reject(command.id, "busy")
        else:
            self._live.append(command)
        return command

    def cancel(self, command_id: CommandId, urgency: Urgency = Urgency.URGENT) -> CancelAnswer:
        """Ask a command to stop; the receipt is one ``Stopped`` (ACT-11 to ACT-13)."""
        command = self._commands.get(command_id)
        if command is None:
            known = 0 < command_id <= self._watermark
            return CancelAnswer.ALREADY_DONE if known else CancelAnswer.UNKNOWN
        if command.state is CommandState.DONE:
            return CancelAnswer.ALREADY_DONE
        if command.state is CommandState.STOPPING:
            if urgency > command.urgency:
                command.urgency = urgency
                self._cancels.append(command)
            return CancelAnswer.DUPLICATE
        counters = self._counters
        counters.seq += 1
        command.cancel_seq = counters.seq
        command.cancel_step = self.step
        command.urgency = urgency
        subject = f"i{command.instance}" if command.admitted else f"c{command.id}"
        self._trace.note(self.step, "cancel", subject)
        suspended = command.state is CommandState.SUSPENDED
        command.state = CommandState.STOPPING
        if suspended:
            # It writes nothing and holds nothing, so there is nothing to wait for (ACT-17).
            self.resources.claimants.remove(command)
            self.host.force_stop(command)
            self._finish(command, Outcome.CANCELLED, ReplyKind.STOPPED)
        else:
            self._cancels.append(command)
            self._stopping.append(command)
        return CancelAnswer.ACCEPTED

    def update(self, command_id: CommandId, params: Mapping[str, Value]) -> bool:
        """Change a live instance's parameters; False unless it is active or suspended (ACT-18)."""
        command = self._commands.get(command_id)
        if command is None or command.state not in (CommandState.ACTIVE, CommandState.SUSPENDED):
            return False
        command.kind.check(params)
        command.params = params
        self.host.parameters_changed(command)
        return True

    def force_release(self, mind: str = "", part: str = "") -> None:
        """End all commands of a mind, of one part of it, or all, before returning (ACT-15)."""
        for command in tuple(self._live):
            owner = command.owner.owner_id
            if (not mind or owner.mind == mind) and (not part or owner.part == part):
                command.forced = True
                self.host.force_stop(command)
                if command.state is CommandState.SUSPENDED:
                    self.resources.claimants.remove(command)
                self._settle(command, Outcome.CANCELLED)
                self._trace.note(self.step, "force", f"c{command.id}")

    def close(self, mind: str = "") -> None:
        """``force_release`` of an owner that goes away for good (ACT-23)."""
        self.force_release(mind)

    def admission_expired(self, command_id: CommandId) -> bool:
        """Has the command waited longer than its kind allows, body responses apart (ACT-06)."""
        command = self._commands.get(command_id)
        return (
            command is not None
            and command.state is CommandState.SUBMITTED
            and self.step >= self.admission_due(command)
        )

    def admission_due(self, command: Command) -> int:
        """Step at which waiting ends if no body response comes between."""
        held = self.resources.body_held_until(self.step) - command.submit_hold
        return command.submit_step + command.kind.admit_timeout + held

    # What a boundary does

    def deliver(self, reply: Reply) -> None:
        """Hand a reply to its owner's record (P1); one of an earlier entry is stale (ACT-19)."""
        command = reply.command
        self._trace.note(self.step, reply.kind.verb, _subject(reply), _details(reply))
        if command.entry == command.owner.entry and not command.forced:
            command.owner.deliver(reply)
        else:
            self.note_stale(f"c{command.id}")
            if command.state in (CommandState.ACTIVE, CommandState.SUSPENDED):
                self.cancel(command.id, Urgency.IMMEDIATE)
        if reply.terminal:
            self._heard.append(command.id)
            while len(self._heard) > self._limits.kept_records:
                self._forget(self._heard.popleft())

    def _forget(self, command_id: CommandId) -> None:
        command = self._commands.pop(command_id)
        self._by_instance.pop(command.instance, None)
        self._watermark = max(self._watermark, command_id)

    def note_stale(self, subject: str) -> None:
        """Count a reply that nobody waits for any more."""
        self.stale += 1
        self._trace.note(self.step, "stale", subject)

    def escalate(self) -> None:
        """Raise cancels that nobody answered, once; then report them (ACT-15)."""
        for command in self._stopping:
            if command.escalated:
                if not command.overdue:
                    command.overdue = True
                    self._fault(f"c{command.id} was told to stop at once and gave no receipt")
            elif self.step >= command.cancel_step + self._escalate_steps:
                command.escalated = True
                command.urgency = Urgency.IMMEDIATE
                self._cancels.append(command)

    # The host's face: requests

    def take_cancels(self) -> list[Command]:
        """Commands newly asked to stop, or to stop faster, in seq order; for the host phase."""
        taken, self._cancels = self._cancels, []
        return [command for command in taken if command.state is CommandState.STOPPING]

    def take_preemptions(self) -> list[Command]:
        """Instances to be revoked for a command of higher priority, once they have stopped."""
        taken, self._preemptions = self._preemptions, []
        return [command for command in taken if command.state is CommandState.ACTIVE]

    def waiting(self) -> list[Command]:
        """Commands waiting for admission, by priority descending, then command id."""
        found = [command for command in self._live if command.state is CommandState.SUBMITTED]
        found.sort(key=lambda command: (-command.kind.priority, command.id))
        return found

    def resume_claims(self) -> None:
        """Give suspended instances their resources back where free, before anyone waiting."""
        for command in sorted(
            self.resources.claimants, key=lambda command: (-command.kind.priority, command.id)
        ):
            if self._may_resume(command):
                self.resources.claimants.remove(command)
                self.resources.take(command, command.kind.resources)
                command.state = CommandState.ACTIVE
                self.host.resume(command)
                self._post(Reply(ReplyKind.RESUMED, command))

    def _may_resume(self, command: Command) -> bool:
        if self.resources.taken_outside(command.kind.resources):
            return False
        return all(
            other.state is CommandState.SUSPENDED
            for other in self.resources.blockers(command, command.kind.resources)
        )

    def try_hold(self, command: Command) -> bool:
        """Take for a waiting command what is free; True when it holds all it declared.

        - A staged command takes one resource after the other in canonical order and keeps
          what it has; any other takes all or nothing.
        - ``reject`` answers at once; ``preempt`` asks holders of lower priority to go (ACT-09).
        """
        wanted = command.kind.resources
        if command.held == wanted:
            return True
        if command.kind.staged:
            for resource in RESOURCES:
                bit = 1 << resource
                if wanted & bit and not command.held & bit:
                    if not self.resources.is_free(command, bit):
                        break
                    self.resources.take(command, bit)
        elif self.resources.is_free(command, wanted):
            self.resources.take(command, wanted)
        self._check()
        if command.held == wanted:
            return True
        if command.kind.on_conflict is ConflictPolicy.REJECT:
            self.reject(command.id, "conflict")
        elif command.kind.on_conflict is ConflictPolicy.PREEMPT:
            self._preempt(command)
        return False

    def _preempt(self, command: Command) -> None:
        for blocker in self.resources.blockers(command, command.kind.resources):
            if blocker.kind.priority >= command.kind.priority or blocker.preempting:
                continue
            if blocker.state is CommandState.ACTIVE:
                blocker.preempting = True
                self._preemptions.append(blocker)
            elif blocker.state is CommandState.SUSPENDED:
                self.host.force_stop(blocker)
                self.revoke(blocker.instance, "preempted")
            elif blocker.state is CommandState.SUBMITTED:
                self.resources.give_back(blocker, blocker.held)

    # The host's face: replies

    def admit(self, command_id: CommandId) -> InstanceId:
        """The action is initialised and holds all it declared; 0 if refused (ACT-06, ACT-12)."""
        command = self._commands.get(command_id)
        if command is None:
            if not 0 < command_id <= self._watermark:
                self._broken(f"c{command_id} was never submitted")
            return self._refuse_late(command_id)
        if command.state in (CommandState.DONE, CommandState.STOPPING):
            if command.admitted:
                self._broken(f"c{command_id} was admitted twice")
                return 0
            return self._refuse_late(command_id)
        if command.state is not CommandState.SUBMITTED or command.held != command.kind.resources:
            self._broken(f"c{command_id} was admitted without its resources")
            return 0
        self._counters.instance += 1
        command.instance = self._counters.instance
        command.state = CommandState.ACTIVE
        self._by_instance[command.instance] = command
        self._post(Reply(ReplyKind.ADMITTED, command))
        return command.instance

    def _refuse_late(self, command_id: CommandId) -> InstanceId:
        self.late_refused += 1
        self._trace.note(self.step, "late_refused", f"c{command_id}")
        return 0

    def reject(self, command_id: CommandId, reason: str, held: int = 0) -> None:
        """The action can't start; ``held`` are the bits it got and still has (ACT-07)."""
        command = self._commands.get(command_id)
        if command is None or command.state is CommandState.DONE:
            self._after_the_end(command, f"c{command_id}")
        elif command.state is CommandState.STOPPING and not command.admitted:
            self._finish(command, Outcome.CANCELLED, ReplyKind.STOPPED)
        elif command.state is not CommandState.SUBMITTED or held & ~command.held:
            self._broken(f"c{command_id} was rejected while {command.state.name}")
        elif held:
            self.resources.give_back(command, command.held & ~held)
            command.state = CommandState.REJECTED_HELD
            command.reject_reason = reason
            self._post(Reply(ReplyKind.REJECTED, command, held, reason=reason))
        else:
            self._finish(command, Outcome.REJECTED, ReplyKind.REJECTED, reason)

    def complete(self, instance: InstanceId, *, success: bool) -> None:
        """The action has ended by itself."""
        command = self._by_instance.get(instance)
        if command is None or command.state is CommandState.DONE:
            self._after_the_end(command, f"i{instance}")
        elif command.state is CommandState.STOPPING:
            command.late_success = success
            self._finish(command, Outcome.CANCELLED, ReplyKind.STOPPED)
        else:
            if command.state is CommandState.SUSPENDED:
                self.resources.claimants.remove(command)
            outcome = Outcome.SUCCESS if success else Outcome.FAILURE
            self._finish(command, outcome, ReplyKind.COMPLETED)

    def revoke(self, instance: InstanceId, reason: str) -> None:
        """The action was taken away from its owner: Cancelled, never Failure (ACT-16)."""
        command = self._by_instance.get(instance)
        if command is None or command.state is CommandState.DONE:
            self._after_the_end(command, f"i{instance}")
        elif command.state is CommandState.STOPPING:
            self._finish(command, Outcome.CANCELLED, ReplyKind.STOPPED)
        else:
            if command.state is CommandState.SUSPENDED:
                self.resources.claimants.remove(command)
            self._finish(command, Outcome.CANCELLED, ReplyKind.REVOKED, reason)

    def stopped(self, command_id: CommandId) -> None:
        """The receipt of a cancel: the action has stopped and nothing is needed any more."""
        command = self._commands.get(command_id)
        if command is None or command.state is CommandState.DONE:
            self._after_the_end(command, f"c{command_id}")
        elif command.state is not CommandState.STOPPING:
            self._broken(f"c{command_id} stopped, but nobody cancelled it")
        else:
            self._finish(command, Outcome.CANCELLED, ReplyKind.STOPPED)

    # Holders outside the ledger

    def hold_external(self, resource: Resource, task_uid: int) -> None:
        """Something outside takes a resource for a while: suspend or revoke who has it (ACT-17)."""
        self.resources.begin_outside(resource, task_uid, self.step)
        for command in tuple(self._live):
            if not self.resources.taken_outside(command.held):
                continue
            if command.state is CommandState.SUBMITTED:
                self.resources.give_back(command, command.held)
            elif command.state is CommandState.ACTIVE and command.kind.suspends:
                self.resources.give_back(command, command.held)
                command.state = CommandState.SUSPENDED
                self.resources.claimants.append(command)
                self.host.suspend(command)
                self._post(Reply(ReplyKind.SUSPENDED, command))
            elif command.state is CommandState.REJECTED_HELD:
                self.resources.give_back(command, command.held)
                self.host.force_stop(command)
            else:
                self.host.force_stop(command)
                if command.state is CommandState.STOPPING:
                    self._finish(command, Outcome.CANCELLED, ReplyKind.STOPPED)
                else:
                    self._finish(command, Outcome.CANCELLED, ReplyKind.REVOKED, "taken")
        self._check()

    def release_external(self, resource: Resource, task_uid: int) -> None:
        """The outside holder has let go; suspended instances resume in the next host phase."""
        self.resources.end_outside(resource, task_uid, self.step)

    # Endings

    def _finish(
        self, command: Command, outcome: Outcome, reply: ReplyKind, reason: str = ""
    ) -> None:
        released = command.held
        self._settle(command, outcome)
        success = outcome is Outcome.SUCCESS
        self._post(Reply(reply, command, released if reply is ReplyKind.STOPPED else 0,
                         success, reason))  # fmt: skip

    def _settle(self, command: Command, outcome: Outcome) -> None:
        """The one place where a command becomes DONE and its resources are released (ACT-10)."""
        if command.state is CommandState.DONE:
            raise LedgerContractError(f"c{command.id} is done already; nothing is left to release")
        self.resources.give_back(command, command.held)
        if command.state is CommandState.STOPPING and command in self._stopping:
            self._stopping.remove(command)
        command.state = CommandState.DONE
        command.outcome = outcome
        self._live.remove(command)
        if command.forced:
            self._heard.append(command.id)
        self._check()

    def _post(self, reply: Reply) -> None:
        self._inbox.post(ItemKind.REPLY, reply)

    def _after_the_end(self, command: Command | None, subject: str) -> None:
        if command is None or command.forced:
            self.note_stale(subject)
        else:
            self._broken(f"{subject} got a second terminal reply")

    def _broken(self, text: str) -> None:
        self._fault(text)
        if settings.strict:
            raise LedgerContractError(f"ped {self.ped_id}: {text}; mend the action host")

    def _fault(self, text: str) -> None:
        faults.record("ledger_contract", text, f"ped#{self.ped_id}")

    def _check(self) -> None:
        if settings.strict:
            self.resources.check()

    # Looking

    def command(self, command_id: CommandId) -> Command | None:
        """A command that is not yet forgotten."""
        return self._commands.get(command_id)

    def live(self) -> Iterator[Command]:
        """Commands that are not done, by id."""
        return iter(self._live)

    def live_of(self, owner: OwnerId) -> list[Command]:
        """Live commands of one owner."""
        return [command for command in self._live if command.owner.owner_id == owner]

    def held_bits(self) -> int:
        """All resources held by commands."""
        bits = 0
        for command in self._live:
            bits |= command.held
        return bits


def _held(bits: int) -> str:
    return "" if not bits else words(bits)


def _subject(reply: Reply) -> str:
    if reply.kind in (ReplyKind.STOPPED, ReplyKind.REJECTED):
        return f"c{reply.command.id}"
    if reply.kind is ReplyKind.ADMITTED:
        return f"c{reply.command.id} i{reply.command.instance}"
    return f"i{reply.command.instance}"


def _details(reply: Reply) -> str:
    match reply.kind:
        case ReplyKind.STOPPED:
            late = " late_success" if reply.command.late_success else ""
            return f"released {words(reply.bits)}{late}"
        case ReplyKind.REJECTED:
            return f"held {words(reply.bits)}"
        case ReplyKind.COMPLETED:
            return "success" if reply.success else "failure"
        case ReplyKind.REVOKED:
            return reply.reason
    return ""
