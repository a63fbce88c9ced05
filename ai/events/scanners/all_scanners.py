"""Every scanner of a world, put together (the table of EVT-37)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai.events.scanners.acquaintances import RelationScanner
from ai.events.scanners.ahead import PotentialCollisionScanner
from ai.events.scanners.bodies import BodyScanner
from ai.events.scanners.crowds import CrowdScanner
from ai.events.scanners.fires import BurningScanner, FireScanner
from ai.events.scanners.impacts import ImpactScanner
from ai.events.scanners.own_state import SelfScanner
from ai.events.scanners.runners import RunnerScanner
from ai.events.scanners.scanner import EventScanners, Telling
from ai.events.scanners.sounds import BangScanner, FootstepMaker
from ai.events.scanners.vehicles import VehicleScanner
from ai.events.scanners.weapons import WeaponScanner

if TYPE_CHECKING:
    from ai.events.event_services import EventServices
    from ai.events.relations import Relations
    from ai.events.scanners.facts import ScanWorld
    from ai.events.scanners.happenings import Happenings
    from ai.events.scanners.tuning import ScannerTuning


def make_scanners(
    services: EventServices,
    world: ScanWorld,
    happenings: Happenings,
    relations: Relations,
    tuning: ScannerTuning,
) -> EventScanners:
    """One of each; facts of the step are gone through first, then polls in this order."""
    telling = Telling(services)
    return EventScanners(
        services,
        world,
        tuning,
        polling=(
            FireScanner(telling, world, happenings, tuning),
            PotentialCollisionScanner(telling, world, tuning),
            VehicleScanner(telling, world, tuning),
            CrowdScanner(telling, tuning),
            BodyScanner(telling, world, tuning),
            RunnerScanner(telling, tuning),
            FootstepMaker(happenings, tuning),
            WeaponScanner(telling, world, tuning),
            RelationScanner(telling, relations, tuning),
            SelfScanner(telling, world, tuning),
        ),
        of_the_step=(
            ImpactScanner(telling, happenings, tuning),
            BangScanner(telling, world, happenings, tuning),
            BurningScanner(telling, happenings, tuning),
        ),
    )
