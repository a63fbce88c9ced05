"""A list of rules, each a condition and one action; the highest satisfied one runs (HSM-03)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ai import settings
from ai.faults import faults
from ai.machines.blackboard.conditions import Condition
from ai.machines.context import BrainContext
from ai.machines.ledger.adapter import ActionAdapter, ActionEntry, EnterStatus
from ai.machines.ledger.command import OwnerId
from ai.machines.parameters import ActionSpec
from ai.machines.steps import NEVER

MAX_RULES = 32


@dataclass(frozen=True, slots=True)
class ScriptRule:
    """One rule; priorities are unique, so file order never matters."""

    name: str
    priority: int
    condition: Condition
    action: ActionSpec


@dataclass(frozen=True, slots=True)
class RuleScriptDefinition:
    """Rules by descending priority; delays in steps, after an end of each sort."""

    name: str
    rules: Sequence[ScriptRule]
    mask: int
    polls: bool

    def __deepcopy__(self, memo: dict[int, object]) -> RuleScriptDefinition:
        return self


class RuleScript:
    """One script of one ped; everything goes through the adapter and the ledger.

    - The rule that runs is chosen again: it continues, nothing is resubmitted.
    - Another rule is chosen: cancel, wait for the receipt, choose anew on the newest
      snapshot, submit. So the first choice may never be submitted at all.
    """

    def __init__(self, definition: RuleScriptDefinition, context: BrainContext) -> None:
        self.definition = definition
        self.context = context
        self.mind = definition.name
        self.running: ScriptRule | None = None
        self._adapter = ActionAdapter(context.ledger)
        self._entry: ActionEntry | None = None
        self._stopping = False
        self._aborted = False
        self._blocked: dict[str, int] = {}
        self._awake = True
        self._due = NEVER
        self._faults: set[str] = set()

    def observe(self) -> None:
        """P2: wake if a key that a rule reads has changed, or one polls."""
        board = self.context.board
        if board.changed & self.definition.mask or self.definition.polls:
            self._awake = True

    def think(self) -> None:
        """P3 to P8."""
        if self._aborted:
            return
        if self._entry is not None:
            self._follow(self._entry)
        if (self._awake or self.context.step >= self._due) and not self._stopping:
            self._choose()

    def _follow(self, entry: ActionEntry) -> None:
        """Has the running action ended, or its stop come to an end."""
        rule = self.running
        assert rule is not None
        if self._stopping:
            if self._adapter.all_stopped(entry):
                self._end(rule, 0)
            return
        delays = self.context.delays
        if not entry.entered:
            status = self._adapter.enter_status(entry)
            if status is EnterStatus.FAILED:
                revoked = entry.reason == "cancelled"
                self._end(rule, delays.script_after_revoked if revoked else delays.script_retry)
            return
        if entry.result and self._adapter.all_stopped(entry):
            pause = {
                "success": delays.script_repeat,
                "failure": delays.script_retry,
                "cancelled": delays.script_after_revoked,
            }[entry.result]
            self._end(rule, pause)

    def _end(self, rule: ScriptRule, pause: int) -> None:
        if self._entry is not None:
            self._entry.entry = 0
        self._entry = None
        self.running = None
        self._stopping = False
        self._awake = True
        if pause:
            self._blocked[rule.name] = self.context.step + pause

    def _choose(self) -> None:
        choice = self._first_satisfied()
        if choice is self.running:
            return
        if self._entry is not None:
            self._stopping = True
            self._adapter.stop(self._entry)
            return
        if choice is not None:
            self._begin(choice)

    def _begin(self, rule: ScriptRule) -> None:
        context = self.context
        owner = OwnerId(context.ped_id, self.mind, rule.name)
        self.running = rule
        self._entry = ActionEntry(owner, context.new_entry())
        self._adapter.begin(self._entry, (rule.action,), context.board)

    def _first_satisfied(self) -> ScriptRule | None:
        self._awake = False
        self._due = NEVER
        step = self.context.step
        for rule in self.definition.rules:
            blocked = self._blocked.get(rule.name, 0)
            if step < blocked:
                self._due = min(self._due, blocked)
                continue
            if self._holds(rule):
                return rule
            self._due = min(self._due, rule.condition.next_due(self.context.board))
        return None

    def _holds(self, rule: ScriptRule) -> bool:
        try:
            return rule.condition.test(self.context.board)
        except Exception as error:
            if rule.name not in self._faults:
                self._faults.add(rule.name)
                faults.record(
                    "condition", f"rule '{rule.name}' raised {error!r}; it counts as false",
                    f"ped#{self.context.ped_id}",
                )  # fmt: skip
            if settings.strict:
                raise
            return False

    def abort(self) -> None:
        """Stop at once, for the task that holds the script (ACT-24)."""
        self.context.ledger.force_release(self.mind)
        if self.running is not None:
            self._end(self.running, 0)
        self._aborted = True

    def resume(self) -> None:
        """Choose anew."""
        self._aborted = False
        self._awake = True
