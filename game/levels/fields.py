"""What levels may look at: named fields of peds and objects, and how each is read (LVL-11).

A field has a kind, so that a comparison that could never hold is refused when
the level is loaded. Reading changes nothing. Positions in cm, angles in degrees,
times in s.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum

from ai.behaviours.order_record import OrderState, OrderStatus
from ai.machines.hsm.machine import StateMachine
from ai.motion.movement_table import ClipPhase, MoveReason, MoveStatus, SpeedMode
from ai.motion.recovery.phases import RecoveryPhase
from ai.ports import ObjectTransform, Vec3
from game.levels.comparisons import NUMBER_COMPARISONS, Comparison, Value
from game.levels.errors import suggestion
from game.levels.stage import LevelView, WatchedPed

_NOT_STARTED = OrderStatus.NOT_STARTED


class FieldKind(StrEnum):
    """What a field reads as."""

    NUMBER = "number"
    FLAG = "true or false"
    WORD = "word"


class Sight:
    """One subject as fields read it: where it is now, and where it was.

    - ``ped`` is None for an object, and while the ped is not there; ``pose`` the other
      way round.
    - ``previous`` is where it was at the last look, None at the first.
    - ``origin`` is what ``drift`` counts from; whoever reads sets it.
    """

    __slots__ = (
        "_name",
        "_of_ped",
        "_order",
        "_order_read",
        "body_free",
        "origin",
        "ped",
        "pose",
        "position",
        "previous",
    )

    def __init__(self, view: LevelView, name: str, *, of_ped: bool) -> None:
        self._name = name
        self._of_ped = of_ped
        self.body_free = view.body_free
        self.ped: WatchedPed | None = None
        self._order: OrderState | None = None
        self._order_read = False
        self.pose: ObjectTransform | None = None
        self.position: Vec3 | None = None
        self.origin: Vec3 | None = None
        self.look(view)
        self.previous: Vec3 | None = None

    def look(self, view: LevelView) -> None:
        """Bring everything up to the present; called once a step by a watcher of every step."""
        self.previous = self.position
        self._order_read = False
        if self._of_ped:
            ped = self.ped = view.ped(self._name)
            self.position = None if ped is None else ped.movement.position
        else:
            self.pose = view.pose(self._name)
            self.position = None if self.pose is None else self.pose.position

    @property
    def order(self) -> OrderState | None:
        """The ped's order, read once for all fields of a look; None without a ped."""
        if not self._order_read:
            self._order = None if self.ped is None else self.ped.order
            self._order_read = True
        return self._order


@dataclass(frozen=True, slots=True)
class Field:
    """One field.

    - ``words`` are what a word may be; without any it is for other checks to say.
    - ``relative``: it compares with an earlier step, so that only expectations know it.
    """

    kind: FieldKind
    read: Callable[[Sight], Value]
    words: frozenset[str] = frozenset()
    relative: bool = False

    def misuse(self, comparison: Comparison) -> str | None:
        """Why a comparison makes no sense for this field, or None."""
        wanted = comparison.equality_value()
        if wanted is None:
            uses_numbers = any(key in NUMBER_COMPARISONS for key in comparison.given())
            if uses_numbers and self.kind is not FieldKind.NUMBER:
                return f"is a {self.kind}; compare it with 'is'"
            return None
        if self.kind is FieldKind.WORD:
            if not isinstance(wanted, str) or (self.words and wanted not in self.words):
                return f"is never {wanted!r}; {suggestion(str(wanted), self.words)}"
        elif self.kind is FieldKind.FLAG:
            if not isinstance(wanted, bool):
                return f"is true or false, never {wanted!r}"
        elif isinstance(wanted, bool | str):
            return f"is a number, never {wanted!r}"
        return None


def _names(members: type[Enum]) -> frozenset[str]:
    return frozenset(member.name for member in members)


# -- readers of peds -----------------------------------------------------------


def _order_status(sight: Sight) -> Value:
    return None if sight.order is None else sight.order.status.name


def _order_count(name: str) -> Callable[[Sight], Value]:
    def read(sight: Sight) -> Value:
        if sight.order is None:
            return None
        return int(getattr(sight.order, name))

    return read


def _last_failure(sight: Sight) -> Value:
    if sight.order is None:
        return None
    failure = sight.order.last_failure
    return MoveReason.NONE.name if failure is None else failure.name


