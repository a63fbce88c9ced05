"""Finding levels: the shipped ones by name, any other by its folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from game import resources
from game.levels.errors import LevelError, suggestion
from game.levels.level_file import LEVEL_FILE


class LevelLibrary:
    """Folders that hold one folder a level; earlier ones win where names are the same."""

    def __init__(self, shelves: Sequence[Path]) -> None:
        self._shelves = tuple(shelves)

    @classmethod
    def shipped(cls) -> LevelLibrary:
        """The levels that come with the program."""
        return cls([resources.shipped_levels()])

    def folders(self) -> dict[str, Path]:
        """Every level's folder by name, in the order of names."""
        found: dict[str, Path] = {}
        for shelf in self._shelves:
            for folder in level_folders(shelf):
                found.setdefault(folder.name, folder)
        return dict(sorted(found.items()))

    def find(self, level: str | Path) -> Path:
        """The folder of a level given by name, by folder, or by a file in its folder.

        A name of the library goes before a folder of that name in the working
        directory. Raises ``LevelError`` with the nearest name.
        """
        text = str(level)
        folders = self.folders()
        if text in folders:
            return folders[text]
        if not text:
            raise LevelError(f"no level is named; {suggestion(text, folders)}")
        try:
            path = Path(text)
            folder = path.parent if path.is_file() else path
            if is_level_folder(folder):
                return folder
            exists = path.exists()
        except (OSError, ValueError):
            exists = False
        if exists:
            raise LevelError(f"{text}: holds no {LEVEL_FILE}, so it is no level")
        raise LevelError(f"there is no level '{text}'; {suggestion(text, folders)}")


def is_level_folder(folder: Path) -> bool:
    """True if this folder is one level."""
    return (folder / LEVEL_FILE).is_file()


def level_folders(path: Path) -> Iterator[Path]:
    """The level that a folder is, or else the levels that lie directly in it, by name."""
    if is_level_folder(path):
        yield path
    elif path.is_dir():
        yield from (folder for folder in sorted(path.iterdir()) if is_level_folder(folder))
