"""Does everything that ``level.toml`` names exist: peds, objects, cues, fields (LVL-11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from game.levels.comparisons import Subject
from game.levels.cue_forms import (
    Cue,
    MachineRequestCue,
    PedSpawnCue,
    PropMoveCue,
    PropRemoveCue,
    PropSpawnCue,
    ScriptCommandCue,
    ScriptSequenceCue,
    VehicleMoveCue,
)
from game.levels.errors import LevelError, suggestion
from game.levels.expectation_forms import Expectation
from game.levels.fields import field_names, field_of
from game.levels.forms import END
from game.levels.level_file import LevelFile
from game.levels.script_forms import ScriptTask
from game.levels.spawns import described_thing
from game.levels.subjects import Of
from game.levels.vocabulary import Vocabulary
from game.world.description import LevelDescription, ThingDescription
from game.world.thing_checks import thing_fault
from game.world.thing_kinds import ThingCategory, ThingKind


@dataclass(frozen=True, slots=True)
class Names:
    """Who and what a level's cues and expectations may refer to.

    - ``things`` maps a thing's name to its kind; ``objects`` are things and markers,
      ``routes`` the markers that are lines.
    """

    peds: frozenset[str]
    things: dict[str, str]
    objects: frozenset[str]
    cues: frozenset[str]
    routes: frozenset[str]
    zones: frozenset[str]


def check_references(
    level_file: LevelFile, description: LevelDescription, vocabulary: Vocabulary
) -> None:
    """Look every name up, and every time: nothing may wait for what comes after the end.

    Raises ``LevelError`` naming file, key, name and the nearest known one.
    """
    names = _names(level_file, description)
    _check_times(level_file)
    _check_routes(level_file, description)
    for label, cue in _labelled(level_file):
        _check_cue(label, cue, names, vocabulary)
    _check_chains(level_file)
    _check_choices(level_file)
    for index, expectation in enumerate(level_file.expectations):
        _check_expectation(level_file.expectation_label(index), expectation, names, vocabulary)
    for index, reaction in enumerate(level_file.reactions):
        if reaction.ped not in names.peds:
            raise LevelError(
                f"{level_file.reaction_label(index)}: no ped is named '{reaction.ped}'; "
                f"{suggestion(reaction.ped, names.peds)}"
            )


def check_cue(
    label: str,
    cue: Cue,
    level_file: LevelFile,
    description: LevelDescription,
    vocabulary: Vocabulary,
) -> None:
    """Look up the names of a cue that the level's file does not hold.

    Raises ``LevelError`` as ``check_references`` does, beginning with ``label``.
    """
    _check_cue(label, cue, _names(level_file, description), vocabulary)


def check_expectation(
    label: str,
    expectation: Expectation,
    level_file: LevelFile,
    description: LevelDescription,
    vocabulary: Vocabulary,
) -> None:
    """Look up the names of an expectation that the level's file does not hold.

    Raises ``LevelError`` as ``check_references`` does, beginning with ``label``.
    """
    _check_expectation(label, expectation, _names(level_file, description), vocabulary)


def things_of(description: LevelDescription) -> Iterator[ThingDescription]:
    """All things that the map places."""
    yield from description.obstacles
    yield from description.props
    yield from description.vehicles


def _check_expectation(
    label: str, expectation: Expectation, names: Names, vocabulary: Vocabulary
) -> None:
    _check_subject(label, expectation, names, relative_allowed=True)
    _check_machine_word(label, expectation, vocabulary)
    for moment in expectation.window:
        if isinstance(moment, str) and moment != END and moment not in names.cues:
            raise LevelError(
                f"{label}: no cue is named '{moment}'; {suggestion(moment, names.cues)}"
            )


def _check_times(level_file: LevelFile) -> None:
    end_s = level_file.head.duration_s
    times = [(label, cue.at) for label, cue in _labelled(level_file)]
    times += [
        (level_file.expectation_label(index), moment)
        for index, expectation in enumerate(level_file.expectations)
        for moment in expectation.window
        if not isinstance(moment, str)
    ]
    for label, time_s in times:
        if time_s is not None and time_s > end_s:
            raise LevelError(f"{label}: {time_s:g} s is after the end (duration_s = {end_s:g})")


def _labelled(level_file: LevelFile) -> Iterator[tuple[str, Cue]]:
    for index, cue in enumerate(level_file.cues):
        yield level_file.cue_label(index), cue


def _names(level_file: LevelFile, description: LevelDescription) -> Names:
    label = level_file.label
    cues = level_file.cues
    spawned_things = {cue.object: cue.kind for cue in cues if isinstance(cue, PropSpawnCue)}
    map_things = {thing.name: thing.kind for thing in things_of(description) if thing.name}
    objects = _unique(
        label,
        [thing.name for thing in things_of(description) if thing.name]
        + [marker.name for marker in description.markers]
        + [cue.object for cue in cues if isinstance(cue, PropSpawnCue)],
        "objects",
    )
    peds = _unique(
        label,
        [ped.name for ped in description.peds]
        + [cue.ped for cue in cues if isinstance(cue, PedSpawnCue)],
        "peds",
    )
    cue_names = _unique(label, [cue.name for cue in cues if cue.name is not None], "cues")
    if END in cue_names:
        raise LevelError(f"{label}: no cue may be named '{END}': that is the end of the run")
    routes = frozenset(one.name for one in description.markers if len(one.points) > 1)
    zones = frozenset(one.name for one in description.zones)
    return Names(peds, map_things | spawned_things, objects, cue_names, routes, zones)


def _unique(label: str, names: Iterable[str], what: str) -> frozenset[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise LevelError(f"{label}: two {what} are named '{name}'; a name must say which one")
        seen.add(name)
    return frozenset(seen)


def _check_cue(label: str, cue: Cue, names: Names, vocabulary: Vocabulary) -> None:
    if cue.follows is not None and cue.follows not in names.cues:
        raise LevelError(
            f"{label}: no cue is named '{cue.follows}'; {suggestion(cue.follows, names.cues)}"
        )
    if cue.when is not None:
        _check_subject(f"{label}: when", cue.when, names, relative_allowed=False)
        _check_machine_word(f"{label}: when", cue.when, vocabulary)
    for ped in (getattr(cue, "ped", None), getattr(cue, "over", None)):
        if ped is not None and ped not in names.peds:
            raise LevelError(f"{label}: no ped is named '{ped}'; {suggestion(ped, names.peds)}")
    name = getattr(cue, "object", None)
    if name is not None and name not in names.objects:
        raise LevelError(f"{label}: no object is named '{name}'; {suggestion(name, names.objects)}")
    match cue:
        case PropSpawnCue():
            _check_thing_spawn(label, cue, vocabulary)
        case PropRemoveCue() | PropMoveCue():
            _check_movable(label, cue.object, names, vocabulary)
        case VehicleMoveCue():
            kind = vocabulary.things.kinds.get(names.things.get(cue.object, ""))
            if kind is None or kind.category is not ThingCategory.VEHICLE:
                raise LevelError(f"{label}: '{cue.object}' is no vehicle; only vehicles drive")
        case ScriptCommandCue() | ScriptSequenceCue():
            for task in cue.script_tasks:
                _check_script_task(label, task, names)
        case PedSpawnCue():
            _known(label, "model", cue.model, vocabulary.ped_models)
            _known(label, "default_task", cue.default_task, vocabulary.default_tasks)
            _known(label, "outfit", cue.outfit, vocabulary.outfits)
            _known(label, "behaviour", cue.behaviour, vocabulary.behaviours)
        case MachineRequestCue():
            _known(label, "state", cue.state, vocabulary.machine_states)


ROUTE_POINTS_MAX = 64
"""Points of a patrol route: what the key ``route_len`` of behaviour files can count (HSM-28)."""


def _check_routes(level_file: LevelFile, description: LevelDescription) -> None:
    """A route is a polyline among the markers."""
    routes = {
        marker.name for marker in description.markers if 2 <= len(marker.points) <= ROUTE_POINTS_MAX
    }
    asked = [(f"ped '{ped.name}'", ped.route) for ped in description.peds]
    asked += [
        (level_file.cue_label(index), cue.route or "")
        for index, cue in enumerate(level_file.cues)
        if isinstance(cue, PedSpawnCue)
    ]
    for label, route in asked:
        if route and route not in routes:
            raise LevelError(
                f"{label}: no marker with 2 to {ROUTE_POINTS_MAX} points is named '{route}'; "
                f"{suggestion(route, routes)}"
            )


def _check_machine_word(label: str, subject: Subject, vocabulary: Vocabulary) -> None:
    """Modes that no machine has would never come."""
    wanted = subject.equality_value()
    if subject.field in ("machine.mode", "machine.target") and isinstance(wanted, str):
        _known(label, subject.field, wanted, vocabulary.machine_states)


def _check_script_task(label: str, task: ScriptTask, names: Names) -> None:
    for what, name, known in (
        ("ped", task.who, names.peds),
        ("object", task.object, names.objects),
        ("route", task.route, names.routes),
        ("zone", task.zone, names.zones),
    ):
        if name is not None and name not in known:
            raise LevelError(f"{label}: no {what} is named '{name}'; {suggestion(name, known)}")


def _check_chains(level_file: LevelFile) -> None:
    """Cues that follow each other in a circle would wait for ever."""
    followed = {cue.name: cue.follows for cue in level_file.cues if cue.name is not None}
    for label, cue in _labelled(level_file):
        seen: list[str] = []
        before = cue.follows
        while before is not None:
            if before in seen:
                circle = "' -> '".join([*seen, before])
                raise LevelError(f"{label}: the cues '{circle}' follow each other in a circle")
            seen.append(before)
            before = followed.get(before)


def _check_choices(level_file: LevelFile) -> None:
    counts = Counter(cue.choice for cue in level_file.cues if cue.choice is not None)
    for label, cue in _labelled(level_file):
        if cue.choice is not None and counts[cue.choice] < 2:
            raise LevelError(
                f"{label}: no other cue names the choice '{cue.choice}'; "
                f"{suggestion(cue.choice, set(counts) - {cue.choice})}"
            )


def _known(label: str, key: str, value: str | None, known: Iterable[str]) -> None:
    if value is not None and value not in set(known):
        raise LevelError(f"{label}: {key} = '{value}' is unknown; {suggestion(value, known)}")


def _check_thing_spawn(label: str, cue: PropSpawnCue, vocabulary: Vocabulary) -> None:
    kinds = vocabulary.things.kinds
    spawnable = {name for name, kind in kinds.items() if _obeys_prop_cues(kind)}
    if cue.kind not in spawnable:
        raise LevelError(
            f"{label}: a cue can't spawn a '{cue.kind}'; {suggestion(cue.kind, spawnable)}"
        )
    if cue.mass_kg is not None and kinds[cue.kind].category is not ThingCategory.PROP:
        raise LevelError(f"{label}: a '{cue.kind}' has no mass of its own; remove mass_kg")
    fault = thing_fault(described_thing(cue, vocabulary.things), vocabulary.things)
    if fault is not None:
        raise LevelError(f"{label}: {fault}")


def _check_movable(label: str, name: str, names: Names, vocabulary: Vocabulary) -> None:
    kind_name = names.things.get(name)
    if kind_name is None:
        raise LevelError(f"{label}: '{name}' is a marker; only things are moved and removed")
    if not _obeys_prop_cues(vocabulary.things.kinds[kind_name]):
        raise LevelError(f"{label}: '{name}' is a '{kind_name}', which prop cues can't touch")


def _obeys_prop_cues(kind: ThingKind) -> bool:
    """Props, and what stands but can be carried away (a barricade); vehicles drive."""
    return kind.movable and kind.category is not ThingCategory.VEHICLE


def _check_subject(label: str, subject: Subject, names: Names, *, relative_allowed: bool) -> None:
    of = subject.of
    known = names.peds if of is Of.PED else names.objects
    for name in _named(subject):
        if name not in known:
            what = "ped" if of is Of.PED else "object"
            raise LevelError(f"{label}: no {what} is named '{name}'; {suggestion(name, known)}")
    field = field_of(subject.field, of)
    if field is None:
        raise LevelError(
            f"{label}: unknown field '{subject.field}'; "
            f"{suggestion(subject.field, field_names(of))}"
        )
    if field.relative and not relative_allowed:
        raise LevelError(f"{label}: '{subject.field}' is known to expectations only")
    fault = field.misuse(subject)
    if fault is not None:
        raise LevelError(f"{label}: '{subject.field}' {fault}")


def _named(subject: Subject) -> Iterable[str]:
    """Everybody whom a statement names."""
    if subject.of is Of.RUN:
        return ()
    if not isinstance(subject, Expectation) or subject.peds is None:
        return (subject.subject,)
    return () if subject.peds == "all" else subject.peds
