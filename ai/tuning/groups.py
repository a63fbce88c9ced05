"""Groups of tunables and the files they lie in (TASK-110)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

DEV_SUFFIX = "_dev"
"""Groups marked dev-only lie in a folder of this ending beside the shipped one."""


@dataclass(frozen=True, slots=True)
class TuningGroup:
    """One group: one file, one section a set.

    - ``toml_only``: a ``.json`` file may not stand in for it.
    - ``dev_only``: its file is not part of what is shipped.
    """

    name: str
    toml_only: bool = False
    dev_only: bool = False

    @property
    def stem(self) -> str:
        """File name without its ending: lower case, spaces removed."""
        return self.name.lower().replace(" ", "")

    def folder(self, tuning_folder: Path) -> Path:
        """Where its file lies, given the folder of the shipped ones."""
        if not self.dev_only:
            return tuning_folder
        return tuning_folder.with_name(tuning_folder.name + DEV_SUFFIX)


PHYSICS_GROUP = "Physics Tasks"

_groups: dict[str, TuningGroup] = {}


def declare_group(name: str, *, toml_only: bool = False, dev_only: bool = False) -> TuningGroup:
    """Add a group, before the sets that belong to it.

    Raises ``TypeError`` if there is one of that name or that file already.
    """
    group = TuningGroup(name, toml_only, dev_only)
    for other in _groups.values():
        if group.stem == other.stem:
            raise TypeError(
                f"tuning group {name!r}: {other.name!r} has the file {other.stem} already"
            )
    _groups[name] = group
    return group


def group_named(name: str) -> TuningGroup | None:
    """The group of a name, or None."""
    return _groups.get(name)


def group_stems() -> frozenset[str]:
    """File names of all groups, without their endings."""
    return frozenset(group.stem for group in _groups.values())


for _name in (
    "Combat Tasks",
    "Motion Tasks",
    "Response Tasks",
    "Movement Tasks",
    "Scenario Tasks",
    "Vehicle Tasks",
    PHYSICS_GROUP,
    "Shocking Events",
):
    declare_group(_name)
for _name in ("Animation Tasks", "Damage Events", "Leader Events"):
    declare_group(_name, toml_only=True)
