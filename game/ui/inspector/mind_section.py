"""MIND, BOARD and LEDGER of a ped that runs a machine, a tree or a rule script.

The live states of the machine and nodes of the tree, the blackboard with the last change of
each key, and who holds which resource (HSM-33, BB-02, ACT-08).
"""

from __future__ import annotations

from ai.machines.blackboard.keys import Value
from ai.machines.brain import Brain
from ai.machines.dump import dump
from ai.machines.hsm.machine import StateMachine
from ai.machines.ledger.command import CommandState
from ai.machines.ledger.resources import RESOURCES
from ai.ports import STEP_S, EntityRef
from game.ui.inspector.reading import Row, Section, Tone

LABEL_CHARS = 16
_TONES = (("error", Tone.BAD), ("[F]", Tone.BAD), ("[C]", Tone.ACCENT), ("exiting", Tone.ACCENT),
          ("entering", Tone.ACCENT), ("undoing", Tone.ACCENT), ("[R]", Tone.INFO),
          ("active", Tone.INFO))  # fmt: skip
"""The first word that a line holds gives it its colour; all others are dim."""


def mind_sections(brain: Brain) -> tuple[Section, ...]:
    """Three sections of one brain."""
    return (_mind(brain), _board(brain), _ledger(brain))


def _mind(brain: Brain) -> Section:
    lines = dump(brain).splitlines()[:-2]
    rows = tuple(_line(number, line) for number, line in enumerate(lines[1:]))
    mind = brain.mind
    summary = "none" if mind is None else mind.mind
    if isinstance(mind, StateMachine):
        active = mind.record.active
        summary = "in error" if mind.record.error else "" if active is None else active.path
    return Section("mind", "MIND", summary, rows)


def _line(number: int, line: str) -> Row:
    """A line of the dump, hung on the one above instead of drawn with strokes."""
    words = line.lstrip("|`- ")
    strokes = len(line) - len(words)
    depth = strokes // (2 if line.startswith(" ") and "[" in line else 3)
    said = words.split()
    runs = 2 if said[-1] == "steps" else 0
    text, tail = " ".join(said[: len(said) - runs]), " ".join(said[len(said) - runs :])
    return Row(str(number), text, tail=tail, tone=_tone(line), depth=depth)


def _tone(line: str) -> Tone:
    return next((tone for word, tone in _TONES if word in line), Tone.DIM)


def _board(brain: Brain) -> Section:
    board = brain.board
    rows = tuple(
        Row(
            key.name,
            _value(board.values[slot]),
            key.name,
            f"{(board.step - board.changed_step[slot]) * STEP_S:.1f} s",
        )
        for slot, key in enumerate(board.layout.keys)
    )
    return Section("board", "BOARD", f"{len(rows)} keys", rows, LABEL_CHARS)


def _value(value: Value) -> str:
    if isinstance(value, EntityRef):
        return f"{value.kind.name.lower()} {value.slot}"
    return f"{value:g}" if isinstance(value, float) else str(value).lower()


def _ledger(brain: Brain) -> Section:
    ledger = brain.ledger
    rows = []
    for resource in RESOURCES:
        holder = ledger.resources.holders[resource]
        outside = ledger.resources.external[resource]
        text, tone = "free", Tone.DIM
        if outside:
            text, tone = "held outside", Tone.ACCENT
        elif holder is not None:
            stops = holder.state is CommandState.STOPPING
            text = f"{holder.kind.name} c{holder.id}{' stopping' if stops else ''}"
            tone = Tone.ACCENT if stops else Tone.INFO
        rows.append(Row(resource.word, text, resource.word, tone=tone))
    rows += [
        Row(f"c{command.id}", f"{command.kind.name} c{command.id}", "waits")
        for command in ledger.waiting()
    ]
    busy = sum(row.tone is not Tone.DIM for row in rows)
    return Section("ledger", "LEDGER", f"{busy} in use", tuple(rows), LABEL_CHARS)
