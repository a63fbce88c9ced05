"""From a run to the frames of a video: one frame per fixed time of the run (LVL-10)."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from game.recording.burnt_caption import BurntCaption
from game.recording.captions_vtt import with_speed
from game.recording.film import Film, FilmSession
from game.recording.plan import FilmPlan
from game.recording.take import Take


def film_session(
    session: FilmSession, plan: FilmPlan, take: Take, on_frame: Callable[[], None]
) -> None:
    """Run a session and put its pictures and captions into a take.

    - The first frame shows the run as it stands; no step beyond the last frame is run.
    - ``on_frame`` is called after each frame.

    Raises ``RecordingError`` if the take can't be written any further.
    """
    film = Film(session, plan.size, overlay=plan.overlay)
    burnt = BurntCaption()
    caption = with_speed("", plan.speed)
    take.caption(caption, Fraction(0))
    run = 0
    film_s, run_s = 1.0 / plan.fps, 0.0
    for frame in range(plan.frames):
        steps, alpha = plan.moment(frame)
        while run < steps:
            film.step()
            caption = with_speed(session.caption, plan.speed)
            take.caption(caption, plan.film_time_s(run))
            run += 1
        canvas = film.draw(alpha, run_s, film_s)
        burnt.draw(canvas, caption)
        take.add(canvas)
        run_s = film_s * float(plan.speed)
        on_frame()
