"""What a player does to the street by hand, as plain data: pushes, blasts, fire, water, grabs.

Edits are actions like order commands: queued by whoever makes them, carried out in
phase 1 of the next step in their order, and written down, so that to queue them again in
their steps repeats the run.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pydantic import ValidationError

from ai.ports import EntityKind, EntityRef, Impact, Vec3
from game.world.fire.fires import FIRES_MAX
from game.world.impacts import Strike

if TYPE_CHECKING:
    from game.world.world import World


class PushPed(NamedTuple):
    """Hit a ped, in kg cm/s."""

    ped: EntityRef
    impulse_xy: tuple[float, float]
    up: float = 0.0
    part: str = "chest"


class PushProp(NamedTuple):
    """Hit a prop at a point of the map, in kg cm/s."""

    prop: EntityRef
    impulse_xy: tuple[float, float]
    at: tuple[float, float]


class SetOffBlast(NamedTuple):
    """Blow something up; ``strength`` as for ``Blasts.explode``."""

    at: Vec3
    strength: float = 1.0


class Grab(NamedTuple):
    """Take hold of a ped or a prop at a point of the map."""

    target: EntityRef
    at: Vec3


class DragTo(NamedTuple):
    """Pull what is held towards a point of the map."""

    place: Vec3


class LetGo(NamedTuple):
    """Open the hand; what was held keeps its speed."""


class LightFire(NamedTuple):
    """Light a fire on the ground, and what may burn there."""

    at: Vec3
    radius_cm: float


class Douse(NamedTuple):
    """Pour water on a round place."""

    at: Vec3
    radius_cm: float


class TuneBodies(NamedTuple):
    """Other figures for who goes limp from now on: ground friction, muscle tone and its damping.

    Within the bounds of ``knockdown.toml``.
    """

    ground_mu: float
    tone_stiffness: float
    tone_damping: float


Edit: TypeAlias = (
    PushPed | PushProp | SetOffBlast | Grab | DragTo | LetGo | LightFire | Douse | TuneBodies
)
EDITS = (PushPed, PushProp, SetOffBlast, Grab, DragTo, LetGo, LightFire, Douse, TuneBodies)


class EditReply(IntEnum):
    """What an edit came to; anything but DONE has changed nothing."""

    DONE = 0
    GONE = 1
    """What it was about is not there any more."""
    TOO_WEAK = 2
    NOT_MOVABLE = 3
    """A thing that physics does not move, or a ped whose body can't be taken over."""
    BAD_NUMBER = 4
    NOTHING_HELD = 5
    TOO_MANY = 6
    """Nothing more may burn at once."""


class EditLine(NamedTuple):
    """An edit that was carried out."""

    step: int
    sequence: int
    edit: Edit
    reply: EditReply


class EditDesk:
    """Takes, orders and writes down edits."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._queue: list[tuple[int, Edit]] = []
        self._last_sequence = 0
        self.log: list[EditLine] = []

    def submit(self, edit: Edit) -> int:
        """Queue an edit for the next phase 1; returns its sequence number."""
        self._last_sequence += 1
        self._queue.append((self._last_sequence, edit))
        return self._last_sequence

    def act(self) -> None:
        """Phase 1: carry out what is queued."""
        queue, self._queue = self._queue, []
        for sequence, edit in queue:
            reply = self._perform(edit)
            self.log.append(EditLine(self._world.clock.step, sequence, edit, reply))

    def _perform(self, edit: Edit) -> EditReply:
        match edit:
            case PushPed():
                return self._push_ped(edit)
            case PushProp():
                return self._push_prop(edit)
            case SetOffBlast():
                if not all(map(math.isfinite, (*edit.at, edit.strength))) or edit.strength < 0.0:
                    return EditReply.BAD_NUMBER
                self._world.blasts.explode(edit.at, strength=edit.strength, source=self._player())
                return EditReply.DONE
            case Grab():
                return self._grab(edit)
            case DragTo():
                return self._world.grabber.drag_to(edit.place)
            case LetGo():
                return self._world.grabber.let_go()
            case LightFire() | Douse():
                return self._fire_or_water(edit)
            case TuneBodies():
                return self._tune(edit)

    def _push_ped(self, edit: PushPed) -> EditReply:
        ped = self._world.peds.resolve(edit.ped)
        if ped is None or ped.retired:
            return EditReply.GONE
        impact = Impact(edit.impulse_xy, edit.up, edit.part, self._player())
        came_to = self._world.impacts.strike(ped, impact)
        if came_to is Strike.BAD_IMPULSE:
            return EditReply.BAD_NUMBER
        done = came_to >= Strike.STUMBLE or ped.is_dead
        return EditReply.DONE if done else EditReply.TOO_WEAK

    def _push_prop(self, edit: PushProp) -> EditReply:
        thing = self._world.things.get(edit.prop)
        if thing is None or thing.dying:
            return EditReply.GONE
        if not all(map(math.isfinite, (*edit.impulse_xy, *edit.at))):
            return EditReply.BAD_NUMBER
        if not thing.dynamic:
            return EditReply.NOT_MOVABLE
        self._world.physics.apply_impulse(edit.prop, edit.impulse_xy, edit.at)
        speed = math.hypot(*edit.impulse_xy) / thing.mass_kg
        self._world.prop_reactions.jolt(thing, speed, self._player())
        return EditReply.DONE

    def _grab(self, edit: Grab) -> EditReply:
        if not all(map(math.isfinite, edit.at)):
            return EditReply.BAD_NUMBER
        if edit.target.kind is EntityKind.PED:
            return self._world.grabber.grab_ped(edit.target, edit.at)
        return self._world.grabber.grab_prop(edit.target, edit.at)

    def _fire_or_water(self, edit: LightFire | Douse) -> EditReply:
        if not all(map(math.isfinite, (*edit.at, edit.radius_cm))) or edit.radius_cm <= 0.0:
            return EditReply.BAD_NUMBER
        if isinstance(edit, Douse):
            self._world.fires.douse(edit.at, edit.radius_cm)
        elif len(self._world.fires) >= FIRES_MAX:
            return EditReply.TOO_MANY
        else:
            self._world.fires.light(edit.at, edit.radius_cm)
        return EditReply.DONE

    def _tune(self, edit: TuneBodies) -> EditReply:
        tuning = self._world.data.knockdown
        ragdoll = tuning.ragdoll.model_dump() | {
            "tone_stiffness": edit.tone_stiffness,
            "tone_damping": edit.tone_damping,
        }
        fall = tuning.fall.model_dump() | {"ground_mu": edit.ground_mu}
        try:
            changed = tuning.model_copy(
                update={
                    "fall": type(tuning.fall).model_validate(fall),
                    "ragdoll": type(tuning.ragdoll).model_validate(ragdoll),
                }
            )
        except ValidationError:
            return EditReply.BAD_NUMBER
        self._world.physics.ragdolls.retune(changed)
        return EditReply.DONE

    def _player(self) -> EntityRef | None:
        player = self._world.peds.local_player
        return None if player is None else player.ref
