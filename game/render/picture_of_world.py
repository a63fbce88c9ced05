"""Fills a ``Picture`` from a world, once after every step.

It only reads the world. What drawing needs beyond the world's own state stands here:
places of the step before, drawn leg phases, how long an order has been over.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from ai.behaviours.gestures import Gesture, gesture_of
from ai.behaviours.order_record import OrderState, OrderStatus
from ai.motion.clip_library import ClipLibrary
from ai.motion.clip_steps_batch import gather_clip_states
from ai.motion.drawn_stride import DrawnClips, DrawnGaits
from ai.motion.pose_evaluation import PoseEvaluator
from ai.motion.recovery.phases import RecoveryPhase
from ai.peds.ped import Ped
from ai.ports import STEP_S, EntityRef
from game.render.down_bodies import DownBodies
from game.render.figures.faces import Mood
from game.render.figures.gesture_pose import ROLL_RAD_S, eased
from game.render.figures.shove_pose import BACK_UNTIL_S, age_after_another, shove_share
from game.render.fires.fire_pictures import FirePictures
from game.render.hit_stops import HOLD_HEAVY_STEPS, HOLD_LIGHT_STEPS, HitStops
from game.render.picture import (
    GroundPicture,
    OrderBubble,
    OrderLine,
    PedPictures,
    Picture,
    Pose,
    PropPictures,
    SpokenPicture,
    StandingThing,
)
from game.render.spoken_lines import words_of
from game.render.things.shape import ThingShape, shape_of
from game.render.timelines.world_effects import WorldEffects
from game.world.things import VX, Thing
from game.world.world import World

ENDED_BUBBLE_S = 1.5
"""How long an order that is over is still shown (art-and-feel section 12)."""

_STUMBLE_SEQ = -(1 << 40)
"""Below the sequence numbers of clips and of falls: each stumble fades in from what was shown."""

ORDER_BUBBLES: dict[OrderStatus, OrderBubble] = {
    OrderStatus.PENDING: OrderBubble.GOING,
    OrderStatus.TRAVELLING: OrderBubble.GOING,
    OrderStatus.WAITING_FOR_SIGNAL: OrderBubble.HELD,
    OrderStatus.AWAITING_DECISION: OrderBubble.NO_WAY,
    OrderStatus.COMPLETED: OrderBubble.DONE,
    OrderStatus.CANCELLED: OrderBubble.FAILED,
}


GESTURE_MOODS: dict[Gesture, Mood] = {
    Gesture.STARTLE: Mood.SCARED,
    Gesture.DUCK: Mood.SCARED,
    Gesture.COWER: Mood.SCARED,
    Gesture.HANDS_UP: Mood.SCARED,
    Gesture.FILM: Mood.CURIOUS,
    Gesture.PHONE: Mood.TALKING,
    Gesture.LOOK: Mood.CURIOUS,
    Gesture.WAVE: Mood.HAPPY,
    Gesture.ROLL: Mood.SCARED,
    Gesture.KNEEL: Mood.TALKING,
    Gesture.ON_GUARD: Mood.ANGRY,
}


def look_name(ped: Ped) -> str:
    """The look a ped asks for: the player's, its outfit, or the one that has its name."""
    return "player" if ped.is_local_player else ped.traits.outfit or ped.name


class ClipPoses:
    """``PoseSource`` over the clip library."""

    def __init__(self, library: ClipLibrary) -> None:
        self._evaluator = PoseEvaluator(library)
        self._joints = library.rig.joints

    @property
    def joints(self) -> Sequence[str]:
        """Joint names of the library's rig."""
        return self._joints

    def poses(self, poses: Sequence[Pose]) -> NDArray[np.float64]:
        """Joint positions of many poses at once; a body that is down brings its own."""
        joints = self._evaluator.poses(
            DrawnClips(
                profile=np.array([pose.profile for pose in poses], dtype=np.int64),
                phase=np.array([pose.phase for pose in poses], dtype=np.int64),
                time=np.array([pose.time for pose in poses]),
                reach=np.array([pose.reach for pose in poses]),
                mirrored=np.array([pose.mirrored for pose in poses], dtype=np.bool_),
                turn_left=np.array([pose.turn_left for pose in poses], dtype=np.bool_),
            )
        )
        for index, pose in enumerate(poses):
            if pose.joints is not None:
                joints[index] = pose.joints
        return joints


