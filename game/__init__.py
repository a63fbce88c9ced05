"""Bystander: a playable street sandbox whose pedestrians think."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # standard output carries results alone

if TYPE_CHECKING:
    from game.sandbox import Sandbox

__all__ = ["Sandbox"]


def __getattr__(name: str) -> Any:
    """Load ``Sandbox`` when first asked for, so that ``bystander --help`` stays quick."""
    if name == "Sandbox":
        from game.sandbox import Sandbox

        return Sandbox
    raise AttributeError(f"module 'game' has no attribute {name!r}")
