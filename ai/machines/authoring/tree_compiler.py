"""Trees of a file: structure checked, subtrees expanded, observers worked out (BT-01, BB-08)."""

from __future__ import annotations

from collections.abc import Mapping

from ai.machines.authoring.fault_report import FaultReport, nearest
from ai.machines.authoring.node_compiler import NodeCompiler
from ai.machines.authoring.parameter_compiler import ParameterCompiler, Place
from ai.machines.authoring.registry import BehaviourRegistry
from ai.machines.authoring.schema import (
    Constant,
    Form,
    SetForm,
    SubtreeForm,
    TreeForm,
    UtilityForm,
)
from ai.machines.authoring.tree_observers import observers_of, resource_clashes
from ai.machines.behaviour_trees.definition import (
    MAX_DEPTH,
    MAX_NODES,
    NodeDefinition,
    TreeDefinition,
)
from ai.machines.blackboard.conditions import ConditionCompiler
from ai.machines.blackboard.keys import BoardLayout, KeyType


def children_of(form: Form) -> tuple[str, ...]:
    """Ids of a node's children, in order."""
    if isinstance(form, UtilityForm):
        return tuple(option.child for option in form.options)
    children: list[str] = list(getattr(form, "children", ()))
    child = getattr(form, "child", None)
    return (child,) if isinstance(child, str) else tuple(children)


