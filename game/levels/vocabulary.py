"""The names that a level may use and that the product's data files define."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ai.tuning import read_toml
from game import resources
from game.world.thing_kinds import ThingCatalogue

if TYPE_CHECKING:
    from game.world.world_data import WorldData


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What exists to be referred to, and how much room a standing ped takes.

    - ``surfaces``: kinds of NAV-27; ground tiles are of these kinds too.
    - ``default_tasks``: the values of TASK-73 row 5b.
    - ``behaviours``: names of the files in ``assets/behaviour``.
    - ``machine_states``: paths of all states of all machines there.
    - ``outfits``: names of looks; the looks themselves are the picture's affair.
    - ``ped_spacing_cm``: least distance of two standing peds' centres (LOC-07 c).
    """

    things: ThingCatalogue
    surfaces: Set[str]
    ped_models: Set[str]
    default_tasks: Set[str]
    behaviours: Set[str]
    machine_states: Set[str]
    outfits: Set[str]
    ped_spacing_cm: float
    ped_radius_cm: float
    body_low_cm: float
    ped_height_cm: float

    @classmethod
    def of(cls, data: WorldData) -> Vocabulary:
        """The names in the data that a world is built with."""
        from ai.peds.default_tasks import MAKERS

        walking = data.locomotion
        return cls(
            things=data.things,
            surfaces=frozenset(type(data.surfaces).model_fields),
            ped_models=frozenset(data.default_tasks.makers_by_model),
            default_tasks=frozenset(MAKERS),
            behaviours=frozenset(data.brains.library.behaviours),
            machine_states=frozenset(
                path
                for behaviour in data.brains.library.behaviours.values()
                if behaviour.machine is not None
                for path in behaviour.machine.states
            ),
            outfits=_outfits(),
            ped_spacing_cm=2.0 * walking.ped_radius + walking.ped_gap,
            ped_radius_cm=walking.ped_radius,
            body_low_cm=walking.body_low,
            ped_height_cm=walking.ped_height,
        )


def _outfits() -> frozenset[str]:
    return frozenset(read_toml(resources.assets() / "outfits" / "cast.toml").get("look", {}))
