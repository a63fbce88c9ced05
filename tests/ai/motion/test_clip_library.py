"""The clip set and what is refused at load (CLIP-01, CLIP-05, LOC-13)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.motion.clip_files import MAX_FILE_BYTES, read_clip
from ai.motion.clip_library import ClipLibrary
from ai.motion.clip_tuning import ClipTuning
from ai.motion.clips import ClipRefused
from ai.tuning import TuningError, load_own_form
from tests.ai.motion.clip_doubles import (
    ASSETS,
    LIBRARY,
    RUN,
    TUNING,
    WALK,
    copied_assets,
    rewrite_clip,
    rewrite_text,
)

Change = Callable[[dict[str, Any]], None]


def refusal(assets: Path) -> str:
    """What loading says; a load that succeeds fails the test."""
    with pytest.raises((ClipRefused, TuningError)) as refused:
        ClipLibrary.load(assets, TUNING)
    return str(refused.value)


DEFAULT_SET = [
    ("idle", 4.00, 0.0),
    ("turn_left", 0.70, 0.0),
    ("turn_right", 0.70, 0.0),
    ("walk_start", 0.60, 42.00),
    ("walk_loop", 1.10, 154.00),
    ("walk_stop", 1.00, 35.00),
    ("run_start", 0.80, 237.73),
    ("run_loop", 0.66, 392.25),
    ("run_stop", 1.40, 208.01),
    ("getup_face_up", 1.60, 0.0),
    ("getup_face_down", 1.40, 0.0),
    ("getup_side_left", 1.50, 0.0),
    ("getup_side_right", 1.50, 0.0),
    ("flinch", 0.50, 0.0),
    ("stagger_back", 0.90, 52.0),
    ("stagger_front", 0.90, 52.0),
    ("stagger_left", 0.90, 52.0),
    ("stagger_right", 0.90, 52.0),
]


@pytest.mark.parametrize(("name", "duration_s", "distance_cm"), DEFAULT_SET)
def test_the_default_clips_are_as_long_and_go_as_far_as_the_table(
    name: str, duration_s: float, distance_cm: float
) -> None:
    """CLIP-01: the default clip set."""
    clip = next(clip for clip in LIBRARY.clips if clip.name == name)
    assert clip.duration_s == duration_s
    assert clip.total_distance == pytest.approx(distance_cm, abs=0.005)
    assert (ASSETS / "clips" / f"{name}.json").stat().st_size < 150_000


def test_starts_ramp_up_loops_are_steady_and_stops_ramp_down() -> None:
    """CLIP-01: shapes of d(t).

    A rising ramp covers a quarter by half time, a falling one three quarters; stops stand
    from 0.50 s (walk) and 0.70 s (run) on.
    """
    for profile, stopped_s in ((WALK, 0.5), (RUN, 0.7)):
        for clip, share in ((profile.start, 0.25), (profile.loop, 0.5)):
            half = clip.distance_at(clip.duration_s / 2)
            assert half == pytest.approx(share * clip.total_distance, abs=0.01)
        stop = profile.stop
        assert stop.distance_at(stopped_s / 2) == pytest.approx(
            0.75 * stop.total_distance, abs=0.05
        )
        assert stop.distance_at(stopped_s) == pytest.approx(stop.total_distance, abs=0.03)
        assert stop.distance_at(stopped_s - 0.05) < stop.total_distance - 0.1


@pytest.mark.parametrize(("quarter", "progress"), [(1, 0.15625), (2, 0.5), (3, 0.84375)])
@pytest.mark.parametrize("side", ["left", "right"])
def test_turns_go_by_smoothstep(side: str, quarter: int, progress: float) -> None:
    """CLIP-01: yaw channel 0 to 1, smoothstep."""
    clip = WALK.turn_left if side == "left" else WALK.turn_right
    assert clip.progress_at(0.175 * quarter) == pytest.approx(progress, abs=1e-4)


def test_left_turns_turn_left_and_right_turns_right() -> None:
    """CLIP-04: positive yaw is clockwise on screen, to the figure's right."""
    assert WALK.turn_left.root[-1, 3] < 0.0 < WALK.turn_right.root[-1, 3]


