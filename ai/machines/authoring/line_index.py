"""Line numbers of the places of a TOML or JSON text, for fault messages (HSM-29).

``tomllib`` and ``json`` keep no positions. This index is made for messages only: a place
that it doesn't know gets the line of the nearest place around it.
"""

from __future__ import annotations

import json
import re

Lines = dict[tuple[str, ...], int]

_HEADER = re.compile(r"^\s*\[\[?\s*(?P<path>[^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")
_ASSIGNMENT = re.compile(r"^\s*(?P<path>(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'|\s*\.\s*)+?)\s*=")
_PART = re.compile(r"[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'")


def toml_lines(text: str) -> Lines:
    """Lines of table headers, keys and the elements of arrays with one element a line."""
    lines: Lines = {}
    table: tuple[str, ...] = ()
    array: tuple[str, ...] | None = None
    elements = 0
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if array is not None:
            if stripped.startswith("]"):
                array = None
            elif stripped.startswith(("{", "[", '"')):
                lines[(*array, str(elements))] = number
                elements += 1
            continue
        header = _HEADER.match(line)
        if header is not None:
            table = _parts(header["path"])
            lines.setdefault(table, number)
            continue
        assignment = _ASSIGNMENT.match(line)
        if assignment is not None:
            place = (*table, *_parts(assignment["path"]))
            lines.setdefault(place, number)
            if stripped.endswith("["):
                array, elements = place, 0
    return lines


def _parts(path: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(path))


_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_SPACE = re.compile(r"[ \t\r\n,:]*")
_SCALAR = re.compile(r"[^\s,\]\}\[\{\"]+")


def json_lines(text: str) -> Lines:
    """Lines of every key and element of a text that ``json`` has read."""
    lines: Lines = {}
    stack: list[tuple[str, int]] = []
    path: list[str] = []
    pending_key: str | None = None
    position = _SPACE.match(text).end()  # type: ignore[union-attr]
    while position < len(text):
        sign = text[position]
        if sign in "]}":
            stack.pop()
            if path:
                path.pop()
            position += 1
        else:
            in_object = bool(stack) and stack[-1][0] == "{"
            if in_object and pending_key is None:
                match = _STRING.match(text, position)
                if match is None:
                    return lines
                pending_key = json.loads(match[0])
                lines[(*path, str(pending_key))] = text.count("\n", 0, position) + 1
                position = match.end()
            else:
                part = pending_key
                if stack and not in_object:
                    kind, count = stack[-1]
                    stack[-1] = (kind, count + 1)
                    part = str(count)
                    lines[(*path, part)] = text.count("\n", 0, position) + 1
                pending_key = None
                if sign in "[{":
                    if stack:
                        path.append(str(part))
                    stack.append((sign, 0))
                    position += 1
                else:
                    match = _STRING.match(text, position) or _SCALAR.match(text, position)
                    if match is None:
                        return lines
                    position = match.end()
        position = _SPACE.match(text, position).end()  # type: ignore[union-attr]
    return lines
