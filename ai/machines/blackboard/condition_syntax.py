"""Words and grammar of conditions: text to a small syntax tree (BB-06).

``or`` binds weakest, then ``and``, ``not``, comparisons; parentheses as usual. No
calls but ``since(key)``, no attributes, no arithmetic.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

MAX_CHARACTERS = 512
MAX_PARENTHESES = 16


class ConditionError(Exception):
    """A condition that can't be used; ``column`` counts from 1."""

    def __init__(self, text: str, column: int) -> None:
        super().__init__(f"column {column}: {text}")
        self.column = column


@dataclass(frozen=True, slots=True)
class Literal:
    """A number, ``true``, ``false``, a quoted string or ``none``."""

    value: bool | int | float | str | None
    column: int


@dataclass(frozen=True, slots=True)
class Name:
    """A key, ``@param``, ``%scratch``, ``state_time``, ``tree_result`` or ``action_result``."""

    name: str
    column: int


@dataclass(frozen=True, slots=True)
class Since:
    """``since(key)``: seconds since the key last changed."""

    key: str
    column: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """``left operator right``."""

    operator: str
    left: Operand
    right: Operand
    column: int


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    inner: Syntax
    column: int


@dataclass(frozen=True, slots=True)
class Joined:
    """``and`` or ``or`` over two or more parts."""

    word: str
    parts: tuple[Syntax, ...]
    column: int


Operand: TypeAlias = Literal | Name | Since
Syntax: TypeAlias = Operand | Comparison | Not | Joined

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|-\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[@%]?[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<string>'[^'\n]*'|\"[^\"\n]*\")"
    r"|(?P<sign>==|!=|<=|>=|<|>|\(|\)))",
    re.ASCII,
)
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    column: int


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    position = 0
    end = len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            column = position + len(text[position:]) - len(text[position:].lstrip()) + 1
            raise ConditionError(f"can't read {text[column - 1]!r} here", column)
        kind = match.lastgroup or ""
        found.append(_Token(kind, match.group(kind), match.start(kind) + 1))
        position = match.end()
    found.append(_Token("end", "", end + 1))
    return found


def parse(text: str) -> Syntax:
    """Syntax tree of a condition.

    Raises ``ConditionError`` with the column.
    """
    if len(text) > MAX_CHARACTERS:
        raise ConditionError(f"longer than {MAX_CHARACTERS} characters", MAX_CHARACTERS + 1)
    reader = _Reader(_tokens(text))
    found = reader.either(0)
    reader.expect_end()
    return found


class _Reader:
    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._next = 0

    def _peek(self) -> _Token:
        return self._tokens[self._next]

    def _take(self) -> _Token:
        token = self._tokens[self._next]
        self._next += 1
        return token

    def expect_end(self) -> None:
        token = self._peek()
        if token.kind != "end":
            raise ConditionError(f"'{token.text}' is too much here", token.column)

    def either(self, depth: int) -> Syntax:
        return self._joined("or", depth)

    def _joined(self, word: str, depth: int) -> Syntax:
        column = self._peek().column
        parts = [self._part(word, depth)]
        while self._peek().kind == "name" and self._peek().text == word:
            self._take()
            parts.append(self._part(word, depth))
        return parts[0] if len(parts) == 1 else Joined(word, tuple(parts), column)

    def _part(self, word: str, depth: int) -> Syntax:
        return self._joined("and", depth) if word == "or" else self._negation(depth)

    def _negation(self, depth: int) -> Syntax:
        column = self._peek().column
        negated = False
        while self._peek().kind == "name" and self._peek().text == "not":
            self._take()
            negated = not negated
        inner = self._comparison(depth)
        return Not(inner, column) if negated else inner

    def _comparison(self, depth: int) -> Syntax:
        token = self._peek()
        if token.text == "(" and token.kind == "sign":
            if depth == MAX_PARENTHESES:
                raise ConditionError(f"more than {MAX_PARENTHESES} parentheses", token.column)
            self._take()
            inner = self.either(depth + 1)
            self._expect(")")
            return inner
        left = self._operand()
        operator = self._peek()
        if operator.kind == "sign" and operator.text in _COMPARISONS:
            self._take()
            return Comparison(operator.text, left, self._operand(), operator.column)
        return left

    def _expect(self, sign: str) -> None:
        token = self._take()
        if token.text != sign:
            raise ConditionError(f"'{sign}' is missing", token.column)

    def _operand(self) -> Operand:
        token = self._take()
        if token.kind == "number":
            return Literal(_number(token), token.column)
        if token.kind == "string":
            return Literal(token.text[1:-1], token.column)
        if token.kind != "name" or token.text in ("and", "or", "not"):
            raise ConditionError("a key, a value or '(' is missing", token.column)
        if token.text in ("true", "false", "none"):
            value = {"true": True, "false": False, "none": None}[token.text]
            return Literal(value, token.column)
        if token.text == "since":
            self._expect("(")
            key = self._take()
            if key.kind != "name" or key.text[0] in "@%":
                raise ConditionError("since() takes the name of a key", key.column)
            self._expect(")")
            return Since(key.text, token.column)
        return Name(token.text, token.column)


def _number(token: _Token) -> int | float:
    if token.text.lstrip("-").isdigit():
        return int(token.text)
    return float(token.text)
