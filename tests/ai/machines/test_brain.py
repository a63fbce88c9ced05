"""One scheduling entry, one order, abort and resume, keyframe and carry-over (ACT-01 to ACT-26)."""

from __future__ import annotations

import logging
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ai.machines.brain import Brain, keyframe
from ai.machines.errors import ReentrancyError, WrongThreadError
from ai.machines.hsm.machine import StateMachine
from ai.machines.inbox import WorkerResults, WorkerTarget, WorkerWrite
from ai.machines.steps import steps
from tests.ai.machines.doubles import (
    ENEMY,
    BrainWorld,
    FakeHost,
    One,
    Plan,
    guard_composed,
    guard_standalone,
    tree_behaviour,
)

IDLE = 'nodes.top = { type = "wait", seconds = "forever" }'
COUNT = 'n = { type = "int" }\nflag = { type = "bool" }'
FACTS = {
    "enemy": ENEMY, "enemy_known": True, "enemy_alive": True, "enemy_dist_cm": 150.0,
    "route": "r", "route_len": 4,
}  # fmt: skip


@pytest.mark.parametrize(
    ("seconds", "count"), [(0, 0), (0.01, 1), (0.1, 6), (0.25, 15), (0.5, 30), (4.0, 240)]
)
def test_seconds_to_steps(seconds: float, count: int) -> None:
    """ACT-01: ceil(s * 60 - 1e-6), the examples of section 1."""
    assert steps(seconds) == count


class Phases(StateMachine):
    """A machine that writes its phases down."""

    log: list[str]

    def observe(self) -> None:
        self.log.append(f"{self.context.ped_id} P2")
        super().observe()

    def advance(self) -> None:
        self.log.append(f"{self.context.ped_id} advance")
        super().advance()

    def evaluate_rules(self) -> bool:
        self.log.append(f"{self.context.ped_id} P4")
        return super().evaluate_rules()

    def update(self) -> None:
        self.log.append(f"{self.context.ped_id} P6")
        super().update()

    def tick_tree(self) -> None:
        self.log.append(f"{self.context.ped_id} P7")
        super().tick_tree()

    def publish(self) -> None:
        self.log.append(f"{self.context.ped_id} P8")
        super().publish()


class PhasesHost(FakeHost):
    log: list[str]

    def take_requests(self, ledger, step: int) -> None:
        self.log.append(f"{ledger.ped_id} P9")
        super().take_requests(ledger, step)

    def run_actions(self, ledger, step: int) -> None:
        self.log.append(f"{ledger.ped_id} P10")
        super().run_actions(ledger, step)


def test_the_phases_of_a_step_in_order() -> None:
    """ACT-01: 3 peds, 5 steps; peds ascending, P10 after all brains; P5 only if P4 changed."""
    log: list[str] = []
    made = guard_standalone()
    world = BrainWorld()
    for _ in range(3):
        host = PhasesHost()
        host.log = log
        brain = world.add(made, host)

        def make(context, log=log):
            machine = Phases(made.machine, context)
            machine.log = log
            return machine

        brain.use(make)
    world.brains[1].write("route_len", 4)
    for brain in world.brains:
        brain.write("route", "r")
    world.step(5)
    per_ped = ["P2", "advance", "P4", "P6", "P7", "P8", "P9"]
    per_step = [f"{ped} {phase}" for ped in (1, 2, 3) for phase in per_ped]
    per_step += [f"{ped} P10" for ped in (1, 2, 3)]
    changed = ["advance", "P4", "advance", "P6"]
    text = " ".join(word.split()[1] for word in log if word.startswith("1 "))
    assert " ".join(changed) in text
    once = [
        line
        for number, line in enumerate(log)
        if not (line.endswith("advance") and log[number - 1].endswith("P4"))
    ]
    assert once == per_step * 5


