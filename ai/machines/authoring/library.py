"""All behaviour files of a folder, and their reload while playing (ACT-23, ACT-26)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ai.machines.authoring.behaviour import Behaviour
from ai.machines.authoring.fault_report import BehaviourError, FileFault
from ai.machines.authoring.loader import SUFFIXES, load_behaviour
from ai.machines.authoring.registry import BehaviourRegistry
from ai.machines.authoring.schema import Constant
from ai.machines.brain import Brain
from ai.machines.errors import BlackboardError

KINDS_FILE = "actions.toml"


class BehaviourLibrary:
    """Behaviours by name; a file that doesn't load never replaces one that did.

    Shared keys must be declared alike in every file (BB-12).
    """

    def __init__(
        self,
        registry: BehaviourRegistry,
        overrides: Mapping[str, Mapping[str, Constant]] | None = None,
    ) -> None:
        self.registry = registry
        self.behaviours: dict[str, Behaviour] = {}
        self._overrides = overrides or {}
        self._files: dict[str, Path] = {}

    def load_folder(self, folder: Path) -> None:
        """Load every behaviour file; raises ``BehaviourError`` with the faults of all of them."""
        faults: list[FileFault] = []
        for path in sorted(folder.iterdir()):
            if path.suffix in SUFFIXES and path.name != KINDS_FILE:
                try:
                    self.load(path)
                except BehaviourError as error:
                    faults.extend(error.faults)
        if faults:
            raise BehaviourError(faults)

    def load(self, path: Path) -> Behaviour:
        """Load or reload one file; raises ``BehaviourError`` and keeps the old one."""
        made = load_behaviour(path, self.registry, self._overrides)
        other = self._files.get(made.name, path)
        if other != path:
            raise BehaviourError([FileFault(str(path), 0, "name", f"is that of {other} too")])
        self._check_shared(made, path)
        self.behaviours[made.name] = made
        self._files[made.name] = path
        return made

    def paths(self) -> tuple[Path, ...]:
        """The files that behaviours were loaded from, in name order."""
        return tuple(self._files[name] for name in sorted(self._files))

    def _check_shared(self, made: Behaviour, path: Path) -> None:
        for name, behaviour in self.behaviours.items():
            if name == made.name:
                continue
            for key in made.layout.keys:
                slot = behaviour.layout.slots.get(key.name)
                other = behaviour.layout.keys[slot] if slot is not None else None
                if other is not None and other != key and (key.shared or other.shared):
                    raise BehaviourError([
                        FileFault(
                            str(path), 0, f"blackboard.{key.name}",
                            f"is shared and declared differently in {self._files[name]}; "
                            "declare it alike in both",
                        )
                    ])  # fmt: skip

    def replace(self, brain: Brain, made: Behaviour) -> None:
        """Give a living ped the new behaviour, carrying over intent alone (ACT-26).

        - Old commands are closed and every entered state and node gets its one exit.
        - Kept: the blackboard (keys that are still declared alike), the latest target, the
          error flag, cooldowns, random stream and counters. A target that is gone becomes
          ``terminal``.
        - Raises ``BlackboardError`` if the keys differ: those of a living ped can't change.
        """
        if made.layout != brain.board.layout:
            raise BlackboardError(
                f"'{made.name}' declares other keys than before; restart the level to use it"
            )
        brain.carry_over(made.mind)
