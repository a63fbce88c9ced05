"""Loading the three decision files: response tasks, response entries, decision makers (EVT-83).

All errors of all three files are collected and reported together; nothing is loaded
half. A level may bring any of the files, which then replaces the default wholly.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ai.events.decision_flags import flag_mask, flee_mask, nearest_name
from ai.events.decision_maker import (
    ENTRIES_MAX,
    MAKERS_MAX,
    PARENTS_MAX,
    UNLIMITED,
    Cooldown,
    Decision,
    DecisionMaker,
    ResponseEntry,
    ResponseTaskDef,
)
from ai.events.decision_makers import FALLBACK
from ai.events.response_kinds import KINDS, ParameterValue
from ai.events.situation import SourceKind
from ai.events.types import EventType, is_ai
from ai.tuning import OwnForm, TuningError, key_path, read_toml

TASKS_FILE: Final = "response_tasks.toml"
RESPONSES_FILE: Final = "responses.toml"
MAKERS_FILE: Final = "decision_makers.toml"
CHANCE_MAX: Final = 1000.0


class _TaskForm(BaseModel):
    """Parameters stand beside name and kind; the kind knows which."""

    model_config = ConfigDict(frozen=True, extra="allow", allow_inf_nan=False)
    name: str = Field(min_length=1)
    kind: str


class _TasksFile(OwnForm):
    response_task: list[_TaskForm]


class _CooldownForm(OwnForm):
    time_s: float = Field(gt=0.0)
    max_distance_cm: float = UNLIMITED


class _DecisionForm(OwnForm):
    task: str
    chance: float | dict[str, float]
    flags: list[str]
    distance_min_cm: float = UNLIMITED
    distance_max_cm: float = UNLIMITED
    flee_flags: list[str] = Field(default_factory=list)
    say: str = ""


class _ResponseForm(OwnForm):
    name: str = Field(min_length=1)
    event: str
    cooldown: _CooldownForm | None = None
    shared_only: bool = False
    decision: list[_DecisionForm] = Field(min_length=1)


class _ResponsesFile(OwnForm):
    response: list[_ResponseForm]


class _MakerForm(OwnForm):
    name: str = Field(min_length=1)
    parent: str = ""
    responses: list[str]


class _MakersFile(OwnForm):
    decision_maker: list[_MakerForm]


File = TypeVar("File", bound=OwnForm)


class DecisionDataError(TuningError):
    """One or more faults in the decision files; ``faults`` has a sentence for each."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class DecisionData:
    """What the files say; ``warnings`` names what is there and used by nobody."""

    tasks: dict[str, ResponseTaskDef]
    entries: dict[str, ResponseEntry]
    makers: tuple[DecisionMaker, ...]
    warnings: tuple[str, ...] = ()


class OverridingFile(NamedTuple):
    """A level's own file: how messages call it, and its text."""

    label: str
    text: str


def load_decision_data(
    folder: Path, overrides: Mapping[str, OverridingFile] | None = None
) -> DecisionData:
    """Read the three files; those that a level brings stand for the default ones.

    Raises ``DecisionDataError`` with every fault of all three.
    """
    return _Loader(folder, overrides or {}).load()


