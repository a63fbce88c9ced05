"""Trees from BehaviorTree.CPP v4 XML, as Groot2 writes it, for the node types that we have."""

from __future__ import annotations

import json
from typing import Any
from xml.parsers import expat

from ai.machines.authoring.fault_report import FaultReport, nearest
from ai.machines.authoring.groot_nodes import (
    OWN_NODES,
    SAME_COMPOSITES,
    SAME_DECORATORS,
    SAME_LEAVES,
    Node,
    from_port,
    from_script,
)

MAX_BYTES = 256 * 1024
MAX_DEPTH = 64

_COMPOSITES = {tag: kind for kind, tag in SAME_COMPOSITES.items()}
_DECORATORS = {tag: kind for kind, tag in SAME_DECORATORS.items()}
_LEAVES = {tag: kind for kind, tag in SAME_LEAVES.items()}
_KNOWN = (
    *_COMPOSITES, *_DECORATORS, *_LEAVES, *OWN_NODES, "Action", "Condition", "Control", "Decorator",
    "Delay", "KeepRunningUntilFailure", "Parallel", "Precondition", "Repeat",
    "RetryUntilSuccessful", "Script", "ScriptCondition", "Sleep", "SubTree", "Timeout",
)  # fmt: skip
_EDITOR_ATTRIBUTES = ("name", "ID", "_description", "_fullpath", "_uid", "_autoremap")


class _Element:
    """An XML element with its line, which the standard tree keeps not."""

    __slots__ = ("attributes", "children", "line", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], line: int) -> None:
        self.tag = tag
        self.attributes = attributes
        self.line = line
        self.children: list[_Element] = []


def trees_from_xml(text: str, file: str = "trees.xml") -> dict[str, dict[str, Any]]:
    """``[trees]`` of a behaviour document.

    - Nodes without a name get one from their type and a number.
    - ``Delay`` becomes a sequence of a wait and the child, ``KeepRunningUntilFailure`` a
      repeat without count, ``Script`` a ``set`` node.
    - Raises ``BehaviourError`` with line and node path for everything that we don't have;
      the trees are then checked like any others when the document is compiled.
    """
    report = FaultReport(file)
    root = _parse(text, report)
    report.raise_if_any()
    assert root is not None
    if root.tag != "root" or root.attributes.get("BTCPP_format") != "4":
        _note(report, root, (), 'is no <root BTCPP_format="4">; save it with Groot2 or v4')
    trees: dict[str, dict[str, Any]] = {}
    for element in root.children:
        if element.tag == "BehaviorTree":
            name = element.attributes.get("ID", "")
            reader = _TreeReader(name, report)
            if not name or name in trees:
                text = f"tree '{name}' is there twice" if name else "attribute 'ID' is missing"
                _note(report, element, (name,), text)
            if len(element.children) != 1:
                _note(report, element, (name,), "has not exactly one root node")
            else:
                reader.read(element.children[0], (name,))
                trees[name] = {"root": reader.root, "nodes": reader.nodes}
        elif element.tag not in ("TreeNodesModel", "include"):
            _note(report, element, (), f"<{element.tag}> is unknown here")
        elif element.tag == "include":
            _note(report, element, (), "<include> is refused: a file names no other file")
    report.raise_if_any()
    return trees


def _note(report: FaultReport, element: _Element, place: tuple[str, ...], text: str) -> None:
    report.add(place, text)
    found = report.found.pop()
    report.found.append(type(found)(found.file, element.line, "/".join(place), text))


def _parse(text: str, report: FaultReport) -> _Element | None:
    """Elements with lines; document types and entities are refused unread."""
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        report.add((), f"over {MAX_BYTES} bytes, refused unread")
        return None
    parser = expat.ParserCreate()
    top: list[_Element] = []
    stack: list[_Element] = []

    def refuse(*_arguments: object) -> None:
        raise ValueError("a document type or entity is refused")

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = _Element(tag, attributes, parser.CurrentLineNumber)
        (stack[-1].children if stack else top).append(element)
        stack.append(element)
        if len(stack) > MAX_DEPTH:
            raise ValueError(f"nested deeper than {MAX_DEPTH}")

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _tag: stack.pop()
    try:
        parser.Parse(text, True)
    except (expat.ExpatError, ValueError) as error:
        report.add((), f"not valid XML ({error})")
        return None
    return top[0]


