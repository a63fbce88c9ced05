"""256 colours for a GIF: one palette as long as it serves, a new one when it does not.

One palette for many frames keeps what stands still exactly the same, which is what
makes a GIF small and calm; but a fire lit later has colours that the first frame had
not. So the palette is made from a frame and kept until a frame comes in which too
many pixels lie too far from all of its colours.
"""

from __future__ import annotations

from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from game.recording.pixels import PIXELS, bytes_of

COLOURS = 256
KEY_BITS = 6
"""Bits of each channel by which colours are looked up: a colour is at most 2 levels off."""

FAR_LEVELS = 32
"""A pixel is far from its palette colour if one channel differs by more than this."""

FAR_SHARE_MAX = 0.0005
"""More far pixels than this share of the picture ask for a new palette: 0.05 %."""

CHECK_EVERY_PX = 2


class GifPalette:
    """Turns pictures into indexed ones."""

    def __init__(self) -> None:
        self._palette: NDArray[np.uint8] = np.zeros((COLOURS, 4), np.uint8)
        self._index_of = np.zeros(0, np.int16)
        self._error_of = np.zeros(0, np.uint8)
        self._far_share_allowed = -1.0
        self.renewals = 0

    def convert(self, frame: av.VideoFrame) -> av.VideoFrame:
        """The indexed picture of a frame in ``PIXELS``."""
        keys = _keys(bytes_of(frame))
        if self.renewals == 0 or self._far_share(keys) > self._far_share_allowed:
            self._renew(frame, keys)
        indexed: Any = self._index_of[keys].astype(np.uint8), self._palette
        return av.VideoFrame.from_ndarray(indexed, format="pal8")

    def _renew(self, frame: av.VideoFrame, keys: NDArray[np.int32]) -> None:
        self._palette = _palette_for(frame)
        self._index_of = np.full(1 << 3 * KEY_BITS, -1, np.int16)
        self._error_of = np.zeros(1 << 3 * KEY_BITS, np.uint8)
        self.renewals += 1
        # A picture of very many colours is far from any palette; twice as far is news.
        self._far_share_allowed = max(FAR_SHARE_MAX, 2.0 * self._far_share(keys))

    def _far_share(self, keys: NDArray[np.int32]) -> float:
        """The share of a picture's pixels that are far from their palette colour."""
        self._look_up_new(keys)
        checked = keys[::CHECK_EVERY_PX, ::CHECK_EVERY_PX]
        return float(np.mean(self._error_of[checked] > FAR_LEVELS))

    def _look_up_new(self, keys: NDArray[np.int32]) -> None:
        """Find the nearest palette colour of every colour not met since the last renewal."""
        new = np.unique(keys[self._index_of[keys] < 0])
        opaque = np.flatnonzero(self._palette[:, 0])
        colours = self._palette[opaque, 1:].astype(np.int32)
        for some in np.array_split(new, max(1, len(new) // 4096)):
            away = _colours_of(some)[:, None, :] - colours[None, :, :]
            nearest = np.argmin(np.sum(away * away, axis=2), axis=1)
            self._index_of[some] = opaque[nearest]
            error = np.abs(away[np.arange(len(some)), nearest]).max(axis=1)
            self._error_of[some] = error


def _keys(pixels: NDArray[np.uint8]) -> NDArray[np.int32]:
    """One number a pixel from the high bits of red, green and blue; shape (height, width)."""
    high = pixels >> (8 - KEY_BITS)
    keys = high[:, :, 2].astype(np.int32)
    keys <<= KEY_BITS
    keys |= high[:, :, 1]
    keys <<= KEY_BITS
    keys |= high[:, :, 0]
    return keys


def _colours_of(keys: NDArray[np.int32]) -> NDArray[np.int32]:
    """Red, green and blue in the middle of what a key stands for; shape (number, 3)."""
    mask = (1 << KEY_BITS) - 1
    high = np.stack((keys >> 2 * KEY_BITS, (keys >> KEY_BITS) & mask, keys & mask), axis=1)
    return (high << (8 - KEY_BITS)) + (1 << (7 - KEY_BITS))


def _palette_for(frame: av.VideoFrame) -> NDArray[np.uint8]:
    """Alpha, red, green and blue of 256 colours for one frame; one of them is transparent."""
    graph = av.filter.Graph()
    source = graph.add(
        "buffer", f"video_size={frame.width}x{frame.height}:pix_fmt={PIXELS}:time_base=1/1"
    )
    generator = graph.add("palettegen", "stats_mode=full:reserve_transparent=1")
    sink = graph.add("buffersink")
    graph.link_nodes(source, generator, sink).configure()
    source.push(frame)
    source.push(None)
    found: Any = sink.pull()
    return bytes_of(found).reshape(COLOURS, 4)[:, ::-1].copy()
