"""The handler: history, rank, blocking, repeats, next best, making room, waiting (EVT-51 to 61)."""

from __future__ import annotations

import itertools
import tracemalloc

import pytest

from ai.events.base import Event
from ai.events.body_events import DeathEvent, GetUp, Revived
from ai.events.collision_events import PotentialWalkIntoProp
from ai.events.decision_trace import Reason, Stage
from ai.events.event_errors import HandlerError
from ai.events.priorities import EventPriority
from ai.events.response import EventResponse
from ai.events.task_events import GivePedTaskEvent
from ai.events.types import EventType
from ai.ports import Vec3
from ai.tasks.task import AbortPriority
from ai.tasks.task_pool import TaskPool
from ai.tasks.trees import MOVEMENT, MovementTreeSlot
from tests.ai.events.event_doubles import (
    DEFAULT,
    NONTEMP,
    PHYSICAL,
    SCRIPT,
    Answers,
    Deletable,
    Dying,
    MoveReply,
    Person,
    RagdollReply,
    Raising,
    Reply,
    Street,
    Stub,
    command,
    give_command,
    put,
)

FIRE = EventType.SHOCKING_FIRE
HIT = EventType.DAMAGE
AIR = EventType.IN_AIR
URGENT, IMMEDIATE = AbortPriority.URGENT, AbortPriority.IMMEDIATE


# -- where it may run --------------------------------------------------------------------------


def test_handler_preconditions(ped: Person) -> None:
    """EVT-54: a partial update or a mirrored ped: raises in strict mode."""
    with pytest.raises(HandlerError):
        ped.events.handler.handle_events(full=False)
    ped.is_mirrored = True
    with pytest.raises(HandlerError):
        ped.events.handler.handle_events()


@pytest.mark.usefixtures("in_play")
def test_handler_preconditions_in_play(ped: Person) -> None:
    """EVT-54: otherwise the call does nothing and counts."""
    ped.add(Stub(700))
    assert not ped.events.handler.handle_events(full=False)
    assert ped.events.handler.refused_calls == 1
    assert len(ped.queued()) == 1


def test_idle_pass_allocates_nothing(ped: Person) -> None:
    """EVT-99: 1000 passes without events: nothing retained, peak grows by at most 1 KiB."""
    handle = ped.events.handler.handle_events
    for _ in range(10):
        handle()
    tracemalloc.start()
    handle()
    tracemalloc.reset_peak()
    base = tracemalloc.get_traced_memory()[0]
    for _ in range(1000):
        handle()
    now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert now - base <= 64, "the number of the pass, an int, and no more"
    assert peak - base <= 1024


def test_a_further_threat_joins_before_it_is_ranked(street: Street, ped: Person) -> None:
    """EVT-54 (6), SAFE-13: joined: it leaves the queue, answers nothing, and the next best runs."""
    asked: list[Event] = []

    def joins(_ped: object, event: Event) -> bool:
        asked.append(event)
        if event.event_type is not FIRE:
            return False
        ped.events.trace.note(Reason.JOINED, event, ped)
        return True

    ped.add(Stub(700, "flee", event_type=FIRE))
    street.step()
    flee = ped.slot(NONTEMP)
    ped.events.services.joins = joins
    ped.add(Stub(700, "flee again", event_type=FIRE, source=street.person().ref))
    ped.add(Stub(600, "look", event_type=EventType.SHOCKING_EXPLOSION))
    street.step()
    assert ped.queued() == []
    assert ped.slot(NONTEMP) is flee
    assert [event.event_type for event in asked] == [FIRE, EventType.SHOCKING_EXPLOSION]
    assert ped.events.trace.records(reason=Reason.JOINED)
    assert ped.events.trace.records(reason=Reason.BELOW_CURRENT)


# -- history (EVT-51, EVT-52) ------------------------------------------------------------------


def test_command_not_recorded(street: Street, ped: Person) -> None:
    """EVT-51, trap "deaf_walker": a command at work leaves the ped able to hear; suspended."""
    give_command(ped)
    street.step()
    walk = ped.slot(SCRIPT)
    assert walk.name == "command"
    assert ped.events.history.is_empty
    ped.add(Stub(700, "flee", event_type=FIRE))
    street.step()
    assert ped.main_task().name == "flee"
    assert ped.slot(SCRIPT) is walk
    assert walk.is_aborted


