"""The world: everything that one run holds, put together from a level's description.

``World`` wires the rooms and answers to the phases of ``phases.py``; what a phase
does stands in the room it calls. A world is one run: a restart makes a new one.
"""

from __future__ import annotations

from itertools import count
from typing import Protocol

from ai.behaviours.actor import Services
from ai.behaviours.body_tasks import DirectBodyTasks
from ai.behaviours.brains.reports import Reports
from ai.behaviours.brains.services import BrainServices
from ai.behaviours.burning import Burning
from ai.behaviours.gait_speeds import GaitSpeeds
from ai.behaviours.order_book import OrderBook, OrderPorts
from ai.behaviours.order_desk import OrderDesk
from ai.behaviours.order_passes import OrderPasses
from ai.behaviours.player import PlayerControls
from ai.behaviours.response_builders import response_factory
from ai.behaviours.safe_desk import SafeDesk
from ai.events.event_services import EventServices
from ai.events.relations import Relations
from ai.events.scanners.all_scanners import make_scanners
from ai.events.scanners.happenings import Happenings
from ai.events.script_commands import ScriptCommands
from ai.events.trace import FactTrace
from ai.faults import faults
from ai.motion.coordination import Coordination
from ai.motion.locomotion import WalkUpdate
from ai.motion.movement_system import MovementSystem
from ai.motion.movement_table import MovementTable
from ai.motion.path_hand_off import PathHandOff
from ai.motion.recovery.knock_downs import KnockDowns
from ai.motion.recovery.recovery import Recovery
from ai.motion.recovery.standing_room import StandingRoom
from ai.motion.retry_policy import RetryPolicy
from ai.motion.stumbles import Stumbles
from ai.navigation.flee_desk import FleeDesk
from ai.navigation.path_service import PathService
from ai.peds.ai_lod import AiLod
from ai.peds.ped import Ped, PedTraits
from ai.peds.trace_rows import StateTrace
from ai.ports import EntityRef, Vec3
from ai.tasks.phase_hooks import PhaseHook
from ai.tasks.task_registry import reset_statics
from game.world import frame
from game.world.actions import ActionDesk
from game.world.blasts import Blasts
from game.world.brain_ports import SpokenLines, WorldBlows, WorldLife
from game.world.clearance import WorldClearance
from game.world.clock import StepClock
from game.world.description import LevelDescription, PedDescription
from game.world.edits import EditDesk
from game.world.evacuation import Crowd
from game.world.event_view import EventView
from game.world.fingerprint import RunFingerprint, ped_state
from game.world.fire.fires import Fires
from game.world.fire.flames import Wind
from game.world.fire.reroute import Reroute
from game.world.grab import Grabber
from game.world.ground import Ground, things_of
from game.world.impacts import Impacts
from game.world.invariants import check_invariants
from game.world.order_objects import OrderObjects
from game.world.order_sources import OrderSourceTable
from game.world.ped_roster import PedRoster
from game.world.physics import SUB_STEP_S, SUB_STEPS, PhysicsWorld
from game.world.prop_reactions import PropReactions
from game.world.random_streams import SeededStreams
from game.world.scan_view import ScanView
from game.world.script_asks import ScriptDesk
from game.world.shove import Shove, Shover
from game.world.thing_tasks import ThingTasks
from game.world.vehicle_moves import VehicleMoves
from game.world.world_data import WorldData, shipped_world_data

SPARE_PEDS = 64
"""Room for peds beyond those that a level names: who is spawned by hand, say."""

_numbers = count(1)


class Scene(Protocol):
    """What plays a level over a world: its cues at the start of a step, its judges at the end."""

    def act(self) -> None:
        """Phase 1: run the cues that are due; orders are only queued."""
        ...

    def judge(self) -> None:
        """Phase 17: look at what this step came to."""
        ...


class EmptyScene:
    """A world without a script."""

    def act(self) -> None:
        """Nothing happens."""

    def judge(self) -> None:
        """Nobody watches."""


class PhaseListener(Protocol):
    """Hears of every phase before it begins: frame times, the phase-order test."""

    def phase_begins(self, number: int, name: str) -> None:
        """Row ``number`` of the step table is next."""
        ...


