"""The leaf that runs an action through the ledger (BT-04 to BT-08)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from typing_extensions import override

from ai.machines.behaviour_trees.definition import NodeDefinition
from ai.machines.behaviour_trees.lifecycle import (
    ACTIVE,
    CANCELLED,
    CANCELLING,
    FAILURE,
    FINISHED,
    IDLE,
    RUNNING,
    SUCCESS,
    Result,
)
from ai.machines.behaviour_trees.node import Node
from ai.machines.counters import CommandId, EntryId
from ai.machines.errors import BadCommandError
from ai.machines.ledger.command import Command, OwnerId, Reply, ReplyKind
from ai.machines.parameters import ActionSpec, resolved

if TYPE_CHECKING:
    from ai.machines.behaviour_trees.tree import BehaviorTree


class LeafHooks:
    """What a project does around an action; subclass, override, register by name.

    Each started leaf calls exactly one of ``on_exit`` and ``on_enter_undone``. The same
    object serves every ped, so it keeps nothing itself.
    """

    def on_enter_ok(self, leaf: ActionLeaf) -> None:
        """The action is admitted."""

    def on_enter_undone(self, leaf: ActionLeaf, reason: str) -> None:
        """It never began; whatever it had got is given back."""

    def on_update(self, leaf: ActionLeaf) -> None:
        """Every tick while it runs."""

    def on_exit(self, leaf: ActionLeaf) -> None:
        """It has ended."""


@dataclass(frozen=True, slots=True)
class ActionSettings:
    """The action of a leaf; ``updates`` is true if the hooks override ``on_update``."""

    action: ActionSpec
    hooks: LeafHooks | None = None
    updates: bool = False


class ActionLeaf(Node):
    """One action, from the submit to its terminal.

    - Enter succeeds with the admission; until then there is only a command id.
    - It is Finished only when the ledger has given its terminal, so whoever comes next
      never finds the resources taken.
    - Replies are written down at the boundary and folded one by one in seq order.
    """

    __slots__ = ("_reason", "_replies", "_started_step", "admitted", "command_id", "entry")

    def __init__(self, definition: NodeDefinition, tree: BehaviorTree, parent: Node | None) -> None:
        super().__init__(definition, tree, parent)
        self.command_id: CommandId = 0
        self.entry: EntryId = 0
        self.admitted = False
        self._replies: list[Reply] = []
        self._started_step = -1
        self._reason = ""

    @property
    def owner_id(self) -> OwnerId:
        """Ped, tree and leaf."""
        return OwnerId(self.tree.context.ped_id, self.tree.mind, self.name)

    @property
    def may_submit(self) -> bool:
        """Only a Running leaf may (ACT-05)."""
        return self.lifecycle is ACTIVE

    def deliver(self, reply: Reply) -> None:
        """Write a reply down (P1); the next tick or stop folds it."""
        self._replies.append(reply)
        self.tree.woken = True

    @override
    def tick(self) -> Result:
        lifecycle = self.lifecycle
        if lifecycle is IDLE:
            return self._start()
        if lifecycle is FINISHED:
            return self.result
        if self._replies:
            self._fold()
        if self.lifecycle is FINISHED:
            return self.result
        if self.lifecycle is ACTIVE:
            self._go_on()
        return RUNNING

    def _start(self) -> Result:
        tree = self.tree
        if self._started_step == tree.step:
            # At most one entry a tick: a loop goes on in the next one (BT-14).
            tree.wake_at(tree.step + 1)
            return RUNNING
        self._started_step = tree.step
        self.enter()
        self.entry = tree.context.new_entry()
        self.admitted = False
        settings: ActionSettings = self.definition.settings
        try:
            self.command_id = tree.context.ledger.submit(
                self, settings.action.kind, resolved(settings.action.parameters, tree.board)
            )
        except BadCommandError as error:
            self.command_id = 0
            self._reason = str(error)
            return self._undo(FAILURE)
        self._wake_for_admission()
        return RUNNING

    def _command(self) -> Command | None:
        return self.tree.context.ledger.command(self.command_id)

    def _wake_for_admission(self) -> None:
        command = self._command()
        if command is not None:
            self.tree.wake_at(self.tree.context.ledger.admission_due(command))

    def _go_on(self) -> None:
        if not self.admitted:
            if self.tree.context.ledger.admission_expired(self.command_id):
                self._reason = "not admitted in time"
                self.lifecycle = CANCELLING
                self.pending = FAILURE
                self.tree.context.ledger.cancel(self.command_id)
            else:
                self._wake_for_admission()
            return
        settings: ActionSettings = self.definition.settings
        if settings.updates and settings.hooks is not None:
            self.tree.wake_at(self.tree.step + 1)
            try:
                settings.hooks.on_update(self)
            except Exception as error:
                self.tree.context.hook_failed(self.name, "on_update", error)

    def _fold(self) -> None:
        """Take in what arrived, in seq order (BT-04)."""
        replies, self._replies = self._replies, []
        for reply in replies:
            match reply.kind:
                case ReplyKind.ADMITTED:
                    self.admitted = True
                    self._call("on_enter_ok")
                case ReplyKind.REJECTED:
                    self._reason = reply.reason
                    if reply.bits:
                        self._hold_rejected()
                    else:
                        self._undo(FAILURE)
                case ReplyKind.COMPLETED:
                    self._exit(SUCCESS if reply.success else FAILURE)
                case ReplyKind.REVOKED:
                    self._reason = reply.reason
                    self._exit(CANCELLED)
                case ReplyKind.STOPPED:
                    ending = self.pending if self.lifecycle is CANCELLING else CANCELLED
                    if self.admitted:
                        self._exit(ending)
                    else:
                        self._undo(ending)
                case ReplyKind.SUSPENDED | ReplyKind.RESUMED:
                    pass

    def _hold_rejected(self) -> None:
        """Rejected with part held: Failure, but only after everything is released (BT-07)."""
        self.pending = FAILURE
        if self.lifecycle is ACTIVE:
            self.lifecycle = CANCELLING
            self.tree.context.ledger.cancel(self.command_id)

    def _exit(self, result: Result) -> None:
        self.entry = 0
        self.exit(result)
        self._call("on_exit")

    def _undo(self, result: Result) -> Result:
        self.entry = 0
        self.lifecycle = FINISHED
        self.result = result
        self.tree.lines.append(self.lines.undo[result])
        settings: ActionSettings = self.definition.settings
        if settings.hooks is not None:
            try:
                settings.hooks.on_enter_undone(self, self._reason)
            except Exception as error:
                self.tree.context.hook_failed(self.name, "on_enter_undone", error)
        return result

    def _call(self, hook: str) -> None:
        settings: ActionSettings = self.definition.settings
        if settings.hooks is None:
            return
        try:
            getattr(settings.hooks, hook)(self)
        except Exception as error:
            self.tree.context.hook_failed(self.name, hook, error)

    @override
    def abort(self) -> None:
        if self.lifecycle is IDLE:
            self.cancel_idle()
            return
        if self.lifecycle is not ACTIVE:
            return
        if self._replies:
            # What was stamped before this stop decides (ACT-14).
            self._fold()
        if self.lifecycle is ACTIVE:
            self._reason = "aborted"
            self.begin_cancelling(CANCELLED)
            self.tree.context.ledger.cancel(self.command_id)

    @override
    def reset(self) -> None:
        super().reset()
        self.command_id = 0
        self.admitted = False

    def force_end(self) -> None:
        """After a forced release: the one exit, or the undo of an Enter in progress (ACT-24)."""
        self._replies.clear()
        command = self._command()
        self._reason = "aborted"
        if self.admitted or (command is not None and command.admitted):
            self._exit(CANCELLED)
        else:
            self._undo(CANCELLED)
