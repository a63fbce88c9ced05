"""Guards: what they perceive, what they do about it, what interrupts them (HSM-27 to HSM-35)."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from ai.behaviours.brains.guard import GuardTask
from ai.behaviours.brains.reports import ReportKind
from ai.faults import faults
from ai.machines.ledger.command import CommandState
from ai.machines.ledger.resources import Resource
from ai.motion.claims import ClaimOwner
from ai.motion.movement_table import MoveOwner, MoveStatus
from ai.ports import Impact, Vec3
from ai.tasks.task import AbortPriority
from ai.tasks.task_types import TaskType
from ai.tasks.trees import PRIMARY, SECONDARY, PrimarySlot, SecondarySlot
from tests.ai.behaviours.stand_ins import Idler
from tests.levels.guard_runs import ROUTE, Watch, beat, brain_of, facing, guard
from tests.streets import ped_named, person

THUG = person(20, "thug", 900.0, 400.0, math.pi)
VICTIM = person(21, "victim", 820.0, 400.0)


def seen_deed(**options: object) -> Watch:
    """A guard that has just seen a thug shove somebody 600 cm away."""
    watch = Watch(beat(THUG, VICTIM, **options))  # type: ignore[arg-type]
    watch.step(5)
    watch.shove("thug", "victim", 9_000.0)
    watch.step()
    return watch


# -- patrol and perception -------------------------------------------------------------------


def test_a_guard_walks_its_route_point_by_point() -> None:
    """HSM-27, ACT-20: ``goto_waypoint`` is a movement of the ped; the index is remembered."""
    watch = Watch(beat())
    reached = []
    for _ in range(1700):
        watch.step()
        index = watch.read("patrol_index")
        if not reached or reached[-1] != index:
            reached.append(index)
            assert isinstance(index, int)
            last = ROUTE[(index - 1) % 4]
            if index:
                assert math.dist(watch.ped.position, last) < 16.0
    assert reached[:4] == [0, 1, 2, 3]
    assert watch.modes == ["peace/patrol"]


def test_a_deed_that_is_seen_near_enough_makes_an_enemy() -> None:
    """HSM-30: an impact on a ped, seen within 800 cm; the doer is the enemy, not the victim."""
    watch = seen_deed()
    assert watch.read("enemy") == ped_named(watch.world, "thug").ref
    assert watch.read("enemy_known") is True
    assert watch.read("enemy_visible") is True
    assert watch.read("enemy_dist_cm") == pytest.approx(600.0, abs=15.0)


@pytest.mark.parametrize(
    ("thug_x", "guard_yaw_deg"), [(1160.0, 0.0), (900.0, 180.0)], ids=["too far", "behind"]
)
def test_a_deed_that_is_not_seen_is_not_noticed(thug_x: float, guard_yaw_deg: float) -> None:
    """HSM-30, EVT-103: beyond 800 cm, or outside the field of view."""
    watch = Watch(
        beat(
            replace(THUG, position=Vec3(thug_x, 400.0)),
            replace(VICTIM, position=Vec3(thug_x - 50.0, 400.0 + 40.0)),
            guards=[facing(guard(route=""), guard_yaw_deg)],
        )
    )
    watch.step(5)
    watch.shove("thug", "victim", 9_000.0)
    watch.step(30)
    assert watch.read("enemy_known") is False
    assert watch.mode == "peace/safe_idle"


def test_who_hits_the_guard_is_an_enemy_wherever_it_stands() -> None:
    """HSM-30, HSM-35: an impact on the guard; bodily it falls, then its machine fights."""
    thug = person(20, "thug", 220.0, 400.0)
    watch = Watch(beat(thug, guards=[guard(route="")]))
    watch.shove("thug", "guard")
    watch.step(3)
    assert watch.ped.recovery is not None
    for _ in range(900):
        watch.step()
        if watch.mode == "combat/attack":
            break
        main = watch.ped.tasks.tree(PRIMARY).slots[PrimarySlot.EVENT_RESPONSE_NONTEMP]
        assert main is None, "fight and flight are the machine's own affair"
    assert watch.mode == "combat/attack"


def test_guards_never_take_each_other_for_enemies() -> None:
    """HSM-30: a guard's own blow is no deed to its colleagues."""
    watch = Watch(beat(VICTIM, guards=[guard(), guard(11, "other", 300.0, 600.0)]))
    watch.step(5)
    watch.shove("other", "victim")
    watch.step(30)
    assert watch.read("enemy_known") is False


