"""Timelines and the types of their entries, read from ``assets/events/timelines`` (EVT-93)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, ValidationError, model_validator

from ai.tuning import OwnForm, TuningError
from ai.tuning.own_form import first_error_sentence, read_toml
from game import resources

FOLDER = "timelines"
EFFECTS_FILE = "effects.toml"

Seconds = Annotated[float, Field(ge=0.0, le=60.0)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Length = Annotated[float, Field(gt=0.0, le=2000.0)]
Colour = Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]
Offset = tuple[float, float, float]


class ParticleEffect(OwnForm):
    """One effect: what its particles look like and how they move; cm, s, cm/s."""

    colours: tuple[Colour, ...] = Field(min_length=1)
    lives_s: float = Field(gt=0.0, le=20.0)
    rises_cm_s: float = Field(ge=-1000.0, le=1000.0)
    spreads_cm_s: float = Field(ge=0.0, le=2000.0)
    grows: float = Field(ge=0.0, le=20.0)


class Effects(OwnForm):
    """What entries may name: particle effects, and sounds."""

    particles: dict[str, ParticleEffect]
    sounds: tuple[str, ...]


class Entry(OwnForm):
    """What all entries have; an instant one has no ``until_s``."""

    ranged: ClassVar[bool] = True

    type: str
    at_s: Seconds
    until_s: Seconds | None = None
    per_piece: bool = False

    @model_validator(mode="after")
    def _window(self) -> Entry:
        if not self.ranged and self.until_s is not None:
            raise ValueError(f"until_s: '{self.type}' is over at once; remove it")
        if self.ranged and self.until_s is None:
            raise ValueError(f"until_s is missing: '{self.type}' lasts")
        if self.until_s is not None and self.until_s <= self.at_s:
            raise ValueError(f"until_s = {self.until_s:g} must be later than at_s = {self.at_s:g}")
        return self


class Particles(Entry):
    """``rate`` particles a second of an effect, of this size."""

    type: Literal["particles"]
    effect: str
    rate: float = Field(gt=0.0, le=1000.0)
    size_cm: Length
    offset_cm: Offset = (0.0, 0.0, 0.0)
    scale_with_intensity: bool = False


class SoundOnce(Entry):
    """A sound, once."""

    ranged: ClassVar[bool] = False

    type: Literal["sound_once"]
    sound: str
    volume: Share = 1.0
    pitch_spread: Share = 0.0


class SoundLoop(Entry):
    """A sound while the window is open."""

    type: Literal["sound_loop"]
    sound: str
    volume: Share = 1.0


class CameraShake(Entry):
    """The picture shakes, less with the distance."""

    type: Literal["camera_shake"]
    amplitude_px: float = Field(gt=0.0, le=40.0)
    frequency_hz: float = Field(gt=0.0, le=60.0)
    falloff_cm: Length


class ScreenFlash(Entry):
    """The whole picture turns white by so much, less with the distance."""

    type: Literal["screen_flash"]
    alpha: int = Field(ge=1, le=120)
    falloff_cm: Length


class DebugText(Entry):
    """A word for the log."""

    ranged: ClassVar[bool] = False

    type: Literal["debug_text"]
    text: str = Field(max_length=200)


class DebugMark(Entry):
    """A mark on the ground, drawn with the debug layer alone and logged always."""

    type: Literal["debug_mark"]
    shape: Literal["tick", "ring", "cross"]
    size_cm: Length
    colour: Colour


TYPES: Mapping[str, type[Entry]] = {
    "particles": Particles,
    "sound_once": SoundOnce,
    "sound_loop": SoundLoop,
    "camera_shake": CameraShake,
    "screen_flash": ScreenFlash,
    "debug_text": DebugText,
    "debug_mark": DebugMark,
}
"""The registry of entry types: a new one is a form here and what plays it."""


class _Head(OwnForm):
    name: str
    mode: Literal["continuous", "collision", "break"]
    length_s: float = Field(gt=0.0, le=60.0)
    loop: bool = False


class Timeline(_Head):
    """One file. ``entries`` are in file order; only a ``break`` one has pieces."""

    entries: tuple[Entry, ...]


def read_timeline(path: Path, effects: Effects) -> Timeline:
    """Read one file.

    Raises ``TuningError`` with file, number of the entry, key and reason.
    """
    table = read_toml(path)
    raw = table.pop("entry", [])
    try:
        head = _Head.model_validate(table)
    except ValidationError as error:
        raise TuningError(f"{path}: {first_error_sentence(error)}") from error
    entries = [
        _entry(f"{path}: entry[{number}]", one, head, effects) for number, one in enumerate(raw)
    ]
    return Timeline.model_construct(**head.model_dump(), entries=tuple(entries))


def _entry(label: str, raw: Any, head: _Head, effects: Effects) -> Entry:
    kind = raw.get("type") if isinstance(raw, dict) else None
    form = TYPES.get(str(kind))
    if form is None:
        raise TuningError(f"{label}: type {kind!r} must be one of {', '.join(TYPES)}")
    try:
        entry = form.model_validate(raw)
    except ValidationError as error:
        raise TuningError(f"{label}: {first_error_sentence(error)}") from error
    if entry.at_s >= head.length_s:
        raise TuningError(f"{label}: at_s = {entry.at_s:g} is not before length_s")
    if entry.until_s is not None and entry.until_s > head.length_s:
        raise TuningError(f"{label}: until_s = {entry.until_s:g} is after length_s")
    if entry.per_piece and head.mode != "break":
        raise TuningError(f"{label}: per_piece belongs to timelines of mode 'break'")
    if isinstance(entry, Particles) and entry.effect not in effects.particles:
        raise TuningError(f"{label}: no effect is called '{entry.effect}' in {EFFECTS_FILE}")
    if isinstance(entry, SoundOnce | SoundLoop) and entry.sound not in effects.sounds:
        raise TuningError(f"{label}: no sound is called '{entry.sound}' in {EFFECTS_FILE}")
    return entry


def read_effects(path: Path) -> Effects:
    """Read ``effects.toml``.

    Raises ``TuningError`` with file, key and reason.
    """
    try:
        return Effects.model_validate(read_toml(path))
    except ValidationError as error:
        raise TuningError(f"{path}: {first_error_sentence(error)}") from error


@cache
def shipped_effects() -> Effects:
    """The shipped effects."""
    return read_effects(resources.assets() / "events" / FOLDER / EFFECTS_FILE)


@cache
def shipped_timelines() -> Mapping[str, Timeline]:
    """Every shipped timeline by name."""
    folder = resources.assets() / "events" / FOLDER
    found = [
        read_timeline(path, shipped_effects())
        for path in sorted(folder.glob("*.toml"))
        if path.name != EFFECTS_FILE
    ]
    return {one.name: one for one in found}
