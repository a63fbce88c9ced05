"""The tunables of a process: loading, reloading, saving and overlays (TASK-111 to TASK-113).

Values change in place and between steps alone: whoever holds a set sees the new ones at
its next read. A group changes as a whole or not at all.
"""

from __future__ import annotations

import json
import logging
import zlib
from pathlib import Path
from typing import Any, Final

from ai.tuning.errors import TuningError
from ai.tuning.groups import PHYSICS_GROUP, TuningGroup, group_named
from ai.tuning.laid_over import effective
from ai.tuning.own_form import read_toml
from ai.tuning.saved_group import group_text
from ai.tuning.tunable_set import TunableSet, Value

_log = logging.getLogger(__name__)

PHYSICS_SECTIONS: Final = ("flinch", "shot", "grab", "jump_roll", "simple", "brace")
"""All that an extra physics set may contain (TASK-113)."""

PHYSICS_SETS: Final = "physicssets"
"""Folder of the extra physics sets, below the tuning folder."""

Values = dict[TunableSet, dict[str, Value]]


class ReloadRefused(Exception):
    """Tunables may not change now: the run is recorded or headless (TASK-112)."""


class TuningManager:
    """All sets by group and section.

    - Nothing is read before ``initialise``; until then, and without a file, defaults hold.
    - ``allows_reload`` is set by whoever plays live, in debug mode alone.
    """

    def __init__(self) -> None:
        self.allows_reload = False
        self._sets: dict[str, dict[str, TunableSet]] = {}
        self._sections_by_id: dict[int, str] = {}
        self._folder: Path | None = None
        self._physics_folder: Path | None = None
        self._overlays: list[str] = []

    # -- sets ---------------------------------------------------------------------------

    def register(self, tunables: TunableSet) -> None:
        """Take in a set when its class is created; after the start it is loaded at once.

        Raises ``TypeError`` if its name or the hash of its name is taken.
        """
        section = tunables.section
        number = set_id(section)
        other = self._sections_by_id.get(number)
        if other is not None:
            raise TypeError(
                f"{section}.Tunables: its id {number:#010x} is that of {other}.Tunables"
            )
        self._sections_by_id[number] = section
        self._sets.setdefault(tunables.group, {})[section] = tunables
        if self._folder is not None:
            try:
                self.load_from_assets(tunables.group)
            except TuningError as error:
                _log.error("%s", error)

    def groups(self) -> tuple[TuningGroup, ...]:
        """The groups that have sets, in the order in which they got their first."""
        return tuple(group for name in self._sets if (group := group_named(name)) is not None)

    def sets(self, group: str) -> tuple[TunableSet, ...]:
        """The sets of a group in order of declaration."""
        return tuple(self._sets.get(group, {}).values())

    # -- loading ------------------------------------------------------------------------

    def initialise(self, folder: Path, physics_folder: Path | None = None) -> tuple[str, ...]:
        """Read every group; returns a sentence for each that was refused and keeps its values.

        ``physics_folder`` holds the file of the physics group instead of ``folder``.
        """
        self._folder = folder
        self._physics_folder = physics_folder
        self._overlays.clear()
        refusals: list[str] = []
        for name in self._sets:
            try:
                self.load_from_assets(name)
            except TuningError as error:
                _log.error("%s", error)
                refusals.append(str(error))
        return tuple(refusals)

    def load_from_assets(self, group: str) -> None:
        """Read a group's file, discarding edits; overlays stay on.

        Raises ``TuningError`` naming file, section, key, value and what is allowed;
        the whole group keeps its values then.
        """
        values = {one: one.defaults() for one in self.sets(group)}
        path = self.path_of(group)
        if path is None:
            _log.info("tuning group %s: no file, defaults hold", group)
        else:
            sections = _read(path)
            for section in sections:
                if section not in self._sets[group]:
                    raise TuningError(
                        f"{path}: section '{section}' is unknown; "
                        f"must be one of {', '.join(self._sets[group])}"
                    )
            for one in self.sets(group):
                if one.section not in sections:
                    _log.info("%s: no section '%s', defaults hold", path, one.section)
                values[one].update(_checked(path, one.section, one, sections.get(one.section, {})))
        if group == PHYSICS_GROUP:
            self._overlay(values, self._overlays)
        self._put(values, f"{group}: {path}")

    def reload(self, group: str) -> None:
        """Read a group's file again while playing, between two steps (TASK-112).

        Raises ``ReloadRefused`` in a recorded or headless run, ``TuningError`` for a
        file that can't be used; the old values stay.
        """
        if not self.allows_reload:
            raise ReloadRefused("tunables are reloaded in 'play --debug' alone")
        self.load_from_assets(group)

    def path_of(self, group: str) -> Path | None:
        """The file of a group, None if there is none.

        Raises ``TuningError`` if there are two, or if it may not be JSON and is.
        """
        found = group_named(group)
        assert found is not None
        folder = self._folder
        if group == PHYSICS_GROUP and self._physics_folder is not None:
            folder = self._physics_folder
        if folder is None:
            return None
        base = found.folder(folder) / found.stem
        toml, as_json = (effective(base.with_suffix(ending)) for ending in (".toml", ".json"))
        if as_json.exists():
            if toml.exists():
                raise TuningError(f"{toml} and {as_json}: one group has one file; remove one")
            if found.toml_only:
                raise TuningError(f"{as_json}: the group {group} is TOML only; write {toml.name}")
            return as_json
        return toml if toml.exists() else None

    # -- editing and saving ---------------------------------------------------------------

    def edit(self, group: str, section: str, key: str, value: object) -> None:
        """Change one value until the next load.

        Raises ``ReloadRefused`` as ``reload`` does, ``TuningError`` for a value that is
        not allowed.
        """
        if not self.allows_reload:
            raise ReloadRefused("tunables are edited in 'play --debug' alone")
        one = self._sets[group][section]
        self._put({one: _checked(Path("edit"), section, one, {key: value})}, f"{section}.{key}")

    def save(self, group: str) -> Path:
        """Write the values that differ from their defaults; returns the file.

        What the file has keeps its order and its comments. Raises ``TuningError``
        before ``initialise``, and for a group whose file is JSON.
        """
        found, folder = group_named(group), self._folder
        if found is None or folder is None:
            raise TuningError(f"tuning group {group}: nothing was loaded, so nothing is saved")
        path = self.path_of(group) or (found.folder(folder) / f"{found.stem}.toml")
        if path.suffix != ".toml":
            raise TuningError(f"{path}: only TOML is written; turn the file into TOML first")
        changed = {
            one.section: {
                key: value for key, value in one.values().items() if value != one.defaults()[key]
            }
            for one in self.sets(group)
        }
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text(group_text(before, changed), encoding="utf-8")
        return path

    # -- extra physics sets (TASK-113) ----------------------------------------------------

    @property
    def physics_sets(self) -> tuple[str, ...]:
        """The extra physics sets that are on, in the order in which they were appended."""
        return tuple(self._overlays)

    def append_physics_set(self, name: str) -> None:
        """Lay ``physicssets/<name>.toml`` over the physics group and what lies on it.

        Raises ``TuningError``, nothing changed, for one that is on already or can't be used.
        """
        if name in self._overlays:
            raise TuningError(f"physics set '{name}' is on already; revert it first")
        self._lay([*self._overlays, name])

    def revert_physics_set(self, name: str) -> None:
        """Take one away: values are as if it had never been appended.

        Raises ``TuningError``, nothing changed, for one that is not on.
        """
        if name not in self._overlays:
            raise TuningError(f"physics set '{name}' is not on; there are: {self._overlays}")
        self._lay([other for other in self._overlays if other != name])

    def _lay(self, overlays: list[str]) -> None:
        before = self._overlays
        self._overlays = overlays
        try:
            self.load_from_assets(PHYSICS_GROUP)
        except TuningError:
            self._overlays = before
            raise

    def _overlay(self, values: Values, names: list[str]) -> None:
        by_section = {one.physics: one for one in values if one.physics}
        for name in names:
            if self._folder is None:
                raise TuningError(f"physics set '{name}': nothing was loaded yet")
            path = effective(self._folder / PHYSICS_SETS / f"{name}.toml")
            for section, content in _read(path).items():
                if section not in PHYSICS_SECTIONS or section not in by_section:
                    allowed = [each for each in PHYSICS_SECTIONS if each in by_section]
                    raise TuningError(
                        f"{path}: section '{section}' is unknown; must be one of "
                        f"{', '.join(allowed) or 'none, no class has one yet'}"
                    )
                one = by_section[section]
                values[one].update(_checked(path, section, one, content))

    # -- details --------------------------------------------------------------------------

    def _put(self, values: Values, what: str) -> None:
        """Take all over; if a set can't finalise all are as they were."""
        before = {one: one.values() for one in values}
        try:
            for one, new in values.items():
                one.put(new)
        except Exception as error:
            for one, old in before.items():
                one.put(old)
            raise TuningError(
                f"{what}: finalize() raised {error!r}; the old values stay"
            ) from error


