"""ORDER, PATH and CLIP of a ped: the purpose, the movement that serves it, the clip it plays.

Sections are one line each until they are opened; the rows behind it name every field
that a judgement of the three records needs (ORD-02, NAV-01, CLIP-06).
"""

from __future__ import annotations

from ai.behaviours.order_record import EndCause, OrderState, OrderStatus
from ai.behaviours.wander import GOALS_PER_TASK
from ai.motion.claims import ClaimTable, MoveClaim
from ai.motion.clip_library import ClipLibrary
from ai.motion.clip_profiles import NO_PROFILE
from ai.motion.execution import MoveExecution
from ai.motion.movement_table import ClipPhase, MovementSlot, MoveReason, MoveStatus, SuspendReason
from ai.navigation.navigation_tuning import NavigationTuning
from game.ui.inspector.measures import metres, playing, point, way_left_cm
from game.ui.inspector.reading import Row, Section, Tone
from game.ui.inspector.recent_facts import END_CAUSES
from game.ui.inspector.stop_reasons import MOVE_REASONS, StopReason

LABEL_CHARS = 11

ORDER_TONES: dict[OrderStatus, Tone] = {
    OrderStatus.NOT_STARTED: Tone.DIM,
    OrderStatus.PENDING: Tone.INFO,
    OrderStatus.TRAVELLING: Tone.INFO,
    OrderStatus.WAITING_FOR_SIGNAL: Tone.ACCENT,
    OrderStatus.AWAITING_DECISION: Tone.BAD,
    OrderStatus.COMPLETED: Tone.GOOD,
    OrderStatus.CANCELLED: Tone.DIM,
}

MOVE_TONES: dict[MoveStatus, Tone] = {
    MoveStatus.IDLE: Tone.DIM,
    MoveStatus.WAITING_PATH: Tone.INFO,
    MoveStatus.WALKING: Tone.INFO,
    MoveStatus.ARRIVED: Tone.GOOD,
    MoveStatus.FAILED: Tone.BAD,
    MoveStatus.CANCELLED: Tone.DIM,
}


def order_section(order: OrderState) -> Section:
    """The order's record: live, or the last one that ended."""
    if order.status is OrderStatus.NOT_STARTED:
        return Section("order", "ORDER", "none", (Row("status", "none", "status", tone=Tone.DIM),))
    status = spelt(order.status.name)
    failed = f", {order.failure_count} failed" if order.failure_count else ""
    summary = f"{order.session} {status} · {order.instruction_count} told{failed}"
    rows = [
        Row("status", status, "status", tone=ORDER_TONES[order.status]),
        Row("session", str(order.session), "session"),
        Row("told", str(order.instruction_count), "instructions"),
        Row("failures", str(order.failure_count), "failures"),
    ]
    if order.last_failure is not None:
        words = MOVE_REASONS[order.last_failure]
        rows.append(Row("last_failure", words, "last failure", tone=Tone.BAD))
    if order.end_cause is not None and order.end_cause is not EndCause.CANCELLED:
        rows.append(Row("end", END_CAUSES[order.end_cause.name], "ended", tone=Tone.DIM))
    rows.append(Row("goal", point(order.goal), "goal"))
    return Section("order", "ORDER", summary, tuple(rows), LABEL_CHARS)


