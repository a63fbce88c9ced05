"""One motion clip in memory: its root, its joints and its sampled curves, all read-only.

Nothing of any ped is stored here (CLIP-06): peds that play the same clip share
one object, and its arrays refuse to be written to (LOC-13). The batch twin of
``value_at`` is ``clip_steps_batch.values_at``; twins use the same operations in the
same order, so their results are equal bit for bit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


class ClipRefused(Exception):
    """A clip, profile or root track that can't be used; one sentence with file, clip and value."""


@dataclass(frozen=True, slots=True, eq=False)
class MotionClip:
    """A loaded clip of ``n`` samples at ``i * duration_s / (n - 1)`` (CLIP-02).

    - ``root`` has shape (n, 4): x, y, z in cm and yaw in rad, in the clip's own
      space (x forward at the first sample, y right, z up).
    - ``tracks`` has shape (n, joints, 3): joint positions in the same space.
    - ``distance`` has n values in cm, never falling (CLIP-03).
    - ``yaw_progress`` has n values from 0 to 1 (CLIP-04), None for a clip that
      does not turn.
    """

    name: str
    rig_id: str
    joints: tuple[str, ...]
    duration_s: float
    root: NDArray[np.float64]
    tracks: NDArray[np.float64]
    distance: tuple[float, ...]
    yaw_progress: tuple[float, ...] | None
    total_distance: float = field(init=False)

    def __post_init__(self) -> None:
        self.root.setflags(write=False)
        self.tracks.setflags(write=False)
        object.__setattr__(self, "total_distance", self.distance[-1])

    @property
    def samples(self) -> int:
        """Number of samples, both ends included."""
        return len(self.distance)

    def distance_at(self, time_s: float) -> float:
        """Distance covered by a clip time, in cm."""
        return value_at(self.distance, time_s, self.duration_s)

    def progress_at(self, time_s: float) -> float:
        """Share of the turn done by a clip time, 0 to 1.

        Raises ``ValueError`` for a clip without a yaw channel.
        """
        if self.yaw_progress is None:
            raise ValueError(f"clip '{self.name}' has no yaw channel: it is no turn clip")
        return value_at(self.yaw_progress, time_s, self.duration_s)

    def tail_sample(self, remaining_cm: float) -> int:
        """First sample with at most ``remaining_cm`` of root distance left (CLIP-11)."""
        total = self.total_distance
        return next(i for i, covered in enumerate(self.distance) if total - covered <= remaining_cm)

    def body_tracks(self) -> NDArray[np.float64]:
        """Tracks with the root's translation and yaw taken out (LOC-14), shape (n, joints, 3).

        The root distance is applied once, by the executor; what is left here is the
        pose in the rig's body frame.
        """
        moved = self.tracks - self.root[:, None, :3]
        cosine = np.array([math.cos(yaw) for yaw in self.root[:, 3]])[:, None]
        sine = np.array([math.sin(yaw) for yaw in self.root[:, 3]])[:, None]
        return np.stack(
            (
                moved[:, :, 0] * cosine + moved[:, :, 1] * sine,
                moved[:, :, 1] * cosine - moved[:, :, 0] * sine,
                moved[:, :, 2],
            ),
            axis=2,
        )


def sample_position(time_s: float, duration_s: float, intervals: int) -> tuple[int, float]:
    """Interval in which a time lies and how far into it, 0 to 1; clamped to the clip (CLIP-02)."""
    position = min(max(time_s, 0.0), duration_s) / duration_s * intervals
    index = min(int(position), intervals - 1)
    return index, position - index


def sample_positions(
    time_s: NDArray[np.float64], duration_s: NDArray[np.float64], intervals: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Batch twin of ``sample_position``; shapes (n,)."""
    position = np.minimum(np.maximum(time_s, 0.0), duration_s) / duration_s * intervals
    index = np.minimum(position.astype(np.int64), intervals - 1)
    return index, position - index


def value_at(channel: Sequence[float], time_s: float, duration_s: float) -> float:
    """Channel value at a time, linear between samples, clamped to the clip (CLIP-02)."""
    index, part = sample_position(time_s, duration_s, len(channel) - 1)
    low = channel[index]
    return low + (channel[index + 1] - low) * part