class World:
    """One run of one level.

    - ``step`` advances it by 1/60 s through the phases of ``frame.step``.
    - Position, things and peds are read through the parts named here; they are
      changed by the phases alone, and by commands queued for them.
    - ``strict`` asks for the invariants of product.md section 10 after every step.
    - ``last_shove`` is what the player's shove of the present step came to, if there
      was one.
    - ``ped_capacity`` is the room in the pool of peds and in all their arrays, by default
      ``room_for_peds``. It never grows, and it is part of the cost of a step.
    """

    def __init__(
        self,
        description: LevelDescription,
        *,
        seed: int | None = None,
        data: WorldData | None = None,
        strict: bool = False,
        state_trace: bool = False,
        ped_capacity: int | None = None,
    ) -> None:
        faults.clear()
        reset_statics()
        self.number = next(_numbers)
        self.description = description
        self.seed = description.seed if seed is None else seed
        self.data = shipped_world_data() if data is None else data
        self.strict = strict
        self.scene: Scene = EmptyScene()
        self.phase_listener: PhaseListener | None = None
        self.player_controls = PlayerControls()
        self.last_shove: Shove | None = None
        self.focus = Vec3(description.camera.x, description.camera.y)

        self.clock = StepClock()
        self.streams = SeededStreams(self.seed)
        self.facts = FactTrace(self.clock)
        self.state_trace = StateTrace() if state_trace else None
        self.fingerprint = RunFingerprint()
        self.pool = self.data.limits.tasks.make_pool()
        self.pool.activate()

        self.reports = Reports()
        self.speech = SpokenLines(self)

        self._build_ground()
        self.thing_tasks = ThingTasks(self.things, self.streams)
        if ped_capacity is None:
            ped_capacity = room_for_peds(description)
        self._build_motion(ped_capacity)
        self._build_orders()
        self._build_peds(ped_capacity)
        self.fires.light_marked()
        self.crowd.open()
        self.reroute = Reroute(self)

    # -- building --------------------------------------------------------------

    def _build_ground(self) -> None:
        description, data = self.description, self.data
        size = {"width_cm": description.width_cm, "height_cm": description.height_cm}
        self.things = things_of(description, data, world=self.number)
        ground = Ground(description, self.things, data)
        self.shapes = ground.shapes
        self.walk_graph = ground.walk_graph
        self.surface = ground.surface
        self.path_finder = ground.path_finder
        self.clearance = WorldClearance(self.things, ground.distance_field, **size)
        self._size = size

    def _build_motion(self, ped_capacity: int) -> None:
        data = self.data
        self.table = MovementTable(ped_capacity)
        self.movement = MovementSystem(
            table=self.table,
            service=PathService(self.path_finder, data.navigation),
            clips=data.clips,
            tuning=data.navigation,
            clock=self.clock,
            facts=self.facts,
        )
        self.coordination = Coordination(self.movement)
        self.path_hand_off = PathHandOff(self.movement)
        self.walk_update = WalkUpdate(
            self.movement,
            RetryPolicy(self.movement),
            self.surface,
            self.clearance,
            self,
            data.locomotion,
        )
        self.physics = PhysicsWorld(
            self.things,
            ped_capacity=ped_capacity,
            ped_radius_cm=data.locomotion.ped_radius,
            knockdown=data.knockdown,
            **self._size,
        )
        self.stumbles = Stumbles(
            self.table, data.clips, self.surface, self.clearance, data.locomotion
        )
        self._build_recovery()
        self.shover = Shover(
            self.things, self.clearance, self.physics, data.locomotion, self.impacts
        )

    def _build_recovery(self) -> None:
        data, tuning = self.data, self.data.knockdown
        room = StandingRoom(
            self.table,
            self.surface,
            self.clearance,
            tuning.ground,
            tuning.stand,
            data.locomotion.ped_radius,
        )
        self.recovery = Recovery(
            self.movement,
            self.coordination,
            self.physics.ragdolls,
            room,
            DirectBodyTasks(),
            tuning,
            self.facts,
        )
        self.knock_downs = KnockDowns(self.movement, self.recovery, tuning, self.facts)
        self.impacts = Impacts(self, tuning)
        self.blasts = Blasts(self, data.blasts)
        self.prop_reactions = PropReactions(self)
        self.grabber = Grabber(self, data.grab)
        self.edits = EditDesk(self)
        self.burning = Burning(data.fire.person)
        self.crowd = Crowd(self, data.crowd, self.streams.crowd())
        self.fires = Fires(self, data.fire, Wind(*self.description.wind), self.streams.fire())

    def _build_orders(self) -> None:
        self.sources = OrderSourceTable(world=self.number)
        self.objects = OrderObjects(self.things, self.number)
        scanners = self.data.scanners
        self.relations = Relations(scanners.relation)
        self.events = EventServices(
            self.clock,
            EventView(self, self.data.scanners.senses, self.relations),
            self.data.events,
            self.data.shocking,
            self.description.decisions or self.data.decisions,
            response_factory(),
            full_traces=self.strict,
        )
        self.events.on_say = self.speech.say_words
        self.happenings = Happenings(self.events)
        self.scan_view = ScanView(self, scanners)
        self.scanners = make_scanners(
            self.events, self.scan_view, self.happenings, self.relations, scanners
        )
        self.scripts = ScriptCommands(self.clock, self.facts, self.events)
        self.order_book = OrderBook(
            OrderPorts(
                clock=self.clock,
                facts=self.facts,
                peds=_PedLookup(self),
                transforms=self.objects,
                sources=self.sources,
                markers=self.objects,
                surface=self.surface,
            ),
            self.movement,
            self.scripts,
            self.data.orders,
        )
        self.order_passes = OrderPasses(self.order_book)
        self.safe = SafeDesk(
            self.events.world, self.objects, self.facts, self.data.flee.safe, self.clock.dt_s
        )
        self.events.joins = self.safe.join
        self.orders = OrderDesk(self.order_book, self.order_passes.tracking)
        self.script_asks = ScriptDesk(self)
        self.actions = ActionDesk(self.clock, self.orders, self.script_asks, self.edits)

    def _build_peds(self, ped_capacity: int) -> None:
        data, description = self.data, self.description
        services = Services(
            clock=self.clock,
            facts=self.facts,
            movement=self.movement,
            coordination=self.coordination,
            surface=self.surface,
            surfaces=data.surfaces,
            path_finder=self.path_finder,
            clearance=self.clearance,
            gait_speeds=GaitSpeeds.of(data.clips),
            wander=data.wander,
            flee=FleeDesk(self.clock, data.flee),
            safe=self.safe,
            wander_transitions=data.wander_transitions,
            locomotion=data.locomotion,
            events=self.events,
            order_book=self.order_book,
            order_passes=self.order_passes,
            player_controls=self.player_controls,
            recovery=self.recovery,
            knock_downs=self.knock_downs,
            stumbles=self.stumbles,
            knockdown=data.knockdown,
            injury=data.peds.tuning.injury,
            brains=self._brain_services(),
            burning=self.burning,
            evacuation=self.crowd.shared,
        )
        self.ai_lod = AiLod(self.table, ped_capacity, data.limits.ai_lod)
        taken = [thing.object_id for thing in self.things.in_id_order()]
        taken += [ped.object_id for ped in description.peds]
        self.peds = PedRoster(
            ped_capacity,
            services,
            self.scripts,
            self.streams,
            data.default_tasks,
            self.ai_lod,
            data.peds,
            self.relations,
            first_spawn_id=max(taken, default=0) + 1,
            world=self.number,
        )
        together: dict[str, list[EntityRef]] = {}
        for ped in sorted(description.peds, key=lambda one: one.object_id):
            made = self.peds.spawn(traits_of(ped), ped.position, ped.yaw_rad, ped.object_id)
            group = ped.options.get("group")
            if group is not None:
                together.setdefault(str(group), []).append(made.ref)
        for members in together.values():
            self.relations.go_together(members)
        gap_cm = data.locomotion.ped_radius + data.locomotion.ped_gap
        self.vehicle_moves = VehicleMoves(self.things, self.peds, gap_cm)

    def _brain_services(self) -> BrainServices:
        markers = self.description.markers
        return BrainServices(
            data=self.data.brains,
            routes={marker.name: marker.points for marker in markers if len(marker.points) > 1},
            life=WorldLife(self),
            blows=WorldBlows(self),
            speech=self.speech,
            hashing=self.strict,
            reports=self.reports,
        )

    # -- the step --------------------------------------------------------------

    def step(self) -> None:
        """Advance by one step of 1/60 s."""
        frame.step(self)

    def enter_phase(self, number: int, name: str) -> None:
        """Called before each phase: dates facts, tells the listener."""
        self.facts.phase = number
        if self.phase_listener is not None:
            self.phase_listener.phase_begins(number, name)

    def begin_step(self) -> None:
        """Start of phase 1."""
        self.pool.activate(self.clock.step)
        self.table.begin_step()
        self.events.scripts.begin_round()
        self.blasts.begin_step()
        self.fires.begin_step()

    def act_for_player(self) -> None:
        """Phase 1: the edits that wait, then what the player asks for once.

        Held controls are their task's.

        The focus goes with the player.
        """
        self.edits.act()
        player = self.peds.local_player
        asked, self.player_controls.shove = self.player_controls.shove, False
        self.last_shove = None
        if player is not None:
            self.focus = player.position
            if asked and player.vehicle_link is None:
                self.last_shove = self.shover.shove(player, self.peds.in_id_order())

    def remove_requested(self) -> None:
        """Phases 8 and 16: peds and things whose removal was asked for leave."""
        self.peds.remove_retired()
        self.things.remove_dying()

    def step_physics(self) -> None:
        """Phase 14: circles of those who stand, two sub-steps, whom something has struck."""
        table = self.table
        slots = self.recovery.standing(table.slots_in_id_order())
        self.grabber.before_physics()
        hooked = self._run_physics_hooks if self.pool.wants_hook(PhaseHook.PHYSICS) else None
        self.physics.step(slots, table.ped_id[slots], table.x[slots], table.y[slots], hooked)
        self.impacts.take(self.physics.struck)
        self.prop_reactions.take(self.physics.jolts)

    def _run_physics_hooks(self, sub_step: int) -> None:
        """One sub-step is about to begin: tasks act on bodies, and may keep theirs awake."""
        for ped in self.peds.in_id_order():
            ped.tasks.process_physics(SUB_STEP_S, sub_step, SUB_STEPS)
        for mind in self.thing_tasks.in_id_order():
            if mind.tasks.process_physics(SUB_STEP_S, sub_step, SUB_STEPS):
                self.physics.keep_awake(mind.thing.ref)

    def run_task_hook(self, hook: PhaseHook) -> None:
        """Walk a phase hook over all peds and things, if any living task has it (TASK-66)."""
        if not self.pool.wants_hook(hook):
            return
        for ped in self.peds.in_id_order():
            ped.tasks.run_hook(hook)
        for mind in self.thing_tasks.in_id_order():
            mind.tasks.run_hook(hook)

    def end_step(self) -> None:
        """Phase 17: events, trace rows, expectations, fingerprint; the step number rises."""
        for ped in self.peds.in_id_order():
            ped.events.end_step()
        step = self.clock.step
        if self.state_trace is not None:
            self.state_trace.record(self.peds.in_id_order(), step)
        self.scene.judge()
        if self.strict:
            check_invariants(self)
        props = self.physics.prop_state()
        self.fingerprint.add_step(
            step, *ped_state(self.table), props.slots, props.state, *self.fires.state()
        )
        self.clock.advance()

    def close(self) -> None:
        """Give everything back; the world is over."""
        self.knock_downs.close()
        self.grabber.let_go()
        self.peds.close()
        self.events.global_events.clear()
        self.thing_tasks.close()
        self.scripts.sequences.clear_all()
        self.physics.close()


def room_for_peds(description: LevelDescription, spawned: int = 0) -> int:
    """Pool slots for a level's peds, for those that its cues may spawn, and spare ones."""
    return len(description.peds) + spawned + SPARE_PEDS


def traits_of(ped: PedDescription) -> PedTraits:
    """What a level says of a ped, as the mind wants it."""
    return PedTraits(
        name=ped.name,
        model=ped.model,
        named_default_task=ped.default_task,
        outfit=ped.outfit,
        walk_speed_cm_s=ped.walk_speed_cm_s,
        is_local_player=bool(ped.options.get("player", False)),
        immortal=bool(ped.options.get("immortal", False)),
        behaviour=ped.behaviour or "guard",
        route=ped.route,
    )


class _PedLookup:
    """Finds peds for the orders, which are wired before the peds are."""

    def __init__(self, world: World) -> None:
        self._world = world

    def resolve(self, ref: EntityRef) -> Ped | None:
        """The ped of a handle, or None for a stale one."""
        return self._world.peds.resolve(ref)
