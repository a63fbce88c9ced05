"""Cost of a drawn frame of the block with a crowd: ``python -m tests.benchmarks.bench_drawing``.

60 more wanderers are put where the camera looks, and it stands still. Prints milliseconds
of processor time a frame at 1280 x 720, mean and 95th of 100, beside a calibration
(3 million integer additions in a loop, 0.20 s on the reference machine); the goal scales
with it. A frame counts only while at least 60 peds are in the picture.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pygame

from ai.ports import Vec3
from game.levels.loading import find_level
from game.render.camera import ViewPoint
from game.render.picture_of_world import WorldPicture
from game.render.scene_renderer import Quality
from game.ui.display import Display
from game.ui.preferences import PreferenceFile
from game.ui.session import Objective
from game.ui.street_view import StreetView
from game.ui.street_window import FRAME_S
from game.world.description import LevelDescription, PedDescription
from game.world.world import World
from game.world.world_data import shipped_world_data
from tests.benchmarks.bench_levels import CALIBRATION_GOAL_S, calibrate

LEVEL = "block"
SIZE = (1280, 720)
IN_VIEW = 60
GAP_CM = 80.0
GOAL_MS = 8.0
WARM_UP = 90
FRAMES = 180


class Run:
    """A session over a world, for the view."""

    caption = ""
    objectives: tuple[Objective, ...] = ()

    def __init__(self, description: LevelDescription) -> None:
        self.world = World(description)
        self.view: ViewPoint = description.camera

    def step(self) -> None:
        """Advance by one step."""
        self.world.step()


def free_places(world: World, view: ViewPoint) -> Iterator[Vec3]:
    """Places to stand near the middle of the picture, apart from each other."""
    draw = random.Random(1)
    half_x, half_y = (0.42 * side / view.zoom_px_per_cm for side in SIZE)
    taken = [ped.position for ped in world.peds.in_id_order()]
    while True:
        x = view.x + draw.uniform(-half_x, half_x)
        y = view.y + draw.uniform(-half_y, half_y)
        put = world.surface.project(x, y, 0.0)
        if (
            put is not None
            and put.cost < 2.0
            and world.clearance.circle_free(x, y, 35.0, 5.0, 180.0)
            and all((x - one.x) ** 2 + (y - one.y) ** 2 > GAP_CM**2 for one in taken)
        ):
            taken.append(Vec3(x, y))
            yield taken[-1]


def crowded() -> LevelDescription:
    """The level with more wanderers where its camera looks."""
    description = find_level(LEVEL, shipped_world_data()).description
    empty = World(description)
    first_id = 100_000
    places = free_places(empty, description.camera)
    more = tuple(
        PedDescription(first_id + number, f"more {number}", next(places), default_task="wander")
        for number in range(IN_VIEW)
    )
    others = tuple(
        replace(ped, options={**ped.options, "player": False}) for ped in description.peds
    )
    return replace(description, peds=others + more)


def in_view(view: StreetView) -> int:
    """How many peds stand in the picture."""
    screen = view.projection().to_screen_batch(view.picture.peds.now[:, :3])
    inside = (screen >= 0.0).all(axis=1) & (screen < SIZE).all(axis=1)
    return int(inside.sum())


def time_ms(work: Callable[[], object]) -> float:
    """Milliseconds of processor time of a call."""
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1000.0


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description="Cost of a drawn frame with a crowd in view.")
    parser.add_argument("--frames", type=int, default=FRAMES)
    frames = parser.parse_args().frames
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    pygame.font.init()
    run = Run(crowded())
    picture = WorldPicture(run.world)
    view = StreetView(
        run, Display(pygame.display.set_mode(SIZE)), Quality(), picture, PreferenceFile()
    )
    drawing: list[float] = []
    reading: list[float] = []
    calibrations: list[float] = []
    for number in range(WARM_UP + frames):
        run.step()
        read = time_ms(picture.after_step)
        view.look(FRAME_S, 0.5, None, (0.0, 0.0))
        drawn = time_ms(lambda: view.draw(FRAME_S, 0.5))
        if number >= WARM_UP and in_view(view) >= IN_VIEW:
            drawing.append(drawn)
            reading.append(read)
        if number % 20 == 0:
            calibrations.append(calibrate())
    assert len(drawing) > frames // 2, f"{IN_VIEW} peds were in view in {len(drawing)} frames only"
    factor = statistics.median(calibrations) / CALIBRATION_GOAL_S
    print(f"calibration: {statistics.median(calibrations):.3f} s (goal figures x {factor:.2f})")
    print(f"{LEVEL}, {SIZE[0]}x{SIZE[1]}, {IN_VIEW} peds and more in view: {len(drawing)} frames")
    print(f"{'ms a frame':<28}{'mean':>10}{'95 %':>10}{'goal':>10}")
    for name, found, goal in (
        ("drawing", drawing, f"{GOAL_MS * factor:>10.2f}"),
        ("reading the world", reading, ""),
    ):
        late = statistics.quantiles(found, n=20)[-1]
        print(f"{name:<28}{statistics.fmean(found):>10.2f}{late:>10.2f}{goal}")


if __name__ == "__main__":
    main()
