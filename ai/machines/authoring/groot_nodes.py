"""Which node of ours is which of BehaviorTree.CPP v4, attribute by attribute.

Where the library has the same node, its name is used, so that Groot2 draws it as its own.
Ours alone are written as custom nodes and declared in ``TreeNodesModel``: Groot2 shows and
edits them like any plugin.
"""

from __future__ import annotations

import re
from typing import Any

Node = dict[str, Any]

SAME_COMPOSITES = {
    "sequence": "Sequence",
    "reactive_sequence": "ReactiveSequence",
    "selector": "Fallback",
    "reactive_selector": "ReactiveFallback",
}
SAME_DECORATORS = {
    "inverter": "Inverter", "force_success": "ForceSuccess", "force_failure": "ForceFailure",
}  # fmt: skip
SAME_LEAVES = {"succeed": "AlwaysSuccess", "fail": "AlwaysFailure"}

OWN_NODES = {
    "BackgroundParallel": ("Control", ()),
    "UtilitySelector": (
        "Control", ("options", "min_score", "inertia", "rescore_s", "least_run_s", "pick"),
    ),
    "Observer": ("Decorator", ("when", "abort", "notify")),
    "RepeatUntil": ("Decorator", ("count", "until")),
    "RetryAfter": ("Decorator", ("count", "delay_s")),
    "Cooldown": ("Decorator", ("seconds", "from", "on_cancel")),
    "WaitForever": ("Action", ()),
    "SetKey": ("Action", ("key", "op", "value", "modulo")),
    "PostEvent": ("Action", ("event",)),
}  # fmt: skip
"""Custom nodes that stand for ours: Groot2's kind of node, and the ports."""

_CPP_WORDS = (("&&", " and "), ("||", " or "))
_STRING_OR_OTHER = re.compile(r"'[^']*'|\"[^\"]*\"|[^'\"]+")


def to_script(condition: str) -> str:
    """Our condition as a script of the library: ``&&``, ``||``, ``!``; strings in quotes stay."""

    def part(match: re.Match[str]) -> str:
        text = match[0]
        if text[0] in "'\"":
            return text
        text = re.sub(r"\band\b", "&&", text)
        text = re.sub(r"\bor\b", "||", text)
        return re.sub(r"\bnot\b\s*", "!", text)

    return _STRING_OR_OTHER.sub(part, condition)


def from_script(script: str) -> str:
    """A script's condition in our words."""

    def part(match: re.Match[str]) -> str:
        text = match[0]
        if text[0] in "'\"":
            return text
        for sign, word in _CPP_WORDS:
            text = text.replace(sign, word)
        text = re.sub(r"!(?!=)", " not ", text)
        return re.sub(r"[ \t\r\n]+", " ", text)

    return _STRING_OR_OTHER.sub(part, script).strip()


def to_port(value: object) -> str:
    """A parameter as a port: ``$key`` becomes ``{key}``, a point ``x;y``."""
    if isinstance(value, str):
        return f"{{{value[1:]}}}" if value.startswith("$") else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ";".join(str(float(part)) for part in value)
    return str(value)


_INTEGER = re.compile(r"^-?\d+$")
_FLOAT = re.compile(r"^-?\d+(\.\d+)?([eE][+-]?\d+)?$")


def from_port(text: str) -> object:
    """A port as a parameter."""
    if len(text) > 2 and text[0] == "{" and text[-1] == "}":
        return "$" + text[1:-1]
    if text in ("true", "false"):
        return text == "true"
    if _INTEGER.match(text):
        return int(text)
    if _FLOAT.match(text):
        return float(text)
    parts = text.split(";")
    if len(parts) == 2 and all(_FLOAT.match(part) for part in parts):
        return [float(part) for part in parts]
    return text
