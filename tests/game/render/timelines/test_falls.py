"""Falls as they are dressed: dust where a body lands and slides, flashes within limits."""

from __future__ import annotations

import pytest

from game.render.timelines.effect_stage import (
    REDUCED_SHAKE,
    EffectStage,
)
from game.render.timelines.timeline_files import CameraShake, ScreenFlash, shipped_effects
from game.sandbox import Sandbox

HERE = (0.0, 0.0, 0.0)
SHAKE = CameraShake(
    type="camera_shake", at_s=0.0, until_s=1.0, amplitude_px=10.0, frequency_hz=10.0, falloff_cm=1e3
)
FLASH = ScreenFlash(type="screen_flash", at_s=0.0, until_s=0.1, alpha=90, falloff_cm=1000.0)


def test_a_thrown_body_lands_once_and_skids() -> None:
    """EVT-94: one landing a fall at the least; dust follows the body while it slides."""
    from game.render.picture_of_world import WorldPicture

    with Sandbox.load("ragdoll_lab") as box:
        picture = WorldPicture(box.world)
        for _ in range(240):
            box.world.step()
            picture.after_step()
        log = [one for one in picture.effects.manager.log if one.what == "start"]
        landings = [one for one in log if one.timeline == "landing" and one.type == "particles"]
        assert 1 <= len(landings) <= 3
        assert any(one.timeline == "skid" for one in log)
        assert not picture.effects.manager.owners()


def test_reduced_shake_leaves_a_fifth() -> None:
    """Section 10: reduced shake is 0.2 of the full one, in both directions."""
    stage = EffectStage(shipped_effects())
    stage.start(SHAKE, HERE, 1.0)
    stage.advance(0.02)
    full = stage.shake(0.0, 0.0)
    stage.reduces_shake = True
    assert stage.shake(0.0, 0.0) == pytest.approx(
        (full[0] * REDUCED_SHAKE, full[1] * REDUCED_SHAKE)
    )
    assert full[0] != 0.0


def test_no_more_than_three_flashes_in_a_second() -> None:
    """Section 11, WCAG 2.3.1: the fourth within a second is left out; none if they are reduced."""
    stage = EffectStage(shipped_effects())
    seen = []
    for number in range(5):
        at = (float(number), 0.0, 0.0)
        stage.start(FLASH, at, 1.0)
        seen.append(stage.flash_alpha(0.0, 0.0) > 0)
        stage.stop(FLASH, at)
        stage.advance(0.3)
    assert seen == [True, True, True, False, True]
    stage.advance(5.0)
    stage.reduces_flashes = True
    stage.start(FLASH, HERE, 1.0)
    assert stage.flash_alpha(0.0, 0.0) == 0


def test_a_flash_fades_with_the_distance() -> None:
    """Half way to its falloff it is half as white."""
    stage = EffectStage(shipped_effects())
    stage.start(FLASH, HERE, 1.0)
    assert stage.flash_alpha(500.0, 0.0) == 45
