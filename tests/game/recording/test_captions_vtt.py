"""Captions as WebVTT."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from game.recording.captions_vtt import CaptionFile, escaped, timestamp, with_speed


def written(path: Path, *shown: tuple[float, str], end_s: float) -> str:
    captions = CaptionFile(path)
    for time_s, text in shown:
        captions.show(text, Fraction(time_s))
    captions.close(Fraction(end_s))
    return path.read_text(encoding="utf-8")


def test_a_caption_stands_from_its_beginning_to_its_end(tmp_path: Path) -> None:
    text = written(tmp_path / "a.vtt", (0.0, ""), (0.5, "Go"), (0.75, "Go"), (4.0, ""), end_s=5.0)
    assert text == "WEBVTT\n\n00:00:00.500 --> 00:00:04.000\nGo\n"


def test_a_later_caption_ends_the_one_before_and_the_video_ends_the_last(tmp_path: Path) -> None:
    text = written(tmp_path / "a.vtt", (1.0, "One"), (2.0, "Two"), end_s=2.5)
    assert text == (
        "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nOne\n\n00:00:02.000 --> 00:00:02.500\nTwo\n"
    )


def test_a_caption_of_no_length_is_left_out(tmp_path: Path) -> None:
    assert written(tmp_path / "a.vtt", (1.0, "Late"), end_s=1.0) == "WEBVTT\n"


def test_a_video_without_captions_has_a_valid_empty_file(tmp_path: Path) -> None:
    assert written(tmp_path / "a.vtt", end_s=1.0) == "WEBVTT\n"


def test_a_caption_is_on_the_disk_when_it_is_over(tmp_path: Path) -> None:
    """product.md section 10: what a broken off recording has can be used."""
    path = tmp_path / "a.vtt"
    captions = CaptionFile(path)
    captions.show("One", Fraction(1))
    captions.show("Two", Fraction(2))
    assert "One" in path.read_text(encoding="utf-8")
    captions.close(Fraction(3))


def test_times_run_over_minutes_and_hours() -> None:
    assert timestamp(Fraction(0)) == "00:00:00.000"
    assert timestamp(Fraction(3_723_456, 1000)) == "01:02:03.456"
    assert timestamp(Fraction(31, 60)) == "00:00:00.517"
    assert timestamp(Fraction(59_999_9, 10_000)) == "00:01:00.000"


def test_a_caption_from_a_stranger_cannot_forge_cues() -> None:
    hostile = "a\n\n00:00:01.000 --> 00:00:02.000\n<b>&"
    assert escaped(hostile) == "a 00:00:01.000 --&gt; 00:00:02.000 &lt;b&gt;&amp;"


def test_another_speed_is_said_in_every_caption() -> None:
    """LVL-10: a caption then says so."""
    assert with_speed("Go", Fraction(1)) == "Go"
    assert with_speed("", Fraction(1)) == ""
    assert with_speed("", Fraction(2)) == "Shown at 2× speed"
    assert with_speed("Go", Fraction(1, 2)) == "Go · shown at 0.5× speed"