def test_profiles_have_the_speeds_of_the_table() -> None:
    """CLIP-01, LOC-13: reference, desired and sprint speeds; nominal rates 0.929 and 0.555."""
    assert (WALK.reference_speed, WALK.desired_speed) == (140.0, 130.0)
    assert (RUN.reference_speed, RUN.desired_speed, RUN.sprint_speed) == (594.324, 330.0, 480.0)
    assert pytest.approx(0.929, abs=5e-4) == WALK.desired_speed / WALK.reference_speed
    assert pytest.approx(0.555, abs=5e-4) == RUN.desired_speed / RUN.reference_speed


def test_all_arrays_are_read_only() -> None:
    """LOC-13: arrays have writeable == False."""
    for clip in LIBRARY.clips:
        for array in (clip.root, clip.tracks):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1.0
    assert not LIBRARY.rig.mirror.flags.writeable
    assert not LIBRARY.rig.contact_radii.flags.writeable


def test_both_profiles_share_idle_and_turns() -> None:
    """CLIP-01: run clips are plain data beside the walk set on the same rig."""
    assert WALK.idle is RUN.idle
    assert WALK.turn_left is RUN.turn_left
    assert len(LIBRARY.clips) == len(DEFAULT_SET) + 1, "the limp is no clip of the default set"


def test_an_unknown_profile_is_named_with_the_file() -> None:
    """CLIP-01: unknown profile key, naming the file."""
    with pytest.raises(
        ClipRefused, match=r"profiles\.toml: has no profile 'sprint'; it has walk, run"
    ):
        LIBRARY.index("sprint")


def test_copied_assets_load(tmp_path: Path) -> None:
    """CLIP-05: what the tests below break is whole before, also after an empty rewrite."""
    assets = copied_assets(tmp_path)
    rewrite_clip(assets / "clips" / "walk_loop.json", lambda clip: None)
    library = ClipLibrary.load(assets, TUNING)
    assert np.array_equal(library.profile(0).loop.tracks, WALK.loop.tracks)


def set_rig(clip: dict[str, Any]) -> None:
    clip["rig"] = "horse"


def swap_joints(clip: dict[str, Any]) -> None:
    clip["joints"][3], clip["joints"][4] = clip["joints"][4], clip["joints"][3]
    clip["tracks"] = {joint: clip["tracks"][joint] for joint in clip["joints"]}


def lose_a_track(clip: dict[str, Any]) -> None:
    del clip["tracks"]["left_toe"]


def drop_a_sample(clip: dict[str, Any]) -> None:
    clip["curves"]["distance"].pop()


def drop_a_root_sample(clip: dict[str, Any]) -> None:
    clip["root"]["y"].pop()


def drop_a_track_sample(clip: dict[str, Any]) -> None:
    clip["tracks"]["head"][2].pop()


def stretch_the_curves(clip: dict[str, Any]) -> None:
    clip["curves"]["duration"] += 1.1e-4


def let_distance_fall(clip: dict[str, Any]) -> None:
    clip["curves"]["distance"][60] = clip["curves"]["distance"][59] - 0.01


def hold_the_loop_back(clip: dict[str, Any]) -> None:
    # 154 * 0.949 / 1.1 = 132.9 cm/s, 5.1 % under 140.
    clip["curves"]["distance"] = [0.949 * d for d in clip["curves"]["distance"]]


def never_stop_moving(clip: dict[str, Any]) -> None:
    clip["curves"]["distance"] = [0.0] * 121


def forget_the_yaw(clip: dict[str, Any]) -> None:
    del clip["curves"]["yaw"]


def add_a_key(clip: dict[str, Any]) -> None:
    clip["colour"] = "red"


def lose_a_key(clip: dict[str, Any]) -> None:
    del clip["duration"]


BROKEN_CLIPS: list[tuple[str, Change, str]] = [
    ("walk_loop", set_rig, "clip 'walk_loop' is for rig 'horse', not 'human'"),
    (
        "walk_loop",
        swap_joints,
        "another joint list than rig 'human' (first at 3: 'face' for 'head')",
    ),
    ("walk_loop", lose_a_track, "the joint list differs from the joints of the tracks"),
    ("walk_loop", drop_a_sample, "curves.distance has 120 samples, not 121"),
    ("walk_loop", drop_a_root_sample, "root.y has 120 samples, not 121"),
    ("walk_loop", drop_a_track_sample, "tracks.head.z has 120 samples, not 121"),
    ("walk_loop", stretch_the_curves, "on a clip of 1.1 s"),
    ("walk_start", let_distance_fall, "at sample 60"),
    ("walk_loop", hold_the_loop_back, "more than 5.0 % off the reference speed 140.0"),
    ("run_stop", never_stop_moving, "has a stop distance of 0.0 cm"),
    ("turn_left", forget_the_yaw, "clip 'turn_left' is to turn but has no yaw channel"),
    ("idle", add_a_key, "key 'colour' is unknown"),
    ("idle", lose_a_key, "key 'duration' is missing"),
]


