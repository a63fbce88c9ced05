"""Script commands: one way into PRIMARY, one that waits a ped, a record each (EVT-66 to EVT-72)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ai.events.command_records import (
    RECORDS_KEPT,
    CommandId,
    CommandRefused,
    CommandStatus,
    RefusalReason,
)
from ai.events.priorities import EventPriority
from ai.events.slot_identity import SlotIdentity
from ai.events.types import EventType
from ai.peds.ped import Ped
from ai.ports import EntityRef
from ai.tasks.task import Task
from ai.tasks.task_errors import TaskCopyError
from ai.tasks.trees import PRIMARY, PrimarySlot
from game.world.world import World
from tests.ai.behaviours.stand_ins import Faller, Idler, respond
from tests.ai.events.event_doubles import Stub
from tests.ai.tasks.doubles import Probe, fresh_type
from tests.streets import ped_named, person, steps, street

MAIN = PrimarySlot.PRIMARY
PHYSICAL = PrimarySlot.PHYSICAL_RESPONSE


class Scene:
    """One bystander, one script."""

    def __init__(self, *, period: int = 1) -> None:
        self.world = World(
            street(peds=(person(10, "mary", 500.0, 500.0),)), strict=True, ped_capacity=8
        )
        self.ped: Ped = ped_named(self.world, "mary")
        self.ped.intelligence.fix_period(period)
        self.source: EntityRef = self.world.sources.create("script")
        self.scripts = self.world.scripts
        self.step(2)
        self.base = self.world.pool.used

    def step(self, count: int = 1) -> None:
        steps(self.world, count)

    def give(self, task: Task, kind: str = "idle", session: int = 0) -> CommandId:
        command = self.scripts.give_task(
            self.ped, task, source=self.source, session=session, kind=kind
        )
        assert isinstance(command, CommandId)
        return command

    def status(self, command: CommandId) -> CommandStatus:
        return self.scripts.command_status(command)

    def main(self) -> Task | None:
        return self.ped.tasks.tree(PRIMARY).get_task(MAIN)

    def put(self, task: Task, slot: int) -> Task:
        if slot < MAIN:
            return respond(self.ped, task, slot)
        self.ped.tasks.set_task(PRIMARY, task, slot)
        return task

    def clear(self, slot: int) -> None:
        self.ped.tasks.set_task(PRIMARY, None, slot)

    def facts(self) -> list[tuple[str, tuple[object, ...]]]:
        return [
            (row.fact, row.details)
            for row in self.world.facts.of(self.ped.ped_id)
            if row.fact.startswith("COMMAND")
        ]


@pytest.fixture
def scene() -> Iterator[Scene]:
    one = Scene()
    yield one
    one.world.close()
    assert one.world.pool.used == 0


# -- giving (EVT-67) ---------------------------------------------------------------------------


@pytest.mark.parametrize("period", [1, 15])
def test_a_command_is_entered_in_the_step_it_was_given_in(period: int) -> None:
    """EVT-67 step 9, TASK-63, TASK-86: a full update is forced; on a 1-in-15 slice too."""
    scene = Scene(period=period)
    command = scene.give(Idler())
    assert scene.status(command) is CommandStatus.WAITING
    assert scene.main() is None
    scene.step()
    task = scene.main()
    assert isinstance(task, Idler)
    assert (task.enters, task.updates) == (1, 1)
    assert scene.status(command) is CommandStatus.PERFORMING


def test_the_commit_is_written_down_before_the_task_is_entered(scene: Scene) -> None:
    """EVT-66: written, queue emptied, record performing, trace COMMITTED; entered after that."""
    log: list[str] = []

    class Tapped(Idler):
        task_type = fresh_type("tapped")
        __slots__ = ()

        def on_enter_stay(self) -> None:
            log.extend(fact for fact, _ in scene.facts())
            assert scene.scripts.waiting_source(scene.ped) is None

    command = scene.give(Tapped(), "walk")
    scene.step()
    assert log == ["COMMAND_GIVEN", "COMMAND_COMMITTED"]
    assert scene.facts() == [
        ("COMMAND_GIVEN", (command.number, "walk")),
        ("COMMAND_COMMITTED", (command.number,)),
    ]
    rows = scene.world.facts.of(scene.ped.ped_id, "COMMAND_COMMITTED")
    assert rows[0].phase == 6


@pytest.mark.parametrize("case", ["nobody", "retired", "mirrored", "dead", "full"])
def test_a_refusal_is_falsy_and_changes_nothing_else(scene: Scene, case: str) -> None:
    """EVT-67 steps 2, 3, 6 and TASK-89; the older command stays."""
    older = scene.give(Idler()) if case != "retired" else None
    pool = scene.world.pool
    task = Idler()
    ped: Ped | None = scene.ped
    reason = RefusalReason.UNKNOWN_PED
    if case == "nobody":
        ped = None
    elif case == "retired":
        scene.world.peds.request_removal(scene.ped.ref)
    elif case == "mirrored":
        scene.ped.is_mirrored = True
        reason = RefusalReason.MIRRORED
    elif case == "dead":
        scene.ped.is_dead = True
        reason = RefusalReason.DEAD
    else:
        pool.slots = pool.used + pool.essential_reserve
        reason = RefusalReason.POOL_FULL
    used = pool.used
    reply = scene.scripts.give_task(ped, task, source=scene.source, kind="idle")
    assert reply == CommandRefused(reason)
    assert not reply
    assert task.is_deleted, "the task belonged to the call"
    assert pool.used == used - 1
    if older is not None:
        assert scene.status(older) is CommandStatus.WAITING
    noted = scene.world.facts.of(-1 if ped is None else scene.ped.ped_id, "COMMAND_REFUSED")
    assert [row.details for row in noted] == [("idle", reason.name)]
    scene.ped.is_mirrored = False
    pool.slots = 16_384


def test_a_command_that_is_meant_for_the_dead_reaches_them(scene: Scene) -> None:
    """EVT-67 step 6: ``accept_when_dead``."""
    scene.ped.is_dead = True
    command = scene.scripts.give_task(
        scene.ped, Idler(), source=scene.source, kind="idle", accept_when_dead=True
    )
    assert command
    assert scene.status(command) is CommandStatus.WAITING


def test_a_task_that_cannot_be_copied_is_an_error_and_is_released(scene: Scene) -> None:
    """EVT-67: released exactly once, whatever the outcome."""
    task = Probe()
    with pytest.raises(TaskCopyError):
        scene.scripts.give_task(scene.ped, task, source=scene.source, kind="probe")
    assert task.is_deleted
    assert scene.world.pool.used == scene.base


def test_task_ownership(scene: Scene) -> None:
    """EVT-67: the call's task is released; one copy waits, one is placed, none is left."""
    task = Idler(updates_left=2)
    command = scene.give(task)
    assert task.is_deleted
    assert scene.world.pool.used == scene.base + 1
    scene.step()
    assert scene.main() is not task
    assert scene.world.pool.used == scene.base + 1
    scene.step(2)
    assert scene.world.pool.used == scene.base
    assert scene.status(command) is CommandStatus.FINISHED


