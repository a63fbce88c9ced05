"""Decision makers: order, chance, distance, flags, cooldown, once (EVT-74 to EVT-82, EVT-101)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ai.events import deciding
from ai.events.base import EditableEvent, Event
from ai.events.body_events import DamageEvent
from ai.events.deciding import decide, decision_maker_of
from ai.events.decision_data import (
    DecisionData,
    DecisionDataError,
    OverridingFile,
    load_decision_data,
)
from ai.events.decision_flags import BIT, DECISION_FLAGS, first_unmet, flag_mask
from ai.events.decision_maker import (
    Cooldown,
    Decided,
    Decision,
    DecisionMaker,
    draw,
    pick,
)
from ai.events.decision_memory import DecisionMemory
from ai.events.decision_trace import Reason
from ai.events.event_errors import DecisionMakerError, EventClockError
from ai.events.notice_events import AmbientNotice
from ai.events.shocking import ShockingEvent
from ai.events.situation import Posture, Situation, SourceKind, SourceNature
from ai.events.sound_events import AimedAt
from ai.events.types import EventType
from ai.peds.nerves import Nerves
from ai.ports import Vec3
from tests.ai.events.event_doubles import (
    ASSETS,
    FOOT,
    NONTEMP,
    NOTICE,
    Person,
    Street,
    decision,
    entry,
    reply_factory,
    set_makers,
    shipped_decisions,
    shipped_tuning,
    task,
)

FIRE = EventType.SHOCKING_FIRE


def ask(ped: Person, event: EditableEvent | None = None) -> Decided:
    """Decide an event of its own in an update."""
    event = AmbientNotice(Vec3(0, 0)) if event is None else event
    ped.events.clock.begin_updates(1)
    try:
        decide(ped, event)
    finally:
        ped.events.clock.end_updates()
    assert event.decision is not None
    return event.decision


def answer(ped: Person, event: EditableEvent | None = None) -> str | None:
    decided = ask(ped, event)
    return None if decided.definition is None else decided.definition.name


# -- order (EVT-74) ----------------------------------------------------------------------------


def test_dm_order(street: Street, ped: Person) -> None:
    """EVT-74: block beats dynamic beats own beats parent, by removing the winner."""
    parent = DecisionMaker("base", [entry("parents")])
    child = DecisionMaker("child", [entry("own")], parent)
    makers = set_makers(street, parent, child)
    makers.clone("child", "clone")
    makers.add_response("clone", entry("dynamic"))
    makers.block("clone", NOTICE)
    ped.events.decision_maker = "clone"
    assert answer(ped) is None
    assert ped.has_reason(Reason.BLOCKED_TYPE)
    makers.unblock("clone", NOTICE)
    assert answer(ped) == "dynamic"
    makers.remove_response("clone", NOTICE)
    assert answer(ped) == "own"
    ped.events.decision_maker = "base"
    assert answer(ped) == "parents"
    set_makers(street, DecisionMaker("base", ()))
    assert answer(ped) is None
    assert ped.has_reason(Reason.NOT_LISTED)


def test_the_peds_own_entry_comes_first(street: Street, ped: Person) -> None:
    """EVT-74 (2): the ped's own entry has it over its maker's."""
    set_makers(street, DecisionMaker("ordinary", [entry("makers")]))
    ped.events.own_responses[NOTICE] = entry("peds")
    assert answer(ped) == "peds"
    assert ped.has_reason(Reason.DYNAMIC)


def test_a_level_that_lists_a_type_stops_the_search(street: Street, ped: Person) -> None:
    """EVT-74, trap "silence": a child silences its parent by an entry that gives nothing."""
    parent = DecisionMaker("base", [entry("parents")])
    mute = entry("mute", decision("never", 0.0))
    set_makers(street, parent, DecisionMaker("ordinary", [mute], parent))
    assert answer(ped) is None
    assert ped.has_reason(Reason.NO_CHANCE)


def test_several_entries_are_tried_in_written_order(street: Street, ped: Person) -> None:
    """EVT-74: the first off cooldown with a chance above 0."""
    set_makers(
        street,
        DecisionMaker("ordinary", [entry("one", decision("x", 0.0)), entry("two"), entry("three")]),
    )
    assert answer(ped) == "two"


def test_which_maker_a_ped_has(street: Street, ped: Person) -> None:
    """EVT-74: the script's override, else the model's, else base; an unknown one falls back."""
    makers = set_makers(street, DecisionMaker("ordinary", ()), DecisionMaker("other", ()))
    assert decision_maker_of(ped).name == "ordinary"
    ped.events.decision_maker_override = "other"
    assert decision_maker_of(ped).name == "other"
    ped.events.decision_maker_override = "gone"
    assert decision_maker_of(ped).name == "ordinary"
    ped.events.decision_maker = "nobody"
    assert decision_maker_of(ped) is makers.get("base")


# -- chance (EVT-75) ---------------------------------------------------------------------------


@pytest.mark.parametrize(("drawn", "taken"), [(1e-6, 1), (3.0, 1), (3.0001, 2), (4.0, 2)])
def test_chance(drawn: float, taken: int) -> None:
    """EVT-75, trap "zero_first": weights [0, 3, 1]; the first is never taken."""
    assert pick([0.0, 3.0, 1.0], drawn) == taken


def test_chances_are_weights() -> None:
    """EVT-75: 10 000 draws of [3, 1]: the second within 0.25 +- 0.015; never a 0."""
    stream = random.Random(5)
    taken = [pick([3.0, 1.0], draw(stream, 4.0)) for _ in range(10_000)]
    assert abs(taken.count(1) / 10_000 - 0.25) <= 0.015
    assert min(draw(stream, 0.5) for _ in range(1000)) >= 1e-6


def test_all_zero_draws_nothing(street: Street, ped: Person) -> None:
    """EVT-75: no response, and no random number; a lone 0.1 is always taken."""
    set_makers(street, DecisionMaker("ordinary", [entry("zero", decision("x", 0.0))]))
    state = ped.decision_rng.getstate()
    assert answer(ped) is None
    assert ped.decision_rng.getstate() == state
    set_makers(street, DecisionMaker("ordinary", [entry("low", decision("x", 0.1))]))
    assert answer(ped, AmbientNotice(Vec3(0, 0), ped.ref)) == "x"


# -- distance (EVT-76) -------------------------------------------------------------------------


def test_band() -> None:
    """EVT-76, trap "minus_one": closed at 900; -1 stays -1 and accepts 10 000 cm."""
    limited = decision("x", max_squared=900.0**2)
    assert limited.in_band(900.0**2)
    assert not limited.in_band(900.01**2)
    unlimited = shipped_decisions().entries["civ_fire"].decisions[1]
    assert (unlimited.min_squared, unlimited.max_squared) == (-1.0, -1.0)
    assert unlimited.in_band(10_000.0**2)
    assert shipped_decisions().entries["civ_fire"].decisions[0].max_squared == 810_000.0


# -- flags (EVT-77, EVT-78) --------------------------------------------------------------------

P, N = Posture, SourceNature
FLAG_CASES: dict[str, tuple[dict[str, object], dict[str, object]]] = {
    "valid_on_foot": ({}, {"posture": P.IN_CAR}),
    "valid_in_car": ({"posture": P.IN_CAR}, {}),
    "valid_on_bicycle": ({"posture": P.ON_BICYCLE}, {}),
    "valid_in_aircraft": ({"posture": P.IN_AIRCRAFT}, {}),
    "valid_in_boat": ({"posture": P.IN_BOAT}, {}),
    "valid_seated": ({"posture": P.SEATED}, {}),
    "valid_on_ground": ({"posture": P.ON_GROUND}, {}),
    "only_if_driver": ({"posture": P.IN_CAR, "is_driver": True}, {"posture": P.IN_CAR}),
    "only_if_passenger": ({"posture": P.IN_CAR}, {"posture": P.IN_CAR, "is_driver": True}),
    "only_if_own_vehicle_moving": ({"own_vehicle_moving": True}, {}),
    "only_if_source_in_vehicle": ({"source_in_vehicle": True}, {}),
    "only_if_source_on_foot": ({"source": N.PED}, {"source": N.PED, "source_in_vehicle": True}),
    "only_if_using_scenario": ({"using_scenario": True}, {}),
    "not_if_using_scenario": ({}, {"using_scenario": True}),
    "only_if_scenario_point_has_response": ({"scenario_point_has_response": True}, {}),
    "only_if_on_crossing": ({"on_crossing": True}, {}),
    "not_if_on_crossing": ({}, {"on_crossing": True}),
    "only_if_waiting_at_crossing": ({"waiting_at_crossing": True}, {}),
    "only_if_scared": ({"fear": 0.5}, {"fear": 0.49}),
    "only_if_not_scared": ({"fear": 0.49}, {"fear": 0.5}),
    "only_if_terrified": ({"fear": 0.8}, {"fear": 0.79}),
    "only_if_brave": ({"brave": True}, {}),
    "not_if_brave": ({}, {"brave": True}),
    "only_if_source_armed": ({"source_armed": True}, {}),
    "only_if_source_unarmed": ({}, {"source_armed": True}),
    "only_if_target_is_me": ({"target_is_me": True}, {}),
    "only_if_target_is_friend": ({"target_is_friend": True}, {}),
    "only_if_source_is_player": ({"source_is_player": True}, {}),
    "not_if_source_is_player": ({}, {"source_is_player": True}),
    "only_if_source_is_ped": ({"source": N.PED}, {"source": N.PROP}),
    "only_if_source_is_vehicle": ({"source": N.VEHICLE}, {"source": N.PED}),
    "only_if_source_is_prop": ({"source": N.PROP}, {"source": N.VEHICLE}),
    "only_if_no_source": ({}, {"source": N.PED}),
    "only_if_source_is_animal": ({"source": N.ANIMAL}, {"source": N.PED}),
    "not_if_source_is_animal": ({"source": N.PED}, {"source": N.ANIMAL}),
    "only_if_source_is_friend": ({"source_is_friend": True}, {}),
    "not_if_source_is_friend": ({}, {"source_is_friend": True}),
    "only_if_source_down": ({"source_down": True}, {}),
    "only_if_self_animal": ({"animal": True}, {}),
    "not_if_self_animal": ({}, {"animal": True}),
    "only_if_self_armed": ({"armed": True}, {}),
    "only_if_self_unarmed": ({}, {"armed": True}),
    "only_if_self_injured": ({"injured": True}, {}),
    "only_if_indoors": ({"indoors": True}, {}),
    "only_if_outdoors": ({}, {"indoors": True}),
    "only_if_seen": ({}, {"seen": False}),
    "only_if_heard_only": ({"seen": False}, {}),
    "only_if_group_leader": ({"group_leader": True}, {}),
    "only_if_in_group": ({"in_group": True}, {}),
    "not_if_in_group": ({}, {"in_group": True}),
    "only_if_scripted_ped": ({"scripted": True}, {}),
    "not_if_scripted_ped": ({}, {"scripted": True}),
}


@pytest.mark.parametrize("flag", DECISION_FLAGS)
def test_flags(flag: str) -> None:
    """EVT-77: one true and one false situation per flag; all 52 have both."""
    assert set(FLAG_CASES) == set(DECISION_FLAGS)
    assert len(DECISION_FLAGS) == 52
    holds, fails = FLAG_CASES[flag]
    assert Situation(**holds).mask() & BIT[flag]  # type: ignore[arg-type]
    assert not Situation(**fails).mask() & BIT[flag]  # type: ignore[arg-type]


def test_any_state_and_all_requirements() -> None:
    """EVT-77: any of the states, all of the requirements; the first unmet one is named."""
    flags = flag_mask(["valid_on_foot", "valid_seated", "only_if_brave", "only_if_seen"])
    assert first_unmet(flags, Situation(brave=True).mask()) is None
    assert first_unmet(flags, Situation().mask()) == "only_if_brave"
    assert first_unmet(flags, Situation(brave=True, seen=False).mask()) == "only_if_seen"


CONFLICTS = [
    (13, 14), (16, 17), (19, 20), (22, 23), (24, 25), (28, 29), (34, 35), (36, 37), (39, 40),
    (41, 42), (44, 45), (46, 47), (49, 50), (51, 52), (48, 50), (20, 21), (33, 24), (33, 28),
    (33, 30), (33, 31), (33, 32), (33, 34), (33, 36), (33, 38),
]  # fmt: skip


@pytest.mark.parametrize("pair", CONFLICTS)
def test_flag_conflicts(pair: tuple[int, int]) -> None:
    """EVT-77: contradicting pairs are errors, by their numbers in the rule."""
    names = [DECISION_FLAGS[number - 1] for number in pair]
    with pytest.raises(ValueError, match="exclude each other"):
        flag_mask(["valid_on_foot", *names])


def test_flag_errors_help() -> None:
    """EVT-77: an unknown flag with the nearest spelling; no state."""
    with pytest.raises(ValueError, match="did you mean only_if_brave"):
        flag_mask(["valid_on_foot", "only_if_bravo"])
    with pytest.raises(ValueError, match="no state named"):
        flag_mask(["only_if_brave"])


def test_chance_by_source_kind(street: Street, ped: Person) -> None:
    """EVT-75, EVT-78: the chance of the source's kind counts."""
    only_player = Decision(task("x"), {SourceKind.PLAYER: 1.0}, FOOT)
    set_makers(street, DecisionMaker("ordinary", [entry("e", only_player)]))
    assert answer(ped) is None
    ped.circumstances = Situation(source_kind=SourceKind.PLAYER)
    assert answer(ped, AmbientNotice(Vec3(0, 0), ped.ref)) == "x"


