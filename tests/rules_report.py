"""Which rules of the specification have a test: the report behind ``pytest --rules``.

A rule is a bold id at the head of a paragraph in ``tests/rules``; it has a test
when the docstring of a test function or test class names it, or a level file does.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

FAMILIES = (
    "TASK", "EVT", "HSM", "BT", "ACT", "BB", "ORD", "NAV", "LOC", "CLIP", "FLEE", "SAFE", "RAG",
    "REC", "LVL",
)  # fmt: skip
_FAMILY = "|".join(FAMILIES)
_DEFINED = re.compile(rf"\*\*((?:{_FAMILY})-\d+)\b")
_NAMED = re.compile(rf"\b(?:{_FAMILY})-\d+\b")
_RANGE = re.compile(rf"\b({_FAMILY})-(\d+) to (?:\1-)?(\d+)\b")


def defined_rules(folder: Path) -> dict[str, list[str]]:
    """Rule ids by family, in number order."""
    found: set[str] = set()
    for path in sorted(folder.glob("*.md")):
        found.update(_DEFINED.findall(path.read_text(encoding="utf-8")))
    by_family: dict[str, list[str]] = defaultdict(list)
    for rule in sorted(found, key=_by_number):
        by_family[rule.split("-")[0]].append(rule)
    return {family: by_family[family] for family in FAMILIES if by_family[family]}


def rules_named_in(text: str) -> set[str]:
    """Every id in a text; ``NAV-01 to NAV-03`` names all three."""
    named = set(_NAMED.findall(text))
    for family, first, last in _RANGE.findall(text):
        named.update(f"{family}-{number:02d}" for number in range(int(first), int(last) + 1))
    return named


def proven_rules(roots: Iterable[Path]) -> set[str]:
    """Ids named by the docstrings of tests and by level files below ``roots``."""
    proven: set[str] = set()
    for root in roots:
        for path in sorted(root.rglob("test_*.py")):
            for docstring in _test_docstrings(path):
                proven |= rules_named_in(docstring)
        for path in sorted(root.rglob("level.toml")):
            proven |= rules_named_in(path.read_text(encoding="utf-8"))
    return proven


def _test_docstrings(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        is_test = (isinstance(node, ast.FunctionDef) and node.name.startswith("test_")) or (
            isinstance(node, ast.ClassDef)
        )
        if is_test:
            docstring = ast.get_docstring(node)
            if docstring:
                yield docstring


def report(rules: dict[str, list[str]], proven: set[str]) -> list[str]:
    """One line a family: how many rules have a test, and which have none."""
    lines = []
    for family, ids in rules.items():
        without = [rule for rule in ids if rule not in proven]
        line = f"{family:5} {len(ids) - len(without):3} of {len(ids):3} have a test"
        lines.append(f"{line}; none: {_short(without)}" if without else f"{line}.")
    return lines


def _short(rules: list[str]) -> str:
    """``04, 07 to 09``: numbers of one family with runs folded."""
    numbers = [rule.split("-")[1] for rule in rules]
    parts: list[list[str]] = []
    for number in numbers:
        if parts and int(number) == int(parts[-1][-1]) + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in parts)


def _by_number(rule: str) -> tuple[int, int]:
    family, number = rule.split("-")
    return FAMILIES.index(family), int(number)
