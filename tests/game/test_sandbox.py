"""``Sandbox`` as a library: running, expecting, watching (product.md section 4, LVL-11)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from game import Sandbox
from game.levels.errors import LevelError
from game.sandbox import StillWaiting, Unmet


@pytest.fixture
def box() -> Iterator[Sandbox]:
    made = Sandbox.load("pickup", strict=True)
    yield made
    made.close()


def test_it_runs_for_a_simulated_time_and_until_something_holds(box: Sandbox) -> None:
    """LVL-11: time is simulated time only; both say how many steps they took."""
    assert box.run_for(0.5) == 30
    assert box.time_s == pytest.approx(0.5)
    courier = box.ped("courier")
    assert box.run_until(lambda: courier.order.live, timeout_s=1.0) == 1
    with pytest.raises(StillWaiting, match=r"courier at \(2\d\d, "):
        box.run_until(lambda: courier.order.completed, timeout_s=1.0)


def test_an_expectation_that_comes_true_is_kept_quiet() -> None:
    """LVL-11: the words of level.toml; "within" counts from now, "always" to the run's end."""
    with Sandbox.load("pickup", strict=True) as box:
        box.expect(ped="courier", field="inside_shape", is_=True, never=True)
        box.run_for(1.0)
        box.expect(ped="courier", field="order.status", is_="COMPLETED", within=11.0)
        box.expect(ped="courier", field="order.session", is_=1, always=True, after="start")
        box.expect(peds="all", field="task.main", is_="ORDER", by=1.5)
        box.run()
        box.verify()


def test_what_is_broken_says_so_in_the_step_that_broke_it(box: Sandbox) -> None:
    """LVL-11: never and always are judged at every step; the text says what was last seen."""
    box.expect(ped="courier", field="order.status", is_="TRAVELLING", never=True)
    with pytest.raises(Unmet, match=r"order\.status never is TRAVELLING.*= TRAVELLING at 0\.517 s"):
        box.run()
    assert box.world.clock.step == 31


def test_what_has_not_come_true_fails_at_the_end_of_the_block() -> None:
    """LVL-11: nothing that was expected is dropped in silence."""

    def block(error: Exception | None = None) -> None:
        with Sandbox.load("pickup") as box:
            box.expect(ped="courier", field="order.status", is_="COMPLETED", by=12.0)
            box.run_for(2.0)
            if error is not None:
                raise error

    with pytest.raises(Unmet, match="COMPLETED by 12 s"):
        block()
    with pytest.raises(RuntimeError, match="hides nothing"):
        block(RuntimeError("an error of the test itself hides nothing"))


COURIER_DRIFTS = {"ped": "courier", "field": "drift", "at_most": 1.0}
STATUS = {"ped": "courier", "field": "order.status", "by": 2.0}


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (COURIER_DRIFTS | {"ped": "currier", "by": 2.0}, "did you mean 'courier'?"),
        (STATUS | {"field": "order.statu", "is_": "PENDING"}, "did you mean 'order.status'?"),
        (STATUS | {"is_": "DONE"}, "is never 'DONE'"),
        (COURIER_DRIFTS | {"bye": 2.0}, "did you mean 'by'?"),
        (COURIER_DRIFTS | {"always": True, "after": "strat"}, "did you mean 'start'?"),
        (COURIER_DRIFTS | {"by": 0.5}, "'by' = 0.5 is over, it is 1.000 s"),
        ({"field": "drift", "at_most": 1.0, "by": 2.0}, "say of whom"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_hint(
    box: Sandbox, statement: dict[str, object], message: str
) -> None:
    """LVL-11: as in level.toml, and nothing is expected then."""
    box.run_for(1.0)
    with pytest.raises(LevelError, match="expect") as refused:
        box.expect(**statement)
    assert message in str(refused.value)
    box.verify()


def test_a_watch_writes_down_what_happens_when(box: Sandbox) -> None:
    """LVL-11: fields of every step, the changes among them, and the first time of a value."""
    seen = box.watch("courier", "order.status", "walked")
    people = box.watch("the run", "people")
    car = box.watch("car_a", "drift")
    box.run()
    assert len(seen["order.status"]) == box.world.clock.step
    assert [value for _, value in seen.changes("order.status")] == [
        "NOT_STARTED",
        "TRAVELLING",
        "COMPLETED",
    ]
    assert seen.first("order.status", "TRAVELLING") == pytest.approx(31 / 60)
    assert seen.first("order.status", "CANCELLED") is None
    assert 858.0 <= float(seen["walked"][-1] or 0.0) <= 930.0
    assert people.changes("people") == [(pytest.approx(1 / 60), 1)]
    assert set(car["drift"]) == {0.0}


@pytest.mark.parametrize(
    ("name", "field", "message"),
    [
        ("courrier", "drift", "nothing is named 'courrier'; did you mean 'courier'?"),
        ("courier", "order.statu", "unknown field 'order.statu'; did you mean 'order.status'?"),
        ("car_a", "order.status", "unknown field 'order.status'"),
    ],
)
def test_a_watch_of_nothing_is_refused(box: Sandbox, name: str, field: str, message: str) -> None:
    """LVL-11: a name or field that there is not, with the nearest one."""
    with pytest.raises(LevelError) as refused:
        box.watch(name, field)
    assert message in str(refused.value)
