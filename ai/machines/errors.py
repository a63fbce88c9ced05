"""Errors of the room: every one is raised to the caller and says how to mend it."""

from __future__ import annotations


class MachinesError(Exception):
    """Base of all errors of ``ai.machines``."""


class WrongThreadError(MachinesError):
    """Something was posted from a thread other than the simulation's (ACT-02)."""


class ReentrancyError(MachinesError):
    """A tick, an advance or a boundary was asked for from inside one of them (ACT-02, HSM-14)."""


class LedgerContractError(MachinesError):
    """The host broke its contract, for example by a second terminal reply (ACT-04, strict)."""


class OwnerNotActiveError(MachinesError):
    """An exiting state or a cancelling leaf tried to submit a command (ACT-05)."""


class BadCommandError(MachinesError):
    """A command's kind or parameters don't fit ``actions.toml`` (ACT-05)."""


class BlackboardError(MachinesError):
    """A blackboard access that the declarations don't allow (BB-01)."""


class LifecycleError(MachinesError):
    """A node was reset, or a tree dropped, while it was Running or Cancelling (BT-03, BT-25)."""


class UnknownStateError(MachinesError):
    """A target path that the machine has no state for (HSM-05)."""
