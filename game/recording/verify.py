"""Is a finished video whole? It is decoded from end to end, as a viewer's player would."""

from __future__ import annotations

from pathlib import Path

import av

from game.recording.errors import RecordingError


def verify_video(path: Path, *, frames: int, fps: int, size: tuple[int, int]) -> None:
    """Decode a video and compare it with what was meant to be in it.

    - It has that many frames, all of that size.
    - The first is shown at 0 s and the last ends with the duration, within half a frame.

    Raises ``RecordingError`` saying what is wrong.
    """
    try:
        seen, first_s, last_s, sizes = _decode(path)
    except (av.FFmpegError, OSError, EOFError) as error:
        raise RecordingError(f"{path}: the written video can't be decoded: {error}") from error
    if seen != frames:
        raise RecordingError(f"{path}: the written video has {seen} frames, not {frames}")
    if sizes != {size}:
        raise RecordingError(f"{path}: the written video's size is {sorted(sizes)}, not {size}")
    frame_s = 1.0 / fps
    for name, is_s, meant_s in (
        ("start", first_s, 0.0),
        ("end", last_s + frame_s, frames * frame_s),
    ):
        if abs(is_s - meant_s) > 0.5 * frame_s:
            raise RecordingError(
                f"{path}: the written video's {name} is at {is_s:.3f} s, not {meant_s:.3f} s"
            )


def _decode(path: Path) -> tuple[int, float, float, set[tuple[int, int]]]:
    """Number of frames, times of the first and the last, and their sizes."""
    times: list[float] = []
    sizes: set[tuple[int, int]] = set()
    with av.open(str(path.resolve())) as container:
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        for frame in container.decode(stream):
            times.append(float(frame.time))
            sizes.add((frame.width, frame.height))
    return len(times), times[0] if times else 0.0, times[-1] if times else 0.0, sizes
