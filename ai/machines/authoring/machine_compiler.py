"""States and transition rules of a file, linked and checked (HSM-04, HSM-05, HSM-19, HSM-29)."""

from __future__ import annotations

from collections.abc import Mapping

from ai.machines.authoring.fault_report import FaultReport, nearest
from ai.machines.authoring.parameter_compiler import ParameterCompiler, Place
from ai.machines.authoring.registry import BehaviourRegistry
from ai.machines.authoring.schema import BehaviourForm, Constant, StateForm
from ai.machines.behaviour_trees.definition import TreeDefinition
from ai.machines.blackboard.condition_syntax import ConditionError
from ai.machines.blackboard.conditions import Condition, ConditionCompiler, constant
from ai.machines.blackboard.keys import BoardLayout
from ai.machines.hsm.definition import (
    MAX_DEPTH,
    MAX_STATES,
    FailureTarget,
    MachineDefinition,
    MachineKind,
    RevokedPolicy,
    Rule,
    ServiceDefinition,
    State,
)
from ai.machines.steps import steps

ROOT = "root"


class MachineCompiler:
    """Compiles the machine of one file; of use only if the report is empty afterwards."""

    def __init__(
        self,
        form: BehaviourForm,
        layout: BoardLayout,
        params: Mapping[str, Constant],
        trees: Mapping[str, TreeDefinition],
        registry: BehaviourRegistry,
        report: FaultReport,
    ) -> None:
        self._form = form
        self._trees = trees
        self._registry = registry
        self._report = report
        self._conditions = ConditionCompiler(layout, params)
        self._parameters = ParameterCompiler(layout, params, registry.kinds, report)
        self._states: dict[str, State] = {}
        self._rules: list[Rule] = []

    def compile(self) -> MachineDefinition | None:
        """The machine, or None if it is faulty."""
        before = len(self._report.found)
        if ROOT not in self._form.states:
            self._report.add(("states",), "there is no state 'root'")
            return None
        self._make_states()
        if len(self._report.found) > before:
            return None
        for path, form in self._form.states.items():
            self._fill(self._states[path], form)
        terminal = self._terminal()
        self._unused_trees()
        self._unreachable_states()
        if len(self._report.found) > before or terminal is None:
            return None
        for state in self._states.values():
            state.seal()
        kind = MachineKind(self._form.kind)
        root = self._states[ROOT]
        return MachineDefinition(self._form.name, kind, root, self._states, terminal, self._rules)

    def _make_states(self) -> None:
        """States with parents; the parent of a one-word path is root."""
        if len(self._form.states) > MAX_STATES:
            self._report.add(
                ("states",), f"{len(self._form.states)} states; there are at most {MAX_STATES}"
            )
            return
        by_depth = sorted(self._form.states, key=lambda path: (path != ROOT, path.count("/")))
        made: dict[str, State] = {}
        for path in by_depth:
            place = ("states", path)
            parent = None
            if path != ROOT:
                above = path.rpartition("/")[0] or ROOT
                parent = made.get(above)
                if parent is None:
                    self._report.add(place, f"its parent '{above}' is not there")
                    continue
            state = made[path] = State(path, parent)
            if state.depth >= MAX_DEPTH:
                self._report.add(place, f"deeper than {MAX_DEPTH} levels")
        self._states = {path: made[path] for path in self._form.states if path in made}

    def _fill(self, state: State, form: StateForm) -> None:
        place: Place = ("states", state.path)
        self._check_kind(state, form, place)
        if state.children:
            child = next((c for c in state.children if c.name == form.initial), None)
            if child is None:
                names = [c.name for c in state.children]
                text = "has children but no 'initial'"
                if form.initial is not None:
                    text = f"no child '{form.initial}'{nearest(form.initial, names)}"
                self._report.add((*place, "initial"), text)
            state.initial = child
        elif form.initial is not None:
            self._report.add((*place, "initial"), "has no children to begin with")
        state.actions = tuple(
            self._parameters.action(action.action, action.params, (*place, "actions", number), {})
            for number, action in enumerate(form.actions)
        )
        if form.tree is not None:
            state.tree = self._trees.get(form.tree)
            if form.tree not in self._form.trees:
                self._report.add(
                    (*place, "tree"), f"no tree '{form.tree}'{nearest(form.tree, self._form.trees)}"
                )
        state.min_time = steps(form.min_time_s)
        state.enter_timeout = steps(form.enter_timeout_s)
        self._fill_services(state, form, place)
        self._fill_rules(state, form, place)
        self._fill_failures(state, form, place)
        if form.hooks is not None:
            hooks = self._registry.state_hooks.get(form.hooks)
            if hooks is None:
                self._report.add(
                    (*place, "hooks"),
                    f"no state class '{form.hooks}' is registered"
                    f"{nearest(form.hooks, self._registry.state_hooks)}",
                )
            else:
                state.use_hooks(hooks)

    def _check_kind(self, state: State, form: StateForm, place: Place) -> None:
        if self._form.kind == "composed":
            if form.actions:
                self._report.add((*place, "actions"), "belong to standalone machines; use a tree")
            if form.tree is not None and state.children:
                self._report.add((*place, "tree"), "belongs to leaf states; this one has children")
        elif form.tree is not None:
            self._report.add((*place, "tree"), "belongs to composed machines; use 'actions'")

    def _fill_services(self, state: State, form: StateForm, place: Place) -> None:
        services = []
        for number, service in enumerate(form.services):
            run = self._registry.services.get(service.kind)
            if run is None:
                self._report.add(
                    (*place, "services", number, "kind"),
                    f"no service '{service.kind}' is registered"
                    f"{nearest(service.kind, self._registry.services)}",
                )
            else:
                services.append(ServiceDefinition(service.kind, steps(service.every_s), run))
        if services and not state.children:
            self._report.add((*place, "services"), "belong to inner states")
        state.services = tuple(services)

    def _fill_rules(self, state: State, form: StateForm, place: Place) -> None:
        rules = []
        for number, transition in enumerate(form.transitions):
            where = (*place, "transitions", number)
            target = self._state(transition.to, (*where, "to"))
            condition = self._condition(transition.when, (*where, "when"))
            if target is not None:
                rule = Rule(
                    len(self._rules), state, transition.priority, condition, target,
                    urgent=transition.urgent,
                )  # fmt: skip
                self._rules.append(rule)
                rules.append(rule)
        # The sort keeps file order among equals (HSM-21).
        state.rules = tuple(sorted(rules, key=lambda rule: -rule.priority))

    def _fill_failures(self, state: State, form: StateForm, place: Place) -> None:
        targets = []
        for number, failure in enumerate(form.on_fail):
            where = (*place, "on_fail", number)
            target = self._state(failure.to, (*where, "to"))
            requires = None
            if failure.requires is not None:
                requires = self._state(failure.requires, (*where, "requires"))
            if target is not None:
                targets.append(FailureTarget(target, requires))
        state.on_fail = tuple(targets)
        if form.on_revoked in ("restart", "stay"):
            state.on_revoked = RevokedPolicy(form.on_revoked)
        elif form.on_revoked is not None:
            state.on_revoked = RevokedPolicy.GO
            state.revoked_target = self._state(form.on_revoked, (*place, "on_revoked"))

    def _state(self, path: str, place: Place) -> State | None:
        state = self._states.get(path)
        if state is None:
            self._report.add(place, f"no state '{path}'{nearest(path, self._states)}")
        return state

    def _condition(self, text: str, place: Place) -> Condition:
        try:
            return self._conditions.compile(text)
        except ConditionError as error:
            self._report.add(place, f"condition {text!r}: {error}")
            return constant(False)

    def _terminal(self) -> State | None:
        if self._form.terminal is None:
            self._report.add(("terminal",), "is missing; name a leaf that needs no action")
            return None
        state = self._state(self._form.terminal, ("terminal",))
        if state is None:
            return None
        if state.children:
            self._report.add(("terminal",), f"'{state.path}' is no leaf")
        for above in state.chain:
            if above.actions:
                self._report.add(
                    ("terminal",), f"'{above.path}' uses action '{above.actions[0].kind}'; it must "
                    "always be possible to enter it, so it may use none",
                )  # fmt: skip
        if state.tree is not None:
            for node in state.tree.root.walk():
                if node.type == "action":
                    self._report.add(
                        ("terminal",), f"'{state.path}' uses action '{node.settings.action.kind}' "
                        f"in node '{node.name}' of its tree; it may use none",
                    )  # fmt: skip
        return state

    def _unused_trees(self) -> None:
        used = {form.tree for form in self._form.states.values()}
        for tree in self._form.trees.values():
            used.update(getattr(form, "tree", None) for form in tree.nodes.values())
        for name in self._form.trees:
            if name not in used:
                self._report.add(("trees", name), "is used by no state and no subtree")

    def _unreachable_states(self) -> None:
        """A leaf that nothing leads to is a slip of the pen; requests come from outside."""
        targets = [self._states[ROOT], *(rule.target for rule in self._rules)]
        if self._form.terminal in self._states:
            targets.append(self._states[self._form.terminal])
        for state in self._states.values():
            targets.extend(failure.target for failure in state.on_fail)
            if state.revoked_target is not None:
                targets.append(state.revoked_target)
        reached: set[State] = set()
        for target in targets:
            leaf = target
            while leaf.initial is not None:
                leaf = leaf.initial
            reached.update(leaf.chain)
        for path, state in self._states.items():
            if state not in reached:
                self._report.add(("states", path), "no rule, failure or initial leads here")