def test_a_time_sliced_brain_misses_nothing() -> None:
    """ACT-01, trap 41: skipped for 12 steps while its goto completes; handled once on return."""
    nodes = """
    nodes.top = { type = "sequence", children = ["walk", "rest"] }
    nodes.walk = { type = "action", action = "goto", params = { pos = [1.0, 2.0] } }
    nodes.rest = { type = "wait", seconds = 0.1 }
    """
    one = One(tree_behaviour(nodes), {"goto": Plan(run=4)})
    one.world.step(2)
    for step in range(2, 14):
        one.brain.finish_step(step)
    one.world.now = 13
    assert one.steps(1) == ["[completed i1 success]", "exit walk success", "enter rest"]
    assert one.steps(5) == []
    assert one.steps(1) == ["exit rest success", "exit top success"]
    assert one.count("[completed i1 success]") == 1


def test_200_items_keep_their_order_over_four_steps(caplog: pytest.LogCaptureFixture) -> None:
    """ACT-02: 64, 64, 64, 8; none is dropped, a warning names the ped."""
    one = One(tree_behaviour(IDLE, COUNT))
    for number in range(200):
        one.write(n=number)
    seen = []
    with caplog.at_level(logging.WARNING):
        for _ in range(4):
            one.world.step()
            seen.append(one.brain.board.read("n", "test"))
    assert seen == [63, 127, 191, 199]
    assert "ped 1 has more than 64 waiting items" in caplog.text


def test_nothing_is_answered_inline() -> None:
    """ACT-02: the earliest reply is the next step's boundary."""
    one = One(tree_behaviour(
        'nodes.top = { type = "action", action = "say", params = { line = "x" } }'
    ))  # fmt: skip
    assert one.steps(1) == ["enter top", "submit c1 say{voice}"]
    assert one.steps(1) == ["[admitted c1 i1]"]


def test_posting_from_another_thread_is_refused() -> None:
    """ACT-02: WrongThreadError; the simulation has one thread."""
    one = One(tree_behaviour(IDLE, COUNT))
    caught: list[Exception] = []

    def post() -> None:
        try:
            one.write(n=1)
        except WrongThreadError as error:
            caught.append(error)

    thread = threading.Thread(target=post)
    thread.start()
    thread.join()
    assert len(caught) == 1


def worker_run(seed: int) -> str:
    """A run in which four worker results come at random moments."""
    rng = random.Random(seed)
    workers = WorkerResults()
    one = One(guard_standalone(), {}, workers=workers, hashing=True)
    payloads = [
        WorkerWrite("route", "r"),
        WorkerWrite("route_len", 4),
        WorkerTarget("peace/patrol"),
        WorkerWrite("patrol_index", 2),
    ]
    threads = []
    for due, payload in zip((4, 3, 5, 5), payloads, strict=True):
        request = workers.expect(due)
        wait_s = rng.random() * 0.004

        def work(request=request, due=due, payload=payload, pause=wait_s) -> None:
            time.sleep(pause)
            workers.post_from_worker(request, due, payload)

        threads.append(threading.Thread(target=work))
    for thread in threads:
        thread.start()
    one.world.step(30)
    for thread in threads:
        thread.join()
    return one.brain.trace.hash()


def test_worker_results_give_the_same_trace_whenever_they_come() -> None:
    """ACT-02, trap 43: 20 runs with random delays, one hash."""
    assert len({worker_run(seed) for seed in range(20)}) == 1


def test_a_worker_result_that_was_not_announced_is_refused() -> None:
    """ACT-02: the step a result counts in is fixed when it is asked for."""
    workers = WorkerResults()
    request = workers.expect(5)
    with pytest.raises(ValueError, match="not announced"):
        workers.post_from_worker(request, 6, WorkerTarget("peace"))


def test_a_brain_is_entered_once_a_step() -> None:
    """ACT-01, ACT-27: a second entry in one step is refused, and so is one from inside."""
    one = One(tree_behaviour(IDLE, COUNT))
    one.world.step()
    with pytest.raises(ReentrancyError, match="has had step 0"):
        one.brain.step(0)


