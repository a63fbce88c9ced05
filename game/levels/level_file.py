"""A level's ``level.toml``: scene data, cues, captions and expectations, read whole or refused."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, model_validator

from game.levels.cue_forms import CUE_KINDS, CaptionCue, Cue
from game.levels.errors import LevelError, suggestion
from game.levels.expectation_forms import Expectation
from game.levels.forms import (
    Degrees,
    FormError,
    LevelForm,
    Name,
    Number,
    Seconds,
    Sentence,
    Title,
    Whole,
    fit,
)
from game.levels.level_folder import LevelFolder
from game.levels.reaction_forms import ReactionExpectation
from game.levels.toml_lines import TOP, TomlLines

LEVEL_FILE = "level.toml"
MAX_LEVEL_BYTES = 500_000
MAX_ENTRIES = 1000
"""Cues, captions and expectations, each."""


class CameraForm(LevelForm):
    """Where the level's camera starts; its centre is the focus while there is no player."""

    x: Number
    y: Number
    zoom_px_per_cm: Annotated[float, Field(strict=True, ge=0.05, le=5.0)] = 0.6
    pitch_deg: Annotated[float, Field(strict=True, ge=35.0, le=90.0)] = 55.0


class WindForm(LevelForm):
    """How the air moves from the start: it blows towards ``heading_deg``."""

    speed_cm_s: Annotated[float, Field(strict=True, ge=0.0, le=2000.0)]
    heading_deg: Degrees = 0.0


class LevelHead(LevelForm):
    """Everything of the file but its lists.

    - ``expected_faults`` are kinds of faults that a run of the level may leave (TASK-02).
    - ``workbench``: the window shows this panel of sliders and figures beside the level.
    """

    title: Title
    description: Annotated[str, Field(strict=True, max_length=2000)] = ""
    time_of_day: Literal["day", "dusk", "night"] = "day"
    seed: Whole = 0
    duration_s: Annotated[float, Field(strict=True, gt=0.0, le=3600.0)]
    camera: CameraForm | None = None
    expected_faults: tuple[Name, ...] = ()
    workbench: Literal["", "ragdoll"] = ""
    wind: WindForm | None = None


class CaptionForm(LevelForm):
    """A line of text shown from one time to another."""

    from_: Seconds = Field(alias="from")
    to: Seconds
    text: Sentence

    @model_validator(mode="after")
    def _some_time(self) -> CaptionForm:
        if self.to <= self.from_:
            raise ValueError(f"'to' = {self.to:g} must be later than 'from' = {self.from_:g}")
        return self


@dataclass(frozen=True, slots=True)
class LevelFile:
    """The checked content of ``level.toml``.

    - ``cues`` are in file order, captions behind them: the order in which those of
      one step act.
    - The last ``captions`` of the cues were written as captions.
    - ``reactions`` are the expectations that name an event; ``entries`` say which entries of
      the file the expectations are, then the reactions, where these are mixed.
    - ``label`` is how messages call the file, ``lines`` know where in it things stand.
    """

    label: str
    head: LevelHead
    cues: tuple[Cue, ...]
    expectations: tuple[Expectation, ...]
    captions: int = 0
    lines: TomlLines = field(default_factory=lambda: TomlLines(""))
    reactions: tuple[ReactionExpectation, ...] = ()
    entries: tuple[int, ...] = ()

    def cue_label(self, index: int) -> str:
        """How messages call a cue: file, line, number and kind."""
        number = index - (len(self.cues) - self.captions)
        if number >= 0:
            return _entry_label(self.label, self.lines, "caption", number)
        return f"{_entry_label(self.label, self.lines, 'cue', index)} ({self.cues[index].do})"

    def expectation_label(self, index: int) -> str:
        """How messages call an expectation: file, line and number."""
        entry = self.entries[index] if self.entries else index
        return _entry_label(self.label, self.lines, "expect", entry)

    def reaction_label(self, index: int) -> str:
        """How messages call an expectation upon a reaction."""
        return self.expectation_label(len(self.expectations) + index)


