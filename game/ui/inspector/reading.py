"""What the inspector says about one ped, as plain values without a single pixel.

Readers fill these, the painter lays them out, and equal readings are painted once.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple


class Tone(Enum):
    """How a row is meant; the theme gives it a colour."""

    TEXT = auto()
    DIM = auto()
    ACCENT = auto()
    GOOD = auto()
    BAD = auto()
    INFO = auto()


class SlotMark(Enum):
    """How a slot of a task tree stands, each with a shape of its own."""

    EMPTY = auto()
    ACTIVE = auto()
    ABORTED = auto()
    """Aborted and waiting to be resumed."""
    WAITING = auto()
    """Never started."""


class Row(NamedTuple):
    """One line of a section; it takes as many lines of the panel as its text needs.

    - ``key`` names what the row is about, unique in its section: the row glows when
      ``text`` changes under the same key.
    - ``label`` stands before the text in a column of its own.
    - ``tail`` follows the text and may run: a change of it does not glow.
    - ``depth`` hangs the row on the one above (1: first branch).
    - ``slots`` are drawn at the right-hand end.
    """

    key: str
    text: str
    label: str = ""
    tail: str = ""
    tone: Tone = Tone.TEXT
    depth: int = 0
    slots: tuple[SlotMark, ...] = ()

    @property
    def plain(self) -> str:
        """The row as text, without tone and marks."""
        return " ".join(part for part in (self.label, self.text, self.tail) if part)


class Section(NamedTuple):
    """Rows under a title.

    ``summary`` is what the title line says while the section is closed; ``label_chars``
    is how wide the column of labels is, in characters (0 for none).
    """

    key: str
    title: str
    summary: str
    rows: tuple[Row, ...]
    label_chars: int = 0


class Trait(NamedTuple):
    """A quality of a ped, drawn as a bar; ``share`` is 0 to 1."""

    name: str
    share: float


class Reading(NamedTuple):
    """Everything the inspector says about one ped at one moment."""

    ped_id: int
    name: str
    subtitle: str
    traits: tuple[Trait, ...]
    sentence: str
    sections: tuple[Section, ...]

    def as_text(self) -> str:
        """The whole reading, open sections or not, for the clipboard."""
        lines = [f"{self.name} ({self.subtitle})", self.sentence]
        for section in self.sections:
            lines.append(f"{section.title}: {section.summary}")
            lines += ["  " * (row.depth + 1) + row.plain for row in section.rows]
        return "\n".join(lines)
