"""The three kinds of video: what each is encoded with, chosen by the file's ending.

Common to all of them:

- The file grows by half a second at a time and is playable up to there: a killed
  recording loses less than its last second (product.md section 10).
- A fixed number of encoder threads, no frame reordered, nothing adapted to the
  machine's load: the same pictures give the same video on every run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from game.recording.errors import RecordingError

PIECE_S = 0.5
KEYFRAME_EVERY_S = 2
"""How far apart the places are to which a player can jump."""

ENCODER_THREADS = "2"
"""Threads beside the one that draws; more only take the cores away from it."""


@dataclass(frozen=True, slots=True)
class VideoFormat:
    """How one kind of video is written.

    - ``container`` and ``codec`` are FFmpeg's names, with their options.
    - ``pixels`` is the codec's pixel format.
    - ``fps_max``: more frames a second than this the format can't time.
    """

    name: str
    container: str
    codec: str
    pixels: str
    fps_max: int = 60
    codec_options: Mapping[str, str] = field(default_factory=dict)
    container_options: Mapping[str, str] = field(default_factory=dict)


FORMATS: Mapping[str, VideoFormat] = {
    ".mp4": VideoFormat(
        "MP4",
        "mp4",
        "libx264",
        "yuv420p",
        codec_options={"preset": "ultrafast", "crf": "20", "bf": "0", "threads": ENCODER_THREADS},
        # Fragmented while it grows, so that every fragment is playable; closing turns
        # it into a plain MP4, which more players can seek in.
        container_options={
            "movflags": "hybrid_fragmented+default_base_moof",
            "frag_duration": f"{PIECE_S * 1e6:.0f}",
            "flush_packets": "1",
        },
    ),
    ".webm": VideoFormat(
        "WebM",
        "webm",
        "libvpx-vp9",
        "yuv420p",
        codec_options={
            "deadline": "realtime",
            "cpu-used": "8",
            "lag-in-frames": "0",
            "row-mt": "1",
            "threads": ENCODER_THREADS,
            "crf": "30",
            "b": "0",
        },
        container_options={
            "cluster_time_limit": f"{PIECE_S * 1e3:.0f}",
            "flush_packets": "1",
        },
    ),
    ".gif": VideoFormat(
        "GIF",
        "gif",
        "gif",
        "pal8",
        # Delays are whole hundredths of a second, and players slow down one of 0.01.
        fps_max=50,
        container_options={"flush_packets": "1"},
    ),
}


def format_of(path: Path) -> VideoFormat:
    """The kind of video that a file's ending asks for.

    Raises ``RecordingError`` naming the three there are.
    """
    found = FORMATS.get(path.suffix.lower())
    if found is None:
        raise RecordingError(
            f"{path}: a recording is MP4, WebM or GIF; let its name end in .mp4, .webm or .gif"
        )
    return found
