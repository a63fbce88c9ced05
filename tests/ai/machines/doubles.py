"""Test doubles of the brain's surroundings: a host with set latencies, a world of brains."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ai.machines.authoring.behaviour import Behaviour
from ai.machines.authoring.loader import compile_document, load_behaviour
from ai.machines.authoring.registry import BehaviourRegistry
from ai.machines.blackboard.keys import Value
from ai.machines.brain import Brain
from ai.machines.counters import Counters, InstanceId
from ai.machines.hsm.machine import StateMachine
from ai.machines.ledger.command import Command, CommandState, Urgency
from ai.machines.ledger.kinds import load_action_kinds
from ai.machines.ledger.ledger import Ledger
from ai.machines.ledger.resources import BY_WORD, bits_of
from ai.machines.tree_mind import TreeMind
from ai.ports import EntityKind, EntityRef

ASSETS = Path(__file__).resolve().parents[3] / "assets"
KINDS = load_action_kinds(ASSETS / "behaviour" / "actions.toml")
ENEMY = EntityRef(EntityKind.PED, 3, 1)
NEVER = 1 << 40


@dataclass
class Plan:
    """What a kind of action does, in steps; latency L is visible L steps after the asking."""

    admit: int = 1
    cancel: int = 3
    run: int = NEVER
    ok: bool = True
    reject: tuple[int, tuple[str, ...]] | None = None
    obeys_urgent: bool = True
    uninterruptible: bool = False
    undo: int | None = None


@dataclass
class FakeHost:
    """A host that admits, runs, stops and rejects as its plans say (ACT-20)."""

    plans: dict[str, Plan] = field(default_factory=dict)
    submitted: dict[int, int] = field(default_factory=dict)
    admitted: dict[int, int] = field(default_factory=dict)
    stops: dict[int, int] = field(default_factory=dict)
    revocations: dict[int, int] = field(default_factory=dict)
    late: list[tuple[int, int]] = field(default_factory=list)
    suspended: list[int] = field(default_factory=list)
    resumed: list[int] = field(default_factory=list)
    forced: list[int] = field(default_factory=list)
    instances: int = 0
    updates: int = 0

    def plan(self, command: Command) -> Plan:
        return self.plans.setdefault(command.kind.name, Plan())

    def take_requests(self, ledger: Ledger, step: int) -> None:
        for command in ledger.take_cancels():
            plan = self.plan(command)
            if command.urgency is Urgency.IMMEDIATE and plan.obeys_urgent:
                self.stops[command.id] = step
            elif plan.obeys_urgent:
                wait = plan.cancel
                if not command.admitted and command.reject_held and plan.undo is not None:
                    wait = plan.undo
                self.stops.setdefault(command.id, step + wait - 1)
        for command in ledger.take_preemptions():
            self.revocations[command.instance] = step + self.plan(command).cancel - 1
        self._stop(ledger, step)
        ledger.resume_claims()
        for command in ledger.waiting():
            self._initialise(ledger, command, step)
        for command_id, due in tuple(self.late):
            if due <= step:
                self.late.remove((command_id, due))
                assert ledger.admit(command_id) == 0

    def _stop(self, ledger: Ledger, step: int) -> None:
        for command_id, due in sorted(self.stops.items()):
            command = ledger.command(command_id)
            if due > step or command is None:
                continue
            del self.stops[command_id]
            if command.state is CommandState.STOPPING:
                if not command.admitted and command_id in self.submitted:
                    # The original is still under way in the host and comes up later.
                    plan = self.plan(command)
                    if plan.reject is None:
                        due_step = self.submitted[command_id] + plan.admit - 1
                        self.late.append((command_id, max(due_step, step)))
                ledger.stopped(command_id)

    def _initialise(self, ledger: Ledger, command: Command, step: int) -> None:
        plan = self.plan(command)
        begun = self.submitted.setdefault(command.id, step)
        if plan.reject is not None:
            steps, held = plan.reject
            if command.kind.staged:
                ledger.try_hold(command)
            if step >= begun + steps - 1:
                bits = bits_of(BY_WORD[word] for word in held)
                if command.held & bits == bits:
                    ledger.reject(command.id, "cannot begin", bits)
            return
        if command.kind.staged:
            ledger.try_hold(command)
        if step >= begun + plan.admit - 1 and ledger.try_hold(command):
            instance = ledger.admit(command.id)
            if instance:
                self.instances += 1
                self.admitted[instance] = step + 1

    def run_actions(self, ledger: Ledger, step: int) -> None:
        for instance, due in sorted(self.revocations.items()):
            if due <= step:
                del self.revocations[instance]
                ledger.revoke(instance, "preempted")
        for command in tuple(ledger.live()):
            plan = self.plan(command)
            begun = self.admitted.get(command.instance)
            running = command.state in (CommandState.ACTIVE, CommandState.STOPPING)
            if (
                begun is None
                or not running
                or (command.id in self.stops and self._stops_now(ledger, command, step))
            ):
                continue
            if step >= begun + plan.run - 1:
                self.stops.pop(command.id, None)
                ledger.complete(command.instance, success=plan.ok)
        self._stop(ledger, step)

    def _stops_now(self, ledger: Ledger, command: Command, step: int) -> bool:
        return self.stops[command.id] <= step and self.plan(command).run >= NEVER

    def interruptible(self, instance: InstanceId) -> bool:
        return not any(plan.uninterruptible for plan in self.plans.values())

    def force_stop(self, command: Command) -> None:
        self.forced.append(command.id)
        self.stops.pop(command.id, None)

    def suspend(self, command: Command) -> None:
        self.suspended.append(command.id)

    def resume(self, command: Command) -> None:
        self.resumed.append(command.id)

    def parameters_changed(self, command: Command) -> None:
        self.updates += 1


REGISTRY = BehaviourRegistry(KINDS, services={"track_target": lambda ctx: None})


def guard_standalone(registry: BehaviourRegistry = REGISTRY) -> Behaviour:
    return load_behaviour(ASSETS / "behaviour" / "guard_standalone.toml", registry)


def guard_composed(registry: BehaviourRegistry = REGISTRY) -> Behaviour:
    return load_behaviour(ASSETS / "behaviour" / "guard.toml", registry)


def behaviour(text: str, registry: BehaviourRegistry = REGISTRY) -> Behaviour:
    """A behaviour from TOML text."""
    import tomllib

    return compile_document(tomllib.loads(text), "test.toml", registry)


def tree_behaviour(
    nodes: str, keys: str = "", root: str = "top", registry: BehaviourRegistry = REGISTRY
) -> Behaviour:
    """A tree file from its ``nodes.x = {...}`` lines and ``[blackboard]`` lines."""
    text = (
        'format = 1\nname = "tree"\nkind = "tree"\nmain = "main"\n'
        f"[blackboard]\n{keys}\n[trees.main]\nroot = '{root}'\n{nodes}\n"
    )
    return behaviour(text, registry)


class BrainWorld:
    """Brains of one world, run in ascending ped id."""

    def __init__(self) -> None:
        self.counters = Counters()
        self.brains: list[Brain] = []
        self.now = -1

    def add(self, made: Behaviour, host: FakeHost, **options: object) -> Brain:
        brain = Brain(len(self.brains) + 1, made.layout, KINDS, self.counters, host, **options)  # type: ignore[arg-type]
        brain.use(made.mind)
        self.brains.append(brain)
        return brain

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            self.now += 1
            for brain in self.brains:
                brain.step(self.now)
            for brain in self.brains:
                brain.finish_step(self.now)


class One:
    """One ped: its brain, its host, and what was traced."""

    def __init__(
        self, made: Behaviour, plans: Mapping[str, Plan] | None = None, **options: object
    ) -> None:
        self.world = BrainWorld()
        self.host = FakeHost(dict(plans or {}))
        options.setdefault("rng", random.Random(1))
        self.brain = self.world.add(made, self.host, **options)
        self._zero = 0
        self._read = 0

    @property
    def machine(self) -> StateMachine:
        assert isinstance(self.brain.mind, StateMachine)
        return self.brain.mind

    @property
    def tree_mind(self) -> TreeMind:
        assert isinstance(self.brain.mind, TreeMind)
        return self.brain.mind

    @property
    def ledger(self) -> Ledger:
        return self.brain.ledger

    def write(self, **values: Value) -> None:
        for key, value in values.items():
            self.brain.write(key, value)

    def steps(self, count: int) -> list[str]:
        """Run steps; the words traced in them."""
        before = self.world.now + 1
        self.world.step(count)
        return self.brain.trace.all_words(before)

    def begin(self) -> None:
        """From now on ``at`` counts steps from the next one."""
        self._zero = self.world.now + 1

    def at(self, step: int) -> list[str]:
        """Run up to and with this relative step; words of that step alone."""
        target = self._zero + step
        while self.world.now < target - 1:
            quiet = self.steps(1)
            assert quiet == [], f"step {self.world.now - self._zero}: {quiet}"
        return self.steps(1)

    def path(self) -> str:
        active = self.machine.record.active
        assert active is not None
        return active.path

    def count(self, words: str) -> int:
        """Lines of the whole trace that are exactly these words."""
        return self.brain.trace.all_words().count(words)

    def words(self) -> list[str]:
        return self.brain.trace.all_words()

    def settle(self, limit: int = 200) -> None:
        for _ in range(limit):
            self.world.step()
            if self.machine.record.settled:
                return
        raise AssertionError("the machine does not settle")
