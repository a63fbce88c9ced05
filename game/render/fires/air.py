"""What fires leave in the air: smoke, embers, steam and drops of water; for the eye alone."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import pygame

from game.render.colours import Colour, mix
from game.render.palette import FireColours
from game.render.projection import Projection

SMOKE_MAX: Final = 120
EMBERS_MAX: Final = 160
DROPS_MAX: Final = 160

PUFF_EVERY_S: Final = 0.12
SMOKE_S, EMBER_S, DROP_S = 2.8, 1.4, 0.5
RISE_SMOKE, RISE_EMBER = 330.0, 260.0
DRIFT_CM_S: Final = 80.0
_SIZE_STEP: Final = 3
_ALPHA_STEPS: Final = 8


class Source(NamedTuple):
    """Something that burns: its place in cm, flames' radius and strength; a ped is ``small``."""

    x: float
    y: float
    z: float
    radius: float
    strength: float
    small: bool = False


class _Bit(NamedTuple):
    born_s: float
    x: float
    y: float
    z: float
    vx: float
    vy: float
    vz: float
    size: float


class FireAir:
    """Bits that live for a moment; a random stream of its own (EVT-92)."""

    def __init__(self, colours: FireColours) -> None:
        self._colours = colours
        self._rng = random.Random(7)
        self._smoke: list[_Bit] = []
        self._embers: list[_Bit] = []
        self._drops: list[_Bit] = []
        self._time_s = 0.0
        self._owed_smoke = 0.0
        self._owed_embers = 0.0

    def __len__(self) -> int:
        return len(self._smoke) + len(self._embers) + len(self._drops)

    def advance(self, sources: Sequence[Source], wind: tuple[float, float], time_s: float) -> None:
        """On to a time of the run; what is in sight smokes."""
        dt_s = min(max(time_s - self._time_s, 0.0), 0.2)
        self._time_s = time_s
        if dt_s == 0.0:
            return
        self._smoke = [one for one in self._smoke if time_s - one.born_s < SMOKE_S]
        self._embers = [one for one in self._embers if time_s - one.born_s < EMBER_S]
        self._drops = [one for one in self._drops if time_s - one.born_s < DROP_S]
        if not sources:
            return
        rng = self._rng
        # With more fires than puffs to go round each gets its turn.
        rate = min(len(sources) / PUFF_EVERY_S, SMOKE_MAX / SMOKE_S)
        self._owed_smoke += rate * dt_s
        while self._owed_smoke >= 1.0:
            self._owed_smoke -= 1.0
            self._puff(rng.choice(sources), wind)
        alive = sum(
            one.radius * one.strength * (2.0 if one.small else 1.0) / 5.0 for one in sources
        )
        self._owed_embers += min(alive, EMBERS_MAX) / EMBER_S * dt_s
        while self._owed_embers >= 1.0:
            self._owed_embers -= 1.0
            self._ember(rng.choice(sources), wind)

    def steam(self, x: float, y: float, radius_cm: float) -> None:
        """Water has met fire here: a white puff or two, and drops that fall."""
        rng = self._rng
        for _ in range(min(10, DROPS_MAX - len(self._drops))):
            turn, away = rng.uniform(0.0, math.tau), radius_cm * math.sqrt(rng.random())
            self._drops.append(
                _Bit(
                    self._time_s, x + away * math.cos(turn), y + away * math.sin(turn),
                    90.0 + 60.0 * rng.random(), 0.0, 0.0, -260.0, 5.0,
                )
            )  # fmt: skip

    def _puff(self, source: Source, wind: tuple[float, float]) -> None:
        rng = self._rng
        if source.strength <= 0.05 or len(self._smoke) >= SMOKE_MAX:
            return
        speed = math.hypot(*wind)
        way = (1.0, -0.25) if speed < 1.0 else (wind[0] / speed, wind[1] / speed)
        drift = max(DRIFT_CM_S, min(speed, 260.0))
        turn = rng.uniform(0.0, math.tau)
        self._smoke.append(
            _Bit(
                self._time_s,
                source.x + 0.4 * source.radius * math.cos(turn),
                source.y + 0.4 * source.radius * math.sin(turn),
                source.z + 60.0 + source.radius,
                drift * way[0] * rng.uniform(0.7, 1.2),
                drift * way[1] * rng.uniform(0.7, 1.2),
                RISE_SMOKE / SMOKE_S * rng.uniform(0.8, 1.2),
                max(source.radius, 24.0) * (0.55 + 0.45 * source.strength),
            )
        )

    def _ember(self, source: Source, wind: tuple[float, float]) -> None:
        rng = self._rng
        turn = rng.uniform(0.0, math.tau)
        self._embers.append(
            _Bit(
                self._time_s,
                source.x + 0.7 * source.radius * math.cos(turn),
                source.y + 0.7 * source.radius * math.sin(turn),
                source.z + 20.0,
                0.4 * wind[0] + rng.uniform(-16.0, 16.0),
                0.4 * wind[1] + rng.uniform(-16.0, 16.0),
                RISE_EMBER / EMBER_S * rng.uniform(0.7, 1.3),
                4.0,
            )
        )

    # -- drawing ---------------------------------------------------------------------

    def paint_smoke(self, surface: pygame.Surface, projection: Projection) -> None:
        """Above all that stands, below the light of the day."""
        young, old = self._colours.smoke_young, self._colours.smoke_old
        blits = []
        for one in self._smoke:
            share = (self._time_s - one.born_s) / SMOKE_S
            x, y = self._on_screen(one, projection)
            radius = one.size * (0.3 + 0.95 * share) * projection.zoom
            if not _inside(surface, x, y, radius):
                continue
            size = max(_SIZE_STEP, round(radius / _SIZE_STEP) * _SIZE_STEP)
            step = round(share * _ALPHA_STEPS)
            puff = _puff_surface(size, step, young, old)
            blits.append((puff, (round(x - size), round(y - size))))
        surface.fblits(blits)

    def paint_bright(self, surface: pygame.Surface, projection: Projection) -> None:
        """Embers and drops: over the light, they shine."""
        first, last = self._colours.ember_young, self._colours.ember_old
        for one in self._embers:
            share = (self._time_s - one.born_s) / EMBER_S
            x, y = self._on_screen(one, projection)
            x += 16.0 * math.sin(9.0 * share + one.x) * projection.zoom
            radius = max(1.0, (4.0 - 3.0 * share) * projection.zoom * 0.8)
            pygame.draw.circle(surface, mix(first, last, share), (x, y), radius)
        for one in self._drops:
            x, y = self._on_screen(one, projection)
            pygame.draw.line(surface, self._colours.water, (x, y), (x, y - 8 * projection.zoom), 2)

    def _on_screen(self, bit: _Bit, projection: Projection) -> tuple[float, float]:
        age = self._time_s - bit.born_s
        z = max(bit.z + bit.vz * age, 0.0)
        return projection.to_screen(bit.x + bit.vx * age, bit.y + bit.vy * age, z)


@lru_cache(maxsize=512)
def _puff_surface(radius: int, step: int, young: Colour, old: Colour) -> pygame.Surface:
    """A soft disc with a lighter one on its sunny side; alpha 105 when young, none when old."""
    share = step / _ALPHA_STEPS
    alpha = round(105 * (1.0 - share))
    tone = mix(young, old, share)
    puff = pygame.Surface((2 * radius, 2 * radius), pygame.SRCALPHA)
    pygame.draw.circle(puff, (*tone, alpha * 2 // 3), (radius, radius), radius)
    pygame.draw.circle(puff, (*tone, alpha), (radius, radius), radius * 0.82)
    lit = mix(tone, (255, 255, 255), 0.10)
    at = (radius - 0.22 * radius, radius - 0.26 * radius)
    pygame.draw.circle(puff, (*lit, alpha), at, radius * 0.52)
    return puff


def _inside(surface: pygame.Surface, x: float, y: float, radius: float) -> bool:
    width, height = surface.get_size()
    return -radius < x < width + radius and -radius < y < height + radius
