"""Action and event parameters of a file, checked against ``actions.toml`` (HSM-29)."""

from __future__ import annotations

from collections.abc import Mapping

from ai.machines.authoring.fault_report import FaultReport, nearest
from ai.machines.authoring.key_compiler import in_radians
from ai.machines.authoring.schema import Constant, Setting
from ai.machines.blackboard.keys import NUMBERS, BoardLayout, KeyType, Value
from ai.machines.ledger.kinds import ActionKind, fits
from ai.machines.parameters import ActionSpec, Parameter, Source

Place = tuple[str | int, ...]


class ParameterCompiler:
    """Compiles parameters against a file's keys and constants."""

    def __init__(
        self,
        layout: BoardLayout,
        params: Mapping[str, Constant],
        kinds: Mapping[str, ActionKind],
        report: FaultReport,
    ) -> None:
        self._layout = layout
        self._params = params
        self._kinds = kinds
        self._report = report

    def action(
        self,
        name: str,
        settings: Mapping[str, Setting],
        place: Place,
        scratch: Mapping[str, KeyType],
    ) -> ActionSpec:
        """An action with its parameters."""
        kind = self._kinds.get(name)
        if kind is None:
            self._report.add(
                (*place, "action"), f"unknown action '{name}'{nearest(name, self._kinds)}"
            )
            return ActionSpec(name)
        compiled = self.parameters(settings, (*place, "params"), scratch)
        self._check(kind, settings, compiled, (*place, "params"), scratch)
        return ActionSpec(name, compiled)

    def _check(
        self,
        kind: ActionKind,
        settings: Mapping[str, Setting],
        compiled: tuple[Parameter, ...],
        place: Place,
        scratch: Mapping[str, KeyType],
    ) -> None:
        for name, definition in kind.parameters.items():
            if name not in settings and not definition.optional:
                self._report.add(place, f"action '{kind.name}' needs '{name}'")
        for parameter in compiled:
            wanted = kind.parameters.get(parameter.name)
            if wanted is None:
                self._report.add(
                    (*place, parameter.name),
                    f"action '{kind.name}' has no such parameter"
                    f"{nearest(parameter.name, kind.parameters)}",
                )
            elif not self._matches(wanted.type, parameter, scratch):
                self._report.add(
                    (*place, parameter.name),
                    f"{settings[parameter.name]!r} is not of type {wanted.type.value}",
                )

    def _matches(
        self, wanted: KeyType, parameter: Parameter, scratch: Mapping[str, KeyType]
    ) -> bool:
        if parameter.source is Source.LITERAL:
            return fits(wanted, parameter.value)
        if parameter.source is Source.KEY:
            given = self._layout.keys[parameter.slot].type
        else:
            given = scratch[str(parameter.value)]
        if wanted is KeyType.FLOAT:
            return given in NUMBERS
        texts = (KeyType.STR, KeyType.ENUM)
        return given is wanted or (given in texts and wanted in texts)

    def parameters(
        self, settings: Mapping[str, Setting], place: Place, scratch: Mapping[str, KeyType]
    ) -> tuple[Parameter, ...]:
        """All parameters; an unknown key or constant is noted and left out."""
        found = []
        for name, setting in settings.items():
            parameter = self.parameter(name, setting, (*place, name), scratch)
            if parameter is not None:
                found.append(parameter)
        return tuple(found)

    def parameter(
        self, name: str, setting: Setting, place: Place, scratch: Mapping[str, KeyType]
    ) -> Parameter | None:
        """One parameter: ``"$key"``, ``"@name"``, ``"%scratch"`` or a literal."""
        if isinstance(setting, str) and setting[:1] in ("$", "@", "%"):
            return self._reference(name, setting[0], setting[1:], place, scratch)
        value: Value
        if isinstance(setting, list):
            if len(setting) != 2:
                self._report.add(place, "a list must be a point of two numbers")
                return None
            value = (float(setting[0]), float(setting[1]))
        else:
            value = in_radians(name, setting)
        return Parameter(name, Source.LITERAL, value)

    def _reference(
        self, name: str, mark: str, word: str, place: Place, scratch: Mapping[str, KeyType]
    ) -> Parameter | None:
        if mark == "$" and word in self._layout.slots:
            return Parameter(name, Source.KEY, None, self._layout.slots[word])
        if mark == "@" and word in self._params:
            return Parameter(name, Source.LITERAL, self._params[word])
        if mark == "%" and word in scratch:
            return Parameter(name, Source.SCRATCH, word)
        known = {"$": list(self._layout.slots), "@": list(self._params), "%": list(scratch)}[mark]
        home = {"$": "declared in [blackboard]", "@": "in [params]", "%": "set in this tree"}[mark]
        self._report.add(place, f"'{mark}{word}' is not {home}{nearest(word, known)}")
        return None

    def type_of(self, parameter: Parameter, scratch: Mapping[str, KeyType]) -> KeyType | None:
        """Type of what a parameter reads."""
        if parameter.source is Source.KEY:
            return self._layout.keys[parameter.slot].type
        if parameter.source is Source.SCRATCH:
            return scratch.get(str(parameter.value))
        kinds: dict[type, KeyType] = {
            bool: KeyType.BOOL, int: KeyType.INT, float: KeyType.FLOAT, str: KeyType.STR,
            tuple: KeyType.VEC2,
        }  # fmt: skip
        return kinds.get(type(parameter.value))
