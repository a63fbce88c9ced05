"""Helper state machines and their pools (TASK-91, TASK-93, TASK-90)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Any

import pytest

from ai.faults import faults
from ai.tasks.helper_pools import HelperKind, HelperPools, helper_pools, make_helper_pools
from ai.tasks.task import QUIT
from ai.tasks.task_errors import TaskStateError, TaskTypeError
from ai.tasks.task_helper import TaskHelper
from ai.tasks.trees import PRIMARY, PrimarySlot
from tests.ai.tasks.doubles import STEP, FakePed, Log, Probe


@pytest.fixture(autouse=True)
def pools() -> Iterator[HelperPools]:
    """Pools of the test's own, two of each kind."""
    before = helper_pools().size
    yield make_helper_pools(2)
    make_helper_pools(before)


class Search(TaskHelper):
    """Asks, then reads; done after three looks."""

    __slots__ = ("log", "looks")
    kind = HelperKind.PATH_NODE_SEARCH

    class State(IntEnum):
        ASK = 0
        READ = 1

    def __init__(self, host: Probe, log: Log) -> None:
        super().__init__(host)
        self.log = log
        self.looks = 0

    def on_enter_ask(self) -> None:
        self.log.append("enter ask")

    def on_update_ask(self, dt: float) -> None:
        self.log.append("ask")
        self.set_state(self.State.READ)

    def on_exit_ask(self) -> None:
        self.log.append("exit ask")

    def on_update_read(self, dt: float) -> object:
        self.log.append(f"read {self.time_in_state:.3f}")
        self.looks += 1
        return QUIT if self.looks == 3 else None

    def on_exit_read(self) -> None:
        self.log.append("exit read")


def made(log: Log) -> Search:
    helper = Search.acquire(Probe("H"), log)
    assert helper is not None
    return helper


def test_it_runs_as_a_task_does(log: Log) -> None:
    """TASK-93: enter, update, transition in the same update; timers from 0; QUIT exits."""
    helper = made(log)
    results = [helper.update(STEP) for _ in range(3)]
    assert [result is QUIT for result in results] == [False, False, True]
    assert log == [
        "enter ask", "ask", "exit ask", "read 0.000", "read 0.017", "read 0.033", "exit read",
    ]  # fmt: skip
    assert helper.time_running == pytest.approx(3 * STEP)


def test_an_update_after_its_end_is_a_fault_without_effect(log: Log) -> None:
    """TASK-93."""
    helper = made(log)
    for _ in range(3):
        helper.update(STEP)
    before = list(log)
    assert helper.update(STEP) is QUIT
    assert log == before
    assert len(faults.of_kind("helper_over")) == 1
    faults.clear()


def test_reset_begins_again(log: Log) -> None:
    """TASK-93: the present state is left, the next update enters state 0."""
    helper = made(log)
    helper.update(STEP)
    log.clear()
    helper.reset()
    assert log == ["exit read"]
    helper.update(STEP)
    assert log[1:4] == ["enter ask", "ask", "exit ask"]


def test_two_states_that_follow_each_other_for_ever_are_cut_off() -> None:
    """TASK-93, TASK-42: 41 rounds, one fault."""

    class Toggle(TaskHelper):
        __slots__ = ("rounds",)

        class State(IntEnum):
            A = 0
            B = 1

        def __init__(self, host: Probe) -> None:
            super().__init__(host)
            self.rounds = 0

        def on_update_a(self, dt: float) -> None:
            self.rounds += 1
            self.set_state(1)

        def on_update_b(self, dt: float) -> None:
            self.rounds += 1
            self.set_state(0)

    helper = Toggle.acquire(Probe("H"))
    assert helper is not None
    helper.update(STEP)
    assert helper.rounds == 40
    assert len(faults.of_kind("round_cap")) == 1
    faults.clear()


def test_states_are_changed_in_the_own_update_alone(log: Log) -> None:
    """TASK-93, TASK-18."""
    with pytest.raises(TaskStateError):
        made(log).set_state(1)


def test_a_helper_class_is_checked_as_a_task_class_is() -> None:
    """TASK-93, TASK-06, TASK-90: typos, missing handlers, missing slots, over 192 bytes."""
    with pytest.raises(TypeError, match="on_enter_wlak"):

        class Typo(Search):
            __slots__ = ()

            def on_enter_wlak(self) -> None: ...

    with pytest.raises(TypeError, match="__slots__"):

        class Slotless(Search):
            pass

    with pytest.raises(TaskTypeError, match="192"):

        class Large(Search):
            __slots__ = tuple(f"field_{number}" for number in range(20))


def test_an_empty_pool_refuses_and_the_task_goes_on_without(pools: HelperPools, log: Log) -> None:
    """TASK-91: counted, no fault; a released place serves again; kinds are bounded apart."""
    host = Probe("H")
    first, second = made(log), made(log)
    assert Search.acquire(host, log) is None
    assert pools.refused == {HelperKind.PATH_NODE_SEARCH: 1}
    assert not faults.all()
    first.release()
    first.release()
    assert pools.used(HelperKind.PATH_NODE_SEARCH) == 1
    assert Search.acquire(host, log) is not None
    assert pools.take(HelperKind.CONVERSATION)
    second.release()


def test_what_is_held_at_the_end_is_a_fault_of_its_kind_last_made_first(
    pools: HelperPools,
) -> None:
    """TASK-91: shutdown goes through the pools in reverse order."""
    for kind in (HelperKind.GRIP, HelperKind.CARRIED_PROP):
        pools.take(kind)
    pools.close()
    texts = [fault.text for fault in faults.of_kind("helper_held")]
    assert texts == ["1 of carried_prop held at the end", "1 of grip held at the end"]
    faults.clear()


@pytest.mark.parametrize("releases", [True, False])
def test_a_host_that_ends_without_releasing_leaks(
    ped: FakePed, pools: HelperPools, log: Log, releases: bool
) -> None:
    """TASK-93: a leak fault; the place comes back all the same."""
    held: list[Search] = []

    def begin(task: Probe) -> None:
        helper = Search.acquire(task, log)
        assert helper is not None
        held.append(helper)

    script: dict[str, Any] = {"enterA": begin}
    if releases:
        script["clean"] = lambda task: held[0].release()
    ped.tasks.set_task(PRIMARY, Probe("P", script=script), PrimarySlot.PRIMARY)
    ped.step()
    assert pools.used(HelperKind.PATH_NODE_SEARCH) == 1
    ped.tasks.set_task(PRIMARY, Probe("R"), PrimarySlot.PHYSICAL_RESPONSE)
    assert pools.used(HelperKind.PATH_NODE_SEARCH) == 0
    assert len(faults.of_kind("helper_leaked")) == (0 if releases else 1)
    faults.clear()


def test_the_shipped_sizes_go_with_the_profile() -> None:
    """TASK-91: 32 each, 256 in the profile ``crowd``."""
    from game.world.world_data import shipped_world_data

    limits = shipped_world_data().limits
    assert limits.helpers.size("standard") == 32
    assert limits.helpers.size("crowd") == 256
    assert len(HelperKind) == 7
