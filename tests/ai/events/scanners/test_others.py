"""Crowds, bodies, runners, weapons, relations and the own state (EVT-44 to EVT-49)."""

from __future__ import annotations

import math

import pytest

from ai.events.relations import Relation, Relations
from ai.events.scanners.facts import Armed, Lying
from ai.events.scanners.own_state import SelfScanner
from ai.events.shocking import ShockingEvent
from ai.events.types import EventType
from ai.ports import EntityKind, EntityRef, Vec3
from tests.ai.events.event_doubles import Person
from tests.ai.events.scan_doubles import Scene, heard_of, only

AWAY = Vec3(90_000.0, 0.0)


def shocks(scene: Scene, event_type: EventType) -> list[ShockingEvent]:
    return [
        one
        for one in scene.services.global_events.group.queue.entries
        if isinstance(one, ShockingEvent) and one.event_type == event_type
    ]


def look_for(scene: Scene, steps: int) -> None:
    """Looking, with the street's own events ageing."""
    for _ in range(steps):
        scene.services.global_events.process()
        scene.look()


# -- crowds (EVT-44) ------------------------------------------------------------------------------


def test_crowd_hysteresis() -> None:
    """EVT-44: 5: none; 6: one; 4: still there after its life of 8 s; 3: it ends."""
    scene = only(Scene(), "crowds")
    people = [scene.walker(100.0 * number, 0.0) for number in range(5)]
    look_for(scene, 120)
    assert not shocks(scene, EventType.SHOCKING_CROWD)
    people.append(scene.walker(500.0, 0.0))
    look_for(scene, 120)
    assert len(shocks(scene, EventType.SHOCKING_CROWD)) == 1
    people[0].position = people[1].position = AWAY
    look_for(scene, 600)
    assert len(shocks(scene, EventType.SHOCKING_CROWD)) == 1
    people[2].position = AWAY
    look_for(scene, 600)
    assert not shocks(scene, EventType.SHOCKING_CROWD)


def test_members_take_no_notice_of_their_crowd() -> None:
    """EVT-44: an onlooker is told, members are not; who walks by is no member."""
    scene = only(Scene(), "crowds")
    people = [scene.walker(50.0 * number, 0.0) for number in range(6)]
    onlooker = scene.walker(1300.0, 0.0, 140.0)
    look_for(scene, 61)
    scene.services.global_events.process()
    assert heard_of(onlooker, EventType.SHOCKING_CROWD)
    assert not any(heard_of(one, EventType.SHOCKING_CROWD) for one in people)


def test_six_who_walk_are_no_crowd() -> None:
    """EVT-44: only those slower than 30 cm/s count."""
    scene = only(Scene(), "crowds")
    for number in range(6):
        scene.walker(100.0 * number, 0.0, 31.0 if number == 0 else 0.0)
    look_for(scene, 120)
    assert not shocks(scene, EventType.SHOCKING_CROWD)


# -- bodies (EVT-45) ------------------------------------------------------------------------------


def body(scene: Scene, person: Person, down_s: float = 3.0, *, dead: bool = False) -> None:
    scene.bodies.append(Lying(person.ref, person.position, down_s, dead))
    scene.flags["is_down"].add(person.ped_id)


def test_body_seen_once() -> None:
    """EVT-45: four onlookers: one event of the street, while it lies there."""
    scene = only(Scene(), "bodies")
    for number in range(4):
        scene.walker(0.0, 100.0 * number)
    fallen = scene.walker(600.0, 0.0)
    body(scene, fallen, dead=True)
    look_for(scene, 1200)
    (event,) = shocks(scene, EventType.SHOCKING_BODY)
    assert event.source == fallen.ref
    scene.bodies.clear()
    look_for(scene, 310)
    assert not shocks(scene, EventType.SHOCKING_BODY), "its life of 5 s is over"


