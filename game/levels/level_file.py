"""A level's ``level.toml``: scene data, cues, captions and expectations, read whole or refused."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from game.levels.cue_forms import CUE_KINDS, CaptionCue, Cue
from game.levels.errors import LevelError, suggestion
from game.levels.expectation_forms import Expectation
from game.levels.forms import (
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


class LevelHead(LevelForm):
    """Everything of the file but its lists.

    - ``expected_faults`` are kinds of faults that a run of the level may leave (TASK-02).
    """

    title: Title
    description: Annotated[str, Field(strict=True, max_length=2000)] = ""
    time_of_day: Literal["day", "dusk", "night"] = "day"
    seed: Whole = 0
    duration_s: Annotated[float, Field(strict=True, gt=0.0, le=3600.0)]
    camera: CameraForm | None = None
    expected_faults: tuple[Name, ...] = ()


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
    - ``label`` is how messages call the file.
    """

    label: str
    head: LevelHead
    cues: tuple[Cue, ...]
    expectations: tuple[Expectation, ...]


def read_level_file(folder: LevelFolder) -> LevelFile:
    """Read and check the form of ``level.toml``; names in it are not looked up here.

    Raises ``LevelError`` naming file, key and reason.
    """
    label = folder.label(LEVEL_FILE)
    table = _table(folder, label)
    lists = {key: _list(table, key, label) for key in ("cue", "caption", "expect")}
    try:
        head = fit(LevelHead, table)
    except FormError as error:
        raise LevelError(f"{label}: {error}") from error
    cues = [_cue(entry, f"{label}: cue[{index}]") for index, entry in enumerate(lists["cue"])]
    cues += [
        _caption(entry, f"{label}: caption[{index}]")
        for index, entry in enumerate(lists["caption"])
    ]
    expectations = []
    for index, entry in enumerate(lists["expect"]):
        try:
            expectations.append(fit(Expectation, entry))
        except FormError as error:
            raise LevelError(f"{label}: expect[{index}]: {error}") from error
    return LevelFile(label, head, tuple(cues), tuple(expectations))


def _table(folder: LevelFolder, label: str) -> dict[str, Any]:
    text = folder.read(LEVEL_FILE, MAX_LEVEL_BYTES)
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


def _cue(entry: Any, label: str) -> Cue:
    kind = entry.get("do") if isinstance(entry, dict) else None
    if not isinstance(kind, str):
        raise LevelError(f"{label}: key 'do' is missing; {suggestion('', CUE_KINDS)}")
    form = CUE_KINDS.get(kind)
    if form is None:
        raise LevelError(f"{label}: unknown kind of cue '{kind}'; {suggestion(kind, CUE_KINDS)}")
    try:
        return fit(form, entry)
    except FormError as error:
        raise LevelError(f"{label} ({kind}): {error}") from error


def _caption(entry: Any, label: str) -> Cue:
    try:
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
    except FormError as error:
        raise LevelError(f"{label}: {error}") from error
