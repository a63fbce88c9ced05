"""What behaviour files may name and Python provides: hooks, services, action kinds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ai.machines.behaviour_trees.action_leaf import LeafHooks
from ai.machines.hsm.definition import Service, StateHooks
from ai.machines.ledger.kinds import ActionKind


@dataclass(frozen=True, slots=True)
class BehaviourRegistry:
    """A file can name what is in here and nothing else, so that data never runs code."""

    kinds: Mapping[str, ActionKind]
    state_hooks: Mapping[str, StateHooks] = field(default_factory=dict)
    leaf_hooks: Mapping[str, LeafHooks] = field(default_factory=dict)
    services: Mapping[str, Service] = field(default_factory=dict)
