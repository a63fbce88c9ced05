"""The wheel: everything the program needs travels in it, and it runs from any folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def unpacked_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's content in a folder of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [
            sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check",
            "--no-deps", "--wheel-dir", str(folder), str(ROOT),
        ],
        check=True,
        capture_output=True,
    )  # fmt: skip
    (wheel,) = folder.glob("bystander-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def files_below(folder: Path) -> set[str]:
    """Every file of a folder, by its path inside it."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_assets_and_levels_travel_inside_the_wheel(unpacked_wheel: Path) -> None:
    """product.md section 1: every data file of the checkout is in the wheel."""
    for room in ("assets", "levels"):
        packed = unpacked_wheel / "game" / "data" / room
        assert files_below(ROOT / room) == files_below(packed)


def test_the_wheel_runs_from_another_folder(unpacked_wheel: Path, tmp_path: Path) -> None:
    """product.md section 1: installed, the program needs no checkout around it."""
    environment = os.environ | {"PYTHONPATH": str(unpacked_wheel)}
    where = subprocess.run(
        [sys.executable, "-c", "import game, ai; print(game.__file__); print(ai.__file__)"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert all(line.startswith(str(unpacked_wheel)) for line in where.stdout.split())
    result = subprocess.run(
        [sys.executable, "-m", "game", "run", "pickup", "--json"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["passed"] is True