def test_enemy_forgotten() -> None:
    """HSM-30: known until 30 s after the last sighting; then combat is left for peace."""
    watch = seen_deed()
    watch.until_mode("combat/chase")
    thug = ped_named(watch.world, "thug")
    # A guard in search that can't see: the enemy is put out of sight for good.
    watch.world.table.x[thug.slot] = 1950.0
    watch.world.table.y[thug.slot] = 1550.0
    senses = watch.task.senses
    assert senses is not None
    watch.world.events.world.can_see = lambda *_: False  # type: ignore[method-assign]
    last_seen = None
    while watch.read("enemy_visible"):
        last_seen = watch.world.clock.step
        watch.step()
    forget = senses._forget_step
    assert last_seen is not None
    while watch.world.clock.step < forget:
        watch.step()
        assert watch.read("enemy_known") is True
    watch.step()
    assert watch.read("enemy_known") is False
    assert watch.read("enemy") is None
    assert watch.mode.startswith("peace")


def test_search_begins_four_seconds_after_sight_was_lost() -> None:
    """HSM-32: the target search is set 240 steps after ``enemy_visible`` turned false."""
    watch = seen_deed()
    watch.until_mode("combat/chase")
    watch.world.events.world.can_see = lambda *_: False  # type: ignore[method-assign]
    while watch.read("enemy_visible"):
        watch.step()
    lost = watch.world.clock.step
    while watch.machine.record.target_path != "combat/search":
        watch.step()
    assert watch.world.clock.step - lost == 240
    assert watch.until_mode("combat/search") <= 60
    watch.until_mode("peace/patrol")
    assert watch.count("exit scan success") == 1, "it has looked around three times"


def test_a_call_brings_guards_who_have_seen_nothing() -> None:
    """Guards call others: who hears it goes by it until it sees for itself (HSM-30)."""
    far = facing(guard(11, "far", 300.0, 1200.0, route=""), 180.0)
    watch = Watch(beat(THUG, VICTIM, guards=[guard(), far]))
    watch.step(5)
    watch.shove("thug", "victim", 9_000.0)
    watch.until_mode("combat/chase")
    watch.step(20)
    calls = [one for one in watch.world.reports.since(0) if one.kind is ReportKind.CALL]
    assert len(calls) == 1
    other = brain_of(watch.world, "far")
    assert other.board.read("enemy", "test") == ped_named(watch.world, "thug").ref
    assert other.mind.record.active.path == "combat/chase"  # type: ignore[union-attr]


def test_a_call_out_of_earshot_is_not_heard() -> None:
    """HSM-30: 1500 cm."""
    far = guard(11, "far", 1900.0, 1500.0, route="")
    watch = Watch(beat(THUG, VICTIM, guards=[guard(), far]))
    watch.step(5)
    watch.shove("thug", "victim", 9_000.0)
    watch.until_mode("combat/chase")
    watch.step(20)
    assert brain_of(watch.world, "far").board.read("enemy_known", "test") is False


# -- fighting ------------------------------------------------------------------------------


def test_a_guard_chases_and_strikes_with_a_real_impact() -> None:
    """HSM-27, ACT-22: chase, attack; the blow is an impact that throws the thug over."""
    watch = seen_deed()
    watch.until_mode("combat/attack")
    thug = ped_named(watch.world, "thug")
    for _ in range(200):
        watch.step()
        if thug.recovery is not None:
            break
    blows = [fact for fact in watch.world.facts.of(thug.ped_id) if fact.fact == "BLOW"]
    assert [fact.details[0] for fact in blows] == ["FALL"]
    assert thug.recovery is not None
    assert watch.modes[:3] == ["peace/patrol", "combat/chase", "combat/attack"]


