"""How an evacuation stands, in five numbers."""

from __future__ import annotations

from typing import NamedTuple


class CrowdFigures(NamedTuple):
    """Who is out, has begun to leave, is alive and still in, was pushed over, has burnt.

    All but ``inside`` only ever grow.
    """

    left: int
    alarmed: int
    inside: int
    fallen: int
    burnt: int
