"""Two worlds in one process, one of which mirrors peds of the other (TASK-101 to TASK-108).

Nothing is shared but plain records: an owner's world reports where its ped is and what
its tasks are, the other world's ped of the same name follows, ``delay`` exchanges later.
A transport over a network would carry the same reports.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from ai.motion.movement_table import PositionWriter
from ai.peds.hand_over import become_local, become_mirrored, can_hand_over
from ai.peds.ped import Ped
from ai.ports import Vec3
from ai.tasks.mirror_tree import MirrorTaskTree
from ai.tasks.task_info import InfoSender, InfoUpdate, infos_of
from ai.tasks.trees import PRIMARY
from game.world.world import World


class _Report(NamedTuple):
    """One ped at the end of one step of its owner."""

    position: Vec3
    yaw_rad: float
    update: InfoUpdate


class _LinkedPed:
    """A ped that is there in both worlds: who owns it, and what is on its way."""

    def __init__(self, owner: World, viewer: World, name: str) -> None:
        self.owner = owner
        self.viewer = viewer
        self.name = name
        self.sender = InfoSender()
        self.on_its_way: deque[_Report] = deque()
        self.wants_exchange = False


class MirrorLink:
    """The peds that two worlds have in common.

    - ``exchange`` is called between steps, after both worlds have made theirs.
    - At any moment each ped is owned by exactly one side.
    """

    def __init__(self, *, delay: int = 1) -> None:
        self._delay = delay
        self._peds: dict[str, _LinkedPed] = {}

    def share(self, owner: World, viewer: World, name: str) -> None:
        """Have ``viewer`` mirror a ped of ``owner`` that both have under the same name."""
        linked = _LinkedPed(owner, viewer, name)
        _activate(viewer)
        become_mirrored(_ped(viewer, name))
        self._peds[name] = linked

    def owner_of(self, name: str) -> World:
        """The world that owns a ped."""
        return self._peds[name].owner

    def hand_over(self, name: str) -> None:
        """The other side is to own the ped as soon as its tasks allow it (TASK-107)."""
        self._peds[name].wants_exchange = True

    def exchange(self) -> None:
        """Send a report of each ped, deliver those that have travelled long enough."""
        for name in sorted(self._peds):
            linked = self._peds[name]
            if linked.wants_exchange and can_hand_over(_ped(linked.owner, name)):
                self._change_hands(linked)
                continue
            ped = _ped(linked.owner, name)
            update = linked.sender.update(ped.label, ped.tasks, ped.intelligence.snapshot)
            linked.on_its_way.append(_Report(ped.position, ped.yaw, update))
            while len(linked.on_its_way) > self._delay:
                _deliver(linked, linked.on_its_way.popleft())

    def _change_hands(self, linked: _LinkedPed) -> None:
        """What is on its way is delivered first, so that nothing is replayed or lost."""
        linked.wants_exchange = False
        old = _ped(linked.owner, linked.name)
        infos = infos_of(old.tasks, old.intelligence.snapshot)
        report = _Report(old.position, old.yaw, InfoUpdate(old.label, (), ()))
        linked.on_its_way.clear()
        new = _ped(linked.viewer, linked.name)
        _follow_body(linked.viewer, new, report)
        _activate(linked.viewer)
        become_local(new, infos, old.label)
        _activate(linked.owner)
        become_mirrored(old)
        linked.owner, linked.viewer = linked.viewer, linked.owner
        linked.sender.forget()


def _ped(world: World, name: str) -> Ped:
    found = world.peds.by_name(name)
    if found is None:
        raise KeyError(f"no ped is called {name!r}; both linked worlds must have it")
    return found


def _activate(world: World) -> None:
    world.pool.activate(world.clock.step)


def _deliver(linked: _LinkedPed, report: _Report) -> None:
    world = linked.viewer
    ped = _ped(world, linked.name)
    tree = ped.tasks.tree(PRIMARY)
    assert isinstance(tree, MirrorTaskTree)
    tree.viewer = world.focus
    if report.update.changed or report.update.running != tree.running:
        tree.receive(report.update)
        ped.force_full_update()
    if not tree.overrides_position:
        _follow_body(world, ped, report, keeps_heading=tree.overrides_heading)


def _follow_body(world: World, ped: Ped, report: _Report, *, keeps_heading: bool = False) -> None:
    """Put the mirrored body where the owner's is."""
    table, slot = world.table, ped.slot
    table.x[slot], table.y[slot], table.z[slot] = report.position
    if not keeps_heading:
        table.yaw[slot] = report.yaw_rad
    table.writer[slot] = PositionWriter.MIRROR
