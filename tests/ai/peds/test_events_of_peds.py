"""Events in a running world: a fire seen, an answer given, an order resumed (EVT-31, EVT-72)."""

from __future__ import annotations

import math

import pytest

from ai.behaviours.reaction_tasks import TaskShockingHurryAway, TaskShockingWatch
from ai.behaviours.response_builders import response_factory
from ai.behaviours.safe_record import SafeResult, SafeState
from ai.events.command_records import CommandStatus
from ai.events.decision_maker import Decided, ResponseTaskDef
from ai.events.decision_trace import Reason
from ai.events.explain import explain
from ai.events.response import EventResponse
from ai.events.response_kinds import KINDS
from ai.events.shocking import ShockingEvent
from ai.events.situation import SourceKind
from ai.events.sound_events import AimedAt
from ai.events.task_events import GivePedTaskEvent
from ai.events.types import EventType
from ai.peds.ped import Ped, PedTraits
from ai.peds.situation_of import situation_of
from ai.ports import Vec3
from ai.tasks.task import Task
from ai.tasks.trees import PRIMARY, PrimarySlot
from game.world.description import PedDescription
from game.world.world import World
from tests.ai.behaviours.stand_ins import Idler, Walker
from tests.streets import barrier, ped_named, person, steps, street, until

FIRE = EventType.SHOCKING_FIRE
NONTEMP = PrimarySlot.EVENT_RESPONSE_NONTEMP
CURIOUS_AT_FIRE = Vec3(1200.0, 500.0)


def somebody(name: str, x: float, y: float, model: str = "bystander", *, number: int = 10,
             yaw_rad: float = 0.0) -> PedDescription:  # fmt: skip
    return PedDescription(
        object_id=number, name=name, position=Vec3(x, y), yaw_rad=yaw_rad, model=model,
        default_task="stand",
    )  # fmt: skip


def fire(world: World, at: Vec3) -> ShockingEvent:
    event = world.events.global_events.shock(FIRE, at)
    assert event is not None
    return event


def answer_of(ped: Ped, slot: int = NONTEMP) -> Task | None:
    return ped.tasks.tree(PRIMARY).get_task(slot)


def burning(world: World, at: Vec3, count: int) -> None:
    """A fire that goes on for a number of steps."""
    event = fire(world, at)
    for step in range(count):
        if step % 30 == 0:
            event.refresh()
        world.step()


def test_a_ped_has_what_its_model_says() -> None:
    """EVT-74, EVT-101: decision maker, reaction scale and bravery by model."""
    world = World(street(peds=(somebody("gran", 500, 500, "elderly"),)), strict=True)
    gran = ped_named(world, "gran")
    assert gran.events.decision_maker == "elderly"
    assert gran.events.reaction_scale == 1.6
    assert not gran.events.is_brave
    bold = world.peds.spawn(PedTraits("bob", "bold"), Vec3(600, 600), 0.0)
    assert bold.events.is_brave
    world.close()


def test_an_event_given_from_python_leads_to_a_task() -> None:
    """EVT-26, EVT-54, EVT-85: a fire at the far end: an elderly shuffles off or stares."""
    world = World(street(peds=(somebody("gran", 450, 500, "elderly"),)), strict=True)
    gran = ped_named(world, "gran")
    burning(world, Vec3(1500.0, 500.0), 150)
    task = answer_of(gran)
    assert isinstance(task, (TaskShockingHurryAway, TaskShockingWatch))
    (committed,) = gran.events.trace.records(reason=Reason.COMMITTED)
    assert committed.event == "SHOCKING_FIRE"
    assert any("ROLL" in line and "elderly_fire" in line for line in explain(gran))
    assert gran.fear > 0.4, "the decision frightened it"
    world.close()
    assert world.events.budget.used == 0
    assert world.pool.used == 0


def forced(ped: Ped, kind: str, at: Vec3, **parameters: float | str) -> Task:
    """Commit a response of a kind to a fire, whatever would be decided."""
    world_fire = ped.events.services.global_events.shock(FIRE, at)
    assert world_fire is not None
    response = EventResponse()
    definition = ResponseTaskDef(kind, kind, KINDS[kind], dict(parameters))
    assert ped.services.events.factory.build(ped, world_fire, Decided(definition), response)
    task = response.take_main()
    assert task is not None
    ped.tasks.set_task(PRIMARY, task, NONTEMP)
    return task


