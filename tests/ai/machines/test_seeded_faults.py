"""Mistakes that others have made, patched in one at a time: each fails the walk-through named here.

What a fault is stands in its docstring; the table says which test is the first to catch it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from ai.faults import faults
from ai.machines.behaviour_trees.action_leaf import ActionLeaf
from ai.machines.behaviour_trees.lifecycle import (
    ACTIVE,
    CANCELLED,
    CANCELLING,
    FAILURE,
    FINISHED,
    IDLE,
    RUNNING,
    SUCCESS,
    Result,
)
from ai.machines.behaviour_trees.node import Node, OneChildAtATime
from ai.machines.behaviour_trees.selectors import Selector
from ai.machines.behaviour_trees.sequences import Sequence
from ai.machines.counters import CommandId
from ai.machines.errors import MachinesError
from ai.machines.hsm.definition import State
from ai.machines.hsm.machine import StateMachine
from ai.machines.hsm.record import Work
from ai.machines.ledger.command import CancelAnswer, CommandState, Urgency
from ai.machines.ledger.ledger import Ledger
from tests.ai.machines import test_bt_walkthroughs as trees
from tests.ai.machines import test_walkthroughs as machines

Patch = Callable[[pytest.MonkeyPatch], None]


class Seeded(NamedTuple):
    """A mistake, and the walk-through that catches it first."""

    patch: Patch
    test: Callable[[], None]


def index_reset_without_abort(patch: pytest.MonkeyPatch) -> None:
    """A switch sets the place back and lets the active child be."""

    def reevaluate(self: OneChildAtATime, _child: int) -> None:
        if self.lifecycle is ACTIVE:
            self.index = 0
            self.tree.woken = True

    patch.setattr(OneChildAtATime, "reevaluate", reevaluate)


def failure_before_the_undo(patch: pytest.MonkeyPatch) -> None:
    """Rejected with part held: Failure at once, with the part still held."""

    def hold_rejected(self: ActionLeaf) -> None:
        self.tree.context.ledger.cancel(self.command_id)
        self._undo(FAILURE)

    patch.setattr(ActionLeaf, "_hold_rejected", hold_rejected)


def exit_after_failed_enter(patch: pytest.MonkeyPatch) -> None:
    """A state that was never entered is exited."""
    fail_enter = StateMachine._fail_enter

    def and_exit(self: StateMachine, state: State, reason: str) -> bool:
        self._lines.append(state.lines.exit_begin)
        return fail_enter(self, state, reason)

    patch.setattr(StateMachine, "_fail_enter", and_exit)


def exit_called_again_after_retarget(patch: pytest.MonkeyPatch) -> None:
    """A new target during an exit begins that exit once more."""
    set_target = StateMachine._set_target

    def and_exit_again(self: StateMachine, leaf: State, origin: Any) -> None:
        set_target(self, leaf, origin)
        if self.record.work is Work.EXITING and self.record.subject is not None:
            self.context.trace.mark(self.context.step)
            self._begin_exit(self.record.subject)

    patch.setattr(StateMachine, "_set_target", and_exit_again)


def cancelled_is_failure(patch: pytest.MonkeyPatch) -> None:
    """A selector takes Cancelled for Failure and opens the alternative."""

    def after(self: Selector, result: Result) -> Result:
        return self.end(result) if result is SUCCESS else self.try_from(self.index + 1)

    patch.setattr(Selector, "after", after)


def no_outcome_of_cancelled_commands(patch: pytest.MonkeyPatch) -> None:
    """A command that is cancelled while it waits for admission is forgotten, not ended."""
    cancel = Ledger.cancel

    def forget(
        self: Ledger, command_id: CommandId, urgency: Urgency = Urgency.URGENT
    ) -> CancelAnswer:
        command = self.command(command_id)
        if command is not None and command.state is CommandState.SUBMITTED:
            return CancelAnswer.ALREADY_DONE
        return cancel(self, command_id, urgency)

    patch.setattr(Ledger, "cancel", forget)


def retarget_abandons_the_exit(patch: pytest.MonkeyPatch) -> None:
    """A new target during an exit makes as if it had not begun."""
    set_target = StateMachine._set_target

    def and_abandon(self: StateMachine, leaf: State, origin: Any) -> None:
        set_target(self, leaf, origin)
        if self.record.work is Work.EXITING:
            self.record.work = Work.NOTHING
            self.record.subject = None

    patch.setattr(StateMachine, "_set_target", and_abandon)


def old_leaf_marked_again(patch: pytest.MonkeyPatch) -> None:
    """After a failed Enter the leaf that was left counts as active again, without an Enter."""
    begin_exit, finish_undo = StateMachine._begin_exit, StateMachine._finish_undo
    left: dict[int, State] = {}

    def remember(self: StateMachine, state: State) -> bool:
        if not state.children:
            left[id(self)] = state
        return begin_exit(self, state)

    def mark_again(self: StateMachine, reason: str, *, forget: bool) -> None:
        finish_undo(self, reason, forget=forget)
        if id(self) in left:
            self.record.active = left[id(self)]

    patch.setattr(StateMachine, "_begin_exit", remember)
    patch.setattr(StateMachine, "_finish_undo", mark_again)


def rollback_always_to_root(patch: pytest.MonkeyPatch) -> None:
    """A rollback exits what was active before the transition as well."""
    finish_undo = StateMachine._finish_undo

    def from_the_root(self: StateMachine, reason: str, *, forget: bool) -> None:
        finish_undo(self, reason, forget=forget)
        self.record.manifest_depth = 0

    patch.setattr(StateMachine, "_finish_undo", from_the_root)


def late_success_counts(patch: pytest.MonkeyPatch) -> None:
    """An action that succeeds after its cancel makes its leaf succeed."""
    leave = ActionLeaf._exit

    def succeed(self: ActionLeaf, result: Result) -> None:
        command = self._command()
        late = command is not None and command.late_success
        leave(self, SUCCESS if late and result is CANCELLED else result)

    patch.setattr(ActionLeaf, "_exit", succeed)


def reset_before_the_receipt(patch: pytest.MonkeyPatch) -> None:
    """A stop counts as done before the action has said that it has stopped."""
    stop_child = OneChildAtATime.stop_child

    def at_once(self: OneChildAtATime) -> None:
        stop_child(self)
        if self.lifecycle is CANCELLING:
            _make_idle(self.children[self.index])
            self.end(self.pending)

    patch.setattr(OneChildAtATime, "stop_child", at_once)


def _make_idle(node: Node) -> None:
    node.lifecycle = IDLE
    for child in node.children_of():
        _make_idle(child)


def cancelling_sequence_goes_on(patch: pytest.MonkeyPatch) -> None:
    """A child's success during the stop starts the next child."""
    stop_child = Sequence.stop_child

    def go_on(self: Sequence) -> None:
        child = self.children[self.index]
        child.abort()
        if child.lifecycle is FINISHED and child.result is SUCCESS:
            self.lifecycle = ACTIVE
            if self.try_from(self.index + 1) is RUNNING:
                return
        stop_child(self)

    patch.setattr(Sequence, "stop_child", go_on)


