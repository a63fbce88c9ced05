"""One plain English sentence about what a ped is doing, before any number.

It is built from the order's record, the movement record and the active task of the
primary tree, in this order; what keeps the body from walking comes before all.
"""

from __future__ import annotations

from typing import Protocol

from ai.behaviours.flee_task import TaskThreatResponse
from ai.behaviours.order_record import OrderState, OrderStatus
from ai.behaviours.safe_record import SafeState
from ai.behaviours.wander import TaskWander
from ai.machines.hsm.machine import StateMachine
from ai.motion.execution import MoveExecution
from ai.motion.movement_table import ClipPhase, MoveReason, MoveStatus, SuspendReason
from ai.peds.ped import Ped
from ai.ports import EntityRef, Vec3
from ai.tasks import task_registry
from ai.tasks.task import Task
from ai.tasks.task_types import TaskType
from ai.tasks.trees import PRIMARY
from game.ui.inspector.measures import CM_PER_M, way_left_cm

HELD_UP_AFTER_S = 0.3
"""Refused for longer than this, a ped counts as held up."""

STANDS_BELOW_CM_S = 1.0

CARRIED: tuple[tuple[SuspendReason, str], ...] = (
    (SuspendReason.BODY, "Down on the ground"),
    (SuspendReason.VEHICLE, "In a vehicle"),
    (SuspendReason.SUPPRESSED, "Held in place by the scene"),
    (SuspendReason.HIGHER_MOVE, "Giving way to a more urgent movement"),
)
"""Suspensions that say more about the ped than its tasks do."""

DECISIONS: dict[MoveReason, str] = {
    MoveReason.NO_PATH: "Nothing leads to {place}",
    MoveReason.PARTIAL_ONLY: "Only a part of the way to {place} is open",
    MoveReason.START_OFF_SURFACE: "Stands where nobody can walk",
    MoveReason.GOAL_OFF_SURFACE: "Nobody can stand at {place}",
    MoveReason.CAPACITY: "Found no way to {place} in time",
    MoveReason.BLOCKED: "Something blocks the way to {place}",
    MoveReason.NO_PROGRESS: "Can't get any nearer to {place}",
    MoveReason.CANNOT_CATCH: "Can't catch up with {place}",
    MoveReason.TARGET_GONE: "What it followed is gone",
}
"""Why a decision is awaited (ORD-16); any other reason is "Can't get to"."""


DOING: dict[TaskType, str] = {
    TaskType.SHOCKING_WATCH: "Watching what is going on",
    TaskType.SHOCKING_REACT: "Startled",
    TaskType.SHOCKING_GOTO_LOOK: "Going to have a look",
    TaskType.SHOCKING_HURRY_AWAY: "Hurrying away",
    TaskType.SHOCKING_BACK_AWAY: "Backing away",
    TaskType.FILM_WITH_PHONE: "Filming what is going on",
    TaskType.REPORT_BY_PHONE: "Calling for help",
    TaskType.HANDS_UP: "Holding its hands up",
    TaskType.DUCK_AND_COVER: "Ducking",
    TaskType.COWER: "Cowering",
    TaskType.FACE: "Turning to where a script says",
    TaskType.PATROL: "Walking its round",
    TaskType.STAND: "Standing about",
    TaskType.DO_NOTHING: "Doing nothing",
}
"""Tasks of which there is nothing else to say."""


class Names(Protocol):
    """Words for the places of a level."""

    def goal(self, target: EntityRef, goal: Vec3, *, beside: bool) -> str:
        """Where an order leads."""
        ...

    def near(self, place: Vec3) -> str:
        """A point of the ground."""
        ...


def sentence(ped: Ped, names: Names, now_s: float) -> str:
    """What the ped is doing now; ``now_s`` is the simulated time."""
    if ped.retired:
        return "Leaving the street."
    movement, order = ped.movement, ped.order
    for bit, words in CARRIED:
        if movement.suspend & bit:
            return f"{words}; the order waits." if order.live else f"{words}."
    active = ped.tasks.tree(PRIMARY).active_root
    if order.live and (active is None or active.task_type is TaskType.ORDER):
        return _of_order(order, ped, names)
    if order.status is OrderStatus.PENDING:
        return f"About to set off to {_goal(order, names)}."
    doing = _of_task(active, ped, names, now_s)
    return f"{doing}; the order waits." if order.live else f"{doing}."