# -- waiting -----------------------------------------------------------------------------------


@pytest.mark.parametrize("slot", [0, 1, 2])
def test_command_waits_for_hit_reaction(scene: Scene, slot: int) -> None:
    """EVT-67: during a reaction it stays queued and starts in the first pass after its end."""
    reaction = scene.put(Faller(updates_left=30), slot)
    command = scene.give(Idler())
    for _ in range(29):
        scene.step()
        assert scene.status(command) is CommandStatus.WAITING
        assert scene.main() is None
    assert isinstance(reaction, Faller)
    scene.step()
    assert reaction.updates == 30
    assert scene.status(command) is CommandStatus.WAITING, "the handler ran before the trees"
    scene.step()
    assert scene.status(command) is CommandStatus.PERFORMING


@pytest.mark.parametrize("slot", [PrimarySlot.PRIMARY, PrimarySlot.DEFAULT])
def test_a_command_waits_for_a_task_that_does_not_let_go_yet(scene: Scene, slot: int) -> None:
    """EVT-61, EVT-67: asked in each pass, answered in pass 11; live tasks constant meanwhile.

    "21. A refused abort leaves the built response tasks alive every pass": it does not.
    """
    stubborn = Idler(refuses=lambda: passes[0] < 10)
    passes = [0]
    scene.put(stubborn, slot)
    scene.step()
    command = scene.give(Idler())
    used = scene.world.pool.used
    for _ in range(10):
        scene.step()
        passes[0] += 1
        assert scene.status(command) is CommandStatus.WAITING
        assert scene.world.pool.used == used
        assert stubborn.aborted == 0
    scene.step()
    assert scene.status(command) is CommandStatus.PERFORMING
    assert stubborn.aborted == 1