@pytest.mark.parametrize(
    ("name", "change", "words"), BROKEN_CLIPS, ids=[row[1].__name__ for row in BROKEN_CLIPS]
)
def test_a_broken_clip_is_refused_by_name(
    tmp_path: Path, name: str, change: Change, words: str
) -> None:
    """CLIP-05: one broken file per rule; file or profile, clip and value are named."""
    assets = copied_assets(tmp_path)
    rewrite_clip(assets / "clips" / f"{name}.json", change)
    said = refusal(assets)
    assert words in said
    assert name in said


def test_a_clip_within_five_percent_of_the_reference_is_taken(tmp_path: Path) -> None:
    """CLIP-05: 154 * 0.951 / 1.1 = 133.1 cm/s is 4.9 % under 140."""

    def slow(clip: dict[str, Any]) -> None:
        clip["curves"]["distance"] = [0.951 * d for d in clip["curves"]["distance"]]

    assets = copied_assets(tmp_path)
    rewrite_clip(assets / "clips" / "walk_loop.json", slow)
    ClipLibrary.load(assets, TUNING)


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_are_not_finite_are_refused(tmp_path: Path, value: str) -> None:
    """CLIP-05: non-finite, however it is written."""
    assets = copied_assets(tmp_path)
    path = assets / "clips" / "walk_loop.json"
    rewrite_clip(path, lambda clip: clip["root"].update(z=[0.5] * 121))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("0.5,", f"{value},", 1), encoding="utf-8", newline="\n")
    said = refusal(assets)
    assert "walk_loop.json" in said
    assert "finite" in said


BROKEN_PROFILES = [
    ('stop = "walk_stop"\n', "", "key 'walk.clips.stop' is missing"),
    ('turn_left = "turn_left"\n', "", "key 'walk.clips.turn_left' is missing"),
    ("reference_speed = 140.0", "reference_speed = 0.0", "key 'walk.reference_speed' = 0.0"),
    ("desired_speed = 130.0", "desired_speed = 130.0\nhaste = 1", "key 'walk.haste' is unknown"),
    ("reference_speed = 140.0", "reference_speed = 148.0", "off the reference speed 148.0"),
    ('turn_left = "turn_left"', 'turn_left = "turn_right"', "6 roles but names 5"),
    ('stop = "walk_stop"', 'stop = "walk_halt"', "walk_halt.json: can't be read"),
    ('stop = "walk_stop"', 'stop = "../rigs/human"', "key 'walk.clips.stop' = '../rigs/human'"),
    ('[run]\nrig = "human"', '[run]\nrig = "horse"', "is on rig 'horse'"),
]


