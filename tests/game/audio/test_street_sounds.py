"""What the window lets be heard: samples, limits, captions and silence."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pygame
import pytest

from game.audio.sound_tuning import shipped_sounds
from game.audio.street_sounds import StreetSounds
from game.audio.synthesis import FULL_SCALE, RATE_HZ, SOUND_NAMES, VARIANTS, make_sound
from game.render.projection import Projection
from game.render.timelines.timeline_files import SoundOnce, shipped_effects

THUD = SoundOnce(type="sound_once", at_s=0.0, sound="thud")
HERE = (0.0, 0.0, 0.0)


@pytest.fixture
def sounds() -> Iterator[StreetSounds]:
    """Sounds on SDL's dummy device."""
    heard = StreetSounds()
    heard.open()
    heard.wait_until_made()
    yield heard
    heard.close()


@pytest.mark.parametrize("name", SOUND_NAMES)
def test_every_variant_is_the_same_each_time_and_does_not_clip(name: str) -> None:
    """Art-and-feel 15: seeded, 16 bit, at its level, no longer than 2.6 s, ends in silence."""
    levels = shipped_sounds().levels
    made = [make_sound(name, variant, levels) for variant in range(VARIANTS)]
    for variant, samples in enumerate(made):
        assert np.array_equal(samples, make_sound(name, variant, levels))
        assert samples.dtype == np.int16
        assert 0 < len(samples) <= 2.6 * RATE_HZ
        peak = int(np.abs(samples.astype(np.int32)).max())
        assert peak == pytest.approx(getattr(levels, name) * FULL_SCALE, abs=1.0)
        assert samples[-1] == 0
    assert name == "click" or not np.array_equal(made[0], made[1])


def test_every_sound_that_timelines_may_name_can_be_made() -> None:
    """Art-and-feel 15: the list of effects.toml has a recipe for each name."""
    assert set(shipped_effects().sounds) <= set(SOUND_NAMES)


def test_alike_sounds_are_limited_and_the_louder_steals(sounds: StreetSounds) -> None:
    """Art-and-feel 15: so many voices of one sound, the quietest of which gives way."""
    limit = sounds.tuning.per_sound_max
    for _ in range(limit + 3):
        sounds.play(THUD, HERE, 0.5)
    assert [voice.gain for voice in sounds._voices.values()] == [0.5] * limit
    sounds.play(THUD, HERE, 1.0)
    assert sorted(voice.gain for voice in sounds._voices.values())[-2:] == [0.5, 1.0]


def test_feet_sound_once_a_stride(sounds: StreetSounds) -> None:
    """Art-and-feel 15: who stands is silent and who was put elsewhere made no step."""
    sounds._projection = Projection(0.0, 0.0)
    ids, stride = np.array([1]), sounds.tuning.stride_cm
    for x in (0.0, 0.0, 0.6 * stride, 50.0 * stride):
        sounds.walk(ids, np.array([[x, 0.0, 0.0, 0.0]]))
    assert not sounds._voices
    for x in (50.6 * stride, 51.2 * stride):
        sounds.walk(ids, np.array([[x, 0.0, 0.0, 0.0]]))
    assert sounds._walked[1][2] == pytest.approx(0.2 * stride)


def test_without_a_device_all_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Art-and-feel 15: no device, no sound, no error; captions are still told."""

    def refuse(*_args: object, **_named: object) -> None:
        raise pygame.error("no device")

    monkeypatch.setattr(pygame.mixer, "init", refuse)
    sounds = StreetSounds(has_captions=True)
    sounds.open()
    sounds.play(THUD, HERE, 1.0)
    sounds.click()
    sounds.close()
    assert not sounds._voices
    assert sounds.caption == "(thud)"
    sounds.has_captions = False
    assert sounds.caption == ""


def test_sounds_are_softer_far_off_and_lie_to_their_side(sounds: StreetSounds) -> None:
    """Art-and-feel 15: gain 1/(1 + (d/6 m)^2), pan at most 0.7 by the place on the screen."""
    sounds._projection = Projection(0.0, 0.0)
    assert sounds._gain_and_pan(HERE) == (1.0, 0.0)
    gain, pan = sounds._gain_and_pan((600.0, 0.0, 0.0))
    assert gain == pytest.approx(0.5)
    assert 0.0 < pan <= 0.7
    assert sounds._gain_and_pan((-9000.0, 0.0, 0.0))[1] == -0.7
