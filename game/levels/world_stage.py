"""A world as levels meet it, by the names of the map: ``LevelStage`` and ``LevelView`` in one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ai.behaviours.order_commands import (
    CancelOrder,
    ContinueOrder,
    HoldOrder,
    OrderCommand,
    RedirectOrder,
    RedirectOrderTo,
    StartOrder,
    StartOrderAt,
)
from ai.behaviours.order_record import OrderStatus
from ai.behaviours.safe_record import SafeRefusal
from ai.events.types import EventType
from ai.machines.hsm.machine import StateMachine
from ai.navigation.flee_points import FleeRefused
from ai.peds.ped import Ped
from ai.peds.weapons import Weapon
from ai.ports import EntityRef, Impact, ObjectTransform, Vec3
from game.levels.script_forms import ScriptTask
from game.levels.script_tasks import ScriptGiver
from game.levels.showing import Captions, LevelCamera
from game.world.description import PedDescription, ThingDescription
from game.world.fire.flames import Wind
from game.world.handles import PoolExhausted
from game.world.impacts import Strike
from game.world.shove import ShoveOutcome
from game.world.thing_checks import ThingRefused
from game.world.world import World, traits_of

BODY_TOUCH_CM = 0.001
"""A place that was free when a body took it stays free after rounding."""


class WorldStage:
    """Cues act on a world through this, and expectations look at it.

    - Commands are queued; ``refusals`` tells after the drain which of them failed.
    - Order sources are made when first named and live as long as the world.
    - The map's markers are targets of orders like things.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._sources: dict[str, EntityRef] = {}
        self._markers: dict[str, EntityRef] = {
            marker.name: world.objects.create_marker(marker.points[0])
            for marker in world.description.markers
        }
        self._cue_of_command: dict[int, str] = {}
        self._log_read = 0
        self._scripts = ScriptGiver(world, self._target)
        self.captions = Captions()
        self.camera = LevelCamera(world.description.camera)

    # -- eyes ----------------------------------------------------------------------

    def ped(self, name: str) -> Ped | None:
        """The ped of that name."""
        return self._world.peds.by_name(name)

    def pose(self, name: str) -> ObjectTransform | None:
        """Where a thing or marker is."""
        ref = self._target(name)
        return None if ref is None else self._world.objects.transform(ref)

    def nearest_ped_cm(self, name: str) -> float | None:
        """Distance to the nearest other ped."""
        ped = self.ped(name)
        if ped is None:
            return None
        here = ped.position
        squares = [
            _distance_squared(other.position, here)
            for other in self._world.peds.in_id_order()
            if other is not ped
        ]
        return math.sqrt(min(squares)) if squares else None

    def people(self) -> int:
        """How many peds there are."""
        return len(self._world.peds.in_id_order())

    def things(self) -> int:
        """How many things there are."""
        return len(self._world.things)

    def fingerprint(self) -> str:
        """The hash over all states up to the last step."""
        return self._world.fingerprint.hexdigest()

    def body_free(self, position: Vec3) -> bool:
        """True if a standing body there stays out of solid shapes."""
        walking = self._world.data.locomotion
        return self._world.clearance.circle_free(
            position.x,
            position.y,
            walking.ped_radius - BODY_TOUCH_CM,
            walking.body_low,
            walking.ped_height,
        )

    def refusals(self) -> Iterator[tuple[str, str]]:
        """Cue and reason of each of its commands that was refused since the last call."""
        log = self._world.orders.log
        while self._log_read < len(log):
            line = log[self._log_read]
            self._log_read += 1
            cue = self._cue_of_command.pop(line.sequence, None)
            if cue is not None and not line.reply.accepted:
                yield cue, f"{line.reply.reason.name} {line.reply.detail}".rstrip()

    # -- orders --------------------------------------------------------------------

    def order_start_object(
        self, cue: str, ped: str, target: str, offset: Vec3, source: str, track: bool
    ) -> str | None:
        """Order a ped to a point in an object's own axes."""
        found, ref = self.ped(ped), self._target(target)
        if found is None or ref is None:
            return _gone(ped if found is None else target)
        self._submit(cue, StartOrder(found.ref, ref, offset, self._source(source), track))
        return None

    def order_start_point(self, cue: str, ped: str, point: Vec3, source: str) -> str | None:
        """Order a ped to a place."""
        found = self.ped(ped)
        if found is None:
            return _gone(ped)
        self._submit(cue, StartOrderAt(found.ref, point, self._source(source)))
        return None

    def order_hold(self, cue: str, ped: str) -> str | None:
        """Hold the ped's order."""
        return self._command(cue, ped, HoldOrder)

    def order_continue(self, cue: str, ped: str) -> str | None:
        """Continue the ped's order."""
        return self._command(cue, ped, ContinueOrder)

    def order_cancel(self, cue: str, ped: str) -> str | None:
        """Cancel the ped's order."""
        return self._command(cue, ped, CancelOrder)

    def order_redirect_object(
        self, cue: str, ped: str, target: str, offset: Vec3, track: bool
    ) -> str | None:
        """Redirect the ped's order to another object."""
        ref = self._target(target)
        if ref is None:
            return _gone(target)
        return self._command(
            cue, ped, lambda who, session: RedirectOrder(who, session, ref, offset, track)
        )

    def order_redirect_point(self, cue: str, ped: str, point: Vec3) -> str | None:
        """Redirect the ped's order to a place."""
        return self._command(cue, ped, lambda who, session: RedirectOrderTo(who, session, point))

    # -- things and peds -----------------------------------------------------------

    def thing_spawn(self, thing: ThingDescription, over: str | None) -> str | None:
        """Put a thing into the world under the next free id."""
        if over is not None:
            ped = self.ped(over)
            if ped is None:
                return _gone(over)
            thing = replace(thing, position=ped.position._replace(z=thing.position.z))
        try:
            self._world.things.spawn(replace(thing, object_id=self._world.things.free_id()))
        except (ThingRefused, PoolExhausted) as error:
            return str(error)
        return None

    def thing_remove(self, name: str) -> str | None:
        """Ask for a thing's removal."""
        thing = self._world.things.by_name(name)
        if thing is None or not self._world.things.request_removal(thing.ref):
            return _gone(name)
        return None

    def thing_move(self, name: str, position: Vec3, yaw_rad: float | None) -> str | None:
        """Put a thing somewhere else, at rest."""
        things = self._world.things
        thing = things.by_name(name)
        pose = None if thing is None else things.transform(thing.ref)
        if thing is None or pose is None:
            return _gone(name)
        yaw = pose.yaw_rad if yaw_rad is None else yaw_rad
        place = Vec3(position.x, position.y, pose.position.z)
        return None if things.place(thing.ref, place, yaw) else f"'{name}' can't be moved"

    def vehicle_move(self, name: str, position: Vec3, speed_cm_s: float) -> str | None:
        """Send a vehicle on its way."""
        thing = self._world.things.by_name(name)
        if thing is None or not self._world.vehicle_moves.start(thing.ref, position, speed_cm_s):
            return _gone(name)
        return None

    def ped_spawn(self, ped: PedDescription) -> str | None:
        """Put a ped onto the ground there, unless somebody stands in its place."""
        world = self._world
        walking = world.data.locomotion
        ground = world.surface.project(ped.position.x, ped.position.y, walking.step_shift)
        if ground is None:
            return "the place is off walkable ground"
        place = Vec3(ground.x, ground.y, ground.z)
        if not self.body_free(place):
            return "the place is taken by a thing"
        spacing = 2.0 * walking.ped_radius + walking.ped_gap
        for other in world.peds.in_id_order():
            if _distance_squared(other.position, place) < spacing * spacing:
                return f"the place is taken by '{other.name}'"
        try:
            world.peds.spawn(traits_of(ped), place, ped.yaw_rad)
        except PoolExhausted as error:
            return str(error)
        return None

    def impact(
        self, ped: str, impulse: float, heading_rad: float, up: float, part: str
    ) -> str | None:
        """Hit a ped; nobody is the source of what a cue throws (RAG-14)."""
        found = self.ped(ped)
        if found is None:
            return _gone(ped)
        push = impulse * math.cos(heading_rad), impulse * math.sin(heading_rad)
        came_to = self._world.impacts.strike(found, Impact(push, up, part))
        return None if came_to >= Strike.STUMBLE else came_to.name

    def blast(self, at: Vec3, strength: float, radius_cm: float | None) -> None:
        """Something blows up; nobody is the source of it."""
        self._world.blasts.explode(at, strength=strength, radius_cm=radius_cm)

    # -- fleeing -------------------------------------------------------------------

    def flee_from(
        self, ped: str, at: Vec3 | None, beside: Vec3 | None, target: str | None, safe_cm: float
    ) -> str | None:
        """Have a ped flee; where many ask in one step its turn may come later."""
        found = self.ped(ped)
        if found is None:
            return _gone(ped)
        spot: EntityRef | Vec3 | None = at
        if beside is not None:
            here = found.position
            spot = Vec3(here.x + beside.x, here.y + beside.y, here.z)
        elif target is not None:
            spot = self._target(target)
            if spot is None:
                return _gone(target)
        assert spot is not None
        reply = self._world.safe.flee_from(found, (spot,), safe_cm)
        if isinstance(reply, SafeRefusal):
            return reply.name
        if isinstance(reply, FleeRefused):
            return (
                f"NO_FLEE_POINT ({', '.join(f'{n} by {why}' for why, n in reply.dropped.items())})"
            )
        return None

    def threat_move(self, ped: str, position: Vec3) -> str | None:
        """Put the place that a ped flees from somewhere else."""
        found = self.ped(ped)
        if found is None:
            return _gone(ped)
        moved = self._world.safe.move_threat(found.ref, position)
        return None if moved else f"'{ped}' flees from no place"

    # -- what shocks ---------------------------------------------------------------

    def fire_light(
        self, position: Vec3, radius_cm: float, burns_s: float | None, spreads: bool
    ) -> None:
        """A spot begins to burn."""
        self._world.fires.light(position, radius_cm, burns_s=burns_s, steady=not spreads)

    def fire_burn(self, name: str) -> str | None:
        """A thing catches fire."""
        thing = self._world.things.by_name(name)
        if thing is None:
            return _gone(name)
        return None if self._world.fires.light_thing(thing) else f"'{name}' does not burn"

    def fire_out(self, position: Vec3 | None, radius_cm: float) -> None:
        """Water, or the end of all fires."""
        if position is None:
            self._world.fires.put_out_all()
        else:
            self._world.fires.douse(position, radius_cm)

    def wind(self, x: float, y: float) -> None:
        """The wind changes."""
        self._world.fires.wind = Wind(x, y)

    def bang(self, position: Vec3 | None, ped: str | None, radius_cm: float) -> str | None:
        """A bang at a place, or where a ped is, who makes it."""
        if ped is None:
            assert position is not None
            self._world.happenings.bang(position, radius_cm)
            return None
        found = self.ped(ped)
        if found is None:
            return _gone(ped)
        self._world.happenings.bang(found.position, radius_cm, found.ref)
        return None

    def weapon(self, ped: str, state: str) -> str | None:
        """A ped draws, aims or puts away."""
        found = self.ped(ped)
        if found is None:
            return _gone(ped)
        found.weapon = Weapon(state)
        return None

    def shock(
        self, kind: str, position: Vec3 | None, ped: str | None, target: str | None
    ) -> str | None:
        """The street's own event of this kind; a ped or an object is its source."""
        source = None
        if ped is not None:
            found = self.ped(ped)
            if found is None:
                return _gone(ped)
            position, source = found.position, found.ref
        elif target is not None:
            source = self._target(target)
            pose = self.pose(target)
            if source is None or pose is None:
                return _gone(target)
            position = pose.position
        assert position is not None
        event_type = EventType[f"SHOCKING_{kind.upper()}"]
        made = self._world.events.global_events.shock(event_type, position, source=source)
        return None if made is not None else "the street has no room for another event"

    def ped_shove(self, ped: str, impulse: float | None) -> str | None:
        """Have a ped shove what stands in front of it."""
        found = self.ped(ped)
        if found is None:
            return _gone(ped)
        shove = self._world.shover.shove(found, self._world.peds.in_id_order(), impulse)
        return None if shove.outcome is ShoveOutcome.SHOVED else shove.outcome.name

    def machine_request(self, ped: str, state: str) -> str | None:
        """Queue a target request for a ped's machine."""
        found = self.ped(ped)
        if found is None:
            return _gone(ped)
        brain = found.brain
        if brain is None or not isinstance(brain.mind, StateMachine):
            return f"'{ped}' runs no machine"
        if state not in brain.mind.definition.states:
            return f"the machine of '{ped}' has no state '{state}'"
        brain.request(state)
        return None

    def ped_remove(self, name: str) -> str | None:
        """Retire a ped."""
        found = self.ped(name)
        if found is None or not self._world.peds.request_removal(found.ref):
            return _gone(name)
        return None

    # -- scripts -------------------------------------------------------------------

    def script_command(self, ped: str, task: ScriptTask, source: str) -> str | None:
        """Have a ped do something."""
        found = self.ped(ped)
        if found is None:
            return _gone(ped)
        return self._scripts.give(
            found, (task,), self._source(source), sequence=False, repeat=False
        )

    def script_sequence(
        self, ped: str, tasks: Sequence[ScriptTask], source: str, repeat: bool
    ) -> str | None:
        """Have a ped do one thing after another."""
        found = self.ped(ped)
        if found is None:
            return _gone(ped)
        return self._scripts.give(found, tasks, self._source(source), sequence=True, repeat=repeat)

    # -- showing -------------------------------------------------------------------

    def caption(self, text: str, duration_s: float) -> None:
        """Show a line of text."""
        self.captions.show(text, self._world.clock.step, duration_s)

    def camera_move(self, position: Vec3, zoom_px_per_cm: float | None, over_s: float) -> None:
        """Move the level's camera."""
        self.camera.move_to(position, zoom_px_per_cm, over_s)

    # -- inside --------------------------------------------------------------------

    def _target(self, name: str) -> EntityRef | None:
        thing = self._world.things.by_name(name)
        return self._markers.get(name) if thing is None else thing.ref

    def _source(self, name: str) -> EntityRef:
        if name not in self._sources:
            self._sources[name] = self._world.sources.create(name)
        return self._sources[name]

    def _command(
        self, cue: str, ped: str, command: Callable[[EntityRef, int], OrderCommand]
    ) -> str | None:
        found = self.ped(ped)
        if found is None:
            return _gone(ped)
        if found.order.status is OrderStatus.NOT_STARTED:
            return f"'{ped}' has no order"
        self._submit(cue, command(found.ref, found.order.session))
        return None

    def _submit(self, cue: str, command: OrderCommand) -> None:
        self._cue_of_command[self._world.actions.submit(command)] = cue


def _gone(name: str) -> str:
    return f"'{name}' is not there"


def _distance_squared(one: Vec3, other: Vec3) -> float:
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2