def test_stored_restored(street: Street, ped: Person) -> None:
    """EVT-52: landed: the current non-temporary is the fire again, the same task, entered once."""
    ped.add(Stub(700, "flee", event_type=FIRE))
    street.step()
    flee = ped.slot(NONTEMP)
    ped.add(Stub(1700, "fall", event_type=AIR, temporary=True, updates_left=3))
    street.step(3)
    assert ped.events.history.stored is not None
    street.step(2)
    history = ped.events.history
    assert history.stored is None
    assert history.non_temp is not None
    assert history.non_temp.event.event_type is FIRE
    assert ped.slot(NONTEMP) is flee
    assert ped.main_task() is flee
    for reason in (Reason.STORED, Reason.RESPONSE_ENDED, Reason.RESTORED):
        assert ped.has_reason(reason)


# -- rank (EVT-53) -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("current", "stored", "new", "temporary", "allowed"),
    [
        ((700, False), None, 410, True, False),
        ((700, False), None, 1410, True, True),
        ((450, True), 600, 500, True, True),
        ((450, True), 600, 500, False, False),
        ((450, True), 600, 700, False, True),
        ((700, False), None, 700, False, False),
        ((450, True), None, 500, False, True),
        ((450, True), None, 410, False, False),
    ],
)
def test_rank_table(
    street: Street,
    ped: Person,
    current: tuple[int, bool],
    stored: int | None,
    new: int,
    temporary: bool,
    allowed: bool,
) -> None:
    """EVT-53: current by new, temporary and not, with and without a stored event."""
    if stored is not None:
        ped.add(Stub(stored - 200, "to be stored", event_type=EventType.PROVOKED))
        street.step()
    level, is_temporary = current
    ped.add(Stub(level, "current", event_type=FIRE, temporary=is_temporary))
    street.step()
    if stored is not None:
        record = ped.events.history.stored
        assert record is not None
        record.event.level = EventPriority(stored)  # type: ignore[attr-defined]
    ped.add(Stub(new, "new", event_type=EventType.BANG_HEARD, temporary=temporary))
    ped.events.handler.handle_events()
    done = [one.event for one in ped.events.trace.records(reason=Reason.COMMITTED)]
    assert ("BANG_HEARD" in done) is allowed
    if not allowed:
        below_stored = is_temporary and new > level
        assert ped.has_reason(Reason.BELOW_STORED if below_stored else Reason.BELOW_CURRENT)


def test_a_rejected_event_stays_until_it_expires(street: Street, ped: Person) -> None:
    """EVT-53: it is not removed; it gets its turn once the current one is over."""
    ped.add(Stub(900, "long", event_type=FIRE, updates_left=5))
    street.step()
    ped.add(Stub(700, "waits", event_type=EventType.PROVOKED, lifetime=30))
    street.step(8)
    assert ped.slot(NONTEMP).name == "waits"


def test_get_up_continues(street: Street, ped: Person) -> None:
    """EVT-53, trap "get_up_gap": GET_UP of the knocked-down task is accepted; no gap below."""
    ped.add(Stub(700, "flee", event_type=FIRE))
    street.step()
    flee = ped.slot(NONTEMP)
    ped.add(Stub(2400, "hit", event_type=HIT, parts="p", ragdoll=True))
    street.step()
    down = ped.slot(PHYSICAL)
    other = Reply("another")
    ped.add(GetUp(other))
    street.step()
    assert ped.slot(PHYSICAL) is down
    assert ped.has_reason(Reason.BELOW_CURRENT)
    ped.add(GetUp(down))
    street.step()
    assert ped.slot(PHYSICAL).name == "get_up"
    assert flee.enters == 1
    assert ped.slot(NONTEMP) is flee
    assert ped.events.history.stored is not None, 'trap "get_up_overlays"'


# -- flow (EVT-54, EVT-55, EVT-56, EVT-57, EVT-58) ---------------------------------------------


def handled(ped: Person) -> list[Reason]:
    return [one.reason for one in ped.events.trace.records() if one.stage is Stage.HANDLE]


