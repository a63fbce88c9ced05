"""Behaviour files as text that reads like a tree (``.tree``), to the same document as TOML.

One thing a line, what belongs to it indented by two spaces below::

    behaviour guard composed terminal=peace/safe_idle
    param attack_range_cm = 120.0
    key health float default=1.0 min=0.0 max=1.0
    state combat initial=chase
      service track_target every_s=0.1
      when "not enemy_known" to=peace priority=40
      on_fail to=peace/safe_idle
    tree engage
      selector top
        observer watch_target when="enemy_known" abort=self
          action approach goto_entity(target=$enemy stop_cm=80.0)
        wait rest seconds=2.0

Values are numbers, ``true``, ``false``, quoted strings, ``[lists]`` or bare words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Document = dict[str, Any]
Lines = dict[tuple[str, ...], int]

_SPACES = 2
_WORD = r"[^\s=()\[\]\"',#]+"
_VALUE = rf"\"(?:[^\"\\]|\\.)*\"|\[[^\]]*(?:\[[^\]]*\][^\]]*)*\]|{_WORD}"
_TOKEN = re.compile(
    rf"\s*(?:(?P<comment>#.*)|(?P<open>\()|(?P<close>\))|(?P<key>{_WORD})\s*=\s*(?P<set>{_VALUE})"
    rf"|(?P<value>{_VALUE}))"
)
_BARE = re.compile(r"^[$@%A-Za-z_][A-Za-z0-9_/]*$")


class TextFormError(Exception):
    """A line that can't be read; ``line`` counts from 1."""

    def __init__(self, text: str, line: int) -> None:
        super().__init__(text)
        self.line = line


@dataclass(slots=True)
class _Line:
    number: int
    words: list[Any]
    settings: dict[str, Any]
    arguments: dict[str, Any]
    below: list[_Line] = field(default_factory=list)

    def word(self, index: int, what: str) -> str:
        if index >= len(self.words) or not isinstance(self.words[index], str):
            raise TextFormError(f"{what} is missing", self.number)
        return str(self.words[index])

    def leaf(self) -> None:
        if self.below:
            raise TextFormError("nothing may stand below this", self.below[0].number)


def parse_text(text: str) -> tuple[Document, Lines]:
    """Document and line numbers of a text; raises ``TextFormError``."""
    reader = _Reader()
    for line in _blocks(text):
        reader.take(line)
    return reader.document, reader.lines


def _blocks(text: str) -> list[_Line]:
    top: list[_Line] = []
    stack: list[tuple[int, list[_Line]]] = [(0, top)]
    for number, raw in enumerate(text.splitlines(), start=1):
        stripped = raw.strip()
        if not stripped or stripped.startswith("#"):
            continue
        indent = len(raw) - len(raw.lstrip(" "))
        if indent % _SPACES or raw.lstrip(" ").startswith("\t"):
            raise TextFormError(f"indent by {_SPACES} spaces a level", number)
        while stack[-1][0] > indent:
            stack.pop()
        if stack[-1][0] != indent:
            raise TextFormError("indented deeper than the line above allows", number)
        line = _line(stripped, number)
        stack[-1][1].append(line)
        stack.append((indent + _SPACES, line.below))
    return top


def _line(text: str, number: int) -> _Line:
    words: list[Any] = []
    settings: dict[str, Any] = {}
    arguments: dict[str, Any] = {}
    target = settings
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise TextFormError(f"can't read {text[position : position + 20]!r}", number)
        position = match.end()
        if match["comment"] is not None:
            break
        if match["open"] is not None:
            target = arguments
        elif match["close"] is not None:
            target = settings
        elif match["key"] is not None:
            if match["key"] in target:
                raise TextFormError(f"'{match['key']}' is given twice", number)
            target[match["key"]] = _value(match["set"], number)
        else:
            words.append(_value(match["value"], number))
    if not words:
        raise TextFormError("begins with no word", number)
    return _Line(number, words, settings, arguments)


def _value(text: str, number: int) -> Any:
    if text[0] in '"[' or text[0].isdigit() or text[0] == "-":
        try:
            return json.loads(text)
        except ValueError as error:
            raise TextFormError(f"can't read the value {text!r}", number) from error
    return {"true": True, "false": False}.get(text, text)


