"""What timelines do to the picture: particles, shaking, flashes, debug marks (EVT-93).

Sounds go on to ``sounds``, where somebody plays them.
"""

from __future__ import annotations

import math
import random
from collections import deque
from typing import NamedTuple, Protocol

import pygame

from game.render.projection import Projection
from game.render.timelines.players import Place
from game.render.timelines.timeline_files import (
    CameraShake,
    DebugMark,
    Effects,
    Entry,
    ParticleEffect,
    Particles,
    ScreenFlash,
    SoundLoop,
    SoundOnce,
)

PARTICLES_MAX = 1500

REDUCED_SHAKE = 0.2
"""What is left of shaking for who has it reduced (art-and-feel section 10)."""

FLASHES_MAX, FLASHES_IN_S = 3, 1.0
"""No more bright flashes than these in any second (WCAG 2.3.1)."""


class SoundPlayer(Protocol):
    """Who makes timelines heard."""

    def play(self, entry: SoundOnce, at: Place, intensity: float) -> None:
        """A sound, once."""
        ...

    def start_loop(self, entry: SoundLoop, at: Place, intensity: float) -> None:
        """A sound goes on until it is stopped."""
        ...

    def stop_loop(self, entry: SoundLoop, at: Place) -> None:
        """That sound is over."""
        ...


class _Flash(NamedTuple):
    """A flash that is on."""

    entry: ScreenFlash
    at: Place
    intensity: float


class _Particle(NamedTuple):
    """One bit: where and when it was born, how it moves, how large it is."""

    effect: ParticleEffect
    colour: tuple[int, int, int]
    born_s: float
    at: Place
    velocity: Place
    size_cm: float


