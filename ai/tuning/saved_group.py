"""The text of a group's file when it is saved: order and comments stay (TASK-112)."""

from __future__ import annotations

import json

Changed = dict[str, dict[str, bool | int | float | str]]


def group_text(before: str, changed: Changed) -> str:
    """The file anew, with ``changed`` by section and key in place of the values it had.

    - A key whose value is the default goes; one that is new stands last in its section.
    - Comments and blank lines stay.
    """
    left = {section: dict(values) for section, values in changed.items()}
    lines: list[str] = []
    section = ""
    for line in before.splitlines():
        stripped = line.strip()
        if stripped.startswith("["):
            _append_rest(lines, left.pop(section, {}))
            section = stripped.strip("[]").strip()
            lines.append(line)
        elif "=" in stripped and not stripped.startswith("#"):
            key = stripped.partition("=")[0].strip()
            value = left.get(section, {}).pop(key, None)
            if value is not None:
                lines.append(_line(key, value))
        else:
            lines.append(line)
    _append_rest(lines, left.pop(section, {}))
    for name, values in left.items():
        if values:
            if lines:
                lines.append("")
            lines.append(f"[{name}]")
            _append_rest(lines, values)
    return "\n".join(lines) + "\n" if lines else ""


def _append_rest(lines: list[str], values: dict[str, bool | int | float | str]) -> None:
    blank = 0
    while values and lines and not lines[-1].strip():
        lines.pop()
        blank += 1
    lines += [_line(key, value) for key, value in values.items()]
    lines += [""] * blank


def _line(key: str, value: bool | int | float | str) -> str:
    return f"{key} = {json.dumps(value)}"
