"""The toolbar: every command that has a button, by mouse and by key, and how it looks."""

from __future__ import annotations

import pygame
import pytest

from game.render.colours import distance
from game.render.palette import load_palette
from game.ui.commands import COMMANDS, INFO, Command, Group
from game.ui.frame_pacer import SPEEDS
from game.ui.hud import NO_HINT, Hint, Hud, Status
from game.ui.icons import ICONS
from game.ui.speed_screen import SpeedScreen
from game.ui.street_window import FRAME_S, StreetWindow
from game.ui.theme import Theme
from game.ui.toolbar import TOOLTIP_AFTER_S, Toolbar, ToolbarState
from tests.game.ui.hands_on import Player, you
from tests.streets import person, street

SIZE = (1280, 720)
BUTTONS = [info.command for info in COMMANDS if info.icon]


def toolbar(text_scale: float = 1.0, size: tuple[int, int] = SIZE) -> Toolbar:
    bar = Toolbar(Theme(load_palette().interface, text_scale), BUTTONS)
    bar.place(size)
    return bar


def drawn(bar: Toolbar, state: ToolbarState, size: tuple[int, int] = SIZE) -> pygame.Surface:
    surface = pygame.Surface(size)
    surface.fill((188, 178, 170))
    bar.draw(surface, state)
    return surface


def box(bar: Toolbar, command: Command) -> pygame.Rect:
    found = bar.box_of(command)
    assert found is not None
    return found


def motion(pos: tuple[int, int]) -> pygame.event.Event:
    return pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(0, 0), buttons=(0, 0, 0))


# -- what is on it ---------------------------------------------------------------------


def test_every_button_has_icon_name_key_and_tooltip() -> None:
    """Product 6."""
    for command in BUTTONS:
        info = INFO[command]
        assert info.icon in ICONS
        assert info.name
        assert info.key_name
        assert info.tip


def test_no_two_commands_share_a_key() -> None:
    keys = [info.key for info in COMMANDS]
    assert len(set(keys)) == len(keys)


def test_it_is_62_px_high_with_tools_of_48_px() -> None:
    """Art-and-feel 13."""
    bar = toolbar()
    assert bar.place(SIZE).height == 62
    assert box(bar, Command.ORDER).size == (48, 48)
    assert box(bar, Command.PAUSE).size == (36, 36)


@pytest.mark.parametrize("size", [(1280, 720), (640, 480), (480, 360), (320, 480)])
@pytest.mark.parametrize("text_scale", [1.0, 1.5, 2.0])
def test_buttons_lie_within_the_bar_and_apart(size: tuple[int, int], text_scale: float) -> None:
    """Art-and-feel 17 (16): nothing overlaps."""
    bar = toolbar(text_scale, size)
    boxes = [one for _, one in bar.boxes] + [bar.speed_box]
    assert all(bar.place(size).contains(one) for one in boxes)
    assert all(one.collidelist(boxes[index + 1 :]) == -1 for index, one in enumerate(boxes))
    assert pygame.Rect(0, 0, *size).contains(bar.place(size))


def test_at_200_percent_it_has_two_rows() -> None:
    """Art-and-feel 13: text at 200 %: toolbar two rows."""
    bar = toolbar(2.0)
    tops = {one.centery for _, one in bar.boxes}
    assert len(tops) == 2
    tools = {one.centery for command, one in bar.boxes if INFO[command].group is Group.TOOLS}
    assert tools == {min(tops)}


# -- how it answers ----------------------------------------------------------------------


