"""Playing sessions in a window: by the clock until it is closed, or a number of frames to order.

The wall clock is read here alone, and only to pace the steps (product.md section 2).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pygame

from game.behaviour_watch import BehaviourWatch
from game.render.scene_renderer import Quality
from game.tuning_watch import TuningWatch
from game.ui.display import Display
from game.ui.gamepad import listen_for_pads
from game.ui.preferences import PreferenceFile
from game.ui.screen import Screen
from game.ui.session import Session, Sessions
from game.ui.street_window import FRAME_S, FRAMES_PER_S, StreetWindow
from game.ui.window_context import WindowContext

STILLS = Quality(bakes_per_frame=None)
"""For pictures that are kept: everything is baked, whatever it takes."""


def play(
    display: Display,
    sessions: Sessions,
    session: Session,
    *,
    paused: bool = False,
    debug: bool = False,
) -> None:
    """Play from a session on until the window is closed.

    With ``debug`` tuning and behaviour files that change take effect while it goes on.
    """
    context = WindowContext(display, sessions, preferences=PreferenceFile.of_user())
    context.pacer.is_paused = paused
    watch = TuningWatch() if debug else None
    if watch is not None:
        context.changed_tuning = watch.frame
        library = session.world.data.brains.library
        context.changed_behaviour = BehaviourWatch(library).frame
    if context.preferences.values.full_screen:
        context.toggle_full_screen()
    try:
        run_screens(StreetWindow(session, context), lambda: _after_first_frame(context))
    finally:
        if watch is not None:
            watch.close()
        context.close()


def _after_first_frame(context: WindowContext) -> None:
    listen_for_pads()
    context.sounds.open()


def run_screens(screen: Screen, after_first_frame: Callable[[], None]) -> None:
    """Give events, time and the picture to one screen after the other, until there is none.

    ``after_first_frame`` does what can wait until the window shows something.
    """
    clock = pygame.time.Clock()
    last = time.perf_counter()
    is_first = True
    while True:
        for event in pygame.event.get():
            goes_on = screen.hear(event)
            if goes_on is None:
                return
            screen = goes_on
        now = time.perf_counter()
        frame_s, last = now - last, now
        screen.advance(frame_s)
        screen.draw(frame_s)
        pygame.display.flip()
        if is_first:
            is_first = False
            after_first_frame()
        clock.tick(FRAMES_PER_S)


def draw_frames(
    display: Display, sessions: Sessions, session: Session, frames: int, screenshot: Path | None
) -> None:
    """Draw a number of frames of a session, one step each, and save the last."""
    street = StreetWindow(session, WindowContext(display, sessions, quality=STILLS))
    for _ in range(frames):
        pygame.event.pump()
        street.step()
        street.look(FRAME_S)
        street.draw(FRAME_S, alpha=1.0)
        pygame.display.flip()
    if screenshot is not None:
        street.save(screenshot)