def test_who_lies_is_not_struck() -> None:
    """HSM-30: a body that is down is not reachable; the guard waits until it stands."""
    watch = seen_deed()
    thug = ped_named(watch.world, "thug")
    watch.until_mode("combat/attack")
    while thug.recovery is None:
        watch.step()
    struck = len(watch.commands("strike"))
    while thug.is_ragdolling:
        watch.step()
    assert len(watch.commands("strike")) == struck
    blows = [fact for fact in watch.world.facts.of(thug.ped_id) if fact.fact == "BLOW"]
    assert len(blows) == 1


def test_a_hurt_guard_retreats_from_an_enemy_in_sight() -> None:
    """HSM-27, HSM-28: health at or below 0.3; the post is near and free, so it runs there."""
    watch = seen_deed()
    watch.until_mode("combat/chase")
    watch.step(60)
    watch.ped.health.take(0.75)
    watch.step(2)
    assert watch.machine.record.target_path == "combat/retreat"
    watch.until_mode("combat/retreat")
    watch.step(5)
    assert watch.commands("goto")
    post = ROUTE[0]
    before = math.dist(watch.ped.position, post)
    watch.step(60)
    assert math.dist(watch.ped.position, post) < before


def test_an_order_is_a_target_request() -> None:
    """HSM-30: "stand down" during the chase: the guard stands, attack is never entered."""
    watch = seen_deed()
    watch.until_mode("combat/chase")
    watch.world.peds.request_removal(ped_named(watch.world, "thug").ref)
    watch.order("peace/safe_idle")
    watch.step(1)
    assert watch.mode == "combat/chase", "the chase is being stopped"
    watch.until_mode("peace/safe_idle", 60)
    assert watch.count("enter.ok attack") == 0
    assert list(faults.all()) == []


def test_target_gone_while_the_blow_is_drawn_back() -> None:
    """HSM-32 guard_target_gone: strike undone once, never exited; back to the beat."""
    watch = seen_deed()
    thug = ped_named(watch.world, "thug")
    while not watch.commands("strike"):
        watch.step()
    watch.step(3)
    watch.world.peds.request_removal(thug.ref)
    watch.until_mode("peace/patrol")
    assert sum(line.startswith("undo strike") for line in watch.words()) == 1
    assert sum(line.startswith("exit strike") for line in watch.words()) == 0
    assert watch.count("exit.done combat") == 1
    assert watch.brain.ledger.stale == 0


def test_the_target_moves_and_the_chase_goes_on() -> None:
    """ACT-18: one chase, one command, however far the enemy walks."""
    watch = seen_deed()
    watch.until_mode("combat/chase")
    thug = ped_named(watch.world, "thug")
    generation = watch.ped.movement.generation
    for number in range(120):
        watch.world.table.x[thug.slot] = 900.0 + 7.0 * number
        watch.step()
    assert watch.mode == "combat/chase"
    assert watch.count("enter.ok chase") == 1
    assert len(watch.commands("chase")) == 1
    assert 1 <= watch.ped.movement.generation - generation <= 20


# -- interruptions -------------------------------------------------------------------------


def on_leg_to(index: int) -> Watch:
    """A guard under way to a waypoint."""
    watch = Watch(beat())
    while not (watch.read("patrol_index") == index and watch.ped.movement.measured_speed > 100.0):
        watch.step()
    watch.step(60)
    return watch


def test_a_knocked_down_guard_resumes_its_mode() -> None:
    """ACT-24, HSM-32 guard_knockdown: nothing held while down; same task; on to waypoint 3."""
    watch = on_leg_to(3)
    uid, generation = watch.task.uid, watch.ped.movement.generation
    walks = len(watch.commands("goto_waypoint"))
    watch.world.impacts.strike(watch.ped, Impact((0.0, -16_000.0)))
    watch.step(2)
    assert watch.ped.recovery is not None
    assert watch.brain.ledger.held_bits() == 0
    assert list(watch.brain.ledger.live()) == []
    assert watch.ped.movement.status is MoveStatus.CANCELLED
    assert "exit walk_leg cancelled" in watch.words()
    while watch.ped.is_ragdolling:
        assert watch.brain.ledger.held_bits() == 0
        assert watch.ped.movement.generation <= generation + 2, "no query while it lies"
        watch.step()
    place = watch.ped.position
    watch.step(30)
    assert watch.task.uid == uid
    assert watch.count("enter.ok patrol") == 2
    assert len(watch.commands("goto_waypoint")) == walks + 1
    assert watch.read("patrol_index") == 3
    assert watch.ped.movement.goal[:2] == ROUTE[3][:2]
    assert math.dist(watch.ped.position, place) < 200.0, "on from where it is"


