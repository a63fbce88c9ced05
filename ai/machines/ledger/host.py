"""Who carries actions out, as the ledger sees it (ACT-20); ``ai/behaviours`` fills it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ai.machines.counters import InstanceId
from ai.machines.ledger.command import Command

if TYPE_CHECKING:
    from ai.machines.ledger.ledger import Ledger


class ActionHost(Protocol):
    """Carries out the commands of one ped.

    The contract:

    1. Each command gets exactly one ``admit`` or ``reject``, unless cancelled first.
    2. Each accepted cancel gets one ``stopped`` (any end of the action counts as one).
    3. Nothing after the terminal.
    4. Nothing inline: it calls the ledger in its host phase only.
    5. Cancels are looked at before admissions, so no instance starts for a cancelled command.
    6. Replies come in ascending command id.
    """

    def take_requests(self, ledger: Ledger, step: int) -> None:
        """P9: ``take_cancels``, then ``take_preemptions``, ``resume_claims``, ``waiting``."""
        ...

    def run_actions(self, ledger: Ledger, step: int) -> None:
        """P10: run what is admitted, note completions, failures and lost bodies."""
        ...

    def interruptible(self, instance: InstanceId) -> bool:
        """False while it can't be cut, such as the contact phase of a strike; a pure query."""
        ...

    def force_stop(self, command: Command) -> None:
        """Stop this command at once, admitted or not, and reply nothing (ACT-15)."""
        ...

    def suspend(self, command: Command) -> None:
        """Drop write permission and path query, keep goal and intent (ACT-17)."""
        ...

    def resume(self, command: Command) -> None:
        """Plan again from where the ped stands; never go on along the old path (ACT-17)."""
        ...

    def parameters_changed(self, command: Command) -> None:
        """The parameters of a live instance are new (ACT-18)."""
        ...