class _Loader:
    def __init__(self, folder: Path, overrides: Mapping[str, OverridingFile]) -> None:
        self._folder = folder
        self._overrides = overrides
        self._faults: list[str] = []

    def load(self) -> DecisionData:
        tasks_path, tasks_file = self._read(TASKS_FILE, _TasksFile)
        entries_path, entries_file = self._read(RESPONSES_FILE, _ResponsesFile)
        makers_path, makers_file = self._read(MAKERS_FILE, _MakersFile)
        tasks: dict[str, ResponseTaskDef] = {}
        entries: dict[str, ResponseEntry] = {}
        makers: tuple[DecisionMaker, ...] = ()
        if tasks_file is not None:
            tasks = self._tasks(tasks_path, tasks_file)
        if entries_file is not None and tasks_file is not None:
            entries = self._entries(entries_path, entries_file, tasks)
        if makers_file is not None:
            makers = self._makers(makers_path, makers_file, entries, entries_file)
        if self._faults:
            raise DecisionDataError(self._faults)
        assert entries_file is not None
        return DecisionData(
            tasks, entries, makers, tuple(_unused(tasks, entries, entries_file, makers_file))
        )

    def _read(self, name: str, form: type[File]) -> tuple[str, File | None]:
        own = self._overrides.get(name)
        path = str(self._folder / name) if own is None else own.label
        try:
            values = read_toml(self._folder / name) if own is None else tomllib.loads(own.text)
            return path, form.model_validate(values)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            self._faults.append(f"{path}: not valid TOML ({error})")
        except TuningError as error:
            self._faults.append(str(error))
        except ValidationError as error:
            for one in error.errors(include_url=False):
                self._faults.append(f"{path}: {_sentence(dict(one), form)}")
        return path, None

    def _fault(self, path: str, entry: str, key: str, why: object) -> None:
        self._faults.append(f"{path}: {entry}: key '{key}': {why}")

    def _doubled(self, path: str, names: Iterable[str]) -> None:
        for name, count in Counter(names).items():
            if count > 1:
                self._fault(path, name, "name", f"{count} entries are called {name!r}")

    # -- response tasks -----------------------------------------------------------------

    def _tasks(self, path: str, file: _TasksFile) -> dict[str, ResponseTaskDef]:
        self._doubled(path, (form.name for form in file.response_task))
        tasks = {}
        for form in file.response_task:
            info = KINDS.get(form.kind)
            if info is None:
                self._fault(
                    path, form.name, "kind",
                    f"no kind is called {form.kind!r}{nearest_name(form.kind, KINDS)}",
                )  # fmt: skip
                continue
            given: dict[str, Any] = dict(form.model_extra or {})
            parameters: dict[str, ParameterValue] = {}
            for name in given:
                if name not in info.parameters:
                    near = nearest_name(name, info.parameters)
                    self._fault(path, form.name, name, f"{form.kind} has no such parameter{near}")
            for name, parameter in info.parameters.items():
                value = given.get(name, parameter.default)
                if value is None:
                    self._fault(path, form.name, name, f"{form.kind} needs it")
                    continue
                try:
                    parameters[name] = parameter.check(name, value)
                except ValueError as error:
                    self._fault(path, form.name, name, error)
            tasks[form.name] = ResponseTaskDef(form.name, form.kind, info, parameters)
        return tasks

    # -- response entries ---------------------------------------------------------------

    def _entries(
        self, path: str, file: _ResponsesFile, tasks: dict[str, ResponseTaskDef]
    ) -> dict[str, ResponseEntry]:
        self._doubled(path, (form.name for form in file.response))
        entries = {}
        for form in file.response:
            event_type = EventType.__members__.get(form.event)
            if event_type is None or not is_ai(event_type):
                near = nearest_name(form.event, EventType.__members__)
                self._fault(path, form.name, "event", f"no event is called {form.event!r}{near}")
                continue
            decisions = [
                made
                for index, one in enumerate(form.decision)
                if (made := self._decision(path, f"{form.name}.decision[{index}]", one, tasks))
            ]
            cooldown = None
            if form.cooldown is not None:
                squared = self._squared(
                    path, form.name, "max_distance_cm", form.cooldown.max_distance_cm
                )
                cooldown = Cooldown(round(form.cooldown.time_s * 60), squared)
            entries[form.name] = ResponseEntry(
                form.name, event_type, tuple(decisions), cooldown, form.shared_only
            )
        return entries

    def _decision(
        self, path: str, where: str, form: _DecisionForm, tasks: dict[str, ResponseTaskDef]
    ) -> Decision | None:
        before = len(self._faults)
        task = tasks.get(form.task)
        if task is None:
            near = nearest_name(form.task, tasks)
            self._fault(path, where, "task", f"no response task is called {form.task!r}{near}")
        elif task.info.code_only:
            self._fault(path, where, "task", f"{task.kind} is for code alone, not for decisions")
        chances = self._chances(path, where, form.chance)
        flags = flee_flags = 0
        try:
            flags = flag_mask(form.flags)
        except ValueError as error:
            self._fault(path, where, "flags", error)
        try:
            flee_flags = flee_mask(form.flee_flags)
        except ValueError as error:
            self._fault(path, where, "flee_flags", error)
        low, high = form.distance_min_cm, form.distance_max_cm
        if low >= 0.0 and high >= 0.0 and low > high:
            self._fault(path, where, "distance_min_cm", f"{low:g} is above the maximum {high:g}")
        minimum = self._squared(path, where, "distance_min_cm", low)
        maximum = self._squared(path, where, "distance_max_cm", high)
        if len(self._faults) > before or task is None:
            return None
        return Decision(task, chances, flags, minimum, maximum, flee_flags, form.say)

    def _chances(
        self, path: str, where: str, chance: float | dict[str, float]
    ) -> dict[SourceKind, float]:
        known = {kind.value: kind for kind in SourceKind}
        table = chance if isinstance(chance, dict) else dict.fromkeys(known, chance)
        chances = {}
        for name, value in table.items():
            if name not in known:
                near = nearest_name(name, known)
                self._fault(path, where, f"chance.{name}", f"no source kind{near}")
            elif not 0.0 <= value <= CHANCE_MAX:
                self._fault(path, where, "chance", f"{value} must be within 0 and {CHANCE_MAX:g}")
            else:
                chances[known[name]] = float(value)
        return chances

    def _squared(self, path: str, where: str, key: str, distance: float) -> float:
        """Squared once; -1 means unlimited and stays -1 (EVT-76)."""
        if distance == UNLIMITED:
            return UNLIMITED
        if distance < 0.0:
            self._fault(path, where, key, f"{distance:g} is negative; -1 means unlimited")
        return distance * distance

    # -- decision makers ----------------------------------------------------------------

    def _makers(
        self,
        path: str,
        file: _MakersFile,
        entries: dict[str, ResponseEntry],
        entries_file: _ResponsesFile | None,
    ) -> tuple[DecisionMaker, ...]:
        forms = {form.name: form for form in file.decision_maker}
        self._doubled(path, (form.name for form in file.decision_maker))
        if FALLBACK not in forms:
            self._fault(path, FALLBACK, "name", "there must be one; others fall back to it")
        if len(forms) > MAKERS_MAX:
            self._fault(path, "all", "name", f"{len(forms)} makers, at most {MAKERS_MAX}")
        known = set() if entries_file is None else {one.name for one in entries_file.response}
        for form in forms.values():
            for name in form.responses:
                if name not in known:
                    near = nearest_name(name, known)
                    self._fault(path, form.name, "responses", f"no entry is called {name!r}{near}")
            if len(form.responses) > ENTRIES_MAX:
                self._fault(
                    path, form.name, "responses",
                    f"{len(form.responses)} entries, at most {ENTRIES_MAX}",
                )  # fmt: skip
            self._check_parents(path, form, forms)
        if self._faults:
            return ()
        built: dict[str, DecisionMaker] = {}
        return tuple(_build(form, forms, entries, built) for form in forms.values())

    def _check_parents(self, path: str, form: _MakerForm, forms: dict[str, _MakerForm]) -> None:
        chain = [form.name]
        while forms[chain[-1]].parent:
            parent = forms[chain[-1]].parent
            if parent not in forms:
                near = nearest_name(parent, forms)
                if chain[-1] == form.name:
                    self._fault(path, form.name, "parent", f"no maker is called {parent!r}{near}")
                return
            chain.append(parent)
            if parent in chain[:-1]:
                if parent == form.name:
                    self._fault(path, form.name, "parent", f"a circle: {' → '.join(chain)}")
                return
        if len(chain) - 1 > PARENTS_MAX:
            self._fault(
                path, form.name, "parent", f"{len(chain) - 1} parents, at most {PARENTS_MAX}"
            )