def _order_goal(axis: int) -> Callable[[Sight], Value]:
    def read(sight: Sight) -> Value:
        if sight.order is None or not _has_begun(sight.order):
            return None
        return sight.order.goal[axis]

    return read


def _has_begun(order: OrderState) -> bool:
    """False for the blank record of a ped that never had an order."""
    return order.status is not _NOT_STARTED


def _movement(name: str) -> Callable[[Sight], Value]:
    def read(sight: Sight) -> Value:
        if sight.ped is None:
            return None
        value = getattr(sight.ped.movement, name)
        return value.name if isinstance(value, Enum) else value

    return read


def _suspended(sight: Sight) -> Value:
    return None if sight.ped is None else bool(sight.ped.movement.suspend)


def _standing(sight: Sight) -> Value:
    return None if sight.ped is None else sight.ped.movement.stand_until is not None


def _path_left(ped: WatchedPed) -> float:
    """Length of what is left of the way, from where the ped is."""
    movement = ped.movement
    left = 0.0
    here = movement.position
    for point in movement.path[movement.corner :]:
        left += math.hypot(point.x - here.x, point.y - here.y)
        here = point
    return left


def _path_length(sight: Sight) -> Value:
    """Length of the whole way to the present goal: walked so far and still to walk."""
    if sight.ped is None or not sight.ped.movement.path:
        return None
    return sight.ped.movement.travelled + _path_left(sight.ped)


def _goal_distance(sight: Sight) -> Value:
    if sight.ped is None or sight.order is None:
        return None
    goal = sight.order.goal if _has_begun(sight.order) else sight.ped.movement.goal
    return math.dist(sight.ped.movement.position, goal)


def _path_end_distance(sight: Sight) -> Value:
    if sight.ped is None or not sight.ped.movement.path:
        return None
    return math.dist(sight.ped.movement.position, sight.ped.movement.path[-1])


def _clip_phase(sight: Sight) -> Value:
    return None if sight.ped is None else ClipPhase(sight.ped.movement.clip.phase).name


def _recovery_phase(sight: Sight) -> Value:
    if sight.ped is None:
        return None
    record = sight.ped.recovery
    return (RecoveryPhase.INACTIVE if record is None else record.phase).name


def _recovery(name: str) -> Callable[[Sight], Value]:
    """A figure of the recovery session; nothing while the body is the ped's own."""

    def read(sight: Sight) -> Value:
        record = None if sight.ped is None else sight.ped.recovery
        if record is None:
            return None
        value: float = getattr(record, name)
        return value

    return read


def _health(sight: Sight) -> Value:
    return None if sight.ped is None else sight.ped.health.value


def _machine(read: Callable[[StateMachine], Value]) -> Callable[[Sight], Value]:
    """Something of the machine that the ped's default task runs."""

    def of_sight(sight: Sight) -> Value:
        brain = None if sight.ped is None else sight.ped.brain
        if brain is None or not isinstance(brain.mind, StateMachine):
            return None
        return read(brain.mind)

    return of_sight


def _mode(machine: StateMachine) -> Value:
    active = machine.record.active
    return "" if active is None else active.path


def _resources_held(machine: StateMachine) -> Value:
    return machine.context.ledger.held_bits().bit_count()


def _inside_shape(sight: Sight) -> Value:
    return None if sight.position is None else not sight.body_free(sight.position)


# -- readers of peds and objects alike -------------------------------------------


def _place(axis: int) -> Callable[[Sight], Value]:
    def read(sight: Sight) -> Value:
        return None if sight.position is None else sight.position[axis]

    return read


def _yaw(sight: Sight) -> Value:
    if sight.ped is not None:
        return math.degrees(sight.ped.movement.yaw)
    return None if sight.pose is None else math.degrees(sight.pose.yaw_rad)


def _drift(sight: Sight) -> Value:
    if sight.position is None or sight.origin is None:
        return None
    return math.dist(sight.position, sight.origin)


def _step_length(sight: Sight) -> Value:
    if sight.position is None or sight.previous is None:
        return None
    return math.hypot(sight.position.x - sight.previous.x, sight.position.y - sight.previous.y)


def _present(sight: Sight) -> Value:
    return sight.position is not None