@pytest.mark.parametrize(
    ("x", "y", "down_s", "dead", "expected"),
    [
        (1500.0, 0.0, 3.0, False, EventType.SHOCKING_INJURED_PED),
        (1501.0, 0.0, 3.0, False, None),
        (600.0, 0.0, 2.0, False, None),
        (600.0, 0.0, 0.0, True, EventType.SHOCKING_BODY),
        (500.0, 850.0, 3.0, False, EventType.SHOCKING_INJURED_PED),  # 59.5 degrees
        (500.0, 880.0, 3.0, False, None),  # 60.4 degrees
    ],
)
def test_who_sees_a_body(
    x: float, y: float, down_s: float, dead: bool, expected: EventType | None
) -> None:
    """EVT-45: within 1500 cm and 60 degrees; alive: down for over 2 s."""
    scene = only(Scene(), "bodies")
    scene.walker(0.0, 0.0)
    body(scene, scene.walker(x, y), down_s, dead=dead)
    look_for(scene, 31)
    assert scene.global_types() == ([] if expected is None else [expected])


def test_partners_of_a_scene_are_ignored() -> None:
    """EVT-45: by who is told to ignore them, and by the body itself; a blind one sees nothing."""
    scene = only(Scene(), "bodies")
    ped, fallen = scene.walker(0.0, 0.0), scene.walker(300.0, 0.0)
    body(scene, fallen)
    ped.events.ignored_bodies[fallen.ref] = None
    look_for(scene, 31)
    assert not scene.global_types()
    ped.events.ignored_bodies.clear()
    scene.blind.add(ped.ref)
    look_for(scene, 31)
    assert not scene.global_types()
    scene.blind.clear()
    look_for(scene, 31)
    assert scene.global_types()


# -- runners (EVT-46) -----------------------------------------------------------------------------


def test_a_runner_is_told_of_once_in_five_seconds() -> None:
    """EVT-46: faster than 250 cm/s, seen within 1000 cm; one event while it runs about."""
    scene = only(Scene(), "runners")
    scene.walker(0.0, 0.0)
    runner = scene.walker(900.0, 0.0, 0.0, 251.0)
    scene.scanners.scan(13)  # 13 + 7: the onlooker is due
    (event,) = shocks(scene, EventType.SHOCKING_RUNNING_PED)
    assert event.source == runner.ref
    event.ticks = 9
    scene.scanners.scan(33)
    assert event.ticks == 9, "not told again so soon"
    for speed, x in ((250.0, 900.0), (251.0, 1001.0)):
        scene = only(Scene(), "runners")
        scene.walker(0.0, 0.0)
        scene.walker(x, 0.0, 0.0, speed)
        scene.scanners.scan(13)
        assert not scene.global_types()


def test_own_group_may_run() -> None:
    """EVT-46: who is of the observer's group is no runner to it."""
    scene = only(Scene(), "runners")
    ped, runner = scene.walker(0.0, 0.0), scene.walker(500.0, 0.0, 0.0, 300.0)
    scene.relations.go_together((ped.ref, runner.ref))
    scene.run(40)
    assert not scene.global_types()


def running(scene: Scene, count: int, spread: float = 100.0, turn: float = 0.0) -> list[Person]:
    return [
        scene.walker(
            10_000.0 + spread * number,
            0.0,
            300.0 * math.cos(turn * number),
            300.0 * math.sin(turn * number),
        )
        for number in range(count)
    ]


def test_stampede() -> None:
    """EVT-46: 2 runners: none; 3: one; a fourth joining: none new."""
    scene = only(Scene(), "runners")
    scene.blind.update()
    running(scene, 2)
    scene.run(40)
    assert EventType.SHOCKING_STAMPEDE not in scene.global_types()
    scene.walker(10_250.0, 100.0, 300.0)
    scene.run(40)
    assert scene.global_types().count(EventType.SHOCKING_STAMPEDE) == 1
    scene.walker(10_500.0, 200.0, 300.0)
    scene.run(80)
    assert scene.global_types().count(EventType.SHOCKING_STAMPEDE) == 1


def test_runners_apart_or_every_which_way_are_no_stampede() -> None:
    """EVT-46: within 800 cm of each other, headings within 45 degrees."""
    for spread, turn, told in ((400.0, 0.0, 1), (401.0, 0.0, 0), (50.0, math.radians(23.0), 0)):
        scene = only(Scene(), "runners")
        running(scene, 3, spread, turn)
        scene.scanners.scan(13)
        assert scene.global_types().count(EventType.SHOCKING_STAMPEDE) == told, (spread, turn)


