"""The form of a behaviour file, the same for TOML, JSON and text (HSM-28).

Only what can be said of one value alone is checked here; links between values are
the compilers' part.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Name = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,63}$")]
ScratchName = Annotated[str, Field(pattern=r"^%?[A-Za-z_][A-Za-z0-9_]{0,63}$")]
StatePath = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_/]{0,255}$")]
Text = Annotated[str, Field(max_length=1024)]
Constant: TypeAlias = bool | int | float | str
Setting: TypeAlias = bool | int | float | Text | list[float]
Params: TypeAlias = dict[Name, Setting]
Seconds = Annotated[float, Field(ge=0.0, le=86_400.0)]


def _no_truth(value: object) -> object:
    """A bool is no number (BB-01); a literal 1 alone would take ``true`` as well."""
    if isinstance(value, bool):
        raise ValueError("a number is wanted")
    return value


class Form(BaseModel):
    """Base of all forms: frozen, no unknown keys, no conversions between types."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, strict=True)


class KeyForm(Form):
    """``[blackboard]`` entry (BB-01)."""

    type: Literal["bool", "int", "float", "vec2", "str", "enum", "entity"]
    default: Setting | None = None
    min: float | None = None
    max: float | None = None
    epsilon: float = Field(0.0, ge=0.0)
    values: list[Name] = Field(default_factory=list, max_length=64)
    shared: bool = False


class ActionUseForm(Form):
    """An action of a standalone state."""

    action: Name
    params: Params = Field(default_factory=dict)


class ServiceForm(Form):
    """A service of an inner state."""

    kind: Name
    every_s: float = Field(gt=0.0, le=3600.0)


class TransitionForm(Form):
    """A transition rule."""

    when: Text
    to: StatePath
    priority: int = Field(0, ge=-1_000_000, le=1_000_000)
    urgent: bool = False


class FailureForm(Form):
    """A failure target."""

    to: StatePath
    requires: StatePath | None = None


class StateForm(Form):
    """``[states."path"]``."""

    initial: Name | None = None
    tree: Name | None = None
    actions: list[ActionUseForm] = Field(default_factory=list, max_length=8)
    services: list[ServiceForm] = Field(default_factory=list, max_length=8)
    transitions: list[TransitionForm] = Field(default_factory=list, max_length=64)
    on_fail: list[FailureForm] = Field(default_factory=list, max_length=16)
    on_revoked: StatePath | None = None
    min_time_s: Seconds = 0.0
    enter_timeout_s: Seconds = 3.0
    hooks: Name | None = None


class ScriptRuleForm(Form):
    """One rule of a rule script (HSM-03)."""

    id: Name
    priority: int = Field(ge=-1_000_000, le=1_000_000)
    when: Text
    action: Name
    params: Params = Field(default_factory=dict)


class _Composite(Form):
    children: list[Name] = Field(min_length=1, max_length=64)


class SequenceForm(_Composite):
    """Memory sequence (BT-10)."""

    type: Literal["sequence"]


class ReactiveSequenceForm(_Composite):
    """Reactive sequence (BT-15)."""

    type: Literal["reactive_sequence"]


class SelectorForm(_Composite):
    """Memory selector (BT-11)."""

    type: Literal["selector"]


class ReactiveSelectorForm(_Composite):
    """Reactive selector (BT-16)."""

    type: Literal["reactive_selector"]


class ParallelForm(_Composite):
    """Parallel (BT-18)."""

    type: Literal["parallel"]
    success: Literal["all", "any"] | int = "all"
    failure: Literal["all", "any"] | int = "any"
    policy: Literal["main"] | None = None


class ConstCurve(Form):
    """The same for everything; reads no key."""

    curve: Literal["const"]
    key: Name | None = None
    y: float


class BoolCurve(Form):
    """By a bool key."""

    curve: Literal["bool"]
    key: Name
    on: float
    off: float


class LinearCurve(Form):
    """The line through two points."""

    curve: Literal["linear"]
    key: Name
    x0: float
    y0: float
    x1: float
    y1: float


class PowerCurve(Form):
    """``(x / scale) ** exponent``."""

    curve: Literal["power"]
    key: Name
    exponent: float = Field(gt=0.0, le=16.0)
    scale: float = Field(1.0, gt=0.0)


class LogisticCurve(Form):
    """An S round ``mid``."""

    curve: Literal["logistic"]
    key: Name
    mid: float
    steepness: float


class PointsCurve(Form):
    """Piecewise linear."""

    curve: Literal["points"]
    key: Name
    points: list[list[float]] = Field(min_length=2, max_length=64)


CurveForm = Annotated[
    ConstCurve | BoolCurve | LinearCurve | PowerCurve | LogisticCurve | PointsCurve,
    Field(discriminator="curve"),
]


