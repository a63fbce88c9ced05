"""How much a body on its feet takes: nothing, a flinch, a stagger or a fall (EVT-39, RAG-01).

The least impulse of each is that of a ped of middling agility that stands or walks; a
nimble one takes more, who runs takes less.
"""

from __future__ import annotations

import math
from enum import IntEnum

from ai.motion.recovery.tuning import KnockdownTuning
from ai.ports import Impact

MIDDLING_AGILITY = 0.5
"""At this agility, on its feet or walking, the thresholds are those of the tuning."""

_SQUARELY = math.cos(math.radians(50.0))
"""Cosine from which a push counts as one from the front or from behind."""


class HitEffect(IntEnum):
    """What a hit comes to, from the least to the most."""

    BUMP = 0
    FLINCH = 1
    STAGGER = 2
    FALL = 3


def threshold_share(agility: float, speed_cm_s: float, tuning: KnockdownTuning) -> float:
    """What the thresholds of a ped are multiplied with; ``agility`` in [0, 1]."""
    balance = tuning.balance
    share = 1.0 + balance.agility_share * (agility - MIDDLING_AGILITY) / MIDDLING_AGILITY
    return share * balance.running if speed_cm_s > balance.running_from else share


def effect_of(
    impact: Impact, agility: float, speed_cm_s: float, tuning: KnockdownTuning
) -> HitEffect:
    """What a hit does to a ped on its feet."""
    share = threshold_share(agility, speed_cm_s, tuning)
    size = impact.size
    if size >= tuning.entry.impulse_min * share or impact.up >= tuning.entry.up_min:
        return HitEffect.FALL
    if size >= tuning.balance.stagger_min * share:
        return HitEffect.STAGGER
    return HitEffect.FLINCH if size >= tuning.balance.stumble_min else HitEffect.BUMP


def raised(impact: Impact, tuning: KnockdownTuning) -> Impact:
    """A hit that is to throw, at least as strong as what throws anybody (RAG-15).

    It keeps its direction; without one it lifts.
    """
    entry = tuning.entry
    size = impact.size
    if size >= entry.impulse_min or impact.up >= entry.up_min:
        return impact
    if size == 0.0:
        return impact._replace(up=entry.up_min)
    share = entry.impulse_min / size
    x, y = impact.impulse_xy
    return impact._replace(impulse_xy=(x * share, y * share))


def pushed_way(impulse_xy: tuple[float, float], yaw_rad: float) -> str:
    """Which of its own sides a body is pushed to: key of ``ReactionClips``."""
    size = math.hypot(*impulse_xy)
    if size == 0.0:
        return "flinch"
    way_x, way_y = impulse_xy[0] / size, impulse_xy[1] / size
    along = way_x * math.cos(yaw_rad) + way_y * math.sin(yaw_rad)
    if along >= _SQUARELY:
        return "front"
    if along <= -_SQUARELY:
        return "back"
    across = math.cos(yaw_rad) * way_y - math.sin(yaw_rad) * way_x
    return "right" if across > 0.0 else "left"