def path_section(
    movement: MoveExecution,
    reasons: tuple[StopReason, ...],
    claims: ClaimTable,
    slot: int,
    tuning: NavigationTuning,
) -> Section:
    """The movement record that the walk update runs, and what stops it (NAV-01, NAV-21)."""
    left_cm = way_left_cm(movement)
    status = spelt(movement.status.name)
    summary = status
    if movement.status is MoveStatus.FAILED:
        summary = f"{status}: {MOVE_REASONS[movement.reason]}"
    elif left_cm is not None and movement.live:
        summary = f"{status} · {metres(left_cm)} left"
    rows = [Row("status", status, "status", tone=MOVE_TONES[movement.status])]
    if movement.reason is not MoveReason.NONE:
        rows.append(Row("reason", MOVE_REASONS[movement.reason], "reason", tone=Tone.BAD))
    if movement.record is not MovementSlot.GENERAL:
        rows.append(Row("record", spelt(movement.record.name), "record"))
    rows += [_stop_row(reason, is_first=index == 0) for index, reason in enumerate(reasons)]
    stale = f", {movement.stale_replies} stale" if movement.stale_replies else ""
    rows.append(Row("generation", f"{movement.generation}{stale}", "generation"))
    if movement.path:
        corner = min(movement.corner + 1, len(movement.path))
        usable = "" if movement.path_usable else ", not usable"
        rows.append(Row("corner", f"{corner} of {len(movement.path)}{usable}", "corner"))
    if movement.live or movement.path:
        rows.append(Row("goal", point(movement.goal), "goal"))
    if left_cm is not None:
        rows.append(Row("left", "", "left", metres(left_cm)))
    rows += [
        Row("speed", "", "speed", _speeds(movement)),
        Row("travelled", "", "travelled", metres(movement.travelled)),
        Row(
            "retries",
            f"{movement.retry_count} of {tuning.retries_max}, "
            f"{movement.replans_total} for this goal",
            "retries",
        ),
        Row(
            "no_progress",
            "",
            "no progress",
            f"{movement.no_progress_time:.1f} of {tuning.no_progress_limit:g} s",
        ),
        Row("suspend", _bits(movement.suspend), "suspend"),
    ]
    held = claims.held(slot)
    highest = claims.highest(slot)
    rows += [
        Row(
            f"claim.{claim.owner_kind}.{claim.tag}",
            _claim(claim),
            "claims" if claim is held[0] else "",
            tone=Tone.TEXT if claim is highest else Tone.DIM,
        )
        for claim in held
    ]
    return Section("path", "PATH", summary, tuple(rows), LABEL_CHARS)


def clip_section(movement: MoveExecution, clips: ClipLibrary) -> Section:
    """Profile, phase and times of the motion clip (CLIP-06)."""
    state = movement.clip
    phase = spelt(state.phase.name)
    if state.profile == NO_PROFILE:
        return Section("clip", "CLIP", phase, (Row("phase", phase, "phase"),), LABEL_CHARS)
    profile = clips.profile(state.profile)
    played = playing(profile, state)
    share = "" if played is None else f" {played[1]:.0%}"
    rows = [
        Row("profile", profile.name, "profile"),
        Row("phase", phase, "phase", share.strip()),
    ]
    if played is not None:
        rows.append(Row("clip", played[0].name, "clip"))
    time_s = state.cycle_time if state.phase is ClipPhase.LOOP else state.clip_time
    rows += [
        Row("time", "", "clip time", f"{time_s:.2f} s"),
        Row("seq", str(state.clip_seq), "sequence"),
    ]
    if state.phase is ClipPhase.STOP:
        rows.append(Row("scale", f"{state.stop_scale:.2f}", "stop scale"))
    if state.phase is ClipPhase.TURN:
        rows.append(Row("turn", f"{state.turn_angle:+.2f} rad", "turn"))
    return Section("clip", "CLIP", f"{profile.name} {phase}{share}", tuple(rows), LABEL_CHARS)


def spelt(name: str) -> str:
    """``WAITING_FOR_SIGNAL`` as "waiting for signal"."""
    return name.lower().replace("_", " ")


def _stop_row(reason: StopReason, *, is_first: bool) -> Row:
    return Row(
        f"stop.{reason.key}",
        f"{reason.name}, {reason.until}",
        label="stops" if is_first else "",
        tail=reason.running,
        tone=Tone.ACCENT,
    )


def _speeds(movement: MoveExecution) -> str:
    return f"{movement.measured_speed:.0f} of {movement.desired_speed:.0f} cm/s"


def _bits(suspend: SuspendReason) -> str:
    names = [spelt(bit.name or "") for bit in SuspendReason if bit and suspend & bit]
    return ", ".join(names) or "none"


def _claim(claim: MoveClaim) -> str:
    """Owner, tag, priority; a tag that counts a task's goals is split into both."""
    task, goal = divmod(claim.tag, GOALS_PER_TASK)
    tag = f"{task}, goal {goal}" if task else f"{goal}"
    return f"{spelt(claim.owner_kind.name)} {tag}, priority {claim.priority}"