class WorldPicture:
    """The picture of one world; call ``after_step`` after each of its steps.

    - Whose order is told by a bubble: the selected's, those of peds that ``giver``
      sent, and everybody's where nobody plays, as there the orders are the show.
    - The way of an order is drawn for the selected alone.
    - ``hit_stops``: whoever is struck is held for a moment; not in recordings.
    """

    def __init__(
        self, world: World, giver: EntityRef | None = None, *, hit_stops: bool = False
    ) -> None:
        self._world = world
        self._giver = giver
        self._gaits = DrawnGaits(world.table.capacity, world.data.clips.profiles)
        self._walk = world.data.clips.index("walk")
        self._limp = world.data.clips.index("limp")
        self._places: dict[int, tuple[float, float, float, float]] = {}
        self._poses: dict[int, Pose] = {}
        self._bodies = DownBodies(world.recovery)
        self._order_seen: dict[int, tuple[OrderStatus, int, float]] = {}
        self._shapes: dict[int, ThingShape] = {}
        self._standing_things: tuple[Thing, ...] = ()
        self._standing_state: NDArray[np.float64] = np.zeros((0, 3))
        self._prop_places: dict[int, list[float]] = {}
        self._shove_age_s = BACK_UNTIL_S
        self.effects = WorldEffects(world)
        self._fires = FirePictures(world)
        self._hit_stops = HitStops() if hit_stops else None
        self.selected: set[int] = set()
        self.player_row: int | None = None
        """Which row of the picture's peds is the player's."""
        description = world.description
        self.picture = Picture(
            ground=GroundPicture(
                description.width_cm,
                description.height_cm,
                tuple(world.shapes.surfaces()),
                description.ground,
            ),
            time_of_day=description.time_of_day,
            effects=self.effects.stage,
        )
        self.after_step()

    def after_step(self, caption: str = "") -> Picture:
        """Bring the picture up to date; what was now becomes before."""
        picture = self.picture
        picture.time_s = self._world.clock.time_s
        picture.caption = caption
        self._follow_shove()
        picture.peds = self._ped_pictures()
        picture.speech = self._speech()
        self._show_orders()
        self._update_things(picture)
        self._fires.show(picture)
        self.effects.after_step()
        return picture

    def select(self, ped_ids: Collection[int]) -> None:
        """Which peds are marked as selected."""
        self.selected = set(ped_ids)
        peds = self.picture.peds
        peds.selected = np.array(
            [one in self.selected for one in peds.ids.tolist()], dtype=np.bool_
        )
        self._show_orders()

    # -- people ----------------------------------------------------------------

    def _ped_pictures(self) -> PedPictures:
        world, table = self._world, self._world.table
        slots = table.slots_in_id_order()
        ids = table.ped_id[slots]
        now = np.stack((table.x[slots], table.y[slots], table.z[slots], table.yaw[slots]), axis=1)
        id_list = ids.tolist()
        rows_now = [(x, y, z, yaw) for x, y, z, yaw in now.tolist()]
        before = np.array(
            [self._places.get(one, row) for one, row in zip(id_list, rows_now, strict=True)]
        ).reshape(len(id_list), 4)
        moved = np.sqrt(np.sum((now[:, :2] - before[:, :2]) ** 2, axis=1))
        peds = world.peds.in_id_order()
        players = [row for row, ped in enumerate(peds) if ped.is_local_player]
        self.player_row = players[0] if players else None
        poses = self._poses_of(slots, ids, moved)
        self._lay_shove_over(poses)
        self._show_stumbles(slots.tolist(), poses)
        moods = self._show_gestures(peds, poses)
        poses_before = [
            self._poses.get(one, pose) for one, pose in zip(id_list, poses, strict=True)
        ]
        last_places, last_poses = self._places, self._poses
        for row in self._bodies.show(slots.tolist(), now, poses):
            poses_before[row] = self._bodies.before(slots.item(row), poses_before[row])
            before[row] = now[row]
            rows_now[row] = tuple(now[row].tolist())
            moods[row] = self._mood_of_fallen(peds[row])
        self._places = dict(zip(id_list, rows_now, strict=True))
        self._poses = dict(zip(id_list, poses, strict=True))
        if self._hit_stops is not None:
            for ped_id, pose in self._poses.items():
                last = last_poses.get(ped_id)
                if last is not None and pose.clip_seq < 0 and pose.clip_seq != last.clip_seq:
                    is_light = pose.clip_seq <= _STUMBLE_SEQ
                    steps = HOLD_LIGHT_STEPS if is_light else HOLD_HEAVY_STEPS
                    self._hit_stops.strike(ped_id, np.array(last_places[ped_id]), last, steps)
            self._hit_stops.advance(id_list, before, now, poses_before, poses)
        return PedPictures(
            ids=ids,
            before=before,
            now=now,
            poses_before=poses_before,
            poses=poses,
            looks=[look_name(ped) for ped in peds],
            moods=moods,
            selected=np.array([one in self.selected for one in id_list], dtype=np.bool_),
            bubbles=(),
        )

    def _mood_of_fallen(self, ped: Ped) -> Mood:
        """Frightened while it falls, dizzy once it has come down."""
        if ped.is_dead:
            return Mood.CALM
        rises = self._world.recovery.phase(ped.slot) is RecoveryPhase.BLENDING
        return Mood.DIZZY if rises or self.effects.has_landed(ped.slot) else Mood.SCARED

    def _speech(self) -> tuple[SpokenPicture, ...]:
        """What is being said, in words, in the order of ped ids."""
        peds = self._world.peds
        spoken = []
        for line in self._world.speech.present():
            ped = peds.resolve(line.speaker)
            if ped is not None:
                spoken.append(SpokenPicture(ped.ped_id, words_of(line.line)))
        return tuple(sorted(spoken))

    def _poses_of(
        self, slots: NDArray[np.int64], ids: NDArray[np.int64], moved_cm: NDArray[np.float64]
    ) -> list[Pose]:
        table = self._world.table
        states = gather_clip_states(table, table.active_record[slots])
        states = states._replace(profile=self._drawn_profiles(states.profile))
        self._gaits.advance(slots, ids, states, moved_cm, STEP_S)
        drawn = self._gaits.drawn(slots, ids, states)
        return [
            Pose(*columns)
            for columns in zip(
                drawn.profile.tolist(),
                drawn.phase.tolist(),
                drawn.time.tolist(),
                drawn.reach.tolist(),
                drawn.mirrored.tolist(),
                drawn.turn_left.tolist(),
                states.clip_seq.tolist(),
                strict=True,
            )
        ]

    def _drawn_profiles(self, profiles: NDArray[np.int64]) -> NDArray[np.int64]:
        """Who is hurt is drawn limping while it walks; its movement is the walk's."""
        limps = np.array([ped.limps for ped in self._world.peds.in_id_order()], dtype=np.bool_)
        return np.where(limps & (profiles == self._walk), self._limp, profiles)

    def _follow_shove(self) -> None:
        if self._world.last_shove is not None:
            self._shove_age_s = age_after_another(shove_share(self._shove_age_s), STEP_S)
        elif self._shove_age_s < BACK_UNTIL_S:
            self._shove_age_s += STEP_S

    def _lay_shove_over(self, poses: list[Pose]) -> None:
        share = shove_share(self._shove_age_s)
        if self.player_row is not None and share > 0.0:
            poses[self.player_row] = poses[self.player_row]._replace(shove=share)

    def _show_stumbles(self, slots: list[int], poses: list[Pose]) -> None:
        """Who was hit and stays up is drawn as its reaction has it, faded into and out of."""
        stumbles = self._world.stumbles
        for row, slot in enumerate(slots):
            joints, tag = stumbles.shown_joints(slot), stumbles.tag_of(slot)
            if joints is not None and tag is not None:
                poses[row] = poses[row]._replace(joints=joints, clip_seq=_STUMBLE_SEQ - tag)

    @staticmethod
    def _show_gestures(peds: Sequence[Ped], poses: list[Pose]) -> list[Mood]:
        """What reactions do with arms and heads, and the faces that go with it."""
        moods = []
        for row, ped in enumerate(peds):
            shown = gesture_of(ped.tasks)
            if shown is None:
                moods.append(Mood.CALM)
                continue
            head_rad = 0.0
            if shown.at is not None:
                here = ped.position
                way = math.atan2(shown.at.y - here.y, shown.at.x - here.x)
                head_rad = math.remainder(way - ped.yaw, math.tau)
            if shown.gesture is Gesture.ROLL:
                head_rad = ROLL_RAD_S * shown.age_s
            poses[row] = poses[row]._replace(
                gesture=shown.gesture, gesture_share=eased(shown.age_s), head_rad=head_rad
            )
            moods.append(GESTURE_MOODS[shown.gesture])
        return moods

    # -- orders ----------------------------------------------------------------

    def _show_orders(self) -> None:
        """Bubbles of all peds in order, and the ways of the selected."""
        bubbles: list[OrderBubble | None] = []
        lines: list[OrderLine] = []
        order_of = self._world.order_book.order_of
        for ped in self._world.peds.in_id_order():
            order = order_of(ped.ref)
            if order is None or not order.live:
                told = self._scripted(ped)
                if told is not None or order is None:
                    bubbles.append(told)
                    continue
            bubble = self._bubble(ped.ped_id, order)
            bubbles.append(bubble if self._is_told(ped.ped_id, order) else None)
            if order.live and ped.ped_id in self.selected:
                movement = ped.movement
                corners = movement.path[movement.corner :] if movement.path_usable else ()
                lines.append(OrderLine(ped.ped_id, tuple(corners), order.goal))
        self.picture.peds.bubbles = bubbles
        self.picture.marks.lines = tuple(lines)

    def _scripted(self, ped: Ped) -> OrderBubble | None:
        """The sign of what a ped does because the giver's script says so."""
        if self._giver is None:
            return None
        main = self._world.scripts.main_identity(ped)
        return OrderBubble.GOING if main is not None and main.source == self._giver else None

    def _is_told(self, ped_id: int, order: OrderState) -> bool:
        return ped_id in self.selected or self.player_row is None or order.source == self._giver

    def _bubble(self, ped_id: int, order: OrderState) -> OrderBubble | None:
        """The sign of an order: as long as it lives, and a moment after its end."""
        now_s = self._world.clock.time_s
        seen = self._order_seen.get(ped_id)
        if seen is None or seen[:2] != (order.status, order.session):
            seen = (order.status, order.session, now_s)
            self._order_seen[ped_id] = seen
        if not order.live and now_s - seen[2] > ENDED_BUBBLE_S:
            return None
        return ORDER_BUBBLES[order.status]

    # -- things ----------------------------------------------------------------

    def _update_things(self, picture: Picture) -> None:
        """Standing things stay the same tuple until one comes, goes or is put elsewhere."""
        things, state = self._world.things, self._world.things.state
        everything = things.in_id_order()
        moving = [
            thing for thing in everything if thing.dynamic or state[thing.ref.slot, VX:].any()
        ]
        moving_ids = {thing.object_id for thing in moving}
        standing = tuple(thing for thing in everything if thing.object_id not in moving_ids)
        slots = [thing.ref.slot for thing in standing]
        places = state[slots, :VX]
        if standing != self._standing_things or not np.array_equal(places, self._standing_state):
            self._standing_things, self._standing_state = standing, places.copy()
            picture.standing = tuple(
                StandingThing(self._shape(thing), x, y, thing.z_cm, yaw)
                for thing, (x, y, yaw) in zip(standing, places.tolist(), strict=True)
            )
        now = {
            thing.object_id: [
                *state[thing.ref.slot, :2].tolist(),
                thing.z_cm,
                float(state[thing.ref.slot, 2]),
            ]
            for thing in moving
        }
        before = [self._prop_places.get(key, row) for key, row in now.items()]
        self._prop_places = now
        picture.props = PropPictures(
            [self._shape(thing) for thing in moving],
            np.array(before).reshape(len(moving), 4),
            np.array(list(now.values())).reshape(len(moving), 4),
        )

    def _shape(self, thing: Thing) -> ThingShape:
        shape = self._shapes.get(thing.object_id)
        char = self._fires.char_of(thing)
        if shape is None or shape.char != char:
            shape = shape_of(
                thing.kind_name,
                thing.outline,
                thing.z_low_cm,
                thing.z_high_cm,
                number=thing.object_id,
                options=thing.options,
                char=char,
            )
            self._shapes[thing.object_id] = shape
        return shape