def test_stand_down_while_down() -> None:
    """ACT-24, trap 34: an order given while it lies counts when it gets up."""
    watch = on_leg_to(1)
    watch.world.impacts.strike(watch.ped, Impact((0.0, 16_000.0)))
    watch.step(30)
    assert watch.ped.is_ragdolling
    entered = watch.count("enter.ok patrol")
    watch.order("peace/safe_idle")
    while watch.ped.is_ragdolling:
        watch.step()
    watch.step(5)
    assert watch.mode == "peace/safe_idle"
    assert watch.count("enter.ok patrol") == entered


def test_who_steps_aside_suspends_the_walk_and_it_goes_on() -> None:
    """ACT-17, HSM-32 guard_sidestep: a movement response above takes the mover for a second."""
    watch = on_leg_to(3)
    claims = watch.world.movement.claims
    tuning = watch.world.data.navigation.claim
    walks = len(watch.commands("goto_waypoint"))
    claim = claims.take(watch.ped.slot, tuning.event, ClaimOwner.EVENT_MOVEMENT, None, 99)
    assert claim is not None
    watch.step(2)
    (walk,) = watch.brain.ledger.live()
    assert walk.state is CommandState.SUSPENDED
    stood = watch.ped.position
    watch.step(58)
    assert math.dist(stood, watch.ped.position) < 5.0
    claims.release(watch.ped.slot, ClaimOwner.EVENT_MOVEMENT, 99)
    watch.step(2)
    assert walk.state is CommandState.ACTIVE
    watch.step(60)
    assert watch.ped.movement.measured_speed > 50.0
    assert len(watch.commands("goto_waypoint")) == walks
    assert watch.count("enter.ok patrol") == 1


def test_cancel_while_suspended_never_moves_again() -> None:
    """ACT-17, trap 32: a cancelled walk is not resumed when the mover comes back."""
    watch = on_leg_to(3)
    claims = watch.world.movement.claims
    claims.take(
        watch.ped.slot,
        watch.world.data.navigation.claim.event,
        ClaimOwner.EVENT_MOVEMENT,
        None,
        99,
    )
    watch.step(10)
    watch.order("peace/safe_idle")
    watch.step(50)
    place = watch.ped.position
    assert watch.mode == "peace/safe_idle"
    claims.release(watch.ped.slot, ClaimOwner.EVENT_MOVEMENT, 99)
    watch.step(60)
    assert math.dist(place, watch.ped.position) == 0.0


def test_guard_should_abort_pure() -> None:
    """ACT-24, trap 49: no during the swing of a strike, and asking changes nothing."""
    asked, unasked = seen_deed(), seen_deed()
    for watch in (asked, unasked):
        watch.until_mode("combat/attack")
        while not any(
            run.command.admitted and run.command.kind.name == "strike"
            for run in watch.task.host.runs.values()  # type: ignore[union-attr]
        ):
            watch.step()
    for _ in range(3):
        assert not asked.task.should_abort(AbortPriority.URGENT, None)
        assert asked.task.should_abort(AbortPriority.IMMEDIATE, None)
        asked.step()
        unasked.step()
    assert asked.brain.trace.hash() == unasked.brain.trace.hash()
    assert asked.world.fingerprint.hexdigest() == unasked.world.fingerprint.hexdigest()


