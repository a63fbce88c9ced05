"""The street as the player sees it: the drawn camera, the picture of the world, overlays.

It reads the world and draws it; no number of it ever reaches the simulation.
"""

from __future__ import annotations

import pygame

from ai.ports import STEP_S
from game.render.camera import Camera, Subject
from game.render.figures.looks import shipped_outfits
from game.render.palette import load_palette
from game.render.picture import Picture
from game.render.picture_of_world import ClipPoses, WorldPicture
from game.render.projection import Projection
from game.render.scene_renderer import Quality, SceneRenderer
from game.ui.display import Display
from game.ui.overlays import OverlaySet, overlays_of
from game.ui.preferences import PreferenceFile
from game.ui.session import Session
from game.world import frame

PAN_CM_PER_S = 900.0
FRAME_MAX_S = 0.1
"""A frame that took longer moves the camera no further."""

PALE_ALPHA = 38
"""15 % of grey over the picture while time stands still (art-and-feel section 16)."""


class StreetView:
    """One session's picture on a display."""

    def __init__(
        self,
        session: Session,
        display: Display,
        quality: Quality,
        picture: WorldPicture,
        preferences: PreferenceFile,
    ) -> None:
        palette = load_palette()
        data = session.world.data
        view = session.view
        self.camera = Camera(view.x, view.y, view.zoom_px_per_cm, view.pitch_deg)
        self.follows: int | None = None
        """The ped that the camera follows, None for the player's."""
        self._session = session
        self._display = display
        self._preferences = preferences
        self._world_picture = picture
        self._renderer = SceneRenderer(
            palette,
            shipped_outfits(),
            ClipPoses(data.clips),
            quality._replace(fade_s=data.locomotion.display_fade),
        )
        self._level_zoom = view.zoom_px_per_cm
        self.overlays = OverlaySet(
            overlays_of(session.world, palette, lambda: self.projection().visible_ground())
        )

    @property
    def picture(self) -> Picture:
        """What is drawn, as it was after the last step."""
        return self._world_picture.picture

    def projection(self) -> Projection:
        """The camera's view onto the window as large as it is now."""
        return self.camera.projection(*self._display.size)

    def look(
        self,
        frame_s: float,
        alpha: float,
        cursor: tuple[int, int] | None,
        pan: tuple[float, float],
    ) -> None:
        """Move the camera by the time of one frame.

        - ``alpha`` as for ``draw``; ``cursor`` is the point of the window that pulls it.
        - ``pan`` moves it right and down the map (-1 to 1 each) if there is no player.
        """
        camera, view = self.camera, self._session.view
        player = self._subject_of(self._world_picture.player_row, alpha)
        followed = self._subject_of(self._followed_row(), alpha)
        if player is None:
            if pan != (0.0, 0.0):
                reach = PAN_CM_PER_S * min(frame_s, FRAME_MAX_S)
                camera.pan(pan[0] * reach, pan[1] * reach)
            if view.zoom_px_per_cm != self._level_zoom:
                self._level_zoom = view.zoom_px_per_cm
                if not camera.is_free:
                    camera.zoom_to(self._level_zoom)
        subject = followed or player or Subject(view.x, view.y, steady=True)
        ground = None if cursor is None else self.projection().to_ground(*cursor)
        camera.advance(frame_s, subject, ground)

    def draw(self, frame_s: float, alpha: float) -> None:
        """Draw the street, ``alpha`` of the way between the last two steps."""
        frame.draw(self._session.world)
        values, stage = self._preferences.values, self._world_picture.effects.stage
        stage.reduces_shake = values.reduced_shake
        stage.reduces_flashes = values.reduced_flashes
        surface = self._display.surface
        overlays = self.overlays.shown
        self._renderer.draw(surface, self.picture, self.projection(), alpha, overlays, frame_s)

    def make_pale(self) -> None:
        """Take some colour out of what was drawn: time stands still."""
        surface = self._display.surface
        grey = pygame.transform.grayscale(surface)
        grey.set_alpha(PALE_ALPHA)
        surface.blit(grey, (0, 0))

    def _followed_row(self) -> int | None:
        """Which row of the picture's peds is followed on request; None if it is not there."""
        if self.follows is None:
            return None
        rows = (self.picture.peds.ids == self.follows).nonzero()[0]
        return int(rows[0]) if len(rows) else None

    def _subject_of(self, row: int | None, alpha: float) -> Subject | None:
        """A ped as it is drawn, for the camera to follow; None without one."""
        if row is None:
            return None
        peds = self.picture.peds
        before, now = peds.before[row, :2], peds.now[row, :2]
        x, y = (before + (now - before) * alpha).tolist()
        velocity_x, velocity_y = ((now - before) / STEP_S).tolist()
        return Subject(x, y, velocity_x, velocity_y)
