"""The camera of recordings: calm, without a mouse, always on what the level looks at.

Film mode (art-and-feel section 10): the play camera's spring with omega 2.5 instead
of 6. A critically damped spring depends on omega times time alone, so the very same
camera is advanced by that share of the time.
"""

from __future__ import annotations

from game.render.camera import FOLLOW_OMEGA, Camera, Subject, ViewPoint
from game.render.projection import Projection

FILM_OMEGA = 2.5
FRAMED_SIZE = (1280, 720)
"""The size of picture, px, for which a level states its zoom."""


class FilmCamera:
    """Follows a level's own camera softly.

    A picture of another size shows the same piece of street, as far as the zoom of the
    play camera reaches.
    """

    def __init__(self, view: ViewPoint, size: tuple[int, int]) -> None:
        self._view = view
        self._size = size
        self._enlarged = min(size[0] / FRAMED_SIZE[0], size[1] / FRAMED_SIZE[1])
        self._zoom = view.zoom_px_per_cm
        self._camera = Camera(view.x, view.y, self._zoom * self._enlarged, view.pitch_deg)

    def advance(self, time_s: float) -> None:
        """Go on by a time of the run."""
        view = self._view
        if view.zoom_px_per_cm != self._zoom:
            self._zoom = view.zoom_px_per_cm
            self._camera.zoom_to(self._zoom * self._enlarged)
        self._camera.advance(
            time_s * FILM_OMEGA / FOLLOW_OMEGA, Subject(view.x, view.y, steady=True)
        )

    def projection(self) -> Projection:
        """The view onto the picture."""
        return self._camera.projection(*self._size)
