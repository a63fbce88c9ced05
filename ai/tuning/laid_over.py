"""A folder whose tuning files are read in place of the shipped ones of the same name (TASK-118).

Both sorts of files, groups and files with their own form, and those of sub-folders. A
file in place of one with its own form is whole, as the shipped one is.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ai.tuning.errors import TuningError
from ai.tuning.groups import group_stems


class _Laid(NamedTuple):
    shipped: Path
    folder: Path


_laid: _Laid | None = None


def lay_over(shipped: Path, folder: Path) -> None:
    """Read a folder's files in place of the shipped ones, until ``take_off``.

    Raises ``TuningError``, nothing changed, if it is no folder or has a file that stands
    in for none: a misspelt name would do nothing otherwise.
    """
    global _laid
    if not folder.is_dir():
        raise TuningError(f"--tuning {folder}: is no folder")
    for path in _files(folder):
        name = path.relative_to(folder)
        if not (shipped / name).exists() and name.stem not in group_stems():
            known = sorted(each.relative_to(shipped).as_posix() for each in _files(shipped))
            raise TuningError(f"{path}: stands in for no tuning file; there are {', '.join(known)}")
    _laid = _Laid(shipped, folder)


def take_off() -> None:
    """Read the shipped files again."""
    global _laid
    _laid = None


def effective(path: Path) -> Path:
    """The file that is read for a path: the one laid over it, or itself."""
    if _laid is None or not path.is_relative_to(_laid.shipped):
        return path
    over = _laid.folder / path.relative_to(_laid.shipped)
    return over if over.exists() else path


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.suffix in (".toml", ".json"))
