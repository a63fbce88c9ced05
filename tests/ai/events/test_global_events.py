"""Stage 3 of a step and shocking events (EVT-31 to EVT-36, EVT-86 to EVT-91)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ai.events.body_events import DamageEvent
from ai.events.deciding import decide
from ai.events.decision_trace import Reason
from ai.events.notice_events import MergedNoise, SuspiciousActivity
from ai.events.shocking import ShockingEvent
from ai.events.shocking_data import SHOCKING_TYPES, ShockingTuning
from ai.events.sound_events import ExplosionHeard
from ai.events.types import EventType
from ai.ports import EntityKind, Vec3
from ai.tuning import TuningError, load_own_form
from tests.ai.events.event_doubles import ASSETS, NONTEMP, Person, Street, shipped_shocking

FIRE = EventType.SHOCKING_FIRE
ORIGIN = Vec3(0.0, 0.0)


def shock(
    street: Street, kind: EventType = FIRE, at: Vec3 = ORIGIN, **more: object
) -> ShockingEvent:
    event = street.services.global_events.shock(kind, at, **more)  # type: ignore[arg-type]
    assert event is not None
    return event


# -- stage 3 -----------------------------------------------------------------------------------


def test_a_fire_of_this_step_is_offered_before_the_handlers(street: Street) -> None:
    """EVT-31: lit in step n, queued in step n."""
    near = street.person(300.0)
    shock(street)
    street.services.global_events.process()
    assert [one.event_type for one in near.queued()] == [FIRE]


@pytest.mark.parametrize("crowd", [3, 300])
def test_offer_matrix(street: Street, crowd: int) -> None:
    """EVT-32: near, far, dead by two events: clones at the near one; loop and batch alike."""
    people = [street.person(300.0 + number % 3 * 5000.0) for number in range(crowd)]
    for person in people[2::3]:
        person.position = Vec3(300.0, 0.0)
        person.is_dead = True
    shock(street)
    shock(street, EventType.SHOCKING_BANG)
    street.services.global_events.process()
    counts = [len(person.queued()) for person in people]
    assert counts == [2, 1, 0] * (crowd // 3), "the bang carries 6000 cm, the fire 2500"


def test_script_sees_fire_once(street: Street) -> None:
    """EVT-33: a fire of 300 steps is one event to scripts."""
    scripts = street.services.scripts
    source = street.thing(0, 0)
    seen = 0
    for step in range(300):
        scripts.begin_round()
        seen += sum(1 for view in scripts.ai.events() if view.type is FIRE)
        scripts.end_round()
        if step % 30 == 0:
            shock(street, source=source)
        street.step()
    assert seen == 1


def told(ped: Person) -> int:
    return sum(1 for one in ped.queued() if one.event_type is EventType.FRIEND_RESPONDED_TO_THREAT)


def test_inform_once(street: Street) -> None:
    """EVT-34, trap "echo": the two others receive exactly one; nobody hears it back; all ends."""
    hit, one, two = street.person(), street.person(100.0), street.person(200.0)
    threat = street.person(9000.0)
    street.befriend(hit, one, two)
    hit.add(DamageEvent(1, threat.ref))
    street.step()
    assert len(street.services.inform) == 1
    street.services.global_events.process()
    assert (told(hit), told(one), told(two)) == (0, 1, 1)
    delay = one.queued()[0].delay_range_s
    assert delay == (0.3, 0.8), "in place of the type's own"
    street.step(600)
    assert len(street.services.inform) == 0
    received = [
        sum(1 for got in person.events.group.received
            if got.event_type is EventType.FRIEND_RESPONDED_TO_THREAT)
        for person in (hit, one, two)
    ]  # fmt: skip
    assert received == [0, 1, 1]


def test_friends_hear_within_reach(street: Street) -> None:
    """EVT-34: 1500 cm in sight, 800 cm without."""
    hit = street.person()
    people = [street.person(x) for x in (1500.0, 1501.0, 800.0, 801.0)]
    street.befriend(hit, *people)
    street.blind.update({people[2].ref, people[3].ref})
    threat = street.person(9000.0)
    hit.add(DamageEvent(1, threat.ref))
    street.step()
    street.services.global_events.process()
    assert [told(person) for person in people] == [1, 0, 1, 0]


@pytest.mark.parametrize("fate", ["dead", "removed"])
def test_inform_dead_informer(street: Street, fate: str) -> None:
    """EVT-34: the informer died or was removed by then: nobody is told."""
    hit, friend, threat = street.person(), street.person(100.0), street.person(9000.0)
    street.befriend(hit, friend)
    hit.add(DamageEvent(1, threat.ref))
    street.step()
    if fate == "dead":
        hit.is_dead = True
    else:
        street.removed.add(hit.ref)
    street.services.global_events.process()
    assert told(friend) == 0


def test_a_full_inform_queue_refuses_the_newest(street: Street, ped: Person) -> None:
    """EVT-34: 16 entries; the 17th is traced."""
    threat = street.person(9000.0)
    for number in range(17):
        DamageEvent(number, threat.ref).on_response_started(ped)
    assert len(street.services.inform) == 16
    assert ped.reasons() == [Reason.REFUSED_FULL]


def test_combine(street: Street) -> None:
    """EVT-35: ten blasts of near and soon are one, count 10; one at 600 cm is another."""
    group = street.services.global_events.group
    for number in range(10):
        event = ExplosionHeard(
            Vec3(30.0 * number, 0), number, 1000.0 + number, 3 * number, loudness=float(number)
        )
        group.add_or_combine(event)
    (kept,) = group.events()
    assert isinstance(kept, MergedNoise)
    assert (kept.count, kept.start_step, kept.radius_cm) == (10, 0, 1009.0)
    assert kept.at == Vec3(270.0, 0), "where the loudest was"
    group.add_or_combine(ExplosionHeard(Vec3(270.0 + 600.0, 0), 10, 1000.0, 30))
    assert len(group) == 2
    group.add_or_combine(SuspiciousActivity(Vec3(270.0, 0), 11, 500.0, 30))
    assert len(group) == 3, "another type"
    for number in range(10):
        shock(street, at=Vec3(float(number), 0))
    assert len(group) == 13


def test_combine_source_and_time(street: Street) -> None:
    """EVT-35: source kept if equal, else None; 61 steps apart are two events."""
    a, b = street.thing(0, 0), street.thing(1, 0)
    first = ExplosionHeard(ORIGIN, 1, 100.0, 0, source=a)
    assert first.try_combine(ExplosionHeard(ORIGIN, 1, 100.0, 60, source=a))
    assert first.source == a
    assert not first.try_combine(ExplosionHeard(ORIGIN, 1, 100.0, 61, source=a))
    assert first.try_combine(ExplosionHeard(ORIGIN, 1, 100.0, 1, source=b))
    assert first.source is None


def test_global_lifetimes(street: Street) -> None:
    """EVT-36: EXPLOSION_HEARD is gone before the next step; a bang of 3 s stays 180 steps."""
    group = street.services.global_events.group
    group.add_or_combine(ExplosionHeard(ORIGIN, 1, 100.0, 0))
    shock(street, EventType.SHOCKING_BANG)
    street.step()
    assert [one.event_type for one in group.events()] == [EventType.SHOCKING_BANG]
    street.step(178)
    assert len(group) == 1
    street.step()
    assert len(group) == 0


# -- shocking events ---------------------------------------------------------------------------


def offered_steps(street: Street, steps: int, refresh_until: int = 0) -> list[int]:
    """Steps in which a passer-by that arrives anew each step is offered the event."""
    source = street.thing(0, 0)
    found = []
    for step in range(steps):
        if refresh_until and step < refresh_until and step % 30 == 0:
            shock(street, source=source)
        if street.services.global_events.group.events():
            found.append(step)
        street.step()
    return found


def test_shock_life(street: Street) -> None:
    """EVT-86: a bang of 3 s: steps 0 to 179; a fire refreshed last in 1170: to 1289."""
    shock(street, EventType.SHOCKING_BANG)
    assert offered_steps(street, 200) == list(range(180))
    fires = Street()
    assert offered_steps(fires, 1300, refresh_until=1200) == list(range(1290))


def test_one_event_per_cause(street: Street) -> None:
    """EVT-86: a second creation for the same kind and source refreshes the first."""
    source = street.thing(0, 0)
    first = shock(street, source=source)
    street.step(10)
    assert first.ticks == 10
    assert shock(street, source=source) is first
    assert first.ticks == 0
    assert shock(street, EventType.SHOCKING_BANG, source=source) is not first
    assert len(street.services.global_events.group) == 2


def test_shock_table() -> None:
    """EVT-87: the shipped file has every kind; figures of some rows read off the rule."""
    kinds = shipped_shocking()
    assert set(kinds.kind) == {one.name for one in SHOCKING_TYPES}
    assert len(SHOCKING_TYPES) == 23
    fire = kinds.of(FIRE)
    assert (fire.see_cm, fire.hear_cm, fire.life_s) == (2500, 800, 2.0)
    assert (fire.delay_s, fire.spawn_block_cm, fire.max_watchers) == ((0.2, 0.8), 1000, -1)
    body = kinds.of(EventType.SHOCKING_BODY)
    assert (body.class_, body.see_cm, body.hear_cm, body.max_watchers) == (
        "affects_others", 1500, 0, 10,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("SHOCKING_HORN", "SHOCKING_TRUMPET", "SHOCKING_TRUMPET"),
        ('class = "serious"\n', 'class = "grave"\n', "class"),
        ("life_s = 20.0", "life_s = 0.0", "life_s"),
        ("see_cm = 1200\nhear_cm = 0", "see_cm = 0\nhear_cm = 0", "both 0"),
        ("delay_s = [0.4, 1.5]", "delay_s = [1.5, 0.4]", "delay"),
    ],
)
def test_bad_kinds_are_load_errors(tmp_path: Path, old: str, new: str, words: str) -> None:
    """EVT-87: unknown kind or class, life 0, nobody would notice, delays the wrong way round."""
    text = (ASSETS / "events" / "shocking.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "shocking.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(TuningError, match=words):
        load_own_form(path, ShockingTuning)


def test_close_raises(street: Street, ped: Person) -> None:
    """EVT-87: a fire at 401 cm is 700, at 400 cm 710."""
    event = shock(street, at=Vec3(401.0, 0.0))
    assert event.priority(ped) == 700
    ped.position = Vec3(1.0, 0.0)
    assert event.priority(ped) == 710


def test_shock_who(street: Street) -> None:
    """EVT-88: twelve onlookers around one bang, and who is affected."""
    source = street.person(0.0)
    other = street.person(10.0)
    expected = {"source": False, "other": False}
    people = {"source": source, "other": other}

    def onlooker(name: str, x: float, yes: bool) -> Person:
        people[name] = street.person(x)
        expected[name] = yes
        return people[name]

    onlooker("sees it", 2900.0, True)
    street.blind.add(onlooker("facing away, hears it", 5900.0, True).ref)
    street.blind.add(onlooker("facing away, too far to hear", 6001.0, False).ref)
    walled = onlooker("behind a wall in half the radius", 2990.0, True)
    street.blind.add(walled.ref)
    street.walls[walled.ref] = 1
    far_walled = onlooker("behind a wall, beyond half", 3010.0, False)
    street.blind.add(far_walled.ref)
    street.walls[far_walled.ref] = 1
    deep = onlooker("behind many walls: at most two count", 1490.0, True)
    street.blind.add(deep.ref)
    street.walls[deep.ref] = 5
    onlooker("dead", 300.0, False).is_dead = True
    onlooker("mirrored", 300.0, False).is_mirrored = True
    friend = onlooker("friend of the source", 300.0, False)
    street.friends.add((friend.ref, source.ref))
    member = onlooker("of the source's group", 300.0, False)
    street.groups.append((source.ref, member.ref))
    ignoring = onlooker("told to ignore, but it is dangerous", 300.0, True)
    ignoring.events.ignore_shocking = True
    event = shock(street, EventType.SHOCKING_BANG, source=source.ref, other=other.ref)
    assert {name: event.affects_ped(person) for name, person in people.items()} == expected


def test_who_ignores_and_who_sits_in_it(street: Street) -> None:
    """EVT-88: ignore_shocking holds below dangerous; an occupant of the source is not affected."""
    driver = street.person(10.0)
    car = street.thing(0, 0, EntityKind.VEHICLE)
    street.drivers[car] = driver.ref
    crash = shock(street, EventType.SHOCKING_CAR_CRASH, source=car)
    assert not crash.affects_ped(driver)
    ignoring = street.person(2000.0)
    ignoring.events.ignore_shocking = True
    assert not crash.affects_ped(ignoring)


def test_sensed_once_counts(street: Street, ped: Person) -> None:
    """EVT-88: for the rest of the event's life; which sense it was is kept."""
    ped.position = Vec3(900.0, 0.0)
    event = shock(street)
    assert event.affects_ped(ped)
    assert event.was_seen_by(ped)
    street.blind.add(ped.ref)
    assert event.affects_ped(ped)
    heard = street.person(500.0)
    street.blind.add(heard.ref)
    assert event.affects_ped(heard)
    assert not event.was_seen_by(heard)


