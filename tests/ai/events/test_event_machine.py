"""A hypothesis machine over queue, handler and slots: what must hold whatever happens."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ai import settings as ai_settings
from ai.events.base import EventRef
from ai.events.body_events import GetUp
from ai.events.group import PED_CAPACITY
from ai.events.priorities import NOT_FOR_EVENTS, EventPriority
from ai.events.types import EventType
from ai.tasks.task_pool import TaskPool
from tests.ai.events.event_doubles import (
    NONTEMP,
    PHYSICAL,
    SCRIPT,
    TEMP,
    Reply,
    Street,
    Stub,
    command,
    give_command,
)

LEVELS = [int(one) for one in EventPriority if one not in NOT_FOR_EVENTS]
TYPES = [
    EventType.SHOCKING_FIRE,
    EventType.BANG_HEARD,
    EventType.IN_AIR,
    EventType.DAMAGE,
    EventType.POTENTIAL_WALK_INTO_PROP,
    EventType.PROVOKED,
]
PARTS = ["m", "p", "pm", "v", "s", "mv"]


class EventMachine(RuleBasedStateMachine):
    """One ped, random events, ends, refusals and removals, step by step."""

    @initialize()
    def begin(self) -> None:
        self.strict, ai_settings.strict = ai_settings.strict, True
        self.pool = TaskPool()
        self.pool.activate()
        self.street = Street()
        self.ped = self.street.person()
        self.refs: list[EventRef] = []
        self.number = 0

    def teardown(self) -> None:
        if hasattr(self, "ped"):
            self.ped.events.clear()
            assert self.street.services.budget.used == 0, "every event was released"
            self.ped.tasks.close()
            assert self.pool.used == 0, "and every task"
            ai_settings.strict = self.strict

    @rule(
        level=st.sampled_from(LEVELS),
        event_type=st.sampled_from(TYPES),
        parts=st.sampled_from(PARTS),
        temporary=st.booleans(),
        lasts=st.integers(-1, 6),
        delay=st.sampled_from([0.0, 0.0, 0.1, 0.5]),
        lifetime=st.integers(0, 20),
        persistent=st.booleans(),
        override=st.booleans(),
    )
    def something_happens(
        self, level: int, event_type: EventType, parts: str, temporary: bool, lasts: int,
        delay: float, lifetime: int, persistent: bool, override: bool,
    ) -> None:  # fmt: skip
        self.number += 1
        event = Stub(
            level,
            f"n{self.number % 7}",
            event_type=event_type,
            parts=parts,
            temporary=temporary,
            updates_left=lasts or -1,
            delay_s=(delay, delay),
            lifetime=lifetime,
            override=override,
        )
        ref = self.ped.events.add_event(event, force_persistent=persistent)
        if ref is not None:
            self.refs.append(ref)

    @rule()
    def a_script_orders(self) -> None:
        self.number += 1
        give_command(self.ped, command(self.number))

    @rule(slot=st.sampled_from([PHYSICAL, TEMP, NONTEMP, SCRIPT]), refusals=st.integers(1, 4))
    def a_task_gets_stubborn(self, slot: int, refusals: int) -> None:
        task = self.ped.slot(slot)
        if isinstance(task, Reply):
            task.refusals = refusals

    @rule(slot=st.sampled_from([PHYSICAL, TEMP, NONTEMP, SCRIPT]))
    def a_slot_is_cleared(self, slot: int) -> None:
        self.ped.tasks.set_task(0, None, slot)

    @rule()
    def what_lies_down_asks_to_rise(self) -> None:
        task = self.ped.slot(PHYSICAL)
        if task is not None:
            self.ped.add(GetUp(task))

    @rule(number=st.integers(0, 30))
    def somebody_cleans_up(self, number: int) -> None:
        if self.refs:
            self.ped.events.group.queue.remove(self.refs[number % len(self.refs)])

    @rule(steps=st.integers(1, 8))
    def time_passes(self, steps: int) -> None:
        self.street.step(steps)

    @rule(on=st.booleans())
    def a_script_tells_it_off(self, on: bool) -> None:
        self.ped.events.block_non_temporary = on

    @rule()
    def somebody_looks(self) -> None:
        before = [(one.ticks, one.delay_steps) for one in self.ped.queued()]
        self.ped.events.peek_highest()
        assert [(one.ticks, one.delay_steps) for one in self.ped.queued()] == before

    @invariant()
    def the_queue_is_bounded_and_without_twins(self) -> None:
        if not hasattr(self, "ped"):
            return
        queued = self.ped.queued()
        assert len(queued) <= PED_CAPACITY
        alive = [one for one in queued if not one.expired]
        for index, one in enumerate(alive):
            assert not any(one.same_as(other) for other in alive[index + 1 :])
            assert not one.being_processed

    @invariant()
    def every_live_event_is_somewhere(self) -> None:
        if not hasattr(self, "ped"):
            return
        kept = len(self.ped.queued()) + len(self.ped.events.history.records())
        assert self.street.services.budget.used == kept

    @invariant()
    def the_history_tells_the_truth(self) -> None:
        """After a refresh each record holds a task of its own where it was written."""
        if not hasattr(self, "ped"):
            return
        history = self.ped.events.history
        for record in history.records():
            for placed in record.placed:
                tree: Any = self.ped.tasks.tree(placed.tree)
                holder = tree.slots[placed.slot]
                assert holder is not placed.task or not placed.task.is_deleted
        if history.temp is not None and history.non_temp is not None:
            raise AssertionError("a temporary response stores the non-temporary one")
        assert history.stored is not history.non_temp or history.stored is None

    @invariant()
    def handles_of_what_is_gone_read_none(self) -> None:
        if not hasattr(self, "ped"):
            return
        queued = self.ped.queued()
        assert all(ref.get() is None or ref.get() in queued for ref in self.refs)


EventMachine.TestCase.settings = settings(
    max_examples=60,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


class TestEventMachine(EventMachine.TestCase):
    """EVT-17, EVT-20, EVT-51 to EVT-66: whatever happens, in whatever order."""
