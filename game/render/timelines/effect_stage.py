"""What timelines do to the picture: particles, shaking, debug marks (EVT-93).

Sounds have nobody to play them yet: they stand in the log.
"""

from __future__ import annotations

import math
import random
from typing import NamedTuple

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
)

PARTICLES_MAX = 1500


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
        self._owed: dict[tuple[int, Place], float] = {}
        self._shakes: dict[tuple[int, Place], tuple[CameraShake, float]] = {}
        self.marks: dict[tuple[int, Place], DebugMark] = {}
        self.time_s = 0.0

    def __len__(self) -> int:
        return len(self._particles)

    # -- the stage ------------------------------------------------------------------------

    def start(self, entry: Entry, at: Place, intensity: float) -> None:
        """Shakes and marks are there from now on."""
        key = id(entry), at
        if isinstance(entry, CameraShake):
            self._shakes[key] = entry, intensity
        elif isinstance(entry, DebugMark):
            self.marks[key] = entry

    def update(self, entry: Entry, at: Place, intensity: float, dt_s: float) -> None:
        """Particles are born, at a rate."""
        if not isinstance(entry, Particles):
            return
        key = id(entry), at
        scale = intensity if entry.scale_with_intensity else 1.0
        owed = self._owed.get(key, 0.0) + entry.rate * scale * dt_s
        while owed >= 1.0:
            owed -= 1.0
            self._bear(entry, at)
        self._owed[key] = owed

    def stop(self, entry: Entry, at: Place) -> None:
        """Shakes and marks go; particles live their lives."""
        key = id(entry), at
        self._owed.pop(key, None)
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
        return off_x, off_y

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