# -- cooldown (EVT-79) -------------------------------------------------------------------------


def test_cooldown() -> None:
    """EVT-79, trap "far_fire": 8 s and 600 cm, noted at 10.0 s at the origin."""
    memory = DecisionMemory(cooldown_notes=8, none_steps=300)
    cooling = entry("fire", event=FIRE, cooldown=Cooldown(480, 600.0**2))
    memory.start_cooldown(cooling, "civilian", 600, Vec3(0, 0))
    assert memory.is_cooling(cooling, "civilian", 1074, Vec3(500, 0))
    assert not memory.is_cooling(cooling, "civilian", 1074, Vec3(700, 0))
    assert not memory.is_cooling(cooling, "civilian", 1080, Vec3(0, 0))
    override = entry("other", event=FIRE)
    assert memory.is_cooling(override, "override", 1074, Vec3(500, 0)), "another maker's too"
    assert not memory.is_cooling(override, "override", 1074, Vec3(700, 0))
    assert not memory.is_cooling(override, "civilian", 1074, Vec3(0, 0)), "a further entry is not"
    assert not memory.is_cooling(entry("n"), "override", 700, Vec3(0, 0)), "another type"


def test_at_most_eight_notes() -> None:
    """EVT-79: the oldest goes."""
    memory = DecisionMemory(cooldown_notes=8, none_steps=300)
    entries = [entry(f"e{number}", cooldown=Cooldown(999, -1.0)) for number in range(9)]
    for one in entries:
        memory.start_cooldown(one, "m", 0, None)
    assert not memory.is_cooling(entries[0], "m", 1, None)
    assert memory.is_cooling(entries[1], "m", 1, None)


