"""Random scenes for the walk update: crowded places with peds in every phase and state."""

from __future__ import annotations

import math
import random

import numpy as np

from ai.motion.clip_profiles import NO_PROFILE
from ai.motion.clip_state import ClipState, begin_stop, begin_turn, enter_phase
from ai.motion.movement_table import ClipPhase, SuspendReason
from ai.ports import Vec3
from tests.ai.motion.plain_world import PlainClearance, PlainGround, box, disc
from tests.ai.motion.walk_world import WalkingPed, WalkWorld

SPEEDS = (0.0, 130.0, 130.0, 130.0, 200.0, 330.0, 480.0)


def random_scene(seed: int, peds: int, *, force_scalar: bool) -> tuple[WalkWorld, random.Random]:
    """The same scene for the same seed, and the stream that ``disturb`` goes on with."""
    draw = random.Random(seed)
    size = draw.choice((300.0, 600.0, 1500.0))
    clearance = PlainClearance()
    for _ in range(draw.randint(0, 8)):
        x, y = draw.uniform(-size, size), draw.uniform(-size, size)
        if draw.random() < 0.5:
            clearance.add(disc(x, y, draw.uniform(10.0, 40.0)))
        else:
            width, height = draw.uniform(20.0, 60.0), draw.uniform(20.0, 300.0)
            clearance.add(box(x, y, width, height, draw.uniform(0.0, 180.0)))
    kerb = draw.choice((0.0, 12.0, 25.0))
    ground = PlainGround(
        [
            (box(0.0, 0.0, 2.0 * size + 200.0, 2.0 * size + 200.0), 0.0),
            (box(0.0, 0.0, size, size), kerb),
        ],
        road=box(0.0, draw.uniform(-size, size), 4.0 * size, draw.choice((0.1, 100.0, size))),
    )
    world = WalkWorld(
        ground=ground,
        clearance=clearance,
        focus=Vec3(draw.uniform(-2.0, 2.0) * size, 0.0),
        capacity=peds,
        force_scalar=force_scalar,
    )
    for _ in range(peds * 20):
        if len(world.peds) == peds:
            break
        x, y = draw.uniform(-size, size), draw.uniform(-size, size)
        near = draw.choice((50.0, 63.0, 64.0))
        if all(math.dist((x, y), ped.xy) >= near for ped in world.peds) and clearance.circle_free(
            x, y, 30.0, 5.0, 180.0
        ):
            _people(world, draw, x, y, size)
    return world, draw


def _people(world: WalkWorld, draw: random.Random, x: float, y: float, size: float) -> None:
    """One more ped: what it is about to do, and how far it has got with it."""
    profile = draw.choice(("walk", "walk", "walk", "run", None))
    ped = world.spawn(
        x, y, yaw_deg=draw.uniform(-180.0, 180.0), profile=profile, speed=draw.choice(SPEEDS)
    )
    table = world.table
    table.important[ped.slot] = draw.random() < 0.1
    kind = draw.random()
    if kind < 0.8:
        corners = [
            (draw.uniform(-size, size), draw.uniform(-size, size))
            for _ in range(draw.randint(1, 4))
        ]
        if draw.random() < 0.3:
            corners[-1] = (x + draw.uniform(-40.0, 40.0), y + draw.uniform(-40.0, 40.0))
            del corners[:-1]
        ped.walk(*corners)
        if draw.random() < 0.8:
            _get_going(ped, draw)
    elif kind < 0.9:
        table.wish_active[ped.row] = True
        table.wish_heading[ped.row] = draw.uniform(-7.0, 7.0)
        table.slides[ped.row] = draw.random() < 0.5
        table.turn_time_limit[ped.row] = draw.choice((math.inf, 0.15))
    stopped = draw.random()
    if stopped < 0.05:
        ped.record.hold()
    elif stopped < 0.1:
        ped.record.stand(draw.uniform(0.05, 0.5))
    elif stopped < 0.15:
        world.coordination.set_reason(ped.slot, SuspendReason.BODY, on=True)


