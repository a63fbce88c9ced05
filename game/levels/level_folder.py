"""The only door to a level's files: nothing outside its folder is read, and nothing too big.

A level may come from a stranger (product.md section 10): its map can name any
path as a tileset or template. Every file is opened here, where the path is
resolved, links included, and must lie within the folder.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from game.levels.errors import LevelError

MAX_FILES = 64
"""Files of one level that may be read: map, tilesets, templates, ``level.toml``."""


class LevelFolder:
    """A level's folder and the hashes of what was read from it (LVL-09).

    Raises ``LevelError`` if the folder is none.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._root = self._resolved(path)
        if not self._root.is_dir():
            raise LevelError(f"{path}: there is no such level folder")
        self.hashes: dict[str, str] = {}

    def label(self, name: str) -> str:
        """How a file of the folder is called in messages."""
        return f"{self.path.name}/{name}"

    def locate(self, name: str, beside: str = "") -> str:
        """A file's path inside the folder, in normal form.

        - ``beside`` is the file (as returned here) that names it: paths in a map
          are relative to the file that they stand in.
        - Raises ``LevelError`` for a path that leads out of the folder.
        """
        if not name or "\0" in name or len(name) > 1000:
            raise LevelError(f"{self.label(beside)}: {name!r} is no file name")
        # Tiled on Windows may write backslashes; on other systems they would be part of a name.
        target = self._resolved(self._root / Path(beside).parent / name.replace("\\", "/"))
        if not target.is_relative_to(self._root):
            raise LevelError(
                f"{self.label(beside or name)}: '{name}' lies outside the level's folder; "
                "copy it into the folder and name it there"
            )
        return target.relative_to(self._root).as_posix()

    def read(self, name: str, max_bytes: int) -> str:
        """A file's text.

        - ``name`` is a path as returned by ``locate``, or a plain name.
        - Raises ``LevelError`` for a file that is missing, no regular file, over
          ``max_bytes``, not UTF-8, or one file too many.
        """
        name = self.locate(name)
        label = self.label(name)
        target = self._root / name
        if name not in self.hashes and len(self.hashes) >= MAX_FILES:
            raise LevelError(f"{label}: a level may consist of at most {MAX_FILES} files")
        try:
            if not target.is_file():
                raise LevelError(f"{label}: the file is missing")
            with target.open("rb") as stream:
                raw = stream.read(max_bytes + 1)
        except OSError as error:
            raise LevelError(f"{label}: can't be read ({error.strerror})") from error
        if len(raw) > max_bytes:
            raise LevelError(f"{label}: over {max_bytes} bytes, refused")
        self.hashes[name] = hashlib.sha256(raw).hexdigest()
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise LevelError(f"{label}: is not UTF-8 text; save it as UTF-8") from error

    def changed_files(self) -> list[str]:
        """Files that no longer are what was read: a run never writes to its level (LVL-09)."""
        changed = []
        for name, before in self.hashes.items():
            try:
                now = hashlib.sha256((self._root / name).read_bytes()).hexdigest()
            except OSError:
                now = ""
            if now != before:
                changed.append(name)
        return changed

    @staticmethod
    def _resolved(path: Path) -> Path:
        try:
            return path.resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise LevelError(f"{path}: the path can't be followed") from error