def test_a_committed_response_starts_the_cooldown(street: Street, ped: Person) -> None:
    """EVT-79: committed, not decided; "none" starts none."""
    set_makers(street, DecisionMaker("ordinary", [entry("look", cooldown=Cooldown(60, -1.0))]))
    ped.add(AmbientNotice(Vec3(0, 0)))
    while not ped.has_reason(Reason.COMMITTED):
        street.step()
    assert answer(ped) is None
    assert ped.has_reason(Reason.COOLDOWN)


# -- limits and clones (EVT-80, EVT-81) --------------------------------------------------------


def test_cache_order() -> None:
    """EVT-80: sorted by type, written order within a type; a lookup finds just these."""
    one, body, two = (
        entry("1", event=FIRE),
        entry("b", event=EventType.SHOCKING_BODY),
        entry("2", event=FIRE),
    )
    maker = DecisionMaker("m", [one, body, two])
    assert maker.types == (21, 28, 28)
    assert maker.entries_for(FIRE) == (one, two)
    assert maker.entries_for(EventType.DAMAGE) == ()


def test_clone_limits(street: Street) -> None:
    """EVT-81: a maker without component, a 4th component, a 5th type, a name in use."""
    makers = set_makers(street, DecisionMaker("m", [entry("own")]))
    with pytest.raises(DecisionMakerError, match="no component"):
        makers.block("m", FIRE)
    with pytest.raises(DecisionMakerError, match="in use"):
        makers.clone("m", "m")
    with pytest.raises(DecisionMakerError, match="no decision maker"):
        makers.clone("n", "x")
    for number in range(3):
        makers.clone("m", f"c{number}")
    with pytest.raises(DecisionMakerError, match="at most 3"):
        makers.clone("m", "c3")
    types = [EventType(number) for number in range(10, 15)]
    for event_type in types[:4]:
        makers.add_response("c0", entry("d", event=event_type))
        makers.block("c0", event_type)
    with pytest.raises(DecisionMakerError, match="at most 4 types"):
        makers.add_response("c0", entry("d", event=types[4]))
    with pytest.raises(DecisionMakerError, match="at most 4 types"):
        makers.block("c0", types[4])
    replaced = entry("again", event=types[0])
    makers.add_response("c0", replaced)
    assert makers.component("c0").responses[types[0]] is replaced
    with pytest.raises(DecisionMakerError, match="at most 4 decisions"):
        makers.add_response("c1", entry("many", *[decision(str(n)) for n in range(5)]))


