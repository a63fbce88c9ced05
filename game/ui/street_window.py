"""One session in the window: real time in, steps and pictures out.

One turn of the loop hears events, runs as many steps as the frame's time is worth,
moves the camera and draws. Time of the wall clock is read here alone, and only to
pace the steps (product.md section 2).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pygame

from ai.ports import STEP_S
from ai.tasks.move_interface import MBR_RUN, MBR_STILL, MBR_WALK
from game.render.camera import ZOOM_STEP, Camera, Subject
from game.render.figures.looks import shipped_outfits
from game.render.palette import load_palette
from game.render.picture_of_world import ClipPoses, WorldPicture
from game.render.projection import Projection
from game.render.scene_renderer import Quality, SceneRenderer
from game.ui.frame_pacer import FramePacer
from game.ui.held_keys import Held, HeldKeys
from game.ui.hud import Hud, Status
from game.ui.overlays import overlays_of
from game.ui.session import Session

FRAMES_PER_S = 60
FRAME_S = 1.0 / FRAMES_PER_S
TILT_STEP_DEG = 5.0
PAN_CM_PER_S = 900.0
PICK_REACH_PX = 40.0
NOTICE_S = 3.0
SCREENSHOT_STEM = "bystander"


class StreetWindow:
    """One session in one window.

    ``play`` runs it by the clock; tests and stills call ``step``, ``look`` and ``draw``
    themselves.
    """

    def __init__(self, session: Session, surface: pygame.Surface, quality: Quality) -> None:
        palette = load_palette()
        view = session.view
        self._session = session
        self.surface = surface
        self._world_picture = WorldPicture(session.world)
        data = session.world.data
        self._renderer = SceneRenderer(
            palette,
            shipped_outfits(),
            ClipPoses(data.clips),
            quality._replace(fade_s=data.locomotion.display_fade),
        )
        self._camera = Camera(view.x, view.y, view.zoom_px_per_cm, view.pitch_deg)
        self._level_zoom = view.zoom_px_per_cm
        self._overlays = overlays_of(session.world, palette)
        self._overlays_on = False
        self._hud = Hud(palette.interface)
        self._notice = ""
        self._notice_left_s = 0.0
        self._frames_per_s = 0.0
        self.pacer = FramePacer()
        self.held = HeldKeys()
        self.is_closing = False

    # -- the turn of the loop --------------------------------------------------

    def play(self) -> None:
        """Run until the window is closed."""
        clock = pygame.time.Clock()
        last = time.perf_counter()
        while not self.is_closing:
            for event in pygame.event.get():
                self.hear(event)
            now = time.perf_counter()
            frame_s, last = now - last, now
            for _ in range(self.pacer.advance(frame_s)):
                self.step()
            self.look(frame_s, self.pacer.alpha, self._cursor())
            self.draw(frame_s, self.pacer.alpha)
            pygame.display.flip()
            clock.tick(FRAMES_PER_S)

    def step(self) -> None:
        """Hand the held keys to the player's ped and advance the run by one step."""
        controls = self._session.world.player_controls
        controls.heading_rad = self.held.heading_rad
        gait = MBR_RUN if self.held.asks(Held.RUN) else MBR_WALK
        controls.mbr = MBR_STILL if controls.heading_rad is None else gait
        self._session.step()
        self._world_picture.after_step(self._session.caption)

    def look(
        self, frame_s: float, alpha: float = 1.0, cursor: tuple[float, float] | None = None
    ) -> None:
        """Move the camera by the time of one frame.

        ``alpha`` as for ``draw``; ``cursor`` is the ground point that pulls the camera.
        """
        camera, view = self._camera, self._session.view
        player = self._player_subject(alpha)
        if player is None:
            right, down = self.held.direction
            if right or down:
                reach = PAN_CM_PER_S * min(frame_s, 0.1)
                camera.pan(right * reach, down * reach)
            if view.zoom_px_per_cm != self._level_zoom:
                self._level_zoom = view.zoom_px_per_cm
                if not camera.is_free:
                    camera.zoom_to(self._level_zoom)
        subject = player or Subject(view.x, view.y, steady=True)
        camera.advance(frame_s, subject, cursor)
        self._notice_left_s -= frame_s
        if frame_s > 0.0:
            self._frames_per_s += (1.0 / frame_s - self._frames_per_s) * min(1.0, frame_s * 2.0)

    def draw(self, frame_s: float, alpha: float = 1.0) -> None:
        """Draw one frame onto the surface, ``alpha`` of the way between the last two steps."""
        overlays = self._overlays if self._overlays_on else ()
        picture = self._world_picture.picture
        self._renderer.draw(self.surface, picture, self.projection(), alpha, overlays, frame_s)
        world = self._session.world
        status = Status(
            title=world.description.title or world.description.name,
            time_of_day=picture.time_of_day,
            seed=world.seed,
            peds=len(picture.peds.ids),
            time_s=world.clock.time_s,
            speed=self.pacer.speed,
            frames_per_s=round(self._frames_per_s),
            is_paused=self.pacer.is_paused,
            caption=picture.caption,
            notice=self._notice if self._notice_left_s > 0.0 else "",
        )
        self._hud.draw(self.surface, status)

    def projection(self) -> Projection:
        """The camera's view onto the window as large as it is now."""
        return self._camera.projection(*self.surface.get_size())

    def _cursor(self) -> tuple[float, float] | None:
        """The ground point under the mouse, while it is over the window."""
        if not pygame.mouse.get_focused():
            return None
        return self.projection().to_ground(*pygame.mouse.get_pos())

    @property
    def selected(self) -> set[int]:
        """Ids of the selected peds."""
        return set(self._world_picture.selected)

    def save(self, path: Path) -> None:
        """Write what the window shows to a PNG."""
        pygame.image.save(self.surface, path)

    # -- events ----------------------------------------------------------------

    def hear(self, event: pygame.event.Event) -> None:
        """Take one event of the window system."""
        match event.type:
            case pygame.QUIT:
                self.is_closing = True
            case pygame.WINDOWFOCUSLOST:
                self.held.release_all()
                self._camera.end_drag()
                self.pacer.pause()
            case pygame.WINDOWLEAVE:
                self._camera.end_drag()
            case pygame.VIDEORESIZE | pygame.WINDOWSIZECHANGED:
                self.surface = pygame.display.get_surface() or self.surface
            case pygame.KEYDOWN:
                self.held.press(event.key)
                does = self._commands().get(event.key)
                if does is not None:
                    does()
            case pygame.KEYUP:
                self.held.release(event.key)
            case pygame.MOUSEWHEEL:
                x, y = pygame.mouse.get_pos()
                self._camera.zoom_by(ZOOM_STEP**event.y, x, y, *self.surface.get_size())
            case pygame.MOUSEMOTION:
                if event.buttons[1]:
                    self._camera.drag(event.rel[0], event.rel[1], FRAME_S)
            case pygame.MOUSEBUTTONUP if event.button == pygame.BUTTON_MIDDLE:
                self._camera.end_drag()
            case pygame.MOUSEBUTTONDOWN if event.button == pygame.BUTTON_LEFT:
                self._pick(*event.pos)

    def _commands(self) -> dict[int, Callable[[], None]]:
        return {
            pygame.K_p: self.pacer.toggle_pause,
            pygame.K_PERIOD: self.pacer.single_step,
            pygame.K_LEFTBRACKET: self.pacer.slower,
            pygame.K_RIGHTBRACKET: self.pacer.faster,
            pygame.K_HOME: self._camera.home,
            pygame.K_PAGEUP: lambda: self._camera.tilt_by(TILT_STEP_DEG),
            pygame.K_PAGEDOWN: lambda: self._camera.tilt_by(-TILT_STEP_DEG),
            pygame.K_h: self._toggle_hud,
            pygame.K_F2: self._toggle_overlays,
            pygame.K_F12: self._screenshot,
            pygame.K_ESCAPE: self._close,
        }

    def _close(self) -> None:
        self.is_closing = True

    def _toggle_hud(self) -> None:
        self._hud.is_hidden = not self._hud.is_hidden

    def _toggle_overlays(self) -> None:
        self._overlays_on = not self._overlays_on

    def _screenshot(self) -> None:
        """Save the picture under a name that is not taken, and say which (F15)."""
        number = 1
        while (path := Path(f"{SCREENSHOT_STEM}-{number}.png")).exists():
            number += 1
        try:
            self.save(path)
        except (OSError, pygame.error) as error:
            self._say(f"not saved: {error}")
        else:
            self._say(f"saved {path.resolve()}")

    def _say(self, notice: str) -> None:
        self._notice = notice
        self._notice_left_s = NOTICE_S

    # -- people ----------------------------------------------------------------

    def _pick(self, x: float, y: float) -> None:
        """Select the ped under the mouse; empty ground selects nobody."""
        peds = self._world_picture.picture.peds
        projection = self.projection()
        best, best_distance = None, PICK_REACH_PX
        for ped_id, (px, py, pz, _) in zip(peds.ids.tolist(), peds.now.tolist(), strict=True):
            chest_x, chest_y = projection.to_screen(px, py, pz + 90.0)
            distance = max(abs(chest_x - x) * 1.5, abs(chest_y - y))
            if distance < best_distance:
                best, best_distance = ped_id, distance
        self._world_picture.select(() if best is None else (best,))

    def _player_subject(self, alpha: float) -> Subject | None:
        """The player's ped as it is drawn, for the camera to follow; None without one."""
        peds = self._world_picture.picture.peds
        player = self._world_picture.player_row
        if player is None:
            return None
        before, now = peds.before[player, :2], peds.now[player, :2]
        x, y = (before + (now - before) * alpha).tolist()
        velocity_x, velocity_y = ((now - before) / STEP_S).tolist()
        return Subject(x, y, velocity_x, velocity_y)
