"""Rule scripts of a file (HSM-03)."""

from __future__ import annotations

from collections.abc import Mapping

from ai.machines.authoring.fault_report import FaultReport
from ai.machines.authoring.parameter_compiler import ParameterCompiler
from ai.machines.authoring.registry import BehaviourRegistry
from ai.machines.authoring.schema import BehaviourForm, Constant
from ai.machines.blackboard.condition_syntax import ConditionError
from ai.machines.blackboard.conditions import Condition, ConditionCompiler, constant
from ai.machines.blackboard.keys import BoardLayout
from ai.machines.rule_script import MAX_RULES, RuleScriptDefinition, ScriptRule


def compile_script(
    form: BehaviourForm,
    layout: BoardLayout,
    params: Mapping[str, Constant],
    registry: BehaviourRegistry,
    report: FaultReport,
) -> RuleScriptDefinition:
    """Rules by descending priority; equal priorities, equal ids and too many are faults."""
    conditions = ConditionCompiler(layout, params)
    parameters = ParameterCompiler(layout, params, registry.kinds, report)
    if len(form.rules) > MAX_RULES:
        report.add(("rules",), f"{len(form.rules)} rules; there are at most {MAX_RULES}")
    rules = []
    names: dict[str, int] = {}
    priorities: dict[int, str] = {}
    for number, rule in enumerate(form.rules):
        place = ("rules", number)
        if rule.id in names:
            report.add(place, f"id '{rule.id}' is used twice")
        names[rule.id] = number
        other = priorities.setdefault(rule.priority, rule.id)
        if other != rule.id:
            report.add(
                place,
                f"'{rule.id}' has priority {rule.priority} like '{other}'; priorities are unique",
            )
        condition = _condition(conditions, rule.when, number, report)
        action = parameters.action(rule.action, rule.params, place, {})
        rules.append(ScriptRule(rule.id, rule.priority, condition, action))
    rules.sort(key=lambda rule: -rule.priority)
    mask = 0
    for compiled in rules:
        mask |= compiled.condition.mask
    polls = any(compiled.condition.polls for compiled in rules)
    return RuleScriptDefinition(form.name, tuple(rules), mask, polls)


def _condition(
    conditions: ConditionCompiler, text: str, number: int, report: FaultReport
) -> Condition:
    try:
        return conditions.compile(text)
    except ConditionError as error:
        report.add(("rules", number, "when"), f"condition {text!r}: {error}")
        return constant(False)