def _get_going(ped: WalkingPed, draw: random.Random) -> None:
    """Put a ped with a path into the middle of any clip phase, facing about its corner."""
    table = ped.world.table
    row, slot = ped.row, ped.slot
    table.first_step_pending[row] = False
    dx = float(table.corner_x[row]) - ped.xy[0]
    dy = float(table.corner_y[row]) - ped.xy[1]
    heading = math.atan2(dy, dx)
    table.yaw[slot] = heading + draw.choice((0.0, draw.uniform(-0.5, 0.5), draw.uniform(-2.0, 2.0)))
    velocity = draw.choice((0.0, 130.0))
    table.velocity_x[slot], table.velocity_y[slot] = (
        velocity * math.cos(heading),
        velocity * math.sin(heading),
    )
    table.reeval_steer[row] = draw.random() < 0.3
    table.steer_age[row] = draw.uniform(0.0, 0.5)
    table.side_sign[row] = draw.choice((1, -1))
    table.pass_sign[row] = draw.choice((1, 0, -1))
    table.side_age[row] = draw.choice((0.0, 0.9, 2.0, math.inf))
    if draw.random() < 0.3:
        table.steer_suggestion[row] = draw.choice((-1, 1)) * math.radians(
            draw.choice((20, 40, 60, 80))
        )
    if ped.clip.profile != NO_PROFILE:
        remaining = math.hypot(dx, dy) + float(table.rest_after_corner[row])
        ped.clip = _somewhere(ped, draw, heading, remaining)


def _somewhere(ped: WalkingPed, draw: random.Random, heading: float, remaining: float) -> ClipState:
    profile = ped.world.clips.profile(ped.clip.profile)
    start = enter_phase(ped.clip, ClipPhase.START)
    share = draw.random()
    phase = draw.choice(list(ClipPhase)[:6])
    if phase is ClipPhase.START:
        return start._replace(clip_time=share * profile.start.duration_s)
    if phase is ClipPhase.LOOP:
        loop = enter_phase(start, ClipPhase.LOOP)
        return loop._replace(cycle_time=share * profile.loop.duration_s)
    if phase is ClipPhase.STOP:
        stop = begin_stop(profile, start, min(remaining, profile.stop_distance))
        end = draw.random() < 0.2
        return stop._replace(clip_time=(1.0 if end else share) * profile.stop.duration_s)
    if phase is ClipPhase.STOP_TAIL:
        left = profile.stop.duration_s - profile.tail_start_s
        return enter_phase(start, phase, clip_time=profile.tail_start_s + share * left)
    if phase is ClipPhase.TURN:
        yaw = float(ped.world.table.yaw[ped.slot])
        turn = begin_turn(ped.clip, yaw, draw.choice((-2.0, 1.5)))
        return turn._replace(clip_time=share * profile.turn_left.duration_s)
    return ped.clip


def disturb(world: WalkWorld, draw: random.Random) -> None:
    """Orders, stops and knock-downs out of the blue, alike in worlds with like streams."""
    for ped in world.peds:
        chance = draw.random()
        x, y = draw.uniform(-600.0, 600.0), draw.uniform(-600.0, 600.0)
        if chance < 0.01:
            ped.record.hold()
        elif chance < 0.03:
            ped.record.release_hold()
        elif chance < 0.04:
            ped.record.stand(0.2)
        elif chance < 0.05:
            world.coordination.set_reason(ped.slot, SuspendReason.BODY, on=chance < 0.045)
        elif chance < 0.06:
            ped.request((x, y), (y, x))
        elif chance < 0.07:
            ped.record.desired_speed = SPEEDS[int(chance * 1e5) % len(SPEEDS)]
        elif chance < 0.075:
            world.table.wish_active[ped.row] = not world.table.wish_active[ped.row]
        elif chance < 0.08:
            ped.record.cancel()


def table_bytes(world: WalkWorld) -> dict[str, bytes]:
    """Every array of a world's movement table, to the last bit."""
    return {
        name: array.tobytes()
        for name, array in vars(world.table).items()
        if isinstance(array, np.ndarray)
    }