def _of_order(order: OrderState, ped: Ped, names: Names) -> str:
    place = _goal(order, names)
    match order.status:
        case OrderStatus.PENDING:
            return f"About to set off to {place}."
        case OrderStatus.WAITING_FOR_SIGNAL:
            return f"Waiting for a signal on the way to {place}."
        case OrderStatus.AWAITING_DECISION:
            reason = order.last_failure or MoveReason.NONE
            trouble = DECISIONS.get(reason, "Can't get to {place}").format(place=place)
            return f"{trouble}: waiting for a decision."
        case _:
            return f"{_going(ped, place)}."


def _going(ped: Ped, place: str) -> str:
    """The stages of a way: looked for, turned to, walked, held up, done."""
    movement = ped.movement
    match movement.status:
        case MoveStatus.ARRIVED:
            return f"Has reached {place}"
        case MoveStatus.FAILED:
            return f"Has given up on the way to {place}"
        case MoveStatus.WAITING_PATH:
            return f"Looking for a way to {place}"
        case MoveStatus.WALKING:
            if movement.blocked_time > HELD_UP_AFTER_S:
                doing = "Held up on the way"
            elif movement.clip.phase is ClipPhase.TURN:
                doing = "Turning round to go"
            else:
                doing = _gait(ped)
            return f"{doing} to {place}; {_to_go(movement)}"
        case _:
            return f"About to go to {place}"


def _of_task(active: Task | None, ped: Ped, names: Names, now_s: float) -> str:
    """What the active task of the primary tree comes to, without a full stop."""
    movement = ped.movement
    deadline = movement.stand_until
    if deadline is not None and deadline > now_s:
        return f"Standing still for {max(1, round(deadline - now_s))} s"
    match None if active is None else active.task_type:
        case TaskType.WANDER if isinstance(active, TaskWander):
            return _of_wander(active, ped, names)
        case TaskType.PLAYER_CONTROL:
            if movement.measured_speed < STANDS_BELOW_CM_S:
                return "Waiting for you to steer"
            return f"{_gait(ped)} as you steer"
        case TaskType.ORDER:
            done = ped.order.completed
            return "Has carried out its order" if done else "Letting go of its order"
        case TaskType.THREAT_RESPONSE if isinstance(active, TaskThreatResponse):
            return _of_flight(active, ped)
        case TaskType.WALK_TO | TaskType.FOLLOW | TaskType.ENTER_ZONE:
            return _going(ped, names.near(movement.goal))
        case TaskType.BRAIN | TaskType.GUARD:
            return _of_brain(ped)
        case None:
            return "Doing nothing"
        case other:
            if other in DOING:
                return DOING[TaskType(other)]
            return f"Busy: {task_registry.task_name(other).replace('_', ' ')}"


def _of_wander(wander: TaskWander, ped: Ped, names: Names) -> str:
    match wander.state:
        case TaskWander.State.WALK if wander.goal is not None:
            return _going(ped, names.near(wander.goal))
        case TaskWander.State.PAUSE:
            return "Looking round"
        case TaskWander.State.STAND:
            return "Standing: there is nowhere to go just now"
        case _:
            return "Choosing where to go"


def _of_flight(flight: TaskThreatResponse, ped: Ped) -> str:
    if flight.state == TaskThreatResponse.State.COWER:
        return "Cornered, and cowering"
    record = ped.safe_response
    if record is None or record.state is not SafeState.ACTIVE:
        return "Looking for a way out"
    return f"Fleeing to safety; {_to_go(ped.movement)}"


def _of_brain(ped: Ped) -> str:
    """The modes of a machine, outermost first."""
    brain = ped.brain
    mind = None if brain is None else brain.mind
    if not isinstance(mind, StateMachine) or mind.record.active is None:
        return "Following its own mind"
    path = mind.record.active.path.replace("_", " ").split("/")
    return f"On duty: {', '.join(path)}"


def _goal(order: OrderState, names: Names) -> str:
    approach = order.approach
    return names.goal(approach.target, order.goal, beside=any(approach.offset_local))


def _gait(ped: Ped) -> str:
    running = ped.movement.clip.profile == ped.services.gait_speeds.run_profile
    return "Running" if running else "Walking"


def _to_go(movement: MoveExecution) -> str:
    left_cm = way_left_cm(movement) or 0.0
    return "almost there" if left_cm < CM_PER_M else f"{left_cm / CM_PER_M:.0f} m to go"