def test_clone_isolated(street: Street) -> None:
    """EVT-81: the original and its other peds are unaffected; a clone's clone has its own copy."""
    makers = set_makers(street, DecisionMaker("ordinary", [entry("own")]))
    makers.clone("ordinary", "clone")
    makers.block("clone", NOTICE)
    changed, other = street.person(decision_maker="clone"), street.person()
    assert answer(changed) is None
    assert answer(other) == "own"
    makers.clone("clone", "second")
    makers.unblock("clone", NOTICE)
    assert makers.component("second").blocked == [NOTICE]


def test_release_clone(street: Street, ped: Person) -> None:
    """EVT-81, trap "released_clone": its peds have their model's maker again."""
    makers = set_makers(street, DecisionMaker("ordinary", [entry("own")]))
    makers.clone("ordinary", "clone")
    makers.block("clone", NOTICE)
    ped.events.decision_maker_override = "clone"
    assert answer(ped) is None
    makers.release("clone")
    assert answer(ped, AmbientNotice(Vec3(0, 0), ped.ref)) == "own"
    with pytest.raises(DecisionMakerError, match="no clone"):
        makers.release("ordinary")


# -- decided once (EVT-82) ---------------------------------------------------------------------


def test_decided_once(street: Street, ped: Person) -> None:
    """EVT-82: fixed, whatever changes; computing twice raises; not in a query."""
    set_makers(
        street,
        DecisionMaker("ordinary", [entry("car", decision("x", flags=BIT["valid_in_car"]))]),
    )
    event = AmbientNotice(Vec3(0, 0))
    assert answer(ped, event) is None
    ped.circumstances = Situation(posture=Posture.IN_CAR)
    with pytest.raises(ValueError, match="decided once"):
        answer(ped, event)
    assert event.decision is not None
    assert event.decision.definition is None
    ped.events.clock.begin_query()
    with pytest.raises(EventClockError):
        decide(ped, AmbientNotice(Vec3(0, 0)))
    ped.events.clock.end_query()