def test_hurrying_away_gains_distance() -> None:
    """EVT-84, EVT-85: it walks on, away, and ends when it is there."""
    world = World(street(peds=(somebody("mary", 800, 500),)), strict=True)
    mary = ped_named(world, "mary")
    task = forced(mary, "hurry_away", Vec3(400.0, 500.0), distance_cm=600.0, move="fast_walk")
    until(world, lambda: task.is_deleted, limit=900)
    assert mary.position.x > 1300.0
    assert task.succeeded
    world.close()


def test_fleeing_ends_at_a_safe_distance() -> None:
    """EVT-84, EVT-85, FLEE-01, FLEE-05: to a point beyond the safe distance, at a run."""
    world = World(street(peds=(somebody("mary", 800, 500),)), strict=True)
    mary = ped_named(world, "mary")
    task = forced(mary, "flee", Vec3(400.0, 500.0), safe_distance_cm=650.0, move="run")
    until(world, lambda: task.is_deleted, limit=900)
    assert task.succeeded
    assert mary.position.x > 400.0 + 680.0
    record = world.safe.record(mary.ref)
    assert record is not None
    assert (record.result, record.start_count) == (SafeResult.SUCCEEDED, 1)
    world.close()


def test_a_way_that_is_closed_meanwhile_ends_the_flight() -> None:
    """FLEE-08: the check is not the walk: walls came up after it, and the movement says so."""
    world = World(street(peds=(somebody("mary", 800, 500),)), strict=True)
    mary = ped_named(world, "mary")
    task = forced(mary, "flee", Vec3(400.0, 500.0), safe_distance_cm=650.0, move="run")
    world.step()
    record = world.safe.record(mary.ref)
    assert record is not None
    assert record.state is SafeState.ACTIVE, "a point was found reachable"
    for number, (x, y, width, height) in enumerate(
        ((700.0, 500.0, 20.0, 240.0), (900.0, 500.0, 20.0, 240.0),
         (800.0, 400.0, 220.0, 20.0), (800.0, 600.0, 220.0, 20.0))
    ):  # fmt: skip
        world.things.spawn(barrier(40 + number, x, y, width, height))
    until(world, lambda: task.is_deleted, limit=3000)
    assert not task.succeeded
    assert task.fail_reason not in ("", "NO_FLEE_POINT")
    assert 700.0 < mary.position.x < 900.0
    world.close()


def test_a_cornered_ped_does_not_flee() -> None:
    """EVT-85, FLEE-07: no point: the task fails at its start, and nothing moves."""
    world = World(street(peds=(somebody("mary", 800, 500),)), strict=True)
    mary = ped_named(world, "mary")
    task = forced(mary, "flee", Vec3(400.0, 500.0), safe_distance_cm=9000.0, move="run")
    steps(world, 2)
    assert task.is_deleted
    assert task.fail_reason == "NO_FLEE_POINT"
    assert mary.position[:2] == pytest.approx((800.0, 500.0))
    world.close()


def test_a_timid_ped_flees_a_fire() -> None:
    """EVT-54, EVT-74, EVT-85: seen at 600 cm: it runs, and comes out at a distance."""
    world = World(
        street(peds=(somebody("tim", 700, 500, "ordinary", yaw_rad=3.14159),)), strict=True
    )
    tim = ped_named(world, "tim")
    event = fire(world, Vec3(400.0, 500.0))
    fled = False
    for step in range(600):
        if step % 30 == 0:
            event.refresh()
        world.step()
        fled = fled or type(answer_of(tim)).__name__ == "TaskThreatResponse"
    committed = tim.events.trace.records(reason=Reason.COMMITTED)
    assert committed
    assert tim.position.x > 900.0
    assert fled or "HurryAway" in str(committed[0].data)
    world.close()


def test_going_to_look_stops_at_a_distance() -> None:
    """EVT-84: walks up to stop_distance_cm, faces it there, and ends with the looking."""
    world = World(street(peds=(somebody("mary", 500, 500),)), strict=True)
    mary = ped_named(world, "mary")
    at = Vec3(1300.0, 500.0)
    task = forced(mary, "goto_look", at, stop_distance_cm=450.0, duration_s=2.0)
    until(world, lambda: task.is_deleted, limit=1200)
    assert task.succeeded
    assert mary.position[:2] == pytest.approx((850.0, 500.0), abs=15.0)
    world.close()


