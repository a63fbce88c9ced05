"""Commands, admission, conflicts, cancels, receipts, suspension (ACT-03 to ACT-23)."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from ai import settings
from ai.faults import faults
from ai.machines.blackboard.keys import BoardLayout
from ai.machines.brain import Brain
from ai.machines.counters import Counters
from ai.machines.errors import BadCommandError, LedgerContractError, OwnerNotActiveError
from ai.machines.ledger.adapter import ActionAdapter, ActionEntry, EnterStatus
from ai.machines.ledger.command import (
    CancelAnswer,
    Command,
    CommandState,
    Outcome,
    OwnerId,
    Reply,
    ReplyKind,
    Urgency,
)
from ai.machines.ledger.kinds import ActionKind, ConflictPolicy, load_action_kinds
from ai.machines.ledger.resources import CONFLICTS, RESOURCES, Resource, bits_of
from ai.machines.parameters import ActionSpec, Parameter, Source
from ai.tuning import TuningError
from tests.ai.machines.doubles import ASSETS, ENEMY, KINDS, FakeHost, Plan


class Owner:
    """An owner that only writes down what it hears."""

    def __init__(self, entry: int = 1, part: str = "leaf", mind: str = "mind") -> None:
        self.owner_id = OwnerId(1, mind, part)
        self.entry = entry
        self.may_submit = True
        self.heard: list[Reply] = []

    def deliver(self, reply: Reply) -> None:
        self.heard.append(reply)

    @property
    def kinds(self) -> list[ReplyKind]:
        return [reply.kind for reply in self.heard]


def kind(
    name: str,
    *resources: Resource,
    staged: bool = False,
    on_conflict: ConflictPolicy = ConflictPolicy.WAIT,
    priority: int = 50,
    suspends: bool = False,
) -> ActionKind:
    return ActionKind(name, bits_of(resources), staged, on_conflict, priority, 180, suspends, {})


class Desk:
    """A brain without a mind, and its host."""

    def __init__(self, *kinds: ActionKind, **plans: Plan) -> None:
        self.host = FakeHost(plans)
        self.brain = Brain(
            1, BoardLayout(()), {one.name: one for one in kinds} or KINDS, Counters(), self.host
        )
        self.ledger = self.brain.ledger
        self.now = -1

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            self.now += 1
            self.brain.step(self.now)
            self.brain.finish_step(self.now)

    def begin(self) -> None:
        """Enter the next step's brain and stay in it: what is asked now is asked in it."""
        self.now += 1
        self.brain.boundary(self.now)

    def end(self) -> None:
        self.brain.host_requests(self.now)
        self.brain._last_step = self.now
        self.brain.finish_step(self.now)

    def command(self, command_id: int) -> Command:
        found = self.ledger.command(command_id)
        assert found is not None
        return found


SAY = {"line": "hello"}
GOTO = {"pos": (1.0, 2.0)}


def test_ids_rise_and_are_never_used_again() -> None:
    """ACT-03: 10,000 submits with a carry-over and a keyframe in between give 10,000 ids."""
    from ai.machines.brain import keyframe

    desk = Desk(goto=Plan(run=1), say=Plan(run=1))
    seen: list[int] = []
    for number in range(10_000):
        owner = Owner(number + 1)
        seen.append(desk.ledger.submit(owner, "say", SAY))
        desk.ledger.close()
        if number == 5_000:
            (desk.brain,) = keyframe([desk.brain])
            desk.ledger = desk.brain.ledger
    assert seen == list(range(1, 10_001))
    assert desk.ledger.command(0) is None


def test_the_same_submit_gives_the_same_id() -> None:
    """ACT-05: the same owner, entry and slot create nothing new."""
    desk, owner = Desk(), Owner()
    first = desk.ledger.submit(owner, "say", SAY)
    assert desk.ledger.submit(owner, "say", SAY) == first
    owner.entry = 2
    assert desk.ledger.submit(owner, "say", SAY) == first + 1


def test_an_ending_owner_may_not_submit() -> None:
    """ACT-05: OwnerNotActiveError, nothing is created."""
    desk, owner = Desk(), Owner()
    owner.may_submit = False
    with pytest.raises(OwnerNotActiveError, match="leaf is ending"):
        desk.ledger.submit(owner, "say", SAY)
    assert list(desk.ledger.live()) == []