def test_flow_trace(street: Street) -> None:
    """EVT-54: for each exit a set-up whose trace shows exactly the steps up to it."""
    nobody = street.person()
    street.step()
    assert handled(nobody) == [], "4: nothing to select"
    below = street.person()
    below.add(Stub(900, event_type=FIRE))
    street.step()
    below.events.trace.clear()
    below.add(Stub(700, event_type=HIT))
    street.step()
    assert handled(below) == [Reason.BELOW_CURRENT], "6"
    blocked = street.person()
    blocked.events.block_non_temporary = True
    blocked.add(Stub(700, event_type=FIRE))
    street.step()
    assert handled(blocked) == [Reason.BLOCKED_NON_TEMP], "7"
    repeated = street.person()
    repeated.add(Stub(700, "one", event_type=FIRE))
    street.step()
    repeated.events.trace.clear()
    repeated.add(Stub(900, "two", event_type=FIRE))
    street.step()
    assert handled(repeated) == [Reason.SAME_TYPE], "8"
    refused = street.person()
    stubborn = put(refused, Reply("stubborn"))
    assert isinstance(stubborn, Reply)
    stubborn.refusals = 1
    refused.add(Stub(700, event_type=FIRE))
    street.step()
    assert handled(refused) == [Reason.WAIT_ABORT], "10"
    street.step()
    assert handled(refused) == [Reason.WAIT_ABORT, Reason.COMMITTED], "11"


def test_death_after_broken_drag(street: Street, ped: Person) -> None:
    """EVT-55, trap "undying": the dragged task lies aborted under a knock-down: DEATH passes."""
    drag = GivePedTaskEvent(Reply("dragged"), NONTEMP, EventPriority.DRAGGED)
    ped.add(drag)
    drag.release()
    street.step()
    ped.add(DeathEvent())
    street.step()
    assert ped.main_task().name == "dragged", "really running: death waits"
    put(ped, Reply("knocked down"), PHYSICAL)
    ped.add(DeathEvent())
    street.step()
    assert ped.has_reason(Reason.DEATH_FORCED)
    assert ped.slot(NONTEMP).name == "dying_dead"


def test_blocking(street: Street) -> None:
    """EVT-56, trap "blocked_falls": what is flagged and what is answered by a told-off ped."""
    cases = [
        (FIRE, 700, False, False),
        (EventType.BANG_HEARD, 900, False, False),
        (EventType.AIMED_AT, 1300, False, False),
        (EventType.POTENTIAL_WALK_INTO_PROP, 400, True, True),
        (HIT, 2400, False, True),
        (EventType.SCENARIO_FORCE_ACTION, 810, False, True),
        (EventType.SCRIPT_COMMAND, 1410, True, True),
    ]
    for event_type, level, temporary, answered in cases:
        person = street.person()
        person.events.block_non_temporary = True
        if event_type is EventType.SCRIPT_COMMAND:
            give_command(person)
        else:
            person.add(Stub(level, event_type=event_type, temporary=temporary))
        street.step()
        assert person.has_reason(Reason.COMMITTED) is answered, event_type
        assert person.has_reason(Reason.BLOCKED_NON_TEMP) is not answered
        assert person.queued() == []


def test_same_type_record(street: Street, ped: Person) -> None:
    """EVT-57: walking round bin 1: bin 2 later: SAME_TYPE; sooner: it replaces."""
    ped.add(PotentialWalkIntoProp(1, 1.0, Vec3(140, 0)))
    street.step()
    first = ped.side_step()
    assert first is not None
    ped.add(PotentialWalkIntoProp(2, 1.2, Vec3(160, 0)))
    street.step()
    assert ped.side_step() is first
    ped.add(PotentialWalkIntoProp(3, 0.5, Vec3(70, 0)))
    street.step()
    assert ped.side_step() is not first


def test_same_type_by_task(street: Street, ped: Person) -> None:
    """EVT-57, trap "takeover_no_repeat": history empty, the task in its slot says so itself."""
    task = Answers("flee")
    task.answers = FIRE
    put(ped, task, NONTEMP)
    ped.add(Stub(900, event_type=FIRE))
    street.step()
    assert ped.has_reason(Reason.SAME_TYPE_BY_TASK)
    assert ped.slot(NONTEMP) is task


