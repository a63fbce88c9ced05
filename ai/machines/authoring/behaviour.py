"""A loaded behaviour file, ready to give a ped its mind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ai.machines.behaviour_trees.definition import TreeDefinition
from ai.machines.blackboard.keys import BoardLayout
from ai.machines.brain import Mind
from ai.machines.context import BrainContext
from ai.machines.hsm.definition import MachineDefinition
from ai.machines.hsm.machine import StateMachine
from ai.machines.rule_script import RuleScript, RuleScriptDefinition
from ai.machines.tree_mind import TreeMind


@dataclass(frozen=True, slots=True)
class Behaviour:
    """One file; exactly one of ``machine``, ``script`` and ``main`` is there.

    ``document`` is what was read, for the text form and the XML export; two files are
    equal if their documents are.
    """

    name: str
    layout: BoardLayout = field(compare=False)
    trees: Mapping[str, TreeDefinition] = field(compare=False)
    document: Mapping[str, object]
    machine: MachineDefinition | None = field(default=None, compare=False)
    script: RuleScriptDefinition | None = field(default=None, compare=False)
    main: TreeDefinition | None = field(default=None, compare=False)

    def __deepcopy__(self, memo: dict[int, object]) -> Behaviour:
        return self

    def mind(self, context: BrainContext) -> Mind:
        """A new mind for a ped."""
        if self.machine is not None:
            return StateMachine(self.machine, context)
        if self.script is not None:
            return RuleScript(self.script, context)
        assert self.main is not None
        return TreeMind(self.main, context)
