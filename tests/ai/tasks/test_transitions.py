"""State transition tables: matching, choosing, families, the periodic check (TASK-28 to 33)."""

from __future__ import annotations

import random
from collections import Counter
from enum import IntEnum, IntFlag
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai.faults import faults
from ai.tasks.task import Task
from ai.tasks.task_errors import TransitionTableError
from ai.tasks.transition_files import TransitionFamily
from ai.tasks.transitions import NO_TRANSITION, Fallback, TransitionRow, TransitionTable
from ai.tasks.trees import PRIMARY, PrimarySlot
from ai.tuning import TuningError
from tests.ai.tasks.doubles import FakePed, Log, Probe, fresh_type

START, HIDE, SHOOT = 0, 1, 2
SEEN, ARMED = 1, 2
DRAWS = 100_000


class State(IntEnum):
    START = 0
    HIDE = 1
    SHOOT = 2


class Condition(IntFlag):
    SEEN = 1
    ARMED = 2


class CountedRandom(random.Random):
    """Counts what is drawn."""

    draws = 0

    def random(self) -> float:
        self.draws += 1
        return super().random()


def table(*rows: tuple[int, int, float, int], fallbacks: tuple[Any, ...] = ()) -> TransitionTable:
    return TransitionTable(
        3, [TransitionRow(*row) for row in rows], [Fallback(*each) for each in fallbacks]
    )


def shares(made: TransitionTable, conditions: int = 0) -> dict[int, float]:
    rng = random.Random(30)
    found = Counter(made.find(START, conditions, rng) for _ in range(DRAWS))
    return {state: count / DRAWS for state, count in found.items()}


# -- matching and choosing ---------------------------------------------------------------------


def test_a_row_applies_if_all_it_requires_is_the_case() -> None:
    """TASK-29: extra bits do not matter, an empty requirement always applies, another state not."""
    made = table((START, HIDE, 1.0, SEEN | ARMED), (HIDE, SHOOT, 1.0, 0))
    rng = random.Random(1)
    assert made.find(START, SEEN, rng) == NO_TRANSITION
    assert made.find(START, SEEN | ARMED, rng) == HIDE
    assert made.find(START, SEEN | ARMED | 64, rng) == HIDE
    assert made.find(HIDE, 0, rng) == SHOOT
    assert made.find(SHOOT, SEEN | ARMED, rng) == NO_TRANSITION


def test_weights_below_one_leave_the_rest_to_staying() -> None:
    """TASK-30: weights 0.3 and 0.2 over 100,000 draws: none 0.50, first 0.30, second 0.20."""
    found = shares(table((START, HIDE, 0.3, 0), (START, SHOOT, 0.2, 0)))
    assert found[NO_TRANSITION] == pytest.approx(0.5, abs=0.01)
    assert found[HIDE] == pytest.approx(0.3, abs=0.01)
    assert found[SHOOT] == pytest.approx(0.2, abs=0.01)


def test_weights_that_sum_to_one_or_more_always_move() -> None:
    """TASK-30: weights 9 and 1: none 0, 0.90 and 0.10."""
    found = shares(table((START, HIDE, 9.0, 0), (START, SHOOT, 1.0, 0)))
    assert NO_TRANSITION not in found
    assert found[HIDE] == pytest.approx(0.9, abs=0.01)
    assert found[SHOOT] == pytest.approx(0.1, abs=0.01)


def test_without_a_row_the_first_fallback_serves_and_nothing_is_drawn() -> None:
    """TASK-30: no row, fallback present: fallback 100 %; random numbers only if a row applies."""
    made = table((START, HIDE, 1.0, SEEN), fallbacks=((START, SHOOT), (START, HIDE)))
    rng = CountedRandom(1)
    assert {made.find(START, 0, rng) for _ in range(100)} == {SHOOT}
    assert made.find(HIDE, 0, rng) == NO_TRANSITION
    assert rng.draws == 0