class TreeCompiler:
    """Compiles all trees of one file."""

    def __init__(
        self,
        trees: Mapping[str, TreeForm],
        layout: BoardLayout,
        params: Mapping[str, Constant],
        registry: BehaviourRegistry,
        report: FaultReport,
    ) -> None:
        self._trees = trees
        self._layout = layout
        self._params = params
        self._registry = registry
        self._report = report
        self._parameters = ParameterCompiler(layout, params, registry.kinds, report)
        self._index = 0

    def compile_all(self) -> dict[str, TreeDefinition]:
        """Every tree by name; only of use if the report is empty afterwards."""
        sound = [self._check_structure(name, tree) for name, tree in self._trees.items()]
        if not all(sound) or self._check_cycles():
            return {}
        compiled = {name: self._compile(name) for name in self._trees}
        return {name: tree for name, tree in compiled.items() if tree is not None}

    def _check_structure(self, name: str, tree: TreeForm) -> bool:
        """Dangling, doubly used and unreachable nodes, cycles and depth of one tree."""
        before = len(self._report.found)
        place = ("trees", name)
        if tree.root not in tree.nodes:
            self._report.add(
                (*place, "root"), f"no node '{tree.root}'{nearest(tree.root, tree.nodes)}"
            )
            return False
        parents: dict[str, str] = {}
        for node, form in tree.nodes.items():
            for child in children_of(form):
                where = (*place, "nodes", node)
                if child not in tree.nodes:
                    self._report.add(where, f"no node '{child}'{nearest(child, tree.nodes)}")
                elif child in parents:
                    self._report.add(
                        where, f"node '{child}' is used twice, also by '{parents[child]}'"
                    )
                elif child == tree.root:
                    self._report.add(where, f"the root '{child}' is used as a child: a cycle")
                else:
                    parents[child] = node
        if len(self._report.found) == before:
            self._check_reach(name, tree)
        return len(self._report.found) == before

    def _check_reach(self, name: str, tree: TreeForm) -> None:
        reached: dict[str, int] = {tree.root: 1}
        todo = [tree.root]
        while todo:
            node = todo.pop()
            for child in children_of(tree.nodes[node]):
                reached[child] = reached[node] + 1
                todo.append(child)
        for node in tree.nodes:
            if node not in reached:
                self._report.add(("trees", name, "nodes", node), "can't be reached from the root")

    def _check_cycles(self) -> bool:
        """Trees that contain themselves through subtrees, and subtrees that don't exist."""
        uses = {
            name: [form.tree for form in tree.nodes.values() if isinstance(form, SubtreeForm)]
            for name, tree in self._trees.items()
        }
        bad = False
        for name, tree in self._trees.items():
            for node, form in tree.nodes.items():
                if isinstance(form, SubtreeForm) and form.tree not in self._trees:
                    bad = True
                    self._report.add(
                        ("trees", name, "nodes", node, "tree"),
                        f"no tree '{form.tree}'{nearest(form.tree, self._trees)}",
                    )
        for name in self._trees:
            seen: set[str] = set()
            todo = list(uses[name])
            while todo:
                other = todo.pop()
                if other == name:
                    bad = True
                    self._report.add(("trees", name), "contains itself through subtrees: a cycle")
                    break
                if other not in seen:
                    seen.add(other)
                    todo.extend(uses.get(other, ()))
        return bad

    def _compile(self, name: str) -> TreeDefinition | None:
        size = self._size(name, {})
        depth = self._depth(name, {})
        if size > MAX_NODES or depth > MAX_DEPTH:
            self._report.add(
                ("trees", name),
                f"{size} nodes, {depth} deep; a tree has at most {MAX_NODES} nodes "
                f"and depth {MAX_DEPTH}, subtrees included",
            )
            return None
        scratch = self._scratch_types(name)
        nodes = NodeCompiler(
            self._layout,
            ConditionCompiler(self._layout, self._params, scratch),
            self._parameters,
            self._registry,
            scratch,
            self._report,
        )
        self._index = 0
        root = self._node(name, self._trees[name].root, "", nodes)
        self._report_clashes(name, root)
        return self._with_observers(name, root)

    def _size(self, name: str, known: dict[str, int]) -> int:
        """Nodes with subtrees expanded, worked out without expanding them."""
        if name not in known:
            known[name] = sum(
                self._size(form.tree, known) if isinstance(form, SubtreeForm) else 1
                for form in self._trees[name].nodes.values()
            )
        return known[name]

    def _depth(self, name: str, known: dict[str, int]) -> int:
        if name not in known:
            tree = self._trees[name]
            deepest = 0
            todo = [(tree.root, 1)]
            while todo:
                node, depth = todo.pop()
                form = tree.nodes[node]
                if isinstance(form, SubtreeForm):
                    depth += self._depth(form.tree, known) - 1
                deepest = max(deepest, depth)
                todo.extend((child, depth + 1) for child in children_of(form))
            known[name] = deepest
        return known[name]

    def _scratch_types(self, name: str) -> dict[str, KeyType]:
        """Types of ``%names``, as the first ``set`` of each says; others must agree."""
        found: dict[str, KeyType] = {}
        todo, seen = [name], set()
        while todo:
            tree = todo.pop()
            if tree in seen:
                continue
            seen.add(tree)
            for node, form in self._trees[tree].nodes.items():
                if isinstance(form, SubtreeForm):
                    todo.append(form.tree)
                elif isinstance(form, SetForm) and form.key.startswith("%"):
                    self._note_scratch(form, ("trees", tree, "nodes", node), found)
        return found

    def _note_scratch(self, form: SetForm, place: Place, found: dict[str, KeyType]) -> None:
        key = form.key[1:]
        value = form.value
        key_type: KeyType | None = None
        if isinstance(value, str) and value[:1] == "$" and value[1:] in self._layout.slots:
            key_type = self._layout.keys[self._layout.slots[value[1:]]].type
        elif isinstance(value, str) and value[:1] == "@" and value[1:] in self._params:
            value = self._params[value[1:]]
        if key_type is None and not isinstance(value, list):
            kinds: dict[type, KeyType] = {
                bool: KeyType.BOOL, int: KeyType.INT, float: KeyType.FLOAT, str: KeyType.STR,
            }  # fmt: skip
            key_type = kinds[type(value)]
        if key_type not in (KeyType.BOOL, KeyType.INT, KeyType.FLOAT, KeyType.STR):
            self._report.add(place, "scratch keeps bool, int, float and str only")
            key_type = KeyType.BOOL
        if found.setdefault(key, key_type) is not key_type:
            self._report.add(place, f"'%{key}' is set as {key_type} and as {found[key]}")

    def _node(self, tree: str, node: str, prefix: str, nodes: NodeCompiler) -> NodeDefinition:
        form = self._trees[tree].nodes[node]
        if isinstance(form, SubtreeForm):
            inner = self._trees[form.tree]
            return self._node(form.tree, inner.root, f"{prefix}{node}.", nodes)
        index = self._index
        self._index += 1
        compiled = nodes.compile(form, ("trees", tree, "nodes", node))
        below = tuple(self._node(tree, child, prefix, nodes) for child in children_of(form))
        truth = compiled.truth(below) if compiled.truth is not None else None
        return NodeDefinition(
            f"{prefix}{node}", str(getattr(form, "type", "")), index, compiled.make, below,
            compiled.settings, truth is not None, truth,
        )  # fmt: skip

    def _report_clashes(self, name: str, root: NodeDefinition) -> None:
        for first, second in resource_clashes(root, self._registry.kinds):
            self._report.add(
                ("trees", name),
                f"leaves '{first}' and '{second}' run in parallel and want conflicting resources",
            )

    def _with_observers(self, name: str, root: NodeDefinition) -> TreeDefinition:
        observers = observers_of(name, root, self._report)
        mask = 0
        for observer in observers:
            mask |= observer.condition.mask
        for node in root.walk():
            if node.type == "utility_selector":
                mask |= node.settings.mask
        by_slot = tuple(
            tuple(
                number
                for number, observer in enumerate(observers)
                if observer.condition.mask >> slot & 1
            )
            for slot in range(len(self._layout.keys))
        )
        polling = tuple(
            number for number, observer in enumerate(observers) if observer.condition.polls
        )
        size = sum(1 for _ in root.walk())
        return TreeDefinition(name, root, observers, by_slot, mask, polling, size)