SEEDED = (
    Seeded(index_reset_without_abort, trees.test_t8_a_switch_waits_for_the_release),
    Seeded(
        failure_before_the_undo, trees.test_t3_a_rejection_with_part_held_fails_after_the_release
    ),
    Seeded(exit_after_failed_enter, machines.test_w5_rollback_exits_what_this_transition_entered),
    Seeded(
        exit_called_again_after_retarget,
        machines.test_w2_a_retarget_during_the_exit_completes_it_and_goes_on_from_there,
    ),
    Seeded(cancelled_is_failure, trees.test_t6_only_failure_opens_the_alternative),
    Seeded(
        no_outcome_of_cancelled_commands,
        trees.test_t2_an_abort_while_waiting_leaves_no_action_behind,
    ),
    Seeded(
        retarget_abandons_the_exit,
        machines.test_w2_a_retarget_during_the_exit_completes_it_and_goes_on_from_there,
    ),
    Seeded(old_leaf_marked_again, machines.test_w6_rollback_leaves_what_was_active_before),
    Seeded(rollback_always_to_root, machines.test_w6_rollback_leaves_what_was_active_before),
    Seeded(
        late_success_counts, trees.test_t7b_a_success_after_the_cancel_only_says_that_it_stopped
    ),
    Seeded(reset_before_the_receipt, trees.test_t1_an_abort_runs_down_and_its_end_runs_up),
    Seeded(
        cancelling_sequence_goes_on,
        trees.test_t7a_a_success_before_the_abort_stands_but_starts_nothing,
    ),
)


@pytest.mark.parametrize("seeded", SEEDED, ids=lambda one: one.patch.__name__)
def test_a_seeded_fault_is_caught(seeded: Seeded, monkeypatch: pytest.MonkeyPatch) -> None:
    """BT-30: it fails its walk-through; HSM-34: which proves that the suite can fail."""
    seeded.test()
    seeded.patch(monkeypatch)
    with pytest.raises((AssertionError, LookupError, MachinesError)):
        seeded.test()
    faults.clear()