def starts(ped: Person) -> int:
    return sum(
        1 for one in ped.events.trace.records(reason=Reason.COMMITTED) if "Reply" in str(one.data)
    )


def test_no_retrigger(street: Street) -> None:
    """EVT-89, trap "refire": decided once, then left alone while the fire burns on."""
    ped = street.person(412.0, decision_maker="timid")
    source = street.thing(0, 0)
    for step in range(1200):
        if step % 30 == 0:
            shock(street, source=source)
        street.step()
        if step == 200:
            ped.tasks.set_task(0, None, NONTEMP)
            ped.position = Vec3(1017.0, 0.0)
    assert starts(ped) == 1


def test_offered_again_when_renewed(street: Street, ped: Person) -> None:
    """EVT-89: class raised, moved over 500 cm, or ended 10 s ago within a quarter of the radius."""
    source = street.thing(0, 0)
    ped.position = Vec3(600.0, 0.0)
    event = shock(street, source=source)
    form = ped.add(event.for_peds())
    assert isinstance(form, ShockingEvent)
    clock = ped.events.clock
    clock.begin_updates(1)
    decide(ped, form)
    clock.end_updates()
    assert event.was_offered(ped)
    ped.position = Vec3(400.0, 0.0)
    assert not event.was_offered(ped), "raised to serious"
    ped.position = Vec3(600.0, 0.0)
    assert event.was_offered(ped)
    street.places[source] = Vec3(0.0, 501.0)
    assert not event.was_offered(ped), "moved"
    street.places[source] = ORIGIN
    form.response_ended(street.clock.step)
    for _ in range(599):
        street.clock.advance()
    assert event.was_offered(ped)
    street.clock.advance()
    assert not event.was_offered(ped), "600 cm is inside 625"
    ped.position = Vec3(626.0, 0.0)
    assert event.was_offered(ped)