def test_a_full_pool_disturbs_nobody(scene: Scene) -> None:
    """TASK-89, combination 28: the task at work is not even asked before there is a slot."""
    scene.give(Idler())
    scene.step()
    worker = scene.main()
    assert isinstance(worker, Idler)
    command = scene.give(Idler())
    pool = scene.world.pool
    pool.slots = pool.used + pool.essential_reserve
    scene.step(20)
    assert scene.status(command) is CommandStatus.WAITING
    assert (worker.enters, worker.aborted, worker.updates) == (1, 0, 21)
    pool.slots += 1
    scene.step()
    assert scene.status(command) is CommandStatus.PERFORMING
    pool.slots = 16_384


def test_a_newer_command_replaces_one_that_waits(scene: Scene) -> None:
    """EVT-67 step 8: its record becomes REPLACED, its task is released once."""
    scene.put(Faller(), PHYSICAL)
    used = scene.world.pool.used
    first, second = scene.give(Idler()), scene.give(Idler())
    assert scene.world.pool.used == used + 1
    assert scene.status(first) is CommandStatus.REPLACED
    scene.clear(PHYSICAL)
    scene.step()
    assert scene.status(second) is CommandStatus.PERFORMING
    assert ("COMMAND_ENDED", (first.number, "REPLACED")) in scene.facts()


def test_a_newer_command_replaces_one_that_runs(scene: Scene) -> None:
    """EVT-71: REPLACED: a newer command took its place, queued or running."""
    first = scene.give(Idler())
    scene.step(3)
    second = scene.give(Idler())
    assert scene.status(first) is CommandStatus.PERFORMING, "until its place is taken"
    scene.step()
    assert scene.status(first) is CommandStatus.REPLACED
    assert scene.status(second) is CommandStatus.PERFORMING


def test_an_end_that_nobody_asked_about_is_kept_when_the_next_command_comes(scene: Scene) -> None:
    """EVT-71: terminal states are written once: finished or cleared is not "replaced"."""
    finished = scene.give(Idler(updates_left=1))
    scene.step(2)
    cleared = scene.give(Idler())
    scene.step()
    scene.clear(MAIN)
    scene.step()
    scene.give(Idler())
    scene.step()
    assert scene.status(finished) is CommandStatus.FINISHED
    assert scene.status(cleared) is CommandStatus.CANCELLED


def test_withdraw_takes_back_what_waits_and_nothing_else(scene: Scene) -> None:
    """EVT-71: CANCELLED; the second time, and for one that runs, there is nothing to take."""
    scene.put(Faller(), PHYSICAL)
    command = scene.give(Idler())
    assert scene.scripts.withdraw(command)
    assert not scene.scripts.withdraw(command)
    assert scene.status(command) is CommandStatus.CANCELLED
    scene.clear(PHYSICAL)
    scene.step(3)
    assert scene.main() is None
    running = scene.give(Idler())
    scene.step()
    assert not scene.scripts.withdraw(running)
    assert scene.status(running) is CommandStatus.PERFORMING


def test_slot_refused_releases(scene: Scene) -> None:
    """EVT-66: a slot that refuses the write: the rest is discarded, live tasks at baseline."""
    scene.put(Faller(), PHYSICAL)
    command = scene.give(Idler())
    scene.clear(PHYSICAL)
    scene.ped.is_mirrored = True
    scene.step()
    assert scene.status(command) is CommandStatus.CANCELLED
    scene.ped.is_mirrored = False
    scene.step(2)
    assert scene.main() is None
    assert scene.world.pool.used == scene.base


