"""The peds of a frame: who is in sight, in which pose, painted exactly or taken from the cache.

Exact figures are painted anew every second frame: the few nearest the middle and all whose
bodies are down, always; who is in a cross-fade or a gesture further out, while the frame's
share of paintings lasts. The crowd comes baked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ai.behaviours.gestures import Gesture
from ai.motion.pose_fader import PoseFader
from game.render.canvas import View
from game.render.depth import DepthOrder
from game.render.figures.dressing import Dressing
from game.render.figures.faces import Mood
from game.render.figures.gesture_pose import GesturePose
from game.render.figures.looks import Look, Outfits
from game.render.figures.shove_pose import ShovePose
from game.render.figures.sprites import FigureSprites
from game.render.frame import Frame, Item, Tones
from game.render.palette import Palette
from game.render.picture import Picture, Pose, PoseSource, pose_between
from game.render.shadow_layer import ShadowLayer
from game.render.sprites import Baked

PED_REACH_CM = 260.0
"""A ped this far outside the picture (shadow and all) is not drawn."""

EXACT_FOR_FRAMES = 2
LATE_FOR_FRAMES = 6
"""Where the frame's share of paintings is spent, an exact figure may be this old."""

WITH_PHONE = (Gesture.FILM, Gesture.PHONE)
"""Gestures that hold a phone."""


class _Exact(NamedTuple):
    """A figure painted exactly, and the frame, view and light it was painted in."""

    figure: Baked
    frame_number: int
    view: View
    tones: Tones


class _Wish(NamedTuple):
    """How a ped is to look: ``joints`` in its own frame; ``is_clip`` if they are its clip's own."""

    ped_id: int
    pose: Pose
    joints: NDArray[np.float64]
    is_clip: bool
    yaw_rad: float
    look: Look
    mood: Mood


