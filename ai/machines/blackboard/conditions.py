"""Conditions, checked against the declared keys and made into closures once (BB-05, BB-06)."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ai.machines.blackboard.board import Blackboard
from ai.machines.blackboard.condition_syntax import (
    Comparison,
    ConditionError,
    Joined,
    Literal,
    Not,
    Operand,
    Since,
    Syntax,
    parse,
)
from ai.machines.blackboard.keys import NUMBERS, BoardLayout, KeyType, Value
from ai.machines.steps import NEVER, STEPS_PER_SECOND, steps

Test: TypeAlias = Callable[[Blackboard], bool]
_Reader: TypeAlias = Callable[[Blackboard], Any]

RESULTS = ("none", "success", "failure", "cancelled")
"""Values of ``tree_result`` and ``action_result``."""

_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}

STATE_TIME = "state_time"
READS_RESULTS = ("tree_result", "action_result")


@dataclass(frozen=True, slots=True)
class TimeTerm:
    """``since(key) >= seconds`` or ``state_time >= seconds``; ``slot`` is -1 for the latter."""

    slot: int
    delay: int

    def due(self, board: Blackboard) -> int:
        """Step from which the term is true if nothing changes meanwhile."""
        since = board.entered_step if self.slot < 0 else board.changed_step[self.slot]
        return since + self.delay


@dataclass(frozen=True, slots=True)
class Condition:
    """A parsed condition; immutable, shared by all peds of a layout.

    - ``test(board)`` is its truth on the frozen snapshot.
    - ``mask`` has the bit of every key that it reads.
    - ``polls`` says that time may turn it without a key or due step: evaluate every step.
    - ``reads_results`` says that it reads ``tree_result`` or ``action_result``.
    """

    text: str
    test: Test = field(compare=False)
    mask: int = 0
    time_terms: tuple[TimeTerm, ...] = ()
    polls: bool = False
    reads_results: bool = False

    def __deepcopy__(self, memo: dict[int, object]) -> Condition:
        return self

    def next_due(self, board: Blackboard) -> int:
        """Earliest later step at which time alone will turn it, or ``NEVER``.

        Asks the condition itself how it will read at the step in question, so a time
        term that the rest of the condition makes irrelevant wakes nobody.
        """
        if not self.time_terms:
            return NEVER
        now = board.step
        truth = self.test(board)
        try:
            for due in sorted(term.due(board) for term in self.time_terms):
                board.step = due
                if due > now and self.test(board) is not truth:
                    return due
        finally:
            board.step = now
        return NEVER


def all_of(conditions: Iterable[Condition]) -> Condition:
    """True while every one is."""
    return _joined("and", list(conditions))


def any_of(conditions: Iterable[Condition]) -> Condition:
    """True while one is."""
    return _joined("or", list(conditions))


def negation(condition: Condition) -> Condition:
    """True while the other is false."""
    test = condition.test
    return Condition(
        f"not ({condition.text})",
        lambda board: not test(board),
        condition.mask,
        condition.time_terms,
        condition.polls,
        condition.reads_results,
    )


def constant(value: bool) -> Condition:
    """Always the same."""
    return Condition("true" if value else "false", lambda _: value)


def _joined(word: str, parts: list[Condition]) -> Condition:
    if not parts:
        return constant(word == "and")
    if len(parts) == 1:
        return parts[0]
    mask = 0
    for part in parts:
        mask |= part.mask
    return Condition(
        f" {word} ".join(f"({part.text})" for part in parts),
        _join_tests(word, [part.test for part in parts]),
        mask,
        tuple(term for part in parts for term in part.time_terms),
        any(part.polls for part in parts),
        any(part.reads_results for part in parts),
    )


def _join_tests(word: str, tests: list[Test]) -> Test:
    if len(tests) == 2:
        first, second = tests
        if word == "and":
            return lambda board: first(board) and second(board)
        return lambda board: first(board) or second(board)
    found = tuple(tests)
    stop = word == "or"

    def test(board: Blackboard) -> bool:
        for part in found:
            if part(board) is stop:
                return stop
        return not stop

    return test


class ConditionCompiler:
    """Makes conditions against one layout.

    - ``params`` are the values of ``@name``.
    - ``scratch`` gives the types of ``%name`` (BB-03).
    """

    def __init__(
        self,
        layout: BoardLayout,
        params: Mapping[str, bool | int | float | str],
        scratch: Mapping[str, KeyType] | None = None,
    ) -> None:
        self._layout = layout
        self._params = params
        self._scratch = scratch or {}

    def compile(self, text: str) -> Condition:
        """A condition from its text.

        Raises ``ConditionError`` naming the column for syntax, unknown words and type mismatches.
        """
        work = _Collected()
        test = self._test(parse(text), work)
        return Condition(
            text, test, work.mask, tuple(work.time_terms), work.polls, work.reads_results
        )

    def _test(self, syntax: Syntax, work: _Collected) -> Test:
        if isinstance(syntax, Joined):
            return _join_tests(syntax.word, [self._test(part, work) for part in syntax.parts])
        if isinstance(syntax, Not):
            inner = self._test(syntax.inner, work)
            return lambda board: not inner(board)
        if isinstance(syntax, Comparison):
            return self._comparison(syntax, work)
        operand = self._operand(syntax, work)
        if operand.type is not KeyType.BOOL:
            raise ConditionError("is no truth value by itself; compare it", syntax.column)
        if operand.constant:
            value = bool(operand.value)
            return lambda _: value
        if operand.slot is not None:
            slot = operand.slot
            return lambda board: board.values[slot] is True
        return operand.read

    def _comparison(self, syntax: Comparison, work: _Collected) -> Test:
        left = self._operand(syntax.left, work)
        right = self._operand(syntax.right, work)
        word = syntax.operator
        if left.time or right.time:
            return self._time_comparison(left, word, right, work, syntax.column)
        _check_types(left, word, right, syntax.column)
        if left.constant and not right.constant:
            left, right, word = right, left, _MIRRORED[word]
        compare = _OPERATORS[word]
        if right.constant:
            value = right.value
            if left.slot is not None:
                slot = left.slot
                return lambda board: compare(board.values[slot], value)
            read = left.read
            return lambda board: compare(read(board), value)
        read_left, read_right = left.read, right.read
        return lambda board: compare(read_left(board), read_right(board))

    def _time_comparison(
        self, left: _Operand, word: str, right: _Operand, work: _Collected, column: int
    ) -> Test:
        _check_types(left, word, right, column)
        if not left.time:
            left, right, word = right, left, _MIRRORED[word]
        if word == ">=" and right.constant and not right.time:
            delay = steps(float(right.value))
            if left.slot is None:
                work.time_terms.append(TimeTerm(-1, delay))
                return lambda board: board.step - board.entered_step >= delay
            slot = left.slot
            work.time_terms.append(TimeTerm(slot, delay))
            return lambda board: board.step - board.changed_step[slot] >= delay
        work.polls = True
        compare = _OPERATORS[word]
        read_left, read_right = left.read, right.read
        return lambda board: compare(read_left(board), read_right(board))

    def _operand(self, syntax: Operand, work: _Collected) -> _Operand:
        if isinstance(syntax, Literal):
            return _literal(syntax.value)
        if isinstance(syntax, Since):
            slot = self._slot(syntax.key, syntax.column)
            work.mask |= 1 << slot
            return _Operand(
                KeyType.FLOAT,
                lambda board: (board.step - board.changed_step[slot]) / STEPS_PER_SECOND,
                slot=slot,
                time=True,
            )
        name = syntax.name
        if name == STATE_TIME:
            return _Operand(
                KeyType.FLOAT,
                lambda board: (board.step - board.entered_step) / STEPS_PER_SECOND,
                time=True,
            )
        if name in READS_RESULTS:
            work.reads_results = True
            read = operator.attrgetter(name)
            return _Operand(KeyType.ENUM, read, values=RESULTS)
        if name.startswith("@"):
            if name[1:] not in self._params:
                raise ConditionError(f"'{name}' is not in [params]", syntax.column)
            return _literal(self._params[name[1:]])
        if name.startswith("%"):
            return self._scratch_operand(name[1:], syntax.column)
        slot = self._slot(name, syntax.column)
        key = self._layout.keys[slot]
        work.mask |= 1 << slot
        return _Operand(key.type, lambda board: board.values[slot], slot=slot, values=key.values)

    def _scratch_operand(self, name: str, column: int) -> _Operand:
        if name not in self._scratch:
            raise ConditionError(f"'%{name}' is set by no node of this tree", column)
        key_type = self._scratch[name]
        default = SCRATCH_DEFAULTS[key_type]
        return _Operand(key_type, lambda board: board.scratch.get(name, default))

    def _slot(self, name: str, column: int) -> int:
        slot = self._layout.slots.get(name)
        if slot is None:
            raise ConditionError(f"'{name}' is not declared in [blackboard]", column)
        return slot


SCRATCH_DEFAULTS: dict[KeyType, Value] = {
    KeyType.BOOL: False, KeyType.INT: 0, KeyType.FLOAT: 0.0, KeyType.STR: "",
}  # fmt: skip
"""What ``%name`` reads before it is set; only these types can be kept there."""


@dataclass(slots=True)
class _Collected:
    mask: int = 0
    time_terms: list[TimeTerm] = field(default_factory=list)
    polls: bool = False
    reads_results: bool = False


@dataclass(frozen=True, slots=True)
class _Operand:
    """One side of a comparison; ``type`` is None for the literal ``none``."""

    type: KeyType | None
    read: _Reader
    slot: int | None = None
    constant: bool = False
    value: Any = None
    time: bool = False
    values: tuple[str, ...] = ()


def _literal(value: bool | int | float | str | None) -> _Operand:
    kinds: dict[type, KeyType] = {
        bool: KeyType.BOOL, int: KeyType.INT, float: KeyType.FLOAT, str: KeyType.STR,
    }  # fmt: skip
    if isinstance(value, float) and not math.isfinite(value):
        raise ConditionError("a number is too large", 1)
    return _Operand(kinds.get(type(value)), lambda _: value, constant=True, value=value)


_TEXTS = (KeyType.STR, KeyType.ENUM)


def _check_types(left: _Operand, word: str, right: _Operand, column: int) -> None:
    if left.type in NUMBERS and right.type in NUMBERS:
        return
    if word not in ("==", "!="):
        raise ConditionError(f"'{word}' compares numbers only", column)
    for one, other in ((left, right), (right, left)):
        if one.type is None and other.type is KeyType.ENTITY:
            return
        if one.type is KeyType.ENUM and other.type is KeyType.STR and other.constant:
            if other.value not in one.values:
                raise ConditionError(f"'{other.value}' is none of {', '.join(one.values)}", column)
            return
    if left.type is right.type and left.type is not None:
        return
    if left.type in _TEXTS and right.type in _TEXTS:
        return
    raise ConditionError(f"{_word(left)} can't be compared with {_word(right)}", column)


def _word(operand: _Operand) -> str:
    return "none" if operand.type is None else operand.type.value
