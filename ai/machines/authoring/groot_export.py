"""Our trees as BehaviorTree.CPP v4 XML, for people who know Groot2."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

from ai.machines.authoring.groot_nodes import (
    OWN_NODES,
    SAME_COMPOSITES,
    SAME_DECORATORS,
    SAME_LEAVES,
    Node,
    to_port,
    to_script,
)
from ai.machines.ledger.kinds import ActionKind

Trees = Mapping[str, Mapping[str, Any]]


def trees_to_xml(trees: Trees, kinds: Mapping[str, ActionKind], main: str = "") -> str:
    """All trees of a document's ``[trees]``; ``trees_from_xml`` of it gives them back.

    Every action kind and every node that is only ours is declared in ``TreeNodesModel``.
    """
    attributes = {"BTCPP_format": "4"}
    if main:
        attributes["main_tree_to_execute"] = main
    root = ElementTree.Element("root", attributes)
    for name, tree in trees.items():
        element = ElementTree.SubElement(root, "BehaviorTree", {"ID": name})
        _add(element, tree["root"], tree["nodes"])
    _add_model(root, kinds)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _add(parent: ElementTree.Element, name: str, nodes: Mapping[str, Node]) -> None:
    node = nodes[name]
    tag, attributes = _written(node)
    element = ElementTree.SubElement(parent, tag, {**attributes, "name": name})
    for child in _children(node):
        _add(element, child, nodes)


def _children(node: Node) -> list[str]:
    if "options" in node:
        return [option["child"] for option in node["options"]]
    if "child" in node:
        return [node["child"]]
    return list(node.get("children", []))


def _own(tag: str, node: Node) -> tuple[str, dict[str, str]]:
    """A node of ours: its kind as tag, its name as ID, settings as ports."""
    kind, ports = OWN_NODES[tag]
    return kind, {"ID": tag, **{port: to_port(node[port]) for port in ports if port in node}}


def _written(node: Node) -> tuple[str, dict[str, str]]:
    kind = node["type"]
    for table in (SAME_COMPOSITES, SAME_DECORATORS, SAME_LEAVES):
        if kind in table:
            return table[kind], {}
    match kind:
        case "action":
            ports = {key: to_port(value) for key, value in node.get("params", {}).items()}
            hooks = {"hooks": node["hooks"]} if "hooks" in node else {}
            return "Action", {"ID": node["action"], **hooks, **ports}
        case "condition":
            return "ScriptCondition", {"code": to_script(node["when"])}
        case "gate":
            return "Precondition", {"if": to_script(node["when"]), "else": "FAILURE"}
        case "observer":
            return _own("Observer", {**node, "when": to_script(node["when"])})
        case "wait":
            if node["seconds"] == "forever":
                return _own("WaitForever", node)
            return "Sleep", {"msec": _milliseconds(node["seconds"])}
        case "timeout":
            return "Timeout", {"msec": _milliseconds(node["seconds"])}
        case "subtree":
            return "SubTree", {"ID": node["tree"]}
    return _counted(node)


def _counted(node: Node) -> tuple[str, dict[str, str]]:
    match node["type"]:
        case "repeat" if node.get("until", "failure") == "failure":
            return "Repeat", {"num_cycles": str(node.get("count", 0) or -1)}
        case "repeat":
            return _own("RepeatUntil", node)
        case "retry" if not node.get("delay_s"):
            return "RetryUntilSuccessful", {"num_attempts": str(node["count"])}
        case "retry":
            return _own("RetryAfter", node)
        case "parallel" if node.get("policy") == "main":
            return _own("BackgroundParallel", node)
        case "parallel":
            return "Parallel", {
                "success_count": _threshold(node.get("success", "all")),
                "failure_count": _threshold(node.get("failure", "any")),
            }
        case "cooldown":
            return _own("Cooldown", node)
        case "set":
            return _own("SetKey", node)
        case "post_event":
            kind, attributes = _own("PostEvent", node)
            ports = {key: to_port(value) for key, value in node.get("params", {}).items()}
            return kind, {**attributes, **ports}
    options = [{key: option[key] for key in option if key != "child"} for option in node["options"]]
    return _own("UtilitySelector", {**node, "options": json.dumps(options)})


def _milliseconds(seconds: float) -> str:
    milliseconds = seconds * 1000.0
    return str(int(milliseconds)) if milliseconds == int(milliseconds) else str(milliseconds)


def _threshold(wanted: str | int) -> str:
    return {"all": "-1", "any": "1"}.get(str(wanted), str(wanted))


def _add_model(root: ElementTree.Element, kinds: Mapping[str, ActionKind]) -> None:
    model = ElementTree.SubElement(root, "TreeNodesModel")
    for name, (kind, ports) in OWN_NODES.items():
        element = ElementTree.SubElement(model, kind, {"ID": name})
        for port in ports:
            ElementTree.SubElement(element, "input_port", {"name": port})
    for name, action in kinds.items():
        element = ElementTree.SubElement(model, "Action", {"ID": name})
        for port, definition in action.parameters.items():
            ElementTree.SubElement(
                element, "input_port", {"name": port, "type": definition.type.value}
            )
