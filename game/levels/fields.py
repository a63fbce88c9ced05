"""What levels may look at: named fields of peds, objects and runs, and how each is read (LVL-11).

A field has a kind, so that a comparison that could never hold is refused when
the level is loaded. Reading changes nothing. Positions in cm, angles in degrees,
times in s. What peds have in mind stands in ``mind_fields``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from enum import Enum

from ai.behaviours.order_record import OrderState, OrderStatus
from ai.behaviours.safe_record import SafeResponse, SafeResult, SafeState
from ai.machines.hsm.machine import StateMachine
from ai.motion.movement_table import ClipPhase, MoveReason, MoveStatus, SpeedMode
from ai.motion.recovery.phases import RecoveryPhase
from game.levels.comparisons import Value
from game.levels.field_kinds import Field, FieldKind, names_of
from game.levels.mind_fields import MIND_FIELDS
from game.levels.sight import Sight
from game.levels.stage import WatchedPed
from game.levels.subjects import Of

_NOT_STARTED = OrderStatus.NOT_STARTED


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


def _clip_time(sight: Sight) -> Value:
    return None if sight.ped is None else sight.ped.movement.clip.clip_time


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


def _safe(read: Callable[[SafeResponse], Value]) -> Callable[[Sight], Value]:
    """Something of the ped's safe response; nothing before its first."""

    def of_sight(sight: Sight) -> Value:
        record = None if sight.ped is None else sight.ped.safe_response
        return None if record is None else read(record)

    return of_sight


def _safe_state(sight: Sight) -> Value:
    if sight.ped is None:
        return None
    record = sight.ped.safe_response
    return (SafeState.NONE if record is None else record.state).name


def _threat_distance(sight: Sight) -> Value:
    """To the nearest threat, as it was last looked at."""
    record = None if sight.ped is None else sight.ped.safe_response
    if record is None or not record.threats or sight.position is None:
        return None
    here = sight.position
    return min(math.hypot(here.x - one.at.x, here.y - one.at.y) for one in record.threats)


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
    return None if sight.position is None else not sight.view.body_free(sight.position)


def _nearest_ped(sight: Sight) -> Value:
    return None if sight.ped is None else sight.view.nearest_ped_cm(sight.name)


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


def _walked(sight: Sight) -> Value:
    return None if sight.position is None else sight.walked_cm


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
    "walked": Field(FieldKind.NUMBER, _walked, relative=True),
}

OBJECT_FIELDS: Mapping[str, Field] = _PLACES
"""Fields of objects; ``drift`` counts from the window's start, ``step_length`` is this step's,
``walked`` the run's so far."""

