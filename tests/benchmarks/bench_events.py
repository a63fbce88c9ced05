"""Cost of event handling (EVT-99): ``python -m tests.benchmarks.bench_events``.

Prints a table beside a calibration (3 million integer additions in a loop, 0.20 s on
the reference machine); goals scale with it. Rows are timed in interleaved rounds,
the best round counts, and each row is checked to have done its work.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace

from ai import settings
from ai.events.types import EventType
from ai.ports import Vec3
from ai.tasks.task_pool import TaskPool
from game.world.description import PedDescription
from game.world.world import EmptyScene, World
from tests.ai.events.event_doubles import Person, Street, Stub
from tests.streets import pavement, street

CALIBRATION_GOAL_S = 0.20
ROUNDS = 100
CALLS = 100
CROWD = 200


def calibration_s() -> float:
    """Best of five: three million additions."""
    best = float("inf")
    for _ in range(5):
        began = time.perf_counter()
        total = 0
        for number in range(3_000_000):
            total += number
        best = min(best, time.perf_counter() - began)
    return best


def idle() -> Callable[[], None]:
    """A pass of a ped to whom nothing happens."""
    ped = Street().person()
    handle = ped.events.handler.handle_events

    def passes() -> None:
        for _ in range(CALLS):
            handle()
        assert not ped.queued()

    return passes


def responding() -> Callable[[], None]:
    """A pass of a ped that responds to something and hears of nothing else."""
    street = Street()
    ped = street.person()
    ped.add(Stub(700))
    street.step()
    handle = ped.events.handler.handle_events

    def passes() -> None:
        for _ in range(CALLS):
            handle()
        assert ped.events.history.non_temp is not None

    return passes


def full_queue() -> Callable[[], None]:
    """A pass over 16 queued events, all of them ready, none allowed to interrupt."""
    street = Street()
    ped = street.person()
    ped.events.trace.full = False
    ped.add(Stub(2900, "busy", event_type=EventType.DEATH))
    street.step()
    for number in range(16):
        ped.add(Stub(700, f"n{number}", at=Vec3(100.0 * number, 0.0)), force_persistent=True)
    handle = ped.events.handler.handle_events

    def passes() -> None:
        for _ in range(CALLS):
            handle()
        assert len(ped.queued()) == 16

    return passes


def offer() -> Callable[[], None]:
    """Ten live shocking events offered to 200 peds of whom each has them already."""
    street = Street()
    people: list[Person] = []
    for number in range(CROWD):
        person = street.person(100.0 * (number % 40), 100.0 * (number // 40))
        person.events.trace.full = False
        people.append(person)
    events = street.services.global_events
    for number in range(10):
        event = events.shock(EventType.SHOCKING_FIRE, Vec3(400.0 * number, 250.0))
        assert event is not None
    events.process()

    def passes() -> None:
        for event in events.group.queue.entries:
            event.ticks = 0
        events.process()
        assert people[0].queued()

    return passes


def explosion() -> Callable[[], None]:
    """The one step in which 200 peds are first offered an explosion that all see."""

    def passes() -> None:
        TaskPool().activate()
        street = Street()
        for number in range(CROWD):
            street.person(100.0 * (number % 20), 100.0 * (number // 20)).events.trace.full = False
        street.services.global_events.shock(EventType.SHOCKING_EXPLOSION, Vec3(900.0, 400.0))
        began = time.perf_counter()
        street.services.global_events.process()
        passes.seconds.append(time.perf_counter() - began)  # type: ignore[attr-defined]
        assert all(person.queued() for person in street.people)

    passes.seconds = []  # type: ignore[attr-defined]
    return passes


def crowd_world(model: str) -> World:
    """Two hundred peds who stand in a square and look at its middle."""
    side = 15
    people = [
        PedDescription(
            object_id=10 + number,
            name=f"p{number}",
            position=Vec3(700.0 + 250.0 * (number % side), 600.0 + 250.0 * (number // side)),
            yaw_rad=math.atan2(
                2000.0 - 600.0 - 250.0 * (number // side), 2400.0 - 700.0 - 250.0 * (number % side)
            ),
            model=model,
            default_task="stand",
        )
        for number in range(CROWD)
    ]
    ground = pavement(5000.0, 4500.0)
    description = replace(
        street(peds=people, surfaces=(ground,)), width_cm=5000.0, height_cm=4500.0
    )
    world = World(description, strict=False)
    for ped in world.peds.in_id_order():
        ped.intelligence.fix_period(1)
    return world


def scanning() -> tuple[float, float]:
    """Best us a ped and step of scanning, and of scanning with handling, in an idle crowd."""
    world = crowd_world("dummy")
    for _ in range(30):
        world.step()
    peds = world.peds.in_id_order()
    scan_only = with_handling = float("inf")
    for _ in range(5):
        scans = handles = 0.0
        for _ in range(60):
            world.pool.activate()
            world.clock.advance()
            began = time.perf_counter()
            world.scanners.scan(world.clock.step)
            world.happenings.clear_step()
            scanned = time.perf_counter()
            for ped in peds:
                ped.events.handler.handle_events()
            scans += scanned - began
            handles += time.perf_counter() - scanned
        scan_only = min(scan_only, scans)
        with_handling = min(with_handling, scans + handles)
    return scan_only / 60 / CROWD * 1e6, with_handling / 60 / CROWD * 1e6


def explosion_frame() -> tuple[float, float, float]:
    """Median step in ms, the step of an explosion that all 200 see, the dearest within 2 s."""
    world = crowd_world("ordinary")
    for _ in range(30):
        world.step()

    def timed() -> float:
        began = time.perf_counter()
        world.step()
        return (time.perf_counter() - began) * 1000.0

    quiet = sorted(timed() for _ in range(120))
    world.scene = OneBlast(world)
    first = timed()
    after = [timed() for _ in range(120)]
    return quiet[60], first, max(after)


class OneBlast(EmptyScene):
    """Something blows up in the middle, in the next step."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._done = False

    def act(self) -> None:
        if not self._done:
            self._done = True
            self._world.blasts.explode(Vec3(2400.0, 2000.0), radius_cm=50.0)


