"""The habits of the project: ruff and mypy find nothing, in every run of the tests.

Ruff looks afresh: whether an import is one of ours hangs on which folders there are,
and its cache does not know when that has changed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def run(*command: str) -> str:
    """Output of a tool that is expected to find nothing."""
    result = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return "" if result.returncode == 0 else result.stdout + result.stderr


def test_ruff_finds_nothing() -> None:
    assert run("ruff", "check", "--no-cache", ".") == ""


def test_everything_is_formatted() -> None:
    assert run("ruff", "format", "--no-cache", "--check", ".") == ""


def test_mypy_finds_nothing() -> None:
    assert run("mypy") == ""
