"""Groups of peds, vehicles and scripts: who gets in, who sees what, and when (EVT-23 to EVT-30)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from ai.events.body_events import DamageEvent
from ai.events.decision_trace import Reason
from ai.events.event_tuning import EventTuning
from ai.events.group import PED_CAPACITY
from ai.events.notice_events import AmbientNotice, VehicleSeized
from ai.events.script_events import (
    ErrorUnknownPed,
    SessionMessage,
    SessionOwnershipChanged,
)
from ai.events.script_groups import ScriptGroups
from ai.events.sound_events import BangHeard
from ai.events.types import EventType
from ai.events.vehicle_group import EventGroupVehicle
from ai.ports import EntityKind, Vec3
from ai.tuning import TuningError, load_own_form
from game.world.clock import StepClock
from tests.ai.events.event_doubles import ASSETS, Person, Street, Stub, shipped_tuning


def test_group_capacities(street: Street, ped: Person) -> None:
    """EVT-23: the shipped places; a ped's is fixed at 16."""
    assert ped.events.group.queue.capacity == PED_CAPACITY == 16
    assert street.services.global_events.group.queue.capacity == 64
    capacity = shipped_tuning().capacity
    assert (capacity.vehicle, capacity.script) == (8, 64)
    assert (capacity.script_session, capacity.script_error) == (32, 16)
    assert (capacity.inform_friends, capacity.inform_group) == (16, 16)


@pytest.mark.parametrize(
    ("line", "words"),
    [("vehicle = 0", "vehicle"), ("vehicle = 1025", "vehicle"), ("ped = 16", "fixed at 16")],
)
def test_bad_capacities_are_load_errors(tmp_path: Path, line: str, words: str) -> None:
    """EVT-23: below 1, above 1024, and any ped capacity at all."""
    text = (ASSETS / "tuning" / "events.toml").read_text(encoding="utf-8")
    path = tmp_path / "events.toml"
    changed = f"{line}\nvehicle = 8" if line.startswith("ped") else line
    path.write_text(text.replace("vehicle = 8", changed), encoding="utf-8")
    with pytest.raises(TuningError, match=words):
        load_own_form(path, EventTuning)


def test_ped_admission(street: Street, ped: Person) -> None:
    """EVT-24: one case per rule with the expected reason."""
    ped.is_mirrored = True
    assert ped.add(Stub(700)) is None
    ped.is_mirrored = False
    ped.is_dead = True
    assert ped.add(Stub(700)) is None
    ped.is_dead = False
    noisy = street.person(500.0)
    first = ped.add(BangHeard(Vec3(500, 0), 1, noisy.ref, loudness=1.0))
    assert isinstance(first, BangHeard)
    assert ped.add(BangHeard(Vec3(300, 0), 2, noisy.ref, loudness=3.0)) is first
    assert (first.at, first.loudness) == (Vec3(300, 0), 3.0), "nearer position, louder value"
    assert ped.add(BangHeard(Vec3(900, 0), 3, noisy.ref)) is first
    assert first.at == Vec3(300, 0)
    street.player = noisy.ref
    assert ped.add(BangHeard(Vec3(100, 0), 4, noisy.ref)) is not first, "the player's are not"
    assert ped.reasons() == [
        Reason.REFUSED_MIRRORED,
        Reason.REFUSED_NOT_AFFECTED,
        Reason.ADDED,
        Reason.MERGED_SAME_SOURCE,
        Reason.ADDED,
    ]


def test_nobody_hears_their_own_bang(ped: Person) -> None:
    """EVT-24: the maker of a sound is never affected."""
    assert ped.add(BangHeard(Vec3(0, 0), 1, ped.ref)) is None


def test_received_even_if_full(street: Street, ped: Person) -> None:
    """EVT-24: a full queue of 1310s refuses a 200, yet it was received; for so long."""
    for number in range(16):
        ped.add(Stub(1310, f"n{number}"))
    notice = Stub(200, event_type=EventType.AMBIENT_NOTICE)
    assert ped.add(notice) is None
    group = ped.events.group
    assert group.has_received(EventType.AMBIENT_NOTICE, within_steps=10)
    assert not group.has_received(EventType.BANG_HEARD, within_steps=10)
    for _ in range(11):
        street.clock.advance()
    assert not group.has_received(EventType.AMBIENT_NOTICE, within_steps=10)


