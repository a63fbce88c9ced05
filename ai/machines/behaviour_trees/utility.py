"""Chooses the child with the best score, and may change its mind (BT-19, BT-20)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from typing_extensions import override

from ai.faults import faults
from ai.machines.behaviour_trees.definition import NodeDefinition
from ai.machines.behaviour_trees.lifecycle import ACTIVE, FAILURE, RUNNING, Result
from ai.machines.behaviour_trees.node import Node, OneChildAtATime
from ai.machines.behaviour_trees.utility_curves import Option

if TYPE_CHECKING:
    from ai.machines.behaviour_trees.tree import BehaviorTree


@dataclass(frozen=True, slots=True)
class UtilitySettings:
    """Options in file order and the rules of choice.

    - ``rescore`` and ``least_run`` are steps; ``rescore`` 0 means never.
    - ``mask`` has the bits of the keys that any option reads.
    - ``weighted`` draws by score instead of taking the best.
    """

    options: tuple[Option, ...]
    min_score: float
    inertia: float
    rescore: int
    least_run: int
    weighted: bool
    mask: int


class UtilitySelector(OneChildAtATime):
    """Runs one option; a failed one is excluded for this run and the best of the rest tried."""

    __slots__ = ("_begun", "_dirty", "_excluded", "_nan_noted", "_next_score")

    def __init__(self, definition: NodeDefinition, tree: BehaviorTree, parent: Node | None) -> None:
        super().__init__(definition, tree, parent)
        self._excluded = [False] * len(self.children)
        self._begun = 0
        self._dirty = False
        self._next_score = 0
        self._nan_noted = False

    @override
    def begin(self) -> Result:
        self._excluded = [False] * len(self.children)
        return self._choose()

    @override
    def try_from(self, _index: int) -> Result:
        return self._choose()

    @override
    def restart(self) -> Result:
        # A switch is part of the same run: what failed in it stays excluded.
        self.switching = False
        self.reset_children()
        self.tree.lines.append(self.lines.reeval)
        return self._choose()

    def _choose(self) -> Result:
        while True:
            choice = self._pick(self.scores())
            if choice < 0:
                return self.end(FAILURE)
            self.index = choice
            self._begun = self.tree.step
            self._score_later()
            result = self.children[choice].tick()
            if result is RUNNING:
                return RUNNING
            if result is not FAILURE:
                return self.end(result)
            self._excluded[choice] = True

    @override
    def after(self, result: Result) -> Result:
        if result is not FAILURE:
            return self.end(result)
        self._excluded[self.index] = True
        return self._choose()

    @override
    def reset_children(self) -> None:
        for child in self.children:
            child.reset()
        self.index = 0

    def scores(self) -> list[float]:
        """Score of every option on the snapshot; NaN counts as 0 and is noted once."""
        settings: UtilitySettings = self.definition.settings
        found = [option.score(self.tree.board) for option in settings.options]
        for number, score in enumerate(found):
            if math.isnan(score):
                found[number] = 0.0
                if not self._nan_noted:
                    self._nan_noted = True
                    faults.record(
                        "utility_score",
                        f"option {number + 1} of '{self.name}' scores NaN; it counts as 0",
                        f"ped#{self.tree.context.ped_id}",
                    )
        return found

    def _pick(self, scores: list[float]) -> int:
        settings: UtilitySettings = self.definition.settings
        open_to = [
            number
            for number, score in enumerate(scores)
            if score >= settings.min_score and not self._excluded[number]
        ]
        if not open_to:
            return -1
        if not settings.weighted:
            return max(open_to, key=lambda number: (scores[number], -number))
        rest = self.tree.context.random.random() * sum(scores[number] for number in open_to)
        for number in open_to:
            rest -= scores[number]
            if rest < 0.0:
                return number
        return open_to[-1]

    def keys_changed(self) -> None:
        """A key that an option reads has changed (P2)."""
        self._dirty = True
        self.tree.wake_at(self._next_score)

    def _score_later(self) -> None:
        settings: UtilitySettings = self.definition.settings
        self._dirty = False
        step = self.tree.step
        self._next_score = max(step + settings.rescore, self._begun + settings.least_run)

    @override
    def tick(self) -> Result:
        if self._may_switch():
            self._consider_switch()
        return super().tick()

    def _may_switch(self) -> bool:
        settings: UtilitySettings = self.definition.settings
        if not self._dirty or not settings.rescore or self.switching:
            return False
        if self.lifecycle is not ACTIVE:
            return False
        if self.tree.step < self._next_score:
            self.tree.wake_at(self._next_score)
            return False
        return True

    def _consider_switch(self) -> None:
        settings: UtilitySettings = self.definition.settings
        self._score_later()
        scores = self.scores()
        bar = scores[self.index] + settings.inertia
        for number, score in enumerate(scores):
            if number != self.index and not self._excluded[number] and score > bar:
                self.reevaluate(number)
                return