PED_FIELDS: Mapping[str, Field] = {
    **_PLACES,
    "order.status": Field(FieldKind.WORD, _order_status, names_of(OrderStatus)),
    "order.session": Field(FieldKind.NUMBER, _order_count("session")),
    "order.instruction_count": Field(FieldKind.NUMBER, _order_count("instruction_count")),
    "order.failure_count": Field(FieldKind.NUMBER, _order_count("failure_count")),
    "order.last_failure": Field(FieldKind.WORD, _last_failure, names_of(MoveReason)),
    "order.resample_count": Field(FieldKind.NUMBER, _order_count("resample_count")),
    "order.goal_x": Field(FieldKind.NUMBER, _order_goal(0)),
    "order.goal_y": Field(FieldKind.NUMBER, _order_goal(1)),
    "movement.status": Field(FieldKind.WORD, _movement("status"), names_of(MoveStatus)),
    "movement.reason": Field(FieldKind.WORD, _movement("reason"), names_of(MoveReason)),
    "movement.speed_mode": Field(FieldKind.WORD, _movement("speed_mode"), names_of(SpeedMode)),
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
    "distance.nearest_ped": Field(FieldKind.NUMBER, _nearest_ped),
    "clip.time": Field(FieldKind.NUMBER, _clip_time),
    "clip.phase": Field(FieldKind.WORD, _clip_phase, names_of(ClipPhase)),
    "recovery.phase": Field(FieldKind.WORD, _recovery_phase, names_of(RecoveryPhase)),
    "recovery.session": Field(FieldKind.NUMBER, _recovery("session")),
    "recovery.age": Field(FieldKind.NUMBER, _recovery("age")),
    "recovery.stable_time": Field(FieldKind.NUMBER, _recovery("stable_time")),
    "recovery.blend_time": Field(FieldKind.NUMBER, _recovery("blend_time")),
    "recovery.hit_count": Field(FieldKind.NUMBER, _recovery("hit_count")),
    "safe.state": Field(FieldKind.WORD, _safe_state, names_of(SafeState)),
    "safe.result": Field(
        FieldKind.WORD, _safe(lambda record: record.result.name), names_of(SafeResult)
    ),
    "safe.reason": Field(FieldKind.WORD, _safe(lambda record: record.reason)),
    "safe.start_count": Field(FieldKind.NUMBER, _safe(lambda record: record.start_count)),
    "safe.reselect_count": Field(FieldKind.NUMBER, _safe(lambda record: record.reselect_count)),
    "safe.threats": Field(FieldKind.NUMBER, _safe(lambda record: len(record.threats))),
    "safe.goal_x": Field(FieldKind.NUMBER, _safe(lambda record: record.goal.x)),
    "safe.goal_y": Field(FieldKind.NUMBER, _safe(lambda record: record.goal.y)),
    "safe.threat_distance": Field(FieldKind.NUMBER, _threat_distance),
    "health": Field(FieldKind.NUMBER, _health),
    "machine.mode": Field(FieldKind.WORD, _machine(_mode)),
    "machine.target": Field(FieldKind.WORD, _machine(lambda machine: machine.record.target_path)),
    "machine.error": Field(FieldKind.FLAG, _machine(lambda machine: machine.record.error)),
    "machine.resources_held": Field(FieldKind.NUMBER, _machine(_resources_held)),
    "machine.stale": Field(
        FieldKind.NUMBER, _machine(lambda machine: machine.context.ledger.stale)
    ),
    "inside_shape": Field(FieldKind.FLAG, _inside_shape),
    **MIND_FIELDS,
}
"""Fields of peds."""


FINGERPRINT = "fingerprint"
"""A run of another seed or image of the map has another one; none is expected of those."""

RUN_FIELDS: Mapping[str, Field] = {
    FINGERPRINT: Field(FieldKind.WORD, lambda sight: sight.view.fingerprint()),
    "people": Field(FieldKind.NUMBER, lambda sight: sight.view.people()),
    "things": Field(FieldKind.NUMBER, lambda sight: sight.view.things()),
    "fires": Field(FieldKind.NUMBER, lambda sight: sight.view.fires()),
    "crowd.left": Field(FieldKind.NUMBER, lambda sight: sight.view.crowd().left),
    "crowd.alarmed": Field(FieldKind.NUMBER, lambda sight: sight.view.crowd().alarmed),
    "crowd.inside": Field(FieldKind.NUMBER, lambda sight: sight.view.crowd().inside),
    "crowd.fallen": Field(FieldKind.NUMBER, lambda sight: sight.view.crowd().fallen),
    "crowd.burning": Field(FieldKind.NUMBER, lambda sight: sight.view.crowd().burnt),
}
"""Fields of the run itself."""

_FIELDS: Mapping[Of, Mapping[str, Field]] = {
    Of.PED: PED_FIELDS,
    Of.OBJECT: OBJECT_FIELDS,
    Of.RUN: RUN_FIELDS,
}


def field_of(name: str, of: Of) -> Field | None:
    """The field of that name, or None."""
    return _FIELDS[of].get(name)


def field_names(of: Of) -> Iterator[str]:
    """All names of fields of a ped, of an object or of the run."""
    yield from _FIELDS[of]