def test_no_reroll(street: Street, ped: Person) -> None:
    """EVT-82, trap "reroll": re-reported for 4.9 s: one number is drawn; at 5.0 s the second."""
    set_makers(
        street,
        DecisionMaker(
            "ordinary", [entry("e", decision("no", 1e9, "none"), decision("flee", 1e-9))]
        ),
    )
    source = street.thing(0, 0)
    draws = []
    for _ in range(31):
        state = ped.decision_rng.getstate()
        assert answer(ped, AmbientNotice(Vec3(0, 0), source)) is None
        if ped.decision_rng.getstate() != state:
            draws.append(street.clock.step)
        for _ in range(10):
            street.clock.advance()
    assert draws == [0, 300]
    assert ped.has_reason(Reason.REMEMBERED_NONE)


def test_another_band_rolls_again(street: Street, ped: Person) -> None:
    """EVT-82: unless its distance band changed."""
    near = decision("near", max_squared=100.0**2)
    set_makers(street, DecisionMaker("ordinary", [entry("e", near)]))
    source = street.thing(0, 0)
    assert answer(ped, AmbientNotice(Vec3(500, 0), source)) is None
    assert answer(ped, AmbientNotice(Vec3(50, 0), source)) == "near"


def test_watchers_full(street: Street) -> None:
    """EVT-90 (d): limit 4, [watch 3, hurry 1], all would watch: four watch, two hurry away."""
    show = EventType.SHOCKING_NICE_CAR
    set_makers(
        street,
        DecisionMaker(
            "ordinary",
            [entry("e", decision("watch", 1e9), decision("hurry", 1e-9, "hurry_away"), event=show)],
        ),
    )
    event = street.services.global_events.shock(show, Vec3(0, 0))
    assert event is not None
    people = [street.person(10.0 * number) for number in range(6)]
    clones = [person.add(event.for_peds()) for person in people]
    names = [answer(person, clone) for person, clone in zip(people, clones, strict=True)]  # type: ignore[arg-type]
    assert names == ["watch"] * 4 + ["hurry"] * 2
    people[0].events.clear()
    late = street.person(5.0)
    clone = late.add(event.for_peds())
    assert isinstance(clone, ShockingEvent)
    assert answer(late, clone) == "watch", "a place is free again"


