"""The mouse on the street: selecting people, boxing them, sending them.

It turns events into a selection and into wishes of the order tool; what it leaves on
the picture (the hovered ped, rings on the ground) are marks for the viewer alone.
"""

from __future__ import annotations

import pygame

from ai.behaviours.approach import approach_point
from ai.ports import EntityRef, Vec3
from game.render.picture import Aim
from game.render.picture_of_world import WorldPicture
from game.ui.asking import PATROL_POINTS_MAX, Asking
from game.ui.goal_places import places_at
from game.ui.grab_tool import GrabTool
from game.ui.hand_tools import HandTool, Tool
from game.ui.hud import Hint
from game.ui.impact_tool import ImpactTool
from game.ui.order_tool import OrderTool, ToFace, ToFollow, ToPatrol
from game.ui.picking import ped_at, ped_of, peds_in, thing_at
from game.ui.pings import Pings
from game.ui.selection import BoxDrag, Selection
from game.ui.spot_tools import DOUSE, FIRE, SpotTool
from game.ui.street_view import StreetView
from game.ui.theme import Theme
from game.world.things import Thing
from game.world.world import World

GHOST_STRENGTH = 0.6
GHOST_EVERY_STEPS = 15
"""A ring at the side of a thing follows the thing this often."""

GROUND_REACH_CM = 200.0
"""A point of a round that nobody can stand on is moved so far at most; else it is none."""

ON_THE_FIGURE_PX = 26.0
"""A right click this near to a figure means the ped; further off it means the ground."""

SELECT_HINT = Hint("Order", "click a person, or drag a box around several · Ctrl-click adds")
SEND_HINT = Hint("Order", "right click where to go · O or right click on them: hold, follow …")


