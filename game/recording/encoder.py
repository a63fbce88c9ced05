"""Pictures in, an encoded file out: the container, the codec, and the codec's own pixels."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import av
from av.video.reformatter import VideoReformatter
from av.video.stream import VideoStream

from game.recording.formats import KEYFRAME_EVERY_S, VideoFormat
from game.recording.gif_palette import GifPalette
from game.recording.part_file import PartFile

BT709 = 1
"""FFmpeg's number of the colours that players expect of a video, and that its head states."""

MATRIX: Any = "ITU709"
"""The same to PyAV; its older releases know the name alone, whatever its types say."""


class Encoder:
    """Encodes pictures of one size at an even rate.

    - ``size`` is even in both directions (``yuv420p``); every picture has it.
    - The methods raise ``OSError`` of the file as it was met.
    """

    def __init__(self, file: PartFile, form: VideoFormat, size: tuple[int, int], fps: int) -> None:
        self._container = av.open(
            file, "w", format=form.container, options=dict(form.container_options)
        )
        stream = self._container.add_stream(form.codec, rate=fps, options=dict(form.codec_options))
        assert isinstance(stream, VideoStream)
        stream.width, stream.height = size
        stream.pix_fmt = form.pixels
        stream.codec_context.gop_size = fps * KEYFRAME_EVERY_S
        self._file = file
        self._stream = stream
        self._frame_time = Fraction(1, fps)
        self._frames = 0
        self._indexed: GifPalette | None = None
        if form.pixels == "pal8":
            self._indexed = GifPalette()
        else:
            self._reformatter = VideoReformatter()
            context = stream.codec_context
            context.colorspace = context.color_primaries = context.color_trc = BT709

    def encode(self, picture: av.VideoFrame, times: int) -> None:
        """Show a picture for a number of frames."""
        frame = self._in_own_pixels(picture)
        frame.time_base = self._frame_time
        for _ in range(times):
            frame.pts = self._frames
            self._frames += 1
            self._container.mux(self._stream.encode(frame))
            self._file.mark_whole()

    def finish(self) -> None:
        """Encode what is still held back, and close the container."""
        try:
            if self._frames:
                self._container.mux(self._stream.encode(None))
        finally:
            self._container.close()

    def _in_own_pixels(self, picture: av.VideoFrame) -> av.VideoFrame:
        if self._indexed is not None:
            return self._indexed.convert(picture)
        return self._reformatter.reformat(
            picture, format=self._stream.pix_fmt, dst_colorspace=MATRIX
        )