class _Reader:
    def __init__(self) -> None:
        self.document: Document = {"format": 1}
        self.lines: Lines = {}

    def take(self, line: _Line) -> None:
        """One line without indent and what stands below it."""
        kinds: dict[str, Callable[[_Line], None]] = {
            "behaviour": self._behaviour, "param": self._param, "key": self._key,
            "state": self._state, "tree": self._tree, "rule": self._rule,
        }  # fmt: skip
        word = line.word(0, "the first word")
        if word not in kinds:
            raise TextFormError(
                f"'{word}' is no part of a behaviour; parts are {', '.join(kinds)}", line.number
            )
        kinds[word](line)

    def _behaviour(self, line: _Line) -> None:
        line.leaf()
        self.document["name"] = line.word(1, "the name")
        self.document["kind"] = line.word(2, "the kind")
        self.document.update(line.settings)
        self.lines[("name",)] = self.lines[("kind",)] = self.lines[("terminal",)] = line.number

    def _put(self, table: str, name: str, value: Any, line: _Line) -> None:
        entries = self.document.setdefault(table, {})
        if name in entries:
            raise TextFormError(f"'{name}' is there twice", line.number)
        entries[name] = value
        self.lines[(table, name)] = line.number

    def _param(self, line: _Line) -> None:
        line.leaf()
        for name, value in line.settings.items():
            self._put("params", name, value, line)

    def _key(self, line: _Line) -> None:
        line.leaf()
        self._put(
            "blackboard",
            line.word(1, "the key's name"),
            {"type": line.word(2, "the key's type"), **line.settings},
            line,
        )

    def _state(self, line: _Line) -> None:
        path = line.word(1, "the state's path")
        state: Document = dict(line.settings)
        self._put("states", path, state, line)
        for below in line.below:
            below.leaf()
            word = below.word(0, "the first word")
            table = {"when": "transitions", "action": "actions", "service": "services"}.get(
                word, word
            )
            entries = state.setdefault(table, [])
            if not isinstance(entries, list) or word not in (
                "when",
                "action",
                "service",
                "on_fail",
            ):
                raise TextFormError(f"'{word}' is no part of a state", below.number)
            self.lines[("states", path, table, str(len(entries)))] = below.number
            entries.append(_state_part(word, below))

    def _rule(self, line: _Line) -> None:
        line.leaf()
        rules = self.document.setdefault("rules", [])
        self.lines[("rules", str(len(rules)))] = line.number
        rule = {"id": line.word(1, "the rule's id"), "action": line.word(2, "the action")}
        rules.append({**rule, **line.settings, **_params(line)})

    def _tree(self, line: _Line) -> None:
        name = line.word(1, "the tree's name")
        if len(line.below) != 1:
            raise TextFormError("a tree has exactly one root below it", line.number)
        nodes: Document = {}
        root = self._node(name, line.below[0], nodes)
        self._put("trees", name, {"root": root, "nodes": nodes}, line)

    def _node(self, tree: str, line: _Line, nodes: Document) -> str:
        kind = line.word(0, "the node's type")
        name = line.word(1, "the node's id")
        if name in nodes:
            raise TextFormError(f"node '{name}' is there twice", line.number)
        node: Document = {"type": kind}
        nodes[name] = node
        self.lines[("trees", tree, "nodes", name)] = line.number
        node.update(line.settings)
        if kind == "action":
            node["action"] = line.word(2, "the action")
            node.update(_params(line))
        elif kind == "post_event":
            node["event"] = line.word(2, "the event")
            node.update(_params(line))
        elif kind == "subtree":
            node["tree"] = line.word(2, "the tree")
        if kind == "utility_selector":
            node["options"] = [self._option(tree, below, nodes) for below in line.below]
        elif kind in _ONE_CHILD:
            if len(line.below) != 1:
                raise TextFormError(f"'{kind}' has exactly one child", line.number)
            node["child"] = self._node(tree, line.below[0], nodes)
        elif kind in _MANY_CHILDREN:
            node["children"] = [self._node(tree, below, nodes) for below in line.below]
        else:
            line.leaf()
        return name

    def _option(self, tree: str, line: _Line, nodes: Document) -> Document:
        if line.word(0, "the first word") != "option":
            raise TextFormError("below a utility_selector stand options", line.number)
        option: Document = dict(line.settings)
        children = []
        for below in line.below:
            if below.words[0] == "consider":
                below.leaf()
                curve = {"curve": below.word(1, "the curve"), **below.settings}
                option.setdefault("considerations", []).append(curve)
            else:
                children.append(self._node(tree, below, nodes))
        if len(children) != 1:
            raise TextFormError("an option has exactly one child", line.number)
        option["child"] = children[0]
        return option


