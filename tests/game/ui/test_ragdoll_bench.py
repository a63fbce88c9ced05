"""The workbench of ragdoll_lab: sliders reach the run, Repeat throws again, figures are shown."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest

from ai.motion.recovery.phases import RecoveryPhase
from game.ui.bench_settings import BenchSettings
from game.ui.ragdoll_bench import KNOBS, RagdollBench
from game.ui.street_window import FRAME_S
from game.world.edits import EditReply, PushPed, TuneBodies
from tests.game.ui.hands_on import Player
from tests.game.world.small_worlds import knockdown
from tests.streets import ped_named, person, street

SIZE = (1280, 720)


@pytest.fixture
def player() -> Player:
    level = replace(street(peds=(person(4, "dummy", 900.0, 800.0),)), workbench="ragdoll")
    return Player(level, SIZE)


def bench(player: Player) -> RagdollBench:
    found = player.street.bench
    assert found is not None
    return found


def test_only_a_level_that_asks_for_it_has_a_workbench() -> None:
    plain = Player(street(peds=(person(4, "dummy", 900.0, 800.0),)), SIZE)
    assert plain.street.bench is None


def test_it_begins_with_the_shipped_figures(player: Player) -> None:
    player.frame()
    tuning = knockdown()
    settings = bench(player).settings
    assert settings.ground_mu == tuning.fall.ground_mu
    assert settings.tone_stiffness == tuning.ragdoll.tone_stiffness
    assert {knob.field for knob in KNOBS} == set(BenchSettings.__dataclass_fields__)


@pytest.mark.parametrize(("friction", "least", "most"), [(0.6, 20.0, 110.0), (0.05, 200.0, 700.0)])
def test_what_is_set_reaches_who_falls_from_then_on(
    player: Player, friction: float, least: float, most: float
) -> None:
    """Live sliders: 267 cm/s slide v^2 / (2 mu g): 60 cm at 0.6, several metres at 0.05."""
    player.frame()
    settings = bench(player).settings
    settings.ground_mu = friction
    player.world.actions.submit(settings.tune())
    dummy = ped_named(player.world, "dummy")
    player.world.actions.submit(PushPed(dummy.ref, (20000.0, 0.0)))
    here = dummy.position
    player.steps(200)
    assert least < dummy.position.x - here.x < most


def test_a_figure_out_of_bounds_is_refused(player: Player) -> None:
    """The bounds of knockdown.toml hold for the sliders too."""
    player.world.actions.submit(TuneBodies(-1.0, 0.0, 0.0))
    player.steps(1)
    replies = [line.reply for line in player.world.edits.log]
    assert EditReply.BAD_NUMBER in replies


@pytest.mark.parametrize(
    ("height", "part"),
    [
        (10.0, "left_shin"),
        (60.0, "left_thigh"),
        (100.0, "pelvis"),
        (130.0, "chest"),
        (170.0, "head"),
    ],
)
def test_the_height_of_the_blow_chooses_what_it_meets(height: float, part: str) -> None:
    settings = BenchSettings.of(knockdown())
    settings.height_cm = height
    assert settings.part == part


def test_repeat_begins_anew_throws_and_shows_the_figures(player: Player) -> None:
    """R or the button: the level anew, with the settings kept, and a throw."""
    player.frame()
    bench(player).settings.impulse = 25_000.0
    player.press(pygame.K_r)
    assert player.runs.begun == ["restart"]
    street_again = player.street
    assert bench(player).settings.impulse == 25_000.0
    world = street_again.panels._world
    for _ in range(150):
        street_again.step()
    dummy = ped_named(world, "dummy")
    assert world.recovery.phase(dummy.slot) in (RecoveryPhase.PHYSICS, RecoveryPhase.BLENDING)
    figures = dict(bench(player).figures())
    assert figures["Settled after"] == "1.30 s"
    assert 100.0 < bench(player).measures.speed_peak <= 900.0
    assert bench(player).measures.gap_peak_cm <= 4.0
    street_again.advance(FRAME_S)
    street_again.draw(FRAME_S)


def test_the_button_repeats_and_the_panel_keeps_clicks_from_the_street(player: Player) -> None:
    player.frame()
    box = bench(player).rect
    player.click((box.left + 20, box.top + 15))
    assert player.selected == set()
    button = bench(player)._button
    assert button is not None
    player.move(button.rect.center)
    player.frame()
    player.click(button.rect.center)
    assert player.runs.begun == ["restart"]
