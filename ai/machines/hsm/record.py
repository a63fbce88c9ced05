"""The one truth of a machine: where it is, where it goes, what it is doing (HSM-06)."""

from __future__ import annotations

from enum import IntEnum, StrEnum

from ai.machines.counters import EntryId
from ai.machines.hsm.definition import MAX_DEPTH, Rule, State


class Work(IntEnum):
    """What is in progress; it is always brought to its end (HSM-11, HSM-13, HSM-20)."""

    NOTHING = 0
    EXITING = 1
    ENTERING = 2
    UNDOING = 3


_NOTHING = Work.NOTHING
"""Reading a member through its class costs several times a global name."""


class Origin(StrEnum):
    """Who asked for the latest target."""

    EXTERNAL = "external"
    RULE = "rule"
    FAILURE = "failure"


class RequestAnswer(IntEnum):
    """What became of a target request."""

    ACCEPTED = 0
    UNCHANGED = 1
    QUEUED = 2


class TransitionRecord:
    """State of one machine's transition.

    - ``active`` is the innermost state entered and not exited; the active path is its chain.
    - ``subject`` is the state being exited, entered or undone.
    - ``goal`` is where ``advance`` is going: the target, root while halted, None to stop.
    - States below ``manifest_depth`` on the path are the manifest: entered successfully
      under the present generation. They are always the innermost ones, so a depth says it all;
      root, on which a machine stays even in error, is never one of them.
    - ``rolling_back``: an Enter of the present generation failed and is undone (HSM-16).
    - ``giving_up``: no failure target is left; when everything above root is exited it is
      an error (HSM-19).
    """

    __slots__ = (
        "active", "enter_generation", "entered_steps", "entries", "error", "failed", "failures",
        "generation", "giving_up", "goal", "manifest_depth", "origin", "origin_rule", "restart",
        "rolling_back", "subject", "subject_entry", "target", "tried", "work",
    )  # fmt: skip

    def __init__(self, target: State) -> None:
        self.active: State | None = None
        self.target = target
        self.goal: State | None = target
        self.generation = 1
        self.work = Work.NOTHING
        self.subject: State | None = None
        self.subject_entry: EntryId = 0
        self.enter_generation = 1
        self.manifest_depth = 0
        self.rolling_back = False
        self.giving_up = False
        self.error = False
        self.restart = False
        self.failed: State | None = None
        self.failures: list[tuple[str, str]] = []
        self.tried: list[State] = []
        self.origin = Origin.EXTERNAL
        self.origin_rule: Rule | None = None
        self.entries: list[EntryId] = [0] * (MAX_DEPTH + 1)
        """Entry of the active state of each depth."""
        self.entered_steps = [0] * (MAX_DEPTH + 1)
        """Step of its ``enter.ok``."""

    @property
    def active_path(self) -> tuple[str, ...]:
        """Names of the active states, root first."""
        return tuple(state.name for state in self.active.chain) if self.active else ()

    @property
    def target_path(self) -> str:
        """Path of the latest wanted leaf."""
        return self.target.path

    @property
    def entered_now(self) -> tuple[str, ...]:
        """The manifest, outermost first."""
        if self.active is None:
            return ()
        return tuple(state.path for state in self.active.chain[self.manifest_depth + 1 :])

    @property
    def settled(self) -> bool:
        """Nothing left to do."""
        return self.active is self.goal and self.at_rest

    @property
    def at_rest(self) -> bool:
        """Nothing is in progress, whether or not the goal is reached."""
        return (
            self.work is _NOTHING
            and not self.rolling_back
            and not self.giving_up
            and not self.restart
        )
