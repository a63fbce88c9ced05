"""``[params]`` and ``[blackboard]`` of a file (BB-01, BB-06)."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ai.machines.authoring.fault_report import FaultReport, nearest
from ai.machines.authoring.schema import BehaviourForm, Constant, KeyForm
from ai.machines.blackboard.keys import (
    MAX_KEYS,
    NUMBERS,
    BoardLayout,
    KeyDefinition,
    KeyType,
    Value,
)


def compile_params(
    form: BehaviourForm, overrides: Mapping[str, Constant], report: FaultReport
) -> dict[str, Constant]:
    """Constants, overridden by the tuning file, degrees turned to radians (``_deg``)."""
    params = dict(form.params)
    for name, value in overrides.items():
        if name not in params:
            report.add(
                ("params", name),
                f"the tuning file overrides it, but it is not there{nearest(name, params)}",
            )
        elif _word(value) != _word(params[name]):
            report.add(
                ("params", name),
                f"is of type {_word(params[name])}, but the tuning file says {value!r}",
            )
        else:
            params[name] = value
    return {name: in_radians(name, value) for name, value in params.items()}


def _word(value: Constant) -> str:
    if isinstance(value, bool):
        return "bool"
    return "number" if isinstance(value, int | float) else "str"


def in_radians(name: str, value: Constant) -> Constant:
    """Degrees exist in data only (product.md section 2)."""
    if name.endswith("_deg") and not isinstance(value, bool | str):
        return math.radians(value)
    return value


def compile_layout(form: BehaviourForm, report: FaultReport) -> BoardLayout:
    """The declared keys."""
    if len(form.blackboard) > MAX_KEYS:
        report.add(("blackboard",), f"{len(form.blackboard)} keys; a ped has at most {MAX_KEYS}")
        return BoardLayout((), report.file)
    keys = [_key(name, key, report) for name, key in form.blackboard.items()]
    return BoardLayout(keys, report.file)


def _key(name: str, form: KeyForm, report: FaultReport) -> KeyDefinition:
    place = ("blackboard", name)
    key_type = KeyType(form.type)
    values = tuple(form.values)
    if (key_type is KeyType.ENUM) != bool(values):
        report.add(place, "'values' belongs to type enum, which must have it")
        values = ("none",)
    if key_type not in NUMBERS and (form.min is not None or form.max is not None):
        report.add(place, "'min' and 'max' belong to int and float")
    if form.epsilon and key_type not in (KeyType.FLOAT, KeyType.VEC2):
        report.add(place, "'epsilon' belongs to float and vec2")
    if form.min is not None and form.max is not None and form.min > form.max:
        report.add(place, f"'min' {form.min} is above 'max' {form.max}")
    degrees = name.endswith("_deg") and key_type is KeyType.FLOAT
    scale = math.radians(1.0) if degrees else 1.0
    bounds = [None if bound is None else bound * scale for bound in (form.min, form.max)]
    plain = KeyDefinition(
        name, key_type, None, bounds[0], bounds[1], form.epsilon * scale, values, form.shared
    )
    default: Value = KeyDefinition.default_of(key_type, values or ("none",))
    if form.default is not None:
        given = form.default
        if isinstance(given, int | float) and not isinstance(given, bool) and degrees:
            given = given * scale
        try:
            default = plain.checked(given)
        except ValueError as error:
            report.add(place, f"the default {form.default!r} {error}")
    elif key_type is not KeyType.ENTITY:
        try:
            default = plain.checked(default)
        except ValueError as error:
            report.add(place, f"has no default, and {default!r} {error}")
    return KeyDefinition(
        name, key_type, default, bounds[0], bounds[1], form.epsilon * scale, values, form.shared
    )