@pytest.mark.parametrize(
    ("name", "params", "reason"),
    [
        ("dance", {}, "unknown action kind"),
        ("say", {}, "needs parameter 'line'"),
        ("say", {"line": 3}, "not of type str"),
        ("say", {"line": "x", "loud": True}, "has no parameter 'loud'"),
        ("goto", {"pos": (1.0, float("nan"))}, "not of type vec2"),
        ("chase", {"target": None}, "not of type entity"),
    ],
)
def test_bad_commands_are_refused_at_once(name: str, params: dict, reason: str) -> None:
    """ACT-05: unknown kind, missing or wrongly typed parameter; nothing is held."""
    desk = Desk()
    with pytest.raises(BadCommandError, match=reason):
        desk.ledger.submit(Owner(), name, params)
    assert list(desk.ledger.live()) == []


def test_the_ninth_live_command_is_busy() -> None:
    """ACT-05: at most 8 live commands per ped."""
    free = kind("free")
    desk = Desk(free)
    owners = [Owner(number + 1) for number in range(9)]
    for owner in owners:
        desk.ledger.submit(owner, "free", {})
    desk.step()
    (reply,) = owners[8].heard
    assert (reply.kind, reply.reason, reply.bits) == (ReplyKind.REJECTED, "busy", 0)
    assert desk.command(9).outcome is Outcome.REJECTED
    assert len(list(desk.ledger.live())) == 8


def test_every_command_has_one_terminal() -> None:
    """ACT-04: a second terminal is a contract fault and changes nothing."""
    desk, owner = Desk(say=Plan(run=2)), Owner()
    desk.ledger.submit(owner, "say", SAY)
    desk.step(4)
    assert owner.kinds == [ReplyKind.ADMITTED, ReplyKind.COMPLETED]
    with pytest.raises(LedgerContractError, match="second terminal"):
        desk.ledger.complete(1, success=False)
    assert desk.command(1).outcome is Outcome.SUCCESS
    assert faults.of_kind("ledger_contract")
    faults.clear()


def test_the_fault_is_recorded_without_strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """ACT-04: recorded, not raised, state unchanged either way."""
    desk, owner = Desk(say=Plan(run=1)), Owner()
    desk.ledger.submit(owner, "say", SAY)
    desk.step(3)
    monkeypatch.setattr(settings, "strict", False)
    desk.ledger.stopped(1)
    assert len(faults.of_kind("ledger_contract")) == 1
    assert desk.command(1).outcome is Outcome.SUCCESS
    faults.clear()


def test_a_done_command_releases_nothing_twice() -> None:
    """ACT-10: a node that cancels in its exit as well gets ALREADY_DONE."""
    desk, owner = Desk(goto=Plan(run=1)), Owner()
    desk.ledger.submit(owner, "goto", GOTO)
    desk.step(3)
    assert desk.ledger.cancel(1) is CancelAnswer.ALREADY_DONE
    assert desk.ledger.held_bits() == 0
    with pytest.raises(LedgerContractError, match="done already"):
        desk.ledger._settle(desk.command(1), Outcome.CANCELLED)


def test_two_staged_actions_never_wait_for_each_other() -> None:
    """ACT-06: mover+hands and hands+mover: one waits, none deadlocks in 600 steps."""
    first = kind("first", Resource.MOVER, Resource.HANDS, staged=True)
    second = kind("second", Resource.HANDS, Resource.MOVER, staged=True)
    desk = Desk(first, second, first=Plan(run=20), second=Plan(run=20))
    done = 0
    owners = [Owner(1, "a"), Owner(2, "b")]
    for owner, name in zip(owners, ("first", "second"), strict=True):
        desk.ledger.submit(owner, name, {})
    desk.step(2)
    states = [desk.command(number).state for number in (1, 2)]
    assert states == [CommandState.ACTIVE, CommandState.SUBMITTED]
    for _ in range(598):
        desk.step()
        done = sum(reply.kind is ReplyKind.COMPLETED for owner in owners for reply in owner.heard)
    assert done == 2


