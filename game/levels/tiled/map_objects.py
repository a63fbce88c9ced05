"""Objects of a map's named layers as descriptions of what the world is to hold.

Each reader takes one object whose place is resolved already and refuses what
the game can't have: unknown kinds, impossible masses and heights.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from pytiled_parser import tiled_object as tiled

from ai.ports import Circle, Polygon, Vec3
from game.levels.errors import LevelError, suggestion
from game.levels.tiled.object_properties import ObjectProperties
from game.levels.tiled.placed_shapes import MAX_POINTS, PlacedShape, place, rim, turn_of
from game.levels.tiled.tilesets import Tilesets
from game.levels.vocabulary import Vocabulary
from game.world.description import (
    MarkerDescription,
    PedDescription,
    SurfaceDescription,
    ThingDescription,
    ZoneDescription,
)
from game.world.thing_checks import thing_fault
from game.world.thing_kinds import NavDefault, ThingCategory, ThingKind

HEIGHT_MAX_CM = 20_000.0

_SCALE_KEYS = ("scale_x", "scale_y")
_THING_KEYS = (*_SCALE_KEYS, "z_low_cm", "z_high_cm", "mass_kg", "nav")
_PED_KEYS = (
    "model", "default_task", "outfit", "walk_speed_cm_s", "player", "immortal", "behaviour",
    "route",
)  # fmt: skip
_SURFACE_KEYS = ("height_cm",)

THING_LAYERS: Mapping[str, ThingCategory] = {
    "obstacles": ThingCategory.STATIC,
    "props": ThingCategory.PROP,
    "vehicles": ThingCategory.VEHICLE,
}
"""Which category of kinds each layer of things holds."""

OBJECT_LAYERS = ("surfaces", *THING_LAYERS, "peds", "markers", "zones")
"""The layers that the game reads."""


@dataclass(slots=True)
class MapObject:
    """An object as it stands in the map, templates resolved.

    - ``offset`` is the sum of its layers' offsets in cm.
    - ``label`` names file and object in messages.
    """

    obj: tiled.TiledObject
    offset: tuple[float, float]
    label: str


@dataclass(slots=True)
class MapObjects:
    """Everything read so far, in map order."""

    surfaces: list[SurfaceDescription] = field(default_factory=list)
    things: dict[str, list[ThingDescription]] = field(
        default_factory=lambda: {layer: [] for layer in THING_LAYERS}
    )
    peds: list[PedDescription] = field(default_factory=list)
    markers: list[MarkerDescription] = field(default_factory=list)
    zones: list[ZoneDescription] = field(default_factory=list)


class ObjectReader:
    """Reads objects layer by layer into ``read``."""

    def __init__(self, tilesets: Tilesets, vocabulary: Vocabulary) -> None:
        self._tilesets = tilesets
        self._vocabulary = vocabulary
        self.read = MapObjects()

    def add(self, layer: str, item: MapObject) -> None:
        """Read one object of the layer of that name (one of ``OBJECT_LAYERS``).

        Raises ``LevelError`` naming file and object; nothing is added then.
        """
        kind, properties = self._kind_and_properties(item)
        if layer == "surfaces":
            self.read.surfaces.append(self._surface(item, kind, properties))
        elif layer in THING_LAYERS:
            self.read.things[layer].append(self._thing(item, kind, properties, THING_LAYERS[layer]))
        elif layer == "peds":
            self.read.peds.append(self._ped(item, kind, properties))
        elif layer == "markers":
            properties.no_options(())
            self.read.markers.append(_marker(item))
        else:
            properties.no_options(())
            area = self._area(item)
            self.read.zones.append(ZoneDescription(item.obj.id, item.obj.name, kind, area))

    def _kind_and_properties(self, item: MapObject) -> tuple[str, ObjectProperties]:
        """Class and properties, those of a tile object's tile where it has none of its own."""
        kind = item.obj.class_ or ""
        inherited: Mapping[str, object] = {}
        if isinstance(item.obj, tiled.Tile):
            look = self._tilesets.look(item.obj.gid, item.label)
            kind = kind or look.kind
            inherited = look.properties
        return kind, ObjectProperties(item.obj.properties or {}, inherited, item.label)

    def _place(self, item: MapObject, scale: tuple[float, float] = (1.0, 1.0)) -> PlacedShape:
        return place(item.obj, item.offset, self._tilesets, scale, item.label)

    def _surface(
        self, item: MapObject, kind: str, properties: ObjectProperties
    ) -> SurfaceDescription:
        known = self._vocabulary.surfaces
        if kind not in known:
            raise LevelError(
                f"{item.label}: unknown kind of surface '{kind}'; {suggestion(kind, known)}"
            )
        height = properties.number("height_cm", 0.0, -1000.0, 1000.0)
        properties.no_options(_SURFACE_KEYS)
        return SurfaceDescription(item.obj.id, kind, self._area(item), height)

    def _area(self, item: MapObject) -> Polygon:
        """The corners of a shape in map coordinates."""
        shape = self._place(item)
        if shape.outline is None:
            raise LevelError(f"{item.label}: a point has no area; draw a rectangle or polygon")
        outline = rim(shape.outline) if isinstance(shape.outline, Circle) else shape.outline
        cosine, sine = turn_of(item.obj.rotation)
        scale = shape.scale
        return Polygon(
            tuple(
                (
                    shape.position.x + cosine * x * scale.x - sine * y * scale.y,
                    shape.position.y + sine * x * scale.x + cosine * y * scale.y,
                )
                for x, y in outline.points
            )
        )

    def _thing(
        self, item: MapObject, kind_name: str, properties: ObjectProperties, category: ThingCategory
    ) -> ThingDescription:
        label = item.label
        kind = self._kind(kind_name, category, label)
        scale = (
            properties.number("scale_x", 1.0, -100.0, 100.0),
            properties.number("scale_y", 1.0, -100.0, 100.0),
        )
        shape = self._place(item, scale)
        mass = kind.mass or 0.0
        if "mass_kg" in properties:
            if category is not ThingCategory.PROP:
                raise LevelError(f"{label}: only props have a mass of their own; remove mass_kg")
            mass = properties.number("mass_kg", mass, -math.inf, math.inf)
        properties.check_flag("burning")
        nav = properties.word("nav", kind.nav.value, {each.value for each in NavDefault})
        thing = ThingDescription(
            object_id=item.obj.id,
            name=item.obj.name,
            kind=kind_name,
            position=shape.position,
            yaw_rad=shape.yaw_rad,
            outline=_thing_outline(shape, kind),
            scale=shape.scale,
            z_low_cm=properties.number("z_low_cm", kind.z_low, 0.0, HEIGHT_MAX_CM),
            z_high_cm=properties.number("z_high_cm", kind.z_high, 0.0, HEIGHT_MAX_CM),
            mass_kg=mass,
            nav_block=nav == NavDefault.BLOCK.value,
            options=properties.options(_THING_KEYS),
        )
        fault = thing_fault(thing, self._vocabulary.things)
        if fault is not None:
            raise LevelError(f"{label}: {fault}")
        return thing

    def _kind(self, name: str, category: ThingCategory, label: str) -> ThingKind:
        kinds = self._vocabulary.things.kinds
        kind = kinds.get(name)
        if kind is None:
            fitting = [each for each, held in kinds.items() if held.category is category]
            raise LevelError(f"{label}: unknown kind '{name}'; {suggestion(name, fitting)}")
        if kind.category is not category:
            home = next(layer for layer, held in THING_LAYERS.items() if held is kind.category)
            raise LevelError(f"{label}: a '{name}' belongs into the layer '{home}'")
        return kind

    def _ped(self, item: MapObject, kind: str, properties: ObjectProperties) -> PedDescription:
        if kind not in ("", "ped"):
            raise LevelError(f"{item.label}: an object of the layer 'peds' is a 'ped', no '{kind}'")
        shape = self._place(item)
        names = self._vocabulary
        properties.check_flag("player")
        properties.check_flag("immortal")
        return PedDescription(
            object_id=item.obj.id,
            name=item.obj.name or f"ped_{item.obj.id}",
            position=shape.position,
            yaw_rad=shape.yaw_rad,
            model=properties.word("model", "ordinary", names.ped_models),
            default_task=properties.word("default_task", "", names.default_tasks),
            outfit=properties.word("outfit", "", names.outfits),
            walk_speed_cm_s=properties.number("walk_speed_cm_s", 130.0, 10.0, 480.0),
            behaviour=properties.word("behaviour", "", names.behaviours),
            route=properties.text("route"),
            options=properties.options(_PED_KEYS),
        )


