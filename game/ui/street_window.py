"""The screen of the street: what is played, seen and touched of one session.

It carries commands out and hands events on: the toolbar hears the mouse first, then
the street. One turn runs as many steps as the frame's time is worth, moves the camera
and draws.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable
from pathlib import Path

import pygame

from ai.ports import Vec3
from ai.tasks.move_interface import MBR_RUN, MBR_STILL, MBR_WALK
from game.render.camera import ZOOM_STEP
from game.render.picture_of_world import WorldPicture
from game.render.projection import Projection
from game.ui.bench_settings import BenchSettings
from game.ui.commands import Command, command_of
from game.ui.errors import SessionRefused
from game.ui.hand_tools import Tool
from game.ui.hands import Hands
from game.ui.held_keys import Held
from game.ui.hud import NO_HINT, Hud, Status
from game.ui.order_tool import OrderTool
from game.ui.pad_pointer import PadPointer
from game.ui.panels import Panels
from game.ui.picking import chest_of
from game.ui.ragdoll_bench import RagdollBench
from game.ui.screen import Next
from game.ui.screenshots import write_screenshot
from game.ui.session import Session
from game.ui.slide import Slide
from game.ui.street_commands import StreetCommands
from game.ui.street_view import StreetView
from game.ui.toolbar import Toolbar, ToolbarState
from game.ui.window_context import WindowContext
from game.world.shove import ShoveOutcome

FRAMES_PER_S = 60
FRAME_S = 1.0 / FRAMES_PER_S

BENCH_GAP_PX = 8

OBJECTIVES_EVERY_STEPS = 15
"""Nobody ticks things off any faster."""

SHOVE_SHOWN_CM = 60.0
"""A ring opens this far before the ped, so that a shove is seen even if it meets nothing."""

SHOVE_WORDS = {
    ShoveOutcome.NOTHING_NEAR: "There is nothing to shove within reach",
    ShoveOutcome.TOO_HEAVY: "Too heavy to shove",
}
ENDS_A_ROUND = (pygame.K_RETURN, pygame.K_KP_ENTER)


class StreetWindow:
    """One session on a window's display.

    The loop calls ``advance`` and ``draw``; tests and stills call ``step``, ``look``
    and ``draw`` themselves.
    """

    def __init__(self, session: Session, context: WindowContext) -> None:
        world = session.world
        self.context = context
        self.has_stopped = False
        """The run ended in an error; it can be restarted."""
        self._session = session
        self.orders = OrderTool(world, context.notices.say)
        self._world_picture = WorldPicture(world, self.orders.source, hit_stops=True)
        self._world_picture.effects.stage.sounds = context.sounds
        self.view = StreetView(
            session,
            context.display,
            context.quality,
            self._world_picture,
            context.preferences,
        )
        self.hands = Hands(world, self.view, self._world_picture, self.orders)
        self.panels = Panels(world, context.theme, self.view, self._world_picture, context.notices)
        self.bench = self._workbench()
        self._hud = Hud(context.theme)
        self.pointer = PadPointer()
        self.slide = Slide()
        self._objectives = tuple(session.objectives)
        self._frames_per_s = 0.0
        self._wants_shove = False
        self._commands = StreetCommands(self)
        self.toolbar = Toolbar(context.theme, self._commands.known)
        self.toolbar.place(context.display.size)
        pygame.display.set_caption(self.title)

    def _workbench(self) -> RagdollBench | None:
        """The panel of sliders that the level asks for; its settings outlive the run."""
        world, context = self._session.world, self.context
        if world.description.workbench != "ragdoll":
            return None
        if context.bench is None:
            context.bench = BenchSettings.of(world.data.knockdown)
        return RagdollBench(world, context.theme, context.bench)

    @property
    def title(self) -> str:
        """What people call the level."""
        description = self._session.world.description
        return description.title or description.name

    # -- time ----------------------------------------------------------------------

    def advance(self, frame_s: float) -> None:
        """Run the steps that this frame's time is worth, and move the camera.

        An error of the run stops it: it is told and written to standard error, and the
        level can be restarted (F3).
        """
        context = self.context
        told = context.changed_tuning() + context.changed_behaviour(self._session.world)
        for words in told:
            context.notices.say(words)
        steps = context.pacer.advance(frame_s)
        try:
            for _ in range(0 if self.has_stopped else steps):
                self.step()
        except Exception as error:
            traceback.print_exc()
            self.has_stopped = True
            context.pacer.pause()
            context.notices.say(f"The run stopped: {error}. F8 starts the level again")
        context.notices.advance(frame_s)
        context.video.advance()
        self._move_pointer(frame_s)
        self.look(frame_s, context.pacer.alpha, self._cursor())

    def step(self) -> None:
        """Hand on what is asked for and advance the run by one step."""
        context, controls = self.context, self._session.world.player_controls
        controls.heading_rad = context.heading_rad
        runs = context.held.asks(Held.RUN) or context.gamepad.runs
        moving = MBR_RUN if runs else MBR_WALK
        controls.mbr = MBR_STILL if controls.heading_rad is None else moving
        controls.shove, self._wants_shove = self._wants_shove, False
        self.orders.before_step()
        if self.bench is not None:
            self.bench.before_step()
        self._session.step()
        if self.bench is not None:
            self.bench.after_step()
        self.panels.times.drawing_begins()
        self._world_picture.after_step(self._session.caption)
        peds = self._world_picture.picture.peds
        self.context.sounds.walk(peds.ids, peds.now)
        self.orders.after_step()
        self.hands.after_step()
        self._tell_shove()
        if self._step % OBJECTIVES_EVERY_STEPS == 0:
            self._objectives = tuple(self._session.objectives)

    def _tell_shove(self) -> None:
        shove = self._session.world.last_shove
        if shove is not None and shove.outcome in SHOVE_WORDS:
            self.context.notices.say(SHOVE_WORDS[shove.outcome])

    def ask_shove(self) -> None:
        """The player's ped is to shove in the next step."""
        row = self._world_picture.player_row
        if row is None:
            self.context.notices.say("Nobody here is yours to steer, so nobody can shove")
            return
        self._wants_shove = True
        x, y, z, yaw = self.view.picture.peds.now[row].tolist()
        reach = SHOVE_SHOWN_CM
        self.hands.show_press(Vec3(x + reach * math.cos(yaw), y + reach * math.sin(yaw), z))

    def press_record(self) -> None:
        """Begin a video of the street, or end it."""
        self.context.video.press(self.context.display.size, self._step)

    @property
    def _step(self) -> int:
        return self._session.world.clock.step

    def look(
        self, frame_s: float, alpha: float = 1.0, cursor: tuple[int, int] | None = None
    ) -> None:
        """Move the camera, and what slides and fades, by the time of one frame.

        ``alpha`` as for ``draw``; ``cursor`` is the mouse where it is over the street.
        """
        held, pad = self.context.held.direction, self.context.gamepad.direction
        pan = (float(held[0]), float(held[1])) if any(held) else pad
        self.view.look(frame_s, alpha, cursor, pan)
        self.hands.advance(frame_s, cursor)
        values = self.context.preferences.values
        self.context.sounds.look(
            self.view.projection(), frame_s, values.volume, values.sound_captions
        )
        self.toolbar.advance(frame_s)
        if frame_s > 0.0:
            self._frames_per_s += (1.0 / frame_s - self._frames_per_s) * min(1.0, frame_s * 2.0)

    # -- drawing -------------------------------------------------------------------

    def draw(self, frame_s: float, alpha: float | None = None) -> None:
        """Draw one frame, ``alpha`` of the way between the last two steps; None: as paced."""
        self.panels.times.drawing_begins()
        surface = self.context.display.surface
        bar = self._draw_scene(frame_s, alpha)
        out = self.slide.advance(frame_s)
        down = round(out * (surface.get_height() - bar.top))
        self._hud.draw(surface, self._status(), bar.top + down, out)
        if out < 1.0:
            self.toolbar.draw(surface, self._toolbar_state(), down)
        self.panels.draw(
            surface,
            self.hands.selection.ids,
            frame_s,
            title=self._hud.title_box,
            floor_y=bar.top,
            is_hidden=self.slide.is_hidden,
        )
        if self.bench is not None and not self.slide.is_hidden:
            self.bench.draw(surface, frame_s, self._hud.title_box.bottom + BENCH_GAP_PX)
        self.pointer.draw(surface, self.context.theme)
        self.panels.times.frame_ends()

    def draw_bare(self, frame_s: float) -> None:
        """The street and the toolbar alone, for what is written over them."""
        self._draw_scene(frame_s, None)
        self.toolbar.leave()
        self.toolbar.draw(self.context.display.surface, self._toolbar_state())

    def _draw_scene(self, frame_s: float, alpha: float | None) -> pygame.Rect:
        """The street with the marks of the mouse; returns where the toolbar lies."""
        pacer, surface = self.context.pacer, self.context.display.surface
        share = pacer.alpha if alpha is None else alpha
        self.view.draw(frame_s, share)
        self.context.video.see(surface, self._step, self.view.picture.caption)
        if pacer.is_paused:
            self.view.make_pale()
        self.hands.draw(surface, self.context.theme)
        return self.toolbar.place(surface.get_size())

    def _status(self) -> Status:
        context, picture = self.context, self.view.picture
        world = self._session.world
        return Status(
            title=self.title,
            time_of_day=picture.time_of_day,
            seed=world.seed,
            peds=len(picture.peds.ids),
            time_s=world.clock.time_s,
            speed=context.pacer.speed,
            frames_per_s=round(self._frames_per_s),
            is_paused=context.pacer.is_paused,
            caption=picture.caption,
            objectives=self._objectives,
            notice=context.notices.words or context.sounds.caption,
            hint=NO_HINT if self.toolbar.tells_tip else self.hands.hint,
        )

    def _toolbar_state(self) -> ToolbarState:
        lit = {
            Command.FIRE: self.hands.tool is Tool.FIRE,
            Command.IMPACT: self.hands.tool is Tool.IMPACT,
            Command.ORDER: self.hands.tool is Tool.ORDER,
            Command.GRAB: self.hands.tool is Tool.GRAB,
            Command.DOUSE: self.hands.tool is Tool.DOUSE,
            Command.PAUSE: self.context.pacer.is_paused,
            Command.INSPECTOR: self.panels.inspector.is_open,
            Command.OVERLAYS: self.view.overlays.is_shown,
            Command.FRAME_TIMES: self.panels.times.is_on,
            Command.RECORD: self.context.video.is_on,
        }
        return ToolbarState(
            frozenset(command for command, on in lit.items() if on),
            self.context.pacer.speed,
            self.context.pacer.is_paused,
        )

    def place_of(self, ped_id: int) -> tuple[int, int] | None:
        """Where a ped's chest is in the window, None if it is not there."""
        return chest_of(self.view.picture.peds, self.view.projection(), ped_id)

    def projection(self) -> Projection:
        """The camera's view onto the window as large as it is now."""
        return self.view.projection()

    @property
    def selected(self) -> set[int]:
        """Ids of the selected peds."""
        return set(self.hands.selection.ids)

    def save(self, path: Path) -> None:
        """Write what the window shows to a PNG.

        Raises ``FileRefused``.
        """
        write_screenshot(self.context.display.surface, path)

    def _cursor(self) -> tuple[int, int] | None:
        """The pad's pointer or else the mouse, while it is over the street."""
        pos = self.pointer.place
        if pos is None:
            if not pygame.mouse.get_focused():
                return None
            pos = pygame.mouse.get_pos()
        bar = self.toolbar.place(self.context.display.size)
        on_bar = bar.collidepoint(pos) and not self.slide.is_hidden
        on_bench = self.bench is not None and self.bench.covers(pos)
        return None if on_bar or on_bench or self.panels.covers(pos) else pos

    # -- events --------------------------------------------------------------------

    def hear(self, event: pygame.event.Event) -> Next:
        """Take one event of the window system; returns the screen that goes on.

        What opens over the street hears the mouse from then on: no drag outlives that.
        """
        goes_on = self._hear(event)
        if goes_on is not self:
            self._end_drags()
        return goes_on

    def _hear(self, event: pygame.event.Event) -> Next:
        match event.type:
            case pygame.QUIT:
                return None
            case pygame.WINDOWFOCUSLOST:
                self.context.release_all()
                self._let_go()
                self.context.pacer.pause()
            case pygame.WINDOWLEAVE:
                self._let_go()
                self.toolbar.leave()
            case pygame.VIDEORESIZE | pygame.WINDOWSIZECHANGED:
                self.context.display.resized()
                self.toolbar.place(self.context.display.size)
            case pygame.KEYDOWN | pygame.MOUSEWHEEL if self.panels.hear(event):
                pass
            case pygame.KEYDOWN if self.bench is not None and self.bench.hear(event):
                return self._throw_again()
            case pygame.KEYDOWN if event.key in ENDS_A_ROUND and self.hands.end_round():
                pass
            case pygame.KEYDOWN:
                self.context.held.press(event.key)
                return self._commands.obey(command_of(event))
            case pygame.KEYUP:
                self.context.held.release(event.key)
            case pygame.MOUSEWHEEL:
                x, y = pygame.mouse.get_pos()
                zoom = ZOOM_STEP**event.y
                self.view.camera.zoom_by(zoom, x, y, *self.context.display.size)
            case pygame.MOUSEMOTION | pygame.MOUSEBUTTONDOWN | pygame.MOUSEBUTTONUP:
                self.pointer.hide()
                return self._hear_mouse(event)
            case pygame.CONTROLLERBUTTONDOWN | pygame.CONTROLLERBUTTONUP if (
                click := self.pointer.click(event)
            ) is not None:
                return self._hear_mouse(click)
            case _:
                return self._commands.obey(self.context.gamepad.hear(event))
        return self

    def _hear_mouse(self, event: pygame.event.Event) -> Next:
        if event.type == pygame.MOUSEMOTION and event.buttons[1]:
            self.view.camera.drag(event.rel[0], event.rel[1], FRAME_S)
            return self
        if event.type == pygame.MOUSEBUTTONUP and event.button == pygame.BUTTON_MIDDLE:
            self.view.camera.end_drag()
            return self
        if self.hands.is_dragging:
            # A box that is dragged over a panel stays the street's.
            self.hands.hear(event)
            return self
        if not self.slide.is_hidden:
            touch = self.toolbar.hear(event)
            if touch.speed:
                return self._commands.choose_speed()
            if touch.taken:
                self.context.sounds.click()
                return self._commands.obey(touch.command)
        if self.panels.hear(event):
            return self
        if self.bench is not None and not self.slide.is_hidden and self.bench.hear(event):
            return self._throw_again() if self.bench.wants_again else self
        menu_at = self.hands.hear(event)
        return self if menu_at is None else self._commands.open_order_menu(menu_at)

    def _let_go(self) -> None:
        """The mouse or the focus has left the window."""
        self.pointer.hide()
        self._end_drags()

    def _end_drags(self) -> None:
        """Whatever the mouse or the pad's pointer dragged is let go of."""
        self.view.camera.end_drag()
        self.hands.let_go()

    def _move_pointer(self, frame_s: float) -> None:
        moved = self.pointer.advance(
            frame_s, self.context.gamepad.pointing, self.context.display.size
        )
        if moved is not None:
            self._hear_mouse(moved)

    # -- other runs ------------------------------------------------------------------

    def restart(self) -> Next:
        """The same level from its beginning; if it is refused this run goes on."""
        return self._begin(self.context.sessions.restart)

    def _throw_again(self) -> Next:
        """The level anew, with the workbench as it is set."""
        begun = self.restart()
        if isinstance(begun, StreetWindow) and begun.bench is not None:
            begun.bench.throw_again()
        return begun

    def open_level(self, name: str) -> Next:
        """Another level; if it is refused this run goes on."""
        return self._begin(lambda: self.context.sessions.open(name))

    def _begin(self, opens: Callable[[], Session]) -> Next:
        try:
            session = opens()
        except SessionRefused as error:
            self.context.notices.say(str(error))
            return self
        self.context.notices.clear()
        if self.has_stopped:
            self.context.pacer.go_on()
        return StreetWindow(session, self.context)
