"""The one scheduling entry of a ped's mind: the boundary, then the mind's phases (ACT-01)."""

from __future__ import annotations

import copy
import logging
import random
from collections.abc import Callable, Mapping
from typing import Protocol

from ai.machines.blackboard.board import Blackboard, EntityLife
from ai.machines.blackboard.keys import BoardLayout, Value
from ai.machines.blackboard.shared import SharedBoard
from ai.machines.context import BrainContext, PostEvent
from ai.machines.counters import Counters, Seq
from ai.machines.errors import BlackboardError, ReentrancyError
from ai.machines.hsm.machine import StateMachine
from ai.machines.inbox import Inbox, ItemKind, WorkerResults, WorkerWrite
from ai.machines.ledger.host import ActionHost
from ai.machines.ledger.kinds import ActionKind
from ai.machines.ledger.ledger import Ledger
from ai.machines.limits import BehaviourTuning, DelaySteps
from ai.machines.trace import BrainTrace
from ai.machines.tree_mind import TreeMind

_log = logging.getLogger(__name__)


class Mind(Protocol):
    """A machine, a tree or a rule script, as the brain runs it."""

    mind: str

    def observe(self) -> None:
        """P2: look at what has changed."""
        ...

    def think(self) -> None:
        """P3 to P8."""
        ...

    def abort(self) -> None:
        """Stop at once (ACT-24)."""
        ...

    def resume(self) -> None:
        """Begin afresh after ``abort``."""
        ...


def no_events(name: str, _params: Mapping[str, Value]) -> None:
    """The default of ``post_event``: a ped without an event queue refuses."""
    raise BlackboardError(f"event '{name}' was posted, but this brain has no event queue")


class Brain:
    """Blackboard, ledger, inbox and mind of one ped.

    - ``step`` is P1 to P9, once a step, from one place; ``finish_step`` is P10.
    - ``write`` and ``request`` queue items; nothing is answered inline.
    - ``mind`` is set once after construction, because it lives in the brain's context.
    """

    def __init__(
        self,
        ped_id: int,
        layout: BoardLayout,
        kinds: Mapping[str, ActionKind],
        counters: Counters,
        host: ActionHost,
        *,
        tuning: BehaviourTuning | None = None,
        rng: random.Random | None = None,
        shared: SharedBoard | None = None,
        life: EntityLife | None = None,
        workers: WorkerResults | None = None,
        post_event: PostEvent = no_events,
        subject: object = None,
        hashing: bool = False,
    ) -> None:
        tuning = tuning or BehaviourTuning()
        delays = DelaySteps(tuning.delays)
        limits = tuning.limits
        self.trace = BrainTrace(ped_id, counters, limits.trace_lines, hashing=hashing)
        self.inbox = Inbox(counters)
        self.board = Blackboard(layout, shared=shared, life=life)
        self.ledger = Ledger(
            ped_id, kinds, counters, self.inbox, self.trace, host,
            limits=limits, escalate_steps=delays.escalate,
        )  # fmt: skip
        self.context = BrainContext(
            ped_id, self.board, self.ledger, self.inbox, counters, self.trace,
            rng or random.Random(ped_id), limits, delays, post_event, subject,
        )  # fmt: skip
        self.host = host
        self.mind: Mind | None = None
        self._workers = workers
        self._last_step = -1
        self._inside = False

    def use(self, make: Callable[[BrainContext], Mind]) -> Mind:
        """Give the brain its mind."""
        self.mind = make(self.context)
        return self.mind

    def write(self, key: str, value: object, writer: str = "sensor") -> Seq:
        """Queue a blackboard write; raises ``BlackboardError`` for a bad one."""
        return self.context.write(key, value, writer)

    def request(self, path: str) -> Seq:
        """Queue a target request for the machine (P1); the last in seq order counts."""
        return self.inbox.post(ItemKind.TARGET, path)

    def step(self, step: int) -> None:
        """P1 to P9 of this step.

        Raises ``ReentrancyError`` if entered from inside, or a second time for one step.
        """
        if self._inside or step <= self._last_step:
            raise ReentrancyError(
                f"the brain of ped {self.context.ped_id} has had step {step}; "
                "enter it once a step, from one place"
            )
        self._inside = True
        self._last_step = step
        try:
            self.boundary(step)
            if self.mind is not None:
                self.mind.think()
            self.host_requests(step)
        finally:
            self._inside = False
        self.trace.trim()
        self.context.raise_kept()

    def boundary(self, step: int) -> None:
        """P1 and P2: take waiting items in, publish the snapshot, evaluate observers."""
        self.context.step = self.ledger.step = step
        if self._workers is not None:
            self._release_results(self._workers, step)
        if self.inbox.items:
            self._drain()
        self.board.freeze(step)
        if self.mind is not None:
            self.mind.observe()

    def _release_results(self, workers: WorkerResults, step: int) -> None:
        for result in workers.take_due(step):
            if isinstance(result, WorkerWrite):
                self.write(result.key, result.value, "worker")
            else:
                self.request(result.path)

    def _drain(self) -> None:
        items = self.inbox.items
        count = min(len(items), self.context.limits.items_per_step)
        for _ in range(count):
            seq, kind, subject, value = items.popleft()
            self.inbox.taken_seq = seq
            if kind is ItemKind.WRITE:
                self.board.stage(subject, value)
            elif kind is ItemKind.REPLY:
                self.ledger.deliver(subject)
            elif isinstance(self.mind, StateMachine):
                self.mind.request(subject)
        if items:
            _log.warning(
                "ped %d has more than %d waiting items; %d keep their order for the next step",
                self.context.ped_id, count, len(items),
            )  # fmt: skip

    def host_requests(self, step: int) -> None:
        """P9: late cancels are raised, then the host takes new requests."""
        self.ledger.escalate()
        self.host.take_requests(self.ledger, step)

    def finish_step(self, step: int) -> None:
        """P10, after movement and physics: the host runs actions and posts replies."""
        self.ledger.step = step
        self.host.run_actions(self.ledger, step)

    def should_abort(self) -> bool:
        """May the task be aborted urgently: a pure query, it changes nothing (ACT-24)."""
        return all(
            self.host.interruptible(command.instance)
            for command in self.ledger.live()
            if command.admitted
        )

    def carry_over(self, make: Callable[[BrainContext], Mind]) -> Mind:
        """Go on with a new mind that takes only intent from the old one (ACT-26).

        Running actions are not carried: everything is entered as fresh executions.
        """
        old = self.mind
        if old is not None:
            old.abort()
            self.ledger.close(old.mind)
        new = self.use(make)
        if isinstance(old, StateMachine) and isinstance(new, StateMachine):
            new.take_intent(old)
        elif isinstance(old, TreeMind) and isinstance(new, TreeMind):
            new.tree.take_cooldowns(old.tree)
        return new

    def close(self) -> None:
        """The ped goes, or its behaviour file is replaced: nothing stays behind (ACT-23)."""
        if self.mind is not None:
            self.mind.abort()
        self.ledger.close()


def keyframe(brains: list[Brain]) -> list[Brain]:
    """A complete copy of a world's brains, taken between two steps (ACT-26).

    Counters, waiting items, ledgers, records, nodes, timers, boards, random streams and the
    hosts' own states are copied together; definitions are shared. Going on from the copy
    equals the uninterrupted run, trace hash included.
    """
    return copy.deepcopy(brains)
