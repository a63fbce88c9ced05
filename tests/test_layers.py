"""The order of rooms (product.md section 1): who may import whom."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FIRST_ROW = {"ai.ports", "ai.tuning", "ai.settings", "ai.faults"}
MAY_IMPORT: dict[str, set[str]] = {
    "ai.tasks": set(),
    "ai.events": {"ai.tasks"},
    "ai.machines": set(),
    "ai.navigation": set(),
    "ai.motion": {"ai.navigation"},
    "ai.behaviours": {"ai.tasks", "ai.events", "ai.machines", "ai.navigation", "ai.motion"},
    "ai.peds": {
        "ai.tasks", "ai.events", "ai.machines", "ai.navigation", "ai.motion", "ai.behaviours",
    },
}  # fmt: skip
WORLD_MODULES = ("pygame", "pymunk", "game")


def imports_of(path: Path) -> set[str]:
    """Every module that a file imports anywhere, also under TYPE_CHECKING."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "ai":
            found.update(f"ai.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_a_room_of_ai_imports_only_earlier_rooms(room: str) -> None:
    """TASK-01: the layers of product.md section 1, for every module of every room."""
    allowed = MAY_IMPORT[room] | FIRST_ROW | {room}
    for path in sorted((ROOT / room.replace(".", "/")).rglob("*.py")):
        for module in imports_of(path):
            if module.split(".")[0] != "ai":
                continue
            assert any(module == name or module.startswith(name + ".") for name in allowed), (
                f"{path.relative_to(ROOT)} imports {module}"
            )


@pytest.mark.parametrize("module", sorted((ROOT / "ai").rglob("*.py")), ids=lambda path: path.stem)
def test_ai_never_names_the_world(module: Path) -> None:
    """TASK-01: no module of ai imports pygame, pymunk or game."""
    named = {name.split(".")[0] for name in imports_of(module)}
    assert not named & set(WORLD_MODULES)


def test_importing_all_of_ai_loads_nothing_of_the_world() -> None:
    """TASK-01: a fresh interpreter that imports every module of ai has no world in it."""
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted((ROOT / "ai").rglob("*.py"))
        if path.stem != "__main__" and not path.stem.startswith("author_")
    ]
    program = (
        "import importlib, sys\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
        f"print([name for name in {WORLD_MODULES!r} if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
