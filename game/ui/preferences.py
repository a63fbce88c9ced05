"""What the player has chosen for good, kept in the user's folder.

A damaged file is set aside under another name and said so; it is never silently
written over (product.md section 10).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

FILE_NAME = "settings.json"
DAMAGED_SUFFIX = ".damaged"


class Preferences(BaseModel):
    """The values, checked whenever one is set."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True)

    full_screen: bool = False
    text_scale: Annotated[float, Field(ge=1.0, le=2.0)] = 1.0
    reduced_shake: bool = False
    reduced_flashes: bool = False
    volume: Annotated[float, Field(ge=0.0, le=1.0)] = 0.7
    sound_captions: bool = False


class PreferenceFile:
    """Reads and writes preferences; with ``path`` None they last as long as the process."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self.notice = ""
        """What there is to tell of the last reading or saving, or nothing."""
        self.values = self._read()

    @classmethod
    def of_user(cls) -> PreferenceFile:
        """The file in the user's data folder (product.md section 10)."""
        from platformdirs import user_data_path

        return cls(user_data_path("bystander", appauthor=False) / FILE_NAME)

    def save(self) -> None:
        """Write the values; a folder that can't be written to is told in ``notice``."""
        if self._path is None:
            return
        part = self._path.with_suffix(".part")
        self.notice = ""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(self.values.model_dump_json(indent=2), encoding="utf-8")
            part.replace(self._path)
        except OSError as error:
            self.notice = f"Settings are not kept: {error}"

    def _read(self) -> Preferences:
        if self._path is None:
            return Preferences()
        try:
            text = self._path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return Preferences()
        except (OSError, UnicodeDecodeError) as error:
            return self._set_aside(str(error))
        try:
            return Preferences.model_validate(json.loads(text), strict=False)
        except (json.JSONDecodeError, ValidationError, RecursionError):
            return self._set_aside("it is damaged")

    def _set_aside(self, why: str) -> Preferences:
        assert self._path is not None
        aside = self._path.with_suffix(self._path.suffix + DAMAGED_SUFFIX)
        try:
            self._path.replace(aside)
        except OSError:
            self.notice = f"Settings can't be read ({why}); the usual ones are in use"
        else:
            self.notice = f"Settings can't be read ({why}); they are kept as {aside}"
        return Preferences()