@pytest.mark.parametrize(("one", "two"), list(itertools.product(RESOURCES, RESOURCES)))
def test_the_conflict_matrix(one: Resource, two: Resource) -> None:
    """ACT-08: 25 pairs; body excludes mover, hands and gaze, but not the voice."""
    table = {
        (Resource.MOVER, Resource.BODY),
        (Resource.HANDS, Resource.BODY),
        (Resource.GAZE, Resource.BODY),
    }
    clash = one is two or (one, two) in table or (two, one) in table
    assert (two in CONFLICTS[one]) is clash
    desk = Desk(kind("a", one), kind("b", two))
    desk.ledger.submit(Owner(1, "a"), "a", {})
    desk.ledger.submit(Owner(2, "b"), "b", {})
    desk.step(2)
    expected = CommandState.SUBMITTED if clash else CommandState.ACTIVE
    assert desk.command(2).state is expected


def test_waiting_commands_are_served_by_priority_then_id() -> None:
    """ACT-09: wait queues until free, priority descending, then command id."""
    kinds = [kind("low", Resource.MOVER, priority=20), kind("high", Resource.MOVER, priority=60)]
    desk = Desk(*kinds, low=Plan(run=2), high=Plan(run=2))
    order: list[int] = []
    owners = [Owner(number) for number in range(1, 6)]
    for owner, name in zip(owners, ("low", "low", "high", "low", "high"), strict=True):
        desk.ledger.submit(owner, name, {})
    for _ in range(20):
        desk.step()
        for owner in owners:
            if owner.kinds[:1] == [ReplyKind.ADMITTED] and owner.entry not in order:
                order.append(owner.entry)
    assert order == [3, 5, 1, 2, 4]


def test_a_preemptor_waits_for_the_release() -> None:
    """ACT-09: priority 90 over 50 with a 3-step stop: admitted only after the release."""
    preemptor = kind("climb", Resource.BODY, on_conflict=ConflictPolicy.PREEMPT, priority=90)
    desk = Desk(kind("walk", Resource.MOVER), preemptor, walk=Plan(cancel=3))
    walker, climber = Owner(1), Owner(2)
    desk.ledger.submit(walker, "walk", {})
    desk.step(2)
    desk.ledger.submit(climber, "climb", {})
    desk.step(3)
    assert walker.kinds == [ReplyKind.ADMITTED]
    assert climber.kinds == []
    desk.step(3)
    assert walker.kinds == [ReplyKind.ADMITTED, ReplyKind.REVOKED]
    assert climber.kinds == [ReplyKind.ADMITTED]
    steps = [line.split()[0] for line in desk.brain.trace.lines()]
    words = desk.brain.trace.all_words()
    assert int(steps[words.index("[revoked i1 preempted]")]) <= int(
        steps[words.index("[admitted c2 i2]")]
    )


def test_equal_priority_never_preempts() -> None:
    """ACT-09: the equal one waits."""
    preemptor = kind("climb", Resource.BODY, on_conflict=ConflictPolicy.PREEMPT, priority=50)
    desk = Desk(kind("walk", Resource.MOVER, priority=50), preemptor)
    desk.ledger.submit(Owner(1), "walk", {})
    desk.step(2)
    climber = Owner(2)
    desk.ledger.submit(climber, "climb", {})
    desk.step(50)
    assert climber.kinds == []


def test_the_reject_policy_answers_at_once() -> None:
    """ACT-09: reason conflict, nothing held."""
    desk = Desk()
    first, second = Owner(1), Owner(2)
    desk.ledger.submit(first, "say", SAY)
    desk.step()
    desk.ledger.submit(second, "say", SAY)
    desk.step(2)
    (reply,) = second.heard
    assert (reply.kind, reply.reason, reply.bits) == (ReplyKind.REJECTED, "conflict", 0)


