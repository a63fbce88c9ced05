"""When transition rules are evaluated, and which one is taken (HSM-21)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai import settings
from ai.faults import faults
from ai.machines.hsm.definition import Rule, State
from ai.machines.hsm.record import RequestAnswer, TransitionRecord, Work
from ai.machines.steps import NEVER

if TYPE_CHECKING:
    from ai.machines.hsm.machine import StateMachine


class RuleBook:
    """The rules of one machine and what wakes them.

    They sleep until a key that one of the path reads changed, a due time came, one polls,
    the path changed, or a result was published. ``due`` is the earliest time that counts:
    a time term, the end of ``min_time_s`` or of a block.
    """

    __slots__ = ("_awake", "_blocked", "_due", "_faults", "_machine", "before_advance")

    def __init__(self, machine: StateMachine) -> None:
        self._machine = machine
        self._awake = True
        self._due = NEVER
        self._blocked: dict[int, int] = {}
        self._faults: list[int] = []
        self.before_advance = False
        """Set by ``resume``: rules come before the old target is entered again (ACT-24)."""

    def wake(self) -> None:
        """The path changed."""
        self._awake = True

    def result_published(self) -> None:
        """A tree or an action ended."""
        self._awake = True

    def block(self, rule: Rule) -> None:
        """Its transition failed: not again for a while (HSM-17)."""
        context = self._machine.context
        self._blocked[rule.number] = context.step + context.delays.rule_block
        self._awake = True

    def run(self) -> bool:
        """P4: evaluate if something woke them; True if the target changed."""
        record = self._machine.record
        active = record.active
        if active is None or record.error:
            return False
        board = self._machine.context.board
        if (
            self._awake
            or board.changed & active.path_mask
            or active.path_polls
            or self._machine.context.step >= self._due
        ):
            return self.evaluate()
        return False

    def evaluate(self, *, all_rules: bool = False) -> bool:
        """Take the first satisfied rule, root to leaf, that does not lead where we are.

        During a transition only urgent rules count, unless ``all_rules``.
        """
        record = self._machine.record
        active = record.active
        if active is None or record.error:
            return False
        # A transition's end wakes the rules again, so nothing is missed by sleeping now.
        self._awake = False
        self._due = NEVER
        urgent_only = not all_rules and not record.settled
        for state in active.chain:
            if not state.rules or (record.work is Work.EXITING and state is record.subject):
                continue
            rule = self._first_of(state, record, active, urgent_only)
            if rule is not None:
                return self._machine.take_rule(rule) is RequestAnswer.ACCEPTED
        return False

    def _first_of(
        self, state: State, record: TransitionRecord, active: State, urgent_only: bool
    ) -> Rule | None:
        board = self._machine.context.board
        step = self._machine.context.step
        board.entered_step = entered = record.entered_steps[state.depth]
        for rule in state.rules:
            if (urgent_only and not rule.urgent) or rule.target.contains(active):
                continue
            held_until = self._blocked.get(rule.number, 0)
            if not rule.urgent:
                held_until = max(held_until, entered + state.min_time)
            if step < held_until:
                self._due = min(self._due, held_until)
                continue
            if self._holds(rule):
                return rule
            if rule.condition.time_terms:
                self._due = min(self._due, rule.condition.next_due(board))
        return None

    def _holds(self, rule: Rule) -> bool:
        context = self._machine.context
        try:
            return rule.condition.test(context.board)
        except Exception as error:
            if rule.number not in self._faults:
                self._faults.append(rule.number)
                faults.record(
                    "condition",
                    f"rule '{rule.condition.text}' of '{rule.owner.path}' raised {error!r}; "
                    "it counts as false",
                    f"ped#{context.ped_id}",
                )
            if settings.strict:
                raise
            return False