# -- fear (EVT-101) ----------------------------------------------------------------------------


def test_fear(street: Street, ped: Person) -> None:
    """EVT-101: a fire at 1000 cm: 0.5 after the decision, not before; 0.49 after 0.5 s."""
    nerves = Nerves(shipped_tuning().fear)
    fire = street.services.global_events.shock(FIRE, Vec3(1000.0, 0.0))
    assert fire is not None
    assert nerves.fear(0) == 0.0
    nerves.frighten(ped, fire, 0)
    assert nerves.fear(0) == 0.5
    assert nerves.fear(30) == pytest.approx(0.49)
    nerves.frighten(ped, AmbientNotice(Vec3(0, 0)), 30)
    assert nerves.fear(30) == pytest.approx(0.49), "raised to at least, never lowered"
    nerves.frighten(ped, AimedAt(Vec3(0, 0)), 30)
    assert nerves.fear(30) == 0.8
    assert nerves.fear(30 + 60 * 41) == 0.0


def test_the_decision_frightens(street: Street, ped: Person) -> None:
    """EVT-101: after an event was decided, so that flags see the fear from before."""
    event = AmbientNotice(Vec3(0, 0))
    answer(ped, event)
    assert ped.frights == [event]


# -- files (EVT-76, EVT-80, EVT-83, EVT-84) ----------------------------------------------------


def copy_of_files(folder: Path) -> Path:
    for name in ("response_tasks.toml", "responses.toml", "decision_makers.toml"):
        text = (ASSETS / "events" / name).read_text(encoding="utf-8")
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


BAD: list[tuple[str, str, str, str]] = [
    ("response_tasks.toml", 'kind = "cower"', 'kind = "cowr"', "did you mean cower"),
    ("response_tasks.toml", "duration_s = 5.0", "duration = 5.0", "no such parameter.*duration_s"),
    ("response_tasks.toml", 'move = "run"', 'move = "hop"', "must be one of walk"),
    ("response_tasks.toml", 'kind = "react"', 'kind = "get_up"', "for code alone"),
    ("responses.toml", "max_distance_cm = 600", "max_distance_cm = -2", "-1 means unlimited"),
    ("responses.toml", "distance_min_cm = 900", "distance_min_cm = 9000", "above the maximum"),
    ("responses.toml", "chance = 6.0", "chance = -1.0", "within 0 and 1000"),
    ("responses.toml", "chance = 6.0", "chance = 1001.0", "within 0 and 1000"),
    ("responses.toml", "chance = { player = 2", "chance = { plaier = 2", "did you mean player"),
    ("responses.toml", '"not_if_on_crossing"', '"not_on_crossing"', "did you mean not_if_on_cro"),
    ("responses.toml", 'event = "SHOCKING_FIRE"', 'event = "SHOCKING_FIER"', "SHOCKING_FIRE"),
    ("responses.toml", 'task = "flee_fire"', 'task = "flee_fir"', "did you mean flee_fire"),
    ("responses.toml", 'say = "fire_scream"', 'sya = "fire_scream"', "did you mean say"),
    ("responses.toml", '"scream"', '"screem"', "did you mean scream"),
    ("decision_makers.toml", '"civ_fire"', '"civ_fires"', "did you mean civ_fire"),
    ("decision_makers.toml", 'parent = "base"', 'parent = "bass"', "did you mean base"),
    ("decision_makers.toml", 'name = "dog"', 'name = "timid"', "2 entries are called 'timid'"),
    ("decision_makers.toml", 'name = "base"\n', 'name = "base"\nparent = "ordinary"\n',
     "a circle: base → ordinary → base"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "words"), BAD)
def test_bad_files_are_load_errors(
    tmp_path: Path, file: str, old: str, new: str, words: str
) -> None:
    """EVT-76, EVT-77, EVT-80, EVT-83, EVT-84: file, entry, key and the nearest spelling."""
    folder = copy_of_files(tmp_path)
    change(folder / file, old, new)
    with pytest.raises(DecisionDataError, match=words):
        load_decision_data(folder)


def test_all_errors_of_all_files_come_together(tmp_path: Path) -> None:
    """EVT-83: collected and reported together."""
    folder = copy_of_files(tmp_path)
    change(folder / "response_tasks.toml", 'kind = "cower"', 'kind = "cowr"')
    change(folder / "responses.toml", "chance = 6.0", "chance = -1.0")
    change(folder / "decision_makers.toml", '"civ_fire"', '"civ_fires"')
    with pytest.raises(DecisionDataError) as caught:
        load_decision_data(folder)
    text = str(caught.value)
    for file in ("response_tasks.toml", "responses.toml", "decision_makers.toml"):
        assert file in text