def test_cancel_is_idempotent() -> None:
    """ACT-11: 5 cancels: one ACCEPTED, four DUPLICATE, one receipt."""
    desk, owner = Desk(), Owner()
    desk.ledger.submit(owner, "goto", GOTO)
    desk.step(2)
    desk.begin()
    answers = [desk.ledger.cancel(1) for _ in range(5)]
    desk.end()
    assert answers == [CancelAnswer.ACCEPTED] + [CancelAnswer.DUPLICATE] * 4
    desk.step(5)
    assert owner.kinds == [ReplyKind.ADMITTED, ReplyKind.STOPPED]
    assert desk.ledger.cancel(1) is CancelAnswer.ALREADY_DONE
    assert desk.ledger.cancel(99) is CancelAnswer.UNKNOWN


def test_a_more_urgent_cancel_raises_the_urgency() -> None:
    """ACT-11, ACT-15: IMMEDIATE is obeyed in the same host phase."""
    desk, owner = Desk(goto=Plan(cancel=50)), Owner()
    desk.ledger.submit(owner, "goto", GOTO)
    desk.step(2)
    desk.ledger.cancel(1)
    desk.step(2)
    assert desk.ledger.cancel(1, Urgency.IMMEDIATE) is CancelAnswer.DUPLICATE
    desk.step(2)
    assert owner.kinds == [ReplyKind.ADMITTED, ReplyKind.STOPPED]


class TestFirstStampDecides:
    """ACT-14: one case per row of the table; delivery time does not matter."""

    def running(self, **plans: Plan) -> tuple[Desk, Owner]:
        desk, owner = Desk(**plans), Owner()
        desk.ledger.submit(owner, "goto", GOTO)
        desk.step(2)
        return desk, owner

    @pytest.mark.parametrize(("success", "outcome"), [(True, Outcome.SUCCESS),
                                                      (False, Outcome.FAILURE)])  # fmt: skip
    def test_an_outcome_then_a_cancel(self, success: bool, outcome: Outcome) -> None:
        desk, owner = self.running(goto=Plan())
        desk.ledger.complete(1, success=success)
        assert desk.ledger.cancel(1) is CancelAnswer.ALREADY_DONE
        desk.step()
        assert owner.kinds == [ReplyKind.ADMITTED, ReplyKind.COMPLETED]
        assert desk.command(1).outcome is outcome

    def test_a_rejection_then_a_cancel(self) -> None:
        desk, owner = Desk(goto=Plan(admit=9)), Owner()
        desk.ledger.submit(owner, "goto", GOTO)
        desk.step()
        desk.ledger.reject(1, "no")
        assert desk.ledger.cancel(1) is CancelAnswer.ALREADY_DONE
        desk.step()
        assert desk.command(1).outcome is Outcome.REJECTED

    def test_admitted_but_undelivered_then_a_cancel(self) -> None:
        desk, owner = Desk(goto=Plan(admit=1, cancel=1)), Owner()
        desk.begin()
        desk.ledger.submit(owner, "goto", GOTO)
        desk.end()
        assert desk.ledger.cancel(1) is CancelAnswer.ACCEPTED
        desk.step(2)
        assert owner.kinds == [ReplyKind.ADMITTED, ReplyKind.STOPPED]
        assert desk.command(1).outcome is Outcome.CANCELLED

    @pytest.mark.parametrize("success", [True, False])
    def test_a_cancel_then_an_outcome(self, success: bool) -> None:
        desk, owner = self.running(goto=Plan(cancel=9))
        assert desk.ledger.cancel(1) is CancelAnswer.ACCEPTED
        desk.ledger.complete(1, success=success)
        desk.step()
        assert owner.kinds == [ReplyKind.ADMITTED, ReplyKind.STOPPED]
        assert desk.command(1).outcome is Outcome.CANCELLED
        assert desk.command(1).late_success is success

    def test_a_cancel_then_an_admission(self) -> None:
        desk, owner = Desk(goto=Plan(admit=9, cancel=1)), Owner()
        desk.ledger.submit(owner, "goto", GOTO)
        desk.step()
        desk.ledger.cancel(1)
        assert desk.ledger.admit(1) == 0
        assert desk.ledger.late_refused == 1
        desk.step(2)
        assert owner.kinds == [ReplyKind.STOPPED]

    def test_rejected_with_part_held_then_a_cancel(self) -> None:
        desk = Desk(strike=Plan(reject=(1, ("mover",)), undo=2))
        owner = Owner()
        desk.ledger.submit(owner, "strike", {"target": ENEMY})
        desk.step()
        assert desk.command(1).state is CommandState.REJECTED_HELD
        assert desk.ledger.held_bits() == bits_of([Resource.MOVER])
        assert desk.ledger.cancel(1) is CancelAnswer.ACCEPTED
        desk.step(4)
        assert owner.kinds == [ReplyKind.REJECTED, ReplyKind.STOPPED]
        assert desk.command(1).outcome is Outcome.CANCELLED
        assert desk.ledger.held_bits() == 0