def test_told_counts(street: Street) -> None:
    """EVT-90 (a), trap 36: a member that can't sense the fire is told, and that counts."""
    first = street.person(300.0, decision_maker="timid")
    deaf = street.person(2000.0, 0.0, decision_maker="timid")
    street.blind.add(deaf.ref)
    street.groups.append((first.ref, deaf.ref))
    event = shock(street)
    assert not event.affects_ped(deaf)
    while not first.has_reason(Reason.COMMITTED):
        street.step()
        if street.clock.step % 30 == 0:
            event.refresh()
    street.services.global_events.process()
    assert [one.event_type for one in deaf.queued()] == [FIRE]
    clone = deaf.queued()[0]
    assert isinstance(clone, ShockingEvent)
    assert clone.hops == 0, "what one was told is not told on"


def test_stampede_from_flee(street: Street) -> None:
    """EVT-90 (c): two: none; three within 2 s and 600 cm: one, at their centroid; more: still."""
    event = shock(street)
    people = [street.person(100.0 * number, 0.0) for number in range(10)]
    events = street.services.global_events

    def stampedes() -> list[ShockingEvent]:
        return [
            one for one in events.group.events()
            if isinstance(one, ShockingEvent) and one.event_type is EventType.SHOCKING_STAMPEDE
        ]  # fmt: skip

    events.flee_started(event, people[0])
    events.flee_started(event, people[1])
    assert stampedes() == []
    events.flee_started(event, people[2])
    (one,) = stampedes()
    assert one.cause.at == Vec3(100.0, 0.0)
    for person in people[3:]:
        events.flee_started(event, person)
    assert len(stampedes()) == 1


def test_slow_or_scattered_fleers_are_no_stampede(street: Street) -> None:
    """EVT-90 (c): over 2 s, or over 600 cm apart."""
    events = street.services.global_events
    people = [street.person(x) for x in (0.0, 100.0, 701.0)]
    scattered = shock(street)
    for person in people:
        events.flee_started(scattered, person)
    slow = shock(street, at=Vec3(9.0, 0.0))
    for person in people[:2]:
        events.flee_started(slow, person)
    for _ in range(121):
        street.clock.advance()
    events.flee_started(slow, street.person(50.0))
    assert not scattered.cause.has_stampede
    assert not slow.cause.has_stampede


def test_spawn_block(street: Street) -> None:
    """EVT-91: within 1000 cm of a fire; free again in the step after it has expired."""
    events = street.services.global_events
    shock(street)
    street.step()
    assert events.blocks_spawn(1000.0, 0.0)
    assert not events.blocks_spawn(1000.1, 0.0)
    street.step(118)
    assert events.blocks_spawn(0.0, 0.0)
    street.step()
    assert not events.blocks_spawn(0.0, 0.0)
