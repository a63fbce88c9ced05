"""Two worlds in one process: the second follows the first (TASK-74, TASK-101 to TASK-108)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ai.behaviours.order_task import OrderTask
from ai.behaviours.standing import TaskStand
from ai.behaviours.wander import TaskWander
from ai.events.command_records import CommandRefused, RefusalReason
from ai.peds.ped import Ped
from ai.ports import Vec3
from ai.tasks.idle_tasks import DoNothing
from ai.tasks.mirror_tree import MirrorIdle, MirrorTaskTree
from ai.tasks.ped_trees import PedTaskTree
from ai.tasks.task_tree import SetTaskResult
from ai.tasks.trees import MOVEMENT, PRIMARY, PrimarySlot
from game.world.description import LevelDescription
from game.world.mirror_link import MirrorLink
from game.world.world import World
from tests.ai.tasks.doubles import MoveProbe, Probe
from tests.streets import courier_street, ped_named, person, start


def level(task: str = "stand") -> LevelDescription:
    base = courier_street()
    return replace(base, peds=(person(10, "courier", 200.0, 600.0, task=task),))


class Pair:
    """Two worlds and their link."""

    def __init__(self, task: str = "stand", delay: int = 1) -> None:
        self.first = World(level(task), strict=True)
        self.second = World(level(task), strict=True)
        self.link = MirrorLink(delay=delay)
        self.link.share(self.first, self.second, "courier")

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            self.first.step()
            self.second.step()
            self.link.exchange()

    @property
    def owner(self) -> Ped:
        return ped_named(self.link.owner_of("courier"))

    @property
    def mirror(self) -> Ped:
        other = self.second if self.link.owner_of("courier") is self.first else self.first
        return ped_named(other)


def shown(ped: Ped) -> object:
    tree = ped.tasks.tree(PRIMARY)
    assert isinstance(tree, MirrorTaskTree)
    return tree.mirror


def states(pair: Pair, steps: int) -> tuple[list[int], list[int]]:
    """The states of owner and mirror, each where it changed."""
    mine: list[int] = []
    theirs: list[int] = []
    for _ in range(steps):
        pair.step()
        wander = pair.owner.tasks.tree(PRIMARY).get_task(PrimarySlot.DEFAULT)
        assert isinstance(wander, TaskWander)
        mirror = shown(pair.mirror)
        if not mine or mine[-1] != wander.state:
            mine.append(wander.state)
        if isinstance(mirror, TaskWander) and (not theirs or theirs[-1] != mirror.state):
            theirs.append(mirror.state)
    return mine, theirs


def test_a_ped_that_becomes_mirrored_loses_its_own_tasks() -> None:
    """TASK-74, TASK-82: primary replaced, secondary and movement flushed and left alone."""
    pair = Pair()
    ped = pair.mirror
    assert ped.is_mirrored
    assert isinstance(ped.tasks.tree(PRIMARY).get_task(PrimarySlot.DEFAULT), MirrorIdle)
    assert ped.tasks.tree(MOVEMENT).active_root is None
    pair.step(5)
    assert ped.tasks.tree(MOVEMENT).active_root is None


def test_it_follows_walking_and_waiting() -> None:
    """TASK-103, TASK-106: the states of wandering are seen in order, the body follows."""
    pair = Pair("wander")
    mine, theirs = states(pair, 1500)
    walk, pause = int(TaskWander.State.WALK), int(TaskWander.State.PAUSE)
    assert walk in theirs
    assert pause in theirs
    assert theirs == mine[: len(theirs)]
    assert len(mine) - len(theirs) <= 1
    assert pair.mirror.position == pytest.approx(pair.owner.position, abs=6.0)
    assert pair.mirror.movement.generation == 0 or not pair.mirror.movement.live


def test_a_state_arrives_one_delay_and_one_full_update_later() -> None:
    """TASK-103: at most."""
    for delay in (1, 5):
        pair = Pair("wander", delay)
        pair.step()
        late = 0
        while not isinstance(shown(pair.mirror), TaskWander):
            pair.step()
            late += 1
        assert late <= delay + 2


def test_it_shows_an_order_and_its_end() -> None:
    """TASK-102, TASK-106: the order is mirrored above standing; once it has ended standing is."""
    pair = Pair()
    pair.step(3)
    assert isinstance(shown(pair.mirror), TaskStand)
    reply = start(pair.first)
    assert reply.accepted
    pair.step(4)
    order = shown(pair.mirror)
    assert isinstance(order, OrderTask)
    assert order.order.session == reply.session
    assert order.order.goal == pair.owner.order.goal
    while pair.owner.order.live:
        pair.step()
    pair.step(4)
    assert isinstance(shown(pair.mirror), TaskStand)
    assert pair.mirror.position == pytest.approx(pair.owner.position, abs=6.0)


def test_out_of_range_it_is_kept_and_not_updated() -> None:
    """TASK-106: out of scope 5 s: same uid, ``time_running`` unchanged; in range it goes on."""
    pair = Pair("wander")
    pair.step(5)
    mirror = shown(pair.mirror)
    assert isinstance(mirror, TaskWander)
    pair.second.focus = Vec3(90_000.0, 0.0)
    pair.step(2)
    before = mirror.time_running
    pair.step(300)
    assert shown(pair.mirror) is mirror
    assert mirror.time_running == before
    pair.second.focus = pair.owner.position
    pair.step(3)
    assert shown(pair.mirror) is mirror
    assert mirror.time_running > before


def test_tasks_and_orders_of_a_mirrored_ped_are_refused() -> None:
    """TASK-71, TASK-108: REFUSED_REMOTE; the task is deleted; scripts are told."""
    pair = Pair()
    ped = pair.mirror
    pair.second.pool.activate()
    task = Probe("P")
    result = ped.tasks.set_task(PRIMARY, task, PrimarySlot.PRIMARY)
    assert result is SetTaskResult.REFUSED_REMOTE
    assert task.is_deleted
    source = pair.second.sources.create("script")
    given = pair.second.scripts.give_task(ped, DoNothing(1.0), source=source, kind="wait")
    assert given == CommandRefused(RefusalReason.MIRRORED)
    assert not start(pair.second).accepted


def test_ownership_changes_in_both_directions() -> None:
    """TASK-107, TASK-74: it wanders on at the other side, and back; nobody runs it twice."""
    pair = Pair("wander")
    pair.step(120)
    for _ in range(2):
        place = pair.owner.position
        pair.link.hand_over("courier")
        pair.step()
        assert pair.mirror.is_mirrored
        assert not pair.owner.is_mirrored
        assert type(pair.owner.tasks.tree(PRIMARY)) is PedTaskTree
        assert pair.owner.position == pytest.approx(place, abs=10.0)
        pair.step(300)
        wander = pair.owner.tasks.tree(PRIMARY).get_task(PrimarySlot.DEFAULT)
        assert isinstance(wander, TaskWander)
        assert isinstance(shown(pair.mirror), TaskWander)
        assert pair.owner.position != place
        assert pair.mirror.position == pytest.approx(pair.owner.position, abs=6.0)
    assert pair.link.owner_of("courier") is pair.first


def test_the_change_waits_for_a_task_that_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """TASK-107, combination 32: until the chain allows it; an order meanwhile runs on one side."""
    pair = Pair()
    pair.step(3)
    monkeypatch.setattr(TaskStand, "can_hand_over", lambda self: False)
    pair.link.hand_over("courier")
    pair.step(5)
    assert pair.link.owner_of("courier") is pair.first
    assert start(pair.first).accepted
    monkeypatch.setattr(TaskStand, "can_hand_over", lambda self: True)
    pair.step()
    assert pair.link.owner_of("courier") is pair.second
    live = [one for one in (pair.first, pair.second) if ped_named(one).order.live]
    assert len(live) <= 1


def test_linked_worlds_leak_nothing() -> None:
    """TASK-60: whatever changed hands, both pools are empty in the end."""
    pair = Pair("wander")
    pair.step(60)
    pair.link.hand_over("courier")
    pair.step(60)
    for world in (pair.first, pair.second):
        world.pool.activate()
        world.close()
        assert world.pool.used == 0


def test_a_movement_task_of_a_mirrored_ped_is_never_processed() -> None:
    """TASK-82: even if somebody put one there."""
    pair = Pair()
    pair.second.pool.activate()
    task = MoveProbe()
    pair.mirror.tasks.tree(MOVEMENT).set_task(task, 1)
    pair.step(3)
    assert task.travelled == 0