# -- weapons (EVT-47) -----------------------------------------------------------------------------


def aimed(off_deg: float, away_cm: float = 1000.0, *, aims: bool = True) -> tuple[Scene, Person]:
    scene = only(Scene(), "weapons")
    holder = scene.walker(0.0, 0.0)
    angle = math.radians(off_deg)
    ped = scene.walker(away_cm * math.cos(angle), away_cm * math.sin(angle))
    scene.weapons.append(Armed(holder.ref, 0, 0.0 if aims else None))
    scene.run(11)
    return scene, ped


@pytest.mark.parametrize(
    ("off_deg", "away_cm", "told"),
    [(4.9, 1000.0, True), (5.1, 1000.0, False), (0.0, 2000.0, True), (0.0, 2001.0, False)],
)
def test_aim_cone(off_deg: float, away_cm: float, told: bool) -> None:
    """EVT-47: 4.9 degrees off the line: aimed at; 5.1: not; up to 2000 cm."""
    _, ped = aimed(off_deg, away_cm)
    assert bool(heard_of(ped, EventType.AIMED_AT)) is told


def test_a_weapon_in_hand_is_seen() -> None:
    """EVT-47: drawn: seen within 1500 cm; a threat once it is aimed; nothing of its own holder."""
    scene, ped = aimed(90.0, 1500.0, aims=False)
    assert scene.global_types() == [EventType.SHOCKING_WEAPON_DRAWN]
    assert not heard_of(ped, EventType.AIMED_AT)
    scene, _ = aimed(90.0, 1500.0)
    assert scene.global_types() == [
        EventType.SHOCKING_WEAPON_DRAWN,
        EventType.SHOCKING_WEAPON_THREAT,
    ]
    scene, _ = aimed(90.0, 1501.0)
    assert scene.global_types() == []


# -- relations and leaders (EVT-48) ----------------------------------------------------------------


def test_relation_lookup() -> None:
    """EVT-48: own entry beats group row beats neutral, each way by itself."""
    relations = Relations({"red": {"blue": "dislike"}, "blue": {"blue": "friend"}})
    one, two, three = (EntityRef(EntityKind.PED, slot, 1) for slot in range(3))
    assert not relations.matter
    relations.join(one, "red")
    relations.join(two, "blue")
    assert relations.of(one, two) is Relation.DISLIKE
    assert relations.of(two, one) is Relation.NEUTRAL
    assert relations.of(one, three) is Relation.NEUTRAL
    relations.set(one, two, Relation.LIKE)
    assert relations.of(one, two) is Relation.LIKE
    assert relations.of(two, one) is Relation.NEUTRAL
    relations.join(three, "blue")
    assert relations.are_friends(two, three)
    relations.forget(two)
    assert relations.of(one, two) is Relation.NEUTRAL


def test_groups_go_on_without_who_leaves() -> None:
    """EVT-48: the next leads; one alone is no group; nobody is in two."""
    relations = Relations({})
    one, two, three = (EntityRef(EntityKind.PED, slot, 1) for slot in range(3))
    relations.go_together((one, two, three))
    with pytest.raises(ValueError, match="in a group already"):
        relations.go_together((two,))
    assert relations.leaders() == [one]
    relations.forget(one)
    assert relations.group_of(three) == (two, three)
    relations.forget(three)
    assert relations.group_of(two) == ()
    assert not relations.matter


@pytest.mark.parametrize(
    ("relation", "event_type"),
    [
        (Relation.LIKE, EventType.ACQUAINTANCE_LIKE),
        (Relation.DISLIKE, EventType.ACQUAINTANCE_DISLIKE),
        (Relation.HATE, EventType.ACQUAINTANCE_HATE),
        (Relation.FRIEND, None),
        (Relation.NEUTRAL, None),
    ],
)
def test_acquaintances_in_sight(relation: Relation, event_type: EventType | None) -> None:
    """EVT-48: within 1200 cm, once a pair in 20 s; friends and strangers are no event."""
    scene = only(Scene(), "relations")
    ped, other = scene.walker(0.0, 0.0), scene.walker(1200.0, 0.0)
    scene.relations.set(ped.ref, other.ref, relation)
    told = []
    for step in range(1300):
        scene.look()
        if ped.queued():
            told.append(step)
            assert [one.event_type for one in ped.queued()] == [event_type]
            ped.events.group.queue.flush_all()
    if event_type is None:
        assert not told
    else:
        assert len(told) == 2
        assert 1200 <= told[1] - told[0] <= 1230
    assert not other.queued()
    other.position = Vec3(1201.0, 0.0)
    scene.run(1300)
    assert not ped.queued()


