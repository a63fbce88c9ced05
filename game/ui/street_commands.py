"""What carries out the commands of the street's screen.

Each answers with the screen that goes on: the street, or what opens over it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from game.ui.commands import COMMANDS, Command
from game.ui.hand_tools import Tool
from game.ui.help_screen import HelpScreen
from game.ui.menu_screen import MenuScreen
from game.ui.order_menu import OrderMenu
from game.ui.radial_menu import RadialMenu, Slice
from game.ui.radial_screen import RadialScreen
from game.ui.screen import Next
from game.ui.screenshots import save_screenshot
from game.ui.speed_screen import SpeedScreen

if TYPE_CHECKING:
    from game.ui.street_window import StreetWindow

TILT_STEP_DEG = 5.0
ORDER_RING_PX = 106
TOOL_RING_PX = 150


class StreetCommands:
    """Every command of one street, and what it does there."""

    def __init__(self, street: StreetWindow) -> None:
        self._street = street
        self._does = self._handlers()

    @property
    def known(self) -> Collection[Command]:
        """The commands that there are."""
        return self._does.keys()

    def obey(self, command: Command | None) -> Next:
        """Carry a command out; None does nothing."""
        if command is None:
            return self._street
        self._street.toolbar.press(command)
        return self._does[command]()

    def _handlers(self) -> dict[Command, Callable[[], Next]]:
        street = self._street
        pacer, camera = street.context.pacer, street.view.camera

        def stay(does: Callable[[], object]) -> Callable[[], Next]:
            def obey() -> Next:
                does()
                return street

            return obey

        return {
            Command.FIRE: stay(lambda: street.hands.take(Tool.FIRE)),
            Command.IMPACT: stay(lambda: street.hands.take(Tool.IMPACT)),
            Command.ORDER: stay(lambda: street.hands.take(Tool.ORDER)),
            Command.GRAB: stay(lambda: street.hands.take(Tool.GRAB)),
            Command.DOUSE: stay(lambda: street.hands.take(Tool.DOUSE)),
            Command.ORDER_MENU: self._order_menu_of_selected,
            Command.TOOL_RING: self._open_tool_ring,
            Command.SHOVE: stay(street.ask_shove),
            Command.RESTART: street.restart,
            Command.SLOWER: stay(pacer.slower),
            Command.PAUSE: stay(pacer.toggle_pause),
            Command.STEP: stay(pacer.single_step),
            Command.FASTER: stay(pacer.faster),
            Command.INSPECTOR: stay(street.panels.inspector.toggle),
            Command.OVERLAYS: stay(street.view.overlays.toggle),
            Command.FRAME_TIMES: stay(street.panels.times.toggle),
            Command.RECORD: stay(street.press_record),
            Command.SCREENSHOT: stay(self._screenshot),
            Command.HELP: lambda: HelpScreen(street, street.context, street.toolbar),
            Command.MENU: self._open_menu,
            Command.HIDE: stay(street.slide.toggle),
            Command.FULL_SCREEN: stay(street.context.toggle_full_screen),
            Command.HOME: stay(camera.home),
            Command.STEEPER: stay(lambda: camera.tilt_by(TILT_STEP_DEG)),
            Command.FLATTER: stay(lambda: camera.tilt_by(-TILT_STEP_DEG)),
        }

    def _screenshot(self) -> None:
        context = self._street.context
        context.notices.say(save_screenshot(context.display.surface))

    # -- screens over the street -----------------------------------------------------

    def _open_menu(self) -> Next:
        """Esc puts down what was begun; with empty hands it opens the menu."""
        if self._street.hands.put_down():
            return self._street
        return MenuScreen(self._street, self._street.context)

    def choose_speed(self) -> Next:
        """The slider over the speed label."""
        street = self._street
        return SpeedScreen(street, street.context, street.toolbar.speed_box)

    def _order_menu_of_selected(self) -> Next:
        """About the first of the selected who has an order, else the first that is seen."""
        street = self._street
        told = [ped_id for ped_id in street.hands.selection.ids if street.orders.can_tell(ped_id)]
        told.sort(key=lambda ped_id: street.orders.order_of(ped_id) is None)
        for ped_id in told:
            place = street.place_of(ped_id)
            if place is not None:
                return self.open_order_menu(place)
        street.context.notices.say("Choose somebody to give an order to first")
        return street

    def open_order_menu(self, at: tuple[int, int]) -> Next:
        """The ring of orders about a point of the window."""
        street = self._street
        menu = OrderMenu(street.hands.selection.ids, street.orders, street.hands)
        ring = RadialMenu(street.context.theme, at, menu.slices, ORDER_RING_PX)

        def choose(index: int) -> Next:
            menu.choose(index)
            return street

        return RadialScreen(street, street.context, ring, choose, Command.ORDER_MENU)

    def _open_tool_ring(self) -> Next:
        """The toolbar's commands as a ring in the middle, for the gamepad."""
        street = self._street
        infos = [info for info in COMMANDS if info.icon and info.command in self._does]
        width, height = street.context.display.size
        ring = RadialMenu(
            street.context.theme,
            (width // 2, height // 2),
            [Slice(info.icon, info.name) for info in infos],
            TOOL_RING_PX,
        )
        return RadialScreen(
            street,
            street.context,
            ring,
            lambda index: self.obey(infos[index].command),
            Command.TOOL_RING,
        )
