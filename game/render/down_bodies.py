"""Peds whose bodies are down, as drawn: their own joints instead of a clip's (REC-12, RAG-10).

A body that begins to rise changes the frame it is shown in by up to half a turn. So
it is always drawn at its present place, the pose of the step before put into that
frame: nothing between two steps is turned with the frame.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.motion.recovery.recovery import Recovery
from ai.motion.recovery.rising import Root, rebased
from game.render.picture import Pose


class _Shown(NamedTuple):
    """A body as it was shown after a step."""

    root: Root
    pose: Pose
    session: int


class DownBodies:
    """Keeps what each body that is down looked like after the last two steps, by ped slot."""

    def __init__(self, recovery: Recovery) -> None:
        self._recovery = recovery
        self._last: dict[int, _Shown] = {}
        self._now: dict[int, _Shown] = {}

    def show(self, slots: list[int], places: NDArray[np.float64], poses: list[Pose]) -> list[int]:
        """Put joints into the poses of those who are down, and their places to their roots.

        Called once a step with all peds' slots and their rows of places and poses; returns
        the rows that are down.
        """
        self._last, self._now = self._now, {}
        rows: list[int] = []
        if not self._recovery.in_id_order():
            return rows
        for row, slot in enumerate(slots):
            joints = self._recovery.shown_joints(slot)
            record = self._recovery.record(slot)
            if joints is None or record is None:
                continue
            root = self._recovery.root(slot)
            # A new session fades from what was shown; within one, nothing jumps.
            pose = poses[row]._replace(joints=joints, clip_seq=-record.session)
            poses[row] = pose
            places[row] = (root.x, root.y, root.z, root.yaw)
            self._now[slot] = _Shown(root, pose, record.session)
            rows.append(row)
        return rows

    def before(self, slot: int, pose: Pose) -> Pose:
        """The pose of the step before, in the present frame; another's is as it was."""
        last, now = self._last.get(slot), self._now[slot]
        if last is None or last.session != now.session or last.pose.joints is None:
            return pose
        return last.pose._replace(joints=rebased(last.pose.joints, last.root, now.root))
