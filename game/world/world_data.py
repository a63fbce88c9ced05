"""All data files that a world is built with, read and checked once."""

from __future__ import annotations

import atexit
from dataclasses import dataclass
from pathlib import Path

from ai.behaviours.brains.data import load_brain_data
from ai.behaviours.brains.services import BrainData
from ai.behaviours.order_tuning import OrderTuning
from ai.behaviours.wander import wander_transitions
from ai.behaviours.wander_tuning import WanderTuning
from ai.events.decision_data import DecisionData, load_decision_data
from ai.events.event_tuning import EventTuning
from ai.events.scanners.tuning import ScannerTuning
from ai.events.shocking_data import ShockingTuning
from ai.motion.clip_library import ClipLibrary
from ai.motion.clip_tuning import ClipTuning
from ai.motion.locomotion_tuning import LocomotionTuning
from ai.motion.recovery.tuning import KnockdownTuning
from ai.navigation.flee_tuning import FleeTuning
from ai.navigation.navigation_tuning import NavigationTuning
from ai.navigation.surfaces import Surfaces
from ai.peds.default_tasks import DefaultTasks
from ai.peds.ped_models import PedData, check_decision_makers
from ai.tasks.helper_pools import make_helper_pools
from ai.tasks.limits_tuning import Limits
from ai.tasks.script_task_ids import check_script_task_ids
from ai.tasks.transition_files import TransitionFamily
from ai.tuning import load_own_form, tuning_manager
from game import resources
from game.world.blast_tuning import BlastTuning
from game.world.fire.tuning import FireTuning, load_fire
from game.world.grab_tuning import GrabTuning
from game.world.thing_kinds import ThingCatalogue, load_catalogue

check_script_task_ids(resources.tuning())


@dataclass(frozen=True, slots=True)
class WorldData:
    """Read-only data shared by every world of a process."""

    navigation: NavigationTuning
    locomotion: LocomotionTuning
    orders: OrderTuning
    wander: WanderTuning
    flee: FleeTuning
    wander_transitions: TransitionFamily
    limits: Limits
    knockdown: KnockdownTuning
    surfaces: Surfaces
    things: ThingCatalogue
    blasts: BlastTuning
    fire: FireTuning
    grab: GrabTuning
    clips: ClipLibrary
    default_tasks: DefaultTasks
    peds: PedData
    events: EventTuning
    shocking: ShockingTuning
    scanners: ScannerTuning
    decisions: DecisionData
    brains: BrainData

    @classmethod
    def load(cls, assets: Path) -> WorldData:
        """Read everything below the assets folder.

        Raises ``TuningError`` or ``ClipRefused`` naming file, key and reason.
        """
        tuning = assets / "tuning"
        decisions = load_decision_data(assets / "events")
        peds = PedData.load(tuning)
        things = load_catalogue(tuning)
        check_decision_makers(tuning, peds.models, tuple(one.name for one in decisions.makers))
        wander_ways = wander_transitions()
        wander_ways.load(tuning / "transitions")
        return cls(
            navigation=load_own_form(tuning / "navigation.toml", NavigationTuning),
            locomotion=load_own_form(tuning / "locomotion.toml", LocomotionTuning),
            orders=load_own_form(tuning / "orders.toml", OrderTuning),
            wander=load_own_form(tuning / "wander.toml", WanderTuning),
            flee=load_own_form(tuning / "flee.toml", FleeTuning),
            wander_transitions=wander_ways,
            limits=load_own_form(tuning / "limits.toml", Limits),
            knockdown=load_own_form(tuning / "knockdown.toml", KnockdownTuning),
            surfaces=load_own_form(tuning / "surfaces.toml", Surfaces),
            things=things,
            blasts=load_own_form(tuning / "blasts.toml", BlastTuning),
            fire=load_fire(tuning, things),
            grab=load_own_form(tuning / "grab.toml", GrabTuning),
            clips=ClipLibrary.load(assets, load_own_form(tuning / "clips.toml", ClipTuning)),
            default_tasks=DefaultTasks.load(tuning),
            peds=peds,
            events=load_own_form(tuning / "events.toml", EventTuning),
            shocking=load_own_form(assets / "events" / "shocking.toml", ShockingTuning),
            scanners=load_own_form(tuning / "scanners.toml", ScannerTuning),
            decisions=decisions,
            brains=load_brain_data(assets),
        )


_shipped: WorldData | None = None


def shipped_world_data() -> WorldData:
    """The data that the program ships, read at the first call."""
    global _shipped
    if _shipped is None:
        _shipped = WorldData.load(resources.assets())
        tuning_manager.initialise(resources.tuning(), resources.physics_tuning())
        limits = _shipped.limits
        atexit.register(make_helper_pools(limits.helpers.size(limits.tasks.profile)).close)
    return _shipped
