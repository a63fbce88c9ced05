"""MIND, BOARD and LEDGER; BODY, FLIGHT and EVENTS: what some peds have and others don't."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ai.behaviours.safe_record import SafeResponse
from ai.ports import Impact, Vec3
from game import Sandbox
from game.render.figures.faces import Mood
from game.render.palette import load_palette
from game.ui.inspector.reader import InspectorReader
from game.ui.inspector.reading import Section, Tone


@pytest.fixture
def guards() -> Iterator[Sandbox]:
    with Sandbox.load("guards") as box:
        yield box


def sections(box: Sandbox, name: str) -> dict[str, Section]:
    """What the inspector says about a ped, by section."""
    reading = InspectorReader(box.world, load_palette()).read(box.ped(name), Mood.CALM)
    return {section.key: section for section in reading.sections}


def test_a_guard_shows_its_machine_tree_board_and_ledger(guards: Sandbox) -> None:
    """HSM-33, BB-02, ACT-08: active path, nodes with marks, last changes, who holds what."""
    guards.run_for(5.0)
    seen = sections(guards, "guard")
    mind, board, ledger = seen["mind"], seen["board"], seen["ledger"]
    assert mind.summary.startswith("combat/")
    assert any("active e" in row.text and row.tone is Tone.INFO for row in mind.rows)
    assert any("[R]" in row.text for row in mind.rows)
    known = {row.key: row for row in board.rows}
    assert known["enemy_known"].text == "true"
    assert all(row.tail.endswith(" s") for row in board.rows)
    mover = next(row for row in ledger.rows if row.key == "mover")
    assert mover.text != "free"
    assert len(board.rows) == int(board.summary.split()[0])


def test_the_last_change_of_a_key_is_told(guards: Sandbox) -> None:
    """BB-05: so many seconds ago; a key that changes now begins at 0."""
    guards.run_for(1.0)
    before = {row.key: row.tail for row in sections(guards, "guard")["board"].rows}
    brain = guards.ped("guard").brain
    assert brain is not None
    brain.write("enemy_dist_cm", 123.0)
    guards.step(1)
    after = {row.key: row for row in sections(guards, "guard")["board"].rows}
    assert after["enemy_dist_cm"].tail == "0.0 s"
    assert before["enemy_dist_cm"] != "0.0 s"


def test_who_has_no_brain_fall_or_flight_shows_none(guards: Sandbox) -> None:
    """Product.md section 6: one readable panel; what is not there takes no line."""
    seen = sections(guards, "shopper")
    assert not {"mind", "board", "ledger", "body", "flight"} & set(seen)


def test_a_flight_shows_threats_and_what_became_of_every_candidate(guards: Sandbox) -> None:
    """SAFE-01, FLEE-04: state, threats, 21 candidates with score or filter."""
    ped = guards.ped("shopper")
    reply = guards.world.safe.flee_from(ped, (Vec3(ped.position.x - 80.0, ped.position.y),), 150.0)
    assert isinstance(reply, SafeResponse)
    guards.step(2)
    flight = sections(guards, "shopper")["flight"]
    assert flight.summary == "active"
    candidates = [row for row in flight.rows if row.key.startswith("candidate")]
    assert len(candidates) == 21
    (chosen,) = [row for row in candidates if row.text == "chosen"]
    assert chosen.tone is Tone.GOOD
    assert chosen.tail == f"{max(float(row.tail) for row in candidates if row.tail):.0f}"
    assert sum(row.label == "threat" for row in flight.rows) == 1


def test_a_fall_and_its_decision_are_told(guards: Sandbox) -> None:
    """REC-01, EVT-96: the phase of the body, and the trace newest first."""
    guards.step(1)
    guards.world.impacts.strike(guards.ped("shopper"), Impact((20_000.0, 0.0)))
    guards.step(5)
    seen = sections(guards, "shopper")
    assert seen["body"].summary == "physics"
    assert any("DAMAGE" in row.text and "COMMITTED" in row.text for row in seen["events"].rows)


def test_the_sentence_says_what_a_guard_and_who_flees_are_about(guards: Sandbox) -> None:
    """Art-and-feel section 13: one plain sentence ahead of all numbers."""

    def sentence(name: str) -> str:
        reader = InspectorReader(guards.world, load_palette())
        return reader.read(guards.ped(name), Mood.CALM).sentence

    guards.run_for(5.0)
    assert sentence("guard") == "On duty: combat, attack."
    ped = guards.ped("shopper")
    reply = guards.world.safe.flee_from(ped, (Vec3(ped.position.x - 80.0, ped.position.y),), 150.0)
    assert isinstance(reply, SafeResponse)
    guards.step(30)
    assert sentence("shopper").startswith("Fleeing to safety; ")
