"""What people look like: body types, named looks and the wardrobe that composes the rest.

Data stands in ``assets/outfits`` (see its README): ``bodies.toml``, ``cast.toml``
and ``wardrobe.toml``. A composed look follows from the ped's id alone, so
drawing never touches the simulation's random streams.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, TypeVar

from pydantic import Field

from ai.tuning import OwnForm, TuningError, load_own_form
from game import resources
from game.render.colours import Colour, brightness, distance
from game.render.palette import Palette, Rgb, load_palette

HairStyle: TypeAlias = Literal["short", "long", "tail", "afro", "crop", "bun", "bald"]
HatKind: TypeAlias = Literal["cap", "brim", "helmet", "beanie"]
Prop: TypeAlias = Literal["", "phone", "baton"]
Chance = Annotated[float, Field(ge=0.0, le=1.0)]

CLOTHES_CONTRAST_MIN = 60
"""Top and bottom differ by at least this much in summed RGB (art-and-feel section 2)."""

TOP_GROUND_CONTRAST_MIN = 25.0
"""A top this near to the pavement in brightness is left out of the wardrobe (section 2)."""


class Body(OwnForm):
    """A body type (art-and-feel section 4).

    - ``scale`` of the whole figure; ``shoulder_half_width`` in cm before scaling.
    - ``torso``, ``limbs``, ``head`` multiply drawn radii.
    - Posture, laid over every pose of who stands: ``lean_deg`` bends the trunk forward,
      ``knees_deg`` the knees, ``nod_deg`` the head down; ``arms_deg`` swings the arms
      forward and ``elbows_deg`` bends them; ``sway`` multiplies the trunk's tilt to the side.
    - ``share`` of this body among composed looks.
    """

    scale: float = Field(ge=0.5, le=1.3)
    shoulder_half_width: float = Field(ge=10.0, le=30.0)
    torso: float = Field(default=1.0, ge=0.5, le=2.0)
    limbs: float = Field(default=1.0, ge=0.5, le=2.0)
    head: float = Field(default=1.0, ge=0.5, le=2.0)
    lean_deg: float = Field(default=0.0, ge=-30.0, le=45.0)
    knees_deg: float = Field(default=0.0, ge=0.0, le=60.0)
    nod_deg: float = Field(default=0.0, ge=-45.0, le=45.0)
    arms_deg: float = Field(default=0.0, ge=-45.0, le=90.0)
    elbows_deg: float = Field(default=0.0, ge=0.0, le=90.0)
    sway: float = Field(default=1.0, ge=0.0, le=3.0)
    share: float = Field(default=0.0, ge=0.0, le=1.0)


class Hat(OwnForm):
    """A hat and its colour."""

    kind: HatKind
    colour: Rgb


class Look(OwnForm):
    """One person's looks: body, colours, clothes and what they carry."""

    body: str
    top: Rgb
    bottom: Rgb
    skin: Rgb
    hair: Rgb
    hair_style: HairStyle
    shoes: Rgb
    sleeves: Rgb | None = None
    shirt: Rgb | None = None
    coat: bool = False
    short_sleeves: bool = False
    shorts: bool = False
    skirt: bool = False
    stripe: Rgb | None = None
    vest: bool = False
    hat: Hat | None = None
    rucksack: Rgb | None = None
    sling: Rgb | None = None
    glasses: bool = False
    beard: bool = False
    prop: Prop = ""


class BodiesFile(OwnForm):
    """Form of ``bodies.toml``."""

    body: dict[str, Body] = Field(min_length=1)


class CastFile(OwnForm):
    """Form of ``cast.toml``."""

    look: dict[str, Look] = Field(min_length=1)


class Wardrobe(OwnForm):
    """Form of ``wardrobe.toml``: how often a composed look has this or that."""

    coat: Chance
    short_sleeves: Chance
    stripe: Chance
    skirt: Chance
    shorts: Chance
    hat: Chance
    rucksack: Chance
    sling: Chance
    glasses: Chance
    beard: Chance
    hair_styles: dict[HairStyle, float] = Field(min_length=1)
    hats: tuple[Hat, ...] = Field(min_length=1)
    bags: Annotated[tuple[Rgb, ...], Field(min_length=1)]