def read_level_file(folder: LevelFolder) -> LevelFile:
    """Read and check the form of ``level.toml``; names in it are not looked up here.

    Raises ``LevelError`` naming file, line, key and reason.
    """
    label = folder.label(LEVEL_FILE)
    text = folder.read(LEVEL_FILE, MAX_LEVEL_BYTES)
    table = _table(text, label)
    lines = TomlLines(text)
    lists = {key: _list(table, key, label) for key in ("cue", "caption", "expect")}
    try:
        head = fit(LevelHead, table)
    except FormError as error:
        raise LevelError(f"{_at(label, lines, TOP, 0, error.key)}: {error}") from error
    reader = _EntryReader(label, lines)
    cues = [reader.read("cue", index, entry, _cue) for index, entry in enumerate(lists["cue"])]
    cues += [
        reader.read("caption", index, entry, _caption)
        for index, entry in enumerate(lists["caption"])
    ]
    expected = [
        reader.read("expect", index, entry, _expectation)
        for index, entry in enumerate(lists["expect"])
    ]
    others = [(at, one) for at, one in enumerate(expected) if isinstance(one, Expectation)]
    reactions = [
        (at, one) for at, one in enumerate(expected) if isinstance(one, ReactionExpectation)
    ]
    return LevelFile(
        label,
        head,
        tuple(cues),
        tuple(one for _, one in others),
        len(lists["caption"]),
        lines,
        tuple(one for _, one in reactions),
        tuple(index for index, _ in (*others, *reactions)),
    )


def read_cue(table: dict[str, Any]) -> Cue:
    """A cue that stands in no file.

    Raises ``LevelError`` naming kind, key and reason.
    """
    try:
        return _cue(table)
    except FormError as error:
        raise LevelError(f"{table.get('do')}: {error}") from error


Entry = TypeVar("Entry")


class _EntryReader:
    """Reads the entries of the lists; a refusal says where the entry, or its key, stands."""

    def __init__(self, label: str, lines: TomlLines) -> None:
        self._label = label
        self._lines = lines

    def read(self, table: str, index: int, entry: Any, form: Callable[[Any], Entry]) -> Entry:
        try:
            return form(entry)
        except FormError as error:
            label = _entry_label(self._label, self._lines, table, index, error.key)
            kind = entry.get("do") if table == "cue" and isinstance(entry, dict) else None
            known = f" ({kind})" if kind in CUE_KINDS else ""
            raise LevelError(f"{label}{known}: {error}") from error


def _entry_label(label: str, lines: TomlLines, table: str, index: int, key: str = "") -> str:
    return f"{_at(label, lines, table, index, key)}: {table}[{index}]"


def _at(label: str, lines: TomlLines, table: str, index: int, key: str) -> str:
    """The file and the line, as editors and terminals make links of."""
    line = lines.line(table, index, key)
    return label if line is None else f"{label}:{line}"


def _table(text: str, label: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # Beside its own error the parser lets through those of huge numbers and deep nesting.
        raise LevelError(f"{label}: not valid TOML ({error})") from error


def _list(table: dict[str, Any], key: str, label: str) -> list[Any]:
    entries = table.pop(key, [])
    if not isinstance(entries, list):
        raise LevelError(f"{label}: write [[{key}]] with double brackets: there may be several")
    if len(entries) > MAX_ENTRIES:
        raise LevelError(f"{label}: over {MAX_ENTRIES} entries of [[{key}]]")
    return entries


def _cue(entry: Any) -> Cue:
    kind = entry.get("do") if isinstance(entry, dict) else None
    if not isinstance(kind, str):
        raise FormError(f"key 'do' is missing; {suggestion('', CUE_KINDS)}")
    form = CUE_KINDS.get(kind)
    if form is None:
        raise FormError(f"unknown kind of cue '{kind}'; {suggestion(kind, CUE_KINDS)}", "do")
    return fit(form, entry)


def _caption(entry: Any) -> Cue:
    caption = fit(CaptionForm, entry)
    return fit(
        CaptionCue,
        {
            "do": "caption",
            "at": caption.from_,
            "text": caption.text,
            "for_s": caption.to - caption.from_,
        },
    )


def _expectation(entry: Any) -> Expectation | ReactionExpectation:
    if isinstance(entry, dict) and "event" in entry:
        return fit(ReactionExpectation, entry)
    return fit(Expectation, entry)