def test_next_best(street: Street, ped: Person) -> None:
    """EVT-58: blocked or repeated goes, the next one is answered in the same pass."""
    ped.events.block_non_temporary = True
    ped.add(Stub(500, "drawn", event_type=EventType.SHOCKING_WEAPON_DRAWN))
    ped.add(Stub(110, "look", event_type=EventType.AMBIENT_NOTICE, temporary=True, parts="s"))
    street.step()
    assert handled(ped) == [Reason.BLOCKED_NON_TEMP, Reason.NEXT_BEST, Reason.COMMITTED]
    assert ped.secondary().name == "look"


@pytest.mark.usefixtures("in_play")
def test_loop_guard(street: Street, ped: Person) -> None:
    """EVT-58, trap "no_response_loop": a hook that never responds: one LOOP_GUARD, no hang."""
    ped.add(Stub(700, parts=""))
    street.step()
    assert ped.reasons().count(Reason.LOOP_GUARD) == 1


def test_loop_guard_raises_in_strict_mode(street: Street, ped: Person) -> None:
    """EVT-58: strict mode raises."""
    ped.add(Stub(700, parts=""))
    with pytest.raises(HandlerError, match="neither responds"):
        street.step()


@pytest.mark.expects_faults
@pytest.mark.usefixtures("in_play")
def test_a_raising_hook_is_contained(street: Street, ped: Person, pool: TaskPool) -> None:
    """EVT-54, EVT-30: the event goes, its tasks are discarded, scripts and faults know."""
    ped.add(Raising(700))
    used = pool.used
    street.services.scripts.begin_round()
    street.step()
    street.services.scripts.end_round()
    assert ped.queued() == []
    assert pool.used == used
    (view,) = street.services.scripts.errors.events()
    assert view.type is EventType.ERROR_SCRIPT_EXCEPTION
    assert ped.has_reason(Reason.FAILED_IN_HOOK)


@pytest.mark.expects_faults
def test_a_raising_hook_is_raised_again_in_strict_mode(street: Street, ped: Person) -> None:
    """EVT-54: strict mode re-raises, after the event was flagged and the error stored."""
    ped.add(Raising(700))
    with pytest.raises(RuntimeError, match="broken hook"):
        street.step()
    assert ped.queued()[0].flagged
    assert len(street.services.scripts.errors.events()) == 1


# -- making room (EVT-59, EVT-60) --------------------------------------------------------------


def test_abort_trees(street: Street, ped: Person) -> None:
    """EVT-59: a movement-only response leaves the main task un-asked; a refusing main, movement."""
    main = put(ped, Reply("main"))
    assert isinstance(main, Reply)
    ped.add(Stub(410, parts="v", event_type=EventType.POTENTIAL_WALK_INTO_PED))
    street.step()
    assert main.asked == 0
    mover = ped.side_step()
    main.refusals = 1
    asked = mover.asked
    ped.add(Stub(700, parts="mv", event_type=FIRE))
    street.step()
    assert main.asked == 1
    assert mover.asked == asked
    assert ped.side_step() is mover


def test_abort_all_or_none(street: Street, ped: Person) -> None:
    """EVT-59, trap 23: main accepts, movement refuses URGENT: it gets IMMEDIATE, committed."""
    mover = MoveReply("old")
    mover.refusals = 5
    ped.tasks.set_task(MOVEMENT, mover, MovementTreeSlot.EVENT_RESPONSE)
    ped.tasks.process(1 / 60)
    ped.add(Stub(700, parts="mv", event_type=FIRE))
    ped.events.handler.handle_events()
    assert mover.aborts == [IMMEDIATE]
    assert ped.has_reason(Reason.COMMITTED)


def test_delete_on_abort(street: Street, ped: Person) -> None:
    """EVT-59: a deletable task is gone, cleaned up once; a default task with the flag stays."""
    default = put(ped, Deletable("default"))
    ordered = put(ped, Deletable("ordered"), SCRIPT)
    assert isinstance(ordered, Deletable)
    ped.add(Stub(700, event_type=FIRE, updates_left=1))
    street.step()
    assert ordered.is_deleted
    assert ordered.cleaned == 1
    assert ped.slot(SCRIPT) is None
    street.step(2)
    ped.add(Stub(700, "again", event_type=FIRE))
    street.step()
    assert ped.slot(DEFAULT) is default