def set_id(section: str) -> int:
    """Number of a set, the same in every process: CRC-32 of ``<Class>.Tunables`` (TASK-109)."""
    return zlib.crc32(f"{section}.Tunables".encode())


def _read(path: Path) -> dict[str, dict[str, Any]]:
    if path.suffix == ".json":
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise TuningError(f"{path}: not valid JSON ({error})") from error
    else:
        data = read_toml(path)
    if not isinstance(data, dict):
        raise TuningError(f"{path}: must have sections")
    for section, content in data.items():
        if not isinstance(content, dict):
            raise TuningError(f"{path}: key '{section}' stands in no section; write [{section}]")
    return data


def _checked(
    path: Path, section: str, one: TunableSet, content: dict[str, Any]
) -> dict[str, Value]:
    specs = type(one).specs
    values: dict[str, Value] = {}
    for key, raw in content.items():
        if key not in specs:
            raise TuningError(
                f"{path}: key '{section}.{key}' is unknown; must be one of {', '.join(specs)}"
            )
        try:
            values[key] = specs[key].read(raw)
        except ValueError as error:
            raise TuningError(f"{path}: key '{section}.{key}' = {raw!r}: {error}") from error
    return values


tuning_manager = TuningManager()
"""The one manager of a process: classes register with it when they are created."""
