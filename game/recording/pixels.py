"""Pictures on their way from pygame to the encoder, as plain bytes of blue, green, red, unused."""

from __future__ import annotations

from typing import Any

import av
import numpy as np
import pygame
from numpy.typing import NDArray

PIXELS = "bgr0"
"""FFmpeg's name of how ``new_canvas`` lays out its pixels in memory."""

_MASKS = (0xFF0000, 0x00FF00, 0x0000FF, 0)


def new_canvas(size: tuple[int, int]) -> pygame.Surface:
    """A surface whose memory an encoder can read as it is, whatever the display's format."""
    return pygame.Surface(size, 0, 32, _MASKS)


def frame_of(canvas: pygame.Surface) -> av.VideoFrame:
    """A copy of a canvas as a video frame, row by row, since the two pad their rows differently."""
    width, height = canvas.get_size()
    frame = av.VideoFrame(width, height, PIXELS)
    memory: Any = canvas.get_buffer()
    rows = np.frombuffer(memory, np.uint8).reshape(height, canvas.get_pitch())
    bytes_of(frame)[...] = rows[:, : 4 * width].reshape(height, width, 4)
    return frame


def bytes_of(frame: av.VideoFrame) -> NDArray[np.uint8]:
    """A frame's own memory, four bytes a pixel; shape (height, width, 4)."""
    plane: Any = frame.planes[0]
    rows: NDArray[np.uint8] = np.frombuffer(plane, np.uint8)
    rows = rows.reshape(frame.height, plane.line_size)
    return rows[:, : 4 * frame.width].reshape(frame.height, frame.width, 4)
