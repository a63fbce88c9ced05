"""The catalogue of things: what a crate, a wall or a van is, read from ``assets/tuning``.

``things.toml`` states each kind's category, size, height, mass, material and
defaults; ``materials.toml`` states how materials slide and bounce. Both are read
whole: an unknown, missing or out-of-range key refuses the load with file, key
and value (F4, TASK-118).
"""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import Field, model_validator

from ai.ports import Circle, Footprint, Polygon, Vec3
from ai.tuning import OwnForm, TuningError, load_own_form
from game.world.description import ThingDescription

MASS_MIN_KG = 0.1
MASS_MAX_KG = 5000.0
"""Bounds of a mass, in the catalogue and in a level alike (F4)."""


class ThingCategory(StrEnum):
    """What physics does with a thing.

    - ``STATIC`` stands until it is removed.
    - ``PROP`` is a body that physics moves.
    - ``VEHICLE`` stands like a static thing, or is moved by a cue.
    """

    STATIC = "static"
    PROP = "prop"
    VEHICLE = "vehicle"


class NavDefault(StrEnum):
    """Whether the walk graph knows a thing (NAV-25); a map may say otherwise per object."""

    BLOCK = "block"
    IGNORE = "ignore"


class Material(OwnForm):
    """How a material slides and bounces.

    - ``ground_mu`` gives the ground's braking: ``ground_mu * 981`` cm/s2 (RAG-08).
    - ``spin_brake_rad_s2`` is the loss of spin on the ground.
    - ``friction`` and ``elasticity`` act between two touching things.
    """

    ground_mu: float = Field(gt=0.0, le=2.0)
    spin_brake_rad_s2: float = Field(gt=0.0, le=200.0)
    friction: float = Field(ge=0.0, le=2.0)
    elasticity: float = Field(ge=0.0, le=0.9)


class MaterialsFile(OwnForm):
    """Form of ``materials.toml``."""

    material: dict[str, Material] = Field(min_length=1)


class FootprintForm(OwnForm):
    """A rectangle (``width`` along local x, ``length`` along local y) or a disc, in cm."""

    width: float | None = Field(default=None, ge=2.0, le=20_000.0)
    length: float | None = Field(default=None, ge=2.0, le=20_000.0)
    radius: float | None = Field(default=None, ge=1.0, le=10_000.0)

    @model_validator(mode="after")
    def _one_form(self) -> FootprintForm:
        rectangle = (self.width is not None, self.length is not None)
        if rectangle not in ((True, True), (False, False)) or all(rectangle) == (
            self.radius is not None
        ):
            raise ValueError("give either width and length, or radius alone")
        return self

    def outline_reach(self) -> float:
        """From the middle to the nearest side, in cm."""
        if self.radius is not None:
            return self.radius
        assert self.width is not None
        assert self.length is not None
        return min(self.width, self.length) / 2.0

    def outline(self) -> Footprint:
        """The footprint in the thing's local frame, centre at 0."""
        if self.radius is not None:
            return Circle(0.0, 0.0, self.radius)
        assert self.width is not None
        assert self.length is not None
        x, y = self.width / 2.0, self.length / 2.0
        return Polygon(((-x, -y), (x, -y), (x, y), (-x, y)))


class ReactsForm(OwnForm):
    """What a prop does when its speed changes by so much within one step.

    - From ``breaks_at_cm_s`` it goes to ``count`` things of the kind ``pieces``.
    - From ``topples_at_cm_s`` it becomes a thing of the kind ``topples_to``, which lies.
    - One that a map calls explosive blows up ``fuse_s`` after a jolt of ``explodes_at_cm_s``
      or a blast that reached it.
    """

    breaks_at_cm_s: float | None = Field(default=None, gt=0.0, le=10_000.0)
    pieces: str | None = None
    count: int = Field(default=4, ge=1, le=12)
    topples_at_cm_s: float | None = Field(default=None, gt=0.0, le=10_000.0)
    topples_to: str | None = None
    explodes_at_cm_s: float | None = Field(default=None, gt=0.0, le=10_000.0)
    fuse_s: float | None = Field(default=None, gt=0.0, le=60.0)

    @model_validator(mode="after")
    def _pairs(self) -> ReactsForm:
        for one, other in (
            ("breaks_at_cm_s", "pieces"),
            ("topples_at_cm_s", "topples_to"),
            ("explodes_at_cm_s", "fuse_s"),
        ):
            if (getattr(self, one) is None) != (getattr(self, other) is None):
                raise ValueError(f"{one} and {other} go together")
        return self


