"""The screen of the street: keys, focus, camera, panels, frames to order."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from ai.tasks.move_interface import MBR_RUN, MBR_STILL
from game.render.scene_renderer import Quality
from game.ui.commands import Command
from game.ui.display import Display
from game.ui.menu_screen import MenuScreen
from game.ui.street_window import FRAME_S, StreetWindow
from game.ui.window import draw_frames, run_screens
from game.world import frame
from tests.game.ui.hands_on import Player, Run, Runs, you
from tests.streets import person, street

SIZE = (640, 360)


@pytest.fixture
def nobody_plays() -> Player:
    peds = (person(3, "ann", 1000.0, 800.0), person(4, "ben", 1200.0, 800.0))
    return Player(street(peds=peds), SIZE)


@pytest.fixture
def player() -> Player:
    return Player(street(peds=(you(),)), SIZE)


def picture(player: Player) -> bytes:
    return pygame.image.tobytes(player.context.display.surface, "RGB")


# -- keys and focus -----------------------------------------------------------------


def test_losing_the_focus_pauses_and_lets_go_of_every_key(player: Player) -> None:
    """F8: movement has stopped at focus loss, and no key sticks when the focus is back."""
    player.press(pygame.K_w)
    player.press(pygame.K_LSHIFT)
    player.steps(1)
    assert player.world.player_controls.mbr == MBR_RUN
    player.hear(pygame.WINDOWFOCUSLOST)
    assert player.context.pacer.is_paused
    player.hear(pygame.WINDOWFOCUSGAINED)
    player.command(Command.PAUSE)
    player.steps(1)
    assert player.world.player_controls.heading_rad is None
    assert player.world.player_controls.mbr == MBR_STILL


def test_keys_pause_step_and_change_the_speed(player: Player) -> None:
    pacer = player.context.pacer
    player.command(Command.PAUSE)
    assert pacer.is_paused
    player.command(Command.STEP)
    assert pacer.advance(FRAME_S) == 1
    player.command(Command.FASTER)
    assert pacer.speed == 2.0
    player.command(Command.SLOWER)
    player.command(Command.SLOWER)
    assert pacer.speed == 0.5


def test_brackets_count_by_what_they_write(player: Player) -> None:
    """Keyboards that have the brackets elsewhere still reach slower and faster."""
    player.key(pygame.K_9, unicode="]")
    assert player.context.pacer.speed == 2.0
    player.key(pygame.K_8, unicode="[")
    assert player.context.pacer.speed == 1.0


def test_brackets_with_altgr_count_too(player: Player) -> None:
    """German keyboards write them with AltGr, which comes as Alt."""
    player.key(pygame.K_9, unicode="]", mod=pygame.KMOD_RALT)
    assert player.context.pacer.speed == 2.0


def test_keys_with_alt_are_the_window_systems(player: Player) -> None:
    """Alt+Tab goes to another window: the inspector stays as it was."""
    player.key(pygame.K_TAB, mod=pygame.KMOD_LALT)
    assert not player.street.panels.inspector.is_open
    player.key(pygame.K_TAB)
    assert player.street.panels.inspector.is_open


def test_it_closes_when_asked_to(player: Player) -> None:
    player.hear(pygame.QUIT)
    assert player.screen is None


def test_escape_opens_the_menu_and_closes_it_again(player: Player) -> None:
    street = player.screen
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.screen, MenuScreen)
    player.key(pygame.K_ESCAPE)
    assert player.screen is street


# -- the player's ped ------------------------------------------------------------------


@pytest.mark.parametrize("yaw_rad", [0.0, 2.0])
def test_a_key_is_seen_in_the_ped_within_two_steps(yaw_rad: float) -> None:
    """LOC-18: the answer to a key is felt within 2 frames."""
    player = Player(street(peds=(you(yaw_rad=yaw_rad),)), SIZE)
    player.steps(5)
    ped = player.world.peds.in_id_order()[0]
    before = (ped.position, ped.yaw)
    player.press(pygame.K_d)
    player.steps(2)
    assert (ped.position, ped.yaw) != before
    drawn = player.street.view.picture.peds
    assert (drawn.now != drawn.before).any()


def test_the_camera_follows_the_players_ped_and_the_arrows_steer_it(player: Player) -> None:
    player.press(pygame.K_RIGHT)
    for _ in range(150):
        player.street.step()
        player.street.look(FRAME_S)
    position = player.world.peds.in_id_order()[0].position
    assert position.x > 1150.0
    assert player.street.projection().centre_x == pytest.approx(position.x, abs=60.0)


# -- the camera --------------------------------------------------------------------------


def test_without_a_player_the_arrows_move_the_camera(nobody_plays: Player) -> None:
    street = nobody_plays.street
    before = street.projection()
    nobody_plays.press(pygame.K_RIGHT)
    street.look(0.1)
    after = street.projection()
    assert after.centre_x > before.centre_x
    assert after.centre_y == before.centre_y


def test_the_middle_button_drags_the_ground(nobody_plays: Player) -> None:
    street = nobody_plays.street
    before = street.projection().to_ground(300.0, 200.0)
    nobody_plays.move((300, 200))
    nobody_plays.move((330, 210), held=2)
    assert street.projection().to_ground(330.0, 210.0) == pytest.approx(before)
    nobody_plays.hear(pygame.MOUSEBUTTONUP, button=2, pos=(330, 210))


@pytest.mark.parametrize("kind", [pygame.WINDOWLEAVE, pygame.WINDOWFOCUSLOST])
def test_leaving_the_window_ends_a_drag_of_the_ground(nobody_plays: Player, kind: int) -> None:
    """Engineering notes: the camera glides to a halt, nothing keeps on being dragged."""
    nobody_plays.move((300, 200))
    nobody_plays.move((330, 210), held=2)
    nobody_plays.hear(kind)
    for _ in range(120):
        nobody_plays.street.look(FRAME_S)
    rested = nobody_plays.street.projection()
    nobody_plays.street.look(FRAME_S)
    assert nobody_plays.street.projection().centre_x == pytest.approx(rested.centre_x, abs=0.1)


def test_the_wheel_zooms(nobody_plays: Player) -> None:
    nobody_plays.hear(pygame.MOUSEWHEEL, x=0, y=2)
    for _ in range(60):
        nobody_plays.street.look(FRAME_S)
    assert nobody_plays.street.projection().zoom == pytest.approx(0.6 * 1.15**2)


def test_the_camera_never_moves_the_focus_of_the_run(nobody_plays: Player) -> None:
    """Product section 2: the drawn camera never reaches the simulation."""
    focus = nobody_plays.world.focus
    nobody_plays.press(pygame.K_RIGHT)
    for _ in range(20):
        nobody_plays.street.step()
        nobody_plays.street.look(FRAME_S)
    assert nobody_plays.world.focus == focus


# -- panels --------------------------------------------------------------------------------


def test_it_draws_overlays_and_panels(player: Player) -> None:
    player.street.draw(FRAME_S)
    plain = picture(player)
    player.command(Command.OVERLAYS)
    player.street.draw(FRAME_S)
    assert picture(player) != plain
    player.command(Command.OVERLAYS)
    player.command(Command.HIDE)
    player.street.draw(FRAME_S)
    assert picture(player) != plain


def test_hidden_panels_take_no_clicks(nobody_plays: Player) -> None:
    """Product section 6: H hides; what lies under the toolbar can be touched then."""
    box = nobody_plays.street.toolbar.box_of(Command.PAUSE)
    assert box is not None
    nobody_plays.command(Command.HIDE)
    nobody_plays.click(box.center)
    assert not nobody_plays.context.pacer.is_paused


def test_a_pause_makes_the_street_paler(player: Player) -> None:
    """Art-and-feel 16: desaturated by 15 % and framed."""

    def colourfulness() -> float:
        player.street.draw(1.0)
        surface = player.context.display.surface
        colours = [surface.get_at((x, 180)) for x in range(300, 340)]
        return sum(max(one[:3]) - min(one[:3]) for one in colours)

    colourful = colourfulness()
    player.command(Command.PAUSE)
    assert colourfulness() < colourful


def test_a_screenshot_never_overwrites_another(
    player: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F15: safe file names, nothing overwritten, the path shown."""
    monkeypatch.chdir(tmp_path)
    player.command(Command.SCREENSHOT)
    player.command(Command.SCREENSHOT)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["bystander-1.png", "bystander-2.png"]
    assert str(tmp_path / "bystander-2.png") in player.notice