class Car:
    """A vehicle with people in it."""

    is_mirrored = False

    def __init__(self, *people: Person) -> None:
        self.people = people

    def occupants(self) -> Sequence[Person]:
        return self.people


def test_vehicle_events_reach_occupants(street: Street) -> None:
    """EVT-27: driver first, then by seat, in stage 3; then the group is empty."""
    driver, passenger, thief = street.person(), street.person(), street.person()
    car = Car(driver, passenger, thief)
    ref = street.thing(0, 0, EntityKind.VEHICLE)
    group = EventGroupVehicle(street.services, car, "car")
    street.services.global_events.vehicles[ref] = group
    assert group.add(VehicleSeized(thief.ref, ref)) is not None
    asked: list[int] = []
    tap = lambda event, owner: asked.append(int(owner[-1])) if "ped" in owner else None  # noqa: E731
    street.services.budget.taps.append(tap)
    street.services.global_events.process()
    assert asked == [driver.ped_id, passenger.ped_id]
    assert len(group) == 0
    assert [len(person.queued()) for person in car.people] == [1, 1, 0]


def test_an_empty_vehicle_flushes_silently_and_a_mirrored_one_refuses(street: Street) -> None:
    """EVT-27: nobody inside; another simulation's vehicle."""
    car = Car()
    group = EventGroupVehicle(street.services, car, "car")
    assert group.add(VehicleSeized()) is not None
    group.deliver()
    assert len(group) == 0
    car.is_mirrored = True
    assert group.add(VehicleSeized()) is None


def test_script_rounds(street: Street) -> None:
    """EVT-28, trap "pending": A, then round 2 sees [A] and raises B; C; round 3 [B, C]; then []."""
    scripts = street.services.scripts
    seen = []

    def round_of(*raises: str) -> None:
        scripts.begin_round()
        seen.append([view.data["name"] for view in scripts.ai.events()])
        for name in raises:
            scripts.add(Stub(700, name))
        scripts.end_round()

    round_of()
    scripts.add(Stub(700, "A"))
    round_of("B")
    scripts.add(Stub(700, "C"))
    round_of()
    round_of()
    assert seen == [[], ["A"], ["B", "C"], []]


def test_scripts_read_and_never_write(street: Street) -> None:
    """EVT-28: views are read-only."""
    street.services.scripts.add(Stub(700, "A"))
    (view,) = street.services.scripts.ai.events()
    with pytest.raises(TypeError):
        view.data["name"] = "B"  # type: ignore[index]
    with pytest.raises(AttributeError):
        view.step = 3  # type: ignore[misc]


def test_full_script_queues() -> None:
    """EVT-23: script and session refuse the newest and count; errors drop the oldest."""
    scripts = ScriptGroups(StepClock(), shipped_tuning())
    for number in range(70):
        scripts.add(Stub(700, f"n{number}"))
        scripts.add(SessionMessage({"number": number}))
        scripts.add(ErrorUnknownPed({"ped": number}))
    assert (len(scripts.ai.events()), scripts.ai.lost) == (64, 6)
    assert (len(scripts.session.events()), scripts.session.lost) == (32, 38)
    assert scripts.errors.events()[0].data == {"ped": 54}
    assert scripts.errors.lost == 54


def test_session_events() -> None:
    """EVT-29: three peds handed over are three events of the next round."""
    scripts = ScriptGroups(StepClock(), shipped_tuning())
    for ped in (1, 2, 3):
        scripts.add(SessionOwnershipChanged({"ped": ped, "mirrored": True}))
    types = [view.type for view in scripts.session.events()]
    assert types == [EventType.SESSION_OWNERSHIP_CHANGED] * 3
    scripts.end_round()
    assert scripts.session.events() == ()


def test_an_error_is_stored_and_raised_again_in_strict_mode() -> None:
    """EVT-30: the game goes on; strict mode raises after the event is stored."""
    scripts = ScriptGroups(StepClock(), shipped_tuning())
    with pytest.raises(RuntimeError):
        scripts.report(ErrorUnknownPed({"ped": 1}), RuntimeError("bad"))
    assert len(scripts.errors.events()) == 1


def test_a_notice_at_a_place_is_where_it_says(street: Street, ped: Person) -> None:
    """EVT-02: position: its own place, else the source's, else none."""
    source = street.thing(7, 8)
    assert AmbientNotice(Vec3(1, 2), source).position(street) == Vec3(1, 2)
    assert AmbientNotice(None, source).position(street) == Vec3(7, 8)
    assert DamageEvent(1).position(street) is None