def test_at_most_46_entries(tmp_path: Path) -> None:
    """EVT-80: 46 accepted, 47 refused."""
    folder = copy_of_files(tmp_path)
    names = list(shipped_decisions().entries)
    for count in (46, 47):
        text = "\n".join(
            ['[[decision_maker]]\nname = "base"', f"responses = {names[:count]}".replace("'", '"')]
        )
        (folder / "decision_makers.toml").write_text(text, encoding="utf-8")
        if count == 46:
            assert len(load_decision_data(folder).makers[0].entries) == 46
        else:
            with pytest.raises(DecisionDataError, match="47 entries, at most 46"):
                load_decision_data(folder)


def test_an_override_replaces_its_file_wholly() -> None:
    """EVT-83, trap "override_left": no merging; without it the default is back."""
    text = '[[decision_maker]]\nname = "base"\nresponses = ["civ_fire"]\n'
    own = OverridingFile("level/events/decision_makers.toml", text)
    overridden = load_decision_data(ASSETS / "events", {"decision_makers.toml": own})
    assert [maker.name for maker in overridden.makers] == ["base"]
    assert len(load_decision_data(ASSETS / "events").makers) > 1


def test_unused_names_are_warnings(tmp_path: Path) -> None:
    """EVT-83: a response task without an entry, an entry without a maker."""
    folder = copy_of_files(tmp_path)
    change(folder / "decision_makers.toml", '"dog_bang"', "")
    change(
        folder / "response_tasks.toml",
        "[[response_task]]",
        '[[response_task]]\nname = "spare"\nkind = "duck"\n\n[[response_task]]',
    )
    warnings = load_decision_data(folder).warnings
    assert warnings == (
        "response task 'spare' is used by no entry",
        "response 'dog_bang' is named by no decision maker",
    )
    assert shipped_decisions().warnings == ()


def test_reload_is_atomic(street: Street, tmp_path: Path) -> None:
    """EVT-83: a reload with an error in the third file changes nothing."""
    folder = copy_of_files(tmp_path)
    change(folder / "decision_makers.toml", '"civ_fire"', '"civ_fires"')
    before = street.services.decision_makers.names()
    with pytest.raises(DecisionDataError):
        street.services.decision_makers.replace(load_decision_data(folder).makers)
    assert street.services.decision_makers.names() == before


def test_eight_characters_answer_a_fire_in_their_own_way() -> None:
    """EVT-74: ordinary, timid, bold, curious, guard, medic, elderly, tourist."""
    makers = {maker.name: maker for maker in shipped_decisions().makers}
    eight = ("ordinary", "timid", "bold", "curious", "guard", "medic", "elderly", "tourist")
    own = {name: tuple(one.name for one in makers[name].entries) for name in eight}
    assert len(set(own.values())) == 8
    assert all(makers[name].chain().endswith("base") for name in eight)