def test_a_removed_peds_commands_end_cancelled(scene: Scene) -> None:
    """EVT-71: CANCELLED: ped removed; what waited is released, the status can still be asked."""
    running = scene.give(Idler())
    scene.step()
    scene.put(Faller(), PHYSICAL)
    waiting = scene.give(Idler())
    scene.world.peds.request_removal(scene.ped.ref)
    scene.step(2)
    assert scene.status(running) is CommandStatus.CANCELLED
    assert scene.status(waiting) is CommandStatus.CANCELLED
    assert [details for fact, details in scene.facts() if fact == "COMMAND_ENDED"] == [
        (waiting.number, "CANCELLED"),
        (running.number, "CANCELLED"),
    ]
    assert scene.world.pool.used == 0
    assert scene.scripts._peds == {}


# -- asking (EVT-71) ---------------------------------------------------------------------------


def test_status_life(scene: Scene) -> None:
    """EVT-71: WAITING, PERFORMING, SUSPENDED, PERFORMING, FINISHED; polled each step, no other."""
    command = scene.give(Idler(updates_left=40))
    seen = [scene.status(command)]
    for step in range(80):
        if step == 10:
            scene.put(Idler(updates_left=20), PrimarySlot.EVENT_RESPONSE_NONTEMP)
        scene.step()
        if scene.status(command) is not seen[-1]:
            seen.append(scene.status(command))
    assert seen == [
        CommandStatus.WAITING,
        CommandStatus.PERFORMING,
        CommandStatus.SUSPENDED,
        CommandStatus.PERFORMING,
        CommandStatus.FINISHED,
    ]


def test_a_failing_task_is_a_failed_command(scene: Scene) -> None:
    """EVT-71: the task ended by itself, with that result."""

    class Failing(Idler):
        task_type = fresh_type("failing")
        __slots__ = ()

        def on_update_stay(self, dt: float) -> int | None:
            return self.fail("no reason")

    command = scene.give(Failing())
    scene.step(2)
    assert scene.status(command) is CommandStatus.FAILED


def test_never_ordered_is_unknown(scene: Scene) -> None:
    """EVT-71: UNKNOWN: never ordered, an id that was never given out."""
    assert scene.status(CommandId(99, scene.ped.ref)) is CommandStatus.UNKNOWN
    assert scene.scripts.script_task_status(scene.ped, "walk") is CommandStatus.UNKNOWN


def test_the_newest_command_of_a_kind_answers_for_it(scene: Scene) -> None:
    """EVT-71: script_task_status(ped, kind)."""
    scene.give(Idler(updates_left=1), "look")
    scene.step(2)
    scene.give(Idler(), "walk")
    scene.step()
    status = scene.scripts.script_task_status
    assert status(scene.ped, "look") is CommandStatus.FINISHED
    assert status(scene.ped, "walk") is CommandStatus.PERFORMING
    scene.put(Faller(), PHYSICAL)
    scene.give(Idler(), "look")
    assert status(scene.ped, "look") is CommandStatus.WAITING


def test_the_last_eight_records_stay(scene: Scene) -> None:
    """EVT-71: the previous 8 stay for queries by id, the one before them is UNKNOWN."""
    scene.put(Faller(), PHYSICAL)
    commands = [scene.give(Idler()) for _ in range(RECORDS_KEPT + 2)]
    statuses = [scene.status(command) for command in commands]
    assert statuses[0] is CommandStatus.UNKNOWN
    assert statuses[1:-1] == [CommandStatus.REPLACED] * RECORDS_KEPT
    assert statuses[-1] is CommandStatus.WAITING
    assert [command.number for command in commands] == list(range(1, RECORDS_KEPT + 3))


# -- resuming (EVT-72) -------------------------------------------------------------------------


def test_an_interrupted_command_resumes_as_the_same_one(scene: Scene) -> None:
    """EVT-72: no new event, no new id, no second "started"."""
    command = scene.give(Idler())
    scene.step(3)
    task = scene.main()
    scene.put(Idler(updates_left=5), PrimarySlot.EVENT_RESPONSE_TEMP)
    scene.step(10)
    assert scene.main() is task
    assert scene.status(command) is CommandStatus.PERFORMING
    assert [fact for fact, _ in scene.facts()] == ["COMMAND_GIVEN", "COMMAND_COMMITTED"]


