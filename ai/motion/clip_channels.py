"""The curves of a motion clip from its root: how far it goes, how it turns (CLIP-03, CLIP-04).

For whoever writes a clip file; a loaded clip has its curves already. Roots that no
curve can stand for are refused here.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from ai.motion.clip_tuning import ClipTuning
from ai.motion.clips import ClipRefused


def distance_channel(
    clip: str, x: Sequence[float], y: Sequence[float], tuning: ClipTuning
) -> list[float]:
    """Running maximum of the straight-line XY offset from the first sample, in cm (CLIP-03).

    - Monotone by construction; it is not the arc length.
    - Raises ``ClipRefused`` for a root that falls back more than
      ``backstep_max`` below its running maximum, or whose arc length exceeds
      ``arc_ratio_max`` times its final offset.
    """
    channel: list[float] = []
    furthest = 0.0
    arc = 0.0
    usable = True
    for i in range(len(x)):
        offset = math.hypot(x[i] - x[0], y[i] - y[0])
        if i > 0:
            arc += math.hypot(x[i] - x[i - 1], y[i] - y[i - 1])
        furthest = max(furthest, offset)
        usable = usable and furthest - offset <= tuning.backstep_max
        channel.append(furthest)
    final = math.hypot(x[-1] - x[0], y[-1] - y[0])
    if not usable or arc > tuning.arc_ratio_max * final:
        raise ClipRefused(
            f"clip '{clip}' backs up or circles; distance channel unusable "
            f"(arc {arc:.2f} cm, final offset {final:.2f} cm)"
        )
    return channel


def yaw_channel(clip: str, yaw_rad: Sequence[float], tuning: ClipTuning) -> list[float]:
    """Share of a turn done by each sample, 0 at the first and 1 at the last (CLIP-04).

    - Shortest differences between neighbours are accumulated and divided by their
      signed total, so left and right turns both rise from 0 to 1.
    - Raises ``ClipRefused`` if the total is under ``turn_total_min_deg`` or a
      neighbour difference over ``turn_sample_max_deg``.
    """
    limit = math.radians(tuning.turn_sample_max_deg)
    turned = [0.0]
    for before, after in itertools.pairwise(yaw_rad):
        difference = math.remainder(after - before, math.tau)
        if abs(difference) > limit:
            raise ClipRefused(
                f"clip '{clip}' turns {math.degrees(difference):.2f} deg between two samples, "
                f"over turn_sample_max_deg = {tuning.turn_sample_max_deg}"
            )
        turned.append(turned[-1] + difference)
    total = turned[-1]
    if abs(total) < math.radians(tuning.turn_total_min_deg):
        raise ClipRefused(
            f"clip '{clip}' turns {math.degrees(total):.2f} deg in all, "
            f"under turn_total_min_deg = {tuning.turn_total_min_deg}"
        )
    return [value / total for value in turned]