def test_staying_by_chance_does_not_consult_the_fallback() -> None:
    """TASK-30, combination 25: weight 0.25 with a fallback: 0.75 stay, the fallback never."""
    found = shares(table((START, HIDE, 0.25, 0), fallbacks=((START, SHOOT),)))
    assert found.keys() == {NO_TRANSITION, HIDE}
    assert found[NO_TRANSITION] == pytest.approx(0.75, abs=0.01)


@pytest.mark.parametrize(
    ("weights", "draws"), [((0.0,), 0), ((1.0,), 0), ((0.5,), 1), ((2.0, 1.0), 1), ((0.5, 0.4), 2)]
)
def test_what_is_certain_is_not_drawn(weights: tuple[float, ...], draws: int) -> None:
    """TASK-30: one draw for whether to move, one for where to, at most."""
    rng = CountedRandom(3)
    rows = [(START, place % 3, weight, 0) for place, weight in enumerate(weights)]
    table(*rows).find(START, 0, rng)
    assert rng.draws == draws


def test_weight_zero_is_never_chosen() -> None:
    """TASK-28, TASK-30: legal, and all of them zero stays."""
    found = shares(table((START, HIDE, 0.0, 0), (START, SHOOT, 1.0, 0), (START, HIDE, 0.0, 0)))
    assert found.keys() == {SHOOT}
    assert shares(table((START, HIDE, 0.0, 0))).keys() == {NO_TRANSITION}


@given(
    weights=st.lists(st.floats(0.0, 1e6), min_size=1, max_size=10),
    seed=st.integers(0, 1000),
)
def test_a_choice_is_always_a_row_that_applies(weights: list[float], seed: int) -> None:
    """TASK-30: whatever the weights; at least 1 in all never stays."""
    rows = [(START, index % 3, weight, SEEN) for index, weight in enumerate(weights)]
    found = table(*rows).find(START, SEEN, random.Random(seed))
    if found == NO_TRANSITION:
        assert sum(weights) < 1.0
    else:
        assert any(weight > 0.0 and row % 3 == found for row, weight in enumerate(weights))


# -- files -------------------------------------------------------------------------------------

ROW = '[[calm.transition]]\nfrom = "START"\nto = "HIDE"\nweight = 1.0\nrequire = ["SEEN"]\n'
OTHER = ROW.replace("calm", "wild").replace("HIDE", "SHOOT")


def family(folder: Path, text: str, **options: Any) -> TransitionFamily:
    (folder / "fight.toml").write_text(text, encoding="utf-8")
    made = TransitionFamily("fight", State, Condition, ("calm", "wild"), **options)
    made.load(folder)
    return made


def test_a_file_names_states_and_conditions(tmp_path: Path) -> None:
    """TASK-28: names become numbers at load, one table a situation."""
    made = family(tmp_path, ROW + OTHER)
    rng = random.Random(1)
    assert made.table("calm").find(START, SEEN, rng) == HIDE
    assert made.table("calm").find(START, ARMED, rng) == NO_TRANSITION
    assert made.table("wild").find(START, SEEN, rng) == SHOOT