def test_a_command_cancelled_meanwhile_never_comes_back(scene: Scene) -> None:
    """EVT-72: the ped falls to its default task."""
    command = scene.give(Idler())
    scene.step(3)
    scene.put(Faller(updates_left=30), PHYSICAL)
    scene.step(5)
    task = scene.main()
    assert task is not None
    assert scene.ped.tasks.clear_if(PRIMARY, MAIN, task.ref())
    scene.step(60)
    assert scene.main() is None
    assert scene.status(command) is CommandStatus.CANCELLED
    assert scene.ped.tasks.tree(PRIMARY).active_slot == PrimarySlot.DEFAULT


# -- identity (ORD-07) -------------------------------------------------------------------------


def test_the_main_slot_shows_who_put_its_task_there(scene: Scene) -> None:
    """ORD-07: seven fields of a command's task; none of them of a task of nobody's."""
    assert scene.scripts.main_identity(scene.ped) is None
    scene.give(Idler(), "walk", session=4)
    assert scene.scripts.main_identity(scene.ped) is None
    scene.step()
    assert scene.scripts.main_identity(scene.ped) == SlotIdentity(
        PRIMARY, int(MAIN), int(Idler.task_type), scene.source, True, "walk", 4
    )
    scene.put(Idler(), MAIN)
    assert scene.scripts.main_identity(scene.ped) == SlotIdentity(
        PRIMARY, int(MAIN), int(Idler.task_type), None, False, "", 0
    )


def test_the_first_field_that_differs_is_named() -> None:
    """ORD-07: SLOT_MISMATCH(field)."""
    mine = SlotIdentity.of_main(9, None, "walk", 4, from_script=True)
    assert mine.first_difference(mine) is None
    assert mine.first_difference(mine._replace(session=5)) == "session"
    assert mine.first_difference(mine._replace(session=5, slot=1)) == "slot"


# -- as events in the ped's queue (EVT-25, EVT-67 to EVT-70) -----------------------------------


def queued_types(scene: Scene) -> list[EventType]:
    return [one.event_type for one in scene.ped.events.group.events()]


def crowd_the_queue(scene: Scene, level: EventPriority, count: int = 16) -> None:
    for number in range(count):
        assert scene.ped.events.add_event(Stub(int(level), f"n{number}", delay_s=(9.0, 9.0))), (
            number
        )


def test_command_lost(scene: Scene) -> None:
    """EVT-67 step 7, trap "command_lost": a queue of bodily events refuses; the older one stays."""
    scene.put(Faller(), PHYSICAL)
    older = scene.give(Idler())
    for number in range(15):
        scene.ped.events.add_event(Stub(2400, f"n{number}", delay_s=(9.0, 9.0)))
    newer = scene.give(Idler())
    assert scene.status(older) is CommandStatus.REPLACED, "its own place is free for the newer"
    assert scene.status(newer) is CommandStatus.WAITING
    scene.scripts.withdraw(newer)
    scene.ped.events.add_event(Stub(2400, "last", delay_s=(9.0, 9.0)))
    used = scene.world.pool.used
    reply = scene.scripts.give_task(scene.ped, Idler(), source=scene.source, kind="idle")
    assert reply == CommandRefused(RefusalReason.QUEUE_FULL)
    assert scene.world.pool.used == used


def test_a_command_takes_the_place_of_something_weaker(scene: Scene) -> None:
    """EVT-17, EVT-67: an evictable entry gives way."""
    crowd_the_queue(scene, EventPriority.SHOCK_DANGEROUS)
    scene.give(Idler())
    assert queued_types(scene).count(EventType.SCRIPT_COMMAND) == 1
    assert len(queued_types(scene)) == 16


def test_command_order(scene: Scene) -> None:
    """EVT-67 step 8, trap "command_order": one command a queue; the newer runs, the older never."""
    scene.put(Faller(updates_left=5), PHYSICAL)
    first, second = scene.give(Idler(updates_left=3)), scene.give(Idler(updates_left=3))
    assert queued_types(scene) == [EventType.SCRIPT_COMMAND]
    scene.step(20)
    assert scene.status(first) is CommandStatus.REPLACED
    assert scene.status(second) is CommandStatus.FINISHED