class _TreeReader:
    def __init__(self, tree: str, report: FaultReport) -> None:
        self._tree = tree
        self._report = report
        self.nodes: dict[str, Node] = {}
        self.root = ""

    def read(self, element: _Element, above: tuple[str, ...]) -> str:
        """Take a node and all below; returns its id."""
        name = self._name(element)
        place = (*above, name)
        if not self.root:
            self.root = name
        self.nodes[name] = {}
        self.nodes[name] = self._node(element, place, name)
        return name

    def _name(self, element: _Element) -> str:
        given = element.attributes.get("name") or element.attributes.get("ID") or element.tag
        name = "".join(sign if sign.isascii() and sign.isalnum() else "_" for sign in given)
        if not name or name[0].isdigit():
            name = f"n_{name}"
        unique, number = name, 2
        while unique in self.nodes:
            unique, number = f"{name}_{number}", number + 1
        return unique

    def _node(self, element: _Element, place: tuple[str, ...], name: str) -> Node:
        tag = element.tag
        attributes = element.attributes
        if tag in ("Control", "Decorator", "Action", "Condition") and "ID" in attributes:
            tag = attributes["ID"] if attributes["ID"] in OWN_NODES else tag
        for word in attributes:
            if word.startswith("_") and word not in _EDITOR_ATTRIBUTES:
                self._fault(element, place, f"'{word}' has no counterpart; use a gate or observer")
        if tag in _COMPOSITES:
            return {"type": _COMPOSITES[tag], "children": self._children(element, place)}
        if tag in _DECORATORS:
            return {"type": _DECORATORS[tag], "child": self._child(element, place)}
        if tag in _LEAVES:
            return {"type": _LEAVES[tag]}
        try:
            return self._other(tag, element, place, name)
        except KeyError as error:
            self._fault(element, place, f"attribute {error} is missing")
        except ValueError as error:
            self._fault(element, place, f"an attribute can't be read: {error}")
        return {"type": "fail"}

    def _fault(self, element: _Element, place: tuple[str, ...], text: str) -> None:
        _note(self._report, element, place, text)

    def _children(self, element: _Element, place: tuple[str, ...]) -> list[str]:
        return [self.read(child, place) for child in element.children]

    def _child(self, element: _Element, place: tuple[str, ...]) -> str:
        children = self._children(element, place)
        if len(children) != 1:
            self._fault(element, place, f"<{element.tag}> has exactly one child")
            return ""
        return children[0]

    def _other(self, tag: str, element: _Element, place: tuple[str, ...], name: str) -> Node:
        attributes = element.attributes
        match tag:
            case "Action":
                node: Node = {"type": "action", "action": attributes["ID"]}
                if "hooks" in attributes:
                    node["hooks"] = attributes["hooks"]
                return {**node, **self._params(attributes, ("hooks",))}
            case "ScriptCondition":
                return {"type": "condition", "when": from_script(attributes["code"])}
            case "Precondition":
                if attributes.get("else", "FAILURE") != "FAILURE":
                    self._fault(element, place, 'only else="FAILURE" is a gate')
                when = from_script(attributes["if"])
                return {"type": "gate", "when": when, "child": self._child(element, place)}
            case "Sleep":
                return {"type": "wait", "seconds": float(attributes["msec"]) / 1000.0}
            case "Timeout":
                seconds = float(attributes["msec"]) / 1000.0
                child = self._child(element, place)
                return {"type": "timeout", "seconds": seconds, "child": child}
            case "Delay":
                return self._delay(element, place, name)
            case "SubTree":
                return {"type": "subtree", "tree": attributes["ID"]}
            case "Script":
                return self._script(element, place)
            case "Parallel":
                return self._parallel(element, place)
        return self._rounds(tag, element, place)

    def _params(self, attributes: dict[str, str], but: tuple[str, ...]) -> Node:
        hidden = (*_EDITOR_ATTRIBUTES, *but)
        params = {key: from_port(value) for key, value in attributes.items() if key not in hidden}
        return {"params": params} if params else {}

    def _delay(self, element: _Element, place: tuple[str, ...], name: str) -> Node:
        wait = f"{name}_wait"
        self.nodes[wait] = {
            "type": "wait", "seconds": float(element.attributes["delay_msec"]) / 1000.0,
        }  # fmt: skip
        return {"type": "sequence", "children": [wait, self._child(element, place)]}

    def _script(self, element: _Element, place: tuple[str, ...]) -> Node:
        code = element.attributes["code"].strip().rstrip(";")
        for sign, operation in ((":=", "assign"), ("+=", "add"), ("=", "assign")):
            key, found, value = code.partition(sign)
            if found and ";" not in value:
                setting = from_port(value.strip().strip("'\""))
                return {"type": "set", "key": key.strip(), "op": operation, "value": setting}
        self._fault(element, place, "only one 'key := value' or 'key += value' is a set node")
        return {"type": "fail"}

    def _parallel(self, element: _Element, place: tuple[str, ...]) -> Node:
        children = self._children(element, place)
        count = len(children)
        node: Node = {"type": "parallel", "children": children}
        for port, setting, default in (
            ("success_count", "success", "-1"), ("failure_count", "failure", "1"),
        ):  # fmt: skip
            number = int(element.attributes.get(port, default))
            wanted = count + 1 + number if number < 0 else number
            node[setting] = "any" if wanted == 1 else "all" if wanted == count else wanted
        return node

    def _rounds(self, tag: str, element: _Element, place: tuple[str, ...]) -> Node:
        attributes = element.attributes
        match tag:
            case "Repeat":
                count = max(int(attributes["num_cycles"]), 0)
                return {"type": "repeat", "count": count, "child": self._child(element, place)}
            case "KeepRunningUntilFailure":
                return {"type": "repeat", "count": 0, "child": self._child(element, place)}
            case "RetryUntilSuccessful":
                count = int(attributes["num_attempts"])
                return {"type": "retry", "count": count, "child": self._child(element, place)}
        return self._own(tag, element, place)

    def _own(self, tag: str, element: _Element, place: tuple[str, ...]) -> Node:
        if tag not in OWN_NODES:
            self._fault(element, place, f"node <{tag}> is unknown{nearest(tag, _KNOWN)}")
            for child in element.children:
                self.read(child, place)
            return {"type": "fail"}
        _, ports = OWN_NODES[tag]
        attributes = element.attributes
        settings: Node = {port: from_port(attributes[port]) for port in ports if port in attributes}
        match tag:
            case "Observer":
                settings["when"] = from_script(attributes["when"])
                return {"type": "observer", **settings, "child": self._child(element, place)}
            case "Cooldown" | "RepeatUntil" | "RetryAfter":
                kind = {"Cooldown": "cooldown", "RepeatUntil": "repeat", "RetryAfter": "retry"}[tag]
                return {"type": kind, **settings, "child": self._child(element, place)}
            case "BackgroundParallel":
                children = self._children(element, place)
                return {"type": "parallel", "policy": "main", "children": children}
            case "WaitForever":
                return {"type": "wait", "seconds": "forever"}
            case "SetKey":
                return {"type": "set", **settings}
            case "PostEvent":
                return {"type": "post_event", **settings, **self._params(attributes, ("event",))}
        return self._utility(element, settings, place)

    def _utility(self, element: _Element, settings: Node, place: tuple[str, ...]) -> Node:
        options = json.loads(element.attributes["options"])
        children = self._children(element, place)
        if not isinstance(options, list) or len(options) != len(children):
            self._fault(element, place, "'options' needs one entry a child")
            return {"type": "fail"}
        settings["options"] = [
            {"child": child, **option} for child, option in zip(children, options, strict=True)
        ]
        return {"type": "utility_selector", **settings}
