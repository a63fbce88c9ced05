"""Which drawing belongs to which kind of thing: the one table, and the fall-back for the rest.

A kind that is not listed here is drawn as its extruded outline, so a new kind of
``things.toml`` is visible before it has a drawing of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from game.render.canvas import Canvas, Solid
from game.render.outlines import Point
from game.render.picture import StandingThing
from game.render.things.boxes import (
    paint_barricade,
    paint_beam,
    paint_cardboard,
    paint_crate,
    paint_fence,
    paint_letter_box,
    paint_plain,
    paint_wall,
)
from game.render.things.buildings import paint_building
from game.render.things.car_models import car_body
from game.render.things.cars import paint_car
from game.render.things.fallen import paint_fallen_barrel, paint_fallen_bin, paint_plank
from game.render.things.glows import (
    Glow,
    building_glows,
    car_glows,
    lamp_glows,
    no_glows,
)
from game.render.things.market import paint_ashes, paint_hay, paint_stall, stall_body
from game.render.things.planters import paint_planter
from game.render.things.rounds import (
    paint_bag,
    paint_barrel,
    paint_bin,
    paint_bollard,
    paint_cone,
    paint_hydrant,
)
from game.render.things.shape import Setting, ThingShape, body_of, outline_of
from game.render.things.shelter import (
    paint_shelter_below,
    paint_shelter_roof,
    shelter_back,
    shelter_base,
    shelter_roof,
)
from game.render.things.street import (
    bench_body,
    crown_body,
    lamp_body,
    paint_bench,
    paint_crown,
    paint_lamp,
    paint_trolley,
    paint_trunk,
    trunk_body,
)

Painter = Callable[[Canvas, ThingShape, Setting], None]
Body = Callable[[ThingShape], Sequence[Sequence[Solid]]]
Base = Callable[[ThingShape], Sequence[Point]]
Glows = Callable[[Canvas, ThingShape, Setting], list[Glow]]


@dataclass(frozen=True, slots=True)
class Style:
    """How one kind is drawn.

    - ``paint`` draws it about the canvas's origin.
    - ``body`` is the thing as convex solids: they throw its shadow and bound its picture.
    - ``margin_cm`` is what the drawing has around its body (awnings, handles, leaves).
    - ``long`` things are sorted by their ``base`` outline, others by their ground point.
    - ``overhead`` names a kind that is drawn over whoever stands under the thing.
    - ``fades``: it steps aside while it hides someone who matters (buildings).
    - ``translucent`` drawings keep their alpha (glass).
    - ``glows`` are the lights that it has when lamps are on.
    - ``sway_cm`` is how far the wind moves its picture to either side.
    """

    paint: Painter
    body: Body = body_of
    margin_cm: float = 8.0
    long: bool = False
    base: Base = outline_of
    overhead: str = ""
    fades: bool = False
    translucent: bool = False
    glows: Glows = no_glows
    sway_cm: float = 0.0


PLAIN = Style(paint_plain, long=True)

STYLES: dict[str, Style] = {
    "building": Style(paint_building, margin_cm=70.0, long=True, fades=True, glows=building_glows),
    "wall": Style(paint_wall, long=True),
    "fence": Style(paint_fence, long=True),
    "barricade": Style(paint_barricade, long=True),
    "planter": Style(paint_planter, margin_cm=40.0, long=True),
    "beam": Style(paint_beam, long=True),
    "bench": Style(paint_bench, bench_body, long=True),
    "bus_shelter": Style(
        paint_shelter_below,
        shelter_back,
        margin_cm=90.0,
        long=True,
        base=shelter_base,
        translucent=True,
        overhead="bus_shelter_roof",
    ),
    "bus_shelter_roof": Style(paint_shelter_roof, shelter_roof, long=True),
    "car": Style(paint_car, car_body, margin_cm=16.0, long=True, glows=car_glows),
    "hatch": Style(paint_car, car_body, margin_cm=16.0, long=True, glows=car_glows),
    "sedan": Style(paint_car, car_body, margin_cm=16.0, long=True, glows=car_glows),
    "taxi": Style(paint_car, car_body, margin_cm=24.0, long=True, glows=car_glows),
    "van": Style(paint_car, car_body, margin_cm=16.0, long=True, glows=car_glows),
    "crate": Style(paint_crate),
    "stall": Style(paint_stall, stall_body, margin_cm=16.0, long=True),
    "hay": Style(paint_hay),
    "ashes": Style(paint_ashes, margin_cm=24.0),
    "box": Style(paint_cardboard),
    "letter_box": Style(paint_letter_box),
    "trolley": Style(paint_trolley, margin_cm=20.0),
    "barrel": Style(paint_barrel),
    "fallen_barrel": Style(paint_fallen_barrel),
    "fallen_bin": Style(paint_fallen_bin),
    "plank": Style(paint_plank),
    "cone": Style(paint_cone),
    "bin": Style(paint_bin),
    "bollard": Style(paint_bollard),
    "hydrant": Style(paint_hydrant),
    "bag": Style(paint_bag),
    "lamp": Style(paint_lamp, lamp_body, margin_cm=30.0, glows=lamp_glows),
    "tree": Style(paint_trunk, trunk_body, margin_cm=50.0, overhead="tree_crown"),
    "tree_crown": Style(paint_crown, crown_body, margin_cm=50.0, sway_cm=2.0),
}
"""By kind of ``assets/tuning/things.toml``."""


def style_of(kind: str) -> Style:
    """The drawing of a kind; the plain extruded outline if it has none."""
    return STYLES.get(kind, PLAIN)


def overheads_of(things: Sequence[StandingThing]) -> list[StandingThing]:
    """The second drawings of things that people stand under; they sort by the whole outline."""
    return [
        replace(thing, shape=replace(thing.shape, kind=style_of(thing.shape.kind).overhead))
        for thing in things
        if style_of(thing.shape.kind).overhead
    ]
