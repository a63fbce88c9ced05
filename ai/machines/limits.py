"""Limits and delays of brains, tuned in ``assets/tuning/behaviour.toml``."""

from __future__ import annotations

from pydantic import Field

from ai.machines.steps import steps
from ai.tuning import OwnForm


class BrainLimits(OwnForm):
    """Section ``[limits]``; the values given here are those of the specification.

    - ``items_per_step``: waiting items taken in per ped and step (ACT-02).
    - ``live_commands``: commands of one ped that are not done (ACT-05).
    - ``kept_records``: done commands remembered after their owner has heard (ACT-19).
    - ``iterations_per_step``: moves of one machine in one step (HSM-07).
    - ``trace_lines``: lines kept per ped (ACT-25).
    """

    items_per_step: int = Field(default=64, ge=1, le=10_000)
    live_commands: int = Field(default=8, ge=1, le=64)
    kept_records: int = Field(default=64, ge=1, le=10_000)
    iterations_per_step: int = Field(default=64, ge=4, le=10_000)
    trace_lines: int = Field(default=256, ge=1, le=100_000)


class BrainDelays(OwnForm):
    """Section ``[delays]``: seconds between an end and what may follow it.

    - ``escalate_s``: an unanswered cancel becomes IMMEDIATE (ACT-15).
    - ``rule_block_s``: the rule whose transition failed is not taken again (HSM-17).
    - ``tree_after_failure_s``, ``tree_after_cancelled_s``: a state's tree starts again (HSM-23).
    - ``restart_after_revoked_s``: ``on_revoked = "restart"`` (HSM-22).
    - ``script_repeat_s``, ``script_retry_s``, ``script_after_revoked_s``: rule scripts (HSM-03).
    """

    escalate_s: float = Field(default=2.0, ge=0.0, le=60.0)
    rule_block_s: float = Field(default=1.0, ge=0.0, le=60.0)
    tree_after_failure_s: float = Field(default=0.5, ge=0.0, le=60.0)
    tree_after_cancelled_s: float = Field(default=0.25, ge=0.0, le=60.0)
    restart_after_revoked_s: float = Field(default=0.25, ge=0.0, le=60.0)
    script_repeat_s: float = Field(default=0.5, ge=0.0, le=60.0)
    script_retry_s: float = Field(default=1.0, ge=0.0, le=60.0)
    script_after_revoked_s: float = Field(default=0.25, ge=0.0, le=60.0)


class BehaviourTuning(OwnForm):
    """The whole file; ``params`` overrides ``[params]`` of behaviour files by file name."""

    limits: BrainLimits = BrainLimits()
    delays: BrainDelays = BrainDelays()
    params: dict[str, dict[str, bool | int | float | str]] = Field(default_factory=dict)


class DelaySteps:
    """The delays as whole steps, worked out once."""

    __slots__ = (
        "escalate", "restart_after_revoked", "rule_block", "script_after_revoked",
        "script_repeat", "script_retry", "tree_after_cancelled", "tree_after_failure",
    )  # fmt: skip

    def __init__(self, delays: BrainDelays) -> None:
        self.escalate = steps(delays.escalate_s)
        self.rule_block = steps(delays.rule_block_s)
        self.tree_after_failure = steps(delays.tree_after_failure_s)
        self.tree_after_cancelled = steps(delays.tree_after_cancelled_s)
        self.restart_after_revoked = steps(delays.restart_after_revoked_s)
        self.script_repeat = steps(delays.script_repeat_s)
        self.script_retry = steps(delays.script_retry_s)
        self.script_after_revoked = steps(delays.script_after_revoked_s)
