"""Schema of ``assets/tuning/sounds.toml``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from ai.tuning import OwnForm, load_own_form
from game.resources import tuning

Level = Annotated[float, Field(gt=0.0, le=1.0)]


class SoundLevels(OwnForm):
    """The highest sample of each sound, as a share of full scale."""

    thud: Level
    boom: Level
    crack: Level
    crackle: Level
    step: Level
    click: Level


class SoundTuning(OwnForm):
    """How many voices sound, how they fade with the distance, and what stands for them.

    A sound is half as loud at ``near_cm`` from the middle of the picture.
    """

    voices_max: int = Field(ge=1, le=64)
    per_sound_max: int = Field(ge=1, le=64)
    feet_max: int = Field(ge=0, le=100)
    near_cm: float = Field(gt=0.0, le=10_000.0)
    pan_max: float = Field(ge=0.0, le=1.0)
    stride_cm: float = Field(gt=0.0, le=500.0)
    caption_s: float = Field(gt=0.0, le=10.0)
    levels: SoundLevels
    captions: dict[str, str]


def load_sounds(folder: Path) -> SoundTuning:
    """Read ``sounds.toml`` of a tuning folder.

    Raises ``TuningError`` naming file, key and value.
    """
    return load_own_form(folder / "sounds.toml", SoundTuning)


@cache
def shipped_sounds() -> SoundTuning:
    """The shipped values, read once."""
    return load_sounds(tuning())