def test_an_outcome_held_back_by_the_item_limit_still_comes_before_a_cancel() -> None:
    """ACT-14, ACT-02: the completion is undelivered behind 64 writes, the cancel is later."""
    from ai.machines.blackboard.keys import KeyDefinition, KeyType

    desk = Desk(goto=Plan())
    desk.brain = Brain(
        1, BoardLayout([KeyDefinition("n", KeyType.INT, 0)]), KINDS, Counters(), desk.host
    )
    desk.ledger = desk.brain.ledger
    owner = Owner()
    desk.ledger.submit(owner, "goto", GOTO)
    desk.step(2)
    for number in range(64):
        desk.brain.write("n", number)
    desk.ledger.complete(1, success=True)
    desk.step()
    assert owner.kinds == [ReplyKind.ADMITTED]
    assert desk.ledger.cancel(1) is CancelAnswer.ALREADY_DONE
    desk.step()
    assert owner.kinds == [ReplyKind.ADMITTED, ReplyKind.COMPLETED]


def test_an_unanswered_cancel_is_raised_once_and_answered() -> None:
    """ACT-15: host ignores URGENT: receipt at request + 120 + 1 steps."""
    desk, owner = Desk(goto=Plan(cancel=10_000)), Owner()
    desk.ledger.submit(owner, "goto", GOTO)
    desk.step(3)
    desk.begin()
    desk.ledger.cancel(1)
    asked = desk.now
    desk.end()
    while ReplyKind.STOPPED not in owner.kinds:
        desk.step()
    assert desk.now == asked + 121


@pytest.mark.expects_faults
def test_a_receipt_that_never_comes_is_one_fault_and_no_pretence() -> None:
    """ACT-15, trap 38: the owner stays cancelling, the resources stay held."""
    desk, owner = Desk(goto=Plan(obeys_urgent=False)), Owner()
    desk.ledger.submit(owner, "goto", GOTO)
    desk.step(2)
    desk.ledger.cancel(1)
    desk.step(400)
    assert owner.kinds == [ReplyKind.ADMITTED]
    assert desk.ledger.held_bits() == bits_of([Resource.MOVER])
    assert len(faults.of_kind("ledger_contract")) == 1


def test_after_a_forced_release_late_messages_are_stale() -> None:
    """ACT-15, ACT-23: done before it returns; the completion counts stale, nothing changes."""
    desk, owner = Desk(), Owner()
    desk.ledger.submit(owner, "goto", GOTO)
    desk.step(2)
    desk.ledger.force_release("mind")
    assert (desk.command(1).outcome, desk.ledger.held_bits()) == (Outcome.CANCELLED, 0)
    assert desk.host.forced == [1]
    desk.ledger.complete(1, success=True)
    assert desk.ledger.stale == 1
    desk.step()
    assert owner.kinds == [ReplyKind.ADMITTED]


def test_a_forced_release_is_for_one_mind() -> None:
    """ACT-15: the commands of another owner go on."""
    desk = Desk()
    desk.ledger.submit(Owner(1, mind="one"), "goto", GOTO)
    desk.ledger.submit(Owner(2, mind="two"), "say", SAY)
    desk.step(2)
    desk.ledger.force_release("one")
    assert [command.id for command in desk.ledger.live()] == [2]


def test_a_revocation_releases_before_it_is_told() -> None:
    """ACT-16: Cancelled, never Failure."""
    desk, owner = Desk(), Owner()
    desk.ledger.submit(owner, "goto", GOTO)
    desk.step(2)
    desk.ledger.revoke(1, "asset missing")
    assert desk.ledger.held_bits() == 0
    desk.step()
    assert owner.heard[-1].kind is ReplyKind.REVOKED
    assert owner.heard[-1].reason == "asset missing"
    assert desk.command(1).outcome is Outcome.CANCELLED