@pytest.mark.parametrize(("old", "new", "words"), BROKEN_PROFILES)
def test_a_broken_profile_is_refused_by_name(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    """CLIP-05, CLIP-01: missing roles, unknown keys, a clip in two roles, missing files."""
    assets = copied_assets(tmp_path)
    rewrite_text(assets / "clips" / "profiles.toml", old, new)
    said = refusal(assets)
    assert words in said


def test_an_empty_profile_file_is_refused(tmp_path: Path) -> None:
    """CLIP-05: no substitute is used."""
    assets = copied_assets(tmp_path)
    (assets / "clips" / "profiles.toml").write_text("", encoding="utf-8")
    assert "has no profile" in refusal(assets)


def test_one_changed_byte_is_refused_with_the_command_that_mends_it(tmp_path: Path) -> None:
    """CLIP-01: edit one byte of a clip: refused, naming the file and the command."""
    assets = copied_assets(tmp_path)
    path = assets / "clips" / "walk_stop.json"
    for place in (100, path.stat().st_size // 2, path.stat().st_size - 40):
        whole = path.read_bytes()
        digit = next(i for i in range(place, len(whole)) if whole[i : i + 1].isdigit())
        changed = bytearray(whole)
        changed[digit] = ord("7") if whole[digit] != ord("7") else ord("3")
        path.write_bytes(changed)
        said = refusal(assets)
        path.write_bytes(whole)
        assert "walk_stop.json" in said
        assert "python -m ai.motion.authoring" in said


def test_a_changed_hash_is_refused(tmp_path: Path) -> None:
    """CLIP-01: curves whose hash does not match are refused."""
    assets = copied_assets(tmp_path)
    path = assets / "clips" / "idle.json"
    digest = json.loads(path.read_text(encoding="utf-8"))["hash"]
    rewrite_text(path, digest, "0" * 64)
    assert "hash mismatch" in refusal(assets)


def test_other_line_ends_change_nothing(tmp_path: Path) -> None:
    """CLIP-01: a checkout with CRLF line ends loads the same clips."""
    assets = copied_assets(tmp_path)
    for path in (assets / "clips").glob("*.json"):
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert len(ClipLibrary.load(assets, TUNING).clips) == len(LIBRARY.clips)


def test_a_file_that_is_too_big_is_not_read(tmp_path: Path) -> None:
    """CLIP-01: sizes are bounded (product.md section 10)."""
    assets = copied_assets(tmp_path)
    path = assets / "clips" / "idle.json"
    path.write_bytes(b" " * (MAX_FILE_BYTES + 1))
    assert f"over {MAX_FILE_BYTES} bytes" in refusal(assets)


@settings(deadline=None)
@given(
    place=st.integers(min_value=0, max_value=70_000),
    inserted=st.binary(max_size=12),
    removed=st.integers(min_value=0, max_value=400),
)
def test_damaged_files_are_refused_or_the_same(
    tmp_path_factory: pytest.TempPathFactory, place: int, inserted: bytes, removed: int
) -> None:
    """CLIP-01: no damage raises anything but the refusal, and none slips through."""
    whole = (ASSETS / "clips" / "idle.json").read_bytes()
    path = tmp_path_factory.mktemp("fuzz") / "idle.json"
    path.write_bytes(whole[:place] + inserted + whole[place + removed :])
    try:
        clip = read_clip(path, TUNING)
    except ClipRefused:
        return
    assert np.array_equal(clip.tracks, WALK.idle.tracks)
    assert clip.distance == WALK.idle.distance


@pytest.mark.parametrize(
    "text", ["", "{", "[" * 100_000, "9" * 5000, "null", '{"hash": 3}', "\ud800"]
)
def test_files_that_are_no_clips_are_refused(tmp_path: Path, text: str) -> None:
    """CLIP-01: clear refusals, no crash."""
    assets = copied_assets(tmp_path)
    path = assets / "clips" / "idle.json"
    path.write_bytes(text.encode("utf-8", errors="surrogatepass"))
    assert "idle.json" in refusal(assets)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("samples = 121", "samples = 120", "samples must be intervals + 1 = 121"),
        ("rate_min = 0.1", "rate_min = 0.0", "key 'rate_min' = 0.0"),
        ("rate_max = 2.5\n", "", "key 'rate_max' is missing"),
        ("intervals = 120", "intervals = 120\nintervalls = 120", "key 'intervalls' is unknown"),
    ],
)
def test_clip_tuning_is_checked(tmp_path: Path, old: str, new: str, words: str) -> None:
    """CLIP-02, TASK-118: missing, unknown and out-of-range keys refuse the load."""
    assets = copied_assets(tmp_path)
    path = assets / "tuning" / "clips.toml"
    rewrite_text(path, old, new)
    with pytest.raises(TuningError) as refused:
        load_own_form(path, ClipTuning)
    assert words in str(refused.value)
    assert str(path) in str(refused.value)


def test_clip_tuning_has_the_values_of_the_table() -> None:
    """CLIP-02, CLIP-08, CLIP-11, CLIP-03 to CLIP-05: section 10 of the orders document."""
    expected = ClipTuning(
        intervals=120,
        samples=121,
        rate_min=0.1,
        rate_max=2.5,
        bisection_steps=12,
        tail_remaining=0.1,
        backstep_max=5.0,
        arc_ratio_max=1.2,
        turn_total_min_deg=5.0,
        turn_sample_max_deg=90.0,
        duration_match=1e-4,
        reference_match_percent=5.0,
    )
    assert expected == TUNING