@pytest.mark.parametrize(
    ("kind", "most", "row"),
    [
        ("transition", 128, 'from = "START"\nto = "HIDE"\nweight = 1.0\nrequire = []\n'),
        ("fallback", 32, 'from = "HIDE"\nto = "START"\n'),
    ],
)
def test_rows_beyond_the_limit_are_left_out(tmp_path: Path, kind: str, most: int, row: str) -> None:
    """TASK-28: the first 128 or 32 stay, one fault names file and row."""
    last = row.replace('from = "START"', 'from = "SHOOT"').replace(
        'from = "HIDE"', 'from = "SHOOT"'
    )
    rows = f"[[calm.{kind}]]\n{row}" * most + f"[[calm.{kind}]]\n{last}"
    made = family(tmp_path, rows + OTHER)
    (fault,) = faults.of_kind("transition_rows")
    assert f"[[calm.{kind}]] row {most + 1}" in fault.text
    assert "fight.toml" in fault.text
    assert made.table("calm").find(SHOOT, 0, random.Random(1)) == NO_TRANSITION
    faults.clear()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('to = "HIDE"', 'to = "HYDE"', "state 'HYDE' is unknown"),
        ('from = "START"', 'from = "BEGIN"', "state 'BEGIN' is unknown"),
        ('["SEEN"]', '["SEEM"]', "condition 'SEEM' is unknown"),
        ("weight = 1.0", "weight = -0.5", "-0.5"),
        ("weight = 1.0", "weight = nan", "nan"),
        ("weight = 1.0", "weight = inf", "inf"),
        ("weight = 1.0\n", "", "'weight' is missing"),
        ("require", "wait = 1.0\nrequire", "key 'wait' is unknown"),
    ],
)
def test_a_table_with_a_fault_is_refused_and_the_previous_one_stays(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    """TASK-28: that table as a whole, with file and row; the others are loaded."""
    made = family(tmp_path, ROW + OTHER)
    before, other = made.table("calm"), made.table("wild")
    (tmp_path / "fight.toml").write_text(ROW + ROW.replace(old, new) + OTHER, encoding="utf-8")
    (refusal,) = made.load(tmp_path)
    assert "fight.toml" in refusal
    assert "[[calm.transition]] row 2" in refusal
    assert told in refusal
    assert made.table("calm") is before
    assert made.table("wild") is not other


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (ROW, "table 'wild' is missing"),
        (ROW + OTHER + "[odd]\n", "table 'odd' is unknown"),
        (ROW + OTHER + "[[calm.exit]]\n", "key 'calm.exit' is unknown"),
        ("[calm]\ntransition = 3\n" + OTHER, "must be rows"),
        ("[[calm", "not valid TOML"),
    ],
)
def test_a_file_that_leaves_a_situation_without_a_table_is_refused(
    tmp_path: Path, text: str, told: str
) -> None:
    """TASK-28, TASK-118: no previous table to stay."""
    with pytest.raises(TuningError, match=r"fight\.toml") as refused:
        family(tmp_path, text)
    assert told in str(refused.value)


# -- in a task ---------------------------------------------------------------------------------


class Fighter(Probe):
    """Looks its next state up in a table of the situation it is in."""

    task_type = fresh_type("fighter")
    __slots__ = ("bits", "looked", "tables", "where")

    def __init__(
        self, log: Log | None = None, script: Any = None, **tables: TransitionTable
    ) -> None:
        super().__init__("F", log, script)
        self.tables = tables
        self.where = next(iter(tables))
        self.bits = 0
        self.looked = 0

    def transition_table(self) -> TransitionTable:
        self.looked += 1
        return self.tables[self.where]

    def transition_conditions(self) -> int:
        return self.bits


def placed(ped: FakePed, task: Task) -> None:
    ped.tasks.set_task(PRIMARY, task, PrimarySlot.PRIMARY)


def test_finding_changes_nothing_and_picking_asks_for_the_state(ped: FakePed, log: Log) -> None:
    """TASK-31: find returns the state; pick calls set_state and says whether it moved."""
    answers: list[object] = []

    def look(task: Fighter) -> None:
        answers.append(task.find_new_state_transition())
        answers.append(task.state)
        answers.append(task.pick_new_state_transition())

    task = Fighter(log, {"updA": look}, only=table((START, HIDE, 1.0, SEEN)))
    placed(ped, task)
    ped.step()
    assert answers == [NO_TRANSITION, START, False]
    task.bits = SEEN
    ped.step()
    assert answers[3:] == [HIDE, START, True]
    assert log == ["F.enterA", "F.updA", "F.updA", "F.exitA", "F.enterB", "F.updB"]