def test_an_outside_holder_suspends_and_release_resumes_before_anyone_waiting() -> None:
    """ACT-17: the goto family keeps id and claim, loses the mover, and is served first."""
    desk, walker, other = Desk(), Owner(1), Owner(2)
    desk.ledger.submit(walker, "goto", GOTO)
    desk.step(2)
    desk.ledger.hold_external(Resource.MOVER, 77)
    assert desk.command(1).state is CommandState.SUSPENDED
    assert (desk.ledger.held_bits(), desk.host.suspended) == (0, [1])
    desk.ledger.submit(other, "chase", {"target": ENEMY})
    desk.step(60)
    assert other.kinds == []
    desk.ledger.release_external(Resource.MOVER, 77)
    desk.step(2)
    assert walker.kinds == [ReplyKind.ADMITTED, ReplyKind.SUSPENDED, ReplyKind.RESUMED]
    assert desk.host.resumed == [1]
    assert desk.command(1).state is CommandState.ACTIVE
    assert other.kinds == []


def test_other_actions_are_revoked_by_an_outside_holder() -> None:
    """ACT-17: on_body_loss = revoke."""
    desk, owner = Desk(), Owner()
    desk.ledger.submit(owner, "strike", {"target": ENEMY})
    desk.step(2)
    desk.ledger.hold_external(Resource.BODY, 5)
    desk.step()
    assert owner.kinds == [ReplyKind.ADMITTED, ReplyKind.REVOKED]
    waiting = Owner(2)
    desk.ledger.submit(waiting, "goto", GOTO)
    desk.step(30)
    assert waiting.kinds == []
    desk.ledger.release_external(Resource.BODY, 5)
    desk.step(2)
    assert waiting.kinds == [ReplyKind.ADMITTED]


def test_a_cancel_while_suspended_is_honoured_at_once_and_never_resumed() -> None:
    """ACT-17, trap 32: cancelled 10 steps into a 60-step hold."""
    desk, owner = Desk(), Owner()
    desk.ledger.submit(owner, "goto", GOTO)
    desk.step(2)
    desk.ledger.hold_external(Resource.MOVER, 77)
    desk.step(10)
    assert desk.ledger.cancel(1) is CancelAnswer.ACCEPTED
    desk.step()
    assert owner.kinds[-1] is ReplyKind.STOPPED
    desk.step(50)
    desk.ledger.release_external(Resource.MOVER, 77)
    desk.step(5)
    assert desk.host.resumed == []
    assert desk.ledger.held_bits() == 0


def test_parameters_change_only_while_it_lives() -> None:
    """ACT-18: refused when SUBMITTED, STOPPING or DONE; no new command."""
    desk, owner = Desk(), Owner()
    desk.ledger.submit(owner, "goto", GOTO)
    assert not desk.ledger.update(1, {"pos": (5.0, 5.0)})
    desk.step(2)
    assert desk.ledger.update(1, {"pos": (5.0, 5.0)})
    assert desk.command(1).params == {"pos": (5.0, 5.0)}
    assert desk.host.updates == 1
    desk.ledger.cancel(1)
    assert not desk.ledger.update(1, GOTO)
    desk.step(5)
    assert not desk.ledger.update(1, GOTO)


def test_a_reply_of_an_earlier_entry_never_reaches_the_new_one() -> None:
    """ACT-19, trap 31: settled in the ledger only, counted stale; late admissions are cancelled."""
    desk, owner = Desk(), Owner()
    desk.ledger.submit(owner, "goto", GOTO)
    desk.step()
    owner.entry = 2
    desk.step()
    assert (owner.heard, desk.ledger.stale) == ([], 1)
    assert desk.command(1).state in (CommandState.STOPPING, CommandState.DONE)
    desk.step(4)
    assert owner.heard == []
    assert desk.ledger.held_bits() == 0