class OptionForm(Form):
    """An option of a utility selector."""

    child: Name
    weight: float = Field(1.0, ge=0.0, le=1e6)
    considerations: list[CurveForm] = Field(default_factory=list, max_length=16)


class UtilityForm(Form):
    """Utility selector (BT-19, BT-20)."""

    type: Literal["utility_selector"]
    options: list[OptionForm] = Field(min_length=1, max_length=64)
    min_score: float = 0.05
    inertia: float = Field(0.1, ge=0.0)
    rescore_s: Seconds = 0.5
    least_run_s: Seconds = 0.5
    pick: Literal["best", "weighted"] = "best"


class _Decorator(Form):
    child: Name


class GateForm(_Decorator):
    """Gate (BT-21)."""

    type: Literal["gate"]
    when: Text


class ObserverForm(_Decorator):
    """Observer (BB-07, BB-08)."""

    type: Literal["observer"]
    when: Text
    abort: Literal["none", "self", "lower_priority", "both"] = "none"
    notify: Literal["result", "value"] = "result"


class InverterForm(_Decorator):
    """Inverter (BT-21)."""

    type: Literal["inverter"]


class ForceSuccessForm(_Decorator):
    """Success whatever the child says (BT-21)."""

    type: Literal["force_success"]


class ForceFailureForm(_Decorator):
    """Failure whatever the child says (BT-21)."""

    type: Literal["force_failure"]


class RepeatForm(_Decorator):
    """Repeat (BT-22)."""

    type: Literal["repeat"]
    count: int = Field(0, ge=0, le=1_000_000)
    until: Literal["failure", "success", "never"] = "failure"


class RetryForm(_Decorator):
    """Retry (BT-22)."""

    type: Literal["retry"]
    count: int = Field(ge=1, le=1_000_000)
    delay_s: Seconds = 0.0


class CooldownForm(_Decorator):
    """Cooldown (BT-23)."""

    model_config = ConfigDict(populate_by_name=True)
    type: Literal["cooldown"]
    seconds: Seconds
    since: Literal["end", "start"] = Field("end", alias="from")
    on_cancel: bool = False


class TimeoutForm(_Decorator):
    """Timeout (BT-24)."""

    type: Literal["timeout"]
    seconds: Seconds


class SubtreeForm(Form):
    """Another tree of the file in this place (BT-01)."""

    type: Literal["subtree"]
    tree: Name


class ConditionForm(Form):
    """Condition leaf (BT-09)."""

    type: Literal["condition"]
    when: Text


class SucceedForm(Form):
    """Leaf that succeeds."""

    type: Literal["succeed"]


class FailForm(Form):
    """Leaf that fails."""

    type: Literal["fail"]


class WaitForm(Form):
    """Wait leaf (BT-09)."""

    type: Literal["wait"]
    seconds: Seconds | Literal["forever"]


class SetForm(Form):
    """Set leaf (BB-03, BT-09)."""

    type: Literal["set"]
    key: ScratchName
    op: Literal["assign", "add", "modulo"] = "assign"
    value: Setting
    modulo: int | float | Text | None = None


class PostEventForm(Form):
    """Leaf that posts an event (BT-09)."""

    type: Literal["post_event"]
    event: Name
    params: Params = Field(default_factory=dict)


class ActionNodeForm(Form):
    """Action leaf (BT-04)."""

    type: Literal["action"]
    action: Name
    params: Params = Field(default_factory=dict)
    hooks: Name | None = None


NodeForm = Annotated[
    SequenceForm
    | ReactiveSequenceForm
    | SelectorForm
    | ReactiveSelectorForm
    | ParallelForm
    | UtilityForm
    | GateForm
    | ObserverForm
    | InverterForm
    | ForceSuccessForm
    | ForceFailureForm
    | RepeatForm
    | RetryForm
    | CooldownForm
    | TimeoutForm
    | SubtreeForm
    | ConditionForm
    | SucceedForm
    | FailForm
    | WaitForm
    | SetForm
    | PostEventForm
    | ActionNodeForm,
    Field(discriminator="type"),
]


class TreeForm(Form):
    """``[trees.name]``."""

    root: Name
    nodes: dict[Name, NodeForm] = Field(min_length=1)


class BehaviourForm(Form):
    """A whole file.

    ``kind`` ``"tree"`` has no states: its mind is the tree named by ``main``.
    """

    format: Annotated[Literal[1], BeforeValidator(_no_truth)]
    name: Name
    kind: Literal["standalone", "composed", "rules", "tree"]
    terminal: StatePath | None = None
    main: Name | None = None
    params: dict[Name, Constant] = Field(default_factory=dict)
    blackboard: dict[Name, KeyForm] = Field(default_factory=dict)
    states: dict[StatePath, StateForm] = Field(default_factory=dict)
    trees: dict[Name, TreeForm] = Field(default_factory=dict)
    rules: list[ScriptRuleForm] = Field(default_factory=list)
