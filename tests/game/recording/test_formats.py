"""Each kind of video: what goes in comes out."""

from __future__ import annotations

import struct
from pathlib import Path

import av
import pytest

from game.recording.errors import RecordingError
from game.recording.formats import FORMATS, format_of
from game.recording.pixels import new_canvas
from game.recording.take import Take
from tests.game.recording.videos import SIZE, look_at, moving_square, picture_of

every_ending = pytest.mark.parametrize("ending", sorted(FORMATS))


@every_ending
def test_a_video_has_every_frame_at_its_time_and_size(ending: str, tmp_path: Path) -> None:
    """Two seconds at 30 frames a second are 60 frames, the last one at 59/30 s."""
    with Take(tmp_path / f"demo{ending}", SIZE, 30) as take:
        for canvas in moving_square():
            take.add(canvas)
        made = take.finish()
    seen = look_at(made.video)
    assert seen.frames == made.frames == 60
    assert seen.sizes == {SIZE}
    assert made.seconds == 2.0
    # A GIF counts in hundredths of a second.
    assert seen.times_s == pytest.approx([number / 30 for number in range(60)], abs=0.0051)


@every_ending
def test_the_same_pictures_give_the_same_video(ending: str, tmp_path: Path) -> None:
    digests = set()
    for name in ("one", "two"):
        with Take(tmp_path / f"{name}{ending}", SIZE, 30) as take:
            for canvas in moving_square():
                take.add(canvas)
            digests.add(look_at(take.finish().video).digest)
    assert len(digests) == 1


@every_ending
def test_colours_come_out_as_they_went_in(ending: str, tmp_path: Path) -> None:
    """Within 6 levels: pixels of a video are rounded, and blurred at edges alone."""
    canvas = new_canvas(SIZE)
    canvas.fill((200, 90, 40))
    canvas.fill((40, 120, 200), (80, 0, 80, 90))
    with Take(tmp_path / f"demo{ending}", SIZE, 30) as take:
        take.add(canvas)
        video = take.finish().video
    picture = picture_of(video, 0)
    for place, colour in (((40, 45), (200, 90, 40)), ((120, 45), (40, 120, 200))):
        assert tuple(picture.get_at(place))[:3] == pytest.approx(colour, abs=6)


@every_ending
def test_one_picture_can_stand_for_several_frames(ending: str, tmp_path: Path) -> None:
    canvases = moving_square()
    with Take(tmp_path / f"demo{ending}", SIZE, 30) as take:
        take.add(canvases[0])
        take.add(canvases[30], 5)
        take.add(canvases[59])
        made = take.finish()
    assert look_at(made.video).frames == made.frames == 7
    assert made.video.exists()


def test_mp4_is_h264_in_planes_that_every_player_takes(tmp_path: Path) -> None:
    with Take(tmp_path / "demo.mp4", SIZE, 30) as take:
        take.add(moving_square()[0])
        video = take.finish().video
    with av.open(str(video)) as container:
        context = container.streams.video[0].codec_context
        assert (context.name, context.pix_fmt) == ("h264", "yuv420p")
    # Closed, it is a plain MP4: an index, no fragments.
    boxes = top_boxes(video.read_bytes())
    assert boxes.count("moov") == 1
    assert "moof" not in boxes


def top_boxes(data: bytes) -> list[str]:
    """Names of an MP4's outermost boxes, each with its 32 bit size before it."""
    found = []
    while data:
        size, name = struct.unpack(">I4s", data[:8])
        found.append(name.decode())
        data = data[size:]
    return found


@pytest.mark.parametrize("name", ["demo.avi", "demo", "demo.mp4.part", "mp4"])
def test_another_ending_is_refused_naming_the_three(name: str) -> None:
    with pytest.raises(RecordingError, match=r"MP4, WebM or GIF.*\.mp4, \.webm or \.gif") as found:
        format_of(Path(name))
    assert name in str(found.value)


def test_endings_may_be_written_large() -> None:
    assert format_of(Path("DEMO.MP4")).name == "MP4"


def test_a_gif_refuses_more_frames_than_it_can_time(tmp_path: Path) -> None:
    """Its delays are whole hundredths of a second."""
    with pytest.raises(RecordingError, match=r"GIF.*50"):
        Take(tmp_path / "demo.gif", SIZE, 60)
    assert list(tmp_path.iterdir()) == []
