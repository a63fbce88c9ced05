"""Cross-fades between clip phases, so that no drawn pose jumps (LOC-14).

Drawing only: a fade reads poses and returns poses; position, status and results
never see it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class _Fade:
    __slots__ = ("age_s", "clip_seq", "origin", "shown")

    def __init__(self, clip_seq: int, shown: Floats) -> None:
        self.clip_seq = clip_seq
        self.shown = shown
        self.origin: Floats | None = None
        self.age_s = 0.0


class PoseFader:
    """Keeps the pose last shown of each ped and fades from it when the clip phase changes."""

    def __init__(self, fade_s: float) -> None:
        self._fade_s = fade_s
        self._fades: dict[int, _Fade] = {}

    def fade(self, ped_id: int, clip_seq: int, live: Floats, dt_s: float) -> Floats:
        """The pose to draw, shape (joints, 3), for a ped whose clips now say ``live``.

        - ``dt_s`` is the simulated time since this ped's last call.
        - A ped seen for the first time is drawn as it is.
        - A change of ``clip_seq`` starts a fade from the pose last shown, smoothstep
          over the fade time; a change within a fade starts from the blend.
        """
        fade = self._fades.get(ped_id)
        if fade is None:
            self._fades[ped_id] = _Fade(clip_seq, live)
            return live
        if clip_seq != fade.clip_seq:
            fade.clip_seq = clip_seq
            fade.origin = fade.shown
            fade.age_s = 0.0
        fade.age_s += dt_s
        if fade.origin is None or fade.age_s >= self._fade_s:
            fade.origin = None
            fade.shown = live
            return live
        share = fade.age_s / self._fade_s
        weight = share * share * (3.0 - 2.0 * share)
        fade.shown = np.asarray(fade.origin + (live - fade.origin) * weight)
        return fade.shown

    def forget(self, ped_id: int) -> None:
        """Drop a ped that is no longer drawn; it is drawn as it is when it comes back."""
        self._fades.pop(ped_id, None)