class Outfits:
    """Every look there is: the cast's by name, and any number of composed ones by id."""

    def __init__(
        self, palette: Palette, bodies: dict[str, Body], cast: dict[str, Look], wardrobe: Wardrobe
    ) -> None:
        self.bodies = bodies
        self._palette = palette
        self._cast = cast
        self._wardrobe = wardrobe
        ground = brightness(palette.ground.pavement)
        self._tops = [
            top
            for top in palette.person.tops
            if abs(brightness(top) - ground) > TOP_GROUND_CONTRAST_MIN
        ] or list(palette.person.tops)

    @property
    def names(self) -> tuple[str, ...]:
        """The named looks a level may ask for."""
        return tuple(self._cast)

    def named(self, name: str) -> Look | None:
        """The look of that name, or None if the cast does not hold it."""
        return self._cast.get(name)

    def body(self, look: Look) -> Body:
        """The body type of a look."""
        return self.bodies[look.body]

    def compose(
        self,
        ped_id: int,
        avoid: Collection[Colour] = (),
        worn: Collection[tuple[Colour, Colour]] = (),
    ) -> Look:
        """A look that follows from the id: one top, one bottom that differs enough, one accent.

        As far as there are others, its top is none of ``avoid`` and top and bottom
        together are none of ``worn``.
        """
        dice = random.Random(ped_id * 2654435761 + 97)
        person, wardrobe = self._palette.person, self._wardrobe
        body = _weighted(dice, {name: body.share for name, body in self.bodies.items()})
        top = dice.choice([top for top in self._tops if top not in avoid] or self._tops)
        fitting = [
            bottom for bottom in person.bottoms if distance(top, bottom) >= CLOTHES_CONTRAST_MIN
        ] or list(person.bottoms)
        fresh = [bottom for bottom in fitting if (top, bottom) not in worn]
        bottom = dice.choice(fresh or fitting)
        is_elder = body == "elder"
        hairs = person.hairs[5:7] if is_elder else person.hairs[:5]
        style = _weighted(dice, wardrobe.hair_styles)
        skirt = not is_elder and dice.random() < wardrobe.skirt
        accent = dice.random()
        marks = (
            ("coat", wardrobe.coat),
            ("stripe", wardrobe.stripe),
            ("rucksack", wardrobe.rucksack),
            ("sling", wardrobe.sling),
        )
        chosen = ""
        for mark, chance in marks:
            if accent < chance:
                chosen = mark
                break
            accent -= chance
        bag = dice.choice([bag for bag in wardrobe.bags if bag != top])
        hat = dice.choice(wardrobe.hats) if dice.random() < wardrobe.hat else None
        return Look(
            body=body,
            top=top,
            bottom=top if skirt else bottom,
            skin=dice.choice(person.skins),
            hair=dice.choice(hairs),
            hair_style=style,
            shoes=dice.choice(person.shoes),
            coat=chosen == "coat",
            stripe=dice.choice(wardrobe.bags) if chosen == "stripe" else None,
            rucksack=bag if chosen == "rucksack" or body == "teen" else None,
            sling=bag if chosen == "sling" else None,
            short_sleeves=chosen != "coat" and dice.random() < wardrobe.short_sleeves,
            shorts=not skirt and not is_elder and dice.random() < wardrobe.shorts,
            skirt=skirt,
            hat=hat,
            glasses=is_elder or dice.random() < wardrobe.glasses,
            beard=style in ("short", "crop", "bald") and dice.random() < wardrobe.beard,
        )


_Name = TypeVar("_Name", bound=str)


def _weighted(dice: random.Random, weights: dict[_Name, float]) -> _Name:
    return dice.choices(list(weights), list(weights.values()))[0]


def load_outfits(folder: Path, palette: Palette) -> Outfits:
    """Read the three outfit files of a folder.

    Raises ``TuningError`` naming file, key and value; a look that names a body which
    is not there is refused too.
    """
    bodies = load_own_form(folder / "bodies.toml", BodiesFile).body
    cast_path = folder / "cast.toml"
    cast = load_own_form(cast_path, CastFile).look
    for name, look in cast.items():
        if look.body not in bodies:
            raise TuningError(
                f"{cast_path}: key 'look.{name}.body' = {look.body!r}: "
                f"bodies.toml has {', '.join(bodies)}"
            )
    return Outfits(palette, bodies, cast, load_own_form(folder / "wardrobe.toml", Wardrobe))


@cache
def shipped_outfits() -> Outfits:
    """The shipped outfits, read once."""
    return load_outfits(resources.assets() / "outfits", load_palette())