def test_picking_the_present_state_restarts_its_timer(ped: FakePed, log: Log) -> None:
    """TASK-31, TASK-17: allowed; no exit and no enter."""

    def look(task: Fighter) -> None:
        task.pick_new_state_transition()

    task = Fighter(log, {"updA": look}, only=table((START, START, 1.0, 0)))
    placed(ped, task)
    ped.step(3)
    assert task.time_in_state == 0.0
    assert log == ["F.enterA", "F.updA", "F.updA", "F.updA"]


def test_a_class_without_a_table_is_told_so(ped: FakePed) -> None:
    """TASK-31: the error names the class, for either lookup."""
    raised: list[str] = []

    def look(task: Task) -> None:
        for lookup in (task.find_new_state_transition, task.pick_new_state_transition):
            try:
                lookup()
            except TransitionTableError as error:
                raised.append(str(error))

    placed(ped, Probe("P", script={"updA": look}))
    ped.step()
    assert len(raised) == 2
    assert all("Probe" in text for text in raised)


def test_the_situation_is_read_anew_at_each_lookup(ped: FakePed) -> None:
    """TASK-32: entering a vehicle, say, changes the table at the next lookup."""
    picks: list[int] = []
    task = Fighter(
        script={"updA": lambda task: picks.append(task.find_new_state_transition())},
        on_foot=table((START, HIDE, 1.0, 0)),
        in_vehicle=table((START, SHOOT, 1.0, 0)),
    )
    placed(ped, task)
    ped.step()
    task.where = "in_vehicle"
    ped.step()
    assert picks == [HIDE, SHOOT]


def test_two_situations_may_share_a_table(tmp_path: Path) -> None:
    """TASK-32: the file has it once, and may not have the other's name."""
    made = family(tmp_path, ROW, shared={"wild": "calm"})
    assert made.table("wild") is made.table("calm")
    with pytest.raises(TuningError, match="table 'wild' is unknown"):
        family(tmp_path, ROW + OTHER, shared={"wild": "calm"})


def test_the_shipped_wander_family_serves_all_its_states() -> None:
    """TASK-32: a shipped task chooses from its family; every state leads somewhere."""
    from ai.behaviours.wander import TaskWander
    from game.world.world_data import shipped_world_data

    made = shipped_world_data().wander_transitions.table("on_foot")
    rng, here, what = random.Random(1), TaskWander.State, TaskWander.Condition
    assert made.find(here.CHOOSE, what.HAS_GOAL, rng) == here.WALK
    assert made.find(here.CHOOSE, what.NO_GOAL, rng) == here.STAND
    assert made.find(here.WALK, what.ARRIVED, rng) == here.PAUSE
    assert made.find(here.WALK, what.UNREACHABLE, rng) == here.CHOOSE
    assert made.find(here.WALK, what.GAVE_UP, rng) == here.STAND
    assert made.find(here.WALK, 0, rng) == here.CHOOSE
    assert made.find(here.PAUSE, what.WAITED, rng) == here.CHOOSE
    assert made.find(here.STAND, what.WAITED, rng) == here.CHOOSE
    assert made.find(here.PAUSE, 0, rng) == NO_TRANSITION


# -- the periodic check ------------------------------------------------------------------------


def checker(average_s: float = 1.0, **tables: TransitionTable) -> Fighter:
    def check(task: Fighter) -> None:
        task.periodically_check_transitions(average_s)

    return Fighter(script={"updA": check, "updB": check}, **tables)


def lookups(ped: FakePed, task: Fighter, steps: int) -> list[int]:
    """Numbers of the steps, from 1, in which the table was looked up."""
    seen = []
    for step in range(1, steps + 1):
        before = task.looked
        ped.step()
        seen += [step] * (task.looked - before)
    return seen


def test_without_news_it_looks_now_and_then(ped: FakePed) -> None:
    """TASK-33: average 1.0 s, constant zero bits, 60 Hz: 48 to 73 updates apart, not all alike."""
    task = checker(only=table((START, HIDE, 1.0, SEEN)))
    placed(ped, task)
    steps = lookups(ped, task, 3000)
    gaps = [later - earlier for earlier, later in zip([1, *steps], steps, strict=False)]
    assert len(gaps) > 40
    assert all(48 <= gap <= 73 for gap in gaps)
    assert len(set(gaps)) > 5