class ThingKind(OwnForm):
    """One kind of thing.

    - ``z_low`` and ``z_high`` bound its height above the ground, in cm.
    - ``mass`` (kg) belongs to props and vehicles alone.
    - ``nav`` is the default of NAV-25.
    - ``movable``: may be moved and removed while the level runs.
    - ``forward_deg`` is where its front looks in its local frame (cars: +y, 90).
    - ``burns``: whether fire takes it, if its material burns; left out, it takes props alone.
    - ``reacts``: what it does when it is struck (props alone). ``lasts_s``: what comes of
      another thing is swept away after this time.
    """

    category: ThingCategory
    footprint: FootprintForm
    z_low: float = Field(default=0.0, ge=0.0, le=5000.0)
    z_high: float = Field(gt=0.0, le=20_000.0)
    mass: float | None = Field(default=None, ge=MASS_MIN_KG, le=MASS_MAX_KG)
    material: str
    nav: NavDefault
    movable: bool
    forward_deg: float = Field(default=0.0, ge=-180.0, le=180.0)
    reacts: ReactsForm | None = None
    lasts_s: float | None = Field(default=None, gt=0.0, le=600.0)
    burns: bool | None = None

    @model_validator(mode="after")
    def _fits(self) -> ThingKind:
        if self.z_low >= self.z_high:
            raise ValueError("z_low must be below z_high")
        if self.category is ThingCategory.STATIC:
            if self.mass is not None:
                raise ValueError("a static thing has no mass; leave the key out")
        elif self.mass is None:
            raise ValueError(f"a {self.category} needs a mass in kg")
        if self.category is ThingCategory.PROP and not self.movable:
            raise ValueError("a prop is movable; make it static to nail it down")
        if self.reacts is not None and self.category is not ThingCategory.PROP:
            raise ValueError("reacts belongs to props: what physics does not move is not struck")
        return self

    def comes_of(self) -> tuple[str, ...]:
        """Kinds of what it turns into when it is struck."""
        if self.reacts is None:
            return ()
        return tuple(name for name in (self.reacts.pieces, self.reacts.topples_to) if name)


class PropLimits(OwnForm):
    """Caps of every prop's motion, kept after each sub-step and each impulse."""

    speed_cap_cm_s: float = Field(gt=0.0, le=10_000.0)
    spin_cap_rad_s: float = Field(gt=0.0, le=100.0)


class ThingsFile(OwnForm):
    """Form of ``things.toml``."""

    props: PropLimits
    kind: dict[str, ThingKind] = Field(min_length=1)


class UnknownKind(Exception):
    """A kind that the catalogue does not hold; the text suggests the nearest ones."""


@dataclass(frozen=True, slots=True)
class ThingCatalogue:
    """Kinds, their materials and the caps of props, all checked."""

    kinds: dict[str, ThingKind]
    materials: dict[str, Material]
    limits: PropLimits

    def kind(self, name: str) -> ThingKind:
        """The kind of that name.

        Raises ``UnknownKind`` with a suggestion.
        """
        found = self.kinds.get(name)
        if found is None:
            near = difflib.get_close_matches(name, self.kinds, n=3, cutoff=0.5)
            hint = " or ".join(repr(word) for word in near) or f"one of {', '.join(self.kinds)}"
            raise UnknownKind(f"no kind of thing is called {name!r}; did you mean {hint}?")
        return found

    def material_of(self, kind: ThingKind) -> Material:
        """The material a kind is made of."""
        return self.materials[kind.material]

    def describe(
        self, object_id: int, kind_name: str, position: Vec3, yaw_rad: float = 0.0, name: str = ""
    ) -> ThingDescription:
        """A thing with all its kind's defaults, for what is spawned while a level runs.

        Raises ``UnknownKind``.
        """
        kind = self.kind(kind_name)
        return ThingDescription(
            object_id=object_id,
            name=name,
            kind=kind_name,
            position=position,
            yaw_rad=yaw_rad,
            outline=kind.footprint.outline(),
            z_low_cm=kind.z_low,
            z_high_cm=kind.z_high,
            mass_kg=kind.mass or 0.0,
            nav_block=kind.nav is NavDefault.BLOCK,
        )


def mass_fault(mass_kg: float) -> str | None:
    """Why a mass can't be simulated, or None (F4)."""
    if not math.isfinite(mass_kg):
        return f"mass {mass_kg} kg is not a finite number"
    if not MASS_MIN_KG <= mass_kg <= MASS_MAX_KG:
        return f"mass {mass_kg:g} kg must lie between {MASS_MIN_KG:g} and {MASS_MAX_KG:g} kg"
    return None


def load_catalogue(folder: Path) -> ThingCatalogue:
    """Read ``things.toml`` and ``materials.toml`` of a tuning folder.

    Raises ``TuningError`` naming file, key and value.
    """
    things_path = folder / "things.toml"
    things = load_own_form(things_path, ThingsFile)
    materials = load_own_form(folder / "materials.toml", MaterialsFile).material
    for name, kind in things.kind.items():
        if kind.material not in materials:
            raise TuningError(
                f"{things_path}: key 'kind.{name}.material' = {kind.material!r}: "
                f"materials.toml has {', '.join(materials)}"
            )
        for other in kind.comes_of():
            if other not in things.kind or things.kind[other].category is not ThingCategory.PROP:
                raise TuningError(
                    f"{things_path}: key 'kind.{name}.reacts' names {other!r}: it must be a kind "
                    "of prop of this file"
                )
    return ThingCatalogue(things.kind, materials, things.props)