class Hands:
    """What the mouse does between the toolbar and the street of one session."""

    def __init__(
        self, world: World, view: StreetView, picture: WorldPicture, orders: OrderTool
    ) -> None:
        self.selection = Selection()
        self.asking: Asking | None = None
        """What the next click answers."""
        self.tool = Tool.ORDER
        self._world = world
        self._view = view
        self._picture = picture
        self._orders = orders
        self._box: BoxDrag | None = None
        self._pings = Pings()
        self._ghost_of: tuple[EntityRef, tuple[int, ...], int] | None = None
        self._ghost: Vec3 | None = None
        self._round: list[Vec3] = []
        self._tools: dict[Tool, HandTool] = {
            Tool.IMPACT: ImpactTool(world, picture, view.projection, self.show_press),
            Tool.GRAB: GrabTool(world, picture, view.projection),
            Tool.FIRE: SpotTool(FIRE, world, view.projection),
            Tool.DOUSE: SpotTool(DOUSE, world, view.projection),
        }

    # -- tools -------------------------------------------------------------------

    @property
    def _in_hand(self) -> HandTool | None:
        """The tool that the left button works with, None while it selects."""
        return self._tools.get(self.tool)

    def take(self, tool: Tool) -> None:
        """Take another tool in hand; what was begun is put down."""
        self.put_down()
        self.tool = tool

    # -- events ------------------------------------------------------------------

    def hear(self, event: pygame.event.Event) -> tuple[int, int] | None:
        """Take a mouse event; returns where an order menu is asked for, None if it isn't."""
        tool = None if self.asking is not None else self._in_hand
        match event.type:
            case pygame.MOUSEBUTTONDOWN if event.button == pygame.BUTTON_LEFT and tool is not None:
                tool.press(event.pos)
            case pygame.MOUSEMOTION if tool is not None and tool.is_busy:
                tool.drag(event.pos)
            case pygame.MOUSEBUTTONUP if event.button == pygame.BUTTON_LEFT and tool is not None:
                tool.release(event.pos)
            case pygame.MOUSEBUTTONDOWN if event.button == pygame.BUTTON_LEFT:
                if self.asking is not None:
                    self._answer(event.pos)
                else:
                    self._select(event.pos)
            case pygame.MOUSEBUTTONDOWN if event.button == pygame.BUTTON_RIGHT:
                return self._right_click(event.pos)
            case pygame.MOUSEMOTION if self._box is not None:
                self._drag(self._box, event.pos)
            case pygame.MOUSEBUTTONUP if event.button == pygame.BUTTON_LEFT:
                self._box = None
        return None

    @property
    def is_dragging(self) -> bool:
        """True from the press to the release, of a box around people or of a tool."""
        return self._box is not None or (self._in_hand is not None and self._in_hand.is_busy)

    def show_press(self, place: Vec3) -> None:
        """A ring opens there: something was done at that place."""
        self._pings.open_at((place,))

    def let_go(self) -> None:
        """The mouse or the focus has left the window: whatever was dragged is dropped."""
        if self._box is not None:
            self._choose(self._box.before)
            self._box = None
        if self._in_hand is not None:
            self._in_hand.let_go()

    def ask(self, asking: Asking) -> None:
        """The next click answers that for the selected; a round takes several."""
        self.asking = asking
        self._round.clear()

    @property
    def is_redirecting(self) -> bool:
        """The next click says where the selected are to go instead."""
        return self.asking is Asking.REDIRECT

    def _answer(self, pos: tuple[int, int], *, ends: bool = False) -> None:
        """Take a click as the answer; ``ends`` closes a round with it."""
        if self.asking is Asking.REDIRECT:
            self._send(pos)
            return
        projection = self._view.projection()
        place = Vec3(*projection.to_ground(*pos))
        target = self._target_at(pos)
        ids = self.selection.ids
        match self.asking:
            case Asking.FOLLOW if target is not None:
                self._orders.tell(ids, ToFollow(target))
            case Asking.FOLLOW:
                return
            case Asking.FACE:
                self._orders.tell(ids, ToFace(place, target))
            case Asking.PATROL:
                ground = self._world.surface.project(place.x, place.y, GROUND_REACH_CM)
                if ground is None:
                    return
                self._round.append(Vec3(ground.x, ground.y, ground.z))
                if not ends and len(self._round) < PATROL_POINTS_MAX:
                    return
                self._orders.tell(ids, ToPatrol(tuple(self._round)))
        self._pings.open_at(tuple(self._round) or (place,))
        self._round.clear()
        self.asking = None

    def end_round(self) -> bool:
        """The points so far are the whole round (Enter); True if there was one."""
        if self.asking is not Asking.PATROL or not self._round:
            return False
        self._orders.tell(self.selection.ids, ToPatrol(tuple(self._round)))
        self._round.clear()
        self.asking = None
        return True

    def _target_at(self, pos: tuple[int, int]) -> EntityRef | None:
        """The ped, else the thing, that is seen at a point of the window."""
        projection = self._view.projection()
        ped = ped_of(self._world, ped_at(self._picture.picture.peds, projection, *pos))
        if ped is not None:
            return ped.ref
        thing = thing_at(self._world.things, projection, *pos)
        return None if thing is None else thing.ref

    def put_down(self) -> bool:
        """Esc: give up what was begun; True if there was something."""
        is_busy = self._in_hand is not None and self._in_hand.is_busy
        begun = self.asking is not None or self._box is not None or is_busy
        self.asking = None
        self._round.clear()
        self.let_go()
        return begun

    def _select(self, pos: tuple[int, int]) -> None:
        adds = bool(pygame.key.get_mods() & pygame.KMOD_CTRL)
        before = self.selection.ids
        ped_id = ped_at(self._picture.picture.peds, self._view.projection(), *pos)
        self._box = BoxDrag(pos, before if adds else ())
        self.selection.click(ped_id, adds=adds)
        self._picture.select(self.selection.ids)

    def _drag(self, box: BoxDrag, pos: tuple[int, int]) -> None:
        box.move(pos)
        if box.is_open:
            inside = peds_in(self._picture.picture.peds, self._view.projection(), box.box)
            self._choose((*box.before, *inside))

    def _choose(self, ids: tuple[int, ...]) -> None:
        self.selection.set(ids)
        self._picture.select(self.selection.ids)

    def _right_click(self, pos: tuple[int, int]) -> tuple[int, int] | None:
        if self.asking is not None:
            self._answer(pos, ends=True)
            return None
        projection = self._view.projection()
        ped_id = ped_at(self._picture.picture.peds, projection, *pos, reach_px=ON_THE_FIGURE_PX)
        if ped_id is not None and (
            self._orders.order_of(ped_id) is not None or ped_id in self.selection
        ):
            if ped_id not in self.selection:
                self._choose((ped_id,))
            return pos
        self._send(pos)
        return None

    def _send(self, pos: tuple[int, int]) -> None:
        """Send the selected to what is seen at a point of the window."""
        self.asking = None
        projection = self._view.projection()
        thing = thing_at(self._world.things, projection, *pos)
        point = Vec3(*projection.to_ground(*pos))
        self._pings.open_at(self._orders.send(self.selection.ids, thing, point))

    # -- once a frame ------------------------------------------------------------

    def after_step(self) -> None:
        """Follow the world: who has left is no longer selected."""
        present = self._picture.picture.peds.ids.tolist()
        if self.selection.ids:
            self.selection.keep(set(present))
        self._picture.selected = set(self.selection.ids)

    def advance(self, frame_s: float, cursor: tuple[int, int] | None) -> None:
        """Go on by the time of a frame; ``cursor`` is None where no street is under it."""
        self._pings.advance(frame_s)
        if self._in_hand is not None:
            self._in_hand.hover(cursor)
        picture = self._picture.picture
        marks = picture.marks
        if cursor is None or self._box is not None:
            marks.hovered = None
        else:
            marks.hovered = ped_at(picture.peds, self._view.projection(), *cursor)
        ghost = None if cursor is None else self._ghost_at(cursor, marks.hovered)
        waiting = tuple(Aim(place) for place in self._orders.waiting)
        ghosts = () if ghost is None else (Aim(ghost, strength=GHOST_STRENGTH),)
        points = tuple(Aim(place) for place in self._round)
        marks.aims = (*waiting, *points, *ghosts, *self._pings.aims())

    def _ghost_at(self, cursor: tuple[int, int], hovered: int | None) -> Vec3 | None:
        """Where a click would send the selected: shown for things, and for any redirect."""
        ids = self.selection.ids
        if not ids or (hovered is not None and not self.is_redirecting):
            return None
        projection = self._view.projection()
        thing = thing_at(self._world.things, projection, *cursor)
        if thing is None:
            return Vec3(*projection.to_ground(*cursor)) if self.is_redirecting else None
        key = (thing.ref, ids, self._world.clock.step // GHOST_EVERY_STEPS)
        if key != self._ghost_of:
            self._ghost_of = key
            self._ghost = self._side_of(thing, Vec3(*projection.to_ground(*cursor)))
        return self._ghost

    def _side_of(self, thing: Thing, near: Vec3) -> Vec3 | None:
        """Where one ped would be sent at a thing."""
        transform = self._world.things.transform(thing.ref)
        offsets = places_at(self._world, thing, near)
        if transform is None or not offsets:
            return None
        return approach_point(transform, offsets[0])

    @property
    def hint(self) -> Hint:
        """What the mouse can do now."""
        if self.asking is not None:
            return self.asking.hint
        if self._in_hand is not None:
            return self._in_hand.hint
        return SEND_HINT if self.selection.ids else SELECT_HINT

    def draw(self, surface: pygame.Surface, theme: Theme) -> None:
        """The box that is being dragged, or what the tool in hand is about to do."""
        if self._in_hand is not None:
            self._in_hand.draw(surface, theme)
        self._draw_round(surface, theme)
        if self._box is None or not self._box.is_open:
            return
        box = self._box.box
        inside = pygame.Surface(box.size, pygame.SRCALPHA)
        inside.fill((*theme.colours.accent, 36))
        surface.blit(inside, box)
        pygame.draw.rect(surface, theme.colours.accent, box, 1)

    def _draw_round(self, surface: pygame.Surface, theme: Theme) -> None:
        """The round so far, from point to point."""
        if len(self._round) < 2:
            return
        project = self._view.projection().to_screen
        corners = [project(place.x, place.y, place.z) for place in self._round]
        pygame.draw.lines(surface, theme.colours.accent, False, corners, 2)