def test_a_changed_condition_is_looked_up_at_once(ped: FakePed) -> None:
    """TASK-33: bit flips at update 10: lookup in update 10, and none in 11."""
    task = checker(only=table())
    placed(ped, task)
    assert lookups(ped, task, 9) == []
    task.bits = ARMED
    assert lookups(ped, task, 5) == [1]
    task.bits = 0
    assert lookups(ped, task, 5) == [1]


def test_the_first_call_looks_up_only_if_a_condition_holds(ped: FakePed) -> None:
    """TASK-33: bits at the start are news, none only start the timer."""
    task = checker(only=table())
    task.bits = SEEN
    placed(ped, task)
    assert lookups(ped, task, 10) == [1]


def test_a_new_state_forgets_timer_and_conditions(ped: FakePed) -> None:
    """TASK-33, TASK-17: set_state resets both, so the new state's first update looks up."""
    task = checker(only=table((START, HIDE, 1.0, SEEN)))
    task.bits = SEEN
    placed(ped, task)
    assert lookups(ped, task, 1) == [1, 1], "once in A, which moves; once in B's first update"
    assert task.state == HIDE
    assert lookups(ped, task, 40) == []


def test_a_change_that_is_withdrawn_forgets_them_too(ped: FakePed) -> None:
    """TASK-17, TASK-33: each ``set_state`` resets both, also one that stays where it is."""
    withdraws: list[bool] = []

    def check(task: Fighter) -> None:
        if withdraws:
            task.set_state(HIDE)
            task.set_state(START)
        task.periodically_check_transitions(1.0)

    task = Fighter(script={"updA": check}, only=table())
    task.bits = SEEN
    placed(ped, task)
    assert lookups(ped, task, 3) == [1]
    withdraws.append(True)
    assert lookups(ped, task, 3) == [1, 2, 3]
    assert task.state == START


def test_a_resumed_state_looks_up_anew(ped: FakePed) -> None:
    """TASK-33: an interruption restarts the state's time, and the timer with it."""
    task = checker(only=table())
    task.bits = SEEN
    placed(ped, task)
    ped.step(5)
    ped.tasks.set_task(PRIMARY, Probe("R"), PrimarySlot.PHYSICAL_RESPONSE)
    ped.step(5)
    ped.tasks.set_task(PRIMARY, None, PrimarySlot.PHYSICAL_RESPONSE)
    assert lookups(ped, task, 3) == [1]


@pytest.mark.parametrize("average_s", [0.0, -1.0, float("nan"), float("inf")])
def test_an_average_that_is_no_time_is_refused(ped: FakePed, average_s: float) -> None:
    """TASK-33: ``ValueError``."""
    raised: list[Exception] = []

    def check(task: Fighter) -> None:
        try:
            task.periodically_check_transitions(average_s)
        except ValueError as error:
            raised.append(error)

    placed(ped, Fighter(script={"updA": check}, only=table()))
    ped.step()
    assert len(raised) == 1


def test_flapping_conditions_shorten_the_stay(ped: FakePed) -> None:
    """TASK-33, combination 24: with weight 0.1, a bit that flips in each update.

    It is looked up in each: mean dwell 10 updates, 0.17 s, instead of the 10 s that a
    steady bit gives at an average of 1 s. A family with weights below 1 must not have
    conditions that flap.
    """
    dwell = []
    for seed in range(200):
        ped.rng.seed(seed)
        task = checker(only=table((START, SHOOT, 0.1, 0)))
        placed(ped, task)
        updates = 0
        while task.state == START:
            task.bits ^= ARMED
            ped.step()
            updates += 1
        dwell.append(updates)
    assert sum(dwell) / len(dwell) == pytest.approx(10.0, rel=0.25)