@pytest.mark.parametrize(
    ("ragdolling", "wanted", "kind"),
    list(itertools.product((True, False), ("ragdoll", "melee", ""), (Reply, Dying, RagdollReply))),
)
def test_forced_matrix(ped: Person, ragdolling: bool, wanted: str, kind: type[Reply]) -> None:
    """EVT-60, trap "dying_survives": immediate only for (ragdolling, wanted, ordinary task)."""
    task = put(ped, kind())
    assert isinstance(task, Reply)
    task.refusals = 5
    ped.is_ragdolling = ragdolling
    ped.add(
        Stub(2400, event_type=HIT, parts="p", ragdoll=wanted == "ragdoll", melee=wanted == "melee")
    )
    ped.events.handler.handle_events()
    forced = ragdolling and bool(wanted) and kind is Reply
    assert (IMMEDIATE in task.aborts) is forced
    assert ped.has_reason(Reason.FORCED_IMMEDIATE) is forced
    assert ped.has_reason(Reason.COMMITTED) is forced


# -- waiting (EVT-61) --------------------------------------------------------------------------


def test_wait_for_abort(street: Street, ped: Person, pool: TaskPool) -> None:
    """EVT-61, trap "wait_leak": yields after 10 passes: answered in pass 11, no task leaks."""
    stubborn = put(ped, Reply("stubborn"))
    assert isinstance(stubborn, Reply)
    stubborn.refusals = 10
    event = ped.add(Stub(700, event_type=FIRE))
    base = pool.used
    for _ in range(10):
        street.step()
        assert ped.queued() == [event]
        assert pool.used == base
        assert ped.events.history.aborting is stubborn
    street.step()
    assert ped.slot(NONTEMP).name == "stub"
    assert ped.events.handler.pass_no == 11
    street.step()
    assert ped.events.history.aborting is None


def test_abort_overdue(street: Street, ped: Person) -> None:
    """EVT-61: after 5 s of waiting for one task: traced once, with its state."""
    stubborn = put(ped, Reply("stubborn"))
    assert isinstance(stubborn, Reply)
    stubborn.refusals = 10_000
    ped.add(Stub(700, event_type=FIRE))
    street.step(300)
    assert not ped.has_reason(Reason.ABORT_OVERDUE)
    street.step(60)
    (overdue,) = ped.events.trace.records(reason=Reason.ABORT_OVERDUE)
    assert overdue.step == 300
    assert overdue.data == ("Reply", "state 0")


def test_abort_finished(street: Street, ped: Person) -> None:
    """EVT-52, trap 22: the task that was asked finishes on its own: nobody waits for it."""
    stubborn = put(ped, Reply("stubborn", updates_left=3), SCRIPT)
    assert isinstance(stubborn, Reply)
    stubborn.refusals = 100
    ped.add(Stub(700, event_type=FIRE))
    street.step(4)
    assert stubborn.is_deleted
    street.step()
    assert ped.events.history.aborting is None
    assert ped.slot(NONTEMP).name == "stub"


def test_the_dead_forget(street: Street, ped: Person) -> None:
    """EVT-18, traps "clean_death", "flush_at_death": all goes but a command for the dead."""
    ped.add(Stub(700, "alive", event_type=FIRE, lifetime=500))
    give_command(ped, command(7, for_dead=True))
    ped.events.group.queue.entries[1].delay_range_s = (1.0, 1.0)
    ped.events.group.queue.entries[1].is_past_delay = False
    ped.add(DeathEvent())
    ped.is_dead = True
    street.step()
    assert ped.slot(NONTEMP).name == "dying_dead"
    assert [one.event_type for one in ped.queued()] == [EventType.SCRIPT_COMMAND]
    ped.is_dead = False
    ped.add(Revived())
    street.step()
    assert ped.slot(NONTEMP).name == "revived_stand"
    assert all(one.event_type is not FIRE for one in ped.queued())


def test_flush_in_process(street: Street, ped: Person) -> None:
    """Trap 6: an add that its own task causes during the pass does not evict what is handled."""

    class Noisy(Stub):
        __slots__ = ()

        def create_response(self, ped: Person, response: EventResponse) -> None:  # type: ignore[override]
            for number in range(20):
                ped.add(Stub(2400, f"noise{number}"))
            super().create_response(ped, response)

    ped.add(Noisy(200, event_type=FIRE))
    ped.events.handler.handle_events()
    done: list[Event] = [one.event for one in ped.events.history.records()]
    assert [one.event_type for one in done] == [FIRE]
    assert len(ped.queued()) == 15