def test_brain_once_per_step() -> None:
    """ACT-27: a walk that ends in the first round gives the brain no second entry."""
    watch = Watch(beat())
    entries = []
    step = watch.brain.step

    def counted(number: int) -> None:
        entries.append(number)
        step(number)

    watch.brain.step = counted  # type: ignore[method-assign]
    watch.step(600)
    assert watch.count("exit walk_leg success") >= 2
    assert entries == sorted(set(entries))
    assert len(entries) == 600


def test_the_movement_belongs_to_the_command() -> None:
    """ACT-27: the record's owner is the task's type, the ped and the command id."""
    watch = on_leg_to(1)
    (walk,) = watch.brain.ledger.live()
    assert watch.ped.movement.owner == MoveOwner(int(TaskType.GUARD), watch.ped.ref, walk.id)


def test_hands_taken_by_another_end_the_blow() -> None:
    """ACT-16, ACT-20: the secondary slot was cleared: taken away, Cancelled, never Failure."""
    watch = seen_deed()
    watch.until_mode("combat/attack")
    while not watch.brain.ledger.resources.holders[Resource.HANDS]:
        watch.step()
    while "strike" not in [
        run.command.kind.name
        for run in watch.task.host.runs.values()  # type: ignore[union-attr]
        if run.command.admitted
    ]:
        watch.step()
    watch.ped.tasks.set_task(SECONDARY, Idler(), SecondarySlot.PARTIAL_ANIM)
    watch.step(2)
    assert "exit strike cancelled" in watch.words()
    assert "exit engage failure" not in watch.words()


def test_a_guard_that_is_removed_leaves_nothing() -> None:
    """ACT-23: closed with its ped: nothing held, nothing live, each exit once."""
    watch = seen_deed()
    watch.until_mode("combat/attack")
    watch.step(3)
    brain = watch.brain
    watch.world.peds.request_removal(watch.ped.ref)
    watch.world.step()
    assert brain.ledger.held_bits() == 0
    assert list(brain.ledger.live()) == []
    words = brain.trace.all_words()
    assert words.count("exit.done attack") == words.count("enter.ok attack")


def test_flee_refused_in_yard() -> None:
    """ACT-27: without a flee point the command is rejected with nothing held; no movement."""
    watch = seen_deed()
    watch.until_mode("combat/chase")
    watch.step(20)
    watch.world.path_finder.begin = _no_way(watch)  # type: ignore[method-assign]
    watch.ped.health.take(0.9)
    post = ROUTE[0]
    thug = ped_named(watch.world, "thug")
    watch.world.table.x[thug.slot] = (watch.ped.position.x + post.x) / 2.0
    watch.step(200)
    rejected = [line for line in watch.words() if line.startswith("[rejected")]
    assert rejected
    assert all(line.endswith("held none]") for line in rejected)


def _no_way(watch: Watch) -> object:
    finder = watch.world.path_finder
    begin = type(finder).begin

    def nowhere(start: Vec3, goal: Vec3, **options: object) -> object:
        return begin(finder, start, Vec3(-5000.0, -5000.0), **options)  # type: ignore[arg-type]

    return nowhere


def test_two_runs_of_a_fight_are_alike() -> None:
    """ACT-25: same street, same deed: the same trace hash and fingerprint."""
    hashes = set()
    for _ in range(2):
        watch = seen_deed()
        watch.step(600)
        hashes.add((watch.brain.trace.hash(), watch.world.fingerprint.hexdigest()))
    assert len(hashes) == 1


def test_a_guard_can_be_any_behaviour_file() -> None:
    """HSM-27: the standalone file gives the same modes with states that own their actions."""
    start = guard(x=400.0, behaviour="guard_standalone")
    watch = Watch(beat(THUG, VICTIM, guards=[replace(start, yaw_rad=math.pi)]))
    assert isinstance(watch.task, GuardTask)
    watch.step(200)
    assert math.dist(watch.ped.position, ROUTE[0]) < 16.0
    watch.world.table.yaw[watch.ped.slot] = 0.0
    watch.shove("thug", "victim", 9_000.0)
    watch.until_mode("combat/attack")
    thug = ped_named(watch.world, "thug")
    for _ in range(200):
        watch.step()
        if thug.recovery is not None:
            return
    raise AssertionError("the standalone guard never struck")
