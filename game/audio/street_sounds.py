"""What a window lets be heard: voices with limits, pan and distance, and captions for them.

Silent until ``open``, and for good where there is no device; no call ever raises for
want of sound. It reads the picture and never the simulation.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import numpy as np
import pygame
from numpy.typing import NDArray

from game.audio.sound_tuning import SoundTuning, shipped_sounds
from game.audio.synthesis import RATE_HZ, SOUND_NAMES, VARIANTS, Samples, make_sound
from game.render.projection import Projection
from game.render.timelines.players import Place
from game.render.timelines.timeline_files import SoundLoop, SoundOnce

INAUDIBLE = 0.01
JUMP_STRIDES = 3.0
"""Who is further in one step was put there, and did not walk."""


@dataclass(slots=True)
class _Voice:
    """What a channel plays."""

    name: str
    gain: float


@dataclass(slots=True)
class StreetSounds:
    """Plays the sounds of timelines, feet and buttons."""

    tuning: SoundTuning = field(default_factory=shipped_sounds)
    volume: float = 1.0
    has_captions: bool = False
    _is_open: bool = False
    _projection: Projection | None = None
    _made: dict[tuple[str, int], Samples] = field(default_factory=dict)
    _maker: threading.Thread | None = None
    _bank: dict[tuple[str, int], pygame.mixer.Sound] = field(default_factory=dict)
    _voices: dict[int, _Voice] = field(default_factory=dict)
    _walked: dict[int, tuple[float, float, float]] = field(default_factory=dict)
    _turns: dict[str, int] = field(default_factory=dict)
    _caption: str = ""
    _caption_left_s: float = 0.0

    def open(self) -> None:
        """Look for a device; without one all stays silent."""
        try:
            pygame.mixer.init(RATE_HZ, -16, 2, 512, allowedchanges=0)
            pygame.mixer.set_num_channels(self.tuning.voices_max)
        except (pygame.error, NotImplementedError):
            return
        self._is_open = True
        # Beside the window, which would stand still for as long as it takes.
        self._maker = threading.Thread(target=self._make_all, daemon=True)
        self._maker.start()

    def _make_all(self) -> None:
        for variant in range(VARIANTS):
            for name in SOUND_NAMES:
                self._made[name, variant] = make_sound(name, variant, self.tuning.levels)

    def wait_until_made(self) -> None:
        """Return once every sound can be heard."""
        if self._maker is not None:
            self._maker.join()

    def close(self) -> None:
        """Let go of the device."""
        if self._is_open:
            self._is_open = False
            self._bank.clear()
            self._voices.clear()
            pygame.mixer.quit()

    @property
    def caption(self) -> str:
        """Words for what is heard now, or nothing."""
        return self._caption if self.has_captions and self._caption_left_s > 0.0 else ""

    def look(
        self, projection: Projection, frame_s: float, volume: float, has_captions: bool
    ) -> None:
        """Hear from the middle of this picture on; called once a frame."""
        self._projection, self.volume, self.has_captions = projection, volume, has_captions
        self._caption_left_s -= frame_s

    # -- what sounds ----------------------------------------------------------------------

    def play(self, entry: SoundOnce, at: Place, intensity: float) -> None:
        """A sound of a timeline, once."""
        self._sound(entry.sound, at, entry.volume * min(max(intensity, 0.0), 1.0))

    def start_loop(self, entry: SoundLoop, at: Place, intensity: float) -> None:
        """Sounds once: no shipped timeline has a loop yet."""
        self._sound(entry.sound, at, entry.volume * min(max(intensity, 0.0), 1.0))

    def stop_loop(self, entry: SoundLoop, at: Place) -> None:
        """Nothing goes on, so nothing is stopped."""

    def click(self) -> None:
        """A button was pressed."""
        self._start("click", 1.0, 0.0)

    def walk(self, ids: NDArray[np.int64], places: NDArray[np.float64]) -> None:
        """Feet: a step sounds once for each stride that a ped went, the nearest only."""
        if not self._is_open or self._projection is None:
            return
        stride, walked = self.tuning.stride_cm, {}
        steps: list[tuple[float, float]] = []
        for ped_id, (x, y) in zip(ids.tolist(), places[:, :2].tolist(), strict=True):
            old_x, old_y, gone = self._walked.get(ped_id, (x, y, 0.0))
            moved = float(np.hypot(x - old_x, y - old_y))
            gone = gone + moved if moved < JUMP_STRIDES * stride else 0.0
            if gone >= stride:
                gone %= stride
                steps.append(self._gain_and_pan((x, y, 0.0)))
            walked[ped_id] = x, y, gone
        self._walked = walked
        for gain, pan in sorted(steps, reverse=True)[: self.tuning.feet_max]:
            self._start("step", gain, pan)

    # -- voices ---------------------------------------------------------------------------

    def _sound(self, name: str, at: Place, level: float) -> None:
        gain, pan = self._gain_and_pan(at)
        words = self.tuning.captions.get(name)
        if words is not None and level * gain >= INAUDIBLE:
            self._caption, self._caption_left_s = words, self.tuning.caption_s
        self._start(name, level * gain, pan)

    def _gain_and_pan(self, at: Place) -> tuple[float, float]:
        """Loudness by the distance from the picture's middle, 0 to 1; pan by screen x."""
        projection = self._projection
        if projection is None:
            return 1.0, 0.0
        right, down = at[0] - projection.centre_x, at[1] - projection.centre_y
        away = float(np.hypot(right, down)) / self.tuning.near_cm
        side = right * projection.zoom / (projection.width / 2.0)
        return 1.0 / (1.0 + away * away), self.tuning.pan_max * min(max(side, -1.0), 1.0)

    def _start(self, name: str, gain: float, pan: float) -> None:
        if not self._is_open or gain * self.volume < INAUDIBLE or name not in SOUND_NAMES:
            return
        try:
            sound = self._next_variant(name)
            number = None if sound is None else self._free_channel(name, gain)
            if sound is None or number is None:
                return
            channel = pygame.mixer.Channel(number)
            channel.play(sound)
            loud = gain * self.volume
            channel.set_volume(loud * min(1.0, 1.0 - pan), loud * min(1.0, 1.0 + pan))
            self._voices[number] = _Voice(name, gain)
        except pygame.error:
            # The device went away while the street was played.
            self._is_open = False

    def _free_channel(self, name: str, gain: float) -> int | None:
        """A channel for a sound: a free one or the quietest's; None if all are louder."""
        busy = {n: v for n, v in self._voices.items() if pygame.mixer.Channel(n).get_busy()}
        self._voices = busy
        alike = {n: v for n, v in busy.items() if v.name == name}
        rivals = alike if len(alike) >= self.tuning.per_sound_max else busy
        if rivals is busy and len(busy) < self.tuning.voices_max:
            return next(n for n in range(self.tuning.voices_max) if n not in busy)
        quietest = min(rivals, key=lambda n: rivals[n].gain)
        return quietest if rivals[quietest].gain < gain else None

    def _next_variant(self, name: str) -> pygame.mixer.Sound | None:
        """Another variant than last time; None while it is not made yet."""
        turn = self._turns.get(name, 0)
        self._turns[name] = turn + 1
        key = name, turn % VARIANTS
        if key not in self._bank:
            if key not in self._made:
                return None
            self._bank[key] = pygame.mixer.Sound(buffer=np.repeat(self._made[key], 2).tobytes())
        return self._bank[key]
