"""Files that a command was asked to write: whole under their name, or not at all and why."""

from __future__ import annotations

from pathlib import Path


class FileRefused(Exception):
    """A file that can't be written; the text names it and the reason in one sentence."""


def check_place(path: Path) -> None:
    """Refuse a place where no file can come to be, before any work is done for it.

    Raises ``FileRefused`` for a missing folder and for a folder in place of a file.
    """
    try:
        has_folder, is_folder = path.parent.is_dir(), path.is_dir()
    except (OSError, ValueError) as error:
        raise FileRefused(f"{path}: can't be written ({_reason(error)})") from error
    if not has_folder:
        raise FileRefused(f"{path}: the folder {path.parent} is not there; make it first")
    if is_folder:
        raise FileRefused(f"{path}: that is a folder; name a file in it")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that its name never stands for half of it.

    What is no regular file (``/dev/stdout``, say) is written to directly. Raises
    ``FileRefused`` if the system refuses; what stood under the name is then kept.
    """
    check_place(path)
    part: Path | None = None
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
            return
        target = path.resolve()
        part = target.with_name(f"{target.name}.part")
        part.write_bytes(content)
        part.replace(target)
    except OSError as error:
        if part is not None:
            part.unlink(missing_ok=True)
        raise FileRefused(f"{path}: can't be written ({_reason(error)})") from error


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
