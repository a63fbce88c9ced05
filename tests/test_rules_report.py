"""The report of ``pytest --rules``."""

from __future__ import annotations

from pathlib import Path

from tests.rules_report import defined_rules, proven_rules, report, rules_named_in


def test_a_range_names_every_rule_in_it() -> None:
    assert rules_named_in("proves NAV-02 to NAV-04 and LOC-07") == {
        "NAV-02", "NAV-03", "NAV-04", "LOC-07",
    }  # fmt: skip


def test_the_specification_defines_rules_of_every_family() -> None:
    rules = defined_rules(Path(__file__).parent / "rules")
    assert set(rules) == {
        "TASK", "EVT", "HSM", "BT", "ACT", "BB", "ORD", "NAV", "LOC", "CLIP", "FLEE", "SAFE",
        "RAG", "REC", "LVL",
    }  # fmt: skip
    assert rules["SAFE"][0] == "SAFE-01"
    assert rules["SAFE"][-1] == "SAFE-14"
    assert len(rules["SAFE"]) == 14


def test_only_docstrings_of_tests_count_as_proof(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(
        '"""Module on NAV-01."""\n'
        "# NAV-02\n"
        'def helper():\n    """NAV-03"""\n'
        'def test_it():\n    """NAV-04: holds."""\n',
        encoding="utf-8",
    )
    assert proven_rules([tmp_path]) == {"NAV-04"}


def test_rules_without_a_test_are_listed_with_runs_folded() -> None:
    rules = {"NAV": ["NAV-01", "NAV-02", "NAV-03", "NAV-05"]}
    assert report(rules, {"NAV-05"}) == ["NAV     1 of   4 have a test; none: 01 to 03"]
    assert report(rules, set(rules["NAV"])) == ["NAV     4 of   4 have a test."]
