"""BODY, FLIGHT and EVENTS of a ped: its fall, what it flees from, why it reacts as it does."""

from __future__ import annotations

from ai.behaviours.safe_record import SafeResponse, SafeResult, SafeState
from ai.events.explain import explain
from ai.motion.recovery.phases import RecoveryRecord
from ai.navigation.flee_points import Fate
from ai.peds.ped import Ped
from game.ui.inspector.measures import metres, point
from game.ui.inspector.reading import Row, Section, Tone

LABEL_CHARS = 11
DECISIONS_KEPT = 12
SINCE_S = 20.0
_FATES = {
    Fate.CHOSEN: Tone.GOOD,
    Fate.KEPT: Tone.INFO,
    Fate.NOT_SEARCHED: Tone.DIM,
}


def body_section(record: RecoveryRecord) -> Section:
    """The session in which the body is down or rising (REC-01)."""
    phase = record.phase.name.lower().replace("_", " ")
    rows = (
        Row("phase", phase, "phase", tone=Tone.ACCENT),
        Row("session", str(record.session), "session"),
        Row("hits", str(record.hit_count), "hits"),
        Row("age", "", "down for", f"{record.age:.1f} s"),
        Row("stable", "", "at rest for", f"{record.stable_time:.1f} s"),
    )
    return Section("body", "BODY", phase, rows, LABEL_CHARS)


def flight_section(record: SafeResponse) -> Section:
    """The safe response: state, threats, goal, and what became of every candidate (SAFE, FLEE)."""
    state = record.state.name.lower()
    ended = record.state is SafeState.ENDED
    how = record.result.name.lower().replace("_", " ")
    summary = f"{how}{f': {record.reason.lower()}' if record.reason else ''}" if ended else state
    tone = Tone.INFO
    if ended:
        tone = Tone.GOOD if record.result is SafeResult.SUCCEEDED else Tone.BAD
    rows = [
        Row("state", summary, "state", tone=tone),
        Row("entry", record.entry.replace("_", " "), "asked by"),
        Row("goal", point(record.goal), "goal"),
        Row("chosen", f"{record.reselect_count} times anew", "chosen"),
    ]
    rows += [
        Row(f"threat {number}", f"{point(threat.at)}, safe at {metres(threat.safe_cm)}", "threat")
        for number, threat in enumerate(record.threats)
    ]
    rows += [
        Row(
            f"candidate {number}",
            view.fate.value,
            f"{view.angle_deg:+.0f}° {metres(view.length_cm)}",
            "" if view.score is None else f"{view.score:.0f}",
            tone=_FATES.get(view.fate, Tone.BAD),
        )
        for number, view in enumerate(record.views)
    ]
    return Section("flight", "FLIGHT", summary, tuple(rows), LABEL_CHARS)


def decision_section(ped: Ped) -> Section:
    """The decision trace, newest first (EVT-96)."""
    # The panel's font has no arrows.
    lines = [line.replace("→", "=") for line in explain(ped, SINCE_S)[:DECISIONS_KEPT]]
    rows = tuple(Row(line, line, tone=Tone.DIM) for line in dict.fromkeys(lines))
    if not rows:
        rows = (Row("nothing", "nothing to decide lately", tone=Tone.DIM),)
    summary = lines[0].split("  ", 1)[-1] if lines else "nothing lately"
    return Section("events", "EVENTS", summary, rows)
