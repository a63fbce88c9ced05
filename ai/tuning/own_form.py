"""Reading tuning data: files with their own form, each read whole against a schema (TASK-118).

An unknown, missing or out-of-range key refuses the load with file, key and value.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from ai.tuning.errors import TuningError
from ai.tuning.laid_over import effective

MAX_FILE_BYTES = 1_000_000
"""A tuning file over this size is refused unread (product.md section 10)."""


class OwnForm(BaseModel):
    """Base of every schema: frozen, no unknown keys, no silent conversions of kind."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


Schema = TypeVar("Schema", bound=BaseModel)


def key_path(location: Sequence[int | str]) -> str:
    """Pydantic's location of an error as a reader would write it: ``cue[2].at``."""
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text


def first_error_sentence(error: ValidationError) -> str:
    """The first fault of a validation as ``key 'x' = value: reason``."""
    first = error.errors(include_url=False)[0]
    where = key_path(first["loc"])
    message = str(first["msg"]).removeprefix("Value error, ")
    if first["type"] == "missing":
        return f"key '{where}' is missing"
    if first["type"] == "extra_forbidden":
        return f"key '{where}' is unknown"
    return f"key '{where}' = {first['input']!r}: {message}"


def read_toml(path: Path) -> dict[str, Any]:
    """Parse a TOML file, or the one that is laid over it.

    Raises ``TuningError`` for a missing, oversized or malformed file.
    """
    path = effective(path)
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise TuningError(f"{path}: over {MAX_FILE_BYTES} bytes, refused")
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TuningError(f"{path}: can't be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise TuningError(f"{path}: not valid TOML ({error})") from error


def load_own_form(path: Path, schema: type[Schema]) -> Schema:
    """Read one file whole against its schema.

    Raises ``TuningError`` naming file, key, value and reason; nothing is loaded half.
    """
    path = effective(path)
    try:
        return schema.model_validate(read_toml(path))
    except ValidationError as error:
        raise TuningError(f"{path}: {first_error_sentence(error)}") from error