@pytest.mark.parametrize(
    ("distance", "drawn", "name"),
    [
        (412.0, 4.71, "flee_fire"),
        (412.0, 6.5, "hurry"),
        (1500.0, 2.0, "hurry"),
        (1500.0, 2.5, "watch_8"),
        (900.0, 11.0, "watch_8"),
    ],
)
def test_example_data(
    street: Street, distance: float, drawn: float, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EVT-75: the worked check: chances [6, 2, 0 distance, 0 brave] and so on."""
    totals = []

    def fixed(_stream: random.Random, total: float) -> float:
        totals.append(total)
        return drawn

    monkeypatch.setattr(deciding, "draw", fixed)
    ped = street.person(distance)
    fire = street.services.global_events.shock(FIRE, Vec3(0.0, 0.0))
    assert fire is not None
    assert answer(ped, fire.for_peds()) == name
    assert totals == [{412.0: 8.0, 1500.0: 5.0, 900.0: 11.0}[distance]]


def test_example_data_of_others(street: Street) -> None:
    """EVT-74, EVT-79: told without seeing: hurry; a guard in cooldown does nothing; a dog."""
    fire = street.services.global_events.shock(FIRE, Vec3(0.0, 0.0))
    assert fire is not None
    told = street.person(1500.0)
    told.circumstances = Situation(seen=False)
    assert answer(told, fire.for_peds()) == "hurry"
    guard = street.person(1500.0, decision_maker="guard")
    assert answer(guard, fire.for_peds()) == "look_closer"
    hearing = street.person(700.0, decision_maker="guard")
    hearing.circumstances = Situation(seen=False)
    assert answer(hearing, fire.for_peds()) is None, "its parent is not asked"
    dog = street.person(100.0, decision_maker="dog")
    assert answer(dog, fire.for_peds()) is None
    assert dog.has_reason(Reason.NOT_LISTED)


# -- factory (EVT-84, EVT-85) ------------------------------------------------------------------


def test_a_kind_that_is_not_built_answers_none_once_traced() -> None:
    """EVT-84: it loads, answers none, and is traced KIND_NOT_BUILT once per run."""
    street = Street(factory=reply_factory(without=["watch"]))
    ped = street.person()
    set_makers(street, DecisionMaker("ordinary", [entry("e")]))
    for number in range(2):
        ped.add(AmbientNotice(Vec3(0, 0), street.thing(float(number), 0)))
        street.step(90)
    assert ped.reasons().count(Reason.KIND_NOT_BUILT) == 1
    assert not ped.has_reason(Reason.COMMITTED)


def test_a_nuisance_that_frightens_outlasts_itself(street: Street, ped: Person) -> None:
    """EVT-85: a temporary event whose decision is to cower overrides: NONTEMP."""
    set_makers(street, DecisionMaker("ordinary", [entry("e", decision("c", kind="cower"))]))
    ped.add(AmbientNotice(Vec3(0, 0)))
    street.step(90)
    assert ped.slot(NONTEMP).name == "c"


def test_damage_is_physical_plus_what_is_decided(street: Street, ped: Person) -> None:
    """EVT-85: not fatal: knocked down or hit reaction; "nothing" leaves the old intent in place."""
    set_makers(street, DecisionMaker("ordinary", ()))
    ped.add(DamageEvent(1, ragdolls=True))
    street.step()
    assert ped.slot(0).name == "knocked_down"
    assert ped.slot(NONTEMP) is None
    other = street.person()
    other.add(DamageEvent(2, fatal=True))
    street.step()
    assert other.slot(NONTEMP).name == "dying_dead"
    assert not other.has_reason(Reason.NOT_LISTED), "a fatal hit is not decided"


def test_every_event_keeps_its_say(street: Street) -> None:
    """EVT-66: a response speaks its line at the commit."""
    ped = street.person(412.0, decision_maker="timid")
    timid: DecisionData = shipped_decisions()
    assert timid.entries["timid_fire"].decisions[0].say == "fire_scream"
    fire: Event | None = street.services.global_events.shock(FIRE, Vec3(0.0, 0.0))
    assert fire is not None
    street.step(90)
    assert ped.has_reason(Reason.COMMITTED)
    assert street.said == ["fire_scream"]


CHI_SQUARE_999 = {1: 10.828, 2: 13.816, 3: 16.266}
"""Exceeded once in a thousand fair runs, by degrees of freedom."""


@pytest.mark.parametrize(
    "name", ["ordinary", "timid", "bold", "curious", "guard", "medic", "elderly", "tourist"]
)
def test_what_a_character_does_fits_its_chances(street: Street, name: str) -> None:
    """EVT-75, EVT-98: 400 peds of each decision maker before one fire at 1000 cm: p > 0.001."""
    fire = street.services.global_events.shock(FIRE, Vec3(0.0, 0.0))
    assert fire is not None
    chances: dict[str, float] = {}
    counts: dict[str, int] = {}
    for _ in range(400):
        ped = street.person(1000.0, decision_maker=name)
        answer(ped, fire.for_peds())
        (roll,) = ped.events.trace.records(reason=Reason.ROLL)
        text, taken = str(roll.data[2]), str(roll.data[5])
        counts[taken] = counts.get(taken, 0) + 1
        for word in text.split(", "):
            what, chance = word.split(" ")[:2]
            chances[what] = float(chance)
    total = sum(chances.values())
    possible = {what: chance for what, chance in chances.items() if chance > 0.0}
    assert set(counts) <= set(possible)
    chi_square = sum(
        (counts.get(what, 0) - 400 * chance / total) ** 2 / (400 * chance / total)
        for what, chance in possible.items()
    )
    freedom = len(possible) - 1
    assert freedom == 0 or chi_square < CHI_SQUARE_999[freedom], (counts, possible)