@pytest.mark.parametrize("command", BUTTONS)
def test_button_and_key_do_the_same(
    command: Command, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(str(tmp_path))

    def left_after(how: str) -> tuple[object, ...]:
        player = Player(street(peds=(you(),)), SIZE)
        player.context.notices.clear()
        if how == "key":
            player.press(INFO[command].key)
        else:
            button = player.street.toolbar.box_of(command)
            assert button is not None
            player.move(button.center)
            player.hear(pygame.MOUSEBUTTONDOWN, pos=button.center, button=1)
        pacer = player.context.pacer
        lit: object = None
        if isinstance(player.screen, StreetWindow):
            lit = len(player.street.view.overlays.shown)
            player.steps(1)
        shove, films = player.world.last_shove, player.context.video.is_on
        player.context.close()
        kind, begun = type(player.screen), player.runs.begun
        return kind, pacer.is_paused, pacer.speed, lit, shove, films, begun

    assert left_after("key") == left_after("button")


def test_a_press_is_seen_in_the_next_frame_and_passes() -> None:
    """Art-and-feel 11 and 13: within one frame; a press moves the button by 1 px."""
    bar = toolbar()
    state = ToolbarState()
    rest = pygame.image.tobytes(drawn(bar, state), "RGB")
    bar.press(Command.STEP)
    assert pygame.image.tobytes(drawn(bar, state), "RGB") != rest
    for _ in range(10):
        bar.advance(FRAME_S)
    assert pygame.image.tobytes(drawn(bar, state), "RGB") == rest


def test_hover_lightens_and_after_a_moment_tells_name_key_and_use() -> None:
    bar = toolbar()
    state = ToolbarState()
    place = box(bar, Command.FASTER)
    rest = drawn(bar, state)
    assert bar.hear(motion(place.center)).taken
    hovered = drawn(bar, state)
    corner = (place.left + 6, place.centery)
    assert sum(hovered.get_at(corner)[:3]) > sum(rest.get_at(corner)[:3])
    above = (place.centerx, bar.place(SIZE).top - 14)
    assert hovered.get_at(above) == rest.get_at(above)
    bar.advance(TOOLTIP_AFTER_S + 0.01)
    assert drawn(bar, state).get_at(above) != rest.get_at(above)
    bar.leave()
    assert drawn(bar, state).get_at(above) == rest.get_at(above)


def test_what_is_on_is_lit() -> None:
    accent = load_palette().interface.accent
    bar = toolbar()
    place = box(bar, Command.OVERLAYS)
    spot = (place.centerx, place.top + 3)
    lit = ToolbarState(frozenset({Command.OVERLAYS}))
    assert distance(drawn(bar, ToolbarState()).get_at(spot)[:3], accent) > 200
    assert distance(drawn(bar, lit).get_at(spot)[:3], accent) < 20


def test_the_mouse_over_the_bar_never_reaches_the_street() -> None:
    player = Player(street(peds=(you(),)), SIZE)
    bar = player.street.toolbar.place(SIZE)
    player.click(player.on("you"))
    player.click((bar.left + 2, bar.centery))
    assert player.selected == {3}


def test_a_tooltip_takes_the_place_of_the_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    """They would lie over each other."""
    told: list[Hint] = []
    draw = Hud.draw

    def watched(self: Hud, surface: pygame.Surface, status: Status, *rest: float) -> None:
        told.append(status.hint)
        draw(self, surface, status, *rest)

    monkeypatch.setattr(Hud, "draw", watched)
    player = Player(street(peds=(you(),)), SIZE)
    player.frame()
    pause = player.street.toolbar.box_of(Command.PAUSE)
    assert pause is not None
    player.move(pause.center)
    player.frame(1.0)
    assert told[0] != NO_HINT
    assert told[-1] == NO_HINT


def test_who_walks_under_the_toolbar_is_not_under_the_mouse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nor does the toolbar pull the camera; with hidden panels the street is all there is."""
    player = Player(street(peds=(person(4, "ann", 1000.0, 800.0),)), SIZE)
    bar = player.street.toolbar.place(SIZE)
    x, y = player.street.projection().to_ground(bar.centerx, bar.top + 40)
    player = Player(street(peds=(person(4, "ann", x, y),)), SIZE)
    monkeypatch.setattr(pygame.mouse, "get_focused", lambda: True)
    monkeypatch.setattr(pygame.mouse, "get_pos", lambda: (bar.centerx, bar.top + 20))
    player.frame()
    assert player.street.view.picture.marks.hovered is None
    player.command(Command.HIDE)
    for _ in range(30):
        player.frame()
    assert player.street.view.picture.marks.hovered == 4


# -- the speed ------------------------------------------------------------------------------


def test_the_speed_label_opens_a_slider() -> None:
    """Art-and-feel 13: the speed label is a slider on click."""
    player = Player(street(peds=(you(),)), SIZE)
    player.click(player.street.toolbar.speed_box.center)
    slider = player.screen
    assert isinstance(slider, SpeedScreen)
    player.drag(slider.stop_of(3), slider.stop_of(6))
    assert player.context.pacer.speed == 8.0
    player.drag(slider.stop_of(6), slider.stop_of(0))
    assert player.context.pacer.speed == SPEEDS[0] == 0.1
    player.click((10, 300))
    assert isinstance(player.screen, StreetWindow)


def test_a_key_closes_the_slider_and_acts() -> None:
    player = Player(street(peds=(you(),)), SIZE)
    player.click(player.street.toolbar.speed_box.center)
    player.command(Command.PAUSE)
    assert isinstance(player.screen, StreetWindow)
    assert player.context.pacer.is_paused