class People:
    """The peds of one level, as drawn.

    - ``exact_max``: how many near the middle are painted exactly.
    - ``fade_s``: the drawn cross-fade between clip phases (LOC-14).
    """

    def __init__(
        self,
        palette: Palette,
        outfits: Outfits,
        source: PoseSource,
        *,
        bakes_per_frame: int | None,
        exact_max: int,
        fade_s: float,
    ) -> None:
        self._dressing = Dressing(outfits)
        self._source = source
        self._exact_max = exact_max
        self._sprites = FigureSprites(palette, outfits, source, bakes_per_frame)
        self._fader = PoseFader(fade_s)
        self._shove = ShovePose(source.joints)
        self._gestures = GesturePose(source.joints)
        self._exact: dict[int, _Exact] = {}
        self._in_sight: set[int] = set()
        self._frame_number = 0
        self._turns_per_frame = bakes_per_frame or 1
        self._drawn_time_s = 0.0

    def items(
        self,
        frame: Frame,
        shadows: ShadowLayer,
        picture: Picture,
        places: NDArray[np.float64],
        order: DepthOrder,
        alpha: float,
    ) -> list[Item]:
        """Every ped in sight at its place (rows x, y, z, yaw), with its shadow on the layer."""
        self._frame_number += 1
        self._sprites.begin_frame()
        dt_s = max(0.0, picture.time_s - self._drawn_time_s)
        self._drawn_time_s = picture.time_s
        peds = picture.peds
        self._dressing.meet(peds.ids.tolist(), peds.looks)
        seen = self._seen(frame, places)
        self._forget_unseen({int(one) for one in peds.ids[seen].tolist()})
        if not len(seen):
            return []
        rows = seen.tolist()
        screen = frame.projection.to_screen_batch(places[seen, :3])
        poses = [pose_between(peds.poses_before[row], peds.poses[row], alpha) for row in rows]
        joints = self._source.poses(poses)
        keys = order.keys_of(places[seen]).tolist()
        exact = self._nearest_middle(frame, screen)
        figures: dict[int, Baked] = {}
        for index in self._in_turn(len(rows)):
            row = rows[index]
            wish = self._wish(
                int(peds.ids[row]),
                poses[index],
                joints[index],
                float(places[row, 3]),
                peds.moods[row],
                dt_s,
            )
            figures[index] = self._figure(frame, wish, is_near=index in exact)
        items: list[Item] = []
        for index, (x, y) in enumerate(screen.tolist()):
            figure = figures[index]
            shadows.add(frame, figure.shadow, x, y)
            items.append(Item(keys[index], frame.fitted(figure.body), x, y))
        return items

    def _in_turn(self, count: int) -> Iterator[int]:
        """All indices, in each frame from others on, so that everybody comes to be baked."""
        first = self._frame_number * self._turns_per_frame % count
        yield from range(first, count)
        yield from range(first)

    def _wish(
        self,
        ped_id: int,
        pose: Pose,
        live: NDArray[np.float64],
        yaw_rad: float,
        mood: Mood,
        dt_s: float,
    ) -> _Wish:
        """How a ped is to look in this frame, ``live`` being its clip's joints."""
        shown = self._fader.fade(ped_id, pose.clip_seq, live, dt_s)
        if pose.shove > 0.0:
            shown = self._shove.laid_over(shown, pose.shove)
        look = self._dressing.look(ped_id)
        if pose.gesture is not None and pose.joints is None:
            shown = self._gestures.laid_over(shown, pose.gesture, pose.gesture_share, pose.head_rad)
            if pose.gesture in WITH_PHONE:
                look = self._dressing.with_phone(ped_id)
        return _Wish(ped_id, pose, shown, shown is live, yaw_rad, look, mood)

    def _figure(self, frame: Frame, wish: _Wish, *, is_near: bool) -> Baked:
        """The picture that stands for a wish: exact, or the crowd's, or what can be afforded."""
        is_clip = wish.is_clip and wish.pose.joints is None
        if is_near or not is_clip:
            kept = self._kept_exact(frame, wish, EXACT_FOR_FRAMES)
            if kept is not None:
                return kept
            if is_near or wish.pose.joints is not None or self._sprites.may_paint():
                return self._exact_figure(frame, wish)
            kept = self._kept_exact(frame, wish, LATE_FOR_FRAMES)
            if kept is not None:
                return kept
        return self._sprites.cached(
            wish.pose, wish.yaw_rad, wish.look, wish.mood, frame.settled, frame.tones
        )

    def _seen(self, frame: Frame, places: NDArray[np.float64]) -> NDArray[np.int64]:
        """Rows of the peds that may show in the picture."""
        sight = frame.projection.visible_ground(PED_REACH_CM)
        x, y = places[:, 0], places[:, 1]
        inside = (x > sight.x_min) & (x < sight.x_max) & (y > sight.y_min) & (y < sight.y_max)
        return np.flatnonzero(inside)

    def _forget_unseen(self, in_sight: set[int]) -> None:
        for ped_id in self._in_sight - in_sight:
            self._fader.forget(ped_id)
            self._exact.pop(ped_id, None)
        self._in_sight = in_sight

    def _nearest_middle(self, frame: Frame, screen: NDArray[np.float64]) -> set[int]:
        """Indices of the peds nearest the middle of the picture."""
        if len(screen) <= self._exact_max:
            return set(range(len(screen)))
        middle = np.array((frame.projection.width / 2.0, frame.projection.height / 2.0))
        distance = np.sum((screen - middle) ** 2, axis=1)
        return set(np.argsort(distance, kind="stable")[: self._exact_max].tolist())

    def _kept_exact(self, frame: Frame, wish: _Wish, frames: int) -> Baked | None:
        """The exact picture of a ped painted in one of the last ``frames``, this one counted."""
        kept = self._exact.get(wish.ped_id)
        if (
            kept is not None
            and kept.frame_number > self._frame_number - frames
            and (kept.view, kept.tones) == (frame.settled, frame.tones)
        ):
            return kept.figure
        return None

    def _exact_figure(self, frame: Frame, wish: _Wish) -> Baked:
        """A figure painted now in exactly its pose."""
        figure = self._sprites.fresh(
            wish.joints, wish.yaw_rad, wish.look, wish.mood, frame.settled, frame.tones
        )
        self._exact[wish.ped_id] = _Exact(figure, self._frame_number, frame.settled, frame.tones)
        return figure
