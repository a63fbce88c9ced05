"""Words for things and places of a level: "the red car", "a spot by the bakery"."""

from __future__ import annotations

from ai.ports import EntityKind, EntityRef, Vec3
from game.render.colours import Colour, distance
from game.render.palette import Palette
from game.world.outlines import Bounds, bounds_of, placed
from game.world.thing_kinds import ThingCategory
from game.world.things import YAW, Thing, X, Y
from game.world.world import World

SHOP_REACH_CM = 700.0
LANDMARK_REACH_CM = 400.0
GROUND_REACH_CM = 60.0
PLACES_KEPT = 256

COLOUR_WORDS: tuple[tuple[str, Colour], ...] = (
    ("red", (206, 66, 58)),
    ("orange", (236, 150, 60)),
    ("yellow", (210, 200, 110)),
    ("green", (92, 150, 130)),
    ("blue", (64, 124, 190)),
    ("purple", (150, 96, 160)),
    ("white", (226, 222, 214)),
    ("grey", (150, 150, 156)),
    ("dark", (62, 64, 80)),
)
"""What people call a paint: the nearest of these."""

SHOPS_BY_THEMSELVES = frozenset({"bakery", "cafe", "grocery", "market", "pharmacy", "post office"})
"""Signs that name the shop; others name what it sells."""

KIND_WORDS = {"sedan": "car", "hatch": "small car", "bin": "litter bin"}
"""Kinds whose own name is not how people call them."""

OWN_COLOUR = frozenset({"taxi", "van"})
"""Vehicles that are known by what they are, not by their paint."""


def colour_word(colour: Colour) -> str:
    """The word for a colour."""
    return min(COLOUR_WORDS, key=lambda entry: distance(entry[1], colour))[0]


class PlaceNames:
    """Names things and points of one world; what was found for a point is kept."""

    def __init__(self, world: World, palette: Palette) -> None:
        self._world = world
        self._paints = palette.car.paints
        self._known: dict[tuple[int, int], str] = {}

    def goal(self, target: EntityRef, goal: Vec3, *, beside: bool) -> str:
        """Where an order leads: to a thing, to its side, or to a place of the ground."""
        thing = None
        if target.kind is not EntityKind.MARKER:
            thing = self._world.things.get(target)
        if thing is None:
            return self.near(goal)
        return f"the side of {self.thing(thing)}" if beside else self.thing(thing)

    def thing(self, thing: Thing) -> str:
        """A thing by its own name, else by its kind, a vehicle by its paint too."""
        name = thing.name.replace("_", " ").strip()
        if name:
            words = [word.upper() if len(word) == 1 else word for word in name.split()]
            numbered = len(words[-1]) == 1 or words[-1][-1].isdigit()
            return " ".join(words) if numbered else f"the {' '.join(words)}"
        kind = KIND_WORDS.get(thing.kind_name, thing.kind_name.replace("_", " "))
        if thing.kind.category is ThingCategory.VEHICLE and thing.kind_name not in OWN_COLOUR:
            return f"the {self._paint_word(thing)} {kind}"
        return f"the {kind}"

    def near(self, place: Vec3) -> str:
        """A point of the ground by the shop, the thing or the surface that it lies by."""
        key = (round(place.x), round(place.y))
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= PLACES_KEPT:
                self._known.clear()
            known = self._known[key] = self._described(place)
        return known

    def _paint_word(self, thing: Thing) -> str:
        number = thing.options.get("paint", thing.object_id)
        index = number if isinstance(number, int) else thing.object_id
        return colour_word(self._paints[index % len(self._paints)])

    def _described(self, place: Vec3) -> str:
        shop, landmark = "", ""
        shop_away, landmark_away = SHOP_REACH_CM, LANDMARK_REACH_CM
        for thing in self._world.things.in_id_order():
            if thing.dynamic:
                continue
            away = _distance_to(self._bounds(thing), place)
            name = shop_name(thing)
            if name and away < shop_away:
                shop, shop_away = f"the {name}", away
            elif thing.kind_name != "building" and away < landmark_away:
                landmark, landmark_away = self.thing(thing), away
        if shop or landmark:
            return f"a spot by {shop or landmark}"
        ground = self._world.surface.project(place.x, place.y, GROUND_REACH_CM)
        return "a far spot" if ground is None else f"a spot on the {ground.surface}"

    def _bounds(self, thing: Thing) -> Bounds:
        x, y, yaw = self._world.things.state[thing.ref.slot, [X, Y, YAW]].tolist()
        return bounds_of(placed(thing.outline, x, y, yaw))


def shop_name(thing: Thing) -> str:
    """What people call the shop in a building: BAKERY "bakery", HATS "hat shop"; or nothing."""
    sign = thing.options.get("shop", "")
    if not isinstance(sign, str) or sign in ("", "none"):
        return ""
    name = sign.lower()
    return name if name in SHOPS_BY_THEMSELVES else f"{name.removesuffix('s')} shop"


def _distance_to(bounds: Bounds, place: Vec3) -> float:
    """From a point to an upright box; 0 inside."""
    x_min, y_min, x_max, y_max = bounds
    away_x = max(x_min - place.x, 0.0, place.x - x_max)
    away_y = max(y_min - place.y, 0.0, place.y - y_max)
    return float((away_x * away_x + away_y * away_y) ** 0.5)
