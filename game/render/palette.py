"""The colours of the picture as data: ``assets/outfits/palette.toml``, checked on load.

Everything that is drawn in the world takes its colours from here, so that the
three layers of the look (greyish ground, saturated people, plum interface) never
mix (art-and-feel section 2).
"""

from __future__ import annotations

from functools import cache
from typing import Annotated

from pydantic import Field
from typing_extensions import TypeAliasType

from ai.tuning import OwnForm, load_own_form
from game import resources
from game.render.colours import Colour

Channel = Annotated[int, Field(ge=0, le=255)]
Rgb = TypeAliasType("Rgb", tuple[Channel, Channel, Channel])
"""A named alias: pydantic builds its check once, not for every colour anew."""

Rgbs = Annotated[tuple[Rgb, ...], Field(min_length=1)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]


class InkColours(OwnForm):
    """The one outline colour of everything."""

    line: Rgb


class GroundColours(OwnForm):
    """Surfaces, kerbs, paint and what a shadow multiplies the ground with."""

    pavement: Rgb
    plaza: Rgb
    path: Rgb
    road: Rgb
    grass: Rgb
    earth: Rgb
    no_walk: Rgb
    paint: Rgb
    kerb_top: Rgb
    kerb_face: Rgb
    shadow: Rgb


class WallColours(OwnForm):
    """A building material: wall and the trim that goes with it."""

    name: str
    wall: Rgb
    trim: Rgb


class BuildingColours(OwnForm):
    """Windows, doors and shop fronts."""

    glass_day: Rgb
    glass_night: Rgb
    glass_lit: Rgb
    gleam: Rgb
    shop_glass_day: Rgb
    shop_glass_lit: Rgb
    awning_light: Rgb
    sign_text: Rgb
    step: Rgb
    metal_box: Rgb
    curtains: Rgbs
    flowers: Rgbs
    goods: Rgbs


class ShopColours(OwnForm):
    """A shop: the name on its fascia and its colour."""

    name: str
    colour: Rgb


class ThingColours(OwnForm):
    """Street furniture and props."""

    leaf: Rgb
    trunk: Rgb
    crate: Rgb
    barrel: Rgb
    explosive: Rgb
    warning: Rgb
    barricade: Rgb
    stripe: Rgb
    cone: Rgb
    cone_base: Rgb
    metal: Rgb
    pole: Rgb
    lamp_lit: Rgb
    lamp_dark: Rgb
    bench_wood: Rgb
    bench_iron: Rgb
    bin: Rgb
    hydrant: Rgb
    brass: Rgb
    letter_box: Rgb
    planter: Rgb
    water: Rgb
    foam: Rgb
    shelter_roof: Rgb
    shelter_glass: Rgb
    poster: Rgb
    trolley: Rgb
    fence: Rgb
    wall: Rgb
    plain: Rgb
    bag: Rgb
    cardboard: Rgb


class FireColours(OwnForm):
    """Fire and what it leaves in the air; ``layers`` from the outermost flame inwards."""

    layers: tuple[Rgb, Rgb, Rgb, Rgb]
    ember_young: Rgb
    ember_old: Rgb
    smoke_young: Rgb
    smoke_old: Rgb
    water: Rgb
    pool: Rgb
    core: Rgb
    ash: Rgb
    straw: Rgb


class CarColours(OwnForm):
    """Paints and parts of vehicles."""

    paints: Rgbs
    taxi: Rgb
    taxi_sign: Rgb
    glass: Rgb
    gleam: Rgb
    tyre: Rgb
    tyre_side: Rgb
    hub: Rgb
    hub_ring: Rgb
    hub_cap: Rgb
    plate: Rgb
    handle: Rgb
    lamp_front: Rgb
    lamp_front_lit: Rgb
    lamp_back: Rgb
    lamp_back_lit: Rgb


class PersonColours(OwnForm):
    """What people are composed from, and the parts of a face."""

    skins: Rgbs
    hairs: Rgbs
    tops: Rgbs
    bottoms: Rgbs
    shoes: Rgbs
    shirt: Rgb
    cheek: Rgb
    mouth: Rgb
    mouth_open: Rgb
    eye_white: Rgb
    reflector: Rgb
    phone_screen: Rgb


class Light(OwnForm):
    """Light of a time of day.

    - ``multiply`` is laid over the finished scene.
    - ``shadow`` is the strength of the sun's shadows (0 = none).
    - ``lamps`` is the strength of lamps and lit windows.
    """

    multiply: Rgb
    shadow: Share
    lamps: Share


class LightTimes(OwnForm):
    """The lights that a level may name."""

    day: Light
    dusk: Light
    night: Light


class GlowColours(OwnForm):
    """What the light sources of the street add to the light map (art-and-feel section 8)."""

    lamp_ground: Rgb
    lamp_bulb: Rgb
    window: Rgb
    shop: Rgb
    shop_spill: Rgb
    headlamp: Rgb


class InterfaceColours(OwnForm):
    """Theme of panels, text, bubbles and rings (art-and-feel sections 12 and 13).

    ``paper_good`` to ``paper_info`` are for signs on paper: deeper than those on plum.
    """

    panel: Rgb
    inset: Rgb
    text: Rgb
    dim: Rgb
    accent: Rgb
    good: Rgb
    bad: Rgb
    info: Rgb
    selected: Rgb
    paper: Rgb
    paper_ink: Rgb
    paper_good: Rgb
    paper_bad: Rgb
    paper_info: Rgb


class OverlayColours(OwnForm):
    """Colours that people with colour blindness can tell apart (Okabe-Ito)."""

    colours: Annotated[tuple[Rgb, ...], Field(min_length=7, max_length=7)]


class Palette(OwnForm):
    """All colours of the program."""

    ink: InkColours
    ground: GroundColours
    wall: Annotated[tuple[WallColours, ...], Field(min_length=1)]
    building: BuildingColours
    shop: Annotated[tuple[ShopColours, ...], Field(min_length=1)]
    thing: ThingColours
    car: CarColours
    person: PersonColours
    light: LightTimes
    glow: GlowColours
    fire: FireColours
    interface: InterfaceColours
    overlay: OverlayColours

    def light_of(self, time_of_day: str) -> Light:
        """The light of a named time of day; an unknown name is day."""
        lights = {"day": self.light.day, "dusk": self.light.dusk, "night": self.light.night}
        return lights.get(time_of_day, self.light.day)

    def wall_of(self, name: str, number: int) -> WallColours:
        """The building material of that name, else the one that ``number`` falls on."""
        for material in self.wall:
            if material.name == name:
                return material
        return self.wall[number % len(self.wall)]

    def shop_of(self, name: str) -> ShopColours:
        """The shop of that name; one the palette does not know gets a colour by its name."""
        for shop in self.shop:
            if shop.name == name:
                return shop
        number = sum(name.encode("utf-8"))
        return ShopColours(name=name, colour=self.shop[number % len(self.shop)].colour)


@cache
def load_palette() -> Palette:
    """The shipped palette, read once.

    Raises ``ai.tuning.TuningError`` naming file, key and value.
    """
    return load_own_form(resources.assets() / "outfits" / "palette.toml", Palette)


__all__ = ["Colour", "Light", "Palette", "ShopColours", "WallColours", "load_palette"]
