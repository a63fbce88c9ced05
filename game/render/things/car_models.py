"""The kinds of cars: their measures, and the solids they are bounded by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from game.render.canvas import Solid
from game.render.outlines import Point
from game.render.solids import prism
from game.render.things.shape import ThingShape


@dataclass(frozen=True, slots=True)
class CarModel:
    """One kind of car at its own size, cm.

    - ``shoulder`` and ``roof`` are heights.
    - The cabin's foot runs from ``rear_foot`` to ``front_foot`` along x, its roof from
      ``rear_roof`` to ``front_roof``.
    - ``side_windows``, ``glass_low``: panes as shares of the cabin side from front to
      back, and where glass begins.
    - ``doors``, ``handles``: x of the gaps between doors and of their handles.

    The measures are those of art-and-feel section 7.
    """

    length: float
    width: float
    shoulder: float
    roof: float
    rear_foot: float
    rear_roof: float
    front_foot: float
    front_roof: float
    side_windows: tuple[tuple[float, float], ...]
    doors: tuple[float, ...]
    handles: tuple[float, ...]
    glass_low: float = 0.12
    is_van: bool = False
    is_taxi: bool = False


_SALOON_WINDOWS = ((0.05, 0.44), (0.49, 0.78), (0.82, 0.95))

HATCH = CarModel(
    length=400.0,
    width=172.0,
    shoulder=74.0,
    roof=142.0,
    rear_foot=-170.0,
    rear_roof=-150.0,
    front_foot=70.0,
    front_roof=28.0,
    side_windows=_SALOON_WINDOWS,
    doors=(8.0, -40.0),
    handles=(-18.0, 44.0),
)
SEDAN = CarModel(
    length=450.0,
    width=176.0,
    shoulder=76.0,
    roof=138.0,
    rear_foot=-150.0,
    rear_roof=-104.0,
    front_foot=92.0,
    front_roof=44.0,
    side_windows=_SALOON_WINDOWS,
    doors=(30.0, -40.0),
    handles=(-18.0, 44.0),
)
TAXI = replace(SEDAN, is_taxi=True)
VAN = CarModel(
    length=500.0,
    width=196.0,
    shoulder=100.0,
    roof=206.0,
    rear_foot=-246.0,
    rear_roof=-244.0,
    front_foot=206.0,
    front_roof=150.0,
    side_windows=((0.04, 0.26),),
    doors=(40.0, -60.0),
    handles=(60.0,),
    glass_low=0.34,
    is_van=True,
)

MODELS: dict[str, CarModel] = {
    "car": SEDAN,
    "hatch": HATCH,
    "sedan": SEDAN,
    "taxi": TAXI,
    "van": VAN,
}


def model_of(shape: ThingShape) -> CarModel:
    """The model of a kind; plain cars are sedans or hatchbacks by their number."""
    if shape.kind == "car":
        return (SEDAN, HATCH)[shape.number % 2]
    return MODELS.get(shape.kind, SEDAN)


@dataclass(frozen=True, slots=True)
class CarMeasures:
    """One car's measures after scaling to its footprint, cm; local x forward, centre at 0."""

    model: CarModel
    half_length: float
    half_width: float

    @classmethod
    def of(cls, shape: ThingShape) -> CarMeasures:
        """The measures of a thing."""
        return cls(model_of(shape), shape.half_x, shape.half_y)

    @property
    def stretch(self) -> float:
        """Of lengths along the car against the model's."""
        return 2.0 * self.half_length / self.model.length

    @property
    def shoulder(self) -> float:
        """Height at which the cabin begins."""
        return self.model.shoulder

    @property
    def waist(self) -> float:
        """Height of the widest line."""
        return self.model.shoulder * 0.72

    def outline(self, inset: float, cut: float) -> list[Point]:
        """The body's outline, drawn in by ``inset``, with corners cut off."""
        x, y = self.half_length - inset, self.half_width - inset
        return [
            (-x + cut, -y),
            (x - cut, -y),
            (x, -y + cut),
            (x, y - cut),
            (x - cut, y),
            (-x + cut, y),
            (-x, y - cut),
            (-x, -y + cut),
        ]

    def cabin_foot(self) -> list[Point]:
        """Corners of the cabin at the shoulder: back left, front left, front right, back right."""
        model = self.model
        return self._cabin(model.rear_foot, model.front_foot, self.half_width - 10.0)

    def cabin_roof(self) -> list[Point]:
        """Corners of the roof, in the same order; it has 0.80 of the car's width."""
        model = self.model
        return self._cabin(model.rear_roof, model.front_roof, self.half_width * 0.80)

    def _cabin(self, rear: float, front: float, half: float) -> list[Point]:
        rear, front = rear * self.stretch, front * self.stretch
        return [(rear, -half), (front, -half), (front, half), (rear, half)]


def car_body(shape: ThingShape) -> list[Sequence[Solid]]:
    """Lower body and cabin, for bounds and shadow."""
    car = CarMeasures.of(shape)
    cabin: list[Solid] = [(x, y, car.shoulder) for x, y in car.cabin_foot()]
    cabin += [(x, y, car.model.roof) for x, y in car.cabin_roof()]
    return [prism(car.outline(0.0, 22.0), 0.0, car.shoulder), cabin]
