"""What every test shares: strict checks on, a fault list that must stay empty, ``--rules``."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from ai import settings  # noqa: E402 - needs the path above
from ai.faults import Fault, faults  # noqa: E402
from ai.tasks import task_pool  # noqa: E402
from tests.rules_report import defined_rules, proven_rules, report  # noqa: E402


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rules",
        action="store_true",
        help="print per family how many rules of tests/rules have a test, and stop",
    )


def pytest_cmdline_main(config: pytest.Config) -> int | None:
    if not config.getoption("--rules"):
        return None
    rules = defined_rules(ROOT / "tests" / "rules")
    proven = proven_rules([ROOT / "tests", ROOT / "levels"])
    print("\n".join(report(rules, proven)))
    return 0


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "expects_faults: the test records faults on purpose")


_collector_runs = False


def _note_collector(phase: str, _info: dict[str, int]) -> None:
    global _collector_runs
    _collector_runs = phase == "start"


gc.callbacks.append(_note_collector)


def _dropped_by_test() -> bool:
    """Not by the product's code: the test let go, or the collector found a ring of objects.

    A test may drop a task, a ped or a whole world without closing it; runs of levels may not.
    """
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code.co_filename in _BETWEEN:
        frame = frame.f_back
    return _collector_runs or frame is None or not frame.f_code.co_filename.startswith(_PRODUCT)


_BETWEEN = (__file__, task_pool.__file__)
_PRODUCT = tuple(f"{ROOT / room}{os.sep}" for room in ("ai", "game"))


@pytest.fixture(autouse=True)
def strict_and_faultless(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Run with strict checks and fail a test that leaves a fault it did not announce (TASK-02).

    A task that the product forgets is one (TASK-60).
    """
    before = settings.strict
    settings.strict = True
    task_pool._active = None  # what is left of an earlier test's world is no fault of this one
    faults.clear()
    record = faults.record
    dropped: list[Fault] = []

    def record_and_judge(kind: str, text: str, entity: str = "", *details: str) -> Fault:
        fault = record(kind, text, entity, *details)
        if kind == "task_leaked" and _dropped_by_test():
            dropped.append(fault)
        return fault

    monkeypatch.setattr(faults, "record", record_and_judge)
    yield
    settings.strict = before
    left = [fault for fault in faults.all() if not any(fault is other for other in dropped)]
    faults.clear()
    if left and request.node.get_closest_marker("expects_faults") is None:
        pytest.fail("faults left: " + "; ".join(f"{fault.kind}: {fault.text}" for fault in left))