_ONE_CHILD = (
    "gate", "observer", "inverter", "force_success", "force_failure", "repeat", "retry",
    "cooldown", "timeout",
)  # fmt: skip
_MANY_CHILDREN = (
    "sequence", "reactive_sequence", "selector", "reactive_selector", "parallel",
)  # fmt: skip

_STATE_PARTS = ("when", "action", "service", "on_fail")


def _params(line: _Line) -> Document:
    return {"params": line.arguments} if line.arguments else {}


def _state_part(word: str, line: _Line) -> Document:
    if word == "when":
        return {"when": line.word(1, "the condition"), **line.settings}
    if word == "action":
        return {"action": line.word(1, "the action"), **_params(line)}
    if word == "service":
        return {"kind": line.word(1, "the service"), **line.settings}
    return dict(line.settings)


def print_text(document: Document) -> str:
    """A document as text; ``parse_text`` of it gives an equal document."""
    printer = _Printer()
    printer.document(document)
    return "\n".join(printer.lines) + "\n"


class _Printer:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def document(self, document: Document) -> None:
        head: Document = {key: document[key] for key in ("terminal", "main") if key in document}
        self._line(0, f"behaviour {document['name']} {document['kind']}", head)
        self._gap()
        for name, value in document.get("params", {}).items():
            self._line(0, f"param {name} = {_written(value)}", {})
        self._gap()
        for name, key in document.get("blackboard", {}).items():
            rest = {word: value for word, value in key.items() if word != "type"}
            self._line(0, f"key {name} {key['type']}", rest)
        for rule in document.get("rules", []):
            self._gap()
            rest = {key: rule[key] for key in rule if key not in ("id", "action", "params")}
            head_text = f"rule {rule['id']} {rule['action']}{_call(rule)}"
            self._line(0, head_text, rest)
        for path, state in document.get("states", {}).items():
            self._gap()
            self._state(path, state)
        for name, tree in document.get("trees", {}).items():
            self._gap()
            self._line(0, f"tree {name}", {})
            self._node(1, tree["root"], tree["nodes"])

    def _gap(self) -> None:
        if self.lines and self.lines[-1]:
            self.lines.append("")

    def _line(self, depth: int, head: str, settings: Document) -> None:
        rest = "".join(f" {key}={_written(value)}" for key, value in settings.items())
        self.lines.append(f"{'  ' * depth}{head}{rest}")

    def _state(self, path: str, state: Document) -> None:
        parts = ("services", "actions", "transitions", "on_fail")
        rest = {key: value for key, value in state.items() if key not in parts}
        self._line(0, f"state {path}", rest)
        for service in state.get("services", []):
            self._line(1, f"service {service['kind']}", {"every_s": service["every_s"]})
        for action in state.get("actions", []):
            self._line(1, f"action {action['action']}{_call(action)}", {})
        for rule in state.get("transitions", []):
            rest = {key: value for key, value in rule.items() if key != "when"}
            self._line(1, f"when {json.dumps(rule['when'])}", rest)
        for failure in state.get("on_fail", []):
            self._line(1, "on_fail", failure)

    def _node(self, depth: int, name: str, nodes: Document) -> None:
        node = nodes[name]
        hidden = ("type", "child", "children", "options", "params")
        heads = {"action": "action", "post_event": "event", "subtree": "tree"}
        head = f"{node['type']} {name}"
        own = heads.get(node["type"])
        if own is not None:
            head += f" {node[own]}{_call(node)}"
        rest = {key: node[key] for key in node if key not in hidden and key != own}
        self._line(depth, head, rest)
        for option in node.get("options", []):
            settings = {key: option[key] for key in option if key == "weight"}
            self._line(depth + 1, "option", settings)
            for curve in option.get("considerations", []):
                rest = {key: value for key, value in curve.items() if key != "curve"}
                self._line(depth + 2, f"consider {curve['curve']}", rest)
            self._node(depth + 2, option["child"], nodes)
        if "child" in node:
            self._node(depth + 1, node["child"], nodes)
        for child in node.get("children", []):
            self._node(depth + 1, child, nodes)


def _call(thing: Document) -> str:
    params = thing.get("params", {})
    if not params:
        return ""
    return "(" + " ".join(f"{key}={_written(value)}" for key, value in params.items()) + ")"


def _written(value: Any) -> str:
    if isinstance(value, str) and _BARE.match(value) and value not in ("true", "false"):
        return value
    return json.dumps(value)