_PLACES: Mapping[str, Field] = {
    "position.x": Field(FieldKind.NUMBER, _place(0)),
    "position.y": Field(FieldKind.NUMBER, _place(1)),
    "position.z": Field(FieldKind.NUMBER, _place(2)),
    "yaw_deg": Field(FieldKind.NUMBER, _yaw),
    "present": Field(FieldKind.FLAG, _present),
    "drift": Field(FieldKind.NUMBER, _drift, relative=True),
    "step_length": Field(FieldKind.NUMBER, _step_length, relative=True),
}

OBJECT_FIELDS: Mapping[str, Field] = _PLACES
"""Fields of objects; ``drift`` counts from the window's start, ``step_length`` is this step's."""

PED_FIELDS: Mapping[str, Field] = {
    **_PLACES,
    "order.status": Field(FieldKind.WORD, _order_status, _names(OrderStatus)),
    "order.session": Field(FieldKind.NUMBER, _order_count("session")),
    "order.instruction_count": Field(FieldKind.NUMBER, _order_count("instruction_count")),
    "order.failure_count": Field(FieldKind.NUMBER, _order_count("failure_count")),
    "order.last_failure": Field(FieldKind.WORD, _last_failure, _names(MoveReason)),
    "order.goal_x": Field(FieldKind.NUMBER, _order_goal(0)),
    "order.goal_y": Field(FieldKind.NUMBER, _order_goal(1)),
    "movement.status": Field(FieldKind.WORD, _movement("status"), _names(MoveStatus)),
    "movement.reason": Field(FieldKind.WORD, _movement("reason"), _names(MoveReason)),
    "movement.speed_mode": Field(FieldKind.WORD, _movement("speed_mode"), _names(SpeedMode)),
    "movement.generation": Field(FieldKind.NUMBER, _movement("generation")),
    "movement.retry_count": Field(FieldKind.NUMBER, _movement("retry_count")),
    "movement.replans_total": Field(FieldKind.NUMBER, _movement("replans_total")),
    "movement.stale_replies": Field(FieldKind.NUMBER, _movement("stale_replies")),
    "movement.blocked_time": Field(FieldKind.NUMBER, _movement("blocked_time")),
    "movement.measured_speed": Field(FieldKind.NUMBER, _movement("measured_speed")),
    "movement.travelled": Field(FieldKind.NUMBER, _movement("travelled")),
    "movement.path_length": Field(FieldKind.NUMBER, _path_length),
    "movement.command_hold": Field(FieldKind.FLAG, _movement("command_hold")),
    "movement.standing": Field(FieldKind.FLAG, _standing),
    "movement.suspended": Field(FieldKind.FLAG, _suspended),
    "distance.goal": Field(FieldKind.NUMBER, _goal_distance),
    "distance.path_end": Field(FieldKind.NUMBER, _path_end_distance),
    "clip.phase": Field(FieldKind.WORD, _clip_phase, _names(ClipPhase)),
    "recovery.phase": Field(FieldKind.WORD, _recovery_phase, _names(RecoveryPhase)),
    "recovery.session": Field(FieldKind.NUMBER, _recovery("session")),
    "recovery.age": Field(FieldKind.NUMBER, _recovery("age")),
    "recovery.stable_time": Field(FieldKind.NUMBER, _recovery("stable_time")),
    "recovery.blend_time": Field(FieldKind.NUMBER, _recovery("blend_time")),
    "recovery.hit_count": Field(FieldKind.NUMBER, _recovery("hit_count")),
    "health": Field(FieldKind.NUMBER, _health),
    "machine.mode": Field(FieldKind.WORD, _machine(_mode)),
    "machine.target": Field(FieldKind.WORD, _machine(lambda machine: machine.record.target_path)),
    "machine.error": Field(FieldKind.FLAG, _machine(lambda machine: machine.record.error)),
    "machine.resources_held": Field(FieldKind.NUMBER, _machine(_resources_held)),
    "machine.stale": Field(
        FieldKind.NUMBER, _machine(lambda machine: machine.context.ledger.stale)
    ),
    "inside_shape": Field(FieldKind.FLAG, _inside_shape),
}
"""Fields of peds."""


def field_of(name: str, *, of_ped: bool) -> Field | None:
    """The field of that name, or None."""
    return (PED_FIELDS if of_ped else OBJECT_FIELDS).get(name)


def field_names(*, of_ped: bool) -> Iterator[str]:
    """All names of fields of a ped or of an object."""
    yield from PED_FIELDS if of_ped else OBJECT_FIELDS
