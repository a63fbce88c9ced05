"""The hierarchical machine: from where it is to where it should be (HSM-07)."""

from __future__ import annotations

import logging

from ai.faults import faults
from ai.machines.context import BrainContext
from ai.machines.errors import ReentrancyError, UnknownStateError
from ai.machines.hsm.definition import (
    Journey,
    MachineDefinition,
    MachineKind,
    RevokedPolicy,
    Rule,
    State,
    journey,
)
from ai.machines.hsm.record import Origin, RequestAnswer, TransitionRecord, Work
from ai.machines.hsm.rule_evaluation import RuleBook
from ai.machines.hsm.state_actions import StateActions
from ai.machines.hsm.state_context import StateContext
from ai.machines.hsm.state_trees import StateTrees
from ai.machines.ledger.adapter import EnterStatus

_log = logging.getLogger(__name__)

# Reading a member through its class costs several times a global name.
_NOTHING = Work.NOTHING
_ACCEPTED = RequestAnswer.ACCEPTED
_UNCHANGED = RequestAnswer.UNCHANGED
_EXTERNAL = Origin.EXTERNAL


class StateMachine:
    """One machine of one ped.

    Invariants, in every step:

    - the record is the only truth; the active path is a chain from root;
    - work in progress (an exit, an Enter, an undo) is ended, whatever the target does;
    - a live command belongs to a state on the path or to the one being entered or undone.

    ``think`` is P3 to P8. ``request``, ``halt``, ``stop``, ``resume`` and ``abort`` are the
    orders it takes.
    """

    def __init__(self, definition: MachineDefinition, context: BrainContext) -> None:
        self.definition = definition
        self.context = context
        self.mind = definition.name
        self.record = TransitionRecord(definition.root.leaf)
        self.rules = RuleBook(self)
        self.actions = StateActions(self)
        self.trees = StateTrees(self)
        self.aborted = False
        self._halted = False
        self._lines = context.trace.entries
        self._ctx = StateContext(self, definition.root)
        self._hook_requests: list[tuple[State, bool]] = []
        self._in_hook = False
        self._advancing = False
        self._moves = 0
        self._moves_step = -1
        self._service_due: dict[State, list[int]] = {}
        self._update_faults: list[int] = []
        context.trace.note(context.step, "target", self.record.target.path, "g1")

    # Orders

    def request(self, path: str, *, restart: bool = False) -> RequestAnswer:
        """Ask for a target (HSM-10).

        - The path that already is the latest target: UNCHANGED, unless ``restart`` makes the
          leaf exit and enter anew.
        - From inside a hook: QUEUED, applied right after the hook returns.
        - Raises ``UnknownStateError``; the machine is then unchanged.
        """
        state = self.definition.states.get(path)
        if state is None:
            raise UnknownStateError(
                f"machine '{self.definition.name}' has no state '{path}'; "
                f"it has: {', '.join(self.definition.states)}"
            )
        if self._in_hook:
            self._hook_requests.append((state.leaf, restart))
            return RequestAnswer.QUEUED
        return self._retarget(state.leaf, _EXTERNAL, None, restart)

    def take_rule(self, rule: Rule) -> RequestAnswer:
        """A satisfied rule asks for its target."""
        return self._retarget(rule.target.leaf, Origin.RULE, rule, restart=False)

    def _retarget(
        self, leaf: State, origin: Origin, rule: Rule | None, restart: bool
    ) -> RequestAnswer:
        record = self.record
        if leaf is record.target and not restart and not record.error:
            return _UNCHANGED
        if record.tried:
            record.tried.clear()
        if record.failures:
            record.failures.clear()
        record.origin_rule = rule
        record.restart = restart and leaf is record.target
        self._set_target(leaf, origin)
        context = self.context
        context.trace.note(context.step, "target", leaf.path, record.generation)
        return _ACCEPTED

    def _set_target(self, leaf: State, origin: Origin) -> None:
        record = self.record
        record.target = leaf
        record.generation += 1
        record.origin = origin
        record.rolling_back = record.giving_up = record.error = False
        active = record.active
        record.manifest_depth = active.depth if active is not None else 0
        if not self._halted and not self.aborted:
            record.goal = leaf

    def halt(self) -> None:
        """Exit everything above root, in order, and wait there (HSM-24)."""
        self._go_to(self.definition.root)

    def stop(self) -> None:
        """Exit root too."""
        self._go_to(None)

    def _go_to(self, goal: State | None) -> None:
        record = self.record
        self._halted = True
        record.goal = goal
        record.rolling_back = False
        record.giving_up = False
        record.restart = False
        record.generation += 1
        record.manifest_depth = record.active.depth if record.active is not None else 0

    def resume(self) -> None:
        """After halt, stop or abort: rules first, else the latest target (ACT-24)."""
        self._halted = False
        self.aborted = False
        if not self.record.error:
            self.record.goal = self.record.target
        self.rules.wake()
        self.rules.before_advance = True

    def abort(self) -> None:
        """The task's ``do_abort``: stop everything now, leaf to root (ACT-24).

        Commands are released by force, then every entered state gets its one exit, an Enter
        in progress its one undo. The target and the blackboard are kept; root stays active.
        """
        if self._advancing:
            raise ReentrancyError("a machine can't be aborted from inside its own update")
        record = self.record
        self.context.trace.mark(self.context.step)
        self.context.ledger.force_release(self.mind)
        self.trees.force_stop()
        if record.subject is not None and record.work is not Work.EXITING:
            if record.work is Work.ENTERING:
                self._lines.append(record.subject.lines.enter_fail)
                self._lines.append(record.subject.lines.undo_begin)
            self._finish_undo("aborted", forget=True)
        while record.active is not None and record.active is not self.definition.root:
            if record.work is Work.NOTHING:
                self._lines.append(record.active.lines.exit_begin)
            self._finish_exit(record.active)
        record.rolling_back = record.giving_up = record.restart = False
        record.goal = record.active
        self.aborted = True

    def take_intent(self, old: StateMachine) -> None:
        """Carry over from a machine that is closed: target, error flag, cooldowns (ACT-26)."""
        wanted = old.record.target.path
        target = self.definition.states.get(wanted)
        if target is None:
            _log.warning(
                "machine '%s' has no state '%s' any more; '%s' is next",
                self.mind, wanted, self.definition.terminal.path,
            )  # fmt: skip
            target = self.definition.terminal
        self._retarget(target.leaf, Origin.EXTERNAL, None, restart=False)
        self.record.error = old.record.error
        if self.record.error:
            self.record.goal = self.record.active
        self.trees.take_cooldowns(old.trees)

    # P3 to P8

    def think(self) -> None:
        """One step: advance, rules, advance, update, tree, publish."""
        if self.aborted:
            return
        if self.rules.before_advance:
            self.rules.before_advance = False
            self.rules.evaluate(all_rules=True)
        self.advance()
        if self.evaluate_rules():
            self.advance()
        self.update()
        self.tick_tree()
        self.publish()

    def observe(self) -> None:
        """P2: observers of the active leaf's tree."""
        self.trees.observe()

    def advance(self) -> None:
        """Go on towards the target until something must be waited for (HSM-07).

        Raises ``ReentrancyError`` if called from inside itself, a hook included.
        """
        if self._advancing:
            raise ReentrancyError("advance() was called from inside a hook; use request()")
        record = self.record
        active, goal = record.active, record.goal
        at_rest = record.at_rest
        if at_rest and active is goal:
            return
        self._advancing = True
        context = self.context
        step = context.step
        if context.trace.marked != step:
            context.trace.mark(step)
        if self._moves_step != step:
            self._moves_step = step
            self._moves = 0
        try:
            if at_rest and active is not None and goal is not None:
                way = active.journeys.get(goal) or journey(active, goal)
                if (
                    way is not None
                    and self._moves + way.length < context.limits.iterations_per_step
                    and self._travel(record, way, step)
                ):
                    return
            while self._moves < self.context.limits.iterations_per_step:
                self._moves += 1
                if not self._move(record):
                    return
            _log.warning(
                "ped %d: machine '%s' made %d moves in step %d; the rest follows next step",
                self.context.ped_id, self.mind, self._moves, self.context.step,
            )  # fmt: skip
        finally:
            self._advancing = False

    def _travel(self, record: TransitionRecord, way: Journey, step: int) -> bool:
        """Go a way on which nothing takes time, just as ``_move`` would, in one go.

        True when the goal is reached; False, at a state boundary, when a hook has asked for
        another target or an Enter has failed.
        """
        ctx, entries = self._ctx, record.entries
        self._moves += way.length
        self.rules.wake()
        done = 0
        for depth, parent, on_exit, state in way.exits:
            if on_exit is not None:
                ctx.state = state
                ctx.entry = entries[depth]
                self._in_hook = True
                try:
                    on_exit(ctx)
                except Exception as error:
                    self._travel_failed(way, done, error)
                    self.context.hook_failed(state.path, "on_exit", error)
                self._in_hook = False
            entries[depth] = 0
            record.active = parent
            if depth <= record.manifest_depth:
                record.manifest_depth = depth - 1
            done += 1
            if self._hook_requests:
                return self._travel_turned(way, done)
        record.enter_generation = record.generation
        counters, entered_steps = self.context.counters, record.entered_steps
        for depth, on_enter, state in way.enters:
            counters.entry = entry = record.subject_entry = counters.entry + 1
            if on_enter is not None:
                ctx.state = state
                ctx.entry = entry
                self._in_hook = True
                try:
                    on_enter(ctx)
                except Exception as error:
                    self._travel_failed(way, done, error)
                    self._lines.extend(way.lines[: 2 * done + 1])
                    self._fail_enter(state, f"on_enter raised {error!r}")
                    return False
                self._in_hook = False
            entries[depth] = entry
            entered_steps[depth] = step
            record.active = state
            done += 1
            if self._hook_requests:
                return self._travel_turned(way, done)
        self._lines.append(way.lines)
        return True

    def _travel_failed(self, way: Journey, done: int, error: Exception) -> None:
        """A hook on the way has raised; a call into ourselves goes on up."""
        self._in_hook = False
        if isinstance(error, ReentrancyError):
            self._lines.extend(way.lines[: 2 * done + 1])
            raise error

    def _travel_turned(self, way: Journey, done: int) -> bool:
        """A hook has asked for another target after so many states: it counts from here."""
        self._lines.extend(way.lines[: 2 * done])
        self._apply_hook_requests()
        return False

    def _move(self, record: TransitionRecord) -> bool:
        """One iteration; False when it must wait or nothing is left."""
        work = record.work
        if work is not Work.NOTHING:
            return self._go_on_with_work(record, work)
        active = record.active
        if record.rolling_back:
            if active is not None and active.depth > record.manifest_depth:
                return self._begin_exit(active)
            self._choose_failure_target()
            return True
        goal = record.goal
        if active is goal:
            if record.giving_up:
                self._give_up()
                return False
            if record.restart and active is not None:
                return self._begin_exit(active)
            return False
        if active is None:
            return self._begin_enter(self.definition.root)
        depth = active.depth
        if goal is not None and depth < goal.depth and goal.chain[depth] is active:
            return self._begin_enter(goal.chain[depth + 1])
        return self._begin_exit(active)

    def _go_on_with_work(self, record: TransitionRecord, work: Work) -> bool:
        subject = record.subject
        assert subject is not None
        if work is Work.EXITING:
            if not self._has_stopped(subject):
                return False
            self._finish_exit(subject)
        elif work is Work.UNDOING:
            if not self.actions.all_stopped(subject):
                return False
            self._finish_undo(self.actions.reason(subject), forget=False)
        else:
            return self._go_on_entering(subject)
        return True

    def _has_stopped(self, state: State) -> bool:
        if state.tree is not None:
            return self.trees.has_stopped()
        return self.actions.all_stopped(state)

    # Exit

    def _begin_exit(self, state: State) -> bool:
        record = self.record
        record.restart = False
        self._lines.append(state.lines.exit_begin)
        if state.tree is not None or state.actions:
            record.work = Work.EXITING
            record.subject = state
            if state.tree is not None:
                self.trees.abort()
            else:
                self.actions.stop(state)
            return True
        self._finish_exit(state)
        return True

    def _finish_exit(self, state: State) -> None:
        record = self.record
        depth = state.depth
        if state.tree is not None:
            self.trees.unbind()
        if state.on_exit is not None:
            self._call(state, record.entries[depth], "on_exit")
        self.actions.forget(state)
        record.work = Work.NOTHING
        record.subject = None
        record.entries[depth] = 0
        record.active = state.parent
        if 0 < depth <= record.manifest_depth:
            record.manifest_depth = depth - 1
        if state.services:
            del self._service_due[state]
        self.rules.wake()
        self._lines.append(state.lines.exit_done)
        self._apply_hook_requests()

    # Enter

    def _begin_enter(self, state: State) -> bool:
        record = self.record
        context = self.context
        record.restart = False
        record.enter_generation = record.generation
        context.counters.entry += 1
        entry = record.subject_entry = context.counters.entry
        self._lines.append(state.lines.enter_begin)
        if state.on_enter is not None:
            try:
                self._in_hook = True
                ctx = self._ctx
                ctx.state = state
                ctx.entry = entry
                state.on_enter(ctx)
            except ReentrancyError:
                raise
            except Exception as error:
                self._in_hook = False
                return self._fail_enter(state, f"on_enter raised {error!r}")
            finally:
                self._in_hook = False
        if state.actions:
            record.work = Work.ENTERING
            record.subject = state
            self.actions.begin(state, entry)
            self._apply_hook_requests()
            return True
        self._finish_enter(state)
        return True

    def _go_on_entering(self, state: State) -> bool:
        if self.actions.failing(state):
            return self._fail_enter(state, self.actions.reason(state))
        if self.actions.enter_status(state) is EnterStatus.OK:
            self._finish_enter(state)
            return True
        if self.context.step >= self.actions.begun_step + state.enter_timeout:
            return self._fail_enter(state, "enter timed out")
        return False

    def _finish_enter(self, state: State) -> None:
        record = self.record
        depth = state.depth
        record.work = Work.NOTHING
        record.subject = None
        record.active = state
        record.entries[depth] = record.subject_entry
        record.entered_steps[depth] = self.context.step
        if record.generation != record.enter_generation:
            record.manifest_depth = depth
        if state.tree is not None:
            self.trees.bind(state.tree)
        if state.services:
            self._service_due[state] = [self.context.step] * len(state.services)
        self.rules.wake()
        self._lines.append(state.lines.enter_ok)
        self._apply_hook_requests()

    def _fail_enter(self, state: State, reason: str) -> bool:
        record = self.record
        record.work = Work.UNDOING
        record.subject = state
        record.failures.append((state.path, reason))
        self._lines.append(state.lines.enter_fail)
        self._lines.append(state.lines.undo_begin)
        self.actions.fail(state, reason)
        return True

    def _finish_undo(self, reason: str, *, forget: bool) -> None:
        record = self.record
        state = record.subject
        assert state is not None
        if state.on_undone is not None:
            self._call(state, record.subject_entry, "on_enter_undone", reason)
        self.actions.forget(state)
        record.work = Work.NOTHING
        record.subject = None
        record.failed = state
        record.rolling_back = not forget and record.generation == record.enter_generation
        self.rules.wake()
        self._lines.append(state.lines.undo_done)
        self._apply_hook_requests()

    # Failure

    def _choose_failure_target(self) -> None:
        """``on_fail`` of the failed state and its ancestors, then terminal (HSM-17)."""
        record = self.record
        record.rolling_back = False
        if record.origin_rule is not None:
            self.rules.block(record.origin_rule)
        target = self._failure_target()
        if target is None:
            record.giving_up = True
            record.goal = self.definition.root if record.active is not None else None
            return
        record.tried.append(target)
        self._set_target(target.leaf, Origin.FAILURE)
        self.context.trace.note(
            self.context.step, "target", target.leaf.path, f"g{record.generation} (failure)"
        )

    def _failure_target(self) -> State | None:
        record = self.record
        failed = record.failed
        if failed is None or record.active is None:
            return None
        for state in reversed(failed.chain):
            for candidate in state.on_fail:
                needed = candidate.requires
                if candidate.target in record.tried:
                    continue
                if needed is None or needed.contains(record.active):
                    return candidate.target
        terminal = self.definition.terminal
        return None if terminal in record.tried else terminal

    def _give_up(self) -> None:
        record = self.record
        record.giving_up = False
        record.error = True
        reasons = tuple(f"{path}: {reason}" for path, reason in record.failures)
        self._lines.append("root.error")
        faults.record(
            "behaviour_config",
            f"machine '{self.mind}' could not enter any failure target, not even "
            f"'{self.definition.terminal.path}'; it stands until another target is requested",
            f"ped#{self.context.ped_id}",
            *reasons,
        )

    # Hooks

    def _call(self, state: State, entry: int, hook: str, *arguments: str) -> None:
        """Call a hook that can't fail a transition; what it raises is a fault (HSM-25)."""
        ctx = self._ctx
        ctx.state = state
        ctx.entry = entry
        self._in_hook = True
        try:
            if hook == "on_exit" and state.on_exit is not None:
                state.on_exit(ctx)
            elif state.on_undone is not None:
                state.on_undone(ctx, *arguments)
        except ReentrancyError:
            raise
        except Exception as error:
            self.context.hook_failed(state.path, hook, error)
        finally:
            self._in_hook = False

    def _apply_hook_requests(self) -> None:
        if self._hook_requests:
            requests, self._hook_requests = self._hook_requests, []
            for leaf, restart in requests:
                self._retarget(leaf, Origin.EXTERNAL, None, restart)

    # P4, P6, P7, P8

    def evaluate_rules(self) -> bool:
        """P4: True if a rule changed the target."""
        return not self._halted and self.rules.run()

    def update(self) -> None:
        """P6: updates and services of active states, outer to inner, the exiting one left out."""
        active = self.record.active
        if active is None or not active.updating:
            return
        exiting = self.record.subject if self.record.work is Work.EXITING else None
        for state in active.updating:
            if state is not exiting:
                self._update_state(state)
        self._apply_hook_requests()

    def _update_state(self, state: State) -> None:
        ctx = self._ctx
        entry = self.record.entries[state.depth]
        if entry in self._update_faults:
            return
        ctx.state = state
        ctx.entry = entry
        self._in_hook = True
        self.context.board.entered_step = self.record.entered_steps[state.depth]
        try:
            if state.services:
                due = self._service_due[state]
                for number, service in enumerate(state.services):
                    if self.context.step >= due[number]:
                        due[number] = self.context.step + service.every
                        service.run(ctx)
            if state.update is not None:
                state.update(ctx)
        except ReentrancyError:
            raise
        except Exception as error:
            self._update_faults.append(entry)
            self.context.hook_failed(state.path, "update", error)
        finally:
            self._in_hook = False

    def tick_tree(self) -> None:
        """P7: the active leaf's tree."""
        if self.trees.bound is not None and self.record.work is not Work.EXITING:
            self.trees.tick()

    def publish(self) -> None:
        """P8: results for the next step's rules, and what a revocation asks for (HSM-22)."""
        self.trees.publish()
        if self.definition.kind is MachineKind.STANDALONE:
            self.actions.publish()

    def update_actions(self, state: State) -> bool:
        """Give a state's live actions their parameters as they read now (ACT-18)."""
        return self.actions.update(state)

    def leave_after_revoked(self, state: State) -> None:
        """``on_revoked`` of a state that no rule has left (HSM-22)."""
        if state.on_revoked is RevokedPolicy.GO and state.revoked_target is not None:
            self._retarget(state.revoked_target.leaf, Origin.RULE, None, restart=False)
        elif state.on_revoked is RevokedPolicy.RESTART:
            self._retarget(self.record.target, Origin.RULE, None, restart=True)