def follower(away_cm: float, speed: float, steps: int, *, held: bool = False) -> Person:
    scene = only(Scene(), "relations")
    leader, ped = scene.walker(0.0, 0.0, 0.0, speed), scene.walker(away_cm, 0.0)
    scene.velocities[leader.ped_id] = (0.0, speed)
    scene.relations.go_together((leader.ref, ped.ref))
    if held:
        scene.flags["is_held"].add(leader.ped_id)
    for _ in range(steps):
        scene.look()
    return ped


def test_leader_moved_off() -> None:
    """EVT-48: over 400 cm away and moving for half a second; held: LEADER_HOLD."""
    assert heard_of(follower(401.0, 100.0, 90), EventType.LEADER_MOVED_OFF)
    assert not heard_of(follower(400.0, 100.0, 90), EventType.LEADER_MOVED_OFF)
    assert not heard_of(follower(500.0, 20.0, 90), EventType.LEADER_MOVED_OFF)
    held = follower(100.0, 0.0, 40, held=True)
    assert [one.event_type for one in held.queued()] == [EventType.LEADER_HOLD]


def test_a_leader_that_only_just_moves_is_not_followed_yet() -> None:
    """EVT-48: it has to move for half a second."""
    scene = only(Scene(), "relations")
    leader, ped = scene.walker(0.0, 0.0), scene.walker(600.0, 0.0)
    scene.relations.go_together((leader.ref, ped.ref))
    scene.velocities[leader.ped_id] = (0.0, 100.0)
    due = [step for step in range(60) if (step + ped.ped_id * 7) % 30 == 0]
    scene.run(due[0] + 1)
    assert not ped.queued()


# -- own state (EVT-49) --------------------------------------------------------------------------


def wanting(steps: int, *, excused: bool = False, speed: float = 0.0) -> list[str]:
    scene = only(Scene(), "own_state")
    ped = scene.walker(0.0, 0.0, speed)
    scene.wishes[ped.ped_id] = 31.0
    if excused:
        scene.flags["excused"].add(ped.ped_id)
    scene.run(steps)
    return [one.event_type.name for one in ped.queued()]


def test_stuck_not_while_held() -> None:
    """EVT-49: wants to move and gets nowhere in 2 s; one on hold for 10 s is not stuck."""
    assert wanting(130) == ["STUCK"]
    assert wanting(110) == []
    assert wanting(600, excused=True) == []
    assert wanting(600, speed=6.0) == [], "10 cm in 1.7 s are enough"


def test_in_air() -> None:
    """EVT-49: over 30 cm off the ground for 6 steps; not one that was knocked down."""
    for height, down, told in ((31.0, False, True), (30.0, False, False), (90.0, True, False)):
        scene = only(Scene(), "own_state")
        ped = scene.walker(0.0, 0.0)
        scene.feet[ped.ped_id] = height
        if down:
            scene.flags["is_down"].add(ped.ped_id)
        scene.run(20)
        assert bool(heard_of(ped, EventType.IN_AIR)) is told, height


def test_who_has_left_is_not_waited_for() -> None:
    """EVT-49: a ped that got nowhere and was removed is forgotten, and nobody else is looked at."""
    scene = only(Scene(), "own_state")
    stuck, other = scene.walker(0.0, 0.0), scene.walker(900.0, 0.0)
    scene.wishes[stuck.ped_id] = 31.0
    scene.feet[stuck.ped_id] = 40.0
    scene.run(20)
    scene.removed.add(stuck.ref)
    scene.run(200)
    (scanner,) = [one for one in scene.scanners.polling if isinstance(one, SelfScanner)]
    assert scanner.waits_for == 0
    assert not other.queued()