def test_a_response_is_entered_in_the_step_it_was_chosen_in() -> None:
    """TASK-85, EVT-54, EVT-73: added before the step: entered, and updated, in that very step."""
    world = World(street(peds=(somebody("mary", 500, 500),)), strict=True)
    mary = ped_named(world, "mary")
    mary.intelligence.fix_period(15)
    steps(world, 20)
    given = GivePedTaskEvent(Idler(), NONTEMP)
    assert mary.intelligence.add_event(given) is not None
    mary.force_full_update()
    given.release()
    world.step()
    task = answer_of(mary)
    assert isinstance(task, Idler)
    assert (task.enters, task.updates) == (1, 1)
    world.close()


def test_watching_turns_towards_it_and_ends() -> None:
    """EVT-84, EVT-85: stays where it is, faces the place, for its time."""
    world = World(street(peds=(somebody("mary", 800, 500),)), strict=True)
    mary = ped_named(world, "mary")
    task = forced(mary, "watch", Vec3(800.0, 1000.0), duration_s=3.0)
    steps(world, 150)
    assert abs(mary.yaw - 1.5707963) < 0.1
    assert mary.position[:2] == pytest.approx((800.0, 500.0), abs=1.0)
    steps(world, 40)
    assert task.is_deleted
    assert task.succeeded
    world.close()


def test_script_walk_interrupted() -> None:
    """EVT-72: a fire interrupts a script's walk; after it the ped arrives; one command given."""
    world = World(street(peds=(somebody("mary", 300, 300, "curious"),)), strict=True)
    mary = ped_named(world, "mary")
    source = world.sources.create("script")
    world.step()
    command = world.scripts.give_task(
        mary, Walker(Vec3(1700.0, 1300.0)), source=source, kind="walk"
    )
    assert command
    seen = []
    event = None
    for step in range(3000):
        status = world.scripts.command_status(command)  # type: ignore[arg-type]
        if not seen or status is not seen[-1]:
            seen.append(status)
        if status is CommandStatus.FINISHED:
            break
        if step == 60:
            event = fire(world, Vec3(mary.position.x + 600.0, mary.position.y + 100.0))
        if event is not None and step < 300 and step % 30 == 0:
            event.refresh()
        world.step()
    given = [row for row in world.facts.of(mary.ped_id) if row.fact == "COMMAND_GIVEN"]
    assert len(given) == 1
    assert seen[0] is CommandStatus.WAITING
    assert seen[-1] is CommandStatus.FINISHED
    assert set(seen) <= {
        CommandStatus.WAITING, CommandStatus.PERFORMING, CommandStatus.SUSPENDED,
        CommandStatus.FINISHED,
    }  # fmt: skip
    assert mary.position[:2] == pytest.approx((1700.0, 1300.0), abs=60.0)
    world.close()


def test_sight_cone() -> None:
    """EVT-103: 79 and 81 degrees; a 100 cm barrier hides nobody, a house does; 4000 cm."""
    world = World(
        street(
            peds=(person(10, "mary", 500.0, 500.0),),
            obstacles=(barrier(20, 700.0, 500.0),),
        ),
        strict=True,
    )
    mary = ped_named(world, "mary")
    see = world.events.world.can_see
    for degrees, seen in ((79.0, True), (-79.0, True), (81.0, False), (180.0, False)):
        angle = math.radians(degrees)
        point = Vec3(500.0 + 300.0 * math.cos(angle), 500.0 + 300.0 * math.sin(angle))
        assert see(mary, point) is seen, degrees
    assert see(mary, Vec3(900.0, 500.0)), "over the barrier of 100 cm"
    assert not see(mary, Vec3(4501.0, 500.0))
    assert see(mary, Vec3(4499.0, 500.0))
    assert world.events.world.can_hear(mary, Vec3(900.0, 500.0), 400.0)
    assert not world.events.world.can_hear(mary, Vec3(901.0, 500.0), 400.0)
    world.close()


def test_source_kind() -> None:
    """EVT-78: a threat, the player, a stranger is other, no source is other."""
    player = PedDescription(
        object_id=11, name="you", position=Vec3(900, 900), options={"player": True}
    )
    world = World(
        street(peds=(somebody("mary", 500, 500), player, somebody("joe", 700, 700, number=12))),
        strict=True,
    )
    mary, you, joe = (ped_named(world, name) for name in ("mary", "you", "joe"))

    def kind(source: Ped | None) -> SourceKind:
        event = AimedAt(Vec3(0, 0), None if source is None else source.ref, mary.ref)
        return situation_of(mary, event).source_kind

    assert kind(you) is SourceKind.PLAYER
    mary.take_for_threat(you.ref)
    assert kind(you) is SourceKind.THREAT, "a hostile player is a threat"
    mary.threats.forget(you.ref)
    assert kind(joe) is SourceKind.OTHER
    assert kind(None) is SourceKind.OTHER
    situation = situation_of(mary, AimedAt(Vec3(0, 0), you.ref, mary.ref))
    assert (situation.target_is_me, situation.source_is_player) == (True, True)
    world.close()


