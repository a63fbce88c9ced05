"""The response container (EVT-64), the slots (EVT-65) and the commit (EVT-66)."""

from __future__ import annotations

import pytest

from ai.events.decision_trace import Reason
from ai.events.event_errors import ResponseError
from ai.events.response import EventResponse
from ai.events.task_events import GivePedTaskEvent
from ai.events.types import EventType
from ai.tasks.task import Task
from ai.tasks.task_pool import TaskPool
from tests.ai.events.event_doubles import (
    DEFAULT,
    NONTEMP,
    PHYSICAL,
    SCRIPT,
    TEMP,
    MoveReply,
    Person,
    Reply,
    Street,
    Stub,
)

HIT = EventType.DAMAGE
FIRE = EventType.SHOCKING_FIRE
PROP = EventType.POTENTIAL_WALK_INTO_PROP
AIR = EventType.IN_AIR


def test_container_rules(pool: TaskPool) -> None:
    """EVT-64: which task may be which part; a refused one is released."""
    response = EventResponse()
    with pytest.raises(ResponseError, match="movement tasks alone"):
        response.set_movement(Reply())
    with pytest.raises(ResponseError, match="no movement"):
        response.set_main(MoveReply())
    with pytest.raises(ResponseError, match="no movement"):
        response.set_physical(MoveReply())
    response.set_main(Reply(), on_secondary=True)
    with pytest.raises(ResponseError, match="run_on_secondary"):
        response.set_physical(Reply())
    with pytest.raises(ResponseError, match="set already"):
        response.set_main(Reply())
    other = EventResponse()
    other.set_physical(Reply())
    with pytest.raises(ResponseError, match="beside a physical part"):
        other.set_main(Reply(), on_secondary=True)
    response.discard()
    other.discard()
    assert pool.used == 0


@pytest.mark.usefixtures("in_play")
def test_a_second_part_releases_the_first_in_play(pool: TaskPool) -> None:
    """EVT-64: setting a part twice releases the earlier task."""
    response = EventResponse()
    first, second = Reply("a"), Reply("b")
    response.set_main(first)
    response.set_main(second)
    assert first.is_deleted
    assert response.main is second
    response.discard()
    assert pool.used == 0


def test_discard_once(pool: TaskPool) -> None:
    """EVT-64: what is not committed is released exactly once; taken parts are not."""
    response = EventResponse()
    response.set_main(Reply())
    response.set_physical(Reply())
    taken = response.take_physical()
    assert taken is not None
    response.discard()
    response.discard()
    assert response.is_empty
    assert not taken.is_deleted
    taken.discard()
    assert pool.used == 0


def record_names(ped: Person) -> dict[str, str | None]:
    history = ped.events.history
    return {
        name: None if record is None else record.event.name  # type: ignore[attr-defined]
        for name, record in (
            ("temp", history.temp),
            ("non_temp", history.non_temp),
            ("stored", history.stored),
            ("movement", history.movement),
        )
    }


def nothing_but(**expected: str) -> dict[str, str | None]:
    return {"temp": None, "non_temp": None, "stored": None, "movement": None, **expected}


def flee(street: Street, ped: Person) -> Task:
    ped.add(Stub(700, "fire", event_type=FIRE))
    street.step()
    task = ped.slot(NONTEMP)
    assert isinstance(task, Task)
    return task


def test_slot_table_non_temporary(street: Street, ped: Person) -> None:
    """EVT-65: non-temporary: NONTEMP; TEMP emptied, temporary and stored dropped."""
    ped.add(Stub(400, "bin", event_type=PROP, temporary=True))
    street.step()
    assert ped.slot(TEMP).name == "bin"
    assert record_names(ped) == nothing_but(temp="bin")
    ped.add(Stub(700, "fire", event_type=FIRE))
    street.step()
    assert ped.slot(TEMP) is None, 'trap "hidden_response"'
    assert ped.slot(NONTEMP).name == "fire"
    assert ped.main_task() is ped.slot(NONTEMP)
    assert record_names(ped) == nothing_but(non_temp="fire")


def test_slot_table_temporary(street: Street, ped: Person) -> None:
    """EVT-65: temporary: TEMP, NONTEMP kept; current non-temporary is stored."""
    task = flee(street, ped)
    ped.add(Stub(1700, "air", event_type=AIR, temporary=True))
    street.step()
    assert ped.slot(NONTEMP) is task
    assert ped.slot(TEMP).name == "air"
    assert record_names(ped) == nothing_but(temp="air", stored="fire")


def test_slot_table_override(street: Street, ped: Person) -> None:
    """EVT-65: a temporary event that overrides goes to NONTEMP."""
    ped.add(Stub(500, "heat", event_type=EventType.HEAT, temporary=True, override=True))
    street.step()
    assert ped.slot(NONTEMP).name == "heat"
    assert ped.slot(TEMP) is None
    assert record_names(ped) == nothing_but(non_temp="heat")


def test_slot_table_physical(street: Street, ped: Person) -> None:
    """EVT-65: physical alone: what is below is aborted, not deleted; its record stored."""
    task = flee(street, ped)
    ped.add(Stub(1700, "air", event_type=AIR, temporary=True))
    street.step()
    ped.add(Stub(2400, "hit", event_type=HIT, parts="p"))
    street.step()
    assert ped.slot(PHYSICAL).name == "hit.p"
    assert ped.slot(TEMP) is None, "temporary dropped and its slot emptied"
    assert ped.slot(NONTEMP) is task
    assert task.is_aborted
    assert record_names(ped) == nothing_but(non_temp="hit", stored="fire")