def _build(
    form: _MakerForm,
    forms: dict[str, _MakerForm],
    entries: dict[str, ResponseEntry],
    built: dict[str, DecisionMaker],
) -> DecisionMaker:
    maker = built.get(form.name)
    if maker is None:
        parent = _build(forms[form.parent], forms, entries, built) if form.parent else None
        maker = DecisionMaker(form.name, [entries[name] for name in form.responses], parent)
        built[form.name] = maker
    return maker


def _unused(
    tasks: dict[str, ResponseTaskDef],
    entries: dict[str, ResponseEntry],
    entries_file: _ResponsesFile,
    makers_file: _MakersFile | None,
) -> list[str]:
    used_tasks = {one.task for form in entries_file.response for one in form.decision}
    used_entries = (
        set()
        if makers_file is None
        else {name for form in makers_file.decision_maker for name in form.responses}
    )
    warnings = [f"response task {name!r} is used by no entry" for name in tasks
                if name not in used_tasks]  # fmt: skip
    warnings += [
        f"response {name!r} is named by no decision maker"
        for name in entries
        if name not in used_entries
    ]
    return warnings


_KEYS: Final = (_ResponseForm, _DecisionForm, _CooldownForm, _MakerForm, _TaskForm)


def _sentence(error: dict[str, Any], form: type[OwnForm]) -> str:
    where = key_path(error["loc"])
    if error["type"] == "missing":
        return f"key '{where}' is missing"
    if error["type"] == "extra_forbidden":
        known = list(form.model_fields)
        for one in _KEYS:
            known += one.model_fields
        return f"key '{where}' is unknown{nearest_name(str(error['loc'][-1]), known)}"
    return f"key '{where}' = {error['input']!r}: {error['msg']}"
