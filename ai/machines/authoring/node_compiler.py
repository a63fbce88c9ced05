"""Settings and classes of the node types of a behaviour file (HSM-28)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ai.machines.authoring.fault_report import FaultReport, nearest
from ai.machines.authoring.parameter_compiler import ParameterCompiler, Place
from ai.machines.authoring.registry import BehaviourRegistry
from ai.machines.authoring.schema import (
    ActionNodeForm,
    BoolCurve,
    ConditionForm,
    ConstCurve,
    CooldownForm,
    CurveForm,
    FailForm,
    ForceFailureForm,
    ForceSuccessForm,
    Form,
    GateForm,
    InverterForm,
    LinearCurve,
    LogisticCurve,
    ObserverForm,
    ParallelForm,
    PointsCurve,
    PostEventForm,
    PowerCurve,
    ReactiveSelectorForm,
    ReactiveSequenceForm,
    RepeatForm,
    RetryForm,
    SelectorForm,
    SequenceForm,
    SetForm,
    SucceedForm,
    TimeoutForm,
    UtilityForm,
    WaitForm,
)
from ai.machines.behaviour_trees import utility_curves as curves
from ai.machines.behaviour_trees.action_leaf import ActionLeaf, ActionSettings, LeafHooks
from ai.machines.behaviour_trees.decorators import (
    Force,
    Gate,
    GateSettings,
    Inverter,
    ObserverGate,
)
from ai.machines.behaviour_trees.definition import AbortScope, NodeDefinition, NodeFactory, Notify
from ai.machines.behaviour_trees.leaves import (
    ConditionLeaf,
    ConstantLeaf,
    Operation,
    PostEventLeaf,
    PostEventSettings,
    SetLeaf,
    SetSettings,
    WaitLeaf,
)
from ai.machines.behaviour_trees.lifecycle import FAILURE, SUCCESS
from ai.machines.behaviour_trees.loops import Repeat, RepeatSettings, Retry, RetrySettings, Until
from ai.machines.behaviour_trees.parallel import Parallel, ParallelSettings
from ai.machines.behaviour_trees.selectors import ReactiveSelector, Selector
from ai.machines.behaviour_trees.sequences import ReactiveSequence, Sequence
from ai.machines.behaviour_trees.timers import Cooldown, CooldownSettings, Timeout
from ai.machines.behaviour_trees.utility import UtilitySelector, UtilitySettings
from ai.machines.blackboard.condition_syntax import ConditionError
from ai.machines.blackboard.conditions import (
    Condition,
    ConditionCompiler,
    all_of,
    any_of,
    constant,
    negation,
)
from ai.machines.blackboard.keys import NUMBERS, BoardLayout, KeyType
from ai.machines.steps import NEVER, steps


@dataclass(frozen=True, slots=True)
class CompiledNode:
    """A node without its place in the tree."""

    make: NodeFactory
    settings: Any = None
    truth: Callable[[tuple[NodeDefinition, ...]], Condition | None] | None = None


class NodeCompiler:
    """Compiles the nodes of one tree; faults go to the report, the result is then not used."""

    def __init__(
        self,
        layout: BoardLayout,
        conditions: ConditionCompiler,
        parameters: ParameterCompiler,
        registry: BehaviourRegistry,
        scratch: Mapping[str, KeyType],
        report: FaultReport,
    ) -> None:
        self._layout = layout
        self._conditions = conditions
        self._parameters = parameters
        self._registry = registry
        self._scratch = scratch
        self._report = report

    def condition(self, text: str, place: Place) -> Condition:
        """A condition; a faulty one is noted with its column."""
        try:
            return self._conditions.compile(text)
        except ConditionError as error:
            self._report.add(place, f"condition {text!r}: {error}")
            return constant(False)

    def compile(self, form: Form, place: Place) -> CompiledNode:
        """Class, settings and, for nodes that may be instant, their truth (BT-15)."""
        match form:
            case SequenceForm():
                return CompiledNode(Sequence, truth=lambda below: _joined(all_of, below))
            case ReactiveSequenceForm():
                return CompiledNode(ReactiveSequence, truth=lambda below: _joined(all_of, below))
            case SelectorForm():
                return CompiledNode(Selector, truth=lambda below: _joined(any_of, below))
            case ReactiveSelectorForm():
                return CompiledNode(ReactiveSelector)
            case ParallelForm():
                return CompiledNode(Parallel, self._parallel(form, place))
            case UtilityForm():
                return CompiledNode(UtilitySelector, self._utility(form, place))
            case GateForm():
                condition = self.condition(form.when, (*place, "when"))
                return CompiledNode(Gate, GateSettings(condition), _gated(condition))
            case ObserverForm():
                condition = self.condition(form.when, (*place, "when"))
                return CompiledNode(
                    ObserverGate,
                    GateSettings(condition, AbortScope(form.abort), Notify(form.notify)),
                )
            case InverterForm():
                return CompiledNode(Inverter, truth=_inverted)
            case ForceSuccessForm():
                return CompiledNode(Force, SUCCESS, _fixed(True))
            case ForceFailureForm():
                return CompiledNode(Force, FAILURE, _fixed(False))
            case RepeatForm():
                return CompiledNode(Repeat, RepeatSettings(form.count, Until(form.until)))
            case RetryForm():
                return CompiledNode(Retry, RetrySettings(form.count, steps(form.delay_s)))
            case CooldownForm():
                settings = CooldownSettings(
                    steps(form.seconds), form.since == "start", form.on_cancel
                )
                return CompiledNode(Cooldown, settings)
            case TimeoutForm():
                return CompiledNode(Timeout, steps(form.seconds))
        return self._leaf(form, place)

    def _leaf(self, form: Form, place: Place) -> CompiledNode:
        match form:
            case ConditionForm():
                condition = self.condition(form.when, (*place, "when"))
                return CompiledNode(ConditionLeaf, condition, lambda _: condition)
            case SucceedForm():
                return CompiledNode(ConstantLeaf, SUCCESS, lambda _: constant(True))
            case FailForm():
                return CompiledNode(ConstantLeaf, FAILURE, lambda _: constant(False))
            case WaitForm():
                forever = isinstance(form.seconds, str)
                return CompiledNode(WaitLeaf, NEVER if forever else steps(float(form.seconds)))
            case SetForm():
                return CompiledNode(SetLeaf, self._set(form, place))
            case PostEventForm():
                parameters = self._parameters.parameters(
                    form.params, (*place, "params"), self._scratch
                )
                return CompiledNode(PostEventLeaf, PostEventSettings(form.event, parameters))
            case ActionNodeForm():
                return CompiledNode(ActionLeaf, self._action(form, place))
        raise TypeError(f"no node class for {type(form).__name__}")

    def _parallel(self, form: ParallelForm, place: Place) -> ParallelSettings:
        count = len(form.children)
        words = {"all": count, "any": 1}
        needed = []
        for name, wanted in (("success", form.success), ("failure", form.failure)):
            number = words[wanted] if isinstance(wanted, str) else wanted
            if not 1 <= number <= count:
                self._report.add((*place, name), f"{number} is not within 1..{count} children")
            needed.append(number)
        return ParallelSettings(needed[0], needed[1], form.policy == "main")

    def _action(self, form: ActionNodeForm, place: Place) -> ActionSettings:
        action = self._parameters.action(form.action, form.params, place, self._scratch)
        hooks: LeafHooks | None = None
        if form.hooks is not None:
            hooks = self._registry.leaf_hooks.get(form.hooks)
            if hooks is None:
                self._report.add(
                    (*place, "hooks"),
                    f"no leaf class '{form.hooks}' is registered"
                    f"{nearest(form.hooks, self._registry.leaf_hooks)}",
                )
        updates = hooks is not None and type(hooks).on_update is not LeafHooks.on_update
        return ActionSettings(action, hooks, updates)

    def _set(self, form: SetForm, place: Place) -> SetSettings | None:
        scratch = form.key.startswith("%")
        name = form.key.removeprefix("%")
        value = self._parameters.parameter("value", form.value, (*place, "value"), self._scratch)
        modulo = None
        if form.modulo is not None:
            if form.op != "add":
                self._report.add((*place, "modulo"), "belongs to op 'add'")
            modulo = self._parameters.parameter(
                "modulo", form.modulo, (*place, "modulo"), self._scratch
            )
        if scratch:
            wanted = self._scratch[name]
        elif name in self._layout.slots:
            wanted = self._layout.keys[self._layout.slots[name]].type
        else:
            self._report.add(
                (*place, "key"),
                f"'{name}' is not declared in [blackboard]{nearest(name, self._layout.slots)}",
            )
            return None
        if value is None:
            return None
        given = self._parameters.type_of(value, self._scratch)
        numbers = wanted in NUMBERS and given in NUMBERS
        if numbers and wanted is KeyType.INT and given is KeyType.FLOAT:
            numbers = False
        texts = (KeyType.STR, KeyType.ENUM)
        if form.op != "assign" and wanted not in NUMBERS:
            self._report.add((*place, "op"), f"'{form.op}' needs a number, '{name}' is {wanted}")
        elif not numbers and given is not wanted and not (given in texts and wanted in texts):
            self._report.add((*place, "value"), f"{form.value!r} is not of type {wanted.value}")
        return SetSettings(name, scratch, Operation(form.op), value, modulo)

    def _utility(self, form: UtilityForm, place: Place) -> UtilitySettings:
        mask = 0
        options = []
        for number, option in enumerate(form.options):
            considerations = []
            for index, consideration in enumerate(option.considerations):
                where = (*place, "options", number, "considerations", index)
                slot = self._consideration_slot(consideration, where)
                if slot >= 0:
                    mask |= 1 << slot
                considerations.append(curves.Consideration(slot, self._curve(consideration, where)))
            options.append(curves.Option(option.weight, tuple(considerations)))
        return UtilitySettings(
            tuple(options), form.min_score, form.inertia, steps(form.rescore_s),
            steps(form.least_run_s), form.pick == "weighted", mask,
        )  # fmt: skip

    def _consideration_slot(self, form: CurveForm, place: Place) -> int:
        if form.key is None:
            return -1
        slot = self._layout.slots.get(form.key)
        if slot is None:
            self._report.add(
                (*place, "key"),
                f"'{form.key}' is not declared in [blackboard]"
                f"{nearest(form.key, self._layout.slots)}",
            )
            return -1
        key_type = self._layout.keys[slot].type
        wanted = (KeyType.BOOL,) if isinstance(form, BoolCurve) else NUMBERS
        if key_type not in (*wanted, KeyType.BOOL) or (
            key_type is KeyType.BOOL and not isinstance(form, BoolCurve | ConstCurve)
        ):
            self._report.add(
                (*place, "key"), f"curve '{form.curve}' can't read '{form.key}' ({key_type.value})"
            )
        return slot

    def _curve(self, form: CurveForm, place: Place) -> curves.Curve:
        match form:
            case ConstCurve():
                return curves.constant(form.y)
            case BoolCurve():
                return curves.boolean(form.on, form.off)
            case LinearCurve():
                if form.x0 == form.x1:
                    self._report.add((*place, "x1"), "equals x0; a line needs two points")
                    return curves.constant(0.0)
                return curves.linear(form.x0, form.y0, form.x1, form.y1)
            case PowerCurve():
                return curves.power(form.exponent, form.scale)
            case LogisticCurve():
                return curves.logistic(form.mid, form.steepness)
            case PointsCurve():
                return self._points(form, place)

    def _points(self, form: PointsCurve, place: Place) -> curves.Curve:
        if any(len(point) != 2 for point in form.points):
            self._report.add((*place, "points"), "each point is [x, y]")
            return curves.constant(0.0)
        pairs = [(point[0], point[1]) for point in form.points]
        if any(second[0] <= first[0] for first, second in pairwise(pairs)):
            self._report.add((*place, "points"), "x must rise from point to point")
            return curves.constant(0.0)
        return curves.points(pairs)


def _joined(
    join: Callable[[list[Condition]], Condition], below: tuple[NodeDefinition, ...]
) -> Condition | None:
    truths = [child.truth for child in below if child.truth is not None]
    return join(truths) if len(truths) == len(below) else None


def _gated(condition: Condition) -> Callable[[tuple[NodeDefinition, ...]], Condition | None]:
    def truth(below: tuple[NodeDefinition, ...]) -> Condition | None:
        inner = below[0].truth
        return None if inner is None else all_of([condition, inner])

    return truth


def _inverted(below: tuple[NodeDefinition, ...]) -> Condition | None:
    return None if below[0].truth is None else negation(below[0].truth)


def _fixed(value: bool) -> Callable[[tuple[NodeDefinition, ...]], Condition | None]:
    return lambda below: None if below[0].truth is None else constant(value)
