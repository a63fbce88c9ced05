"""Names of recordings: final ones appear only when whole, and nothing is overwritten (F15)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

from game.recording.errors import RecordingError, reason
from game.whole_file import FileRefused, check_place


def check_target(path: Path, *, force: bool) -> None:
    """Refuse a place where no recording can come to be, before any work is done.

    Raises ``RecordingError`` for a missing folder, a folder in place of a file, and a
    file that is there already unless ``force`` allows to replace it.
    """
    try:
        check_place(path)
    except FileRefused as error:
        raise RecordingError(str(error)) from error
    if path.exists() and not force:
        raise RecordingError(
            f"{path}: the file is there already; choose another name, or --force to replace it"
        )


def free_name(path: Path) -> Path:
    """The path itself, or with ``-2``, ``-3`` ... before its ending: the first not taken."""
    return next(each for each in _numbered(path) if not each.exists())


def reserve_part(target: Path) -> Path:
    """Make the empty file that a target is written into: ``demo.mp4`` as ``demo.mp4.part``.

    What an earlier recording left under that name is kept; then it is ``demo-2.mp4.part``.
    Raises ``RecordingError`` if the folder can't be written.
    """
    for each in _numbered(target):
        part = each.with_name(each.name + ".part")
        try:
            part.open("xb").close()
        except FileExistsError:
            continue
        except OSError as error:
            raise RecordingError(f"{target}: can't be written: {reason(error)}") from error
        return part
    raise AssertionError("unreachable: numbers do not end")


def promote(part: Path, target: Path, *, force: bool) -> None:
    """Give a whole file its final name.

    Raises ``RecordingError`` if the name was taken in the meantime or the system
    refuses; the ``.part`` then stays.
    """
    if target.exists() and not force:
        raise RecordingError(
            f"{target}: a file of that name has appeared meanwhile; the recording is whole and "
            f"kept as {part}"
        )
    try:
        part.replace(target)
    except OSError as error:
        raise RecordingError(
            f"{target}: can't be written: {reason(error)}; the recording is whole and kept as "
            f"{part}"
        ) from error


def _numbered(path: Path) -> Iterator[Path]:
    yield path
    for number in count(2):
        yield path.with_name(f"{path.stem}-{number}{path.suffix}")