def best_us(work: Callable[[], None], calls: int) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) / calls * 1e6


def main() -> None:
    """Print the table."""
    settings.strict = False
    TaskPool().activate()
    rows: list[tuple[str, Callable[[], None], int, float]] = [
        ("idle pass", idle(), CALLS, 5.0),
        ("pass with a response", responding(), CALLS, 12.0),
        ("pass with 16 queued events", full_queue(), CALLS, 60.0),
    ]
    best = {name: float("inf") for name, *_ in rows}
    for _ in range(ROUNDS):
        for name, work, calls, _ in rows:
            best[name] = min(best[name], best_us(work, calls))
    calibration = calibration_s()
    scale = calibration / CALIBRATION_GOAL_S
    print(f"calibration {calibration:.3f} s (reference {CALIBRATION_GOAL_S:.2f} s)")
    print(f"{'row':32}{'us':>9}{'goal us':>10}{'goal here':>11}")
    for name, _, _, goal in rows:
        print(f"{name:32}{best[name]:9.2f}{goal:10.1f}{goal * scale:11.2f}")
    offered = offer()
    ten = min(best_us(offered, 1) for _ in range(20)) / 1000
    print(f"offer of 10 events to {CROWD} peds{ten:12.2f} ms")
    first = explosion()
    for _ in range(5):
        first()
    seconds = min(first.seconds)  # type: ignore[attr-defined]
    print(f"first offer of an explosion to {CROWD} peds{seconds * 1000:8.2f} ms")
    scan_us, both_us = scanning()
    print(f"{'scanning, idle ped':32}{scan_us:9.2f}")
    print(f"{'scanning and handling, idle ped':32}{both_us:9.2f}{12.0:10.1f}{12.0 * scale:11.2f}")
    median, frame, dearest = explosion_frame()
    print(
        f"step of {CROWD} peds: median {median:.2f} ms, of an explosion all see {frame:.2f} ms "
        f"({frame / median:.1f} times, goal 3), dearest in 2 s after {dearest:.2f} ms"
    )


if __name__ == "__main__":
    main()
