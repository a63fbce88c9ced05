"""The pictures of one run as its level frames them: the street, captions, no interface."""

from __future__ import annotations

from typing import Protocol

import pygame

from game.recording.film_camera import FilmCamera
from game.recording.pixels import new_canvas
from game.render.camera import ViewPoint
from game.render.figures.looks import shipped_outfits
from game.render.palette import load_palette
from game.render.picture_of_world import ClipPoses, WorldPicture
from game.render.scene_renderer import Quality, SceneRenderer
from game.ui.overlays import OverlaySet, overlays_of
from game.world import frame
from game.world.world import World


class FilmSession(Protocol):
    """One run of a level, as far as a film needs it."""

    @property
    def world(self) -> World:
        """The world of this run."""
        ...

    @property
    def view(self) -> ViewPoint:
        """The level's own camera."""
        ...

    @property
    def caption(self) -> str:
        """The caption of the step just run, or nothing."""
        ...

    def step(self) -> None:
        """Advance by one step."""
        ...


class Film:
    """Draws a run; nothing that it does reaches the simulation.

    - Needs ``pygame.font``.
    - Everything missing is baked at once, so that the same run gives the same pictures.
    - ``overlay`` shows the overlays that F2 shows at first.
    """

    def __init__(self, session: FilmSession, size: tuple[int, int], *, overlay: bool) -> None:
        palette = load_palette()
        data = session.world.data
        self._session = session
        self._picture = WorldPicture(session.world)
        self._renderer = SceneRenderer(
            palette,
            shipped_outfits(),
            ClipPoses(data.clips),
            Quality(bakes_per_frame=None, fade_s=data.locomotion.display_fade),
        )
        self._camera = FilmCamera(session.view, size)
        self._overlays = OverlaySet(
            overlays_of(session.world, palette, lambda: self._camera.projection().visible_ground())
        )
        self._overlays.is_shown = overlay
        self._canvas = new_canvas(size)

    def step(self) -> None:
        """Advance the run by one step."""
        self._session.step()
        self._picture.after_step()

    def draw(self, alpha: float, run_s: float, film_s: float) -> pygame.Surface:
        """The picture ``alpha`` of the way from the last step but one to the last.

        ``run_s`` and ``film_s`` are the times that have passed since the last picture, in
        the run and for the viewer. The surface is drawn over by the next call.
        """
        self._camera.advance(run_s)
        frame.draw(self._session.world)
        self._renderer.draw(
            self._canvas,
            self._picture.picture,
            self._camera.projection(),
            alpha,
            self._overlays.shown,
            film_s,
        )
        return self._canvas
