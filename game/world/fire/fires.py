"""Fire as a thing of the world: what burns, what catches, what falls in, who is hurt (EVT-38).

Phase 3 of every step: flames grow and die; every few steps heat goes over to what is near,
smoke drifts, and what was burnt down collapses. The happenings hold the same fires as facts
for whoever looks at the street; water puts out both.
"""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ai.events.types import EventType
from ai.ports import STEP_S, EntityRef, Impact, Vec3
from game.world.fire.dangers import Dangers
from game.world.fire.flames import Flags, Flames, Floats, Wind, ember_lands, heat_of
from game.world.fire.smoke import Smoke
from game.world.outlines import bounding_radius
from game.world.prop_reactions import EXPLOSIVE

if TYPE_CHECKING:
    from game.world.fire.tuning import FireTuning
    from game.world.things import Thing
    from game.world.world import World

FIRES_MAX: Final = 256
"""More than this do not burn at once: what would catch waits."""

LEAST_THING_CM: Final = 30.0
"""Flames of the smallest thing reach so far."""

APART_CM: Final = 400.0
"""A fire that another one kindled is news of its own from this far on."""

HURTS_EVERY_STEPS: Final = 60
ASHES: Final = "ashes"
BURNING: Final = "burning"
"""The option of a map that has a thing burn from the start."""


class Doused(NamedTuple):
    """Water that fell in the present step: where and how wide, and how much it put out."""

    at: Vec3
    radius_cm: float
    put_out: int


class Combustibles:
    """The things that may catch fire: all rows (n,), in object-id order."""

    def __init__(self, things: list[Thing], ignites: Floats, radius: Floats, slots: Floats) -> None:
        self.things = things
        self.ignites = ignites
        self.radius = radius
        self.slots = slots.astype(np.int64)


