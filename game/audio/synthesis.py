"""Makes every short sound from numbers: 32 kHz, mono, 16 bit, seeded (art-and-feel 15)."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from game.audio.sound_tuning import SoundLevels

RATE_HZ: Final = 32_000
VARIANTS: Final = 4
FULL_SCALE: Final = 32_767

Wave = NDArray[np.float64]
Samples = NDArray[np.int16]
Random = np.random.Generator


def _times(length_s: float) -> Wave:
    return np.arange(round(length_s * RATE_HZ)) / RATE_HZ


def _low_pass(wave: Wave, cutoff_hz: float) -> Wave:
    """A one-pole low-pass, as the convolution with its decay until that is inaudible."""
    keep = math.exp(-math.tau * cutoff_hz / RATE_HZ)
    taps = min(len(wave), math.ceil(math.log(1e-4) / math.log(keep)))
    decay = (1.0 - keep) * keep ** np.arange(taps)
    size = 1 << (len(wave) + taps).bit_length()  # powers of two are quick
    filtered: Wave = np.fft.irfft(np.fft.rfft(wave, size) * np.fft.rfft(decay, size), size)
    return filtered[: len(wave)]


def _band(wave: Wave, low_hz: float, high_hz: float) -> Wave:
    return _low_pass(wave, high_hz) - _low_pass(wave, low_hz)


def _envelope(times: Wave, attack_s: float, decay_s: float) -> Wave:
    shape: Wave = np.minimum(times / attack_s, 1.0) * np.exp(-times / decay_s)
    return shape


def _glide(times: Wave, from_hz: float, to_hz: float, glide_s: float) -> Wave:
    """A sine that falls from one pitch to another."""
    pitch = to_hz + (from_hz - to_hz) * np.exp(-times / glide_s)
    sine: Wave = np.sin(math.tau * np.cumsum(pitch) / RATE_HZ)
    return sine


def _add_tick(wave: Wave, noise: Wave, start_s: float, level: float, decay_s: float) -> None:
    """Add a short bit of noise to a wave, until it is inaudible."""
    first = round(start_s * RATE_HZ)
    bit = noise[first : first + round(8.0 * decay_s * RATE_HZ)]
    wave[first : first + len(bit)] += level * bit * np.exp(-_times(len(bit) / RATE_HZ) / decay_s)


def _thud(rng: Random) -> Wave:
    times = _times(0.45)
    pitch = 120.0 * rng.uniform(0.94, 1.06)
    body = _glide(times, pitch, 0.55 * pitch, 0.03) * _envelope(times, 0.002, 0.09)
    noise = _band(rng.normal(size=len(times)), 150.0, 1950.0)
    return body + 0.6 * noise * _envelope(times, 0.002, 0.05)


def _boom(rng: Random) -> Wave:
    times = _times(2.6)
    body = _glide(times, 108.0, 38.0, 0.3) * _envelope(times, 0.002, 0.38)
    noise = rng.normal(size=len(times))
    # The cutoff falls: the bright noise dies away sooner than the dull one.
    bright = _low_pass(noise, 5400.0) * np.exp(-times / 0.12)
    dull = _low_pass(noise, 600.0) * np.exp(-times / 0.5)
    wave: Wave = np.tanh(1.6 * (body + 1.1 * (bright + dull)))
    for start in rng.uniform(0.3, 2.2, 40):
        _add_tick(wave, noise, start, 0.08, 0.008)
    return wave


def _crack(rng: Random) -> Wave:
    times = _times(0.3)
    noise = _band(rng.normal(size=len(times)), 500.0, 5000.0)
    return noise * (_envelope(times, 0.001, 0.02) + 0.4 * _envelope(times, 0.03, 0.06))


def _crackle(rng: Random) -> Wave:
    times = _times(0.8)
    wave = 0.1 * _low_pass(rng.normal(size=len(times)), 420.0)
    noise = _band(rng.normal(size=len(times)), 900.0, 6000.0)
    for start in rng.uniform(0.0, 0.7, 20):
        _add_tick(wave, noise, start, 2.2 * rng.random() ** 3, 0.006)
    return wave


def _step(rng: Random) -> Wave:
    times = _times(0.18)
    noise = rng.normal(size=len(times))
    heel = _band(noise, 300.0, 1700.0) * _envelope(times, 0.002, 0.026)
    late = np.maximum(times - 0.045, 0.0)
    toe = 0.5 * _band(noise, 450.0, 2550.0) * _envelope(late, 0.002, 0.026)
    knock = 0.3 * np.sin(math.tau * 95.0 * times) * _envelope(times, 0.002, 0.03)
    return heel + toe + knock


def _click(_rng: Random) -> Wave:
    times = _times(0.06)
    tone = np.sin(math.tau * 660.0 * times) + 0.3 * np.sin(math.tau * 660.0 * 2.01 * times)
    shaped: Wave = tone * _envelope(times, 0.001, 0.015)
    return shaped


_RECIPES: Final[dict[str, Callable[[Random], Wave]]] = {
    "thud": _thud, "boom": _boom, "crack": _crack,
    "crackle": _crackle, "step": _step, "click": _click,
}  # fmt: skip
SOUND_NAMES: Final = tuple(_RECIPES)


def make_sound(name: str, variant: int, levels: SoundLevels) -> Samples:
    """One variant of a sound; the same samples each time."""
    wave = _RECIPES[name](np.random.default_rng((zlib.crc32(name.encode()), variant)))
    fade = min(len(wave), RATE_HZ // 100)
    # Ends in silence, so that no sound stops with a click.
    wave[-fade:] *= np.linspace(1.0, 0.0, fade)
    peak = getattr(levels, name) * FULL_SCALE / float(np.abs(wave).max())
    samples: Samples = np.round(wave * peak).astype(np.int16)
    return samples