def test_brain_exclusive(scene: Scene) -> None:
    """EVT-68: orders from its brain alone; released, from anybody again."""
    brain = scene.world.sources.create("brain")
    scene.ped.events.script_brain = brain
    reply = scene.scripts.give_task(scene.ped, Idler(), source=scene.source, kind="idle")
    assert reply == CommandRefused(RefusalReason.OTHER_BRAIN)
    assert isinstance(
        scene.scripts.give_task(scene.ped, Idler(), source=brain, kind="idle"), CommandId
    )
    scene.step()
    running = scene.main()
    scene.ped.events.script_brain = None
    assert scene.main() is running, "its tasks stay"
    scene.give(Idler())


def test_error_event_visible(scene: Scene) -> None:
    """EVT-30, EVT-67: each refusal is one error event, seen in the next script round."""
    scripts = scene.world.events.scripts
    scene.scripts.give_task(None, Idler(), source=scene.source, kind="walk")
    (unknown,) = scripts.errors.events()
    assert unknown.type is EventType.ERROR_UNKNOWN_PED
    assert unknown.data == {"ped": -1, "kind": "walk", "reason": "UNKNOWN_PED"}
    scene.step()
    assert scripts.errors.events() == ()
    scene.ped.is_mirrored = True
    scene.scripts.give_task(scene.ped, Idler(), source=scene.source, kind="walk")
    (refused,) = scripts.errors.events()
    assert refused.type is EventType.ERROR_REFUSED_COMMAND
    assert refused.data["reason"] == "MIRRORED"
    scene.ped.is_mirrored = False


@pytest.mark.parametrize(
    ("kind", "priority"),
    [
        ("walk", "SCRIPT_COMMAND"),
        ("anything unlisted", "SCRIPT_COMMAND"),
        ("use_phone", "SCRIPT_COMMAND_HIGH_NO_RAGDOLL"),
        ("hover_pack", "SCRIPT_COMMAND_HIGH_NO_RAGDOLL"),
        ("synced_scene", "SCRIPT_COMMAND_HIGH"),
        ("glide", "SCRIPT_COMMAND_HIGH"),
    ],
)
def test_command_kinds(scene: Scene, kind: str, priority: str) -> None:
    """EVT-16, EVT-70: the priority by kind, from the tuning; for the dead it is MAX."""
    scene.put(Faller(), PHYSICAL)
    scene.give(Idler(), kind)
    (event,) = scene.ped.events.group.events()
    assert event.priority(scene.ped).name == priority
    assert event.persistent
    scene.scripts.give_task(
        scene.ped, Idler(), source=scene.source, kind=kind, accept_when_dead=True
    )
    assert scene.ped.events.group.events()[-1].priority(scene.ped) is EventPriority.MAX


def test_a_high_command_breaks_a_knock_down_and_a_plain_one_waits(scene: Scene) -> None:
    """EVT-15 (d), EVT-65: synced_scene (2500) empties PHYSICAL (2400); use_phone (2100) waits."""
    scene.put(Faller(), PHYSICAL)
    phone = scene.give(Idler(), "use_phone")
    scene.step(3)
    assert scene.status(phone) is CommandStatus.WAITING
    together = scene.give(Idler(), "synced_scene")
    scene.step()
    assert scene.status(together) is CommandStatus.PERFORMING
    assert scene.ped.tasks.tree(PRIMARY).get_task(PHYSICAL) is None


def test_command_release(scene: Scene) -> None:
    """Trap 10, EVT-67: tasks of replaced, refused and withdrawn commands are released once."""
    scene.put(Faller(), PHYSICAL)
    used = scene.world.pool.used
    for _ in range(5):
        scene.give(Idler())
    scene.scripts.give_task(None, Idler(), source=scene.source, kind="idle")
    last = scene.give(Idler())
    assert scene.world.pool.used == used + 1
    scene.scripts.withdraw(last)
    assert scene.world.pool.used == used
    assert len(scene.ped.events.group) == 0