class Fires:
    """All fire of one world.

    - ``char_of``: share of its fuel that a thing which burns, or did, has lost.
    - ``doused``: water of the present step, for whoever shows it.
    - Only what another fire or an ember kindles draws random numbers, of a stream of its own.
    """

    def __init__(self, world: World, tuning: FireTuning, wind: Wind, rng: random.Random) -> None:
        self._world = world
        self._tuning = tuning
        self._rng = rng
        self.wind = wind
        self.flames = Flames()
        self.dangers = Dangers(world.shapes, tuning.danger)
        description = world.description
        self.smoke = Smoke(description.width_cm, description.height_cm, tuning.smoke)
        self.char_of: dict[EntityRef, float] = {}
        self.doused: list[Doused] = []
        self.burnt: list[tuple[Vec3, float]] = []
        self._heat: dict[int, float] = {}
        self._jitter: dict[int, float] = {}
        self._cooking: dict[EntityRef, int] = {}
        self._burning_things: dict[int, Thing] = {}
        self._listed: tuple[Thing, ...] = ()
        self._may_burn = Combustibles([], np.empty(0), np.empty(0), np.empty(0))
        self._ever = False

    def __len__(self) -> int:
        return len(self.flames)

    # -- making and ending ---------------------------------------------------------

    def light(
        self,
        at: Vec3,
        radius_cm: float,
        *,
        burns_s: float | None = None,
        steady: bool = False,
    ) -> int:
        """Light bare ground, and whatever may burn and stands there; returns the fire's number.

        ``steady``: full at once, for ``burns_s`` or for good, and spreads nothing. Else it grows
        and burns what ``burns_s`` says, or the usual fuel. Raises ``ValueError`` for a radius
        or time that is not over 0.
        """
        if burns_s is not None and not burns_s > 0.0:
            raise ValueError(f"a fire needs a time over 0 s, not {burns_s}")
        number = self._world.happenings.light_fire(at, radius_cm)
        fuel = burns_s
        if fuel is None:
            fuel = math.inf if steady else self._tuning.flame.lit_fuel_s
        self.flames.add(number, (at.x, at.y), radius_cm, fuel, steady=steady)
        self._ever = True
        if not steady:
            self._light_what_stands(at, radius_cm)
        return number

    def light_thing(self, thing: Thing, *, kindled: bool = False) -> bool:
        """A thing catches fire; False if it burns already, or nothing of it can burn."""
        if thing.dying or thing.ref.slot in self.flames.thing_slot:
            return False
        if _is_explosive(thing):
            return self._cook(thing)
        fuel = self._tuning.burns.get(thing.kind.material) if _may_burn(thing) else None
        if fuel is None or len(self.flames) >= FIRES_MAX or self.char_of.get(thing.ref, 0.0) > 0.9:
            return False
        x, y = self._world.things.state[thing.ref.slot, :2].tolist()
        reach = max(0.8 * bounding_radius(thing.outline), LEAST_THING_CM)
        at = Vec3(x, y, thing.z_cm)
        number = self._world.happenings.light_fire(at, reach, source=thing.ref, quiet=kindled)
        whole = fuel.burns_for_s(thing.mass_kg)
        self.flames.add(
            number,
            (x, y),
            reach,
            whole * (1.0 - self.char_of.get(thing.ref, 0.0)),
            thing_slot=thing.ref.slot,
            kindled=kindled,
            whole_fuel_s=whole,
        )
        self._burning_things[number] = thing
        self._ever = True
        return True

    def light_marked(self) -> None:
        """The level begins: what its map calls burning does."""
        for thing in self._world.things.in_id_order():
            if thing.options.get(BURNING) is True:
                self.light_thing(thing)

    def douse(self, at: Vec3, radius_cm: float) -> int:
        """Water on a round place: wets fires and things, puts out people; how many it reached."""
        flames, water_s = self.flames, self._tuning.flame.water_s
        inside = np.hypot(flames.x - at.x, flames.y - at.y) <= radius_cm + flames.radius()
        flames.wet[inside] = water_s
        reached = int(inside.sum())
        for row, thing in enumerate(self._combustibles().things):
            x, y = self._world.things.state[thing.ref.slot, :2].tolist()
            if math.hypot(x - at.x, y - at.y) <= radius_cm + self._may_burn.radius[row]:
                self._heat[thing.object_id] = -water_s
                reached += self._cooking.pop(thing.ref, None) is not None
        for one in self._world.burning.all():
            ped = self._world.peds.resolve(one.ref)
            if ped is None:
                continue
            away = math.hypot(ped.position.x - at.x, ped.position.y - at.y)
            if away <= radius_cm + self._tuning.person.radius:
                reached += self._world.burning.put_out(one.ref)
        self.doused.append(Doused(at, radius_cm, reached))
        return reached

    def put_out_all(self) -> int:
        """Every fire is out at once; returns how many there were."""
        count = len(self.flames)
        for number in self.flames.number.tolist():
            self._world.happenings.put_out(number)
        self.flames.keep(np.zeros(count, dtype=np.bool_))
        self._burning_things.clear()
        self._cooking.clear()
        return count

    # -- the step -------------------------------------------------------------------

    def begin_step(self) -> None:
        """Start of phase 1: the water of the last step has fallen."""
        if self.doused:
            self.doused = []
        if self.burnt:
            self.burnt = []

    def advance(self) -> None:
        """Phase 3: flames, heat, smoke, ruins, burns."""
        self._burn_people()
        if not self._ever and not len(self._world.burning):
            return
        step = self._world.clock.step
        if len(self.flames):
            self._follow_things()
            self._go_out(self.flames.burn(STEP_S, self._tuning.flame))
            self._tell_sizes()
        if self._cooking:
            self._cook_off(step)
        every = self._tuning.spread.every_steps
        if step % every == 0:
            self._spread(every * STEP_S)
            at, strength = self._smoking()
            self.smoke.advance(at, strength, self.wind, every * STEP_S)
        if step % self._tuning.danger.every_steps == 0:
            flames = self.flames
            self.dangers.follow(flames.x, flames.y, flames.reach)

    def state(self) -> tuple[Floats, ...]:
        """What the fingerprint takes; nothing while there has never been a fire."""
        if not self._ever:
            return ()
        flames = self.flames
        return flames.x, flames.y, flames.strength, flames.fuel, flames.wet

    # -- inside ----------------------------------------------------------------------

    def _light_what_stands(self, at: Vec3, radius_cm: float) -> None:
        things, may_burn = self._world.things, self._combustibles()
        for row, thing in enumerate(may_burn.things):
            x, y = things.state[thing.ref.slot, :2].tolist()
            if math.hypot(x - at.x, y - at.y) <= 0.5 * radius_cm + 0.7 * may_burn.radius[row]:
                self.light_thing(thing, kindled=True)

    def _combustibles(self) -> Combustibles:
        """What may catch, listed anew when things have come or gone."""
        listed = self._world.things.in_id_order()
        if listed is not self._listed:
            self._listed = listed
            found: list[Thing] = []
            ignites: list[float] = []
            for thing in listed:
                fuel = self._tuning.burns.get(thing.kind.material)
                if _is_explosive(thing):
                    ignites.append(self._tuning.barrel.heats_s)
                elif fuel is not None and _may_burn(thing):
                    ignites.append(fuel.ignites_s)
                else:
                    continue
                found.append(thing)
            self._may_burn = Combustibles(
                found,
                np.array(ignites),
                np.array([0.8 * bounding_radius(one.outline) for one in found]),
                np.array([float(one.ref.slot) for one in found]),
            )
        return self._may_burn

    def _follow_things(self) -> None:
        """Fires go with what burns; what is gone burns no more."""
        flames, things = self.flames, self._world.things
        for number, thing in list(self._burning_things.items()):
            if thing.dying or things.get(thing.ref) is not thing:
                del self._burning_things[number]
                flames.fuel[flames.number == number] = 0.0
                flames.strength[flames.number == number] = 0.0
                flames.thing_slot[flames.number == number] = -1
        on_thing = np.flatnonzero(flames.thing_slot >= 0)
        if len(on_thing):
            slots = flames.thing_slot[on_thing]
            flames.x[on_thing] = things.state[slots, 0]
            flames.y[on_thing] = things.state[slots, 1]

    def _go_out(self, out: Flags) -> None:
        flames = self.flames
        for row in np.flatnonzero(flames.thing_slot >= 0).tolist():
            thing = self._burning_things[flames.number.item(row)]
            spent = 1.0 - flames.fuel.item(row) / flames.whole_fuel.item(row)
            self.char_of[thing.ref] = max(self.char_of.get(thing.ref, 0.0), spent)
            if out[row] and flames.fuel[row] <= 0.0:
                self._collapse(thing)
        if not out.any():
            return
        for row in np.flatnonzero(out).tolist():
            number = flames.number.item(row)
            self._world.happenings.put_out(number)
            self._burning_things.pop(number, None)
            at = Vec3(float(flames.x[row]), float(flames.y[row]))
            self.burnt.append((at, float(flames.reach[row])))
        flames.keep(~out)

    def _collapse(self, thing: Thing) -> None:
        """What is burnt down falls to ashes."""
        world = self._world
        x, y, yaw = world.things.state[thing.ref.slot, :3].tolist()
        if world.things.request_removal(thing.ref):
            world.prop_reactions.leave(ASHES, Vec3(x, y, thing.z_cm), yaw)
            world.happenings.breakage(Vec3(x, y, thing.z_cm))
        self._heat.pop(thing.object_id, None)
        self.char_of.pop(thing.ref, None)

    def _tell_sizes(self) -> None:
        """The facts of the street follow: place and size of each fire."""
        flames = self.flames
        rows = zip(
            flames.number.tolist(),
            flames.x.tolist(),
            flames.y.tolist(),
            np.maximum(flames.radius(), 1.0).tolist(),
            strict=True,
        )
        for number, x, y, radius in rows:
            self._world.happenings.change_fire(number, x, y, radius)

    def _spread(self, dt_s: float) -> None:
        """Heat goes over to what is near, in object-id order; embers fly."""
        flames, tuning = self.flames, self._tuning
        may_burn = self._combustibles()
        gives = ~flames.steady
        at = np.stack((flames.x[gives], flames.y[gives]), axis=1)
        radius, strength = flames.radius()[gives], flames.strength[gives]
        people = [self._world.peds.resolve(one.ref) for one in self._world.burning.all()]
        walking = [one.position for one in people if one is not None]
        if walking:
            at = np.concatenate((at, [(place.x, place.y) for place in walking]))
            own = np.full(len(walking), tuning.person.radius)
            radius = np.concatenate((radius, own))
            share = tuning.person.spread_share * tuning.flame.usual_radius / tuning.person.radius
            strength = np.concatenate((strength, np.full(len(walking), share)))
        if not len(at) and not self._heat:
            return
        targets = self._world.things.state[may_burn.slots, :2]
        heat = heat_of(
            at, radius, strength, targets, may_burn.radius, self.wind, tuning.spread,
            tuning.flame.usual_radius,
        )  # fmt: skip
        lit: list[Thing] = []
        for row in np.flatnonzero(heat > 0.01).tolist():
            thing = may_burn.things[row]
            warm = self._heat.get(thing.object_id, 0.0) + heat.item(row) * dt_s
            self._heat[thing.object_id] = warm
            if warm >= may_burn.ignites.item(row) * self._jitter_of(thing):
                lit.append(thing)
        cools = tuning.spread.cools_per_s * dt_s
        for key, warm in list(self._heat.items()):
            cooler = warm - cools if warm > 0.0 else min(warm + dt_s, 0.0)
            if cooler == 0.0 or (warm > 0.0 and cooler <= 0.0):
                del self._heat[key]
            else:
                self._heat[key] = cooler
        for thing in lit:
            self.light_thing(thing, kindled=True)
        self._fly_embers(at[: int(gives.sum())], strength[: int(gives.sum())], dt_s)

    def _fly_embers(self, at: Floats, strength: Floats, dt_s: float) -> None:
        spread = self._tuning.spread
        may_burn = self._combustibles()
        for row in range(len(at)):
            if self._rng.random() >= spread.embers_per_s * strength.item(row) * dt_s:
                continue
            drawn = self._rng.random(), self._rng.random()
            x, y = ember_lands((at.item(row, 0), at.item(row, 1)), self.wind, drawn, spread)
            places = self._world.things.state[may_burn.slots, :2]
            near = np.hypot(places[:, 0] - x, places[:, 1] - y)
            for hit in np.flatnonzero(near <= spread.ember_radius + may_burn.radius).tolist():
                key = may_burn.things[hit].object_id
                self._heat[key] = self._heat.get(key, 0.0) + spread.ember_heat

    def _jitter_of(self, thing: Thing) -> float:
        """What this thing's heat is multiplied with; drawn when first asked for."""
        found = self._jitter.get(thing.object_id)
        if found is None:
            spread = self._tuning.spread.jitter
            found = self._jitter[thing.object_id] = self._rng.uniform(1.0 - spread, 1.0 + spread)
        return found

    def _cook(self, thing: Thing) -> bool:
        """An explosive thing is in the fire."""
        if thing.ref in self._cooking:
            return False
        due = self._world.clock.step + round(self._tuning.barrel.cooks_s / STEP_S)
        self._cooking[thing.ref] = due
        self._ever = True
        x, y = self._world.things.state[thing.ref.slot, :2].tolist()
        self._world.events.global_events.shock(
            EventType.SHOCKING_POTENTIAL_BLAST, Vec3(x, y, thing.z_cm), source=thing.ref
        )
        return True

    def _cook_off(self, step: int) -> None:
        for ref, due in list(self._cooking.items()):
            if due <= step:
                del self._cooking[ref]
                self._world.prop_reactions.light(ref)

    def _smoking(self) -> tuple[Floats, Floats]:
        """Where smoke comes from, and how much of the usual."""
        flames = self.flames
        share = flames.strength * (flames.reach / self._tuning.flame.usual_radius) ** 2
        return np.stack((flames.x, flames.y), axis=1), share

    def _burn_people(self) -> None:
        """Whoever burns is hurt once a second, until it is over (EVT-102)."""
        burning, step = self._world.burning, self._world.clock.step
        if not len(burning):
            return
        for one in burning.all():
            ped = self._world.peds.resolve(one.ref)
            if ped is None or ped.is_dead or step >= one.until_step:
                burning.put_out(one.ref)
            elif step > one.since_step and (step - one.since_step) % HURTS_EVERY_STEPS == 0:
                harm = self._world.data.peds.tuning.damage.burning_per_s
                self._world.impacts.strike(ped, Impact((0.0, 0.0)), harm=harm)


def _may_burn(thing: Thing) -> bool:
    """Props of what burns do; other things only if their kind says so."""
    return thing.dynamic if thing.kind.burns is None else thing.kind.burns


def _is_explosive(thing: Thing) -> bool:
    reacts = thing.kind.reacts
    return reacts is not None and reacts.fuse_s is not None and thing.options.get(EXPLOSIVE) is True
