"""The threat list: bounded, patient, forgetful in the right order (EVT-104)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ai.peds.ped_tuning import PedTuning
from ai.peds.threats import ThreatList
from ai.ports import EntityRef, Vec3
from ai.tasks.task_pool import TaskPool
from ai.tuning import load_own_form
from tests.ai.events.event_doubles import Person, Street

TUNING = load_own_form(
    Path(__file__).resolve().parents[3] / "assets" / "tuning" / "peds.toml", PedTuning
).threats


@pytest.fixture(autouse=True)
def pool() -> TaskPool:
    made = TaskPool()
    made.activate()
    return made


@pytest.fixture
def street() -> Street:
    return Street()


def refs(threats: ThreatList, ped: Person, step: int) -> list[EntityRef]:
    return [one.ref for one in threats.ordered(ped, step)]


def test_nine_threats(street: Street) -> None:
    """EVT-104: a ninth replaces the one not perceived for longest; a known one is refreshed."""
    ped = street.person()
    threats = ThreatList(TUNING)
    others = [street.person(100.0 * number) for number in range(1, 10)]
    for step, other in enumerate(others[:8]):
        threats.register(other.ref, other.position, step)
    threats.register(others[0].ref, others[0].position, 50)
    threats.register(others[8].ref, others[8].position, 51)
    assert len(threats) == 8
    assert others[0].ref in threats
    assert others[1].ref not in threats
    assert others[8].ref in refs(threats, ped, 51)


@pytest.mark.parametrize(("distance", "kept"), [(2600.0, False), (2400.0, True)])
def test_far_ones_are_forgotten(street: Street, distance: float, kept: bool) -> None:
    """EVT-104: at step 1200 after the last perception at 2600 cm; kept at 2400 cm."""
    ped, other = street.person(), street.person(distance)
    threats = ThreatList(TUNING)
    threats.register(other.ref, other.position, 0)
    street.blind.add(ped.ref)
    for step in range(1200):
        threats.update(ped, street, step)
        assert other.ref in threats
    threats.update(ped, street, 1200)
    assert (other.ref in threats) is kept


def test_stale_handles_go_at_once(street: Street) -> None:
    """EVT-104: a reused slot with another generation is another entity."""
    ped, other = street.person(), street.person(300.0)
    threats = ThreatList(TUNING)
    threats.register(other.ref, other.position, 0)
    street.removed.add(other.ref)
    other.ref = other.ref._replace(generation=2)
    threats.update(ped, street, 1)
    assert len(threats) == 0


def test_the_dead_are_feared_for_five_seconds(street: Street) -> None:
    """EVT-104: dead for 5 s; a script may say so at any time."""
    ped, other = street.person(), street.person(300.0)
    threats = ThreatList(TUNING)
    threats.register(other.ref, other.position, 0)
    other.is_dead = True
    threats.update(ped, street, 10)
    threats.update(ped, street, 309)
    assert other.ref in threats
    threats.update(ped, street, 310)
    assert other.ref not in threats
    threats.register(other.ref, other.position, 400)
    threats.forget(other.ref)
    assert len(threats) == 0


def test_a_flickering_threat_changes_no_mind(street: Street) -> None:
    """EVT-104: behind a pillar at 2 Hz for 20 s: it stays, at its last known position."""
    ped, other = street.person(), street.person(1500.0)
    threats = ThreatList(TUNING)
    threats.register(other.ref, other.position, 0)
    for step in range(1200):
        if step % 30 == 0:
            street.blind ^= {ped.ref}
        other.position = Vec3(1500.0 + step * 0.1, 0.0)
        threats.update(ped, street, step)
        (threat,) = threats.ordered(ped, step)
        assert step - threat.perceived_step <= 30


def test_targets_in_order(street: Street) -> None:
    """EVT-104: perceived within 1 s first, then distance, then handle."""
    ped = street.person()
    threats = ThreatList(TUNING)
    near, far, old = (street.person(x) for x in (300.0, 900.0, 100.0))
    threats.register(old.ref, old.position, 0)
    threats.register(far.ref, far.position, 100)
    threats.register(near.ref, near.position, 100)
    assert refs(threats, ped, 110) == [near.ref, far.ref, old.ref]