def patrolling(**plans: Plan) -> One:
    one = One(guard_composed(), plans)
    one.write(**FACTS)
    one.write(patrol_index=3)
    one.world.step(4)
    assert "[admitted c1 i1]" in one.words()
    return one


def test_should_abort_is_a_pure_query() -> None:
    """ACT-24, trap 49: asked 3 steps running during a strike's contact: False, nothing changes."""
    traces = []
    for asked in (True, False):
        one = One(guard_standalone(), {"strike": Plan(uninterruptible=True)})
        one.write(**FACTS)
        one.brain.request("combat/attack")
        one.settle()
        for _ in range(3):
            if asked:
                assert one.brain.should_abort() is False
            one.world.step()
        one.host.plans["strike"].uninterruptible = False
        assert one.brain.should_abort()
        traces.append(one.brain.trace.lines())
    assert traces[0] == traces[1]


def test_a_knocked_down_guard_stops_at_once_and_resumes_afresh() -> None:
    """ACT-24, ACT-23, F16: each clean-up once, leaf to root; 0 held; the same waypoint again."""
    one = patrolling()
    before = len(one.words())
    one.brain.mind.abort()
    assert one.words()[before:] == [
        "force c1",
        "exit walk_leg cancelled",
        "exit leg cancelled",
        "exit loop cancelled",
        "exit.begin patrol",
        "exit.done patrol",
        "exit.begin peace",
        "exit.done peace",
    ]
    assert (one.ledger.held_bits(), list(one.ledger.live())) == (0, [])
    assert one.steps(30) == []
    one.brain.mind.resume()
    assert one.steps(1) == [
        "enter.begin peace",
        "enter.ok peace",
        "enter.begin patrol",
        "enter.ok patrol",
        "enter loop",
        "enter leg",
        "enter walk_leg",
        "submit c2 goto_waypoint{mover}",
    ]
    assert one.ledger.command(2).params == {"route": "r", "index": 3}


def test_a_stand_down_while_down_counts_at_resume() -> None:
    """ACT-24, trap 34: safe_idle is entered, patrol is not."""
    one = patrolling()
    one.brain.mind.abort()
    one.brain.request("peace/safe_idle")
    one.write(patrol_index=1)
    one.world.step(5)
    one.brain.mind.resume()
    lines = one.steps(1)
    assert "enter.ok safe_idle" in lines
    assert "enter.begin patrol" not in lines
    assert one.brain.board.read("patrol_index", "test") == 1


def test_rules_come_first_at_resume() -> None:
    """ACT-24: an enemy seen while down leads to combat, the old mode is not entered."""
    one = patrolling()
    one.brain.mind.abort()
    one.write(enemy_visible=True)
    one.world.step(2)
    one.brain.mind.resume()
    lines = one.steps(1)
    assert lines[0] == "target combat/chase g2"
    assert "enter.begin patrol" not in lines


def test_an_abort_in_the_middle_of_an_exit_runs_the_hook_once() -> None:
    """ACT-24, trap 51: chase is exiting: one exit.begin, one exit.done."""
    one = One(guard_standalone())
    one.write(**FACTS)
    one.brain.request("combat/chase")
    one.settle()
    one.brain.request("combat/attack")
    one.world.step()
    assert one.count("exit.begin chase") == 1
    one.brain.mind.abort()
    assert (one.count("exit.begin chase"), one.count("exit.done chase")) == (1, 1)
    assert one.machine.record.active_path == ("root",)


def test_an_abort_in_the_middle_of_an_enter_undoes_it_once() -> None:
    """ACT-24, trap 51: strike is not admitted yet: one undo, no exit."""
    one = One(guard_standalone(), {"strike": Plan(admit=9)})
    one.write(**FACTS)
    one.brain.request("combat/attack")
    one.world.step(2)
    one.brain.mind.abort()
    assert (one.count("undo.done attack"), one.count("exit.begin attack")) == (1, 0)
    assert one.ledger.held_bits() == 0
    one.brain.mind.resume()
    one.world.step()
    assert one.count("enter.begin attack") == 2


