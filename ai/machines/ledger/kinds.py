"""Action kinds as ``assets/behaviour/actions.toml`` declares them (ACT-22)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, RootModel

from ai.machines.blackboard.keys import MAX_TEXT, KeyType, Value, finite
from ai.machines.errors import BadCommandError
from ai.machines.ledger.resources import BY_WORD, bits_of
from ai.machines.steps import steps
from ai.ports import EntityRef
from ai.tuning import OwnForm, load_own_form


class ConflictPolicy(StrEnum):
    """What happens to a command whose resources are taken (ACT-09)."""

    WAIT = "wait"
    REJECT = "reject"
    PREEMPT = "preempt"


@dataclass(frozen=True, slots=True)
class ParameterDefinition:
    """Type of an action's parameter and whether it may be left out."""

    type: KeyType
    optional: bool


@dataclass(frozen=True, slots=True)
class ActionKind:
    """One kind of action.

    - ``resources``: bits of all it declares; held from admission to the terminal.
    - ``staged``: takes them one by one in canonical order while it initialises.
    - ``admit_timeout``: steps after which its owner gives up waiting (ACT-06).
    - ``suspends``: is suspended when the body is lost, else revoked (ACT-17).
    """

    name: str
    resources: int
    staged: bool
    on_conflict: ConflictPolicy
    priority: int
    admit_timeout: int
    suspends: bool
    parameters: Mapping[str, ParameterDefinition]

    def __deepcopy__(self, memo: dict[int, object]) -> ActionKind:
        return self

    def check(self, params: Mapping[str, Value]) -> None:
        """Refuse a missing, unknown or wrongly typed parameter with ``BadCommandError``."""
        for name, definition in self.parameters.items():
            if name not in params:
                if definition.optional:
                    continue
                raise BadCommandError(f"action '{self.name}' needs parameter '{name}'")
            if not fits(definition.type, params[name]):
                raise BadCommandError(
                    f"action '{self.name}': parameter '{name}' = {params[name]!r} "
                    f"is not of type {definition.type.value}"
                )
        for name in params:
            if name not in self.parameters:
                known = ", ".join(self.parameters) or "none"
                raise BadCommandError(
                    f"action '{self.name}' has no parameter '{name}'; it has: {known}"
                )


def fits(key_type: KeyType, value: object) -> bool:
    """Is a value good for a parameter; an entity must be there, a number finite."""
    match key_type:
        case KeyType.BOOL:
            return type(value) is bool
        case KeyType.INT:
            return type(value) is int
        case KeyType.FLOAT:
            return _is_finite(value)
        case KeyType.VEC2:
            return (
                isinstance(value, tuple | list)
                and len(value) == 2
                and all(_is_finite(part) for part in value)
            )
        case KeyType.ENTITY:
            return isinstance(value, EntityRef)
        case _:
            return type(value) is str and len(value) <= MAX_TEXT


def _is_finite(value: object) -> bool:
    try:
        finite(value)
    except ValueError:
        return False
    return True


ResourceWord = Literal["mover", "hands", "voice", "gaze", "body"]
ParameterWord = Literal[
    "bool", "int", "float", "vec2", "str", "entity",
    "bool?", "int?", "float?", "vec2?", "str?", "entity?",
]  # fmt: skip


class ActionForm(OwnForm):
    """One table of ``actions.toml``."""

    resources: tuple[ResourceWord, ...]
    staged: bool = False
    on_conflict: Literal["wait", "reject", "preempt"] = "wait"
    priority: int = Field(ge=0, le=100)
    admit_timeout_s: float = Field(ge=0.0, le=60.0)
    on_body_loss: Literal["suspend", "revoke"] = "revoke"
    params: dict[str, ParameterWord] = Field(default_factory=dict)

    def kind(self, name: str) -> ActionKind:
        """The table as the ledger uses it."""
        return ActionKind(
            name,
            bits_of(BY_WORD[word] for word in self.resources),
            self.staged,
            ConflictPolicy(self.on_conflict),
            self.priority,
            steps(self.admit_timeout_s),
            self.on_body_loss == "suspend",
            {
                parameter: ParameterDefinition(KeyType(word.rstrip("?")), word.endswith("?"))
                for parameter, word in self.params.items()
            },
        )


KindName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class ActionsForm(RootModel[dict[KindName, ActionForm]]):
    """The whole of ``actions.toml``: one table a kind."""

    def kinds(self) -> dict[str, ActionKind]:
        """All kinds by name."""
        return {name: form.kind(name) for name, form in self.root.items()}


def load_action_kinds(path: Path) -> dict[str, ActionKind]:
    """Read ``actions.toml``; raises ``TuningError`` naming file, key and value."""
    return load_own_form(path, ActionsForm).kinds()
