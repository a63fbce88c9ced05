"""Of whom a level says something."""

from __future__ import annotations

from enum import Enum, auto

THE_RUN = "the run"
"""How reports call the run itself."""


class Of(Enum):
    """Kinds of subjects; each has fields of its own."""

    PED = auto()
    OBJECT = auto()
    RUN = auto()