def test_a_retired_command_id_stays_dead() -> None:
    """ACT-19: forgetting a record can't revive it."""
    desk = Desk(kind("free"), free=Plan(run=1))
    for number in range(70):
        desk.ledger.submit(Owner(number + 1), "free", {})
        desk.step(3)
    assert desk.ledger.command(1) is None
    assert desk.ledger.command(70) is not None
    assert desk.ledger.cancel(1) is CancelAnswer.ALREADY_DONE
    assert desk.ledger.admit(1) == 0
    assert desk.ledger.late_refused == 1


def spec(name: str, **params: object) -> ActionSpec:
    return ActionSpec(
        name, tuple(Parameter(key, Source.LITERAL, value) for key, value in params.items())
    )  # type: ignore[arg-type]


def test_the_adapter_fails_after_both_terminals_are_seen() -> None:
    """ACT-21, ACT-07: second action rejected: first cancelled, both done, then FAILED, 0 held."""
    desk = Desk(goto=Plan(cancel=3), say=Plan(reject=(1, ())))
    adapter = ActionAdapter(desk.ledger)
    entry = ActionEntry(OwnerId(1, "mind", "state"), 1)
    desk.begin()
    adapter.begin(entry, [spec("goto", pos=(1.0, 1.0)), spec("say", line="x")], desk.brain.board)
    desk.end()
    desk.begin()
    assert adapter.enter_status(entry) is EnterStatus.PENDING
    assert desk.command(1).state is CommandState.STOPPING
    desk.end()
    desk.step(2)
    assert adapter.enter_status(entry) is EnterStatus.PENDING
    desk.step()
    assert adapter.enter_status(entry) is EnterStatus.FAILED
    assert desk.ledger.held_bits() == 0


def test_an_action_that_completes_during_the_wait_counts_as_admitted() -> None:
    """ACT-21: one done, the other admitted later: OK."""
    desk = Desk(goto=Plan(admit=4), say=Plan(run=1))
    adapter = ActionAdapter(desk.ledger)
    entry = ActionEntry(OwnerId(1, "mind", "state"), 1)
    adapter.begin(entry, [spec("goto", pos=(1.0, 1.0)), spec("say", line="x")], desk.brain.board)
    desk.step(4)
    assert adapter.enter_status(entry) is EnterStatus.PENDING
    desk.step()
    assert adapter.enter_status(entry) is EnterStatus.OK
    assert not adapter.all_stopped(entry)


def test_the_shipped_action_kinds() -> None:
    """ACT-22: the table of kinds, its priorities, time-outs and policies."""
    kinds = load_action_kinds(ASSETS / "behaviour" / "actions.toml")
    rows = {
        name: (one.priority, one.admit_timeout, one.staged, one.on_conflict.value, one.suspends)
        for name, one in kinds.items()
    }
    assert rows == {
        "goto": (50, 180, False, "wait", True),
        "goto_entity": (50, 180, False, "wait", True),
        "goto_waypoint": (50, 180, False, "wait", True),
        "chase": (60, 180, False, "wait", True),
        "flee": (60, 180, False, "wait", True),
        "strike": (60, 120, True, "wait", False),
        "look_at": (30, 30, False, "reject", False),
        "look_around": (30, 30, False, "reject", False),
        "say": (30, 30, False, "reject", False),
        "play_clip": (40, 120, False, "wait", False),
        "climb": (70, 120, False, "preempt", False),
    }


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('resources = ["tail"]', "resources"),
        ("priority = 101", "priority"),
        ("admit_timeout_s = -1.0", "admit_timeout_s"),
        ('colour = "red"', "colour"),
    ],
)
def test_bad_action_kinds_are_refused(tmp_path: Path, line: str, key: str) -> None:
    """ACT-22: unknown resource, negative time, priority outside 0..100, unknown key."""
    values = {"resources": '["mover"]', "priority": "50", "admit_timeout_s": "1.0"}
    name, _, value = line.partition(" = ")
    values[name] = value
    path = tmp_path / "actions.toml"
    path.write_text("[walk]\n" + "\n".join(f"{a} = {b}" for a, b in values.items()))
    with pytest.raises(TuningError, match=f"actions.toml.*{key}"):
        load_action_kinds(path)