def test_slot_table_physical_with_main(street: Street, ped: Person) -> None:
    """EVT-65: both parts: PHYSICAL above NONTEMP, one record."""
    flee(street, ped)
    ped.add(Stub(2400, "hit", event_type=HIT, parts="pm"))
    street.step()
    assert (ped.slot(PHYSICAL).name, ped.slot(NONTEMP).name) == ("hit.p", "hit")
    assert record_names(ped) == nothing_but(non_temp="hit")


def test_slot_table_secondary(street: Street, ped: Person) -> None:
    """EVT-65: run_on_secondary: PARTIAL_ANIM; main tree untouched, not recorded."""
    before = ped.main_task()
    ped.add(Stub(110, "look", event_type=EventType.AMBIENT_NOTICE, temporary=True, parts="s"))
    street.step()
    assert ped.secondary().name == "look"
    assert ped.main_task() is before
    assert record_names(ped) == nothing_but()


def test_slot_table_movement(street: Street, ped: Person) -> None:
    """EVT-65: movement: the movement tree's EVENT_RESPONSE; temp and non-temp left alone."""
    default = ped.slot(DEFAULT)
    ped.add(Stub(400, "bin", event_type=PROP, temporary=True, parts="v"))
    street.step()
    assert ped.side_step().name == "bin.v"
    assert ped.main_task() is default
    assert record_names(ped) == nothing_but(movement="bin")


def test_a_weaker_side_step_is_passed_over(street: Street, ped: Person) -> None:
    """EVT-65: BELOW_MOVEMENT, on to the next best; a stronger one replaces it."""
    ped.add(Stub(410, "ped", event_type=EventType.POTENTIAL_WALK_INTO_PED, parts="v"))
    street.step()
    ped.add(Stub(400, "bin", event_type=PROP, parts="v", lifetime=9))
    ped.add(Stub(110, "look", event_type=EventType.AMBIENT_NOTICE, parts="s"))
    street.step()
    assert ped.has_reason(Reason.BELOW_MOVEMENT)
    assert ped.side_step().name == "ped.v"
    assert ped.secondary().name == "look"
    ped.add(Stub(430, "fire", event_type=EventType.POTENTIAL_WALK_INTO_FIRE, parts="v"))
    street.step()
    assert ped.side_step().name == "fire.v"


def test_orphan_sidestep(street: Street, ped: Person) -> None:
    """EVT-65, trap 20: flee committed during walk-round: EVENT_RESPONSE empty in that pass."""
    ped.add(Stub(400, "bin", event_type=PROP, temporary=True, parts="v"))
    street.step()
    assert ped.side_step() is not None
    ped.add(Stub(700, "fire", event_type=FIRE))
    ped.events.handler.handle_events()
    assert ped.side_step() is None
    assert ped.events.history.movement is None


def test_commit_order(street: Street, ped: Person) -> None:
    """EVT-66: history and queue are done when the news goes out; the trace comes last."""
    seen: list[tuple[object, ...]] = []

    class Telling(Stub):
        __slots__ = ()

        def on_response_started(self, ped: Person) -> None:  # type: ignore[override]
            history = ped.events.history.non_temp
            seen.append(
                (
                    ped.slot(NONTEMP) is not None,
                    history is not None and history.event is self,
                    ped.queued(),
                    ped.has_reason(Reason.COMMITTED),
                )
            )

    ped.add(Telling(700))
    street.step()
    assert seen == [(True, True, [], False)]
    assert ped.has_reason(Reason.COMMITTED)


def test_slot_refused_releases(street: Street, ped: Person, pool: TaskPool) -> None:
    """EVT-66: a slot that refuses: the rest is discarded, the event flagged, no task left."""

    class TakenOver(Stub):
        """Another simulation takes the ped over while its response is built."""

        __slots__ = ()

        def create_response(self, ped: Person, response: EventResponse) -> None:  # type: ignore[override]
            super().create_response(ped, response)
            ped.is_mirrored = True

    event = ped.add(TakenOver(700, parts="mv"))
    used = pool.used
    ped.events.handler.handle_events()
    assert ped.has_reason(Reason.SLOT_REFUSED)
    assert event is not None
    assert event.flagged
    assert pool.used == used


def test_a_given_task_goes_where_it_says(street: Street, ped: Person) -> None:
    """EVT-65, EVT-73: PRIMARY and DEFAULT clear nothing and are not recorded."""
    for slot, recorded in ((TEMP, "temp"), (NONTEMP, "non_temp"), (PHYSICAL, "non_temp"),
                           (SCRIPT, None), (DEFAULT, None)):  # fmt: skip
        person = street.person()
        given = GivePedTaskEvent(Reply("given"), slot)
        person.add(given)
        given.release()
        street.step()
        assert person.slot(slot).name == "given", slot
        history = person.events.history
        kept = {name for name in ("temp", "non_temp") if getattr(history, name) is not None}
        assert kept == ({recorded} if recorded else set())
