"""From clip states to poses: a table look-up and a straight blend between two samples (LOC-14).

Poses are joint positions in the rig's body frame (``ai.motion.rig``): the clip's
root translation and yaw are taken out when the tables are made, so that the root
distance is applied once, by the executor. Evaluation reads the explicit clip time
it is given, keeps nothing per ped and changes nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ai.motion.clip_library import ClipLibrary
from ai.motion.clip_profiles import ClipProfile
from ai.motion.clip_state import ClipState
from ai.motion.clips import MotionClip, sample_positions
from ai.motion.drawn_stride import DrawnClips
from ai.motion.leg_reach import bend_knees, lower_body, reach_shortfall
from ai.motion.movement_table import ClipPhase

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_NO_CLIP = -1
_TURN_LEFT, _TURN_RIGHT = ClipPhase.TURN, len(ClipPhase)
"""Columns of the clip table: one a phase, and one more for the second way of turning."""


class PoseEvaluator:
    """Poses of one clip library.

    Joint positions come as float64 arrays of shape (joints, 3) or (n, joints, 3), in
    cm, in the order of ``library.rig.joints``; each call returns a new array.
    """

    def __init__(self, library: ClipLibrary) -> None:
        self._rig = library.rig
        self._tracks = np.stack([clip.body_tracks() for clip in library.clips])
        self._tracks.setflags(write=False)
        self._durations = np.array([clip.duration_s for clip in library.clips])
        self._clip_of = np.full((len(library.profiles), len(ClipPhase) + 1), _NO_CLIP)
        for profile in library.profiles:
            for column, clip in _clips_by_column(profile):
                self._clip_of[profile.index, column] = library.clip_id(clip)

    def evaluate(self, clip_id: int, time_s: float) -> Floats:
        """Pose of one clip at a clip time, clamped to the clip."""
        return np.asarray(self.evaluate_batch(np.array([clip_id]), np.array([time_s]))[0])

    def evaluate_batch(self, clip_ids: Ints, times_s: Floats) -> Floats:
        """Poses of n clips at n clip times, each clamped to its clip."""
        index, part = sample_positions(
            times_s, self._durations[clip_ids], self._tracks.shape[1] - 1
        )
        part = part[:, None, None]
        low = self._tracks[clip_ids, index]
        return np.asarray(low + (self._tracks[clip_ids, index + 1] - low) * part)

    def pose(
        self,
        profile: int,
        state: ClipState,
        drawn_phase: float,
        reach: float = 1.0,
        mirrored: bool = False,
    ) -> Floats:
        """Pose of one ped: at ``drawn_phase`` of the cycle in LOOP, else at the clip time."""
        looping = state.phase is ClipPhase.LOOP
        clips = DrawnClips(
            profile=np.array([profile]),
            phase=np.array([state.phase]),
            time=np.array([drawn_phase if looping else state.clip_time]),
            reach=np.array([reach]),
            mirrored=np.array([mirrored]),
            turn_left=np.array([state.turn_angle < 0.0]),
        )
        return np.asarray(self.poses(clips)[0])

    def poses(self, clips: DrawnClips) -> Floats:
        """Poses of n peds.

        - In LOOP, feet reach ``reach`` times as far fore and aft (CLIP-13); knees are
          bent anew, and the body sinks where legs would be too short.
        - Raises ``ValueError`` for a phase that no clip is for (GETUP), and for
          ``NO_PROFILE``: who draws such a ped says by which profile.
        """
        if (clips.profile < 0).any():
            raise ValueError("a ped without a profile has no pose; draw it by a profile's idle")
        turning_right = (clips.phase == ClipPhase.TURN) & ~clips.turn_left
        column = np.where(turning_right, _TURN_RIGHT, clips.phase)
        clip_ids = self._clip_of[clips.profile, column]
        if (clip_ids == _NO_CLIP).any():
            raise ValueError("a get-up is posed by the recovery, not by the walk's clips")
        looping = clips.phase == ClipPhase.LOOP
        cycle = np.where(looping, self._durations[clip_ids], 1.0)
        poses = self.evaluate_batch(clip_ids, clips.time * cycle)
        stretched = np.flatnonzero(looping & (clips.reach != 1.0))
        if len(stretched):
            poses[stretched] = self._stretched(poses[stretched], clips.reach[stretched])
        swapped = np.flatnonzero(clips.mirrored)
        if len(swapped):
            poses[swapped] = self._mirrored(poses[swapped])
        return poses

    def _stretched(self, poses: Floats, reach: Floats) -> Floats:
        """Scale how far each foot stands ahead or behind, in place.

        The point that is scaled is where the heel would stand, were the foot laid down
        about its contact: so a planted foot rolls over an unmoved point at any reach.
        """
        rig = self._rig
        foot_length = rig.proportions.heel_behind + rig.proportions.toe_ahead
        for leg in rig.legs:
            heel, toe = poses[:, leg.heel], poses[:, leg.toe]
            heel_height = heel[:, 2] - rig.contact_radii[leg.heel]
            toe_height = toe[:, 2] - rig.contact_radii[leg.toe]
            standing = np.where(heel_height <= toe_height, heel[:, 0], toe[:, 0] - foot_length)
            further = (reach - 1.0) * standing
            for joint in leg.foot:
                poses[:, joint, 0] += further
        lower_body(poses, rig, np.maximum(reach_shortfall(poses, rig), 0.0))
        bend_knees(poses, rig)
        return poses

    def _mirrored(self, poses: Floats) -> Floats:
        return np.asarray(poses[:, self._rig.mirror] * np.array([1.0, -1.0, 1.0]))


def _clips_by_column(profile: ClipProfile) -> tuple[tuple[int, MotionClip], ...]:
    return (
        (ClipPhase.IDLE, profile.idle),
        (ClipPhase.START, profile.start),
        (ClipPhase.LOOP, profile.loop),
        (ClipPhase.STOP, profile.stop),
        (ClipPhase.STOP_TAIL, profile.stop),
        (_TURN_LEFT, profile.turn_left),
        (_TURN_RIGHT, profile.turn_right),
    )