def test_a_removed_peds_events_are_released() -> None:
    """EVT-20: removal empties queue and history."""
    world = World(street(peds=(somebody("gran", 700, 500, "elderly"),)), strict=True)
    gran = ped_named(world, "gran")
    burning(world, Vec3(1500.0, 500.0), 100)
    world.peds.request_removal(gran.ref)
    steps(world, 200)
    assert world.events.budget.used == 0
    world.close()


def test_same_run_twice() -> None:
    """EVT-98: the same street and fire give the same run, bit for bit."""

    def run() -> tuple[str, list[list[tuple[int, str]]]]:
        people = [
            somebody(f"p{number}", 300.0 + 120.0 * number, 500.0 + 60.0 * (number % 3), model,
                     number=10 + number)
            for number, model in enumerate(
                ("ordinary", "timid", "bold", "curious", "guard", "medic", "elderly", "tourist")
            )
        ]  # fmt: skip
        world = World(street(peds=people), strict=True)
        burning(world, Vec3(900.0, 700.0), 240)
        traces = [
            [(one.step, str(one.data)) for one in ped.events.trace.records(reason=Reason.ROLL)]
            for ped in world.peds.in_id_order()
        ]
        digest = world.fingerprint.hexdigest()
        world.close()
        return digest, traces

    assert run() == run()


def test_every_builder_is_of_a_known_kind() -> None:
    """EVT-84: what is built, and that the rest answers none."""
    factory = response_factory()
    built = [kind for kind in KINDS if factory.is_built(kind)]
    assert built == [
        "flee",
        "hands_up",
        "cower",
        "duck",
        "watch",
        "goto_look",
        "hurry_away",
        "back_away",
        "react",
        "stop_and_stare",
        "head_track",
        "hit_reaction",
        "knocked_down",
        "get_up",
        "on_fire",
        "dying_dead",
        "leave_area",
        "report_by_phone",
        "film_with_phone",
        "help_person",
    ]
    with pytest.raises(ValueError, match="has a builder"):
        factory.register("watch", lambda *_: None)
    with pytest.raises(ValueError, match="no response kind"):
        factory.register("dance", lambda *_: None)


def test_who_is_fled_from_becomes_a_threat() -> None:
    """EVT-85, EVT-104: a shot by a stranger: the threat list gains it; a fire registers nothing."""
    world = World(
        street(peds=(somebody("mary", 800, 500), somebody("joe", 400, 500, number=11))),
        strict=True,
    )
    mary, joe = ped_named(world, "mary"), ped_named(world, "joe")
    definition = ResponseTaskDef(
        "flee", "flee", KINDS["flee"], {"safe_distance_cm": 650.0, "move": "run"}
    )
    factory = world.events.factory
    response = EventResponse()
    assert factory.build(mary, fire(world, Vec3(400, 500)), Decided(definition), response)
    response.discard()
    assert len(mary.threats) == 0
    assert factory.build(mary, AimedAt(Vec3(400, 500), joe.ref), Decided(definition), response)
    assert joe.ref in mary.threats
    response.discard()
    world.close()


@pytest.mark.parametrize(("fire_x", "keeps"), [(200.0, True), (1900.0, False)])
def test_hurrying_keeps_a_destination_that_leads_away(fire_x: float, keeps: bool) -> None:
    """EVT-85: a ped on its way keeps its goal if the next path direction leads away."""
    world = World(street(peds=(somebody("mary", 700, 500),)), strict=True)
    mary = ped_named(world, "mary")
    goal = Vec3(1700.0, 500.0)
    mary.tasks.set_task(PRIMARY, Walker(goal), PrimarySlot.PRIMARY)
    until(world, lambda: mary.movement.path_usable, limit=60)
    forced(mary, "hurry_away", Vec3(fire_x, 500.0), distance_cm=500.0, move="fast_walk")
    steps(world, 3)
    assert (mary.movement.goal == goal) is keeps
    world.close()