class EffectStage:
    """Keeps what is in the air; draws with a random stream of its own."""

    def __init__(self, effects: Effects) -> None:
        self._effects = effects
        self._rng = random.Random(1)
        self._particles: list[_Particle] = []
        self._shakes: dict[tuple[int, Place], tuple[CameraShake, float]] = {}
        self._flashes: dict[tuple[int, Place], _Flash] = {}
        self._flashed_s: deque[float] = deque(maxlen=FLASHES_MAX)
        self.marks: dict[tuple[int, Place], DebugMark] = {}
        self.time_s = 0.0
        self.reduces_shake = False
        self.reduces_flashes = False
        self.sounds: SoundPlayer | None = None

    def __len__(self) -> int:
        return len(self._particles)

    # -- the stage ------------------------------------------------------------------------

    def start(self, entry: Entry, at: Place, intensity: float) -> None:
        """Sounds sound; shakes, flashes and marks are there from now on."""
        key = id(entry), at
        if self.sounds is not None:
            if isinstance(entry, SoundOnce):
                self.sounds.play(entry, at, intensity)
            elif isinstance(entry, SoundLoop):
                self.sounds.start_loop(entry, at, intensity)
        if isinstance(entry, CameraShake):
            self._shakes[key] = entry, intensity
        elif isinstance(entry, ScreenFlash):
            self._begin_flash(key, _Flash(entry, at, intensity))
        elif isinstance(entry, DebugMark):
            self.marks[key] = entry

    def update(self, entry: Entry, at: Place, intensity: float, dt_s: float) -> None:
        """Particles are born, at a rate."""
        if not isinstance(entry, Particles):
            return
        scale = intensity if entry.scale_with_intensity else 1.0
        # Rounded by chance, so that nothing need be remembered of who moves about.
        for _ in range(int(entry.rate * scale * dt_s + self._rng.random())):
            self._bear(entry, at)

    def stop(self, entry: Entry, at: Place) -> None:
        """Loops, shakes, flashes and marks go; particles live their lives."""
        key = id(entry), at
        if self.sounds is not None and isinstance(entry, SoundLoop):
            self.sounds.stop_loop(entry, at)
        self._flashes.pop(key, None)
        self._shakes.pop(key, None)
        self.marks.pop(key, None)

    def advance(self, dt_s: float) -> None:
        """Time for what is in the air."""
        self.time_s += dt_s
        if self._particles:
            self._particles = [
                one for one in self._particles if self.time_s - one.born_s < one.effect.lives_s
            ]

    # -- drawing --------------------------------------------------------------------------

    def paint(self, surface: pygame.Surface, projection: Projection) -> None:
        """Every bit, larger and fainter as it ages."""
        for one in self._particles:
            age = self.time_s - one.born_s
            share = age / one.effect.lives_s
            x = one.at[0] + one.velocity[0] * age
            y = one.at[1] + one.velocity[1] * age
            z = max(one.at[2] + one.velocity[2] * age, 0.0)
            px, py = projection.to_screen(x, y, z)
            radius = one.size_cm * (1.0 + one.effect.grows * share) * projection.zoom * 0.5
            if radius < 0.5 or not _inside(surface, px, py, radius):
                continue
            side = math.ceil(radius) * 2 + 2
            bit = pygame.Surface((side, side), pygame.SRCALPHA)
            alpha = round(210 * (1.0 - share))
            pygame.draw.circle(bit, (*one.colour, alpha), (side / 2, side / 2), radius)
            surface.blit(bit, (px - side / 2, py - side / 2))

    def shake(self, x: float, y: float) -> tuple[float, float]:
        """How far the picture is off, in px, seen from a point of the ground."""
        off_x = off_y = 0.0
        for (_, at), (entry, intensity) in self._shakes.items():
            away = math.hypot(at[0] - x, at[1] - y)
            size = entry.amplitude_px * intensity * max(0.0, 1.0 - away / entry.falloff_cm)
            turn = self.time_s * entry.frequency_hz * math.tau
            off_x += size * math.sin(turn)
            off_y += size * math.sin(turn * 1.37 + 1.0)
        left = REDUCED_SHAKE if self.reduces_shake else 1.0
        return off_x * left, off_y * left

    def flash_alpha(self, x: float, y: float) -> int:
        """How white the picture is, 0 to 255, seen from a point of the ground."""
        brightest = 0.0
        for entry, at, intensity in self._flashes.values():
            away = math.hypot(at[0] - x, at[1] - y)
            left = max(0.0, 1.0 - away / entry.falloff_cm)
            brightest = max(brightest, entry.alpha * intensity * left)
        return round(brightest)

    def _begin_flash(self, key: tuple[int, Place], flash: _Flash) -> None:
        """Unless flashes are off, or there have been enough of them just now."""
        recent = len(self._flashed_s) == FLASHES_MAX and (
            self.time_s - self._flashed_s[0] < FLASHES_IN_S
        )
        if not self.reduces_flashes and not recent:
            self._flashed_s.append(self.time_s)
            self._flashes[key] = flash

    def _bear(self, entry: Particles, at: Place) -> None:
        if len(self._particles) >= PARTICLES_MAX:
            return
        effect, rng = self._effects.particles[entry.effect], self._rng
        turn = rng.uniform(0.0, math.tau)
        speed = effect.spreads_cm_s * rng.random()
        wide = entry.size_cm * 0.5 * rng.random()
        self._particles.append(
            _Particle(
                effect,
                _rgb(rng.choice(effect.colours)),
                self.time_s,
                (
                    at[0] + entry.offset_cm[0] + wide * math.cos(turn),
                    at[1] + entry.offset_cm[1] + wide * math.sin(turn),
                    at[2] + entry.offset_cm[2],
                ),
                (
                    speed * math.cos(turn),
                    speed * math.sin(turn),
                    effect.rises_cm_s * rng.uniform(0.6, 1.2),
                ),
                entry.size_cm * rng.uniform(0.5, 1.0),
            )
        )


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _inside(surface: pygame.Surface, x: float, y: float, radius: float) -> bool:
    width, height = surface.get_size()
    return -radius < x < width + radius and -radius < y < height + radius