def test_a_ped_removed_during_a_cancel_leaves_nothing() -> None:
    """ACT-23, trap 36, F17: 0 held, 0 live, no exit called twice."""
    one = patrolling()
    one.brain.request("combat/chase")
    one.world.step()
    one.brain.close()
    assert (one.ledger.held_bits(), list(one.ledger.live())) == (0, [])
    assert one.count("exit walk_leg cancelled") == 1
    assert one.count("exit.done patrol") == 1


def long_run() -> One:
    """A guard among changing facts."""
    rng = random.Random(5)
    one = One(guard_composed(), {"strike": Plan(run=3), "say": Plan(run=9)}, hashing=True)
    one.write(**FACTS)
    for _ in range(300):
        if rng.random() < 0.1:
            one.write(enemy_visible=rng.random() < 0.5)
        if rng.random() < 0.1:
            one.write(enemy_dist_cm=rng.choice([90.0, 150.0, 250.0]))
        one.world.step(6)
    return one


def test_the_trace_hash_repeats() -> None:
    """ACT-25: two runs of 1,800 steps, one hash; the ring keeps 256 entries."""
    first, second = long_run(), long_run()
    assert first.brain.trace.hash() == second.brain.trace.hash()
    assert len(first.brain.trace.entries) == 256


def test_the_trace_hash_does_not_depend_on_the_hash_seed() -> None:
    """ACT-25: PYTHONHASHSEED 0 and 1."""
    root = Path(__file__).resolve().parents[3]
    program = (
        "from tests.ai.machines.test_brain import long_run; print(long_run().brain.trace.hash())"
    )
    hashes = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=root, env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("0", "1")
    }  # fmt: skip
    assert len(hashes) == 1


def mid_exit() -> One:
    """W1 at step 1: chase is exiting towards attack."""
    one = One(guard_standalone(), hashing=True)
    one.write(**FACTS)
    one.brain.request("combat/chase")
    one.settle()
    one.brain.request("combat/attack")
    one.world.step(2)
    return one


def test_a_keyframe_goes_on_like_the_uninterrupted_run() -> None:
    """ACT-26, trap 39: taken in the middle of an exit: the same trace to step 600."""
    one = mid_exit()
    copied = keyframe(one.world.brains)
    now = one.world.now
    one.world.step(600)
    for step in range(now + 1, now + 601):
        for brain in copied:
            brain.step(step)
        for brain in copied:
            brain.finish_step(step)
    assert copied[0].trace.hash() == one.brain.trace.hash()


def test_a_carry_over_takes_intent_alone() -> None:
    """ACT-26: the same moment: chase enters 0, attack entered once, ids above all earlier ones."""
    one = mid_exit()
    before = len(one.words())
    one.brain.carry_over(guard_standalone().mind)
    one.world.step(6)
    after = one.words()[before:]
    assert "enter.begin chase" not in after
    assert after.count("enter.ok attack") == 1
    assert "submit c2 strike{mover,hands}" in after
    assert one.path() == "combat/attack"


def test_a_carried_target_that_is_gone_becomes_terminal() -> None:
    """ACT-26: one log line, then terminal."""
    one = mid_exit()
    made = guard_standalone()
    states = dict(made.machine.states)
    del states["combat/attack"]
    object.__setattr__(made.machine, "states", states)
    one.brain.carry_over(made.mind)
    one.settle()
    assert one.path() == "peace/safe_idle"


def test_a_settled_brain_keeps_no_memory() -> None:
    """BT-29, BB-11: 1,000 sleeping steps keep no block."""
    one = One(guard_composed())
    one.world.step(2000)
    brain: Brain = one.brain
    numbers = list(range(3000, 4000))
    before = sys.getallocatedblocks()
    for step in numbers:
        brain.step(step)
        brain.finish_step(step)
    assert sys.getallocatedblocks() - before <= 3
