"""Schema of ``assets/tuning/surfaces.toml``: kinds of ground and what they cost (NAV-27)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ai.tuning import OwnForm


class SurfaceKind(OwnForm):
    """One kind of ground.

    - ``cost`` is the cost per cm of way, at least 1, or ``"never"`` for ground that
      nobody walks on. The path search relies on 1 being the lowest possible cost.
    """

    cost: Annotated[float, Field(ge=1.0, le=100.0)] | Literal["never"]

    @property
    def walkable(self) -> bool:
        """True if bodies may stand here."""
        return self.cost != "never"

    @property
    def cost_per_cm(self) -> float:
        """Cost of one cm of way; infinite on ground that is not walkable."""
        return float("inf") if self.cost == "never" else self.cost


class UnknownSurfaceKind(KeyError):
    """A map names a kind of ground that ``surfaces.toml`` does not know."""

    def __str__(self) -> str:
        return str(self.args[0])


class Surfaces(OwnForm):
    """All kinds of ground a map may name; each must stand in the file."""

    pavement: SurfaceKind
    crossing: SurfaceKind
    path: SurfaceKind
    plaza: SurfaceKind
    grass: SurfaceKind
    road: SurfaceKind
    no_walk: SurfaceKind

    def kind(self, name: str) -> SurfaceKind:
        """The kind with this name.

        Raises ``UnknownSurfaceKind`` naming the kinds that exist.
        """
        if name not in type(self).model_fields:
            known = ", ".join(type(self).model_fields)
            raise UnknownSurfaceKind(f"surface kind '{name}' is unknown; use one of {known}")
        kind: SurfaceKind = getattr(self, name)
        return kind