def _thing_outline(shape: PlacedShape, kind: ThingKind) -> Circle | Polygon:
    """The drawn outline; a point takes the kind's own, a square picture of a round kind a disc."""
    outline = shape.outline
    if outline is None:
        return kind.footprint.outline()
    if shape.is_picture and kind.footprint.radius is not None and isinstance(outline, Polygon):
        half_x, half_y = outline.points[2]
        even = math.isclose(abs(shape.scale.x), abs(shape.scale.y), rel_tol=1e-9)
        if even and math.isclose(half_x, half_y):
            return Circle(0.0, 0.0, half_x)
    return outline


def _marker(item: MapObject) -> MarkerDescription:
    """A named point, or the corners of a polyline in map coordinates."""
    obj = item.obj
    if not obj.name:
        raise LevelError(f"{item.label}: a marker needs a name to be referred to")
    x = obj.coordinates.x + item.offset[0]
    y = obj.coordinates.y + item.offset[1]
    if isinstance(obj, tiled.Point):
        return MarkerDescription(obj.id, obj.name, (Vec3(x, y),))
    if not isinstance(obj, tiled.Polyline):
        raise LevelError(f"{item.label}: a marker is a point or a polyline")
    if not 2 <= len(obj.points) <= MAX_POINTS:
        raise LevelError(f"{item.label}: a polyline has 2 to {MAX_POINTS} points")
    if not all(abs(along) < 1e9 for point in obj.points for along in point):
        raise LevelError(f"{item.label}: a point is out of range")
    cosine, sine = turn_of(obj.rotation)
    points = tuple(
        Vec3(x + cosine * px - sine * py, y + sine * px + cosine * py) for px, py in obj.points
    )
    return MarkerDescription(obj.id, obj.name, points)
