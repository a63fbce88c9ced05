"""The catalogue of things and its refusals: F4, TASK-118."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ai.ports import Circle, Footprint, Polygon, Vec3
from ai.tuning import TuningError
from game import resources
from game.world.description import ThingDescription
from game.world.outlines import bounds_of
from game.world.thing_checks import ThingRefused
from game.world.thing_kinds import ThingCatalogue, ThingCategory, UnknownKind, load_catalogue
from tests.game.world.small_worlds import SmallWorld, box, catalogue

STATICS = (
    "building", "wall", "fence", "planter", "tree", "lamp", "bus_shelter", "hydrant",
    "letter_box", "bollard", "barricade", "stall",
)  # fmt: skip
PROPS = ("crate", "barrel", "cone", "bin", "bench", "trolley", "beam", "box", "bag", "hay")
REMAINS = ("fallen_barrel", "fallen_bin", "plank")
"""What crates, barrels and bins become."""
BURNT = ("ashes",)
"""What fire leaves."""
VEHICLES = ("car", "van", "hatch", "sedan", "taxi")


@pytest.fixture
def tuning(tmp_path: Path) -> Callable[[str, str], ThingCatalogue]:
    """Load the shipped files after replacing one text in ``things.toml``."""

    def load(old: str, new: str) -> ThingCatalogue:
        text = (resources.tuning() / "things.toml").read_text(encoding="utf-8")
        assert old in text
        (tmp_path / "things.toml").write_text(text.replace(old, new), encoding="utf-8")
        materials = (resources.tuning() / "materials.toml").read_text(encoding="utf-8")
        (tmp_path / "materials.toml").write_text(materials, encoding="utf-8")
        return load_catalogue(tmp_path)

    return load


def test_every_kind_of_the_street_is_in_the_catalogue() -> None:
    kinds = catalogue().kinds
    assert {name for name, kind in kinds.items() if kind.category is ThingCategory.STATIC} == {
        *STATICS
    }
    props = {name for name, kind in kinds.items() if kind.category is ThingCategory.PROP}
    assert props == {*PROPS, *REMAINS, *BURNT}
    assert {name for kind in kinds.values() for name in kind.comes_of()} == {*REMAINS}
    assert {name for name, kind in kinds.items() if kind.category is ThingCategory.VEHICLE} == {
        *VEHICLES
    }


def test_sizes_and_masses_are_those_of_the_levels() -> None:
    """LVL section 9: cars 180 x 440, forward local +y; LOC-20: cone, box, bag are light."""
    kinds = catalogue().kinds
    assert bounds_of(kinds["car"].footprint.outline()) == (-90.0, -220.0, 90.0, 220.0)
    assert bounds_of(kinds["van"].footprint.outline()) == (-98.0, -250.0, 98.0, 250.0)
    assert all(kinds[name].forward_deg == 90.0 for name in VEHICLES)
    assert kinds["crate"].mass == 40.0
    assert kinds["cone"].mass == 3.0
    light = {name for name in PROPS if (kinds[name].mass or 0.0) < 15.0}
    assert light == {"cone", "box", "bag"}
    assert (kinds["beam"].z_low, kinds["beam"].z_high) == (60.0, 90.0)


@pytest.mark.parametrize("mass", ["0.0", "1e9", "nan", "-3.0", "inf"])
def test_an_impossible_mass_refuses_the_catalogue_with_file_and_key(
    tuning: Callable[[str, str], ThingCatalogue], mass: str
) -> None:
    """F4: mass 0, 1e9 or NaN."""
    with pytest.raises(TuningError, match=r"things\.toml: key 'kind\.crate\.mass'"):
        tuning("mass = 40.0", f"mass = {mass}")


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("mass = 40.0", "mass = 40.0\nweight = 3", r"kind\.crate\.weight' is unknown"),
        ("mass = 40.0\n", "", "kind.crate'.*a prop needs a mass"),
        ("radius = 29.0", "radius = 0.0", r"kind\.barrel\.footprint\.radius"),
        ("radius = 29.0", "radius = 29.0, width = 3.0", r"kind\.barrel\.footprint'.*either"),
        ("radius = 29.0", "width = 3.0", r"kind\.barrel\.footprint'.*either"),
        ("{ radius = 29.0 }", "{}", r"kind\.barrel\.footprint'.*either"),
        ("z_low = 60.0", "z_low = 90.0", "kind.beam'.*z_low must be below z_high"),
        ('material = "castors"', 'material = "wheels"', r"kind\.trolley\.material' = 'wheels'"),
        ("speed_cap_cm_s = 6000.0", "speed_cap_cm_s = 0", r"props\.speed_cap_cm_s"),
        (
            "z_high = 900.0",
            "z_high = 900.0\nmass = 5.0",
            "kind.building'.*has no mass",
        ),
        ("mass = 18.0", "mass = 18.0\nforward_deg = nan", r"kind\.bin\.forward_deg"),
    ],
)
def test_a_fault_in_the_file_is_named_by_its_key(
    tuning: Callable[[str, str], ThingCatalogue], old: str, new: str, key: str
) -> None:
    """TASK-118: unknown, missing, out-of-range and contradicting keys refuse the load."""
    with pytest.raises(TuningError, match=key):
        tuning(old, new)


def test_an_unknown_kind_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownKind, match="did you mean 'bollard'"):
        catalogue().kind("bolard")


def crate(**changes: object) -> ThingDescription:
    """A sound crate of object id 40, changed."""
    sound = catalogue().describe(40, "crate", Vec3(500.0, 500.0), name="box_a")
    return replace(sound, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (crate(mass_kg=0.0), "mass 0 kg"),
        (crate(mass_kg=1e9), "mass 1e[+]09 kg"),
        (crate(mass_kg=math.nan), "mass nan kg"),
        (crate(outline=Circle(0.0, 0.0, 0.0)), "radius 0 cm"),
        (crate(outline=Circle(0.0, 0.0, math.nan)), "not finite"),
        (crate(outline=Polygon(((0, 0), (50, 0), (100, 0)))), "polygon"),
        (crate(outline=Polygon(((0, 0), (10, 0)))), "2 points"),
        (crate(outline=Polygon(((0, 0), (10, 10), (10, 0), (0, 10)))), "crosses itself"),
        (crate(outline=Polygon(((0, 0), (math.inf, 0), (0, 9)))), "not finite"),
        (crate(position=Vec3(math.nan, 0.0)), "position"),
        (crate(position=Vec3(1e9, 0.0)), "position"),
        (crate(yaw_rad=math.inf), "yaw"),
        (crate(scale=Vec3(1.0, 0.0, 1.0)), "scale"),
        (crate(z_low_cm=50.0, z_high_cm=50.0), "heights"),
        (crate(kind="crat"), "did you mean 'crate'"),
    ],
)
def test_a_thing_that_cannot_be_simulated_is_refused_with_its_object_id(
    world: SmallWorld, bad: ThingDescription, reason: str
) -> None:
    """F4: mass 0, 1e9, NaN, moment 0 (no extent); nothing enters the world."""
    with pytest.raises(ThingRefused, match=f"object 40 'box_a': .*{reason}"):
        world.things.spawn(bad)
    assert len(world.things) == 0
    assert world.physics.counts() == (0, 0, 0)


def test_an_object_id_is_taken_once(world: SmallWorld) -> None:
    world.things.spawn(crate())
    with pytest.raises(ThingRefused, match="object 40: the id is taken"):
        world.things.spawn(crate())
    assert len(world.things) == 1


@pytest.mark.parametrize("kind", [*STATICS, *PROPS, *VEHICLES])
def test_every_kind_can_be_spawned_as_it_stands_in_the_catalogue(
    world: SmallWorld, kind: str
) -> None:
    outline: Footprint = catalogue().kind(kind).footprint.outline()
    ref = world.put(kind, 1500, 1000)
    world.step()
    thing = world.things.get(ref)
    assert thing is not None
    assert thing.outline == outline
    assert not world.physics.check_ownership()


def test_a_square_outline_of_a_map_is_taken_over(world: SmallWorld) -> None:
    """LVL-01: a barricade 20 x 240 although the catalogue's is another size."""
    ref = world.put("barricade", 600, 602, outline=box(20, 240))
    thing = world.things.get(ref)
    assert thing is not None
    assert bounds_of(world.things.footprint(thing)) == (590.0, 482.0, 610.0, 722.0)