# -- the run ---------------------------------------------------------------------------------


def test_a_restart_begins_the_same_run_anew(player: Player) -> None:
    player.press(pygame.K_d)
    player.steps(30)
    player.command(Command.RESTART)
    assert player.runs.begun == ["restart"]
    assert player.street.view.picture.time_s == 0.0


def test_an_error_of_the_run_stops_it_and_is_told(
    player: Player, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """F3: play shows a notice, the traceback is on standard error, the level can restart."""

    def broken() -> None:
        raise RuntimeError("the callback broke")

    monkeypatch.setattr(player.run, "step", broken)
    player.frame(0.05)
    assert "the callback broke" in player.notice
    assert "Traceback" in capsys.readouterr().err
    player.frame()
    assert player.context.pacer.is_paused
    player.command(Command.RESTART)
    player.frame()
    assert not player.street.has_stopped
    assert not player.context.pacer.is_paused


def test_a_restart_in_a_pause_stays_paused(player: Player) -> None:
    """The pause was the player's own: the beginning can be looked at, and stepped through."""
    player.command(Command.PAUSE)
    player.command(Command.RESTART)
    assert player.context.pacer.is_paused


def test_frames_to_order_run_one_step_each_and_leave_a_picture(tmp_path: Path) -> None:
    """Product section 4: --frames N --screenshot FILE works under SDL's dummy driver."""
    description = street(peds=(you(),))
    run = Run(description)
    display = Display(pygame.display.set_mode(SIZE))
    draw_frames(display, Runs(description), run, 7, tmp_path / "shot.png")
    assert run.steps == 7
    assert run.world.clock.step == 7
    assert pygame.image.load(tmp_path / "shot.png").get_size() == SIZE


def test_it_plays_until_it_is_closed(player: Player) -> None:
    """The loop itself, under the dummy driver: events, steps, pictures, and an end."""
    shown: list[str] = []
    pygame.event.clear()
    run_screens(player.street, lambda: (shown.append("first"), post_quit())[0])
    assert shown == ["first"]


def post_quit() -> None:
    pygame.event.post(pygame.event.Event(pygame.QUIT))


def test_another_size_of_the_window_is_drawn_to(player: Player) -> None:
    player.street.draw(FRAME_S)
    grown = pygame.display.set_mode((800, 450))
    player.hear(pygame.VIDEORESIZE, size=(800, 450), w=800, h=450)
    player.street.draw(FRAME_S)
    assert player.context.display.surface is grown
    assert (player.street.projection().width, player.street.projection().height) == (800, 450)


@pytest.mark.parametrize("size", [(1, 1), (90, 60), (320, 200), (1920, 200)])
@pytest.mark.parametrize("text_scale", [1.0, 2.0])
def test_a_window_of_any_size_can_be_drawn(size: tuple[int, int], text_scale: float) -> None:
    player = Player(street(peds=(you(),)), size)
    player.context.theme.text_scale = text_scale
    player.frame()
    player.command(Command.HELP)
    player.frame()
    player.key(pygame.K_ESCAPE)
    player.key(pygame.K_ESCAPE)
    assert isinstance(player.screen, MenuScreen)
    player.frame()


def test_a_street_window_names_its_window_by_the_level(player: Player) -> None:
    assert isinstance(player.screen, StreetWindow)
    assert pygame.display.get_caption()[0] == "Street"
    assert player.context.quality == Quality()


# -- tasks and tuning ---------------------------------------------------------------


def test_a_drawn_frame_tells_the_tasks_before_it_is_drawn(
    nobody_plays: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """TASK-66: the camera has moved, nothing is drawn yet; a step alone never does."""
    told: list[int] = []
    monkeypatch.setattr(frame, "draw", lambda world: told.append(world.clock.step))
    nobody_plays.steps(3)
    before = len(told)
    nobody_plays.street.draw(FRAME_S)
    assert told[before:] == [nobody_plays.world.clock.step]


def test_changed_tuning_is_told_between_two_frames(nobody_plays: Player) -> None:
    """TASK-112: what the watch says becomes a notice."""
    told = iter([("Movement Tasks: reloaded",)])
    nobody_plays.context.changed_tuning = lambda: next(told, ())
    nobody_plays.street.advance(FRAME_S)
    assert nobody_plays.context.notices.words == "Movement Tasks: reloaded"
